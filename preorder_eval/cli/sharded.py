"""Commands with `--engine dask`: the same work, on the shards of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from preorder_eval.cli.options import Shards, as_recorded
from preorder_eval.cli.terminal import progress
from preorder_eval.formats.conllu import is_conllu
from preorder_eval.formats.files import labelled, labelled_path, stem
from preorder_eval.formats.rule_reading import load_rules
from preorder_eval.formats.rule_writing import format_rules
from preorder_eval.metrics import order_metric
from preorder_eval.resources import DEFAULT_PARSER
from preorder_eval.results.order_scoring import bundled_rules
from preorder_eval.results.result import Result
from preorder_eval.results.sampling import Sampling
from preorder_eval.scale.cluster import Cluster
from preorder_eval.scale.engine import Corpus, parser_identity
from preorder_eval.scale.shards import find_shards, refuse_folder_of, refuse_others_files
from preorder_eval.visible import quantity


@contextmanager
def _corpus(
    given: Shards,
    patterns: Mapping[str, Sequence[str | Path]],
    options: Mapping[str, Any],
    out: Path | None,
) -> Iterator[Corpus]:
    """Yield the shards that patterns find, with the folder of what is made from them."""
    if out is None:
        raise click.UsageError("--engine dask takes a folder to write to (--out)")
    found = find_shards({kind: list(map(str, listed)) for kind, listed in patterns.items()})
    shards = [replace(shard, options=options, folder=str(out.absolute())) for shard in found]
    refuse_folder_of(shards, out)
    refuse_others_files(shards)
    with Cluster(given.scheduler or "") as workers:
        out.mkdir(parents=True, exist_ok=True)
        yield Corpus(workers, shards, out, progress)


def parse_shards(
    shards: Shards, parser: str, n: int | None, out: Path | None, *, raw: bool, trust: bool
) -> None:
    """Do the work of `parse`; what became of the shards is printed on standard output."""
    options = {"parser": parser_identity(parser), "n": n, "raw": raw, "trust": trust}
    with _corpus(shards, {"input": [shards.input]}, options, out) as corpus:
        sentences, became = corpus.parse()
    print(f"{quantity(sentences, 'sentence')}\n{became}")


def evaluate_shards(
    shards: Shards,
    out: Path | None,
    parsers: Sequence[str],
    rules: Sequence[str],
    orders: Sequence[Path],
    alignment: Sequence[Path],
    target: Path | None,
    metrics: Sequence[str],
    sampling: Sampling,
    **how: Any,
) -> Result:
    """Do the work of `evaluate`: parsers or trees of the shards with rules, and permutations."""
    if not alignment:
        raise click.UsageError("--engine dask takes the --alignment's pattern")
    label, pattern = labelled(shards.input)
    if not parsers and not is_conllu(pattern) and (rules or not orders):
        parsers = [DEFAULT_PARSER]
    reordered = parsers or rules or not orders
    chosen = list(map(order_metric, metrics))
    options = {
        "name": label or "trees",
        "parsers": list(map(parser_identity, parsers)),
        "rules": [
            format_rules(load_rules(name)) for name in (rules or bundled_rules()) if reordered
        ],
        "orders": _system_names(orders),
        **how,
    }
    patterns: dict[str, Sequence[str | Path]] = {"input": [pattern], "alignment": alignment}
    patterns["orders"] = [labelled(pattern)[1] for pattern in orders]
    patterns["target"] = [] if target is None else [target]
    with _corpus(shards, patterns, options, out) as corpus:
        return corpus.evaluate(chosen, sampling, as_recorded())


def _system_names(patterns: Sequence[Path]) -> list[str]:
    """Return what systems are called: labels, the text beside the `*`, or their folders."""
    given = list(map(labelled_path, patterns))
    names = [
        label or stem(path).replace("*", "").strip("._-") or path.absolute().parent.name
        for label, path in given
    ]
    if len(set(names)) < len(names):
        return [label or str(path) for label, path in given]
    return names
