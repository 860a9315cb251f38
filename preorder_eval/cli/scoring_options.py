"""The options that say how outputs of translation systems are split, aligned and tagged."""

from __future__ import annotations

from typing import Annotated

import typer

from preorder_eval.formats.alignment import Direction

TokenizeOption = Annotated[
    str | None,
    typer.Option(
        help="How metrics split lines that do not say it themselves: none (at spaces), char, "
        "or sacrebleu's 13a, intl, zh, ja-mecab, ko-mecab.",
        metavar="NAME",
    ),
]
LowerOption = Annotated[
    bool, typer.Option("--lower", help="Lower-case for metrics that do not say it themselves.")
]
SourceTokenizeOption = Annotated[
    str | None, typer.Option(help="How lines of --source are split, as --tokenize.")
]
TaggerOption = Annotated[
    str | None,
    typer.Option(
        help="Parser that tags outputs and references for lepor, hlepor and nlepor with mix: "
        "bundled, path or name of a spaCy pipeline.",
        metavar="NAME|PATH",
    ),
]
AlignmentBase = Annotated[
    int | None,
    typer.Option(min=0, max=1, help="What alignments count positions from, if not as usual."),
]
AlignmentDirection = Annotated[
    Direction, typer.Option(help="Which side of a link alignments write first.")
]
