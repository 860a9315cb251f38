"""`preorder-eval self-train` on a few sentences."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from alignment_files import write_part

from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.references.reference_build import reference_from_files
from preorder_eval.trees.conllu import read_conllu, write_conllu

pytestmark = pytest.mark.slow  # trains

COMMAND = ["self-train", "--treebank", "t.conllu", "--dev", "d.conllu", "--out", "work"]
COMMAND += ["--source", "s.en", "--alignment", "s.align", "--n", "6"]
COMMAND += ["--evaluate-source", "e.en", "--evaluate-alignment", "e.align"]
COMMAND += ["--weight", "2", "--resamples", "10"]
STEPS = ["--steps", "2"]
FRS = "fuzzy(match=word,unaligned=drop)"


def changed(*options):
    """The command with other values for some of its options."""
    command = list(COMMAND)
    for option, value in zip(options[::2], options[1::2], strict=True):
        if option in command:
            command[command.index(option) + 1] = value
        else:
            command += [option, value]
    return command


@pytest.fixture
def data(bundled_reference, gold, tmp_path, monkeypatch):
    """A folder with a treebank, sentences to select from and sentences to evaluate on."""
    monkeypatch.chdir(tmp_path)
    write_conllu(tmp_path / "t.conllu", gold.take(np.arange(40, 60)))
    write_conllu(tmp_path / "d.conllu", gold.take(np.arange(60, 65)))
    for name, sentences in (("s", range(12)), ("e", range(20, 26))):
        write_part(tmp_path, bundled_reference.take(sentences, name), name)
    return tmp_path


def files(folder):
    """The contents of all files of a folder."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_rounds_are_kept_and_not_made_again(run, data):
    code, out, err = run(*COMMAND, *STEPS, "--json")
    assert code == 0, err
    result = json.loads(out)
    start, end = result["rounds"]
    assert (start["name"], end["name"]) == ("start", "round-1")
    work = data / "work"
    for done in (start, end):
        [[scores, *_]] = read_run(work / done["run"]).scores
        assert np.nanmean(scores.sentence) == pytest.approx(done["scores"][FRS]["value"])
        assert 0 < done["dev"]["lower case"]["las"] <= done["dev"]["as it is"]["uas"] <= 1
    chosen = read_conllu(work / "selected" / "round-1.conllu")
    selection = end["selection"]
    assert len(chosen) == selection["kept"] == selection["sentences"] == 12
    assert selection["mean_selected"] >= selection["mean_1best"]
    learned = reference_from_files(Path("s.en"), Path("s.align"))
    best = load_parser(work / "parsers" / "round-1").parse(learned.source, 6).top(1).trees
    made = {"trees": {"best": best}, "rules": ["en-ja"]}
    [[after]] = evaluate(learned, metrics=["fuzzy(match=word)"], resamples=10, **made).scores
    assert selection["mean_after"] == pytest.approx(np.nanmean(after.sentence))
    room = selection["mean_selected"] - selection["mean_1best"]
    gained = selection["mean_after"] - selection["mean_1best"]
    assert selection["share_learned"] == pytest.approx(gained / room)
    assert result["comparison"]["first"]["system"] == "en-web/en-ja"
    assert result["comparison"]["second"]["system"] == "round-1/en-ja"

    before = {path: path.stat().st_mtime_ns for path in work.rglob("*")}
    assert run(*COMMAND, *STEPS, "--json") == (0, out, "")
    assert "learned from" in run(*COMMAND, *STEPS)[1]
    header, *rows = (line.split("\t") for line in run(*COMMAND, *STEPS, "--tsv")[1].splitlines())
    assert [dict(zip(header, row, strict=True))["kept"] for row in rows] == ["", "12"]
    assert {path: path.stat().st_mtime_ns for path in work.rglob("*")} == before


def kept(folder):
    """The products of a training, but for command lines and the folder's own name."""
    products = files(Path(folder))
    for name in [name for name in products if name.endswith("/run.json")]:
        products[name] = json.loads(products[name]) | {"arguments": None}
    comparison = products["comparison.json"].decode()
    return products | {"comparison.json": comparison.replace(f'"{folder}/', '"')}


def test_every_seed_gives_what_it_gives_alone_and_a_control(run, data):
    seeds = [*STEPS, "--seed", "3", "--seeds", "2", "--control"]
    code, out, err = run(*COMMAND, *seeds, "--json")
    assert code == 0, err
    work = data / "work"
    assert run(*changed("--out", "alone"), *STEPS, "--seed", "4", "--control")[0] == 0
    assert kept("work/seed-4") == kept("alone")

    result = json.loads(out)
    assert result["seeds"] == json.loads((work / "settings.json").read_bytes())["seeds"] == [3, 4]
    for training, folder in zip(result["trainings"], ("seed-3", "seed-4"), strict=True):
        over, (_, end, control) = training["over_control"], training["rounds"]
        names = [over["first"]["system"], over["second"]["system"]]
        assert names == ["control/en-ja", "round-1/en-ja"]
        own = read_conllu(work / folder / "control" / "selected" / "round-1.conllu")
        best = load_parser("en-web").parse(list(own.sentences), 6).top(1).trees
        assert (own.heads.tolist(), own.labels) == (best.heads.tolist(), best.labels)
        assert control["selection"]["kept"] == end["selection"]["kept"] == len(own)
    median = result["kept"]["seed"]
    assert files(work / "parser") == files(work / f"seed-{median}" / "parsers" / "round-1")

    before = {path: path.stat().st_mtime_ns for path in work.rglob("*")}
    assert run(*COMMAND, *seeds, "--json") == (0, out, "")
    assert "its parser is work/parser" in " ".join(run(*COMMAND, *seeds)[1].split())
    assert {path: path.stat().st_mtime_ns for path in work.rglob("*")} == before
    code, _, err = run(*COMMAND, *STEPS, "--control", "--seed", "3", "--seeds", "3")
    assert code == 2
    assert "work/settings.json: begun with seeds [3, 4], not [3, 4, 5]" in err
