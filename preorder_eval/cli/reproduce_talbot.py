"""`preorder-eval reproduce talbot`: the tables of Talbot et al. (2011) for studies of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from preorder_eval.cli.command import Argument
from preorder_eval.cli.options import Printed, Resamples, Seed
from preorder_eval.cli.titled import print_titled, study_notes


def command(
    study: Annotated[
        tuple[Path, ...],
        Argument(
            help="A study file, or the folder of a study that was run: one for each experiment.",
            metavar="STUDY...",
        ),
    ],
    resamples: Resamples = 1000,
    seed: Seed = 0,
    *,
    printed: Printed,
) -> None:
    """Print the tables of Talbot and others.

    The paper has two experiments with ratings of their own, five parsers and five rule sets: give
    a study for each. Its figures stand beside those of systems (P1R5, ...), parsers, metrics and
    kinds of references (alignment-oriented/manual, ...) that are called as there. They are of other
    data, so what can be compared is which is better than which. What a study lacks is said.
    --resamples and --seed are for study files; folders were resampled when they were run.

    Examples:
      preorder-eval study init example
      preorder-eval reproduce talbot example/parsers.toml example/rules.toml
      preorder-eval reproduce talbot studies/rules --format latex
    """
    from preorder_eval.cli.terminal import progress
    from preorder_eval.papers.study_reading import read_studies
    from preorder_eval.papers.study_tables import summary
    from preorder_eval.papers.talbot import talbot_tables

    if (resamples, seed) != (1000, 0) and all(path.is_dir() for path in study):
        raise click.UsageError("--resamples and --seed are for study files; run the study again")
    studies = [
        one
        for path in study
        for one in read_studies(path, resamples=resamples, seed=seed, progress=progress)
    ]
    tables = talbot_tables(studies)
    print_titled(
        lambda: tables,
        study_notes(studies[0]),
        printed,
        printed.form,
        lambda: {
            "paper": "Talbot et al. 2011",
            "tables": [
                {"title": t.title, "header": t.header, "rows": t.rows, "note": t.note}
                for t in tables
            ],
            "studies": [summary(one) for one in studies],
        },
        lambda: [(list(t.header), [list(row) for row in t.rows]) for t in tables],
    )
