"""Data to train the bundled English parser from, made of files that you name.

    python english.py gold EWT GUM ESLSPOK --out data
    python english.py augment EWT GUM --out data/augmented.conllu
    python english.py silver STRONG OTHER --out data/silver.conllu

`gold` writes treebanks with the labels and tags of the newest one. `augment` writes new sentences
that are made of a treebank's own trees, so many of each kind of `KINDS`. `silver` writes the trees
of text that two parsers parsed alike. The manual's page on parsers tells how they are used.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from preorder_eval.base.ragged import NameColumn
from preorder_eval.trees.conllu import read_conllu

# What older treebanks write otherwise.
NEWER = {
    "flat:foreign": "flat",
    "nmod:npmod": "nmod:unmarked",
    "nmod:tmod": "nmod:unmarked",
    "obl:npmod": "obl:unmarked",
    "obl:tmod": "obl:unmarked",
    "csubj:outer": "csubj",
}
TAGS = {"(": "-LRB-", ")": "-RRB-", '"': "``", "X": "FW"}
FINITE = {"MD", "VBZ", "VBP", "VBD"}
# How a parser of transcribed or misspelt text is taught, but no parser of sentences made from it.
UNFIT = {"goeswith", "reparandum", "dep", "list", "orphan", "dislocated", "discourse", "vocative"}
WHOLE = {"'m": "am", "'re": "are", "'ll": "will", "'ve": "have", "ca": "can", "wo": "will"}
PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do", "am": "are"}
MARKS = {"when", "if", "because", "after", "before", "while", "although", "though", "since"}
MARKS |= {"unless", "until", "once"}


@dataclass(eq=False)
class Word:
    """A word of a tree that can be moved: its head is a word, None for the root."""

    form: str
    lemma: str
    upos: str
    xpos: str
    label: str
    head: Word | None = None


Sentence = list[Word]
Maker = Callable[[Sentence, "Parts", random.Random], Sentence | None]


def sentences(file: Path) -> Iterator[Sentence]:
    """Read the trees of a file as words that can be moved."""
    trees = read_conllu(file)
    lemmas = iter(trees.columns.get("lemma", NameColumn.same("_", len(trees.words))))
    for tree in trees:
        rows = zip(tree.words, tree.upos, tree.xpos, tree.labels, strict=True)
        words = [Word(form, next(lemmas), upos, xpos, label) for form, upos, xpos, label in rows]
        for word, head in zip(words, tree.heads, strict=True):
            word.head = words[head] if head >= 0 else None
        yield words


def copied(words: Sequence[Word]) -> Sentence:
    """Copy words; heads that are not among them become None."""
    new = {id(word): replace(word) for word in words}
    for word in new.values():
        word.head = new.get(id(word.head))
    return list(new.values())


def children(words: Sentence, head: Word, *labels: str) -> Sentence:
    """Return the children of a word, or those with some labels or subtypes of them."""
    own = [word for word in words if word.head is head]
    return [w for w in own if w.label.split(":")[0] in labels] if labels else own


def subtree(words: Sentence, top: Word) -> Sentence:
    """Return a word and all below it, in their order; empty if others stand between them."""
    inside = {id(top)}
    while True:
        more = {id(w) for w in words if id(w.head) in inside} - inside
        if not more:
            break
        inside |= more
    places = [i for i, word in enumerate(words) if id(word) in inside]
    whole = places[-1] - places[0] + 1 == len(places)
    return [words[i] for i in places] if whole else []


def root(words: Sentence) -> Word:
    """Return the root."""
    return next(word for word in words if word.head is None)


def without(words: Sentence, gone: Sequence[Word]) -> Sentence:
    """Return the words that are not among some."""
    out = set(map(id, gone))
    return [word for word in words if id(word) not in out]


def lowered(words: Sentence) -> None:
    """Write the first word as inside a sentence."""
    first = words[0]
    if first.upos not in ("PROPN", "X") and first.form != "I" and first.form.istitle():
        first.form = first.form.lower()


def raised(words: Sentence) -> Sentence:
    """Write the first word as at the start of a sentence."""
    first = next((word for word in words if word.upos != "PUNCT"), words[0])
    first.form = first.form[:1].upper() + first.form[1:]
    return words


def ended(words: Sentence, mark: str) -> Sentence:
    """Let a sentence end in a mark."""
    if words[-1].upos == "PUNCT":
        words = words[:-1]
    return [*words, Word(mark, mark, "PUNCT", ".", "punct", root(words))]


def is_plain(words: Sentence, longest: int) -> bool:
    """Return whether a sentence is one clause after one subject, and ends in a full stop."""
    top, inner = root(words), words[:-1]
    return (
        4 <= len(words) <= longest
        and words[-1].form == "."
        and not any(word.upos in ("PUNCT", "SYM", "X") for word in inner)
        and not any(word.label in UNFIT or word.label == "parataxis" for word in words)
        and not children(words, top, "conj", "expl", "cc")
    )


def subject_of(words: Sentence, verb: Word) -> Sentence:
    """Return the words of a verb's one subject, which stands before it; empty if there is none."""
    found = children(words, verb, "nsubj")
    if len(found) != 1 or words.index(found[0]) > words.index(verb):
        return []
    if found[0].xpos in ("WP", "WDT", "WRB") or found[0].label == "nsubj:outer":
        return []
    return subtree(words, found[0])


