import pytest

from preorder_eval.analysis.attachment import attachment
from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import read_conllu, write_conllu
from preorder_eval.parsers import load_parser
from preorder_eval.training.train import TrainingSettings, train_parser
from preorder_eval.treebank import Treebank


@pytest.fixture
def treebank(gold, tmp_path):
    path = tmp_path / "train.conllu"
    write_conllu(path, Treebank.of([gold[i] for i in range(0, len(gold), 5)]))
    return path


@pytest.mark.slow
def test_a_trained_parser_has_learned_and_comes_with_a_card(treebank, tmp_path, capsys):
    settings = TrainingSettings(steps=100, seed=1, data="bundled trees", licence="CC BY 4.0")
    card = train_parser(treebank, treebank, tmp_path / "small", settings)
    gold = read_conllu(treebank)
    scores = attachment(gold, load_parser(tmp_path / "small").parse(gold.sentences))
    assert scores.uas > 0.6
    assert (tmp_path / "small" / "README.md").read_text() == card
    assert f"| {100 * scores.uas:.1f} | {100 * scores.las:.1f} |" in card
    assert "bundled trees, train.conllu: 60 sentences" in card
    assert str(tmp_path) not in (tmp_path / "small" / "config.cfg").read_text()


def test_bad_treebanks_are_named_and_nothing_is_written(treebank, tmp_path):
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\ta\n\n")
    with pytest.raises(FormatError, match=r"bad\.conllu:1: .*2 fields instead of 10"):
        train_parser(treebank, bad, tmp_path / "small", TrainingSettings(steps=1))
    assert not (tmp_path / "small").exists()
