from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, pair_rules, rule_sets

from preorder_eval.analysis.ablate import ablate
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.stats.measurement import Measurement
from preorder_eval.base.stats.significance import compare_systems
from preorder_eval.metrics import order_metric
from preorder_eval.orders.orders import ReferenceOrder, ReferenceOrders, SourceWords
from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.rule import Pair, Rule
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import Tree, Treebank

FUZZY = order_metric("fuzzy")
CORPORA = corpora(6).filter(lambda corpus: corpus[1].informative.any())


def without(rules, part):
    left = list(rules.rules)
    if part.slot is None:
        del left[part.rule]
    else:
        parts = list(left[part.rule].parts)
        del parts[part.slot]
        key = "pairs" if left[part.rule].pairs else "slots"
        left[part.rule] = replace(left[part.rule], **{key: tuple(parts)})
        if not parts:
            del left[part.rule]
    return replace(rules, rules=tuple(left))


@pytest.mark.slow
@given(
    (rule_sets() | pair_rules()).filter(lambda rules: rules.rules),
    CORPORA,
    st.sampled_from(["", "pooled"]),
)
def test_a_part_is_worth_what_evaluating_without_it_says(rules, corpus, average):
    treebank, references = corpus
    metric = order_metric(f"fuzzy(average={average})" if average else "fuzzy")
    words = SourceWords.of(treebank.sentences)
    result = ablate(rules, treebank, references, metric, words, resamples=20, seed=3)
    orders = rules.reorder(treebank)
    scores = metric.score(orders, references, words)
    assert result.value == pytest.approx(scores.corpus)
    for part in result.parts:
        other = without(rules, part).reorder(treebank)
        alone = metric.score(other, references, words)
        changed = [s + 1 for s in range(len(treebank)) if other[s] != orders[s]]
        assert part.changed == changed
        assert part.without == pytest.approx(alone.corpus)
        counted = references.informative
        both = np.stack([alone.statistics[counted], scores.statistics[counted]])
        measurement = Measurement(both, metric.finish)
        options = {"higher_is_better": [True], "resamples": 20, "seed": 3}
        [[pair]] = compare_systems([measurement], **options)
        expected = pair.difference
        assert part.difference.value == pytest.approx(expected.value)
        assert part.difference.at_95.low == pytest.approx(
            expected.at_95.low, abs=1e-12, nan_ok=True
        )
        assert (part.difference.p, part.difference.mark) == (expected.p, expected.mark)
    assert [round(part.difference.value, 9) for part in result.parts] == sorted(
        round(part.difference.value, 9) for part in result.parts
    )


@pytest.mark.slow
@given((rule_sets() | pair_rules()).filter(lambda rules: rules.rules), CORPORA)
def test_every_rule_is_a_part_and_every_slot_that_can_go(rules, corpus):
    treebank, references = corpus
    result = ablate(rules, treebank, references, FUZZY, resamples=1)
    expected = {(r, None) for r in range(len(rules.rules))}
    expected |= {
        (r, s)
        for r, rule in enumerate(rules.rules)
        for s, slot in enumerate(rule.slots)
        if HEAD not in slot.labels and OTHER not in slot.labels
    }
    expected |= {
        (r, p) for r, rule in enumerate(rules.rules) for p in range(len(rule.pairs + rule.lift))
    }
    assert len(result.parts) == len(expected)
    assert {(part.rule, part.slot) for part in result.parts} == expected


VERBS = Rule(
    ("VERB",), (Slot(("obj",)), Slot(("obj",), words=("fish",)), Slot((OTHER,)), Slot((HEAD,)))
)
EATS = Tree(
    ["He", "eats", "fish", "today"],
    [1, -1, 1, 1],
    ["nsubj", "root", "obj", "obl"],
    ["PRON", "VERB", "NOUN", "NOUN"],
    ["_"] * 4,
)


def ablated(rules, *references, metric=FUZZY, tree=EATS):
    treebank = Treebank.of([tree] * len(references))
    result = ablate(rules, treebank, ReferenceOrders.of(references), metric)
    return {(part.rule_name, part.slot_name): part for part in result.parts}


def test_without_a_slot_its_children_go_to_the_slot_that_fits_next():
    eats_fish_he_today = [[1], [2], [0], [3]]
    particular, head, general = Slot(("obj",), words=("fish",)), Slot((HEAD,)), Slot(("obj",))
    both = RuleSet("r", "ud", (Rule(("VERB",), (particular, head, general, Slot((OTHER,)))),))
    parts = ablated(both, eats_fish_he_today)
    assert parts["VERB", "obj word=fish"].applied == 1
    assert parts["VERB", "obj word=fish"].without == 1
    assert (parts["VERB", "obj"].applied, parts["VERB", "obj"].changed) == (0, [])

    alone = RuleSet("r", "ud", (Rule(("VERB",), (particular, head, Slot((OTHER,)))),))
    part = ablated(alone, eats_fish_he_today)["VERB", "obj word=fish"]
    assert part.without == pytest.approx(0)  # eats he fish today
    assert part.changed == [1]
    assert part.difference.value == pytest.approx(1 / 3)  # fish eats he today