@dataclass
class Parts:
    """What new sentences are made of: subjects and relative clauses, by the tag of their noun."""

    subjects: list[Sentence]
    clauses: dict[str, list[Sentence]]

    @classmethod
    def of(cls, trees: Sequence[Sentence]) -> Parts:
        """Collect the short subjects and relative clauses of trees."""
        subjects: list[Sentence] = []
        clauses: dict[str, list[Sentence]] = {"NN": [], "NNS": []}
        for words in trees:
            for word in words:
                if word.head is None or word.label not in ("nsubj", "nsubj:pass", "acl:relcl"):
                    continue
                part = subtree(words, word)
                if any(w.upos in ("PUNCT", "SYM", "X") or w.label in UNFIT for w in part):
                    continue
                if word.label != "acl:relcl":
                    if part and len(part) <= 4 and word.upos in ("NOUN", "PROPN", "PRON"):
                        usual = word.xpos in ("NN", "NNS", "NNP") or word.lemma in SPEAKERS
                        if usual and not any(w.xpos.startswith("W") for w in part):
                            subjects.append(part)
                    continue
                behind = 2 <= len(part) <= 9 and words.index(part[0]) == words.index(word.head) + 1
                if behind and word.head.xpos in ("NN", "NNS", "NNP", "PRP", "DT"):
                    clauses["NNS" if word.head.xpos == "NNS" else "NN"].append(part)
        return cls(subjects, clauses)


SPEAKERS = {"he", "she", "they", "we", "I"}
QUOTES = {'"', "“", "”", "``", "''"}
SAID = [("said", "say"), ("asked", "ask"), ("replied", "reply"), ("says", "say"), ("told", "tell")]


def relative(words: Sentence, parts: Parts, rng: random.Random) -> Sentence | None:
    """Put a relative clause behind a subject."""
    for word in words if 4 <= len(words) <= 24 else ():
        if not word.label.startswith("nsubj") or word.xpos not in ("NN", "NNS"):
            continue
        part = subtree(words, word)
        if not part or word.head is None or words.index(word.head) < words.index(part[-1]):
            continue
        if word.head.label not in ("root", "ccomp", "advcl", "conj"):
            continue
        if word.head.label != "root" and rng.random() < 0.5:
            continue
        behind = words[words.index(part[-1]) + 1]
        others = part[part.index(word) + 1 :]
        if behind.upos == "PUNCT" or any(w.head is word and w.label != "nmod" for w in others):
            continue
        if any(w.label.startswith("acl") for w in part):
            continue
        clause = copied(rng.choice(parts.clauses[word.xpos]))
        root(clause).head = word
        lowered(clause)
        at = words.index(part[-1]) + 1
        return [*words[:at], *clause, *words[at:]]
    return None


