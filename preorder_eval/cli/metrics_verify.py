"""`preorder-eval metrics verify`: metrics beside the official programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from preorder_eval.cli.command import Option
from preorder_eval.cli.options import Printed
from preorder_eval.data.tokenization import Tokenize
from preorder_eval.papers import programs
from preorder_eval.results.reading import check_lengths, read_texts


def verify(
    hyp: Annotated[Path, Option("A system's output, one sentence a line.", group="Systems")],
    ref: Annotated[
        tuple[Path, ...], Option("References, one sentence a line. Repeatable.", group="Systems")
    ],
    tokenize: Annotated[
        Tokenize,
        Option("How lines are split into words.", group="Inputs of metrics", metavar="NAME"),
    ] = "auto",
    ribes: Annotated[
        Path | None,
        Option("RIBES.py, the program of NTT.", group="Evaluation of other tools", metavar="PATH"),
    ] = None,
    meteor: Annotated[
        Path | None,
        Option("meteor-1.5.jar; needs Java.", group="Evaluation of other tools", metavar="PATH"),
    ] = None,
    *,
    printed: Printed,
) -> None:
    """Compare metrics with the official programs.

    Each metric, and the program that it equals, score every sentence. sacrebleu, rouge-score, jiwer
    and nltk run if they are installed.

    Examples:
      preorder-eval metrics verify --hyp out.en --ref ref.en
      preorder-eval metrics verify --hyp out.en --ref ref.en --meteor meteor-1.5.jar
    """
    outputs, *references = read_texts([hyp, *ref])
    check_lengths([outputs, *references])
    given = {"ribes-1.03.1": ribes, "meteor-1.5": meteor}
    result = programs.verify(
        list(outputs.sentences),
        [list(text.sentences) for text in references],
        tokenize,
        {name: path for name, path in given.items() if path is not None},
    )
    printed.print(result)
