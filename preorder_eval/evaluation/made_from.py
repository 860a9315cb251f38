"""What a system's orders were made from, which run folders keep."""

from __future__ import annotations

from dataclasses import dataclass

from preorder_eval.base.files.writing import Content
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.rules.rule_writing import format_rules
from preorder_eval.trees.conllu import conllu_parts
from preorder_eval.trees.treebank import Treebank


@dataclass(frozen=True, eq=False)
class MadeFrom:
    """The trees and the rule set that a system's orders were made from."""

    trees: Treebank
    rules: RuleSet

    def toml(self) -> str:
        """Return the rules as a rule file."""
        return format_rules(self.rules)

    def conllu(self) -> Content:
        """Return the trees as a file, part by part."""
        return conllu_parts(self.trees)
