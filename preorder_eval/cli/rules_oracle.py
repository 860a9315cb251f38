"""`preorder-eval rules oracle`: what limits the score, and which pairs of items stand wrong."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Jobs, NoCache, Printed, RulesOption, Trust
from preorder_eval.cli.reference_options import JudgedTrees

if TYPE_CHECKING:
    from preorder_eval.analysis.oracle import Oracle

_SENTENCES = 5  # of a pair that text shows
_WON_BY = {
    "rules": "other rules on these trees",
    "parser": "the gold trees",
    "impossible": "nothing that keeps subtrees whole",
}


@grouped
def command(
    rules: RulesOption,
    judged: JudgedTrees,
    metric: Annotated[
        str, typer.Option(help="kendall or fuzzy with its options.", metavar="SIGNATURE")
    ] = "kendall(unaligned=drop)",
    top: Annotated[int, typer.Option(min=1, help="Pairs of items that text shows.")] = 15,
    *,
    jobs: Jobs,
    printed: Printed,
    no_cache: NoCache = False,
    trust: Trust = False,
) -> None:
    """Show how far rules could get on these trees, and which children stand wrong how often.

    The oracle is the best score of any reordering of the trees that keeps every subtree whole: it
    orders the children of every head by itself, knowing the reference. It splits what the score
    lacks to 1 in three: what other rules could win on these trees, what better trees could add
    (where the reference has gold trees), and what is out of reach for any such reordering.

    Below are the pairs of items, two children of a head or a child and its HEAD, that the rules
    put the wrong way round: `first` now comes out before `second`. A child is its label with < if
    it stood before its head in the source and > if behind it. `gain` is what the opposite order
    would add wherever they stand so now, in points of kendall.

    \b
    Examples:
      preorder-eval rules oracle --rules en-ja
      preorder-eval rules oracle --rules my-rules.toml --trees parses.conllu --alignment s.align
      preorder-eval rules oracle --rules en-ja --parser gold --metric "fuzzy(unaligned=drop)"
      preorder-eval rules oracle --rules none --reference en-ko --json > oracle.json
    """
    from preorder_eval.analysis.oracle import oracle
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.rules import load_rules

    trees_from = judged.by()
    rule_set = load_rules(rules)
    judged.warn_of_default(rule_set)
    result = oracle(
        rule_set,
        trees_from,
        judged.reference_set(),
        metric,
        jobs=jobs,
        cache=not no_cache,
        progress=progress,
    )
    look = [
        "preorder-eval",
        "rules",
        "show",
        rules,
        "--reference",
        judged.reference or result.reference,
    ]
    look += ["--parser", str(trees_from), "--sentence", "N"]
    shown = "" if judged.alignment else shlex.join(look)
    printed.show(result.summary, result.tables, lambda: _text(result, top, shown))


def _text(result: Oracle, top: int, look: str) -> str:
    from preorder_eval.visible import visible

    heading = (
        f"{result.parser}/{result.rules.name} on {result.reference}: {result.metric} "
        f"{result.value:.4f}; {result.sentences} sentences, {result.left_out} left out"
    )
    text = "\n\n".join([heading, _parts(result), _pairs(result, top), _notes(result, top, look)])
    return "\n".join(map(visible, text.split("\n")))


def _parts(result: Oracle) -> str:
    from preorder_eval.formats.text_table import format_table

    lacking = (1 - result.value) or 1
    ends = [f"{result.value:.4f}", str(result.trees), *([str(result.gold)] * bool(result.gold))]
    rows = [
        [
            part.name,
            start,
            stop,
            _span(100 * part.low, 100 * part.high, 2),
            _span(100 * part.low / lacking, 100 * part.high / lacking, 0) + " %",
            _WON_BY[part.name],
        ]
        for part, start, stop in zip(result.parts, ends, [*ends[1:], "1"], strict=True)
    ]
    return format_table(["part", "from", "to", "points", "share", "won by"], rows)


def _span(low: float, high: float, digits: int) -> str:
    """A number, or two where they differ by what is printed.

    >>> _span(1.234, 1.236, 1), _span(1.2, 1.4, 1)
    ('1.2', '1.2 to 1.4')
    """
    ends = [f"{end:.{digits}f}" for end in (low, high)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def _pairs(result: Oracle, top: int) -> str:
    from preorder_eval.formats.text_table import format_table

    rows = []
    for pair in [pair for pair in result.pairs if pair.gain > 0][:top]:
        numbers = ", ".join(map(str, pair.sentences[:_SENTENCES]))
        more = ", …" * (len(pair.sentences) > _SENTENCES)
        counts = map(str, (pair.times, pair.right, pair.wrong))
        gain = f"{100 * pair.gain:.3f}"
        rows.append([gain, *counts, pair.head, pair.first, pair.second, numbers + more])
    header = ["gain", "times", "right", "wrong", "head", "first", "second", "wrong in sentences"]
    return format_table(header, rows)


def _notes(result: Oracle, top: int, look: str) -> str:
    from preorder_eval import __version__

    notes = ["the oracle knows the reference and orders every head by itself; no rules get there"]
    if result.value_on_gold is not None:
        notes.append(
            f"with the gold trees the same rules score {result.value_on_gold:.4f}: what either "
            "rules or trees could mend is counted for rules"
        )
    unproven = [
        f"{len(of.not_proven)} with the {kind} trees"
        for kind, of in (
            ("parser's" if result.gold else "given", result.trees),
            ("gold", result.gold),
        )
        if of is not None and of.not_proven
    ]
    if unproven:
        notes.append(
            f"the best order is not proven in some of the {result.sentences} sentences, "
            f"{', '.join(unproven)}: the limits are between two values"
        )
        if "match=word" in result.metric:
            notes.append("fewer are open by fuzzy(match=position), which no repeated word confuses")
    by_name = {part.name: part for part in result.parts}
    if by_name["rules"].high < 0:
        notes.append(
            "the rules are above the oracle: where none fits a sentence with crossing arcs, it is "
            "kept as it is, though that tears subtrees"
        )
    if "parser" in by_name and by_name["parser"].low < 0:
        sure = "is" if by_name["parser"].high < 0 else "may be"
        notes.append(
            f"the parser's part {sure} negative: its trees can be reordered better than gold"
        )
    notes.append("what stands wrong in a few sentences may be right in other text")
    left = sum(pair.gain > 0 for pair in result.pairs) - top
    notes += [f"{left} more pairs have a gain: --top, --json, --tsv"] * (left > 0)
    notes.append(
        f"gain in points of {result.pair_metric}, of each pair as if nothing else moved; "
        f"preorder-eval {__version__}"
    )
    return "\n".join([*notes, *filter(None, [look])])
