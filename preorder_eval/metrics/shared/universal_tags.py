"""Universal tagsets of phrases and of parts of speech, for sequences of two languages.

`PHRASES` is Appendix A of Han (2014): which tags of a treebank's phrases belong to each of the 9
universal categories, as far as the tables can be read; the columns lie between lines there, so a
tag was put where its treebank has it. `PARTS_OF_SPEECH` are the 12 universal tags of Petrov et
al. (2012), which section 7.3.1 uses.
"""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.errors import UnknownNameError

PARTS_OF_SPEECH = (
    "NOUN",
    "VERB",
    "ADJ",
    "ADV",
    "PRON",
    "DET",
    "ADP",
    "NUM",
    "CONJ",
    "PRT",
    "X",
    ".",
)
PHRASE_CATEGORIES = ("NP", "VP", "AJP", "AVP", "PP", "S", "CONJP", "COP", "X")
# The tags of Universal Dependencies that have another name among the 12, or none of their own.
_FROM_UD = {
    "AUX": "VERB",
    "CCONJ": "CONJ",
    "INTJ": "X",
    "PART": "PRT",
    "PROPN": "NOUN",
    "PUNCT": ".",
    "SCONJ": "CONJ",
    "SYM": "X",
}

PHRASES = {
    "arabic-penn": {  # Penn Arabic Treebank
        "NP": "NP NX QP WHNP",
        "VP": "VP",
        "AJP": "ADJP WHADJP",
        "AVP": "ADVP WHADVP",
        "PP": "PP WHPP",
        "S": "S SBAR SBARQ SQ",
        "CONJP": "CONJP NAC",
        "COP": "UCP",
        "X": "PRN PRT FRAG INTJ X",
    },
    "catalan-ancora": {  # AnCora
        "NP": "sn",
        "VP": "gv",
        "AJP": "sa",
        "AVP": "sadv neg",
        "PP": "sp",
        "S": "S S* S.NF.C S.NF.A S.NF.P S.F.C S.F.AComp S.F.AConc S.F.Acons S.F.Acond S.F.R",
        "CONJP": "conj.subord coord",
        "X": "interjeccio morfema.verbal morf.pron",
    },
    "chinese-penn": {  # Penn Chinese Treebank
        "NP": "NP CLP QP LCP WHNP",
        "VP": "VP VCD VCP VNV VPT VRD VSB",
        "AJP": "ADJP DP DNP",
        "AVP": "ADVP DVP",
        "PP": "PP",
        "S": "IP CP PRN FRAG INC",
        "COP": "UCP",
        "X": "LST FLR DFL INTJ URL X",
    },
    "danish-arboretum": {  # Arboretum
        "NP": "np",
        "VP": "vp acl",
        "AJP": "ajp",
        "AVP": "advp",
        "PP": "pp",
        "S": "fcl icl",
        "CONJP": "cp",
        "X": "par",
    },
    "english-penn-1": {  # Penn Treebank I
        "NP": "NP WHNP",
        "VP": "VP",
        "AJP": "ADJP",
        "AVP": "ADVP WHADVP",
        "PP": "PP WHPP",
        "S": "S SBAR SBARQ SINV SQ",
        "X": "X",
    },
    "english-penn-2": {  # Penn Treebank II
        "NP": "NP NAC NX QP WHNP",
        "VP": "VP",
        "AJP": "ADJP WHADJP",
        "AVP": "ADVP WHAVP PRT WHADVP",
        "PP": "PP WHPP",
        "S": "S SBAR SBARQ SINV SQ PRN FRAG RRC",
        "CONJP": "CONJP",
        "COP": "UCP",
        "X": "X INTJ LST",
    },
    "estonian-arborest": {  # Arborest
        "NP": "AN> <AN NN> <NN",
        "VP": "VN> <VN INF_N> <INF_N",
        "AVP": "AD> <AD",
        "COP": "PN> <PN",
        "X": "<P P> <Q Q>",
    },
    "french": {  # French Treebank
        "NP": "NP",
        "VP": "VN VP VPpart VPinf",
        "AJP": "AP",
        "AVP": "AdP",
        "PP": "PP",
        "S": "SENT Ssub Sint Srel S",
        "COP": "COORD",
    },
    "german-negra": {  # Negra
        "NP": "NP CNP MPN NM",
        "VP": "VP CVP VZ CVZ",
        "AJP": "AP CAP MTA",
        "AVP": "AVP CAVP AA",
        "PP": "PP CAC CPP CCP",
        "S": "S CS CH DL PSEUDO",
        "COP": "CO",
        "X": "ISU QL",
    },
    "hebrew": {  # Sima'an et al. 2001
        "NP": "NP-gn-(H)",
        "VP": "PREDP VP VP-MD VP-INF",
        "AJP": "ADJP-gn-(H)",
        "AVP": "ADVP",
        "PP": "PP",
        "S": "FRAG FRAGQ S SBAR SQ",
        "X": "INTJ PRN",
    },
    "hindi-urdu": {  # Hindi-Urdu Treebank
        "NP": "NP NP-P NP-NST SC-A SC-P NP-P-Pred",
        "VP": "VP VP-Pred V*",
        "AJP": "AP AP-Pred",
        "AVP": "DegP",
        "COP": "CCP XP-CC",
        "X": "CP",
    },
    "hungarian-szeged": {  # Szeged Treebank
        "NP": "NP QP",
        "VP": "VP INF_ INF0",
        "AJP": "ADJP",
        "AVP": "ADVP PA_ PA0",
        "PP": "PP",
        "S": "S",
        "CONJP": "C0",
        "COP": "CP",
        "X": "FP XP",
    },
    "icelandic-icepahc": {  # IcePaHC
        "NP": "NP QP WNP",
        "VP": "VP",
        "AJP": "ADJP ADJP-SPR",
        "AVP": "ADVP ADVP-DIR ADVP-LOC ADVP-TMP RP",
        "PP": "PP WPP PP-BY PP-PRN",
        "CONJP": "CONJP",
        "X": "LATIN",
    },
    "italian-isst": {  # ISST
        "NP": "SN",
        "VP": "IBAR",
        "AJP": "SA",
        "AVP": "SAVV",
        "PP": "SP SPD SPDA",
        "S": "F SV2 SV3 SV5 FAC FS FINT F2",
        "CONJP": "CP COMPC",
        "COP": "FC COORD",
        "X": "FP COMPT COMPIN",
    },
    "japanese-tueba": {  # Tüba-J/S
        "NP": "NPper NPloc NPtmp NP NP.foc",
        "VP": "VP.foc VP VPcnd VPfin",
        "AJP": "AP.foc AP APcnd",
        "AVP": "ADVP.foc ADVP",
        "PP": "PP PP.foc PPnom PPgen PPacc",
        "S": "S SS",
        "X": "ITJ GR err",
    },
    "korean-penn": {  # Penn Korean Treebank
        "NP": "NP",
        "VP": "VP",
        "AJP": "ADJP DANP",
        "AVP": "ADVP ADCP",
        "S": "S",
        "X": "INTJ PRN X LST XP",
    },
    "portuguese-floresta": {  # Floresta
        "NP": "np",
        "VP": "vp",
        "AJP": "ap adjp",
        "AVP": "advp",
        "PP": "pp",
        "S": "fcl icl acl cu x sq",
    },
    "portuguese-tycho-brahe": {  # Tycho Brahe
        "NP": "NP NP-ACC NP-DAT NP-GEN NP-SBJ IP-SMC NP-LFD NP-ADV NP-VOC NP-PRN",
        "VP": "VB VB-P",
        "AJP": "ADJP ADJP-SPR",
        "AVP": "ADVP WADVP",
        "PP": "PP PP-ACC PP-SBJ PP-LFD PP-PRN PP-LOC",
        "S": "RRC CP CP-REL IP-MAT IP-INF IP-SUB CP-ADV CP-THT",
        "CONJP": "CONJP",
    },
    "spanish": {  # Volk 2009
        "NP": "NP MPN",
        "VP": "svc",
        "AJP": "AP",
        "AVP": "AVP",
        "PP": "PP MTP",
        "S": "S INC",
        "CONJP": "MTC",
        "COP": "CS CNP CPP CAP CAVP CAC CCP CO",
    },
    "spanish-uam": {  # UAM Spanish Treebank
        "NP": "HOUR NP QP SCORE TITLE",
        "VP": "VP",
        "AJP": "ADJP",
        "AVP": "ADVP PRED-COMPL",
        "PP": "PP",
        "S": "CL S",
    },
    "swedish": {  # Swedish Treebank
        "NP": "NP",
        "VP": "VP",
        "AJP": "AP",
        "AVP": "AVP",
        "PP": "PP",
        "S": "ROOT S",
        "X": "XP",
    },
    "swedish-talbanken": {  # Talbanken05
        "NP": "CNP NP",
        "VP": "CVP VP",
        "AJP": "AP CAP",
        "AVP": "AVP CAVP",
        "PP": "CPP PP",
        "S": "CS S",
        "COP": "CONJP CXP",
        "X": "NAC XP",
    },
    "thai-cg": {  # Thai CG Treebank
        "NP": "np num spnum",
        "PP": "PP",
        "S": "S WS root",
    },
    "vietnamese": {  # Nguyen et al. 2009
        "NP": "NP WHNP QP",
        "VP": "VP",
        "AJP": "AP WHAP",
        "AVP": "RP WHRP",
        "PP": "PP WHPP",
        "S": "S SQ SBAR",
        "X": "XP YP MDP",
    },
}


