"""Work on the shards of a corpus, given out to a cluster and put together.

A shard is parsed or scored by one task. A scored shard is a run folder, `NAME`, and `NAME.npz` with
the metrics' additive statistics. One more task for each shard sums these in at most 4,096 groups of
the corpus's sentences (`stats.measurement`), from which intervals and tests are drawn here.
"""

from __future__ import annotations

import functools
import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import FormatError, PreorderEvalError, warn
from preorder_eval.formats.alignment import AUTO, PositionEvidence, position_evidence
from preorder_eval.formats.files import iterate_lines, stem
from preorder_eval.formats.reference_from_files import reference_from_files
from preorder_eval.formats.rule_reading import parse_rules
from preorder_eval.formats.writing import (
    format_json,
    remove_made,
    replacing,
    write_folder,
    write_text,
)
from preorder_eval.metrics import Metric, metric
from preorder_eval.parsers.loading import find_parser, load_parser
from preorder_eval.parsers.parser import TRUSTING, Parser, split_options
from preorder_eval.reordering.clearnlp import CLEARNLP
from preorder_eval.reordering.labelling import LabelEvidence
from preorder_eval.results import notes
from preorder_eval.results.defaults import objective_at
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.order_scoring import reordered
from preorder_eval.results.orders_of_trees import parse_file
from preorder_eval.results.result import Result
from preorder_eval.results.run_writing import sentence_files, versions
from preorder_eval.results.sampling import Sampling, judged
from preorder_eval.results.scoring import score_systems
from preorder_eval.results.system_warnings import seen
from preorder_eval.results.systems import Progress, System
from preorder_eval.scale.cluster import Cluster
from preorder_eval.scale.shards import Product, Shard, made_once
from preorder_eval.stats.measurement import Measurement, group_sums, largest
from preorder_eval.visible import quantity

_TREES = ".conllu.gz"
_STATISTICS = ".npz"
Work = Callable[[Shard], Product]


