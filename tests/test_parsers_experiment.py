"""The Parsers and Rules experiments on a few sentences: `preorder-eval study parsers`."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import read_conllu, write_conllu
from preorder_eval.formats.pharaoh import format_links
from preorder_eval.papers.parsers_experiment import cross, held_out
from preorder_eval.resources import bundled
from preorder_eval.results.run import read_run

COMMAND = ["study", "parsers", "--treebank", "t.conllu", "--dev", "d.conllu"]
COMMAND += ["--source", "s.en", "--alignment", "s.align", "--out", "work", "--resamples", "10"]
COMMAND += ["--steps", "3", "--beam", "2", "--beam-steps", "1", "--self-steps", "1", "--n", "4"]
NAMES = ["P1", "P2", "P3", "P4", "P5", "control"]


@pytest.fixture
def data(bundled_reference, gold, tmp_path, monkeypatch):
    """A folder with a treebank and ten aligned sentences."""
    monkeypatch.chdir(tmp_path)
    write_conllu(tmp_path / "t.conllu", gold.take(np.arange(40, 60)))
    write_conllu(tmp_path / "d.conllu", gold.take(np.arange(60, 64)))
    part = bundled_reference.take(range(10), "s")
    (tmp_path / "s.en").write_text("".join(" ".join(words) + "\n" for words in part.source))
    links = [format_links(part.alignments[s]) for s in range(len(part))]
    (tmp_path / "s.align").write_text("\n".join(links) + "\n")
    return tmp_path


def copy_instead(monkeypatch, in_lower_case):
    """Puts the bundled parser in the place of trained ones, for lower case by their settings."""

    def copy(train, dev, out, settings, **_):
        out.parent.mkdir(parents=True, exist_ok=True)
        if not out.exists():
            shutil.copytree(bundled("parsers/bundled") / "en-web", out)
            meta = json.loads((out / "meta.json").read_text())
            meta["lower_case"] = in_lower_case(settings)
            (out / "meta.json").write_text(json.dumps(meta))
        return out

    for module in ("training.rounds", "papers.parsers_experiment"):
        monkeypatch.setattr(f"preorder_eval.{module}.train_once", copy)


@pytest.fixture
def no_training(monkeypatch):
    """Puts the bundled parser in the place of every trained one."""
    copy_instead(monkeypatch, lambda settings: settings.lower == 1)


@pytest.mark.slow
def test_both_experiments(run, data, bundled_reference, no_training):
    split = ["--select", 6, "--evaluate", 3]
    code, out, err = run(*COMMAND, *split, "--json")
    assert code == 0, err
    result = json.loads(out)
    work = data / result["folder"]
    assert [own["parser"] for own in result["parsers"]["systems"]] == NAMES
    rules = ["none", "reverse", "head-final-reverse-before", "head-final-reverse-after", "en-ja"]
    assert [own["rules"] for own in result["rules"]["systems"]] == rules
    assert all(own["parser"] == "P5" for own in result["rules"]["systems"])
    assert result["parsers"]["systems"][4]["scores"] == result["rules"]["systems"][4]["scores"]
    assert len(result["parsers"]["significance"]["pairs"]) == 4 * 15
    assert [(row["parser"], row["kept"]) for row in result["selections"]] == [
        ("P3", 3),
        ("P4", 6),
        ("P5", 6),
    ]
    settings = json.loads((work / "settings.json").read_bytes())
    assert settings["recipe"]["metric"] == "kendall(unaligned=drop)"
    dev = {(row.pop("parser"), row.pop("case")): row for row in result["dev"]}
    assert {parser for parser, _ in dev} == set(NAMES)
    assert dev["P5", "as it is"] == dev["P5", "lower case"]
    for name in NAMES:
        trees = read_conllu(work / "held-out" / f"{name}.conllu")
        assert trees.sentences == bundled_reference.source[7:10]
    assert read_run(work / "runs/parsers").systems[1] == "P2/en-ja"

    # Nothing is trained or parsed again for another metric.
    kept = {
        p: p.stat().st_mtime_ns for p in (data / "work").rglob("*.conllu") if "runs" not in p.parts
    }
    code, table, err = run(*COMMAND, *split, "--metric", "fuzzy(unaligned=drop)")
    assert (code, err) == (0, "")
    assert "fuzzy(match=word,unaligned=drop)" in table.splitlines()[2]
    assert kept == {p: p.stat().st_mtime_ns for p in kept}
    code, tsv, _ = run(*COMMAND, *split, "--metric", "fuzzy", "--tsv")
    header, *rows = (line.split("\t") for line in tsv.split("\n\n")[0].splitlines())
    assert {len(row) for row in rows} == {len(header)}
    # Another recipe has a folder of its own, beside the same P1 and P2.
    code, out, _ = run(*COMMAND, *split, "--weight", 3, "--json")
    assert code == 0
    assert json.loads(out)["folder"] not in ("work", result["folder"])
    assert kept == {p: p.stat().st_mtime_ns for p in kept}
    other = list(COMMAND)
    other[other.index("--beam-steps") + 1] = "2"
    code, out, err = run(*other, *split)
    assert (code, out) == (2, "")
    assert "work/settings.json: begun with beam_steps 1, not 2" in err


@pytest.fixture
def another_each_seed(monkeypatch):
    """Puts one of two parsers in the place of every trained one, by the seed."""
    copy_instead(monkeypatch, lambda settings: settings.seed == 5)


@pytest.mark.slow
def test_seeds_are_the_experiment_with_each_of_them(run, data, another_each_seed):
    command = [*COMMAND, "--select", 4, "--evaluate", 6, "--seed", 4, "--seeds", 2]
    code, out, err = run(*command, "--json")
    assert code == 0, err
    result = json.loads(out)
    settings = json.loads((data / "work" / "settings.json").read_bytes())
    assert result["seeds"] == settings["seeds"] == [4, 5]
    alone = []
    for seed in (4, 5):
        single = [f"alone-{seed}" if word == "work" else word for word in command[:-4]]
        alone.append(json.loads(run(*single, "--seed", seed, "--json")[1]))
    folders = [outcome.pop("folder") for outcome in [*result["outcomes"], *alone]]
    assert result["outcomes"] == alone
    assert folders[0].replace("work/seed-4", "alone-4") == folders[2]

    def values(parser):
        scores = [outcome["parsers"]["systems"][NAMES.index(parser)]["scores"] for outcome in alone]
        return np.array([score["kendall"]["value"] for score in scores])

    [row] = [
        row for row in result["scores"]
        if (row["experiment"], row["parser"], row["score"]) == ("parsers", "P4", "kendall")
    ]  # fmt: skip
    assert [row["seed-4"], row["seed-5"]] == values("P4").tolist()
    assert (row["min"], row["max"]) == (values("P4").min(), values("P4").max())
    assert row["mean"] == pytest.approx(values("P4").mean())
    assert 0 < row["sd"] == pytest.approx(values("P4").std(ddof=1))
    pairs = {(row["row"], row["column"]): row for row in result["differences"]
             if (row["experiment"], row["metric"]) == ("parsers", "kendall")}  # fmt: skip
    assert len(pairs) == 15
    assert pairs["P1/en-ja", "P4/en-ja"]["mean"] == pytest.approx(
        (values("P4") - values("P1")).mean()
    )

    kept = {p: p.stat().st_mtime_ns for p in (data / "work").rglob("*.conllu")}
    code, table, err = run(*command)
    assert (code, err) == (0, "")
    assert "(sd) of 2 trainings of every parser" in table
    assert f"{row['mean']:.4f}  {row['sd']:.4f}" in table
    _, tsv, _ = run(*command, "--tsv")
    for part, rows in zip(tsv.split("\n\n"), ("scores", "differences"), strict=True):
        assert len(part.strip().splitlines()) == 1 + len(result[rows])
    assert {p for p in kept if "runs" not in p.parts} <= {
        p for p, at in kept.items() if p.stat().st_mtime_ns == at
    }
    code, _, err = run(*command[:-1], 3)
    assert code == 2
    assert "work/settings.json: begun with seeds [4, 5], not [4, 5, 6]" in err


@pytest.mark.slow
def test_with_folds_every_sentence_is_evaluated_once(run, data):
    code, out, err = run(*COMMAND, "--folds", 3, "--json")
    assert code == 0, err
    result = json.loads(out)
    assert result["parsers"]["reference"]["sentences"] == 10
    assert (
        "beam_parser"
        not in (data / result["folder"] / "fold-2" / "P5/parsers/round-1/config.cfg").read_text()
    )
    # Every sentence is learned from in all folds but its own.
    assert [row["kept"] for row in result["selections"]][:2] == [3 + 3 + 3, 20]
    assert len(result["parsers"]["systems"][2]["made_by"]["parser"]["sha256"]) == 3


def test_folds_are_blocks_that_do_not_learn_from_themselves():
    splits = cross(11, 3)
    assert [s for split in splits for s in split.test] == list(range(11))
    for split in splits:
        assert sorted([*split.learn, *split.test]) == list(range(11))


@pytest.mark.parametrize("make", [lambda: cross(3, 4), lambda: cross(3, 1)])
def test_too_many_or_too_few_folds(make):
    with pytest.raises(PreorderEvalError, match="folds of 3 sentences"):
        make()


def test_parts_must_not_overlap(run, data):
    with pytest.raises(PreorderEvalError, match="are more than the 9 there are"):
        held_out(9, 7, 3)
    for seeds in (1, 2):
        code, _, err = run(*COMMAND, "--seeds", seeds)
        assert code == 2
    assert "437 sentences to select from and 200 to evaluate on are more than the 10" in err
    assert not (data / "work").exists()


@pytest.mark.parametrize(
    "arguments", [["--json", "--tsv"], ["--self-steps", "1", "--epochs", "1"], ["--metric", "x"]]
)
def test_bad_options(run, data, arguments):
    assert run(*COMMAND, *arguments)[:2] == (2, "")
    assert not (data / "work").exists()