def turned(words: Sentence, rng: random.Random) -> tuple[Sentence, Sentence] | None:
    """Put the finite verb of a plain sentence before its subject: both, and what follows."""
    verb = root(words)
    subject = subject_of(words, verb)
    if not is_plain(words, 16) or not subject or subject[0] is not words[0]:
        return None
    rest = words[len(subject) :]
    front = [w for w in children(words, verb, "aux", "cop") if w.xpos in FINITE and w in rest]
    lowered(subject)
    if front and front[0] is next((w for w in rest if w.upos != "ADV"), None):
        finite = front[0]
        form = finite.form.lower()
        if form in ("'s", "’s"):
            form = "has" if finite.lemma == "have" else "is"
        if form in ("'d", "’d"):
            form = "had" if finite.lemma == "have" else "would"
        finite.form = WHOLE.get(form.replace("’", "'"), form)
        taken = [finite]
    elif not front and verb.upos == "VERB" and verb.xpos in FINITE and verb.lemma != "_":
        form = {"VBD": "did", "VBZ": "does", "VBP": "do"}[verb.xpos]
        taken = [Word(form, "do", "AUX", verb.xpos, "aux", verb)]
        verb.form, verb.xpos = verb.lemma, "VB"
    else:
        return None
    after = rest[rest.index(taken[0]) + 1 :] if taken[0] in rest else rest
    if after and after[0].form.lower() in ("n't", "n’t"):
        taken.append(after[0])
        if taken[0].form == "can" and after[0].form:
            taken[0].form = "ca"
        elif taken[0].form == "will":
            taken[0].form = "wo"
    rest = without(rest, taken)
    if len(subject) == 1 and subject[0].form in ("I", "we") and rng.random() < 0.7:
        subject[0].form = subject[0].lemma = "you"
        taken[0].form = {"am": "are", "was": "were"}.get(taken[0].form, taken[0].form)
    return [*taken, *subject], rest


def polar(words: Sentence, parts: Parts, rng: random.Random) -> Sentence | None:
    """Ask whether."""
    moved = turned(words, rng)
    return moved and raised(ended([*moved[0], *moved[1]], "?"))


def content(words: Sentence, parts: Parts, rng: random.Random) -> Sentence | None:
    """Ask who, what, where, when, why or how."""
    verb = root(words)
    subject = subject_of(words, verb)
    alone = len(subject) and subject[0] is words[0] and is_plain(words, 16)
    if alone and verb.xpos in ("VBD", "VBZ") and rng.random() < 0.25:
        asked = rng.choice(["Who", "What"])
        top = next(w for w in subject if w.head is verb)
        pronoun = Word(asked, asked.lower(), "PRON", "WP", top.label, verb)
        return ended([pronoun, *words[len(subject) :]], "?")
    moved = turned(words, rng)
    if moved is None:
        return None
    front, rest = moved
    objects = children(rest, verb, "obj")
    places = [w for w in children(rest, verb, "obl") if w.label in ("obl", "obl:unmarked")]
    if len(objects) == 1 and rng.random() < 0.6:
        gone = subtree(rest, objects[0])
        asked = rng.choice(["what", "what", "who"])
        new = [Word(asked, asked, "PRON", "WP", "obj", verb)]
        if objects[0].upos == "NOUN" and rng.random() < 0.3:  # which book
            noun = objects[0]
            which = rng.choice(["which", "what"])
            new = [Word(which, which, "DET", "WDT", "det", noun), noun]
            gone = gone if len(gone) <= 2 else []
    else:
        gone = subtree(rest, places[-1]) if places else []
        asked = rng.choice(["where", "when"] if gone else ["why", "how"])
        if not gone and places:
            return None
        new = [Word(asked, asked, "ADV", "WRB", "advmod", verb)]
    if len(gone) == 0 and new[-1].label == "obj":
        return None
    return raised(ended([*new, *front, *without(rest, gone)], "?"))


def imperative(words: Sentence, parts: Parts, rng: random.Random) -> Sentence | None:
    """Ask somebody to do what somebody does."""
    verb = root(words)
    subject = subject_of(words, verb)
    if not is_plain(words, 16) or len(subject) != 1 or subject[0] is not words[0]:
        return None
    helping = children(words, verb, "aux")
    if subject[0].xpos != "PRP" or children(words, verb, "cop") or verb.upos != "VERB":
        return None
    if verb.xpos not in ("VB", *FINITE) or verb.lemma == "_":
        return None
    if any(word.xpos != "MD" and word.lemma != "do" for word in helping):
        return None
    negation = [w for w in children(words, verb, "advmod") if w.form.lower() in ("n't", "not")]
    rest = without(words[1:], [*helping, *negation])
    verb.form, verb.xpos = verb.lemma, "VB"
    front: Sentence = []
    if negation:
        front = [Word("do", "do", "AUX", "VB", "aux", verb), *negation[:1]]
    if rng.random() < 0.2:
        front.insert(0, Word("please", "please", "INTJ", "UH", "discourse", verb))
    return raised(ended([*front, *rest], "!" if rng.random() < 0.2 else "."))


