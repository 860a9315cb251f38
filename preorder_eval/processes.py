"""Work that several processes share, with the same results for any number of them.

Callers give the pieces of work, which do not depend on the number of processes. Each piece is
worked on by itself, and the results come in the order of the pieces.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from preorder_eval.errors import PreorderEvalError, argument

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

_AHEAD = 2  # pieces that wait for every process

State = TypeVar("State")
Piece = TypeVar("Piece")
Result = TypeVar("Result")


class Processes(Generic[State]):
    """A number of processes, each with a state that `make` builds there from `arguments`.

    On Linux the processes begin with a copy of this process's state instead: `made`, or else one
    that is built here. A single job is done in this process. Others are started when they are first
    needed. What they are given is sent to them, so functions must be those of a module.

    >>> list(Processes(1, str.upper, "a").map(str.__mul__, [1, 2, 3]))
    ['A', 'AA', 'AAA']
    """

    def __init__(
        self, jobs: int, make: Callable[..., State], *arguments: Any, made: State | None = None
    ) -> None:
        self._jobs = jobs
        self._make = make
        self._arguments = arguments
        self._made = made

    @cached_property
    def _state(self) -> State:
        return self._make(*self._arguments) if self._made is None else self._made

    @cached_property
    def _pool(self) -> ProcessPoolExecutor:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        if not forks():
            spawn, arguments = multiprocessing.get_context("spawn"), (self._make, *self._arguments)
            return ProcessPoolExecutor(self._jobs, spawn, _start, arguments)
        fork = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(self._jobs, fork, _start, (_same, self._state))
        with warnings.catch_warnings():
            # Python 3.12 warns of threads, such as that of a progress bar, that could hold a lock;
            # nothing that is done in the processes takes one of theirs.
            warnings.simplefilter("ignore", DeprecationWarning)
            pool.submit(int)
        return pool

    def close(self) -> None:
        """End the other processes; otherwise Python may complain at its exit while they end."""
        if "_pool" in self.__dict__:
            self._pool.shutdown(cancel_futures=True)

    def map(
        self, work: Callable[[State, Piece], Result], pieces: Iterable[Piece]
    ) -> Iterator[Result]:
        """Yield `work(state, piece)` for every piece, in their order.

        Raises what `work` raises, and PreorderEvalError where a process is ended from outside.
        """
        if self._jobs == 1:
            for piece in pieces:
                done = work(self._state, piece)
                del piece  # before the next is made: pieces may be large
                yield done
            return
        import multiprocessing  # for several alone, as it takes long
        from concurrent.futures.process import BrokenProcessPool

        waiting: deque[Future[Result]] = deque()
        try:
            for piece in pieces:
                waiting.append(self._pool.submit(_work, work, piece))
                if len(waiting) == _AHEAD * self._jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            raise PreorderEvalError(
                f"a process was ended; if memory ran out, use fewer {argument('jobs=…')}"
            ) from error
        except KeyboardInterrupt:
            # What they are at would be waited for, and can take minutes.
            for process in multiprocessing.active_children():
                process.terminate()
            raise
        finally:
            for future in waiting:
                future.cancel()


def forks() -> bool:
    """Return whether further processes begin as copies of this one, which takes no time.

    PyTorch's threads are not copied, so that a copy of a process in which they run would wait
    forever.
    """
    return sys.platform == "linux" and "torch" not in sys.modules


_states: list[Any] = []  # the one of this process, if it is one of several


def _same(state: State) -> State:
    return state


def _start(make: Callable[..., Any], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends the others
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _states[:] = [make(*arguments)]


def _end_with_parent() -> None:
    """End this process when the main process has ended, even if that was killed.

    Otherwise it would wait for work forever.
    """
    import multiprocessing

    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _work(work: Callable[[Any, Piece], Result], piece: Piece) -> Result:
    return work(_states[0], piece)
