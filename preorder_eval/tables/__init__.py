"""Tables of results: columns are declared once, and drawn in every form."""

from preorder_eval.tables.table import Column, Form, Key, Shown, Table, draw, ends, plain, screen

__all__ = ["Column", "Form", "Key", "Shown", "Table", "draw", "ends", "plain", "screen"]
