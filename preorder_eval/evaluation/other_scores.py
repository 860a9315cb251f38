"""Scores of other programs beside those that are computed here: named, read and checked.

The user names the metric, such as `COMET`. If neither the file nor the name shows whether higher
scores are better, the user writes it: `MetricX(better=lower)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.base.files.files import file_hash, stem
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.metrics.base import Metric, build_metric, parse_signature
from preorder_eval.metrics.given import GivenErrors, GivenScores
from preorder_eval.metrics.needs import GIVEN_SCORES
from preorder_eval.metrics.score_files import read_score_file

# The scores of a metric: a file of all systems, files of one each, or the numbers themselves, of
# the only system or by the names of systems.
Given = str | Path | Sequence[str | Path] | Sequence[float] | Mapping[str, Sequence[float]]

_KINDS = {"higher": GivenScores, "lower": GivenErrors}
_WRITTEN = re.compile(r"([\w.+-]+)(\([^()]*\))?")
_OPTION = re.compile(rf"({_WRITTEN.pattern})=(.+)", re.DOTALL)
# How metrics begin whose scores are higher for better segments, whoever writes them.
_HIGHER = ("comet", "xcomet", "bleurt", "bertscore", "yisi", "unite", "bleu", "spbleu", "chrf")


def by_metric(options: Sequence[str]) -> dict[str, list[Path]]:
    """Return the files of each metric from options such as `COMET=comet.json`."""
    files: dict[str, list[Path]] = {}
    for option in options:
        matched = _OPTION.fullmatch(option)
        if matched is None:
            raise PreorderEvalError(
                f"--scores {option!r} is not NAME=FILE, as COMET=comet.json, with a name of "
                "letters, digits and . + - _"
            )
        files.setdefault(matched[1], []).append(Path(matched[4]))
    return files


def input_name(written: str) -> str:
    """Return the name of the input with a metric's scores: `hyp_scores_COMET` for `COMET`."""
    return GIVEN_SCORES + written.partition("(")[0]


def given_metric(written: str, files: Sequence[Path] = ()) -> Metric:
    """Return the metric of some scores, as it is written, such as `COMET`.

    Parameters: `files` may show whether higher scores are better. Raises PreorderEvalError if that
    stays open.

    >>> str(given_metric("MetricX(better=lower)"))
    'errors(of=MetricX)'
    """
    matched = _WRITTEN.fullmatch(written)
    if matched is None:
        raise PreorderEvalError(f"{written!r} is not the name of a metric, such as COMET")
    name, (_, settings) = matched[1], parse_signature(f"scores{matched[2] or ''}")
    better = settings.pop("better", "") or _better(name, files)
    if not better:
        raise PreorderEvalError(
            f"which scores of {name} are better? Write {name}(better=higher) or "
            f"{name}(better=lower) instead of {name}"
        )
    if better not in _KINDS:
        raise UnknownNameError("value of better", better, _KINDS)
    for key in settings:
        raise UnknownNameError(f"setting of {name}", key, ["better"])
    return build_metric(_KINDS[better], {"of": name})


def _better(name: str, files: Sequence[Path]) -> str:
    """Return `higher` or `lower`, if files or the metric's name show it; otherwise ""."""
    for file in files[:1]:
        higher = read_score_file(file, name).higher_is_better
        if higher is not None:
            return "higher" if higher else "lower"
    return "higher" if name.lower().startswith(_HIGHER) else ""


def read_scores(
    written: str,
    files: Sequence[Path],
    systems: Mapping[str, str],
    segments: int,
    passed_over: Sequence[str] = (),
) -> list[list[str]]:
    """Return the scores of each system's segments as lines of numbers.

    Parameters: `files` one of all systems or one for each; `systems` the name of each with the file
    of its output; the scores of systems in `passed_over` are ignored.

    Raises FormatError, with file and line, for what does not fit.
    """
    name = written.partition("(")[0]
    known = {
        system: [file, Path(file).name, stem(file)] if file else []
        for system, file in systems.items()
    }
    if len(files) == 1:
        scores = read_score_file(files[0], name).of(known, segments, {*passed_over})
    elif len(files) == len(systems):
        each = zip(files, known.items(), strict=True)
        scores = {}
        for file, (system, others) in each:
            scores |= read_score_file(file, name).of({system: others}, segments)
    else:
        raise PreorderEvalError(
            f"{len(files)} files with scores of {name} for {quantity(len(systems), 'system')}; "
            "give one of all systems, or one for each in the same order"
        )
    return [scores[system] for system in systems]


def with_scores(inputs: Inputs, scores: Mapping[str, Given]) -> tuple[Inputs, list[Metric]]:
    """Return the inputs with scores of other programs, and these as metrics.

    Parameters: `scores` by the metric as it is written. Raises FormatError and PreorderEvalError
    for what does not fit.
    """
    metrics: list[Metric] = []
    for written, given in scores.items():
        files = _files(given)
        systems = {s.name: str(s.made_by.get("file", "")) for s in inputs.systems}
        if files:
            values = read_scores(written, files, systems, len(inputs))
            identity = [{"file": str(file), "sha256": file_hash(file)} for file in files]
            inputs = replace(inputs, made_by={**inputs.made_by, input_name(written): identity})
        else:
            values = _numbers(written, given, [*systems])
        metrics.append(given_metric(written, files))
        [name] = metrics[-1].needs
        inputs = replace(
            inputs,
            systems=tuple(
                replace(system, inputs={**system.inputs, name: of_system})
                for system, of_system in zip(inputs.systems, values, strict=True)
            ),
        )
    return inputs, metrics


def _files(given: Given) -> list[Path]:
    """Return the files of some scores; none where they are numbers."""
    if isinstance(given, str | Path):
        return [Path(given)]
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        return []
    return [Path(file) for file in given if isinstance(file, str | Path)]


def _numbers(written: str, given: Any, systems: Sequence[str]) -> list[list[str]]:
    """Return the numbers of each system as lines."""
    of_systems = given if isinstance(given, Mapping) else dict.fromkeys(systems[:1], given)
    if {*of_systems} != {*systems}:
        raise PreorderEvalError(
            f"scores of {written} are for {', '.join(of_systems)}; the systems are "
            f"{', '.join(systems)}"
        )
    try:
        return [[repr(float(score)) for score in of_systems[system]] for system in systems]
    except (TypeError, ValueError) as error:
        raise PreorderEvalError(f"scores of {written} must be numbers: {error}") from error
