"""CoNLL-U in another word order, for parsers that are trained on reordered treebanks.

Words move with their rows; ids, heads, enhanced dependencies and empty nodes are renumbered. An
empty node follows the word that it followed. A multiword token (`2-3 don't`) stays where its words
still stand together in order. Otherwise its words have `SourceToken=don't` in MISC. `SpaceAfter=No`
is kept if the next word is still the next one, and so are other notes on spaces. Character offsets
are kept in sentences in which no word moves. `# source_order` has the old ids in the new order.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from preorder_eval.base.arrays import sums, within
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.ragged import NameColumn
from preorder_eval.orders.orders import Orders
from preorder_eval.trees.treebank import NEW_TREE, Treebank

_NO_SPACE = "SpaceAfter=No"
_OFFSETS = ("TokenRange", "start_char", "end_char")  # of UDPipe and Stanza
# Fields of MISC that name words, such as CopyOf=3 and CxnElt=3:Conditional.Protasis,5:Focus.
_OF_WORDS = {"CopyOf", "CxnElt"}
_WORD = re.compile(r"(?<![^,])[1-9][0-9]{0,8}(?=[:,]|$)")
_MISC, _DEPS = 9, 8


def multiword_tokens(treebank: Treebank) -> int:
    """Count the multiword tokens, such as `2-3 don't`."""
    others = itertools.chain.from_iterable(treebank.extra_lines.values())
    return sum("-" in line.partition("\t")[0] for _, line in others)


def sentences_with_offsets(treebank: Treebank, orders: Orders) -> int:
    """Count the sentences whose words move and have offsets of characters, which they then lose."""
    misc = treebank.columns.get("misc")
    if misc is None:
        return 0
    beginnings = tuple(f"{key}=" for key in _OFFSETS)
    has = misc.where(lambda name: any(f.startswith(beginnings) for f in name.split("|")))
    moves = orders.positions != within(orders.offsets)
    return int(
        np.count_nonzero((sums(has, orders.offsets) > 0) & (sums(moves, orders.offsets) > 0))
    )


def reordered_trees(treebank: Treebank, orders: Orders) -> Treebank:
    """Return the trees with their words in these orders; every word keeps its head.

    >>> from preorder_eval.trees.treebank import Tree
    >>> from preorder_eval.trees.conllu import format_conllu
    >>> trees = [Tree(["Go", "home"], [-1, 0], ["root", "advmod"], ["VERB", "ADV"], ["_", "_"])]
    >>> written = reordered_trees(Treebank.of(trees), Orders.of([[1, 0]]))
    >>> print(format_conllu(written), end="")  # doctest: +NORMALIZE_WHITESPACE
    # text = home Go
    # source_order = 2 1
    1 home _ ADV _ _ 2 advmod _ _
    2 Go _ VERB _ _ 0 root _ _
    <BLANKLINE>
    """
    tokens = orders.tokens
    heads = treebank.heads[tokens]
    new_heads = heads.copy()
    attached = heads >= 0
    starts = treebank.sentence_starts[attached]
    new_heads[attached] = orders.places[heads[attached] + starts]
    columns = {name: column.take(tokens) for name, column in treebank.columns.items()}
    misc = list(columns.get("misc", NameColumn.same("_", len(tokens))))
    if any(NEW_TREE in name for name in set(misc)):  # trees begin where they did, with other words
        misc = _with_new_trees(misc, list(treebank.columns["misc"]))
    deps = list(columns.get("deps", NameColumn.same("_", len(tokens))))
    comments, extra = [], {}
    bounds = itertools.pairwise(treebank.offsets.tolist())
    for s, ((start, stop), order) in enumerate(zip(bounds, orders, strict=True)):
        renumber = _Renumbering(order)
        words = [treebank.words[start + old] for old in order]
        lines = _other_lines(treebank.extra_lines.get(s, ()), renumber, misc, start)
        if lines:
            extra[s] = lines
        for at in range(start, stop):
            if deps[at] != "_":
                deps[at] = renumber.deps(deps[at])
            misc[at] = renumber.misc(misc[at], at - start)
        text = _text(words, misc[start:stop], lines)
        kept = list(treebank.comments[s]) if treebank.comments else []
        of_text = [n for n, c in enumerate(kept) if re.match(r"#\s*text\s*=", c)]
        for n in of_text[:1] or [len(kept)]:
            kept[n : n + 1] = [f"# text = {text}"]
        comments.append((*kept, f"# source_order = {' '.join(str(o + 1) for o in order)}"))
    columns |= {"misc": NameColumn.of(misc), "deps": NameColumn.of(deps)}
    return replace(
        treebank,
        words=treebank.words.take(tokens),
        heads=new_heads,
        labels=treebank.labels.take(tokens),
        upos=treebank.upos.take(tokens),
        xpos=treebank.xpos.take(tokens),
        columns=columns,
        comments=comments,
        extra_lines=extra,
    )


def _with_new_trees(misc: Sequence[str], before: Sequence[str]) -> list[str]:
    """Return MISC of words in a new order; words that now begin a tree are marked."""
    return [
        "|".join(
            [field for field in of_word.split("|") if field not in (NEW_TREE, "_")]
            + [NEW_TREE] * (NEW_TREE in in_place.split("|"))
        )
        or "_"
        for of_word, in_place in zip(misc, before, strict=True)
    ]


class _Renumbering:
    """The new numbers of a sentence's words; `order` has the old positions, from 0."""

    def __init__(self, order: Sequence[int]) -> None:
        self.order = order
        self.moves = any(old != at for at, old in enumerate(order))
        self.new = {0: 0} | {old + 1: at for at, old in enumerate(order, 1)}

    def id(self, old: str) -> str:
        """Return the new id of a word or an empty node."""
        word, dot, rest = old.partition(".")
        return f"{self.new[int(word)]}{dot}{rest}"

    def deps(self, old: str) -> str:
        """Return enhanced dependencies, sorted by their new heads."""
        arcs = [arc.split(":", 1) for arc in old.split("|")]
        try:
            named = [(self.id(head), *label) for head, *label in arcs]
            named.sort(key=lambda arc: [int(number) for number in arc[0].split(".")])
        except (KeyError, ValueError) as error:
            raise PreorderEvalError(
                f"enhanced dependencies {old!r} refer to a word that the sentence does not have; "
                "correct them, or write _ instead"
            ) from error
        return "|".join(":".join(arc) for arc in named)

    def misc(self, old: str, at: int) -> str:
        """Return MISC of a word or multiword token, changed for the new place of its end."""
        if old == "_":
            return old
        followed = self.order[at] + 1 == (self.order[at + 1] if at + 1 < len(self.order) else -1)
        last = at + 1 == len(self.order) == self.order[at] + 1
        follows = self.order[at] == (self.order[at - 1] + 1 if at else 0)
        stays = {"SpaceAfter": followed or last, "SpacesAfter": followed or last}
        stays |= {"SpacesBefore": follows, **dict.fromkeys(_OFFSETS, not self.moves)}
        fields = old.split("|")
        kept = [field for field in fields if stays.get(field.partition("=")[0], True)]
        return "|".join(map(self.named, kept)) or "_"

    def named(self, field: str) -> str:
        """Return a field of MISC, in which words have their new numbers."""
        key, equals, value = field.partition("=")
        if key not in _OF_WORDS:
            return field
        new = _WORD.sub(lambda word: str(self.new.get(int(word[0]), word[0])), value)
        return f"{key}{equals}{new}"


