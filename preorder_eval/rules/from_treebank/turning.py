"""The pairs of items that turn between two languages, from their orders in treebanks.

A pair is proposed if source and target prefer opposite orders, or if the source has a marked order
that the target hardly has. It turns if turning is probably right. A logistic regression estimates
the probability. It was fitted to aligned sentences of several languages, in whose translations such
pairs are turned or kept (`turning.tsv`, made by `rules/_treebank/make.py`). Translations keep the
order of the source where the target allows it. So a weak preference turns nothing, and two items
that both keep their side keep their order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Longs, matrix_product
from preorder_eval.rules.from_treebank.treebank_counts import (
    ACROSS,
    BEFORE,
    BEHIND,
    CLASSES,
    ENOUGH,
    KINDS,
    NUMBER,
    PLACES,
    TreebankCounts,
    shipped_table,
)

STAY = tuple(NUMBER[kind] for kind in ("conj", "flat"))
# Whose counts stand for a kind that a treebank hardly has: the first that it has.
_LIKE = {
    "compound": ["amod", "genitive", "nmod"],
    "nmod:poss": ["genitive", "nmod"],
    "genitive": ["nmod"],
    "poss": ["nmod:poss", "genitive", "nmod"],
    "acl:relcl": ["acl"],
    "acl": ["acl:relcl"],
    "compound:prt": ["advmod"],
    "xcomp": ["ccomp", "advcl"],
    "ccomp": ["xcomp", "advcl"],
    "amod": ["acl", "nmod"],
    "expl": ["nsubj"],
    "iobj": ["obl"],
    "csubj": ["ccomp", "nsubj"],
    "obl:tmod": ["obl"],
    "det": ["amod", "nmod"],
    "mark": ["case"],
    "nummod": ["amod", "nmod"],
    "clf": ["case"],
}
# A bare noun stands on the side of the adjectives, but among other modifiers as a noun does.
_PLACE = {**_LIKE, "compound": ["genitive", "nmod", "amod"]}
# With their heads, what other languages use these labels for (pronouns, reflexives) shows nothing.
_INSTEAD = {"iobj": "obj", "expl": "nsubj"}
_FAMILIES = (
    *("obj iobj obl obl:tmod", "ccomp xcomp advcl csubj", "case mark", "aux cop"),
    *("nmod genitive nmod:poss acl acl:relcl compound appos", "amod det nummod", "nsubj expl"),
)
_FAMILY = np.arange(len(KINDS))
for _members in _FAMILIES:
    _FAMILY[[NUMBER[kind] for kind in _members.split()]] = NUMBER[_members.split()[0]]
_CLAUSES = [NUMBER[kind] for kind in ("advcl", "acl:relcl", "ccomp", "xcomp", "csubj")]
_FRONTED = [clause for clause in _CLAUSES if clause != NUMBER["acl:relcl"]]
_INVERTED = np.ix_([NUMBER["aux"], NUMBER["cop"]], [NUMBER["nsubj"], NUMBER["expl"]])
_MARGIN, _SUBJECT_MARGIN = 0.15, 0.3
_LENIENT = 0.1
_FEW = 0.05  # of a treebank's children are adpositions: Finnish .02, Vietnamese .08, English .11
# By so much in log odds must the target shun an order that the source marks; by more where the
# verb stands before its object, because such languages front what English fronts.
_MARKED = {False: 1.0, True: 2.0}
PROBABLE, SURE = 0.5, 0.75
ALIKE = 0.03  # languages of which less is won (`Turning.net`) order alike
GAIN = 0.8  # in FRS for each unit of it, on eight languages with a parser
PAIR_KINDS = {
    "object": "obj iobj",
    "oblique": "obl obl:tmod advmod",
    "clause": "advcl ccomp xcomp csubj",
    "function word": "aux cop mark case clf det",
    "modifier": (
        "amod nummod compound nmod genitive nmod:poss poss acl appos acl:relcl compound:prt"
    ),
}
_IN_PHRASE = [NUMBER[kind] for kind in ("det", *PAIR_KINDS["modifier"].split())]
FEATURES = (
    "with head",
    "two children",
    "target",
    "source",
    "examples",
    "mirrored",
    "outermost",
    "marked",
    *PAIR_KINDS,
)


@dataclass(frozen=True, eq=False)
class Preferences:
    """How a language prefers to order two kinds of items.

    - `first` float64[5, K, K] is the probability that an item of one kind stands before one of
      another, under each kind of head. It is smoothed by the probabilities under similar heads and
      under all heads.
    - `examples` is the number of examples that it rests on.
    - `like` and `like_placed` int64[K] give for each kind the kind whose counts are used for it:
      for its order with the head, and for its order with other children.
    """

    first: Floats
    examples: Longs
    like: Longs
    like_placed: Longs

    @classmethod
    def of(cls, counts: TreebankCounts, *, fallbacks: bool = True) -> Preferences:
        """Smooth the counts of a treebank; without `fallbacks` each kind stands for itself."""
        like = placed = with_head = np.arange(len(KINDS))
        if fallbacks:
            like, placed = _nearest_known(counts, _LIKE), _nearest_known(counts, _PLACE)
            particle = {} if counts.known[NUMBER["compound:prt"]] else {"compound:prt": "obj"}
            with_head = like.copy()
            for kind, other in (_INSTEAD | particle).items():
                with_head[NUMBER[kind]] = like[NUMBER[other]]
        pairs = counts.pairs.sum(axis=3).astype(np.float64)
        of_pair = pairs[:, placed[:, None], placed]
        of_pair[:, 0], of_pair[:, :, 0] = pairs[:, 0, with_head], pairs[:, with_head, 0]
        every = of_pair.sum(axis=0)
        family = np.zeros_like(every)
        np.add.at(family, (_FAMILY[:, None], _FAMILY), pairs.sum(axis=0))
        family = family[_FAMILY[like][:, None], _FAMILY[like]]
        first, examples = np.full(every.shape, 0.5), np.zeros_like(every)
        weight = np.ones_like(every)
        if fallbacks:  # where a kind stands to its head, if it is rare, by those like it
            for at in (np.s_[0, :], np.s_[:, 0]):
                first[at] = ((family + 0.5) / (family + family.T + 1))[at]
                weight[at] = 20.0
        classes = [of_pair[np.equal(CLASSES, one)].sum(axis=0) for one in range(3)]
        of_class = np.stack(classes)[CLASSES]
        for counted, least in ((every, weight), (of_class, 5.0), (of_pair, 50.0)):
            turned = counted.swapaxes(-1, -2)
            first = (counted + least * first) / (counted + turned + least)
            examples = counted + turned + np.minimum(examples, ENOUGH)
        same = placed[:, None] == placed
        first[:, same], examples[:, same] = 0.5, 0
        return cls(first, examples.astype(np.int64), with_head, placed)


def _nearest_known(counts: TreebankCounts, like: dict[str, list[str]]) -> Longs:
    known = {kind for kind in KINDS if counts.known[NUMBER[kind]]} | {KINDS[0]}
    chosen = (next((k for k in (kind, *like.get(kind, [])) if k in known), kind) for kind in KINDS)
    return np.array([NUMBER[kind] for kind in chosen])


@dataclass(frozen=True, eq=False)
class Turning:
    """What turns between two languages, and the preferences of the `target`.

    A cell is a kind of head, two kinds of items in source order, and their places, as in
    `TreebankCounts.pairs`. `turns` bool[5, K, K, 3] tells whether the items turn, and `probable`
    float64[5, K, K, 3] is the probability that turning them is right.
    """

    turns: Bools
    probable: Floats
    target: Preferences

    def net(self, source: TreebankCounts) -> float:
        """Return the net share of children that turn rightly; it predicts the gain in FRS (`GAIN`).

        Of all children in the source, it is the share that turns rightly with its head, minus the
        share that turns wrongly.
        """
        counts = source.pairs.astype(np.float64)
        counts[:, STAY] = counts[:, :, STAY] = 0
        counts[:, 1:, 1:] = 0
        won = counts * self.turns * (2 * self.probable - 1)
        return float(won.sum() / max(counts.sum(), 1))


def find_turning(target: TreebankCounts, source: TreebankCounts) -> Turning:
    """Decide what turns: the pairs that are proposed and probably right.

    If hardly anything turns, the languages order alike. Then two treebanks differ mostly by their
    texts and annotators. So only the pairs that are nearly certain turn, of labels that both
    languages have and order oppositely.
    """
    there, here = Preferences.of(target), Preferences.of(source, fallbacks=False)
    proposed, features = proposals(target, there, here)
    table = {name: float(weight) for name, weight in shipped_table("turning")}
    weights = np.array([table[name] for name in FEATURES])
    probable = 1 / (1 + np.exp(-matrix_product(features, weights)))
    # Where an item changes sides, to leave the others as they stood is no safer than to turn them.
    margin = _LENIENT * features[..., FEATURES.index("outermost")]
    turns = _settled(proposed & (probable > PROBABLE - margin))
    turning = Turning(turns, probable, there)
    if turning.net(source) >= ALIKE:
        return turning
    known = np.equal(there.like, np.arange(len(KINDS)))
    opposite = (features[..., FEATURES.index("marked")] == 0) & (known[:, None] & known)[..., None]
    turns = _settled(proposed & opposite & (probable > SURE - margin))
    return replace(turning, turns=turns)


def _settled(turns: Bools) -> Bools:
    """Return the pairs that turn, given the items that change their side of the head.

    Two items that come out on different sides stand in that order. Two items that both keep their
    side keep their order, because translators preserve the order of the source. But questions have
    their subject first in languages that never place it behind the auxiliary.
    """
    turns = turns.copy()
    changes = {-1: turns[:, :, 0, BEFORE], 1: turns[:, 0, :, BEHIND]}  # by the side in the source
    for place, (first, second) in PLACES.items():
        one, other = changes[first][:, :, None], changes[second][:, None, :]
        moving = one | other
        moving[:, 0, :] = moving[:, :, 0] = True
        moving[:, _INVERTED[0], _INVERTED[1]] = True
        side, other_side = np.where(one, -first, first), np.where(other, -second, second)
        apart = side != other_side
        apart[:, 0, :] = apart[:, :, 0] = False
        turns[..., place] = np.where(apart, side > other_side, turns[..., place] & moving)
    return turns


def proposals(
    target: TreebankCounts, there: Preferences, here: Preferences
) -> tuple[Bools, Floats]:
    """Return which pairs the preferences would turn, and the features of all pairs.

    They are bool[5, K, K, 3] and float64[5, K, K, 3, F], by the F `FEATURES`.
    """
    size = len(KINDS)
    t, s, known = there.first, here.first, there.examples >= ENOUGH
    stays = np.isin(np.arange(size), STAY)
    stays[NUMBER["appos"]] |= not target.known[NUMBER["appos"]]
    verb_first = t[0, NUMBER["obj"], 0] < 0.5
    case, nouns = NUMBER["case"], t.shape[0] - 2
    # Where suffixes do their work, the few adpositions left show nothing of the source's many;
    # but where verbs come last, suffixes and what they attach to do stand in the same order.
    stays[case] |= bool(verb_first and target.sides[case].sum() < _FEW * target.sides.sum())
    opposed = known[:, :, 0] & ~stays & ((t[:, :, 0] > 0.5) != (s[:, :, 0] > 0.5))
    opposed[:, 0] = False
    to_front = opposed & (t[:, :, 0] > 0.5 + _MARGIN)
    to_back = opposed & (t[:, :, 0] < 0.5 - _MARGIN)
    proposed = np.zeros((*t.shape, 3), dtype=bool)
    mirrored, marked = np.zeros_like(proposed), np.zeros_like(proposed)
    both = known & ~stays[:, None] & ~stays
    for place, moved in ((BEFORE, to_back), (ACROSS, to_back), (BEHIND, to_front)):
        margin = np.full((size, size), _MARGIN)
        if place == ACROSS:
            margin[NUMBER["nsubj"]] = _SUBJECT_MARGIN
        opposite = (s > 0.5) & (t < 0.5 - margin)
        shunned = (s < 0.5) & (t < 0.05) & (_odds(s) - _odds(t) > _MARKED[bool(verb_first)])
        marked[..., place] = both & shunned & ~opposite
        implied = mirrored[..., place]
        if place != ACROSS:
            implied |= moved[:, :, None] & moved[:, None, :]
        else:  # an adposition comes out at the very edge, what moves before a noun outermost
            implied[nouns, case] |= to_back[nouns, case]
            implied[nouns, _IN_PHRASE] |= to_front[nouns]
        keep = (s > 0.5) & (t > 0.5 + margin)
        turn = both & (opposite | shunned) | ~(both & keep) & implied
        turn[:, np.arange(size), np.arange(size)] = moved if place != ACROSS else False
        proposed[..., place] = turn
    # So does what becomes a preposition, as 's does where "of" stands before the article.
    leads = proposed[nouns, 0, case, BEHIND] & (t[nouns, :, case] < 0.5 - _MARGIN)
    proposed[nouns, :, case, ACROSS] |= leads
    mirrored[nouns, :, case, ACROSS] |= leads
    if verb_first:  # clauses follow, or are fronted as in the source; "there are birds" stays
        proposed[:, _FRONTED, :, BEFORE] = proposed[:, _CLAUSES, :, BEHIND] = False
        proposed[:, 0, NUMBER["nsubj"], BEHIND] = False
        proposed[:, :, _CLAUSES, ACROSS] = proposed[:, :, _CLAUSES, BEHIND] = False
        proposed[:, NUMBER["mark"]] = proposed[:, :, NUMBER["mark"]] = False
    for one, other in (("obj", "iobj"), ("iobj", "obj")):
        proposed[:, NUMBER[one], NUMBER[other]] = False
    return proposed, _features(there, here, mirrored, marked)


def _features(there: Preferences, here: Preferences, mirrored: Bools, marked: Bools) -> Floats:
    """Return the values of the `FEATURES` for every pair of kinds; float64[5, K, K, 3, F]."""
    size = len(KINDS)
    head = np.zeros((size, size), dtype=bool)
    head[0], head[:, 0] = True, True
    each = [head, ~head, -_odds(there.first), _odds(here.first), np.log1p(there.examples) / 5]
    across = np.arange(3) == ACROSS
    cells = [*(one[..., None] for one in each), mirrored & ~across, mirrored & across, marked]
    for kinds in PAIR_KINDS.values():
        has = np.isin(np.arange(size), [NUMBER[kind] for kind in kinds.split()])
        cells.append((has[:, None] | has)[..., None])
    return np.stack([np.broadcast_to(one, mirrored.shape) for one in cells], axis=-1).astype(float)


def _odds(p: Floats) -> Floats:
    bounded = np.clip(p, 0.005, 0.995)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds
