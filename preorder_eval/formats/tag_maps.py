"""Tags of a treebank or tagger turned into universal ones, by the name of the map.

Sequences of two languages can be compared where both have the same tagset: the 12 parts of speech
of Petrov et al. (2012), or the 9 categories of phrases of Han (2014, Appendix A).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from preorder_eval.data.tag_lines import format_tagged, is_tree, tagged_words
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.part_of_speech_tags import PARTS_OF_SPEECH
from preorder_eval.formats.phrase_tags import PHRASES

Kind = Literal["part-of-speech", "phrase"]


@dataclass(frozen=True)
class TagMap:
    """The universal tag of every tag of a treebank or tagger.

    >>> tag_map("english-penn")("NNS"), tag_map("french")("VPpart")
    ('NOUN', 'VP')
    """

    name: str
    kind: Kind
    universal: Mapping[str, str]

    def __call__(self, tag: str) -> str:
        """The universal tag; UnknownNameError, with the known ones, for a tag that is not there."""
        if tag not in self.universal:
            raise UnknownNameError(f"{self.kind} tag of {self.name}", tag, self.universal)
        return self.universal[tag]


def tag_map(name: str) -> TagMap:
    """A map by its name; raises UnknownNameError, with all names, for another."""
    known = {**PARTS_OF_SPEECH, **PHRASES}
    if name not in known:
        raise UnknownNameError("map of tags", name, known)
    kind: Kind = "part-of-speech" if name in PARTS_OF_SPEECH else "phrase"
    listed = known[name].items()
    return TagMap(name, kind, {tag: to for to, tags in listed for tag in tags.split()})


def mapped(line: str, maps: Sequence[TagMap]) -> str:
    """A line of tags in universal ones; of trees the phrases and parts of speech that have a map.

    Raises PreorderEvalError for a tag that a map does not know, for brackets that do not close, and
    where several maps are given for a line that has one kind of tags.

    >>> mapped("(S (NP (PRP It)) (VP (VBZ is)))", [tag_map("english-penn")])
    '(NP (PRON _)) (VP (VERB _))'
    """
    if not is_tree(line):
        if len(maps) > 1:
            names = " and ".join(chosen.name for chosen in maps)
            raise PreorderEvalError(f"the tags are not trees, so that {names} cannot both be meant")
        return " ".join(chosen(tag) for chosen in maps for tag in line.split(" ") if tag) or line
    by_kind = {chosen.kind: chosen for chosen in maps}
    of_words, of_phrases = by_kind.get("part-of-speech", str), by_kind.get("phrase", str)
    return format_tagged([(of_words(t), of_phrases(p)) for t, p in tagged_words(line)])


def map_lines(lines: Sequence[str], maps: Sequence[TagMap], file: Path) -> list[str]:
    """The lines of a file of tags in universal ones, trees checked; FormatError with the line."""
    universal = []
    for number, line in enumerate(lines, 1):
        try:
            universal.append(mapped(line, maps) if maps or is_tree(line) else line)
        except PreorderEvalError as error:
            raise FormatError(str(error), file=file, line=number) from None
    return universal