def universal_parts_of_speech(tags: Sequence[str]) -> list[str]:
    """Convert the 17 tags of Universal Dependencies, as taggers give them, into the 12.

    Raises UnknownNameError, with the legal values, for another tag.

    >>> universal_parts_of_speech(["PROPN", "AUX", "VERB", "PUNCT"])
    ['NOUN', 'VERB', 'VERB', '.']
    """
    converted = [_FROM_UD.get(tag, tag) for tag in tags]
    for tag, universal in zip(tags, converted, strict=True):
        if universal not in PARTS_OF_SPEECH:
            raise UnknownNameError("part-of-speech tag", tag, {*PARTS_OF_SPEECH, *_FROM_UD})
    return converted


def universal_phrases(tags: Sequence[str], treebank: str) -> list[str]:
    """Convert a treebank's phrase tags into the 9 universal categories.

    Raises UnknownNameError, with the legal values, for a treebank or a tag that is not listed.

    >>> universal_phrases(["NP", "ADJP", "UCP"], "english-penn-2")
    ['NP', 'AJP', 'COP']
    """
    if treebank not in PHRASES:
        raise UnknownNameError("treebank", treebank, PHRASES)
    listed = PHRASES[treebank].items()
    category = {tag: universal for universal, names in listed for tag in names.split()}
    for tag in tags:
        if tag not in category:
            raise UnknownNameError(f"phrase tag of {treebank}", tag, category)
    return [category[tag] for tag in tags]
