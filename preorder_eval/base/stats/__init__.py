"""Statistics: intervals, tests, correlations and agreement.

This module is light, so that the command line can offer the names of tests without loading more.
"""

from typing import Literal

Test = Literal["randomization", "koehn"]  # two-sided by half-samples, or one-sided by wins

MOST_RESAMPLES = 100_000  # more tell nothing, and tables of resampled sums must fit into memory
MOST_SEED = 2**63 - 1
