"""Systems: what is scored, made of a parser and rules, of orders, of links, or of outputs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.data.alignments import Alignments, system_orders
from preorder_eval.data.nbest import NBest
from preorder_eval.data.orders import Alternatives, Orders, ReferenceOrders
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError, warn
from preorder_eval.formats.alignment import read_alignment
from preorder_eval.formats.conllu import is_conllu
from preorder_eval.formats.files import (
    file_hash,
    labelled,
    labelled_output,
    labelled_path,
    stem,
)
from preorder_eval.formats.order_files import read_orders
from preorder_eval.formats.reference_folder import source_sentences
from preorder_eval.formats.rule_reading import load_rules, rules_hash
from preorder_eval.formats.text import read_text
from preorder_eval.parsers.base import Parser, consensus_refused
from preorder_eval.parsers.loading import find_parser
from preorder_eval.parsers.tree_file import TreeFile
from preorder_eval.reordering.consensus import consensus_trees
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.resources import bundled_names
from preorder_eval.results.defaults import ANY
from preorder_eval.visible import quantity

Progress = Callable[[str, int | None], AbstractContextManager[Callable[[int], None] | None]]
Rules = str | Path | RuleSet

_LANGUAGES = re.compile(r"([a-z]{2,3})-([a-z]{2,3})")
_SOME = 20  # sentences by which a pattern is no chance, nor are trees that equal others
_LOOKED_AT = 2000  # words
_FEWEST = 50  # words by which a language can be told
# Those of the thirty most frequent words of English that neighbouring languages do not have.
_ENGLISH = {"the", "of", "and", "to", "is", "that", "it", "for", "with", "you"}
_ENGLISH |= {"as", "are", "this", "be", "not", "have", "from", "by"}
_ENGLISH_SHARE = 0.05  # in English texts of many kinds it is between 0.15 and 0.35
SEEN = 0.05  # of the sentences, below which it does not matter that they were seen
_MEND = "take a parser of its language (--parser), or its trees (--trees)"


def listed(given: Any) -> list[Any]:
    """Return one item or several as a list: a text, a path and whatever is no sequence are one."""
    several = isinstance(given, Sequence) and not isinstance(given, str)
    return list(given) if several else [given]


def no_progress(label: str, total: int | None) -> AbstractContextManager[None]:
    """Shows no progress."""
    return nullcontext()


@dataclass(frozen=True, eq=False)
class MadeFrom:
    """The trees and the rule set that a system's orders were made from."""

    trees: Treebank
    rules: RuleSet


