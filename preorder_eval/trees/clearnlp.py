"""Conversion of trees with ClearNLP labels, which spaCy's own English models give, to UD.

The labels and heads are those of UD English EWT. All steps work on flat arrays of a whole corpus.
After each step the heads still form trees:

* *Names.* The first word of a person's name heads the others, and a title before it describes it.
MISC marks names as the parser's own component found them (`ner=B-PERSON`). * *Function words.* A
preposition stands above its object, a form of "be" above its predicate, a month above its day. Such
words and the words that replace them as heads form chains ("is" above "in" above "Tokyo"). The last
word of a chain takes the place of the first; the other words of the chain depend on it. * *Speech.*
A clause quoted before its verb of saying trades places with it. * *Coordination.* Conjuncts hang on
the first, conjunctions and commas on the conjunct behind them. * Subjects of small clauses move up
to their verb. Punctuation and the second words of fixed expressions, which have nothing below them,
move where UD has them.

ClearNLP: github.com/clir/clearnlp-guidelines; UD: universaldependencies.org/en.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

import numpy as np

from preorder_eval.base.arrays import Bools, Longs, offsets_of
from preorder_eval.base.ragged import NameColumn
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.schemes import SAME, in_scheme
from preorder_eval.trees.treebank import Treebank

CLEARNLP = "clearnlp"
_LISTED = tomllib.loads(Path(__file__).with_name("clearnlp.toml").read_text("utf-8"))
_RENAMED, _FIXED = SAME["ud"] | _LISTED["renamed"], _LISTED["fixed"]
_BE, _MONTHS = (frozenset(_LISTED[words].split()) for words in ("be", "months"))
_NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "SYM", "DET", "X")
PERSON = "PERSON"  # as spaCy and Stanza call names of persons, the latter in MISC: ner=B-PERSON
_NAMED = re.compile(rf"(?:.*\|)?ner=([BIES])-{PERSON}(?:\|.*)?")
_DAY = re.compile("[1-3]?[0-9]")
_FINAL = re.compile(r"[.!?]+|[:;]")
_BETWEEN = (",", ";", "-", "--")
_QUOTES = ('"', "'")
_OPENING, _CLOSING = ("(", "[", "-lrb-", "``", "“"), (")", "]", "-rrb-", "''", "”")
# Dependents that no comma sets off, and those that one behind them belongs to.
_TIGHT = ("cc", "mark", "case", "det", "aux", "aux:pass", "cop", "nmod:unmarked")
_SET_OFF = ("appos", "acl", "acl:relcl", "parataxis", "advcl", "advcl:relcl")


class _Column:
    """The labels or tags of the tokens while they are changed."""

    def __init__(self, names: NameColumn) -> None:
        self._codes = names.codes.astype(np.int32)
        self._code_of = {name: code for code, name in enumerate(names.names)}

    def has(self, *names: str) -> Bools:
        """Return which tokens have one of these names."""
        known = [self._code_of[name] for name in names if name in self._code_of]
        return np.isin(self._codes, known)

    def set(self, tokens: Bools | Longs, name: str) -> None:
        """Give tokens a name."""
        self._codes[tokens] = self._code_of.setdefault(name, len(self._code_of))

    def copy(self, tokens: Longs, models: Longs) -> None:
        """Give tokens the names of others."""
        self._codes[tokens] = self._codes[models]

    def column(self) -> NameColumn:
        """Return the names as they are now."""
        names = tuple(self._code_of)
        used, codes = np.unique(self._codes, return_inverse=True)
        return NameColumn(codes.astype(np.int32), tuple(names[code] for code in used.tolist()))


def lists_to_ud(lists: NBest) -> NBest:
    """Return the lists with their trees converted to UD.

    Different trees may become the same one, which then has the sum of their probabilities.
    """
    trees = to_ud(lists.trees)
    if (lists.sizes == 1).all():
        return replace(lists, trees=trees)
    kept: list[int] = []
    scores: list[float] = []
    sizes = []
    for parses in lists.lists():
        same: defaultdict[tuple[bytes, bytes], list[int]] = defaultdict(list)
        for p in parses:
            span = trees.span(p)
            same[trees.heads[span].tobytes(), trees.labels.codes[span].tobytes()].append(p)
        summed = [(np.logaddexp.reduce(lists.scores[ps]), ps[0]) for ps in same.values()]
        ranked = sorted(summed, key=itemgetter(0), reverse=True)
        scores += [score for score, _ in ranked]
        kept += [p for _, p in ranked]
        sizes.append(len(ranked))
    return NBest(trees.take(np.array(kept)), offsets_of(sizes), np.array(scores))


def to_ud(trees: Treebank) -> Treebank:
    """Return the trees with the heads and labels of UD; words, XPOS and features stay.

    >>> from preorder_eval.trees.treebank import Tree
    >>> words, labels = "He is in Tokyo".split(), ["nsubj", "root", "prep", "pobj"]
    >>> upos, xpos = ["PRON", "AUX", "ADP", "PROPN"], ["PRP", "VBZ", "IN", "NNP"]
    >>> [tree] = to_ud(Treebank.of([Tree(words, [1, -1, 1, 2], labels, upos, xpos)]))
    >>> tree.heads, tree.labels
    ([3, 3, 3, -1], ['nsubj', 'cop', 'case', 'root'])
    """
    return _Conversion(trees).converted()


class _Conversion:
    """Trees during their conversion.

    `heads` int64[N] are numbers in the corpus, a root's its own; what is found of tokens is
    bool[N], or int64[N] with -1 for none.
    """

    def __init__(self, trees: Treebank) -> None:
        self.trees = trees
        self.here = np.arange(len(trees.words))
        self.heads = trees.parents.copy()
        self.labels, self.upos = _Column(trees.labels), _Column(trees.upos)
        self.xpos, self.words = _Column(trees.xpos), _Column(trees.lower_words)

    def converted(self) -> Treebank:
        """Return the trees as they are in UD."""
        self._set_names()
        self._set_function_words()
        self._set_speech()
        self._set_small_clauses()
        self._set_conjuncts()
        self._rename()
        self._set_fixed()
        self._set_punctuation()
        self._retag()
        here, starts = self.here, self.trees.sentence_starts
        return replace(
            self.trees,
            heads=np.where(self.heads == here, -1, self.heads - starts).astype(np.int32),
            labels=in_scheme(self.labels.column(), "ud"),
            upos=self.upos.column(),
            columns={k: column for k, column in self.trees.columns.items() if k != "deps"},
            scheme="ud",
        )

    def _child(self, wanted: Bools, *, last: bool = False) -> Longs:
        """Find the first child that is wanted, or the last."""
        of_head = np.full(len(self.here), -1)
        children = np.flatnonzero(wanted & (self.heads != self.here))
        children = children if last else children[::-1]
        of_head[self.heads[children]] = children
        return of_head

    def _next(
        self, tokens: Bools | Longs, places: Longs, heads: Longs, at: Longs
    ) -> tuple[Longs, Longs]:
        """Find the first of the tokens with these heads whose place is not before `at`."""
        size = len(self.here)
        tokens = self.here[tokens]
        keys = self.heads[tokens] * size + places[tokens]
        order = np.argsort(keys, kind="stable")
        keys, tokens = np.append(keys[order], -1), np.append(tokens[order], -1)
        first = np.searchsorted(keys[:-1], heads * size + at)
        return np.where(keys[first] // size == heads, tokens[first], -1), keys[first] % size

    def _have(self, wanted: Bools) -> Bools:
        """Find the tokens that have a child that is wanted."""
        return self._child(wanted) >= 0

    def _behind(self) -> Bools:
        return self.here > self.heads

    def _set_names(self) -> None:
        """Let the first word of a person's name head the others, and titles describe it."""
        misc = self.trees.columns.get("misc")
        if misc is None:
            return
        named = misc.where(lambda value: bool(_NAMED.fullmatch(value)))
        starts = named & misc.where(lambda value: bool(re.search(r"\bner=[BS]-", value)))
        name = np.where(named, np.cumsum(starts), -1)
        compound, heads, here = self.labels.has("compound"), self.heads, self.here
        inside = named & compound & (name == name[heads]) & (heads > here)
        first = here[inside & starts]
        last, above = heads[first], heads[heads[first]]
        of_name = np.where(starts, here, -1)
        of_name[last] = first
        new = of_name[heads]
        title = compound & ~inside & self.upos.has("PROPN") & (here + 1 == new)
        self.labels.set(title, "nmod:desc")
        self.labels.set(inside & (new >= 0), "flat")
        self.labels.copy(first, last)
        self.labels.set(last, "flat")
        heads[:] = np.where(new >= 0, new, heads)
        heads[first] = np.where(above == last, first, above)
        heads[last] = first

    def _set_function_words(self) -> None:
        """Replace prepositions, copulas and months as heads by the words that they govern."""
        labels, upos, here = self.labels, self.upos, self.here
        labels.set(labels.has("nmod"), "compound")
        verbs = upos.has("VERB", "AUX")
        verbal = verbs | self._have(labels.has("nsubj", "nsubjpass"))
        nominal = upos.has(*_NOMINAL) | labels.has("nsubj", "nsubjpass", "dobj", "pobj") & ~verbs
        object_ = self._objects()
        governs = object_ >= 0
        clause = governs & labels.has("pcomp")[object_] & verbal[object_]
        day = self._days(~governs)
        predicate = self._predicates(verbs & ~governs, labels.has("prep") & governs & ~clause)
        months, be = day >= 0, predicate >= 0
        outer = be & labels.has("ccomp", "xcomp", "advcl")[predicate] & verbal[predicate]
        labels.set(labels.has("nsubj") & outer[self.heads], "nsubj:outer")

        # Chains of words that hand on their place: where they begin, and where they end.
        down = np.maximum(np.maximum(object_, day), predicate)
        chained = np.flatnonzero(down >= 0)
        end, begin = np.where(down >= 0, down, here), here.copy()
        begin[down[chained]] = chained
        while (end[end] != end).any() or (begin[begin] != begin).any():
            end, begin = end[end], begin[begin]
        above = self.heads[begin]
        self.heads = np.where(down >= 0, end, np.where(above == begin, here, end[above]))

        # A phrase goes by what it hung on: what hung on a copula hung on a clause.
        noun = nominal[np.where(be[above], above, end[above])]
        raised = (down < 0) & (begin != here)
        free = raised & governs[begin] & labels.has("prep", "agent", "dative")[begin]
        by_agent = free & labels.has("agent")[begin]
        labels.set(labels.has("npadvmod") & ~raised & noun, "nmod:unmarked")
        labels.copy(here[raised], begin[raised])
        labels.set(free, "obl")
        labels.set(free & noun, "nmod")
        labels.set(by_agent, "obl:agent")
        labels.set(free & clause[begin], "advcl")
        labels.set(free & clause[begin] & noun, "acl")
        labels.set(governs, "case")
        labels.set(clause, "mark")
        labels.set(months, "nmod:unmarked")
        labels.set(be, "cop")
        upos.set(be, "AUX")

    def _objects(self) -> Longs:
        """Find the words that prepositions govern; in "out of", "out" governs "of"."""
        labels = self.labels
        objects = self._child(labels.has("pobj"))
        objects = np.where(objects < 0, self._child(labels.has("pcomp")), objects)
        objects[labels.has("pobj") & self.upos.has(*_NOMINAL)] = -1
        phrases = labels.has("prep") & (objects >= 0)
        return np.where(labels.has("prep") & ~phrases, self._child(phrases), objects)

    def _days(self, candidates: Bools) -> Longs:
        """Find the days of months ("May 6"); all numbers of a month get UD's label."""
        months = candidates & self.words.has(*_MONTHS) & self.upos.has("PROPN")
        numbers = self.labels.has("nummod") & months[self.heads]
        self.labels.set(numbers, "nmod:unmarked")
        days = numbers & self.trees.lower_words.where(lambda word: bool(_DAY.fullmatch(word)))
        return self._child(days & (self.here == self.heads + 1))

    def _predicates(self, candidates: Bools, phrases: Bools) -> Longs:
        """Find the predicates of copulas; in "there is", which has none, the subject is set."""
        labels, upos, behind = self.labels, self.upos, self._behind()
        be = candidates & self.words.has(*_BE) & ~labels.has("aux", "auxpass")
        there = be & self._have(labels.has("expl"))
        upos.set(there, "VERB")
        labels.set(labels.has("attr") & there[self.heads], "nsubj")
        adverb = labels.has("advmod")
        last = self._child(adverb | labels.has("nsubj"), last=True)[self.heads] == self.here
        predicates = np.full(len(self.here), -1)
        for kind in (
            labels.has("acomp"),
            labels.has("attr"),
            labels.has("oprd"),
            behind & labels.has("xcomp", "ccomp"),
            behind & phrases,
            behind & (adverb & ~upos.has("PART") & last | labels.has("npadvmod", "prt", "prep")),
            ~behind & adverb & self.xpos.has("WRB"),
        ):
            without = be & ~there & (predicates < 0)
            predicates = np.where(without, self._child(kind), predicates)
        return predicates

    def _set_speech(self) -> None:
        """Put a clause quoted before "he said" in the place of "he said", and that below it."""
        labels = self.labels
        quoted = labels.has("ccomp") & ~self._behind() & ~self._have(labels.has("mark"))
        clause = labels.has("ccomp", "conj") | (self.heads == self.here)
        first = self._child(quoted & clause[self.heads])
        saying = np.flatnonzero((first >= 0) & ~quoted)
        quote = first[saying]
        above, is_root = self.heads[saying], self.heads[saying] == saying
        marks = labels.has("punct") & np.isin(self.heads, saying)
        self.heads[marks] = first[self.heads[marks]]
        self.heads[quote] = np.where(is_root, quote, above)
        self.heads[saying] = quote
        labels.copy(quote, saying)
        labels.set(saying, "parataxis")

    def _set_small_clauses(self) -> None:
        """Make subjects of clauses without a finite verb ("let them go") objects of their verb."""
        labels, subjects = self.labels, self.labels.has("nsubj")
        infinite = ~self._have(
            labels.has("mark", "cop") | labels.has("aux") & ~self.xpos.has("TO")
        ) & ~self.xpos.has("VBD", "VBZ", "VBP", "MD")
        clauses = labels.has("ccomp") & self._behind() & infinite
        subject = self._child(subjects)
        single = np.bincount(self.heads[subjects], minlength=len(self.here)) == 1
        clauses &= single & (self.heads < subject) & (subject < self.here)
        moved = subject[clauses]
        self.heads[moved] = self.heads[clauses]
        labels.set(moved, "obj")
        labels.set(clauses, "xcomp")

    def _set_conjuncts(self) -> None:
        """Hang conjuncts on the first, conjunctions and commas on the conjunct behind them."""
        conjuncts = self.labels.has("conj") & (self.heads != self.here)
        first = np.where(conjuncts, self.heads, self.here)
        while (first[first] != first).any():
            first = first[first]
        self.heads = np.where(conjuncts, first, self.heads)
        link = self.labels.has("cc") | self.labels.has("punct") & self.words.has(*_BETWEEN)
        links = np.flatnonzero(link & self._behind())
        heads = self.heads[links]
        heads = np.where(conjuncts[heads], first[heads], heads)
        behind, _ = self._next(conjuncts, self.here, heads, links)
        self.heads[links] = np.where(behind < 0, self.heads[links], behind)

    def _rename(self) -> None:
        """Give dependents the labels of UD: those that depend on the tree, then all others."""
        labels, upos, xpos, heads = self.labels, self.upos, self.xpos, self.heads
        verbs = upos.has("VERB", "AUX")
        copular = self._have(labels.has("cop"))
        clausal = verbs | self._have(labels.has("cop", "nsubj", "nsubjpass"))
        noun = (upos.has(*_NOMINAL) & ~copular)[heads]
        subject = self._have(labels.has("nsubj", "nsubjpass", "expl"))
        question = self._have(xpos.has("WDT", "WP", "WRB", "WP$"))
        behind = self._behind()
        objects = labels.has("dobj")
        last = self._child((objects | labels.has("ccomp")) & behind, last=True)
        adverbs, prepositions = upos.has("ADV"), labels.has("prep")
        changes = [
            (labels.has("aux") & xpos.has("TO"), "mark"),
            (labels.has("pobj", "pcomp") & noun, "nmod"),
            (labels.has("pobj", "pcomp") & ~noun, "obl"),
            (prepositions & adverbs, "advmod"),
            (prepositions & ~adverbs & clausal[heads], "obl"),
            (prepositions & ~adverbs & ~clausal[heads], "case"),
            (labels.has("relcl") & ~subject & ~question, "acl"),
            (labels.has("relcl") & (subject | question) & upos.has("VERB")[heads], "advcl:relcl"),
            (labels.has("advcl") & noun, "acl"),
            (labels.has("acl") & verbs[heads], "advcl"),
            (labels.has("ccomp") & ~subject & ~question & xpos.has("VB", "VBG", "VBN"), "xcomp"),
            (objects & behind & (last[heads] > self.here), "iobj"),
        ]
        for tokens, name in changes:
            labels.set(tokens, name)
        for old, new in _RENAMED.items():
            labels.set(labels.has(old), new)
        labels.set(heads == self.here, "root")

    def _set_fixed(self) -> None:
        """Head multiword function words by their first word."""
        labels, heads = self.labels, self.heads
        below = np.bincount(heads[heads != self.here], minlength=len(self.here))
        for pair, label in _FIXED.items():
            one, other = pair.split()
            first = np.flatnonzero(self.words.has(one)[:-1] & self.words.has(other)[1:])
            second = first + 1
            up, down = heads[first] == second, heads[second] == first
            alone = (below[first] == 0) & (below[second] == up) & ~down
            alone &= up | (heads[first] == heads[second])
            alone &= heads[first] != first
            first, second, up = first[alone], second[alone], up[alone]
            root = heads[second] == second
            heads[first] = np.where(up, np.where(root, first, heads[second]), heads[first])
            heads[second] = first
            below[first] = 1
            if label:
                labels.set(first, label)
            labels.set(first[up & root], "root")
            labels.set(second, "fixed")

    def _set_punctuation(self) -> None:
        """Hang final marks on the root, others on the dependent that they set off.

        A closing bracket or quotation mark gets the head of the opening one.
        """
        labels, words, here, heads = self.labels, self.words, self.here, self.heads
        marks, root = labels.has("punct"), heads == here
        first, last, top = self._spans(~marks)
        alone = marks & ~root & ~self._have(~root)
        final = alone & (here > last[top])
        i = np.flatnonzero(alone & ~final & ~marks[heads])
        above = heads[i]
        left = np.maximum.accumulate(np.where(marks, -1, here))[i]
        right = np.minimum.accumulate(np.where(marks, len(here), here)[::-1])[::-1][i]
        loose = ~marks & ~root & ~labels.has(*_TIGHT)
        ending, place = self._next(loose, last, above, left)
        ending[place != left] = -1
        starting, place = self._next(loose, first, above, right)
        starting[place != right] = -1

        # Quotation marks that look alike open and close by turns.
        starts = self.trees.sentence_starts
        quotes = marks & words.has(*_QUOTES)
        before: Longs = np.cumsum(quotes) - quotes
        inside = (before - before[starts]) % 2 == 1
        opening = marks & words.has(*_OPENING) | quotes & ~inside
        closing = marks & words.has(*_CLOSING) | quotes & inside

        set_off = (i < above) | labels.has(*_SET_OFF)[ending]
        to = np.where((i > above) & ~closing[i], starting, -1)
        to = np.where((to < 0) & ~opening[i] & set_off, ending, to)
        heads[i] = np.where(to < 0, above, to)
        final &= self.trees.lower_words.where(lambda word: bool(_FINAL.fullmatch(word)))
        heads[final] = top[final]
        opened = np.maximum.accumulate(np.where(opening, here, -1))
        closing &= alone & (opened >= starts)
        closing &= (heads[opened] > opened) & (heads[opened] < here)
        heads[closing] = heads[opened[closing]]

    def _spans(self, counted: Bools) -> tuple[Longs, Longs, Longs]:
        """Find the first and last token that counts in every subtree, and every token's root."""
        first = np.where(counted, self.here, len(self.here))
        last, above, done = np.where(counted, self.here, -1), self.heads, False
        while not done:
            np.minimum.at(first, above, first.copy())
            np.maximum.at(last, above, last.copy())
            done = np.array_equal(above, above[above])
            above = above[above]
        return first, last, above

    def _retag(self) -> None:
        """Fix the parts of speech that UD gives by function."""
        labels, upos, xpos = self.labels, self.upos, self.xpos
        function = labels.has("aux", "aux:pass", "cop")
        verbs, auxiliaries = upos.has("VERB"), upos.has("AUX")
        modal = ~self.words.has(*_BE) & xpos.has("MD")
        upos.set(upos.has("SCONJ") & xpos.has("WRB"), "ADV")
        upos.set(labels.has("mark") & upos.has("ADP"), "SCONJ")
        upos.set(labels.has("det") & upos.has("PRON"), "DET")
        upos.set(function & verbs, "AUX")
        upos.set(auxiliaries & ~function & ~modal, "VERB")
