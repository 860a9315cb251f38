"""Vary everyday English sentences, to train the bundled English parser from.

    python vary.py everyday.conllu EWT GUM --out data/varied.conllu

A new sentence is one of the given trees with other noun phrases, verbs, tenses, times and clauses.
The nouns and other words are those of `words.txt`; the treebanks tell the forms of verbs.
Sentences of this project's reference sets are left out.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import english
from english import Sentence, Word, children, copied, ended, lowered, raised, root, subtree, without

HERE = Path(__file__).parent
NOUNS = ["person", "animal", "thing", "car", "food", "dish", "building", "place"]
TIMES = ["unit", "weekday", "month", "part", "season"]
OTHERS = {"name": "NNP", "city": "NNP", "number": "CD", "kind": "JJ", "mood": "JJ"}
OTHERS |= {"way": "RB", "often": "RB", "weekday": "NNP", "month": "NNP"}
UPOS = {"NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "DT": "DET", "PRP$": "PRON", "WP": "PRON"}
UPOS |= {"WDT": "PRON", "CD": "NUM", "JJ": "ADJ", "RB": "ADV", "WRB": "ADV", "CC": "CCONJ"}
UPOS |= {"IN": "ADP", "POS": "PART", ",": "PUNCT"}
# Auxiliaries of a tense, which come up as often as they stand here; "" is any modal verb.
TENSES = [[], [], [], [], [], ["have"], ["have"], ["be"], ["have", "be"], ["will"], [""]]
BE = {"VBZ": ["is", "are"], "VBP": ["is", "are"], "VBD": ["was", "were"]}


def word(form: str, xpos: str, label: str, head: Word | None = None) -> Word:
    """Make a word."""
    return Word(form, form, UPOS[xpos], xpos, label, head)


def text(words: Sentence) -> str:
    """Return the text of a sentence, in lower case."""
    return " ".join(word.form for word in words).lower()


def is_plural(subject: Sentence) -> bool:
    """Return whether a subject takes the form of verbs of a plural."""
    top = next(word for word in subject if word.head not in subject)
    several = children(subject, top, "conj") and any(word.form == "and" for word in subject)
    return bool(several) or top.xpos == "NNS" or top.form.lower() in ("you", "we", "they")


def is_clause(words: Sentence) -> bool:
    """Return whether a sentence is one clause that starts with its subject."""
    asks = any(w.xpos[0] == "W" for w in words)
    subject = english.subject_of(words, root(words))
    return english.is_plain(words, 14) and not asks and subject[:1] == words[:1]


class Varier:
    """Varies trees; what is chosen depends on the seed alone."""

    def __init__(self, trees: Sequence[Sentence], treebank: Sequence[Sentence], seed: int) -> None:
        """Collect forms of verbs, and the clauses, verbs and times of the trees."""
        self.rng = random.Random(seed)  # noqa: S311 (not for secrets)
        parts = (HERE / "words.txt").read_text(encoding="utf-8").split("[")[1:]
        self.lists = {name: words.split() for name, words in (p.split("]") for p in parts)}
        self.plurals = dict(pair.split("/") for pair in self.lists["plural"])
        self.kind_of = {w: kind for kind in (*NOUNS, *TIMES, *OTHERS) for w in self.lists[kind]}
        nouns = {w: kind for w, kind in self.kind_of.items() if kind in (*NOUNS, "unit")}
        self.kind_of |= {self.plural(noun): kind for noun, kind in nouns.items()}
        verbs = [w for words in treebank for w in words if w.xpos[0] == "V"]
        seen = Counter((w.lemma, w.xpos, w.form.lower()) for w in verbs).most_common()
        self.forms = {(lemma, xpos): form for (lemma, xpos, form), _ in reversed(seen)}
        lemmas = {(form, xpos): lemma for (lemma, xpos, form), _ in reversed(seen)}
        for w in (w for words in trees for w in words):
            w.lemma = "_" if w.xpos[0] == "V" else w.form.lower()
            w.lemma = lemmas.get((w.form.lower(), w.xpos), w.lemma)
        self.trees = trees
        self.clauses = [words for words in trees if is_clause(words)]
        self.verbs: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for name in self.lists:
            if ", " in name:
                self.verbs[tuple(name.split(", "))] += self.lists[name]
        for words in self.clauses:
            self.verbs[self.frame(words)].append(root(words).lemma)
        self.times = [part for words in trees for w in words if (part := self.time(words, w))]

    def p(self, share: float) -> bool:
        """Return whether to do what is done so often."""
        return self.rng.random() < share

    def any(self, name: str) -> str:
        """Return a word of a list."""
        return self.rng.choice(self.lists[name])

    def plural(self, noun: str) -> str:
        """Return the plural of a noun, or the third person of a verb."""
        if noun in self.plurals:
            return self.plurals[noun]
        if noun[-1] == "y" and noun[-2] not in "aeo":
            return noun[:-1] + "ies"
        return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")

    def form(self, lemma: str, xpos: str, plural: bool = False) -> str:
        """Return a form of a verb."""
        if lemma == "be" and xpos in BE:
            return BE[xpos][plural]
        if xpos in ("VB", "VBP") or lemma in self.lists["modal"]:
            return lemma
        stem = lemma.removesuffix("e")
        regular = {"VBZ": self.plural(lemma), "VBG": stem + "ing"}.get(xpos, stem + "ed")
        return self.forms.get((lemma, xpos), regular)

    def kind(self, word: Word) -> str | None:
        """Return the list of the noun or the person that a pronoun stands for."""
        if word.form.lower() in ("he", "she", "they", "him", "them"):
            return "person"
        return "person" if word.form in self.lists["name"] else self.kind_of.get(word.form)

    def frame(self, words: Sentence) -> tuple[str, ...]:
        """Return the kinds of a verb's subject and object or adjunct; empty if it takes others."""
        verb = root(words)
        known = verb.upos == "VERB" and verb.lemma != "_"
        taken = [w for w in children(words, verb) if w.upos not in ("ADV", "AUX", "PART", "PUNCT")]
        fits = [w.label for w in taken] in (["nsubj"], ["nsubj", "obj"], ["nsubj", "obl"])
        kinds = tuple(f"{w.label} {self.kind(w)}" for w in taken)
        return kinds if known and fits and all(map(self.kind, taken)) else ()

    def time(self, words: Sentence, top: Word) -> Sentence:
        """Return the words of a time that is part of a clause; empty if it is none."""
        part = subtree(words, top) if top.head and top.head.upos == "VERB" else []
        if not part or len(part) > 5 or top.label not in ("obl", "obl:unmarked", "advmod"):
            return []
        timed = any(self.kind(w) in TIMES for w in part)
        timed |= top.form in ("yesterday", "today", "tomorrow", "tonight", "night", "ago", "noon")
        odd = any(w.upos in ("VERB", "PUNCT") or w.xpos[0] == "W" for w in part)
        return part if timed and not odd and part[0].form not in ("than", "as", "by", "to") else []

    def noun_phrase(self, kind: str, xpos: str, label: str, depth: int) -> Sentence:
        """Make a noun phrase, with a relative clause or another phrase in it if depth is 0."""
        if kind == "person" and xpos == "NN" and self.p(0.2):
            return [word(self.any("name"), "NNP", label)]
        *first, noun = self.any(kind).split("~")
        top = word(self.plural(noun) if xpos == "NNS" else noun, xpos, label)
        front = [word(form, "NN", "compound", top) for form in first]
        if self.p(0.25):
            form = self.any("mood" if kind == "person" else "kind")
            front.insert(0, word(form, "JJ", "amod", top))
        if (r := self.rng.random()) < 0.5:
            front.insert(0, word("the", "DT", "det", top))
        elif r < 0.7:
            front.insert(0, word(self.any("whose"), "PRP$", "nmod:poss", top))
        elif r < 0.75 and depth < 2:
            owner = self.noun_phrase("person", "NN", "nmod:poss", depth=2)
            hung(owner, top)
            front = [*owner, word("'s", "POS", "case", owner[-1]), *front]
        elif xpos == "NN":
            front.insert(0, word("some" if kind == "food" else self.any("which"), "DT", "det", top))
        elif r < 0.85:
            front.insert(0, word(self.any("number"), "CD", "nummod", top))
        back: Sentence = []
        if depth < 1 and self.p(0.2):
            back = self.relative(kind, xpos)
        elif depth < 2 and kind != "place" and self.p(0.08):
            back = self.prepositional("place", "nmod")
        elif depth < 2 and xpos == "NNS" and self.p(0.2):
            back = self.noun_phrase(kind, "NN", "conj", depth=2)
            back.insert(0, word("and", "CC", "cc", root(back)))
        return [*front, top, *hung(back, top)]

    def prepositional(self, kind: str, label: str) -> Sentence:
        """Make a noun phrase after a preposition of place."""
        phrase = self.noun_phrase(kind, "NN", label, depth=1)
        return [word(self.any("where"), "IN", "case", root(phrase)), *phrase]

    def relative(self, kind: str, xpos: str) -> Sentence:
        """Make a relative clause from a clause with such a noun; empty if it finds none."""
        for template in self.rng.sample(self.clauses, min(30, len(self.clauses))):
            words = self.exchanged(copied(template), depth=2)
            verb = root(words)
            gaps = [w for w in children(words, verb) if w.label in ("nsubj", "obj", "obl")]
            gaps = [w for w in gaps if self.kind(w) == kind and w.upos == "NOUN"]
            if not gaps or verb.upos != "VERB" or children(words, gaps[0], "conj", "nmod"):
                continue
            gap = self.rng.choice(gaps)
            lowered(words)
            plain = not children(words, verb, "aux", "advmod") and verb.lemma != "_"
            if gap.label == "nsubj" and plain and self.p(0.25):  # the man buying a book
                verb.form, verb.xpos, verb.label = self.form(verb.lemma, "VBG"), "VBG", "acl"
                return without(words, subtree(words, gap))[:-1]
            alone = not children(words, verb, "iobj", "xcomp", "ccomp")
            if gap.label == "obj" and plain and alone and self.p(0.3):  # the book bought by the man
                agent = self.noun_phrase("person", self.rng.choice(["NN", "NNS"]), "obl:agent", 2)
                agent.insert(0, word("by", "IN", "case", root(agent)))
                verb.form, verb.xpos, verb.label = self.form(verb.lemma, "VBN"), "VBN", "acl"
                gone = [*english.subject_of(words, verb), *subtree(words, gap), verb, words[-1]]
                return [verb, *hung(agent, verb), *without(words, gone)]
            words = self.conjugated(words, xpos == "NNS" if gap.label == "nsubj" else None)
            gone, verb.label = subtree(words, gap), "acl:relcl"
            front = []
            if gap.label == "obl" and gone[0].form in ("in", "at") and self.p(0.6):
                front = [word("where", "WRB", "advmod", verb)]
            elif gap.label == "obl":  # the chair he was sitting on
                gone[0].head, gone[0].label = verb, "obl"
                gone = gone[1:]
            elif gap.label == "nsubj" or self.p(0.5):
                form = self.rng.choice(["that", "who" if kind == "person" else "which"])
                front = [word(form, "WP" if form == "who" else "WDT", gap.label, verb)]
            return [*front, *without(words, gone)[:-1]]
        return []

    def conjugated(self, words: Sentence, plural: bool | None = None) -> Sentence:
        """Put the verb of a sentence that starts with its subject into another tense."""
        verb, subject = root(words), english.subject_of(words, root(words))
        top = next((w for w in subject if w.head is verb), verb)
        chain, cop = children(words, verb, "aux", "cop"), children(words, verb, "cop")
        usual = ("be", "have", "do", *self.lists["modal"])
        odd = [w for w in chain if w.lemma not in usual or w.label == "aux:pass" or "'" in w.form]
        odd += [w for w in children(words, verb, "conj") if not children(words, w, "nsubj", "aux")]
        known = cop or verb.lemma != "_"
        turned = words.index((*chain, verb)[0]) < words.index(top)
        if not subject or odd or not known or turned or top.form == "I":
            return words
        plural = is_plural(subject) if plural is None else plural
        names = [name or self.any("modal") for name in self.rng.choice(TENSES)]
        names = names[:-1] if cop and names[-1:] == ["be"] else names
        denied = self.p(0.1)
        core = cop[0] if cop else verb
        if not names and denied and not cop:
            names = ["do"]
        new = [Word(name, name, "AUX", "", "aux", verb) for name in names]
        xpos = self.rng.choice(["VBD", "VBP" if plural else "VBZ"])
        for w in (*new, core):
            w.xpos = "MD" if w.lemma in self.lists["modal"] else xpos
            w.form = self.form(w.lemma, w.xpos, plural)
            xpos = {"have": "VBN", "be": "VBG"}.get(w.lemma, "VB")
        new += cop
        if denied:
            new.insert(1, word("not", "RB", "advmod", verb))
            if new[0].form not in ("can", "will", "may", "might") and self.p(0.6):
                new[1].form = "n't"
        elif new and self.p(0.07):
            new.insert(1, word(self.any("often"), "RB", "advmod", verb))
        denial = [w for w in children(words, verb, "advmod") if w.form in ("n't", "not")]
        rest = without(words, [*chain, *denial])
        at = rest.index(subject[-1]) + 1
        return [*rest[:at], *new, *rest[at:]]

    def exchanged(self, words: Sentence, depth: int) -> Sentence:
        """Put another verb, noun phrases, times and words of the lists into a sentence."""
        verb, frame = root(words), self.frame(words)
        if frame and frame in self.verbs and self.p(0.6):
            verb.lemma = self.rng.choice(self.verbs[frame])
            verb.form = self.form(verb.lemma, verb.xpos)
        for top in [w for w in words if w.head]:
            part = subtree(words, top) if any(w is top for w in words) else []
            new = []
            if self.time(words, top) and self.p(0.6):
                new = lowered_copy(self.rng.choice(self.times))
            elif self.is_exchangeable(part, top) and self.p(0.6 if top.upos == "NOUN" else 0.3):
                xpos = "NNS" if top.xpos == "NNS" or top.form.lower() in ("they", "them") else "NN"
                case = [w for w in part if w.head is top and w.label == "case"]
                new = self.noun_phrase(self.kind(top) or "", xpos, top.label, depth)
                for w in case:
                    w.head = root(new)
                new = [*case, *new]
            if new:
                at = words.index(part[0])
                words = [*words[:at], *hung(new, top.head), *words[at + len(part) :]]
        for w in words:
            kind = self.kind_of.get(w.form, "")
            fits = kind and w.xpos.removesuffix("S") == OTHERS.get(kind, "NN")
            joined = children(words, w, "compound", "advmod") or w.label == "compound"
            manner = w.upos == "ADV" and children(words, w.head or w, "advcl", "advmod") != [w]
            if fits and not joined and not manner and self.p(0.5):
                w.lemma = self.any(kind).split("~")[-1]
                w.form = self.plural(w.lemma) if w.xpos == "NNS" else w.lemma
        return words

    def is_exchangeable(self, part: Sentence, top: Word) -> bool:
        """Return whether another noun phrase can take the place of one."""
        if not part or self.kind(top) not in NOUNS:
            return False
        if top.label not in ("nsubj", "nsubj:pass", "obj", "iobj", "obl", "obl:agent", "nmod"):
            return False
        kept = {"advcl", "conj", "acl", "fixed", "appos"} & {w.label.split(":")[0] for w in part}
        odd = any(w.xpos[0] == "W" or w.upos == "PUNCT" or w.form == "such" for w in part)
        return not kept and not odd

    def extended(self, words: Sentence) -> Sentence:
        """Put a time, a place or a manner to the end of a clause, or a time to the front."""
        if root(words).upos != "VERB" or any(self.time(words, w) for w in words):
            return words
        if (r := self.rng.random()) < 0.2:
            new = self.prepositional(self.rng.choice(["place", "building"]), "obl")
        elif r < 0.27:  # from the shop to the bridge
            kind = self.rng.choice(["place", "building", "city", "weekday", "month"])
            new = [*self.end_of("from", kind), *self.end_of("to", kind)]
        elif r < 0.4:
            new = [word(self.any("way"), "RB", "advmod")]
        else:
            new = lowered_copy(self.rng.choice(self.times))
        hung(new, root(words))
        if r > 0.8:
            lowered(words)
            comma = [word(",", ",", "punct", root(words))] if self.p(0.5) else []
            return raised([*new, *comma, *words])
        return [*words[:-1], *new, words[-1]]

    def end_of(self, preposition: str, kind: str) -> Sentence:
        """Make one end of a way or a time."""
        if OTHERS.get(kind) == "NNP":
            part = [word(self.any(kind), "NNP", "obl")]
        else:
            part = self.noun_phrase(kind, "NN", "obl", depth=2)
        return [word(preposition, "IN", "case", root(part)), *part]

    def shared(self, words: Sentence) -> Sentence:
        """Let another verb share the object of a clause, or only its subject: sat and read it."""
        verb, at = root(words), words.index(root(words))
        behind = children(words, verb, "obj")
        others = children(words, verb, "iobj", "xcomp", "ccomp")
        part = subtree(words, behind[0]) if behind else []
        if not part or others or verb.lemma == "_" or words[at + 1 : at + 2] != part[:1]:
            return words
        frame = tuple(f"{w.label} {self.kind(w)}" for w in children(words, verb, "nsubj", "obj"))
        alike = [v for v in self.verbs.get(frame, ()) if v != verb.lemma]
        lemma = self.any("alone")
        if shares := self.p(0.7) and bool(alike):
            lemma = self.rng.choice(alike)
        new = Word(self.form(lemma, verb.xpos), lemma, "VERB", verb.xpos, "conj", verb)
        cc = word(self.rng.choice(["and", "and", "and", "or"]) if shares else "and", "CC", "cc")
        if shares:  # she washed and dried the cups
            cc.head = new
            return [*words[: at + 1], cc, new, *words[at + 1 :]]
        for w in words[:at]:
            w.head = new if w.head is verb else w.head
        cc.head, words[-1].head = verb, new
        new.head, new.label, verb.head, verb.label = None, "root", new, "conj"
        return [*words[:at], new, cc, *words[at:]]

    def stranded(self, words: Sentence) -> Sentence | None:
        """Ask for the noun behind a preposition, which stays: who did she travel with?"""
        verb = root(words)
        nouns = [w for w in children(words, verb, "obl") if w.label == "obl" and self.kind(w)]
        gone = subtree(words, nouns[-1]) if nouns else []
        if len(gone) < 2 or gone[0].label != "case" or gone[1].label == "case":
            return None
        if (turned := english.turned(words, self.rng)) is None:
            return None
        (front, rest), noun = turned, nouns[-1]
        asked = [Word("what", "what", "PRON", "WP", "obl", verb)]
        if self.kind(noun) == "person":
            asked[0].form = asked[0].lemma = "who"
        if self.p(0.3) and noun.upos == "NOUN":
            asked = [Word("which", "which", "DET", "WDT", "det", noun), noun]
        gone[0].head = asked[-1]
        return raised(ended([*asked, *front, *without(rest, gone[1:])], "?"))

    def subordinate(self, verb: Word, second: Word) -> Sentence:
        """Make what stands before a clause that is part of another one, and hang it on that."""
        second.head, second.label = verb, "advcl"
        if self.p(0.15):  # by the time the bus came
            time = word("time", "NN", "obl", verb)
            second.head, second.label = time, "acl:relcl"
            return [word("by", "IN", "case", time), word("the", "DT", "det", time), time]
        mark = word(self.any("mark"), "IN", "mark", second)
        mark.upos = "SCONJ"
        if mark.form == "when":
            mark = word("when", "WRB", "advmod", second)
        even = mark.form in ("if", "when", "before", "after") and self.p(0.25)
        return [*([word("even", "RB", "advmod", second)] if even else []), mark]

    def joined(self, words: Sentence) -> Sentence:
        """Join another clause to a clause, or let somebody say one."""
        other = self.conjugated(self.exchanged(copied(self.rng.choice(self.clauses)), depth=1))
        lowered(other)
        verb, second, other = root(words), root(other), other[:-1]
        comma = word(",", ",", "punct", second)
        if (r := self.rng.random()) < 0.3:
            clause = [*self.subordinate(verb, second), *other]
            if r < 0.15:
                lowered(words)
                return raised([*clause, comma, *words])
            return [*words[:-1], *clause, words[-1]]
        one, two = english.subject_of(words, verb), english.subject_of(other, second)
        if r < 0.5 or (r < 0.7 and is_plural(one) != is_plural(two)):
            cc = word(self.rng.choice(["and", "but", "so"]), "CC", "cc", second)
            return [*words[:-1], comma, cc, *hung(other, verb, "conj"), words[-1]]
        if r < 0.7:  # one subject
            cc = word(self.rng.choice(["and", "and", "but", "or"]), "CC", "cc", second)
            return [*words[:-1], cc, *hung(without(other, two), verb, "conj"), words[-1]]
        said = self.any("say")
        top = Word(self.form(said, "VBD"), said, "VERB", "VBD", "root")
        subject = self.noun_phrase("person", "NN", "nsubj", depth=1)
        that = [Word("that", "that", "SCONJ", "IN", "mark", second)] if self.p(0.6) else []
        if self.p(0.4):  # she asked why or whether
            top.lemma = self.any("ask")
            top.form = self.form(top.lemma, "VBD")
            that = [word(self.any("asked"), "WRB", "advmod", second)]
            if that[0].form in ("whether", "if"):
                that[0].upos, that[0].xpos, that[0].label = "SCONJ", "IN", "mark"
        hung(other, top, "ccomp")
        return self.conjugated(raised(ended([*hung(subject, top), top, *that, *other], ".")))

    def sentence(self) -> Sentence:
        """Make a sentence."""
        words = self.exchanged(copied(self.rng.choice(self.trees)), depth=0)
        words = self.conjugated(words) if words[-1].form == "." and self.p(0.5) else words
        if is_clause(words):
            words = self.shared(words) if self.p(0.6) else words
            words = self.extended(words) if self.p(0.4) else words
            makers = [english.polar, english.content, english.imperative]
            if (r := self.rng.random()) < 0.25:
                words = self.joined(words)
            elif r < 0.33:
                words = self.stranded(words) or words
            elif r < 0.5:
                parts = english.Parts([], {})
                words = self.rng.choice(makers)(words, parts, self.rng) or words
        for article, behind in pairwise(words):
            if article.xpos == "DT" and article.form.lower() in ("a", "an"):
                vowel = behind.form[0].lower() in "aeiou" or behind.form in ("hour", "honest")
                odd = behind.form.startswith(("uni", "use", "one", "eu"))
                article.form = article.form[0] + "n" * (vowel and not odd)
        return raised(words)


