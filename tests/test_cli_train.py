import pytest

from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.trees.conllu import write_conllu
from preorder_eval.trees.treebank import Treebank

pytestmark = pytest.mark.slow  # trains


@pytest.fixture
def treebank(gold, tmp_path):
    path = tmp_path / "t.conllu"
    write_conllu(path, Treebank.of([gold[i] for i in range(20)]))
    return path


def test_a_parser_is_trained_and_can_be_used(run, treebank, tmp_path):
    files = ("--train", treebank, "--weight", 2, "--dev", treebank, "--out", tmp_path / "tiny")
    options = ("--steps", 2, "--lower", 0, "--seed", 5, "--data-name", "t", "--keep", "last")
    code, out, err = run("train", *files, *options)
    assert code == 0
    assert out.startswith("# tiny\n")
    assert [line.split()[0] for line in err.splitlines()[-3:]] == ["updates", "0", "2"]
    assert "tmp" not in err
    assert load_parser(tmp_path / "tiny").parse([["Go"]]).words == ["Go"]
    # The card's command says all that was given.
    assert (
        "| command | `preorder-eval train --train t.conllu --weight 2 --dev t.conllu --out tiny "
        "--steps 2 --lower 0.0 --seed 5 --keep last --data-name t` |" in out
    )
    assert "lower = 0.0\n" in (tmp_path / "tiny" / "config.cfg").read_text()
