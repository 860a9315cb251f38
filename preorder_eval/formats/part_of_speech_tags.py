"""Parts of speech in the 12 universal tags of Petrov et al. (2012), which Han (2014) uses.

`ud` are the 17 tags of Universal Dependencies; `english-penn` is Petrov et al.'s map of the Penn
Treebank, with the tags that English Web Treebank added; `spanish-treetagger` is Table 7-1 of Han
(2014), as far as its columns can be read (it has no tag for punctuation, which is X there).
"""

from __future__ import annotations

PARTS_OF_SPEECH = {
    "ud": {
        "NOUN": "NOUN PROPN",
        "VERB": "VERB AUX",
        "ADJ": "ADJ",
        "ADV": "ADV",
        "PRON": "PRON",
        "DET": "DET",
        "ADP": "ADP",
        "NUM": "NUM",
        "CONJ": "CCONJ SCONJ CONJ",
        "PRT": "PART PRT",
        "X": "INTJ SYM X",
        ".": "PUNCT .",
    },
    "english-penn": {
        "NOUN": "NN NNP NNPS NNS",
        "VERB": "MD VB VBD VBG VBN VBP VBZ",
        "ADJ": "JJ JJR JJS",
        "ADV": "RB RBR RBS WRB",
        "PRON": "PRP PRP$ WP WP$",
        "DET": "DT EX PDT WDT",
        "ADP": "IN",
        "NUM": "CD",
        "CONJ": "CC",
        "PRT": "POS RP TO",
        "X": "FW LS SYM UH ADD AFX GW XX",
        ".": "! # $ '' ( ) , -LRB- -RRB- . : ? `` HYPH NFP",
    },
    "spanish-treetagger": {
        "ADJ": "ADJ",
        "ADP": "PREP PREP/DEL",
        "ADV": "ADV NEG",
        "CONJ": "CC CCAD CCNEG CQUE CSUBF CSUBI CSUBX",
        "DET": "ART",
        "NOUN": "NC NMEA NMON NP PERCT UMMX",
        "NUM": "CARD CODE QU",
        "PRON": "DM INT PPC PPO PPX REL",
        "PRT": "SE",
        "VERB": "VCLIger VCLIinf VCLIfin VLadj VLfin VLger VLinf VEadj VEfin VEger VEinf VMadj "
        "VMfin VMger VMinf VHadj VHfin VHger VHinf VSadj VSfin VSger VSinf",
        "X": "ACRNM ALFP ALFS BACKSLASH CM COLON DASH DOTS FO FS ITJN LP ORD PAL PDEL PE PNC QT RP "
        "SEMICOLON SLASH SYM",
    },
}
