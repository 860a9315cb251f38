"""The report in headless Chromium: what a reader does with it, and what text must not do to it."""

import pytest
from report_pages import HOSTILE, address, eventually, follow, hostile_outputs, hostile_overview

from preorder_eval.analysis.orders.overview import overview
from preorder_eval.data.alignments import Alignments
from preorder_eval.reporting.build import build, orders_page
from preorder_eval.results.comparison import compare
from preorder_eval.results.run import read_run, write_run
from preorder_eval.results.scoring import evaluate, score

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory, bundled_reference, parser):
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
    made["runs"] = build(two_runs(folder))
    made["alone"] = build([read_run(folder / "before")])
    made["links"] = build([outputs_with_links()])
    made["both"] = build([result, outputs_beside(result)])
    for name, page in made.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


def outputs_beside(result):
    """Outputs of the systems of a result of orders: the source in the order of each."""
    words = result.inputs.reference.source
    outputs = {
        system.name: [" ".join(words[s][i] for i in order) for s, order in enumerate(system.orders)]
        for system in result.inputs.systems
    }
    return score(outputs, [" ".join(sentence) for sentence in words], ["wer"], resamples=50)


def two_runs(folder):
    """Runs of one output each; of the second every other sentence is right."""
    reference = ["the cat sat on the mat", "he reads"] * 5
    texts = {
        "before": ["the mat sat on the cat", "he read"],
        "after": ["the cat sat on the mat", "he read"],
    }
    for name, output in texts.items():
        write_run(
            score({"mt": output * 5}, reference, ["wer", "bleu"], resamples=50), folder / name
        )
    return [read_run(folder / name) for name in texts]


def outputs_with_links():
    """Two systems of outputs with links to their source, the third sentence without any."""
    links = {
        "good": [[(0, 0), (1, 2), (2, 1)], [(0, 0), (1, 1)], []],
        "poor": [[(0, 1), (1, 0), (2, 2)], [(0, 1), (1, 0)], []],
    }
    return score(
        {"good": ["he reads books", "dogs run", "no"], "poor": ["books he reads", "run dogs", ""]},
        ["he reads books", "dogs run fast", "well"],
        ["bleu", "fuzzy"],
        resamples=20,
        source=[["彼", "本", "読む"], ["犬", "走る"], ["ええ"]],
        hyp_alignment=[Alignments.of(own) for own in links.values()],
        ref_alignment=[Alignments.of(links["good"])],
    )


@pytest.fixture
def visit(chromium, pages):
    """Opens a report; at the end nothing may have been fetched, logged or attacked."""
    opened = []

    def visit(name, fragment="", **options):
        page = chromium.new_page(**{"viewport": {"width": 1400, "height": 900}} | options)
        page.set_default_timeout(120_000)  # for machines that do much else
        noticed = []
        page.on("console", lambda message: noticed.append(message.text))
        page.on("pageerror", lambda error: noticed.append(str(error)))
        page.on("request", lambda request: noticed.append(request.url))
        start = (pages / f"{name}.html").as_uri()
        page.goto(start + fragment)
        opened.append((page, noticed, start))
        return page

    yield visit
    for page, noticed, start in opened:
        assert page.evaluate("window.attacked") is None
        assert [note for note in noticed if not note.startswith(start)] == []
        page.close()


def shown(page):
    """The numbers of the sentences of the list, in its order."""
    return [int(n) for n in page.locator("#list .number").all_text_contents()]


def heading(page):
    return page.locator("#sentence h3").inner_text()


def test_a_link_opens_its_sentence(visit):
    page = visit("parsers", "#s=212")
    assert heading(page) == "Sentence 212"
    assert "There was no elevator" in page.locator("#sentence .texts").first.inner_text()
    assert "{{ There was }}" in page.locator("#sentence .texts").first.inner_text()
    assert page.locator("#list [aria-selected]").get_attribute("data-s") == "211"


@pytest.mark.parametrize(
    ("field", "value", "fragment"),
    [
        ("q", "elevator", "q=elevator"),
        ("word", "There", "word=There"),
        ("lengths", "1-5", "lengths=1-5"),
        ("min", "1", "min=1"),
    ],
)
def test_typed_filters_and_their_links(visit, field, value, fragment):
    page = visit("parsers")
    if field in ("lengths", "min"):
        page.locator("#more summary").click()
    page.fill(f"#{field}", value)
    found = shown(page)
    assert 0 < len(found) < 300
    assert page.locator("#count").inner_text() == f"{len(found)} of 300 sentences"
    assert fragment in address(page)
    assert shown(visit("parsers", address(page))) == found


@pytest.mark.parametrize("field", ["label", "tag", "head", "phenomenon", "rule"])
def test_chosen_filters_narrow_the_list(visit, field):
    page = visit("parsers")
    page.evaluate("document.getElementById('more').open = true")
    values = page.locator(f"#{field} option").evaluate_all("nodes => nodes.map(n => n.value)")
    sizes = set()
    for value in values[1:6]:
        page.select_option(f"#{field}", value)
        sizes.add(len(shown(page)))
    assert len(sizes) > 1 or field == "phenomenon"
    assert max(sizes) <= 300
    page.keyboard.press("Escape")
    page.click("#clear")
    assert len(shown(page)) == 300