@dataclass(frozen=True, eq=False)
class System:
    """The products of one system, under its name: orders, outputs (`hyp`), or both.

    `inputs` are what else metrics are given for it (`hyp_alignment`, `hyp_tags`, …), `made_by`
    identifies what made it (parser, rule set or file, with hashes), and `origin` gives what its
    orders were made from, None where that is not known.

    >>> System("none", Orders.of([[0, 1]]))
    <System none: orders of 1 sentence>
    """

    name: str
    orders: Orders | None = None
    hyp: Sequence[str] | None = None
    made_by: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    origin: Callable[[], MadeFrom | None] = lambda: None

    def __repr__(self) -> str:
        held = {"orders": self.orders, "outputs": self.hyp}
        present = {what: value for what, value in held.items() if value is not None}
        size = max(map(len, present.values()), default=0)
        what = " and ".join(present) or "nothing"
        return f"<System {self.name}: {what} of {quantity(size, 'sentence')}>"

    @property
    def parser(self) -> str:
        """The name of its parser; where it has none its own, but none with rules alone."""
        return str(self.maker("parser").get("name", "" if self.rules else self.name))

    @property
    def rules(self) -> str:
        """The name of its rule set, empty where it has none."""
        return str(self.maker("rules").get("name", ""))

    @property
    def ceiling(self) -> bool:
        """Whether it has gold trees, so that it shows what parsers could reach."""
        return bool(self.maker("parser").get("gold"))

    def maker(self, what: str) -> Mapping[str, Any]:
        """Return what identifies its parser or its rules; a run folder may hold anything there."""
        maker = self.made_by.get(what)
        return maker if isinstance(maker, Mapping) else {}

    @classmethod
    def from_rules(
        cls,
        parser: str | Path | Parser,
        rules: Rules,
        source: ReferenceSet | Sequence[Sequence[str]],
        *,
        cache: bool = True,
    ) -> System:
        """Return a parser with a rule set.

        Parameters: `parser` a name, a path (also as `label=path`) or a parser, or `gold` for the
        trees of a reference set; `rules` a name, the path of a rule file, or a rule set; `source`
        a reference set or tokenised sentences. Without `cache` all sentences are parsed, also
        those that have been.

        Raises UnknownNameError for names that stand for nothing, and PreorderEvalError for trees
        that the rules cannot read.

        >>> System.from_rules("en-web", "en-ja", [["She", "reads", "books"]]).orders[0]
        [0, 2, 1]
        """
        return cls.from_trees(Parsed.by(parser, source, cache=cache), rules)

    @classmethod
    def from_trees(cls, parsed: Parsed, rules: Rules) -> System:
        """Parsed sentences with a rule set, for several rule sets on the same trees."""
        rule_set = load_rules(rules)
        made_from = MadeFrom(parsed.trees_for(rule_set), rule_set)
        return cls(
            f"{parsed.name}/{rule_set.name}",
            rule_set.reorder(made_from.trees),
            made_by={
                "parser": parsed.identity,
                "rules": {"name": rule_set.name, "sha256": rules_hash(rule_set)}
                | _tuned(rule_set.tuned_on),
            },
            origin=lambda: made_from,
        )

    @classmethod
    def from_orders(
        cls,
        orders: str | Path | Orders | Sequence[Sequence[int]],
        source: ReferenceSet | Sequence[Sequence[str]],
        name: str = "orders",
    ) -> System:
        """Any other preorderer, by its orders or its order file.

        A file gives its own name, or in `label=path` the label.

        >>> System.from_orders([[1, 0]], [["eat", "fish"]], name="mine").orders[0]
        [1, 0]
        """
        if isinstance(orders, str | Path):
            label, path = labelled_path(orders)
            read = read_orders(path, sentence_lengths(_sentences(source)))
            return cls(label or stem(path), read, made_by={"orders": file_facts(path)})
        return cls(name, orders if isinstance(orders, Orders) else Orders.of(orders))

    @classmethod
    def from_alignment(
        cls,
        alignment: str | Path | Alignments,
        source: ReferenceSet | Sequence[Sequence[str]],
        name: str = "decoder",
    ) -> System:
        """Return a decoder, by the links of source and output or by their file (`label=path`).

        >>> System.from_alignment(Alignments.of([[(0, 1), (1, 0)]]), [["eat", "fish"]]).orders[0]
        [1, 0]
        """
        lengths = sentence_lengths(_sentences(source))
        if isinstance(alignment, str | Path):
            label, path = labelled_path(alignment)
            orders = system_orders(read_alignment(path, lengths), lengths)
            return cls(label or stem(path), orders, made_by={"alignment": file_facts(path)})
        return cls(name, system_orders(alignment, lengths))

    @classmethod
    def from_output(cls, output: str | Path | Sequence[str], name: str = "output") -> System:
        """Return a translation system, by its outputs or their file, which gives its name or label.

        >>> System.from_output(["a house"], name="mine").hyp
        ['a house']
        """
        if isinstance(output, str | Path):
            label, path = labelled_output(output)
            return cls(label or stem(path), hyp=read_text(path), made_by=file_facts(path))
        return cls(name, hyp=list(output))

    def without_parser(self) -> System:
        """Return the same under the name of its rules alone, as one with the trees of any parser.

        >>> System.from_rules("en-web", "none", [["fish"]]).without_parser()
        <System none: orders of 1 sentence>
        """
        made_by = {what: maker for what, maker in self.made_by.items() if what != "parser"}
        return replace(self, name=self.rules, made_by=made_by, origin=lambda: None)

    def named(self, name: str) -> System:
        """Return the same under another name."""
        return replace(self, name=name)


