"""Inputs: the systems and all other data needed to score them, checked for consistency."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Longs
from preorder_eval.base.errors import (
    FormatError,
    PreorderEvalError,
    UnknownNameError,
    argument,
    warn,
)
from preorder_eval.base.files.files import file_hash, read_lines
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.stats.unit import Unit
from preorder_eval.base.text.languages import check_script, language_code
from preorder_eval.base.text.tokenization import (
    UNSPACED,
    Tokenize,
    language_of,
    split_at_spaces,
    tokenizer_of,
)
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics import splitting
from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.needs import MADE_OF, SystemInputs, missing, side
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders
from preorder_eval.orders.reference_orders import alternatives, system_orders
from preorder_eval.references.reference_set import ReferenceSet

DOCUMENTS = "source_documents"  # the name of every sentence's document among the inputs

_WORD, _PAIR = re.compile(r"\w+"), re.compile(r"(?=(\w\w))")
_SOME, _FEW = 1000, 4  # outputs that are looked at; outputs, and words of each, that show something


@dataclass(frozen=True, eq=False, repr=False)
class Texts:
    """A text under a name, one sentence a line, such as one reference of every sentence.

    `made_by` identifies its file, with a hash.
    """

    name: str
    sentences: Sequence[str]
    made_by: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Inputs:
    """Systems over the same sentences, and the references that they are compared with.

    `reference` has the source with its links to a translation, for metrics of orders. `references`
    are streams of translations, for metrics of outputs. `shared` are other inputs of metrics, not
    of a system, by name (`source`, `ref_alignment`, `ref_tags`, …); `made_by` identifies these.

    `ordered` has the links that reference orders are made of, if any. It is the reference set, or
    else the source with its links to the references.

    Raises PreorderEvalError if there is no system, two have the same name, or anything has another
    number of sentences. Raises FormatError if only some sentences have a reference.
    """

    systems: tuple[System, ...]
    reference: ReferenceSet | None = None
    references: tuple[Texts, ...] = ()
    shared: Mapping[str, Any] = field(default_factory=dict)
    made_by: Mapping[str, Any] = field(default_factory=dict)
    ordered: ReferenceSet | None = field(init=False)
    _given: list[SystemInputs] = field(init=False)

    def __post_init__(self) -> None:
        if not self.systems:
            raise PreorderEvalError("give at least one system")
        names = [system.name for system in self.systems]
        for name in names:
            if names.count(name) > 1:
                raise PreorderEvalError(
                    f"{names.count(name)} systems are called {name}; rename one, as in "
                    f"{argument('system.named(NAME)', '--rules NAME=FILE or --trees NAME=FILE')}"
                )
        sizes = dict(self._sizes())
        (first, size), *others = sizes.items()
        for what, count in others:
            if count != size:
                raise PreorderEvalError(
                    f"{what}: {quantity(count, 'sentence')}, but {first} has {size}; "
                    "all must have the same"
                )
        self._check_references()
        # Derived once, as a frozen dataclass has it.
        object.__setattr__(self, "ordered", self.reference or self._linked_source())
        shared = self._for_all()
        given = [SystemInputs(self._of_system(system), shared) for system in self.systems]
        object.__setattr__(self, "_given", given)

    def _sizes(self) -> list[tuple[str, int]]:
        """Return the number of sentences of the reference set and of every text, by their names."""
        sizes = [] if self.reference is None else [(self.reference.name, len(self.reference))]
        sizes += [(text.name, len(text.sentences)) for text in self.references]
        for system in self.systems:
            values = {"orders": system.orders, "outputs": system.hyp, **system.inputs}
            sizes += [(f"{system.name}, {k}", len(v)) for k, v in values.items() if v is not None]
        for name, value in self.shared.items():
            sizes += [(name, len(stream)) for stream in (value if side(name) == "ref" else [value])]
        return sizes

    def _linked_source(self) -> ReferenceSet | None:
        """Return the source with its links to the references, if both are given."""
        links: Sequence[Alignments] = self.shared.get("ref_alignment", [])
        if "source" not in self.shared or not links:
            return None
        source, name, target = self.shared["source"], "reference", None
        if self.references:
            name = self.references[0].name
            target = list(map(split_at_spaces, self.references[0].sentences))
        several = None
        if len(links) > 1:
            several, _ = alternatives(
                sentence_lengths(source), [(alignments, ()) for alignments in links]
            )
        return ReferenceSet(name, source, links[0], target, alternatives=several)

    def _for_all(self) -> dict[str, Any]:
        """Return the inputs that all systems share, by name."""
        given = dict(self.shared)
        if self.references:
            given["ref"] = [text.sentences for text in self.references]
        if self.ordered is not None:
            given |= {"source": self.ordered.source, "words": self.ordered.words}
            given["reference_orders"] = self.ordered.allowed
        return given

    def _of_system(self, system: System) -> dict[str, Any]:
        """Return a system's own inputs, by name; orders may come from the links of its output."""
        orders, links = system.orders, system.inputs.get("hyp_alignment")
        if orders is None and links is not None and self.ordered is not None:
            orders = system_orders(links, sentence_lengths(self.ordered.source))
        products = {"orders": orders, "hyp": system.hyp, **system.inputs}
        return {name: value for name, value in products.items() if value is not None}

    def __len__(self) -> int:
        return self._sizes()[0][1]

    @property
    def names(self) -> list[str]:
        """The names of the inputs that metrics can have for every system."""
        first = self._given[0]
        return [name for name in first.names if all(name in given for given in self._given)]

    @property
    def documents(self) -> Sequence[str]:
        """The name of every sentence's document; empty if they are not known.

        It is given beside the texts, or that of the reference set.
        """
        of_set: Sequence[str] = () if self.reference is None else self.reference.documents
        names: Sequence[str] = self.shared.get(DOCUMENTS, of_set)
        return names

    @cached_property
    def unit(self) -> Unit:
        """The unit that intervals and tests resample."""
        return Unit.of_names(self.documents)

    def _check_references(self) -> None:
        """Raise FormatError for a sentence that has none of the references."""
        without = np.flatnonzero(self.reference_counts() == 0)
        if self.references and len(without):
            first = self.references[0]
            raise FormatError(
                "an empty line instead of a reference",
                file=first.made_by.get("file", first.name),
                line=int(without[0]) + 1,
                hint="remove the sentence, or give a second reference for it",
            )

    def reference_counts(self) -> Longs:
        """Count the references of each sentence, int64[S]; an empty one does not count."""
        counts = np.zeros(len(self), dtype=np.int64)
        for text in self.references:
            counts += np.array([bool(line.strip()) for line in text.sentences], dtype=bool)
        return counts

    def facts(self) -> dict[str, Any]:
        """Return the identity of the references and other shared inputs, for JSON."""
        facts: dict[str, Any] = {}
        if self.reference is not None:
            several = self.reference.alternatives
            facts["reference"] = {
                "name": self.reference.name,
                **({"version": self.reference.version} if self.reference.version else {}),
                "sentences": len(self.reference),
                "orders": 1 if several is None else int(several.counts.max(initial=1)),
                "files": dict(self.reference.hashes),
            }
            if self.reference.aligner:
                facts["reference"]["aligner"] = self.reference.aligner
        if self.references:
            facts["references"] = [{"name": t.name, **t.made_by} for t in self.references]
            counts = np.bincount(self.reference_counts()).tolist()
            facts["sentences_with_references"] = {str(n): c for n, c in enumerate(counts) if c}
        if self.made_by:
            facts["inputs"] = dict(self.made_by)
        return facts | self.unit.facts()

    def of(self, system: int) -> SystemInputs:
        """Return all that metrics can have for the system of that number."""
        return self._given[system]

    def orders(self, system: int) -> Orders | None:
        """Return the orders of the system of that number, None if it has none."""
        given = self._given[system]
        return given.orders if "orders" in given else None

    def require(self, metrics: Sequence[Metric], hint: str = "") -> None:
        """Raise PreorderEvalError, with a fix, if an input that metrics need is missing."""
        for metric in metrics:
            lacking = {
                system.name: missing(metric.needs, given.names)
                for system, given in zip(self.systems, self._given, strict=True)
            }
            without = [name for name, what in lacking.items() if what]
            if not without:
                continue
            names = lacking[without[0]]
            if len(without) < len(self.systems):
                raise PreorderEvalError(
                    f"metric {metric} needs {' and '.join(names)} for every system; missing for "
                    f"{', '.join(without)}"
                )
            instead = [
                f"{' and '.join(MADE_OF[name])} instead of {name}"
                for name in names
                if name in MADE_OF
            ]
            more = f" ({', '.join(instead)})" if instead else ""
            raise PreorderEvalError(f"metric {metric} needs {' and '.join(names)}{more}{hint}")

    def splitting(self, metrics: Sequence[Metric], language: str = "") -> list[Metric]:
        """Return the metrics, those of words with the tokenizer of the references' language.

        Words that are linked were split before: by the aligner's tokenizer, or at plain spaces if
        the links come from files. Raises PreorderEvalError for an unknown `language`, and for one
        in another script than that of the references.
        """
        references = [text.sentences for text in self.references[:1]]
        if language:
            language = language_code(language)
            for text in self.references:
                check_script(language, text.sentences)
        of_text: Tokenize = tokenizer_of(references[0], language) if references else "auto"
        of_links = self.made_by.get("align", {}).get("tokenize", "none")
        return splitting(metrics, of_text, of_links, language)

    def chosen(self, systems: Sequence[str]) -> Inputs:
        """Return the inputs of these systems alone, in that order. Raises UnknownNameError."""
        by_name = {system.name: system for system in self.systems}
        for name in systems:
            if name not in by_name:
                raise UnknownNameError("system", name, by_name)
        return replace(self, systems=tuple(by_name[name] for name in systems))

    def joined(self, other: Inputs) -> Inputs:
        """Return the systems of both; a system that is in both has its data from both.

        References and other shared inputs are merged, too. Use `difference` first to check that
        they are the same in both.
        """
        others = {system.name: system for system in other.systems}
        systems = [_merged(system, others.pop(system.name, system)) for system in self.systems]
        return Inputs(
            (*systems, *others.values()),
            self.reference or other.reference,
            self.references or other.references,
            {**other.shared, **self.shared},
            {**other.made_by, **self.made_by},
        )

    def difference(self, other: Inputs) -> str:
        """Name the shared inputs (references, source …) in which two runs differ.

        It is a phrase such as `source of sentence 3`, empty if they are the same.
        """
        if len(self) != len(other):
            return f"number of sentences, {len(self)} and {len(other)}"
        if self.references and other.references and len(self.references) != len(other.references):
            return "number of references"
        # Runs that share the object share what it has.
        shared = self.reference if self.reference is other.reference else None
        others = other._by_sentence(shared)
        for what, value in self._by_sentence(shared).items():
            sentence = first_difference(value, others.get(what, value))
            if sentence is not None:
                return f"{what} of sentence {sentence}"
        return ""

    def _by_sentence(self, without: ReferenceSet | None) -> dict[str, Sequence[Any]]:
        """Return the shared inputs by name, with an entry for each sentence.

        Those of the reference set are left out if it is `without`.
        """
        known: dict[str, Sequence[Any]] = {}
        if self.reference is not None and self.reference is not without:
            known["source"] = self.reference.source
            known["links"] = list(self.reference.alignments)
            known["reference orders"] = [
                list(map(list, self.reference.orders_of(s))) for s in range(len(self))
            ]
        known |= {f"reference {n}": text.sentences for n, text in enumerate(self.references, 1)}
        for name, value in self.shared.items():
            if side(name) == "ref":
                known |= {f"{name} {number}": stream for number, stream in enumerate(value, 1)}
            elif name != "source" or self.reference is None:  # which has the source
                known[name] = value
        return known


