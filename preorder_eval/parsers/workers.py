"""Processes that parse, each with a pipeline of its own.

What they give does not depend on how many there are: the batches are the same, and each is parsed
by itself.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from preorder_eval.errors import PreorderEvalError
from preorder_eval.parsers.base import Sentences
from preorder_eval.parsers.truecase import Truecase

if TYPE_CHECKING:
    from preorder_eval.parsers.spacy_pipeline import SpacyParser, TreeList

_AHEAD = 2  # batches that wait for every process


class Workers:
    """So many processes with a pipeline, by the arguments of `SpacyParser`.

    They are started when they are first needed.
    """

    def __init__(self, pipeline: tuple[Path, str, Truecase | None], jobs: int) -> None:
        self._pipeline = pipeline
        self._jobs = jobs

    @cached_property
    def _pool(self) -> ProcessPoolExecutor:
        # Not forked: another thread of this process, as that of a progress bar, could hold a lock.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._jobs, context, _start, self._pipeline)

    def lists(self, batches: Iterable[Sentences], n: int | None) -> Iterator[list[TreeList]]:
        """What `SpacyParser.lists` gives for each batch, in their order.

        Raises PreorderEvalError where a process is ended from outside.
        """
        waiting: deque[Future[list[TreeList]]] = deque()
        try:
            for batch in batches:
                waiting.append(self._pool.submit(_lists, batch, n))
                if len(waiting) == _AHEAD * self._jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            raise PreorderEvalError(
                "a parsing process was ended, perhaps for want of memory; take fewer jobs"
            ) from error
        finally:
            for future in waiting:
                future.cancel()


_parser: SpacyParser | None = None  # of this process, if it is a worker


def _start(path: Path, name: str, truecase: Truecase | None) -> None:
    from preorder_eval.parsers.spacy_pipeline import SpacyParser

    global _parser
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends the workers
    _parser = SpacyParser(path, name, truecase)


def _lists(batch: Sentences, n: int | None) -> list[TreeList]:
    if _parser is None:
        raise RuntimeError("only a worker has a parser")
    return _parser.lists(batch, n)
