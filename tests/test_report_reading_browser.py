"""What a reader of a report in headless Chromium sees, keeps in view and takes away."""

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from report_pages import address, follow

from preorder_eval.analysis.orders.overview import overview
from preorder_eval.analysis.outputs.output_analysis import analyse_outputs
from preorder_eval.reporting.build import build, orders_page
from preorder_eval.results.run import read_run, write_run
from preorder_eval.results.scoring import evaluate, score
from preorder_eval.results.systems import System

pytestmark = pytest.mark.browser

LONG = "a-system-with-a-name-as-long-as-the-path-of-an-experiment-"
SIGNATURES = [
    "hlepor(alpha=9.0,beta=1.0,n=2,system=A,weights=7:2:1)",
    "bleu(order=4,smooth=exp,tokenize=none)",
    "rouge_w(beta=1.0,weight=1.2)",
    "meteor(stem=true)",
    "nkt(alpha=0.25,bp=true)",
    "ter",
]
SVG = "{http://www.w3.org/2000/svg}"


def many_outputs():
    """Ten systems with long names by six metrics with long signatures."""
    reference = ["the cat sat on the mat", "he reads a book", "yes", "the dog reads"] * 3
    outputs = {f"{LONG}{n}": reference[n + 1 :] + reference[: n + 1] for n in range(10)}
    return score(outputs, reference, SIGNATURES, resamples=20)


def ten_systems(reference):
    """Five rule sets on gold trees under two names each."""
    names = ["none", "reverse", "head-final-reverse-after", "en-ja-learned", "en-ja"]
    systems = [
        System.from_rules("gold", name, reference).named(f"{version}/{name}")
        for version in ("old", "new")
        for name in names
    ]
    return evaluate(reference, systems, ["fuzzy", "kendall"], resamples=20, significance=True)


def tagged_outputs():
    """Two outputs with two references, tags and the source."""
    return score(
        {"one": ["he reads", "she sees it", "yes"], "two": ["he read books", "it", "yes"]},
        [["he reads a book", "she sees it", "yes"], ["he read books", "it is seen", "no"]],
        ["hlepor(mix=1:9)", "ebleu"],
        hyp_tags=[["P V", "P V P", "I"], ["P V N", "P", "I"]],
        ref_tags=[["P V D N", "P V P", "I"], ["P V N", "P V V", "I"]],
        source_tags=["P V N", "P V P", "I"],
        resamples=20,
    )


def without_references():
    """An output that is held against its source."""
    return score(
        {"mt": ["he reads"]},
        [],
        ["ebleu"],
        hyp_tags=[["P V"]],
        source_tags=["P V"],
        resamples=5,
    )


def two_runs(folder):
    """Two runs of two outputs each."""
    reference = ["a b c d", "b c d e"] * 3
    for name in ("before", "after"):
        outputs = {f"base-{name}": reference, f"new-{name}": ["a c b d", "b c"] * 3}
        write_run(score(outputs, reference, ["wer"], resamples=20), folder / name)
    return [read_run(folder / name) for name in ("before", "after")]


@pytest.fixture(scope="module")
def results(bundled_reference):
    return {"orders": ten_systems(bundled_reference), "outputs": many_outputs()}


@pytest.fixture(scope="module")
def pages(tmp_path_factory, results):
    folder = tmp_path_factory.mktemp("reports")
    (folder / "src").write_text("er liest\nsie sieht es\nja\n")
    made = {
        "orders": orders_page(overview(results["orders"])),
        "outputs": build([results["outputs"]]),
        "runs": build(two_runs(folder)),
        "tagged": build([tagged_outputs()], source=folder / "src"),
        "alone": build([without_references()]),
    }
    for name, page in made.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def visit(chromium, pages):
    opened = []

    def visit(name, fragment="", **options):
        page = chromium.new_page(**{"viewport": {"width": 1400, "height": 900}} | options)
        page.set_default_timeout(60_000)
        errors = []
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((pages / f"{name}.html").as_uri() + fragment)
        opened.append((page, errors))
        return page

    yield visit
    for page, errors in opened:
        assert errors == []
        page.close()


