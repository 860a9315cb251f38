"""The versions that a result depends on."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version

from preorder_eval import __version__


def versions() -> dict[str, str]:
    """This project's version, Python's and those of the libraries in use."""
    known = {"preorder-eval": __version__, "python": platform.python_version()}
    libraries = ("numpy", "rapidfuzz", "sacrebleu", "spacy")
    return known | {name: version(name) for name in libraries if name in sys.modules}
