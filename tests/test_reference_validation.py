"""The gold trees of the bundled sets pass the official validator of Universal Dependencies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from preorder_eval.base.resources import bundled, bundled_names

SETS = [name for name in bundled_names("reference_data") if not name.endswith("-ewt")]
VALIDATOR = Path(sys.executable).with_name("udvalidate")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not VALIDATOR.exists(), reason="udtools is of the extra dev"),
]


def validate(file):
    """The validator's exit code, and what it says."""
    command = [VALIDATOR, "--lang", "en", "--level", "5", file]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


@pytest.mark.parametrize("name", SETS)
def test_trees_are_valid_at_level_five(name):
    code, said = validate(bundled("reference_data") / name / "source.conllu")
    assert (code, "*** PASSED ***" in said) == (0, True), said


def test_the_validator_finds_a_subject_that_is_an_adverb(tmp_path):
    text = (bundled("reference_data") / "en-ja" / "source.conllu").read_text(encoding="utf-8")
    first = text.split("\n\n")[0]
    assert "\tadvmod\t" in first
    (tmp_path / "bad.conllu").write_text(first.replace("\tadvmod\t", "\tnsubj\t") + "\n\n")
    code, said = validate(tmp_path / "bad.conllu")
    assert code == 1
    assert "too-many-subjects" in said