def saved(page, button):
    """The name and the text of the file that a button saves."""
    with page.expect_download() as download:
        button.click()
    return download.value.suggested_filename, Path(download.value.path()).read_text("utf-8")


def rows_of(tsv):
    return list(csv.reader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_last_systems_of_the_runs_open(visit):
    page = visit("runs")
    names = page.locator("#sentence h4").all_inner_texts()
    assert [name.split()[1] for name in names] == ["new-before", "new-after"]


def test_first_and_last_system_of_a_run_open(visit, results):
    page = visit("orders")
    names = page.locator("#sentence h4").all_inner_texts()
    assert [name.split()[1] for name in names] == ["old/none", "new/en-ja"]


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("name", ["orders", "outputs"])
def test_sides_stay_in_view_and_are_named_in_every_section(visit, name, width):
    page = visit(name, viewport={"width": width, "height": 900})
    for section in page.locator("main > section").all():
        section.scroll_into_view_if_needed()
        for _ in range(2):
            chosen = [
                page.locator(f"#side-{side} option:checked").inner_text() for side in ("a", "b")
            ]
            said = section.locator(".sides").inner_text()
            assert said.split() == ["A", chosen[0], "B", chosen[1]]
            page.keyboard.press("x")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    bar = page.locator(".compared").bounding_box()
    assert (bar["y"], bar["width"]) == (0, width)
    assert bar["height"] < 60


def test_what_a_link_leads_to_is_not_behind_the_bar(visit):
    page = visit("orders")
    follow(page.locator("nav").get_by_role("link", name="Sentences"))
    bar = page.locator(".compared").bounding_box()
    assert page.locator("#sentences-heading").bounding_box()["y"] >= bar["height"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("name", ["orders", "outputs"])
def test_ten_systems_fit_and_can_be_read(visit, name, width, scheme):
    page = visit(name, "#s=2", viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.locator("details").evaluate_all("nodes => nodes.forEach(n => { n.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    cut = page.locator(".panel :is(dt, dd, bdi, h4), .sides, nav, .tabs, .histogram figcaption")
    assert (
        cut.evaluate_all(
            "nodes => nodes.filter(n => n.scrollWidth > n.clientWidth + 1 && n.clientWidth)"
            ".map(n => n.textContent)"
        )
        == []
    )
    table = page.locator("table.summary:visible")
    boxes = [link.bounding_box() for link in table.locator("tbody th a").all()]
    assert len(boxes) == 10
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert len(set(table.locator("tbody th a").all_inner_texts())) == 10
    marks = table.locator("td.plot .strip path").evaluate_all(
        "nodes => nodes.map(n => getComputedStyle(n).fill)"
    )
    assert len(set(marks)) == 2, "a colour for B, one for all others"
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert not set(marks) & {ground}


def test_metrics_have_short_names_and_their_signatures_on_demand(visit):
    page = visit("outputs")
    names = ["hlepor(weights=7:2:1)", "bleu", "rouge_w", "meteor(stem=true)"]
    names += ["nkt(alpha=0.25,bp=true)", "ter"]
    scores = page.locator("#sentence .panel").first.locator(".scores dt")
    assert scores.all_inner_texts() == names
    assert page.locator("#metric option").all_inner_texts() == names
    full = [str(metric) for metric in many_outputs().metrics]
    assert scores.evaluate_all("nodes => nodes.map(n => n.title)") == full
    details = page.locator("details", has_text="Signatures of the metrics")
    details.locator("summary").click()
    assert details.locator("dd").all_inner_texts() == full


def test_one_metric_of_outputs_at_a_time(visit):
    page = visit("outputs")
    page.locator("#metric-tabs").get_by_role("button", name="ter").click()
    [table] = page.locator(".metric-table:visible").all()
    assert table.locator("caption").inner_text() == "ter, lower is better"
    assert page.locator("#metric option:checked").inner_text() == "ter"


def ends(page):
    texts = page.locator("#summary th.plot").first.locator(".ends span").all_inner_texts()
    return [float(text) for text in texts]


def test_axes_zoom_to_the_data(visit, results):
    page = visit("orders")
    assert ends(page) == [0, 1]
    wide = page.locator("#summary td.plot line.whisker").first.bounding_box()["width"]
    page.locator(".zoom input").first.check()
    low, high = ends(page)
    intervals = [own[0] for own in results["orders"].intervals]
    assert 0 < low <= min(interval.low for interval in intervals)
    assert max(interval.high for interval in intervals) <= high <= 1
    assert high - low < 1.25 * (
        max(interval.high for interval in intervals) - min(interval.low for interval in intervals)
    )
    narrow = page.locator("#summary td.plot line.whisker").first.bounding_box()["width"]
    assert narrow == pytest.approx(wide / (high - low), rel=0.1)
    assert page.locator(".zoom input").last.is_checked()
    assert "zoom=1" in address(page)
    assert ends(visit("orders", "#zoom=1")) == [low, high]
    page.locator(".zoom input").last.uncheck()
    assert ends(page) == [0, 1]


def test_a_sorting_starts_with_its_first_sentence(visit):
    page = visit("orders", "#s=100")
    for sort in ("low", "high", "lost", "gained", "long", "number"):
        page.select_option("#sort", sort)
        first = page.locator("#list .number").first.inner_text()
        assert page.locator("#sentence h3").inner_text() == f"Sentence {first}"
        page.keyboard.press("Escape")
    opened = visit("orders", "#sort=lost")
    first = opened.locator("#list .number").first.inner_text()
    assert opened.locator("#sentence h3").inner_text() == f"Sentence {first}" != "Sentence 1"
    page.keyboard.press("j")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("o")
    first = page.locator("#list .number").first.inner_text()
    assert page.locator("#sentence h3").inner_text() == f"Sentence {first}"


def test_tables_are_saved_as_tsv(visit, results):
    page, result = visit("orders"), results["orders"]
    name, text = saved(page, page.locator("#summary .save", has_text="TSV").first)
    head, *rows = rows_of(text)
    assert name == "scores.tsv"
    assert head == [
        *("", "System", "fuzzy(match=word)", "low", "high", "kendall", "low", "high"),
    ]
    for number, row in enumerate(rows):
        own = [x for i in result.intervals[number] for x in (i.value, i.low, i.high)]
        assert row[1].split()[-1] == result.systems[number]
        assert list(map(float, row[2:])) == pytest.approx(own)
    name, text = saved(page, page.locator("#errors .save", has_text="TSV"))
    head, *rows = rows_of(text)
    assert name == "errors-by-label.tsv"
    assert {len(row) for row in rows} == {len(head)}
    breakdown = next(
        b for b in overview(result.chosen(["old/none"])).systems[0].breakdowns if b.by == "label"
    )
    assert [(row[0], int(row[1]), int(row[2])) for row in rows] == [
        (group.name, group.count, group.wrong) for group in breakdown.groups
    ], "all rows, not only those shown"
    _, text = saved(page, page.locator("#scores .save", has_text="TSV").first)
    head, *rows = rows_of(text)
    assert head[1:5] == ["sentences", "old/none", "old/none low", "old/none high"]
    assert sum(int(row[1]) for row in rows) == 300


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_are_saved_as_svg_that_stands_alone(visit, scheme):
    page = visit("orders", "#s=31", color_scheme=scheme)
    buttons = {
        "scores.svg": page.locator("#summary .save", has_text="SVG").first,
        "scores-of-system-1.svg": page.locator(".histogram .save").first,
        "scores-by-length-1.svg": page.locator("#parts .save", has_text="SVG").first,
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
        said = {"scores.svg": "new/reverse", "sentence-31-B.svg": "Drivers"}.get(name, "1")
        assert said in words


def test_rules_of_either_side_are_shown(visit):
    page = visit("orders", "#a=old/en-ja&b=new/en-ja-learned")
    place = page.locator("#rule-table")
    assert "Rules of B" in place.inner_text()
    assert "more rules and slots change no sentence" in place.inner_text()
    place.get_by_role("button", name="old/en-ja").click()
    assert "Rules of A" in page.locator("#rule-table").inner_text()
    follow(page.locator("#rule-table tbody a").first)
    changed = int(page.locator("#rule-table tbody tr").first.locator("td").nth(2).inner_text())
    assert page.locator("#count").inner_text().startswith(f"{changed} of 300")
    assert page.locator("#side-b option:checked").inner_text() == "new/en-ja-learned"


def test_words_of_outputs_are_those_of_the_analysis(visit):
    page = visit("tagged")
    groups = analyse_outputs(tagged_outputs()).words
    for tab, by in (("How frequent words are", "frequency"), ("Part of speech", "upos")):
        page.locator("#word-tabs").get_by_role("button", name=tab).click()
        name, text = saved(page, page.locator("#word-table .save").first)
        assert name == f"words-by-{by}.tsv"
        rows = {row[0]: row[1:] for row in rows_of(text)[1:]}
        for group in groups[by]:
            first, second = group.systems
            row = rows[group.name]
            assert row[0] == str(first.references)
            for own, cells in ((first, row[1:6]), (second, row[6:11])):
                recall, precision, f, low, high = (float(x or "nan") for x in cells)
                expected = (own.recall, own.precision, own.f.value, own.f.low, own.f.high)
                assert (recall, precision, f, low, high) == pytest.approx(
                    expected, abs=5e-5, nan_ok=True
                )


def test_ngrams_lead_to_their_sentences(visit):
    page = visit("outputs")
    result = many_outputs()
    analysis = analyse_outputs(result)
    for side, name in enumerate(analysis.systems):
        rows = page.locator("#ngram-tables table").nth(side).locator("tbody tr")
        for row, expected in zip(rows.all()[:3], analysis.ngrams[name], strict=False):
            texts = [row.locator("th").inner_text(), *row.locator("td").all_inner_texts()]
            counts = (expected.references, expected.first, expected.second)
            assert texts == [expected.ngram, *map(str, counts)]
        follow(rows.first.locator("a"))
        assert f"{'AB'[side]}.ngrams.0" in address(page)
        shown = [int(n) for n in page.locator("#list .number").all_text_contents()]
        assert shown == list(analysis.ngrams[name][0].sentences)
    page.select_option("#side-b", page.locator("#side-a").input_value())
    assert page.locator("#ngram-tables tbody tr").count() == 0
    page.select_option("#side-b", "")
    assert "takes two systems" in page.locator("#ngram-tables").inner_text()


def test_scores_by_length_are_those_of_the_metric_that_is_chosen(visit):
    page = visit("outputs")
    lengths = analyse_outputs(many_outputs()).lengths
    for number, (metric, parts) in enumerate(lengths.items()):
        page.locator("#metric-tabs button").nth(number).click()
        _, text = saved(page, page.locator("#parts .save").first)
        rows = rows_of(text)[1:]
        assert [(row[0], int(row[1])) for row in rows] == [(p.name, p.sentences) for p in parts]
        values = [[float(row[2]), float(row[5])] for row in rows]
        expected = [[score.value for score in part.scores] for part in parts]
        assert values == [pytest.approx(own, abs=5e-5) for own in expected], metric
    follow(page.locator("#parts a").first)
    assert page.locator("#count").inner_text() == f"{parts[0].sentences} of 12 sentences"


def test_source_and_nearest_reference_are_shown(visit):
    page = visit("tagged", "#s=1")
    rows = page.locator("#sentence .texts").first.inner_text()
    assert rows.split("\n")[:2] == ["source", "er liest"]
    panels = page.locator("#sentence .panel .output").all_inner_texts()
    assert panels == [
        "he reads (nearest: reference 1)",
        "he read books (nearest: reference 2)",
    ]
    assert page.locator("#sentence .panel").nth(1).locator(".absent").count() == 0
    page.fill("#q", "sieht")
    assert page.locator("#count").inner_text() == "1 of 3 sentences"


def test_outputs_without_references_have_no_words(visit):
    page = visit("alone")
    assert page.locator("nav a").all_inner_texts() == ["Summary", "Sentences"]
    assert page.locator("#list .text").all_text_contents() == ["he reads"]
