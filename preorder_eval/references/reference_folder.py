"""Reference folders: source, translations and links of a reference set, as files.

The manual's page `reference-data` lists the files, `inputs` their formats. A line of free blocks is
such as `0-1|2-4|5`: the target tokens 0 and 1, 2 to 4, and 5 may stand in any order. A translation
after the first that leaves a sentence out has an empty line for it in each file.

A layer (`reference_files`) is named behind an @, as in `contrast@ko`. It holds the sentences for
which it has a line that is not empty. A split, `dev` or `test`, is named behind a slash, as in
`en-ja-web@second/test`. The default is `dev`, and `all` is the whole set. Splits are marked by
comments `# split = …` in `source.conllu`, or listed in `sentences.tsv`.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.base.files.files import file_hash, labelled, read_lines
from preorder_eval.base.files.writing import path_inside
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.resources import bundled, bundled_names
from preorder_eval.base.text.text_files import same_length, split_tokens
from preorder_eval.base.visible import quantity
from preorder_eval.orders.alignment_files import read_alignment_of
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.reference_orders import Block, alternatives
from preorder_eval.references.folder_changes import refuse_half_changed
from preorder_eval.references.reference_build import read_side, reference_from_files
from preorder_eval.references.reference_files import (
    SENTENCES_FILE,
    TranslationFiles,
    datasheet_entry,
    layers,
    read_listed,
    reference_files,
    target_languages,
)
from preorder_eval.references.reference_set import ReferenceSet, part_sentences
from preorder_eval.references.standoff import STANDOFF, joined_folder, stand_off
from preorder_eval.trees.treebank import comment_value

ANNOTATORS = ("first", "second")  # layers that `evaluate` scores systems by, too
_LOG = logging.getLogger(__name__)


def load_reference(name: str | Path) -> ReferenceSet:
    """Load a reference set by the name of a bundled one, or by the path of a folder.

    A split is named behind a slash, a layer before it behind an @. `label=folder` renames a folder,
    so that two of one name can be told apart. Raises UnknownNameError with the known names,
    FormatError for an error in a file, and PreorderEvalError for a label of a bundled set, and for
    a set of several target languages if none is named, as in `constructions@de`.

    >>> import preorder_eval as pe
    >>> pe.load_reference("en-ja-web/test").languages
    'en-ja'
    """
    label, path = labelled(name)
    folder, own, layer, split = _find(path)
    if label is not None and reference_folder(own) is not None:
        raise PreorderEvalError(
            f"bundled reference {own} cannot have another name; labels are for folders, not {name}"
        )
    own = f"{label or own}@{layer}" if layer else label or own
    if folder.parent == bundled("reference_data"):
        written = tuple(sorted((file.name, file.stat().st_mtime_ns) for file in folder.iterdir()))
        part = _read_bundled(folder, own, layer, split, written)
    else:
        part = _read(folder, own, layer, split)
    _refuse_several(folder, own, layer)  # last: it is no fault of a file
    _LOG.info("reference %s, %d sentences, from %s", part.name, len(part), folder)
    return part


def _read(folder: Path, name: str, layer: str, split: str | None) -> ReferenceSet:
    with joined_folder(folder, name, split) as place:
        return _part(*_whole(place, name, layer), split)


def _whole(place: Path, name: str, layer: str) -> tuple[ReferenceSet, list[str]]:
    """Read the sentences of all splits, with the split of each."""
    data = read_folder(place, name, layer)
    if not layer and set(ANNOTATORS) <= set(layers(place)):
        of_each = {who: read_folder(place, f"{name}@{who}", who) for who in ANNOTATORS}
        data = replace(data, annotators=of_each)
    return data, _splits(place, data)


@lru_cache(maxsize=32)
def _read_bundled(
    folder: Path, name: str, layer: str, split: str | None, written: tuple[tuple[str, int], ...]
) -> ReferenceSet:
    """Read a bundled set, once in a process unless its files were `written` since."""
    if (folder / STANDOFF).is_file():
        return _read(folder, name, layer, split)
    return _part(*_whole_bundled(folder, name, layer, written), split)


@lru_cache(maxsize=32)
def _whole_bundled(
    folder: Path, name: str, layer: str, written: tuple[tuple[str, int], ...]
) -> tuple[ReferenceSet, list[str]]:
    """Read the sentences of all splits of a bundled set, from which its parts are taken."""
    return _whole(folder, name, layer)


def in_language(name: str, languages: Iterable[str]) -> str:
    """Return the name of a set, with the target language if the set has several.

    The language is the one of `languages` in which the set has a translation. A set with one target
    language, and one whose layer is named, keeps its name. Raises PreorderEvalError unless there is
    just one such language.

    >>> in_language("constructions", ["ko"]), in_language("en-ja", ["ko"])
    ('constructions@ko', 'en-ja')
    """
    label, path = labelled(name)
    folder, own, layer, split = _find(path)
    there = target_languages(folder)
    if layer or len(there) < 2:
        return name
    common = sorted(set(languages).intersection(there))
    if len(common) != 1:
        _refuse_several(folder, own, layer)
    whole = path if split is None else path.removesuffix(f"/{split}")
    named = f"{whole}@{common[0]}" + (f"/{split}" if split is not None else "")
    return named if label is None else f"{label}={named}"


def _refuse_several(folder: Path, own: str, layer: str) -> None:
    """Raise PreorderEvalError if a set has several target languages and no layer names one."""
    there = target_languages(folder)
    if not layer and len(there) > 1:
        raise PreorderEvalError(
            f"{own} has several target languages ({', '.join(there)}); choose one: {own}@{there[0]}"
        )


def source_sentences(name: str) -> Sequence[Sequence[str]]:
    """Read only the source sentences of a set, which is quicker; see `load_reference`."""
    folder, own, _, split = _find(name)
    with joined_folder(folder, own, split) as place:
        source, trees = read_side(reference_files(place).source)
        data = ReferenceSet(own, source, Alignments.of([()] * len(source)), trees=trees)
        return _part(data, _splits(place, data), split).source


def read_folder(folder: Path, name: str, layer: str = "") -> ReferenceSet:
    """Read the whole reference set of a folder, or a layer of it; see `load_reference`.

    A sentence that the layer leaves out has no target words.
    """
    refuse_half_changed(folder)
    if (folder / STANDOFF).is_file():
        hint = (
            f"join the text: `preorder-eval reference build --standoff {folder} TREEBANK… "
            "--out NEW`"
        )
        raise FormatError("its text is not included", file=folder, hint=hint)
    files = reference_files(folder, layer)
    first = files.translations[0]
    if layer and first.target is not None:
        source, trees = read_side(files.source)
        target = _sparse_words(first.target, len(source))
        links = read_alignment_of(first.links, source, target, "pharaoh")
        data = ReferenceSet(name, source, links, target, trees)
    else:
        data = reference_from_files(files.source, first.links, first.target, name=name)
    pair = first.links.name.partition(".")[0]
    version = datasheet_entry(folder, "Version").partition(" ")[0].rstrip(".,;:")
    data = _with_alternatives(data, files.translations)
    read = [files.source, *files.lines, files.exceptions, folder / SENTENCES_FILE]
    there = [file for file in read if file is not None and file.is_file()]
    hashes = {file.name: data.hashes.get(file.name) or file_hash(file) for file in there}
    data = replace(data, languages=pair, version=version, hashes=hashes)
    if files.exceptions is None:
        return data
    return replace(data, exceptions=read_exceptions(files.exceptions, data))


def _sparse_words(target: Path, sentences: int) -> list[list[str]]:
    """Read the words of a translation, none for sentences that it leaves out."""
    lines = read_lines(target, blank=True)
    same_length("line", len(lines), target, "the source", sentences)
    return [split_tokens(line, target, n) if line else [] for n, line in enumerate(lines, 1)]


def exported(name: str) -> dict[str, str]:
    """Return the files of a stand-off folder of a whole set; see `stand_off`.

    Raises PreorderEvalError for a part or a layer.
    """
    folder, own, layer, split = _find(name)
    if layer or split is not None:
        raise PreorderEvalError(
            f"{name}: only a whole set can be exported, with its layers; give {own}"
        )
    data = read_folder(folder, own)
    return stand_off(folder, data.trees, _splits(folder, data))


def reference_folder(name: str | Path) -> Path | None:
    """Return the folder of a bundled set by its name; None for an unknown name."""
    return bundled_names("reference_data").get(str(name))


def reference_makers(name: str | Path) -> str:
    """Return the makers of a set, from the paragraph `**Who made it.**` of its datasheet.

    Empty if there is none.

    >>> reference_makers("en-ja").partition(":")[0]
    'A large language model'
    """
    folder, *_ = _find(labelled(name)[1])
    return datasheet_entry(folder, "Who made it")


def reference_names() -> list[str]:
    """Return the names of the bundled sets, with the target language if it is one of several."""
    bundled, of_layers = bundled_names("reference_data"), list[str]()
    for name, path in bundled.items():
        languages = target_languages(path)
        several = languages[:1] if len(languages) > 1 else []
        of_layers += [f"{name}@{layer}" for layer in [*several, *layers(path)]]
    alone = [name for name, path in bundled.items() if len(target_languages(path)) < 2]
    return [*alone, *of_layers]


def _find(name: str) -> tuple[Path, str, str, str | None]:
    """Return a set's folder and name, and the layer and the part that are asked for."""
    for rest, split in ((name, None), name.rsplit("/", 1) if "/" in name else (name, None)):
        before, _, layer = rest.rpartition("@")
        layered = [(before, layer)] if before and layer and "/" not in layer else []
        for whole, of_layer in ((rest, ""), *layered):
            folder = reference_folder(whole)
            own = whole if folder is not None else Path(whole).name
            if folder is None and whole and "\0" not in whole and Path(whole).is_dir():
                folder = Path(whole)
                for file in folder.iterdir():
                    path_inside(folder, file.name)  # no link of others leads out of their folder
            if folder is not None:
                return folder, own, of_layer, split
    raise UnknownNameError("reference set", name, reference_names(), "; or the path of a folder")


