"""Selection of parses, against choosing them one by one; in parts, against all at once."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise

import numpy as np
import pytest
from alignment_files import write_part
from hypothesis import given
from hypothesis import strategies as st
from strategies import parses

from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.learning import select as selection
from preorder_eval.learning.select import best_parses, means, select
from preorder_eval.metrics import order_metric
from preorder_eval.orders.orders import ReferenceOrder, ReferenceOrders, SourceWords
from preorder_eval.references.reference_build import reference_from_files
from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.conllu import parse_conllu
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.nbest_files import format_nbest
from preorder_eval.trees.treebank import Tree, Treebank

LAST = RuleSet("head-last", "ud", (Rule(("*",), (Slot((OTHER,)), Slot((HEAD,)))),))
METRICS = ["fuzzy", "fuzzy(unaligned=drop)", "kendall", "spearman(average=pooled)"]


@st.composite
def lists(draw):
    """A few sentences' lists of trees, each with a reference order."""
    drawn, references = draw(parses()), []
    for first, *_ in drawn:
        order = draw(st.permutations(range(len(first))))
        cuts = sorted({0, len(order), *draw(st.lists(st.integers(0, len(order)), max_size=4))})
        groups = [order[a:b] for a, b in pairwise(cuts)]
        some = st.lists(st.booleans(), min_size=len(first), max_size=len(first))
        references.append(ReferenceOrder(groups, draw(st.just([False] * len(first)) | some)))
    return drawn, references


def lists_of(trees):
    flat = [tree for parsed in trees for tree in parsed]
    return NBest(Treebank.of(flat), offsets_of(map(len, trees)), -np.arange(float(len(flat))))


@pytest.mark.slow
@given(lists(), st.sampled_from(METRICS))
def test_the_best_parse_of_every_sentence_is_chosen(drawn, signature):
    trees, references = drawn
    metric = order_metric(signature)
    nbest, words = lists_of(trees), [parsed[0].words for parsed in trees]
    chosen = best_parses(nbest, LAST, ReferenceOrders.of(references), metric, SourceWords.of(words))
    for s, (parsed, reference) in enumerate(zip(trees, references, strict=True)):
        orders = [LAST.reorder(Treebank.of([tree]))[0] for tree in parsed]
        scores = [metric.score([o], [reference], [words[s]]).sentence[0] for o in orders]
        if math.isnan(scores[0]):
            expected = 0
            assert math.isnan(chosen.best[s])
        else:
            expected = next(k for k, x in enumerate(scores) if x > max(scores) - 1e-9)
            assert chosen.first[s] == pytest.approx(scores[0])
            assert chosen.best[s] == pytest.approx(max(scores))
            assert chosen.average[s] == pytest.approx(sum(scores) / len(scores))
        assert chosen.ranks[s] == expected + 1
        assert nbest.trees[chosen.chosen[s]].heads == parsed[expected].heads
        assert chosen.reorderings[s] == len(set(map(tuple, orders)))


def chain(*heads, labels=None):
    """A tree of as many words; all heads come out last."""
    tags = ["VERB"] * len(heads)
    labels = labels or ["root" if head < 0 else "obj" for head in heads]
    return Tree([f"w{i}" for i in range(len(heads))], list(heads), labels, tags, tags)


# Heads last, the first gives w1 w2 w0, the second w2 w1 w0, the third w1 w2 w0 again.
FLAT, CHAIN, OTHER_LABELS = (
    chain(-1, 0, 0),
    chain(-1, 0, 1),
    chain(-1, 0, 0, labels=["root", "obj", "obl"]),
)
CASES = {
    "one parse": ([FLAT], [[2], [1], [0]], 1),
    "a better one below": ([FLAT, CHAIN], [[2], [1], [0]], 2),
    "two as good": ([CHAIN, FLAT, OTHER_LABELS], [[1], [2], [0]], 2),
    "the first as good as the rest": ([FLAT, OTHER_LABELS, CHAIN], [[1, 2], [0]], 1),
}


@pytest.mark.parametrize(("trees", "reference", "rank"), CASES.values(), ids=CASES)
def test_ties_go_to_the_higher_ranked_parse(trees, reference, rank):
    chosen = best_parses(
        lists_of([trees]), LAST, ReferenceOrders.of([reference]), order_metric("fuzzy")
    )
    assert chosen.ranks.tolist() == [rank]
    assert chosen.replaced.tolist() == [rank > 1]