def _other_lines(
    lines: Sequence[tuple[int, str]], renumber: _Renumbering, misc: list[str], start: int
) -> list[tuple[int, str]]:
    """Return the new lines of multiword tokens and empty nodes, each with the word it precedes.

    The words of a multiword token that is broken up get a note in `misc`.
    """
    found: list[tuple[int, int, str]] = []
    for _, line in lines:
        fields = line.split("\t")
        if "." in fields[0]:
            fields[0] = renumber.id(fields[0])
            if fields[_DEPS] != "_":
                fields[_DEPS] = renumber.deps(fields[_DEPS])
            fields[_MISC] = "|".join(map(renumber.named, fields[_MISC].split("|")))
            place, rank = map(int, fields[0].split("."))
            found.append((place, rank, "\t".join(fields)))
            continue
        first, last = map(int, fields[0].split("-"))
        places = [renumber.new[old] - 1 for old in range(first, last + 1)]
        if places == list(range(places[0], places[0] + len(places))):
            fields[0] = f"{places[0] + 1}-{places[-1] + 1}"
            fields[_MISC] = renumber.misc(fields[_MISC], places[-1])
            found.append((places[0], 1 << 30, "\t".join(fields)))
            continue
        form = fields[1].replace("|", "/")
        for place in places:
            old_misc = misc[start + place]
            rest = "" if old_misc == "_" else f"|{old_misc}"
            misc[start + place] = f"SourceToken={form}{rest}"
    return [(place, line) for place, _, line in sorted(found)]


def _text(words: Sequence[str], misc: Sequence[str], lines: Sequence[tuple[int, str]]) -> str:
    """Return the text of words, with the multiword tokens that are left."""
    tokens = {}
    for place, line in lines:
        number, form, *_, of = line.split("\t")
        _, dash, last = number.partition("-")
        if dash:
            tokens[place] = int(last) - place, form, of
    text, at = "", 0
    while at < len(words):
        length, form, of = tokens.get(at, (1, words[at], misc[at]))
        text += form if _NO_SPACE in of.split("|") else f"{form} "
        at += length
    return text.rstrip(" ")