def test_a_rule_fires_only_on_heads_that_have_children():
    nouns = Rule(("NOUN",), (Slot((HEAD,)), Slot((OTHER,))))
    assert ablated(RuleSet("r", "ud", (nouns,)), [[0], [1], [2], [3]])["NOUN", ""].applied == 0


@pytest.mark.parametrize(
    ("first", "second", "applied"),
    [
        (Slot(("obj",)), Slot((HEAD,)), 1),
        (Slot((HEAD,)), Slot(("nsubj",)), 1),
        (Slot(("obl",)), Slot(("obj",)), 2),
        (Slot(("iobj",)), Slot((HEAD,)), 0),
        (Slot(("obj",)), Slot(("iobj",)), 0),
    ],
)
def test_a_pair_fires_on_children_that_fit_a_side_beside_what_fits_the_other(
    first, second, applied
):
    other = Pair(Slot(("punct",)), Slot((HEAD,)))
    rules = RuleSet("r", "ud", (Rule(("VERB",), pairs=(Pair(first, second), other)),))
    fit = rules.fit(Treebank.of([EATS]))
    assert fit.applied(0, 0).sum() == applied
    assert not fit.applied(0, 1).any()
    assert np.flatnonzero(fit.applied(0, None)).tolist() == [1]


@pytest.mark.parametrize(
    ("order", "verdict", "rows"),
    [
        (
            ["nsubj", "obj", "HEAD", "OTHER", "iobj"],
            "r: FRS 1.000; 8 sentences. 3 of 4 rules and slots help significantly, none hurt "
            "significantly (Holm-corrected).",
            [(2 / 3, 1 / 3, "nsubj"), (1, 0, None), (1, 0, "obj")],
        ),
        (
            ["HEAD", "obj", "OTHER"],
            "r: FRS 0.000; 8 sentences. 0 of 2 rules and slots help significantly, 1 hurt "
            "significantly (Holm-corrected), VERB obj most of all.",
            [(-1 / 3, 1 / 3, "obj"), (0, 0, None)],
        ),
    ],
)
def test_what_is_shown_of_parts_that_help_and_hurt(order, verdict, rows):
    rule = Rule(("VERB",), tuple(Slot((label,)) for label in order))
    he_fish_eats_today = ReferenceOrders.of([[[0], [2], [1], [3]]] * 8)
    rules, trees = RuleSet("r", "ud", (rule,)), Treebank.of([EATS] * 8)
    found = ablate(rules, trees, he_fish_eats_today, FUZZY, resamples=50)
    assert found.verdict == verdict
    [shown] = found.view()
    for (contribution, without, slot), row in zip(rows, shown.rows, strict=True):
        ends = contribution or np.nan  # no interval where no sentence differs
        assert row[0] == pytest.approx((contribution, ends, ends), nan_ok=True)
        assert row[1:6] == [pytest.approx(without), 8, 8, "VERB", slot]
    idle = len(found.parts) - len(rows)
    few = "1 further rule or slot changes no sentence"
    idle_note = few if idle == 1 else f"{idle} further rules and slots change no sentence"
    assert (idle_note in shown.notes) == (idle > 0)
    assert len(found.view(whole=True)[0].rows) == len(found.parts)


def test_sentences_without_links_change_no_difference():
    rules, unlinked = (
        RuleSet("r", "ud", (VERBS,)),
        ReferenceOrder([[0], [1], [2], [3]], [False] * 4),
    )
    linked = [[[2], [0], [3], [1]], [[0], [1], [2], [3]], [[2], [0], [3], [1]]]
    alone, among = ablated(rules, *linked), ablated(rules, *linked, unlinked, unlinked)
    assert among["VERB", ""].changed == [1, 2, 3, 4, 5]
    assert among["VERB", ""].difference == alone["VERB", ""].difference


def test_what_cannot_be_ablated_is_said():
    treebank = Treebank.of([EATS])
    with pytest.raises(PreorderEvalError, match="'none' has no rules to remove"):
        ablate(load_rules("none"), treebank, ReferenceOrders.of([[[0], [1], [2], [3]]]), FUZZY)
    unlinked = ReferenceOrders.of([ReferenceOrder([[0], [1], [2], [3]], [False] * 4)])
    with pytest.raises(PreorderEvalError, match="no sentence has a link"):
        ablate(RuleSet("r", "ud", (VERBS,)), treebank, unlinked, FUZZY)
