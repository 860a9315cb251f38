"""Shards of a corpus: which there are, and which options go with them."""

from dataclasses import replace

import pytest

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.evaluation.scale.shards import find_shards
from preorder_eval.evaluation.scale.work import RemoteParser


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


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FormatError, match="none: cannot be read: No such file"):
        find_shards({"hyp": [f"{tmp_path}/none/*.en"]})


@pytest.mark.parametrize("name", [".", "..", ".hidden", "a\x1b[2J", "a\nb"])
def test_names_of_shards_that_could_reach_other_files_are_refused(tmp_path, name):
    (tmp_path / f"{name}.en").touch()
    with pytest.raises(PreorderEvalError, match="a shard cannot be called"):
        find_shards({"input": [f"{tmp_path}/*.en"]})


@pytest.mark.slow
def test_a_parser_that_is_another_one_on_a_worker_is_refused():
    parser = RemoteParser.of("mine=en-web")
    assert (parser.label, parser.load(trust=False).identity.sha256) == ("mine", parser.sha256)
    with pytest.raises(PreorderEvalError, match="en-web differs between a worker and this machine"):
        replace(parser, sha256="0").load(trust=False)


SHARDED = "--scheduler x --input"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--scheduler x", "needs the shards to work on (--input)"),
        (f"{SHARDED} *.en", "needs a folder for its files (--out)"),
        (f"{SHARDED} a.en --out o", "must have one *"),
        (f"{SHARDED} *.missing --out o", "no file is named *.missing"),
        (f"{SHARDED} *.e --out o --source b", "--source has no effect with --engine"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run, arguments, message):
    code, _, errors = run("parse", "--engine", "dask", *arguments.split())
    assert code == 2
    assert message in " ".join(errors.split())
