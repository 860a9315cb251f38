"""METEOR with exact and stem matches (Denkowski & Lavie 2014; Banerjee & Lavie 2005).

F · (1 - γ · (chunks / matches)^β) with F = PR / (αP + (1 - α)R). As many words of hypothesis and
reference as possible are matched one to one, in as few *chunks* as possible. A chunk is a sequence
of words matched to words that follow each other on the other side too.

- `version=1.5`: METEOR 1.5's parameters of English (α = 0.85, β = 0.2, γ = 0.6), French, German or
  Spanish. In English matched stems of different words count 0.6 in P and R. Other languages, and
  matching without stems, use the language-independent parameters (0.75, 1.4, 0.7, 0.5). Identical
  sentences have no chunk, also in corpus counts, and so no penalty.
- `version=original` (Han 2014, equations 2-18 and 2-19): α = 0.9, so F = 10PR / (R + 9P), β = 3,
  γ = 0.5. Identical texts score below 1, as one chunk is punished too.
- `version=1.3`: METEOR 1.3 as tuned to rankings of English (Denkowski & Lavie 2011): α = 0.85,
  β = 0.2, γ = 0.6, stems count 0.6. It is Meteor-1.3-RANK of Han's (2014) tables.

Synonyms, paraphrases and the lists of function words, which weigh less, are omitted: they need data
of each language.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.text.stems import STEMMERS, snowball
from preorder_eval.base.text.tokenization import Tokenize
from preorder_eval.metrics.base import quiet
from preorder_eval.metrics.outputs.gtm import longest_runs
from preorder_eval.metrics.outputs.lexical import (
    WordMetric,
    best_counts,
    replaced,
    sentence_pairs,
    share,
)
from preorder_eval.metrics.segments import Segments

Stemmer = Literal[
    "auto", "none", "danish", "dutch", "english", "finnish", "french", "german", "hungarian",
    "italian", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "turkish",
]  # fmt: skip
# By the codes of languages; the stemmers of METEOR 1.5.
_STEMMERS: dict[str, Any] = {k: name for k, name in STEMMERS.items() if name in get_args(Stemmer)}
_STATES = 200  # of a search, at one word
_ALL_STATES = 1000 * _STATES  # of a search in all, which no sentence of 1000 words comes to


class Parameters(NamedTuple):
    """α, β and γ; the weight of matched stems; whether identical sentences get a penalty."""

    alpha: float
    beta: float
    gamma: float
    stem_weight: float
    punish_identical: bool


_ORIGINAL = Parameters(0.9, 3.0, 0.5, 1.0, True)
_ENGLISH = Parameters(0.85, 0.2, 0.6, 0.6, False)
_OF_LANGUAGE = {  # in version 1.5
    "english": _ENGLISH,
    "french": Parameters(0.9, 1.4, 0.6, 0.2, False),
    "german": Parameters(0.95, 1.0, 0.55, 0.8, False),
    "spanish": Parameters(0.65, 1.3, 0.5, 0.8, False),
}
_OTHERS = Parameters(0.75, 1.4, 0.7, 0.5, False)


@dataclass(frozen=True)
class Meteor(WordMetric):
    """F of the matching words, times a penalty for the chunks that they are in.

    Parameters: `version` of the formula; `stem`, the language that sets parameters and Snowball
    stemmer, as in METEOR. `auto` is the text's language, and English if only its script is known
    and has spaces. Words with the same stem match, too. As many matches as possible count as the
    same word, whichever alignment has the fewest chunks. Lower-cases unless `lower=False`, as
    METEOR does with -norm.

    0 where nothing matches, also where a side is empty. Of several references the one with the
    highest value counts. The corpus value is that of the matches, chunks and lengths of all
    segments together. Where many words are repeated the search for the fewest chunks is cut off,
    see `fewest_chunks`; the last statistic is 1 where it was not.

    >>> Meteor().score(["d e f a b c"], ["a b c d e f"]).corpus.__round__(6)
    0.518355
    >>> Meteor("original", "none").score(["d e f a b c"], ["a b c d e f"]).corpus
    0.9814814814814815
    """

    name: ClassVar[str] = "meteor"
    short_name: ClassVar[str] = "METEOR"
    differs: ClassVar[str] = (
        "METEOR 1.5 also matches synonyms and paraphrases and gives function words less weight: "
        "sentence scores for English correlate at .94; its beam finds more chunks in long "
        "sentences"
    )
    paper: ClassVar[str] = "Banerjee & Lavie 2005; Denkowski & Lavie 2014 (1.5)"
    equation: ClassVar[str] = "PR / (αP + (1 − α)R) · (1 − γ (chunks / matches)^β)"

    version: Literal["1.5", "1.3", "original"] = "1.5"
    stem: Stemmer = "auto"
    lower: bool = quiet(True, stated=True)

    def signature(self, *, stated: bool = True, **circumstances: object) -> str:
        if stated and self.stem != "auto":  # of exact, stem, synonym and paraphrase
            circumstances = {"modules": "exact" + ",stem" * (self.stem != "none"), **circumstances}
        return super().signature(stated=stated, **circumstances)

    def splitting(self, tokenizer: Tokenize, language: str = "") -> Self:
        stem = self.stem
        if stem == "auto":
            code = language.lower().replace("_", "-").partition("-")[0]
            spaced = tokenizer in ("13a", "intl", "none")
            stem = _STEMMERS.get(code, "english" if spaced and not code else "none")
        return replace(super().splitting(tokenizer, language), stem=stem)

    @property
    def _stemmer(self) -> Stemmer:
        return "english" if self.stem == "auto" else self.stem

    @property
    def parameters(self) -> Parameters:
        """The parameters of the version and the language."""
        if self.version == "1.5":
            return _OF_LANGUAGE.get(self._stemmer, _OTHERS)
        return _ENGLISH if self.version == "1.3" else _ORIGINAL

    def statistics(self, segments: Segments) -> Floats:
        """Return weighted matches, matches, chunks, words of the hypothesis and of the best
        reference, and whether there are no fewer chunks; float64[S, 6]."""
        segments = self.prepared(segments)
        compared = segments
        if self._stemmer != "none":
            stem = snowball(self._stemmer)
            compared = replaced(segments, lambda word: [stem(word)])
        counts = []
        for reference, forms in zip(compared.references, segments.references, strict=True):
            pairs = zip(
                sentence_pairs(compared.hypotheses, reference),
                sentence_pairs(segments.hypotheses, forms),
                strict=True,
            )
            weighted, matches, chunks, is_sure = np.reshape(
                [self._alignment(*pair) for pair in pairs], (-1, 4)
            ).T
            output, length = segments.hypotheses.lengths, reference.lengths
            if not self.parameters.punish_identical:
                is_identical = (matches == output) & (matches == length) & (chunks == 1)
                chunks = np.where(is_identical, 0, chunks)
            counts.append(np.column_stack([weighted, matches, chunks, output, length, is_sure]))
        return best_counts(counts, self.finish)

    def _alignment(
        self, words: tuple[list[int], list[int]], forms: tuple[list[int], list[int]]
    ) -> tuple[float, int, int, bool]:
        """Return weight and number of matches, chunks, and whether these are proven the fewest."""
        matches, chunks, is_sure = fewest_chunks(*words)
        same = (Counter(forms[0]) & Counter(forms[1])).total()
        return same + self.parameters.stem_weight * (matches - same), matches, chunks, is_sure

    def cut_short(self, statistics: Floats) -> int:
        return int(np.count_nonzero(statistics[:, -1] == 0))

    def finish(self, statistics: Floats) -> Floats:
        weighted, matches, chunks, output, reference, _ = np.moveaxis(statistics, -1, 0)
        use = self.parameters
        # PR / (αP + (1 - α)R) with P = m/|h| and R = m/|r|.
        f = share(weighted, use.alpha * reference + (1 - use.alpha) * output)
        return f * (1 - use.gamma * share(chunks, matches) ** use.beta)


def fewest_chunks(hypothesis: list[int], reference: list[int]) -> tuple[int, int, bool]:
    """Return the number of matching words, the fewest chunks, and whether these are proven.

    Taking the longest runs first gives few chunks, and in most sentences a bound proves that fewer
    are impossible: m words in c chunks match m - c pairs of neighbours to neighbours, which are at
    most as many as the word pairs that both sides have in common. Two chunks are the fewest, too,
    as a single one would be the longest run. Only the other sentences are searched. In a sentence
    with many repeated words the search may be cut off; then the chunks of the longest runs are
    returned.
    """
    runs = longest_runs(hypothesis, reference)
    matches, chunks = sum(length for length, _, _ in runs), len(runs)
    shared = (Counter(pairwise(hypothesis)) & Counter(pairwise(reference))).total()
    if chunks <= max(matches - shared, 2):
        return matches, chunks, True
    fewest = _search(hypothesis, reference, matches, chunks)
    return matches, chunks if fewest is None else fewest, fewest is not None


def _search(hypothesis: list[int], reference: list[int], matches: int, known: int) -> int | None:
    """Return the fewest chunks that an alignment can have; None if the search is cut off.

    An alignment with `known` chunks has been found before.
    """
    places: defaultdict[int, int] = defaultdict(int)  # of every word, as bits
    for place, word in enumerate(reference):
        places[word] |= 1 << place
    # How many pairs of neighbours a chunk can go on over, from each word to the last.
    pairs, pairs_left = Counter(pairwise(reference)), [0]
    for pair in reversed(list(pairwise(hypothesis))):
        pairs[pair] -= 1
        pairs_left.append(pairs_left[-1] + (pairs[pair] >= 0))

    # The reference words used and the one that would go on with the chunk, as bits, and how often
    # a chunk went on. Those that cannot come to fewer chunks than are known are left out.
    states, passed = {(0, 0): 0}, 0
    to_come = Counter(hypothesis)
    for word, left in zip(hypothesis, reversed(pairs_left), strict=True):
        passed += len(states)
        needed = matches - known + 1 - left
        following: dict[tuple[int, int], int] = {}
        for (used, next_word), went_on in states.items():
            free = places[word] & ~used
            steps = []
            if free & next_word:
                steps.append((used | next_word, next_word << 1, went_on + 1))
            if to_come[word] > free.bit_count():
                steps.append((used, 0, went_on))  # it may stay unmatched
            free &= ~next_word
            while free and went_on >= needed:
                bit = free & -free
                free ^= bit
                steps.append((used | bit, bit << 1, went_on))
            for then_used, then_next, count in steps:
                if count >= needed:
                    state = then_used, then_next
                    following[state] = max(following.get(state, 0), count)
            if len(following) > _STATES:
                return None
        if passed > _ALL_STATES:
            return None
        to_come[word] -= 1
        states = following
    return matches - max(states.values(), default=matches - known)