def test_word_filters_mean_one_word(visit, bundled_reference):
    page = visit("parsers", "#a=gold/en-ja&word=that&tag=SCONJ&label=mark")
    trees = bundled_reference.trees
    expected = [
        s + 1
        for s, tree in enumerate(trees)
        if ("that", "SCONJ", "mark")
        in zip(map(str.lower, tree.words), tree.upos, tree.labels, strict=True)
    ]
    assert shown(page) == expected


def test_sorting_by_score_and_by_change(visit):
    page = visit("parsers", "#sort=low")
    scores = [float(x) for x in page.locator("#list .score").all_text_contents()]
    assert scores == sorted(scores)
    page.select_option("#sort", "lost")
    gain = {"▲": 1, "▼": -1}
    changes = [
        gain[text[0]] * float(text[1:]) if text != "=" else 0
        for text in page.locator("#list .change").all_text_contents()
    ]
    assert changes == sorted(changes)
    assert changes[0] < 0 < changes[-1]


def test_two_systems_stand_side_by_side_with_their_differences(visit):
    page = visit("parsers", "#s=225")
    left, right = (page.locator("#sentence .panel").nth(n).bounding_box() for n in (0, 1))
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] < right["x"]
    assert page.locator("#sentence .panel").nth(0).locator(".arc.differs").count() == 2
    assert page.locator("#sentence .panel").nth(1).locator("text.break").count() == 2
    page.keyboard.press("x")
    assert "en-web" in page.locator("#sentence h4").first.inner_text()
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
    follow(page.locator("#rule-table a").first)
    changed = page.locator("#rule-table tbody tr").first.locator("td").nth(2).inner_text()
    assert len(shown(page)) == int(changed)
    page.get_by_role("button", name="Show all", exact=False).last.click()
    row = page.locator("#pair-table tbody tr").filter(has_text="punct<").first
    follow(row.locator("a"))
    assert 0 < len(shown(page)) <= int(row.locator("td").nth(4).inner_text())


def test_what_limits_the_score_adds_up_to_what_it_lacks(visit):
    page = visit("parsers", "#a=en-web/en-ja")
    names, points = (
        page.locator(f"#limit-table tbody {cell}").all_inner_texts() for cell in ("th", "td.n")
    )
    assert names == ["rules", "parser", "impossible"]
    value = float(page.locator("#limit-table .note").inner_text().split(": ")[1].split()[0])
    assert sum(map(float, points)) == pytest.approx(100 * (1 - value), abs=0.03)


def test_the_best_of_several_reference_orders_is_shown(visit, bundled_reference):
    page = visit("parsers", "#s=2")
    orders, number = bundled_reference.orders_of(1), 2
    [row] = page.locator("#sentence .panel").first.get_by_text("best reference").all()
    best = row.locator("xpath=following-sibling::dd").inner_text()
    assert best.startswith("my laptop battery Why the latest")
    assert best.endswith(f"({number} of {len(orders)})")
    assert best.startswith(orders[number - 1].braces(bundled_reference.source[1]))
    shared = page.locator("#sentence .texts").first.inner_text()
    assert "my laptop battery the latest update after Why" in shared


