"""The editor as pages and answers of a local server."""

from __future__ import annotations

import json
from pathlib import Path

from preorder_eval.analysis.reference.annotation import Annotation
from preorder_eval.reporting.editing.page import editor_page
from preorder_eval.reporting.editing.requests import Requests
from preorder_eval.reporting.local_server import Answer, LocalServer


def editor_server(annotation: Annotation, *, port: int = 0) -> LocalServer:
    """A server on which an annotation goes on, to be used in a `with` statement."""
    requests, text = Requests(annotation), annotation.text
    languages = Path(text.translations[0].links).stem
    page = editor_page(annotation.folder.name, languages, trees=text.source in text.trees)

    def do(body: bytes) -> Answer:
        answer = json.dumps(requests.answer(body), allow_nan=False)
        return Answer(answer.encode(), "application/json")

    return LocalServer({"": lambda: page}, {"do": do}, port=port)
