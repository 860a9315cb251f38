"""LEPOR's factors as the thesis (Han 2014) tells them, one word after the other."""

import math
from collections import Counter


def neighbours(words, place, n):
    around = range(max(place - n, 0), min(place + n + 1, len(words)))
    return {words[p] for p in around if p != place}


def align(output, reference, n):
    """For each word of the output the place in the reference (or None), and its neighbourhood."""
    free, aligned = set(range(len(reference))), []
    for i, word in enumerate(output):
        beside = neighbours(output, i, n)
        found = [p for p in sorted(free) if reference[p] == word]
        close = [p for p in found if beside & neighbours(reference, p, n)]
        # min() takes the first of two: the earlier place, and without a neighbour the later one.
        place = min(close or found[::-1], key=lambda p: abs(p - i), default=None)
        aligned.append((place, place in close))
        free.discard(place)
    return aligned


def npd(output, references, n):
    if not output:
        return 0.0
    alignments = [(align(output, reference, n), len(reference)) for reference in references]
    total = 0.0
    for i in range(len(output)):
        choices = []
        for aligned, length in alignments:
            place, has_neighbour = aligned[i]
            if place is not None:
                distance = abs((i + 1) / len(output) - (place + 1) / length)
                choices.append((not has_neighbour, distance))
        total += min(choices, default=(False, 0.0))[1]
    return total / len(output)


def length_penalty(output, references):
    lengths = [sorted((len(output), len(reference))) for reference in references]
    return max(math.exp(1 - long / short) if short else 0.0 for short, long in lengths)


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def harmonic(output, references, n, alpha, beta, added=0):
    """The best HPR of n-grams; None where no side has one."""
    best = None
    for reference in references:
        ours, theirs = ngrams(output, n), ngrams(reference, n)
        if ours or theirs:
            both = (ours & theirs).total() + added
            p, r = (both / max(each.total() + added, 1) for each in (ours, theirs))
            value = 0.0
            if both:
                value = (alpha + beta) / ((alpha / r if alpha else 0) + (beta / p if beta else 0))
            best = max(value, best or 0.0)
    return best


def geometric(values, weights):
    pairs = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None and w]
    if not pairs or not all(v for v, _ in pairs):
        return 0.0
    return math.exp(sum(w * math.log(v) for v, w in pairs) / sum(w for _, w in pairs))


def weighted_harmonic(values, weights):
    pairs = [(v, w) for v, w in zip(values, weights, strict=True) if w]
    if not all(v for v, _ in pairs):
        return 0.0
    return sum(weights) / sum(w / v for v, w in pairs)


def random_pairs(rng, count, references, letters="abcdefgh", longest=14):
    """Outputs and streams of references over a few words, some empty and some alike."""
    outputs, streams = [], [[] for _ in range(references)]
    for _ in range(count):
        words = [rng.choice(letters) for _ in range(rng.randint(0, longest))]
        outputs.append(words)
        for stream in streams:
            own = [rng.choice(letters) if rng.random() < 0.3 else word for word in words]
            cut = rng.randint(0, len(own))
            stream.append(own[cut:] + own[: rng.randint(0, cut)] + ["b"] * rng.randint(0, 1))
    return outputs, streams