def test_plots_lead_to_their_sentences(visit):
    page = visit("parsers")
    bar = page.locator(".histogram a").first
    count = int(bar.locator("title").text_content().split()[0])
    bar.evaluate("node => node.dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    eventually(page, lambda: " of " in page.locator("#count").inner_text())
    assert "max" in address(page)
    assert len(shown(page)) >= count
    follow(page.get_by_role("link", name="cleft", exact=True).first)
    assert len(shown(page)) == 10


def test_keys(visit):
    page = visit("parsers")
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


def test_trace_names_rules_and_what_they_moved(visit):
    page = visit("parsers", "#s=225")
    page.locator("#sentence .trace summary").first.click()
    assert "NOUN" in page.locator("#sentence .trace .rule").first.inner_text()
    assert page.locator("#sentence .trace .items").count() >= 2


def test_hostile_text_is_text(visit):
    page = visit("hostile", "#s=1")
    words = page.locator("#sentence .text-row").first.locator("dd bdi").all_inner_texts()
    assert words[0] == HOSTILE[0]
    assert words[HOSTILE.index("\u202eright-to-left\u202c")] == "\\u202eright-to-left\\u202c"
    assert "bell\\x07nul\\x00escape\\x1b[31m" in words
    assert max(map(len, words)) == 10_000
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
    for key in ("j", "x", "o", "a", "b"):
        page.keyboard.press(key)
    page.select_option("#side-a", "0")
    page.get_by_role("button", name="Word", exact=True).click()
    follow(page.locator("#error-table a").first)
    page.locator(".trace summary").first.click()
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def test_outputs_stand_side_by_side_with_their_differences(visit):
    page = visit("outputs", "#s=1")
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


def cells(page, table):
    """The texts of the rows of a summary table, without the plot."""
    return [
        [cell.strip() for cell in row.locator("th, td:not(.plot)").all_inner_texts()[1:]]
        for row in page.locator(".metric-table").nth(table).locator("tbody tr").all()
    ]


def test_two_runs_of_outputs_are_compared_with_the_first_system(visit, pages):
    page = visit("runs")
    results = [read_run(pages / name) for name in ("before", "after")]
    captions = page.locator(".metric-table caption").all_text_contents()
    assert captions == ["wer, lower is better", "bleu, higher is better"]
    for number, metric in enumerate(results[0].metrics):
        page.locator("#metric-tabs button").nth(number).click()
        first, second = cells(page, number)
        compared = compare(*results, metrics=[metric]).metrics[0]
        assert (first[0], first[2:]) == ("A before:mt", ["", ""])
        assert second[0] == "B after:mt"
        difference = compared.difference
        assert second[2].splitlines() == [
            f"{difference.value:+.4f}",
            f"[{difference.at_95.low:+.4f}, {difference.at_95.high:+.4f}]",
        ]
        assert second[3] == difference.mark
        shown = page.locator(".metric-table").nth(number).locator("td[title]")
        assert shown.get_attribute("title") == f"p = {difference.p:.4f}"
    assert "Differences from before:mt" in page.locator("#summary .note").inner_text()
    assert page.locator(".what summary").all_inner_texts()[1:] == [
        "What was run: run 1",
        "What was run: run 2",
    ]
    follow(page.locator(".metric-table:not([hidden])").get_by_role("link", name="after:mt"))
    assert "bleu" in address(page)
    assert page.locator("#side-a").input_value() == "1"
    assert page.locator("#metric").input_value() == "1"


def test_one_system_of_outputs_is_compared_with_nothing(visit):
    page = visit("alone")
    assert page.locator("#summary .note").inner_text() == "Scores with 95 % bootstrap intervals."
    assert [row[2:] for row in cells(page, 0)] == [["", ""]]


def test_outputs_with_links_have_metrics_of_orders_too(visit):
    page = visit("links", "#s=3&m=fuzzy(match=word)")
    assert page.locator(".metric-table caption").all_inner_texts()[1].startswith("fuzzy")
    assert page.locator("#list .score").all_inner_texts() == ["1.00", "1.00", "–"]
    assert page.locator("#list .change").all_inner_texts()[:2] == ["▼0.50", "▼1.00"]
    assert "no links" in page.locator("#sentence .facts").inner_text()


@pytest.mark.parametrize("width", [400, 1400])
def test_numbers_of_outputs_fit_their_columns(visit, width):
    viewport = {"width": width, "height": 900}
    page = visit("runs", "#a=after:mt&m=bleu(order=4,smooth=exp,tokenize=none)", viewport=viewport)
    assert page.locator("#list .score").first.inner_text().startswith("100")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert (
        page.locator("#list li > :not(.text)").evaluate_all(
            "nodes => nodes.filter(n => n.scrollWidth > n.clientWidth).map(n => n.textContent)"
        )
        == []
    )


def test_print_shows_the_sentence_and_no_controls(visit):
    page = visit("parsers", "#s=31")
    page.emulate_media(media="print")
    assert page.locator("#sentence .figure").first.is_visible()
    for gone in ("#filters", "#list", "nav"):
        assert not page.locator(gone).is_visible()


@pytest.mark.parametrize("fragment", ["#s=0", "#s=99999", "#a=<script>&b=%00&m=x&sort=constructor"])
def test_addresses_are_not_trusted(visit, fragment):
    page = visit("parsers", fragment)
    assert heading(page) == "Sentence 1"
    assert len(shown(page)) == 300


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_sticks_out(visit, tmp_path, width, scheme):
    page = visit("parsers", "#s=212", viewport={"width": width, "height": 900}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    picture = tmp_path / f"{width}-{scheme}.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 10_000


def test_orders_and_outputs_stand_in_one_page(visit):
    """A system's panel has its tree, its order and its output, whose words can be searched."""
    page = visit("both", "#s=3")
    assert page.locator("nav a").all_inner_texts() == [
        "Summary", "Scores", "Errors", "Rules", "Outputs", "Sentences",
    ]  # fmt: skip
    assert "outputs’ reference" in page.locator("#sentence > .texts").inner_text()
    panels = page.locator("#sentence .panel")
    for n in range(2):
        rows = panels.nth(n).locator("dl.texts .text-row").all_inner_texts()
        named = dict(row.split("\n", 1) for row in rows if "\n" in row)
        assert named["output"].split() == named["reordered"].replace("✕", " ").split()
        assert panels.nth(n).locator("svg.figure").count() == 1
    assert page.locator("#word-table tbody tr").count() > 3
    follow(page.locator("#ngram-tables tbody tr a").first)
    assert "of 300" in page.locator("#count").inner_text()
