"""Values that papers print, with their sources."""

# Talbot et al. 2011, Figures 1 and 2: the order of two systems and the reference order.
# Figure 1 prints 0.5 where equation 1 gives 1 - (5 - 1) / (10 - 1).
TALBOT_REFERENCE = "Dog Trainers Make The 10 Biggest Mistakes about Learn ."
TALBOT_FIGURES = [
    ("The 10 about Learn Biggest Mistakes Dog Trainers Make .", 5 / 9),
    ("Dog Trainers Make The 10 Biggest Mistakes about Learn .", 1.0),
]

# Birch & Osborne 2010, Table 1: permutations (a) to (d); words out of place and inversions,
# counted by hand.
BIRCH_TABLE_1 = {
    "a": ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0, 0),
    "b": ([1, 2, 3, 4, 6, 5, 7, 8, 9, 10], 2, 1),
    "c": ([6, 7, 8, 9, 10, 1, 2, 3, 4, 5], 10, 25),
    "d": ([2, 3, 4, 5, 6, 7, 8, 9, 10, 1], 10, 9),
}

# Isozaki et al. 2010, section 2: word orders with τ and ρ as printed.
ISOZAKI_ORDERS = [
    ([3, 2, 1, 4], 0.0, 0.2),  # H1, "Bob hit John yesterday"
    ([8, 9, 10, 11, 7, 1, 2, 3, 4, 5, 6], -0.236, -0.591),  # H5
]


# Talbot et al. (2011), Table 2: all four worked examples of reference orders made from alignments
# in the paper's notation (a field per target token). Source, alignment, reference order.
TALBOT_TABLE_2 = [
    (
        "How Can I Qualify For A Mortgage Tax Deduction ?",
        "6,6,7_8,4,3,3,3,3,3,0,0,0,0,0,1,1,9,9",
        "A Mortgage {{ Tax Deduction }} For I Qualify How Can ?",
    ),
    (
        "How Can I Qualify For A Mortgage Tax Deduction ?",
        "2,2,0,0,0,6,6,6,7_8,4,3,3,3,1,1,1,1,1,9",
        "I How A Mortgage {{ Tax Deduction }} For Qualify Can ?",
    ),
    (
        "We do not claim to cure , prevent or treat any disease .",
        "10,11,,5,6,7,,8,9,,,4,,,,2,2,2,12",
        "any disease cure , prevent or treat claim to We do not .",
    ),
    (
        "We do not claim to cure , prevent or treat any disease .",
        "0,0,,10,11,,5,6,7,8,9,,,,3,4,2,2,12",
        "We any disease cure , prevent or treat claim to do not .",
    ),
]

# Isozaki et al. 2010, sections 1 and 2: reference, hypothesis, the aligned words' places from 1 in
# the hypothesis's order, NKT, NSR, precision and recall; NKT and NSR of the second are by hand.
ISOZAKI_SENTENCES = [
    (
        "John hit Bob yesterday",
        "Bob hit John yesterday",
        [3, 2, 1, 4],
        (0.0 + 1) / 2,
        (0.2 + 1) / 2,
        1.0,
        1.0,
    ),
    ("the boy read the book", "the book was read by the boy", [4, 5, 3, 1, 2], 0.2, 0.1, 5 / 7, 1),
    (
        "he was interested in world history because he read the book",
        "he read the book because he was interested in world history",
        [8, 9, 10, 11, 7, 1, 2, 3, 4, 5, 6],
        0.382,
        0.205,
        1.0,
        1.0,
    ),
]

# Han 2014, Figures 3-2 and 3-3 (p. 45): output, reference, the place in the reference that each
# word of the output is aligned with, and NPD.
HAN_FIGURE_3_3 = ("A stone on a bird", "A bird is on a stone", [5, 6, 4, 1, 2], 0.52)

