"""Inputs of metrics from files: read, or made by a tagger or an aligner, and checked.

Tags can be made by a parser (`tagger`), links with the source by an aligner (`align`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, get_args

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError, argument
from preorder_eval.base.files.files import file_hash, labelled_output, stem
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.text.languages import check_script
from preorder_eval.base.text.text_files import read_text, same_length
from preorder_eval.base.text.tokenization import (
    TokenLists,
    split_at_spaces,
    tokenizer,
    tokenizer_of,
)
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.inputs import Inputs, Texts
from preorder_eval.evaluation.other_scores import read_scores
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.needs import FILES, GIVEN_SCORES, KNOWN, LINKED, MADE_OF, side
from preorder_eval.orders.align import align
from preorder_eval.orders.aligners import DEFAULT_ALIGNER, STEPS
from preorder_eval.orders.alignment_files import Direction, read_alignment_of
from preorder_eval.orders.alignments import Alignments
from preorder_eval.trees.tag_maps import map_lines, tag_map
from preorder_eval.trees.tags import format_tagged, parts_of_speech, phrase_categories

# What has an option of its own on the command line; all other inputs are --input NAME=FILE.
_OWN = ("hyp", "ref", "source", "align", "tagger")
_TAGS = ("hyp_tags", "ref_tags")
_SOURCE_TAGS = "source_tags"
_LINKS = ("hyp_alignment", "ref_alignment")
_MAKERS = {"tagger": _TAGS, "source_tagger": (_SOURCE_TAGS,), "align": _LINKS}
# The settings of inputs, and their values where these are few.
_SETTINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "source": {"tokenize": ()},
    **{name: {"map": ()} for name in (*_TAGS, _SOURCE_TAGS)},
    **{name: {"base": ("0", "1"), "direction": get_args(Direction)} for name in LINKED},
}


@dataclass(frozen=True)
class InputFiles:
    """The files of outputs (`hyp`), of references and of further inputs, and how to read them.

    `more` has the files of further inputs, by their names in `preorder_eval.metrics.needs` or
    those that another package's metric needs: a file for each output, one for each reference, or
    one.

    `settings` state how they are read: `base` and `direction` of links; `map` of tags, one or
    several maps to universal tags, joined by +; `tokenize` of the source. If one kind of tags is
    made by a parser and `map` is set for another, those of the parser are mapped by `ud`.

    `tagger` and `source_tagger` are names of parsers, and `align` is that of an aligner. It links
    the words that `tokenize` splits off, by default those of the languages' tokenizers. References
    in another script than that of `language` are refused. Texts with files of links or tags must be
    tokenised already. Files of scores may also have scores of the systems `passed_over`.
    """

    hyp: Sequence[Path]
    ref: Sequence[Path] = ()
    more: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tagger: str | None = None
    source_tagger: str | None = None
    align: str | None = None
    tokenize: str | None = None
    language: str = ""
    passed_over: Sequence[str] = ()

    def check(self, metrics: Sequence[Metric]) -> None:
        """Raise PreorderEvalError if an input of the metrics is missing, too few or superfluous.

        The source is an exception: it is kept for people who look at the outputs, even if no metric
        needs it.
        """
        given = {"hyp": self.hyp, "ref": self.ref, **self.more}
        files = {name: paths for name, paths in given.items() if paths}
        for name, maker in self.made.items():
            if name in files:
                raise PreorderEvalError(f"give only one of {option(maker)} and {option(name)}")
        for metric in metrics:
            self._check_needs(metric, files)
        # Outputs are needed always: they are what the systems are told apart by.
        needed = {"hyp", "source", *(part for metric in metrics for part in _parts(metric))}
        for name in files:
            if name not in {*needed, *KNOWN} and not name.startswith(GIVEN_SCORES):
                known = {*FILES, *needed} - {"hyp", "ref"}
                raise UnknownNameError("input", name, known, "; none of the metrics needs it")
            if name not in needed:
                raise PreorderEvalError(f"{option(name)}: none of the metrics needs it")
            legal = _SETTINGS.get(name, {})
            for key, value in self.settings.get(name, {}).items():
                if key not in legal:
                    raise UnknownNameError(f"setting of {name}", key, legal)
                if legal[key] and value not in legal[key]:
                    raise UnknownNameError(f"{key} of {name}", value, legal[key])
        for maker, names in _MAKERS.items():
            if getattr(self, maker) and not needed & set(names):
                raise PreorderEvalError(f"{option(maker)}: none of the metrics needs it")
        if "source" in self.settings and not (self.align or self.source_tagger):
            raise PreorderEvalError(f"tokenize of the source needs {option('align')}")
        for name, chosen in files.items():
            of = side(name)
            wanted = {"hyp": len(self.hyp), "ref": len(self.ref), "source": 1}[of]
            # Scores of all systems may be in one file.
            if len(chosen) != wanted and not name.startswith(GIVEN_SCORES):
                raise PreorderEvalError(
                    f"{len(chosen)} {option(name)}, but {wanted} {option(of)}; "
                    "give one for each, in the same order"
                )

    @property
    def made(self) -> dict[str, str]:
        """The inputs made by a tagger or aligner, each with the option that names this tool."""
        return {
            name: maker
            for maker, names in _MAKERS.items()
            for name in names
            if getattr(self, maker)
        }

    def _check_needs(self, metric: Metric, files: Collection[str]) -> None:
        makers = self.made
        lacking = [part for part in _parts(metric) if part not in files and part not in makers]
        if _SOURCE_TAGS in metric.needs and _SOURCE_TAGS in makers and "source" not in files:
            lacking.append("source")
        tokenize = metric.tokenize
        if lacking:
            instead = ""
            if set(lacking) <= set(_TAGS):
                instead = f", or {option('tagger')}"
            if _SOURCE_TAGS in lacking:
                instead = ", or taggers"
            if set(lacking) & set(_LINKS):
                instead = f"; or {option('source')} and {option('align')} {DEFAULT_ALIGNER}"
            named = " and ".join(map(option, lacking))
            raise PreorderEvalError(f"metric {_short(metric)} needs {named}{instead}")
        if tokenize not in ("auto", "none"):
            if self.tagger and set(_TAGS) & set(metric.needs):
                raise PreorderEvalError(
                    f"metric {_short(metric)}: {option('tagger')} tags the words between spaces; "
                    "omit tokenize"
                )
            if set(_LINKS) & set(metric.needs) and not self.align:
                raise PreorderEvalError(
                    f"metric {metric.name}: tokenize={tokenize} would split words that are "
                    "aligned; set tokenize= for the other metrics only"
                )

    def read(
        self,
        metrics: Sequence[Metric],
        names: Sequence[str] | None = None,
        progress: Progress = no_progress,
    ) -> Inputs:
        """Read everything, and check that it fits the metrics and each other.

        `names` are those of the systems, by default those of the files of outputs. Raises
        PreorderEvalError and FormatError, with file and line, for what does not fit.
        """
        self.check(metrics)
        outputs, references = read_texts(self.hyp, names), read_texts(self.ref)
        check_lengths([*outputs, *references])
        if self.language:
            for text in references:
                check_script(self.language, text.sentences)
        shared, of_systems, source_tokenize = self._read_more(outputs, references)
        made_by: dict[str, Any] = {
            name: [{"file": str(file), "sha256": file_hash(file)} for file in files]
            for name, files in self.more.items()
            if files
        }
        if self.align:
            tokenize = self.tokenize or tokenizer_of(references[0].sentences)
            _check_split(metrics, tokenize)
            made_by["align"] = {
                "aligner": self.align,
                "tokenize": tokenize,
                "source_tokenize": source_tokenize,
            }
            split = tokenizer(tokenize)
            hyp_words, ref_words = (
                [list(map(split, text.sentences)) for text in texts]
                for texts in (outputs, references)
            )
            of_systems["hyp_alignment"], shared["ref_alignment"] = aligned(
                self.align, shared["source"], hyp_words, ref_words, progress
            )
        in_phrases = any(_SOURCE_TAGS in metric.needs for metric in metrics)
        made_by |= self._make_tags(outputs, references, shared, of_systems, progress, in_phrases)
        systems = [
            System(
                text.name,
                hyp=text.sentences,
                made_by=text.made_by,
                inputs={name: values[number] for name, values in of_systems.items()},
            )
            for number, text in enumerate(outputs)
        ]
        inputs = Inputs(tuple(systems), None, tuple(references), shared, made_by)
        if not self.tagger:
            self._check_tags(inputs, metrics)
        return inputs

    def _make_tags(
        self,
        outputs: Sequence[Texts],
        references: Sequence[Texts],
        shared: dict[str, Any],
        of_systems: dict[str, list[Any]],
        progress: Progress,
        in_phrases: bool,
    ) -> dict[str, dict[str, str]]:
        """Add the tags that parsers give, and return which parsers they are."""
        made_by = {}
        if self.tagger:
            texts = [text.sentences for text in (*outputs, *references)]
            tags, made_by["tagger"] = tagged(self.tagger, texts, progress, in_phrases=in_phrases)
            of_systems["hyp_tags"] = self._mapped("hyp_tags", tags[: len(outputs)])
            if references:
                shared["ref_tags"] = self._mapped("ref_tags", tags[len(outputs) :])
        if self.source_tagger:
            words = list(map(" ".join, shared["source"]))
            tags, made_by["source_tagger"] = tagged(
                self.source_tagger, [words], progress, in_phrases=in_phrases
            )
            [shared[_SOURCE_TAGS]] = self._mapped(_SOURCE_TAGS, tags)
        return made_by

    def _check_tags(self, inputs: Inputs, metrics: Sequence[Metric]) -> None:
        """Raise FormatError unless there is a tag for every word, where a metric counts both."""
        both = [metric for metric in metrics if {"hyp", "hyp_tags"} <= set(metric.needs)]
        if not both:
            return
        tokenizers = sorted({metric.splitting("none").tokenize for metric in both})
        sides = [(system.hyp or (), system.inputs["hyp_tags"]) for system in inputs.systems]
        files = list(zip(self.more["hyp_tags"], self.hyp, strict=True))
        if "ref_tags" in inputs.shared:
            ref_tags = inputs.shared["ref_tags"]
            sides += zip([text.sentences for text in inputs.references], ref_tags, strict=True)
            files += zip(self.more["ref_tags"], self.ref, strict=True)
        for name, ((sentences, tags), (file, text)) in product(
            tokenizers, zip(sides, files, strict=True)
        ):
            split = split_at_spaces if name in ("none", "auto") else tokenizer(name)
            for number, (line, tag_line) in enumerate(zip(sentences, tags, strict=True), 1):
                tag_count, word_count = len(parts_of_speech(tag_line)), len(split(line))
                if tag_count != word_count:
                    raise FormatError(
                        f"{quantity(tag_count, 'tag')}, but the sentence in {text} has "
                        f"{quantity(word_count, 'word')} (tokenize={name})",
                        file=file,
                        line=number,
                        hint="every word needs a tag",
                    )

    def _read_more(
        self, outputs: Sequence[Texts], references: Sequence[Texts]
    ) -> tuple[dict[str, Any], dict[str, list[Any]], str]:
        """Return the inputs of all systems and of each, and the tokenizer of a raw source."""
        shared: dict[str, Any] = {}
        source_tokenize = self.settings.get("source", {}).get("tokenize", "")
        of_systems: dict[str, list[Any]] = {}
        # The source comes first: links are checked against it.
        for name in sorted(self.more, key=lambda name: name != "source"):
            files, values = self.more[name], list[Any]()
            if name.startswith(GIVEN_SCORES):
                systems = {text.name: str(text.made_by["file"]) for text in outputs}
                size = len(outputs[0].sentences)
                written = name.removeprefix(GIVEN_SCORES)
                values += read_scores(written, files, systems, size, self.passed_over)
            elif name in _LINKS and files:
                other = outputs if name == "hyp_alignment" else references
                values += self._alignments(name, other, shared["source"])
            elif files:
                texts = read_texts(files)
                check_lengths([outputs[0], *texts])
                values = self._mapped(name, [list(text.sentences) for text in texts])
            if name == "source" and values:
                if self.align and not source_tokenize:
                    source_tokenize = tokenizer_of(values[0])
                split = tokenizer(source_tokenize) if source_tokenize else split_at_spaces
                values = [list(map(split, values[0]))]
            if values and side(name) == "hyp":
                of_systems[name] = values
            elif values:
                shared[name] = values if side(name) == "ref" else values[0]
        return shared, of_systems, source_tokenize

    def _mapped(self, name: str, texts: Sequence[list[str]]) -> list[list[str]]:
        """Return lines of each file, tags as universal ones if there are maps."""
        if name not in (*_TAGS, _SOURCE_TAGS):
            return list(texts)
        made = name not in self.more and any("map" in chosen for chosen in self.settings.values())
        written = self.settings.get(name, {}).get("map", "ud" if made else "")
        maps = [tag_map(part) for part in written.split("+") if part]
        files = self.more.get(name) or [Path(option("tagger"))] * len(texts)
        return [map_lines(text, maps, file) for text, file in zip(texts, files, strict=True)]

    def _alignments(
        self, name: str, texts: Sequence[Texts], source: Sequence[Sequence[str]]
    ) -> list[Alignments]:
        how: dict[str, Any] = {**self.settings.get(name, {})}
        if "base" in how:
            how["base"] = int(how["base"])
        alignments = []
        for file, text in zip(self.more[name], texts, strict=True):
            words = list(map(split_at_spaces, text.sentences))
            alignments.append(read_alignment_of(file, source, words, **how))
        return alignments


def option(name: str) -> str:
    """Return the option by which a file of an input is given on the command line.

    >>> option("source_tagger"), option("hyp_tags"), option("hyp_scores_COMET")
    ('--tagger source=NAME', '--input hyp_tags=FILE', '--scores COMET=FILE')
    """
    if name.startswith(GIVEN_SCORES):
        return f"--scores {name.removeprefix(GIVEN_SCORES)}=FILE"
    if name == "source_tagger":
        return "--tagger source=NAME"
    return f"--{name}" if name in _OWN else f"--input {name}=FILE"


def _parts(metric: Metric) -> list[str]:
    """Return the files for a metric: the inputs that it needs, or the files to make them from.

    Reference orders, for example, are made of links and the source.
    """
    parts: dict[str, None] = {}
    for name in metric.needs:
        for part in MADE_OF.get(name, (name,)):
            words = ["source"] if part in _LINKS else []
            parts |= dict.fromkeys([*words, *(["ref"] if side(part) == "ref" else []), part])
    return list(parts)


def _short(metric: Metric) -> str:
    """Return a metric's name, with its parameters if they are not the usual ones."""
    usual = None if metric.required() else type(metric)()
    return metric.name if metric == usual else str(metric)


