"""Work on the shards of a corpus: tasks of workers, and their combination by a command.

Names of files, options and rules as text travel to the workers. Trees, orders and the statistics of
sentences come back, as they are in memory. Each shard is read as a part of one input: the
annotation scheme, the notation of links and the metrics are decided once, from all shards together.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError, warn
from preorder_eval.base.files.files import labelled
from preorder_eval.base.files.writing import adding
from preorder_eval.base.progress import Progress
from preorder_eval.base.ragged import Sentences
from preorder_eval.evaluation.evaluate import of_its_languages, systems_of
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.parse import parse_file
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.reorder import OutputForm, reorder_file
from preorder_eval.evaluation.result import Result, make_result
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.evaluation.scale.cluster import Cluster
from preorder_eval.evaluation.scale.shards import Shard, called_by, whole_hash
from preorder_eval.evaluation.score import score_systems
from preorder_eval.evaluation.system_warnings import warn_if_nothing_moves
from preorder_eval.evaluation.systems import MadeFrom, System
from preorder_eval.metrics import metric
from preorder_eval.orders.alignment_files import AUTO, PositionEvidence, position_evidence
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Alternatives, Orders
from preorder_eval.parsers.load_parser import find_parser, load_parser
from preorder_eval.parsers.parser import TRUSTING, Parser, ParserIdentity, split_options
from preorder_eval.parsers.tree_file import chosen_by_references
from preorder_eval.references.objective import objective_at
from preorder_eval.references.reference_build import reference_from_files
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import parse_rules, rules_hash
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.clearnlp import CLEARNLP
from preorder_eval.trees.in_ud import LabelEvidence
from preorder_eval.trees.treebank import Treebank


@dataclass(frozen=True)
class RemoteParser:
    """A parser that workers load by themselves, from `path`, and under a name of the user's."""

    path: str
    sha256: str
    label: str | None = None

    @classmethod
    def of(cls, written: str) -> RemoteParser:
        """Find a parser, which may be written `LABEL=NAME`; `gold` are the trees of the source."""
        label, name = labelled(written)
        if name == "gold":
            return cls(name, "", label)
        plain, _ = split_options(name)
        folder = Path(plain)
        path = f"{folder.absolute()}{name[len(plain) :]}" if folder.exists() else name
        return cls(path, find_parser(name).identity.sha256, label)

    def load(self, *, trust: bool) -> Parser:
        """Return the parser, loaded once on each worker.

        Raises PreorderEvalError if it differs from the parser on the command's machine.
        """
        known: dict[str, Parser] = _loaded.__dict__.setdefault("parsers", {})
        if self.path not in known:
            TRUSTING.set(trust)
            known[self.path] = load_parser(self.path)
        if known[self.path].identity.sha256 != self.sha256:
            raise PreorderEvalError(f"parser {self.path} differs between a worker and this machine")
        return known[self.path]


_loaded = threading.local()  # pipelines of this thread: they are not to be used by two at a time


@dataclass(frozen=True)
class ScoredSystems:
    """The systems that are scored on every shard, and how its files are read.

    `patterns` are those of the files, by their kind. `parsers` and the texts of `rules` make
    systems; `trees` is the name of the input's own trees if these are scored. `orders` are the
    names of permutations. `reading` is what `reference_from_files` takes.
    """

    patterns: Mapping[str, Sequence[str]]
    parsers: Sequence[RemoteParser] = ()
    trees: str = ""
    rules: Sequence[str] = ()
    orders: Sequence[str] = ()
    metrics: Sequence[str] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    trust: bool = False

    @property
    def name(self) -> str:
        """The name of the reference set, as of one file of links."""
        return called_by(self.patterns["alignment"][0])

    @property
    def source(self) -> str:
        """The pattern of the input."""
        return self.patterns["input"][0]


def evaluate_shards(
    cluster: Cluster,
    shards: Sequence[Shard],
    systems: ScoredSystems,
    sampling: Sampling,
    progress: Progress,
) -> Result:
    """Score systems on all shards; by default by the `objective` of the whole corpus."""
    facts = cluster.each(partial(_shown, systems), shards, "reading shards", progress)
    systems = _decided(systems, shards, facts)
    parts = cluster.each(partial(scored, systems), shards, "scoring shards", progress)
    hashes = {
        kind: [whole_hash([shard.files[kind][n] for shard in shards]) for n in range(len(listed))]
        for kind, listed in systems.patterns.items()
    }
    reference = of_its_languages(_joined_reference(systems, parts, hashes))
    warn_if_nothing_moves(reference)
    inputs = Inputs(tuple(_joined_systems(systems, parts, reference, hashes)), reference)
    metrics = list(map(metric, systems.metrics))
    scores = [
        [
            by.scores_of(np.concatenate([part.statistics[s][m] for part in parts]))
            for m, by in enumerate(metrics)
        ]
        for s in range(len(inputs.systems))
    ]
    return make_result(inputs, metrics, scores, sampling)


