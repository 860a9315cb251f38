"""Lists of verbs and nouns in rule files have all forms, also those with another stem.

A list with *~walk* and *~go*, but no *went*, is a hole that no treebank shows.
"""

import tomllib

import pytest
from snowballstemmer import EnglishStemmer

from preorder_eval.base.resources import bundled_names

WORDS = tomllib.loads(bundled_names("rules")["en-zh"].read_text("utf-8"))["words"]
# Forms that verbs and nouns have beside those in -s, -ing and -ed.
FORMS = {
    "beat": "beat beaten", "become": "became become", "begin": "began begun", "bend": "bent",
    "bite": "bitten", "blow": "blew blown", "break": "broke broken", "bring": "brought",
    "build": "built", "burn": "burned burnt", "bus": "buses", "buy": "bought",
    "catch": "caught", "choose": "chose chosen", "come": "came", "creep": "crept", "cut": "cut",
    "deal": "dealt", "draw": "drew drawn", "drink": "drank drunk", "drive": "drove driven",
    "dwell": "dwelt", "dye": "dyed dyeing", "eat": "ate eaten", "fall": "fell fallen",
    "feed": "fed", "feel": "felt", "fight": "fought", "find": "found", "flee": "fled",
    "fling": "flung", "fly": "flew flown", "foot": "feet", "forget": "forgot forgotten",
    "freeze": "froze frozen", "get": "got gotten", "give": "gave given", "go": "went gone",
    "grind": "ground", "grow": "grew grown", "hang": "hung", "hear": "heard",
    "hide": "hid hidden", "hit": "hit", "hold": "held", "keep": "kept",
    "kneel": "knelt kneeled", "knit": "knitted knit", "know": "knew known", "lay": "laid",
    "lead": "led", "lean": "leaned leant", "leap": "leaped leapt", "leave": "left",
    "lend": "lent", "loaf": "loaves", "lose": "lost", "make": "made", "meet": "met",
    "pay": "paid", "put": "put", "read": "read", "ride": "rode ridden", "ring": "rang rung",
    "rise": "rose risen", "run": "ran", "say": "said", "see": "saw seen", "sell": "sold",
    "send": "sent", "set": "set", "sew": "sewed sewn", "shake": "shook shaken",
    "shelf": "shelves", "shine": "shone", "shoot": "shot", "show": "showed shown",
    "shut": "shut", "sing": "sang sung", "sink": "sank sunk", "sit": "sat", "sleep": "slept",
    "slide": "slid", "speak": "spoke spoken", "spend": "spent", "spread": "spread",
    "spring": "sprung", "stand": "stood", "steal": "stole stolen",
    "strike": "struck", "swear": "swore sworn", "sweep": "swept", "swim": "swam swum",
    "take": "took taken", "teach": "taught", "tear": "tore torn", "tell": "told",
    "think": "thought", "throw": "threw thrown", "understand": "understood", "upset": "upset",
    "wake": "woke woken", "wear": "wore worn", "weep": "wept", "win": "won", "wind": "wound",
    "write": "wrote written",
}  # fmt: skip
STEM = EnglishStemmer().stemWord


@pytest.mark.parametrize("name", [n for n, words in WORDS.items() if "~" in "".join(words)])
def test_stems_stand_with_the_forms_that_they_do_not_reach(name):
    words = WORDS[name]
    stems = {STEM(word[1:]) for word in words if word.startswith("~")}
    named = [word[1:] for word in words if word.startswith("~")]
    forms = [form for word in named for form in FORMS.get(word, "").split()]
    assert [form for form in forms if form not in words and STEM(form) not in stems] == []


@pytest.mark.parametrize("name", WORDS)
def test_no_word_of_a_list_stands_there_twice(name):
    stems = [STEM(word[1:]) for word in WORDS[name] if word.startswith("~")]
    words = [word for word in WORDS[name] if not word.startswith("~")]
    assert len({*stems}) == len(stems)
    assert len({*words}) == len(words)
    assert [word for word in words if STEM(word) in stems] == []
