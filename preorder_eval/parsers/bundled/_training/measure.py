"""Figures of parsers, each with the command that makes it: a record of runs.

    python measure.py --parser en-web --parser mine --data DATA --out record.json

`--part dev` is what a parser may be chosen on, `test` what is measured once, at the end. The record
names the commit, the hash of each parser, each command, and its values with intervals, so that a
model card and the manual can be filled from it. `DATA` has the folders that `RUNS` names.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from preorder_eval.analysis.attachment import attachment
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.trees.conllu import read_conllu
from preorder_eval.trees.in_ud import in_ud

TREEBANKS = {
    "dev": {
        "EWT dev": "ud_english_ewt/en_ewt-ud-dev.conllu",
        "GUM dev": "ud_english_more/en_gum_by-dev.conllu",
        "ESLSpok dev": "ud_english_more/en_eslspok-dev.conllu",
        "PUD, first half": "pud_en-fr/source.conllu",
    },
    "test": {"EWT test": "ud_english_ewt/en_ewt-ud-test.conllu"},
}
METRICS = "--metric fuzzy --metric kendall"
DROPPED = "--metric fuzzy(unaligned=drop) --metric kendall(unaligned=drop)"
_BUNDLED = ["en-ja-web", "en-ja-ewt", "en-de", "en-hi", "en-ko", "en-tr", "en-zh"]
_PUD = [
    f"--source {{data}}/pud_{pair}/source.conllu --alignment {{data}}/pud_{pair}/{pair}.align "
    f"--rules {pair} {DROPPED}"
    for pair in ("en-ja", "en-ko", "en-zh", "en-ar", "en-fr")
]
_KFTT = (
    "--source {data}/kftt_dev/source.en --alignment {data}/kftt_dev/en-ja.align "
    f"--rules en-ja {DROPPED}"
)
RUNS = {
    "dev": [
        *(f"--reference {name}/dev --rules {name[:5]} {METRICS}" for name in _BUNDLED),
        *_PUD,
        _KFTT,
    ],
    "test": [f"--reference {name}/test --rules {name[:5]} {METRICS}" for name in _BUNDLED],
}


def attached(parser: str, part: str, data: Path) -> list[dict[str, Any]]:
    """Return a parser's accuracy on the treebanks, in percent, with the sizes of these."""
    loaded, rows = load_parser(parser, trust=True), []
    for name, file in TREEBANKS[part].items():
        gold = in_ud(read_conllu(data / file))
        scores = attachment(gold, loaded.parse(gold.sentences))
        figures = {"UAS": scores.uas, "LAS": scores.las, "UPOS": scores.upos, "XPOS": scores.xpos}
        rounded = {key: round(100 * value, 2) for key, value in figures.items()}
        rows.append({"on": name, "file": file, "words": len(gold.words), **rounded})
    return rows


def reordered(parsers: list[str], arguments: str, data: Path) -> dict[str, Any]:
    """Run `evaluate` with some arguments, and return its command and values."""
    given = [word for parser in parsers for word in ("--parser", parser)]
    command = ["evaluate", *shlex.split(arguments), *given]
    words = [word.replace("{data}", str(data)) for word in command]
    program = [sys.executable, "-m", "preorder_eval", *words, "--json", "--quiet"]
    texts = os.pathsep.join(str(data / folder) for folder in ("ud_english_ewt", "pud_en-fr"))
    environment = os.environ | {"PREORDER_EVAL_TREEBANKS": texts}  # of the sets of natural text
    run = subprocess.run
    done = run(program, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    systems = json.loads(done.stdout)["systems"]
    return {
        "command": shlex.join(["preorder-eval", *command]),
        "systems": {row["system"]: row["scores"] for row in systems},
    }


def main() -> None:
    """Measure, and write the record."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--parser", action="append", required=True)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--part", choices=list(RUNS), default="dev")
    asked.add_argument("--out", type=Path, required=True)
    given = asked.parse_args()
    git = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.run(git, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603
    record = {
        "commit": commit,
        "part": given.part,
        "parsers": {name: vars(load_parser(name, trust=True).identity) for name in given.parser},
        "treebanks": {name: attached(name, given.part, given.data) for name in given.parser},
        "references": [reordered(given.parser, run, given.data) for run in RUNS[given.part]],
    }
    given.out.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
