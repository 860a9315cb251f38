"""`preorder-eval study` from the command line."""

import json
from pathlib import Path

import pytest

SHEETS = ["study", "sheets", "--source", "src.en", "--hyp", "good.ja", "--hyp", "poor.ja"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("src.en", "good.ja", "poor.ja", "ref.ja"):
        Path(name).write_text("".join(f"{name} {line}\n" for line in range(8)))


def fill(folder):
    """Every judge finds the good ones good, one of them hesitates now and then."""
    for sheet in sorted(Path(folder).glob("judge-*.tsv")):
        header, *rows = sheet.read_text().splitlines()
        rated = [row + ("5" if "good" in row else "2") for row in rows]
        if sheet.name == "judge-1.tsv":
            rated[0] = rows[0] + "3"
        sheet.write_text("\n".join([header, *rated]) + "\n")


def test_from_sheets_to_meta_evaluation(run, good, files):
    out = good(*SHEETS, "--ref", "ref.ja", "--judges", 3, "--out", "sheets")
    assert "sheets of 3 judges" in out
    assert len(list(Path("sheets").iterdir())) == 7
    fill("sheets")
    filled = sorted(Path("sheets").glob("judge-*.tsv"))
    own = ["study", "ratings", "--key", "sheets/key.tsv", *filled]
    out = good(*own, "--out", "ratings.tsv")
    assert "3 judges, 48 ratings from 0 to 6" in out
    assert "different judges" in out
    result = json.loads(run(*own, "--json")[1])
    means = {row["system"]: row["mean"] for row in result["systems"]}
    assert means["good"] > 4.8
    assert means["poor"] < 2.1
    _, tsv, _ = run(*own, "--tsv")
    assert tsv.splitlines()[0].split("\t") == ["system", "mean", "low", "high", "ratings"]
    judged = ["meta", "--hyp", "*.ja", "--ref", "ref.ja", "--human", "ratings.tsv"]
    code, out, _ = run(*judged, "--judge-column", "judge", "--metric", "wer", "--resamples", 5)
    assert code == 0
    assert "different judges" in out


def test_nothing_is_written_over(run, files):
    assert run(*SHEETS, "--judges", 3, "--out", "sheets")[0] == 0
    kept = {file: file.read_bytes() for file in Path("sheets").iterdir()}
    code, out, err = run(*SHEETS, "--judges", 3, "--seed", 1, "--out", "sheets")
    assert (code, out) == (2, "")
    assert "exists already" in err
    assert kept == {file: file.read_bytes() for file in Path("sheets").iterdir()}