@dataclass(frozen=True, eq=False)
class Parsed:
    """The trees of some sentences, and what identifies the parser that made them.

    `parses` are one tree for each, or lists of which rules choose one by consensus.
    """

    identity: Mapping[str, Any]
    parses: Treebank | NBest

    @property
    def name(self) -> str:
        """The parser's name."""
        return str(self.identity["name"])

    def marked(self, reference: ReferenceSet) -> Parsed:
        """Return the same, marked as gold trees if they are those of a reference folder."""
        gold, parses = reference.trees, self.parses
        of_folder = reference.target is not None and "source.conllu" in reference.hashes
        if gold is None or not of_folder or isinstance(parses, NBest):
            return self
        same = len(gold) >= _SOME and np.array_equal(gold.heads, parses.heads)
        if not same or list(gold.labels) != list(parses.labels):
            return self
        return replace(self, identity={**self.identity, "gold": True})

    @property
    def trees(self) -> Treebank:
        """The tree of each sentence; PreorderEvalError for lists."""
        if isinstance(self.parses, NBest):
            raise consensus_refused(self.name)
        return self.parses

    def trees_for(self, rules: RuleSet) -> Treebank:
        """Return the tree of each sentence that the rules are to reorder."""
        lists = self.parses
        return consensus_trees(lists, rules) if isinstance(lists, NBest) else lists

    @classmethod
    def by(
        cls,
        parser: str | Path | Parser,
        source: ReferenceSet | Sequence[Sequence[str]],
        *,
        cache: bool = True,
        jobs: int = 1,
        progress: Progress = no_progress,
    ) -> Parsed:
        """Parse sentences by so many processes; see `System.from_rules`."""
        label, name = labelled(parser) if isinstance(parser, str) else (None, parser)
        if name == "gold":
            if not isinstance(source, ReferenceSet) or source.trees is None:
                called = source.name if isinstance(source, ReferenceSet) else "the source"
                raise PreorderEvalError(f"{called} has no gold trees for the parser 'gold'")
            return cls({"name": label or "gold", "gold": True, **source.hashes}, source.trees)
        if isinstance(parser, str | Path):
            label, name = labelled(parser)
            parser = _known_trees(name, source) or find_parser(name, cache, jobs)
        sentences = _sentences(source)
        languages = source.languages if isinstance(source, ReferenceSet) else ""
        language = getattr(parser, "language", "")
        warn_of_text(language, parser.identity.name, sentences, languages)
        tuned_on = getattr(parser, "tuned_on", ())
        if isinstance(source, ReferenceSet):
            warn_of_tuning(f"parser {parser.identity.name}", tuned_on, source)
        with progress(f"parsing with {parser.identity.name}", len(sentences)) as advance:
            n = parser.identity.consensus
            parses: Treebank | NBest = (
                parser.parse(sentences, n, advance)
                if n
                else parser.parse(sentences, advance=advance)
            )
        identity = asdict(parser.identity) | _tuned(tuned_on)
        learned_from = getattr(parser, "learned_from", None)
        if learned_from is not None and (count := learned_from(sentences)):
            identity["learned_from"] = count
        return cls(identity | {"name": label or parser.identity.name}, parses)


def trees_for(parser: Parser, sentences: Sequence[Sequence[str]], rules: RuleSet) -> Treebank:
    """Parse sentences into the trees that the rules are to reorder."""
    n = parser.identity.consensus
    return consensus_trees(parser.parse(sentences, n), rules) if n else parser.parse(sentences)


