"""What the page may ask for, and what it gets.

A request says what to do in the JSON of its body. It names the revision of the sentence that it
was made for, so that what another tab has done is not undone unseen.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from preorder_eval.analysis.reference.annotation import Annotation, ChangedOnDiskError
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.reference_folder import parse_free_blocks
from preorder_eval.formats.reference_text import tokens_of
from preorder_eval.reporting.editing.view import list_view, revision, row_view, sentence_view
from preorder_eval.reporting.payload import Json

Number = Annotated[int, Field(ge=0, lt=10**9)]
Text = Annotated[str, StringConstraints(max_length=100_000)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _All(_Request):
    """All sentences in short, or all of them read from the disk anew."""

    do: Literal["list", "read"]


class _Step(_Request):
    do: Literal["undo", "redo"]


class _Show(_Request):
    do: Literal["show"]
    sentence: Number


class _Change(_Request):
    sentence: Number
    revision: str


class _Links(_Change):
    do: Literal["link"]
    translation: Number
    links: Annotated[list[tuple[Number, Number, bool]], Field(max_length=100_000)]


class _Words(_Change):
    """The words of the source, or of a translation, the next one of which may be new."""

    do: Literal["words"]
    translation: Number | None
    text: Text


class _Free(_Change):
    do: Literal["free"]
    translation: Number
    text: Text


class _Add(_Request):
    do: Literal["add"]
    source: Text
    target: Text


_REQUEST: TypeAdapter[_All | _Step | _Show | _Links | _Words | _Free | _Add] = TypeAdapter(
    Annotated[_All | _Step | _Show | _Links | _Words | _Free | _Add, Field(discriminator="do")]
)


class Requests:
    """Answers the page's requests on an annotation, one at a time."""

    def __init__(self, annotation: Annotation) -> None:
        self._annotation = annotation
        self._one_at_a_time = threading.Lock()

    def answer(self, body: bytes) -> Json:
        """What the page is told; `error` alone where the request is not done.

        Beside it `stale` says that the page has to be shown what has become of the sentence, and
        `reread` that the folder has to be read anew.
        """
        with self._one_at_a_time:
            try:
                return self._done(_REQUEST.validate_json(body))
            except ValidationError:
                return {"error": "not a request of the editor's page"}
            except ChangedOnDiskError as error:
                return {"error": str(error), "reread": True}
            except PreorderEvalError as error:
                return {"error": str(error)}

    def _done(self, request: _Request) -> Json:
        annotation = self._annotation
        match request:
            case _All(do=what):
                if what == "read":
                    annotation.read()
                return self._all()
            case _Step(do="undo"):
                return self._moved(annotation.undo() if annotation.can_undo else None)
            case _Step():
                return self._moved(annotation.redo() if annotation.can_redo else None)
            case _Add(source=source, target=target):
                number = len(annotation.text)
                annotation.do(annotation.text.with_further(source, target), number)
                return self._moved(number)
            case _Show(sentence=number):
                self._require(number)
                return self._sentence(number)
            case _Change(sentence=number):
                self._require(number)
                if revision(annotation.text[number]) != request.revision:
                    said = "this sentence was changed in another tab; here is what it is now"
                    return {**self._sentence(number), "error": said, "stale": True}
                return self._changed(request)
        raise AssertionError(request)

    def _changed(self, request: _Change) -> Json:
        annotation, number = self._annotation, request.sentence
        text, sentence = annotation.text, annotation.text[number]
        match request:
            case _Words(translation=None):
                annotation.change(number, sentence.with_source(tokens_of(request.text)))
                return self._moved(number)
            case _Words(translation=int(which)):
                if which == len(text.translations):
                    text = text.with_translation()
                    sentence = text[number]
                self._require_translation(which, len(text.translations))
                changed = sentence.reworded(which, tokens_of(request.text))
                annotation.do(text.with_sentence(number, changed), number)
                return self._moved(number)
            case _Links(translation=which):
                self._require_translation(which, len(text.translations))
                links = {(source, target): mark for source, target, mark in request.links}
                annotation.change(number, sentence.linked(which, links))
            case _Free(translation=which):
                self._require_translation(which, len(text.translations))
                size = len(sentence.translations[which].words)
                blocks = parse_free_blocks(request.text, size, "free order")
                annotation.change(number, sentence.freed(which, blocks))
        return self._sentence(number)

    def _require(self, number: int) -> None:
        count = len(self._annotation.text)
        if number >= count:
            raise PreorderEvalError(f"there is no sentence {number + 1}; the last is {count}")

    def _require_translation(self, which: int, count: int) -> None:
        if which >= count:
            raise PreorderEvalError(f"there is no translation {which + 1}; the last is {count}")

    def _sentence(self, number: int) -> Json:
        """A sentence, and its row in the list."""
        return {
            "sentence": sentence_view(self._annotation, number),
            "row": row_view(self._annotation, number),
            **self._way_back(),
        }

    def _moved(self, number: int | None) -> Json:
        """All rows, as findings in other sentences may have changed, and a sentence."""
        return {**self._all(), **({} if number is None else self._sentence(number))}

    def _all(self) -> Json:
        return {"list": list_view(self._annotation), **self._way_back()}

    def _way_back(self) -> Mapping[str, Any]:
        return {"undo": self._annotation.can_undo, "redo": self._annotation.can_redo}
