"""What learning rules came to: the rule set, what its pairs rest on, and what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from preorder_eval.analysis.rule_learning import Learned
from preorder_eval.formats.rules import format_rules
from preorder_eval.formats.tables import known
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.stats.significance import Difference
from preorder_eval.visible import quantity


@dataclass(frozen=True)
class Trial:
    """What a gate came to: the pairs learned from all sentences, and the scores on those left out.

    `clarity` is that of the gate, None without exceptions and for scores. `values` are the corpus
    scores by each metric, every sentence reordered by rules that are learned from the other parts.
    """

    clarity: float | None
    pairs: int
    values: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class LearnedRules:
    """A rule set that was learned.

    `rules` with what each pair of its first rule rests on in `learned`; `metrics`, the first of
    which chose the `clarity` among the `trials`; `before` and `fitted` the scores of the rules to
    start from and of those learned, on the sentences that they are learned from; `gains` by how
    much the sentences left out are better than before; `sentences` with a link, `folds` parts.
    `start`, `reference` and `parser` are names, empty where they have none.
    """

    rules: RuleSet
    learned: list[Learned]
    metrics: tuple[str, ...]
    trials: list[Trial]
    clarity: float | None
    before: tuple[float, ...]
    fitted: tuple[float, ...]
    gains: list[Difference]
    sentences: int
    folds: int
    seed: int
    start: str
    reference: str = ""
    parser: str = ""

    def __repr__(self) -> str:
        score = f"{self.metrics[0]} {self.left_out[0]:.4f} on sentences left out"
        return f"<LearnedRules {self.rules.name}: {quantity(len(self.learned), 'pair')}, {score}>"

    @property
    def left_out(self) -> tuple[float, ...]:
        """The scores on sentences left out, with the gate that was chosen."""
        return next(trial.values for trial in self.trials if trial.clarity == self.clarity)

    def toml(self) -> str:
        """The rule file, every pair with what speaks for it and against it.

        >>> from preorder_eval.analysis.learning import learn_rules
        >>> learned = learn_rules("gold", "en-tr", words=False, folds=2)
        >>> '["HEAD", "case<"]' in learned.toml()
        True
        """
        notes = {
            one.pair: f"{one.wanted} : {one.unwanted}{', exception' * one.exception}"
            for one in self.learned
        }
        return format_rules(self.rules, notes)

    def table(self) -> tuple[list[str], list[list[object]]]:
        """Header and a row for each pair as plain values."""
        header = ["pair", "exception", "wanted", "unwanted", "clarity", "sentences"]
        return header, [
            [
                str(one.pair),
                one.exception,
                one.wanted,
                one.unwanted,
                one.clarity,
                " ".join(map(str, one.sentences)),
            ]
            for one in self.learned
        ]

    def summary(self) -> dict[str, Any]:
        """What `--json` prints: the scores, the trials and the pairs with their sentences."""
        header, rows = self.table()
        named = {"reference": self.reference, "parser": self.parser}

        def by_metric(values: Sequence[float]) -> dict[str, float]:
            return dict(zip(self.metrics, values, strict=True))

        return {
            **{what: name for what, name in named.items() if name},
            "rules": self.rules.name,
            "start": self.start,
            "sentences": self.sentences,
            "folds": self.folds,
            "before": by_metric(self.before),
            "fitted": by_metric(self.fitted),
            "left_out": by_metric(self.left_out),
            "gains": {
                metric: {
                    "value": gain.value,
                    "low_95": known(gain.at_95.low),
                    "high_95": known(gain.at_95.high),
                    "significance": gain.mark,
                    "p": gain.p,
                }
                for metric, gain in zip(self.metrics, self.gains, strict=True)
            },
            "trials": [
                {"clarity": t.clarity, "pairs": t.pairs, "left_out": by_metric(t.values)}
                for t in self.trials
            ],
            "clarity": self.clarity,
            "pairs": [
                {**dict(zip(header, cells, strict=True)), "sentences": list(one.sentences)}
                for cells, one in zip(rows, self.learned, strict=True)
            ],
        }
