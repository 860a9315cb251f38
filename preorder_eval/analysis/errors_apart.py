"""The words that only one of two parsers has wrong: wrong heads, and wrong labels at right heads.

Words are counted by their gold label. The costs of a label's errors in FRS are not compared,
because such differences are not reproducible on other text (correlations from -.13 to .44).

If a parser's trees were converted from ClearNLP, words on which the two schemes differ
(`trees.scheme_differences`) are compared for neither parser, and counted by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from preorder_eval.base.arrays import Bools, Longs
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.stats.bootstrap import clustered_wilson
from preorder_eval.base.stats.significance import compare_systems, holm
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.base.tables import Column, Table
from preorder_eval.base.visible import quantity
from preorder_eval.trees.clearnlp import to_ud
from preorder_eval.trees.in_ud import is_clearnlp
from preorder_eval.trees.scheme_differences import (
    SCHEME_DIFFERENCES,
    differing_kinds,
    heads_of_names,
)
from preorder_eval.trees.schemes import base_label
from preorder_eval.trees.treebank import Treebank

_ERRORS = ("head", "label")  # a label counts where the head is right
_FEW = 10  # words of a label that only one parser has wrong, below which it has no row
_OTHERS = "other labels"
TwoCounts = tuple[int, int]


class WordErrors(NamedTuple):
    """The errors of one parser; bool[T] each.

    `head` marks words with another head than in the gold trees, `label` words with that head, but
    another universal label.
    """

    head: Bools
    label: Bools


@dataclass(frozen=True, eq=False)
class ErrorsApart:
    """The words that only one of two parsers has wrong, the parsers being A and B.

    - `words` are compared; `left_out` words are not, because schemes differ on them.
    - `head` and `label` count the words for which only A, or only B, has a wrong head, and those
      for which it alone has a wrong label at the right head.
    - `by_label` counts them by gold label, `by_conversion` the words left out by their kind.
    """

    words: int
    left_out: int
    head: TwoCounts
    label: TwoCounts
    by_label: Table
    by_conversion: Table | None = None

    @property
    def tables(self) -> list[Table]:
        """The tables by label and, if words are left out, by their kind."""
        return [self.by_label, *([self.by_conversion] if self.by_conversion else [])]

    def sentences(self, names: Sequence[str]) -> list[str]:
        """Return the counts in words, for two parsers of these names."""
        one, other = (f"{ab} ({name})" for ab, name in zip("AB", names, strict=True))
        found = [
            f"only {one} has the wrong head for {self.head[0]} of {quantity(self.words, 'word')}, "
            f"only {other} for {self.head[1]}",
            "where the head is right, only A has the wrong label for "
            f"{quantity(self.label[0], 'word')}, only B for {self.label[1]}",
        ]
        if self.left_out:
            found.append(
                f"{self.left_out} more word{'s' * (self.left_out > 1)} cannot be compared, because "
                "UD and ClearNLP differ on them"
            )
        return found


def word_errors(parsed: Treebank, gold: Treebank, same_head: Longs | None = None) -> WordErrors:
    """Return which words have another head, or another universal label, than in the gold trees.

    Parameters: `same_head` int64[T] numbers the words so that heads of one number are the same.
    """
    same = np.arange(len(gold.words)) if same_head is None else same_head
    head: Bools = same[parsed.parents] != same[gold.parents]
    head |= (parsed.heads < 0) != (gold.heads < 0)
    given, right = (trees.labels.renamed(base_label) for trees in (parsed, gold))
    both = NameColumn.joined([given, right]).codes
    label: Bools = both[: len(gold.words)] != both[len(gold.words) :]
    return WordErrors(head, label & ~head)


def errors_apart(
    parsed: Sequence[Treebank],
    gold: Treebank,
    *,
    converted: bool = False,
    seed: int = 0,
    unit: Unit = EACH_SENTENCE,
) -> ErrorsApart:
    """Compare the trees of two parsers with gold trees of the same words.

    If trees were `converted` from ClearNLP, words on which schemes differ are left out; trees that
    still have the labels of ClearNLP are converted for the comparison. Labels with
    fewer than ten words that one parser alone has wrong share a row. For the others, p is that of a
    test which swaps the two parsers on random subsets of the sentences or documents (`unit`),
    corrected for all tests of the table (Holm).
    """
    if not is_clearnlp(gold.labels):
        own = [is_clearnlp(trees.labels) for trees in parsed]
        parsed = [
            to_ud(t) if of_clearnlp else t for t, of_clearnlp in zip(parsed, own, strict=True)
        ]
        converted |= any(own)
    kinds = differing_kinds(gold) if converted else NameColumn.same("", len(gold.words))
    names = heads_of_names(gold) if converted else None
    errors = [word_errors(trees, gold, names) for trees in parsed]
    compared = kinds.where("".__eq__)
    # A wrong label stands beside a word that the other parser has right altogether.
    first, second = errors
    alone = {
        "head": (first.head & ~second.head, second.head & ~first.head),
        "label": (
            first.label & ~second.head & ~second.label,
            second.label & ~first.head & ~first.label,
        ),
    }
    counts = {error: _pair(pair, compared) for error, pair in alone.items()}
    table = _by_label(errors, alone, gold, compared, seed, unit)
    left_out = len(compared) - int(compared.sum())
    by_kind = _by_kind(errors, kinds) if left_out else None
    return ErrorsApart(
        int(compared.sum()), left_out, **counts, by_label=table, by_conversion=by_kind
    )


def _pair(marked: Sequence[Bools], among: Bools) -> TwoCounts:
    one, other = (int((words & among).sum()) for words in marked)
    return one, other


def _by_label(
    errors: Sequence[WordErrors],
    alone: dict[str, tuple[Bools, Bools]],
    gold: Treebank,
    compared: Bools,
    seed: int,
    unit: Unit,
) -> Table:
    """Return the table by gold label, the smallest p first."""
    labels = np.array([base_label(label) for label in gold.labels])
    words = {label: (labels == label) & compared for label in sorted({*labels[compared].tolist()})}
    counts = {
        label: {error: _pair(of_error, its) for error, of_error in alone.items()}
        for label, its in words.items()
    }
    total = {label: sum(map(sum, pairs.values())) for label, pairs in counts.items()}
    listed = [label for label in words if total[label] >= _FEW]
    tested = {
        (label, error): [of_error & words[label] for of_error in alone[error]]
        for label in listed
        for error, pair in counts[label].items()
        if sum(pair) >= _FEW
    }
    p = _p_values(tested, gold, seed, unit)
    least = {label: min((p[key] for key in p if key[0] == label), default=2) for label in listed}
    listed.sort(key=lambda label: (least[label], -total[label]))
    units = unit.numbers(len(gold))[_sentences(gold)]
    rows = [_row(label, words[label], counts[label], p, errors, units) for label in listed]
    few = compared & ~np.isin(labels, listed)
    if few.any():
        pairs = {error: _pair(of_error, few) for error, of_error in alone.items()}
        rows.append(_row(_OTHERS, few, pairs, p, errors, units))
    note = (
        "counts of words that only one parser gets wrong, not their effect on word order; "
        "label errors are counted where the head is right"
    )
    note += f"; p by {unit.drawn}" * bool(unit.drawn)
    return Table("errors", _columns(), rows, "Errors of only one parser", [note])


def _sentences(trees: Treebank) -> Longs:
    """Return the number of the sentence of each word; int64[T]."""
    return np.repeat(np.arange(len(trees)), np.diff(trees.offsets))


def _p_values(
    tested: dict[tuple[str, str], list[Bools]], gold: Treebank, seed: int, unit: Unit
) -> dict[tuple[str, str], float]:
    """Return p, corrected for all, of pairs of words that A alone and B alone have wrong."""
    if not tested:
        return {}
    sentence, measurements = _sentences(gold), []
    for wrong in tested.values():
        counts = [np.bincount(sentence[words], minlength=len(gold)) for words in wrong]
        statistics = np.array(counts, dtype=float)[:, :, None]
        measurements.append(unit.measurement(statistics, lambda sums: sums[..., 0]))
    lower = [False] * len(measurements)
    found = compare_systems(measurements, higher_is_better=lower, seed=seed)
    return dict(zip(tested, holm([pair.difference.p for [pair] in found]).tolist(), strict=True))


def _columns() -> list[Column]:
    columns = [Column("label", "gold label", label=True), Column("words")]
    for error in _ERRORS:
        columns += [Column(f"{error} A", f"{error}: A"), Column(f"{error} B", "B")]
        columns += [Column(f"{error} p", "p (Holm)", format="p")]
    return columns + [
        Column(f"{error} wrong {ab}", format=".3f", interval=True, only="data")
        for error in _ERRORS
        for ab in "AB"
    ]


def _row(
    label: str,
    its: Bools,
    pairs: dict[str, TwoCounts],
    p: dict[tuple[str, str], float],
    errors: Sequence[WordErrors],
    units: Longs,
) -> list[Any]:
    """Return a row: counts with p, and the share of words that each parser has wrong."""
    row: list[Any] = [label, int(its.sum())]
    for error, pair in pairs.items():
        row += [*pair, p.get((label, error))]
    _, cluster = np.unique(units[its], return_inverse=True)
    counts = np.bincount(cluster).astype(float)
    one_row = np.zeros(len(counts), dtype=np.int64)
    for error in _ERRORS:
        for of_parser in errors:
            hits = np.bincount(cluster[getattr(of_parser, error)[its]], minlength=len(counts))
            [[low, high]] = clustered_wilson(hits.astype(float), counts, one_row, 1).tolist()
            row.append((hits.sum() / counts.sum(), low, high))
    return row


def _by_kind(errors: Sequence[WordErrors], kinds: NameColumn) -> Table:
    """Return the words on which schemes differ, and how many each parser has differently."""
    columns = [Column("kind", "words not compared", label=True), Column("words")]
    columns += [Column("A", "A differs"), Column("B", "B differs")]
    columns += [Column("converted", "in converted trees", label=True)]
    rows = []
    for kind, instead in SCHEME_DIFFERENCES.items():
        its = kinds.where(kind.__eq__)
        if its.any():
            wrong = [int(((of.head | of.label) & its).sum()) for of in errors]
            rows.append([kind, int(its.sum()), *wrong, instead])
    note = (
        "on these words, trees converted from ClearNLP differ from UD for any parser, so they "
        "count as errors of neither"
    )
    return Table("by_conversion", columns, rows, "Differences between the label schemes", [note])
