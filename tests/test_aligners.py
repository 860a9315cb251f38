"""Model 1 in both directions, against slow loops: the aligners `agree` and `ibm1`."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from preorder_eval.base.errors import InputWarning, PreorderEvalError
from preorder_eval.orders import model1
from preorder_eval.orders.align import align
from preorder_eval.orders.aligners import STEPS
from preorder_eval.orders.model1 import folded, learn

SOURCE = [["the", "house"], ["the", "book"], ["a", "book"], ["a", "house", "the", "house"]]
TARGET = [["das", "Haus"], ["das", "Buch"], ["ein", "Buch"], ["Haus", "das", "Haus"]]
FORCED = "agree(force=true)"
IBM1 = "ibm1(force=true)"
pytestmark = pytest.mark.filterwarnings("ignore::preorder_eval.base.errors.InputWarning")


def corpus(seed, repeat=True):
    """Random sentence pairs of small vocabularies.

    Target words are translations, some others, in any order; some are the same on both sides.
    """
    rng = random.Random(seed)
    source, target = [], []
    for _ in range(40):
        size = rng.randint(1, 6)
        numbers = rng.choices(range(12), k=size) if repeat else rng.sample(range(12), size)
        source.append([f"s{n}" if n < 9 else f"A{n}" for n in numbers])
        others = [n if rng.random() < 0.7 else rng.randrange(12) for n in numbers]
        words = [f"t{n}" if n < 9 else f"a{n}" for n in others[: rng.randint(1, 6)]]
        words = words if repeat else list(dict.fromkeys(words))
        target.append(rng.sample(words, len(words)))
    return source, target


# The textbook's loops. A direction has t[e][f] for a word f of one side given e of the other, with
# None for nothing, and gives shares[n][j][i], the last i for nothing.


def shares_of(t, given, words, nothing):
    """Return the shares of every token's possible origins."""
    shares = []
    for own, other in zip(given, words, strict=True):
        rows = []
        for f in other:
            weights = [t[e][f] for e in own] + [nothing(f, own, t)]
            rows.append([weight / sum(weights) for weight in weights])
        shares.append(rows)
    return shares


def maximized(shares, given, words, prior):
    """Return the t that expected counts give; of nothing, too, if the shares have it."""
    counts = defaultdict(lambda: defaultdict(float))
    for (e, f), count in prior.items():
        counts[e][f] = count
    for own, other, rows in zip(given, words, shares, strict=True):
        for f, row in zip(other, rows, strict=True):
            for e, share in zip([*own, None], row, strict=True):
                counts[e][f] += share
    return {
        e: defaultdict(float, {f: n / (sum(row.values()) or 1) for f, n in row.items()})
        for e, row in counts.items()
    }


def textbook(source, target, *, agreeing=0, null=None):
    """Return the shares of both directions after five rounds alone and some agreeing."""
    sides = {"to_target": (source, target), "to_source": (target, source)}
    same = {w for text in source for w in text} & {w for text in target for w in text}
    prior = dict.fromkeys([(w, w) for w in same if re.search("[0-9a-z]", w)], 0.5) if null else {}
    t = {}
    for way, (given, words) in sides.items():
        size = len({w for text in words for w in text})
        origins = [*{w for text in given for w in text}, None]
        t[way] = {e: defaultdict(lambda size=size: 1 / size) for e in origins}
        for e, f in prior:
            t[way][e][f] = 26 / size

    def expected():
        found = {}
        for way, (given, words) in sides.items():
            counts = Counter(w for text in words for w in text)
            share = (
                {w: null / (1 - null) * n / counts.total() for w, n in counts.items()}
                if null
                else {}
            )
            nothing = (
                (lambda f, own, t, share=share: share[f] * len(own))
                if null
                else (lambda f, own, t: t[None][f])
            )
            found[way] = shares_of(t[way], given, words, nothing)
        return found

    for number in range(5 + agreeing):
        shares = expected()
        if number >= 5:
            q = posteriors(shares)
            shares = {
                "to_target": [[[*column, 0] for column in zip(*m, strict=True)] for m in q],
                "to_source": [[[*row, 0] for row in m] for m in q],
            }
        t = {way: maximized(shares[way], *sides[way], prior) for way in sides}
    return expected()


