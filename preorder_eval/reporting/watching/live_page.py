"""A report served to browsers on this machine, which reload it when it has changed.

The page itself is shown as it is, in a frame; only the frame's surroundings listen for changes, by
server-sent events.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from preorder_eval.reporting.local_server import Answer, LocalServer
from preorder_eval.reporting.page import policy_hash

_HEARTBEAT = 15.0  # seconds after which a silent connection is tried, to see whether it is closed
_WAITING = "<!doctype html><title>preorder-eval watch</title><p>The first report is on its way."
_STYLE = """
html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }
"""
_SCRIPT = """
const frame = document.querySelector("iframe");
// The address keeps what the report's own address says, so that links to a sentence last.
frame.src = "report" + location.hash;
frame.onload = () => {
  const inner = frame.contentWindow;
  document.title = frame.contentDocument.title;
  inner.onhashchange = () => history.replaceState(null, "", inner.location.hash || "./");
  inner.focus();
};
let shown = null;
new EventSource("changes").onmessage = ({ data }) => {
  if (shown !== null && shown !== data) frame.contentWindow.location.reload();
  shown = data;
};
"""
_FRAME = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>preorder-eval watch</title>
<link rel="icon" href="data:,">
<style>{_STYLE}</style>
<iframe title="report"></iframe>
<script>{_SCRIPT}</script>
</html>
"""


# The report itself says what may run in it.
_FRAMED = "frame-ancestors 'self'"
_POLICY = "; ".join(
    [
        "default-src 'none'",
        f"script-src '{policy_hash(_SCRIPT)}'",
        f"style-src '{policy_hash(_STYLE)}'",
        "img-src data:",
        "frame-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


class LivePage:
    """A page at `url`, to be used in a `with` statement; `port` 0 takes any free port.

    Raises PreorderEvalError for a port that cannot be had.
    """

    def __init__(self, port: int = 0) -> None:
        self._page = _WAITING
        self._version = 0
        self._closed = False
        self._changed = threading.Condition()
        answers = {
            "": lambda: Answer(_FRAME.encode(), policy=_POLICY),
            "report": lambda: Answer(self._page.encode(), policy=_FRAMED),
            "changes": lambda: Answer(self._changes(), "text/event-stream", _FRAMED),
        }
        self.server = LocalServer(answers, port=port)
        self.url = self.server.url

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.server.__exit__()

    def show(self, page: str) -> None:
        """Show this page instead, also in tabs that are open."""
        with self._changed:
            self._page = page
            self._version += 1
            self._changed.notify_all()

    @property
    def page(self) -> str:
        """The page that is shown."""
        return self._page

    def _changes(self) -> Iterator[bytes]:
        """The number of every version, starting with the one that is shown, until the end."""
        version = -1
        while (following := self.next_version(version)) is not None:
            text = ": still there" if following == version else f"data: {following}"
            version = following
            yield f"{text}\n\n".encode()

    def next_version(self, known: int) -> int | None:
        """Wait for another version than the one known; the same after a while, None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._version != known, _HEARTBEAT)
            return None if self._closed else self._version
