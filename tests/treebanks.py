"""Where UD English EWT and PUD are, for tests of what stands off from them.

Their sentences are not in the repository. Tests of them run where the environment variable names
the files, or where they lie beside the checkout, and are shown as skipped elsewhere.
"""

import os
from pathlib import Path

import pytest

from preorder_eval.references.standoff import TREEBANKS, treebank_files

_BESIDE = Path(__file__).parents[2] / "shared" / "data"
_FILES = [
    _BESIDE / "ud_english_ewt" / "en_ewt-ud-dev.conllu",
    _BESIDE / "ud_english_ewt" / "en_ewt-ud-test.conllu",
    _BESIDE / "pud_en-ja" / "source.conllu",
]
FOUND = treebank_files() if os.environ.get(TREEBANKS) else [f for f in _FILES if f.is_file()]
needs_treebanks = pytest.mark.skipif(
    not FOUND, reason=f"needs UD English EWT and PUD: name their files in {TREEBANKS}"
)
