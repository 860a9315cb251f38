"""Tables of Han (2014) with correlations over systems and segments of WMT 2011 and 2013.

Tables 5-2 and 5-4 are Spearman's ρ over systems of eight language pairs of WMT 2011, and their
mean; Tables 6-2 to 6-5 Pearson's r and Spearman's ρ over systems of WMT 2013, and 6-6 and 6-7
Kendall's τ over its segments; Table 7-3 Spearman's ρ over systems of WMT 2012, with and without
references. Of chapter 6 only the rows are here whose metrics there are. Some
digits of it cannot be read in the text; they are what the printed averages leave.

`mteval-inter` is the international tokenisation of NIST's mteval, LEPOR_v3.1 hLEPOR, and
nLEPOR_baseline nLEPOR of words alone (section 6.2). Meteor has no synonyms and paraphrases here.
"""

from __future__ import annotations

from preorder_eval.papers.tables.paper_table import OVER_SYSTEMS, PaperTable, rows_of

_TABLE_5_2 = """
LEPOR-B          | lepor(system=B)             | .93 .62 .96 .89 .71 .36 .88 .84 .77
LEPOR-A          | lepor                       | .95 .61 .96 .88 .68 .35 .89 .83 .77
AMBER            |                             | .88 .59 .86 .95 .56 .53 .87 .84 .76
Meteor-1.3-RANK  | meteor(version=1.3,stem=true) | .91 .71 .88 .93 .65 .30 .74 .85 .75
BLEU             | bleu                        | .88 .48 .90 .85 .65 .44 .87 .86 .74
TER              | ter                         | .83 .33 .89 .77 .50 .12 .81 .84 .64
MP4IBM1          |                             | .91 .56 .12 .08 .76 .91 .71 .61 .58
"""
_TABLE_5_4 = """
hLEPOR           | hlepor                      | .93 .86 .88 .92 .56 .82 .85 .83 .83
MPF              |                             | .95 .69 .83 .87 .72 .63 .87 .89 .81
LEPOR-B          | lepor(system=B)             | .93 .62 .96 .89 .71 .36 .88 .84 .77
LEPOR-A          | lepor                       | .95 .61 .96 .88 .68 .35 .89 .83 .77
ROSE             |                             | .88 .59 .92 .86 .65 .41 .90 .86 .76
AMBER            |                             | .88 .59 .86 .95 .56 .53 .87 .84 .76
Meteor-1.3-RANK  | meteor(version=1.3,stem=true) | .91 .71 .88 .93 .65 .30 .74 .85 .75
BLEU             | bleu                        | .88 .48 .90 .85 .65 .44 .87 .86 .74
TER              | ter                         | .83 .33 .89 .77 .50 .12 .81 .84 .64
MP4IBM1          |                             | .91 .56 .12 .08 .76 .91 .71 .61 .58
"""
_TABLE_6_2 = """
LEPOR_v3.1        | hlepor                      | .91 .94 .91 .76 .77 .86
nLEPOR_baseline   | nlepor(weights=1)           | .92 .92 .90 .82 .68 .85
NIST-mteval-inter | nist(tokenize=intl)         | .91 .83 .84 .79 .68 .81
Meteor            | meteor(version=1.3,stem=true) | .91 .88 .88 .82 .55 .81
BLEU-mteval-inter | bleu(tokenize=intl)         | .89 .84 .88 .81 .61 .80
BLEU-moses        | bleu                        | .90 .82 .88 .80 .62 .80
BLEU-mteval       | bleu(tokenize=13a)          | .90 .82 .87 .80 .62 .80
NIST-mteval       | nist(tokenize=13a)          | .91 .79 .83 .78 .68 .79
PER-moses         | per                         | .88 .65 .88 .76 .62 .76
TER-moses         | ter                         | .91 .73 .78 .70 .61 .75
WER-moses         | wer                         | .92 .69 .77 .70 .61 .74
"""
_TABLE_6_3 = """
LEPOR_v3.1        | hlepor                      | .90 .90 .84 .75 .85 .85
NIST-mteval-inter | nist(tokenize=intl)         | .93 .85 .80 .90 .77 .85
nLEPOR_baseline   | nlepor(weights=1)           | .92 .90 .85 .82 .73 .84
NIST-mteval       | nist(tokenize=13a)          | .91 .83 .78 .92 .72 .83
Meteor            | meteor(version=1.3,stem=true) | .92 .88 .78 .94 .57 .82
BLEU-mteval-inter | bleu(tokenize=intl)         | .92 .83 .76 .90 .66 .81
BLEU-mteval       | bleu(tokenize=13a)          | .89 .79 .76 .90 .63 .79
TER-moses         | ter                         | .91 .85 .75 .86 .54 .78
BLEU-moses        | bleu                        | .90 .79 .76 .90 .57 .78
WER-moses         | wer                         | .91 .83 .71 .86 .55 .77
PER-moses         | per                         | .87 .69 .77 .80 .59 .74
"""
_TABLE_6_4 = """
Meteor            | meteor(version=1.3,stem=true) | .98 .96 .97 .99 .84 .95
LEPOR_v3.1        | hlepor                      | .96 .96 .90 .81 .71 .87
nLEPOR_baseline   | nlepor(weights=1)           | .96 .94 .94 .80 .69 .87
BLEU-mteval-inter | bleu(tokenize=intl)         | .95 .92 .94 .90 .61 .86
NIST-mteval-inter | nist(tokenize=intl)         | .94 .91 .93 .84 .66 .86
BLEU-moses        | bleu                        | .94 .91 .94 .89 .60 .86
BLEU-mteval       | bleu(tokenize=13a)          | .95 .90 .94 .88 .60 .85
NIST-mteval       | nist(tokenize=13a)          | .94 .90 .93 .84 .65 .85
TER-moses         | ter                         | .93 .87 .91 .77 .52 .80
WER-moses         | wer                         | .93 .84 .89 .76 .50 .78
PER-moses         | per                         | .84 .88 .87 .74 .45 .76
"""
_TABLE_6_5 = """
Meteor            | meteor(version=1.3,stem=true) | .98 .96 .98 .96 .81 .94
BLEU-mteval-inter | bleu(tokenize=intl)         | .99 .90 .90 .94 .72 .89
BLEU-mteval       | bleu(tokenize=13a)          | .99 .89 .89 .94 .69 .88
BLEU-moses        | bleu                        | .99 .90 .88 .94 .67 .88
nLEPOR_baseline   | nlepor(weights=1)           | .95 .95 .83 .85 .72 .86
LEPOR_v3.1        | hlepor                      | .95 .93 .75 .80 .79 .84
NIST-mteval       | nist(tokenize=13a)          | .95 .88 .77 .89 .66 .83
NIST-mteval-inter | nist(tokenize=intl)         | .95 .88 .76 .88 .68 .83
TER-moses         | ter                         | .95 .83 .83 .80 .60 .80
WER-moses         | wer                         | .95 .67 .80 .75 .61 .76
PER-moses         | per                         | .85 .86 .36 .70 .67 .69
"""
_TABLE_6_6 = """
Meteor            | meteor(version=1.3,stem=true) | .15 .05 .18 .06 .11 .11
sentBLEU-moses    | bleu(smooth=add-k)          | .13 .05 .17 .05 .09 .10
LEPOR_v3.1        | hlepor                      | .13 .06 .18 .02 .11 .10
nLEPOR_baseline   | nlepor(weights=1)           | .12 .05 .16 .05 .10 .10
"""
_TABLE_6_7 = """
Meteor            | meteor(version=1.3,stem=true) | .18 .29 .24 .27 .24 .24
nLEPOR_baseline   | nlepor(weights=1)           | .15 .24 .20 .18 .17 .19
sentBLEU-moses    | bleu(smooth=add-k)          | .15 .22 .20 .20 .17 .19
LEPOR_v3.1        | hlepor                      | .15 .22 .16 .19 .18 .18
"""
_TABLE_7_3 = """
BLEU | bleu | .85
TER  | ter  | .77
HPPR | hppr | .63
"""
_WMT11 = ("cs-en", "de-en", "es-en", "fr-en", "en-cs", "en-de", "en-es", "en-fr", "mean ρ")
_FROM_ENGLISH = ("en-fr", "en-de", "en-es", "en-cs", "en-ru", "mean")
_TO_ENGLISH = ("fr-en", "de-en", "es-en", "cs-en", "ru-en", "mean")
_WMT13 = {
    "6-2": (_FROM_ENGLISH, "system.pearson", _TABLE_6_2),
    "6-3": (_FROM_ENGLISH, "system.spearman", _TABLE_6_3),
    "6-4": (_TO_ENGLISH, "system.pearson", _TABLE_6_4),
    "6-5": (_TO_ENGLISH, "system.spearman", _TABLE_6_5),
    "6-6": (_FROM_ENGLISH, "pairs.wmt13", _TABLE_6_6),
    "6-7": (_TO_ENGLISH, "pairs.wmt13", _TABLE_6_7),
}
TABLES = {
    "lepor-5-2": PaperTable("Han 2014, Table 5-2", _WMT11, OVER_SYSTEMS, rows_of(_TABLE_5_2)),
    "lepor-5-4": PaperTable("Han 2014, Table 5-4", _WMT11, OVER_SYSTEMS, rows_of(_TABLE_5_4)),
    "lepor-7-3": PaperTable(
        "Han 2014, Table 7-3", ("fr-en",), ("system.spearman",), rows_of(_TABLE_7_3)
    ),
} | {
    f"lepor-{number}": PaperTable(f"Han 2014, Table {number}", pairs, (statistic,), rows_of(rows))
    for number, (pairs, statistic, rows) in _WMT13.items()
}