def read_texts(files: Sequence[Path], names: Sequence[str] | None = None) -> list[Texts]:
    """Return the text of each file, one sentence a line, under a name that no other has.

    The names are `names`, or else the labels of the files (`label=path`), or else their file names.
    """
    given = list(map(labelled_output, files))
    if names is None:
        names = [label or ("stdin" if str(file) == "-" else stem(file)) for label, file in given]
        if len(set(names)) < len(names):
            names = [label or str(file) for label, file in given]
    texts = []
    for name, (_, file) in zip(names, given, strict=True):
        sentences = read_text(file)
        if not sentences:
            raise FormatError("is empty", file=file, hint="at least one line is needed")
        texts.append(Texts(name, sentences, {"file": str(file), "sha256": file_hash(file)}))
    return texts


def check_lengths(texts: Sequence[Texts]) -> None:
    """Raise FormatError unless all texts have as many sentences as the first."""
    first = texts[0]
    for other in texts[1:]:
        file, count = other.made_by["file"], len(other.sentences)
        same_length("sentence", count, file, first.made_by["file"], len(first.sentences))


def _check_split(metrics: Sequence[Metric], tokenize: str) -> None:
    """Raise PreorderEvalError unless metrics of aligned words split them as the aligner does."""
    for metric in metrics:
        if LINKED & {*metric.needs} and metric.tokenize not in ("auto", tokenize):
            raise PreorderEvalError(
                f"metric {metric.name}: tokenize={metric.tokenize}, but words are aligned with "
                f"{tokenize}; omit it, or set {argument('tokenize=…')} for all"
            )


