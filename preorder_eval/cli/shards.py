"""The options that give work on shards of a corpus to a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import click

from preorder_eval.cli.command import Option

_BESIDE = Option(needs="engine")


@dataclass(frozen=True)
class OnCluster:
    """Options of work on a cluster."""

    GROUP: ClassVar[str] = "Shards of a corpus on a cluster (Dask)"

    engine: Annotated[
        Literal["dask"] | None,
        Option(
            "Run on a cluster. Quote file patterns; * is the shard's name, and --out gets a file "
            "for each. The same command continues."
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        _BESIDE,
        Option(
            "Its address, such as tcp://head:8786. Keep it behind a firewall: it runs code on its "
            "workers.",
            metavar="ADDRESS",
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.engine is not None and self.scheduler is None:
            raise click.UsageError("--engine dask takes the --scheduler's address")


@dataclass(frozen=True)
class Shards(OnCluster):
    """The same with the pattern of what is worked on."""

    input: Annotated[
        str,
        _BESIDE,
        Option("Files of the shards, such as 'shards/*.conllu.gz'.", metavar="PATTERN"),
    ] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.engine is not None and not self.input:
            raise click.UsageError("--engine dask takes the shards to work on (--input)")
