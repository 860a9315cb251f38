import json
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.columns import Column
from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.data.sentences import Sentences
from preorder_eval.errors import PreorderEvalError
from preorder_eval.papers.peers import lader, lader_ranks
from preorder_eval.papers.peers.spans import target_spans

CASES = json.loads((Path(__file__).parent / "data" / "peers_frs_tau.json").read_text())["cases"]


def links_of(case):
    return [tuple(map(int, link.split("-"))) for link in case["links"].split()]


def order_of(case):
    return list(map(int, case["order"].split()))


def words_of(case):
    words = [f"s{i}" for i in range(len(order_of(case)))]
    if "brackets" in case:
        left, right = map(int, case["brackets"].split("-"))
        words[left], words[right] = "(", ")"
    return words


def evaluate(cases, **options):
    return lader.evaluate(
        Alignments.of(map(links_of, cases)),
        Orders.of(map(order_of, cases)),
        list(map(words_of, cases)),
        **options,
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("right", {}),
        ("left", {"attach_null": "left"}),
        ("separate", {"combine_blocks": False}),
    ],
)
def test_prints_what_lader_prints(name, options):
    result = evaluate(CASES, **options)
    for s, case in enumerate(CASES):
        chunk, chunk_loss, tau, tau_loss, reference = case[name]
        groups = [list(map(int, group.split("_"))) for group in reference.split()]
        assert result.references[s] == groups
        assert "/".join(map(str, result.chunk[s])) == chunk_loss
        assert "/".join(map(str, result.tau[s])) == tau_loss
        assert result.sentence_line(s) == (
            f"chunk={chunk} (loss {chunk_loss})\ttau={tau} (loss {tau_loss})"
        )


def test_all_lines():
    bracketed = next(case for case in CASES if "brackets" in case)
    assert list(evaluate([bracketed, CASES[1]]).lines()) == [
        "sys_ord:\t0 1 2 3 4",
        "src:\ts0 ( s2 ) s4",
        "ref:\t( s2 ) s0 s4",
        "chunk=0.5 (loss 3/6)\ttau=0.7 (loss 3/10)",
        "",
        "sys_ord:\t1 0",
        "src:\ts0 s1",
        "ref:\ts0 s1",
        "chunk=0 (loss 3/3)\ttau=0 (loss 1/1)",
        "",
        "Total:",
        "chunk=0.333333 (loss 6/9)\ttau=0.636364 (loss 4/11)",
    ]


def test_corpus_scores_are_pooled():
    chunk, tau = evaluate(CASES[:2]).scores()
    assert (chunk, tau) == (1 - 3 / 8, 1 - 1 / 7)


def test_corpus_in_which_nothing_can_be_lost():
    result = evaluate([{"links": "", "order": "1 0"}])
    assert result.sentence_line(0) == "chunk=1 (loss 0/0)\ttau=1 (loss 0/0)"
    assert result.total_line() == "chunk=-nan (loss 0/0)\ttau=-nan (loss 0/0)"
    assert str(result.scores()) == "(nan, nan)"


def test_large_numbers_have_six_digits():
    long = [{"links": " ".join(f"{i}-{i}" for i in range(1500)), "order": "1499 "}]
    long[0]["order"] += " ".join(map(str, range(1499)))
    assert evaluate(long).total_line() == (
        "chunk=0.998001 (loss 3/1501)\ttau=0.998667 (loss 1499/1.12425e+06)"
    )


@pytest.mark.parametrize(
    ("words", "links", "groups"),
    [
        # Nested pairs stand outside of each other; Japanese brackets and straight quotes count.
        ("a ( 「 b 」 )", [(0, 1), (3, 0)], [[1], [2], [3], [4], [5], [0]]),
        ('a " b "', [(0, 1), (2, 0)], [[1], [2], [3], [0]]),
        # A linked bracket, a bracket of another kind and a pair around nothing are plain words.
        ("a ( b )", [(0, 2), (1, 0), (2, 1)], [[1], [2, 3], [0]]),
        ("a ( b ]", [(0, 1), (2, 0)], [[1, 2, 3], [0]]),
        ("a ( ) b", [(0, 1), (3, 0)], [[1, 2, 3], [0]]),
    ],
)
def test_brackets(words, links, groups):
    words = words.split()
    result = lader.evaluate(Alignments.of([links]), Orders.of([range(len(words))]), [words])
    assert result.references[0] == groups


