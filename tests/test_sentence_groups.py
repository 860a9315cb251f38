"""Scores by kind of sentence."""

import pytest
from sacrebleu.metrics.bleu import BLEU

from preorder_eval.analysis.sentences import corpus_parts
from preorder_eval.base.ragged import NameColumn
from preorder_eval.evaluation.score import score

REFERENCES = [
    *["the cat sat on the mat", "he reads a good book"] * 3,
    *["she sees it now", "no one knows it"] * 3,
]
OUTPUTS = {
    "one": [
        *["the cat sat on a mat", "he reads the book"] * 3,
        *["she sees it now", "no one knew it"] * 3,
    ],
    "two": [*["the cat on the mat", "he reads a good book"] * 3, *["he sees now", "one knows"] * 3],
}
KINDS = NameColumn.of(["story"] * 6 + ["other"] * 6)


@pytest.fixture(scope="module")
def result():
    return score(OUTPUTS, REFERENCES, ["bleu", "wer"], resamples=50)


def test_a_part_is_scored_as_if_it_were_the_corpus(result):
    parts = {part.name: part for part in corpus_parts(result, [0], KINDS)[0]}
    for name, chosen in (("story", slice(0, 6)), ("other", slice(6, 12))):
        assert parts[name].sentences == 6
        for score_, output in zip(parts[name].scores, OUTPUTS.values(), strict=True):
            alone = BLEU(tokenize="none").corpus_score(output[chosen], [REFERENCES[chosen]])
            assert score_.value == pytest.approx(alone.score)
            assert score_.low <= score_.value <= score_.high


@pytest.mark.parametrize("metric", [0, 1])
def test_the_worst_part_of_the_best_system_comes_first(result, metric):
    [parts] = corpus_parts(result, [metric], KINDS)
    sign = 1 if result.metrics[metric].higher_is_better else -1
    values = [sign * own[metric].value for own in result.intervals]
    best = values.index(max(values))
    assert len(parts) == 2
    assert sign * parts[0].scores[best].value <= sign * parts[1].scores[best].value


def test_parts_with_an_order_of_their_own_keep_it_and_empty_ones_are_left_out(result):
    column = NameColumn(KINDS.codes * 2, ("first", "empty", "last"))
    names = [part.name for part in corpus_parts(result, [1], column, ordered=True)[0]]
    assert names == ["first", "last"]
