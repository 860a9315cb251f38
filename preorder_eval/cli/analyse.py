"""`preorder-eval analyse`: what is wrong with the orders, or with the outputs, of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Printed, TrainingText, Trust
from preorder_eval.visible import visible

if TYPE_CHECKING:
    from preorder_eval.results.result import Result

_LEAST = 5  # words of a group
# Of these tables no group is left out.
_WHOLE = {"orders": {"errors", "sentences"}, "outputs": {"length", "sentences"}}


@grouped
def command(
    run: Annotated[
        Path,
        typer.Argument(help="Run folder of preorder-eval evaluate or score --out.", metavar="RUN"),
    ],
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="System to analyse, where the run has several. Of outputs also two, which are "
            "compared; by default the first and the last.",
            metavar="NAME",
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            help="Show this only: word, upos, label, head, phenomenon, length, confidence, "
            "crossings, errors (the parser's) or sentences (the worst); of outputs frequency, "
            "upos, length, ngrams or sentences (that differ). Repeatable; all there is by default.",
            metavar="WHAT",
        ),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(
            help="CoNLL-U file with gold trees of the sentences, where neither the run nor the "
            "bundled reference set has them.",
            metavar="FILE",
        ),
    ] = None,
    training: TrainingText = None,
    source: Annotated[
        Path | None,
        typer.Option(help="Source to show beside outputs, where the run has none.", metavar="FILE"),
    ] = None,
    tokenize: Annotated[
        str | None,
        typer.Option(
            help="How outputs are split into words, as in score; by default as their metrics do.",
            metavar="NAME",
        ),
    ] = None,
    tagger: Annotated[
        str | None,
        typer.Option(
            help="Parser that tags the words of outputs and references, split so: bundled, path or "
            "name of a spaCy pipeline; without it they have the tags of the run, if any.",
            metavar="NAME|PATH",
        ),
    ] = None,
    trust: Trust = False,
    least: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Leave out groups of fewer words than this, and n-grams right less often.",
            show_default=str(_LEAST),
        ),
    ] = None,
    top: Annotated[
        int, typer.Option(min=0, help="How many rows to show of each table; 0 shows all.")
    ] = 10,
    *,
    printed: Printed,
) -> None:
    """Show what is wrong with the orders of a system, or with the outputs of one or two.

    Of orders: which words are wrongly placed, what that costs, and which parser errors are to
    blame.

    A word is wrong if the fuzzy reordering score finds the joint to its left or right broken. Cost
    is in points of that score, and the costs of all groups of a table add up to what is lost; the
    most costly stand first. Parted: words moved away from a source neighbour beside which they
    should have stayed; missed: words left beside one from which they should have moved.

    Crossings are of a child and its head: spurious where the child should have stayed on its side,
    missed where it should have crossed.

    Where there are gold trees, every parser error is repaired alone, which helps or hurts its
    sentence and adds the gain to the score, and made alone in the gold tree, which takes the loss
    from it. The cost of an error is the mean of the two.

    Of outputs, as in compare-mt: how many words they have right by how frequent they are and by
    their tags, scores by length, the n-grams that one system has right more often than the other,
    and the sentences on which they differ most. The first metric of a run says which of the two are
    analysed.

    \b
    Examples:
      preorder-eval analyse runs/today --system en-web/en-ja
      preorder-eval analyse runs/today --system en-web/en-ja --by label --by errors --top 20
      preorder-eval analyse runs/today --system en-web/en-ja --by word --least 2 --tsv
      preorder-eval analyse runs/outputs --system base --system new --training train.en
      preorder-eval analyse runs/outputs --by ngrams --by sentences --source src.ja --top 20
      preorder-eval analyse runs/outputs --by upos --tagger en-web
    """
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.results.run import read_run

    data = read_run(run)
    of_outputs = {
        "training": training,
        "source": source,
        "tokenize": tokenize,
        "tagger": tagger,
    }
    kind = "orders" if "orders" in data.metrics[0].needs else "outputs"
    if least is not None and by and _WHOLE[kind].issuperset(by):
        raise PreorderEvalError(
            f"--least has no effect on --by {' and '.join(by)}: no group is left out there"
        )
    least = least or _LEAST
    if kind == "orders":
        for name, value in of_outputs.items():
            if value is not None:
                raise PreorderEvalError(f"--{name} is for outputs; {run} has orders")
        if len(system or []) > 1:
            raise PreorderEvalError(f"one --system at a time; {run} has orders")
        _show_orders(data, system[0] if system else None, gold, by, least, top, printed)
        return
    if gold is not None:
        raise PreorderEvalError(f"--gold is for orders; {run} has outputs")
    from preorder_eval.analysis.output_analysis import analyse_outputs
    from preorder_eval.cli.analyse_outputs import text
    from preorder_eval.cli.progress import progress

    made = analyse_outputs(
        data,
        system or [],
        training=training,
        source=source,
        tokenize=tokenize or "",
        tagger=tagger or "",
        progress=progress,
    ).narrowed(by or None, least=least, top=top)
    counted = "the references" if training is None else visible(training.name)
    printed.show(made.summary, made.tables, lambda: text(made, counted))


def _show_orders(
    data: Result,
    system: str | None,
    gold: Path | None,
    by: list[str] | None,
    least: int,
    top: int,
    printed: Printed,
) -> None:
    from preorder_eval.analysis.orders.error_analysis import analyse

    printed.print(analyse(data, system, gold).narrowed(by or None, least=least, top=top))
