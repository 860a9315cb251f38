"""The options for what metrics of outputs are given, shared by `score`, `meta`, `tune`, `study`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from preorder_eval.cli.command import Option
from preorder_eval.cli.options import TAGGER, Trust
from preorder_eval.data.metric_needs import SCORES, side
from preorder_eval.data.tokenization import Tokenize, tokenizer_for
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.alignment import Direction
from preorder_eval.formats.files import labelled_output, stem
from preorder_eval.metrics import metric, shared_settings, splitting
from preorder_eval.metrics.base import Metric
from preorder_eval.results.other_scores import by_metric, given_metric, input_name
from preorder_eval.results.reading import InputFiles

_GROUP = "Inputs of metrics"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")  # ja, zh-TW, pt_BR
_LINKED = "hyp_alignment ref_alignment hyp_ref_alignment"
_FILES = (
    *("source", "hyp_alignment", "ref_alignment", "hyp_ref_alignment"),
    *("hyp_tags", "ref_tags", "source_tags"),
)
# What has an option of its own; all other inputs are given as --input NAME=FILE.
_OWN = (
    *("hyp", "ref", *_FILES, "align", "source_tokenize"),
    *("tagger", "source_tagger", "map_tags", "map_source_tags"),
)

_NAME = Option(metavar="NAME")
_OUTPUTS = Option(metavar="FILE|GLOB|DIR")


SCORES_OF_OTHERS = Option(
    "Scores that another program gave to every segment and system, such as COMET=comet.json: a "
    "table (TSV), JSON lines, or what COMET, MetricX, BLEURT and mt-metrics-eval write. "
    "'NAME(better=lower)=FILE' where lower is better. Repeatable.",
    group=_GROUP,
    metavar="NAME=FILE",
    distinct=True,
)


@dataclass(frozen=True)
class MetricInputs:
    """Inputs of metrics beside outputs and references, and the tokenizer."""

    GROUP: ClassVar[str] = _GROUP

    tokenize: Annotated[
        str | None,
        _NAME,
        Option(
            "Tokenizer for metrics that do not set it: none (tokenised text), char, sacrebleu's "
            "13a, intl, zh, ja-mecab, ko-mecab, or rouge_score.",
            shown="by --language",
        ),
    ] = None
    language: Annotated[
        str | None,
        Option(
            "Language of the outputs, such as ja; it selects the tokenizer: 13a, zh, ja-mecab, "
            "ko-mecab or characters.",
            metavar="CODE",
            shown="by the script of the references",
            beside="tokenize",
        ),
    ] = None
    lower: Annotated[bool, Option("Lower-case for metrics that do not set it.")] = False
    source: Annotated[Path | None, Option("Source, for lrscore and metrics of orders.")] = None
    source_tokenize: Annotated[
        str | None, _NAME, Option("Tokenizer of --source for --align.", shown="by its language")
    ] = None
    hyp_alignment: Annotated[
        tuple[str, ...],
        _OUTPUTS,
        Option(
            "Word alignments of source and outputs: one for each --hyp, or a pattern or folder, "
            "named as --hyp. Any format of `align --from`."
        ),
    ] = ()
    ref_alignment: Annotated[
        tuple[Path, ...], Option("Word alignment of source and reference; one for each --ref.")
    ] = ()
    hyp_ref_alignment: Annotated[
        tuple[str, ...],
        _OUTPUTS,
        Option("Word alignments of reference and outputs, for 'lrscore(links=direct)'."),
    ] = ()
    align: Annotated[
        str | None,
        _NAME,
        Option(
            "Align the source with outputs and references instead: agree, learned from the "
            "references and, for an output, it too; ibm1, or another package's aligner.",
            beside="engine",
        ),
    ] = None
    base: Annotated[
        int | None, Option("First word position in alignments.", low=0, high=1, needs=_LINKED)
    ] = None
    direction: Annotated[Direction, Option("Side that alignments write first.", needs=_LINKED)] = (
        "source-target"
    )
    hyp_tags: Annotated[
        tuple[str, ...],
        _OUTPUTS,
        Option("Tags of the outputs for ebleu, hppr, 'hlepor(mix=1:9)'; hppr also takes trees."),
    ] = ()
    ref_tags: Annotated[
        tuple[Path, ...], Option("Tags of the reference, for metrics with mix; one for each --ref.")
    ] = ()
    source_tags: Annotated[
        Path | None, Option("Tags of the source, or trees, for ebleu and hppr.")
    ] = None
    tagger: Annotated[
        str | None, TAGGER, Option("Parser that tags outputs and references.", beside="engine")
    ] = None
    source_tagger: Annotated[
        str | None, TAGGER, Option("Parser that tags --source.", beside="engine")
    ] = None
    trust: Annotated[Trust, Option(group=_GROUP, needs="tagger source_tagger")] = False
    map_tags: Annotated[
        tuple[str, ...],
        _NAME,
        Option(
            "Map tags of outputs and references to universal ones: ud, english-penn, "
            "spanish-treetagger, or phrases of a treebank such as english-penn-2.",
            needs="hyp_tags ref_tags tagger",
        ),
    ] = ()
    map_source_tags: Annotated[
        tuple[str, ...],
        _NAME,
        Option("The same for tags of the source.", needs="source_tags source_tagger"),
    ] = ()
    further: Annotated[
        tuple[str, ...],
        Option(
            "A further input of another package's metric; its NAME begins with source, ref or "
            "hyp where there is one for each of these.",
            name="--input",
            metavar="NAME=FILE",
        ),
    ] = ()
    scores: Annotated[tuple[str, ...], SCORES_OF_OTHERS] = ()

    def metrics(self, signatures: Sequence[str]) -> list[Metric]:
        """Return the metrics, with the settings of all that do not set these themselves.

        After them come those whose scores are given.
        """
        shared = [shared_settings(s, self.tokenize, self.lower) for s in signatures]
        metrics = [metric(s, **more) for s, more in zip(signatures, shared, strict=True)]
        effects = {name: any(name in more for more in shared) for name in ("tokenize", "lower")}
        effects["tokenize"] |= bool(self.align)  # the aligner links the words
        if self.language is not None:
            by_language = splitting(metrics, _tokenizer(self.language), language=self.language)
            effects["language"] = bool(self.align) or by_language != metrics
            metrics = by_language
        for name, has_effect in effects.items():
            if getattr(self, name) and not has_effect:
                raise PreorderEvalError(
                    f"--{name} has no effect: the selected metrics set it themselves or do not "
                    "use it"
                )
        return [*metrics, *(given_metric(w, files) for w, files in by_metric(self.scores).items())]

    @property
    def tokenizer(self) -> str | None:
        """The tokenizer that options name; None for that of the texts' language."""
        return self.tokenize if self.language is None else _tokenizer(self.language)

    def given(self) -> dict[str, list[str]]:
        """Return the files of each input beside outputs and references, as they are written."""
        files: dict[str, list[str]] = {}
        for name in _FILES:
            value = getattr(self, name)
            listed = value if isinstance(value, tuple) else () if value is None else (value,)
            files[name] = list(map(str, listed))
        for text in self.further:
            name, equals, path = text.partition("=")
            if not (name and equals and path):
                raise PreorderEvalError(f"--input {text!r} is not NAME=FILE")
            if name in _OWN or name.startswith(SCORES):
                raise PreorderEvalError(f"--input {text}: give it as {option(name)}")
            files.setdefault(name, []).append(path)
        for written, paths in by_metric(self.scores).items():
            files[input_name(written)] = list(map(str, paths))
        return {name: paths for name, paths in files.items() if paths}

    def files(
        self,
        hyp: Sequence[Path],
        ref: Sequence[Path],
        systems: Sequence[str] | None = None,
        outputs: Sequence[str] = (),
    ) -> InputFiles:
        """Return the files of the options; those of outputs are found by the names of `systems`.

        Files of scores may have those of all `outputs`, whether they are among `hyp` or not.
        """
        more: dict[str, list[Path]] = {}
        for name, written in self.given().items():
            paths = list(map(Path, written))
            if name.startswith(SCORES):
                more[name] = paths
                continue
            if side(name) == "hyp":
                paths = output_files(written)
            if side(name) == "hyp" and systems is not None:
                paths = list(match_systems(systems, paths, option(name)).values())
            more[name] = paths
        return InputFiles(
            hyp,
            ref,
            more,
            self.base,
            self.direction,
            self.tagger,
            self.source_tagger,
            self.map_tags,
            self.map_source_tags,
            self.align,
            self.tokenizer,
            self.source_tokenize,
            [n for file in output_files(outputs) for n in (stem(file), *file.name.split("."))],
            option,
        )


