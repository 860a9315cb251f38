"""A short run of the fuzzers; the long ones are `python -m tests.fuzz`."""

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
