"""The options for what metrics of outputs are given, shared by `score`, `meta` and `tune`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.formats.alignment import Direction

if TYPE_CHECKING:
    from preorder_eval.metrics.shared.base import Metric
    from preorder_eval.results.reading import InputFiles

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
SourceText = Annotated[
    Path | None,
    typer.Option(
        help="Source, one sentence a line, for lrscore and for metrics of orders.", metavar="FILE"
    ),
]
SourceTokenizeOption = Annotated[
    str | None, typer.Option(help="How lines of --source are split, as --tokenize.")
]
AlignOption = Annotated[
    str | None,
    typer.Option(
        help="Align the source with outputs and references: by ibm1, learned from all of them, or "
        "by another package's aligner.",
        metavar="NAME",
    ),
]
HypAlignment = Annotated[
    list[str] | None,
    typer.Option(
        help="Word alignments of source and outputs instead: one for each --hyp, or a pattern or "
        "folder, named as --hyp. Any format of `convert`. Repeatable.",
        metavar="FILE|GLOB|DIR",
    ),
]
RefAlignment = Annotated[
    list[Path] | None,
    typer.Option(
        help="Word alignment of source and reference; one for each --ref.", metavar="FILE"
    ),
]
AlignmentBase = Annotated[
    int | None,
    typer.Option(min=0, max=1, help="What alignments count positions from, if not as usual."),
]
AlignmentDirection = Annotated[
    Direction, typer.Option(help="Which side of a link alignments write first.")
]
HypTags = Annotated[
    list[str] | None,
    typer.Option(
        help="Tags of the outputs, one line a sentence, for ebleu, hppr and 'hlepor(mix=1:9)'; "
        "given as --hyp-alignment.",
        metavar="FILE|GLOB|DIR",
    ),
]
RefTags = Annotated[
    list[Path] | None,
    typer.Option(
        help="Part-of-speech tags of the reference, for lepor, hlepor and nlepor with mix; one for "
        "each --ref.",
        metavar="FILE",
    ),
]
SourceTags = Annotated[
    Path | None,
    typer.Option(
        help="Tags of the source for ebleu and hppr, of the same tagset as --hyp-tags.",
        metavar="FILE",
    ),
]
TaggerOption = Annotated[
    str | None,
    typer.Option(
        help="Parser that tags outputs and references for lepor, hlepor and nlepor with mix: "
        "bundled, path or name of a spaCy pipeline.",
        metavar="NAME|PATH",
    ),
]
FurtherInput = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        help="A further input of another package's metric, one line a sentence. For names that "
        "begin with hyp or ref one for each --hyp or --ref. Repeatable.",
        metavar="NAME=FILE",
    ),
]


def metrics_of(signatures: Sequence[str], tokenize: str | None, lower: bool) -> list[Metric]:
    """The metrics, with the settings that are for all that do not say them themselves."""
    from preorder_eval.metrics import metric, shared_settings

    return [metric(own, **shared_settings(own, tokenize, lower)) for own in signatures]


def input_files(
    hyp: Sequence[Path],
    ref: Sequence[Path],
    *,
    names: Sequence[str] | None = None,
    source: Path | None = None,
    hyp_alignment: Sequence[str] | None = None,
    ref_alignment: Sequence[Path] | None = None,
    hyp_tags: Sequence[str] | None = None,
    ref_tags: Sequence[Path] | None = None,
    source_tags: Path | None = None,
    further: Sequence[str] | None = None,
    base: int | None = None,
    direction: Direction = "source-target",
    tagger: str | None = None,
    align: str | None = None,
    source_tokenize: str | None = None,
) -> InputFiles:
    """The files of the options.

    Where systems have `names`, the files of the outputs' alignments and tags are found by these.
    """
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.results.reading import InputFiles

    def of_outputs(chosen: Sequence[str] | None) -> list[Path]:
        from preorder_eval.cli.judged_outputs import match_systems, output_files

        files = output_files(chosen or [])
        if names is None or not files:
            return files
        return list(match_systems(names, files).values())

    more: dict[str, list[Path]] = {
        "source": [source] if source else [],
        "hyp_alignment": of_outputs(hyp_alignment),
        "ref_alignment": list(ref_alignment or []),
        "hyp_tags": of_outputs(hyp_tags),
        "ref_tags": list(ref_tags or []),
        "source_tags": [source_tags] if source_tags else [],
    }
    for text in further or []:
        name, equals, file = text.partition("=")
        if not (name and equals and file):
            raise PreorderEvalError(f"--input {text!r} is not NAME=FILE")
        more.setdefault(name, []).append(Path(file))
    return InputFiles(hyp, ref, more, base, direction, tagger, align, source_tokenize, call=option)


def option(name: str) -> str:
    """What the command line calls an input.

    >>> option("hyp_tags"), option("hyp_confidence")
    ('--hyp-tags', '--input hyp_confidence=FILE')
    """
    own = ("hyp", "ref", "source", "hyp_alignment", "ref_alignment", "hyp_tags", "ref_tags")
    if name in (*own, "source_tags", "tagger", "align", "source_tokenize"):
        return "--" + name.replace("_", "-")
    return f"--input {name}=FILE"