# What workers do.


@dataclass(frozen=True)
class Writing:
    """What workers write: a file in the folder `out` for every shard."""

    out: str
    ending: str = ".conllu.gz"
    parser: RemoteParser | None = None
    raw: bool = False
    trust: bool = False
    n: int | None = None
    rules: str = ""
    output: OutputForm = "text"

    def file(self, shard: Shard) -> Path:
        """Return the path of the file of a shard."""
        return Path(self.out) / f"{shard.name}{self.ending}"


def write_trees(how: Writing, shard: Shard) -> None:
    """Parse the sentences of a shard, and write their trees."""
    [source] = shard.files["input"]
    if how.parser is not None:
        parser = how.parser.load(trust=how.trust)
        with adding(how.file(shard)) as file:
            parse_file(source, file, parser, how.n, raw=how.raw)


def write_reordered(how: Writing, shard: Shard) -> None:
    """Reorder the sentences of a shard, or its trees, and write them."""
    [source] = shard.files["input"]
    rules = parse_rules(how.rules, "the rules")
    given: dict[str, Any] = {"output": how.output, "raw": how.raw}
    if how.parser is None:
        given["trees"] = Path(source)
    else:
        given["parser"] = how.parser.load(trust=how.trust)
    with adding(how.file(shard)) as file:
        reorder_file(source, file, rules, **given)


@dataclass(frozen=True)
class ShardSystem:
    """The orders of a system in a shard, and its trees if it has any."""

    name: str
    orders: Orders
    made_by: Mapping[str, Any]
    trees: Treebank | None = None

    @classmethod
    def of(cls, system: System) -> ShardSystem:
        """Return the parts of a system that are sent between processes."""
        made_from, orders = system.origin(), system.orders or Orders.of([])
        trees = None if made_from is None else made_from.trees
        return cls(system.name, orders, system.made_by, trees)


@dataclass(frozen=True)
class Part:
    """A shard that was scored; `statistics` float64[S, k] are by system and metric."""

    reference: ReferenceSet
    systems: Sequence[ShardSystem]
    statistics: Sequence[Sequence[Floats]]


def scored(of: ScoredSystems, shard: Shard) -> Part:
    """Score systems on a shard, by all that its files have."""
    reference = _reference(of, shard)
    systems: list[System] = []
    if of.rules:
        rules = _rules(of)
        parsed = [_parsed(parser, reference, of.trust) for parser in of.parsers]
        if of.trees and reference.trees is not None:
            parsed.append(Parsed({"name": of.trees}, reference.trees))
        systems += systems_of(parsed, rules, checked=False)
    for name, file in zip(of.orders, shard.files["orders"], strict=True):
        systems.append(System.from_orders(Path(file), reference).named(name))
    scores = score_systems(Inputs(tuple(systems), reference), list(map(metric, of.metrics)))
    statistics = [[of_metric.statistics for of_metric in row] for row in scores]
    return Part(reference, list(map(ShardSystem.of, systems)), statistics)


def _parsed(parser: RemoteParser, reference: ReferenceSet, trust: bool) -> Parsed:
    if parser.path == "gold":
        return Parsed.by("gold", reference).named(parser.label)
    return Parsed.by(parser.load(trust=trust), reference).named(parser.label)


@dataclass(frozen=True)
class _Shown:
    """A shard's evidence on how to read all shards, and the number of its words with a link."""

    words: int
    linked: int
    automatic: bool
    labels: LabelEvidence | None
    positions: Sequence[PositionEvidence]


def _shown(systems: ScoredSystems, shard: Shard) -> _Shown:
    reading = {**systems.reading, "whole": False, "labels": "own"}
    reference = _reference(replace(systems, reading=reading), shard)
    aligned, form = reference.references.aligned, systems.reading.get("form", AUTO)
    return _Shown(
        len(aligned),
        int(aligned.sum()),
        bool(reference.aligner),
        None if reference.trees is None else LabelEvidence.of(reference.trees),
        [position_evidence(file, form) for file in shard.files["alignment"]],
    )


def _reference(of: ScoredSystems, shard: Shard) -> ReferenceSet:
    """Read the sentences of a shard and their reference orders."""
    [source], [first, *further] = shard.files["input"], shard.files["alignment"]
    target = [Path(file) for file in shard.files["target"]]
    more = {"name": of.name, "further": list(map(Path, further)), **of.reading}
    return of_its_languages(reference_from_files(Path(source), Path(first), *target, **more))


def _rules(of: ScoredSystems) -> list[RuleSet]:
    return [parse_rules(text, "the rules") for text in of.rules]


# What the command makes of all shards.


