"""The options of human judgments: their files, and the judged outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeVar

import click

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.base.files.files import is_part, labelled_output
from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.metric_files import (
    MetricInputs,
    is_called,
    match_systems,
    output_files,
)
from preorder_eval.cli.terminal import note, progress
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.reading import read_texts
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.judgments.human_score_files import ScoreColumns, read_human_scores, read_rankings
from preorder_eval.judgments.human_scores import Judgments
from preorder_eval.metrics import Metric

HYP = Option(
    "Outputs, one file a system: a file, a quoted pattern such as 'out.*.en', or a folder. The "
    "file's name, or a part of it between dots, is the judged system's. Repeatable.",
    group="Systems",
    metavar="FILE|GLOB|DIR",
)
PAIR = Option(
    "Language pair, such as en-ja; replaces {pair} in file names. Repeatable: a column for each, "
    "and their mean.",
    group="Systems",
    metavar="NAME",
)

_PAIR = "{pair}"
Options = TypeVar("Options")


@dataclass(frozen=True)
class JudgmentFiles:
    """Files of judgments and their format."""

    GROUP: ClassVar[str] = "Human judgments"

    human: Annotated[
        str | None,
        Option(
            "Human scores of segments, as TSV with a header. 'human(better=lower)=FILE' where "
            "lower is better, as of penalties.",
            metavar="FILE",
            beside="rankings",
        ),
    ] = None
    rankings: Annotated[
        Path | None, Option("Human rankings instead, as the CSV of WMT 2010 to 2016.")
    ] = None
    column: Annotated[
        tuple[str, ...],
        Option(
            "Column of --human with the system, the segment, its document or the judge (for "
            "agreement): system=NAME, line=NAME, document=NAME, judge=NAME. Repeatable.",
            metavar="WHAT=NAME",
            shown="system=system line=line document=document",
            needs="human",
        ),
    ] = ()
    score_column: Annotated[
        tuple[str, ...],
        Option(
            "Column of --human with the score, or name of a human score of --mt-metrics-eval. "
            "Repeatable in `meta`, as for adequacy and fluency.",
            metavar="NAME",
            shown="score",
            distinct=True,
            needs="human mt_metrics_eval",
        ),
    ] = ()
    line_base: Annotated[
        int | None,
        Option(
            "First number of segments [0; 1 in the CSV of WMT].",
            low=0,
            high=1,
            needs="human rankings",
        ),
    ] = None
    without: Annotated[
        tuple[str, ...],
        Option(
            "Judged system to omit. Repeatable.",
            metavar="SYSTEM",
            distinct=True,
            needs="human rankings mt_metrics_eval",
        ),
    ] = ()

    @property
    def given(self) -> bool:
        """Return whether there are judgments."""
        return self.human is not None or self.rankings is not None

    def read(self, segments: int) -> Judgments:
        """Read the judgments of a text with that many segments."""
        if self.human is not None:
            score, *others = self.score_column or ("score",)
            if others:
                raise click.UsageError("--score-column is given twice; only meta takes several")
            named = dict(text.split("=", 1) for text in self.column if "=" in text)
            if not {*named} <= {"system", "line", "document", "judge"} or len(named) < len(
                self.column
            ):
                written = " ".join(self.column)
                raise click.UsageError(
                    "--column takes system=NAME, line=NAME, document=NAME and judge=NAME, not "
                    f"{written}"
                )
            path, better = _directed(self.human)
            columns = ScoreColumns(score=score, base=self.line_base, better=better, **named)
            return read_human_scores(path, segments, columns)
        if self.rankings is not None:
            return read_rankings(self.rankings, segments, self.line_base)
        raise click.UsageError("give --human or --rankings, the human judgments of the outputs")

    def systems(
        self, judgments: Judgments, has_output: Callable[[str], bool], where: str
    ) -> list[str]:
        """Return the judged systems that have an output, except those to omit.

        One note names those without an output. If none has one, all are returned, so that the error
        can name them. Raises UnknownNameError for a system to omit that is not judged, and
        PreorderEvalError if none is left.
        """
        for name in self.without:
            if name not in judgments.systems:
                raise UnknownNameError("judged system", name, judgments.systems)
        chosen = [name for name in judgments.systems if name not in self.without]
        if not chosen:
            raise PreorderEvalError("no judged system is left")
        present = list(filter(has_output, chosen))
        if present:
            absent = [name for name in chosen if name not in present]
            _note_left_out("judged system", absent, where)
        return present or chosen


def _directed(human: str) -> tuple[Path, Literal["higher", "lower"]]:
    """Return the file of --human, and which of its scores are better.

    >>> _directed("human(better=lower)=hd.tsv"), _directed("hd.tsv")[1]
    ((PosixPath('hd.tsv'), 'lower'), 'higher')
    """
    written, equals, file = human.partition(")=")
    if not human.startswith("human(") or not equals:
        return Path(human), "higher"
    better = written.removeprefix("human(").removeprefix("better=")
    if better not in ("higher", "lower") or not file:
        raise click.UsageError(
            f"--human takes FILE, human(better=higher)=FILE or human(better=lower)=FILE, not "
            f"{human!r}"
        )
    return Path(file), "lower" if better == "lower" else "higher"


def judged_inputs(
    hyp: Sequence[str],
    ref: Sequence[Path],
    judged_by: JudgmentFiles,
    given: MetricInputs,
    metrics: Sequence[Metric],
) -> tuple[Inputs, Judgments]:
    """Read the outputs of the judged systems with all that metrics need, and their judgments."""
    outputs = output_files(hyp)
    texts = [*ref, *outputs]
    for path in (labelled_output(text)[1] for text in texts):
        if str(path) != "-" and not path.exists():
            raise FormatError("no such file", file=path)
    # Its number of lines is counted before all are read, and a pipe is read once.
    counted = next((text for text in texts if labelled_output(text)[1].is_file()), texts[0])
    if str(counted) == "-" or labelled_output(counted)[1].is_fifo():
        raise click.UsageError("at least one --ref or --hyp must be a file that is no pipe")
    [first] = read_texts([counted])
    judgments = judged_by.read(len(first.sentences))
    judged = judged_by.systems(
        judgments,
        lambda name: any(is_called(file, name) or is_part(file, name) for file in outputs),
        "not among the outputs",
    )
    matched = match_systems(judged, outputs)
    folders = [Path(name) for name in hyp if Path(name).is_dir()]
    unjudged = [
        str(file)
        for file in outputs
        if file not in matched.values()
        and file.parent not in folders
        and not any(is_part(file, name) for name in judged_by.without)
    ]
    _note_left_out("output", unjudged, "not judged")
    files = given.files(list(matched.values()), ref, judged, hyp)
    return files.read(metrics, judged, progress), judgments.chosen(judged)


def judged_runs(
    folders: Sequence[Path], judged_by: JudgmentFiles
) -> tuple[list[Result], Judgments]:
    """Read run folders, and the judgments of their systems."""
    results = [read_run(folder) for folder in folders]
    judgments = judged_by.read(len(results[0]))
    results = [_called_as_judged(result, judgments.systems) for result in results]
    systems = list(dict.fromkeys(name for result in results for name in result.systems))
    chosen = judged_by.systems(judgments, systems.__contains__, "in no run")
    if chosen[0] not in systems:  # and so none is
        raise PreorderEvalError(
            f"judged system {chosen[0]} is in no run; they have {', '.join(systems)}; leave it out "
            f"with --without {chosen[0]}"
        )
    unjudged = [s for s in systems if s not in chosen and s not in judged_by.without]
    _note_left_out("system", unjudged, "not judged")
    return results, judgments.chosen(chosen)


def _called_as_judged(result: Result, judged: Sequence[str]) -> Result:
    """Return a run with its systems renamed as in the judgments: output.NT5 is NT5.

    Names are not changed if two systems would get the same name.
    """
    named = {
        system: [name for name in judged if name == system]
        or [name for name in judged if is_part(Path(system), name)]
        for system in result.systems
    }
    names = [found[0] if len(found) == 1 else system for system, found in named.items()]
    return result.named(names) if len(set(names)) == len(names) else result


def _note_left_out(what: str, names: Sequence[str], why: str) -> None:
    """Print one note that names all that is left out, if there is anything."""
    if len(names) == 1:
        note(f"{what} {names[0]} is {why}; it is skipped")
    elif names:
        note(f"{what}s {', '.join(names)} are {why}; they are skipped")


# The same options for several language pairs: {pair} in the name of a file stands for each.


def for_pair(options: Options, pair: str) -> Options:
    """Return options with {pair} replaced: a name, a path, a tuple of them, or a group.

    >>> for_pair((Path("{pair}/ref.txt"),), "en-ja")
    (PosixPath('en-ja/ref.txt'),)
    """
    changed: object = options
    if isinstance(options, str):
        changed = options.replace(_PAIR, pair)
    elif isinstance(options, Path):
        changed = Path(str(options).replace(_PAIR, pair))
    elif isinstance(options, tuple):
        changed = tuple(for_pair(each, pair) for each in options)
    elif is_dataclass(options) and not isinstance(options, type):
        of_fields = {f.name: for_pair(getattr(options, f.name), pair) for f in fields(options)}
        changed = replace(options, **of_fields)
    return changed  # type: ignore[return-value]


def names_pairs(pairs: Sequence[str], *options: object) -> bool:
    """Return whether {pair} stands in an option. Raises UsageError if there is no --pair then."""
    named = any(for_pair(option, "") != option for option in options)
    if named and not pairs:
        raise click.UsageError("{pair} stands for a --pair; give at least one")
    if len(set(pairs)) < len(pairs):
        raise click.UsageError("a --pair is given twice")
    return named
