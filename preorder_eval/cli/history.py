"""`preorder-eval history`: scores over runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.options import Printed

if TYPE_CHECKING:
    from preorder_eval.results.history import Entry, History


def command(
    folder: Annotated[
        Path | None,
        Argument(
            help="Folder with run folders; by default that of the project, or runs.",
            metavar="FOLDER",
        ),
    ] = None,
    system: Annotated[
        tuple[str, ...],
        Option(
            help="System to show, such as en-web/en-ja. Repeatable.",
            metavar="NAME",
            group="Systems",
        ),
    ] = (),
    metric: Annotated[
        tuple[str, ...],
        Option(
            help="Metric to show, with its options. Repeatable.",
            metavar="SIGNATURE",
            group="Scores and tests",
        ),
    ] = (),
    reference: Annotated[
        tuple[str, ...],
        Option(
            help="Reference to show, with its part. Repeatable.", metavar="NAME", group="References"
        ),
    ] = (),
    svg: Annotated[
        Path | None,
        Option(
            help="Draw the scores over the runs, too; an older picture is replaced.", group="Output"
        ),
    ] = None,
    *,
    printed: Printed,
) -> None:
    """Show the scores of all runs in a folder, oldest first.

    Runs are in the order of their names, such as 2026-11-21-2 before 2026-11-21-10. A change is the
    difference from the run before that has the same system, metric and reference; whether it is
    more than chance, `compare` tells.

    Examples:
      preorder-eval history
      preorder-eval history runs --metric fuzzy --svg history.svg
      preorder-eval history runs --system en-web/my-rules --reference en-ja-web/dev --tsv
    """
    from preorder_eval.cli.command import project
    from preorder_eval.formats.writing import write_text
    from preorder_eval.metrics import metric as parse_metric
    from preorder_eval.results.history import read_history

    if folder is None:
        found = project()
        folder = Path("runs") if found is None else found.runs
    signatures = [str(parse_metric(signature)) for signature in metric or []]
    history = read_history(folder).of(system or [], signatures, reference or [])
    if svg is not None:
        from preorder_eval.reporting.charts import over_runs_svg

        write_text(svg, over_runs_svg(history.entries))
    printed.show(history.summary, lambda: [history.table()], lambda: _text(history))


def _text(history: History) -> str:
    """A table for each reference, the runs of a system one below the other."""
    from preorder_eval import __version__

    parts = [
        f"{reference}\n{_table([e for e in history.entries if e.reference == reference])}"
        for reference in dict.fromkeys(entry.reference for entry in history.entries)
    ]
    notes = [
        f"the files of reference {reference} are others from {run} on: no change is told there"
        for reference, run in history.changed
    ]
    notes.append(
        "score [95 % interval] and its change from the run before; whether that is chance: "
        f"preorder-eval compare; preorder-eval {__version__}"
    )
    return "\n\n".join([*parts, "\n".join(notes)])


def _table(entries: list[Entry]) -> str:
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.metrics import metric as parse_metric

    metrics = list(dict.fromkeys(entry.metric for entry in entries))
    higher = {metric: parse_metric(metric).higher_is_better for metric in metrics}
    cells: dict[tuple[str, str], dict[str, Entry]] = {}
    for system in dict.fromkeys(entry.system for entry in entries):
        for entry in entries:
            if entry.system == system:
                cells.setdefault((system, entry.run), {})[entry.metric] = entry
    rows = []
    for (system, run), by_metric in cells.items():
        row = [system, run]
        for metric in metrics:
            row += _cells(by_metric.get(metric), higher[metric])
        rows.append([*row, str(next(iter(by_metric.values())).sentences)])
    header = ["system", "run"]
    for metric in metrics:
        header += [metric, "change"]
    return format_table([*header, "sentences"], rows)


def _cells(entry: Entry | None, higher_is_better: bool) -> list[str]:
    """A score and its change, as far as they are known."""
    from preorder_eval.formats.text_table import Better, Worse
    from preorder_eval.stats.measurement import TIE

    if entry is None or entry.value is None:
        return ["", ""]
    score = f"{entry.value:.4f}"
    if entry.low is not None and entry.high is not None:
        score += f" [{entry.low:.4f}, {entry.high:.4f}]"
    if entry.change is None:
        return [score, ""]
    gained = entry.change if higher_is_better else -entry.change
    verdict = Better if gained > TIE else Worse if gained < -TIE else str
    return [score, verdict(f"{entry.change:+.4f}")]