@dataclass(frozen=True)
class Corpus:
    """The shards of a corpus on a cluster, and the folder `out` for their results."""

    cluster: Cluster
    shards: Sequence[Shard]
    out: Path
    progress: Progress

    def parse(self) -> tuple[int, str]:
        """Parse all shards; return the number of sentences, and what became of the shards."""
        products = self._each(parsed, "parsing shards")
        return sum(product.outcome["sentences"] for product in products), _counted_shards(products)

    def evaluate(
        self, metrics: Sequence[Metric], sampling: Sampling, arguments: Sequence[str] = ()
    ) -> Result:
        """Score parsers and rule sets; by default by the `objective` of all shards."""
        facts = self.cluster.each(_facts, self.shards, "reading shards", self.progress)
        automatic = any(of["automatic"] for of in facts)
        metrics = metrics or objective_at(_coverage(facts), automatic=automatic)
        how = {"reading": self._reading(facts), "metrics": list(map(str, metrics))}
        products = self._each(evaluated, "scoring shards", **how)
        outcomes = [product.outcome for product in products]
        by_metric = [[outcome["metrics"][m] for outcome in outcomes] for m in range(len(metrics))]
        measurements = self._measurements(metrics, by_metric, len(outcomes[0]["systems"]))
        which = [tuple(part["which"] for part in parts) for parts in by_metric]
        starts = [0, *accumulate(outcome["sentences"] for outcome in outcomes)]
        left_out = [
            start + number
            for start, outcome in zip(starts, outcomes, strict=False)
            for number in outcome["left_out"]
        ]
        about = outcomes[0]["about"]
        of_all = {**about["reference"], "sentences": starts[-1], "files": {}}
        coverage = _coverage(outcomes)
        systems = [System(s["system"], made_by=s["made_by"]) for s in outcomes[0]["systems"]]
        result = Result(
            about={
                **about,
                "reference": of_all,
                "shards": [shard.name for shard in self.shards],
                "made_before": sum(product.again for product in products),
            },
            made=systems,
            size=starts[-1],
            left_out=left_out,
            seen=sum((Counter(outcome["seen"]) for outcome in outcomes), Counter()),
            metrics=tuple(metrics),
            measurements=measurements,
            **judged(systems, metrics, measurements, which, sampling, of_orders=True),
            cut_short=[[0] * len(metrics)] * len(systems),  # metrics of orders search nothing
            title=notes.reference_size(of_all["name"], starts[-1], coverage),
            remarks=[
                *notes.parser_notes(systems),
                *notes.unaligned_notes(metrics, coverage),
                _counted_shards(products),
            ],
        )
        record = {"versions": versions(), "arguments": list(arguments), **result.to_dict()}
        write_text(self.out / "run.json", format_json(record))
        return result

    def _reading(self, facts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return how shards are read, as one input: the scheme of labels is decided for all.

        Raises FormatError for links that were counted from 1, as for those of one file.
        """
        first = self.shards[0]
        for file, *parts in zip(
            first.files["alignment"], *(of["positions"] for of in facts), strict=True
        ):
            if first.options["reading"].get("base") is None:
                linked, at_first = zip(*parts, strict=True)
                PositionEvidence(sum(linked), any(at_first)).refuse_from_1(file)
        reading = {**first.options["reading"], "whole": False}
        evidence = [of["labels"] for of in facts if of["labels"] is not None]
        if evidence:
            [source] = first.files["input"]
            reading["labels"] = functools.reduce(LabelEvidence.__add__, evidence).scheme(source)
            if reading["labels"] == CLEARNLP:
                warn(f"{source}, …: have the labels of ClearNLP, and are read as converted to UD")
        return reading

    def _each(self, work: Work, label: str, **options: Any) -> list[Product]:
        """Return what is made of each shard, now or before, by some further options."""
        shards = [replace(shard, options={**shard.options, **options}) for shard in self.shards]
        once = functools.partial(made_once, make=work)
        return self.cluster.each(once, shards, label, self.progress)

    def _measurements(
        self,
        metrics: Sequence[Metric],
        by_metric: Sequence[Sequence[Mapping[str, Any]]],
        systems: int,
    ) -> list[Measurement]:
        """Return the statistics of all sentences, in at most 4,096 groups, for each metric."""
        totals = [sum(part["counted"] for part in parts) for parts in by_metric]
        if not all(totals):
            raise PreorderEvalError("no sentence has a link, nothing can be scored")
        most = [np.max([part["largest"] for part in parts], axis=0) for parts in by_metric]
        tasks = []
        before = [0] * len(metrics)
        for number, shard in enumerate(self.shards):
            places = list(zip(before, totals, most, strict=True))
            tasks.append((str(shard.path(_STATISTICS)), places))
            counts = [parts[number]["counted"] for parts in by_metric]
            before = [first + count for first, count in zip(before, counts, strict=True)]
        sums = self.cluster.total(summed, tasks, added)
        return [
            Measurement(
                np.ascontiguousarray(of.reshape(len(of), systems, -1).swapaxes(0, 1)), by.finish
            )
            for of, by in zip(sums, metrics, strict=True)
        ]


def _counted_shards(products: Sequence[Product]) -> str:
    again = sum(product.again for product in products)
    return f"{quantity(len(products), 'shard')}, {again} of them made before"


# What follows is done on workers.


def parsed(shard: Shard) -> Product:
    """Parse a shard's sentences, `NAME.conllu.gz`."""
    options = shard.options
    [source] = shard.files["input"]
    parser = worker_parser(options["parser"], trust=options["trust"])
    parse_file(source, shard.path(_TREES), parser, options["n"], raw=options["raw"])
    return Product((_TREES,), {"sentences": sum(1 for _ in iterate_lines(source))})


def evaluated(shard: Shard) -> Product:
    """Score parsers and rule sets, and permutations, on a shard against its alignment."""
    options, reference = shard.options, _reference(shard)
    parsers = [worker_parser(p, trust=options["trust"]) for p in options["parsers"]]
    trees = {} if parsers or reference.trees is None else {options["name"]: reference.trees}
    rules = [parse_rules(text, "the rules") for text in options["rules"]]
    # Trees stay where they are: a run of millions of sentences does not hold them again.
    systems = [
        replace(system, origin=lambda: None)
        for system in (reordered(reference, parsers, trees, rules) if rules else ())
    ]
    for name, file in zip(options["orders"], shard.files["orders"], strict=True):
        systems.append(System.from_orders(Path(file), reference).named(name))
    return _kept(shard, Inputs(tuple(systems), reference), reference)


def _facts(shard: Shard) -> dict[str, Any]:
    """Return what a shard tells of how all are to be read, and which words have links."""
    reading: dict[str, Any] = {**shard.options["reading"], "whole": False, "labels": "own"}
    reference = _reference(replace(shard, options={**shard.options, "reading": reading}))
    form = reading.get("form", AUTO)
    return {
        **_counted(reference),
        "labels": None if reference.trees is None else LabelEvidence.of(reference.trees),
        "positions": [position_evidence(file, form) for file in shard.files["alignment"]],
    }


def _coverage(facts: Sequence[Mapping[str, Any]]) -> float:
    """Return the share of source words of all shards that have a link."""
    linked, words = (sum(of[name] for of in facts) for name in ("linked", "words"))
    return linked / words if words else 0.0


def _counted(reference: ReferenceSet) -> dict[str, int]:
    aligned = reference.references.aligned
    return {
        "words": len(aligned),
        "linked": int(aligned.sum()),
        "automatic": bool(reference.aligner),
    }


def _reference(shard: Shard) -> ReferenceSet:
    """Read the sentences of a shard and their reference orders."""
    options, files = shard.options, shard.files
    [source], [first, *further] = files["input"], files["alignment"]
    target = files["target"]
    return reference_from_files(
        Path(source),
        Path(first),
        Path(target[0]) if target else None,
        name=options.get("name") or stem(first),
        further=list(map(Path, further)),
        **options["reading"],
    )


def _kept(shard: Shard, inputs: Inputs, reference: ReferenceSet) -> Product:
    """Write the run folder and the statistics of a shard; return counts and bounds."""
    metrics = list(map(metric, shard.options["metrics"]))
    scores = score_systems(inputs, metrics)
    columns, counted, outcomes = [], [], []
    for m in range(len(metrics)):
        scored_here = ~np.isnan(scores[0][m].sentence)
        statistics = np.stack([row[m].statistics for row in scores], axis=1)
        columns.append(statistics.reshape(len(statistics), -1))
        counted.append(scored_here)
        outcomes.append(
            {
                "counted": int(scored_here.sum()),
                "which": hashlib.sha256(scored_here.tobytes()).hexdigest(),
                "largest": largest(columns[-1][scored_here]).tolist(),
            }
        )
    left_out = (np.flatnonzero(~reference.informative) + 1).tolist()
    about = inputs.facts()
    systems = [{"system": s.name, "made_by": dict(s.made_by)} for s in inputs.systems]
    told = {"sentences": len(inputs), "systems": systems}
    summary = {**about, **told, "metrics": shard.options["metrics"]}
    if shard.path("").exists():  # of other options, or half made: `refuse_others_files`
        remove_made(shard.path(""), Path(shard.folder))
    files = sentence_files(inputs, metrics, scores, summary)
    write_folder(shard.path(""), files)
    with replacing(shard.path(_STATISTICS)) as file:
        arrays: dict[str, Any] = {f"statistics{m}": of for m, of in enumerate(columns)}
        np.savez(file, counted=np.column_stack(counted), **arrays)
    outcome = {**told, **_counted(reference), "about": about}
    outcome["seen"] = seen(inputs.systems, reference)
    endings = (_STATISTICS, *(f"/{name}" for name in files))
    return Product(endings, {**outcome, "metrics": outcomes, "left_out": left_out})


Place = tuple[int, int, Floats]  # the number of a shard's first sentence, of how many, and bounds


def summed(file: str, places: Sequence[Place]) -> list[Floats]:
    """Sum the statistics of a shard in groups of the corpus's sentences, for each metric."""
    try:
        with np.load(file, allow_pickle=False) as held:
            counted = held["counted"]
            return [
                group_sums(held[f"statistics{m}"][counted[:, m]], most, first, size)
                for m, (first, size, most) in enumerate(places)
            ]
    except (OSError, ValueError, KeyError) as error:
        raise FormatError(
            "the statistics of a shard cannot be read", file=file, hint="run it again"
        ) from error


def added(*parts: Sequence[Floats]) -> list[Floats]:
    """Add up sums."""
    return [np.sum(same, axis=0) for same in zip(*parts, strict=True)]


_loaded = threading.local()  # pipelines of this thread: they are not to be used by two at a time


def worker_parser(identity: Mapping[str, Any], *, trust: bool) -> Parser:
    """Return the parser of that name, loaded once on each worker.

    Raises PreorderEvalError if it is not the same as where the command runs.
    """
    name = str(identity["path"])
    known: dict[str, Parser] = _loaded.__dict__.setdefault("parsers", {})
    if name not in known:
        TRUSTING.set(trust)
        known[name] = load_parser(name)
    loaded = known[name].identity.sha256
    if loaded != identity["sha256"]:
        raise PreorderEvalError(f"parser {name} is another one on a worker than here")
    return known[name]


def parser_identity(parser: str) -> dict[str, Any]:
    """Return where workers find a parser, and what identifies it."""
    plain, _ = split_options(parser)
    folder = Path(plain)
    path = f"{folder.absolute()}{parser[len(plain) :]}" if folder.exists() else parser
    return {"path": path, **asdict(find_parser(parser).identity)}