def _with_alternatives(
    data: ReferenceSet, translations: Sequence[TranslationFiles]
) -> ReferenceSet:
    """Return the set with all reference orders, where sentences have several."""
    if len(translations) == 1 and translations[0].free is None:
        return data
    lengths = sentence_lengths(data.source)
    read = [(data.alignments, _free(translations[0], sentence_lengths(data.target or [])))]
    for translation in translations[1:]:
        target = None
        if translation.target is not None:
            target = _sparse_words(translation.target, len(lengths))
        alignments = read_alignment_of(translation.links, data.source, target, "pharaoh")
        read.append((alignments, _free(translation, sentence_lengths(target or []))))
    several, cut = alternatives(lengths, read)
    return replace(data, alternatives=several, cut=tuple(cut), free=read[0][1] or None)


def _free(files: TranslationFiles, target_lengths: Sequence[int]) -> Sequence[Sequence[Block]]:
    if files.free is None:
        return ()
    if not target_lengths:
        raise FormatError("has free blocks for a translation that does not exist", file=files.free)
    return read_free_blocks(files.free, target_lengths)


def _splits(folder: Path, data: ReferenceSet) -> list[str]:
    """Return the split of each sentence, empty for none, from the list or the comments of trees."""
    listed = folder / SENTENCES_FILE
    if listed.is_file():
        splits = [split for _, split in read_listed(listed)]
        same_length("line", len(splits), listed, "the source", len(data))
        return splits
    comments = data.trees.comments if data.trees is not None else [()] * len(data)
    return [comment_value(lines, "split") or "" for lines in comments]


