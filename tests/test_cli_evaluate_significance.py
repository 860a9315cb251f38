"""`preorder-eval evaluate` with --significance and --system-alignment."""

import csv
import io
import json

import pytest

SIZE = 20


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines))
    return path


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Sentences in target order, and order files from perfect to reversed."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "s.en", [f"one{s} two three four" for s in range(SIZE)])
    write(tmp_path / "s.align", ["0-0 1-1 2-2 3-3"] * (SIZE - 1) + [""])
    right, swapped, reverse = "0 1 2 3", "0 1 3 2", "3 2 1 0"
    write(tmp_path / "right.order", [right] * SIZE)
    write(tmp_path / "close.order", [swapped] + [right] * (SIZE - 1))
    write(tmp_path / "mixed.order", [right, reverse] * (SIZE // 2))
    return tmp_path


OWN = ("evaluate", "--source", "s.en", "--alignment", "s.align", "--resamples", 200)
THREE = ("--orders", "mixed.order", "--orders", "close.order", "--orders", "right.order")


def test_the_matrices_are_triangular(run, files):
    code, out, err = run(*OWN, *THREE, "--significance", "--metric", "fuzzy")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    start = lines.index("Significance by fuzzy(match=word):")
    assert [line.split() for line in lines[start + 1 : start + 5]] == [
        ["2", "3"],
        ["1", "mixed", "+**", "+**"],
        ["2", "close", "0"],
        ["3", "right"],
    ]
    start = lines.index("p by fuzzy(match=word), Holm-corrected for 3 pairs:")
    header, mixed, close, right = (line.split() for line in lines[start + 1 : start + 5])
    assert (header, right) == (["2", "3"], ["3", "right"])
    assert float(mixed[2]) < 0.05
    assert float(mixed[3]) < 0.05
    assert close[2] == "1.0000"
    assert lines[-3:] == [
        "The column's system against the row's:",
        "+** better, -** worse at the 95 % level, +* -* at 90 %, 0 neither; test by random "
        "half-samples",
        "(two-sided, 2000 half-samples, seed 0); marks judge each pair by itself, p is corrected "
        "for all of them",
    ]


def test_worse_columns_are_marked_with_a_minus(run, files):
    _, out, _ = run(*OWN, "--orders", "right.order", "--orders", "mixed.order", "--significance")
    assert out.count("1  right  -**") == 2  # by fuzzy and by kendall


def test_json_and_the_run_folder_hold_every_pair(run, files):
    _, out, _ = run(*OWN, *THREE, "--significance", "--json", "--out", "run")
    summary = json.loads(out)
    assert (
        json.loads((files / "run" / "run.json").read_text())["significance"]
        == (summary["significance"])
    )
    significance = summary["significance"]
    tested = {key: value for key, value in significance.items() if key != "pairs"}
    assert tested == {"test": "randomization", "against": "all", "samples": 2000, "seed": 0}
    pairs = significance["pairs"]
    assert [(p["metric"], p["row"], p["column"]) for p in pairs] == [
        (metric, row, column)
        for metric in ("fuzzy(match=word)", "kendall")
        for row, column in (("mixed", "close"), ("mixed", "right"), ("close", "right"))
    ]
    means = {s["system"]: s["scores"]["kendall"]["value"] for s in summary["systems"]}
    for pair in pairs[3:]:
        assert pair["difference"] == pytest.approx(means[pair["column"]] - means[pair["row"]])
        assert pair["low_95"] <= pair["low_90"] <= pair["high_90"] <= pair["high_95"]
        assert pair["p"] <= pair["p_holm"] <= min(1, 3 * pair["p"])


@pytest.mark.parametrize("test", [(), ("--test", "koehn")])
def test_compare_finds_what_significance_found(run, files, test):
    _, out, _ = run(*OWN, *THREE, "--significance", *test, "--json", "--out", "run")
    pair = json.loads(out)["significance"]["pairs"][0]
    systems = ("--system", "mixed", "--system", "close")
    _, out, _ = run("compare", "run", *systems, "--resamples", 200, *test, "--json")
    found = json.loads(out)["metrics"][0]
    for key in ("difference", "low_95", "high_95", "low_90", "high_90", "significance", "p"):
        assert found[key] == pair[key]


def test_tsv_has_the_pairs_below_an_empty_line(run, files):
    _, out, _ = run(*OWN, *THREE, "--significance", "--tsv")
    systems, pairs = out.split("\n\n")
    assert len(systems.splitlines()) == 4
    rows = list(csv.DictReader(io.StringIO(pairs), delimiter="\t"))
    assert [row["significance"] for row in rows] == ["+**", "+**", "0"] * 2


def test_without_the_option_nothing_changes(run, files):
    _, plain, _ = run(*OWN, *THREE, "--json")
    _, more, _ = run(*OWN, *THREE, "--json", "--significance")
    plain, more = json.loads(plain), json.loads(more)
    del more["significance"]
    assert plain == more


def test_a_system_beside_others_has_the_interval_it_has_alone(run, files):
    _, alone, _ = run(*OWN, "--orders", "mixed.order", "--json")
    _, beside, _ = run(*OWN, *THREE, "--json")
    assert json.loads(alone)["systems"][0] == json.loads(beside)["systems"][0]


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        (["right.order"], "significance needs at least two systems"),
        (["right.order", "right.order"], "2 systems are called right; give each its own name"),
    ],
)
def test_what_cannot_be_compared_is_refused(run, files, orders, message):
    options = [option for name in orders for option in ("--orders", name)]
    code, out, err = run(*OWN, *options, "--significance", "--out", "run")
    assert (code, out) == (2, "")
    assert message in err
    assert not (files / "run").exists()


def test_a_decoders_alignment_gives_its_order(run, files):
    # Output places of the source words. First: 2 and 3 swap, the second word has no link and
    # stands before the third. Second: the first two words are one output word, and keep their
    # order. Third: no link, so the source order.
    write(files / "moses.align", ["0-0 2-3 3-2", "0-1 1-1 2-0 3-2", ""] + ["0-0"] * (SIZE - 3))
    code, _, err = run(*OWN, "--system-alignment", "moses.align", "--out", "run")
    assert (code, err) == (0, "")
    rows = csv.DictReader(io.StringIO((files / "run" / "scores.tsv").read_text()), delimiter="\t")
    orders = {(row["system"], row["sentence"]): row["order"] for row in rows}
    assert orders["moses", "1"] == "0 3 1 2"
    assert orders["moses", "2"] == "2 0 1 3"
    assert orders["moses", "3"] == "0 1 2 3"
    [system] = json.loads((files / "run" / "run.json").read_text())["systems"]
    assert system["made_by"]["alignment"]["file"] == "moses.align"


def test_an_alignment_stands_beside_orders_and_other_alignments(run, files):
    for name in ("a.align", "b.align"):
        write(files / name, ["0-3 1-2 2-1 3-0"] * SIZE)
    _, out, _ = run(
        *OWN, "--orders", "right.order", "--system-alignment", "a.align",
        "--system-alignment", "b.align", "--tsv",
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [row["parser"] for row in rows] == ["right", "a", "b"]
    assert [float(row["kendall"]) for row in rows] == [1, 0, 0]


def test_a_bad_alignment_is_named_with_its_line(run, files):
    write(files / "moses.align", ["0-0 4-1"] + ["0-0"] * (SIZE - 1))
    code, out, err = run(*OWN, "--system-alignment", "moses.align")
    assert (code, out) == (2, "")
    assert "moses.align:1: link 4-1: source position 4" in err
