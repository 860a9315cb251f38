"""Tags of a treebank or tagger, mapped to universal ones.

Tag sequences of two languages can be compared if both have the same tagset: the 12 parts of speech
of Petrov et al. (2012), or the 9 categories of phrases of Han (2014, Appendix A). The maps are in
`tag_maps.toml`, each with a name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.trees.tags import format_tagged, is_tree, tagged_words

_WORDS = "part-of-speech"
_PHRASES = "phrase"


@dataclass(frozen=True)
class TagMap:
    """The universal tag of every tag of a treebank or tagger.

    `kind` is "part-of-speech" or "phrase". Called with a tag, it returns the universal one.

    >>> tag_map("english-penn")("NNS"), tag_map("french")("VPpart")
    ('NOUN', 'VP')
    """

    name: str
    kind: str
    universal: Mapping[str, str]

    def __call__(self, tag: str) -> str:
        if tag not in self.universal:
            raise UnknownNameError(f"{self.kind} tag of {self.name}", tag, self.universal)
        return self.universal[tag]


@cache
def tag_maps() -> dict[str, TagMap]:
    """Return all maps by their names."""
    kinds = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {
        name: TagMap(name, kind, {tag: to for to, tags in listed.items() for tag in tags.split()})
        for kind in (_WORDS, _PHRASES)
        for name, listed in kinds[kind].items()
    }


def tag_map(name: str) -> TagMap:
    """Return a map by its name; UnknownNameError, with all names, for another."""
    if name not in tag_maps():
        raise UnknownNameError("map of tags", name, tag_maps())
    return tag_maps()[name]


def mapped(line: str, maps: Sequence[TagMap]) -> str:
    """Return a line of tags in universal ones; of a tree, each word's part of speech and phrase.

    Raises PreorderEvalError for a tag that a map lacks, for brackets that are not closed, and for
    several maps with a line that has only one kind of tags.

    >>> mapped("(S (NP (PRP It)) (VP (VBZ is)))", [tag_map("english-penn")])
    '(NP (PRON _)) (VP (VERB _))'
    """
    if not is_tree(line):
        if len(maps) > 1:
            names = " and ".join(chosen.name for chosen in maps)
            raise PreorderEvalError(f"the tags are not trees, so {names} cannot be combined")
        return " ".join(chosen(tag) for chosen in maps for tag in line.split(" ") if tag) or line
    by_kind = {chosen.kind: chosen for chosen in maps}
    of_words, of_phrases = by_kind.get(_WORDS, str), by_kind.get(_PHRASES, str)
    return format_tagged([(of_words(t), of_phrases(p)) for t, p in tagged_words(line)])


def map_lines(lines: Sequence[str], maps: Sequence[TagMap], file: Path) -> list[str]:
    """Map the lines of a file of tags; FormatError, with the line, where `mapped` fails."""
    universal = []
    for number, line in enumerate(lines, 1):
        try:
            universal.append(mapped(line, maps) if maps or is_tree(line) else line)
        except PreorderEvalError as error:
            raise FormatError(str(error), file=file, line=number) from None
    return universal
