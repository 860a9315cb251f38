"""Scoring: systems by metrics, and outputs against references (orders: `evaluate`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.base.processes import Processes
from preorder_eval.base.stats import Test
from preorder_eval.evaluation.inputs import Inputs, Texts, in_documents, warn_of_outputs
from preorder_eval.evaluation.other_scores import Given, with_scores
from preorder_eval.evaluation.result import Result, make_result
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.evaluation.systems import System, listed
from preorder_eval.metrics import metric
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.metrics.needs import KNOWN, LINKED, SystemInputs, side
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.objective import OUTPUT_METRICS

_AT_ONCE = 1 << 13  # sentences whose words are in memory together
_ENOUGH = 1 << 17  # outputs to score, of which fewer are done before others have started

OutputText = str | Path | Sequence[str]


def score(
    outputs: Mapping[str, OutputText] | OutputText,
    references: OutputText | Sequence[OutputText],
    metrics: str | Metric | Sequence[str | Metric] = OUTPUT_METRICS,
    *,
    resamples: int = 1000,
    seed: int = 0,
    significance: bool = False,
    against: str = "",
    test: Test = "randomization",
    language: str = "",
    documents: Sequence[str] = (),
    scores: Mapping[str, Given] = MappingProxyType({}),
    **inputs: Any,
) -> Result:
    """Score outputs of translation systems against references.

    - `outputs` are by the names of their systems, or of a single one; `references` one or several.
      Each is a file's path or a list of texts, a sentence each.
    - `metrics` are signatures. Metrics of words split texts by the tokenizer of their `language`,
      such as `ja`, by default found by the references' script. They may name another tokenizer
      (`tokenize=none` for tokenised texts).
    - `inputs` are what some metrics need beside, by name, in memory: the tokenised `source`, or
      what another package's metric needs; `hyp_alignment` and `ref_alignment`, links with the
      source for each output, in order or by name, and for each reference; `hyp_tags`, `ref_tags`
      and `source_tags`, lists of lines.
    - `documents` are the names of the sentences' documents, which intervals and tests then draw.
    - `scores` are those of other programs for every segment, by the name of the metric: a file of
      all systems, one for each, or numbers by system (`preorder_eval.metrics.score_files`).
      `MetricX(better=lower)` states that lower is better.
    - The second of two systems is compared with the first; of more, each is compared with the best,
      or with the system named by `against`. With `significance` all are compared with each other.

    Raises PreorderEvalError if something is missing that a metric needs, or has another number of
    sentences, and for an input of a name that no metric knows.

    >>> import preorder_eval as pe
    >>> pe.score({"mt": ["a b c", "c"]}, ["a b c", "b c"], ["wer"]).value("mt")
    0.2
    >>> comet = {"mt": [0.5, 0.75]}
    >>> pe.score({"mt": ["a b c", "c"]}, [], [], scores={"COMET": comet}).value("mt", "COMET")
    0.625
    """
    wanted = _metrics(metrics)
    known = {*KNOWN, *(name for each in wanted for name in each.needs)} - {"hyp", "ref"}
    for name in inputs.keys() - known:
        raise UnknownNameError("input", name, known)
    if not isinstance(outputs, Mapping):
        outputs = {System.from_output(outputs).name: outputs}
    systems = _systems(outputs, {w: values for w, values in inputs.items() if side(w) == "hyp"})
    texts = [
        System.from_output(stream, f"reference {number}")
        for number, stream in enumerate(_streams(references), 1)
    ]
    all_inputs = Inputs(
        tuple(systems),
        None,
        tuple(Texts(text.name, text.hyp or [], text.made_by) for text in texts),
        {
            what: [_links(what, links) for links in values] if what in LINKED else values
            for what, values in inputs.items()
            if side(what) != "hyp"
        },
    )
    warn_of_outputs(all_inputs)
    if documents:
        all_inputs = in_documents(all_inputs, documents)
    all_inputs, others = with_scores(all_inputs, scores)
    chosen = [*all_inputs.splitting(wanted, language), *others]
    sampling = Sampling(resamples, seed, test, "all" if significance else "baseline", against)
    return score_inputs(all_inputs, chosen, sampling)


def _systems(outputs: Mapping[str, OutputText], inputs: Mapping[str, Any]) -> list[System]:
    """Make a system of each output, with its part of the inputs."""
    systems = []
    for number, (name, output) in enumerate(outputs.items()):
        of_system = {what: _of(what, values, number, name) for what, values in inputs.items()}
        systems.append(replace(System.from_output(output, name), name=name, inputs=of_system))
    return systems


def _of(what: str, values: Any, number: int, name: str) -> Any:
    """Return the part of an input that belongs to an output, given by its number or name."""
    try:
        found = values[name if isinstance(values, Mapping) else number]
    except (LookupError, TypeError):
        raise PreorderEvalError(f"{what} has no entry for the output {name}") from None
    return _links(what, found) if what in LINKED else found


def _links(what: str, links: Any) -> Alignments:
    """Return links given as such, or as a list of pairs for each sentence."""
    try:
        return links if isinstance(links, Alignments) else Alignments.of(links)
    except PreorderEvalError:
        wanted = "give a list of (source, target) positions for each sentence"
        raise PreorderEvalError(f"{what}: {links!r:.50} is not a list of links; {wanted}") from None


def _streams(references: OutputText | Sequence[OutputText]) -> list[OutputText]:
    """Return the streams of references: those of a list of paths or of lists, or the only one."""
    if isinstance(references, str | Path):
        return [references]
    references = list(references)
    texts = [text for text in references if isinstance(text, str) and not _is_file(text)]
    if 0 < len(texts) < len(references):
        raise PreorderEvalError(
            f"references are a mixture of files and lists of texts; {texts[0][:40]!r} is not a file"
        )
    return [texts] if texts else list(references)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or with what no name can hold
        return False


def score_inputs(
    inputs: Inputs,
    metrics: Sequence[str | Metric],
    sampling: Sampling | None = None,
    *,
    jobs: int = 1,
    advance: Callable[[int], None] | None = None,
) -> Result:
    """Score the systems of some inputs, by default each compared with the baseline.

    `advance` is called with the number of systems done. Raises PreorderEvalError without a metric
    or with one twice, and for an input that is missing.
    """
    chosen = _metrics(inputs.splitting(_metrics(metrics)))
    scores = score_systems(inputs, chosen, advance, jobs)
    return make_result(inputs, chosen, scores, sampling or Sampling(against="baseline"))


def _metrics(named: str | Metric | Sequence[str | Metric]) -> tuple[Metric, ...]:
    """Return the metrics. Raises PreorderEvalError for one that is there twice."""
    chosen = tuple(metric(m) if isinstance(m, str) else m for m in listed(named))
    signatures = list(map(str, chosen))
    again = [name for name in signatures if signatures.count(name) > 1]
    if again:
        raise PreorderEvalError(f"metric {again[0]} can be given only once")
    return chosen


def score_systems(
    inputs: Inputs,
    metrics: Sequence[Metric],
    advance: Callable[[int], None] | None = None,
    jobs: int = 1,
) -> list[list[Scores]]:
    """Return the scores of every system by each metric; `advance` counts the systems done.

    Raises PreorderEvalError for an input that is missing.
    """
    inputs.require(metrics)
    scores = []
    # Orders are scored sooner than they are sent.
    of_outputs = sum("hyp" in metric.needs for metric in metrics)
    for of_system in Scoring(inputs, jobs, of_outputs).by(metrics):
        scores.append(of_system)
        if advance:
            advance(1)
    return scores


class Scoring:
    """Processes that score the systems of some inputs; several where there is much to do.

    `of` is how many metrics of outputs there are to score by.
    """

    def __init__(self, inputs: Inputs, jobs: int = 1, of: int = 1) -> None:
        views = tuple(inputs.of(number) for number in range(len(inputs.systems)))
        worth_while = len(views) * len(inputs) * of >= _ENOUGH
        self._systems = range(len(views))
        self._together = Processes(min(jobs, len(views)) if worth_while else 1, tuple, views)

    def by(self, metrics: Sequence[Metric]) -> Iterator[list[Scores]]:
        """Yield for every system its scores by each metric."""
        return self._together.map(_scores, [(system, metrics) for system in self._systems])


def _scores(systems: tuple[SystemInputs, ...], piece: tuple[int, Sequence[Metric]]) -> list[Scores]:
    """Return the scores of one system; the words of some sentences are held at a time."""
    system, metrics = piece
    inputs = systems[system]
    apart = [by for by in metrics if _by_sentence(by)]
    if not apart or len(inputs["hyp"]) <= _AT_ONCE:
        return [by.score_system(inputs) for by in metrics]
    # First those that take all words together, which are forgotten then.
    once = inputs.anew()
    scores = {m: m.score_system(once) for m in metrics if m not in apart}
    del once
    parts: dict[Metric, list[Floats]] = {by: [] for by in apart}
    for texts in inputs.texts(_AT_ONCE):
        for by in apart:
            parts[by].append(by.statistics_of(texts))
    scores |= {by: by.scores_of(np.concatenate(parts.pop(by))) for by in apart}
    return [scores[by] for by in metrics]


def _by_sentence(metric: Metric) -> bool:
    """Return whether a metric scores each sentence by its output and references alone."""
    return set(metric.needs) == {"hyp", "ref"} and not metric.whole_corpus
