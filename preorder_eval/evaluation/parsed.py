"""Sentences parsed, and reordered by rules: a parser and a rule set make a system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.base.errors import PreorderEvalError, warn
from preorder_eval.base.files.files import file_hash, labelled
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.overlap import SEEN
from preorder_eval.evaluation.system_warnings import SOME, warn_of_text
from preorder_eval.evaluation.systems import MadeFrom, Rules, System, sentences_of
from preorder_eval.orders.orders import Alternatives, ReferenceOrders
from preorder_eval.parsers.lines import by_lines
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import Parser, consensus_refused
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.consensus_orders import consensus_trees
from preorder_eval.rules.rule_reading import load_rules, rules_hash
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.in_ud import in_ud
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.treebank import Treebank


@dataclass(frozen=True, eq=False)
class Parsed:
    """The trees of some sentences, and what identifies the parser that made them.

    `parses` has one tree for each sentence, or an n-best list from which rules choose a tree by
    consensus.

    >>> import preorder_eval as pe
    >>> pe.Parsed.by("en-web", [["She", "reads", "books"]]).reordered("en-ja")
    <System en-web/en-ja: orders of 1 sentence>
    """

    identity: Mapping[str, Any]
    parses: Treebank | NBest

    @property
    def name(self) -> str:
        """The parser's name."""
        return str(self.identity["name"])

    def named(self, name: str | None) -> Parsed:
        """Return the same under another name, if one is given."""
        return replace(self, identity={**self.identity, "name": name}) if name else self

    def marked(self, reference: ReferenceSet, gold_file: str | Path | None = None) -> Parsed:
        """Return the same, marked as gold trees if they are that file, or equal the set's own."""
        gold, parses = reference.trees, self.parses
        if gold_file is not None and self.identity.get("sha256") == file_hash(Path(gold_file)):
            return replace(self, identity={**self.identity, "gold": True})
        of_folder = reference.target is not None and "source.conllu" in reference.hashes
        if gold is None or not of_folder or isinstance(parses, NBest):
            return self
        same = len(gold) >= SOME and np.array_equal(gold.heads, parses.heads)
        if not same or list(gold.labels) != list(parses.labels):
            return self
        return replace(self, identity={**self.identity, "gold": True})

    @property
    def trees(self) -> Treebank:
        """The tree of each sentence. Raises PreorderEvalError for n-best lists."""
        if isinstance(self.parses, NBest):
            raise consensus_refused(self.name)
        return self.parses

    def reordered(self, rules: Rules, *, checked: bool = True) -> System:
        """Return the system that a rule set makes of the trees: a name, a rule file or rules.

        Raises UnknownNameError, and PreorderEvalError for trees that the rules cannot read, unless
        these are not to be `checked`.

        >>> import preorder_eval as pe
        >>> pe.Parsed.by("en-web", [["She", "reads", "books"]]).reordered("en-ja").orders[0]
        [0, 2, 1]
        """
        rule_set = load_rules(rules)
        made_from = MadeFrom(self.trees_for(rule_set), rule_set)
        reorder = rule_set.reorder if checked else rule_set.reorder_unchecked
        return System(
            f"{self.name}/{rule_set.name}",
            reorder(made_from.trees),
            made_by={
                "parser": self.identity,
                "rules": {"name": rule_set.name, "sha256": rules_hash(rule_set)}
                | _tuned(rule_set.tuned_on),
            },
            origin=lambda: made_from,
        )

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
        """Parse sentences.

        Parameters: `parser` a name, a path (also as `label=path`) or a parser, or `gold` for the
        trees of a reference set; `source` a reference set or tokenised sentences; `jobs` the number
        of processes. Without `cache` all sentences are parsed, also those that have been parsed
        before. Raises UnknownNameError.
        """
        label = None
        if isinstance(parser, str | Path):
            label, parser = labelled(parser)
        if isinstance(parser, str) and parser == "gold":
            if not isinstance(source, ReferenceSet) or source.trees is None:
                called = source.name if isinstance(source, ReferenceSet) else "the source"
                raise PreorderEvalError(f"{called} has no gold trees for the parser 'gold'")
            return cls({"name": label or "gold", "gold": True, **source.hashes}, source.trees)
        parser = find_parser(parser, cache, jobs)
        sentences = sentences_of(source)
        languages = source.languages if isinstance(source, ReferenceSet) else ""
        language = getattr(parser, "language", "")
        warn_of_text(language, parser.identity.name, sentences, languages)
        tuned_on = getattr(parser, "tuned_on", ())
        if isinstance(source, ReferenceSet):
            parser = by_lines(parser) if source.raw else parser
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


def in_scheme_of(trees: Treebank, rules: Iterable[RuleSet]) -> Treebank:
    """Return trees in memory as they would be read from a file: of UD, if all rules are for UD."""
    if trees.scheme == "own" or any(one.scheme != "ud" for one in rules):
        return trees
    return in_ud(trees)


def named_trees(
    trees: str | Path | Parser | Treebank,
    reference: ReferenceSet | ReferenceOrders | Alternatives,
    rules: RuleSet,
    *,
    cache: bool = True,
    progress: Progress = no_progress,
) -> Parsed:
    """Return the trees of a reference's sentences, and what identifies the parser that made them.

    Parameters: `trees` the trees themselves, whose parser has no name, or what `Parsed.by` takes;
    `rules` those that will read them.
    Raises PreorderEvalError for a parser if there are reference orders, but no sentences.
    """
    if isinstance(trees, Treebank):
        if len(trees) != len(reference):
            raise PreorderEvalError(
                f"{quantity(len(trees), 'tree')} for {quantity(len(reference), 'sentence')}"
            )
        return Parsed({"name": ""}, in_scheme_of(trees, [rules]))
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


def _tuned(on: Sequence[str]) -> dict[str, list[str]]:
    """Return the sets that a parser or rule set was tuned on, as a part of its identity."""
    return {"tuned_on": list(on)} if on else {}
