"""Progress of long work: callbacks that report the current step and its progress."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Advance = Callable[[int], None]  # with how many more are done
# Made with a label and the total, if that is known; what it gives is None if nothing is shown.
Progress = Callable[[str, int | None], AbstractContextManager[Advance | None]]


def no_progress(label: str, total: int | None) -> AbstractContextManager[None]:
    """Show no progress."""
    return nullcontext()
