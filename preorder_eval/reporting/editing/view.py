"""What the page shows of sentences, as plain values."""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.analysis.reference.annotation import Annotation
from preorder_eval.analysis.reference.checks import Finding
from preorder_eval.data.alignments import Alignments, alternatives
from preorder_eval.data.reference_set import AnnotatedSentence, Translation
from preorder_eval.formats.files import text_hash
from preorder_eval.formats.reference_folder import format_free_blocks
from preorder_eval.reporting.payload import Json

_MOST_ORDERS = 12  # of a sentence that are shown
# Whose words a finding names; those of other checks are source words.
_OF_TARGET = frozenset({"unaligned target words", "strings cut in two ways"})
_OF_SENTENCE = frozenset({"near-duplicates"})


def list_view(annotation: Annotation) -> list[Json]:
    """A row for each sentence: its texts, and how much there is to mend in each translation."""
    return [row_view(annotation, number) for number in range(len(annotation.text))]


def row_view(annotation: Annotation, number: int) -> Json:
    """A sentence in a list."""
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
    """A sentence with its links, reference orders and findings; positions count from 0."""
    text = annotation.text
    sentence, trees = text[number], text.trees.get(text.source)
    comments = trees.comments[number] if trees is not None and trees.comments else ()
    said = [comment.lstrip("#").strip() for comment in comments]
    return {
        "number": number,
        "revision": revision(sentence),
        "comments": [line for line in said if line.partition("=")[0].strip() != "text"],
        "source": list(sentence.source),
        "fixed": text.source in text.trees,
        "translations": [
            {
                "words": list(translation.words),
                "fixed": names.target in text.trees,
                "links": [[*link, mark] for link, mark in translation.links.items()],
                "free": format_free_blocks([translation.free]).strip(),
                **_orders(sentence, translation),
                "findings": [_finding(finding) for finding in findings],
            }
            for names, translation, findings in zip(
                text.translations, sentence.translations, annotation.findings[number], strict=True
            )
        ],
    }


def revision(sentence: AnnotatedSentence) -> str:
    """What tells a state of a sentence from others, so that no change is made to an older one."""
    return text_hash(repr(sentence))[:16]


def _orders(sentence: AnnotatedSentence, translation: Translation) -> Json:
    """The reference orders that a translation gives, and how many more than are shown."""
    if not translation.links:
        return {"orders": [], "more": 0}
    links = Alignments.of([list(translation.links)])
    several, _ = alternatives([len(sentence.source)], [(links, [list(translation.free)])])
    orders = [list(order) for order in several.references]
    return {"orders": orders[:_MOST_ORDERS], "more": len(orders[_MOST_ORDERS:])}


def _finding(finding: Finding) -> Json:
    sides = [(_OF_TARGET, "target"), (_OF_SENTENCE, "sentence")]
    side = next((name for checks, name in sides if finding.check in checks), "source")
    return {
        "check": finding.check,
        "mend": finding.is_warning,
        "side": side,
        "positions": _plain(finding.positions),
    }


def _plain(positions: Sequence[int]) -> list[int]:
    return [int(position) for position in positions]
