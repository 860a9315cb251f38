"""`preorder-eval rules learn`: rules of pairs from reference orders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Jobs, NoCache, Printed, Trust
from preorder_eval.cli.reference_options import JudgedTrees
from preorder_eval.stats import MOST_SEED


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
    folds: Annotated[int, typer.Option(min=2, help="Folds, each held out in turn.")] = 5,
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
    least z-score. What is learned is an ordinary rule file: read it, and strike out what is the
    vocabulary of this text (--no-words learns none).

    `held out` is the score of every sentence under rules that were learned without its fold of the
    text: that is what to expect elsewhere, on text of this kind. `fitted` is the score on the
    sentences learned from, and always too good.

    \b
    Examples:
      preorder-eval rules learn --source s.en --alignment s.align --out mine.toml
      preorder-eval rules learn --reference en-ja --parser gold --no-words --out mine.toml
      preorder-eval rules learn --reference en-ko --start en-ja --out en-ko-mine.toml
      preorder-eval rules learn --reference en-ja --also en-ja-web --out general.toml
    """
    from preorder_eval.analysis.rules.learning import METRICS, learn_rules
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
        folds=folds,
        seed=seed,
        name=name or out.stem,
        jobs=jobs,
        cache=not no_cache,
        progress=progress,
    )
    write_text(out, result.toml())
    printed.print(result)
