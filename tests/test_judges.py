"""Rating sheets: who rates what, blind and shuffled, and what is read back."""

import html
import re
from collections import Counter

import numpy as np
import pytest

from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.judgments import ScoreColumns, read_human_scores
from preorder_eval.formats.rating_sheet import read_key, read_ratings
from preorder_eval.formats.tsv import format_tsv
from preorder_eval.meta_evaluation.judges import assign, collect, rating_sheets

SIZE = 12
SOURCE = [f"source {s}" for s in range(SIZE)]
OUTPUTS = {name: [f"{name} says {s}" for s in range(SIZE)] for name in ("good", "fair", "poor")}
BEST = {"good": 6, "fair": 4, "poor": 1}


def filled(folder, files, rate):
    """The folder with all sheets, the ratings of which `rate` gives by judge, output and page."""
    folder.mkdir(exist_ok=True)
    sheets = {}
    for name, text in files.items():
        judge = re.search(r"judge-(\d+).tsv", name)
        if judge:
            number = int(judge[1])
            header, *rows = [line.split("\t") for line in text.splitlines()]
            text = format_tsv(header, [[*row[:4], rate(number, row[3], row[0])] for row in rows])
            sheets[number] = folder / name
        (folder / name).write_text(text)
    return folder / "key.tsv", sheets


@pytest.mark.parametrize(("judges", "ratings"), [(3, 3), (4, 2), (5, 3), (7, 1)])
def test_every_sentence_has_its_judges_and_every_judge_as_many(judges, ratings):
    sheets = assign(20, judges, ratings=ratings)
    counts = Counter(sentence for sheet in sheets for sentence in sheet)
    assert counts == dict.fromkeys(range(20), ratings)
    assert all(len(set(sheet)) == len(sheet) for sheet in sheets)
    sizes = [len(sheet) for sheet in sheets]
    assert max(sizes) - min(sizes) <= 1


def test_a_sample_and_a_seed():
    sheets = assign(100, 4, ratings=2, sample=30, seed=5)
    assert len({sentence for sheet in sheets for sentence in sheet}) == 30
    assert sheets == assign(100, 4, ratings=2, sample=30, seed=5)
    assert sheets != assign(100, 4, ratings=2, sample=30, seed=6)
    assert max(map(len, assign(10, 8, quota=4))) == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judges": 2, "ratings": 3}, "3 ratings of a sentence, but there are 2 judges"),
        ({"judges": 3, "sample": 11}, "a sample of 11 of 10 sentences"),
        ({"judges": 3, "quota": 4}, "10 sentences, but the quota is 4; 8 judges would do"),
    ],
)
def test_what_cannot_be_assigned(options, message):
    with pytest.raises(PreorderEvalError, match=message):
        assign(10, **options)


def test_sheets_are_blind_and_shuffled():
    files = rating_sheets(OUTPUTS, SOURCE, SOURCE[::-1], judges=3)
    first = {}
    for judge in (1, 2, 3):
        header, *rows = [line.split("\t") for line in files[f"judge-{judge}.tsv"].splitlines()]
        assert header == ["item", "source", "reference", "output", "rating"]
        assert len(rows) == 3 * SIZE
        assert {row[4] for row in rows} == {""}
        pages = [row[0].partition("-")[0] for row in rows]
        assert pages == [str(page) for page in range(1, SIZE + 1) for _ in range(3)]
        first[judge] = [row[3].split()[0] for row in rows[::3]], [row[1] for row in rows[::3]]
        page = files[f"judge-{judge}.html"]
        assert "0 indicates nonsense, 6 indicates a perfectly grammatical translation" in page
        assert page.count("<fieldset") == 3 * SIZE
        assert "http" not in page.replace("http-equiv", "")
    assert len(set(first[1][0])) > 1, "no system always stands first"
    assert first[1][1] != first[2][1], "each judge has an order of sentences"
    key = files["key.tsv"].splitlines()
    assert len(key) == 1 + 3 * 3 * SIZE


def test_texts_of_other_lengths_and_what_they_hold_is_shown_and_not_done():
    with pytest.raises(PreorderEvalError, match="fair has 1 sentence, but the source has 12"):
        rating_sheets({**OUTPUTS, "fair": ["x"]}, SOURCE, judges=1, ratings=1)
    nasty = '<script>alert(1)</script> & "x"\ttab'
    files = rating_sheets({"a": [nasty]}, [nasty], judges=1, ratings=1)
    assert "<script>alert" not in files["judge-1.html"]
    assert nasty in html.unescape(files["judge-1.html"])
    assert all(line.count("\t") == 4 for line in files["judge-1.tsv"].splitlines())


