"""Tables of the papers that say how metrics correlate with people, to be made for other data.

The rows are those of the papers, with the numbers printed there: they are of other systems and
languages, so only what is better than what can be compared.

- Table 1 of Isozaki et al. (2010): correlation with adequacy and fluency over the systems of the
  Japanese-English patent task of NTCIR-7. Table 3: functions of NKT, where b(x) = 1 - √(1 - x).
- Tables 5-2 and 5-4 of Han (2014): mean of Spearman's ρ over eight language pairs of WMT 2011.
- Table 2 of Birch & Osborne (2010): consistency with rankings, with the LRscore fitted to them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

BREVITY = "brevity penalty"  # which is no metric of its own


@dataclass(frozen=True)
class PaperRow:
    """A row with its published numbers.

    `metric` is a signature, empty for a metric that is not of this project; `function`, a key of
    `analysis.paper_metrics.FUNCTIONS`, is applied to the scores of sentences.
    """

    label: str
    metric: str
    published: tuple[float, ...]
    function: str = ""


@dataclass(frozen=True)
class PaperTable:
    """A table: what its published columns are, and the statistics that stand for them here."""

    paper: str
    published: tuple[str, ...]
    statistics: tuple[str, ...]
    rows: tuple[PaperRow, ...] = field(repr=False)


def _rows(text: str) -> tuple[PaperRow, ...]:
    """Rows from lines of label, signature, function and numbers, separated by `|`."""
    rows = []
    for line in text.strip().splitlines():
        label, metric, function, numbers = (part.strip() for part in line.split("|"))
        rows.append(PaperRow(label, metric, tuple(map(float, numbers.split())), function))
    return tuple(rows)


_OVER_SYSTEMS = ("system.spearman", "system.pearson", "core.spearman", "core.pearson")
_ISOZAKI_1 = """
P            | precision        | | .615 .704 .672 .876
R            | recall           | | .436 .669 .461 .854
F            | fmeasure         | | .525 .692 .543 .871
BP           | brevity penalty  | | .000 .515 -.007 .742
NSR          | nsr              | | .904 .906 .869 .910
NSR P^1/8    | nsr(alpha=0.125) | | .937 .905 .890 .934
NSR P^1/4    | nsr(alpha=0.25)  | | .947 .900 .901 .944
NSR P^1/2    | nsr(alpha=0.5)   | | .937 .890 .926 .949
NSR P^1/1    | nsr(alpha=1)     | | .883 .872 .883 .939
NSR × BP     | nsr(bp=true)     | | .851 .874 .769 .910
NKT          | nkt              | | .940 .922 .887 .931
NKT P^1/8    | nkt(alpha=0.125) | | .940 .913 .908 .944
NKT P^1/4    | nkt(alpha=0.25)  | | .940 .904 .908 .949
NKT P^1/2    | nkt(alpha=0.5)   | | .929 .890 .897 .949
NKT P^1/1    | nkt(alpha=1)     | | .897 .869 .879 .936
NKT × BP     | nkt(bp=true)     | | .829 .878 .726 .918
ROUGE-L      | rouge_l          | | .903 .874 .889 .932
ROUGE-S(4)   | rouge_s(skip=4)  | | .593 .757 .640 .869
IMPACT       |                  | | .797 .813 .751 .932
WER          | wer              | | .894 .822 .836 .926
TER          | ter              | | .854 .806 .372 .856
PER          | per              | | .375 .642 .393 .842
METEOR       | meteor           | | .490 .708 .508 .878
GTM(-e 12)   | gtm(e=12)        | | .618 .723 .601 .850
NIST         | nist             | | .343 .661 .372 .856
BLEU         | bleu             | | .515 .653 .500 .795
"""
_ISOZAKI_3 = """
NKT     | nkt |   | .940 .922 .887 .931
√NKT    | nkt | √ | .940 .817 .865 .917
b(NKT)  | nkt | b | .922 .941 .858 .833
"""
_HAN_2 = """
LEPOR-B          | lepor(system=B) | | .77
LEPOR-A          | lepor           | | .77
AMBER            |                 | | .76
Meteor-1.3-RANK  | meteor          | | .75
BLEU             | bleu            | | .74
TER              | ter             | | .64
MP4IBM1          |                 | | .58
"""
_HAN_4 = """
hLEPOR           | hlepor          | | .83
MPF              |                 | | .81
LEPOR-B          | lepor(system=B) | | .77
LEPOR-A          | lepor           | | .77
ROSE             |                 | | .76
AMBER            |                 | | .76
Meteor-1.3-RANK  | meteor          | | .75
BLEU             | bleu            | | .74
TER              | ter             | | .64
MP4IBM1          |                 | | .58
"""
_JUDGED = ("adequacy ρ", "adequacy r", "fluency ρ", "fluency r")
_LRSCORE = """
BLEU4   | bleu(effective_order=true) | | .5872 .5548 .5771 .5724
LR-HB1  | LR-HB1                     | | .6037 .6055 .5859 .5370
LR-HB4  | LR-HB4                     | | .6049 .5888 .5880 .5774
LR-KB1  | LR-KB1                     | | .6067 .5854 .5846 .5420
LR-KB4  | LR-KB4                     | | .6107 .5986 .5859 .5892
"""
TABLES = {
    "ribes-1": PaperTable(
        "Isozaki et al. 2010, Table 1", _JUDGED, _OVER_SYSTEMS, _rows(_ISOZAKI_1)
    ),
    "ribes-3": PaperTable(
        "Isozaki et al. 2010, Table 3", _JUDGED, _OVER_SYSTEMS, _rows(_ISOZAKI_3)
    ),
    "lepor-5-2": PaperTable("Han 2014, Table 5-2", ("mean ρ",), _OVER_SYSTEMS, _rows(_HAN_2)),
    "lepor-5-4": PaperTable("Han 2014, Table 5-4", ("mean ρ",), _OVER_SYSTEMS, _rows(_HAN_4)),
    "lrscore-2": PaperTable(
        "Birch & Osborne 2010, Table 2",
        ("de-en", "es-en", "fr-en", "cs-en"),
        ("pairs.consistency",),
        _rows(_LRSCORE),
    ),
}