def _part(data: ReferenceSet, splits: Sequence[str], split: str | None) -> ReferenceSet:
    """Return the sentences of a split, or of a set without splits, that the layer does not omit."""
    name, sentences = part_sentences(data.name, splits, split)
    kept = [s for s in sentences if data.target is None or data.target[s]]
    if not kept:
        raise PreorderEvalError(f"reference {name} has no sentence")
    return replace(data, name=name) if len(kept) == len(data) else data.take(kept, name)


_STRETCH = r"[0-9]{1,9}(-[0-9]{1,9})?"
_BLOCK = re.compile(rf"{_STRETCH}(\|{_STRETCH})+")


def read_free_blocks(path: str | Path, target_lengths: Sequence[int]) -> list[list[Block]]:
    """Read the free blocks of every sentence.

    Raises FormatError, with the line, for a block that is malformed, whose spans are not adjacent,
    that overlaps another, or that reaches beyond the sentence.
    """
    lines = read_lines(path, blank=True)
    same_length("line", len(lines), path, "the translation", len(target_lengths))
    rows = enumerate(zip(lines, target_lengths, strict=True), 1)
    return [parse_free_blocks(line, length, path, number) for number, (line, length) in rows]


def read_exceptions(path: str | Path, data: ReferenceSet) -> list[list[Block]]:
    """Read for every sentence the blocks that are exceptions from the list of its language.

    Such a block is free although the list does not name it, or not free although it does. Raises
    FormatError, with the line, for a block without a reason, or of an unknown sentence.
    """
    target = data.target or []
    comments = data.trees.comments if data.trees is not None and target else ()
    ids = [comment_value(lines, "sent_id") for lines in comments]
    counts = Counter(ids)
    places = {name: s for s, name in enumerate(ids) if counts[name] == 1}
    blocks: list[list[Block]] = [[] for _ in range(len(data))]
    for number, line in enumerate(read_lines(path), 1):
        name, *rest = line.split("\t")
        if len(rest) != 2 or not rest[1].strip():
            hint = "write sent_id, block and reason, separated by tabs"
            raise FormatError("no exception with its reason", file=path, line=number, hint=hint)
        if name not in places:
            problem = f"{counts[name]} sentences" if counts[name] else "no sentence"
            raise FormatError(f"{problem} {name!r} to free", file=path, line=number)
        s = places[name]
        blocks[s] += parse_free_blocks(rest[0], len(target[s]), path, number)
    return blocks


