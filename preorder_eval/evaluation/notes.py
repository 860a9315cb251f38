"""Notes and legends below the tables of results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.stats import Test
from preorder_eval.base.stats.legends import MARKS, few_drawn
from preorder_eval.base.stats.significance import TRIALS_PER_RESAMPLE, exhaustive
from preorder_eval.base.tables import Caveat
from preorder_eval.base.text.tokenization import MECAB, language_of, tokenizer_for
from preorder_eval.base.version import __version__
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.systems import System
from preorder_eval.evaluation.values import Values
from preorder_eval.evaluation.verdict.caveats import learned_from
from preorder_eval.evaluation.verdict.verdict import Verdict
from preorder_eval.metrics import short_names
from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.metrics.outputs.lexical import unread
from preorder_eval.orders.reference_orders import MOST
from preorder_eval.references.objective import enough_linked
from preorder_eval.trees.retokenize import normal_form

LEARNED_MARK = "†"  # parsers and rule sets that have seen the text scored, or its like
_NAMED = 10  # numbers of sentences that are listed
_IN_PIECES = 0.02  # of the lines: fewer may quote the mark
_SOME = 5  # lines by which a text is told as tokenised


def system_notes(
    values: Values, below: Sequence[str], whole: bool, matrix: bool = False
) -> list[str]:
    """Return the notes below the table of systems, with those of `below`; `whole` adds details."""
    sampling, metrics = values.sampling, values.metrics
    _, signatures = short_names(list(map(str, metrics)))
    known = {k: v for m in metrics for k, v in values.circumstances(m).items()}
    about = [f"{key}: {value}" for key, value in known.items() if key != "version"]
    lines = ["; ".join([signatures, *about, f"preorder-eval {__version__}"])]
    units, drawn = values.units()[0], values.unit.drawn
    if whole or matrix or not values.versus:
        of = f" of {drawn}" * bool(drawn)
        resampled = f"{sampling.resamples} bootstrap resamples{of}, seed {sampling.seed}"
        lines.append(f"score [95% interval from {resampled}]")
    if values.versus:
        legend = marks_legend(sampling.test, sampling.resamples, sampling.seed, whole, units)
        first = values.labels[values.baseline]
        several = len(values.standing.entrants) - (values.standing.source_order is not None) > 2
        shown = "mark of the" if matrix and not whole else ""
        told = f"{shown} difference from {first}{interval_by(drawn, not shown)}".lstrip()
        lines.append(f"{told}: {legend}{', uncorrected' * several}")
    if values.learned or values.seen:
        lines.append(
            f"{LEARNED_MARK} trained, selected or tuned on these sentences or other sentences of "
            "this set"
        )
    lines += [
        *lower_is_better(metrics, values.metric_names),
        *below,
        *left_out_notes(metrics, values.left_out),
    ]
    if whole:
        lines += [f"{ours}: {theirs}" for ours, theirs in values.sacrebleu.items()]
    return lines


def interval_by(drawn: str, interval: bool = True) -> str:
    """Return a legend's ` [95% interval]`, with the unit that is drawn if that is no sentence.

    >>> interval_by("51 documents"), interval_by("51 documents", interval=False)
    (' [95% interval, by 51 documents]', ', by 51 documents')
    """
    by = f", by {drawn}" * bool(drawn)
    return f" [95% interval{by}]" if interval else by


def marks_legend(
    test: Test, resamples: int, seed: int, whole: bool = True, units: int | None = None
) -> str:
    """Explain the marks; `whole` adds the test, the number of draws and the seed.

    If there are few `units`, all their subsets are tried.
    """
    if not whole:
        return re.split(", (two|one)-sided", MARKS[test])[0]
    if test == "koehn":
        return f"{MARKS[test]}, {resamples} resamples, seed {seed}"
    trials = TRIALS_PER_RESAMPLE * resamples
    if units is not None and exhaustive(units, trials):
        return f"{MARKS[test]}, all {2**units} subsets"
    return f"{MARKS[test]}, {trials} trials, seed {seed}"


def lower_is_better(metrics: Iterable[Metric], names: Iterable[str]) -> list[str]:
    """Return a note that names the metrics for which a lower value is better, if there are any."""
    lower = [name for m, name in zip(metrics, names, strict=True) if not m.higher_is_better]
    return [f"lower is better for {', '.join(lower)}"] if lower else []


def own_warnings(values: Values, verdict: Verdict, unfit: Sequence[Caveat]) -> list[Caveat]:
    """Return the warnings about systems, their verdict, and texts that do not fit.

    As text they stand in the verdict and below the table, where a mark stands for the parsers and
    rule sets that learned from the text.
    """
    below = warnings_below(values)
    return [*verdict.caveats, *learned_from(values, verdict), *unfit, *below]


def warnings_below(values: Values) -> list[Caveat]:
    """Return the warnings of values that stand below their table, whatever the verdict is."""
    reference = values.inputs.ordered
    linked = [] if reference is None else unaligned_notes(values.metrics, reference.coverage)
    return [
        *few_drawn(values.unit, *values.units(values.lead)),
        *(Caveat("unaligned", note) for note in linked),
        *(
            Caveat(
                "not_searched",
                f"{name}: the search was cut short for {cut} of "
                f"{len(values) * len(values.systems)} outputs, which are long or repetitive; "
                "their scores may be too pessimistic",
            )
            for name, *cuts in zip(values.metric_names, *values.cut_short, strict=True)
            if (cut := sum(cuts))
        ),
    ]


def size_note(inputs: Inputs, metrics: Iterable[Metric]) -> str:
    """Return a note on the number of sentences and the reference set or references."""
    reference = inputs.reference
    if reference is None:
        most = len(inputs.references)
        counts = np.bincount(inputs.reference_counts(), minlength=most)[:most].tolist()
        fewer = [f"{quantity(c, 'sentence')} with {n}" for n, c in enumerate(counts) if c]
        many = quantity(most, "reference") + (f" ({', '.join(fewer)})" if fewer else "")
        return f"{quantity(len(inputs), 'sentence')}, {many}"
    several, orders = "", reference.alternatives
    count = 0 if orders is None else int((orders.counts > 1).sum())
    if count:
        ways = {metric.references: "" for metric in metrics if isinstance(metric, OrderMetric)}
        several = f"; the {' and the '.join(ways)} of several reference orders for "
        several += quantity(count, "sentence")
        several += f", {len(reference.cut)} of them cut to {MOST}" if reference.cut else ""
    size, aligned = quantity(len(inputs), "sentence"), f"{100 * reference.coverage:.0f}%"
    return f"{reference.name}: {size}, {aligned} of words aligned{several}"


def left_out_notes(metrics: Sequence[Metric], left_out: Sequence[int]) -> list[str]:
    """Return a note of the sentences without links, which metrics of orders skip."""
    if not left_out:
        return []
    some = first_few(left_out, _NAMED)
    of = [str(metric) for metric in metrics if "orders" in metric.needs]
    by = f" by {', '.join(of)}" if len(of) < len(metrics) else ""
    return [f"skipped{by}: {quantity(len(left_out), 'sentence')} without links ({some})"]


def remarks(inputs: Inputs, metrics: Sequence[Metric]) -> list[str]:
    """Return the notes on the inputs."""
    return [*parser_notes(inputs.systems), *_other_words(inputs, metrics)]


def unaligned_notes(metrics: Iterable[Metric], coverage: float) -> list[str]:
    """Return a note of what metrics do with unaligned words, if there are many of these."""
    if enough_linked(coverage):
        return []
    becomes = {
        "drop": "are dropped",
        "attach": "stay beside their source neighbours, which favours the source order",
    }
    chosen = {metric.unaligned for metric in metrics if isinstance(metric, OrderMetric)}
    return [
        f"fewer than 90% of words are aligned: unaligned words {becomes[way]} (unaligned={way})"
        for way in becomes
        if way in chosen
    ]


def parser_notes(systems: Iterable[System]) -> list[str]:
    """Return notes on parsers whose trees are not used unchanged.

    Rules choose a tree from the n-best list by consensus, or the trees were converted to UD.
    """
    parsers = {system.parser: maker for system in systems if (maker := system.maker("parser"))}
    sizes = [f"{name} (from up to {n})" for name, p in parsers.items() if (n := p.get("consensus"))]
    chosen = [f"trees chosen by consensus for {', '.join(sizes)}"] * bool(sizes)
    return [*chosen, *converted_notes(parsers.values())]


def converted_notes(parsers: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a note of the parsers, by what identifies them, whose trees were converted to UD."""
    names = [str(parser["name"]) for parser in parsers if parser.get("converted")]
    keep = "NAME(labels=own) keeps the ClearNLP labels"
    return [f"trees converted to UD for {', '.join(names)}: {keep}"] if names else []


