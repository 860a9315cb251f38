"""`preorder-eval study …`: systems, references and people's ratings in one study."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Printed, Resamples, Seed

if TYPE_CHECKING:
    from preorder_eval.meta_evaluation.rating_sheets import Ratings
    from preorder_eval.papers.study import Study

app = typer.Typer(
    help="Studies of orders, outputs, references and ratings (Talbot et al. 2011).",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.command("init")
def init(
    out: Annotated[Path, typer.Argument(help="New folder.", metavar="DIR")],
    seed: Seed = 0,
) -> None:
    """Write an example study, with simulated outputs and ratings, to be run and to be changed.

    \b
    Examples:
      preorder-eval study init my-study
      preorder-eval study run my-study/study.toml
    """
    from preorder_eval.formats.folders import refuse_existing, write_folder
    from preorder_eval.papers.study_example import example_files

    refuse_existing(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_folder(out, example_files(seed=seed))
    print(f"{out}/study.toml: an example; its outputs and ratings are simulated")


@app.command("run")
@grouped
def run(
    file: Annotated[Path, typer.Argument(help="Study file.", metavar="FILE")],
    out: Annotated[
        Path | None, typer.Option(help="New run folder of the scores, for compare and report.")
    ] = None,
    *,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    printed: Printed,
) -> None:
    """Print the tables of Talbot et al. (2011) for a study of your own.

    Table 1, mean ratings of systems; 3 to 5, which systems are significantly better by ratings and
    by metrics, and how far these agree; 6, how metrics correlate with ratings of outputs; 7, the
    same by the kind of reference. A study file names what each system's order is made of, its
    output, references of several kinds and the ratings; `study init` writes an example.

    \b
    Examples:
      preorder-eval study run my-study/study.toml
      preorder-eval study run my-study/study.toml --out runs/study --json
    """
    import sys

    from preorder_eval.formats.folders import refuse_existing
    from preorder_eval.papers.study import Study
    from preorder_eval.results.run import write_result

    if out is not None:
        refuse_existing(out)
    study = Study.read(file, resamples=resamples, seed=seed)
    if out is not None:
        write_result(study.result, out, sys.argv[1:])
    tables = [study.marks_table()]
    if study.ratings is not None:
        tables = [study.ratings_table(), *tables, study.correlations_table()]
    printed.show(study.summary, lambda: tables, lambda: _study_text(study))


@app.command("sheets")
def sheets(
    source: Annotated[Path, typer.Option(help="Source, one sentence a line.", metavar="FILE")],
    hyp: Annotated[
        list[Path],
        typer.Option(help="A system's output, one sentence a line. Repeatable.", metavar="FILE"),
    ],
    judges: Annotated[int, typer.Option(min=1, help="How many people rate.")],
    out: Annotated[Path, typer.Option(help="New folder for the sheets and their key.")],
    ref: Annotated[
        Path | None, typer.Option(help="Reference to show beside the source.", metavar="FILE")
    ] = None,
    ratings: Annotated[
        int, typer.Option(min=1, help="How many judges rate each sentence: their overlap.")
    ] = 3,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Sentences to be rated, by chance; all by default.")
    ] = None,
    quota: Annotated[int | None, typer.Option(min=1, help="The most sentences of a judge.")] = None,
    seed: Seed = 0,
) -> None:
    """Write blind sheets on which judges rate all systems' translations from 0 to 6.

    As Talbot et al. (2011, section 4.2) did: the source, the reference and the outputs of all
    systems at once, in random order, each sentence before several judges. Every judge gets a TSV
    file and a page for the browser, with the same items: one of them is filled in. key.tsv, which
    judges must not see, says whose outputs they are.

    \b
    Examples:
      preorder-eval study sheets --source src.en --hyp p1.ja --hyp p2.ja --judges 3 --out sheets
      preorder-eval study sheets --source src.en --hyp p1.ja --hyp p2.ja --ref ref.ja --judges 40 \\
        --ratings 3 --sample 500 --quota 40 --out sheets
    """
    from preorder_eval.formats.folders import refuse_existing, write_folder
    from preorder_eval.meta_evaluation.rating_sheets import rating_sheets
    from preorder_eval.results.texts import read_texts

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
    print(f"{out}: sheets of {judges} judges, and key.tsv, which they must not see")


@app.command("ratings")
@grouped
def ratings(
    sheet: Annotated[
        list[Path],
        typer.Argument(help="Filled sheets, named judge-1.tsv and so on.", metavar="FILE..."),
    ],
    key: Annotated[Path, typer.Option(help="The key that was written with the sheets.")],
    out: Annotated[
        Path | None,
        typer.Option(help="Write the ratings to this file, for `meta --scores FILE`."),
    ] = None,
    *,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    printed: Printed,
) -> None:
    """Read filled sheets: mean ratings of systems, and how well judges agree.

    \b
    Examples:
      preorder-eval study ratings --key sheets/key.tsv sheets/judge-*.tsv
      preorder-eval study ratings --key sheets/key.tsv filled/judge-*.tsv --out ratings.tsv
      preorder-eval meta --hyp outputs/ --ref ref.ja --scores ratings.tsv --judge-column judge
    """
    from preorder_eval.formats.tables import format_tsv
    from preorder_eval.formats.text import write_text
    from preorder_eval.meta_evaluation.rating_sheets import collect

    result = collect(key, _by_judge(sheet), resamples=resamples, seed=seed)
    if out is not None:
        write_text(out, format_tsv(*result.table()))
    printed.show(result.summary, lambda: [result.table_of_means()], lambda: _text(result))


def _by_judge(files: list[Path]) -> dict[int, Path]:
    """The sheet of each judge, by the number in its name."""
    from preorder_eval.errors import FormatError

    sheets: dict[int, Path] = {}
    for file in files:
        number = re.search(r"judge-(\d+)", file.name)
        if number is None:
            mend = "name it as it was written, such as judge-1.tsv"
            raise FormatError("does not say whose sheet it is", file=file, mend=mend)
        if int(number[1]) in sheets:
            mend = f"leave out this or {sheets[int(number[1])]}"
            raise FormatError("is a second sheet of the same judge", file=file, mend=mend)
        sheets[int(number[1])] = file
    return sheets


def _text(result: Ratings) -> str:
    from preorder_eval import __version__
    from preorder_eval.cli.meta_tables import agreement_text, format_cell
    from preorder_eval.formats.text_table import format_table

    rows = [
        [name, format_cell(mean).strip(), str(result.rated[name])]
        for name, mean in result.means.items()
    ]
    parts = [format_table(["system", "mean rating", "ratings"], rows)]
    if result.agreement:
        parts.append(agreement_text(result.agreement))
    scores = result.scores
    empty = f"; {result.missing} items left empty" if result.missing else ""
    parts.append(
        f"{scores.judges} judges, {len(scores)} ratings from 0 to 6{empty}\n"
        f"mean [95 % interval over sentences]; preorder-eval {__version__}"
    )
    return "\n\n".join(parts)


def _study_text(study: Study) -> str:
    """The paper's tables, one after the other."""
    from preorder_eval import __version__
    from preorder_eval.cli.meta_tables import format_cell
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.papers.study import RATINGS
    from preorder_eval.results.text import MARKS, format_interval

    result, rated = study.result, study.ratings is not None
    parts = []
    if rated:
        means = zip(result.systems, study.mean_ratings, strict=True)
        rows = [[name, format_cell(mean).strip()] for name, mean in means]
        parts.append("Mean ratings (Table 1):\n" + format_table(["system", "rating"], rows))
    rows = [
        [name, *map(format_interval, intervals)]
        for name, intervals in zip(result.systems, result.intervals, strict=True)
    ]
    scores = format_table(["system", *map(str, result.metrics)], rows)
    parts.append(f"Scores by the reference {next(iter(study.results))}:\n{scores}")
    header, marks = study.marks_table()
    pairs = format_table(header, [[str(cell) for cell in row] for row in marks])
    parts.append(f"The column's system against the row's (Tables 3 to 5):\n{pairs}")
    if rated:
        names = [name for name in study.marks if name != RATINGS]
        agreeing = ", ".join(f"{name} {study.agreeing(name)}" for name in names)
        parts[-1] += f"\npairs of {len(marks)} with the mark of the ratings: {agreeing}"
    for number, kind in enumerate(study.correlations):
        which = f"reference {kind} (Table {7 if number else 6})"
        table = _correlations(study, kind)
        parts.append(f"Correlation with ratings of outputs, {which}:\n{table}")
    sampling = result.sampling
    parts.append(
        f"[95 % intervals from {sampling.resamples} bootstrap resamples, seed {sampling.seed}]; "
        f"preorder-eval {__version__}\n{MARKS['koehn']}, one-sided\n"
        "metrics of the same group do not differ significantly (p > 0.05, Pearson)"
    )
    return "\n\n".join(parts)


def _correlations(study: Study, kind: str) -> str:
    """How metrics agree with ratings by a kind of reference, the best first."""
    from preorder_eval.cli.meta_tables import format_cell
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.papers.study import STATISTICS

    evaluation = study.correlations[kind]
    sampled = [evaluation.statistics[name] for name in STATISTICS]
    rows = [
        [evaluation.metrics[m].metric, *(format_cell(each.interval(m)) for each in sampled), str(g)]
        for m, g in zip(evaluation.order, evaluation.groups, strict=True)
    ]
    return format_table(["metric", "Pearson", "Spearman", "group"], rows)
