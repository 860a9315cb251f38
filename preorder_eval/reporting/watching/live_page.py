"""A page served to browsers on this machine alone, which reload it when it has changed.

The page itself is shown as it is, in a frame; only the frame's surroundings listen for changes, by
server-sent events. The address holds a token drawn by chance, which other users and programs of
this machine do not know, and requests must name this machine as their host, so that no page from
elsewhere can read the report by giving its own name this machine's address (DNS rebinding).
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from preorder_eval.errors import PreorderEvalError

_ADDRESS = "127.0.0.1"
_HEARTBEAT = 15.0  # seconds after which a silent connection is tried, to see whether it is closed
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
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


def _source(text: str) -> str:
    """What a content security policy calls a script or style of the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# The report itself says what may run in it.
_FRAMED = "frame-ancestors 'self'"
_POLICY = "; ".join(
    [
        "default-src 'none'",
        f"script-src {_source(_SCRIPT)}",
        f"style-src {_source(_STYLE)}",
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
        try:
            self._server = _Server(self, port)
        except OSError as error:
            raise PreorderEvalError(
                f"port {port} cannot be had: {error.strerror}; port 0 takes any free one"
            ) from error
        self.port = int(self._server.server_address[1])
        self.place = f"/{secrets.token_urlsafe(16)}/"
        self.url = f"http://{_ADDRESS}:{self.port}{self.place}"
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

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
        self._server.shutdown()
        self._server.server_close()

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

    def next_version(self, known: int) -> int | None:
        """Wait for another version than the one known; the same after a while, None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._version != known, _HEARTBEAT)
            return None if self._closed else self._version


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, live: LivePage, port: int) -> None:
        self.live = live
        super().__init__((_ADDRESS, port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    """Answers to the token, and to `report` and `changes` below it, and to nothing else."""

    server: _Server

    def do_GET(self) -> None:
        live = self.server.live
        place, last = self.path[: len(live.place)], self.path[len(live.place) :]
        if self.headers.get("Host") not in (f"{_ADDRESS}:{live.port}", f"localhost:{live.port}"):
            self.send_error(HTTPStatus.FORBIDDEN)
        elif not secrets.compare_digest(place.encode("latin-1"), live.place.encode()):
            self.send_error(HTTPStatus.NOT_FOUND)
        elif last == "":
            self._html(_FRAME, _POLICY)
        elif last == "report":
            self._html(live.page, _FRAMED)
        elif last == "changes":
            self._changes()
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def _html(self, page: str, policy: str) -> None:
        body = page.encode()
        more = {"Content-Length": str(len(body)), "Content-Security-Policy": policy}
        self._head("text/html; charset=utf-8", more)
        self.wfile.write(body)

    def _changes(self) -> None:
        """Send the number of every version, starting with the one that is shown."""
        self._head("text/event-stream", {"Content-Security-Policy": _FRAMED})
        version = -1
        while (following := self.server.live.next_version(version)) is not None:
            text = ": still there" if following == version else f"data: {following}"
            version = following
            try:
                self.wfile.write(f"{text}\n\n".encode())
            except OSError:  # the tab was closed
                return

    def _head(self, kind: str, more: dict[str, str]) -> None:
        self.send_response(HTTPStatus.OK)
        for name, value in {"Content-Type": kind, **_HEADERS, **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        """Requests are of no interest to who watches a rule file."""
