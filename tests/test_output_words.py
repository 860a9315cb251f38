import gzip

import pytest

from preorder_eval.analysis.output_words import OutputWords
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.results.scoring import evaluate, score

OUTPUTS = {"mt": ["A cat, a dog."], "other": ["a dog"]}


def words(metrics, **options):
    return OutputWords(score(OUTPUTS, ["a cat, a dog."], metrics, resamples=5), **options)


@pytest.mark.parametrize(
    ("metrics", "tokenize", "counts"),
    [
        (["wer"], "none", (4, 3)),
        (["wer", "bleu(tokenize=13a)", "chrf"], "13a", (6, 5)),
        (["ribes(tokenize=char)", "bleu(tokenize=13a)"], "char", (10, 9)),
    ],
)
def test_words_are_split_as_the_metrics_split_them(metrics, tokenize, counts):
    own = words(metrics)
    assert own.tokenize == tokenize
    assert (len(own.matches[0].right), own.matches[0].right.sum()) == counts


def test_words_are_split_as_one_says():
    assert words(["bleu(tokenize=13a)"], tokenize="none").tokenize == "none"


def test_a_training_text_may_be_compressed(tmp_path):
    with gzip.open(tmp_path / "train.gz", "wt") as file:
        file.write("a dog. a\n")
    groups = {
        g.name: g.systems[0]
        for g in words(["wer"], training=tmp_path / "train.gz").groups()["frequency"]
    }
    assert (groups["2"].references, groups["2"].found) == (2, 1), "A is not a"
    with pytest.raises(FormatError, match=r"none\.txt"):
        words(["wer"], training=tmp_path / "none.txt").groups()


def test_all_systems_are_there():
    groups = words(["wer"]).groups()
    assert list(groups) == ["frequency"], "there are no tags"
    assert {len(group.systems) for group in groups["frequency"]} == {2}


def test_a_tagger_tags_the_words_that_the_metrics_compare():
    """A full stop is a word of its own, where they split it off."""
    groups = {g.name: g for g in words(["bleu(tokenize=13a)"], tagger="en-web").groups()["upos"]}
    mt, other = groups["PUNCT"].systems
    assert (mt.references, mt.found, mt.outputs, mt.right) == (2, 2, 2, 2)
    assert (other.found, other.outputs) == (0, 0)
    nouns = groups["NOUN"].systems
    assert [(n.references, n.found) for n in nouns] == [(2, 2), (2, 1)]
    with pytest.raises(UnknownNameError, match="unknown parser 'none-such'"):
        words(["wer"], tagger="none-such").groups()


def test_outputs_and_references_are_needed():
    orders = evaluate("en-ko", parsers=["gold"], rules=["none"], metrics=["fuzzy"], resamples=5)
    with pytest.raises(PreorderEvalError, match="has no outputs with references"):
        OutputWords(orders)