def coordinated(words: Sentence, parts: Parts, rng: random.Random) -> Sentence | None:
    """Join another subject to a subject."""
    verb = root(words)
    subject = subject_of(words, verb)
    if not subject or not 4 <= len(words) <= 20 or words[-1].form != "." or len(subject) > 6:
        return None
    top = next(w for w in subject if w.head is verb)
    if top.upos not in ("NOUN", "PROPN") or children(words, top, "conj", "acl", "appos"):
        return None
    finite = [w for w in (*children(words, verb, "aux", "cop"), verb) if w.xpos in FINITE]
    other = copied(rng.choice(parts.subjects))
    if other[0].form in ("I", "We", "They", "He", "She", "we", "they", "he", "she"):
        return None
    if finite:
        form = finite[0].form.lower()
        if finite[0].xpos == "VBZ" and form not in PLURAL and finite[0].form != finite[0].lemma:
            finite[0].form = finite[0].lemma
        finite[0].form = PLURAL.get(form, finite[0].form)
        finite[0].xpos = {"VBZ": "VBP"}.get(finite[0].xpos, finite[0].xpos)
        if finite[0].form.startswith("'"):
            return None
    lowered(other)
    joint = root(other)
    joint.head, joint.label = top, "conj"
    cc = Word(rng.choice(["and", "and", "and", "or"]), "and", "CCONJ", "CC", "cc", joint)
    at = words.index(subject[-1]) + 1
    return [*words[:at], cc, *other, *words[at:]]


def fronted(words: Sentence, parts: Parts, rng: random.Random) -> Sentence | None:
    """Move an adverbial clause from behind the main clause before it."""
    verb = root(words)
    if not 6 <= len(words) <= 24 or words[-1].form != "." or any(w.label in UNFIT for w in words):
        return None
    if not subject_of(words, verb) or words[0].upos in ("CCONJ", "PUNCT"):
        return None
    for clause in children(words, verb, "advcl"):
        part = subtree(words, clause)
        if not part or words.index(part[-1]) != len(words) - 2 or part[0].form.lower() not in MARKS:
            continue
        main = without(words, part)[:-1]
        if main[-1].form == ",":
            main = main[:-1]
        lowered(main)
        comma = Word(",", ",", "PUNCT", ",", "punct", clause)
        return raised(ended([*part, comma, *main], "."))
    return None


def clause(words: Sentence, parts: Parts, rng: random.Random) -> Sentence | None:
    """Let a short clause stand alone."""
    tops = [w for w in words if w.label in ("ccomp", "conj", "parataxis", "advcl") and w.head]
    rng.shuffle(tops)
    for top in tops:
        part = subtree(words, top)
        if not subject_of(part, top):
            continue
        if [w for w in (*children(part, top, "aux", "cop"), top) if w.xpos in FINITE] == []:
            continue
        part = without(part, [w for w in part if w.head is top and w.label in ("cc", "mark")])
        while part and part[0].upos == "PUNCT":
            part = part[1:]
        while part and part[-1].upos == "PUNCT":
            part = part[:-1]
        if not 3 <= len(part) <= 9 or any(w.xpos in ("WRB", "WP", "WDT") for w in part):
            continue
        if any(w.label in UNFIT or w.upos in ("PUNCT", "X", "SYM") for w in part):
            continue
        part = copied(part)
        own = [word for word in part if word.head is None]
        if len(own) != 1:
            continue
        own[0].label = "root"
        return raised(ended(part, rng.choice([".", ".", ".", "!"])))
    return None


