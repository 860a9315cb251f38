"""Differences of two parsers: the words and constructions that only one of them has wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.analysis.analyse import learned_by_makers
from preorder_eval.analysis.check_rules import CONSTRUCTIONS
from preorder_eval.analysis.errors_apart import ErrorsApart, errors_apart
from preorder_eval.analysis.parser_check import ByParser, parser_check
from preorder_eval.analysis.sentences import gold_trees
from preorder_eval.base.errors import PreorderEvalError, argument
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.resources import bundled_names
from preorder_eval.base.tables import Caveat, Shown, Table
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.systems import System
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.pipelines import installed_pipelines
from preorder_eval.references.reference_files import target_languages
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.trees.treebank import Treebank


@dataclass(frozen=True, eq=False)
class ParsersApart(Shown):
    """The errors that only one of two parsers makes.

    - `systems` are two systems of the `run` with trees, `names` are their parsers. If both parsers
      have one name, the systems' names take its place.
    - `errors` are the words that only one parser has wrong. They need gold trees, and are None
      without.
    - `constructions` compares the two on the set `constructions`. It is None for parsers that
      cannot be run here.
    - `learned` states what the parsers learned from the sentences of the run.
    """

    run: str
    systems: tuple[str, str]
    names: tuple[str, str]
    errors: ErrorsApart | None = None
    constructions: ByParser | None = None
    learned: Sequence[Caveat] = ()

    @property
    def own_warnings(self) -> list[Caveat]:
        of_constructions = self.constructions.own_warnings if self.constructions else []
        return list(dict.fromkeys([*self.learned, *of_constructions]))

    def narrowed(self, *, top: int = 0) -> ParsersApart:
        """Return the same with the first `top` labels, all of them if it is 0."""
        if self.errors is None or not top:
            return self
        shown = replace(self.errors, by_label=self.errors.by_label.head(top))
        return replace(self, errors=shown)

    @property
    def verdict(self) -> str:
        lines = []
        if self.errors is not None:
            lines += [f"{text[0].upper()}{text[1:]}." for text in self.errors.sentences(self.names)]
            lines[0] = f"{self.run}: {lines[0][0].lower()}{lines[0][1:]}"
        lines += [f"{text[0].upper()}{text[1:]}." for _, text in self.learned]
        if self.constructions is not None:
            lines.append(f"{CONSTRUCTIONS}: {self.constructions.verdict}")
        return "\n".join(lines)

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"systems": self.systems, "parsers": self.names}
        if self.errors is not None:
            facts |= {"words": self.errors.words, "left_out": self.errors.left_out}
            facts |= {"heads_alone": self.errors.head, "labels_alone": self.errors.label}
        if self.constructions is not None:
            facts["on_constructions"] = self.constructions.to_dict()
        return facts

    def tables(self) -> list[Table]:
        return self._of_words + (self.constructions.tables() if self.constructions else [])

    @property
    def _of_words(self) -> list[Table]:
        return [] if self.errors is None else self.errors.tables

    def view(self, whole: bool = False) -> list[Table]:
        if self.constructions is not None:
            return [*self._of_words, *self.constructions.view(whole)]
        note = (
            "to compare them by construction: preorder-eval compare A B --reference "
            f"{CONSTRUCTIONS}, with parsers or files of their trees"
        )
        return [*self._of_words, Table("more", [], [], "", [note])]


def analyse_parsers(
    result: Result,
    systems: Sequence[str] = (),
    gold: str | Path | None = None,
    *,
    progress: Progress = no_progress,
) -> ParsersApart:
    """Find out which errors only one of the parsers of two systems makes.

    Parameters: `systems` the two, by default the only two that have trees of a parser; `gold` a
    CoNLL-U file with gold trees of the sentences, by default those of the run or the reference set,
    if any. For the set `constructions`, the trees of the run are compared if the run is on these
    sentences. Otherwise both parsers parse the set, if they are installed and unchanged since the
    run.

    Raises UnknownNameError for an unknown system, FormatError for trees of other sentences, and
    PreorderEvalError unless two systems are named or left, both with trees of a parser that differ.

    >>> import preorder_eval as pe
    >>> few = pe.load_reference("en-ja").take(range(40), "few")
    >>> trees = {"greedy": pe.parse(few.source), "beam": pe.parse(few.source, n=16).top(1).trees}
    >>> pe.analyse_parsers(pe.evaluate(few, trees=trees, rules=["en-ja"])).names
    ('greedy', 'beam')
    """
    names = list(dict.fromkeys(systems or _of_parsers(result)))
    if len(names) > 2 or len(systems) == 1:
        two = argument("systems=[A, B]", "--system A --system B")
        raise PreorderEvalError(
            f"name two systems to compare their parsers ({two}): {result.name} has "
            f"{', '.join(result.systems)}"
        )
    chosen = result.chosen(names)
    found = parsers_apart(chosen, gold_trees(result, gold))
    if found is None:
        raise PreorderEvalError(
            f"{' and '.join(names)}: {result.name} has no trees of two different parsers; gold "
            "trees are not a parser's"
        )
    return with_constructions(found, chosen, progress)


def parsers_apart(result: Result, gold: Treebank | None) -> ParsersApart | None:
    """Compare the parsers of a result's two systems on its sentences alone.

    Returns None if a system has no trees or has gold trees, and if both have the same trees.
    """
    systems = result.inputs.systems
    if len(systems) != 2 or any(system.ceiling for system in systems):
        return None
    one, other = (_trees_of(system) for system in systems)
    if one is None or other is None:
        return None
    if np.array_equal(one.heads, other.heads) and one.labels == other.labels:
        return None
    first, second = systems
    names = (first.parser, second.parser)
    names = names if first.parser != second.parser else (first.name, second.name)
    learned = learned_by_makers(result, [f"parser {system.parser}" for system in systems])
    found = ParsersApart(result.name, (first.name, second.name), names, learned=learned)
    if gold is None:
        return found
    errors = errors_apart(
        [one, other],
        gold,
        converted=any(system.maker("parser").get("converted") for system in systems),
        seed=result.sampling.seed,
        unit=result.unit,
    )
    return replace(found, errors=errors)


def _of_parsers(result: Result) -> list[str]:
    """Return the names of the systems that have trees of a parser, of all if these are not two."""
    systems = result.inputs.systems
    own = [one.name for one in systems if not one.ceiling and _trees_of(one) is not None]
    return own if len(own) == 2 else result.systems


def _trees_of(system: System) -> Treebank | None:
    origin = system.origin()
    return None if origin is None else origin.trees


def with_constructions(
    found: ParsersApart, result: Result, progress: Progress = no_progress
) -> ParsersApart:
    """Return the comparison with that on the set `constructions`, if that is possible.

    It is possible if the result is of these sentences, or if both parsers are installed.
    """
    systems = result.inputs.systems
    trees = list(filter(None, map(_trees_of, systems)))
    makers = [system.maker("parser") for system in systems]
    language, *_ = target_languages(bundled_names("reference_data")[CONSTRUCTIONS])
    parsers: list[Any] = [
        {"name": name, "converted": maker.get("converted", "")}
        for name, maker in zip(found.names, makers, strict=True)
    ]
    if trees[0].sentences == load_reference(f"{CONSTRUCTIONS}@{language}").source:
        parsers = list(map(Parsed, parsers, trees))
    elif all(map(_is_installed, makers)) and makers[0] != makers[1]:
        parsers = [maker["name"] for maker in makers]
    else:
        return found
    sampling = result.sampling
    checked = parser_check(parsers, seed=sampling.seed, test=sampling.test, progress=progress)
    return replace(found, constructions=checked)


def _is_installed(maker: Mapping[str, Any]) -> bool:
    """Return whether the parser that a run names is bundled or installed, in the same version.

    A run folder is data: no parser is loaded from a path that it names.
    """
    name = str(maker.get("name", ""))
    installed = {*bundled_names("parsers/bundled"), *installed_pipelines()}
    return name in installed and find_parser(name).identity.sha256 == maker.get("sha256")