# The same with the full stops that the figures show and count: 6 and 7 words, NPD by hand
# (|1/6 - 5/7| + |2/6 - 6/7| + |3/6 - 4/7| + |4/6 - 1/7| + |5/6 - 2/7| + |6/6 - 7/7|) / 6.
HAN_FIGURE_3_3_STOPS = ("A stone on a bird .", "A bird is on a stone .", [5, 6, 4, 1, 2, 7], 0.369)

# Han 2014, Figure 3-4 (p. 46): output, two references, and for each word of the output the
# reference and the place that it is aligned with.
HAN_FIGURE_3_4 = (
    "The stone on a bird .",
    ["A bird flies on the beautiful rocks .", "A bird is on a stone ."],
    [(1, 5), (2, 6), (1, 4), (2, 5), (2, 2), (2, 7)],
)

# Han 2014, Figure 4-2 (p. 51): part-of-speech tags of output and reference, the alignment, NPD.
# The figure prints 4/25, having 2/5 where the third word's place is 3/5; (3-3) gives 5/25.
HAN_FIGURE_4_2 = ("PRP VBP IN RBS .", "IN JJS PRP VBP RB .", [3, 4, 1, None, 6], 5 / 25)

# Han 2014, Table 5-3: HPR:ELP:NPP of words and of tags, α:β of words and of tags, w_hw:w_hp.
HAN_TABLE_5_3 = {
    "cs-en": ("7:2:1", None, "1:9", None, None),
    "de-en": ("3:2:1", "3:2:1", "9:1", "9:1", "1:9"),
    "es-en": ("7:2:1", None, "1:9", None, None),
    "fr-en": ("3:2:1", "3:2:1", "9:1", "9:1", "9:1"),
    "en-cs": ("3:2:1", None, "9:1", None, None),
    "en-de": ("1:3:7", "7:2:1", "9:1", "9:1", "1:9"),
    "en-es": ("3:2:1", None, "9:1", None, None),
    "en-fr": ("3:2:1", "3:2:1", "9:1", "9:1", "9:1"),
}

# Han 2014, Figure 7-2: phrase tags of a French source and its English translation, and the
# universal ones.
HAN_FIGURE_7_2 = {
    "french": (
        "VPpart VPpart PP NP NP AP PP NP VN SENT AP SENT",
        "VP VP PP NP NP AJP PP NP VP S AJP S",
    ),
    "english-penn-2": (
        "NP VP ADJP VP VP PP NP NP NP PP NP S",
        "NP VP AJP VP VP PP NP NP NP PP NP S",
    ),
}

# Lin & Och 2004, sections 2–4, β = 1: reference, output, ROUGE-L, ROUGE-S to three digits. S4 has
# the ROUGE-L of S3.
LIN_OCH_POLICE = [
    ("police killed the gunman", "police kill the gunman", 0.75, 0.5),
    ("police killed the gunman", "the gunman kill police", 0.5, 0.167),
    ("police killed the gunman", "the gunman police killed", 0.5, 0.333),
]

# Lin & Och 2004, section 3.3, f(k) = k², β = 1: reference, output, ROUGE-W to three digits.
LIN_OCH_WEIGHTED = [
    ("A B C D E F G", "A B C D H I K", 0.571),
    ("A B C D E F G", "A H B K C I D", 0.286),
]

# Newcombe 1998, "Two-sided confidence intervals for the single proportion", Table I, method 3:
# Wilson's 95% intervals: hits, cases, ends.
NEWCOMBE_WILSON = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
]

# UAS, LAS, UPOS and XPOS that udeval (of udtools, after Straka and Popel, CoNLL 2018 shared task)
# prints for the altered trees of tests/test_attachment.py.
CONLL_2018 = ["90.10", "80.06", "80.36", "92.15"]
# The same on other words, as eval.Conll18 of udapi 0.5 (after util.ResegmentGold) prints them.
CONLL_2018_OTHER_WORDS = ["52.59", "47.37", "63.10", "73.35"]