def _tokenizer(language: str) -> Tokenize:
    """Return the tokenizer of --language. Raises PreorderEvalError for what is no language."""
    if not _LANGUAGE.fullmatch(language):
        raise PreorderEvalError(
            f"--language {language!r} is not the code of a language, such as ja"
        )
    return tokenizer_for(language)


def option(name: str) -> str:
    """Return what the command line calls an input.

    >>> option("hyp_tags"), option("hyp_confidence"), option("hyp_scores_COMET")
    ('--hyp-tags', '--input hyp_confidence=FILE', '--scores COMET=FILE')
    """
    if name.startswith(SCORES):
        return f"--scores {name.removeprefix(SCORES)}=FILE"
    return "--" + name.replace("_", "-") if name in _OWN else f"--input {name}=FILE"


def output_files(chosen: Sequence[str]) -> list[Path]:
    """Return the files that names, patterns and folders stand for, in order and each once."""
    outputs: dict[Path, None] = {}
    for name in chosen:
        path = Path(name)
        if path.is_dir():
            files = sorted(f for f in path.iterdir() if f.is_file() and f.name[0] != ".")
        elif path.exists() or not set("*?[") & set(name) or labelled_output(name)[0]:
            files = [path]
        else:
            files = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if not files:
            raise FormatError(
                "no such file", file=name, hint="quote patterns, and see where you are"
            )
        outputs |= dict.fromkeys(files)
    return list(outputs)


def match_systems(
    systems: Sequence[str], files: Sequence[Path], given_as: str = "--hyp"
) -> dict[str, Path]:
    """Return the file of each system, in their order.

    Raises PreorderEvalError, with what there is, for a system without a file or with two.
    """
    file_of: dict[str, Path] = {}
    for system in systems:
        matching = [file for file in files if is_called(file, system)]
        matching = matching or [file for file in files if is_part(file, system)]
        if len(matching) != 1:
            names = ", ".join(file.name for file in matching or files)
            what = ("output", "") if given_as == "--hyp" else ("file", f" for {given_as}")
            problem = f"{len(matching) or 'no'} {what[0]}{'s' * bool(matching)}{what[1]}"
            raise PreorderEvalError(
                f"judged system {system} has {problem} ({names}); name its file after it, or leave "
                f"it out with --without {system}"
            )
        file_of[system] = matching[0]
    return file_of


def is_called(file: Path, system: str) -> bool:
    """Return whether a system is a file's label or its name."""
    return system in (labelled_output(file)[0], file.name, file.stem, stem(file))


def is_part(file: Path, system: str) -> bool:
    """Return whether a file's name, or a part of it between dots, is a system's.

    >>> is_part(Path("news/output.NT5.en"), "NT5")
    True
    """
    return f".{system}." in f".{file.name}."
