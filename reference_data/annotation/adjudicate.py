"""Two annotations of each sentence, without names, for a third reader; and what the reader chose.

    python adjudicate.py sheet BATCH A B SEED >sheet.txt     the sheet, with one in 20 spoilt
    python adjudicate.py apply BATCH A B SEED ANSWERS >C     the adjudicated lines

BATCH has the sentences (see check.py), A and B are lines of annotation. In the sheet X and Y are
the two, which is which by the seed. A line of ANSWERS is number, `X`, `Y`, `both` (a second
reference order) or `new`, class, reason and, for `new`, the annotation, separated by tabs. A spoilt
annotation has two of its pieces exchanged; the sheet does not tell, and a reader who takes it is
counted. A line of the result is number, annotation, verdict (A, B, both, new), class, reason, and
for `both` the other annotation. Exits with 1 if an answer is missing or cannot be read.
"""

import random
import re
import sys

from check import PIECE, check, read

CLASSES = ("same", "both allowed", "links", "meaning", "free order", "guideline", "source")


def spoilt(text, rng):
    """Exchange two pieces of an annotation outside free blocks, so that the order is wrong."""
    pieces = text.split(" [")
    if "{" in text or len(pieces) < 5:
        return None
    i = rng.randrange(1, len(pieces) - 3)
    pieces[i], pieces[i + 2] = pieces[i + 2], pieces[i]
    return " [".join(pieces)


def pairs(batch, a, b, seed):
    """Yield number, words, the two annotations as shown, which is A (0, 1), and which is spoilt."""
    for k, words in batch.items():
        rng = random.Random(f"{seed} {k}")  # noqa: S311
        turned = rng.random() < 0.5
        both = [a[k][0], b[k][0]]
        bad = None
        if rng.random() < 0.05:
            n = rng.randrange(2)
            wrong = spoilt(both[n], rng)
            if wrong:
                both[n], bad = wrong, n
        yield k, words, both[::-1] if turned else both, turned, bad


def main(what, batch, first, second, seed, answers=None):
    sentences = {
        k: [re.sub(r"^\d+:", "", w) for w in v[0].split(" ")] for k, v in read(batch).items()
    }
    numbered = {k: v[0] for k, v in read(batch).items()}
    a, b = read(first), read(second)
    faults, planted, missed = 0, 0, 0
    chosen = read(answers) if answers else {}
    for k, words, shown, turned, bad in pairs(sentences, a, b, seed):
        if what == "sheet":
            orders = [check(words, text)[1] for text in shown]
            print(f"## {k}" + ("  (same order)" if orders[0] == orders[1] else ""))
            print(numbered[k])
            for name, text, order in zip("XY", shown, orders, strict=True):
                print(f"{name}  {text}\n   = {order}")
            print()
            continue
        verdict, kind, reason, new = ((chosen.get(k) or [""]) + [""] * 4)[:4]
        if verdict not in ("X", "Y", "both", "new") or kind not in CLASSES:
            print(f"{k}: {verdict!r}, {kind!r}", file=sys.stderr)
            faults += 1
            continue
        number = {"X": int(turned), "Y": 1 - turned}.get(verdict)
        if bad is not None:
            planted += 1
            missed += number == bad or verdict == "both"
            if number == bad or verdict == "both":
                print(f"{k}: the spoilt one was taken", file=sys.stderr)
        texts = [a[k][0], b[k][0]]
        if verdict == "new":
            found = check(words, new)[0]
            if not PIECE.search(new) or any("is not there" in f or "read" in f for f in found):
                print(f"{k}: {found or 'no annotation'}", file=sys.stderr)
                faults += 1
            print(k, new, "new", kind, reason, sep="\t")
        elif verdict == "both":
            print(k, texts[0], "both", kind, reason, texts[1], sep="\t")
        else:
            print(k, texts[number], "AB"[number], kind, reason, sep="\t")
    if what == "apply":
        print(f"{planted} spoilt, {missed} of them taken; {faults} faults", file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
