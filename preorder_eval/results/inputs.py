"""Inputs: the systems, and all that their scores are computed from, checked to fit together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from preorder_eval.data.alignments import Alignments, alternatives, system_orders
from preorder_eval.data.inputs import MADE_OF, SystemInputs, missing, side
from preorder_eval.data.orders import Orders
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.tokenization import tokenizer
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics.base import Metric
from preorder_eval.results.systems import System
from preorder_eval.visible import quantity


@dataclass(frozen=True, eq=False)
class Texts:
    """A text of one sentence a line under a name, as a stream of references is.

    `made_by` holds what identifies it (file and hash).

    >>> Texts("ref", ["a house", "a dog"])
    <Texts ref: 2 sentences>
    """

    name: str
    sentences: Sequence[str]
    made_by: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Texts {self.name}: {quantity(len(self.sentences), 'sentence')}>"


@dataclass(frozen=True, eq=False)
class Inputs:
    """Systems over the same sentences, and what they are held against.

    `reference` has the source with its links to a translation, for metrics of orders; `references`
    are streams of translations, for metrics of outputs; `shared` what else metrics are given that
    is not of a system (`source`, `ref_alignment`, `ref_tags`, …), by name, and `made_by` what
    identifies that. Raises PreorderEvalError where there is no system, two have the same name, or
    anything has another number of sentences.

    >>> inputs = Inputs((System("mt", hyp=["a b"]),), references=(Texts("ref", ["b a"]),))
    >>> inputs, inputs.names
    (<Inputs: mt over 1 sentence, with hyp, ref>, ['hyp', 'ref'])
    """

    systems: tuple[System, ...]
    reference: ReferenceSet | None = None
    references: tuple[Texts, ...] = ()
    shared: Mapping[str, Any] = field(default_factory=dict)
    made_by: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.systems:
            raise PreorderEvalError("nothing to do without a system")
        names = [system.name for system in self.systems]
        for name in names:
            if names.count(name) > 1:
                raise PreorderEvalError(
                    f"{names.count(name)} systems are called {name}; give each its own name, as in "
                    "LABEL=PATH"
                )
        sizes = dict(self._sizes())
        (first, size), *others = sizes.items()
        for what, count in others:
            if count != size:
                raise PreorderEvalError(
                    f"{what}: {quantity(count, 'sentence')}, but {first} has {size}; "
                    "all must have the same"
                )

    def _sizes(self) -> list[tuple[str, int]]:
        """What has sentences, and how many."""
        sizes = [] if self.reference is None else [(self.reference.name, len(self.reference))]
        sizes += [(text.name, len(text.sentences)) for text in self.references]
        for system in self.systems:
            values = {"orders": system.orders, "outputs": system.hyp, **system.inputs}
            sizes += [(f"{system.name}, {k}", len(v)) for k, v in values.items() if v is not None]
        for name, value in self.shared.items():
            sizes += [(name, len(stream)) for stream in (value if side(name) == "ref" else [value])]
        return sizes

    def __len__(self) -> int:
        return self._sizes()[0][1]

    def __repr__(self) -> str:
        names = ", ".join(system.name for system in self.systems)
        size = quantity(len(self), "sentence")
        return f"<Inputs: {names} over {size}, with {', '.join(self.names)}>"

    @cached_property
    def names(self) -> list[str]:
        """The names of the inputs that metrics can have for every system."""
        first, *others = self._of_systems
        of_every = [name for name in first if all(name in other for other in others)]
        return list(dict.fromkeys([*of_every, *self._for_all]))

    def require(self, metrics: Sequence[Metric], mend: str = "") -> None:
        """Raise PreorderEvalError, with how to mend it, unless all that metrics need is there."""
        for metric in metrics:
            lacking = {
                system.name: missing(metric.needs, {**of_system, **self._for_all})
                for system, of_system in zip(self.systems, self._of_systems, strict=True)
            }
            without = [name for name, what in lacking.items() if what]
            if 0 < len(without) < len(self.systems):
                raise PreorderEvalError(
                    f"metric {metric} needs {' and '.join(lacking[without[0]])} of every system; "
                    f"there is none of {', '.join(without)}"
                )
        require(metrics, self.names, mend)

    def of(self, system: int) -> SystemInputs:
        """All that metrics can have for the system of that number; made once."""
        return self._views[system]

    @cached_property
    def _views(self) -> list[SystemInputs]:
        return [SystemInputs(of_system, self._for_all) for of_system in self._of_systems]

    @cached_property
    def _of_systems(self) -> list[dict[str, Any]]:
        """What each system made, by name."""
        by_system = [{"orders": self.orders(s), "hyp": s.hyp, **s.inputs} for s in self.systems]
        return [
            {name: value for name, value in entry.items() if value is not None}
            for entry in by_system
        ]

    @cached_property
    def _for_all(self) -> dict[str, Any]:
        for_all = dict(self.shared)
        if self.references:
            for_all["ref"] = [text.sentences for text in self.references]
        source = self.ordered
        if source is not None:
            for_all |= {"source": source.source, "words": source.words}
            for_all["reference_orders"] = source.allowed
        return for_all

    def orders(self, system: System) -> Orders | None:
        """A system's orders: its own, or those of the links of its output with the source."""
        links = system.inputs.get("hyp_alignment")
        if system.orders is not None or links is None or self.ordered is None:
            return system.orders
        return system_orders(links, sentence_lengths(self.ordered.source))

    @cached_property
    def ordered(self) -> ReferenceSet | None:
        """The source with the links that reference orders are made of, if there are any.

        That is the reference set, or else the source with its links to the references.
        """
        links: Sequence[Alignments] = self.shared.get("ref_alignment", [])
        if self.reference is not None or "source" not in self.shared or not links:
            return self.reference
        source, name, target = self.shared["source"], "reference", None
        if self.references:
            name = self.references[0].name
            target = list(map(tokenizer("none"), self.references[0].sentences))
        several = None
        if len(links) > 1:
            several, _ = alternatives(
                sentence_lengths(source), [(alignments, ()) for alignments in links]
            )
        return ReferenceSet(name, source, links[0], target, alternatives=several)

    def chosen(self, systems: Sequence[str]) -> Inputs:
        """The same with only the systems of these names, in that order; UnknownNameError."""
        by_name = {system.name: system for system in self.systems}
        for name in systems:
            if name not in by_name:
                raise UnknownNameError("system", name, by_name)
        return replace(self, systems=tuple(by_name[name] for name in systems))

    def joined(self, other: Inputs) -> Inputs:
        """The systems of both; one of the same name in both has what it has in either.

        What the systems are held against is put together too; `difference` tells beforehand
        whether it is the same.
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
        """In what the things that systems are held against differ; empty if in nothing."""
        if len(self) != len(other):
            return f"number of sentences, {len(self)} and {len(other)}"
        if self.references and other.references and len(self.references) != len(other.references):
            return "number of references"
        others = other._held_against
        for what, value in self._held_against.items():
            sentence = first_difference(value, others.get(what, value))
            if sentence is not None:
                return f"{what} of sentence {sentence}"
        return ""

    @property
    def _held_against(self) -> dict[str, Sequence[Any]]:
        """What systems are held against, by what it is called, an entry for each sentence."""
        held: dict[str, Sequence[Any]] = {}
        if self.reference is not None:
            held["source"] = self.reference.source
            held["links"] = list(self.reference.alignments)
            held["reference orders"] = _reference_orders(self.reference)
        held |= {f"reference {n}": text.sentences for n, text in enumerate(self.references, 1)}
        for name, value in self.shared.items():
            if side(name) == "ref":
                held |= {f"{name} {number}": stream for number, stream in enumerate(value, 1)}
            else:
                held.setdefault(name, value)
        return held


def _reference_orders(reference: ReferenceSet) -> list[list[list[list[int]]]]:
    """The reference orders of every sentence."""
    several = reference.alternatives
    if several is None:
        return [[list(order)] for order in reference.references]
    orders: list[list[list[list[int]]]] = [[] for _ in range(len(reference))]
    for sentence, order in zip(several.sentence.tolist(), several.references, strict=True):
        orders[sentence].append(list(order))
    return orders


def first_difference(one: Sequence[Any], other: Sequence[Any]) -> int | None:
    """The 1-based number of the first sentence whose text, words, links or orders differ.

    >>> first_difference(["a", "b"], ["a", "c"])
    2
    """
    for number, (a, b) in enumerate(zip(one, other, strict=True), 1):
        if a != b and list(a) != list(b):
            return number
    return None


def require(metrics: Sequence[Metric], given: Sequence[str], mend: str = "") -> None:
    """Raise PreorderEvalError, with how to mend it, for a metric that needs what is not given.

    >>> from preorder_eval.metrics import metric
    >>> require([metric("wer")], ["ref"])
    Traceback (most recent call last):
        ...
    preorder_eval.errors.PreorderEvalError: metric wer needs hyp
    """
    for metric in metrics:
        lacking = missing(metric.needs, given)
        if lacking:
            instead = [
                f"{' and '.join(MADE_OF[name])} instead of {name}"
                for name in lacking
                if name in MADE_OF
            ]
            more = f" ({', '.join(instead)})" if instead else ""
            raise PreorderEvalError(f"metric {metric} needs {' and '.join(lacking)}{more}{mend}")


def _merged(one: System, other: System) -> System:
    """A system with what it has in either of two inputs."""
    return replace(
        one,
        orders=one.orders if one.orders is not None else other.orders,
        hyp=one.hyp if one.hyp is not None else other.hyp,
        inputs={**other.inputs, **one.inputs},
        made_by={**other.made_by, **one.made_by},
        origin=one.origin if one.orders is not None else other.origin,
    )
