"""The report in headless Chromium: what a reader does with it, and what text must not do to it."""

import csv
import io
import operator
import re
from itertools import permutations, product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from report_pages import (
    HOSTILE,
    address,
    compared_cells,
    follow,
    hostile_outputs,
    hostile_overview,
    three_systems,
)

from preorder_eval.analysis.overview import overview
from preorder_eval.analysis.report import build, orders_page
from preorder_eval.base.errors import InputWarning
from preorder_eval.base.tables import figure, signed
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.score import score
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.treebank import Tree, Treebank

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def results(bundled_reference):
    return {"ten": ten_systems(bundled_reference)}


@pytest.fixture(scope="module")
def pages(tmp_path_factory, bundled_reference, parser, results):
    """Reports as files: two parsers on the bundled sentences, outputs, and hostile text."""
    folder = tmp_path_factory.mktemp("reports")
    result = evaluate(
        bundled_reference,
        metrics=["fuzzy", "kendall"],
        parsers=["gold", parser],
        rules=["en-ja"],
        resamples=50,
        significance=True,
    )
    contents = {"parsers": overview(result), "hostile": hostile_overview()}
    made = {name: orders_page(content) for name, content in contents.items()}
    made["outputs"] = build([hostile_outputs(folder / "run")])
    made["links"] = build([outputs_with_links()])
    made["both"] = build([result, outputs_beside(result)])
    made["wrong"] = build([labels_apart()])
    made["dropped"] = build([labels_apart("fuzzy(unaligned=drop)")])
    made["ten"] = orders_page(overview(results["ten"]))
    for name, page in made.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


def labels_apart(metric="fuzzy"):
    """Two parsers: the first labels 30 of 40 objects wrongly; no verb has a link."""
    words, tags = ["We", "eat", "fish"], [["PRON", "VERB", "NOUN"], ["_"] * 3]

    def trees(label):
        labels = [["nsubj", "root", label(n)] for n in range(40)]
        return Treebank.of([Tree(words, [1, -1, 1], own, *tags) for own in labels])

    gold = trees(lambda _: "obj")
    links = Alignments.of([[(0, 0), (2, 1)]] * 40)
    reference = ReferenceSet("own", [words] * 40, links, trees=gold)
    parsed = {"one": trees(lambda n: "obl" if n < 30 else "obj"), "two": trees(lambda _: "obj")}
    systems = [Parsed({"name": name}, own).reordered("en-ja") for name, own in parsed.items()]
    return evaluate(reference, systems, [metric], resamples=20)


SVG = "{http://www.w3.org/2000/svg}"


def ten_systems(reference):
    """Five rule sets on gold trees under two names each."""
    names = ["none", "reverse", "head-final-reverse-after", "en-ko", "en-ja"]
    systems = [
        Parsed.by("gold", reference).reordered(name).named(f"{version}/{name}")
        for version in ("old", "new")
        for name in names
    ]
    return evaluate(reference, systems, ["fuzzy", "kendall"], resamples=20, significance=True)


def outputs_beside(result):
    """Outputs of the systems of a result of orders: the source in the order of each."""
    words = result.inputs.reference.source
    outputs = {
        system.name: [" ".join(words[s][i] for i in order) for s, order in enumerate(system.orders)]
        for system in result.inputs.systems
    }
    return score(outputs, [" ".join(sentence) for sentence in words], ["wer"], resamples=50)


def outputs_with_links():
    """Two systems of outputs with links to their source, the third sentence without any."""
    links = {
        "good": [[(0, 0), (1, 2), (2, 1)], [(0, 0), (1, 1)], []],
        "poor": [[(0, 1), (1, 0), (2, 2)], [(0, 1), (1, 0)], []],
    }
    with pytest.warns(InputWarning, match="no output in 1 line"):
        return score(
            {
                "good": ["he reads books", "dogs run", "no"],
                "poor": ["books he reads", "run dogs", ""],
            },
            ["he reads books", "dogs run fast", "well"],
            ["bleu", "fuzzy"],
            resamples=20,
            source=[["彼", "本", "読む"], ["犬", "走る"], ["ええ"]],
            hyp_alignment=[Alignments.of(own) for own in links.values()],
            ref_alignment=[Alignments.of(links["good"])],
        )


