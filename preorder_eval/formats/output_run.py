r"""Run folders of `preorder-eval score`: outputs and references with per-sentence scores.

`run.json` says what was run, as in the run folders of `evaluate`; `sentences.tsv` has the
references of every sentence, `scores.tsv` the output and the scores of every system for every
sentence. In texts `\t` is a tab and `\\` a backslash.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.errors import FormatError
from preorder_eval.formats.run_folder import (
    Run,
    escape_tokens,
    read_run,
    read_score,
    read_summary,
    read_tsv,
    system_blocks,
    unescape_tokens,
)

KIND = "score"  # what run.json calls such a run
SCORE_COLUMNS = ["system", "sentence", "output"]  # then a column for each metric
REFERENCE_COLUMN = "reference_"  # with a number; after `sentence`
_MEND = "the folder was changed or cut short; run score again"


@dataclass(frozen=True, eq=False)
class OutputSystem:
    """One system of a run: its outputs, and its scores, float64[S, metrics].

    `line` is where it starts in `scores.tsv`.
    """

    outputs: list[str]
    scores: NDArray[np.float64]
    line: int


@dataclass(frozen=True, eq=False)
class OutputRun:
    """What a run folder of `score` holds: the summary, the references, the systems by name.

    `references` are streams, each with a text per sentence; `metrics` are the signatures of the
    columns of `OutputSystem.scores`.
    """

    folder: Path
    summary: dict[str, Any]
    metrics: list[str]
    references: list[list[str]]
    systems: dict[str, OutputSystem]

    def __len__(self) -> int:
        return len(self.references[0])


def read_any_run(folder: str | Path) -> Run | OutputRun:
    """Read a run folder of `score` or of `evaluate`, whichever it is.

    Raises FormatError, with file and line, for what is missing or malformed.
    """
    folder = Path(folder)
    summary = read_summary(folder)
    if summary.get("kind") != KIND:
        return read_run(folder)
    references = _read_references(folder / "sentences.tsv")
    metrics, systems = _read_outputs(folder / "scores.tsv", len(references[0]))
    return OutputRun(folder, summary, metrics, references, systems)


def _read_references(path: Path) -> list[list[str]]:
    columns, rows = read_tsv(path, ["sentence"], _MEND)
    if columns != [f"{REFERENCE_COLUMN}{i}" for i in range(1, len(columns) + 1)] or not columns:
        raise FormatError("the columns are not references", file=path, line=1, mend=_MEND)
    for number, (line, (sentence, *_)) in enumerate(rows, 1):
        if sentence != str(number):
            defect = f"sentence {sentence!r} where {number} was expected"
            raise FormatError(defect, file=path, line=line, mend=_MEND)
    return [[unescape_text(fields[i]) for _, fields in rows] for i in range(1, len(columns) + 1)]


def _read_outputs(path: Path, sentences: int) -> tuple[list[str], dict[str, OutputSystem]]:
    metrics, rows = read_tsv(path, SCORE_COLUMNS, _MEND)
    systems = {}
    for name, block in system_blocks(rows, sentences, path, _MEND):
        scores = [[read_score(v, path, line, _MEND) for v in fields[3:]] for line, fields in block]
        table = np.array(scores).reshape(-1, len(metrics))
        outputs = [unescape_text(fields[2]) for _, fields in block]
        systems[name] = OutputSystem(outputs, table, block[0][0])
    return metrics, systems


def escape_text(text: str) -> str:
    r"""A text as one field of a table.

    >>> escape_text("two  spaces\tand a tab")
    'two  spaces\\tand a tab'
    """
    return escape_tokens(text.split(" "))


def unescape_text(field: str) -> str:
    r"""Undo `escape_text`.

    >>> unescape_text(r"two  spaces\tand a tab")
    'two  spaces\tand a tab'
    """
    return " ".join(unescape_tokens(field))
