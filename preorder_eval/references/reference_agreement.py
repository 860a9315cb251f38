"""Agreement of two annotations of the same sentences, in links and in reference orders.

Two annotators translate a sentence differently. So links are compared as pairs of a source position
and a target *word*; if both translations are the same, or a set has none, as pairs of positions.
Link F1 is 2c / (a + b), summed over all sentences, for a and b links of the two annotations and c
links in common. Word F1 is the same for the words of the translations: links to different words
cannot agree.

Reference orders can be compared whatever the translations are. The order of each annotation (tied
words in source order) is scored against all orders that the other allows; the score is the mean of
the two directions. A system can hardly be expected to agree better.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError, warn
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.stats.bootstrap import Interval, bootstrap
from preorder_eval.base.stats.legends import few_drawn
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends
from preorder_eval.base.visible import quantity
from preorder_eval.orders.reference_orders import system_orders
from preorder_eval.references.objective import objective
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.references.reference_set import ReferenceSet

_WORST = 5  # sentences that text shows


@dataclass(frozen=True, eq=False)
class ReferenceAgreement(Shown):
    """Two annotations of the same sentences, and how well they agree.

    - `first` and `second` hold the sentences that both have, in the same order. `left_out` counts
      the sentences of each that are not in the other.
    - `intervals` has a value for each measure, with its 95% bootstrap interval by `unit`.
      `sentences` float64[S] has the values of every sentence. The measures are `links`, `words` (if
      both sets have translations), and the two of the first set's `objective`.
    """

    first: ReferenceSet
    second: ReferenceSet
    left_out: tuple[int, int]
    intervals: dict[str, Interval]
    sentences: dict[str, Floats]
    resamples: int
    seed: int
    unit: Unit = EACH_SENTENCE

    def worst(self) -> list[int]:
        """Return the sentences, from 0, the least agreeing first: by τ, then FRS, then links."""
        links, *_, frs, tau = self.sentences.values()
        order: list[int] = np.lexsort((links, frs, tau)).tolist()
        return order

    @property
    def own_warnings(self) -> list[Caveat]:
        return few_drawn(self.unit, self.unit.count(np.ones(len(self.first), dtype=bool)))

    def tables(self) -> list[Table]:
        figures = [[name, ends(interval)] for name, interval in self.intervals.items()]
        columns = [Column("sentence", label=True)]
        columns += [Column(name, format=".2f") for name in self.sentences]
        columns += map(Column, ("order in first", "order in second"))
        by_sentence = [
            [_title(self.first, s), *(values[s] for values in self.sentences.values())]
            + [data.references[s].braces(data.source[s]) for data in (self.first, self.second)]
            for s in self.worst()
        ]
        return [
            Table("agreement", _FIGURES, figures, notes=self._notes()),
            Table("by_sentence", columns, by_sentence, title="Sentences with the lowest agreement"),
        ]

    def _notes(self) -> list[str]:
        names, size = (self.first.name, self.second.name), len(self.first)
        drawn = self.unit.drawn
        notes = [
            f"{names[0]} and {names[1]}, {quantity(size, 'sentence')}; value [95% CI, "
            f"{self.resamples} bootstrap resamples{f' of {drawn}' * bool(drawn)}, seed {self.seed}]"
        ]
        notes += [caveat.text for caveat in self.own_warnings]
        if any(self.left_out):
            missing = zip(self.left_out, names, strict=True)
            counts = (f"{quantity(n, 'sentence')} of {name}" for n, name in missing)
            notes.append("not in both: " + ", ".join(counts))
        return notes

    def _facts(self) -> dict[str, Any]:
        return {
            "first": self.first.name,
            "second": self.second.name,
            "sentences": len(self.first),
            "left_out": dict(zip(("first", "second"), self.left_out, strict=True)),
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
        }

    def view(self, whole: bool = False) -> list[Table]:
        figures, sentences = self.tables()
        *columns, _, _ = (replace(column, none="") for column in sentences.columns)
        columns += [Column("annotation", label=True), Column("order")]
        rows = []
        for *measured, first, second in sentences.rows[: None if whole else _WORST]:
            rows.append([*measured, self.first.name, first])
            rows.append([*[None] * len(measured), self.second.name, second])
        return [figures, replace(sentences, columns=columns, rows=rows)]


_FIGURES = [
    Column("measure", label=True),
    Column("agreement", format=".3f", interval=True, fields=("value", "low", "high")),
]


def reference_agreement(
    first: str | Path | ReferenceSet,
    second: str | Path | ReferenceSet,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> ReferenceAgreement:
    """Measure how well two annotations agree, each a reference set by name, folder or in memory.

    Sentences are paired by `sent_id`, or by position if a set has none. Those with other words, or
    no links, in one of the sets are omitted. Raises PreorderEvalError if no sentence is left, or if
    sets without `sent_id` differ in their number of sentences.

    >>> import preorder_eval as pe
    >>> agreement = pe.reference_agreement("en-ja", "en-ja", resamples=10)
    >>> [round(interval.value, 3) for interval in agreement.intervals.values()]
    [1.0, 1.0, 1.0, 1.0]
    """
    sets = [
        given if isinstance(given, ReferenceSet) else load_reference(given)
        for given in (first, second)
    ]
    pairs = _pairs(*sets)
    one, two = (data.take([pair[i] for pair in pairs], data.name) for i, data in enumerate(sets))
    statistics = {"links": _overlap([_links(one, two, s) for s in range(len(one))])}
    if one.target is not None and two.target is not None:
        statistics["words"] = _overlap(list(zip(one.target, two.target, strict=True)))
    unit = Unit.of_names(one.documents or two.documents)
    measurements = {
        name: unit.measurement(rows[None], lambda sums: sums[..., 0] / sums[..., 1])
        for name, rows in statistics.items()
    }
    lengths = sentence_lengths(one.source)
    orders = [system_orders(data.alignments, lengths) for data in (one, two)]
    for metric in objective(sets[0]):
        rows = metric.statistics(orders[0], two.allowed, one.words)
        rows = rows + metric.statistics(orders[1], one.allowed, one.words)
        measurements[str(metric)] = unit.measurement(rows[None] / 2, metric.finish)
    results = bootstrap(list(measurements.values()), resamples=resamples, seed=seed)
    return ReferenceAgreement(
        one,
        two,
        (len(sets[0]) - len(pairs), len(sets[1]) - len(pairs)),
        {name: result.interval(0) for name, result in zip(measurements, results, strict=True)},
        {name: m.finish(m.statistics[0]) for name, m in measurements.items()},
        resamples,
        seed,
        unit,
    )


def _pairs(first: ReferenceSet, second: ReferenceSet) -> list[tuple[int, int]]:
    """Return the numbers of the sentences that both sets have, in the order of the second one."""
    ids = [[tree.sentence_id for tree in data.trees or ()] for data in (first, second)]
    if all(names and all(names) for names in ids):
        keys = [_keys(data, names) for data, names in zip((first, second), ids, strict=True)]
        place = {key: number for number, key in enumerate(keys[0])}
        pairs = [(place[key], s) for s, key in enumerate(keys[1]) if key in place]
    elif len(first) == len(second):
        pairs = [(s, s) for s in range(len(first))]
    else:
        raise PreorderEvalError(
            f"{first.name} has {quantity(len(first), 'sentence')} and {second.name} "
            f"{len(second)}; to pair them, give each sentence a comment '# sent_id = …' in "
            "source.conllu"
        )
    alike = ((first.source[a], second.source[b]) for a, b in pairs)
    by_form = sum(one != other and _in_nfc(one) == _in_nfc(other) for one, other in alike)
    if by_form:
        warn(
            f"{quantity(by_form, 'sentence')} of {first.name} and {second.name} differ only in "
            "the Unicode normal form (NFC, NFD) and are skipped; convert both to the same form"
        )
    informative = first.references.informative, second.references.informative
    kept = [
        (a, b)
        for a, b in pairs
        if first.source[a] == second.source[b] and informative[0][a] and informative[1][b]
    ]
    if not kept:
        raise PreorderEvalError(
            f"{first.name} and {second.name} share no sentence that has links in both"
        )
    return kept


def _in_nfc(words: Sequence[str]) -> str:
    return unicodedata.normalize("NFC", " ".join(words))


def _keys(data: ReferenceSet, ids: Sequence[str | None]) -> list[Hashable]:
    """Return the key by which each sentence is paired: its id, its words, and a number.

    The number tells apart sentences that have the same id and words.
    """
    seen: Counter[Hashable] = Counter()
    keys: list[Hashable] = []
    for name, words in zip(ids, data.source, strict=True):
        key = name, _in_nfc(words)
        keys.append((key, seen[key]))
        seen[key] += 1
    return keys


def _links(
    first: ReferenceSet, second: ReferenceSet, sentence: int
) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
    """Return a sentence's links in both sets, in the form in which they can be compared."""
    one, two = first.alignments[sentence], second.alignments[sentence]
    if first.target is None or second.target is None:
        return one, two
    words, others = first.target[sentence], second.target[sentence]
    if words == others:
        return one, two
    return [(i, words[j]) for i, j in one], [(i, others[j]) for i, j in two]


def _overlap(pairs: Sequence[tuple[Sequence[Hashable], Sequence[Hashable]]]) -> Floats:
    """Return the two parts of F for each sentence; float64[S, 2].

    They are twice the number of entries that the two lists share, and the sum of their lengths.
    """
    return np.array(
        [[2 * (Counter(a) & Counter(b)).total(), len(a) + len(b)] for a, b in pairs], np.float64
    )


def _title(data: ReferenceSet, sentence: int) -> str:
    sentence_id = data.trees[sentence].sentence_id if data.trees is not None else None
    return sentence_id or str(sentence + 1)
