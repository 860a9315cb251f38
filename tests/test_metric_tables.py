"""The papers' tables about metrics, for any data: `preorder-eval meta --table`."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from judged_news import FILES, write_news

import preorder_eval
from preorder_eval.base.stats.bootstrap import Bootstrap
from preorder_eval.judgments.paper_tables import PaperResult, by_pair
from preorder_eval.judgments.printed_tables import PRINTED_TABLES
from preorder_eval.metrics import metric

NAMES = ["good", "fair", "poor", "bad"]
MANUAL = Path(preorder_eval.__file__).parent / "manual"


def value(cell):
    """The value of an interval as JSON has it."""
    return None if cell is None else cell["value"]


def test_every_table_is_in_the_manual():
    page = (MANUAL / "papers.md").read_text(encoding="utf-8")
    assert [name for name in PRINTED_TABLES if not re.search(rf"{name}[` ]", page)] == []


@pytest.mark.parametrize("name", PRINTED_TABLES)
def test_rows_have_the_published_numbers_of_every_column(name):
    for row in PRINTED_TABLES[name].rows:
        assert len(row.published) == len(PRINTED_TABLES[name].columns)
        assert not row.metric or metric(row.metric)


def made_up(values, resampled):
    table = PRINTED_TABLES["lepor-7-3"]
    sampled = {
        row.label: [Bootstrap(np.array([value]), np.array(drawn)[:, None])]
        for row, value, drawn in zip(table.rows, values, resampled, strict=True)
    }
    cells = {label: [drawn.interval(0)] for label, [drawn] in sampled.items()}
    return PaperResult(table, table.statistics, cells, sampled, 1000, 0, ["3 systems"], "segments")


def test_the_interval_of_a_mean_is_narrower_than_those_of_pairs():
    """Of n pairs whose resamples are independent by √n."""
    rng = np.random.default_rng(0)
    drawn = [[rng.normal(0.5, 0.1, 1000) for _ in range(3)] for _ in range(4)]
    table = by_pair({f"p{n}": made_up([0.5] * 3, of_pair) for n, of_pair in enumerate(drawn)})
    assert table.columns == ["p0", "p1", "p2", "p3", "mean"]
    for cells in table.cells.values():
        *pairs, mean = cells
        assert mean.value == pytest.approx(0.5)
        width = np.mean([pair.high - pair.low for pair in pairs])
        assert mean.high - mean.low == pytest.approx(width / 2, rel=0.1)
    assert table.notes[1:] == [f"p{n}: 3 systems" for n in range(4)]


def test_what_one_pair_lacks_has_no_mean():
    known, unknown = np.full(5, 0.5), np.full(5, np.nan)
    one = made_up([0.5, 0.5, 0.5], [known] * 3)
    other = made_up([0.7, 0.5, np.nan], [known, known, unknown])
    rows = by_pair({"a": one, "b": other}).to_dict()["rows"]
    assert [row["mean"]["value"] for row in rows] == [pytest.approx(0.6), 0.5, None]
    assert rows[2]["mean"]["low"] is None


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_news()


def write_tags(files):
    """Tags of every text: N or V, by the end of the word."""
    Path("tags").mkdir()
    for name, lines in files.items():
        tags = [" ".join("NV"[word.endswith("x")] for word in line.split()) for line in lines]
        file = Path("tags", Path(name).with_suffix(".pos").name)
        file.write_text("".join(line + "\n" for line in tags))


def test_the_rows_of_isozakis_table(run, files):
    _, out, _ = run("meta", "--table", "ribes-1", *FILES, "--json")
    rows = {row["metric"]: row for row in json.loads(out)["rows"]}
    assert len(rows) == 26
    assert rows["NKT P^1/4"]["published adequacy ρ"] == 0.940
    assert value(rows["IMPACT"]["system.pearson"]) is None
    assert value(rows["NKT"]["system.pearson"]) > 0.9
    assert value(rows["BP"]["system.pearson"]) is None, "all outputs are as long as the reference"
    assert rows["P"]["system.pearson"] == rows["R"]["system.pearson"], "and so is their P"


@pytest.mark.slow
def test_lin_and_ochs_table_has_three_sets(run, files):
    lines = Path("ref.en").read_text().splitlines()
    mixed = [line.upper() if number % 3 else line for number, line in enumerate(lines)]
    Path("upper.en").write_text("\n".join(mixed) + "\n")
    _, out, _ = run("meta", "--table", "rouge-1", *FILES, "--ref", "upper.en", "--json")
    rows = {row["metric"]: row for row in json.loads(out)["rows"]}
    assert len(rows) == 45
    best = rows["ROUGE-S* Stem"]
    assert best["published adequacy r"] == {"value": 0.95, "low": 0.93, "high": 0.97}
    assert rows["BLEU12 Case"]["published fluency ρ"]["value"] == 0.66
    lower, stem, case = (
        value(rows[f"ROUGE-L {texts}"]["system.pearson"]) for texts in ("Lower", "Stem", "Case")
    )
    assert lower == pytest.approx(stem), "no word has an ending"
    assert lower != case


def test_tuned_parameters_of_a_pair_with_and_without_tags(run, files):
    """The thesis gave hLEPOR and MPF (F of n-grams of tags) tags; without them they stay empty."""
    table = ("meta", "--table", "lepor-5-4", *FILES, "--json")
    rows, of_tags = {}, {}
    write_tags(files)
    more = {
        "words": ("--pair", "en-de"),
        "usual": ("--input", "hyp_tags=tags/news*", "--input", "ref_tags=tags/ref.pos"),
    }
    more["tags"] = (*more["words"], *more["usual"])
    for name, options in more.items():
        code, out, err = run(*table, *options)
        assert (code, err) == (0, "")
        by_metric = {row["metric"]: row for row in json.loads(out)["rows"]}
        rows[name], of_tags[name] = by_metric["hLEPOR"], by_metric["MPF"]
    assert value(of_tags["words"]["system.spearman"]) is None
    assert value(of_tags["tags"]["system.spearman"]) is not None
    assert of_tags["tags"]["published mean ρ"] == 0.81
    values = {name: value(row["system.pearson"]) for name, row in rows.items()}
    assert values["words"] is None
    assert values["usual"] != values["tags"]
    assert rows["words"]["published en-de"] == 0.82
    said = run(*table[:-1], *more["words"])[1]
    assert "need tags (--tagger, --input hyp_tags=FILE …): hLEPOR, MPF" in " ".join(said.split())
    code, _, err = run(*table, "--pair", "en-ja")
    assert code == 2
    assert "unknown language pair 'en-ja'" in err


def test_a_table_with_a_metric_that_needs_no_reference(run, files):
    """HPPR goes by the tags of source and outputs; without them its row says so."""
    table = ("meta", "--table", "lepor-7-3", *FILES, "--json")
    write_tags(files)
    tags = ("--input", "hyp_tags=tags/news*", "--input", "source_tags=tags/ref.pos")
    code, out, err = run(*table, *tags)
    assert (code, err) == (0, "")
    rows = {row["metric"]: row for row in json.loads(out)["rows"]}
    assert rows["HPPR"]["published fr-en"] == 0.63
    assert value(rows["HPPR"]["system.spearman"]) is not None
    assert value(rows["TER"]["system.spearman"]) == pytest.approx(1)
    code, out, err = run(*table)
    assert (code, err) == (0, "")
    assert value(json.loads(out)["rows"][-1]["system.spearman"]) is None
    assert "need tags (--tagger, --input hyp_tags=FILE …): HPPR" in json.loads(out)["notes"]


def test_scores_of_other_programs_fill_rows(run, files):
    """By the name of the row; other names are refused. A system that is not judged is left out."""
    Path("out/news.other.en").write_text(Path("ref.en").read_text())
    lines, names = len(Path("ref.en").read_text().splitlines()), (*NAMES, "other")
    quality = [f"{name}\t{n + s / lines}" for n, name in enumerate(names) for s in range(lines)]
    Path("amber.tsv").write_text("\n".join(quality) + "\n")
    own = ("meta", "--table", "lepor-5-2", *FILES, "--json", "--scores")
    code, out, err = run(*own, "amber(better=higher)=amber.tsv")
    assert (code, err) == (0, "")
    rows = {row["metric"]: row for row in json.loads(out)["rows"]}
    assert value(rows["AMBER"]["system.spearman"]) is not None
    assert value(rows["MP4IBM1"]["system.spearman"]) is None
    code, _, err = run(*own, "COMET=amber.tsv")
    assert code == 2
    assert "unknown row to be filled 'COMET'; known: AMBER, MP4IBM1" in err


def test_means_of_the_thesis_are_those_of_its_columns():
    """Han's averages, printed to two digits; some are cut or rounded from others."""
    cut = {("lepor-6-2", "BLEU-mteval-inter"), ("lepor-6-2", "NIST-mteval")}
    cut |= {("lepor-6-4", "CDER-moses"), ("lepor-6-2", "SIMPBLEU_RECALL"), ("lepor-6-7", "MEANT")}
    found = set()
    for name, table in PRINTED_TABLES.items():
        ends = [n for n, column in enumerate(table.columns) if column.startswith("mean")]
        for row in table.rows:
            for first, end in zip([0, *(n + 1 for n in ends)], ends, strict=False):
                off = np.nanmean(row.published[first:end]) - row.published[end]
                if abs(off) > 0.005 + 1e-9:
                    found.add((name, row.label))
                    assert abs(off) < 0.01
    assert found == cut
