"""Work that several processes share, with the same results for any number of them.

Callers give the pieces of work, which do not depend on the number of processes. Each piece is
worked on by itself, and the results come in the order of the pieces.

Pieces and results go through files, and only their short names through the pool's queues: if a
process died while writing into a queue, its readers would wait for the rest for ever.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import sys
import threading
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from preorder_eval.base.errors import PreorderEvalError, argument

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

_AHEAD = 2  # pieces that wait for every process
_PATIENCE = 5.0  # seconds

State = TypeVar("State")
Piece = TypeVar("Piece")
Returned = TypeVar("Returned")


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

        begun = str(self._folder)
        if not forks():
            spawn, arguments = multiprocessing.get_context("spawn"), (self._make, *self._arguments)
            return ProcessPoolExecutor(self._jobs, spawn, _start, (begun, *arguments))
        fork = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(self._jobs, fork, _start, (begun, _same, self._state))
        with warnings.catch_warnings(), _uninterrupted():
            # Python 3.12 warns of threads, such as that of a progress bar, that could hold a lock;
            # nothing that is done in the processes takes one of theirs.
            warnings.simplefilter("ignore", DeprecationWarning)
            pool.submit(int)
        return pool

    @cached_property
    def _folder(self) -> Path:
        """The folder of pieces and results, which goes with this object."""
        import tempfile  # takes long, and one process needs none

        folder = Path(tempfile.mkdtemp(prefix="preorder-eval-"))
        weakref.finalize(self, _remove, folder, os.getpid())
        return folder

    def close(self) -> None:
        """End the other processes; otherwise Python may complain at its exit while they end."""
        if "_pool" in self.__dict__:
            self._pool.shutdown(cancel_futures=True)

    def _end(self) -> None:
        """End the other processes at once, whatever they are at; the next work starts new ones."""
        pool = self.__dict__.pop("_pool", None)
        if pool is not None:
            # What Python 3.14 calls kill_workers. Waiting for living ones could take minutes.
            for process in list((vars(pool).get("_processes") or {}).values()):
                process.kill()
            manager = vars(pool).get("_executor_manager_thread")
            pool.shutdown(wait=False)
            if manager is not None:  # at Python's exit it may close what the exit then writes to
                manager.join(_PATIENCE)

    def map(
        self, work: Callable[[State, Piece], Returned], pieces: Iterable[Piece]
    ) -> Iterator[Returned]:
        """Yield `work(state, piece)` for every piece, in their order.

        Raises what `work` raises, and PreorderEvalError where a process is ended from outside.
        """
        if self._jobs == 1:
            for piece in pieces:
                done = work(self._state, piece)
                del piece  # before the next is made: pieces may be large
                yield done
            return
        from concurrent.futures.process import BrokenProcessPool  # for several, as it takes long

        waiting: deque[tuple[Path, Future[str]]] = deque()
        try:
            for number, piece in zip(count(), pieces, strict=False):
                file = self._folder / f"{id(waiting)}-{number}"
                _write(file, (work, piece))
                del piece
                with _uninterrupted():  # it may start a process
                    waiting.append((file, self._pool.submit(_work, str(file))))
                if len(waiting) == _AHEAD * self._jobs:
                    yield _result(*waiting.popleft())
            while waiting:
                yield _result(*waiting.popleft())
        except BrokenProcessPool as error:
            self._end()
            raise PreorderEvalError(
                f"a process was killed; if memory ran out, use fewer {argument('jobs=…')}"
            ) from error
        except BaseException:  # what is left is wanted no more
            self._end()
            raise


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put off an interruption: a process that is just starting would print a traceback."""
    if sys.platform == "win32":
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _result(file: Path, future: Future[str]) -> Any:
    """Wait for the result of a piece; raises what the work has raised."""
    if fault := future.result():
        raise PreorderEvalError(fault)
    try:
        with file.open("rb") as held:
            raised, result = pickle.load(held)  # noqa: S301 (our own, in a folder of our own)
    except OSError as error:
        raise PreorderEvalError(f"{file}: cannot be read: {error.strerror}") from error
    file.unlink()
    if raised:
        raise result
    return result


def _write(file: Path, value: Any) -> None:
    try:
        with file.open("wb") as held:
            pickle.dump(value, held, pickle.HIGHEST_PROTOCOL)
    except OSError as error:
        way = "free some space there, or set TMPDIR to another folder"
        raise PreorderEvalError(f"{file}: cannot be written: {error.strerror}; {way}") from error


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # and not in a copy of it
        shutil.rmtree(folder, ignore_errors=True)


def forks() -> bool:
    """Return whether further processes begin as copies of this one, which takes no time.

    PyTorch's threads are not copied, so that a copy of a process in which they run would wait
    forever.
    """
    return sys.platform == "linux" and "torch" not in sys.modules


_states: list[Any] = []  # the one of this process, if it is one of several


def _same(state: State) -> State:
    return state


def _start(folder: str, make: Callable[..., Any], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends the others
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()
    _states[:] = [make(*arguments)]


def _end_with_parent(folder: str) -> None:
    """End this process when the main process has ended, even if that was killed.

    Otherwise it would wait for work forever, and the files would stay.
    """
    import multiprocessing

    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


def _work(name: str) -> str:
    """Work on the piece in a file, which gets the result; return what is wrong with the file."""
    file = Path(name)
    try:
        with file.open("rb") as held:
            work, piece = pickle.load(held)  # noqa: S301 (our own, in a folder of our own)
        done: tuple[bool, Any] = False, work(_states[0], piece)
    except Exception as error:  # to be raised there
        done = True, error
    try:
        _write(file, done)
    except PreorderEvalError as error:
        return str(error)
    except Exception as error:  # of a result or an error that cannot be sent
        with suppress(PreorderEvalError):
            _write(file, (True, RuntimeError(f"{type(error).__name__}: {error}")))
    return ""
