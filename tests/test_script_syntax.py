"""The scripts of reports and of the editor are JavaScript, which no browser is needed to see."""

from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_javascript

import preorder_eval as pe

FILES = sorted(Path(pe.__file__).parent.rglob("templates/*.js"), key=lambda path: path.name)
PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_javascript.language()))


def faults(script):
    """The lines, from 1, that a parser of JavaScript has to skip or to complete."""
    found, nodes = [], [PARSER.parse(script.encode()).root_node]
    while nodes:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            found.append(node.start_point[0] + 1)
        nodes += [child for child in node.children if child.has_error]
    return sorted(found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_scripts_parse(path):
    assert faults(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("wrong", ["f(1;", "const const x = 1;", "if (x) {", "x = `a${`;", "}"])
def test_what_does_not_parse_is_found(wrong):
    assert faults(f'"use strict";\nconst y = {{ ...z }}, x = y?.z ?? 1;\n{wrong}\n')
