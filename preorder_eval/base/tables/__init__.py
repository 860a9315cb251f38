"""Tables of results: columns are declared once, and drawn in every form."""

from preorder_eval.base.tables.drawing import screen
from preorder_eval.base.tables.shown import Caveat, Form, Several, Shown, draw
from preorder_eval.base.tables.table import Column, Key, Table, ends, figure, p_value, plain, signed

__all__ = [
    "Caveat",
    "Column",
    "Form",
    "Key",
    "Several",
    "Shown",
    "Table",
    "draw",
    "ends",
    "figure",
    "p_value",
    "plain",
    "screen",
    "signed",
]
