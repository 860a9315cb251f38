"""The cost of a parser's errors: each is repaired alone and introduced alone, and scored.

An error is a token that differs from its gold tree in its tag, label or head. Its *gain* is how
much the corpus score rises if it alone is repaired in the parser's trees. Its *loss* is how much
the score falls if it alone is made in the gold trees. Its *cost* is the mean of the two, because
several errors of a sentence can hide each other, or do the same harm twice. With one or two errors
in a sentence, the cost is the error's Shapley value (1953); with more, it is the mean of the first
and the last of its terms. So the costs of all errors nearly add up to the parser's cost. An error
that costs nothing does not matter to the rules; if the cost is negative, the rules rely on the
error.

A wrong head is repaired together with its label. A tree has one root, so a wrong root is repaired
along with the gold root, and a missed root along with the parser's; each of the two errors bears
half. An error may be impossible to repair (or make) alone, if that would close a cycle of heads. It
then costs its loss (or gain); if it has neither, it costs 0.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Ints, Longs
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.orders.orders import Alternatives, ReferenceOrders, SourceWords
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.scheme_differences import of_schemes
from preorder_eval.trees.treebank import Treebank, broken_trees

ErrorKind = Literal["tag", "label", "head"]
TagColumn = Literal["upos", "xpos"]
ERROR_KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)
_TOKENS = 1 << 18  # of repaired sentences at a time


@dataclass(frozen=True)
class Confusion:
    """The errors of one kind in which the parser takes one name for another.

    - `kind`: the tag is wrong; or the head is right, but the label is wrong; or the head is wrong.
    - `gold` and `parsed` are the two tags or labels, which can be the same if the head is wrong.
    - `count` is the number of such errors, and `repaired` how many can be repaired alone. `helped`
      and `hurt` count the repairs that raise and lower the score.
    - `gain`, `loss` and `cost` are summed over the errors, in the metric's scores.
    - `sentences` has the 1-based numbers of the sentences with such errors, those with the highest
      cost first.
    - `of_schemes` marks errors of words on which ClearNLP and UD differ, if the parser's trees were
      converted (`trees.scheme_differences`): they are not the parser's.
    """

    kind: ErrorKind
    gold: str
    parsed: str
    count: int
    repaired: int
    helped: int
    hurt: int
    gain: float
    loss: float
    cost: float
    sentences: list[int]
    of_schemes: bool = False


@dataclass(frozen=True)
class ParserErrors:
    """The costs of a parser's errors for a rule set, by a metric of orders.

    `score` is that of the parser's trees and `gold_score` that of the gold trees, both with the
    same rules; `confusions` come with the most costly first.
    """

    score: float
    gold_score: float
    confusions: list[Confusion]


@dataclass(frozen=True, eq=False)
class _Errors:
    """E errors; int64[E] each: the flat index of the token, its sentence, and the kind's number."""

    token: Longs
    sentence: Longs
    kind: Longs


def parser_errors(
    trees: Treebank,
    gold: Treebank,
    rules: RuleSet,
    references: ReferenceOrders | Alternatives,
    words: SourceWords,
    metric: OrderMetric,
    *,
    converted: bool = False,
) -> ParserErrors:
    """Compare a parser's trees with gold trees of the same words, by the costs of the errors.

    If the trees were `converted` from ClearNLP, the errors on which the schemes differ are apart.
    Sentences without links are left out; a tag that the gold trees do not have is taken from the
    parser. Raises PreorderEvalError where the rules are not for such trees.
    """
    trees, gold = _with_shared_names(trees, gold, rules.tags)
    score, gold_score = (
        metric.score(rules.reorder(treebank), references, words) for treebank in (trees, gold)
    )
    counted = references.informative
    errors = _errors(trees, gold, rules.tags, counted)
    changes = np.zeros((2, len(errors.token)))  # gains and losses
    pieces = 1 + int(trees.lengths[errors.sentence].sum()) // _TOKENS
    for piece in np.array_split(np.arange(len(errors.token)), pieces):
        part = _Errors(errors.token[piece], errors.sentence[piece], errors.kind[piece])
        for sign, at, of, other, before in (
            (1, 0, trees, gold, score),
            (-1, 1, gold, trees, gold_score),
        ):
            rows = _changed(part, of, other, rules, references, words, metric)
            after = before.statistics.sum(axis=0) + (rows - before.statistics[part.sentence])
            changes[at, piece] = sign * (metric.finish(after) - before.corpus)
    of_head = errors.kind == ERROR_KINDS.index("head")
    as_one = of_head & (_other_root(errors, trees, gold) != errors.token)
    changes /= np.where(as_one, 2, 1)
    alike = of_schemes(trees, gold) if converted else np.zeros(len(gold.words), dtype=bool)
    alike = alike[errors.token] & (errors.kind != ERROR_KINDS.index("tag"))
    confusions = _confusions(errors, changes, trees, gold, rules.tags, alike)
    return ParserErrors(score.corpus, gold_score.corpus, confusions)


