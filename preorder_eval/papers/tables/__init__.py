"""Tables of the papers that say how metrics correlate with people, to be made for other data.

The rows are those of the papers, with the numbers printed there: they are of other systems and
languages, so only what is better than what can be compared.
"""

from __future__ import annotations

from preorder_eval.papers.tables import birch_osborne, han, isozaki, lin_och

TABLES = {**lin_och.TABLES, **isozaki.TABLES, **birch_osborne.TABLES, **han.TABLES}
