"""Tags of a treebank or tagger turned into universal ones, by the name of the map.

Sequences of two languages can be compared where both have the same tagset: the 12 parts of speech
of Petrov et al. (2012), or the 9 categories of phrases of Han (2014, Appendix A).

Appendix A of Han (2014): the tags of treebanks' phrases in the 9 universal categories.

They are there as far as the tables can be read: the columns lie between lines in the text, so a
tag was put where its treebank has it.

Parts of speech in the 12 universal tags of Petrov et al. (2012), which Han (2014) uses.

`ud` are the 17 tags of Universal Dependencies; `english-penn` is Petrov et al.'s map of the Penn
Treebank, with the tags that English Web Treebank added; `spanish-treetagger` is Table 7-1 of Han
(2014), as far as its columns can be read (it has no tag for punctuation, which is X there).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from preorder_eval.data.tags import format_tagged, is_tree, tagged_words
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError

Kind = Literal["part-of-speech", "phrase"]


@dataclass(frozen=True)
class TagMap:
    """The universal tag of every tag of a treebank or tagger.

    >>> tag_map("english-penn")("NNS"), tag_map("french")("VPpart")
    ('NOUN', 'VP')
    """

    name: str
    kind: Kind
    universal: Mapping[str, str]

    def __call__(self, tag: str) -> str:
        """The universal tag; UnknownNameError, with the known ones, for a tag that is not there."""
        if tag not in self.universal:
            raise UnknownNameError(f"{self.kind} tag of {self.name}", tag, self.universal)
        return self.universal[tag]


def tag_map(name: str) -> TagMap:
    """A map by its name; raises UnknownNameError, with all names, for another."""
    known = {**PARTS_OF_SPEECH, **PHRASES}
    if name not in known:
        raise UnknownNameError("map of tags", name, known)
    kind: Kind = "part-of-speech" if name in PARTS_OF_SPEECH else "phrase"
    listed = known[name].items()
    return TagMap(name, kind, {tag: to for to, tags in listed for tag in tags.split()})


def mapped(line: str, maps: Sequence[TagMap]) -> str:
    """A line of tags in universal ones; of trees the phrases and parts of speech that have a map.

    Raises PreorderEvalError for a tag that a map does not know, for brackets that do not close, and
    where several maps are given for a line that has one kind of tags.

    >>> mapped("(S (NP (PRP It)) (VP (VBZ is)))", [tag_map("english-penn")])
    '(NP (PRON _)) (VP (VERB _))'
    """
    if not is_tree(line):
        if len(maps) > 1:
            names = " and ".join(chosen.name for chosen in maps)
            raise PreorderEvalError(f"the tags are not trees, so that {names} cannot both be meant")
        return " ".join(chosen(tag) for chosen in maps for tag in line.split(" ") if tag) or line
    by_kind = {chosen.kind: chosen for chosen in maps}
    of_words, of_phrases = by_kind.get("part-of-speech", str), by_kind.get("phrase", str)
    return format_tagged([(of_words(t), of_phrases(p)) for t, p in tagged_words(line)])


def map_lines(lines: Sequence[str], maps: Sequence[TagMap], file: Path) -> list[str]:
    """The lines of a file of tags in universal ones, trees checked; FormatError with the line."""
    universal = []
    for number, line in enumerate(lines, 1):
        try:
            universal.append(mapped(line, maps) if maps or is_tree(line) else line)
        except PreorderEvalError as error:
            raise FormatError(str(error), file=file, line=number) from None
    return universal


PHRASE_CATEGORIES = ("NP", "VP", "AJP", "AVP", "PP", "S", "CONJP", "COP", "X")
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
