"""The options for what metrics of outputs are given, shared by `score`, `meta` and `tune`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.cli.options import Trust
from preorder_eval.formats.alignment import Direction

if TYPE_CHECKING:
    from preorder_eval.metrics.base import Metric
    from preorder_eval.results.reading import InputFiles

LanguageOption = Annotated[
    str | None,
    typer.Option(
        help="Language of the outputs, such as ja: BLEU splits them as is usual for it (13a, zh, "
        "ja-mecab, char), unless --tokenize or the metric says how. By default found by the script "
        "of the references.",
        metavar="CODE",
    ),
]

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")  # ja, zh-TW, pt_BR


@dataclass(frozen=True)
class InputOptions:
    """What metrics are given beside outputs and references, and how words are split."""

    tokenize: Annotated[
        str | None,
        typer.Option(
            help="How metrics split lines that do not say it themselves: none (at spaces), char, "
            "sacrebleu's 13a, intl, zh, ja-mecab, ko-mecab, or rouge_score.",
            metavar="NAME",
        ),
    ] = None
    lower: Annotated[
        bool, typer.Option("--lower", help="Lower-case for metrics that do not say it themselves.")
    ] = False
    source: Annotated[
        Path | None,
        typer.Option(
            help="Source, one sentence a line, for lrscore and for metrics of orders.",
            metavar="FILE",
        ),
    ] = None
    source_tokenize: Annotated[
        str | None, typer.Option(help="How lines of --source are split, as --tokenize.")
    ] = None
    hyp_alignment: Annotated[
        list[str] | None,
        typer.Option(
            help="Word alignments of source and outputs: one for each --hyp, or a pattern or "
            "folder, named as --hyp. Any format of `convert`. Repeatable.",
            metavar="FILE|GLOB|DIR",
        ),
    ] = None
    ref_alignment: Annotated[
        list[Path] | None,
        typer.Option(
            help="Word alignment of source and reference; one for each --ref.", metavar="FILE"
        ),
    ] = None
    hyp_ref_alignment: Annotated[
        list[str] | None,
        typer.Option(
            help="Word alignments of the reference with the outputs, for 'lrscore(links=direct)'; "
            "given as --hyp-alignment.",
            metavar="FILE|GLOB|DIR",
        ),
    ] = None
    align: Annotated[
        str | None,
        typer.Option(
            help="Align the source with outputs and references instead: by ibm1, learned from all "
            "of them, or by another package's aligner.",
            metavar="NAME",
        ),
    ] = None
    base: Annotated[
        int | None,
        typer.Option(min=0, max=1, help="What alignments count positions from, if not as usual."),
    ] = None
    direction: Annotated[
        Direction, typer.Option(help="Which side of a link alignments write first.")
    ] = "source-target"
    hyp_tags: Annotated[
        list[str] | None,
        typer.Option(
            help="Tags of the outputs, one line a sentence, for ebleu, hppr and 'hlepor(mix=1:9)', "
            "or trees in brackets, of which hppr takes the phrases; given as --hyp-alignment.",
            metavar="FILE|GLOB|DIR",
        ),
    ] = None
    ref_tags: Annotated[
        list[Path] | None,
        typer.Option(
            help="Part-of-speech tags of the reference, for lepor, hlepor and nlepor with mix; one "
            "for each --ref.",
            metavar="FILE",
        ),
    ] = None
    source_tags: Annotated[
        Path | None,
        typer.Option(
            help="Tags of the source for ebleu and hppr, or trees, of the same tagset as "
            "--hyp-tags.",
            metavar="FILE",
        ),
    ] = None
    tagger: Annotated[
        str | None,
        typer.Option(
            help="Parser that tags outputs and references for lepor, hlepor and nlepor with mix, "
            "and outputs for ebleu and hppr: bundled, path or name of a spaCy pipeline.",
            metavar="NAME|PATH",
        ),
    ] = None
    trust: Trust = False
    source_tagger: Annotated[
        str | None,
        typer.Option(help="Parser that tags --source for ebleu and hppr.", metavar="NAME|PATH"),
    ] = None
    map_tags: Annotated[
        list[str] | None,
        typer.Option(
            help="Turn the tags of outputs and references into universal ones: ud, english-penn, "
            "spanish-treetagger, or the phrases of a treebank such as english-penn-2 or french "
            "(Han 2014, Appendix A). Repeatable for trees: one for words, one for phrases.",
            metavar="NAME",
        ),
    ] = None
    map_source_tags: Annotated[
        list[str] | None,
        typer.Option(help="The same for the tags of the source.", metavar="NAME"),
    ] = None
    further: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            help="A further input of another package's metric, one line a sentence. One for the "
            "source where NAME begins with source, one for each --ref where with ref, else one for "
            "each --hyp. Repeatable.",
            metavar="NAME=FILE",
        ),
    ] = None

    def metrics(self, signatures: Sequence[str], language: str | None = None) -> list[Metric]:
        """The metrics, with the settings that are for all that do not say them themselves.

        With a `language`, of the outputs, BLEU splits them as others do who publish it.
        """
        from preorder_eval.errors import PreorderEvalError
        from preorder_eval.metrics import metric, shared_settings

        shared = [shared_settings(s, self.tokenize, self.lower, language) for s in signatures]
        for name in ("tokenize", "lower"):
            if getattr(self, name) and not any(name in settings for settings in shared):
                raise PreorderEvalError(f"--{name}: the metrics say it themselves, or need it not")
        return [
            metric(signature, **settings)
            for signature, settings in zip(signatures, shared, strict=True)
        ]

    def patterns(self) -> dict[str, list[str]]:
        """What is given beside outputs and references, by name, each file as it is written."""
        once = {name: getattr(self, name) for name in ("source", "source_tags")}
        often = {
            name: getattr(self, name)
            for name in ("hyp_alignment", "ref_alignment", "hyp_ref_alignment", "hyp_tags")
        }
        given: dict[str, Any] = {name: [file] for name, file in once.items() if file is not None}
        given |= {**often, "ref_tags": self.ref_tags, **self._further()}
        return {name: list(map(str, files)) for name, files in given.items() if files}

    def files(
        self, hyp: Sequence[Path], ref: Sequence[Path], names: Sequence[str] | None = None
    ) -> InputFiles:
        """The files of the options.

        Where systems have `names`, those of the outputs' alignments and tags are found by these.
        """
        from preorder_eval.data.inputs import side
        from preorder_eval.results.reading import InputFiles

        more: dict[str, list[Path]] = {
            "source": [self.source] if self.source else [],
            "hyp_alignment": _of_outputs("hyp_alignment", self.hyp_alignment or [], names),
            "ref_alignment": self.ref_alignment or [],
            "hyp_ref_alignment": _of_outputs(
                "hyp_ref_alignment", self.hyp_ref_alignment or [], names
            ),
            "hyp_tags": _of_outputs("hyp_tags", self.hyp_tags or [], names),
            "ref_tags": self.ref_tags or [],
            "source_tags": [self.source_tags] if self.source_tags else [],
        }
        for name, chosen in self._further().items():
            of_outputs = side(name) == "hyp"
            more[name] = _of_outputs(name, chosen, names) if of_outputs else list(map(Path, chosen))
        return InputFiles(
            hyp,
            ref,
            more,
            self.base,
            self.direction,
            self.tagger,
            self.source_tagger,
            self.map_tags or (),
            self.map_source_tags or (),
            self.align,
            self.source_tokenize,
            call=option,
        )

    def _further(self) -> dict[str, list[str]]:
        """The files of further inputs by name."""
        from preorder_eval.errors import PreorderEvalError

        further: dict[str, list[str]] = {}
        for text in self.further or []:
            name, equals, file = text.partition("=")
            if not (name and equals and file):
                raise PreorderEvalError(f"--input {text!r} is not NAME=FILE")
            if not option(name).startswith("--input"):
                raise PreorderEvalError(f"--input {text}: give it as {option(name)}")
            further.setdefault(name, []).append(file)
        return further


def outputs_language(said: str | None, signatures: Sequence[str], ref: Sequence[Path]) -> str:
    """The language by which BLEU splits: what was said, else found by the script of a reference.

    Raises PreorderEvalError for a language where no metric splits by it, and for what is none.

    >>> outputs_language("ja", ["bleu"], []), outputs_language(None, ["wer"], [Path("ref.ja")])
    ('ja', '')
    """
    from preorder_eval.data.tokenization import language_of
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.formats.files import read_lines
    from preorder_eval.metrics import splits_by_language

    splits = any(map(splits_by_language, signatures))
    if said is not None and not splits:
        raise PreorderEvalError("--language: none of the metrics splits text by its language")
    if said is not None and not _LANGUAGE.fullmatch(said):
        raise PreorderEvalError(f"--language {said!r} is not the code of a language, such as ja")
    if said is not None or not ref or not splits:
        return said or ""
    return language_of(read_lines(ref[0], blank=True))


def _of_outputs(name: str, chosen: Sequence[str], names: Sequence[str] | None) -> list[Path]:
    """Files with something of each output, by the names of the systems if there are any."""
    from preorder_eval.cli.judged_outputs import match_systems, output_files

    files = output_files(chosen)
    if names is None or not files:
        return files
    return list(match_systems(names, files, option(name)).values())


def option(name: str) -> str:
    """What the command line calls an input.

    >>> option("hyp_tags"), option("hyp_confidence")
    ('--hyp-tags', '--input hyp_confidence=FILE')
    """
    files = ("hyp", "ref", "source", "hyp_alignment", "ref_alignment", "hyp_tags", "ref_tags")
    options = (
        "hyp_ref_alignment",
        "source_tags",
        "tagger",
        "source_tagger",
        "map_tags",
        "map_source_tags",
        "align",
    )
    if name in (*files, *options, "source_tokenize"):
        return "--" + name.replace("_", "-")
    return f"--input {name}=FILE"
