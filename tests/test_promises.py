"""What 1.x promises is still there: `promised.txt` lists it, a kind with its names a line.

Names may be added; one that goes, or is called otherwise, is a new major version. A release writes
what is new: `python -m tests.test_promises`.
"""

import tempfile
from collections import defaultdict
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import preorder_eval as pe
from preorder_eval.cli.commands import COMMANDS, ENTRIES, command
from preorder_eval.judgments.human_scores import HumanScores
from preorder_eval.metrics.registry import metric_types
from preorder_eval.rules.conditions import CONDITIONS
from preorder_eval.rules.rule_files import RuleFile, WrittenExample, WrittenRule

PROMISED = Path(__file__).with_name("promised.txt")
# Below these keys of JSON stand names of metrics, and below those facts of any kind.
NAMED = {"scores", "signatures", "statistics"}
FACTS = {
    "files",
    "inputs",
    "made_by",
    "over_systems",
    "sacrebleu",
    "sentences_with_references",
    "versions",
}


def keys(value, place=""):
    """The places of a JSON value, such as `systems.scores.*.value`."""
    if isinstance(value, list | tuple):
        return {key for item in value for key in keys(item, place)}
    last = place.rpartition(".")[2]
    if not isinstance(value, dict) or last in FACTS:
        return {place}
    named = last in NAMED
    return {
        key
        for name, item in value.items()
        for key in keys(item, f"{place}.{'*' if named else name}".lstrip("."))
    }


def results(folder):
    """A result of orders, which is written, one of outputs, a comparison and a meta-evaluation."""
    metrics, few = ["fuzzy", "kendall"], {"resamples": 9}
    rules = ["none", "en-ko"]
    scored = pe.evaluate("en-ko/test", parsers=["gold"], rules=rules, metrics=metrics, **few)
    yield "evaluate", scored
    pe.write_run(scored, folder / "run")
    yield "compare", pe.compare(pe.read_run(folder / "run"))
    outputs = {"a": ["a b c", "b c d"], "b": ["a c b", "b d"], "c": ["c", "d"]}
    references = ["a b c", "b c d e"]
    scored = pe.score(outputs, references, ["chrf", "wer"], **few)
    yield "score", scored
    system, segment = np.repeat(np.arange(3), 2), np.tile(np.arange(2), 3)
    human = HumanScores((*outputs,), 2, system, segment, 3.0 - system - segment / 2, segment * 0)
    yield "meta", pe.meta(scored, human, **few)


def present(folder):
    """What there is, by its kind."""
    names = defaultdict(set)
    names["python"] = {*pe.__all__}
    names["metrics"] = {*metric_types()}
    groups = {name for name in ENTRIES if any(n.startswith(f"{name} ") for n in ENTRIES)}
    for entry in (entry for entries in COMMANDS.values() for entry in entries):
        if entry.name not in groups:
            options = [name for option in command(entry).params for name in option.opts]
            names[f"command {entry.name}"] = {n for n in options if n.startswith("--")}
    for kind, keyed in (("file", RuleFile), ("rule", WrittenRule), ("example", WrittenExample)):
        names[f"rules: {kind}"] = {field.name for field in fields(keyed)}
    names["rules: slot"] = {*CONDITIONS}
    for kind, result in results(folder):
        names[f"json {kind}"] = keys(result.to_dict())
    run = folder / "run"
    names["run folder"] = {path.relative_to(run).parts[0] for path in run.rglob("*")}
    return names


@pytest.mark.slow
def test_what_is_promised_is_there(tmp_path):
    now = present(tmp_path)
    for line in PROMISED.read_text().splitlines():
        kind, _, names = line.partition(" = ")
        assert set(names.split()) - now[kind] == set(), kind


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        kinds = sorted(present(Path(place)).items())
    PROMISED.write_text("".join(f"{kind} = {' '.join(sorted(all_))}\n" for kind, all_ in kinds))
