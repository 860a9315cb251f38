"""`preorder-eval rules learn`: rules of pairs from reference orders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Jobs, NoCache, Printed, Trust
from preorder_eval.cli.reference_options import JudgedTrees
from preorder_eval.stats import MOST_SEED

if TYPE_CHECKING:
    from preorder_eval.analysis.learned_rules import LearnedRules

_SHOWN = 20  # exceptions in the terminal


@grouped
def command(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Rule file to write.", metavar="FILE.toml")
    ],
    judged: JudgedTrees,
    jobs: Jobs,
    also: Annotated[
        list[str] | None,
        typer.Option(
            help="Learn from this reference set as well, by its gold trees if it has some. Several "
            "times for more.",
            metavar="NAME|DIR",
        ),
    ] = None,
    start: Annotated[
        str,
        typer.Option(
            help="Rules of slots whose order the learned pairs correct.", metavar="NAME|FILE"
        ),
    ] = "none",
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="Metric with its options; the first chooses how strict the gate is. Several "
            "times for more.",
            metavar="SIGNATURE",
        ),
    ] = None,
    words: Annotated[
        bool, typer.Option("--words/--no-words", help="Whether conditions may name words.")
    ] = True,
    statistical: Annotated[
        bool,
        typer.Option(
            "--statistical",
            help="Learn very many scores instead, which nobody can read: how far it could get.",
        ),
    ] = False,
    folds: Annotated[int, typer.Option(min=2, help="Parts, each left out in turn.")] = 5,
    name: Annotated[
        str | None, typer.Option(help="Name of the rule set; by default that of the file.")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=MOST_SEED, help="Seed of the test for the gains.")
    ] = 0,
    no_cache: NoCache = False,
    trust: Trust = False,
    *,
    printed: Printed,
) -> None:
    """Learn readable rules from reference orders, and estimate their worth on other sentences.

    For every two kinds of items of a head (labels, and the head itself) the majority of the links
    decides whether they turn round; then exceptions are looked for, each with a least gain and a
    least clarity. What is learned is an ordinary rule file: read it, and strike out what is the
    vocabulary of this text (--no-words learns none).

    `left out` is the score of every sentence under rules that were learned without its part of the
    text: that is what to expect elsewhere, on text of this kind. `fitted` is the score on the
    sentences learned from, and always too good.

    \b
    Examples:
      preorder-eval rules learn --source s.en --alignment s.align --out mine.toml
      preorder-eval rules learn --reference en-ja --parser gold --no-words --out mine.toml
      preorder-eval rules learn --reference en-ko --start en-ja --out en-ko-mine.toml
      preorder-eval rules learn --reference en-ja --statistical --out model.toml
      preorder-eval rules learn --reference en-ja --also en-ja-web --out general.toml
    """
    from preorder_eval.analysis.learning import METRICS, learn_rules
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.writing import write_text

    if out.suffix != ".toml":
        raise typer.BadParameter("--out takes the name of a rule file, which ends in .toml")
    result = learn_rules(
        judged.by(),
        judged.reference_set(),
        also=also or (),
        start=start,
        metrics=metric or METRICS,
        words=words,
        statistical=statistical,
        folds=folds,
        seed=seed,
        name=name or out.stem,
        jobs=jobs,
        cache=not no_cache,
        progress=progress,
    )
    write_text(out, result.toml())
    printed.show(result.summary, lambda: [result.table()], lambda: _text(result, out))


def _text(result: LearnedRules, out: Path) -> str:
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_ends
    from preorder_eval.visible import visible

    def row(name: str, values: tuple[float, ...]) -> list[str]:
        return [name, *(f"{value:.4f}" for value in values)]

    scores = [
        row(f"before ({result.start})", result.before),
        row(f"left out ({result.folds} parts)", result.left_out),
        [
            "  gain",
            *(f"{g.value:+.4f} {format_ends(g.at_95)} {g.mark}" for g in result.gains),
        ],
        row("fitted (too good)", result.fitted),
    ]
    exceptions = sorted(
        (one for one in result.learned if one.exception), key=lambda one: -one.clarity
    )
    shown = [
        [
            f"{one.clarity:.1f}",
            str(one.wanted),
            str(one.unwanted),
            visible(str(one.pair)),
            " ".join(map(str, one.sentences[:6])) + " …" * (len(one.sentences) > 6),
        ]
        for one in exceptions[:_SHOWN]
    ]
    strict = "no exceptions" if result.clarity is None else f"exceptions from {result.clarity} z on"
    of = f" of {result.reference}" if result.reference else ""
    count = len(result.rules.rules[0].pairs) if result.rules.rules else 0
    scored = bool(result.rules.rules) and result.rules.rules[0].scored
    parts = [
        f"{count} {'scores' if scored else 'pairs'} learned from {result.sentences} sentences{of}, "
        + ("" if scored else f"{len(exceptions)} of them exceptions; ")
        + f"written to {out}",
        format_table(["", *result.metrics], scores),
    ]
    if shown:
        header = ["z", "for", "against", "exception", "sentences"]
        parts.append(format_table(header, shown))
        if len(exceptions) > _SHOWN:
            parts.append(f"{len(exceptions) - _SHOWN} more exceptions in the file")
    if not scored:
        parts.append(f"{strict}, by {result.metrics[0]} on the parts left out")
    return "\n\n".join(parts)