def test_ratings_are_read_back(tmp_path):
    files = rating_sheets(OUTPUTS, SOURCE, judges=4, ratings=3, seed=2)
    rng = np.random.default_rng(0)

    def rate(judge, output, page):
        return int(np.clip(BEST[output.split()[0]] + rng.integers(-1, 2), 0, 6))

    key, sheets = filled(tmp_path / "sheets", files, rate)
    result = collect(key, sheets, resamples=100)
    systems = {row["system"]: row for row in result.to_dict()["systems"]}
    assert [row["ratings"] for row in systems.values()] == [3 * SIZE] * 3
    assert result.missing == 0
    known = read_key(key)
    for judge, file in sheets.items():
        shown = {line.split("\t")[0]: line.split("\t") for line in file.read_text().splitlines()}
        for item, (system, line) in known[judge].items():
            assert shown[item][1] == SOURCE[line]
            assert shown[item][3] == OUTPUTS[system][line]
    for number, name in enumerate(result.scores.systems):
        mean = result.means.interval(number)
        assert systems[name]["mean"] == mean.value
        # Every sentence has as many ratings, so that the mean of means is that of all.
        own = result.scores.score[result.scores.system == number]
        assert mean.value == pytest.approx(own.mean())
        assert mean.low <= mean.value <= mean.high
    assert systems["good"]["low"] > systems["fair"]["high"]
    assert result.agreement["different judges"].kappa > 0.5
    # What is written is what `meta --human` reads.
    (tmp_path / "ratings.tsv").write_text(result.scores_table().tsv())
    again = read_human_scores(tmp_path / "ratings.tsv", SIZE, ScoreColumns(judge="judge"))
    assert sorted(again.score.tolist()) == sorted(result.scores.score.tolist())
    assert again.judges == 4


def test_empty_ratings_are_counted(tmp_path):
    files = rating_sheets(OUTPUTS, SOURCE, judges=1, ratings=1)
    key, sheets = filled(
        tmp_path / "sheets", files, lambda j, output, page: 3 if "good" in output else None
    )
    result = collect(key, sheets, resamples=10)
    systems = {row["system"]: row for row in result.to_dict()["systems"]}
    assert (systems["good"]["ratings"], systems["good"]["mean"]) == (SIZE, 3.0)
    assert (systems["poor"]["ratings"], systems["poor"]["mean"]) == (0, None)
    assert result.missing == 2 * SIZE
    assert result.agreement == {}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("\t3\n", "\t7\n", 1), "judge-1.tsv:2: '7' is not a rating"),
        (lambda text: text.replace("\t3\n", "\t3.5\n", 1), "judge-1.tsv:2: '3.5' is not a rating"),
        (lambda text: text.replace("1-1\t", "99-1\t", 1), "item 99-1 is not in the key"),
        (lambda text: text.replace("1-2\t", "1-1\t", 1), "judge-1.tsv:3: item 1-1 stands twice"),
        (lambda text: text.rsplit("\n", 2)[0] + "\n", "item 12-3 is missing"),
        (lambda text: text.replace("rating", "score", 1), "has no column rating"),
        (lambda text: text.replace("\t3\n", "\t\n"), "nothing is rated"),
    ],
)
def test_sheets_that_are_wrong(tmp_path, change, message):
    files = rating_sheets(OUTPUTS, SOURCE, judges=1, ratings=1)
    key, sheets = filled(tmp_path / "sheets", files, lambda *_: 3)
    sheets[1].write_text(change(sheets[1].read_text()))
    with pytest.raises(FormatError, match=re.escape(message)):
        collect(key, sheets)


@pytest.mark.browser
def test_a_page_saves_what_was_chosen(tmp_path, chromium):
    files = rating_sheets(OUTPUTS, SOURCE, judges=1, ratings=1)
    file = tmp_path / "judge-1.html"
    file.write_text(files["judge-1.html"])
    (tmp_path / "key.tsv").write_text(files["key.tsv"])
    page = chromium.new_page()
    page.goto(file.as_uri())
    for number in range(3 * SIZE):
        page.locator("fieldset").nth(number).locator("input").nth(number % 7).check()
    assert page.locator("#done").inner_text() == str(3 * SIZE)
    with page.expect_download() as download:
        page.locator("#save").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert saved.name == "judge-1.tsv"
    ratings = [rating for rating, _ in read_ratings(saved).values()]
    assert ratings == [number % 7 for number in range(3 * SIZE)]
    assert collect(tmp_path / "key.tsv", {1: saved}, resamples=5).missing == 0
    page.close()
