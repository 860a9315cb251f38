"""The project file: what it says, and which paths that are where a command runs."""

from pathlib import Path

import pytest

from preorder_eval.errors import FormatError
from preorder_eval.formats.project_file import begin_project, load_project


def written(folder, text):
    (folder / "preorder.toml").write_text(text)
    return folder / "preorder.toml"


def test_the_file_to_start_from_is_one(tmp_path):
    project = load_project(begin_project(tmp_path))
    assert project.names("parsers") == ["en-web"]
    assert project.names("rules") == ["en-ja", "none"]
    assert project.names("references") == ["en-ja-web", "en-ja"]
    assert project.runs == tmp_path / "runs"
    with pytest.raises(FormatError, match=r"preorder.toml: exists already; edit it"):
        begin_project(tmp_path)
    with pytest.raises(FormatError, match="no such folder"):
        begin_project(tmp_path / "other")


def test_paths_are_relative_to_the_file_and_names_stay(tmp_path, monkeypatch):
    (tmp_path / "below" / "models" / "mine").mkdir(parents=True)
    (tmp_path / "set").mkdir()
    written(
        tmp_path,
        'parsers = ["gold", "en-web(truecase=never)", "below/models/mine", "en_core_web_sm"]\n'
        'rules = ["none", "mine.toml", "v2=old/mine.toml", "/abs.toml"]\n'
        'references = ["set", "set/test", "en-ja-web/test"]\n'
        'metrics = "fuzzy"\nruns = "kept"\n',
    )
    monkeypatch.chdir(tmp_path / "below")
    project = load_project(Path("../preorder.toml"))
    parsers = ["gold", "en-web(truecase=never)", "../below/models/mine", "en_core_web_sm"]
    assert project.names("parsers") == parsers
    assert project.names("rules") == ["none", "../mine.toml", "v2=../old/mine.toml", "/abs.toml"]
    assert project.names("references") == ["../set", "../set/test", "en-ja-web/test"]
    assert project.names("metrics") == ["fuzzy"]
    assert project.runs == Path("../kept")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('\nmetrcs = ["fuzzy"]\n', ":2: unknown key at metrcs: 'metrcs' (did you mean 'metrics'?)"),
        ("runs = 3\n", ":1: key runs: must be a text, not 3"),
        ('runs = ""\n', ":1: key runs: must not be empty"),
        ('rules = []\ngates = ["a", 1]\n', ":2: key gates 2: must be a text, not 1"),
        ("rules = [\n", ":2: not TOML: "),
        ("rules = true\n", ":1: key rules: must be a list, not True"),
        ("\udc80", ": not UTF-8"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(tmp_path, text, says):
    path = tmp_path / "preorder.toml"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(FormatError) as error:
        load_project(path)
    assert str(error.value).startswith(str(path))
    assert says.removeprefix(":") in str(error.value)
    assert "\n" not in str(error.value)
