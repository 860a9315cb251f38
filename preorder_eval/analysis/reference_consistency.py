"""What an annotator settles one way here and another way there, in a reference set.

Ties over a distance make everything between them free to be wrong; a string that is cut in two
ways says that a convention was forgotten; sentences that
are nearly the same count twice.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence

from preorder_eval.data.reference_set import ReferenceSet

_LONGEST = 3  # tokens that a string may be cut into
_MOST = 6  # characters of such a string
_SHARED = 0.5  # of the trigrams of the shorter sentence: nearly the same
_GRAM = 3


def distant_ties(reference: ReferenceSet) -> list[tuple[int, list[int]]]:
    """The sentences with a tie over a distance, from 0, and the positions of the tied words.

    Tied are words with the same first target word; articles and other words without links do not
    count, also between them.
    """
    ties = []
    for s, order in enumerate(reference.references):
        for group in order:
            tied = [i for i in group if order.aligned[i]]
            between = range(min(tied, default=0), max(tied, default=0))
            if any(order.aligned[i] and i not in tied for i in between):
                ties.append((s, tied))
    return ties


def cut_two_ways(sentences: Sequence[Sequence[str]]) -> list[tuple[str, list[tuple[str, int]]]]:
    """Strings that stand as one token here and as several there, with the ways and their counts.

    Strings of up to six characters in up to three tokens; each way must stand more than once, as
    the same characters may meet by chance.

    >>> cut_two_ways([["a", "b"], ["ab"], ["ab"], ["a", "b"]])
    [('ab', [('a b', 2), ('ab', 2)])]
    """
    whole = Counter(itertools.chain.from_iterable(sentences))
    ways: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for tokens in sentences:
        for size in range(2, _LONGEST + 1):
            for start in range(len(tokens) - size + 1):
                parts = tokens[start : start + size]
                text = "".join(parts)
                if len(text) <= _MOST and whole[text] > 1:
                    ways[text][" ".join(parts)] += 1
    return [
        (text, sorted([(text, whole[text]), *((w, n) for w, n in counts.items() if n > 1)]))
        for text, counts in sorted(ways.items())
        if any(n > 1 for n in counts.values())
    ]


def near_duplicates(sentences: Sequence[Sequence[str]]) -> list[tuple[int, int, float]]:
    """Pairs of sentences, by numbers from 0, that share half of their trigrams or more.

    The share is of the trigrams of the shorter one, in lower case; sentences of fewer than six
    words are left out, as greetings may well be the same.

    >>> near_duplicates([list("abcdefg"), list("abcdefh"), list("zyxwvut")])
    [(0, 1, 0.8)]
    """
    grams = [
        {tuple(word.lower() for word in words[i : i + _GRAM]) for i in range(len(words) - 2)}
        for words in sentences
    ]
    holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for s, trigrams in enumerate(grams):
        if len(sentences[s]) >= 2 * _GRAM:
            for gram in trigrams:
                holders[gram].append(s)
    shared = Counter(
        pair for numbers in holders.values() for pair in itertools.combinations(numbers, 2)
    )
    pairs = ((a, b, n / min(len(grams[a]), len(grams[b]))) for (a, b), n in shared.items())
    return [(a, b, round(share, 3)) for a, b, share in sorted(pairs) if share >= _SHARED]
