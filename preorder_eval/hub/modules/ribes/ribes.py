"""`ribes` of preorder-eval as a module of Hugging Face's `evaluate`."""

import datasets
import evaluate

from preorder_eval.hub import Ribes

_TEXT = datasets.Value("string")


class RibesModule(evaluate.Metric):
    def _info(self):
        return evaluate.MetricInfo(
            description=Ribes.__doc__,
            citation="Isozaki et al. 2010; Hirao et al. 2014",
            inputs_description=Ribes.compute.__doc__,
            features=[
                datasets.Features({"predictions": _TEXT, "references": _TEXT}),
                datasets.Features({"predictions": _TEXT, "references": datasets.Sequence(_TEXT)}),
            ],
        )

    def _compute(self, predictions, references, **parameters):
        return Ribes(**parameters).compute(predictions=predictions, references=references)
