"""`preorder-eval rules learn`: rules of pairs from reference orders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import click

from preorder_eval.analysis.rules.learning import learn_rules
from preorder_eval.cli.command import Option
from preorder_eval.cli.options import (
    METRIC,
    OBJECTIVE,
    REFERENCE,
    RULES,
    NoCache,
    Printed,
    Seed,
    Trust,
)
from preorder_eval.cli.references import JudgedTrees
from preorder_eval.cli.terminal import note, progress
from preorder_eval.formats.writing import write_text


def command(
    out: Annotated[
        Path, Option("Rule file to write.", name="-o, --out", group="Output", metavar="FILE.toml")
    ],
    judged: JudgedTrees,
    also: Annotated[
        tuple[str, ...],
        replace(REFERENCE, shown="", project=None),
        Option(
            "Learn from this reference set as well, by its gold trees if it has some. Repeatable.",
            distinct=True,
        ),
    ] = (),
    start: Annotated[
        str,
        replace(RULES, project=None),
        Option("Rules of slots to correct by learned pairs.", group="Learning"),
    ] = "none",
    metric: Annotated[
        tuple[str, ...],
        METRIC,
        Option(
            "Metric with its options; the first chooses how strict the gate is. Repeatable.",
            shown=OBJECTIVE,
        ),
    ] = (),
    words: Annotated[
        bool,
        Option("Whether conditions may name words.", name="--words/--no-words", group="Learning"),
    ] = True,
    folds: Annotated[
        int, Option("Folds, each held out in turn.", group="Scores and tests", low=2)
    ] = 5,
    name: Annotated[
        str | None, Option("Name of the rule set.", group="Output", shown="that of the file")
    ] = None,
    seed: Seed = 0,
    no_cache: NoCache = False,
    trust: Trust = False,
    *,
    printed: Printed,
) -> None:
    """Learn readable rules from reference orders.

    For every two kinds of items of a head (labels, and the head itself) the majority of the links
    decides whether they are inverted. Then exceptions are added, each with a minimum gain and
    z-score. With --also, two of the texts must support each of them. The result is an ordinary rule
    file: read it, and delete what only fits the vocabulary of this text (--no-words learns no
    words).

    `held out` scores every sentence by rules learned without its fold: expect this on other text of
    this kind. `fitted` scores the sentences learned from, and is always too high.

    Examples:
      preorder-eval rules learn --source s.en --alignment s.align --out mine.toml
      preorder-eval rules learn --reference en-ja --parser gold --no-words --out mine.toml
      preorder-eval rules learn --reference en-ko --start en-ja --out en-ko-mine.toml
      preorder-eval rules learn --reference en-ja --also en-ja-web --out general.toml
    """
    if out.suffix != ".toml":
        raise click.UsageError("--out takes the name of a rule file, which ends in .toml")
    result = learn_rules(
        judged.by(),
        judged.reference_set(),
        also=also,
        start=start,
        metrics=metric,
        words=words,
        folds=folds,
        seed=seed,
        name=name or out.stem,
        cache=not no_cache,
        progress=progress,
    )
    write_text(out, result.toml())
    note(f"the rules are in {out}")
    printed.print(result)
