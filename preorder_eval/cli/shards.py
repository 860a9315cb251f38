"""The options that give work on shards of a corpus to a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import click

from preorder_eval.cli.command import Option
from preorder_eval.cli.terminal import progress

if TYPE_CHECKING:
    from preorder_eval.scale.engine import Corpus

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

    @contextmanager
    def corpus(
        self,
        patterns: Mapping[str, Sequence[str | Path]],
        options: Mapping[str, Any],
        out: Path | None,
    ) -> Iterator[Corpus]:
        """Yield the shards of some patterns, with what is made of them in `out`."""
        if out is None:
            raise click.UsageError("--engine dask takes a folder to write to (--out)")
        from preorder_eval.scale.cluster import Cluster  # Dask, where it is asked for
        from preorder_eval.scale.engine import Corpus
        from preorder_eval.scale.shards import find_shards, refuse_folder_of

        texts = {kind: list(map(str, listed)) for kind, listed in patterns.items()}
        shards = find_shards(texts)
        refuse_folder_of(shards, out)
        with Cluster(self.scheduler or "") as cluster:
            yield Corpus(cluster, shards, options, out, progress=progress)


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
