"""Statistics: intervals, tests, correlations and agreement.

This module is light, so that the command line can offer the names of tests without loading more.
"""

from typing import Literal

Test = Literal["randomization", "koehn"]  # two-sided by half-samples, or one-sided by wins

MOST_RESAMPLES = 100_000  # more tell nothing, and tables of resampled sums must fit into memory
MOST_SEED = 2**63 - 1
# Sentences or documents that an interval, or that differ, for anything to be shown at the 5% level:
# all of k lie on the same side of the truth with probability 2/2^k, which is .031 of 6, .063 of 5.
FEWEST_UNITS = 6