def posteriors(shares):
    """Return q[i][j] of every sentence: the product of the shares of both directions."""
    return [
        [[of_i[j] * of_j[i] for j, of_j in enumerate(there)] for i, of_i in enumerate(here)]
        for there, here in zip(shares["to_target"], shares["to_source"], strict=True)
    ]


def matrices(model):
    """Return the shares of the model in the form of the textbook's."""
    found = {"to_target": [], "to_source": []}
    for block in model.blocks:
        both = model.shares(block)
        at = np.cumsum([0, *(block.heights * block.widths)])
        high, wide = np.cumsum([0, *block.heights]), np.cumsum([0, *block.widths])
        for n, shape in enumerate(zip(block.heights, block.widths, strict=True)):
            of_target, of_source = (
                shares.cells[at[n] : at[n + 1]].reshape(shape) for shares in both
            )
            nothing = both[0].nothing[wide[n] : wide[n + 1]], both[1].nothing[high[n] : high[n + 1]]
            found["to_target"].append(np.vstack([of_target, nothing[0]]).T)
            found["to_source"].append(np.column_stack([of_source, nothing[1]]))
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("how", [{}, {"null": 0.5}, {"null": 0.3, "agreeing": 2}])
def test_shares_are_those_of_the_textbook(seed, how):
    source, target = corpus(seed)
    expected, found = textbook(source, target, **how), matrices(learn(source, target, **how))
    for way in expected:
        for mine, theirs in zip(found[way], expected[way], strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_links_are_those_of_the_textbook(seed):
    source, target = corpus(seed)
    known = [[folded(w) for w in text] for text in source], [[folded(w) for w in t] for t in target]
    expected = posteriors(textbook(*known, null=0.5, agreeing=2))
    kept = [
        [(i, j) for i, row in enumerate(q) for j, value in enumerate(row) if value >= 0.5]
        for q in expected
    ]
    with pytest.warns(InputWarning):
        links = align(source, target, FORCED)
    assert list(links) == kept
    assert len(links.source) > 20
    mean = np.mean([x for q in expected for row in q for x in row if x >= 0.5])
    assert links.aligner == f"agree(pairs=40,precision={mean:.2f})"


def likeliest(row):
    """Return the first of the highest shares, None for nothing if that is the highest."""
    best = next(n for n, share in enumerate(row) if share >= max(row) * (1 - 1e-9))
    return None if best == len(row) - 1 else best


@pytest.mark.parametrize("seed", range(3))
def test_links_of_ibm1_are_chosen_by_both_directions(seed):
    source, target = corpus(seed)
    shares = textbook(source, target)
    for links, to_target, to_source in zip(
        align(source, target, IBM1), shares["to_target"], shares["to_source"], strict=True
    ):
        pairs = product(range(len(to_source)), range(len(to_target)))
        both = [
            (i, j)
            for i, j in pairs
            if likeliest(to_target[j]) == i and likeliest(to_source[i]) == j
        ]
        assert links == both


@pytest.mark.slow
def test_probabilities_are_those_of_nltk():
    from nltk.translate import AlignedSent, IBMModel1  # which loads much else

    # NLTK counts a target word that stands twice in its sentence only once, so there are none.
    source, target = corpus(0, repeat=False)
    peer = IBMModel1([AlignedSent(f, e) for e, f in zip(source, target, strict=True)], 5)
    t = peer.translation_table
    found = matrices(learn(source, target))["to_target"]
    for e, f, rows in zip(source, target, found, strict=True):
        weights = np.array([[t[word][origin] for origin in [*e, None]] for word in f])
        np.testing.assert_allclose(rows, weights / weights.sum(axis=1, keepdims=True), atol=1e-9)


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("ＲＥＬＩＧＩＯＮ", "relig"),
        ("Straße", "stras"),
        ("Вопросы", "вопро"),
        ("대통령은", "대통"),
        ("カタカナ語彙", "カタカナ語彙"),
        ("2019年", "2019年"),
        ("co-operation", "co-operation"),
        ("２０", "20"),
        ("", ""),
    ],
)
def test_words_count_folded(word, form):
    assert folded(word) == form


