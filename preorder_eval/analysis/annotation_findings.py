"""What the checks find in a reference set while it is being annotated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from preorder_eval.analysis.reference_quality import ACROSS, Finding, checks_for, findings_of
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.reference_text import ReferenceText

ByTranslation = list[list[Finding]]


class AnnotationFindings:
    """The findings in every sentence of a text, those on each of its translations by themselves.

    On the first translation they are what `check_reference` finds. Further ones are held to the
    guidelines in the sentences that they have, and not against other sentences.
    """

    def __init__(self, text: ReferenceText) -> None:
        self._checks = checks_for(_reference(text, 0, range(len(text))))
        self._sentences: list[ByTranslation] = [
            [[] for _ in text.translations] for _ in range(len(text))
        ]
        for number in range(len(text.translations)):
            chosen = [
                s for s in range(len(text)) if number == 0 or text[s].translations[number].words
            ]
            checks = [check for check in self._checks if number == 0 or check not in ACROSS]
            for finding in findings_of(_reference(text, number, chosen), checks):
                s = chosen[finding.sentence]
                self._sentences[s][number].append(replace(finding, sentence=s))

    def __getitem__(self, sentence: int) -> ByTranslation:
        return self._sentences[sentence]

    def warnings(self, sentence: int) -> list[int]:
        """How many findings are to be mended in each of a sentence's translations."""
        return [sum(f.is_warning for f in findings) for findings in self._sentences[sentence]]

    def relink(self, text: ReferenceText, sentence: int) -> None:
        """Check a sentence again of which nothing but links has changed."""
        within = [check for check in self._checks if check not in ACROSS]
        for number, known in enumerate(self._sentences[sentence]):
            if number == 0 or text[sentence].translations[number].words:
                found = findings_of(_reference(text, number, [sentence]), within)
                new = [replace(finding, sentence=sentence) for finding in found]
                kept = [finding for finding in known if finding.check in ACROSS]
                known[:] = sorted([*new, *kept], key=lambda f: self._checks.index(f.check))


def _reference(text: ReferenceText, number: int, sentences: Sequence[int]) -> ReferenceSet:
    """Some sentences with one of their translations."""
    chosen = [text[s] for s in sentences]
    translations = [sentence.translations[number] for sentence in chosen]
    sure, possible = (
        [[link for link, mark in t.links.items() if mark == wanted] for t in translations]
        for wanted in (False, True)
    )
    trees = text.trees.get(text.source)
    return ReferenceSet(
        "",
        [list(sentence.source) for sentence in chosen],
        Alignments.of(sure, possible),
        [list(translation.words) for translation in translations],
        trees and trees.take(np.array(sentences, dtype=np.int64)),
    )
