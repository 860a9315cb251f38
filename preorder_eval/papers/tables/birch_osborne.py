"""Table 2 of Birch & Osborne (2010): consistency with rankings, to which LRscores are fitted."""

from __future__ import annotations

from preorder_eval.papers.tables.paper_table import PaperTable, rows_of

_TABLE_2 = """
BLEU4   | bleu(effective_order=true) | .5872 .5548 .5771 .5724
LR-HB1  | LR-HB1                     | .6037 .6055 .5859 .5370
LR-HB4  | LR-HB4                     | .6049 .5888 .5880 .5774
LR-KB1  | LR-KB1                     | .6067 .5854 .5846 .5420
LR-KB4  | LR-KB4                     | .6107 .5986 .5859 .5892
"""
TABLES = {
    "lrscore-2": PaperTable(
        "Birch & Osborne 2010, Table 2",
        ("de-en", "es-en", "fr-en", "cs-en"),
        ("pairs.consistency",),
        rows_of(_TABLE_2),
    ),
}