def hung(words: Sentence, head: Word | None, label: str = "") -> Sentence:
    """Hang a phrase or clause on a word."""
    for top in [w for w in words if w.head is None]:
        top.head, top.label = head, label or top.label
    return words


def lowered_copy(words: Sentence) -> Sentence:
    """Copy the words of a phrase, as inside a sentence."""
    new = copied(words)
    lowered(new)
    return new


def varied(
    trees: Sequence[Sentence], treebank: Sequence[Sentence], known: set[str], count: int, seed: int
) -> Iterator[Sentence]:
    """Make so many different sentences of 4 to 22 words, none of which is known or given."""
    maker, seen = Varier(trees, treebank, seed), known | set(map(text, trees))
    for _ in range(100 * count):  # few trees make few sentences
        words = maker.sentence()
        if 4 <= len(words) <= 22 and text(words) not in seen:
            seen.add(text(words))
            yield words
            if (count := count - 1) == 0:
                break


def main() -> None:
    """Write the sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path)
    parser.add_argument("treebanks", type=Path, nargs="+")
    parser.add_argument("--sentences", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    trees = list(english.sentences(given.trees))
    treebank = [words for file in given.treebanks for words in english.sentences(file)]
    references = HERE.parents[3].glob("reference_data/**/source.conllu")
    known = {text(words) for file in references for words in english.sentences(file)}
    english.written(list(varied(trees, treebank, known, given.sentences, given.seed)), given.out)


if __name__ == "__main__":
    main()
