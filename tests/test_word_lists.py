"""Lists of verbs and nouns in rule files have all forms, also those with another stem.

A list with *~walk* and *~go*, but no *went*, is a hole that no treebank shows.
"""

import tomllib

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


def test_stems_stand_with_the_forms_that_they_do_not_reach():
    for name, words in WORDS.items():
        named = [word[1:] for word in words if word.startswith("~")]
        stems = {*map(STEM, named)}
        forms = [form for word in named for form in FORMS.get(word, "").split()]
        assert [f for f in forms if f not in words and STEM(f) not in stems] == [], name


def test_no_word_of_a_list_stands_there_twice():
    for name, listed in WORDS.items():
        stems = [STEM(word[1:]) for word in listed if word.startswith("~")]
        words = [word for word in listed if not word.startswith("~")]
        assert len({*stems}) == len(stems), name
        assert len({*words}) == len(words), name
        assert [word for word in words if STEM(word) in stems] == [], name
