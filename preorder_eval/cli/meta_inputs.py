"""What the options of judged outputs stand for: outputs or runs, and judgments of just these."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from preorder_eval.cli.judgment_options import JudgmentFiles
    from preorder_eval.data.judgments import Judgments
    from preorder_eval.meta.scores import MetricScores
    from preorder_eval.results.scoring import Texts


def output_files(chosen: Sequence[str]) -> list[Path]:
    """The files that names, patterns and folders stand for, in order and each once."""
    from preorder_eval.errors import FormatError

    found: dict[Path, None] = {}
    for name in chosen:
        path = Path(name)
        if path.is_dir():
            files = sorted(file for file in path.iterdir() if file.is_file())
        elif path.exists() or not set("*?[") & set(name):
            files = [path]
        else:
            files = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if not files:
            raise FormatError(
                "no such file", file=name, mend="quote patterns, and see where you are"
            )
        found |= dict.fromkeys(files)
    return list(found)


def match_systems(
    judged: Sequence[str], files: Sequence[Path], without: Sequence[str]
) -> dict[str, Path]:
    """The file of each judged system but those left out, in the order of the judgments.

    Raises PreorderEvalError, with what there is, for a system without a file or with two, or for
    one to leave out that is not judged.
    """
    from preorder_eval.errors import PreorderEvalError

    found: dict[str, Path] = {}
    for system in _chosen_systems(judged, without):
        own = [file for file in files if system in (file.name, file.stem)]
        own = own or [file for file in files if _belongs(file, system)]
        if len(own) != 1:
            names = ", ".join(file.name for file in own or files)
            problem = f"{len(own)} outputs" if own else "no output"
            raise PreorderEvalError(
                f"judged system {system} has {problem} ({names}); name its file after it, or leave "
                f"it out with --without {system}"
            )
        found[system] = own[0]
    return found


def _chosen_systems(judged: Sequence[str], without: Sequence[str]) -> list[str]:
    """The judged systems but those left out, which must be judged; at least one is left."""
    from preorder_eval.errors import PreorderEvalError, UnknownNameError

    for name in without:
        if name not in judged:
            raise UnknownNameError("judged system", name, judged)
    chosen = [name for name in judged if name not in without]
    if not chosen:
        raise PreorderEvalError("no judged system is left")
    return chosen


def _belongs(file: Path, system: str) -> bool:
    """Whether a file's name, or a part of it between dots, is a system's.

    >>> _belongs(Path("news/output.NT5.en"), "NT5")
    True
    """
    return f".{system}." in f".{file.name}."


def read_outputs(
    chosen: Sequence[str], refs: Sequence[Path], files: JudgmentFiles, without: Sequence[str]
) -> tuple[list[Texts], list[Texts], Judgments]:
    """Outputs and references, and the judgments of just these outputs."""
    from dataclasses import replace

    from preorder_eval.cli.score_inputs import check_lengths, read_texts

    references = read_texts(refs)
    judgments = files.read(len(references[0].sentences))
    given = output_files(chosen)
    matched = match_systems(judgments.systems, given, without)
    folders = [Path(name) for name in chosen if Path(name).is_dir()]
    for file in given:
        chosen_out = any(_belongs(file, name) for name in without)
        if file not in matched.values() and file.parent not in folders and not chosen_out:
            _note(f"{file} is the output of no judged system; it is left out")
    outputs = [
        replace(text, name=name)
        for name, text in zip(matched, read_texts(list(matched.values())), strict=True)
    ]
    check_lengths([references[0], *references[1:], *outputs])
    return outputs, references, judgments.chosen(list(matched))


def read_run_scores(
    folders: Sequence[Path],
    signatures: Sequence[str],
    files: JudgmentFiles,
    without: Sequence[str],
) -> tuple[list[MetricScores], Judgments]:
    """The scores of run folders of `evaluate` or `score`, made again, and judgments of them.

    Sentences that the runs leave out are left out of the judgments too.
    """
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.formats.output_run import read_any_run
    from preorder_eval.meta.scores import MetricScores
    from preorder_eval.results.sides import Side, side_of

    sides: dict[str, Side] = {}
    first: Side | None = None
    for run in map(read_any_run, folders):
        for name in run.systems:
            side = side_of(run, name)
            first = first or side
            first.check_same(side)
            if name in sides:
                raise PreorderEvalError(f"two systems are called {name}; leave out a run")
            sides[name] = side
    if first is None:
        raise PreorderEvalError("a run without systems")
    judgments = files.read(len(first.informative))
    chosen = _chosen_systems(judgments.systems, without)
    for name in chosen:
        if name not in sides:
            raise PreorderEvalError(
                f"judged system {name} is in no run; they have {', '.join(sides)}; leave it out "
                f"with --without {name}"
            )
    for name in sides:
        if name not in chosen and name not in without:
            _note(f"system {name} is not judged; it is left out")
    metrics = [first.metric(name) for name in signatures or first.run.metrics]
    informative = first.informative
    scores = [
        MetricScores.of(metric, [sides[name].score(metric) for name in chosen], informative)
        for metric in metrics
    ]
    return scores, judgments.chosen(chosen).on(informative)


def _note(text: str) -> None:
    print(f"preorder-eval: note: {text}", file=sys.stderr)