class Unfit(NamedTuple):
    """Warnings of metrics that do not fit the texts; the numbers of those that cannot read them."""

    caveats: list[Caveat]
    unread: frozenset[int]

    @property
    def notes(self) -> list[str]:
        """The warnings as notes below a table."""
        return [f"warning: {caveat.text}" for caveat in self.caveats]


def unfit(
    inputs: Inputs, metrics: Sequence[Metric], statistics: Sequence[Sequence[Floats]]
) -> Unfit:
    """Return which metrics do not fit the texts; `statistics` [systems][metrics]."""
    if not inputs.references:
        return Unfit([], frozenset())
    names, _ = short_names(list(map(str, metrics)))
    texts, faults = inputs.references[0].sentences, dict[tuple[str, str], list[int]]()
    for m, metric in enumerate(metrics):
        if fault := metric.cannot_read(texts, [of_system[m] for of_system in statistics]):
            faults.setdefault(fault, []).append(m)
    caveats = [*_characters_for_words(inputs, metrics), *_normal_forms(inputs)]
    caveats += [*_pieces(inputs), *_tokenised(inputs)]
    caveats += [
        Caveat("cannot_read", unread([names[m] for m in numbers], *fault))
        for fault, numbers in faults.items()
    ]
    return Unfit(caveats, frozenset(chain.from_iterable(faults.values())))


