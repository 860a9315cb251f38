"""Systems, which are scored: made of a parser and rules, of orders, of links, or of outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.files.files import file_hash, labelled_output, labelled_path, stem
from preorder_eval.base.files.writing import Content
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.text.text_files import read_text
from preorder_eval.base.visible import quantity
from preorder_eval.orders.alignment_files import read_alignment_of
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.order_files import read_orders
from preorder_eval.orders.orders import Orders
from preorder_eval.orders.reference_orders import system_orders
from preorder_eval.references.reference_set import ReferenceSet

if TYPE_CHECKING:
    from preorder_eval.rules.rule_set import RuleSet
    from preorder_eval.trees.treebank import Treebank

Rules: TypeAlias = "str | Path | RuleSet"


def listed(given: Any) -> list[Any]:
    """Return one item or several as a list; a text or a path is one item."""
    several = isinstance(given, Sequence) and not isinstance(given, str)
    return list(given) if several else [given]


@dataclass(frozen=True, eq=False)
class MadeFrom:
    """The trees and the rule set that a system's orders were made from, which run folders keep."""

    trees: Treebank
    rules: RuleSet

    def toml(self) -> str:
        """Return the rules as a rule file."""
        from preorder_eval.rules.rule_writing import format_rules  # outputs have no rules

        return format_rules(self.rules)

    def conllu(self) -> Content:
        """Return the trees as a file, part by part."""
        from preorder_eval.trees.conllu import conllu_parts  # nor trees

        return conllu_parts(self.trees)


@dataclass(frozen=True, eq=False)
class System:
    """A system's name and what it produced: orders, outputs (`hyp`), or both.

    `inputs` are what else metrics are given for it (`hyp_alignment`, `hyp_tags`, …). `made_by`
    identifies its maker (parser, rule set or file, with hashes). `origin` is a function that
    returns the trees and rules that its orders were made from, or None if they are not known.

    >>> import preorder_eval as pe
    >>> pe.System("none", pe.Orders.of([[0, 1]]))
    <System none: orders of 1 sentence>
    """

    name: str
    orders: Orders | None = None
    hyp: Sequence[str] | None = None
    made_by: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    origin: Callable[[], MadeFrom | None] = lambda: None

    def __post_init__(self) -> None:
        if not isinstance(self.orders, Orders | NoneType):
            raise PreorderEvalError(f"system {self.name}: make its orders by Orders.of")

    def __repr__(self) -> str:
        held = {"orders": self.orders, "outputs": self.hyp}
        present = {what: value for what, value in held.items() if value is not None}
        size = max(map(len, present.values()), default=0)
        what = " and ".join(present) or "nothing"
        return f"<System {self.name}: {what} of {quantity(size, 'sentence')}>"

    @property
    def parser(self) -> str:
        """The name of its parser, for tables.

        A system without parser and rules, such as an order file, is shown by its own name. The
        source order, which has rules only, has no parser.
        """
        return str(self.maker("parser").get("name", "" if self.rules else self.name))

    @property
    def rules(self) -> str:
        """The name of its rule set, empty where it has none."""
        return str(self.maker("rules").get("name", ""))

    @property
    def ceiling(self) -> bool:
        """Whether it has gold trees, so that it shows what better parsers could reach."""
        return bool(self.maker("parser").get("gold"))

    def maker(self, what: str) -> Mapping[str, Any]:
        """Return the identity of its `parser` or its `rules`.

        It is empty if there is none, or if the entry in a run folder is malformed.
        """
        maker = self.made_by.get(what)
        return maker if isinstance(maker, Mapping) else {}

    @classmethod
    def from_orders(
        cls,
        orders: str | Path | Orders | Sequence[Sequence[int]],
        source: ReferenceSet | Sequence[Sequence[str]],
        name: str = "orders",
    ) -> System:
        """Return any other preorderer, by its orders or its permutation file.

        The system is called by its file, or by the label in `label=path`.

        >>> import preorder_eval as pe
        >>> pe.System.from_orders([[1, 0]], [["eat", "fish"]], name="mine").orders[0]
        [1, 0]
        """
        if isinstance(orders, str | Path):
            label, path = labelled_path(orders)
            read = read_orders(path, sentence_lengths(sentences_of(source)))
            return cls(label or stem(path), read, made_by={"orders": file_facts(path)})
        return cls(name, orders if isinstance(orders, Orders) else Orders.of(orders))

    @classmethod
    def from_alignment(
        cls,
        alignment: str | Path | Alignments,
        source: ReferenceSet | Sequence[Sequence[str]],
        name: str = "decoder",
    ) -> System:
        """Return a decoder, by its links of source and output or their file (`label=path`).

        >>> import preorder_eval as pe
        >>> links = pe.Alignments.of([[(0, 1), (1, 0)]])
        >>> pe.System.from_alignment(links, [["eat", "fish"]]).orders[0]
        [1, 0]
        """
        sentences = sentences_of(source)
        lengths = sentence_lengths(sentences)
        if isinstance(alignment, str | Path):
            label, path = labelled_path(alignment)
            orders = system_orders(read_alignment_of(path, sentences, None), lengths)
            return cls(label or stem(path), orders, made_by={"alignment": file_facts(path)})
        if not isinstance(alignment, Alignments):
            raise PreorderEvalError(f"{name}: give Alignments, or the file of links")
        return cls(name, system_orders(alignment, lengths))

    @classmethod
    def from_output(cls, output: str | Path | Sequence[str], name: str = "output") -> System:
        """Return a translation system, by its outputs or their file, which gives its name.

        >>> import preorder_eval as pe
        >>> pe.System.from_output(["a house"], name="mine").hyp
        ['a house']
        """
        if isinstance(output, str | Path):
            label, path = labelled_output(output)
            return cls(label or stem(path), hyp=read_text(path), made_by=file_facts(path))
        return cls(name, hyp=_lines(output, name))

    def named(self, name: str) -> System:
        """Return the same under another name."""
        return replace(self, name=name)


def _lines(texts: Iterable[Any], name: str) -> list[str]:
    """Return texts in memory as a list. Raises PreorderEvalError for what is no text."""
    if not isinstance(texts, Iterable):
        raise PreorderEvalError(f"{name}: {texts!r:.40} is no list of texts")
    lines = list(texts)
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            how = "write an empty text for a missing one"
            if isinstance(line, list | tuple):
                how = "join tokens with spaces, and add tokenize=none to the metrics"
            raise PreorderEvalError(f"{name}, sentence {number}: {line!r:.40} is no text; {how}")
    return lines


def sentences_of(source: ReferenceSet | Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return the sentences of a reference set, or those that are given."""
    return source.source if isinstance(source, ReferenceSet) else source


def file_facts(path: Path) -> dict[str, str]:
    """Return the identity of a file, for JSON."""
    return {"file": path.name, "sha256": file_hash(path)}