def test_spans_inside_each_other_without_merging():
    # 0 lies around the two others; 1 joins its group, and so does 2, although 1 is before 2.
    links = [(0, 0), (0, 3), (1, 1), (2, 2)]
    alignments, orders = Alignments.of([links]), Orders.of([[0, 1, 2]])
    result = lader.evaluate(alignments, orders, [["a", "b", "c"]], combine_blocks=False)
    assert result.references[0] == [[0, 1, 2]]
    # Where 0 comes last, it joins the first of the others.
    links = [(2, 0), (2, 3), (0, 1), (1, 2)]
    alignments = Alignments.of([links])
    result = lader.evaluate(alignments, orders, [["a", "b", "c"]], combine_blocks=False)
    assert result.references[0] == [[0, 2], [1]]


def test_bad_input():
    orders = Orders.of([[1, 0]])
    with pytest.raises(PreorderEvalError, match="sentence 1: link 2-0 is outside"):
        lader.evaluate(Alignments.of([[(2, 0)]]), orders, [["a", "b"]])
    with pytest.raises(PreorderEvalError, match="the order has 2 tokens, the source 3"):
        lader.evaluate(Alignments.of([[(0, 0)]]), orders, [["a", "b", "c"]])
    with pytest.raises(PreorderEvalError, match="attach_null is 'up', not 'right' or 'left'"):
        lader.evaluate(Alignments.of([[(0, 0)]]), orders, [["a", "b"]], attach_null="up")


def test_another_order_of_systems_than_the_paper():
    from preorder_eval.metrics import metric

    both = Orders.of([[1, 2, 3, 4, 0], [0, 2, 1, 3, 4]])
    links = Alignments.of([[(i, i) for i in range(5)]] * 2)
    result = lader.evaluate(links, both, [list("abcde")] * 2)
    assert result.chunk.tolist() == [[3, 6], [3, 6]]
    paper = metric("fuzzy").score(both, ReferenceOrders.of([[[i] for i in range(5)]] * 2))
    assert paper.sentence.tolist() == [0.75, 0.25]


def one_by_one(alignments, source, attach_null, combine_blocks):
    """The ranks of every sentence by the rules, one after the other."""
    ranks = []
    for links, words in zip(alignments, source, strict=True):
        spans = target_spans(links, len(words))
        if combine_blocks:
            lader_ranks.merge_overlaps(spans)
        lader_ranks.anchor_brackets(spans, words)
        lader_ranks.attach_unaligned(spans, attach_null)
        ranks += lader_ranks.rank_spans(spans)
    return ranks


@pytest.mark.slow
@pytest.mark.parametrize("attach_null", ["right", "left"])
@pytest.mark.parametrize("combine_blocks", [True, False])
@pytest.mark.parametrize("most", [1, 2])
def test_sentences_ranked_together_are_ranked_as_one_by_one(attach_null, combine_blocks, most):
    rng = np.random.default_rng(0)
    source = [rng.choice(list('abcdefgh()"'), rng.integers(1, 8)).tolist() for _ in range(1500)]
    links = [
        [
            (i, int(j))
            for i in range(len(words))
            if rng.random() < 0.7
            for j in rng.integers(9, size=rng.integers(most) + 1)
        ]
        for words in source
    ]
    alignments = Alignments.of(links)
    lengths = [len(words) for words in source]
    options = attach_null, combine_blocks
    ranks = lader_ranks.reference_ranks(alignments, source, offsets_of(lengths), *options)
    assert ranks.tolist() == one_by_one(alignments, source, *options)
    words = Column.of(word for words in source for word in words)
    interned = Sentences(offsets_of(lengths), words)
    again = lader_ranks.reference_ranks(alignments, interned, offsets_of(lengths), *options)
    assert again.tolist() == ranks.tolist()
