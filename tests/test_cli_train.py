from preorder_eval.formats.conllu import write_conllu
from preorder_eval.parsers import load_parser
from preorder_eval.treebank import Treebank


def test_a_parser_is_trained_and_can_be_used(run, gold, tmp_path):
    path = tmp_path / "t.conllu"
    write_conllu(path, Treebank.of([gold[i] for i in range(20)]))
    files = ("--train", path, "--dev", path, "--out", tmp_path / "tiny")
    code, out, _ = run("train", *files, "--steps", 2)
    assert code == 0
    assert out.startswith("# tiny\n")
    assert load_parser(tmp_path / "tiny").parse([["Go"]]).words == ["Go"]


def test_a_folder_in_use_is_not_overwritten(run, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("x")
    files = ("--train", "t.conllu", "--dev", "t.conllu", "--out", tmp_path / "mine")
    code, _, err = run("train", *files)
    assert code == 2
    assert "exists already" in err


def test_a_missing_treebank_is_named(run, tmp_path):
    files = ("--train", tmp_path / "t.conllu", "--dev", "d.conllu", "--out", tmp_path / "m")
    code, _, err = run("train", *files)
    assert code == 2
    assert "t.conllu: cannot be read: No such file or directory" in err
