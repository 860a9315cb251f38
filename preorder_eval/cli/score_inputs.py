"""What the options of `score` stand for: texts, alignments and tags that fit each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from preorder_eval.data.alignments import Alignments
    from preorder_eval.formats.alignment import Direction
    from preorder_eval.results.scoring import Texts
    from preorder_eval.results.scoring_inputs import Inputs, OutputMetric

Files = Sequence[Path]


def read_texts(files: Files) -> list[Texts]:
    """One text for each line of each file, under names that tell the files apart."""
    from preorder_eval.errors import FormatError
    from preorder_eval.formats.text import file_hash, read_lines
    from preorder_eval.results.scoring import Texts

    names = [file.stem for file in files]
    if len(set(names)) < len(names):
        names = list(map(str, files))
    found = []
    for name, file in zip(names, files, strict=True):
        sentences = read_lines(file, blank=True)
        if not sentences:
            raise FormatError("is empty", file=file, mend="it needs at least one line")
        found.append(Texts(name, sentences, {"file": str(file), "sha256": file_hash(file)}))
    return found


def check_lengths(texts: Sequence[Texts]) -> None:
    """Raise FormatError unless all texts have as many sentences as the first."""
    from preorder_eval.formats.text import same_length

    first = texts[0]
    for other in texts[1:]:
        file, count = other.made_by["file"], len(other.sentences)
        same_length("sentences", count, file, first.made_by["file"], len(first.sentences))


def check_options(
    metrics: Sequence[OutputMetric],
    hyp: Files,
    ref: Files,
    files: Mapping[str, Files],
    tagger: str | None,
    out: Path | None,
) -> None:
    """Raise PreorderEvalError unless just what the metrics need is given, and often enough.

    `files` are those of every field of `Inputs`.
    """
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.metrics.shared.lepor_base import LeporMetric
    from preorder_eval.results.scoring_inputs import counts_tags, needs, option, require

    tagged = ["hyp_tags", "ref_tags"]
    given = [name for name, chosen in {"ref": ref, **files}.items() if chosen]
    by_tags = [m for m in metrics if isinstance(m, LeporMetric) and counts_tags(m)]
    for name in (name for name in tagged if tagger and name in given):
        raise PreorderEvalError(f"choose one of --tagger and {option(name)}")
    if tagger and not by_tags:
        raise PreorderEvalError(
            "--tagger: no metric counts words and their tags, such as 'hlepor(mix=1:9)'"
        )
    for measure in by_tags:
        if tagger and measure.tokenize != "none":
            raise PreorderEvalError(
                f"metric {measure}: --tagger tags the words between spaces; leave out tokenize"
            )
    require(by_tags, [*given, *tagged] if tagger else given)
    require([measure for measure in metrics if measure not in by_tags], given)
    needed = {name: measure for measure in metrics for name in needs(measure)}
    for name in given:
        if name not in needed:
            raise PreorderEvalError(f"{option(name)}: none of the metrics needs it")
    for name, chosen in files.items():
        side = "ref" if name.startswith("ref") else "hyp"
        wanted = len(ref if side == "ref" else hyp)
        if chosen and not name.startswith("source") and len(chosen) != wanted:
            raise PreorderEvalError(
                f"{len(chosen)} {option(name)}, but {wanted} --{side}; "
                "give one for each, in the same order"
            )
    for name in [name for name in needed if name != "ref"][:1]:
        if out is not None:
            raise PreorderEvalError(
                f"--out: a run folder does not keep {option(name)}, which {needed[name]} needs; "
                "leave out --out or the metric"
            )


def read_inputs(
    outputs: Sequence[Texts],
    references: Sequence[Texts],
    metrics: Sequence[OutputMetric],
    files: Mapping[str, Files],
    tagger: str | None,
    numbering: tuple[int | None, Direction],
) -> Inputs:
    """Read what the metrics need beside outputs and references, and check that it fits them.

    `files` are those of fields of `Inputs`; one without files may be left out. `numbering` is the
    base and the direction of the alignments, as in `read_alignment`.
    """
    from preorder_eval.formats.text import file_hash
    from preorder_eval.results.scoring_inputs import Inputs

    made_by: dict[str, Any] = {
        name: [{"file": str(file), "sha256": file_hash(file)} for file in chosen]
        for name, chosen in files.items()
        if chosen
    }
    source = [_words(text) for text in _fitting(files.get("source", ()), outputs)]
    tags = {
        name: _fitting(files.get(name, ()), outputs)
        for name in ("hyp_tags", "ref_tags", "source_tags")
    }
    tagged = {"hyp_tags": outputs, "ref_tags": references}
    if tagger is not None:
        sides, made_by["tagger"] = _tag(tagger, [*outputs, *references])
        hyp_tags, ref_tags = sides[: len(outputs)], sides[len(outputs) :]
    else:
        for name, texts in tagged.items():
            _check_tags(tags[name], texts, metrics)
        hyp_tags, ref_tags = _sentences(tags["hyp_tags"]), _sentences(tags["ref_tags"])
    words = source[0] if source else []
    return Inputs(
        source=words,
        hyp_alignment=_alignments(files.get("hyp_alignment", ()), outputs, words, numbering),
        ref_alignment=_alignments(files.get("ref_alignment", ()), references, words, numbering),
        hyp_tags=hyp_tags,
        ref_tags=ref_tags,
        source_tags=_sentences(tags["source_tags"]),
        made_by=made_by,
    )


def _fitting(files: Files, outputs: Sequence[Texts]) -> list[Texts]:
    """The texts of files, which must have as many sentences as the outputs."""
    texts = read_texts(files)
    check_lengths([outputs[0], *texts])
    return texts


def _sentences(texts: Sequence[Texts]) -> list[list[str]]:
    return [text.sentences for text in texts]


def _words(text: Texts) -> list[list[str]]:
    from preorder_eval.data.segments import tokenizer

    return list(map(tokenizer("none"), text.sentences))


def _alignments(
    files: Files,
    texts: Sequence[Texts],
    source: Sequence[Sequence[str]],
    numbering: tuple[int | None, Direction],
) -> list[Alignments]:
    """The links of the source with each of the texts."""
    from preorder_eval.formats.alignment import read_bitext
    from preorder_eval.formats.links import Side

    if not files:
        return []
    base, direction = numbering
    found = []
    for file, text in zip(files, texts, strict=True):
        sides = Side.of(source), Side.of(_words(text))
        found.append(read_bitext(file, *sides, base=base, direction=direction).alignments)
    return found


def _check_tags(
    tags: Sequence[Texts], texts: Sequence[Texts], metrics: Sequence[OutputMetric]
) -> None:
    """Raise FormatError unless there is a tag for every word, where a metric counts both."""
    from preorder_eval.data.segments import tokenizer
    from preorder_eval.errors import FormatError
    from preorder_eval.metrics.shared.lepor_base import LeporMetric
    from preorder_eval.results.scoring_inputs import counts_tags

    split_tags = tokenizer("none")
    mixed = [m for m in metrics if isinstance(m, LeporMetric) and counts_tags(m)]
    for name in sorted({measure.tokenize for measure in mixed}):
        split = tokenizer(name)
        for own, text in zip(tags, texts, strict=True):
            for number, (line, sentence) in enumerate(
                zip(own.sentences, text.sentences, strict=True), 1
            ):
                given, wanted = len(split_tags(line)), len(split(sentence))
                if given != wanted:
                    raise FormatError(
                        f"{given} tags, but the sentence of {text.made_by['file']} has {wanted} "
                        f"words (tokenize={name})",
                        file=own.made_by["file"],
                        line=number,
                        mend="there must be a tag for every word",
                    )


def _tag(name: str, texts: Sequence[Texts]) -> tuple[list[list[str]], dict[str, str]]:
    """The universal part-of-speech tags of each text's words, and the tagger's identity."""
    from dataclasses import asdict

    from preorder_eval.cli.inputs import find_parser
    from preorder_eval.cli.progress import progress
    from preorder_eval.errors import PreorderEvalError

    tagger = find_parser(name)
    # Parsers refuse a sentence without words; it has no tags.
    sentences = [sentence for text in texts for sentence in _words(text)]
    filled = [sentence for sentence in sentences if sentence]
    with progress(f"tagging with {tagger.identity.name}", len(filled)) as advance:
        trees = tagger.parse(filled, advance=advance)
    tags = [" ".join(tree.upos) for tree in trees]
    if tags and not set("".join(tags)) - set("_ "):
        raise PreorderEvalError(f"--tagger {name} gives no part-of-speech tags")
    found = iter(tags)
    tagged = iter([next(found) if sentence else "" for sentence in sentences])
    sides = [[next(tagged) for _ in text.sentences] for text in texts]
    return sides, asdict(tagger.identity)
