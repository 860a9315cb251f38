"""The inputs of metrics by name, the one list that all commands use.

A metric lists the names of the inputs that it `needs`. The prefix of a name shows how often the
input is given: once for each system (`hyp_…`), once for each stream of references (`ref_…`), or
once for the corpus (`source…`). Metrics of other packages may need inputs that are not listed here;
they get them as lines of text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, cast

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.metrics.segments import Segments
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Alternatives, Orders, ReferenceOrders, SourceWords
from preorder_eval.trees.tags import parts_of_speech, phrases

# The inputs of the bundled metrics.
KNOWN = {
    "orders": "the system's order of the source words",
    "reference_orders": "the reference orders of the source",
    "hyp": "the system's outputs",
    "ref": "references",
    "source": "the words of the source",
    "hyp_alignment": "links of the source with the system's outputs",
    "ref_alignment": "links of the source with the references",
    "hyp_tags": "tags of the system's outputs",
    "ref_tags": "tags of the references",
    "source_tags": "tags of the source",
}
# Inputs that stand in files of their own, beside outputs, references and the source.
FILES = {name: what for name, what in KNOWN.items() if name.endswith(("_alignment", "_tags"))}
GIVEN_SCORES = "hyp_scores_"  # with the name of the metric that gave them
LINKED = {"hyp_alignment", "ref_alignment"}
_BOTH_TAGS = ("hyp_tags", "source_tags")
# Orders that are not given are made of the links with the source, if these are.
MADE_OF = {"orders": ("source", "hyp_alignment"), "reference_orders": ("source", "ref_alignment")}


def side(name: str) -> Literal["hyp", "ref", "source"]:
    """Return the owner of an input of that name: every system, every reference, or the source.

    >>> side("hyp_tags"), side("ref"), side("source_tags")
    ('hyp', 'ref', 'source')
    """
    if name.startswith("ref"):
        return "ref"
    return "source" if name.startswith("source") else "hyp"


def missing(needs: Sequence[str], given: Collection[str]) -> list[str]:
    """Return the needed inputs that are not given and cannot be made from the given ones.

    >>> missing(["orders", "reference_orders"], {"source", "hyp_alignment"})
    ['ref_alignment']
    """
    lacking: dict[str, None] = {}
    for name in needs:
        if name not in given:
            parts = MADE_OF.get(name, (name,))
            some = any(part in given for part in parts)
            lacking |= dict.fromkeys([p for p in parts if p not in given] if some else [name])
    return list(lacking)


class SystemInputs:
    """The inputs that a metric may be given to score one system, over the same S sentences.

    Parameters: `own` what the system made (`orders`, `hyp`, `hyp_…`), `shared` what it is compared
    with (`reference_orders`, `ref`, `ref_…`, `source…`), by name. The properties are the inputs of
    the bundled metrics in the form they work on, made once; `inputs[name]` is an input as it was
    given. Both raise PreorderEvalError for a missing input.

    >>> inputs = SystemInputs({"hyp": ["a b"]}, {"ref": [["b a"]]})
    >>> inputs.segments.names, inputs["hyp"]
    (('a', 'b'), ['a b'])
    """

    def __init__(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._given = {**own, **shared, **own}  # those of the system first, whatever is shared

    def __getitem__(self, name: str) -> Any:
        if name not in self._given:
            what = KNOWN.get(name, "an input with this name")
            if name.startswith(GIVEN_SCORES):
                what = (
                    f"the scores of {name.removeprefix(GIVEN_SCORES)} for the segments of the "
                    "system"
                )
            raise PreorderEvalError(f"{name} is missing: {what}")
        return self._given[name]

    def __contains__(self, name: str) -> bool:
        return name in self._given

    @property
    def names(self) -> list[str]:
        """The names of all inputs that are there, the system's own first."""
        return list(self._given)

    def anew(self) -> SystemInputs:
        """Return the same inputs without cached results, such as interned words."""
        return SystemInputs(self._given, {})

    def texts(self, size: int) -> Iterator[SystemInputs]:
        """Yield the outputs with their references, and nothing else, `size` sentences at a time.

        >>> inputs = SystemInputs({"hyp": ["a", "b", "c"]}, {"ref": [["a", "b", "d"]]})
        >>> [(part["hyp"], part["ref"]) for part in inputs.texts(2)]
        [(['a', 'b'], [['a', 'b']]), (['c'], [['d']])]
        """
        outputs, references = self["hyp"], self["ref"]
        for first in range(0, len(outputs), size):
            here = slice(first, first + size)
            yield SystemInputs({"hyp": outputs[here]}, {"ref": [ref[here] for ref in references]})

    @property
    def orders(self) -> Orders:
        """The system's orders."""
        return cast(Orders, self["orders"])

    @property
    def reference_orders(self) -> ReferenceOrders | Alternatives:
        """The reference orders, one or several for each sentence."""
        return cast("ReferenceOrders | Alternatives", self["reference_orders"])

    @property
    def words(self) -> SourceWords | None:
        """The source words, interned; None where they are not given."""
        return self._given.get("words")

    @cached_property
    def source_lengths(self) -> list[int]:
        """The number of words of every source sentence."""
        return sentence_lengths(self["source"])

    @property
    def hyp_alignment(self) -> Alignments:
        """The links of the source with the output."""
        return cast(Alignments, self["hyp_alignment"])

    @property
    def ref_alignment(self) -> Sequence[Alignments]:
        """The links of the source with each stream of references."""
        return cast("Sequence[Alignments]", self["ref_alignment"])

    @cached_property
    def segments(self) -> Segments:
        """The outputs with their references."""
        return Segments.of(self["hyp"], self["ref"])

    @cached_property
    def tags(self) -> Segments:
        """The parts of speech of the outputs with those of the references."""
        streams = [list(map(parts_of_speech, stream)) for stream in self["ref_tags"]]
        return Segments.of(list(map(parts_of_speech, self["hyp_tags"])), streams)

    @cached_property
    def tags_of_source(self) -> Segments:
        """The parts of speech of the outputs with those of the source."""
        return Segments.of(*(list(map(parts_of_speech, self[n])) for n in _BOTH_TAGS))

    @cached_property
    def phrases_of_source(self) -> Segments:
        """The phrases of the outputs' words with those of the source's."""
        return Segments.of(*(list(map(phrases, self[n])) for n in _BOTH_TAGS))
