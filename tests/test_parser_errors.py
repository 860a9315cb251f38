import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import corpora, rule_sets, trees

from preorder_eval.analysis.parser_errors import parser_errors
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.metrics.orders.order import Kendall
from preorder_eval.orders.orders import ReferenceOrders, SourceWords
from preorder_eval.rules.rule_reading import parse_rules
from preorder_eval.trees.treebank import Tree, Treebank, tree_defect

VERB_FINAL = parse_rules(
    """
    name = "verb-final"
    scheme = "ud"
    [[rule]]
    head = "VERB"
    order = ["nsubj", "OTHER", "obj", "HEAD", "punct"]
    """,
    "test",
)


def tree(heads, labels, tags, words="He eats big fish"):
    return Tree(words.split(), heads, labels.split(), tags.split(), tags.split())


GOLD = tree([1, -1, 3, 1], "nsubj root amod obj", "PRON VERB ADJ NOUN")
LABELS_OF, TAGS_OF = "nsubj root amod obj", "PRON VERB ADJ NOUN"
REFERENCE = [[0], [2], [3], [1]]  # He big fish eats


def errors(parsed, gold=GOLD, reference=REFERENCE, rules=VERB_FINAL):
    references = ReferenceOrders.of([reference])
    words = SourceWords.of([gold.words])
    banks = Treebank.of([parsed]), Treebank.of([gold])
    return parser_errors(*banks, rules, references, words, Fuzzy())


@pytest.mark.parametrize("converted", [False, True])
def test_errors_on_which_schemes_differ_are_apart(converted):
    """Converted trees call all `obj` alike, but the vocative is none of the parser's errors."""
    banks = (
        Treebank.of([tree([1, -1, 3, 1], labels, TAGS_OF)] * 2)
        for labels in ("nsubj root amod obj", "vocative root amod nsubj")
    )
    references = ReferenceOrders.of([REFERENCE] * 2)
    words = SourceWords.of([GOLD.words] * 2)
    found = parser_errors(*banks, VERB_FINAL, references, words, Fuzzy(), converted=converted)
    marks = {(each.gold, each.of_schemes) for each in found.confusions}
    assert marks == {("vocative", converted), ("nsubj", False)}


@pytest.mark.parametrize(
    ("heads", "labels", "tags", "expected"),
    [
        ([1, -1, 3, 1], LABELS_OF, TAGS_OF, []),
        # Without a verb nothing moves: He | eats | big fish.
        ([1, -1, 3, 1], LABELS_OF, "PRON NOUN ADJ NOUN", [("tag", "VERB", "NOUN", 2 / 3, 2 / 3)]),
        ([1, -1, 3, 1], "nsubj root amod punct", TAGS_OF,
         [("label", "obj", "punct", 2 / 3, 2 / 3)]),
        # A wrong head is repaired with its label; the order was right all the same.
        ([1, -1, 1, 1], "nsubj root obl obj", TAGS_OF, [("head", "amod", "obl", 0, 0)]),
        # Either error alone keeps "eats" from its place: neither repair helps, each does the harm.
        ([1, -1, 3, 1], "nsubj root amod punct", "PRON NOUN ADJ NOUN",
         [("label", "obj", "punct", 0, 2 / 3), ("tag", "VERB", "NOUN", 0, 2 / 3)]),
    ],
)  # fmt: skip
def test_errors_with_gains_and_losses(heads, labels, tags, expected):
    found = errors(tree(heads, labels, tags))
    assert [(c.kind, c.gold, c.parsed, c.gain, c.loss) for c in found.confusions] == [
        (*names, pytest.approx(gain), pytest.approx(loss)) for *names, gain, loss in expected
    ]
    for confusion in found.confusions:
        assert (confusion.count, confusion.repaired, confusion.hurt) == (1, 1, 0)
        assert confusion.helped == (confusion.gain > 0)
        assert confusion.sentences == [1]
    assert found.gold_score == 1
    assert sum(c.cost for c in found.confusions) == pytest.approx(1 - found.score)


def test_a_wrong_root_is_repaired_with_the_right_one():
    # "fish" for the root, "eats" below it: He stays its child, and nothing else is wrong.
    found = errors(tree([1, 3, 3, -1], "nsubj nsubj amod root", "PRON VERB ADJ NOUN"))
    kinds = {(c.kind, c.gold, c.parsed): c for c in found.confusions}
    assert set(kinds) == {("head", "root", "nsubj"), ("head", "obj", "root")}
    assert [confusion.repaired for confusion in kinds.values()] == [1, 1]
    # Repaired as one, each bears half.
    assert found.score + sum(c.gain for c in kinds.values()) == pytest.approx(1)
    assert [c.cost for c in kinds.values()] == pytest.approx([(1 - found.score) / 2] * 2)


