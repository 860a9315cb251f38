"""The options that give work on shards of a corpus to a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from preorder_eval.scale.engine import Corpus


@dataclass(frozen=True)
class OnCluster:
    """Whether shards are worked on by a cluster, and by which."""

    engine: Annotated[
        Literal["dask"] | None,
        typer.Option(
            help="Work on the shards of a corpus on the workers of a Dask scheduler. Files are "
            "then patterns in quotes, whose * stands for the name of a shard, and lie where all "
            "workers see them; --out is a folder with a file for each shard. Run again, it goes "
            "on where it was."
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        typer.Option(
            help="With --engine: the address of the scheduler, such as tcp://head:8786. Whoever "
            "reaches it can run anything on its workers: keep it behind a firewall.",
            metavar="ADDRESS",
        ),
    ] = None
    skip_bad: Annotated[
        bool,
        typer.Option(
            "--skip-bad", help="With --engine: leave out shards that cannot be read, and say which."
        ),
    ] = False

    def __post_init__(self) -> None:
        if self.engine is None:
            for name in ("scheduler", "skip_bad", "input"):
                if getattr(self, name, None):
                    raise typer.BadParameter(f"--{name.replace('_', '-')} goes with --engine dask")
        elif self.scheduler is None:
            raise typer.BadParameter("--engine dask takes the --scheduler's address")

    @contextmanager
    def corpus(
        self,
        patterns: Mapping[str, Sequence[str | Path]],
        options: Mapping[str, Any],
        out: Path | None,
        **refused: object,
    ) -> Iterator[Corpus]:
        """The shards of some patterns; BadParameter where an option is given that is refused."""
        for name, value in refused.items():
            if value is not None and value is not False:
                raise typer.BadParameter(
                    f"--{name.replace('_', '-')} does not go with --engine dask"
                )
        if out is None:
            raise typer.BadParameter("--engine dask takes a folder to write to (--out)")
        from preorder_eval.cli.progress import progress
        from preorder_eval.scale.cluster import Cluster
        from preorder_eval.scale.engine import Corpus
        from preorder_eval.scale.shards import find_shards, refuse_folder_of

        texts = {kind: list(map(str, listed)) for kind, listed in patterns.items()}
        shards = find_shards(texts)
        refuse_folder_of(shards, out)
        with Cluster(self.scheduler or "") as cluster:
            yield Corpus(cluster, shards, options, out, skip_bad=self.skip_bad, progress=progress)


@dataclass(frozen=True)
class Shards(OnCluster):
    """The same with the pattern of what is worked on."""

    input: Annotated[
        str | None,
        typer.Option(
            help="With --engine: the files of the shards, such as 'shards/*.conllu.gz'.",
            metavar="PATTERN",
        ),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.engine is not None and self.input is None:
            raise typer.BadParameter("--engine dask takes the shards to work on (--input)")
