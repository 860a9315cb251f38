"""A short run of the fuzzers; the long ones are `python -m tests.fuzz`, also --guided."""

import subprocess
import sys

import pytest
from fuzz import fuzz, readers

pytestmark = pytest.mark.slow  # many inputs


@pytest.mark.parametrize("name", readers())
def test_damaged_inputs_are_refused_in_one_line(name):
    assert fuzz(readers()[name], executions=20) > 10


def test_good_inputs_are_read():
    for reader in readers().values():
        for data in reader.good[:1]:
            reader.read(data)


@pytest.mark.slow
def test_damaged_inputs_that_reach_new_code(tmp_path):
    """Some readers; without names it takes all, which lasts minutes."""
    names = ("conllu", "rules", "scores", "links, auto")
    pytest.importorskip("atheris")
    command = [sys.executable, "-m", "tests.fuzz", "--guided", "--executions", "100"]
    command += ["--findings", str(tmp_path), *names]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("no finding") == len(names)
