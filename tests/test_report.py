"""The report: what is in its page and data, for orders, outputs and both."""

import html
import json
import re
from html.parser import HTMLParser

import pytest
from report_pages import HOSTILE, check_policy, hostile_overview

from preorder_eval.analysis.analyse_outputs import output_words
from preorder_eval.analysis.check_rules import check_rules
from preorder_eval.analysis.overview import overview
from preorder_eval.analysis.report import build, orders_and_outputs, orders_of_runs, orders_page
from preorder_eval.analysis.report_data import length_data, nearest_data
from preorder_eval.base.errors import InputWarning, PreorderEvalError
from preorder_eval.base.pages.page import json_text
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.score import score
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import ReferenceOrders
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import load_rules

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def hostile_page():
    return orders_page(hostile_overview())


@pytest.fixture(scope="module")
def reference(bundled_reference):
    return bundled_reference.take(range(60), "bundled")


@pytest.fixture(scope="module")
def bundled(reference):
    """Two rule sets on the gold trees of bundled sentences."""
    systems = [Parsed.by("gold", reference).reordered(name) for name in ("none", "en-ja")]
    metrics = ["fuzzy", "kendall"]
    return overview(evaluate(reference, systems, metrics, resamples=50, significance=True))


@pytest.fixture(scope="module")
def page(bundled):
    return orders_page(bundled)


def data_of(page):
    [text] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(text)


def numbers(packed):
    return [ord(sign) - 63 for sign in packed]


def unpacked(column):
    return list(map(numbers, column))