@pytest.mark.parametrize("aligner", [FORCED, IBM1])
def test_blocks_make_no_difference(monkeypatch, aligner):
    source, target = corpus(3)
    source, target = [*source, [], ["s1"]], [*target, ["t0"], []]
    whole = align(source, target, aligner)
    monkeypatch.setattr(model1, "_BLOCK", 7)
    assert len(learn(source, target).blocks) > 10
    parts = align(source, target, aligner)
    assert list(parts) == list(whole)
    assert parts.aligner == whole.aligner


@pytest.mark.parametrize("aligner", [FORCED, IBM1])
def test_extra_text_is_learned_from_but_not_aligned(aligner):
    source, target = corpus(5)
    some = align(source[:7], target[:7], aligner, extra=(source[7:], target[7:]))
    assert list(some) == list(align(source, target, aligner))[:7]
    assert len(some.source) == sum(map(len, some)), "and no link beyond"
    assert list(some) != list(align(source[:7], target[:7], aligner))
    assert "pairs=40" in some.aligner


@pytest.mark.parametrize("aligner", [FORCED, IBM1])
def test_progress_is_told_of_every_step(aligner):
    steps = []
    align(SOURCE, TARGET, aligner, advance=steps.append)
    assert sum(steps) == STEPS


def test_few_pairs_are_refused_or_warned_of(recwarn):
    def aligned(pairs, aligner="agree", extra=0):
        recwarn.clear()
        more = SOURCE * (extra // 4), TARGET * (extra // 4)
        align(SOURCE * (pairs // 4), TARGET * (pairs // 4), aligner, extra=more)
        return " ".join(str(warning.message) for warning in recwarn)

    for name in ("agree", "ibm1"):
        with pytest.raises(
            PreorderEvalError, match=rf"^96 sentence pairs are too few.* '{name}\(force=true"
        ):
            aligned(96, name)
    assert "trained on 96 sentence pairs" in aligned(96, FORCED)
    assert "trained on 100 sentence pairs" in aligned(100)
    assert "trained on" not in aligned(200)
    assert "trained on" not in aligned(4, extra=196)
    assert not aligned(4, IBM1)


def test_the_mean_posterior_warns_of_links():
    source = [[f"s{n % 9}", f"s{n % 7}"] for n in range(300)]
    target = [[f"t{n % 7}", f"t{n % 9}"] for n in range(300)]
    with pytest.warns(InputWarning) as warned:
        align(source, target)
    [message] = [str(warning.message) for warning in warned]
    few, unsafe = message.removeprefix("automatic links are unreliable: ").split("; ")
    assert re.fullmatch(r"there are [012]\.\d links per sentence", few)
    assert re.fullmatch(r"their mean posterior, .* is 0\.[0-7]\d", unsafe)


@pytest.mark.parametrize("aligner", [FORCED, IBM1])
@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ([["a"], ["b"]], [["x"]], "2 source and 1 target sentences"),
        ([["a"]], [[]], "no words to train on"),
        ([[]], [["x"]], "no words to train on"),
        ([], [], "no words to train on"),
        ([["a"] * 5000], [["x"] * 5000], "sentence pair 1 has 5,000 and 5,000 words; give one"),
    ],
)
def test_what_cannot_be_learned_from(aligner, source, target, message):
    with pytest.raises(PreorderEvalError, match=message):
        align(source, target, aligner)


def test_more_pairs_have_two_sides():
    with pytest.raises(PreorderEvalError, match="extra must be"):
        align([["a"]], [["x"]], FORCED, extra=([["a"]],))


side = st.lists(st.lists(st.sampled_from("abc"), max_size=4), min_size=3, max_size=8)


@drawn(side, side, st.integers(1, 12))
def test_blocks_of_any_size_have_the_same_shares(source, target, size):
    """Blocks that end at a sentence, before empty ones, and with a sentence of its own."""
    source, target = ([["a"], *each[: min(len(source), len(target))]] for each in (source, target))
    whole = learn(source, target)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model1, "_BLOCK", size)
        parts = learn(source, target)
    cells = [len(s) * len(t) for s, t in zip(source, target, strict=True)]
    most = size + max(cells)
    assert all(sum(cells[block.first : block.last]) <= most for block in parts.blocks)
    assert [b.first for b in parts.blocks[1:]] == [b.last for b in parts.blocks[:-1]]
    for way, of_whole in matrices(whole).items():
        for mine, theirs in zip(matrices(parts)[way], of_whole, strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-12)