@pytest.fixture
def visit(chromium, request):
    """Opens a report, one of `pages` or a file; nothing may be fetched, logged or attacked."""
    opened = []

    def visit(name, fragment="", **options):
        page = chromium.new_page(**{"viewport": {"width": 1400, "height": 900}} | options)
        page.set_default_timeout(120_000)  # for machines that do much else
        noticed = []
        page.on("console", lambda message: noticed.append(message.text))
        page.on("pageerror", lambda error: noticed.append(str(error)))
        page.on("request", lambda request: noticed.append(request.url))
        pages = request.getfixturevalue("pages") if isinstance(name, str) else None
        start = (name if pages is None else pages / f"{name}.html").as_uri()
        page.goto(start + fragment)
        opened.append((page, noticed, start))
        return page

    yield visit
    for page, noticed, start in opened:
        assert page.evaluate("window.attacked") is None
        assert [note for note in noticed if not note.startswith((start, "blob:"))] == []
        page.close()


def shown(page):
    """The numbers of the sentences of the list, in its order."""
    return [int(n) for n in page.locator("#list .number").all_text_contents()]


def heading(page):
    return page.locator("#sentence h3").inner_text()


def test_two_systems_stand_side_by_side_with_their_differences(visit, bundled_reference, parser):
    one = bundled_reference.take([50], "one")
    arcs = [zip(t.heads, t.labels, strict=True) for t in (*one.trees, *parser.parse(one.source))]
    differing = sum(map(operator.ne, *arcs))
    page = visit("parsers", "#s=51")
    left, right = (page.locator("#sentence .panel").nth(n).bounding_box() for n in (0, 1))
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] < right["x"]
    assert page.locator("#sentence .panel").nth(0).locator(".arc.differs").count() == differing > 0
    assert page.locator("#sentence .panel").nth(0).locator("text.break").count() > 0
    page.keyboard.press("x")
    assert "gold" in page.locator("#sentence h4").first.inner_text()
    page.select_option("#side-b", "")
    assert page.locator("#sentence .panel").count() == 1
    assert page.locator("#sentence .differs").count() == 0


def test_rows_of_tables_lead_to_their_sentences(visit, bundled_reference):
    page = visit("parsers")
    row = page.locator("#error-table tbody tr").filter(has_text="conj").first
    follow(row.locator("a"))
    assert "label=conj" in address(page)
    assert "wrong=1" in address(page)
    found = shown(page)
    for name in ("Parser errors", "Part of speech"):
        page.get_by_role("button", name=name, exact=True).click()
        follow(page.locator("#error-table a").first)
        assert 0 < len(shown(page)) < 300
        assert shown(page) != found
    page.get_by_role("button", name="Parser errors", exact=True).click()
    costs = list(map(float, page.locator("#error-table tbody td:last-child").all_inner_texts()))
    assert costs == sorted(costs, reverse=True)
    follow(page.locator("#rule-table a").first)
    changed = page.locator("#rule-table tbody tr").first.locator("td").nth(1).inner_text()
    assert len(shown(page)) == int(changed)
    command = page.locator("#rule-table .command").inner_text()
    assert command.startswith("preorder-eval rules ablate --rules en-ja --parser ")
    page.get_by_role("button", name="Show all", exact=False).last.click()
    row = page.locator("#pair-table tbody tr").filter(has_text="punct<").first
    follow(row.locator("a"))
    assert 0 < len(shown(page)) <= int(row.locator("td").nth(4).inner_text())


def percent(node, name):
    return float(node.get_attribute(name).removesuffix("%"))


def test_what_limits_the_score_is_a_bar_from_the_source_order_to_1(visit, results):
    page = visit("ten")
    page.select_option("#side-a", label="old/en-ko")
    page.select_option("#side-b", label="new/en-ja")
    for side, name in enumerate(("old/en-ko", "new/en-ja")):
        parts = page.locator("#limit-bar .steps-row").nth(side).locator("rect").all()
        assert (
            sum(percent(p, "width") for p in parts if "lost" not in p.get_attribute("class"))
            >= 99.9
        )
        values = [
            row.locator("td").nth(side).inner_text()
            for row in page.locator("#limit-bar tbody tr").all()
        ]
        assert sum(float(v) for v in values if v != "–") == pytest.approx(1, abs=0.003)
        frs = results["ten"].value(f"{name}", "fuzzy")
        source, own = map(float, values[:2])
        assert source + own == pytest.approx(frs, abs=0.0011)


