"""Matchings of two sentences, one by one."""

from collections import Counter


def matchings(hypothesis, reference, used=frozenset(), i=0):
    """Every one-to-one matching of equal words, as lists of (hypothesis, reference) places."""
    if i == len(hypothesis):
        yield []
        return
    yield from matchings(hypothesis, reference, used, i + 1)
    for j, word in enumerate(reference):
        if word == hypothesis[i] and j not in used:
            for rest in matchings(hypothesis, reference, used | {j}, i + 1):
                yield [(i, j), *rest]


def run_lengths(matching):
    """The lengths of the stretches that follow each other on both sides."""
    lengths = []
    for k, (i, j) in enumerate(matching):
        if k and matching[k - 1] == (i - 1, j - 1):
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths


def fewest(hypothesis, reference):
    """The most words that can be matched, and the fewest chunks of a matching of as many."""
    most = (Counter(hypothesis) & Counter(reference)).total()
    complete = (m for m in matchings(hypothesis, reference) if len(m) == most)
    return most, min(len(run_lengths(m)) for m in complete)


def greedy_runs(hypothesis, reference):
    """The longest run first, the earliest of the hypothesis, then of the reference."""
    hypothesis, reference, runs = list(hypothesis), list(reference), []
    while True:
        best = (0, 0, 0)
        for i in range(len(hypothesis)):
            for j in range(len(reference)):
                n = 0
                while (
                    i + n < len(hypothesis)
                    and j + n < len(reference)
                    and hypothesis[i + n] is not None
                    and hypothesis[i + n] == reference[j + n]
                ):
                    n += 1
                best = max(best, (n, -i, -j))
        n, i, j = best[0], -best[1], -best[2]
        if not n:
            return runs
        runs.append((n, i, j))
        hypothesis[i : i + n] = [None] * n
        reference[j : j + n] = [None] * n
