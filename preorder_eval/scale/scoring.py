"""Shards scored: orders against reference orders, or outputs against references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.reference_set import reference_from_files
from preorder_eval.formats.rules import parse_rules
from preorder_eval.metrics import metric
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.reading import InputFiles
from preorder_eval.results.result import Sampling
from preorder_eval.results.scoring import reordered, score_inputs
from preorder_eval.scale.partition import Made, Partition, made_once
from preorder_eval.scale.statistics import kept
from preorder_eval.scale.trees import worker_parser


def evaluated(partition: Partition) -> Made:
    """On a worker: parsers and rule sets on a shard, held against its alignment."""
    return made_once(partition, _evaluate)


def _evaluate(partition: Partition) -> Made:
    options, files = partition.options, partition.shard.files
    [source], [first, *further] = files["input"], files["alignment"]
    target = files.get("target", ())
    reference = reference_from_files(
        Path(source),
        Path(first),
        Path(target[0]) if target else None,
        name=options["name"],
        further=list(map(Path, further)),
        **options["reading"],
    )
    parsers = [worker_parser(told, trust=options["trust"]) for told in options["parsers"]]
    trees = {} if parsers or reference.trees is None else {options["name"]: reference.trees}
    rules = [replace(parse_rules(text, name), name=name) for name, text in options["rules"].items()]
    systems = reordered(reference, parsers, trees, rules)
    made = kept(
        partition,
        score_inputs(Inputs(tuple(systems), reference), _metrics(options), Sampling(resamples=1)),
    )
    return replace(made, outcome={**made.outcome, **_links(reference)})


def _links(reference: ReferenceSet) -> dict[str, int]:
    aligned = reference.references.aligned
    return {
        "left_out": int((~reference.informative).sum()),
        "words": len(aligned),
        "linked": int(aligned.sum()),
    }


def scored(partition: Partition) -> Made:
    """On a worker: outputs of systems in a shard, held against its references."""
    return made_once(partition, _score)


def _score(partition: Partition) -> Made:
    options, files = partition.options, partition.shard.files
    paths = {name: list(map(Path, listed)) for name, listed in files.items()}
    hyp, ref = paths.pop("hyp"), paths.pop("ref", [])
    given = InputFiles(hyp, ref, paths, **options["reading"])
    metrics = _metrics(options)
    result = score_inputs(given.read(metrics, options["names"]), metrics, Sampling(resamples=1))
    made = kept(partition, result)
    return replace(made, outcome={**made.outcome, "left_out": len(result.left_out)})


def _metrics(options: Mapping[str, Any]) -> tuple[Any, ...]:
    signatures: Sequence[str] = options["metrics"]
    return tuple(map(metric, signatures))
