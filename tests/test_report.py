import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser

import pytest
from report_pages import HOSTILE, hostile_overview

from preorder_eval.analysis.orders.overview import overview
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.orders import ReferenceOrders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.reporting.orders import build_report
from preorder_eval.reporting.payload import json_text
from preorder_eval.results.scoring import evaluate
from preorder_eval.results.systems import System


@pytest.fixture(scope="module")
def hostile_page():
    return build_report(hostile_overview())


@pytest.fixture(scope="module")
def bundled(bundled_reference):
    """Two rule sets on the gold trees of the bundled sentences."""
    systems = [System.from_rules("gold", name, bundled_reference) for name in ("none", "en-ja")]
    metrics = ["fuzzy", "kendall"]
    return overview(evaluate(bundled_reference, systems, metrics, resamples=50, significance=True))


@pytest.fixture(scope="module")
def page(bundled):
    return build_report(bundled)


def data_of(page):
    [text] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(text)


def unpacked(column):
    return [[ord(sign) - 63 for sign in packed] for packed in column]


class Elements(HTMLParser):
    """All elements of a page with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.mark.slow
@pytest.mark.parametrize("of", ["page", "hostile_page"])
def test_nothing_comes_from_elsewhere(of, request):
    page = request.getfixturevalue(of)
    for tag, attributes in Elements(page).found:
        assert tag not in {"link", "iframe", "object", "embed", "img", "base"}
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")
        assert not [name for name in attributes if name.startswith("on") or name == "style"]


@pytest.mark.slow
@pytest.mark.parametrize("of", ["page", "hostile_page"])
def test_policy_allows_only_the_page_s_own_script_and_style(of, request):
    page = request.getfixturevalue(of)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    policy = html.unescape(policy)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.S)
    styles = re.findall(r"<style>(.*?)</style>", page, re.S)
    assert len(scripts) == len(styles) == 1
    for text in (*scripts, *styles):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_script_never_makes_markup_of_text(page):
    [script] = re.findall(r"<script>(.*?)</script>", page, re.S)
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
    ):
        assert way not in script


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
    assert build_report(bundled) == page


def test_summary_has_scores_intervals_and_significance(bundled, page):
    for intervals in bundled.result.intervals:
        for interval in intervals:
            assert f"<b>{interval.value:.4f}</b>" in page
            assert f"{interval.low:.4f} – {interval.high:.4f}" in page
    assert '<span class="sign">+**</span>' in page


def test_data_are_those_of_the_evaluation(bundled, page, bundled_reference):
    data = data_of(page)
    assert [text.split(" ") for text in data["words"]] == bundled_reference.source
    assert [text.split(" ") for text in data["target"]] == bundled_reference.target
    assert [system["name"] for system in data["systems"]] == ["gold/none", "gold/en-ja"]
    for system, own in zip(data["systems"], bundled.systems, strict=True):
        assert unpacked(system["orders"]) == list(own.orders)
        # Broken joints are what the fuzzy score counts.
        for words, broken, score in zip(
            bundled_reference.source, system["broken"], system["scores"][0], strict=True
        ):
            assert score == pytest.approx(1 - len(broken) / (len(words) - 1), abs=5e-5)
    assert len(data["parsers"]) == 1, "both systems have the same trees"
    tree = bundled_reference.trees[3]
    [heads], [labels] = (unpacked(data["parsers"][0][name][3:4]) for name in ("heads", "labels"))
    assert [head - 1 for head in heads] == tree.heads
    assert [data["labels"][n] for n in labels] == tree.labels


def test_a_sentence_has_its_score_by_the_best_reference_that_is_shown(
    bundled, page, bundled_reference
):
    data = data_of(page)
    firsts = unpacked(data["ranks"])
    for system, own in zip(data["systems"], bundled.systems, strict=True):
        nearest = unpacked(system["nearest"])
        assert 0 < sum(map(bool, nearest)) < 109
        best = [other or first for other, first in zip(nearest, firsts, strict=True)]
        orders = ReferenceOrders.of(
            [[i for i, rank in enumerate(ranks) if rank == r] for r in range(max(ranks) + 1)]
            for ranks in best
        )
        scores = Fuzzy().score(own.orders, orders, bundled_reference.words).sentence
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
    by_label = {row[0]: row for row in system["tables"]["label"]}
    assert by_label["obj"][1] == sum(tree.labels.count("obj") for tree in bundled.reference.trees)


def test_sentences_without_links_have_no_score():
    links = Alignments.of([[], [(0, 0), (1, 1)]])
    reference = ReferenceSet("mine", [["a", "b"], ["c", "d"]], links)
    orders = System.from_orders([[0, 1], [0, 1]], reference, name="own")
    page = build_report(overview(evaluate(reference, [orders], ["fuzzy"], resamples=10)))
    data = data_of(page)
    assert data["systems"][0]["scores"] == [[None, 1.0]]
    assert data["target"] is None
    assert data["parsers"] == []
    assert "Left out: 1 sentence" in page