def _characters_for_words(inputs: Inputs, metrics: Sequence[Metric]) -> Iterator[Caveat]:
    """Warn of orders of a source whose words are its characters."""
    of_source = inputs.made_by.get("align", {}).get("source_tokenize")
    if of_source in ("char", "zh") and any(isinstance(metric, OrderMetric) for metric in metrics):
        yield Caveat(
            "characters",
            "the source is split into characters, so scores of orders count characters; give a "
            "tokenised source, with --input 'source(tokenize=none)=FILE'",
        )


def _normal_forms(inputs: Inputs) -> Iterator[Caveat]:
    """Warn of outputs in another normal form of Unicode than the references."""
    form = normal_form("\n".join(inputs.references[0].sentences))
    for system in inputs.systems:
        text = "\n".join(system.hyp or ())
        if (other := normal_form(text)) != form and not text.isascii():
            yield Caveat(
                "normal_form",
                f"{system.name} is in {other}, the references are in {form}: letters that look "
                "the same differ; convert both to the same Unicode normal form",
            )


def _pieces(inputs: Inputs) -> Iterator[Caveat]:
    """Warn of texts whose words are in pieces of a subword model (BPE, SentencePiece)."""
    for name, lines in _texts(inputs):
        for mark, join in (("@@ ", "sed 's/@@ //g'"), ("▁", "spm_decode")):
            count = sum(mark in f"{line} " for line in lines)
            if count > _IN_PIECES * len(lines):
                yield Caveat(
                    "pieces",
                    f"{name}: {count} of {len(lines)} lines contain the subword mark "
                    f"{mark.strip()}, so subwords are scored as words; join them with {join}",
                )


def _tokenised(inputs: Inputs) -> Iterator[Caveat]:
    """Warn of tokenised outputs whose references are raw, or the other way round."""
    of_references, *_ = inputs.references
    for system in inputs.systems:
        if system.hyp is None:
            continue
        ours, theirs = _ends_apart(system.hyp), _ends_apart(of_references.sentences)
        told = f"{system.name} looks tokenised, the references do not"
        if _is_split(*theirs) and _is_whole(*ours):
            told, ours = f"the references look tokenised, {system.name} does not", theirs
        elif not (_is_split(*ours) and _is_whole(*theirs)):
            continue
        yield Caveat(
            "tokenised",
            f"{told}: {ours[0]} of {ours[1]} lines that end in a full stop have a space before it; "
            "detokenise them, or scores depend on how each metric splits words",
        )


def _is_split(apart: int, ended: int) -> bool:
    return 2 * apart > ended >= _SOME


def _is_whole(apart: int, ended: int) -> bool:
    return 2 * apart < ended >= _SOME


def _texts(inputs: Inputs) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the outputs of each system and the references, with their names."""
    for system in inputs.systems:
        if system.hyp is not None:
            yield system.name, system.hyp
    for number, text in enumerate(inputs.references, 1):
        yield (
            f"reference {number}" if len(inputs.references) > 1 else "the reference",
            text.sentences,
        )


def _ends_apart(lines: Sequence[str]) -> tuple[int, int]:
    """Count the lines that end in a full stop of its own, and those that end in any."""
    lines = [line.rstrip().replace("▁", "") for line in lines]
    ended = [line for line in lines if line.endswith(".")]
    return sum(line.endswith(" .") for line in ended), len(ended)


def _other_words(inputs: Inputs, metrics: Sequence[Metric]) -> list[str]:
    """Return a note if numbers for this language are usually published by other words (MeCab's)."""
    if not inputs.references:
        return []
    notes, language = [], language_of(inputs.references[0].sentences)
    instead = tokenizer_for(language)
    better, _ = MECAB.get(language, (instead, ()))
    if better != instead and any(m.tokenize == instead for m in metrics):
        how = "characters" if instead == "char" else f"the words of {instead}"
        notes.append(
            f"word metrics use {how}; published scores use MeCab's words (tokenize={better}), "
            f"the default after pip install 'preorder-eval[{language}]'"
        )
    return notes