def _known_trees(name: str | Path, source: ReferenceSet | Sequence[Sequence[str]]) -> Parser | None:
    """Return the file of trees that the reference's own sentences and trees were read from."""
    if not is_conllu(name) or not isinstance(source, ReferenceSet):
        return None
    if source.trees is None or source.target is not None:  # whose file may be called the same
        return None
    if source.hashes.get(Path(name).name) != file_hash(name):
        return None
    return TreeFile(name, source.trees)


def named_trees(
    trees: str | Path | Parser | Treebank,
    reference: ReferenceSet | ReferenceOrders | Alternatives,
    *,
    cache: bool = True,
    progress: Progress = no_progress,
) -> Parsed:
    """Return the trees of a reference's sentences, with what identifies the parser that made them.

    Parameters: `trees` the trees themselves, whose parser has no name, or what `Parsed.by` takes.
    Raises PreorderEvalError for a parser where there are reference orders without sentences.
    """
    if isinstance(trees, Treebank):
        return Parsed({"name": ""}, trees)
    if not isinstance(reference, ReferenceSet):
        raise PreorderEvalError("a parser takes a reference set, not its orders alone")
    parsed = Parsed.by(trees, reference, cache=cache, progress=progress)
    count = parsed.identity.get("learned_from", 0)
    if count >= SEEN * len(reference):
        warn(
            f"parser {parsed.name} was trained on {count} of these {len(reference)} sentences: its "
            "trees of others are worse, so that results on these are too good"
        )
    return parsed