def first_difference(one: Sequence[Any], other: Sequence[Any]) -> int | None:
    """Return the 1-based number of the first sentence whose text, words, links or orders differ."""
    for number, (a, b) in enumerate(zip(one, other, strict=True), 1):
        if a != b and list(a) != list(b):
            return number
    return None


def _merged(one: System, other: System) -> System:
    """Return a system with its data from both of two inputs."""
    return replace(
        one,
        orders=one.orders if one.orders is not None else other.orders,
        hyp=one.hyp if one.hyp is not None else other.hyp,
        inputs={**other.inputs, **one.inputs},
        made_by={**other.made_by, **one.made_by},
        origin=one.origin if one.orders is not None else other.origin,
    )


def warn_of_outputs(inputs: Inputs) -> None:
    """Warn of outputs that are empty, or that are hardly translations of the same sentences.

    The latter warning appears if more than a quarter of the outputs share no word with any
    reference (in scripts without spaces: no two characters). For 13 systems of WMT22 the share is
    under 2%, for texts with misaligned lines 45%.
    """
    references = [text.sentences for text in inputs.references]
    languages = {*map(language_of, references)}
    for system in inputs.systems:
        if system.hyp is None or not references:
            continue
        lines = list(zip(system.hyp, *references, strict=True))
        empty = [n for n, (output, *_) in enumerate(lines, 1) if not output.strip()]
        if empty:
            count = f"{quantity(len(empty), 'line')} of {len(lines)}"
            warn(f"{system.name}: no output in {count}: {first_few(empty)}")
        unspaced = not {*UNSPACED}.isdisjoint({language_of(system.hyp), *languages})
        parts, shared = (_PAIR, "two characters") if unspaced else (_WORD, "word")
        units = [[{*parts.findall(text.casefold())} for text in line] for line in lines[:_SOME]]
        long = [line for line in units if min(map(len, line)) >= _FEW]
        apart = sum(output.isdisjoint(set().union(*refs)) for output, *refs in long)
        if len(long) >= _FEW and 4 * apart > len(long):
            warn(
                f"{system.name}: of {len(long)} longer lines, {apart} outputs share no {shared} "
                "with their references; check that both are in the same language and have the "
                "same sentences"
            )


def with_documents(inputs: Inputs, file: Path) -> Inputs:
    """Return the inputs with the sentences' document names from a file, one on each line.

    Raises FormatError as `in_documents` does.
    """
    names = read_lines(file, blank=True)  # before its hash: a pipe is read once
    made_by = {DOCUMENTS: [{"file": str(file), "sha256": file_hash(file)}]}
    return in_documents(replace(inputs, made_by={**inputs.made_by, **made_by}), names, file)


def in_documents(inputs: Inputs, names: Sequence[str], file: str | Path = "documents") -> Inputs:
    """Return the inputs with the sentences' document names; documents are then resampled.

    Raises FormatError for an empty name, and another number of names than there are sentences.
    """
    if len(names) != len(inputs):
        raise FormatError(
            f"{quantity(len(names), 'line')}, but there are {quantity(len(inputs), 'sentence')}",
            file=file,
            hint="write one document name per sentence",
        )
    for number, name in enumerate(names, 1):
        if not name.strip():
            hint = "write the document name of the sentence"
            raise FormatError("is empty", file=file, line=number, hint=hint)
    return replace(inputs, shared={**inputs.shared, DOCUMENTS: names})
