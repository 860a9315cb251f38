"""`fuzzy` of preorder-eval as a module of Hugging Face's `evaluate`."""

import datasets
import evaluate

from preorder_eval.hub import Fuzzy

_ORDER = datasets.Sequence(datasets.Value("int64"))
_GROUPS = datasets.Sequence(datasets.Sequence(datasets.Value("int64")))


class FuzzyModule(evaluate.Metric):
    def _info(self):
        return evaluate.MetricInfo(
            description=Fuzzy.__doc__,
            citation="Talbot et al. 2011, equation 1",
            inputs_description=Fuzzy.compute.__doc__,
            features=[
                datasets.Features({"predictions": _ORDER, "references": _ORDER}),
                datasets.Features({"predictions": _ORDER, "references": _GROUPS}),
            ],
        )

    def _compute(self, predictions, references, **parameters):
        return Fuzzy(**parameters).compute(predictions=predictions, references=references)
