"""`preorder-eval report`: run folders as one page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.judgment_options import JudgmentFiles, judged_runs
from preorder_eval.cli.options import SHOWN_SOURCE
from preorder_eval.formats.run_folder import run_folders
from preorder_eval.formats.writing import write_text
from preorder_eval.reporting.build import build
from preorder_eval.results.run_reading import read_run
from preorder_eval.visible import visible


def command(
    runs: Annotated[
        tuple[Path, ...],
        Argument("Run folders of preorder-eval evaluate or score --out.", metavar="RUN…"),
    ],
    out: Annotated[
        Path, Option("The page to write; an older one is replaced.", group="Output")
    ] = Path("report.html"),
    source: Annotated[Path | None, SHOWN_SOURCE] = None,
    *,
    judged_by: JudgmentFiles,
) -> None:
    """Write a page that shows runs: scores, errors, sentences.

    The page is one file that needs no network. It shows the summary with significance, scores by
    length and phenomenon, wrongly placed words, parser errors and the contribution of every rule.
    Sentences show two systems side by side. Several runs must be over the same sentences. The
    folder of a self-training is shown as its start and rounds. Runs of evaluate and of score share
    a page, if outputs have the systems' names (`score --hyp en-web/en-ja=out.txt`).

    For outputs it shows scores of all systems and metrics, also by length, and every sentence. With
    human scores or rankings it shows how well the metrics agree with them.

    Examples:
      preorder-eval report runs/today
      preorder-eval report runs/outputs --source src.ja
      preorder-eval report runs/today runs/outputs
      preorder-eval report runs/outputs --human human.tsv --score-column z
    """
    folders = [run for folder in runs for run in run_folders(folder)]
    results, judgments = (
        judged_runs(folders, judged_by) if judged_by.given else (list(map(read_run, folders)), None)
    )
    page = build(results, judgments, source=source)
    write_text(out, page)
    print(visible(f"{out}: {len(page.encode()) / 1e6:.1f} MB"))
