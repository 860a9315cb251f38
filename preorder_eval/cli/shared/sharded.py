"""Commands with `--engine dask`: the same work, on the shards of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from preorder_eval.base.errors import FormatError
from preorder_eval.base.files.files import labelled, labelled_path, reason
from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.cli.shared.options import Shards
from preorder_eval.cli.terminal import note, progress
from preorder_eval.evaluation.evaluate import bundled_rules
from preorder_eval.evaluation.reorder import OutputForm
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.evaluation.scale.cluster import Cluster
from preorder_eval.evaluation.scale.shards import Shard, called_by, find_shards
from preorder_eval.evaluation.scale.work import (
    RemoteParser,
    ScoredSystems,
    Writing,
    evaluate_shards,
    write_reordered,
    write_trees,
)
from preorder_eval.evaluation.system_warnings import warn_of_rules
from preorder_eval.metrics import order_metric
from preorder_eval.rules.rule_reading import load_rule_sets, load_rules
from preorder_eval.rules.rule_writing import format_rules
from preorder_eval.trees.conllu import is_conllu

_ENDINGS: dict[OutputForm, str] = {"text": ".txt.gz", "order": ".order.gz", "conllu": ".conllu.gz"}


def parse(
    shards: Shards, parser: str, n: int | None, out: Path | None, *, raw: bool, trust: bool
) -> None:
    """Do the work of `parse`."""
    how = {"parser": RemoteParser.of(parser), "n": n, "raw": raw, "trust": trust}
    _write(shards, out, write_trees, "parsing shards", how)


def reorder(
    shards: Shards,
    rules: str,
    parser: str,
    out: Path | None,
    *,
    output: OutputForm,
    raw: bool,
    trust: bool,
) -> None:
    """Do the work of `reorder`, on sentences or on trees."""
    parsing = {} if is_conllu(shards.input) else {"parser": RemoteParser.of(parser)}
    how = {"rules": format_rules(load_rules(rules)), "output": output, "raw": raw, "trust": trust}
    how |= {**parsing, "ending": _ENDINGS[output]}
    _write(shards, out, write_reordered, "reordering shards", how)


def _write(
    given: Shards,
    out: Path | None,
    work: Callable[[Writing, Shard], None],
    label: str,
    how: Mapping[str, Any],
) -> None:
    """Have workers write a file for each shard, except those that are there; count them."""
    if out is None:
        raise click.UsageError("--engine dask needs a folder for its files (--out)")
    found = find_shards({"input": [given.input]})
    writing = Writing(str(out.absolute()), **how)
    kept = [shard for shard in found if writing.file(shard).exists()]
    missing = [shard for shard in found if shard not in kept]
    with Cluster(given.scheduler or "") as workers:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(f"cannot be written: {reason(error)}", file=out) from error
        workers.each(partial(work, writing), missing, label, progress)
    if kept:
        names = first_few([writing.file(shard).name for shard in kept])
        note(f"{out}: existing files are kept: {names}")
    print(f"{quantity(len(missing), 'shard')} written, {len(kept)} kept")


def evaluate(
    shards: Shards,
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
        raise click.UsageError("--engine dask needs --alignment with a pattern")
    label, pattern = labelled(shards.input)
    patterns = {
        "input": [pattern],
        "alignment": list(map(str, alignment)),
        "orders": [labelled(path)[1] for path in orders],
        "target": [] if target is None else [str(target)],
    }
    of_trees = is_conllu(pattern) and not parsers and bool(rules or not orders)
    if not parsers and not of_trees and (rules or not orders):
        parsers = [DEFAULT_PARSER]
    chosen = rules or bundled_rules(called_by(str(alignment[0])))
    systems = ScoredSystems(
        patterns,
        list(map(RemoteParser.of, parsers)),
        (label or called_by(pattern)) if of_trees else "",
        [format_rules(rule) for rule in load_rule_sets(chosen) if parsers or of_trees],
        _system_names(orders),
        list(map(str, map(order_metric, metrics))),
        **how,
    )
    found = find_shards(patterns)
    with Cluster(shards.scheduler or "") as workers:
        result = evaluate_shards(workers, found, systems, sampling, progress)
    for rule in rules:
        if result.inputs.reference is not None:
            warn_of_rules(load_rules(rule), result.inputs.reference)
    return result


def _system_names(patterns: Sequence[Path]) -> list[str]:
    """Name the systems: by labels, by the text that `*` stands for, or by their folders."""
    given = list(map(labelled_path, patterns))
    names = [label or called_by(str(path)) for label, path in given]
    if len(set(names)) < len(names):
        return [label or str(path) for label, path in given]
    return names
