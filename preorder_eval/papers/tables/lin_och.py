"""Table 1 of Lin & Och (2004): correlation over eight systems of the Chinese task of NIST 2003.

Every metric is computed on three sets: as the systems wrote (Case), in lower case (Lower, in the
paper NoCase), and as Porter stems (Stem); of several references each is left out in turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from preorder_eval.papers.tables.paper_table import PaperRow, PaperTable

_SETS = {"Case": "", "Lower": "lower=true", "Stem": "stem=true"}
# Adequacy, Pearson's and Spearman's coefficient, then fluency, for each set.
_TABLE_1 = """
BLEU1    | bleu  | order=1    | .86 .80 .81 .76 | .87 .76 .73 .70 | .91 .85 .70 .79
BLEU4    | bleu  | order=4    | .77 .77 .86 .74 | .79 .67 .83 .68 | .82 .76 .83 .70
BLEU12   | bleu  | order=12   | .66 .53 .87 .66 | .72 .65 .93 .78 | .72 .66 .93 .80
NIST     | nist  |            | .89 .78 .81 .74 | .87 .80 .70 .68 | .90 .88 .68 .77
WER      | wer   |            | .47 .56 .69 .68 | .43 .66 .59 .70 | .48 .66 .60 .69
PER      | per   |            | .67 .56 .79 .67 | .63 .67 .68 .69 | .72 .69 .70 .65
ROUGE-L  | rouge_l |          | .87 .84 .83 .80 | .89 .84 .76 .79 | .92 .87 .73 .78
ROUGE-W  | rouge_w | weight=1.2 | .84 .83 .85 .79 | .85 .77 .78 .72 | .89 .86 .77 .78
ROUGE-S* | rouge_s |          | .85 .83 .84 .79 | .90 .82 .80 .77 | .95 .85 .78 .79
ROUGE-S0 | rouge_s | skip=0   | .82 .82 .87 .78 | .84 .76 .83 .71 | .87 .82 .82 .76
ROUGE-S4 | rouge_s | skip=4   | .82 .84 .84 .80 | .87 .83 .82 .78 | .92 .84 .81 .79
ROUGE-S9 | rouge_s | skip=9   | .84 .84 .84 .80 | .89 .84 .81 .79 | .94 .84 .79 .79
GTM10    | gtm   | e=1        | .82 .79 .73 .76 | .91 .84 .71 .80 | .94 .84 .66 .80
GTM20    | gtm   | e=2        | .77 .76 .86 .80 | .79 .70 .83 .69 | .83 .80 .83 .74
GTM30    | gtm   | e=3        | .74 .73 .87 .79 | .74 .63 .83 .73 | .77 .64 .83 .71
"""


def _rows() -> Iterator[PaperRow]:
    """All metrics on the first set, then on the second and on the third."""
    lines = [list(map(str.strip, line.split("|"))) for line in _TABLE_1.strip().splitlines()]
    for number, (name, change) in enumerate(_SETS.items()):
        for label, metric, setting, *published in lines:
            settings = ",".join(filter(None, [setting, "jackknife=true", change]))
            numbers = tuple(map(float, published[number].split()))
            yield PaperRow(f"{label} {name}", f"{metric}({settings})", numbers)


TABLES = {
    "rouge-1": PaperTable(
        "Lin & Och 2004, Table 1",
        ("adequacy r", "adequacy ρ", "fluency r", "fluency ρ"),
        ("system.pearson", "system.spearman"),
        tuple(_rows()),
    ),
}
