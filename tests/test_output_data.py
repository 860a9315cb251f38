import pytest

from preorder_eval.analysis.output_analysis import analyse_outputs
from preorder_eval.analysis.output_words import OutputWords
from preorder_eval.reporting.output_data import length_data, output_data, word_data
from preorder_eval.results.scoring import score

REFERENCES = [["the cat sat", "he reads", "yes"], ["a cat sat", "he read", "no"]]
OUTPUTS = {
    "one": ["the cat sits", "he read", "no no"],
    "two": ["a cat sat", "reads he", "yes"],
    "three": ["cat", "he reads", "maybe"],
}


@pytest.fixture(scope="module")
def result():
    return score(OUTPUTS, REFERENCES, ["wer", "ribes"], resamples=20)


def unpacked(text):
    return [ord(sign) - 63 for sign in text]


def test_every_two_systems_have_the_ngrams_of_their_analysis(result):
    ngrams = word_data(OutputWords(result))["ngrams"]
    assert list(ngrams) == ["0-1", "0-2", "1-2"]
    names = list(OUTPUTS)
    for pair, rows in ngrams.items():
        systems = [names[int(n)] for n in pair.split("-")]
        found = analyse_outputs(result, systems).ngrams
        for own, name in zip(rows, systems, strict=True):
            assert {(r[0], r[1], r[2], r[3]) for r in own} == {
                (d.ngram, d.references, d.first, d.second) for d in found[name]
            }
            steps = {row[0]: unpacked(row[4]) for row in own}
            for d in found[name]:
                sums = [sum(steps[d.ngram][: n + 1]) for n in range(len(steps[d.ngram]))]
                assert tuple(sums) == d.sentences


def test_words_are_held_against_the_nearest_reference(result):
    data = word_data(OutputWords(result))
    assert [unpacked(own) for own in data["nearest"]] == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert (data["tokenize"], data["tagged"]) == ("none", "none")


def test_scores_by_length_are_of_every_metric(result):
    data = length_data(OutputWords(result))
    assert unpacked(data["lengths"]) == [3, 2, 1]
    assert [part[:2] for part in data["parts"][1]["length"]] == [["1-5", 3]]


def test_one_system_has_no_ngrams_and_one_reference_is_the_nearest():
    data = word_data(OutputWords(score({"mt": ["a b"]}, ["a c"], ["wer"], resamples=5)))
    assert (data["ngrams"], data["nearest"]) == ({}, None)
    [[name, [counts]], *_] = [row for row in data["groups"]["frequency"] if row[0] == "1"]
    assert (name, counts[:4]) == ("1", [2, 1, 1, 1])


def test_texts_are_as_they_were_given(result):
    data = output_data(result, ["x", "y", "z"])
    assert data["translations"] == REFERENCES
    assert [system["outputs"] for system in data["systems"]] == list(OUTPUTS.values())
    assert data["source"] == ["x", "y", "z"]
    assert output_data(result, [])["source"] is None