def parse_free_blocks(
    line: str, length: int, file: str | Path, number: int | None = None
) -> list[Block]:
    """Read the free blocks of a sentence of `length` target tokens, line `number` of the file.

    A block may lie within one span of another: a clause may change places with the subject, and
    two adjuncts inside the clause with each other.

    >>> parse_free_blocks("0-2|3 0|1-2", 4, "en-ja.free")
    [((0, 0), (1, 2)), ((0, 2), (3, 3))]
    """
    blocks: list[Block] = []
    for text in line.split():
        defect = "does not have the form 0-1|2-4"
        if _BLOCK.fullmatch(text):
            ends = [stretch.split("-") for stretch in text.split("|")]
            block = tuple((int(first), int(last[0] if last else first)) for first, *last in ends)
            defect = _defect(block, blocks, length)
            blocks.append(block)
        if defect:
            raise FormatError(f"block {text[:40]!r} {defect}", file=file, line=number)
    return sorted(blocks)


def _defect(block: Block, others: Sequence[Block], length: int) -> str:
    if any(first > last for first, last in block):
        return "has a span that ends before it begins"
    if any(second[0] != first[1] + 1 for first, second in itertools.pairwise(block)):
        return "has spans that are not adjacent"
    if block[-1][1] >= length:
        return f"exceeds its sentence of {quantity(length, 'token')}"
    if not all(_apart(block, other) for other in others):
        return "overlaps another block, and is not inside one of its spans"
    return ""


def _apart(block: Block, other: Block) -> bool:
    """Return whether two blocks do not overlap, or one lies within one span of the other."""
    if block[-1][1] < other[0][0] or other[-1][1] < block[0][0]:
        return True
    return any(
        first <= inner[0][0] and inner[-1][1] <= last
        for inner, outer in ((block, other), (other, block))
        for first, last in outer
    )


def format_free_blocks(blocks: Sequence[Block]) -> str:
    """Write the free blocks of a sentence.

    >>> format_free_blocks([((0, 1), (2, 2)), ((3, 3), (4, 5))])
    '0-1|2 3|4-5'
    """
    ends = [
        [f"{first}-{last}" if first < last else str(first) for first, last in block]
        for block in blocks
    ]
    return " ".join(map("|".join, ends))