def test_the_parsers_are_drawn_with_the_numbers_of_their_tables(visit):
    page = visit("wrong")
    tables = page.locator("#parsers .strips")
    titles = tables.locator("caption").all_inner_texts()
    assert titles == ["Wrong labels at right heads, as share of words"]
    row = tables.first.locator("tbody tr").first
    assert row.locator("td.n").all_inner_texts() == ["0%", "75%"]
    marks = row.locator("svg.strip > svg")
    low, high = (
        float(t.removesuffix("%")) for t in tables.first.locator(".ends span").all_inner_texts()
    )
    for mark, value in zip(marks.all(), (0, 75), strict=True):
        assert percent(mark, "x") == pytest.approx(100 * (value - low) / (high - low), abs=0.1)


def test_words_that_are_not_scored_are_dimmed(visit):
    page = visit("dropped", "#s=1")
    dimmed = page.locator("#sentence .text-row").first.locator(".unscored").all_inner_texts()
    assert dimmed == ["eat"]
    assert "not scored" in page.locator("#sentence .legend").inner_text()
    assert page.locator("#sentence .figure text.unscored").count() == 2 * 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["parsers", "wrong", "links", "both"])
def test_pages_fit_a_phone(visit, name, scheme):
    options = {"viewport": {"width": 400, "height": 800}, "color_scheme": scheme}
    page = visit(name, **options)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_the_best_of_several_reference_orders_is_shown(visit, bundled_reference):
    page = visit("parsers", "#s=2")
    orders, number = bundled_reference.orders_of(1), 2
    [row] = page.locator("#sentence .panel").last.get_by_text("best reference").all()
    best = row.locator("xpath=following-sibling::dd").inner_text()
    assert best.endswith(f"({number} of {len(orders)})")
    assert best.startswith(orders[number - 1].braces(bundled_reference.source[1]))
    shared = page.locator("#sentence .texts").first.inner_text()
    assert "my laptop battery the latest update after Why" in shared


def test_keys(visit):
    page = visit("parsers", "#s=1&sort=number")
    page.keyboard.press("j")
    assert heading(page) == "Sentence 2"
    page.keyboard.press("k")
    assert heading(page) == "Sentence 1"
    page.keyboard.press("/")
    page.keyboard.type("elevator")
    assert page.input_value("#q") == "elevator"
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    assert len(shown(page)) == 300
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    keys = page.locator("#help .keys kbd").all_inner_texts()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()
    assert sorted({*keys, "Esc"} - {"Esc"}) == sorted(page.evaluate("Object.keys(KEYS)"))


def test_hostile_text_is_text(visit):
    page = visit("hostile", "#s=1")
    words = page.locator("#sentence .text-row").first.locator("dd bdi").all_inner_texts()
    assert words[0] == HOSTILE[0]
    assert words[HOSTILE.index("\u202eright-to-left\u202c")] == "\\u202eright-to-left\\u202c"
    assert "bell\\x07nul\\x00escape\\x1b[31m" in words
    assert max(map(len, words)) == 10_000
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
    for key in ("j", "x"):
        page.keyboard.press(key)
    page.select_option("#side-a", "0")
    page.get_by_role("button", name="Word", exact=True).click()
    follow(page.locator("#error-table a").first)
    page.locator(".trace summary").first.click()
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def test_outputs_stand_side_by_side_with_their_differences(visit):
    page = visit("outputs", "#s=1&sort=number")
    panels = page.locator("#sentence .panel")
    assert panels.count() == 2
    assert panels.nth(0).bounding_box()["y"] == panels.nth(1).bounding_box()["y"]
    differing = page.locator("#sentence .output .differs").all_inner_texts()
    assert sorted(differing) == ["lay", "sat"]
    page.keyboard.press("j")
    assert page.locator("#sentence .texts").first.inner_text().endswith(HOSTILE[0])
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
    assert page.locator("img").count() == 0
    page.fill("#q", "window.attacked=2")
    assert shown(page) == [3, 16], "its reference, and the output of the sentence that mirrors it"


