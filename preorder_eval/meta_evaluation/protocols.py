"""How WMT's metrics tasks compared metrics with people, by name: a statistic and a margin."""

from __future__ import annotations

from dataclasses import dataclass

from preorder_eval.errors import UnknownNameError


@dataclass(frozen=True)
class Protocol:
    """What `meta` is asked for: the statistic, and what human scores must differ by at least."""

    statistic: str
    margin: float = 0.0


PROTOCOLS = {
    # Rankings; Callison-Burch et al. 2012, Macháček & Bojar 2013, 2014
    "wmt12": Protocol("pairs.wmt12"),
    "wmt13": Protocol("pairs.wmt13"),
    "wmt14": Protocol("pairs.wmt14"),
    # Relative rankings from raw direct assessments (daRR), those that differ by 25 or more;
    # Bojar et al. 2017 to Mathur et al. 2020
    "wmt17-darr": Protocol("pairs.wmt12", margin=25.0),
    "wmt20-darr": Protocol("pairs.wmt12", margin=25.0),
    # Tie-calibrated accuracy within segments (Deutsch et al. 2023); Freitag et al. 2023
    "wmt23-segment": Protocol("within-segment.acc_eq"),
    # Soft pairwise accuracy (Thompson et al. 2024); Freitag et al. 2024
    "wmt24-system": Protocol("system.spa"),
    "wmt24-segment": Protocol("within-segment.acc_eq"),
}


def protocol(name: str) -> Protocol:
    """A protocol by its name; UnknownNameError, with the legal names, for any other.

    >>> protocol("wmt20-darr")
    Protocol(statistic='pairs.wmt12', margin=25.0)
    """
    if name not in PROTOCOLS:
        raise UnknownNameError("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]
