"""Tables of Isozaki et al. (2010).

Table 1 is the correlation with adequacy and fluency over the systems of the Japanese-English
patent task of NTCIR-7. Table 2 is Spearman's ρ with the "rank" of WMT 2007 over systems that
translate into English. Table 3 has functions of NKT, where b(x) = 1 - √(1 - x).
"""

from __future__ import annotations

from preorder_eval.papers.tables.paper_table import OVER_SYSTEMS, PaperTable, rows_of

_TABLE_1 = """
P            | modifier                | .615 .704 .672 .876
R            | modifier(kind=recall)   | .436 .669 .461 .854
F            | modifier(kind=fmeasure) | .525 .692 .543 .871
BP           | modifier(kind=bp)       | .000 .515 -.007 .742
NSR          | nsr                     | .904 .906 .869 .910
NSR P^1/8    | nsr(alpha=0.125)        | .937 .905 .890 .934
NSR P^1/4    | nsr(alpha=0.25)         | .947 .900 .901 .944
NSR P^1/2    | nsr(alpha=0.5)          | .937 .890 .926 .949
NSR P^1/1    | nsr(alpha=1)            | .883 .872 .883 .939
NSR × BP     | nsr(bp=true)            | .851 .874 .769 .910
NKT          | nkt                     | .940 .922 .887 .931
NKT P^1/8    | nkt(alpha=0.125)        | .940 .913 .908 .944
NKT P^1/4    | nkt(alpha=0.25)         | .940 .904 .908 .949
NKT P^1/2    | nkt(alpha=0.5)          | .929 .890 .897 .949
NKT P^1/1    | nkt(alpha=1)            | .897 .869 .879 .936
NKT × BP     | nkt(bp=true)            | .829 .878 .726 .918
ROUGE-L      | rouge_l                 | .903 .874 .889 .932
ROUGE-S(4)   | rouge_s(skip=4)         | .593 .757 .640 .869
IMPACT       |                         | .797 .813 .751 .932
WER          | wer                     | .894 .822 .836 .926
TER          | ter                     | .854 .806 .372 .856
PER          | per                     | .375 .642 .393 .842
METEOR       | meteor                  | .490 .708 .508 .878
GTM(-e 12)   | gtm(e=12)               | .618 .723 .601 .850
NIST         | nist                    | .343 .661 .372 .856
BLEU         | bleu                    | .515 .653 .500 .795
"""
_TABLE_2 = """
NSR          | nsr                     | .775 .837 .523 .766 .700 .593
NSR P^1/8    | nsr(alpha=0.125)        | .821 .857 .786 .595 .400 .685
NSR P^1/4    | nsr(alpha=0.25)         | .821 .857 .786 .455 .400 .714
NSR P^1/2    | nsr(alpha=0.5)          | .821 .857 .786 .347 .400 .714
NKT          | nkt                     | .845 .857 .607 .838 .700 .630
NKT P^1/8    | nkt(alpha=0.125)        | .793 .857 .786 .595 .400 .714
NKT P^1/4    | nkt(alpha=0.25)         | .793 .857 .786 .524 .400 .714
NKT P^1/2    | nkt(alpha=0.5)          | .793 .857 .786 .347 .400 .714
BLEU         | bleu                    | .786 .679 .750 .595 .400 .821
WER          | wer                     | .607 .857 .750 .429 .000 .500
ROUGE-L      | rouge_l                 | .893 .739 .786 .707 .700 .857
ROUGE-S      | rouge_s                 | .883 .679 .786 .690 .400 .929
"""
_TABLE_3 = """
NKT          | nkt                     | .940 .922 .887 .931
√NKT         | nkt(power=0.5)          | .940 .817 .865 .917
b(NKT)       | nkt(root=true)          | .922 .941 .858 .833
"""
_JUDGED = ("adequacy ρ", "adequacy r", "fluency ρ", "fluency r")
_WMT07 = tuple(
    f"{language} {corpus}"
    for language in ("French", "Spanish", "German")
    for corpus in ("News", "Europarl")
)
TABLES = {
    "ribes-1": PaperTable("Isozaki et al. 2010, Table 1", _JUDGED, OVER_SYSTEMS, rows_of(_TABLE_1)),
    "ribes-2": PaperTable(
        "Isozaki et al. 2010, Table 2", _WMT07, ("system.spearman",), rows_of(_TABLE_2)
    ),
    "ribes-3": PaperTable("Isozaki et al. 2010, Table 3", _JUDGED, OVER_SYSTEMS, rows_of(_TABLE_3)),
}
