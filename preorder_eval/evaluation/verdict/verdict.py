"""A verdict as data: the question, the difference that answers it, and caveats.

`answer` makes it, and `wording` puts it in words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from preorder_eval.base.tables import Caveat
from preorder_eval.evaluation.decision import Decision
from preorder_eval.evaluation.pair import MetricComparison

Question = Literal["two systems", "best of several", "one system"]


def subject(name: str) -> str:
    """Return a system's name as the subject of a sentence.

    The system `none` gets a word before it: "none is better" would say the opposite.

    >>> subject("none"), subject("nmt")
    ('system none', 'nmt')
    """
    return f"system {name}" if name == "none" else name


@dataclass(frozen=True, eq=False)
class Verdict:
    """A question about systems, and its answer.

    - `systems` are names; the verdict is about the last of them. `answer` is its difference from
      the one before it, and `pair` has the numbers of these two. There is no answer if nothing is
      compared, or if the best of several is the system that the others should exceed (`against`, if
      it was named).
    - If there are several systems, `close` are not significantly worse than the best, and `worse`
      are; p is corrected for the number of `pairs`. `unshown` is the reason if so few sentences or
      documents differ that no other system can be shown to be worse.
    - `value` is that of the best or only system, by the `metric` of that name for people.
    - `reached` is the score with gold trees: with the rules of the system, or else with the rules
      named.
    """

    question: Question
    systems: tuple[str, ...]
    verb: str = ""
    pair: tuple[int, int] = (0, 0)
    answer: MetricComparison | None = None
    pairs: int = 1
    against: str = ""
    close: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    unshown: str = ""
    metric: str = ""
    decimals: int = 3
    value: float = math.nan
    reached: tuple[tuple[float, str], ...] = ()
    caveats: tuple[Caveat, ...] = ()

    @property
    def decision(self) -> Decision | None:
        """The decision on the answer; None where there is none."""
        return None if self.answer is None else self.answer.decision

    @property
    def comparisons(self) -> int:
        """For how many pairs p of the leading metric is corrected."""
        return self.pairs if self.answer is None else self.answer.comparisons

    def facts(self) -> dict[str, Any]:
        """Return the verdict for JSON."""
        facts: dict[str, Any] = {"question": self.question, "systems": list(self.systems)}
        if self.answer is not None:
            facts |= self.answer.facts()
        if self.question == "best of several":
            facts |= {
                "pairs": self.pairs,
                "not_shown_to_be_worse": list(self.close),
                "worse": list(self.worse),
                **({"cannot_be_shown": self.unshown} if self.unshown else {}),
            }
        return facts