def test_orders_and_outputs_stand_in_one_page(visit):
    """A system's panel has its tree, its order and its output, whose words can be searched."""
    page = visit("both", "#s=3")
    assert page.locator("nav a").all_inner_texts() == [
        "Summary", "Scores", "Errors", "Rules", "Words or order", "Sentences",
    ]  # fmt: skip
    assert page.locator("#summary caption").last.inner_text() == "WER ↓"
    assert page.locator("#summary td.score").last.get_attribute("data-metric") == "WER ↓"
    opened = [page.locator(f"#side-{side} option:checked").inner_text() for side in "ab"]
    page.keyboard.press("x")
    stays = "Words or order: {} vs {}".format(*opened)
    assert page.locator("#words h2").inner_text() == stays, "whatever is chosen as A and B"
    page.keyboard.press("x")
    assert "outputs’ reference" in page.locator("#sentence > .texts").inner_text()
    panels = page.locator("#sentence .panel")
    for n in range(2):
        rows = panels.nth(n).locator("dl.texts .text-row").all_inner_texts()
        named = dict(row.split("\n", 1) for row in rows if "\n" in row)
        assert named["output"].split() == named["reordered"].replace("✕", " ").split()
        assert panels.nth(n).locator("svg.figure").count() == 1


def saved(page, button):
    """The name and the text of the file that a button saves."""
    with page.expect_download() as download:
        button.click()
    return download.value.suggested_filename, Path(download.value.path()).read_text("utf-8")


