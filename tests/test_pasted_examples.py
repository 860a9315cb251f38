"""Examples in the help of public names can be pasted: they import what they use."""

import ast
import builtins
import doctest
import inspect

import pytest

import preorder_eval as pe


def documented():
    """The docstrings of public names and of their methods, by name."""
    for name in pe.HOMES:
        value = getattr(pe, name)
        yield name, value.__doc__
        for member, of in vars(value).items() if inspect.isclass(value) else ():
            of = getattr(of, "fget", None) or getattr(of, "func", None) or of
            if not member.startswith("_") and inspect.isroutine(of):
                yield f"{name}.{member}", of.__doc__


def examples(docstring):
    return "".join(each.source for each in doctest.DocTestParser().get_examples(docstring or ""))


def lacking(source):
    """Names that the lines use and neither define nor import, and public ones from elsewhere."""
    tree = ast.parse(source)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    used, given = (
        {node.id for node in names},
        {node.id for node in names if isinstance(node.ctx, ast.Store)},
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            given |= {alias.asname or alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("preorder_eval"):
            yield from (alias.name for alias in node.names if alias.name in pe.HOMES)
        given |= {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
        given |= {node.arg} if isinstance(node, ast.arg) else set()
    yield from sorted(used - given - set(dir(builtins)))


EXAMPLES = [(name, source) for name, text in documented() if (source := examples(text))]


@pytest.mark.parametrize(("name", "source"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_can_be_pasted(name, source):
    assert list(lacking(source)) == []
