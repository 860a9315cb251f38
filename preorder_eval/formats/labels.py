"""Names that users give to files, so that two of the same name can stand side by side."""

from __future__ import annotations

import re
from pathlib import Path

from preorder_eval.errors import PreorderEvalError

_OF_RULES = re.compile(r"([^=/\\(]+/[^=/\\(]+)=(.+)", re.DOTALL)
_LABELLED = re.compile(r"([^=/\\(]*)=(.*)", re.DOTALL)


def labelled(name: str | Path) -> tuple[str | None, str]:
    """The label and the path or name of `label=path`; no label where none is given.

    What exists under the whole name is that file, whatever is in its name. Raises PreorderEvalError
    for a label without a path, or the other way round.

    >>> labelled("new=runs/out.conllu"), labelled("runs/lr=0.1.conllu"), labelled("en-ja")
    (('new', 'runs/out.conllu'), (None, 'runs/lr=0.1.conllu'), (None, 'en-ja'))
    """
    text = str(name)
    found = _LABELLED.fullmatch(text)
    if found is None or Path(text).exists():
        return None, text
    label, path = found.groups()
    if not label.strip() or not path:
        raise PreorderEvalError(f"{text!r} is not LABEL=PATH, such as new=out.conllu")
    return label, path


def labelled_path(name: str | Path) -> tuple[str | None, Path]:
    """The same with the path as a Path."""
    label, path = labelled(name)
    return label, Path(path)


def labelled_output(name: str | Path) -> tuple[str | None, Path]:
    """The same of an output, which may be called as `evaluate` calls systems: by parser and rules.

    In `en-web/en-ja=out.txt` that is a label where there is the file out.txt.

    >>> labelled_output("mine=out.txt"), labelled_output("en-web/en-ja=-")
    (('mine', PosixPath('out.txt')), ('en-web/en-ja', PosixPath('-')))
    """
    found = _OF_RULES.fullmatch(str(name))
    if found is not None and not Path(name).exists():
        label, path = found.groups()
        if path == "-" or Path(path).exists():
            return label, Path(path)
    return labelled_path(name)
