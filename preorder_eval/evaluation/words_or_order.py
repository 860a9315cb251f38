"""Words or order: whether two outputs differ in their words, in the order of these, or in both.

Words are compared as a bag: F of the words that output and reference have in common, in lower case.
Order is compared over the words that occur once in both outputs and once in the reference, so that
no difference in words counts as one in order. It is measured by Kendall's τ, which drops with long
moves, and by the share of neighbours in the reference that are neighbours in the output, which
drops with short moves.

If outputs differ in words alone, or in order alone, this test detects exactly that. RIBES, NKT and
a difference of two error rates detect a change of order in a third or more of the cases in which
only words were changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.stats.bootstrap import Interval, bootstrap
from preorder_eval.base.stats.measurement import Measurement
from preorder_eval.base.stats.significance import Difference, compare_systems
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.base.tables import Column, Table, signed
from preorder_eval.base.text.tokenization import TokenLists, tokenizer, tokenizer_of
from preorder_eval.evaluation.decision import DecidedDifference, Decision
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.result_tables import decided_cells, difference_columns
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.evaluation.verdict.verdict import subject

_OfOrder = Callable[[Sequence[str], Sequence[str]], tuple[float, float]]
PARTS = ("words, F", "order, τ", "neighbours")
_LEAST = 0.5  # of the sentences must have two words that occur once, or order is not compared
_PAIR = 2


@dataclass(frozen=True, eq=False)
class WordsOrOrder:
    """Two outputs compared by their words, and by the order of the words that both have once.

    `names` are the two. `values` and `differences` are by the PARTS; those of order are missing if
    too few words occur once. `sentences` and `words` are the shares of sentences and of reference
    words that order is measured by, `tokenize` is how words are split, and `unit` what tests draw.
    """

    names: tuple[str, str]
    values: Sequence[tuple[float, float]]
    differences: Sequence[Difference]
    sentences: float
    words: float
    tokenize: str = "13a"
    unit: Unit = EACH_SENTENCE

    @property
    def findings(self) -> list[DecidedDifference]:
        """The findings on the parts, corrected for all of them: the sentence names those shown."""
        parts = len(self.differences)
        return [DecidedDifference(difference, comparisons=parts) for difference in self.differences]

    @property
    def decisions(self) -> list[Decision]:
        """The decisions on the parts."""
        return [found.decision for found in self.findings]

    @property
    def sentence(self) -> str:
        """In which of the two the second output differs from the first, in a sentence."""
        if len(self.differences) == 1:
            return f"{self._by('words', [0])}; too few words occur once to estimate their order."
        if not any(decision.kind for decision in self.decisions):
            return "No difference in words or in word order is shown."
        in_order = self._by("order", [1, 2])
        return f"{self._by('words', [0])}; {in_order[0].lower()}{in_order[1:]}."

    def _by(self, what: str, parts: Sequence[int]) -> str:
        alike: dict[Decision, list[str]] = {}
        for n in parts:
            if self.decisions[n].kind:
                name = PARTS[n].removeprefix(f"{what}, ")
                change = signed(self.differences[n].value, "+.3f")
                told = f"{name} {change}, {self.findings[n].sure}"
                alike.setdefault(self.decisions[n], []).append(told)
        if not alike:
            return f"In {what}, no difference is shown"
        each = [
            f"{'tends to be' if decision.weak else 'is'} {decision.kind} ({'; '.join(told)})"
            for decision, told in alike.items()
        ]
        return f"In {what}, {subject(self.names[1])} {' and '.join(each)}"

    @property
    def table(self) -> Table:
        """The parts with the values of the two, their difference and its test."""
        columns = [
            Column("part", label=True),
            Column("first", self.names[0], ".3f"),
            Column("second", self.names[1], ".3f"),
            *difference_columns(),
        ]
        rows = [
            [part, *values, *decided_cells(found)]
            for part, values, found in zip(PARTS, self.values, self.findings, strict=False)
        ]
        note = (
            "words are in lower case; order is estimated on words that occur once in both outputs "
            "and in the reference: "
            f"{self.words:.0%} of words, in {self.sentences:.0%} of sentences (tokenizer "
            f"{self.tokenize})"
        )
        notes = [note] if len(rows) > 1 else [f"{note}; too few to estimate order"]
        notes += [f"intervals and p by {self.unit.drawn}"] * bool(self.unit.drawn)
        if len(rows) > 1 and self.differences[0].test != "koehn":
            notes.append("p and marks are corrected for three comparisons; intervals are not")
        return Table("parts", columns, rows, "Words or order", notes)

    def facts(self) -> dict[str, Any]:
        """Return it for JSON, beside the table."""
        return {
            "decisions": dict(zip(PARTS, map(str, self.decisions), strict=False)),
            "sentences": self.sentences,
            "words": self.words,
            "tokenize": self.tokenize,
        }


def words_or_order(
    result: Result,
    names: tuple[str, str] | None = None,
    *,
    systems: Sequence[str] = (),
    tokenize: str = "",
) -> WordsOrOrder | None:
    """Compare two systems of a result of outputs; None if it has no outputs or references.

    Parameters: `names` what the two are called, by default their labels; `systems` the two by name,
    by default all that there are; `tokenize` how words are
    split, by default by the language's tokenizer. If there are several references, each sentence
    has the one with most words in common with both outputs.

    >>> import preorder_eval as pe
    >>> texts = [f"the cat saw {n} dogs today" for n in range(9)]
    >>> turned = [f"the dogs saw {n} cat today" for n in range(9)]
    >>> words_or_order(pe.score({"a": texts, "b": turned}, texts, ["wer"])).sentence[:32]
    'In words, no difference is shown'
    """
    systems = systems or result.systems
    split = _split(result.inputs.chosen(systems), tokenize)
    if split is None or len(systems) != _PAIR:
        return None
    outputs, reference, tokenize = split
    one, other = names or (result.labels[result.systems.index(name)] for name in systems)
    drawn = result.sampling, result.unit
    found = _judged((one, other), outputs, reference, *drawn)
    return replace(found, tokenize=tokenize, unit=result.unit)


def words_and_order(result: Result, *, tokenize: str = "") -> list[tuple[Interval, Interval]]:
    """Return for each system of outputs its words (F) and their order (τ), with 95% intervals.

    Parameters as of `words_or_order`. Order is measured by the words that occur once in all outputs
    and the reference; of two systems these are the values of `words_or_order`. The list is empty
    if there are no outputs or references, or too few such words.

    >>> import preorder_eval as pe
    >>> [(words, order)] = words_and_order(pe.score({"mt": ["a c b"]}, ["a b c"], ["wer"]))
    >>> words.value, round(order.value, 3)
    (1.0, 0.667)
    """
    split = _split(result.inputs, tokenize)
    if split is None:
        return []
    outputs, reference, _ = split
    measurements, _ = _measured(outputs, reference, result.unit, [_tau])
    if len(measurements) == 1:
        return []
    how = {"resamples": result.sampling.resamples, "seed": result.sampling.seed}
    words, order = bootstrap(measurements, **how)
    return [(words.interval(n), order.interval(n)) for n in range(len(outputs))]


def _split(inputs: Inputs, tokenize: str) -> tuple[Sequence[TokenLists], TokenLists, str] | None:
    """Return the words of outputs and of the nearest references, and how they are split."""
    texts = [system.hyp for system in inputs.systems]
    if not inputs.references or None in texts:
        return None
    if tokenize in ("", "auto"):
        tokenize = tokenizer_of(inputs.references[0].sentences)
    split = tokenizer(tokenize)
    outputs, references = (
        [[[word.lower() for word in split(line)] for line in text or ()] for text in each]
        for each in (texts, [text.sentences for text in inputs.references])
    )
    if len(references) == 1:
        return outputs, references[0], tokenize
    nearest: TokenLists = [
        max(
            of_sentence,
            key=lambda text: sum(_common(Counter(text), Counter(output[s])) for output in outputs),
        )
        for s, of_sentence in enumerate(zip(*references, strict=True))
    ]
    return outputs, nearest, tokenize


def _measured(
    outputs: Sequence[TokenLists], reference: TokenLists, unit: Unit, orders: Sequence[_OfOrder]
) -> tuple[list[Measurement], list[list[str]]]:
    """Return what words and some parts of order are measured by, and the words that order takes.

    The parts of order are missing if too few sentences have such words.
    """
    rows, shared = [], []
    for texts in zip(reference, *outputs, strict=True):
        right, *others = counts = [Counter(words) for words in texts]
        rows.append([(_common(each, right), each.total() + right.total()) for each in others])
        shared.append(_once(texts[0], counts))
    words = np.array(rows, dtype=np.float64).reshape(len(rows), len(outputs), 2).swapaxes(0, 1)
    measurements = [unit.measurement(words, lambda sums: 2 * _ratio(sums))]
    if np.mean([len(words) >= _PAIR for words in shared]) >= _LEAST:
        for of in orders:
            of_order = [list(map(of, shared, output)) for output in outputs]
            measurements.append(unit.measurement(np.array(of_order), _ratio))
    return measurements, shared


def _judged(
    names: tuple[str, str],
    outputs: Sequence[TokenLists],
    reference: TokenLists,
    by: Sampling,
    unit: Unit,
) -> WordsOrOrder:
    measurements, shared = _measured(outputs, reference, unit, [_tau, _neighbours])
    pairs = compare_systems(
        measurements,
        higher_is_better=[True] * len(measurements),
        test=by.test,
        resamples=by.resamples,
        seed=by.seed,
    )
    counted = sum(len(words) for words in shared if len(words) >= _PAIR)
    return WordsOrOrder(
        names,
        [(m.values[0], m.values[1]) for m in measurements],
        [pair.difference for [pair] in pairs],
        float(np.mean([len(words) >= _PAIR for words in shared])),
        counted / sum(map(len, reference)),
    )


def _common(one: Counter[str], other: Counter[str]) -> int:
    return (one & other).total()


def _once(words: Sequence[str], counts: Sequence[Counter[str]]) -> list[str]:
    """Return those of some words that are counted once in each text."""
    return [word for word in words if all(count.get(word) == 1 for count in counts)]


def _tau(shared: Sequence[str], output: Sequence[str]) -> tuple[float, float]:
    """Return Kendall's τ of these words in an output, and 1; two zeros for fewer than two."""
    if len(shared) < _PAIR:
        return 0.0, 0.0
    places = list(map(output.index, shared))
    right = sum(a < b for a, b in combinations(places, 2))
    return right / (len(places) * (len(places) - 1) / 2), 1.0


def _neighbours(shared: Sequence[str], output: Sequence[str]) -> tuple[float, float]:
    """Return the share of neighbours that stay neighbours, and 1; two zeros for fewer than two."""
    if len(shared) < _PAIR:
        return 0.0, 0.0
    place = {word: n for n, word in enumerate(sorted(shared, key=output.index))}
    kept = sum(place[b] == place[a] + 1 for a, b in pairwise(shared))
    return kept / (len(shared) - 1), 1.0


def _ratio(sums: Floats) -> Floats:
    """Return the first of two sums divided by the second; 0 if that is 0."""
    top, bottom = sums[..., 0], sums[..., 1]
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
