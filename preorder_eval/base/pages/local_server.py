"""A page served to browsers on this machine only.

The address has a random token, which other users of this machine do not know. Requests must name
this machine as their host, so that no other page gets in under its own name (DNS rebinding).
Changes are posted as JSON, which another page cannot do either.
"""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from preorder_eval.base.errors import PreorderEvalError, argument

_ADDRESS = "127.0.0.1"
_LARGEST = 4_000_000  # bytes of a request
_ARRIVAL = 2.0  # seconds for a whole request to arrive
_PATIENCE = 30.0  # seconds for one step of an answer
_MOST = 64  # connections at a time
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Answer:
    """An answer to a request: its content and type, and its content security policy."""

    content: bytes
    kind: str = "text/html; charset=utf-8"
    policy: str = "default-src 'none'; frame-ancestors 'none'"


class LocalServer:
    """A server of a page at the address `url`, to be used in a `with` statement.

    Parameters: `page` what is shown; `do` answers the data that the page posts to `do` below its
    address; `port` 0 takes any free port. Raises PreorderEvalError if the port is not available.
    """

    def __init__(self, page: Answer, do: Callable[[bytes], Answer], *, port: int = 0) -> None:
        self.page, self.do = page, do
        try:
            self._server = _Server((_ADDRESS, port), partial(_Handler, self))
        except OSError as error:
            raise PreorderEvalError(
                f"port {port} is not available: {error.strerror}; "
                f"{argument('port=0')} picks a free one"
            ) from error
        self.port = int(self._server.server_address[1])
        self.place = f"/{secrets.token_urlsafe()}/"
        self.hosts = [f"{_ADDRESS}:{self.port}", f"localhost:{self.port}"]
        self.url = f"http://{self.hosts[0]}{self.place}"
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    """A server that refuses connections while there are too many."""

    def __init__(self, *arguments: Any) -> None:
        self.free = threading.BoundedSemaphore(_MOST)
        super().__init__(*arguments)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        return self.free.acquire(blocking=False)


class _Handler(BaseHTTPRequestHandler):
    """A handler of requests for the page, and of what the page posts, and of nothing else."""

    server: _Server
    timeout = _PATIENCE

    def __init__(self, local: LocalServer, connection: socket.socket, *of: Any) -> None:
        self.local = local
        # One request comes over a connection: what has not come by then is not waited for.
        deadline = threading.Timer(_ARRIVAL, _stop_reading, [connection])
        deadline.daemon = True
        deadline.start()
        try:
            with suppress(OSError):  # which is a connection that was broken off
                super().__init__(connection, *of)
        finally:
            deadline.cancel()
            self.server.free.release()

    def do_GET(self) -> None:
        if self._is_for(""):
            self._send(self.local.page)

    def do_POST(self) -> None:
        if not self._is_for("do"):
            return
        size = self.headers.get("Content-Length", "")
        if self.headers.get("Origin") not in [f"http://{host}" for host in self.local.hosts]:
            self.send_error(HTTPStatus.FORBIDDEN)
        elif self.headers.get("Content-Type") != "application/json":
            self.send_error(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        elif not (size.isascii() and size.isdecimal() and len(size) < 10):
            self.send_error(HTTPStatus.LENGTH_REQUIRED)
        elif int(size) > _LARGEST:
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            body = self.rfile.read(int(size))
            if len(body) == int(size):  # and not one that was broken off
                self._send(self.local.do(body))

    def _is_for(self, name: str) -> bool:
        """Return whether a request is for this name below the token, and refuse any other."""
        if self.headers.get("Host") not in self.local.hosts:
            self.send_error(HTTPStatus.FORBIDDEN)
            return False
        wanted = f"{self.local.place}{name}".encode()
        if not secrets.compare_digest(self.path.encode("latin-1"), wanted):
            self.send_error(HTTPStatus.NOT_FOUND)
            return False
        return True

    def _send(self, answer: Answer) -> None:
        self.send_response(HTTPStatus.OK)
        headers = {"Content-Type": answer.kind, "Content-Security-Policy": answer.policy}
        headers["Content-Length"] = str(len(answer.content))
        for header, value in (headers | _HEADERS).items():
            self.send_header(header, value)
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        """Print nothing: requests are of no interest to the user of the command."""


def _stop_reading(connection: socket.socket) -> None:
    with suppress(OSError):  # it may be closed already
        connection.shutdown(socket.SHUT_RD)
