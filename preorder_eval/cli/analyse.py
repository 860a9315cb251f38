"""`preorder-eval analyse`: what is wrong with the orders, or with the outputs, of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Printed, TrainingText, Trust
from preorder_eval.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from preorder_eval.analysis.breakdown import Group
    from preorder_eval.analysis.crossings import Crossing
    from preorder_eval.analysis.error_analysis import Analysis
    from preorder_eval.analysis.parser_errors import ParserErrors
    from preorder_eval.results.result import Result

_LEAST = 5  # words of a group
# Of these tables no group is left out.
_WHOLE = {"orders": {"errors", "sentences"}, "outputs": {"length", "sentences"}}
_FEW = 5  # sentences whose numbers are shown


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

    Crossings are of a child and its head: needless where the child should have stayed on its side,
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
    from preorder_eval.analysis.error_analysis import analyse

    result = analyse(data, system, gold).narrowed(by or None, least=least, top=top)
    printed.show(result.summary, result.tables, lambda: _text(result, data))


def _text(result: Analysis, run: Result) -> str:
    from preorder_eval import __version__
    from preorder_eval.analysis.groupings import GROUPINGS

    total = result.total
    parts = [
        f"{run.name}  {result.system}  {result.metric} {result.score:.4f}, "
        f"{result.sentences} sentences\n"
        f"{total.wrong} of {total.count} words wrongly placed ({total.share.value:.1%}), "
        f"{total.parted} parted, {total.missed} missed; "
        f"{total.inversions:.2f} inversions a word; preorder-eval {__version__}"
    ]
    for name, breakdown in result.breakdowns.items():
        parts.append(f"By {GROUPINGS[name]}:\n{_groups(name, breakdown.groups)}")
    if result.crossings:
        parts.append(f"Children on the wrong side of their head:\n{_crossings(result.crossings)}")
    if result.parser_errors is not None:
        parts.append(_errors(result.parser_errors))
    if result.worst:
        parts.append(
            "\n".join(["Worst sentences:", *(_sentence(s, result, run) for s in result.worst)])
        )
    return "\n\n".join(parts)


def _sentence(number: int, result: Analysis, run: Result) -> str:
    """A sentence as it was given, as the system ordered it, and as the reference has it."""
    s, reference = number - 1, run.inputs.ordered
    if reference is None:
        return ""
    words = [visible(word) for word in reference.source[s]]
    orders = run.inputs.of(run.systems.index(result.system)).orders
    order = " ".join(words[i] for i in orders[s])
    several = int(result.out_of[s])
    which = f"  ({result.which[s]} of {several})" if several > 1 else ""
    return (
        f"{number}  {result.scores[s]:.4f}\n  source     {' '.join(words)}\n"
        f"  order      {order}\n  reference  {result.references[s].braces(words)}{which}"
    )


def _groups(name: str, groups: Sequence[Group]) -> str:
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_interval

    header = [name, "words", "wrong", "share", "cost", "inversions", "parted", "missed"]
    rows = [
        [
            *(visible(g.name), str(g.count), str(g.wrong), format_interval(g.share)),
            *(f"{g.cost:.4f}", f"{g.inversions:.2f}", str(g.parted), str(g.missed)),
            _numbers(g.sentences),
        ]
        for g in groups
    ]
    return format_table([*header, "sentences"], rows)


def _crossings(kinds: Sequence[Crossing]) -> str:
    from preorder_eval.formats.text_table import format_table

    header = ["child", "stands", "head", "count", "should cross", "crossed", "needless", "missed"]
    rows = [
        [
            *(visible(c.label), c.side, visible(c.head)),
            *map(str, (c.count, c.should, c.crossed, c.needless, c.missed)),
            _numbers(c.sentences),
        ]
        for c in kinds
    ]
    return format_table([*header, "sentences"], rows)


def _errors(errors: ParserErrors) -> str:
    from preorder_eval.formats.text_table import format_table

    header = ["error", "gold", "parsed", "count", "helped", "hurt", "gain", "loss", "cost"]
    rows = [
        [
            *(c.kind, visible(c.gold), visible(c.parsed)),
            *map(str, (c.count, c.helped, c.hurt)),
            *(f"{points:+.4f}" for points in (c.gain, c.loss, c.cost)),
            _numbers(c.sentences),
        ]
        for c in errors.confusions
    ]
    return (
        f"Parser errors (gold trees score {errors.gold_score:.4f} with the same rules, "
        f"{errors.gold_score - errors.score:+.4f}):\n{format_table([*header, 'sentences'], rows)}"
    )


def _numbers(sentences: Sequence[int]) -> str:
    more = " …" if len(sentences) > _FEW else ""
    return " ".join(map(str, sentences[:_FEW])) + more
