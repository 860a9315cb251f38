"""Every metric says what it needs, and is given just that by name."""

import random

import numpy as np
import pytest

from preorder_eval.data.alignments import Alignments, reference_orders, system_orders
from preorder_eval.data.metric_needs import KNOWN, SystemInputs, side
from preorder_eval.data.orders import SourceWords
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric, metric_types
from preorder_eval.metrics.order import OrderMetric

SIGNATURES = sorted(metric_types())
SIGNATURES += [f"{name}(mix=1:9)" for name in ("lepor", "hlepor", "nlepor")]
SIGNATURES += ["LR-HB1(lower=true)", "fuzzy(match=position)", "kendall(unaligned=drop)"]
SIGNATURES += ["wer(tokenize=char)", "bleu(lower=true)", "lepor(system=B,mix=1:1)"]
METRICS = [metric(signature) for signature in SIGNATURES]
SIZE = 12


@pytest.fixture(scope="module")
def given():
    """Everything that a bundled metric may be given, of one system, with two references."""
    rng = random.Random(0)
    texts = [
        [" ".join(rng.choices("abcdE", k=rng.randint(2, 8))) for _ in range(SIZE)] for _ in range(4)
    ]
    source, *targets = ([line.split() for line in text] for text in texts)
    tags = [
        [" ".join("V" if word in "ab" else "N" for word in words) for words in text]
        for text in (source, *targets)
    ]
    links = [
        Alignments.of(
            [
                [(i, rng.randrange(len(t))) for i in range(len(s)) if rng.random() < 0.8]
                for s, t in zip(source, target, strict=True)
            ]
        )
        for target in targets
    ]
    lengths = list(map(len, source))
    return {
        "orders": system_orders(links[0], lengths),
        "reference_orders": reference_orders(links[1], lengths),
        "hyp": texts[1],
        "ref": texts[2:],
        "source": source,
        "words": SourceWords.of(source),
        "hyp_alignment": links[0],
        "ref_alignment": links[1:],
        "source_tags": tags[0],
        "hyp_tags": tags[1],
        "ref_tags": tags[2:],
        "hyp_scores_score": [str(rng.random()) for _ in range(SIZE)],
    }


def inputs_of(given, names=(*KNOWN, "words", "hyp_scores_score")):
    """The inputs of these names: the system's own, and what it is held against."""
    own = {name: given[name] for name in names if side(name) == "hyp"}
    return SystemInputs(own, {name: given[name] for name in names if name not in own})


def scored(chosen, given):
    """The scores by `score`, which each kind of metric is given in its own way."""
    if isinstance(chosen, OrderMetric):
        return chosen.score(given["orders"], given["reference_orders"], given["source"])
    if chosen.name == "lrscore":
        return chosen.score(
            given["hyp"],
            given["ref"],
            alignments=(given["hyp_alignment"], given["ref_alignment"]),
            source_lengths=list(map(len, given["source"])),
        )
    if chosen.needs == ("hyp_scores_score",):
        return chosen.score(given["hyp_scores_score"])
    if "source_tags" in chosen.needs:
        return chosen.score(given["hyp_tags"], given["source_tags"])
    if chosen.needs == ("hyp_tags", "ref_tags"):
        return chosen.score(given["hyp_tags"], given["ref_tags"])
    if "hyp_tags" in chosen.needs:
        return chosen.score(given["hyp"], given["ref"], tags=(given["hyp_tags"], given["ref_tags"]))
    return chosen.score(given["hyp"], given["ref"])


def assert_same(one, other):
    np.testing.assert_array_equal(one.statistics, other.statistics)
    np.testing.assert_array_equal(one.sentence, other.sentence)
    assert (one.metric, one.corpus) == (other.metric, other.corpus)


def test_scored_by_inputs_as_by_arguments(given):
    for chosen in METRICS:
        expected = scored(chosen, given)
        by = metric(expected.metric)
        result = by.score_system(inputs_of(given))
        assert_same(result, expected)
        assert len(result.sentence) == SIZE
        assert by == chosen.splitting(getattr(by, "tokenize", "none"))
        assert not np.isnan(result.corpus)


def test_what_it_needs_is_enough(given):
    """All but the words of orders, of which equal ones may change places where they are known."""
    for chosen in METRICS:
        words = ("words",) if isinstance(chosen, OrderMetric) else ()
        result = chosen.score_system(inputs_of(given, (*chosen.needs, *words)))
        assert_same(result, chosen.score_system(inputs_of(given)))
        chosen.score_system(inputs_of(given, chosen.needs))


def test_each_need_is_needed(given):
    for chosen in METRICS:
        for name in chosen.needs:
            rest = [other for other in chosen.needs if other != name]
            with pytest.raises(PreorderEvalError, match=f"^{name} is missing: "):
                chosen.score_system(inputs_of(given, rest))


def test_inputs_of_other_lengths_are_refused(given):
    for chosen in METRICS:
        few = np.arange(SIZE - 1)
        for name in chosen.needs if len(chosen.needs) > 1 else ():  # a single one fits itself
            value = given[name]
            if name in ("ref", "ref_tags"):
                cut = [own[:-1] for own in value]
            elif name == "ref_alignment":
                cut = [own.take(few) for own in value]
            else:
                cut = value[:-1] if isinstance(value, list) else value.take(few)
            with pytest.raises(PreorderEvalError, match="sentences"):
                chosen.score_system(inputs_of({**given, name: cut}))
