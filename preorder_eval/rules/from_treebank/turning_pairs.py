"""The pairs of items that turn between two languages, written as rules with few pairs.

`turning` decides for every two kinds of items under every kind of head. One pair of a rule can
cover many of these decisions. Pairs are found from the general to the special: those of a label
before those of its subtypes. A pair is written only if the pairs found so far order its items
wrongly. Two items that come out on different sides of their head need no pair with each other,
because each of them has a pair with the head.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.from_treebank.treebank_counts import (
    GROUPS,
    KINDS,
    NUMBER,
    NUMERAL_PARTS,
    PLACES,
    POSSESSIVE,
    TIME,
    VERBAL,
    TreebankCounts,
)
from preorder_eval.rules.from_treebank.turning import Turning
from preorder_eval.rules.rule import Pair, Rule

_WIDER = {
    "poss": "nmod:poss",
    "nmod:poss": "nmod",
    "genitive": "nmod",
    "acl:relcl": "acl",
    "compound:prt": "compound",
    "obl:tmod": "obl",
}
_PRONOUNS = ("who", "whom", "which", "that", "whose", "where", "when", "why", "what", "how")
_IN_CLAUSES = (
    *("nsubj", "expl", "obj", "iobj", "obl", "advmod", "advcl", "ccomp", "xcomp"),
    *("aux", "cop", "mark"),
)
_WORDS_PER_EXAMPLE = 10_000  # of the source: what is rarer gets no pair of its own
SidedKind = tuple[str, int]  # a kind, and its side: -1 before the head, 0 the head, 1 behind it
_HEAD: SidedKind = (HEAD, 0)


class KindPair(NamedTuple):
    """A pair of two items, and what it does with them; it becomes a `Pair` of a rule."""

    first: SidedKind
    second: SidedKind
    order: Literal["first", "reverse", "keep"] = "first"

    def turns(self, one: SidedKind, other: SidedKind) -> bool | None:
        """Return whether the pair turns two items in source order; None if it does not fit them."""
        keep = _fits(self.first, one) and _fits(self.second, other)
        turned = _fits(self.first, other) and _fits(self.second, one)
        if self.order == "first":
            return turned if keep != turned else None
        return self.order == "reverse" if keep or turned else None


class _Cell(NamedTuple):
    """Two items in source order, whether they turn, and how often the source has them."""

    one: SidedKind
    other: SidedKind
    turns: bool
    often: int


KindPairs = Sequence[KindPair]


def pairs_of_groups(turning: Turning, source: TreebankCounts) -> dict[str, list[KindPair]]:
    """Return the pairs for each kind of head, the special ones before the general ones.

    Verbs with an auxiliary, and verbs of subordinate clauses, inherit the pairs of all verbs. They
    have pairs of their own only where they differ.
    """
    groups = list(GROUPS)
    found: dict[str, list[KindPair]] = {}
    for number, group in enumerate(groups):
        inherited: list[KindPairs] = [()]
        if number in (1, 2):
            inherited = [found[groups[0]]]
        if number == 2:
            inherited.append([*found[groups[1]], *found[groups[0]]])
        cells = _cells(turning, source, number)
        pairs: list[KindPair] = []
        for of_two in cells:
            pairs[:0] = _deciding(of_two, [[*pairs, *more] for more in inherited])
        found[group] = _without_circles(pairs, turning, source, number)
    return found


def _cells(turning: Turning, source: TreebankCounts, group: int) -> Iterator[list[_Cell]]:
    """Yield for every two kinds of items the cases that their pairs must get right.

    A case is an order of the two in the source and the sides on which they stand. Cases that the
    source hardly has are left out. Those with the head come first.
    """
    least = max(2.0, source.words / _WORDS_PER_EXAMPLE)
    counts = source.pairs[group].tolist()
    turns = turning.turns[group].tolist()
    for i in range(len(KINDS)):
        for j in range(max(i, 1), len(KINDS)):
            cells = []
            for a, b in ((i, j), (j, i)) if i != j else ((i, j),):
                for place, sides in PLACES.items():
                    if counts[a][b][place] >= least:
                        first, second = (
                            (KINDS[k], side if k else 0)
                            for k, side in zip((a, b), sides, strict=True)
                        )
                        cells.append(_Cell(first, second, turns[a][b][place], counts[a][b][place]))
            yield cells


def _deciding(cells: Sequence[_Cell], among: Sequence[KindPairs]) -> list[KindPair]:
    """Return the fewest new pairs that get all cases of two kinds of items right.

    They come before the pairs found so far. `among` lists all that can follow them: the pairs found
    so far, each time with the pairs of another head that they inherit.
    """

    def wrong(new: KindPairs) -> list[_Cell]:
        return [
            cell
            for cell in cells
            if any(_outcome([*new, *pairs], cell.one, cell.other) != cell.turns for pairs in among)
        ]

    if not wrong(()):
        return []
    one, other = ((kind, 0) for kind in (cells[0].one[0], cells[0].other[0]))
    for single in (
        KindPair(one, other),
        KindPair(other, one),
        KindPair(one, other, "reverse"),
        KindPair(one, other, "keep"),
    ):
        if not wrong([single]):
            return [single]
    new: list[KindPair] = []
    for cell in sorted(wrong(()), key=lambda cell: -cell.often):
        if cell not in wrong(new):
            continue
        opposite = [c.turns for c in cells if (c.one, c.other) == (cell.other, cell.one)]
        if cell.one == cell.other or cell.turns in opposite:
            added = KindPair(cell.one, cell.other, "reverse" if cell.turns else "keep")
        else:
            in_order = (cell.other, cell.one) if cell.turns else (cell.one, cell.other)
            added = KindPair(*in_order)
        new.insert(0, added)
    return new


def _fits(pattern: SidedKind, item: SidedKind) -> bool:
    kind = item[0]
    while kind != pattern[0] and kind in _WIDER:
        kind = _WIDER[kind]
    return kind == pattern[0] and pattern[1] in (0, item[1])


def _outcome(pairs: KindPairs, one: SidedKind, other: SidedKind) -> bool:
    """Return whether two items in source order come out turned."""
    for pair in pairs:
        turned = pair.turns(one, other)
        if turned is not None:
            return turned
    return _HEAD not in (one, other) and _side(pairs, one) > _side(pairs, other)


def _side(pairs: KindPairs, item: SidedKind) -> int:
    before = item[1] < 0
    turned = _outcome(pairs, item, _HEAD) if before else _outcome(pairs, _HEAD, item)
    return -item[1] if turned else item[1]


def _without_circles(
    pairs: list[KindPair], turning: Turning, source: TreebankCounts, group: int
) -> list[KindPair]:
    """Return the pairs without circles, such as a before b, b before c, c before a.

    The cheapest pair of each circle is left out, but never one with the head.
    """
    import networkx as nx  # takes a third of the time in which other commands start

    graph: nx.DiGraph[SidedKind] = nx.DiGraph()
    for pair in pairs:
        if pair.order == "first":
            one, other = NUMBER[pair.first[0]], NUMBER[pair.second[0]]
            sure = abs(turning.target.first[group, one, other] - 0.5)
            count = source.pairs[group, one, other].sum() + source.pairs[group, other, one].sum()
            cost = float("inf") if HEAD in (pair.first[0], pair.second[0]) else sure * count
            graph.add_edge(pair.first, pair.second, cost=cost, pair=pair)
    given_up = []
    while circles := [part for part in nx.strongly_connected_components(graph) if len(part) > 1]:
        edges = graph.subgraph(circles[0]).edges(data=True)
        cheapest = min(edges, key=lambda edge: (edge[2]["cost"], edge[:2]))
        graph.remove_edge(*cheapest[:2])
        given_up.append(cheapest[2]["pair"])
    return [pair for pair in pairs if pair not in given_up]


def rules_of_pairs(
    found: dict[str, list[KindPair]], genitive: Slot
) -> tuple[tuple[Rule, ...], dict[tuple[str, Pair], tuple[str, KindPair]]]:
    """Return the rules, and where each of their pairs comes from.

    That is, for the name of a rule and a pair of it, the kind of head and the pair of items.

    Parameters: `genitive` is the slot for genitives of the source.
    """
    origin: dict[tuple[str, Pair], tuple[str, KindPair]] = {}
    rules = []
    verbs, helped, *others = GROUPS
    for groups in ((helped, verbs), *((group,) for group in others)):
        pairs = []
        for group in groups:
            with_aux = ("aux",) if group == helped else ()
            for kind_pair in found[group]:
                pair = _pair(kind_pair, with_aux, genitive)
                if pair not in pairs:
                    pairs.append(pair)
                    origin[groups[-1], pair] = group, kind_pair
        tags, labels = GROUPS[groups[-1]]
        if not pairs:
            continue
        if tags == VERBAL:  # relative pronouns, question words and fronted phrases stay in front
            pronoun = Slot(("nsubj", "obj", "obl", "advmod"), side="before", words=_PRONOUNS)
            fronted = Slot(("advmod", "obl", "advcl"), side="before", precedes=("nsubj", "expl"))
            pairs[:0] = [
                Pair(pronoun, Slot((HEAD,)), "keep"),
                Pair(pronoun, Slot(_IN_CLAUSES), "keep"),
                Pair(fronted, Slot((HEAD,)), "keep"),
            ]
        if "NUM" in tags:
            part = Slot(NUMERAL_PARTS, tags=("NUM",), head_tags=("NUM",))
            pairs[:0] = [Pair(part, Slot((HEAD,)), "keep"), Pair(part, part, "keep")]
        if not labels:  # what no pair moves keeps its side, whatever comes to stand beside it
            pairs.append(Pair(Slot((OTHER,)), Slot((HEAD,)), "keep"))
        rules.append(Rule(tags, labels=labels, pairs=tuple(pairs), name=groups[-1]))
    return tuple(rules), origin


def _pair(pair: KindPair, siblings: tuple[str, ...], genitive: Slot) -> Pair:
    first, second = _slot(pair.first, genitive), _slot(pair.second, genitive)
    if siblings and "aux" not in (pair.first[0], pair.second[0]):
        conditioned = second if pair.first[0] == HEAD else first
        conditioned = replace(conditioned, siblings=siblings)
        first, second = (first, conditioned) if pair.first[0] == HEAD else (conditioned, second)
    return Pair(first, second, pair.order)


def _slot(item: SidedKind, genitive: Slot) -> Slot:
    kind, number = item
    side: Literal["before", "after"] | None = {-1: "before", 0: None, 1: "after"}[number]
    if kind == "poss":
        return Slot(("nmod:poss", "det:poss"), side=side, tags=POSSESSIVE)
    if kind == "genitive":
        return replace(genitive, side=side)
    if kind == "obl:tmod":
        return Slot(TIME, side=side)
    # A participle behind the verb that nothing introduces stays.
    marked = ("mark", "case") if kind == "advcl" and number >= 0 else ()
    return Slot((kind,), side=side, with_labels=marked)
