"""Make a stand-off folder of the lines of a language: python assemble.py LANGUAGE OUT

With `--constructions` before them it writes the language's files of the set `constructions`.
It reads lines/LANGUAGE-ROLE-SET.tsv for the sets test, dev and pud, or con. C are adjudicated lines
(adjudicate.py), or those of a reader of A alone; a sentence without one is left out. A and B of
sentences that two annotated are the layers `first` and `second`.
"""

import sys
from pathlib import Path

from check import parse, read

HERE = Path(__file__).parent
SETS = ("test", "dev", "pud")


def files(annotations, words, name, language):
    """Return target, links and free blocks, a line for each annotation; empty for None."""
    target, links, free = [], [], []
    for text, n in zip(annotations, words, strict=True):
        tokens, linked, blocks, faults = parse(text, n) if text else ([], [], [], [])
        bad = [f for f in faults if "not there" in f or "read" in f or "block" in f]
        if bad:
            raise SystemExit(f"{text}: {bad}")
        target.append(" ".join(tokens))
        links.append(" ".join(f"{i - 1}-{t}" for i, t in sorted(set(linked))))
        spans = (["-".join(map(str, dict.fromkeys(s))) for s in block] for block in blocks)
        free.append(" ".join(map("|".join, spans)))
    names = f"target{name}.{language}", f"en-{language}{name}.align", f"en-{language}{name}.free"
    return dict(zip(names, (target, links, free), strict=True))


def constructions(language, out):
    rows = read(HERE / "lines" / f"{language}-C-con.tsv")
    lines = [rows[k] for k in sorted(rows)]
    words = [10**4] * len(lines)
    texts = files([line[0] for line in lines], words, "", language)
    more = [line[4] if len(line) > 4 and line[4] else None for line in lines]
    if any(more):
        texts |= files(more, words, ".2", language)
    write(texts, out)
    print(f"{out}: {len(lines)} sentences, {sum(map(bool, more))} with a second order")


def write(texts, out):
    folder = Path(out)
    folder.mkdir(exist_ok=True)
    for name, lines in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def main(language, out):
    rows, words, main_, more, first, second = [], [], [], [], [], []
    for part in SETS:
        drawn = [line.split("\t") for line in (HERE / f"drawn-{part}.tsv").read_text().splitlines()]
        roles = {}
        for role in "ABC":
            file = HERE / "lines" / f"{language}-{role}-{part}.tsv"
            roles[role] = read(file) if file.is_file() else {}
        for k in sorted(roles["C"]):
            a, b, c = (roles[role].get(k) for role in "ABC")
            rows.append((*drawn[k - 1][:2], part))
            words.append(10**4)  # numbers of words were checked with the text
            main_.append(c[0])
            more.append(c[4] if len(c) > 4 and c[4] else None)
            first.append(a[0] if b else None)
            second.append(b[0] if b else None)
    texts = files(main_, words, "", language)
    if any(more):
        texts |= files(more, words, ".2", language)
    if any(first):
        texts |= files(first, words, ".first", language) | files(second, words, ".second", language)
    texts["standoff.tsv"] = list(map("\t".join, rows))
    write(texts, out)
    print(f"{out}: {len(rows)} sentences, {sum(map(bool, second))} annotated twice")


if __name__ == "__main__":
    if sys.argv[1] == "--constructions":
        constructions(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
