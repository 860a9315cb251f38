"""`preorder-eval study …`: systems, references and people's ratings in one study."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import click

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.metric_files import SCORES_OF_OTHERS
from preorder_eval.cli.options import Jobs, Printed, Resamples, Seed, Trust, as_recorded
from preorder_eval.cli.terminal import progress
from preorder_eval.errors import FormatError
from preorder_eval.formats.study_file import read_study_file
from preorder_eval.formats.writing import place_held, refuse_existing, write_folder, write_text
from preorder_eval.meta_evaluation.judges import collect, rating_sheets
from preorder_eval.papers.study_example import example_files
from preorder_eval.papers.study_files import read_study
from preorder_eval.papers.study_tables import Studies
from preorder_eval.results.other_scores import by_metric
from preorder_eval.results.reading import read_texts
from preorder_eval.results.run_writing import write_runs
from preorder_eval.visible import visible


def init(
    out: Annotated[Path, Argument("New folder.", metavar="DIR")],
    seed: Seed = 0,
) -> None:
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
    study: Annotated[
        tuple[Path, ...],
        Argument("Study file.", metavar="FILE..."),
    ],
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
    system's order, its output, references of several kinds and the ratings; links come
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


def sheets(
    source: Annotated[Path, Option("Source, one sentence a line.", group="Inputs of metrics")],
    hyp: Annotated[
        tuple[Path, ...],
        Option("A system's output, one sentence a line. Repeatable.", group="Systems"),
    ],
    judges: Annotated[int, Option("Number of judges.", low=1)],
    out: Annotated[Path, Option("New folder for the sheets and their key.", group="Output")],
    ref: Annotated[
        Path | None, Option("Reference to show beside the source.", group="References")
    ] = None,
    ratings: Annotated[
        int, Option("How many judges rate each sentence: their overlap.", low=1)
    ] = 3,
    sample: Annotated[
        int | None, Option("Sentences to be rated, by chance; all by default.", low=1)
    ] = None,
    quota: Annotated[int | None, Option("The most sentences of a judge.", low=1)] = None,
    seed: Seed = 0,
) -> None:
    """Write blind sheets for judges.

    As in Talbot et al. (2011, section 4.2), a judge sees the source, the reference and the outputs
    of all systems at once, in random order, and several judges rate each sentence. Every judge gets
    a TSV file and a page for the browser with the same items, and fills in one of them. key.tsv
    names the systems; judges must not see it.

    Examples:
      preorder-eval study sheets --source s.en --hyp p1.ja --hyp p2.ja --judges 3 \\
        --out sheets
      preorder-eval study sheets --source s.en --hyp p1.ja --hyp p2.ja --ref r.ja \\
        --judges 40 --ratings 3 --sample 500 --quota 40 --out sheets
    """
    refuse_existing(out)
    outputs = {text.name: text.sentences for text in read_texts(hyp)}
    [sources] = read_texts([source])
    references = read_texts([ref])[0].sentences if ref is not None else None
    files = rating_sheets(
        outputs,
        sources.sentences,
        references,
        judges=judges,
        ratings=ratings,
        sample=sample,
        quota=quota,
        seed=seed,
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    write_folder(out, files)
    print(visible(f"{out}: sheets of {judges} judges, and key.tsv, which they must not see"))


def ratings(
    sheet: Annotated[
        tuple[Path, ...],
        Argument("Filled sheets, named judge-1.tsv and so on.", metavar="FILE..."),
    ],
    key: Annotated[Path, Option("The key that was written with the sheets.")],
    out: Annotated[
        Path | None,
        Option("Write the ratings to this file, for `meta --human FILE`.", group="Output"),
    ] = None,
    *,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    printed: Printed,
) -> None:
    """Read filled sheets.

    Examples:
      preorder-eval study ratings --key sheets/key.tsv sheets/judge-*.tsv
      preorder-eval study ratings --key key.tsv filled/judge-*.tsv --out ratings.tsv
      preorder-eval meta --hyp out/ --ref r.ja --human ratings.tsv \\
        --judge-column judge
    """
    result = collect(key, _by_judge(sheet), resamples=resamples, seed=seed)
    if out is not None:
        write_text(out, result.scores_table().tsv())
    printed.print(result)


def _by_judge(files: Sequence[Path]) -> dict[int, Path]:
    """Return the sheet of each judge, by the number in its name."""
    sheets: dict[int, Path] = {}
    for file in files:
        number = re.search(r"judge-(\d+)", file.name)
        if number is None:
            hint = "name it as it was written, such as judge-1.tsv"
            raise FormatError("does not say whose sheet it is", file=file, hint=hint)
        if int(number[1]) in sheets:
            hint = f"leave out this or {sheets[int(number[1])]}"
            raise FormatError("is a second sheet of the same judge", file=file, hint=hint)
        sheets[int(number[1])] = file
    return sheets