def _sentences(source: ReferenceSet | Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    return source.source if isinstance(source, ReferenceSet) else source


def file_facts(path: Path) -> dict[str, str]:
    """Return what identifies a file, for JSON."""
    return {"file": path.name, "sha256": file_hash(path)}


def _tuned(on: Sequence[str]) -> dict[str, list[str]]:
    """Return what identifies a parser or rules also tells what they were tuned on, if they were."""
    return {"tuned_on": list(on)} if on else {}


def seen(system: System, reference: ReferenceSet) -> dict[str, int]:
    """Return which of a system's parser and rules have seen sentences of a reference set.

    That is, those trained or tuned on reference sets that have the same sentences, in whatever
    target language, with the number of these sentences. Of a set that cannot be loaded the name
    alone counts.

    >>> from preorder_eval.formats.reference_folder import load_reference
    >>> data = load_reference("en-ja-web/dev")
    >>> seen(System.from_rules("gold", "en-ja", data), data)
    {'rules en-ja': 250}
    """
    counts = {}
    for what, called in (("parser", system.parser), ("rules", system.rules)):
        maker = system.maker(what)
        loaded = {name: _sentences_of(name) for name in maker.get("tuned_on", [])}
        known = frozenset().union(*filter(None, loaded.values()))
        count = sum(tuple(words) in known for words in reference.source) if known else 0
        if reference.name in loaded and loaded[reference.name] is None:
            count = len(reference)
        count = max(count, int(maker.get("learned_from", 0)))
        if count:
            counts[f"{what} {called}"] = count
    return counts


def learned(system: System, reference: str) -> dict[str, list[str]]:
    """Return which of a system's parser and rules learned from other splits of a reference set.

    >>> rules = {"name": "en-ja", "tuned_on": ["en-ja", "en-ja-web/dev"]}
    >>> learned(System("mine", made_by={"rules": rules}), "en-ja-web/test")
    {'rules en-ja': ['en-ja-web/dev']}
    """
    name, slash, part = reference.rpartition("/")
    found = {}
    for what in ("parser", "rules"):
        maker = system.maker(what)
        named = [str(one).rpartition("/") for one in maker.get("tuned_on", [])]
        splits = [f"{name}/{p}" for n, _, p in named if slash and n == name and p != part]
        if splits:
            found[f"{what} {maker['name']}"] = splits
    return found


@lru_cache(maxsize=16)
def _sentences_of(name: str) -> frozenset[tuple[str, ...]] | None:
    """Return the sentences of a reference set, None if it cannot be loaded."""
    with suppress(PreorderEvalError):
        return frozenset(map(tuple, source_sentences(name)))
    return None


def warn_of_rules(rules: RuleSet, reference: ReferenceSet) -> None:
    """Warn of rules learned on other text, for other languages, or tuned on its test part."""
    warn_of_tuning(f"rule set {rules.name}", rules.tuned_on, reference)
    if rules.learned and reference.name not in rules.tuned_on:
        warn(
            f"rule set {rules.name} was {rules.description}; on other text, such as "
            f"{reference.name}, learned rules can order worse than written ones: compare them"
        )
    pair = _LANGUAGES.fullmatch(reference.languages)
    if pair is None:
        return
    for side, wanted, there in zip(
        ("source", "target"), pair.groups(), (rules.source, rules.target), strict=True
    ):
        if there not in (ANY, wanted):
            named = f"{rules.source}-{rules.target}"
            mends = [f"--rules {reference.languages}"] * (
                reference.languages in bundled_names("rules")
            )
            known = named in bundled_names("reference_data")
            mends += [f"--reference {named}" if known else f"a reference set of {named}"]
            warn(
                f"rule set {rules.name} is for the {side} language {there}, but reference "
                f"{reference.name} has {wanted}; use {' or '.join(mends)}"
            )


def warn_of_tuning(what: str, tuned_on: Sequence[str], reference: ReferenceSet) -> None:
    """Warn of what was tuned on sentences that it is to be tested on."""
    seen = reference.seen_by(tuned_on)
    if seen is not None:
        warn(
            f"{what} was tuned on {seen}, so its scores on {reference.name} are too high; tune "
            "on dev, and report scores on unseen sentences"
        )


def warn_of_text(
    language: str, parser: str, sentences: Sequence[Sequence[str]], languages: str = ""
) -> None:
    """Warn of text that is in another language or script than a parser's.

    Parameters: `language` the code of the parser's language, empty if it is not known; `languages`
    those of the reference set, like `en-ja`, if they are known.
    """
    pair = _LANGUAGES.fullmatch(languages)
    if language and pair is not None and pair[1] != language:
        warn(f"parser {parser} is for {language}, but the source is {pair[1]}; {_MEND}")
    elif language == "en":
        words = list(islice(chain.from_iterable(sentences), _LOOKED_AT))
        letters = [c for word in words for c in word if c.isalpha()]
        latin = sum(unicodedata.name(c, "").startswith("LATIN") for c in letters)
        frequent = sum(word.lower() in _ENGLISH for word in words)
        if len(letters) >= _FEWEST and 2 * latin < len(letters):
            warn(f"parser {parser} is for English, but the source is in another script; {_MEND}")
        elif len(words) >= _FEWEST and frequent < _ENGLISH_SHARE * len(words):
            warn(
                f"parser {parser} is for English, but hardly any of the source's words is a "
                f"frequent one of English; if it is another language, {_MEND}"
            )


def moves(orders: ReferenceOrders) -> bool:
    """Return whether any sentence is not as it is in the source."""
    falls = np.diff(orders.ranks) < 0
    inside = np.ones(len(falls), dtype=bool)
    inside[orders.offsets[1:-1][orders.offsets[1:-1] <= len(falls)] - 1] = False
    return bool((falls & inside).any())


def warn_if_nothing_moves(reference: ReferenceSet) -> None:
    """Warn of links that leave every sentence as it is."""
    if not moves(reference.references) and reference.informative.sum() >= _SOME:
        warn(
            f"reference {reference.name}: every reference order is that of the source, there is "
            "nothing to reorder; check that --alignment belongs to these sentences, and --direction"
        )
