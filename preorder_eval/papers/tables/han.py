"""Tables 5-2 and 5-4 of Han (2014): mean of Spearman's ρ over eight language pairs of WMT 2011."""

from __future__ import annotations

from preorder_eval.papers.tables.paper_table import OVER_SYSTEMS, PaperTable, rows_of

_TABLE_5_2 = """
LEPOR-B          | lepor(system=B) | .77
LEPOR-A          | lepor           | .77
AMBER            |                 | .76
Meteor-1.3-RANK  | meteor          | .75
BLEU             | bleu            | .74
TER              | ter             | .64
MP4IBM1          |                 | .58
"""
_TABLE_5_4 = """
hLEPOR           | hlepor          | .83
MPF              |                 | .81
LEPOR-B          | lepor(system=B) | .77
LEPOR-A          | lepor           | .77
ROSE             |                 | .76
AMBER            |                 | .76
Meteor-1.3-RANK  | meteor          | .75
BLEU             | bleu            | .74
TER              | ter             | .64
MP4IBM1          |                 | .58
"""
TABLES = {
    "lepor-5-2": PaperTable("Han 2014, Table 5-2", ("mean ρ",), OVER_SYSTEMS, rows_of(_TABLE_5_2)),
    "lepor-5-4": PaperTable("Han 2014, Table 5-4", ("mean ρ",), OVER_SYSTEMS, rows_of(_TABLE_5_4)),
}
