"""`preorder-eval study …`: systems, references and people's ratings in one study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import click

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.metric_files import SCORES_OF_OTHERS
from preorder_eval.cli.options import Jobs, Printed, Resamples, Seed, Trust, as_recorded
from preorder_eval.cli.terminal import progress
from preorder_eval.formats.study_file import read_study_file
from preorder_eval.formats.writing import place_held, refuse_existing, write_folder
from preorder_eval.papers.study_example import example_files
from preorder_eval.papers.study_files import read_study
from preorder_eval.papers.study_tables import Studies
from preorder_eval.results.other_scores import by_metric
from preorder_eval.results.run_writing import write_runs


def init(out: Annotated[Path, Argument("New folder.", metavar="DIR")], seed: Seed = 0) -> None:
    """Write examples of studies.

    The examples are the two experiments of Talbot et al. (2011), parsers.toml and rules.toml, with
    simulated parsers, outputs and ratings, and the four kinds of reference of Table 7.

    Examples:
      preorder-eval study init my-study
      preorder-eval study run my-study/rules.toml
      preorder-eval study run my-study/parsers.toml my-study/rules.toml --paper
    """
    refuse_existing(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_folder(out, example_files(seed=seed))
    print(
        f"{out}/parsers.toml, {out}/rules.toml: examples; their parsers, outputs and ratings are "
        "simulated"
    )


def run(
    study: Annotated[tuple[Path, ...], Argument("Study file.", metavar="FILE...")],
    out: Annotated[
        Path | None,
        Option("New folder for a run of each kind of reference.", group="Output", metavar="DIR"),
    ] = None,
    paper: Annotated[
        bool,
        Option(
            "Leave unaligned words beside their neighbours, as Talbot et al. (2011) do.",
            group="Output",
        ),
    ] = False,
    scores: Annotated[tuple[str, ...], SCORES_OF_OTHERS, Option(group="Scores and tests")] = (),
    *,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    jobs: Jobs,
    trust: Trust = False,
    printed: Printed,
) -> None:
    """Print the paper's tables for studies.

    Table 1: mean ratings of systems. Tables 3 to 5: which systems are significantly better by
    ratings and by metrics, and how far these agree. Table 6: correlation of metrics with ratings of
    outputs. Table 7: the same by the kind of reference, and whether correlations differ
    significantly. `evaluate --gold` has those of Table 8. A study file names the source of each
    system's order, its output, references of several kinds and the ratings. Links come
    from files or from an aligner. `study init` writes examples.

    The paper has two experiments with ratings of their own: give a study for each. The run folders
    in --out are for compare, report and meta.

    Examples:
      preorder-eval study run my-study/rules.toml --out studies/rules
      preorder-eval study run my-study/parsers.toml my-study/rules.toml --paper
    """
    if out is not None:
        click.get_current_context().with_resource(place_held(out))
        if len(study) > 1:
            raise click.UsageError("--out is the folder of a single study")
    given: dict[str, Any] = {"resamples": resamples, "seed": seed, "scores": by_metric(scores)}
    given["paper"] = paper
    given["passed_over"] = [s.name for path in study for s in read_study_file(path).system]
    studies = [read_study(path, jobs=jobs, progress=progress, **given) for path in study]
    if out is not None:
        write_runs(list(studies[0].results.values()), out, as_recorded())
    printed.print(Studies(studies))
