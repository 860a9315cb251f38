"""`preorder-eval report`: run folders as one page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.judgment_options import (
    JudgeColumn,
    JudgmentFiles,
    LineBase,
    LineColumn,
    RankingsOption,
    ScoreColumn,
    ScoresOption,
    SystemColumn,
    Without,
)

if TYPE_CHECKING:
    from preorder_eval.meta.evaluation import MetaEvaluation


def command(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Run folders of preorder-eval evaluate or score --out.", metavar="RUN…"
        ),
    ],
    out: Annotated[
        Path, typer.Option(help="The page to write; an older one is replaced.", metavar="FILE")
    ] = Path("report.html"),
    scores: ScoresOption = None,
    rankings: RankingsOption = None,
    system_column: SystemColumn = "system",
    line_column: LineColumn = "line",
    score_column: ScoreColumn = "score",
    judge_column: JudgeColumn = "",
    line_base: LineBase = None,
    without: Without = None,
) -> None:
    """Write a page that shows runs: scores, errors, rules, and every sentence with its tree.

    The page is one file that needs no network. It has the summary with significance, the scores by
    length and phenomenon, the words that are wrongly placed, the parser's errors, the worth of
    every rule, and a browser of the sentences in which two systems stand side by side. Several
    runs must be over the same sentences.

    With human scores or rankings of the outputs of runs of score, the page shows how well the
    metrics agree with people.

    \b
    Examples:
      preorder-eval report runs/today
      preorder-eval report runs/yesterday runs/today --out changes.html
      preorder-eval report runs/outputs --scores human.tsv --score-column z
    """
    from preorder_eval.analysis.overview import overview_of_runs
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.formats.output_run import read_any_run
    from preorder_eval.formats.run_folder import Run
    from preorder_eval.formats.text import write_text
    from preorder_eval.report.orders import build_report
    from preorder_eval.report.outputs import build_output_report

    read = [read_any_run(folder) for folder in runs]
    of_orders = [run for run in read if isinstance(run, Run)]
    of_outputs = [run for run in read if not isinstance(run, Run)]
    if of_orders and of_outputs:
        raise PreorderEvalError(
            f"{of_orders[0].folder} is a run of evaluate and {of_outputs[0].folder} one of score; "
            "make a report of each"
        )
    columns = (system_column, line_column, score_column, judge_column)
    files = JudgmentFiles(scores, rankings, columns, line_base)
    judged = scores is not None or rankings is not None
    if judged and of_orders:
        raise PreorderEvalError("--scores and --rankings go with runs of score")
    if of_outputs:
        people = _people(runs, files, without) if judged else None
        page = build_output_report(of_outputs, people, _pictures(people))
    else:
        page = build_report(overview_of_runs(of_orders))
    write_text(out, page)
    print(f"{out}: {len(page.encode()) / 1e6:.1f} MB")


def _people(runs: list[Path], files: JudgmentFiles, without: list[str] | None) -> MetaEvaluation:
    """How well the metrics of the runs agree with people."""
    from preorder_eval.cli.meta_inputs import read_run_scores
    from preorder_eval.meta.evaluation import meta_evaluate

    return meta_evaluate(*read_run_scores(runs, [], files, without or []))


def _pictures(people: MetaEvaluation | None) -> list[str]:
    from preorder_eval.cli.meta_pictures import pictures

    return [] if people is None else list(pictures(people).values())
