"""Files of one sentence a line: texts, and tags that must fit their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from preorder_eval.data.tags import parts_of_speech
from preorder_eval.data.tokenization import tokenizer
from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import is_conllu
from preorder_eval.formats.files import file_hash, labelled_output, stem, text_hash
from preorder_eval.formats.text import read_text, same_length
from preorder_eval.results.inputs import Texts


def read_texts(files: Sequence[Path], names: Sequence[str] | None = None) -> list[Texts]:
    """One text for each line of each file, under names that tell the files apart.

    These are `names`, else the labels of the files (`label=path`), else their own names.
    """
    given = list(map(labelled_output, files))
    if names is None:
        names = [label or ("stdin" if str(file) == "-" else stem(file)) for label, file in given]
        if len(set(names)) < len(names):
            names = [label or str(file) for label, file in given]
    texts = []
    for name, (_, file) in zip(names, given, strict=True):
        if is_conllu(file):
            mend = "give the sentences as text, one a line"
            raise FormatError("is CoNLL-U, of trees", file=file, mend=mend)
        sentences = read_text(file)
        if not sentences:
            raise FormatError("is empty", file=file, mend="it needs at least one line")
        piped = str(file) == "-"  # which cannot be read twice
        made_by = text_hash(sentences.text.tobytes().decode()) if piped else file_hash(file)
        texts.append(Texts(name, sentences, {"file": str(file), "sha256": made_by}))
    return texts


def check_lengths(texts: Sequence[Texts]) -> None:
    """Raise FormatError unless all texts have as many sentences as the first."""
    first = texts[0]
    for other in texts[1:]:
        file, count = other.made_by["file"], len(other.sentences)
        same_length("sentence", count, file, first.made_by["file"], len(first.sentences))


def check_tags(
    sides: Iterable[tuple[Sequence[str], Sequence[str]]],
    files: Sequence[tuple[Path, Path]],
    tokenizers: Iterable[str],
) -> None:
    """Raise FormatError unless there is a tag for every word.

    Parameters: `sides` are sentences with their lines of tags, `files` the file of the tags and
    that of the sentences for each of them, `tokenizers` how metrics split the sentences.
    """
    kept = list(sides)
    for name in sorted(set(tokenizers)):
        split = tokenizer(name)
        for (sentences, tags), (file, text) in zip(kept, files, strict=True):
            for number, (line, tag_line) in enumerate(zip(sentences, tags, strict=True), 1):
                tag_count, word_count = len(parts_of_speech(tag_line)), len(split(line))
                if tag_count != word_count:
                    raise FormatError(
                        f"{tag_count} tags, but the sentence of {text} has {word_count} words "
                        f"(tokenize={name})",
                        file=file,
                        line=number,
                        mend="there must be a tag for every word",
                    )
