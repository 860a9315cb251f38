"""Lists of verbs and nouns in rule files have all regular forms of their words.

A list with *visit* and *visiting*, but no *visited*, is a hole that no treebank shows.
"""

import re
import tomllib

import pytest

from preorder_eval.base.resources import bundled_names

LISTS = {"en-zh": tomllib.loads(bundled_names("rules")["en-zh"].read_text("utf-8"))["words"]}
# Lists of verbs in all forms, and of nouns in both numbers.
VERBS = [
    (rules, name)
    for rules, lists in LISTS.items()
    for name, words in lists.items()
    if sum(word.endswith("ing") for word in words) > 4
]
NOUNS = [
    ("en-zh", name)
    for name in [
        "containers",
        "pieces",
        "groups",
        "amounts",
        "ends",
        "about",
        "surfaces",
        "vehicles",
    ]
]
# Nouns without a plural, or without a singular, in these lists.
ALONE = {
    "information", "research", "advice", "news", "bit", "couple", "variety", "plenty", "majority",
    "tens", "hundreds", "thousands", "millions", "billions", "feet", "foot", "yuan", "yen",
}  # fmt: skip

# Verbs without a past in -ed.
# fmt: off
IRREGULAR = {
    "beat", "become", "begin", "bend", "bite", "blow", "break", "bring", "build", "burn", "buy",
    "catch", "choose", "come", "creep", "cut", "deal", "draw", "drink", "drive", "dwell", "eat",
    "fall", "feed", "feel", "fight", "find", "flee", "fling", "fly", "forget", "freeze", "get",
    "give", "go", "grind", "grow", "hang", "hear", "hide", "hit", "hold", "keep", "kneel", "knit",
    "know", "lay", "lead", "lean", "leap", "leave", "lend", "lie", "lose", "make", "meet", "pay",
    "put", "read", "ride", "rise", "run", "say", "see", "sell", "send", "set", "sew", "shake",
    "shine", "shoot", "show", "shut", "sing", "sink", "sit", "sleep", "slide", "speak", "spend",
    "spread", "spring", "stand", "steal", "stick", "strike", "swear", "sweep", "swim", "take",
    "teach", "tear", "tell", "think", "throw", "understand", "upset", "wake", "wear", "weep",
    "win", "wind", "write",
}
# fmt: on


def third(verb):
    """Return the form of a verb behind *she*, or the plural of a noun."""
    if verb.endswith(("s", "x", "z", "ch", "sh", "go", "do")):
        return f"{verb}es"
    return re.sub(r"([^aeiou])y$", r"\1ie", verb) + "s"


def with_ending(verb, ending):
    """Return the forms that a verb can have with *-ing* or *-ed*: loving, tying, hitting."""
    bare = {verb, verb.removesuffix("e"), verb + verb[-1]}
    bare |= {verb[:-2] + "y"} if ending == "ing" else {re.sub(r"([^aeiou])y$", r"\1i", verb)}
    return {word + ending for word in bare}


def test_there_are_lists_of_verbs():
    assert len(VERBS) > 10


@pytest.mark.parametrize(("rules", "name"), VERBS)
def test_a_list_of_verbs_has_all_regular_forms(rules, name):
    words = {*LISTS[rules][name]}
    verbs = {word for word in words if third(word) in words}
    assert [v for v in sorted({*verbs} - IRREGULAR) if not with_ending(v, "ed") & words] == []
    participles = {word for word in words if word.endswith("ing") and word[:-3] not in {"br", "fl"}}
    participles -= verbs  # bring, fling
    assert [v for v in sorted(verbs) if not with_ending(v, "ing") & words] == []
    assert sorted(participles - {form for v in verbs for form in with_ending(v, "ing")}) == []
    regular = {word for word in words if word.endswith("ed")} - verbs
    known = {form for v in verbs for form in with_ending(v, "ed")}
    assert sorted(regular - known - {"fled", "located", "situated"}) == []


@pytest.mark.parametrize(("rules", "name"), NOUNS)
def test_a_list_of_nouns_has_both_numbers(rules, name):
    words = {*LISTS[rules][name]} - ALONE
    plurals = {"shelves": "shelf", "loaves": "loaf", "halves": "half"}
    pairs = {word: third(word) for word in words} | {one: many for many, one in plurals.items()}
    known = {*pairs.values()}
    assert [w for w in sorted(words) if w not in known and pairs[w] not in words] == []
