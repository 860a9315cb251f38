"""`preorder-eval study …`: what a study of translations needs beside metrics: people's ratings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Printed, Resamples, Seed

if TYPE_CHECKING:
    from preorder_eval.meta_evaluation.rating_sheets import Ratings

app = typer.Typer(
    help="Have people rate translations.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


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
