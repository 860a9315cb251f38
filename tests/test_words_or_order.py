"""Words or order: pure cases are recovered exactly, beside a slow obvious version."""

import random
from itertools import combinations, pairwise

import pytest

import preorder_eval as pe
from preorder_eval.analysis.words_plane import SIDE, words_plane
from preorder_eval.base.stats.bootstrap import Interval
from preorder_eval.evaluation.words_or_order import PARTS, words_and_order, words_or_order

WORDS = [
    *("red", "blue", "old", "new", "big", "small", "dog", "cat"),
    *("bird", "fish", "house", "tree", "road", "hill", "river"),
]


def texts(seed, sentences=60):
    drawn = random.Random(seed)
    return [" ".join(drawn.sample(WORDS, 8)) for _ in range(sentences)]


def parts(first, second, references, resamples=100):
    outputs = {"a": first, "b": second}
    return words_or_order(pe.score(outputs, references, ["wer"], resamples=resamples))


def other_words(text):
    return text.replace("dog", "Hund").replace("river", "Fluss")


def other_order(text):
    first, second, *rest = text.split()
    return " ".join([*rest, second, first])


@pytest.mark.parametrize(
    ("change", "words", "order"),
    [
        (other_words, True, False),
        (other_order, False, True),
        (lambda text: other_order(other_words(text)), True, True),
        (str, False, False),
        (str.upper, False, False),
    ],
)
def test_pure_cases(change, words, order):
    reference = texts(0)
    found = parts(reference, list(map(change, reference)), reference)
    by_words, *by_order = (decision.direction for decision in found.decisions)
    assert (by_words, any(by_order)) == (-1 if words else 0, order)
    assert min(by_order) == -order


def test_the_sentence_names_what_is_shown_with_p_corrected_for_all_parts():
    """Of four words the last two are turned in as many sentences as just show it, or do not."""
    same = ["a b c d"] * 40
    found = parts(same, ["a b d c"] * 7 + same[7:], same, resamples=1000)
    assert found.sentence.startswith(
        "In words, no difference is shown; in order, b is worse (τ -0.029, p = 0.0"
    )
    assert "; neighbours -0.117, p = 0.0" in found.sentence
    found = parts(same, ["a b d c"] * 6 + same[6:], same, resamples=1000)
    assert found.facts()["decisions"]["order, τ"] == "weakly worse"
    assert "; in order, b tends to be worse (τ -0.025, p = 0.0" in found.sentence
    cells = found.table.cells("p"), found.table.cells("significance")
    assert cells == ([each.p for each in found.findings], ["0", "-*", "-*"])
    fewer = parts(same, ["a x c d"] * 40, same)
    assert fewer.sentence == (
        "In words, b is worse (F -0.250, p = 0.003); in order, no difference is shown."
    )
    assert (fewer.sentences, fewer.words) == (1, 0.75)
    note, corrected = fewer.table.notes
    assert corrected.startswith("p and marks are corrected for three comparisons")
    assert note.endswith("75% of words, in 100% of sentences (tokenizer 13a)")
    assert parts(same, same, same).sentence == ("No difference in words or in word order is shown.")


def test_order_is_judged_if_half_of_the_sentences_have_two_words_once():
    found = parts(["a b", "c c"], ["b a", "c c"], ["a b", "c c"])
    assert [tuple(map(float, value)) for value in found.values[1:]] == [(1, 0), (1, 0)]
    assert (found.sentences, found.words) == (0.5, 0.5)
    assert len(parts(["a b", "c", "c"], ["b a", "c", "c"], ["a b", "c", "c"]).values) == 1


def once(word, *sides):
    return all(side.count(word) == 1 for side in sides)


def obvious(first, second, reference):
    """Means over sentences of τ and kept neighbours of the first text, over shared words."""
    taus, kept = [], []
    for sides in zip(first, second, reference, strict=True):
        a, b, r = (side.split() for side in sides)
        shared = [word for word in r if once(word, a, b, r)]
        if len(shared) < 2:
            continue
        pairs = list(combinations(shared, 2))
        taus.append(sum(a.index(x) < a.index(y) for x, y in pairs) / len(pairs))
        of_output = [word for word in a if word in shared]
        neighbours = set(pairwise(of_output))
        beside = list(pairwise(shared))
        kept.append(sum(pair in neighbours for pair in beside) / len(beside))
    return sum(taus) / len(taus), sum(kept) / len(kept)


def test_order_is_judged_by_the_words_that_all_have_once():
    drawn = random.Random(3)
    sides = [[" ".join(drawn.sample(WORDS, 11)) for _ in range(80)] for _ in range(3)]
    first, second, reference = ([f"{text} {text[:9]}" for text in side] for side in sides)
    found = parts(first, second, reference)
    _, tau, kept = found.values
    assert (tau[0], kept[0]) == pytest.approx(obvious(first, second, reference))
    assert (tau[1], kept[1]) == pytest.approx(obvious(second, first, reference))


def test_of_several_references_the_nearest_counts():
    near, far = texts(1), texts(2)
    assert parts(near, near, [far, near]).values[0] == (1.0, 1.0)


def test_where_words_repeat_order_is_not_judged():
    same = ["a a b b"] * 30
    found = parts(same, ["b a b a"] * 30, same)
    assert (len(found.values), found.words) == (1, 0)
    assert found.sentence.endswith("too few words occur once to estimate their order.")
    assert found.table.notes[0].endswith("; too few to estimate order")


@pytest.mark.slow
def test_compare_and_analyse_have_the_same():
    reference = texts(0)
    result = pe.score({"a": reference, "b": list(map(other_order, reference))}, reference, ["bleu"])
    comparison = pe.compare(result)
    assert comparison.parts.sentence in comparison.verdict
    assert comparison.to_dict()["words_or_order"]["decisions"].keys() == set(PARTS)
    tables = {table.key for table in pe.analyse_outputs(result, tokenize="none").tables()}
    assert "parts" in tables


def test_the_points_of_two_systems_are_the_values_that_are_compared():
    reference = texts(2)
    changed = [other_order(other_words(text)) for text in reference]
    result = pe.score({"a": reference, "b": changed}, reference, ["wer"], resamples=50)
    points = words_and_order(result)
    values = words_or_order(result).values[:2]
    assert [[point[part].value for point in points] for part in (0, 1)] == list(map(list, values))
    assert all(point[part].low <= point[part].value for point in points for part in (0, 1))
    alone = ["a b", "c"], ["d e", "f"]
    assert words_and_order(pe.score({"a": alone[0]}, alone[1], ["wer"], resamples=9)) == []


@pytest.mark.parametrize("low", [0.0, 0.31, 0.5, 0.62, 0.8, 0.97])
def test_the_plane_has_all_points_and_the_reference_in_its_corner(low):
    close = [Interval(low + n / 1000, low, low + 0.03) for n in range(6)]
    plane = words_plane([(each, each) for each in close])
    for lines, corner in ((plane.across, SIDE), (plane.up, 0)):
        assert (float(lines[-1][0]), lines[-1][1]) == (1, corner)
        shown = [float(name) for name, _ in lines]
        assert shown[0] <= low
        steps = [round(b - a, 9) for a, b in pairwise(shown)]
        assert len({*steps}) == 1
    assert all(0 <= at <= SIDE for p in plane.points for at in (*p.across, *p.up, p.x, p.y))
    labels = [p.label for p in plane.points]
    assert len({*labels}) == len(labels)
