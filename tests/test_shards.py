"""Shards of a corpus: which there are, and which options go with them."""

import pytest

from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.scale.engine import parser_identity, worker_parser
from preorder_eval.scale.shards import find_shards


@pytest.fixture
def folder(tmp_path):
    for name in ("a.1.en", "a.10.en", "a.2.en", "b.1.en", "1.align", "2.align", "10.align"):
        (tmp_path / name).touch()
    return tmp_path


def test_shards_are_what_the_star_stands_for(folder):
    patterns = {"hyp": [f"{folder}/a.*.en"], "alignment": [f"{folder}/*.align"]}
    found = find_shards(patterns)
    assert [shard.name for shard in found] == ["1", "10", "2"]
    assert found[1].files == {
        "hyp": [str(folder / "a.10.en")],
        "alignment": [str(folder / "10.align")],
    }


def test_a_name_with_signs_of_patterns_is_a_name(tmp_path):
    (tmp_path / "[x]?.1.en").touch()
    (tmp_path / "x.1.en").touch()
    assert [shard.name for shard in find_shards({"hyp": [f"{tmp_path}/[x]?.*.en"]})] == ["1"]


def test_a_shard_that_lacks_a_file_is_named(folder):
    with pytest.raises(FormatError, match=r"b\.10\.en: shard 10 lacks its hyp"):
        find_shards({"hyp": [f"{folder}/a.*.en", f"{folder}/b.*.en"]})


@pytest.mark.parametrize("pattern", ["a.1.en", "*.*", "*/1.en"])
def test_a_pattern_has_one_star_in_the_name(pattern):
    with pytest.raises(PreorderEvalError, match=r"must have one \*"):
        find_shards({"hyp": [pattern]})


def test_results_do_not_take_the_place_of_shards(folder, run):
    code, _, errors = run(
        *("parse", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"),
        *("--input", f"{folder}/a.*.en", "--out", f"{folder}/../{folder.name}"),
    )
    assert code == 2
    assert "holds files of the shards; name a folder of its own for the results" in errors


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FormatError, match="none: cannot be read: No such file"):
        find_shards({"hyp": [f"{tmp_path}/none/*.en"]})


@pytest.mark.slow
def test_a_parser_that_is_another_one_on_a_worker_is_refused():
    identity = parser_identity("en-web")
    assert worker_parser(identity, trust=False).identity.sha256 == identity["sha256"]
    with pytest.raises(PreorderEvalError, match="en-web is another one on a worker than here"):
        worker_parser({**identity, "sha256": "0"}, trust=False)


SHARDED = "--scheduler x --input"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--scheduler x", "takes the shards to work on (--input)"),
        (f"{SHARDED} *.en", "takes a folder to write to (--out)"),
        (f"{SHARDED} a.en --out o", "must have one *"),
        (f"{SHARDED} *.missing --out o", "no file is named *.missing"),
        (f"{SHARDED} *.e --out o --source b", "--source has no effect beside --engine"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run, arguments, message):
    code, _, errors = run("parse", "--engine", "dask", *arguments.split())
    assert code == 2
    assert message in " ".join(errors.split())
