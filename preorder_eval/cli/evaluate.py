"""`preorder-eval evaluate`: the table of parsers and rule sets with their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from preorder_eval.analysis.minimal_pairs import pair_accuracy
from preorder_eval.base.files.files import labelled, labelled_path
from preorder_eval.base.files.writing import place_held
from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.base.tables import Several
from preorder_eval.cli.command import Option
from preorder_eval.cli.compare import report_gates
from preorder_eval.cli.shared.options import (
    ALIGNMENT,
    GATE,
    OUT_RUN,
    PARSER_OR_GOLD,
    RULES,
    SOURCE,
    TREES,
    Metrics,
    Overwrite,
    Printed,
    References,
    Running,
    Shards,
    Tested,
    as_recorded,
)
from preorder_eval.cli.shared.reference_options import HowWritten, chosen_references
from preorder_eval.cli.terminal import output, progress
from preorder_eval.evaluation.compare import compare
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.gates import check_gates, parse_gate
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.runs.run_writing import write_runs
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.metrics import order_metric
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import tokenizer_of_parser

if TYPE_CHECKING:
    from preorder_eval.analysis.attachment import TreeScores

_PEER = "Evaluation of other tools"
_USUAL = "Options"  # what nearly everybody needs stands first


def command(
    parser: Annotated[tuple[str, ...], PARSER_OR_GOLD, Option(group=_USUAL, distinct=True)] = (),
    trees: Annotated[
        tuple[Path, ...],
        TREES,
        Option("Trees from any parser: CoNLL-U, CoNLL-X or .spacy.", group=_USUAL, beside="engine"),
    ] = (),
    orders: Annotated[
        tuple[Path, ...],
        Option(
            "Permutation file of any other preordering tool.",
            group="Systems",
            needs="reference alignment",
        ),
    ] = (),
    system_alignment: Annotated[
        tuple[Path, ...],
        Option(
            "Word alignments of source and output, as written by a decoder.",
            group="Systems",
            needs="reference alignment",
            beside="engine",
        ),
    ] = (),
    rules: Annotated[
        tuple[str, ...], RULES, Option(group=_USUAL, shown="that of the reference")
    ] = (),
    gold: Annotated[
        Path | None,
        Option(
            "Gold trees of any sentences, CoNLL-U: also score parsers by UAS, LAS and tags.",
            group="Systems",
            beside="compat engine",
        ),
    ] = None,
    reference: Annotated[
        References,
        Option(
            "Bundled reference set or folder, with its split: en-ja-web/test.",
            group=_USUAL,
            shown="that of the rules",
            beside="engine alignment",
        ),
    ] = (),
    source: Annotated[Path | None, SOURCE, Option(group=_USUAL, beside="engine")] = None,
    alignment: Annotated[
        tuple[Path, ...],
        ALIGNMENT,
        Option(
            "Your word alignments, such as Pharaoh's (0-0 1-2). If several are given, the best "
            "order of each sentence counts.",
            group=_USUAL,
        ),
    ] = (),
    raw: Annotated[
        bool,
        Option(
            "Tokenise --source with the first parser's tokenizer.",
            group="References",
            needs="source",
            beside="engine",
        ),
    ] = False,
    target: Annotated[
        Path | None, SOURCE, Option("Your translations; links are checked against them.")
    ] = None,
    metric: Annotated[
        Metrics,
        Option(
            "Metric with its options, such as 'fuzzy(unaligned=drop)'.",
            shown="FRS and τ",
            beside="compat",
        ),
    ] = (),
    gate: Annotated[tuple[str, ...], GATE, Option(needs="against", beside="compat")] = (),
    *,
    written: HowWritten,
    tested: Annotated[Tested, Option(beside="compat")],
    printed: Annotated[Printed, Option(beside="compat")],
    out: Annotated[Path | None, OUT_RUN, Option(group=_USUAL, beside="compat")] = None,
    overwrite: Overwrite = False,
    running: Running,
    compat: Annotated[
        Literal["lader", "tdbtg"] | None,
        Option("Print the output of lader or topdown-btg instead.", group=_PEER, beside="engine"),
    ] = None,
    attach_null: Annotated[
        Literal["left", "right"],
        Option("Where lader attaches unaligned words.", group=_PEER, needs="compat=lader"),
    ] = "right",
    shards: Shards,
) -> None:
    """Systems, references and metrics are repeatable; LABEL=NAME labels a system. Each of several
    references has its own rows and run folder (DIR/en-ja). A large language model made the bundled
    references, and another reviewed en-ja and en-ja-web; no human annotator has checked them.

    Examples:
      preorder-eval evaluate --rules none --rules my-rules.toml
      preorder-eval evaluate --reference en-ja-web/test --parser gold
      preorder-eval evaluate --source s.en --alignment s.align --trees new=s.conllu
      preorder-eval evaluate --source s.en --alignment s.align --orders out.order
    """
    reading = written.reading()
    if out is not None:
        click.get_current_context().with_resource(place_held(out, overwrite=overwrite))
    accuracies = None
    if gold is not None:
        accuracies = _accuracies(gold, parser, trees, tested, running)
        if not (reference or alignment):
            printed.print(accuracies)
            return
    if raw:
        reading["tokenize"] = _first_tokenizer(parser)
    if shards.engine is not None:
        from preorder_eval.cli.shared import sharded

        sampling = Sampling(**tested.sampling())
        given = shards, parser, rules, orders, alignment, target, metric, sampling
        results = [sharded.evaluate(*given, reading=reading, trust=running.trust)]
    else:
        first_trees = labelled_path(trees[0])[1] if trees else None
        references = chosen_references(
            reference, source, alignment, first_trees, target=target, rules=rules, **reading
        )
        if compat is not None and (len(references) > 1 or references[0].alternatives is not None):
            raise click.UsageError("--compat takes one reference with one order for each sentence")
        results = [
            evaluate(
                data,
                metrics=[order_metric(signature) for signature in metric] if metric else None,
                parsers=[*parser, *trees],
                rules=rules,
                orders=orders,
                alignments=system_alignment,
                gold=gold,
                **asdict(tested),
                **running.how(),
            )
            for data in references
        ]
    checked = _through_gates(results, gate, tested)
    if compat is not None:
        lines = _peer_lines(compat, results[0], attach_null)
        output().writelines(f"{line}\n" for line in lines)
        return
    if out is not None:
        write_runs(results, out, as_recorded(), overwrite=overwrite)
    shown = list(map(_with_constructions, results))
    if accuracies is not None:
        further = [*shown[-1].further, *accuracies.tables()]
        shown[-1] = replace(shown[-1], further=further)
    printed.print(Several.of("results", shown, [result.name for result in results]))
    report_gates(checked)


def _accuracies(
    gold: Path, parsers: Sequence[str], trees: Sequence[Path], tested: Tested, running: Running
) -> TreeScores:
    """Score trees and the trees of parsers by gold trees: UAS, LAS and tags."""
    from preorder_eval.analysis.attachment import score_trees

    chosen = parsers or ([] if trees else [DEFAULT_PARSER])
    return score_trees(
        gold,
        trees,
        [name for name in chosen if labelled(name)[1] != "gold"],
        resamples=tested.resamples,
        seed=tested.seed,
        cache=not running.no_cache,
        progress=progress,
    )


def _first_tokenizer(parsers: Sequence[str]) -> Callable[[str], list[str]]:
    """Return the tokenizer of the first parser, by which a raw source is split."""
    return tokenizer_of_parser(find_parser(labelled((*parsers, DEFAULT_PARSER)[0])[1]))


def _through_gates(
    results: Sequence[Result], written: Sequence[str], tested: Tested
) -> list[tuple[list[str], list[str]]]:
    """Check by the gates, for every system that may fall, its difference from --against."""
    gates = [parse_gate(text) for text in written]
    drawn: Any = {"resamples": tested.resamples, "seed": tested.seed, "test": tested.test}
    checked = []
    for result in results if gates else ():
        held = result.baseline, result.standing.source_order
        entrants = sorted(result.standing.entrants)
        falling = [result.systems[n] for n in entrants if n not in held]
        if not falling:
            raise click.UsageError(
                f"--gate has no system to compare with {tested.against}: it checks neither the "
                "source order nor, beside a parser, gold trees"
            )
        checked += [
            check_gates(compare(result, systems=[tested.against, name], **drawn), gates)
            for name in falling
        ]
    return checked


def _with_constructions(result: Result) -> Result:
    """Return a result on pairs of sentences with the table of the constructions that are right."""
    reference = result.inputs.reference
    if reference is None or not reference.has_pairs:
        return result
    return replace(result, further=list(filter(None, [pair_accuracy(result)])))


def _peer_lines(
    peer: Literal["lader", "tdbtg"], result: Result, attach_null: Literal["left", "right"]
) -> Iterator[str]:
    """Yield the lines that the other tool prints for each system."""
    from preorder_eval.metrics.orders import other_tools

    data = result.inputs.ordered
    if data is None:
        return
    for number, name in enumerate(result.systems):
        orders = result.inputs.of(number).orders
        if len(result.systems) > 1:
            yield f"# {name}"
        if peer == "tdbtg":
            yield from other_tools.score_by_tdbtg(data.alignments, orders).lines()
        else:
            sentences = other_tools.score_by_lader(
                data.alignments, orders, data.source, attach_null=attach_null
            )
            yield from other_tools.lader_lines(sentences)
