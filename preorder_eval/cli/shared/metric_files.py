"""The options for the inputs of metrics of outputs, shared by `score`, `meta` and `tune`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.files.files import is_part, labelled_output, stem
from preorder_eval.base.text.languages import language_code
from preorder_eval.base.text.text_files import no_such_text
from preorder_eval.base.text.tokenization import tokenizer_for
from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.options import Trust
from preorder_eval.evaluation.other_scores import by_metric, given_metric, input_name
from preorder_eval.evaluation.reading import InputFiles, option
from preorder_eval.metrics import metric, shared_settings, splitting
from preorder_eval.metrics.base import Metric, parse_signature
from preorder_eval.metrics.needs import FILES, GIVEN_SCORES, side

_GROUP = "Inputs of metrics"
_INPUT = re.compile(r"(\w+)(\([^()]*\))?=(.+)", re.DOTALL)
_OF_SOURCE = "source="

_NAME = Option(metavar="NAME")
REF = Option(
    "References, one sentence per line. Repeatable, for several references of each sentence.",
    group="Systems",
)


@dataclass(frozen=True)
class MetricInputs:
    """Inputs of metrics besides outputs and references, and the tokenizer."""

    GROUP: ClassVar[str] = _GROUP

    tokenize: Annotated[
        str | None,
        _NAME,
        Option(
            "Tokenizer for metrics that do not set one: none (tokenised text), char, "
            "sacrebleu's 13a, intl, zh, ja-mecab, ko-mecab, or rouge_score.",
            shown="that of --language",
        ),
    ] = None
    language: Annotated[
        str | None,
        Option(
            "Language of the outputs, such as ja; selects the tokenizer: 13a, zh, ja-mecab, "
            "ko-mecab or characters.",
            metavar="CODE",
            shown="by the script of the references",
            beside="tokenize",
        ),
    ] = None
    lower: Annotated[bool, Option("Lower-case the text for metrics that do not set this.")] = False
    source: Annotated[
        Path | None, Option("Source, for lrscore, metrics of orders, and reports.")
    ] = None
    align: Annotated[
        str | None,
        _NAME,
        Option(
            "Align the source with outputs and references instead of reading links from files: "
            "agree, trained on the references and, for an output, also on that output; or ibm1."
        ),
    ] = None
    tagger: Annotated[
        tuple[str, ...],
        Option(
            "Parser that tags outputs and references, instead of reading tags from files; "
            "source=NAME tags the source.",
            metavar="[source=]NAME",
        ),
    ] = ()
    trust: Annotated[Trust, Option(group=_GROUP, needs="tagger")] = False
    input: Annotated[
        tuple[str, ...],
        Option(
            "Another input: one for each --hyp (a pattern or folder, named as --hyp), one for "
            "each --ref, or one in all. Repeatable. Settings are in brackets, as in "
            "'hyp_alignment(base=1)=FILE'. Names, including those that metrics of other "
            "packages need:\n" + "\n".join(f"{name}: {what}" for name, what in FILES.items()),
            metavar="NAME=FILE",
        ),
    ] = ()
    scores: Annotated[
        tuple[str, ...],
        Option(
            "Scores that another program gave to every segment and system, such as "
            "COMET=comet.json: a table (TSV), JSON lines, or the format of COMET, MetricX, "
            "BLEURT or mt-metrics-eval. 'NAME(better=lower)=FILE' if lower is better. "
            "Repeatable.",
            metavar="NAME=FILE",
            distinct=True,
        ),
    ] = ()

    def metrics(self, signatures: Sequence[str]) -> list[Metric]:
        """Return the metrics, each with the shared settings that it does not set itself.

        Metrics whose scores are given come last.
        """
        shared = [shared_settings(s, self.tokenize, self.lower) for s in signatures]
        metrics = [metric(s, **more) for s, more in zip(signatures, shared, strict=True)]
        effects = {name: any(name in more for more in shared) for name in ("tokenize", "lower")}
        effects["tokenize"] |= bool(self.align)  # the aligner links the words
        if self.language is not None:
            by_language = splitting(metrics, tokenizer_for(self.code), language=self.code)
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
        """The tokenizer that the options name; None for that of the texts' language."""
        return self.tokenize if self.language is None else tokenizer_for(self.code)

    @property
    def code(self) -> str:
        """The code of the language that is named. Raises PreorderEvalError if it is unknown."""
        return language_code(self.language) if self.language else ""

    @cached_property
    def inputs(self) -> InputFiles:
        """The files of all inputs beside outputs and references, as they are written."""
        files: dict[str, list[Path]] = {} if self.source is None else {"source": [self.source]}
        settings: dict[str, dict[str, str]] = {}
        for text in self.input:
            matched = _INPUT.fullmatch(text)
            if matched is None:
                raise PreorderEvalError(f"--input {text!r} is not NAME=FILE")
            name, written, path = matched.groups()
            if name in ("hyp", "ref") or name.startswith(GIVEN_SCORES):
                raise PreorderEvalError(f"--input {text}: give it as {option(name)}")
            _, chosen = parse_signature(f"{name}{written or ''}")
            if settings.setdefault(name, chosen) != chosen:
                raise PreorderEvalError(f"--input {text}: {name} was given other settings before")
            files.setdefault(name, []).append(Path(path))
        for written, paths in by_metric(self.scores).items():
            files[input_name(written)] = paths
        of_source = [t for t in self.tagger if t.startswith(_OF_SOURCE)]
        others = [t for t in self.tagger if t not in of_source]
        for named in (of_source, others):
            if len(named) > 1:
                raise PreorderEvalError(f"--tagger {named[1]}: --tagger {named[0]} is given, too")
        return InputFiles(
            (),
            more=files,
            settings={name: chosen for name, chosen in settings.items() if chosen},
            tagger="".join(others) or None,
            source_tagger="".join(of_source).removeprefix(_OF_SOURCE) or None,
            align=self.align,
            tokenize=self.tokenizer,
            language=self.code,
        )

    def files(
        self,
        hyp: Sequence[Path],
        ref: Sequence[Path],
        systems: Sequence[str] | None = None,
        outputs: Sequence[str] = (),
    ) -> InputFiles:
        """Return the input files; those of outputs are found by the names of the `systems`.

        Files of scores may have the scores of all `outputs`, even of outputs that are not in `hyp`.
        """
        more: dict[str, Sequence[Path]] = {}
        for name, paths in self.inputs.more.items():
            if side(name) == "hyp" and not name.startswith(GIVEN_SCORES):
                paths = output_files(list(map(str, paths)))
                if systems is not None:
                    paths = list(match_systems(systems, paths, option(name)).values())
            more[name] = paths
        others = [n for f in output_files(outputs) for n in (stem(f), *f.name.split("."))]
        return replace(self.inputs, hyp=hyp, ref=ref, more=more, passed_over=others)


def output_files(chosen: Sequence[str]) -> list[Path]:
    """Return the files that names, patterns and folders stand for, in order and each once."""
    outputs: dict[Path, None] = {}
    for name in chosen:
        path = Path(name)
        if path.is_dir():
            files = sorted(f for f in path.iterdir() if f.is_file() and f.name[0] != ".")
            if not files:
                raise FormatError("no file in this folder", file=name, hint="name the outputs")
        elif path.exists() or not set("*?[") & set(name) or labelled_output(name)[0]:
            files = [path]
        else:
            files = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if not files and " " in name:
            raise no_such_text(name)
        if not files:
            raise FormatError(
                "no such file", file=name, hint="quote patterns, and check the current folder"
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
                f"judged system {system} has {problem} ({names}); name its file after it, or "
                f"omit the system with --without {system}"
            )
        file_of[system] = matching[0]
    return file_of


def is_called(file: Path, system: str) -> bool:
    """Return whether a file's label, or its name with or without endings, is the system's name."""
    return system in (labelled_output(file)[0], file.name, file.stem, stem(file))
