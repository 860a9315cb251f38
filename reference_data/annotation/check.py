"""Check lines of annotation: python check.py BATCH.txt ANSWERS.txt

A line of BATCH is a number, a tab and the numbered words: `7<TAB>1:It 2:says 3:so 4:.`
A line of ANSWERS is the same number, a tab and the translation in pieces:
`7<TAB>[それ は]1 [そう]3 [言っ て い ます]2 [。]4`

  [tokens]1_2   these target tokens are linked to the source words 1 and 2
  [tokens]-     these have no link (avoid it)
  {[..]1 | [..]3}   the spans may stand in either order (a free block); blocks may nest

Tokens and pieces are separated by single spaces. A third field behind a tab may hold a comment.
"""

import itertools
import re
import sys
from pathlib import Path

PIECE = re.compile(r"\[([^\]\[]+|\[|\])\](-|\d+(?:_\d+)*)|([{|}])|(\S+)")
ARTICLES = {"a", "an", "the"}


def is_word(token):
    return any(c.isalnum() for c in token)


def parse(text, n):
    tokens, links, blocks, faults = [], [], [], []
    opened = []  # the borders so far of the blocks that are open, the outer one first
    for m in PIECE.finditer(text):
        words, to, sign, other = m.groups()
        if other:
            faults.append(f"cannot read {other!r}")
        elif sign == "{":
            opened.append([len(tokens)])
        elif sign and not opened:
            faults.append(f"{sign} outside a block")
        elif sign == "|":
            opened[-1].append(len(tokens))
        elif sign == "}":
            borders = [*opened.pop(), len(tokens)]
            spans = list(itertools.pairwise(borders))
            if len(spans) < 2:
                faults.append("a block of one span")
            if any(a >= b for a, b in spans):
                faults.append("an empty span in a block")
            blocks.append([(a, b - 1) for a, b in spans])
        else:
            toks = words.split()
            for i in [] if to == "-" else map(int, to.split("_")):
                if not 1 <= i <= n:
                    faults.append(f"word {i} of [{words}] is not there")
                links += [(i, len(tokens) + k) for k in range(len(toks))]
            if to == "-":
                faults.append(f"[{words}] has no link")
            tokens += toks
    if opened:
        faults.append("{ without }")
    return tokens, links, sorted(blocks), faults


def check(source, text):
    n = len(source)
    tokens, links, blocks, faults = parse(text, n)
    targets = {i: sorted({t for s, t in links if s == i}) for i in range(1, n + 1)}
    for i, word in enumerate(source, 1):
        if not targets[i] and is_word(word) and word.lower() not in ARTICLES:
            faults.append(f"{i}:{word} has no link")
        t = targets[i]
        if t and t[-1] - t[0] + 1 != len(t):
            spans = " / ".join(tokens[k] for k in t)
            faults.append(f"{i}:{word} is linked to separate spans: {spans}")
    first = {}
    for i, t in targets.items():
        if t:
            first.setdefault(t[0], []).append(i)
    for t, group in first.items():
        gap = [k for k in range(group[0], group[-1]) if k not in group and targets[k]]
        if len(group) > 1 and gap:
            words = " ".join(f"{i}:{source[i - 1]}" for i in group)
            faults.append(f"tie over a distance: {words} share {tokens[t]}")
    order = sorted((t[0], i) for i, t in targets.items() if t)
    return faults, " ".join(source[i - 1] for _, i in order), tokens, links, blocks


def read(path):
    rows = {}
    for line in Path(path).read_text("utf-8").split("\n"):
        if line.strip():
            number, _, rest = line.partition("\t")
            rows[int(number)] = rest.split("\t")
    return rows


if __name__ == "__main__":
    batch = {
        k: [re.sub(r"^\d+:", "", w, count=1) for w in v[0].split(" ")]
        for k, v in read(sys.argv[1]).items()
    }
    answers = read(sys.argv[2])
    bad = 0
    for k, source in batch.items():
        if k not in answers:
            print(f"{k}: missing")
            bad += 1
            continue
        faults, order, *_ = check(source, answers[k][0])
        print(f"{k}: {order}")
        for f in faults:
            print("    !", f)
            bad += 1
    for k in answers.keys() - batch.keys():
        print(f"{k}: not in the batch")
        bad += 1
    print(f"{bad} findings (some, such as particle verbs around their object, may be right)")