@pytest.fixture
def three():
    """Three sentences: one without links, one unchanged, one that gains a half."""
    references = ReferenceOrders.of(
        [ReferenceOrder([[0], [1], [2]], aligned=[False] * 3), [[1], [2], [0]], [[2], [1], [0]]]
    )
    made = [[CHAIN, FLAT], [FLAT, CHAIN], [FLAT, OTHER_LABELS, CHAIN]]
    return best_parses(lists_of(made), LAST, references, order_metric("kendall"))


def test_counts_and_means(three):
    counts = three.counts(three.kept())
    assert means(counts) == {
        "sentences": 3,
        "left_out": 1,
        "parses": 5,
        "reorderings": 4,
        "replaced": 1,
        "kept": 2,
        "mean_1best": pytest.approx((1 + 2 / 3) / 2),
        "mean_selected": 1.0,
        "mean_list": pytest.approx((5 / 6 + 7 / 9) / 2),
        "mean_margin": pytest.approx(1 / 3),
    }
    without = counts | {"left_out": 3, "replaced": 0}
    assert np.isnan([means(without)[name] for name in ("mean_1best", "mean_margin")]).all()


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ({"margin": 1e-6}, [False, False, True]),
        ({"margin": 1 / 3}, [False, False, True]),
        ({"margin": 0.4}, [False, False, False]),
    ],
)
def test_what_is_worth_learning_from(three, wanted, kept):
    assert three.kept(**wanted).tolist() == kept
    assert three.conllu(three.kept(**wanted)).count("# rank =") == sum(kept)


def test_selected_trees_say_where_they_come_from(three):
    treebank = parse_conllu(three.conllu(three.kept(1e-6), first=11))
    assert treebank[0].heads == CHAIN.heads
    assert treebank[0].comments == (
        "# sent_id = 13",
        "# rank = 3",
        "# score = -6",
        "# kendall = 1.000000",
        "# kendall_of_rank_1 = 0.666667",
    )
    assert set(treebank.upos.names) == set(treebank.xpos.names) == {"_"}
    assert parse_conllu(three.conllu(three.kept(), tags=True)).upos.names == ("VERB",)


def test_other_sentences_are_refused():
    with pytest.raises(PreorderEvalError, match="lists of 1 sentence for 250"):
        select(lists_of([[FLAT]]))
    references = ReferenceOrders.of([[[0]]])
    with pytest.raises(PreorderEvalError, match="has 3 tokens, the references 1"):
        best_parses(lists_of([[FLAT]]), LAST, references, order_metric("fuzzy"))
    with pytest.raises(PreorderEvalError, match="margin must be 0 or greater"):
        select(lists_of([[FLAT]]), margin=math.nan)


# In parts.


@pytest.fixture(scope="session")
def few(bundled_reference):
    """The first sentences of the bundled reference set, with one reference order each."""
    return dataclasses.replace(bundled_reference.take(range(8), "few"), alternatives=None)


@pytest.fixture(scope="session")
def nbest(few, parser):
    """Their n-best lists."""
    return parser.parse(few.source, 5)


@pytest.fixture
def files(few, tmp_path):
    """The same sentences as files."""
    return reference_from_files(*write_part(tmp_path, few))


@pytest.fixture
def in_threes(monkeypatch):
    """Parts of three sentences."""
    monkeypatch.setattr(selection, "_PART", 3)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"margin": 1e-6}, {"margin": 0.1, "tags": "keep"}])
def test_parts_give_what_the_whole_gives(few, nbest, parser, files, tmp_path, in_threes, options):
    options |= {"metric": "kendall", "tags": "blank"}
    whole = select(nbest, few, out=tmp_path / "whole.conllu", **options)
    expected = (tmp_path / "whole.conllu").read_text()
    assert whole.counts["kept"] == expected.count("# sent_id")
    (tmp_path / "lists.conllu").write_text(format_nbest(nbest))
    for lists, reference in (
        (tmp_path / "lists.conllu", few),
        (str(tmp_path / "lists.conllu"), files),
        (parser, files),
        ("en-web", few),
    ):
        out = tmp_path / "out.conllu"
        found = select(lists, reference, n=5, out=out, **options)
        assert out.read_text() == expected
        assert found.counts == whole.counts
    assert select(nbest, few, **options) == whole
