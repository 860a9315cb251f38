"""A Dask cluster: the one place that uses Dask.

A task is a function of this package with plain values. It is given to any worker that is free, and
to another one where a worker is lost.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from preorder_eval.errors import PreorderEvalError
from preorder_eval.results.systems import Progress
from preorder_eval.scale.shards import Shard
from preorder_eval.version import __version__

if TYPE_CHECKING:
    from distributed import Future

_AT_ONCE = 8  # sums added up by one task
_PATIENCE = 3  # seconds to wait for the scheduler

Outcome = TypeVar("Outcome")


class Bad(str):
    """The reason why a task failed, as the line that users read."""

    __slots__ = ()


class Cluster:
    """The workers of the scheduler at an address such as `tcp://head:8786`.

    Raises PreorderEvalError if no scheduler answers there. Whoever reaches a scheduler can run
    anything on its workers, so it should be one of your own, behind a firewall or `tls://`.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
            from distributed.comm import get_address_host_port
        except ImportError as error:
            raise PreorderEvalError(
                "Dask is not installed: pip install 'preorder-eval[scale]'"
            ) from error
        try:
            # A client would go on trying, and complain at the end.
            socket.create_connection(get_address_host_port(address), _PATIENCE).close()
            self._client = Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise PreorderEvalError(
                f"no Dask scheduler answers at {address}; start one with: dask scheduler"
            ) from error

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *raised: object) -> None:
        self._client.close()  # what still waits is forgotten

    def each(
        self,
        function: Callable[[Shard], Outcome],
        shards: Sequence[Shard],
        label: str,
        progress: Progress,
    ) -> list[Outcome]:
        """Return what a function makes of each shard.

        Raises PreorderEvalError for the first with which it fails, as soon as it does.
        """
        from distributed import as_completed

        futures = [self._submit(function, shard) for shard in shards]
        name = {future.key: shard.name for future, shard in zip(futures, shards, strict=True)}
        outcomes: dict[str, Outcome] = {}
        with progress(label, len(shards)) as advance:
            for future in as_completed(futures, loop=self._client.loop):
                outcome = _outcome(future)
                if isinstance(outcome, Bad):
                    raise PreorderEvalError(f"shard {name[future.key]}: {outcome}")
                outcomes[name[future.key]] = outcome
                if advance:
                    advance(1)
        return [outcomes[shard.name] for shard in shards]

    def total(
        self, function: Callable[..., Any], tasks: Sequence[Sequence[Any]], add: Callable[..., Any]
    ) -> Any:
        """Return the sum of what a function makes of all tasks; workers add it up as a tree.

        `add` takes two or more results of the function. Raises PreorderEvalError if a task fails.
        """
        futures = [self._submit(function, *task) for task in tasks]
        while len(futures) > 1:
            futures = [
                self._submit(add, *futures[first : first + _AT_ONCE])
                for first in range(0, len(futures), _AT_ONCE)
            ]
        outcome = _outcome(futures[0])
        if isinstance(outcome, Bad):
            raise PreorderEvalError(str(outcome))
        return outcome

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> Future:
        return self._client.submit(attempt, function, __version__, *arguments, pure=False)


def attempt(function: Callable[..., Any], version: str, *arguments: Any) -> Any:
    """Run a function on a worker and return its result.

    That is a `Bad` if the function fails, or if one of its arguments is a `Bad`.
    """
    if version != __version__:
        return Bad(f"a worker has preorder-eval {__version__}, but this is {version}")
    for argument in arguments:
        if isinstance(argument, Bad):
            return argument
    try:
        return function(*arguments)
    except PreorderEvalError as error:
        return Bad(error)


def _outcome(future: Future) -> Any:
    from distributed import KilledWorker

    try:
        return future.result()
    except KilledWorker:
        return Bad("every worker that had it was lost, perhaps because memory ran out")
    except ModuleNotFoundError as error:
        return Bad(f"a worker has no {error.name}; install preorder-eval[scale] there")
    except MemoryError:
        return Bad("too large for a worker's memory; cut it into smaller shards")