def quotation(words: Sentence, parts: Parts, rng: random.Random) -> Sentence | None:
    """Quote a sentence before its verb of saying, as `ccomp` of it."""
    said = root(words)
    marks = {".": ",", "?": "?", "!": "!"}
    if not 3 <= len(words) <= 16 or words[-1].form not in marks or not subject_of(words, said):
        return None
    if said.lemma in ("say", "tell") or any(w.label in UNFIT or w.form in QUOTES for w in words):
        return None
    form, lemma = rng.choice(SAID[1:2] * 3 if words[-1].form == "?" else SAID)
    xpos = "VBZ" if form == "says" else "VBD"
    verb = Word(form, lemma, "VERB", xpos, "root")
    speaker = copied(rng.choice(parts.subjects))
    if rng.random() < 0.4:
        speaker = [Word(rng.choice(["he", "she", "he", "she", "they", "I"]), "", "PRON", "PRP", "")]
    lowered(speaker)
    top = root(speaker)
    top.head, top.label = verb, "nsubj"
    mark = words[-1]
    mark.form = mark.lemma = marks[mark.form]
    mark.xpos = "," if mark.form == "," else "."
    mark.head = said
    said.head, said.label = verb, "ccomp"
    opened, closed = ('"', '"') if rng.random() < 0.8 else ("“", "”")
    quote = [Word(opened, opened, "PUNCT", "``", "punct", said), *words]
    quote.append(Word(closed, closed, "PUNCT", "''", "punct", said))
    told = [verb, *speaker] if top.upos != "PRON" and rng.random() < 0.3 else [*speaker, verb]
    if lemma == "tell":
        told = [*speaker, verb, Word("me", "I", "PRON", "PRP", "iobj", verb)]
    return [*quote, *told, Word(".", ".", "PUNCT", ".", "punct", verb)]


# Each kind with the number of its sentences.
KINDS: dict[Maker, int] = {
    relative: 1200,
    polar: 700,
    content: 700,
    imperative: 700,
    coordinated: 500,
    fronted: 500,
    clause: 1500,
    quotation: 400,
}


def augmented(files: Sequence[Path], seed: int) -> Iterator[Sentence]:
    """Make sentences of each kind from the trees of files."""
    trees = [tree for file in files for tree in sentences(file)]
    parts = Parts.of(trees)
    for maker, wanted in KINDS.items():
        rng = random.Random(f"{maker.__name__} {seed}")  # noqa: S311 (not for secrets)
        made = 0
        for i in rng.sample(range(len(trees)), len(trees)):
            new = maker(copied(trees[i]), parts, rng) if made < wanted else None
            if new:
                made += 1
                yield new
        print(f"{maker.__name__}: {made} sentences")


def written(trees: Sequence[Sentence], out: Path) -> None:
    """Write trees, which are checked when they are read again."""
    with out.open("w", encoding="utf-8") as file:
        for words in trees:
            place = {id(word): i for i, word in enumerate(words, 1)}
            for i, w in enumerate(words, 1):
                head = place[id(w.head)] if w.head else 0
                row = [i, w.form, "_", w.upos, w.xpos, "_", head, "_" if not w.label else w.label]
                file.write("\t".join(map(str, [*row, "_", "_"])) + "\n")
            file.write("\n")
    check = read_conllu(out)
    print(f"{out}: {len(check):,} sentences, {len(check.words):,} words")


def harmonised(file: Path) -> list[Sentence]:
    """Read a treebank with the labels and tags of the newest ones, without unclear trees."""
    trees = []
    for words in sentences(file):
        for word in words:
            word.label = NEWER.get(word.label, word.label)
            word.xpos = TAGS.get(word.xpos, word.xpos)
        if not any(word.label == "dep" for word in words):
            trees.append(words)
    return trees


def agreed(strong: Path, other: Path, least: float) -> Iterator[Sentence]:
    """Keep the stronger parser's trees where the other one has enough of their heads.

    Labels of heads that both have are the other parser's, which has learned them from a treebank.
    Tags are kept where both agree.
    """
    for ours, theirs in zip(sentences(strong), sentences(other), strict=True):
        heads = [[t.index(w.head) if w.head else -1 for w in t] for t in (ours, theirs)]
        same = [a == b for a, b in zip(*heads, strict=True)]
        counted = [same[i] for i, word in enumerate(ours) if word.upos != "PUNCT"]
        if sum(counted) < least * len(counted) or any(w.label == "dep" for w in ours):
            continue
        for a, b, equal in zip(ours, theirs, same, strict=True):
            a.label = b.label if equal and a.head else a.label
            a.upos = a.upos if a.upos == b.upos else "_"
            a.xpos = a.xpos if a.xpos == b.xpos else "_"
        yield ours


def main() -> None:
    """Run one of the three."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["gold", "augment", "silver"])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=float, default=0.5, help="share of heads agreed on")
    given = parser.parse_args()
    if given.what == "gold":
        given.out.mkdir(parents=True, exist_ok=True)
        for file in given.files:
            written(harmonised(file), given.out / file.name)
    elif given.what == "augment":
        written(list(augmented(given.files, given.seed)), given.out)
    else:
        strong, other = given.files
        written(list(agreed(strong, other, given.least)), given.out)


if __name__ == "__main__":
    main()
