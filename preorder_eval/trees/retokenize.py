"""Trees transferred to another tokenisation of the same text.

The words are aligned by their characters except white space, as in the CoNLL 2018 shared task
(Zeman et al. 2018, section 4): tokenisations differ only in where they split the text. The words of
a multiword token are aligned through the token, unless the text has these words itself. If a wanted
word holds several words of the tree, it takes the place of the one nearest to the root, punctuation
aside. If a word of the tree is cut into parts, each part hangs beside the part before it, as *do*
and *n't* in Universal Dependencies; punctuation hangs below that part, or below the root at the end
of the sentence.

A sentence may be a part of a tree: then words whose heads are outside hang below the one nearest to
the root. A sentence may hold several trees: then their roots hang below the first, and MISC marks
where each begins, so that rules apply within each.

All columns and comments are kept. A sentence that has its tree's words keeps everything. Parts of a
word have its tags and features, but no lemma.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from preorder_eval.base.arrays import Bools, Longs, offsets_of
from preorder_eval.base.errors import FormatError, PreorderEvalError, warn
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.visible import quantity
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.treebank import NEW_TREE, Tree, Treebank

Wanted = Sequence[Sequence[str]]

# Fields of MISC: what UD, UDPipe and Stanza write of spaces and of places in the text.
_OF_PLACE = {"SpaceAfter", "SpacesAfter", "SpacesBefore", "TokenRange", "start_char", "end_char"}
_OF_TEXT = re.compile(r"#\s*text(_\w+)?\s*=")
_NAME_BEGINS = re.compile(r"\bner=[BS]-")


def retokenized(trees: Treebank, wanted: Wanted) -> tuple[Treebank, Longs]:
    """Return a tree for each wanted sentence, and the words that are not a word of any tree.

    Raises PreorderEvalError if the text itself differs.

    >>> tree = Tree(["don't", "go"], [1, -1], ["aux", "root"], ["AUX", "VERB"], ["_", "_"])
    >>> again, cut = retokenized(Treebank.of([tree]), [["do", "n't", "go"]])
    >>> again[0].heads, again[0].labels, cut.tolist()
    ([2, 2, -1], ['aux', 'aux', 'root'], [0, 1])
    """
    again = _refitted(trees, wanted)
    return again.trees, again.cut


class _Refitted(NamedTuple):
    """Trees on the wanted words, and what had to change.

    `cut` are the numbers of the words that are not a word of any tree, `moved` those of the tree
    words whose head has changed, `apart` those of the sentences, from 0, that do not consist of the
    words of one tree.
    """

    trees: Treebank
    cut: Longs
    moved: Longs
    apart: Longs


def _refitted(trees: Treebank, wanted: Wanted) -> _Refitted:
    if trees.sentences == wanted:
        none = np.zeros(0, dtype=np.int64)
        return _Refitted(trees, none, none, none)
    words = [word for sentence in wanted for word in sentence]
    offsets = offsets_of(map(len, wanted))
    text, shown = text_of(words), words
    forms = surface_forms(trees, words)
    if text != text_of(forms):  # but perhaps for tokens of white space that one side has
        shown, forms = _without_white_space(words), _without_white_space(forms)
    _refuse_other_text(trees, forms, shown, offsets)
    aligned = CharacterAlignment.of(shown, forms)
    maker = _Maker(trees, words, aligned, CharacterAlignment.of(forms, shown).first.tolist())
    refitted = Treebank.of([maker.tree(a, b) for a, b in itertools.pairwise(offsets.tolist())])
    starts, lasts = aligned.first[offsets[:-1]], aligned.last[offsets[1:] - 1]
    tree = np.searchsorted(trees.offsets, starts, side="right") - 1
    alone = (trees.offsets[tree] == starts) & (trees.offsets[tree + 1] == lasts + 1)
    return _Refitted(
        _with_the_rest(refitted, trees, aligned, maker, alone),
        np.flatnonzero(~aligned.same),
        maker.moved(refitted),
        np.flatnonzero(~alone),
    )


def _without_white_space(words: Iterable[str]) -> list[str]:
    return [word if word.strip() else "" for word in words]


def _with_the_rest(
    refitted: Treebank, trees: Treebank, aligned: CharacterAlignment, maker: _Maker, alone: Bools
) -> Treebank:
    """Return refitted trees with the columns, comments and lines of the trees that they are of.

    `alone` bool[S] is whether a sentence is of the words of one tree.
    """
    first, last, same, bounds = aligned.first, aligned.last, aligned.same, refitted.offsets
    tree = np.searchsorted(trees.offsets, first[bounds[:-1]], side="right") - 1
    begins, ends = trees.offsets[tree], trees.offsets[tree + 1]
    whole = alone & np.logical_and.reduceat(same, bounds[:-1]) & (ends - begins == refitted.lengths)
    held = np.array(maker.held)
    columns = {key: column.take(held) for key, column in trees.columns.items()}
    changed = np.flatnonzero(~same).tolist()
    later = np.append(False, first[1:] == last[:-1])  # parts of a word behind its first
    if "lemma" in columns:
        columns["lemma"] = _changed(columns["lemma"], changed)
    if "feats" in columns:
        cut_off = [i for i in changed if later[i] and refitted.upos[i] == "PUNCT"]
        columns["feats"] = _changed(columns["feats"], cut_off)
    if "misc" in columns:
        inside = np.append(later[1:], False)
        entries = [(columns["misc"][i], bool(later[i]), bool(inside[i])) for i in changed]
        columns["misc"] = _changed(
            columns["misc"], changed, itertools.starmap(_misc_of_part, entries)
        )
    # Trees that begin within a line, not where it does.
    of_word = maker.tree_of[held]
    begins = np.flatnonzero(np.diff(of_word, prepend=of_word[:1]))
    begins = begins[~np.isin(begins, bounds)].tolist()
    if begins:
        misc = columns.get("misc", NameColumn.same("_", len(held)))
        marked = [NEW_TREE if misc[i] == "_" else f"{misc[i]}|{NEW_TREE}" for i in begins]
        columns["misc"] = _changed(misc, begins, marked)
    if "deps" in columns:
        others = np.flatnonzero(~np.repeat(whole, refitted.lengths)).tolist()
        columns["deps"] = _changed(columns["deps"], others)
    lines = {
        s: trees.extra_lines[int(tree[s])]
        for s in np.flatnonzero(whole).tolist()
        if int(tree[s]) in trees.extra_lines
    }
    refitted = replace(refitted, columns=columns, extra_lines=lines)
    comments = _comments(refitted, trees, aligned, alone) if trees.comments else ()
    return replace(refitted, comments=comments)


def _changed(
    column: NameColumn, tokens: Sequence[int], names: Iterable[str] = itertools.repeat("_")
) -> NameColumn:
    """Return a column in which some tokens have other names."""
    values = list(column)
    for token, name in zip(tokens, names, strict=False):
        values[token] = name
    return NameColumn.of(values)


def _misc_of_part(entry: str, later: np.bool_, inside: np.bool_) -> str:
    """Return MISC of a part of a word; only the first part can begin a name.

    The word's place in the text is not the part's, nor is the space behind it.
    """
    kept = [field for field in entry.split("|") if field != "_" and not is_of_place(field)]
    if later:
        kept = [_NAME_BEGINS.sub("ner=I-", field) for field in kept]
    return "|".join([*["SpaceAfter=No"] * int(inside), *kept]) or "_"


def is_of_place(field: str) -> bool:
    """Return whether a field of MISC is about a word's place in the text or the space around it.

    >>> [*map(is_of_place, ["SpaceAfter=No", "start_char=3", "ner=B-PERSON"])]
    [True, True, False]
    """
    return field.partition("=")[0] in _OF_PLACE


def _comments(
    refitted: Treebank, trees: Treebank, aligned: CharacterAlignment, alone: Bools
) -> list[tuple[str, ...]]:
    """Return the comments of the trees that begin in each sentence; of one key the first.

    Comments on the text of a tree stay where the sentence is `alone`; any other gets its own text.
    """
    home = np.searchsorted(aligned.first, trees.offsets[:-1], side="left")
    sentence = np.searchsorted(refitted.offsets, home, side="right") - 1
    kept: list[dict[str, str]] = [{} for _ in range(len(refitted))]
    for comments, s in zip(trees.comments, sentence.tolist(), strict=True):
        for line in comments:
            kept[min(s, len(kept) - 1)].setdefault(line.partition("=")[0], line)
    if any(_OF_TEXT.match(line) for lines in trees.comments for line in lines):
        for s in np.flatnonzero(~alone).tolist():
            others = {key: line for key, line in kept[s].items() if not _OF_TEXT.match(line)}
            kept[s] = {**others, "# text": f"# text = {_joined(refitted, s)}"}
    return [tuple(lines.values()) for lines in kept]


def _joined(trees: Treebank, sentence: int) -> str:
    """Return the text of a sentence, with spaces but where MISC tells that there are none."""
    span = trees.span(sentence)
    misc = trees.columns["misc"][span] if "misc" in trees.columns else itertools.repeat("")
    pieces = zip(trees.words[span], misc, strict=False)
    return "".join(
        word if "SpaceAfter=No" in of.split("|") else f"{word} " for word, of in pieces
    ).rstrip(" ")


def fitted(trees: Treebank, wanted: Wanted, name: str | Path) -> Treebank:
    """Return the trees on the wanted words, with a warning if they had others.

    Parameters: `name` is what warnings and errors call the trees, such as their file. Raises
    FormatError if the text itself differs.
    """
    try:
        result, cut, moved, apart = _refitted(trees, wanted)
    except PreorderEvalError as error:
        raise FormatError(str(error), file=name) from error
    heads = ""
    if len(moved):
        heads = f"; the head of {quantity(len(moved), 'word')} changed"
    if len(apart):
        warn(
            f"{name}: the lines of the trees differ from those of the source in {len(apart)} of "
            f"{len(wanted):,} sentences (the first: {apart[0] + 1}); the trees are divided or "
            f"joined, but rules need whole trees: give trees of the same lines{heads}"
        )
        heads = ""
    if len(cut):
        sentences = len(np.unique(np.searchsorted(result.offsets, cut, side="right")))
        warn(
            f"{name}: {len(cut)} of {len(result.words):,} words, in {sentences} of "
            f"{len(wanted):,} sentences, are tokenised differently from the source; the trees are "
            f"aligned with it by characters{heads}"
        )
    return result


def fitted_lists(lists: NBest, wanted: Wanted, name: str | Path) -> NBest:
    """Return lists of trees on the words of their sentences, as `fitted` does with single trees."""
    words = [wanted[sentence] for sentence in lists.sentence_of.tolist()]
    return replace(lists, trees=fitted(lists.trees, words, name))


def _refuse_other_text(
    trees: Treebank, forms: Sequence[str], words: Sequence[str], offsets: Longs
) -> None:
    differing = first_unlike_character(words, forms)
    if differing is None:
        return
    at, there = differing
    size = len(offsets) - 1
    counts = ""
    if len(trees) != size:
        counts = f"{quantity(len(trees), 'tree')} for {quantity(size, 'sentence')}; "
    sentence = min(int(np.searchsorted(offsets, at, side="right")), size)
    pair = [side[i] if i < len(side) else "" for side, i in ((forms, there), (words, at))]
    tree_word, source_word = (repr(word) if word else "nothing" for word in pair)
    if unicodedata.normalize("NFC", pair[0]) == unicodedata.normalize("NFC", pair[1]):
        tree_word, source_word = (f"{word!r} in {normal_form(word)}" for word in pair)
    raise PreorderEvalError(
        f"{counts}sentence {sentence}, token {at - int(offsets[sentence - 1]) + 1}: trees have "
        f"{tree_word}, source has {source_word}; trees and source must have the same text"
    )


def normal_form(text: str) -> str:
    """Return the Unicode normal form of a text; NFC if it is in both.

    >>> normal_form("e"), normal_form("e\u0301"), normal_form("\u00e9e\u0301")
    ('NFC', 'NFD', 'neither NFC nor NFD')
    """
    forms = [form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, text)]
    return forms[0] if forms else "neither NFC nor NFD"


class _Maker:
    """Makes the trees of wanted sentences.

    `held` has for each of the wanted `words` the number of the word of the trees that stands for
    it. All other lists are of the words of the trees: `home` has the wanted word that the first
    character of each is in, `depths` the number of its ancestors.
    """

    def __init__(
        self, trees: Treebank, words: list[str], aligned: CharacterAlignment, home: list[int]
    ) -> None:
        self.words, self.home = words, home
        self.heads, self.parents = trees.heads.tolist(), trees.parents.tolist()
        self.labels, self.upos, self.xpos = trees.labels, trees.upos, trees.xpos
        self.depths = _depths(trees)
        self.tree_of = np.repeat(np.arange(len(trees)), trees.lengths)
        # Punctuation that has no dependents comes last. That heads stay nearer to the root than
        # what hangs on them, among the words that have any, is what keeps cycles out.
        leaf = np.ones(len(home), dtype=bool)
        leaf[trees.parents[trees.heads >= 0]] = False
        aside = (leaf & trees.upos.where("PUNCT".__eq__)).tolist()
        rank = list(zip(aside, self.depths, strict=True))
        shared = zip(aligned.first.tolist(), aligned.last.tolist(), strict=True)
        self.held = [min(range(a, b + 1), key=rank.__getitem__) for a, b in shared]

    def tree(self, start: int, stop: int) -> Tree:
        """Return the tree of the wanted words from `start` up to `stop`."""
        rows = [self._row(word, start, stop) for word in range(start, stop)]
        heads, labels, upos = (list(column) for column in zip(*rows, strict=True))
        held, words = self.held[start:stop], self.words[start:stop]
        depth = [(word.isspace(), self.depths[n]) for word, n in zip(words, held, strict=True)]
        tree = self.tree_of[held].tolist()
        roots: dict[int, list[int]] = {}
        for number, head in enumerate(heads):
            if head < 0 or tree[head] != tree[number]:
                roots.setdefault(tree[number], []).append(number)
        tops = [min(of_tree, key=depth.__getitem__) for of_tree in roots.values()]
        root = min(tops, key=depth.__getitem__)
        for top, of_tree in zip(tops, roots.values(), strict=True):
            for number in of_tree:
                heads[number] = root if number == top else top
                # The top of another tree had a head elsewhere, which its label is of.
                if labels[number] == "root" or number == top != root:
                    labels[number] = "punct" if upos[number] == "PUNCT" else "parataxis"
        heads[root], labels[root] = -1, "root"
        xpos = [self.xpos[number] for number in held]
        return Tree(words, heads, labels, upos, xpos)

    def moved(self, refitted: Treebank) -> Longs:
        """Return the tree words whose head differs from that of the wanted word.

        Within one wanted word the words of the trees have no arcs.
        """
        moved = []
        heads = np.where(refitted.heads < 0, -1, refitted.heads + refitted.sentence_starts)
        for word, head in enumerate(heads.tolist()):
            held = above = self.held[word]
            home = self.home[held]
            if home != word:  # a part of a word, or a word that another one stands for
                moved += [held] * (self.held[home] != held)
                continue
            while self.home[above] == home and self.heads[above] >= 0:
                above = self.parents[above]
            if head != (-1 if self.home[above] == home else self.home[above]):
                moved.append(held)
        return np.unique(np.array(moved, dtype=np.int64))

    def _row(self, word: int, start: int, stop: int) -> tuple[int, str, str]:
        """Return head in the sentence (-1 for none), label and UPOS tag of a wanted word."""
        held = self.held[word]
        home = self.home[held]
        label, upos = self.labels[held], self.upos[held]
        if start <= home < word:  # a later part of a word
            if _is_punctuation(self.words[word]):
                # What ends the sentence is the root's.
                return (-1 if word == stop - 1 else home - start), "punct", "PUNCT"
            if self.heads[held] < 0:
                return home - start, "dep", upos
        above = held
        while self.home[above] == home and self.heads[above] >= 0:
            above = self.parents[above]
        head = self.home[above]
        inside = head != home and start <= head < stop
        return (head - start if inside else -1), label, upos


def _depths(trees: Treebank) -> list[int]:
    """Return for every word of the trees the number of its ancestors."""
    depths = np.zeros(len(trees.words), dtype=np.int64)
    ancestor = trees.parents.copy()
    below = np.flatnonzero(trees.heads >= 0)
    while below.size:
        depths[below] += 1
        arrived = trees.heads[ancestor[below]] < 0
        ancestor[below] = trees.parents[ancestor[below]]
        below = below[~arrived]
    return depths.tolist()


def _is_punctuation(word: str) -> bool:
    """Return whether a word is punctuation; white space hangs as that does."""
    return all(unicodedata.category(character)[0] in "PZ" for character in word)


def characters(word: str) -> str:
    r"""Return a word without white space; a word of white space alone is returned as it is.

    >>> characters("1 000"), characters("\u3000")
    ('1000', '\u3000')
    """
    return "".join(word.split()) or word


def text_of(words: Iterable[str]) -> str:
    """Return the characters that all tokenisations of a text have in common.

    >>> text_of(["do", "n't"]) == text_of(["don't"])
    True
    """
    return "".join(map(characters, words))


def first_unlike_character(words: Sequence[str], others: Sequence[str]) -> tuple[int, int] | None:
    """Return the index of the first word that differs, on either side; None if all agree.

    If one side ends first, its index is the number of its words.

    >>> first_unlike_character(["a", "bc", "d"], ["ab", "x"])
    (1, 0)
    >>> first_unlike_character(["ab"], ["a", "b"])
    """
    text, other = text_of(words), text_of(others)
    if text == other:
        return None
    pairs = zip(text, other, strict=False)
    common = len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], pairs)))
    # The words at the difference need not start at the same place: from the start of the first.
    stops = _stops(words), _stops(others)
    start = min(int(side[side <= common].max(initial=0)) for side in stops)
    here, there = (int(np.searchsorted(side, start, side="right")) for side in stops)
    return here, there


@dataclass(frozen=True, eq=False)
class CharacterAlignment:
    """Which words of two tokenisations share characters.

    `first` and `last` int64[N] are, for each of the N words of one, the first and the last word of
    the other that it shares characters with (a word without characters goes with the word before
    it). `same` bool[N] is whether the other has just this word, too.

    >>> CharacterAlignment.of(["I", "don't", "."], ["I", "do", "n't", "."]).last.tolist()
    [0, 2, 3]
    """

    first: Longs
    last: Longs
    same: Bools

    @classmethod
    def of(cls, words: Sequence[str], others: Sequence[str]) -> CharacterAlignment:
        """Align two tokenisations that have the same characters."""
        stops, other_stops = _stops(words), _stops(others)
        sizes, other_sizes = np.diff(stops, prepend=0), np.diff(other_stops, prepend=0)
        last = np.searchsorted(other_stops, stops - 1, side="right")
        last = np.maximum(last, np.searchsorted(other_stops, stops, side="right") - 1)
        first = np.searchsorted(other_stops, stops - sizes, side="right")
        first = np.where(stops == sizes, 0, np.minimum(first, last))
        return cls(first, last, (first == last) & (sizes == other_sizes[first]))


def _stops(words: Sequence[str]) -> Longs:
    """Return the end of each word, in characters."""
    return np.cumsum([len(characters(word)) for word in words], dtype=np.int64)


def surface_forms(trees: Treebank, words: Sequence[str] | None = None) -> list[str]:
    r"""Return the part of the text that each word stands for; N strings.

    If `words` of the text are given, of which a multiword token is as many as it has words itself,
    each of its words stands for one of them; and tokens that the text writes as their words stay
    these words. Otherwise the letters of a token are shared out among its words: of *du* for the
    words *de le* each gets one. All but the last get one letter, the last the rest, and words
    beyond the last letter get nothing.

    >>> from preorder_eval.trees.conllu import parse_conllu
    >>> row = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t_\t_"
    >>> rows = [row.format(1, "de", 2), row.format(2, "le", 0)]
    >>> dule = parse_conllu("\n".join(["1-2\tdulle" + "\t_" * 8, *rows, "", ""]))
    >>> surface_forms(dule), surface_forms(dule, ["du", "lle"]), surface_forms(dule, ["dele"])
    (['d', 'ulle'], ['du', 'lle'], ['de', 'le'])
    """
    text, stops = text_of(words or ()), np.append(0, _stops(words or ()))
    forms = list(trees.words)
    starts, shift = np.append(0, _stops(forms)).tolist(), 0
    for sentence, lines in sorted(trees.extra_lines.items()):
        before = int(trees.offsets[sentence]) - 1
        for _, line in lines:
            numbers, form = line.split("\t", 2)[:2]
            first, dash, last = numbers.partition("-")
            if not dash:  # an empty node, which has no text
                continue
            held = slice(before + int(first), before + int(last) + 1)
            token, own, size = characters(form), text_of(forms[held]), held.stop - held.start
            here = [token]
            if words is not None:
                at = starts[held.start] + shift
                here = [side for side in (token, own) if text.startswith(side, at)]
                begin, end = np.searchsorted(stops, [at, at + len(token)]).tolist()
                pieces = words[begin:end]
                if at in stops[begin:end] and len(pieces) == size and text_of(pieces) == token:
                    shift += len(token) - len(own)
                    forms[held] = pieces
                    continue
            if own == max(here, key=len, default=token):
                continue
            shift += len(token) - len(own)
            # A token that the text does not have is named whole where that is told.
            shared = min(size, len(token)) - 1 if here else 0
            forms[held] = [*token[:shared], token[shared:], *[""] * (size - shared - 1)]
    return forms