def _decided(
    systems: ScoredSystems, shards: Sequence[Shard], facts: Sequence[_Shown]
) -> ScoredSystems:
    """Return the settings by which all shards are read and scored, as one input would be.

    Raises FormatError for links that were counted from 1, as for those of one file.
    """
    reading = {**systems.reading, "whole": False}
    files = shards[0].files["alignment"]
    for file, *shown in zip(files, *(of.positions for of in facts), strict=True):
        if reading.get("base") is None:
            linked, at_first = zip(*shown, strict=True)
            PositionEvidence(sum(linked), any(at_first)).refuse_from_1(file)
    evidence = [of.labels for of in facts if of.labels is not None]
    if evidence:
        reading["labels"] = reduce(LabelEvidence.__add__, evidence).scheme(systems.source)
        if reading["labels"] == CLEARNLP:
            warn(
                f"{systems.source}: has the labels of ClearNLP, and is read as trees converted to "
                "UD"
            )
    metrics = systems.metrics
    if not metrics:
        words = sum(of.words for of in facts)
        coverage = sum(of.linked for of in facts) / words if words else 0.0
        by = objective_at(coverage, automatic=any(of.automatic for of in facts))
        metrics = list(map(str, by))
    return replace(systems, reading=reading, metrics=metrics)


def _joined_reference(
    of: ScoredSystems, parts: Sequence[Part], hashes: Mapping[str, Sequence[str]]
) -> ReferenceSet:
    """Return the sentences of all shards, one shard after the other, as one set."""
    sets = [part.reference for part in parts]

    def all_of(what: str, joined: Callable[[list[Any]], Any]) -> Any:
        values = [getattr(each, what) for each in sets]
        return None if values[0] is None else joined(values)

    def sentences(texts: Sequence[Sequence[list[str]]]) -> Sentences:
        return Sentences.joined([t if isinstance(t, Sentences) else Sentences.of(t) for t in texts])

    aligners = dict.fromkeys(each.alignments.aligner for each in sets)
    links = Alignments.joined([each.alignments for each in sets])
    return ReferenceSet(
        of.name,
        sentences([each.source for each in sets]),
        replace(links, aligner=", ".join(filter(None, aligners))),
        all_of("target", sentences),
        all_of("trees", Treebank.joined),
        all_of("target_trees", Treebank.joined),
        {
            Path(pattern).name: sha256
            for kind in ("input", "target", "alignment")
            for pattern, sha256 in zip(of.patterns[kind], hashes[kind], strict=True)
        },
        all_of("alternatives", Alternatives.joined),
    )


def _joined_systems(
    of: ScoredSystems,
    parts: Sequence[Part],
    reference: ReferenceSet,
    hashes: Mapping[str, Sequence[str]],
) -> Iterator[System]:
    """Yield the systems of all shards, with what they were made from.

    Raises PreorderEvalError for trees that the rules cannot read.
    """
    rules = {rules_hash(rule_set): rule_set for rule_set in _rules(of)}
    of_orders = zip(of.patterns["orders"], hashes["orders"], strict=True)
    files = dict(zip(of.orders, of_orders, strict=True))
    known: dict[int, Treebank] = {}  # by those of the first shard, which systems share
    for same in zip(*(part.systems for part in parts), strict=True):
        first = same[0]
        orders = Orders.joined([each.orders for each in same])
        if first.name in files:
            pattern, sha256 = files[first.name]
            made_by = {"orders": {"file": Path(pattern).name, "sha256": sha256}}
            yield System(first.name, orders, made_by=made_by)
            continue
        made_by, made_from = dict(first.made_by), None
        if "parser" in made_by:
            makers = [each.made_by["parser"] for each in same]
            made_by["parser"] = _maker(of, makers, reference, hashes["input"][0])
        if first.trees is not None:
            rule_set = rules[made_by["rules"]["sha256"]]
            if id(first.trees) not in known:
                known[id(first.trees)] = Treebank.joined([each.trees for each in same])
            made_from = MadeFrom(known[id(first.trees)], rule_set)
            rule_set.check(made_from.trees)
        yield System(first.name, orders, made_by=made_by, origin=partial(_same, made_from))


def _same(made_from: MadeFrom | None) -> MadeFrom | None:
    return made_from


def _maker(
    of: ScoredSystems, makers: Sequence[Mapping[str, Any]], reference: ReferenceSet, sha256: str
) -> dict[str, Any]:
    """Return the identity of the parser of all shards, or of the trees of the input."""
    first = dict(makers[0])
    if first.get("gold"):
        return {"name": first["name"], "gold": True, **reference.hashes}
    learned = sum(maker.get("learned_from", 0) for maker in makers)
    if first["name"] == of.trees and reference.trees is not None:
        converted = CLEARNLP if of.reading.get("labels") == CLEARNLP else ""
        first = asdict(ParserIdentity(of.trees, "", sha256, converted=converted))
        learned = chosen_by_references(reference.trees)
    return first | ({"learned_from": learned} if learned else {})