def rows_of(tsv):
    return list(csv.reader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_opens_at_the_sentence_that_changed_most(visit, results):
    result = results["ten"]
    page = visit("ten")
    pair = sides(page)
    a, b = (result.sentence_scores(result.systems[n]) for n in pair)
    most = int(np.nanargmax(np.abs(b - a))) + 1
    assert heading(page) == f"Sentence {most}"
    assert shown(page)[0] == most
    marked = page.locator("figure.histogram").evaluate_all("all => all.map((f) => f.dataset.side)")
    assert (marked.index("A"), marked.index("B"), marked.count("")) == (*pair, 8)
    assert "from a head to its dependent" in page.locator("#sentence .legend").inner_text()


def sides(page):
    """Return the numbers of the systems A and B, which are those of the verdict at first."""
    return tuple(int(page.locator(f"#side-{side}").input_value()) for side in "ab")


def test_tables_are_saved_as_tsv(visit, results):
    page, result = visit("ten"), results["ten"]
    name, text = saved(page, page.locator("#summary .save", has_text="TSV").first)
    head, *rows = rows_of(text)
    assert name == "scores.tsv"
    assert head == [*("", "System", "fuzzy(match=word)", "low", "high", "kendall", "low", "high")]
    for number, row in enumerate(rows):
        name = result.systems[number]
        intervals = [result.interval(name, m) for m in result.metrics]
        own = [x for i in intervals for x in (i.value, i.low, i.high)]
        assert row[1].split()[-1] == name
        assert list(map(float, row[2:])) == pytest.approx(own)
    name, text = saved(page, page.locator("#errors .save", has_text="TSV"))
    head, *rows = rows_of(text)
    assert name == "errors-by-label.tsv"
    assert {len(row) for row in rows} == {len(head)}
    system = result.systems[sides(page)[0]]
    groups = overview(result.chosen([system])).systems[0].analysis.groups["label"]
    assert [(row[0], int(row[1]), int(row[2])) for row in rows] == [
        (group.name, group.count, group.wrong) for group in groups
    ], "all rows, not only those shown"
    _, text = saved(page, page.locator("#scores .save", has_text="TSV").first)
    head, *rows = rows_of(text)
    assert head[1:5] == ["sentences", system, f"{system} low", f"{system} high"]
    assert sum(int(row[1]) for row in rows) == 300


def test_pictures_are_saved_as_svg_that_stands_alone(visit):
    page = visit("ten", "#s=31", color_scheme="dark")
    buttons = {
        "scores-of-system-1.svg": page.locator(".histogram .save").first,
        "sentence-31-B.svg": page.locator("#sentence .save").last,
    }
    for expected, button in buttons.items():
        name, text = saved(page, button)
        assert name == expected
        root = ElementTree.fromstring(text)  # noqa: S314
        assert root.tag == f"{SVG}svg"
        assert float(root.get("width")) > 100
        shapes = [node for node in root.iter() if node.tag in (f"{SVG}path", f"{SVG}rect")]
        assert len(shapes) > 4
        for node in root.iter():
            assert "class" not in node.attrib, "there is no style sheet beside it"
            assert "var(" not in "".join(node.attrib.values())
        words = "".join(root.itertext())
        assert ("Drivers" if name.startswith("sentence") else "1") in words


# What stands in the row of B when A and B are chosen, by each metric.
READ_ROW = """([a, b]) => {
  for (const [side, number] of [["a", a], ["b", b]]) {
    const field = document.getElementById(`side-${side}`);
    field.value = String(number);
    field.dispatchEvent(new Event("input"));
  }
  return DATA.metrics.map((_, m) => {
    document.querySelectorAll("#metric-tabs button")[m].click();
    const table = document.querySelector(`.metric-table[data-metric="${m}"]`);
    const row = (side) => table.querySelector(`tbody .side-${side}`).closest("tr");
    const cells = (side) => [...row(side).querySelectorAll("[data-from-a]")];
    const texts = (side) => cells(side).map((cell) => cell.innerText);
    const brief = document.querySelectorAll(".all-scores tbody tr")[b].querySelectorAll(".by")[m];
    const head = table.querySelector(".from-a").innerText;
    return { head, name: row("B").querySelector("th").innerText, a: texts("A"), b: texts("B"),
      p: cells("B")[0].title, brief: brief.innerText };
  });
}"""


def assert_page_as_compared(page, result):
    """Whichever two are chosen, the row of B has beside it what `compare` shows as B - A."""
    for a, b in permutations(range(len(result.systems)), 2):
        names = result.systems[a], result.systems[b]
        read = page.evaluate(READ_ROW, [a, b])
        for row, (cell, p) in zip(read, compared_cells(result, *names), strict=True):
            assert row["head"] == "Difference from A"
            assert row["name"] == f"B {names[1]}"
            assert " ".join(row["b"]).split() == cell.split()
            assert row["brief"].split() == re.sub(r"\[.*\]", "", cell).split()
            assert re.match(f"p: {re.escape(p)}(,|$)", row["p"])
            assert not "".join(row["a"]).strip()


ORDERS = list(permutations("wxy"))


@pytest.mark.parametrize(
    ("names", "against"), [*product(ORDERS, [""]), *zip(ORDERS, "wxywxy", strict=True)]
)
def test_page_and_compare_side_by_side(visit, tmp_path, names, against):
    result = three_systems(names, against)
    (tmp_path / "three.html").write_text(build([result]), encoding="utf-8")
    page = visit(tmp_path / "three.html")
    assert page.locator(".verdict").inner_text() == result.verdict
    if against:
        assert names[sides(page)[0]] == against
    elif result.found.answer:
        assert sides(page) == result.found.pair, "A and B at first are those of the heading"
    assert_page_as_compared(page, result)


def test_numbers_are_rounded_as_in_text(visit, tmp_path):
    (tmp_path / "three.html").write_text(build([three_systems(ORDERS[0])]), encoding="utf-8")
    page = visit(tmp_path / "three.html")
    sizes = [n / 16 for n in range(17)] + [n / 2000 for n in range(1, 80, 2)]
    sizes += [0.0004, 0.00004, 1e-10, 2 / 3, 0.12345, 57.25, 57.35]
    values = [sign * size for size in sizes for sign in (1, -1)]
    for decimals in (1, 3):
        shown = page.evaluate(
            "([all, n]) => all.map((x) => [number(x, n), signed(x, n)])", [values, decimals]
        )
        form = f".{decimals}f"
        assert shown == [[figure(x, form), signed(x, f"+{form}")] for x in values]
