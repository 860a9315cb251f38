"""FRS, Kendall's τ and RIBES in the style of Hugging Face's `evaluate`, without that package.

>>> Fuzzy().compute(predictions=[[1, 2, 3, 4, 0]], references=[[0, 1, 2, 3, 4]])
{'fuzzy': 0.75}

Where `evaluate` is installed, the folders of `modules` are what it loads:

    evaluate.load(preorder_eval.hub.folder("fuzzy")).compute(predictions=…, references=…)
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

from preorder_eval.data.orders import ReferenceOrders
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics import metric, order_metric

# A permutation, or groups of positions whose order inside is free.
Reference = Sequence[int] | Sequence[Sequence[int]]


class _Orders:
    """A metric of orders: positions of the source in the order in which they come out.

    Parameters are those of the metric; see its class in `preorder_eval.metrics`.
    """

    name: str

    def __init__(self, **parameters: str | bool) -> None:
        written = ",".join(f"{key}={value}".lower() for key, value in parameters.items())
        self._metric = order_metric(f"{self.name}({written})" if written else self.name)

    def compute(
        self,
        *,
        predictions: Sequence[Sequence[int]],
        references: Sequence[Reference],
        words: Sequence[Sequence[str]] | None = None,
    ) -> dict[str, float]:
        """Return the score of the corpus, under the metric's name.

        Parameters: `predictions` one permutation of the source's positions, from 0, for each
        sentence; `references` the same, or groups of positions where some are tied; `words` the
        source words, for what matches words as words. Raises PreorderEvalError where something has
        another number of sentences or words, or is no permutation.
        """
        _same_size(predictions, references)
        groups = [list(map(_group, reference)) for reference in references]
        scores = self._metric.score(predictions, ReferenceOrders.of(groups), words)
        return {self.name: scores.corpus}


class Fuzzy(_Orders):
    """The fuzzy reordering score (Talbot et al. 2011), from 0 to 1; `preorder_eval.metrics.fuzzy`.

    >>> Fuzzy().compute(predictions=[[1, 0, 2]], references=[[[0, 1], [2]]])
    {'fuzzy': 1.0}
    """

    name = "fuzzy"


class Kendall(_Orders):
    """Kendall's τ as a score from 0 to 1 (Birch & Osborne 2010); `preorder_eval.metrics.order`.

    >>> Kendall().compute(predictions=[[2, 1, 0]], references=[[0, 1, 2]])
    {'kendall': 0.0}
    """

    name = "kendall"


class Ribes:
    """RIBES 1.03.1 (Isozaki et al. 2010; Hirao et al. 2014), from 0 to 1.

    Parameters are those of `preorder_eval.metrics.ribes`, such as `alpha` and `tokenize`.

    >>> score = Ribes().compute(predictions=["he ate the red fish"], references=["The fish he ate"])
    >>> round(score["ribes"], 6)
    0.315247
    """

    name = "ribes"

    def __init__(self, **parameters: str | float | bool) -> None:
        self._metric = metric(self.name, **parameters)

    def compute(
        self, *, predictions: Sequence[str], references: Sequence[str] | Sequence[Sequence[str]]
    ) -> dict[str, float]:
        """Return the score of the corpus.

        Parameters: `predictions` a text for each sentence, split into words by its language;
        `references` a text for each, or several, of which the best counts, the same number for
        every sentence. Raises PreorderEvalError where numbers differ.
        """
        _same_size(predictions, references)
        several = [[entry] if isinstance(entry, str) else list(entry) for entry in references]
        if len(set(map(len, several))) > 1:
            raise PreorderEvalError("every sentence must have the same number of references")
        streams = [list(stream) for stream in zip(*several, strict=True)]
        return {self.name: self._metric.score(list(predictions), streams).corpus}


_METRICS = {kind.name: kind for kind in (Fuzzy, Kendall, Ribes)}


def folder(name: str) -> str:
    """Return the folder that `evaluate.load` loads: of `fuzzy`, `kendall` or `ribes`.

    >>> folder("fuzzy").endswith("fuzzy")
    True
    """
    if name not in _METRICS:
        raise UnknownNameError("module", name, _METRICS)
    return str(Path(__file__).parent / "modules" / name)


def _group(entry: Any) -> list[int]:
    return [int(entry)] if isinstance(entry, Integral) else list(entry)


def _same_size(predictions: Sequence[object], references: Sequence[object]) -> None:
    if len(predictions) != len(references):
        raise PreorderEvalError(
            f"{len(predictions)} predictions, but {len(references)} references; both must be of "
            "the same sentences"
        )
    if not predictions:
        raise PreorderEvalError("no predictions, nothing can be scored")
