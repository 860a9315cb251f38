"""`preorder-eval report`: run folders as one page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from preorder_eval.analysis.report import report
from preorder_eval.base.visible import visible
from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.shared.judgment_options import JudgmentFiles, judged_runs
from preorder_eval.cli.shared.options import SHOWN_SOURCE
from preorder_eval.evaluation.runs.run_folder import run_folders


def command(
    runs: Annotated[
        tuple[Path, ...],
        Argument("Run folders written by evaluate or score with --out.", metavar="RUN…"),
    ],
    out: Annotated[
        Path, Option("The page to write; an existing one is replaced.", group="Output")
    ] = Path("report.html"),
    source: Annotated[Path | None, SHOWN_SOURCE] = None,
    *,
    judged_by: JudgmentFiles,
) -> None:
    """The page is one file that needs no network. Several runs must be on the same sentences. For a
    folder of self-train, the page shows the start and all rounds. Runs of evaluate and of score
    share a page if the outputs are named after the systems (`score --hyp en-web/en-ja=out.txt`).
    With human scores or rankings, the page shows how well the metrics agree with them.

    Examples:
      preorder-eval report runs/today
      preorder-eval report runs/outputs --source src.ja
      preorder-eval report runs/today runs/outputs
      preorder-eval report runs/outputs --human human.tsv --score-column z
    """
    if judged_by.given:
        folders = [run for folder in runs for run in run_folders(folder)]
        results, judgments = judged_runs(folders, judged_by)
        report(results, out, judgments, source=source)
    else:
        report(runs, out, source=source)
    print(visible(f"{out}: {out.stat().st_size / 1e6:.1f} MB"))
