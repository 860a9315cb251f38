"""`preorder-eval report`: run folders as one page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.cli.judgment_options import JudgmentOptions
from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import TrainingText, Trust
from preorder_eval.visible import visible


@grouped
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
    source: Annotated[
        Path | None,
        typer.Option(help="Source to show beside outputs, where no run has it.", metavar="FILE"),
    ] = None,
    training: TrainingText = None,
    tagger: Annotated[
        str | None,
        typer.Option(
            help="Parser that tags the words of outputs and references: bundled, path or name of a "
            "spaCy pipeline; without it they have the tags of the run, if any.",
            metavar="NAME|PATH",
        ),
    ] = None,
    trust: Trust = False,
    *,
    people: JudgmentOptions,
) -> None:
    """Write a page that shows runs: scores, errors, rules, and every sentence with its tree.

    The page is one file that needs no network. It has the summary with significance, the scores by
    length and phenomenon, the words that are wrongly placed, the parser's errors, the worth of
    every rule, and a browser of the sentences in which two systems stand side by side. Several
    runs must be over the same sentences.

    Runs of evaluate and of score make one page of the systems that are in both: called alike, as in
    `score --hyp en-web/en-ja=out.txt`.

    Of outputs it has the scores of all systems and metrics, what words and n-grams they have right,
    the scores by length, and every sentence with its source where that is known. With human scores
    or rankings of the outputs it shows how well the metrics agree with people.

    \b
    Examples:
      preorder-eval report runs/today
      preorder-eval report runs/yesterday runs/today --out changes.html
      preorder-eval report runs/outputs --source src.ja --training train.en
      preorder-eval report runs/today runs/outputs
      preorder-eval report runs/outputs --scores human.tsv --score-column z
    """
    from preorder_eval.cli.judged_outputs import judged_runs
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.writing import write_text
    from preorder_eval.reporting.build import build
    from preorder_eval.results.run import read_run

    results, judgments = (
        judged_runs(runs, people) if people.given else (list(map(read_run, runs)), None)
    )
    page = build(
        results, judgments, source=source, training=training, tagger=tagger, progress=progress
    )
    write_text(out, page)
    print(visible(f"{out}: {len(page.encode()) / 1e6:.1f} MB"))