class Elements(HTMLParser):
    """All elements of a page with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("of", ["page", "hostile_page"])
def test_nothing_comes_from_elsewhere(of, request):
    page = request.getfixturevalue(of)
    for tag, attributes in Elements(page).found:
        assert tag not in {"link", "iframe", "object", "embed", "img", "base"}
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")
        assert not [name for name in attributes if name.startswith("on") or name == "style"]


@pytest.mark.parametrize("of", ["page", "hostile_page"])
def test_policy_allows_only_the_page_s_own_script_and_style(of, request):
    page = request.getfixturevalue(of)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    check_policy(html.unescape(policy), page)


def test_script_never_makes_markup_of_text(page):
    [script] = re.findall(r"<script>(.*?)</script>", page, re.S)
    ways = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(")
    assert not [way for way in ways if way in script]


def test_hostile_text_stays_text(hostile_page):
    assert data_of(hostile_page)["words"] == [HOSTILE], "a list, for some words hold spaces"
    assert data_of(hostile_page)["target"] == [HOSTILE]
    assert hostile_page.count("<script") == 2
    assert hostile_page.count("</script") == 2
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028\u202e\ufeff]", hostile_page)


@pytest.mark.parametrize(
    "value", ["</script>", "\u2028\u2029", "\ud800", "&lt;", "<!--", "a\x00b", "\u202e", "日本"]
)
def test_json_reads_back_and_is_safe(value):
    text = json_text([value])
    assert json.loads(text) == [value]
    assert not set(text) & set("<>&\u2028\u2029\ud800\u202e\x00")


def test_same_bytes_for_the_same_results(bundled, page):
    assert orders_page(bundled) == page
    assert "60 sentences, by FRS and τ" in page


def test_data_are_those_of_the_evaluation(bundled, page, reference):
    data = data_of(page)
    assert [text.split(" ") for text in data["words"]] == reference.source
    assert [text.split(" ") for text in data["target"]] == reference.target
    assert [system["name"] for system in data["systems"]] == ["gold/none", "gold/en-ja"]
    assert data["translations"] is None, "of the systems, as there are no outputs"
    for system, own in zip(data["systems"], bundled.systems, strict=True):
        assert unpacked(system["orders"]) == list(own.analysis.orders)
        # Breaks are what the fuzzy score counts.
        for words, broken, frs in zip(
            reference.source, system["broken"], system["scores"][0], strict=True
        ):
            assert frs == pytest.approx(1 - len(broken) / (len(words) - 1), abs=5e-5)
    assert len(data["parsers"]) == 1, "both systems have the same trees"
    tree = reference.trees[3]
    [heads], [labels] = (unpacked(data["parsers"][0][name][3:4]) for name in ("heads", "labels"))
    assert [head - 1 for head in heads] == tree.heads
    assert [data["labels"][n] for n in labels] == tree.labels


def test_a_sentence_has_its_score_by_the_best_reference_that_is_shown(bundled, page, reference):
    data = data_of(page)
    firsts = unpacked(data["ranks"])
    for system, own in zip(data["systems"], bundled.systems, strict=True):
        nearest = unpacked(system["nearest"])
        assert 0 < sum(map(bool, nearest)) < 60
        best = [other or first for other, first in zip(nearest, firsts, strict=True)]
        orders = ReferenceOrders.of(
            [[i for i, rank in enumerate(ranks) if rank == r] for r in range(max(ranks) + 1)]
            for ranks in best
        )
        scores = Fuzzy().score(own.analysis.orders, orders, reference.words).sentence
        assert scores.tolist() == pytest.approx(system["scores"][0], abs=5e-5)


def test_rows_of_tables_name_their_sentences(bundled, page):
    system = data_of(page)["systems"][1]
    part = bundled.systems[1].ablation.parts[0]
    assert system["ablation"][0][4] == part.changed
    limits = bundled.systems[1].limits
    assert [row[7] for row in system["limits"]["pairs"]] == [
        pair.sentences for pair in limits.pairs if pair.gain > 0
    ]
    assert [row[0] for row in system["limits"]["parts"]] == ["rules", "impossible"]
    checked, rules = check_rules(load_rules("en-ja")), data_of(page)["rules"][system["rules"]]
    assert tuple(rules["constructions"]) == checked.constructions
    wrong = [(name, order, demanded) for name, order, demanded in rules["wrong"]]
    assert wrong == [(f.construction, f.order, f.reference) for f in checked.failures]
    by_label = {row[0]: row for row in system["tables"]["label"]}
    assert by_label["obj"][1] == sum(tree.labels.count("obj") for tree in bundled.reference.trees)


def test_sentences_without_links_have_no_score():
    links = Alignments.of([[], [(0, 0), (1, 1)]])
    reference = ReferenceSet("mine", [["a", "b"], ["c", "d"]], links)
    orders = System.from_orders([[0, 1], [0, 1]], reference, name="own")
    page = orders_page(overview(evaluate(reference, [orders], ["fuzzy"], resamples=10)))
    data = data_of(page)
    assert data["systems"][0]["scores"] == [[None, 1.0]]
    assert data["target"] is None
    assert data["parsers"] == []
    assert "Skipped: 1 sentence" in page


# Outputs.


@pytest.mark.parametrize(("sizes", "pair"), [([1], [0, None]), ([5], [3, 4]), ([2, 1], [1, 2])])
def test_the_pair_of_the_verdict_opens(sizes, pair):
    """Later systems have fewer errors."""
    texts = ["b b b b", "b b b", "b b", "b", "a"]
    runs = [
        score(
            {f"{run}-{n}": [texts[n + 2 * run]] for n in range(size)}, ["a"], ["wer"], resamples=5
        )
        for run, size in enumerate(sizes)
    ]
    assert data_of(build(runs))["pair"] == pair


REFERENCES = [["the cat sat", "he reads", "yes"], ["a cat sat", "he read", "no"]]
OUTPUTS = {
    "one": ["the cat sits", "he read", "no no"],
    "two": ["a cat sat", "reads he", "yes"],
    "three": ["cat", "he reads", "maybe"],
}


@pytest.fixture(scope="module")
def result():
    return score(OUTPUTS, REFERENCES, ["wer", "ribes"], resamples=20)


def test_nearest_references_and_scores_by_length(result):
    words = output_words(result)
    assert [numbers(own) for own in nearest_data(words)] == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    alone = output_words(score({"mt": ["a b"]}, ["a c"], ["wer"], resamples=5))
    assert nearest_data(alone) is None
    data = length_data(words)
    assert numbers(data["lengths"]) == [3, 2, 1]
    assert [part[:2] for part in data["parts"][1]["length"]] == [["1-5", 3]]


# Orders and outputs of the same systems.


@pytest.fixture(scope="module")
def orders():
    systems = {"parsers": ["gold"], "rules": ["none", "en-ko"], "metrics": ["fuzzy"]}
    return evaluate("en-ko", **systems, resamples=20)


def outputs(orders, *names):
    target = [" ".join(words) for words in orders.inputs.reference.target]
    return score(dict.fromkeys(names, target), target, ["bleu", "wer"], resamples=20)


def test_scores_are_those_of_either(orders):
    scored = outputs(orders, "gold/en-ko", "gold/none")
    both = orders_and_outputs([scored, orders])
    assert both.systems == ["gold/en-ko", "gold/none"], "as the first result has them"
    assert [metric.name for metric in both.metrics] == ["fuzzy", "bleu", "wer"]
    for name in both.systems:
        assert both.value(name, "fuzzy(match=word)") == orders.value(name, "fuzzy(match=word)")
        assert both.value(name, 2) == scored.value(name, 1) == 0
    assert len(both.pairs[0]) == 1
    alone = [orders.chosen([name]) for name in orders.systems]
    assert orders_of_runs(alone[:1]).sampling.against == "none"
    assert len(orders_of_runs(alone).pairs[0]) == 1


def test_systems_with_but_one_of_the_two_are_left_out(orders):
    with pytest.warns(InputWarning, match="they lack orders or outputs: gold/en-ko, mt"):
        both = orders_and_outputs([orders, outputs(orders, "gold/none", "mt")])
    assert both.systems == ["gold/none"]
    with pytest.raises(
        PreorderEvalError, match="orders are of gold/none, gold/en-ko, outputs of mt"
    ):
        orders_and_outputs([orders, outputs(orders, "mt")])
    other = evaluate("en-tr", parsers=["gold"], rules=["none"], metrics=["fuzzy"], resamples=20)
    with pytest.raises(PreorderEvalError, match="on several references, en-ko/dev, en-tr/dev;"):
        orders_and_outputs([orders.chosen(["gold/none"]), other, outputs(orders, "gold/none")])
