"""The editor of reference orders: a page on which people link the words of a reference folder.

The page itself is fixed text, style and script; it requests everything else. The body of a request
is JSON with the action and the revision of the sentence that the action was made for. The revision
protects changes made in another tab.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.files.files import text_hash
from preorder_eval.base.files.schema import PlaceError, Within, read_as
from preorder_eval.base.pages.local_server import Answer, LocalServer
from preorder_eval.base.pages.page import Json, render_template, script_policy, template_text
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.reference_orders import alternatives
from preorder_eval.references.annotated_sentence import AnnotatedSentence, Translation
from preorder_eval.references.annotation import Annotation, ChangedOnDiskError
from preorder_eval.references.findings import Finding
from preorder_eval.references.reference_folder import format_free_blocks, parse_free_blocks
from preorder_eval.references.reference_text import tokens_of

_ROOM = "references"
_STYLES = ["page.css", "editor.css"]
_SCRIPTS = ["text.js", "editor_links.js", "editor_draw.js", "editor_requests.js", "editor.js"]
_POLICY = ["img-src data:", "connect-src 'self'", "frame-ancestors 'none'"]
_MOST_ORDERS = 12  # of a sentence that are shown


def editor_server(annotation: Annotation, *, port: int = 0) -> LocalServer:
    """Start a server for annotation in a browser, to be used in a `with` statement."""
    requests, text = Requests(annotation), annotation.text
    languages = Path(text.translations[0].links).stem
    page = editor_page(annotation.folder.name, languages)

    def do(body: bytes) -> Answer:
        answer = json.dumps(requests.answer(body), allow_nan=False)
        return Answer(answer.encode(), "application/json")

    return LocalServer(page, do, port=port)


def editor_page(name: str, languages: str) -> Answer:
    """Return the page for a reference set of this name and these languages, like `en-ja`."""
    style, script = (
        "\n".join(template_text(_ROOM, name) for name in names) for names in (_STYLES, _SCRIPTS)
    )
    html = render_template(
        _ROOM, "editor.html.jinja", name=name, languages=languages, style=style, script=script
    )
    return Answer(html.encode(), policy=script_policy(script, style, more=_POLICY))


_Number = Annotated[int, Within(0, 10**9)]


@dataclass(frozen=True)
class _Link:
    source: _Number
    target: _Number
    possible: bool


@dataclass(frozen=True)
class _Plain:
    """A request to list all sentences, to read the folder again, to undo, or to redo."""


@dataclass(frozen=True)
class _Show:
    sentence: _Number


@dataclass(frozen=True)
class _Change(_Show):
    revision: str
    translation: _Number | None


@dataclass(frozen=True)
class _Links(_Change):
    links: tuple[_Link, ...]


@dataclass(frozen=True)
class _Words(_Change):
    """New words of the source, of a translation, or of a further translation that is begun."""

    text: str


@dataclass(frozen=True)
class _Free(_Change):
    text: str


_Request = _Plain | _Show | _Links | _Words | _Free
_REQUESTS: dict[str, type[_Request]] = {  # by what they ask to do
    **dict.fromkeys(("list", "read", "undo", "redo"), _Plain),
    "show": _Show,
    "link": _Links,
    "words": _Words,
    "free": _Free,
}


class Requests:
    """Answers the page's requests on an annotation, one at a time."""

    def __init__(self, annotation: Annotation) -> None:
        self._annotation = annotation
        self._one_at_a_time = threading.Lock()

    def answer(self, body: bytes) -> Json:
        """Execute a request, and return the answer; it has `error` if the request fails.

        With `stale` the page shows the sentence as it is now; with `reread` it offers to read the
        folder again.
        """
        with self._one_at_a_time:
            try:
                return self._done(*_read(body))
            except PlaceError:
                return {"error": "not a request from the page of the editor"}
            except ChangedOnDiskError as error:
                return {"error": str(error), "reread": True}
            except PreorderEvalError as error:
                return {"error": str(error)}

    def _done(self, what: str, request: _Request) -> Json:
        annotation = self._annotation
        match request:
            case _Plain() if what == "undo":
                return self._moved(annotation.undo() if annotation.can_undo else None)
            case _Plain() if what == "redo":
                return self._moved(annotation.redo() if annotation.can_redo else None)
            case _Plain():
                if what == "read":
                    annotation.read()
                return self._all()
        count = len(annotation.text)
        if request.sentence >= count:
            raise PreorderEvalError(
                f"there is no sentence {request.sentence + 1}; the last is {count}"
            )
        if not isinstance(request, _Change):
            return self._sentence(request.sentence)
        if revision(annotation.text[request.sentence]) != request.revision:
            changed = "another tab changed this sentence; the page shows its current state"
            return {**self._sentence(request.sentence), "error": changed, "stale": True}
        return self._changed(request)

    def _changed(self, request: _Change) -> Json:
        annotation, number, which = self._annotation, request.sentence, request.translation
        text, sentence = annotation.text, annotation.text[number]
        if which is None:
            if not isinstance(request, _Words):
                raise PlaceError("only words have no translation")
            annotation.change(number, sentence.with_source(tokens_of(request.text)))
            return self._moved(number)
        if isinstance(request, _Words) and which == len(text.translations):
            text = text.with_translation()
            sentence = text[number]
        count = len(text.translations)
        if which >= count:
            raise PreorderEvalError(f"there is no translation {which + 1}; the last is {count}")
        match request:
            case _Words():
                changed = sentence.reworded(which, tokens_of(request.text))
                annotation.do(text.with_sentence(number, changed), number)
                return self._moved(number)
            case _Links():
                links = {(link.source, link.target): link.possible for link in request.links}
                annotation.change(number, sentence.linked(which, links))
            case _Free():
                size = len(sentence.translations[which].words)
                blocks = parse_free_blocks(request.text, size, "free order")
                annotation.change(number, sentence.freed(which, blocks))
        return self._sentence(number)

    def _sentence(self, number: int) -> Json:
        """Return a sentence, and its row in the list."""
        return {
            "sentence": sentence_view(self._annotation, number),
            "row": row_view(self._annotation, number),
            **self._way_back(),
        }

    def _moved(self, number: int | None) -> Json:
        """Return all rows, because findings in other sentences may have changed, and a sentence."""
        return {**self._all(), **({} if number is None else self._sentence(number))}

    def _all(self) -> Json:
        rows = [row_view(self._annotation, number) for number in range(len(self._annotation.text))]
        return {"list": rows, **self._way_back()}

    def _way_back(self) -> Json:
        return {"undo": self._annotation.can_undo, "redo": self._annotation.can_redo}


