"""The manual's page of the Python API, made from what the package exports and says of it."""

import inspect
import re
from pathlib import Path

import preorder_eval as pe

PAGE = Path(pe.__file__).parent / "manual" / "api.md"
_WIDTH = 100
_HEAD = """\
# Python API

All names of `preorder_eval`, with what their docstrings say; `dir(pe)` lists them, and
`help(pe.evaluate)` shows the same. [python](python.md) tells how they go together. The examples are
run where they stand in the code, so that they call what they are about by its bare name. This page
is made by `python tests/regenerate_docs.py --write`.
"""


def api_page():
    """The page as Markdown."""
    entries = map(_entry, sorted(pe.__all__, key=str.lower))
    return re.sub(r"\n{3,}", "\n\n", "\n".join([_HEAD, *entries])).rstrip() + "\n"


def _entry(name):
    thing = getattr(pe, name)
    parts = [f"## {name}\n", *_signature(f"pe.{name}", thing), _text(thing)]
    if inspect.isclass(thing):
        for member, value in _members(thing):
            parts += [
                f"### {name}.{member}\n",
                *_signature(f"{name}.{member}", value),
                _text(value),
            ]
    return "\n".join(parts)


def _members(kind):
    """The documented methods and properties of a class and of those of ours that it is made of."""
    found = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("preorder_eval"):
            found |= vars(base)
    for name, value in found.items():
        value = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        described = inspect.isfunction(value) or hasattr(value, "__get__")
        if not name.startswith("_") and described and inspect.getdoc(value):
            yield name, value


def _signature(name, thing):
    """How it is called, in a block of code; nothing for a module or a property."""
    if not callable(thing):
        return
    signature = inspect.signature(thing)
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    given, keywords = [], False
    for parameter in signature.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        keyword = parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if keyword and not keywords and "*" not in "".join(g[:1] for g in given):
            given.append("*")
        keywords = keywords or keyword
        text = stars.get(parameter.kind, "") + parameter.name
        if parameter.annotation is not inspect.Parameter.empty:
            text += f": {_type(parameter.annotation)}"
        if parameter.default is not inspect.Parameter.empty:
            text += f" = {_value(parameter.default)}"
        given.append(text)
    returned = ""
    if not inspect.isclass(thing) and signature.return_annotation is not inspect.Signature.empty:
        returned = f" -> {_type(signature.return_annotation)}"
    line = f"{name}({', '.join(given)}){returned}"
    if len(line) > _WIDTH:
        line = f"{name}(\n" + "".join(f"    {text},\n" for text in given) + f"){returned}"
    yield f"```\n{line}\n```\n"


def _type(annotation):
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _value(default):
    text = repr(default)
    return "…" if " at 0x" in text or text.startswith("<") else text


def _text(thing):
    """A docstring as Markdown: examples in fences."""
    text = inspect.getdoc(thing) or ""
    return re.sub(r"(?m)^(>>> (?:.+\n?)+)", lambda example: _fenced(example[1]), text) + "\n"


def _fenced(example):
    return f"```python\n{example.rstrip()}\n```\n"
