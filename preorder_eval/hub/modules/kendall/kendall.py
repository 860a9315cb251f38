"""`kendall` of preorder-eval as a module of Hugging Face's `evaluate`."""

import datasets
import evaluate

from preorder_eval.hub import Kendall

_ORDER = datasets.Sequence(datasets.Value("int64"))
_GROUPS = datasets.Sequence(datasets.Sequence(datasets.Value("int64")))


class KendallModule(evaluate.Metric):
    def _info(self):
        return evaluate.MetricInfo(
            description=Kendall.__doc__,
            citation="Birch and Osborne 2010; Isozaki et al. 2010",
            inputs_description=Kendall.compute.__doc__,
            features=[
                datasets.Features({"predictions": _ORDER, "references": _ORDER}),
                datasets.Features({"predictions": _ORDER, "references": _GROUPS}),
            ],
        )

    def _compute(self, predictions, references, **parameters):
        return Kendall(**parameters).compute(predictions=predictions, references=references)
