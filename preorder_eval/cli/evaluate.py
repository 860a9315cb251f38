"""`preorder-eval evaluate`: the table of parsers and rule sets with their scores."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from preorder_eval.cli.inputs import NoCache
from preorder_eval.cli.options import JsonForTable, Resamples, Seed, TsvForTable, choose_one
from preorder_eval.cli.reference_options import (
    AlignmentFormatOption,
    AlignmentOption,
    ReferenceOption,
    SourceOption,
    chosen_reference,
)
from preorder_eval.formats.alignment import Direction, WhichLinks

if TYPE_CHECKING:
    from preorder_eval.data.treebank import Treebank
    from preorder_eval.results.evaluation import Evaluation


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
            help="CoNLL-U file with any parser's trees of the source. Repeatable.", metavar="FILE"
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
            help="Bundled rule set or rule file. Repeatable; all bundled ones by default.",
            metavar="NAME|FILE",
        ),
    ] = None,
    reference: ReferenceOption = None,
    source: SourceOption = None,
    alignment: AlignmentOption = None,
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
    resamples: Resamples = 1000,
    seed: Seed = 0,
    significance: Annotated[
        bool,
        typer.Option(
            "--significance",
            help="Compare all pairs of systems: paired bootstrap, and approximate randomization "
            "with ten times as many trials.",
        ),
    ] = False,
    compat: Annotated[
        Literal["lader", "tdbtg"] | None,
        typer.Option(
            help="Print what lader's or topdown-btg-preordering's evaluation prints instead, by "
            "its conventions, which differ from the paper's."
        ),
    ] = None,
    attach_null: Annotated[
        Literal["left", "right"],
        typer.Option(help="With --compat lader: where unaligned words are attached."),
    ] = "right",
    combine_blocks: Annotated[
        Literal["yes", "no"],
        typer.Option(help="With --compat lader: whether overlapping blocks are merged."),
    ] = "yes",
    json: JsonForTable = False,
    tsv: TsvForTable = False,
    no_cache: NoCache = False,
    out: Annotated[
        Path | None, typer.Option(help="New folder for the run: summary, scores, orders, trees.")
    ] = None,
) -> None:
    """Score parsers and rule sets against reference orders.

    \b
    Examples:
      preorder-eval evaluate
      preorder-eval evaluate --rules none --rules my-rules.toml --out runs/today
      preorder-eval evaluate --parser en-web --parser gold --rules en-ja --significance
      preorder-eval evaluate --source s.en --alignment s.align --rules en-ja
      preorder-eval evaluate --trees parses.conllu --alignment s.align --rules en-ja
      preorder-eval evaluate --orders out.order --source s.en --alignment s.align
      preorder-eval evaluate --orders out.order --source s.en --alignment s.align --compat lader
      preorder-eval evaluate --system-alignment moses.align --source s.en --alignment s.align
    """
    from preorder_eval.cli.inputs import alignment_systems, order_systems, parsed_systems
    from preorder_eval.cli.peers import peer_lines
    from preorder_eval.cli.significance import format_significance
    from preorder_eval.formats.run_folder import format_json, format_tsv, refuse_existing
    from preorder_eval.metrics import order_metric
    from preorder_eval.results.evaluation import evaluate

    choose_one(json=json, tsv=tsv)
    if compat is not None and (json or tsv or out is not None or significance):
        raise typer.BadParameter("--compat prints the peer's own lines and nothing else")
    if out is not None:
        refuse_existing(out)
    metrics = [order_metric(signature) for signature in metric or ["fuzzy", "kendall"]]
    data = chosen_reference(
        reference,
        source,
        alignment,
        trees[0] if trees else None,
        target=target,
        form=alignment_format,
        base=base,
        direction=direction,
        links=links,
    )
    parsed: dict[str, Treebank] = {}
    files = [*order_systems(data, orders), *alignment_systems(data, system_alignment)]
    systems = [
        *parsed_systems(data, parser, trees, rules, parsed, bool(files), cache=not no_cache),
        *files,
    ]
    if compat is not None:
        for line in peer_lines(compat, data, systems, attach_null, combine_blocks == "yes"):
            print(line)
        return
    result = evaluate(
        data, systems, metrics, resamples=resamples, seed=seed, significance=significance
    )

    if out is not None:
        write_run(out, result, parsed, rules)
    if json:
        print(format_json(result.summary()), end="")
    elif tsv:
        print(format_tsv(*result.table()), end="")
        if significance:
            print("\n" + format_tsv(*result.pairs_table()), end="")
    else:
        print(_table(result))
        if significance:
            print("\n" + format_significance(result))


def write_run(
    out: Path, result: Evaluation, parsed: dict[str, Treebank], rules: list[str] | None
) -> None:
    """Write the run folder, with the trees and rule files that were used."""
    from preorder_eval.cli.versions import versions
    from preorder_eval.formats.conllu import format_conllu
    from preorder_eval.formats.rules_toml import load_rules, rules_path
    from preorder_eval.formats.run_folder import format_json, write_folder

    run: dict[str, Any] = {"versions": versions(), "arguments": sys.argv[1:], **result.summary()}
    files = {
        "run.json": format_json(run),
        "sentences.tsv": result.sentences_tsv(),
        "scores.tsv": result.scores_tsv(),
    }
    files |= {f"trees/{name}.conllu": format_conllu(tree) for name, tree in parsed.items()}
    used = {row.system.rules for row in result.rows} - {""}
    for name in rules or sorted(used):
        path = rules_path(name)
        files[f"rules/{load_rules(name).name}.toml"] = path.read_text(encoding="utf-8")
    write_folder(out, files)


def _table(result: Evaluation) -> str:
    from preorder_eval import __version__
    from preorder_eval.cli.tables import format_interval, format_table

    left_out = len(result.left_out)
    header = ["parser", "rules", *map(str, result.metrics), "sentences"]
    rows = [
        [row.system.parser, row.system.rules or "-"]
        + [format_interval(interval) for interval in row.intervals]
        + [str(len(result.reference) - left_out)]
        for row in result.rows
    ]
    notes = [
        f"reference {result.reference.name}; mean [95 % interval from {result.resamples} bootstrap "
        f"resamples, seed {result.seed}]; preorder-eval {__version__}"
    ]
    if left_out:
        some = ", ".join(map(str, result.left_out[:10])) + (", …" if left_out > 10 else "")
        notes.append(f"left out: {left_out} without links (sentences {some})")
    return "\n".join([format_table(header, rows), "", *notes])
