"""`preorder-eval evaluate`: parsers, rules, orders and alignments on own and bundled references."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.analysis.attachment import attachment
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.trees.conllu import read_conllu, write_conllu
from preorder_eval.trees.nbest_files import format_nbest

SOURCE = "He eats fish .\nDogs bark\nShe sleeps here now\n"
TREES = """\
1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\teats\teat\tVERB\tVBZ\t_\t0\troot\t_\t_
3\tfish\tfish\tNOUN\tNN\t_\t2\tobj\t_\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_

1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tsleeps\tsleep\tVERB\tVBZ\t_\t0\troot\t_\t_
3\there\there\tADV\tRB\t_\t2\tadvmod\t_\t_
4\tnow\tnow\tADV\tRB\t_\t2\tadvmod\t_\t_

"""
FILES = {
    "s.en": SOURCE,
    "s.align": "0-0 1-2 2-1 3-3\n\n0-0 1-3 2-2 3-1\n",
    "t.conllu": TREES,
    "o.order": "0 2 1 3\n1 0\n0 1 2 3\n",
    # Twenty sentences in target order, and orders from right to reversed.
    "long.en": "".join(f"one{s} two three four\n" for s in range(20)),
    "long.align": "0-0 1-1 2-2 3-3\n" * 19 + "\n",
    "right.order": "0 1 2 3\n" * 20,
    "close.order": "0 1 3 2\n" + "0 1 2 3\n" * 19,
    "mixed.order": "0 1 2 3\n3 2 1 0\n" * 10,
}
OWN = ("evaluate", "--source", "s.en", "--alignment", "s.align")
LONG = ("evaluate", "--source", "long.en", "--alignment", "long.align", "--resamples", 200)
THREE = ("--orders", "mixed.order", "--orders", "close.order", "--orders", "right.order")
GOLD = ("evaluate", "--parser", "gold", "--rules", "none", "--resamples", 10)
BOTH = ("--reference", "en-ko", "--reference", "en-ja-web/test")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Sentences, of which the second has no links, with everything that evaluate takes."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    return tmp_path


def rows(tsv):
    return list(csv.DictReader(io.StringIO(tsv), delimiter="\t"))


# Scores of the four sources of orders.


@pytest.mark.parametrize(
    ("system", "name", "frs", "tau"),
    [
        # He eats fish . → all adjacencies broken, 5/6 of pairs right; She sleeps … → 0, 3/6
        ("--trees t.conllu --rules none", "t/none", 0, (5 / 6 + 3 / 6) / 2),
        ("--trees t.conllu --rules en-ja", "t/en-ja", 1, 1),
        ("--orders o.order", "o", 1 / 2, (1 + 3 / 6) / 2),
        ("--system-alignment s.align", "s", 1, 1),
    ],
)
def test_each_source_of_orders_is_scored(run, files, system, name, frs, tau):
    code, out, _ = run(*OWN, *system.split(), "--json")
    summary = json.loads(out)
    [found] = summary["systems"]
    assert (code, found["system"], summary["left_out"]) == (0, name, {"no links": [2]})
    # Fewer than nine in ten words have a link: the others are left out.
    metrics = ["fuzzy(match=word,unaligned=drop)", "kendall(unaligned=drop)"]
    assert summary["metrics"] == metrics
    values = [found["scores"][metric]["value"] for metric in metrics]
    assert values == pytest.approx([frs, tau])


def test_links_called_after_their_languages_are_of_these(run, files):
    Path("s.align").rename("en-hi.align")
    own = ("evaluate", "--source", "s.en", "--alignment", "en-hi.align", "--trees", "t.conllu")
    assert rows(run(*own, "--tsv")[1])[-1]["rules"] == "en-hi"
    _, _, err = run(*own, "--rules", "en-ja")
    assert "rule set en-ja is for the target language ja, but reference en-hi has hi" in err


RAW = ["He doesn't eat fish.", "Go.", "She eats well-made fish.", "He can't eat."]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ends", "suspect"),
    [
        ([5, 1, 6, 4], ""),  # links of the parser's words
        ([5, 1, 4, 4], "the links of 1 of them may refer to other words (lines 3)"),
        ([3, 1, 4, 3], "the links of 3 of them may refer to other words (lines 1, 3, 4)"),
        (
            [4, 0, 5, 3],
            "the links of 3 of them may refer to other words (lines 1, 3, 4)",
        ),  # no full stop
    ],
)
def test_links_of_other_words_than_the_parsers_are_warned_of(
    run, ends, suspect, tmp_path, monkeypatch
):
    """Links of text that somebody else has tokenised point at wrong words, if at any at all."""
    monkeypatch.chdir(tmp_path)
    Path("raw.txt").write_text("\n".join(RAW) + "\n")
    Path("raw.align").write_text("".join(f"0-1 {end}-0\n" for end in ends))
    own = ("evaluate", "--source", "raw.txt", "--alignment", "raw.align", "--rules", "none")
    code, _, err = run(*own, "--raw")
    assert code == 0
    assert err.startswith("preorder-eval: warning: raw.txt: ") == bool(suspect)
    assert suspect in err


@pytest.mark.slow
def test_trees_are_scored_against_gold_trees(run, good, tmp_path, monkeypatch, gold, parser):
    monkeypatch.chdir(tmp_path)
    few = gold.take(np.arange(40))
    write_conllu(tmp_path / "gold.conllu", few)
    Path("lists.conllu").write_text(format_nbest(parser.parse(few.sentences, n=3)))
    systems = ("--trees", "lists.conllu", "--trees", "gold.conllu", "--parser", "en-web")
    out = good("evaluate", "--gold", "gold.conllu", *systems, "--json")
    by_name = {row["name"]: row["scores"] for row in json.loads(out)["trees"]}
    assert by_name["gold.conllu"]["LAS"]["value"] == 1
    first = parser.parse(few.sentences, n=3).top(1).trees
    for name, trees in {"lists.conllu": first, "en-web": parser.parse(few.sentences)}.items():
        assert by_name[name]["UAS"]["value"] == pytest.approx(attachment(few, trees).uas)
    code, out, _ = run(
        "evaluate", "--gold", "gold.conllu", "--reference", "en-ko", "--parser", "en-web", *GOLD[1:]
    )
    assert code == 0
    assert "UAS" in out
    assert "en-ko" in out


# Significance.


def test_significance_compares_all_pairs(run, files):
    code, out, err = run(*LONG, *THREE, "--significance", "--json", "--out", "run")
    significance = json.loads(out)["significance"]
    assert (code, err, significance["against"]) == (0, "", "all")
    assert json.loads(Path("run/run.json").read_text())["significance"] == significance
    rows = (("mixed", "close"), ("mixed", "right"), ("close", "right"))
    assert [(p["row"], p["column"]) for p in significance["pairs"]] == [*rows, *rows]
    assert [pair["significance"] for pair in significance["pairs"]] == ["+**", "+**", "0"] * 2
    narrow = json.loads(run(*LONG, *THREE, "--json")[1])
    assert narrow["significance"]["against"] == "baseline"


# Run folders.


def test_the_run_folder_holds_all_that_a_repetition_needs(run, files):
    arguments = (*OWN, "--trees", "t.conllu", "--rules", "en-ja", "--tsv")
    code, table, _ = run(*arguments, "--out", "runs/first")
    out = Path("runs/first")
    summary = json.loads((out / "run.json").read_text())
    assert code == 0
    assert summary["arguments"][:3] == ["evaluate", "--source", "s.en"]
    assert set(summary["reference"]["files"]) == {"s.en", "s.align"}
    sentences = rows((out / "sentences.tsv").read_text())
    assert [s["source"] for s in sentences] == SOURCE.splitlines()
    assert [s["left_out"] for s in sentences] == ["", "no links", ""]
    scores = rows((out / "scores.tsv").read_text())
    assert [s["order"] for s in scores] == ["0 2 1 3", "0 1", "0 3 2 1"]
    assert [s["kendall(unaligned=drop)"] for s in scores] == ["1.0", "", "1.0"]
    assert read_conllu(out / "trees" / "t.conllu").sentences[1] == ["Dogs", "bark"]
    again = ("--trees", out / "trees" / "t.conllu", "--rules", out / "rules" / "en-ja.toml")
    assert run(*OWN, *again, "--tsv")[1] == table
    before = out.stat().st_mtime_ns
    code, _, err = run(*arguments, "--out", "runs/first")
    assert (code, before) == (2, out.stat().st_mtime_ns)
    assert err == "preorder-eval: runs/first: already exists; give a new folder for the run\n"


def test_labels_that_windows_has_no_file_names_for_come_back(run, files):
    Path("r.toml").write_text(
        'name = "r"\nscheme = "ud"\n[[rule]]\nhead = "VERB"\norder = ["punct", "OTHER", "HEAD"]\n'
    )
    labels = ("--trees", "old:1=t.conllu", "--trees", "aux=t.conllu", "--rules", "what?=r.toml")
    assert run(*OWN, *labels, "--out", "run")[0] == 0
    assert sorted(p.name for p in files.glob("run/*/*")) == [
        *("%61ux.conllu", "old%3A1.conllu", "what%3F.toml")
    ]
    systems = read_run("run").inputs.systems
    assert [system.name for system in systems] == ["old:1/what?", "aux/what?"]


# Bundled references.


@pytest.mark.slow
def test_references_are_scored_each_by_itself(run, tmp_path):
    kept = json.loads(run(*GOLD, *BOTH, "--json", "--out", tmp_path / "run")[1])["results"]
    assert [own["reference"]["name"] for own in kept] == ["en-ko/dev", "en-ja-web/test"]
    assert kept[0] == json.loads(run(*GOLD, *BOTH[:2], "--json")[1])
    for name, own in zip(("en-ko-dev", "en-ja-web-test"), kept, strict=True):
        of_run = json.loads((tmp_path / "run" / name / "run.json").read_text())
        assert of_run["systems"] == own["systems"]
    code, _, err = run("analyse", tmp_path / "run")
    assert code == 2
    assert "has several runs; name one of en-ja-web-test, en-ko-dev" in err


@pytest.mark.slow
def test_rules_tuned_on_the_test_are_named(run, tmp_path):
    rules = tmp_path / "mine.toml"
    rules.write_text('name = "mine"\nscheme = "ud"\ntuned_on = ["en-ja-web/test"]\n')
    for reference, warned in (("en-ja-web/test", 1), ("en-ja-web", 0)):
        code, out, _ = run(*GOLD[:3], "--rules", rules, "--reference", reference)
        assert code == 0
        assert out.count("mine was tuned on these sentences") == warned