def aligned(
    name: str,
    source: TokenLists,
    outputs: Sequence[TokenLists],
    references: Sequence[TokenLists],
    progress: Progress,
) -> tuple[list[Alignments], list[Alignments]]:
    """Return links of the source with the words of each output, and of each reference.

    Those of an output are learned from it and the references alone, so that no system's links
    depend on what else is scored.
    """
    size = len(source)
    texts = [words for text in references for words in text]
    sources = list(source) * len(references)
    with progress(f"training {name}", STEPS * (len(outputs) + 1)) as advance:
        links = align(sources, texts, name, advance=advance)
        of_outputs = [
            align(source, words, name, extra=(sources, texts), advance=advance) for words in outputs
        ]
    parts = range(0, len(sources), size)
    return of_outputs, [links.part(first, first + size) for first in parts]


def tagged(
    name: str, texts: Sequence[Sequence[str]], progress: Progress, *, in_phrases: bool = False
) -> tuple[list[list[str]], dict[str, str]]:
    """Return the universal part-of-speech tags of each text's words, and the parser's identity.

    With `in_phrases` each tag comes with the phrase that its word stands in, by the parser's tree
    (`phrase_categories`). Raises PreorderEvalError for a parser that gives no tags.
    """
    from preorder_eval.parsers.load_parser import find_parser  # for tags alone

    tagger = find_parser(name)
    # Parsers refuse a sentence without words; it has no tags.
    filled = [words for text in texts for line in text if (words := split_at_spaces(line))]
    with progress(f"tagging with {tagger.identity.name}", len(filled)) as advance:
        trees = tagger.parse(filled, advance=advance)
    if len(trees) and not set(trees.upos.names) - {"_", ""}:
        raise PreorderEvalError(f"tagger {name} assigns no part-of-speech tags")
    of_filled = iter(
        [
            format_tagged(zip(tree.upos, phrase_categories(tree), strict=True))
            if in_phrases
            else " ".join(tree.upos)
            for tree in trees
        ]
    )
    tags = [[next(of_filled) if split_at_spaces(line) else "" for line in text] for text in texts]
    return tags, asdict(tagger.identity)
