"""A Dask cluster: the one place that uses Dask.

A task is a function of this package with plain values. It is given to any worker that is free, and
to another one where a worker is lost.
"""

from __future__ import annotations

import socket
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from preorder_eval.base.errors import InputWarning, PreorderEvalError, warn
from preorder_eval.base.progress import Progress
from preorder_eval.base.version import __version__
from preorder_eval.evaluation.scale.shards import Shard

if TYPE_CHECKING:
    from distributed import Future

_PATIENCE = 3  # seconds to wait for the scheduler
_SHOWN = 5  # warnings

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
                f"no Dask scheduler responds at {address}; start one with: dask scheduler"
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
        """Apply a function to each shard; pass on the results, and the warnings.

        Raises PreorderEvalError for the first with which it fails, as soon as it does.
        """
        from distributed import as_completed

        submit = self._client.submit
        futures = [submit(attempt, function, __version__, shard, pure=False) for shard in shards]
        number = {future.key: n for n, future in enumerate(futures)}
        outcomes: dict[int, Outcome] = {}
        messages: dict[str, None] = {}
        with progress(label, len(shards)) as advance:
            for future in as_completed(futures, loop=self._client.loop):
                n, outcome = number[future.key], _outcome(future)
                future.release()  # the worker need not hold it any longer
                if isinstance(outcome, Bad):
                    raise PreorderEvalError(f"shard {shards[n].name}: {outcome}")
                outcomes[n], told = outcome
                messages |= dict.fromkeys(told)
                if advance:
                    advance(1)
        _warn(sorted(messages))
        return [outcomes[n] for n in range(len(shards))]


def _warn(messages: Sequence[str]) -> None:
    """Give the warnings of all shards, of which there may be one for each."""
    for message in messages[:_SHOWN]:
        warn(message)
    if len(messages) > _SHOWN:
        warn(f"and {len(messages) - _SHOWN} more warnings of shards")


def attempt(function: Callable[[Shard], Any], version: str, shard: Shard) -> Any:
    """Run a function on a worker; return what it makes, with its warnings, or a `Bad`."""
    if version != __version__:
        return Bad(f"a worker has preorder-eval {__version__}, but this machine has {version}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        try:
            made = function(shard)
        except PreorderEvalError as error:
            return Bad(error)
    return made, [str(one.message) for one in caught if issubclass(one.category, InputWarning)]


def _outcome(future: Future) -> Any:
    from distributed import KilledWorker

    try:
        return future.result()
    except KilledWorker:
        return Bad("all its workers were lost, perhaps because they ran out of memory")
    except ModuleNotFoundError as error:
        return Bad(f"a worker has no {error.name}; install preorder-eval[scale] there")
    except MemoryError:
        return Bad("too large for the memory of a worker; split it into smaller shards")
