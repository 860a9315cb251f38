"""`preorder-eval evaluate`: the table of parsers and rule sets with their scores."""

from __future__ import annotations

import sys
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Drawn, Jobs, NoCache, Printed, Trust, as_recorded
from preorder_eval.cli.reference_options import (
    AlignmentFormatOption,
    SourceOption,
    chosen_references,
)
from preorder_eval.cli.shard_options import Shards
from preorder_eval.formats.alignment import Direction, WhichLinks
from preorder_eval.resources import DEFAULT_PARSER


@grouped
def command(
    parser: Annotated[
        list[str] | None,
        typer.Option(
            help="Bundled parser, path or name of a spaCy pipeline, or `gold` for the reference's "
            "own trees. Repeatable; en-web if nothing else is given.",
            metavar="NAME|PATH",
        ),
    ] = None,
    trees: Annotated[
        list[Path] | None,
        typer.Option(
            help="File with any parser's trees of the source: CoNLL-U, CoNLL-X or spaCy's "
            ".spacy. Repeatable; like all of these options also as LABEL=FILE.",
            metavar="FILE",
        ),
    ] = None,
    orders: Annotated[
        list[Path] | None,
        typer.Option(help="Order file of any other preorderer. Repeatable.", metavar="FILE"),
    ] = None,
    system_alignment: Annotated[
        list[Path] | None,
        typer.Option(
            help="A decoder's word alignment of source and output, which gives its order. "
            "Repeatable.",
            metavar="FILE",
        ),
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            help="Bundled rule set or rule file. Repeatable; by default the bundled ones that "
            "fit the reference set.",
            metavar="NAME|FILE",
        ),
    ] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option(
            help="Bundled reference set or reference folder, with its part: en-ja-web/test; of a "
            "folder also LABEL=DIR. Repeatable, each scored by itself, with its own rows. By "
            "default the part dev of en-ja-web, natural text, and en-ja, a suite of phenomena.",
            metavar="NAME|DIR",
        ),
    ] = None,
    source: SourceOption = None,
    alignment: Annotated[
        list[Path] | None,
        typer.Option(
            help="Own word alignments, such as Pharaoh's (0-0 1-2). Repeatable: each gives the "
            "sentences one more reference order, of which the best counts.",
            metavar="FILE",
        ),
    ] = None,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="Tokenise --source by the first parser's tokenizer; --alignment counts the words "
            "that this gives.",
        ),
    ] = False,
    target: Annotated[
        Path | None, typer.Option(help="Own translations; links are checked against them.")
    ] = None,
    alignment_format: AlignmentFormatOption = "auto",
    base: Annotated[
        int | None,
        typer.Option(min=0, max=1, help="What --alignment counts positions from, if not as usual."),
    ] = None,
    direction: Annotated[
        Direction, typer.Option(help="Which side of a link --alignment writes first.")
    ] = "source-target",
    links: Annotated[
        WhichLinks, typer.Option(help="Take all links of --alignment, or only the sure ones.")
    ] = "all",
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="Metric with its options, such as 'fuzzy(unaligned=drop)'. Repeatable; "
            "fuzzy and kendall by default.",
            metavar="SIGNATURE",
        ),
    ] = None,
    significance: Annotated[
        bool,
        typer.Option(
            "--significance",
            help="Compare all pairs of systems: differences with intervals, marks and p-values.",
        ),
    ] = False,
    power: Annotated[
        bool,
        typer.Option(
            "--power",
            help="Tell for all pairs of systems the smallest difference that these sentences can "
            "show.",
        ),
    ] = False,
    *,
    drawn: Drawn,
    printed: Printed,
    compat: Annotated[
        Literal["lader", "tdbtg"] | None,
        typer.Option(
            help="Print what lader's or topdown-btg-preordering's evaluation prints instead, by "
            "its conventions, which differ from the paper's."
        ),
    ] = None,
    attach_null: Annotated[
        Literal["left", "right"] | None,
        typer.Option(help="With --compat lader: where unaligned words are attached [right]."),
    ] = None,
    combine_blocks: Annotated[
        Literal["yes", "no"] | None,
        typer.Option(help="With --compat lader: whether overlapping blocks are merged [yes]."),
    ] = None,
    no_cache: NoCache = False,
    trust: Trust = False,
    jobs: Jobs,
    out: Annotated[
        Path | None,
        typer.Option(
            help="New folder for the run: summary, scores, orders, trees. Of several references it "
            "has a folder for each: DIR/en-ja-web-dev, DIR/en-ja. In a project (see init) every "
            "run is kept, by default as runs/2026-11-21-1."
        ),
    ] = None,
    shards: Shards,
) -> None:
    """Score parsers and rule sets against reference orders.

    Several references are never averaged: each has rows, intervals and a run folder of its own, and
    in --json an entry in `results`.

    \b
    Examples:
      preorder-eval evaluate
      preorder-eval evaluate --reference en-ja-web/test --rules my-rules.toml
      preorder-eval evaluate --rules none --rules my-rules.toml --out runs/today
      preorder-eval evaluate --parser en-web --parser gold --rules en-ja --significance
      preorder-eval evaluate --rules none --rules my-rules.toml --power
      preorder-eval evaluate --source s.en --alignment s.align --rules en-ja
      preorder-eval evaluate --source raw.txt --raw --alignment s.align --rules en-ja
      preorder-eval evaluate --parser en-web --parser 'en-web(truecase=never)' --rules en-ja
      preorder-eval evaluate --trees parses.conllu --alignment s.align --rules en-ja
      preorder-eval evaluate --trees old=1/out.conllu --trees new=2/out.conllu.gz --rules en-ja
      preorder-eval evaluate --rules v1=old/rules.toml --rules v2=rules.toml --significance
      preorder-eval evaluate --orders out.order --source s.en --alignment s.align
      preorder-eval evaluate --orders out.order --source s.en --alignment s.align --compat lader
      preorder-eval evaluate --system-alignment moses.align --source s.en --alignment s.align
      preorder-eval evaluate --engine dask --scheduler tcp://head:8786 \\
        --input 'shards/*.conllu.gz' --alignment 'shards/*.align.gz' --rules en-ja --out scores
    """
    from preorder_eval.cli.peers import peer_lines
    from preorder_eval.cli.progress import progress
    from preorder_eval.cli.project import project
    from preorder_eval.cli.results import Block, contrasts_beside, power_beside, print_results
    from preorder_eval.cli.verbosity import note
    from preorder_eval.formats.files import labelled, labelled_path
    from preorder_eval.formats.writing import new_run, refuse_existing
    from preorder_eval.metrics import order_metric
    from preorder_eval.parsers.base import tokenizer_of
    from preorder_eval.parsers.loading import find_parser
    from preorder_eval.results.evaluation import evaluate
    from preorder_eval.results.run import write_result, write_results

    if shards.engine is not None:
        from preorder_eval.cli.sharded import evaluate_shards

        evaluate_shards(
            shards,
            parser or [],
            rules or [],
            alignment or [],
            target,
            metric or [],
            drawn,
            printed,
            out,
            reading={
                "form": alignment_format,
                "base": base,
                "direction": direction,
                "links": links,
            },
            significance=significance,
            trust=trust,
            trees=trees,
            orders=orders,
            system_alignment=system_alignment,
            reference=reference,
            source=source,
            raw=raw,
            power=power,
            compat=compat,
        )
        return
    if out is not None:
        refuse_existing(out)
    if not (reference or alignment) and (trees or orders or system_alignment):
        raise typer.BadParameter(
            "--trees, --orders and --system-alignment need --reference or --alignment: what they "
            "are scored against"
        )
    references = chosen_references(
        reference,
        source,
        alignment,
        labelled_path(trees[0])[1] if trees else None,
        target=target,
        form=alignment_format,
        base=base,
        direction=direction,
        links=links,
        tokenize=tokenizer_of(find_parser(labelled((parser or [DEFAULT_PARSER])[0])[1]))
        if raw
        else None,
    )
    if compat is not None and (len(references) > 1 or references[0].alternatives is not None):
        raise typer.BadParameter("--compat takes one reference, with one order for each sentence")
    results = [
        evaluate(
            data,
            metrics=[order_metric(signature) for signature in metric] if metric else None,
            parsers=[*(parser or []), *(trees or [])],
            rules=rules or [],
            orders=orders or [],
            alignments=system_alignment or [],
            significance=significance,
            **asdict(drawn),
            cache=not no_cache,
            jobs=jobs,
            progress=progress,
        )
        for data in references
    ]
    if compat is not None:
        lines = peer_lines(compat, results[0], attach_null or "right", combine_blocks != "no")
        sys.stdout.writelines(line + "\n" for line in lines)
        return
    if out is None and (found := project()) is not None:
        out = new_run(found.runs, date.today())
        note(f"the run is kept in {out}")
    if out is not None and len(results) == 1:
        write_result(results[0], out, as_recorded(sys.argv[1:]))
    elif out is not None:
        write_results(results, out, as_recorded(sys.argv[1:]))
    blocks = []
    for result in results:
        beside = [power_beside(result)] if power else []
        if result.inputs.reference is not None and result.inputs.reference.has_pairs:
            from preorder_eval.analysis.orders.sentences import pair_accuracy

            beside = [*contrasts_beside(pair_accuracy(result)), *beside]
        blocks.append(Block(result, beside))
    print_results(blocks, printed)
