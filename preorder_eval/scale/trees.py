"""Shards parsed, and shards from whose n-best lists parses are selected: a file of trees each."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.files import iterate_lines, stem
from preorder_eval.formats.reference_set import reference_from_files
from preorder_eval.formats.rules import parse_rules
from preorder_eval.parsers.base import TRUSTING, Parser
from preorder_eval.parsers.loading import find_parser, load_parser
from preorder_eval.parsers.truecase import split_truecase
from preorder_eval.results.files import parse_file
from preorder_eval.scale.partition import Made, Partition, made_once
from preorder_eval.training.selection import select

TREES = "conllu.gz"
_loaded = threading.local()  # pipelines of this thread: they are not to be used by two at a time


def parsed(partition: Partition) -> Made:
    """On a worker: the trees of a shard's sentences, `NAME.conllu.gz`."""
    return made_once(partition, _parse)


def _parse(partition: Partition) -> Made:
    options = partition.options
    [source] = partition.shard.files["input"]
    parser = worker_parser(options["parser"], trust=options["trust"])
    parse_file(source, partition.path(TREES), parser, options["n"], raw=options["raw"])
    return Made((TREES,), {"sentences": sum(1 for _ in iterate_lines(source))})


def selected(partition: Partition) -> Made:
    """On a worker: the parses selected from a shard's lists, `NAME.conllu.gz`."""
    return made_once(partition, _select)


def _select(partition: Partition) -> Made:
    options, files = partition.options, partition.shard.files
    [lists], [alignment] = files["input"], files["alignment"]
    if options["parser"] is None:
        [source] = files["source"]
    else:
        source = lists
    found = select(
        Path(lists)
        if options["parser"] is None
        else worker_parser(options["parser"], trust=options["trust"]),
        reference_from_files(
            Path(source), Path(alignment), name=stem(alignment), form=options["form"]
        ),
        parse_rules(options["rules"], "the rules"),
        metric=options["metric"],
        n=options["n"],
        out=partition.path(TREES),
        only_changed=options["only_changed"],
        margin=options["margin"],
        tags=options["tags"],
    )
    return Made((TREES,), asdict(found.counts))


def worker_parser(identity: Mapping[str, Any], *, trust: bool) -> Parser:
    """The parser of that name, loaded once; PreorderEvalError where it is another one here."""
    name = str(identity["path"])
    known: dict[str, Parser] = _loaded.__dict__.setdefault("parsers", {})
    if name not in known:
        TRUSTING.set(trust)
        known[name] = load_parser(name)
    here = known[name].identity.sha256
    if here != identity["sha256"]:
        raise PreorderEvalError(f"parser {name} is another one on a worker than here")
    return known[name]


def told_of(parser: str) -> dict[str, Any]:
    """What workers are told of a parser: where it is found, and what identifies it."""
    plain, _ = split_truecase(parser)
    folder = Path(plain)
    path = f"{folder.absolute()}{parser[len(plain) :]}" if folder.exists() else parser
    return {"path": path, **asdict(find_parser(parser).identity)}
