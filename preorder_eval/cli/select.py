"""`preorder-eval select`: the parses to learn from, out of n-best lists."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from preorder_eval.cli.options import JsonForText, RulesOption, TsvForText, choose_one
from preorder_eval.cli.reference_options import (
    AlignmentFormatOption,
    AlignmentOption,
    ReferenceOption,
    SourceOption,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from preorder_eval.data.nbest import NBest
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.training.selection import SelectionCounts

_AT_ONCE = 250  # sentences: their lists are in memory together


def command(
    out: Annotated[Path, typer.Option(help="CoNLL-U file to write the selected parses to.")],
    rules: RulesOption = "en-ja",
    nbest: Annotated[
        Path | None,
        typer.Option(help="CoNLL-U file of n-best lists by any parser.", metavar="FILE"),
    ] = None,
    parser: Annotated[
        str | None,
        typer.Option(
            help="Bundled parser, path or name of a spaCy pipeline, to parse with instead.",
            metavar="NAME|PATH",
        ),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="With --parser: parses a sentence.")] = 64,
    reference: ReferenceOption = None,
    source: SourceOption = None,
    alignment: AlignmentOption = None,
    alignment_format: AlignmentFormatOption = "auto",
    metric: Annotated[
        str,
        typer.Option(help="Order metric that the parse is to be best by.", metavar="SIGNATURE"),
    ] = "fuzzy",
    only_changed: Annotated[
        bool,
        typer.Option("--only-changed", help="Leave sentences out whose 1-best is the best."),
    ] = False,
    margin: Annotated[
        float,
        typer.Option(min=0, help="Leave sentences out whose best parse is not better by this."),
    ] = 0.0,
    tags: Annotated[
        Literal["blank", "keep"],
        typer.Option(
            help="Whether to write the parser's tags: reordering tells nothing about most of "
            "them, and a parser retrained on blank ones keeps its own."
        ),
    ] = "blank",
    json: JsonForText = False,
    tsv: TsvForText = False,
) -> None:
    """Select from every sentence's n-best list the parse whose reordering scores highest.

    Of parses that score the same the higher-ranked one is selected; sentences without links are
    left out. What is selected keeps the parser's scheme of labels, and its comments say which
    sentence of the source it is, its rank and log-probability, and its and the 1-best's score.

    \b
    Examples:
      preorder-eval select --parser en-web --n 16 --out selected.conllu
      preorder-eval select --nbest lists.conllu --source s.en --alignment s.align --out best.conllu
      preorder-eval select --nbest lists.conllu --metric kendall --margin 0.1 --out best.conllu
    """
    from preorder_eval.formats.rules_toml import load_rules
    from preorder_eval.formats.tables import format_json, format_tsv
    from preorder_eval.formats.text import write_parts
    from preorder_eval.metrics import order_metric
    from preorder_eval.training.selection import Filter, SelectionCounts, select_part

    choose_one(json=json, tsv=tsv)
    if (nbest is None) == (parser is None):
        raise typer.BadParameter("give either --nbest or --parser")
    rule_set, by = load_rules(rules), order_metric(metric)
    wanted = Filter(only_changed, margin)
    total = SelectionCounts()
    name = ""

    def selected() -> Iterator[str]:
        nonlocal total, name
        sentences, parts = _parts(reference, source, alignment, alignment_format)
        both = _read(parts, nbest) if nbest else _parse(parts, sentences, parser or "", n)
        for part, lists in both:
            first, name = total.sentences + 1, part.name
            selection = select_part(lists, part, rule_set, by, first)
            total += selection.counts(wanted)
            yield selection.conllu(wanted, tags=tags == "keep", first=first)

    write_parts(out, selected())
    summary = {"metric": str(by), "rules": rule_set.name, "reference": name, **total.summary()}
    if json:
        print(format_json(summary), end="")
    elif tsv:
        print(format_tsv(list(summary), [list(summary.values())]), end="")
    else:
        print(format_counts(total, str(by)))


def _parts(
    reference: str | None, source: Path | None, alignment: Path | None, form: str
) -> tuple[int, Iterator[ReferenceSet]]:
    """The number of sentences, and the corpus some sentences at a time.

    It is not read whole where its files have a line for every sentence.
    """
    from preorder_eval.cli.reference_options import chosen_reference
    from preorder_eval.formats.reference_stream import is_by_line, iterate_reference
    from preorder_eval.formats.text import iterate_lines

    if source and alignment and not reference and is_by_line(source, alignment, form):
        sentences = sum(1 for _ in iterate_lines(source))
        return sentences, iterate_reference(source, alignment, _AT_ONCE)
    data = chosen_reference(reference, source, alignment, None, form=form)
    starts = range(0, len(data), _AT_ONCE)
    parts = (data.take(range(a, min(a + _AT_ONCE, len(data))), data.name) for a in starts)
    return len(data), parts


def _read(parts: Iterator[ReferenceSet], file: Path) -> Iterator[tuple[ReferenceSet, NBest]]:
    """Every part with its lists from a file."""
    from preorder_eval.errors import FormatError
    from preorder_eval.formats.nbest import iterate_nbest

    for part, lists in zip_longest(parts, iterate_nbest(file, _AT_ONCE)):
        if part is None or lists is None or len(part) != len(lists):
            more = part is None or (lists is not None and len(lists) > len(part))
            raise FormatError(
                f"has {'more' if more else 'fewer'} lists than there are sentences",
                file=file,
                mend="there must be one for every sentence",
            )
        yield part, lists


def _parse(
    parts: Iterator[ReferenceSet], sentences: int, name: str, n: int
) -> Iterator[tuple[ReferenceSet, NBest]]:
    """Every part with a parser's lists."""
    from preorder_eval.cli.progress import progress
    from preorder_eval.parsers import load_parser

    parser = load_parser(name)
    with progress(f"parsing with {parser.identity.name}", sentences) as advance:
        for part in parts:
            yield part, parser.parse(part.source, n, advance)


def format_counts(counts: SelectionCounts, metric: str) -> str:
    """What a selection came to, for people."""
    from preorder_eval.cli.tables import format_table

    scored = max(counts.scored, 1)
    gain = counts.selected - counts.first
    left_out = f"{counts.left_out} without links left out"
    rows = [
        ["sentences", str(counts.sentences), left_out if counts.left_out else ""],
        ["parses", str(counts.parses), f"{counts.parses / scored:.1f} a sentence"],
        ["reorderings", str(counts.reorderings), f"{counts.reorderings / scored:.1f} a sentence"],
        [
            "1-best replaced",
            str(counts.replaced),
            f"{counts.replaced / scored:.1%}, where the best is better by "
            f"{gain / max(counts.replaced, 1):.4f}",
        ],
        ["written", str(counts.kept), ""],
    ]
    means = [
        ["1-best", f"{counts.first / scored:.4f}", "what the parser holds for best"],
        ["selected", f"{counts.selected / scored:.4f}", "the best of each list: its oracle"],
        ["list", f"{counts.average / scored:.4f}", "mean of all parses of each list"],
    ]
    return "\n\n".join(
        [
            format_table(["", "", ""], rows).lstrip("\n"),
            format_table(["mean", metric, ""], means),
        ]
    )
