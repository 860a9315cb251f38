"""What some metrics of outputs need beside outputs and references.

LRscore compares word orders, which it takes from alignments of the source with outputs and
references; the LEPOR family can count part-of-speech tags beside words; and what estimates quality
without a reference compares the tags of the output with those of the source.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics import lexical_types, metric, metric_types
from preorder_eval.metrics.ebleu import Ebleu
from preorder_eval.metrics.hppr import Hppr
from preorder_eval.metrics.lrscore import VARIANTS, LRScore
from preorder_eval.metrics.shared.base import Scores, parse_signature
from preorder_eval.metrics.shared.lepor_base import LeporMetric, read_ratio
from preorder_eval.metrics.shared.lexical import LexicalMetric

OutputMetric = LexicalMetric | LRScore
ESTIMATES = (Ebleu, Hppr)  # they compare tags of output and source, and need no reference


@dataclass(frozen=True, eq=False)
class Inputs:
    """The further inputs of a scoring; empty where no metric needs them.

    `source` the tokens of the source sentences; `hyp_alignment` the links of the source with each
    system's output and `ref_alignment` those with each stream of references; `hyp_tags` a list of
    sentences of tags, separated by spaces, for each system, `ref_tags` for each stream of
    references, and `source_tags` those of the source (one list in the list). `made_by` holds what
    identifies them.
    """

    source: Sequence[Sequence[str]] = ()
    hyp_alignment: Sequence[Alignments] = ()
    ref_alignment: Sequence[Alignments] = ()
    hyp_tags: Sequence[Sequence[str]] = ()
    ref_tags: Sequence[Sequence[str]] = ()
    source_tags: Sequence[Sequence[str]] = ()
    made_by: dict[str, Any] = field(default_factory=dict)

    def score(self, measure: OutputMetric, system: int, segments: Segments | None) -> Scores:
        """The scores of the system of that number; `segments` are None without references.

        Raises PreorderEvalError where something that the metric needs is missing.
        """
        given = [name for name, value in vars(self).items() if value]
        require([measure], [*given, "ref"])
        if isinstance(measure, ESTIMATES):
            return measure.score(self.hyp_tags[system], self.source_tags)
        if segments is None:
            raise PreorderEvalError(f"metric {measure} needs a reference")
        if isinstance(measure, LRScore):
            return measure.score(
                segments,
                alignments=(self.hyp_alignment[system], self.ref_alignment),
                source_lengths=list(map(len, self.source)),
            )
        if isinstance(measure, LeporMetric) and counts_tags(measure):
            return measure.score(segments, tags=(self.hyp_tags[system], self.ref_tags))
        return measure.score(segments)


def counts_tags(measure: OutputMetric) -> bool:
    """Whether a metric of the LEPOR family gives part-of-speech tags a weight."""
    return isinstance(measure, LeporMetric) and read_ratio(measure, "mix", 2)[1] > 0


def needs(measure: OutputMetric) -> list[str]:
    """Which of `ref` and the fields of `Inputs` a metric needs.

    >>> needs(output_metric("wer")), needs(output_metric("hlepor(mix=1:9)"))
    (['ref'], ['ref', 'hyp_tags', 'ref_tags'])
    """
    if isinstance(measure, ESTIMATES):
        return ["source_tags", "hyp_tags"]
    if isinstance(measure, LRScore):
        return ["ref", "source", "hyp_alignment", "ref_alignment"]
    return ["ref", "hyp_tags", "ref_tags"] if counts_tags(measure) else ["ref"]


def require(metrics: Sequence[OutputMetric], given: Collection[str]) -> None:
    """Raise PreorderEvalError unless everything is given that some metric needs."""
    for measure in metrics:
        missing = [option(name) for name in needs(measure) if name not in given]
        if missing:
            tagger = ", or --tagger" if counts_tags(measure) and "--ref" not in missing else ""
            raise PreorderEvalError(f"metric {measure} needs {' and '.join(missing)}{tagger}")


def option(name: str) -> str:
    """What the command line calls an input.

    >>> option("hyp_tags")
    '--hyp-tags'
    """
    return "--" + name.replace("_", "-")


def output_metric(signature: str, **parameters: Any) -> OutputMetric:
    """A metric of outputs from its signature, also by a name of Birch and Osborne's LRscores.

    Raises UnknownNameError, with the legal values, for another metric.

    >>> str(output_metric("LR-HB1(alpha=0.2)"))
    'lrscore(distance=hamming,ngram=1,alpha=0.2)'
    """
    found = metric(written_out(signature), **parameters)
    if not isinstance(found, OutputMetric):
        known = [*lexical_types(), LRScore.name, *VARIANTS]
        raise UnknownNameError("metric of outputs", signature, known)
    return found


def written_out(signature: str) -> str:
    """A signature where the name of a variant is replaced by what it stands for."""
    written, bracket, own = signature.partition("(")
    name = written.strip()
    if not name.startswith("LR-"):
        return signature
    if name not in VARIANTS:
        raise UnknownNameError("variant of lrscore", name, VARIANTS)
    variant = VARIANTS[name]
    return f"{variant.removesuffix(')')},{own}" if bracket else variant


def with_settings(signature: str, tokenize: str | None, lower: bool) -> OutputMetric:
    """A metric with the settings that are for all metrics that do not say them themselves.

    They are for words: metrics of tags alone do without. Raises PreorderEvalError for a
    tokenisation of what is aligned word by word.
    """
    name, written = parse_signature(written_out(signature))
    kind = metric_types().get(name)
    shared: dict[str, Any] = {"tokenize": tokenize} if tokenize else {}
    shared |= {"lower": True} if lower else {}
    if kind in ESTIMATES:
        shared = {}
    if kind is LRScore and tokenize not in (None, "none"):
        raise PreorderEvalError(
            f"metric {signature}: --tokenize {tokenize} would split words that are aligned; "
            "write tokenize= in the other metrics instead"
        )
    if kind is LRScore:
        shared.pop("tokenize", None)
    own = {key: value for key, value in shared.items() if key not in written}
    return output_metric(signature, **own)