def test_tags_that_the_gold_trees_lack_are_taken_from_the_parser():
    bare = tree([1, -1, 3, 1], "nsubj root amod obj", "_ _ _ _")
    parsed = tree([1, -1, 3, 1], "nsubj root amod punct", "PRON VERB ADJ NOUN")
    found = errors(parsed, gold=bare)
    assert [c.kind for c in found.confusions] == ["label"]
    assert found.gold_score == 1


def test_gold_trees_of_another_scheme_are_refused():
    other = tree([1, -1, 3, 1], "attr pobj hmod dobj", "PRON VERB ADJ NOUN")
    with pytest.raises(PreorderEvalError, match="scheme"):
        errors(GOLD, gold=other)


def repaired_alone(parsed, gold, token, kind):
    """The tree with one error repaired, or None where that is no tree."""
    heads, labels, tags = list(parsed.heads), list(parsed.labels), list(parsed.upos)
    tokens = {token}
    if kind == "head" and gold.heads[token] < 0:
        tokens.add(parsed.heads.index(-1))
    if kind == "head" and parsed.heads[token] < 0:
        tokens.add(gold.heads.index(-1))
    for i in tokens:
        if kind == "tag":
            tags[i] = gold.upos[i]
        else:
            labels[i] = gold.labels[i]
        if kind == "head":
            heads[i] = gold.heads[i]
    if tree_defect(heads):
        return None
    return Tree(parsed.words, heads, labels, tags, parsed.xpos)


METRICS = [Fuzzy(), Fuzzy(unaligned="drop"), Fuzzy(average="pooled"), Kendall()]


@st.composite
def cases(draw):
    """Gold trees, their reference orders, and trees of the same words that a parser could make.

    The parser has half of the trees right but for a word's tag and label.
    """
    gold, references = draw(corpora(6).filter(lambda corpus: corpus[1].informative.any()))
    parsed = []
    for tree in gold:
        other = draw(trees(len(tree), len(tree)))
        if draw(st.booleans()):
            i = draw(st.integers(0, len(tree) - 1))
            labels, upos = list(tree.labels), list(tree.upos)
            upos[i] = other.upos[i]
            labels[i] = other.labels[i] if tree.heads[i] >= 0 else "root"
            other = Tree(tree.words, tree.heads, labels, upos, tree.xpos)
        parsed.append(Tree(tree.words, other.heads, other.labels, other.upos, tree.xpos))
    return gold, Treebank.of(parsed), references


@pytest.mark.slow
@given(cases(), rule_sets(), st.sampled_from(METRICS))
def test_gains_and_losses_are_those_of_repairing_and_making_each_alone(case, rules, metric):
    banks, references = case[:2], case[2]
    gold, parsed = map(list, banks)
    words = SourceWords.of([tree.words for tree in gold])

    def score(trees, s, tree):
        """The corpus's score with another tree for one sentence."""
        changed = Treebank.of([*trees[:s], tree, *trees[s + 1 :]])
        return metric.score(rules.reorder_unchecked(changed), references, words).corpus

    expected = {}
    for s, (right, own) in enumerate(zip(gold, parsed, strict=True)):
        for i in range(len(right)) if references.informative[s] else ():
            head = own.heads[i] != right.heads[i]
            label = own.labels[i] != right.labels[i]
            kinds = [("tag", "upos")] if own.upos[i] != right.upos[i] else []
            kinds += [("head", "labels")] if head else [("label", "labels")] if label else []
            for kind, column in kinds:
                key = (kind, getattr(right, column)[i], getattr(own, column)[i])
                tree = repaired_alone(own, right, i, kind)
                gain = np.nan if tree is None else score(parsed, s, tree) - score(parsed, s, own)
                tree = repaired_alone(right, own, i, kind)
                loss = np.nan if tree is None else score(gold, s, right) - score(gold, s, tree)
                share = 2 if kind == "head" and min(own.heads[i], right.heads[i]) < 0 else 1
                expected.setdefault(key, []).append((gain / share, loss / share, s + 1))
    try:
        found = parser_errors(*banks[::-1], rules, references, words, metric)
    except PreorderEvalError:
        assume(False)
    assert {(c.kind, c.gold, c.parsed) for c in found.confusions} == set(expected)
    for c in found.confusions:
        gains, losses, sentences = np.array(expected[c.kind, c.gold, c.parsed]).T
        assert (c.count, c.repaired) == (len(gains), int((~np.isnan(gains)).sum()))
        assert c.gain == pytest.approx(np.nansum(gains))
        assert c.loss == pytest.approx(np.nansum(losses))
        known = [[x for x in both if not np.isnan(x)] for both in np.stack([gains, losses]).T]
        costs = [np.mean(both or [0.0]) for both in known]
        assert c.cost == pytest.approx(sum(costs))
        assert c.helped == (gains > 1e-9).sum()
        assert c.hurt == (gains < -1e-9).sum()
        assert set(c.sentences) == set(sentences.tolist())
    assert [c.cost for c in found.confusions] == sorted(
        (c.cost for c in found.confusions), reverse=True
    )