def _read(body: bytes) -> tuple[str, _Request]:
    """Read the action of a request, and its other fields; raise PlaceError for invalid requests."""
    try:
        table = json.loads(body)
        json.dumps(table, ensure_ascii=False).encode()  # half characters no file could hold
        what = table.pop("do")
        return what, read_as(_REQUESTS[what], table)
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError) as error:
        raise PlaceError("not a request") from error


def row_view(annotation: Annotation, number: int) -> Json:
    """Return a sentence's row in the list: its texts, and the number of warnings by translation."""
    sentence = annotation.text[number]
    return {
        "source": " ".join(sentence.source),
        "targets": [" ".join(translation.words) for translation in sentence.translations],
        "warnings": [
            sum(finding.is_warning for finding in findings)
            for findings in annotation.findings[number]
        ],
    }


def sentence_view(annotation: Annotation, number: int) -> Json:
    """Return a sentence with its links, orders and findings; positions count from 0."""
    text = annotation.text
    sentence, trees = text[number], text.trees.get(text.source)
    comments = trees.comments[number] if trees is not None and trees.comments else ()
    lines = [comment.lstrip("#").strip() for comment in comments]
    return {
        "number": number,
        "revision": revision(sentence),
        "comments": [line for line in lines if line.partition("=")[0].strip() != "text"],
        "source": list(sentence.source),
        "fixed": text.source in text.trees,
        "translations": [
            {
                "words": list(translation.words),
                "fixed": names.target in text.trees,
                "links": [[*link, mark] for link, mark in translation.links.items()],
                "free": format_free_blocks(translation.free),
                **_orders(sentence, translation),
                "findings": [_finding(finding) for finding in findings],
            }
            for names, translation, findings in zip(
                text.translations, sentence.translations, annotation.findings[number], strict=True
            )
        ],
    }


def revision(sentence: AnnotatedSentence) -> str:
    """Return a hash of a sentence, which shows whether it has changed."""
    return text_hash(repr(sentence))[:16]


def _orders(sentence: AnnotatedSentence, translation: Translation) -> Json:
    """Return the reference orders that a translation gives, and how many are not shown."""
    if not translation.links:
        return {"orders": [], "more": 0}
    links = Alignments.of([list(translation.links)])
    several, _ = alternatives([len(sentence.source)], [(links, [list(translation.free)])])
    orders = [list(order) for order in several.references]
    return {"orders": orders[:_MOST_ORDERS], "more": len(orders[_MOST_ORDERS:])}


def _finding(finding: Finding) -> Json:
    return {
        "check": finding.check,
        "fix": finding.is_warning,
        "side": finding.side,
        "positions": [int(position) for position in finding.positions],
        "block": format_free_blocks([finding.block]) if finding.block else "",
    }