def _with_shared_names(
    trees: Treebank, gold: Treebank, tags: TagColumn
) -> tuple[Treebank, Treebank]:
    """Return both treebanks with the same codes for the same names.

    If the gold trees have no tag, the parser's tag takes its place.
    """
    shared: list[dict[str, Any]] = [{}, {}]
    for name in ("labels", tags):
        both = NameColumn.of(itertools.chain(getattr(trees, name), getattr(gold, name)))
        codes, gold_codes = np.split(both.codes, 2)
        if name == tags:
            missing = NameColumn(gold_codes, both.names).where(lambda tag: tag in ("_", ""))
            gold_codes = np.where(missing, codes, gold_codes)
        shared[0][name] = NameColumn(codes, both.names)
        shared[1][name] = NameColumn(gold_codes, both.names)
    return replace(trees, **shared[0]), replace(gold, **shared[1])


def _errors(trees: Treebank, gold: Treebank, tags: TagColumn, counted: Bools) -> _Errors:
    """Return all errors in the sentences that count, tags first."""
    sentence = np.repeat(np.arange(len(trees)), trees.lengths)
    wrong_head = trees.heads != gold.heads
    wrong = [
        getattr(trees, tags).codes != getattr(gold, tags).codes,
        ~wrong_head & (trees.labels.codes != gold.labels.codes),
        wrong_head,
    ]
    kind, token = np.nonzero(np.stack(wrong) & counted[sentence])
    return _Errors(token, sentence[token], kind)


def _changed(
    errors: _Errors,
    trees: Treebank,
    others: Treebank,
    rules: RuleSet,
    references: ReferenceOrders | Alternatives,
    words: SourceWords,
    metric: OrderMetric,
) -> Floats:
    """Return the statistics if each token alone is as in the other tree; NaN if that is no tree."""
    copies = trees.take(errors.sentence)
    shift = copies.offsets[:-1] - trees.offsets[errors.sentence]  # of a sentence to its copy
    tagged: NameColumn = getattr(copies, rules.tags)
    heads, labels, tags = (x.copy() for x in (copies.heads, copies.labels.codes, tagged.codes))

    def replace_in(column: Ints, other: Ints, token: Longs, kind: ErrorKind) -> None:
        of_kind = errors.kind == ERROR_KINDS.index(kind)
        column[(token + shift)[of_kind]] = other[token[of_kind]]

    replace_in(tags, getattr(others, rules.tags).codes, errors.token, "tag")
    replace_in(labels, others.labels.codes, errors.token, "label")
    for token in (errors.token, _other_root(errors, trees, others)):
        replace_in(heads, others.heads, token, "head")
        replace_in(labels, others.labels.codes, token, "head")
    broken = broken_trees(heads, copies.offsets)
    columns: dict[str, Any] = {
        "heads": np.where(np.repeat(broken, copies.lengths), copies.heads, heads),
        "labels": NameColumn(labels, copies.labels.names),
        rules.tags: NameColumn(tags, tagged.names),
    }
    again = metric.statistics(
        rules.reorder_unchecked(replace(copies, **columns)),
        references.take(errors.sentence),
        words.take(errors.sentence),
    )
    return np.where(broken[:, None], np.nan, again)


def _other_root(errors: _Errors, trees: Treebank, others: Treebank) -> Longs:
    """Return the token that must change along with each error, so that there is one root.

    It is the error's own token if no other must change.
    """
    root, other_root = (np.flatnonzero(treebank.heads < 0) for treebank in (trees, others))
    token, sentence = errors.token, errors.sentence
    along = np.where(trees.heads[token] < 0, other_root[sentence], token)
    return np.where(others.heads[token] < 0, root[sentence], along)


def _confusions(
    errors: _Errors,
    changes: Floats,
    trees: Treebank,
    gold: Treebank,
    tags: TagColumn,
    differing: Bools,
) -> list[Confusion]:
    """Return the errors by kind and names.

    `changes` float64[2, E] are gains and losses; on `differing` ones, bool[E], schemes differ.
    """
    known = ~np.isnan(changes)
    gains, losses = changes
    costs = np.where(known, changes, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    by_names: dict[tuple[ErrorKind, str, str, bool], list[int]] = defaultdict(list)
    pairs = zip(errors.token.tolist(), errors.kind.tolist(), strict=True)
    for e, (token, number) in enumerate(pairs):
        column = tags if ERROR_KINDS[number] == "tag" else "labels"
        right, parsed = (getattr(treebank, column)[token] for treebank in (gold, trees))
        by_names[ERROR_KINDS[number], right, parsed, bool(differing[e])].append(e)
    result = []
    for (kind, gold_name, name, schemes_differ), listed in by_names.items():
        members = np.array(listed)
        costly = members[np.argsort(-costs[members], kind="stable")]
        result.append(
            Confusion(
                kind,
                gold_name,
                name,
                count=len(members),
                repaired=int(known[0, members].sum()),
                helped=int((gains[members] > TIE).sum()),
                hurt=int((gains[members] < -TIE).sum()),
                gain=float(np.nansum(gains[members])),
                loss=float(np.nansum(losses[members])),
                cost=float(costs[members].sum()),
                sentences=list(dict.fromkeys((errors.sentence[costly] + 1).tolist())),
                of_schemes=schemes_differ,
            )
        )
    return sorted(result, key=lambda c: (-c.cost, -c.count, c.kind, c.gold, c.parsed, c.of_schemes))
