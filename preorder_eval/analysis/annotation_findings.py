"""What the checks find in a reference set while it is being annotated."""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.analysis.reference_quality import OF_WORDS, Finding, checks_for, findings_of
from preorder_eval.data.alignments import Alignments, alternatives
from preorder_eval.data.orders import Alternatives
from preorder_eval.data.reference_set import ReferenceSet, Translation
from preorder_eval.formats.reference_text import ReferenceText

Findings = dict[int, list[Finding]]  # by the numbers of sentences


class AnnotationFindings:
    """The findings in every sentence of a text, those on each of its translations by themselves.

    On the first translation they are what `check_reference` finds. Further ones are held to the
    guidelines, which sentences that they leave out do not break.
    """

    def __init__(self, text: ReferenceText) -> None:
        self._trees = text.trees.get(text.source)
        self._sentences = [text[s] for s in range(len(text))]
        numbers = range(len(text.translations))
        checks = checks_for(self._reference(0))
        # Words are held against each other once.
        self._checks = [checks, *([c for c in checks if c not in OF_WORDS] for _ in numbers[1:])]
        of_words = [check for check in checks if check in OF_WORDS]
        self._of_words = findings_of(self._reference(0), of_words)
        self._findings: list[Findings] = [self._found(number) for number in numbers]

    def __getitem__(self, sentence: int) -> list[list[Finding]]:
        return [findings.get(sentence, []) for findings in self._findings]

    def warnings(self, sentence: int) -> list[int]:
        """How many findings are to be mended in each of a sentence's translations."""
        return [sum(f.is_warning for f in findings) for findings in self[sentence]]

    def relink(self, text: ReferenceText, sentence: int) -> None:
        """Check again after a sentence has changed in anything but its words."""
        old, self._sentences[sentence] = self._sentences[sentence], text[sentence]
        both = zip(old.translations, text[sentence].translations, strict=True)
        for number, (before, after) in enumerate(both):
            if number == 0 or before != after:
                self._findings[number] = self._found(number)

    def _found(self, number: int) -> Findings:
        """What the checks find in a translation; those of words are not made again."""
        checks = self._checks[number]
        by_links = [check for check in checks if check not in OF_WORDS]
        found = findings_of(self._reference(number), by_links)
        if number == 0:
            found = sorted([*self._of_words, *found], key=lambda f: checks.index(f.check))
        else:
            there = [bool(sentence.translations[number].words) for sentence in self._sentences]
            found = [finding for finding in found if there[finding.sentence]]
        by_sentence: Findings = {}
        for finding in found:
            by_sentence.setdefault(finding.sentence, []).append(finding)
        return by_sentence

    def _reference(self, number: int) -> ReferenceSet:
        """The set with that translation alone, but with all reference orders for the first one."""
        translations = [sentence.translations[number] for sentence in self._sentences]
        return ReferenceSet(
            "",
            [list(sentence.source) for sentence in self._sentences],
            _alignments(translations),
            [list(translation.words) for translation in translations],
            self._trees,
            alternatives=self._orders() if number == 0 else None,
        )

    def _orders(self) -> Alternatives:
        by_translation = zip(*(sentence.translations for sentence in self._sentences), strict=True)
        several, _ = alternatives(
            [len(sentence.source) for sentence in self._sentences],
            [(_alignments(of), [translation.free for translation in of]) for of in by_translation],
        )
        return several


def _alignments(translations: Sequence[Translation]) -> Alignments:
    sure, possible = (
        [[link for link, mark in of.links.items() if mark == wanted] for of in translations]
        for wanted in (False, True)
    )
    return Alignments.of(sure, possible)
