"""Draw the natural sets: sentences of UD English EWT and PUD, by documents, with a declared seed.

The rule. Of each document, in an order drawn by the seed, at most three sentences, drawn by the
seed, with 6 to 40 words that are not punctuation and without empty nodes. Left out, with the reason
in skipped.tsv: sentences with an e-mail address or a telephone number; bare addresses (fewer than
6 words besides URLs); rows of tables (no verb, and two fifths or more numbers); sentences that
stand, word by word, in EWT train (parsers know them) or among those drawn before.
"""

import hashlib
import json
import random
import re
import sys
from pathlib import Path


def sentences(path):
    doc, meta, words, empty = None, {}, [], False
    for line in path.read_text("utf-8").split("\n"):
        if line.startswith("# newdoc"):
            doc = line.partition("=")[2].strip()
        if line.startswith("#"):
            k, _, v = line[1:].partition("=")
            meta[k.strip()] = v.strip()
        elif line:
            cells = line.split("\t")
            if "-" in cells[0]:
                continue
            if "." in cells[0]:
                empty = True
                continue
            words.append((cells[1], cells[3], cells[4]))
        elif words:
            sentence = {"id": meta["sent_id"], "doc": doc, "text": meta["text"]}
            yield sentence | {"words": words, "empty": empty}
            meta, words, empty = {}, [], False


PHONE = re.compile(
    r"(?<!\d)(\+?\d{1,3}[-. )]*)?(\(?\d{3}\)?[-. ]*)\d{3}[-. ]\d{4}(?!\d)"
    r"|(?<!\d)\d{3}[- .]\d{4}(?!\d)|(?i:\b(?:tel|phone|fax|ext)\b\.?:?\s*[+(]?\d)"
)
MAIL = re.compile(r"\S@\S+\.\S|\S+@\S+|@ENRON|mailto:", re.I)
URL = re.compile(r"https?:|www\.|\w\.(com|org|net|gov|edu)\b", re.I)


def reason(s, train):
    if s["empty"]:
        return "empty node"
    content = [w for w in s["words"] if w[1] not in ("PUNCT",)]
    if not 6 <= len(content) <= 40:
        return "length"
    if MAIL.search(s["text"]):
        return "e-mail address"
    if PHONE.search(s["text"]):
        return "telephone number"
    if sum(not URL.search(w[0]) for w in content) < 6:
        return "bare address"
    signs = sum(w[1] in ("NUM", "SYM", "X") for w in content)
    if signs >= 0.4 * len(content) and not any(w[1] in ("VERB", "AUX") for w in content):
        return "row of a table"
    if key(s) in train:
        return "stands in EWT train"
    return None


def key(s):
    return " ".join(w[0].lower() for w in s["words"])


def draw(name, path, count, seed, train, skipped):
    rng = random.Random(f"{name} {seed}")  # noqa: S311
    docs = {}
    seen = set(train)
    for s in sentences(path):
        why = reason(s, seen)
        if why:
            if why not in ("length", "empty node"):
                skipped.append((name, s["id"], why))
            continue
        seen.add(key(s))
        docs.setdefault(s["doc"], []).append(s)
    order = sorted(docs)
    rng.shuffle(order)
    pools = {d: rng.sample(docs[d], min(3, len(docs[d]))) for d in order}
    chosen = []
    for turn in range(3):  # a sentence of every document before a second of any
        for d in order:
            if turn < len(pools[d]) and len(chosen) < count:
                chosen.append(pools[d][turn])
    rng.shuffle(chosen)
    return chosen, len(docs), sum(map(len, docs.values()))


def digest(s):
    return hashlib.sha256(" ".join(w[0] for w in s["words"]).encode()).hexdigest()[:16]


if __name__ == "__main__":
    ewt, pud, out = map(Path, sys.argv[1:])  # UD_English-EWT, PUD, the folder to write
    out.mkdir(exist_ok=True)
    train = {key(s) for s in sentences(ewt / "en_ewt-ud-train.conllu")}
    skipped = []
    for name, path, count in (
        ("test", ewt / "en_ewt-ud-test.conllu", 400),
        ("dev", ewt / "en_ewt-ud-dev.conllu", 150),
        ("pud", pud, 150),
    ):
        chosen, nd, ns = draw(name, path, count, 2026, train, skipped)
        words = sum(len(s["words"]) for s in chosen) / len(chosen)
        print(f"{name}: {len(chosen)} of {ns} sentences, {nd} documents, {words:.1f} words")
        with (out / f"{name}.jsonl").open("w") as f:
            for s in chosen:
                row = {key: s[key] for key in ("id", "doc", "text")} | {"hash": digest(s)}
                row["words"] = [w[0] for w in s["words"]]
                f.write(json.dumps(row, ensure_ascii=False) + "\n")
    with (out / "skipped.tsv").open("w") as f:
        f.writelines("\t".join(r) + "\n" for r in skipped)
