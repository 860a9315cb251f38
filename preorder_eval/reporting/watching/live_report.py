"""The report of the newest version, made beside the scoring, which must not wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from preorder_eval.analysis.orders.overview import overview
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.writing import write_text
from preorder_eval.reporting.orders import build_report
from preorder_eval.reporting.watching.live_page import LivePage
from preorder_eval.reporting.watching.session import Save, Session
from preorder_eval.results.scoring import evaluate
from preorder_eval.results.systems import MadeFrom, System


def report_of(session: Session, step: Save) -> str:
    """The page of a version, side by side with the first one if that is another."""
    versions = {"now": step.version}
    if session.start is not None and session.start is not step.version:
        versions = {"start": session.start, **versions}
    systems = [
        System(
            name,
            version.orders,
            origin=partial(MadeFrom, session.trees, version.rules, ""),
        )
        for name, version in versions.items()
    ]
    result = evaluate(
        session.reference,
        systems,
        session.metrics,
        resamples=session.resamples,
        seed=session.seed,
        significance=len(versions) > 1,
    )
    return build_report(overview(result))


class LiveReport:
    """Keeps a file and a page up to date, to be used in a `with` statement.

    `failed` is told, from another thread, what kept a report from being made.
    """

    def __init__(
        self,
        session: Session,
        file: Path,
        page: LivePage,
        failed: Callable[[PreorderEvalError], None],
    ) -> None:
        self._session, self._file, self._page, self._failed = session, file, page, failed
        self._newest: Save | None = None
        self._due = threading.Condition()
        self._writing = threading.Lock()
        threading.Thread(target=self._work, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A report that is being made is not waited for, but the file must not be left half written.
        self._writing.acquire()

    def update(self, step: Save) -> None:
        """Make the report of this version, as soon as the one that is being made is done."""
        with self._due:
            self._newest = step
            self._due.notify()

    def _work(self) -> None:
        while True:
            with self._due:
                self._due.wait_for(lambda: self._newest is not None)
                step, self._newest = self._newest, None
            if step is not None:
                self._make(step)

    def _make(self, step: Save) -> None:
        try:
            page = report_of(self._session, step)
            with self._writing:
                write_text(self._file, page)
        except PreorderEvalError as error:
            self._failed(error)
        else:
            self._page.show(page)
