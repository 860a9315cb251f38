"""The main job: score orders against reference orders, or outputs against references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.inputs import side
from preorder_eval.data.orders import Orders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.retokenize import fitted
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.base import Metric
from preorder_eval.parsers.base import Parser
from preorder_eval.resources import DEFAULT_PARSER, DEFAULT_REFERENCE, bundled_names
from preorder_eval.results.inputs import Inputs, Texts
from preorder_eval.results.pairings import warn_of_rules
from preorder_eval.results.result import Against, Result, Sampling
from preorder_eval.results.systems import Parsed, Progress, Rules, System, no_progress
from preorder_eval.stats import Test

BASELINES = ["none", "reverse", "head-final-reverse-before", "head-final-reverse-after"]
ORDER_METRICS = ("fuzzy", "kendall")
ENOUGH_LINKED = 0.9
# What is quick and widely known, each kind once.
OUTPUT_METRICS: tuple[str, ...] = ("bleu", "chrf", "ribes", "nkt", "rouge_l", "hlepor", "meteor")
OUTPUT_METRICS += ("nist", "wer", "per", "fmeasure")

Output = str | Path | Sequence[str]


def evaluate(
    reference: str | Path | ReferenceSet = DEFAULT_REFERENCE,
    systems: Sequence[System] | None = None,
    metrics: Sequence[str | Metric] | None = None,
    *,
    parsers: Sequence[str | Path | Parser] = (),
    trees: Mapping[str, Treebank] | None = None,
    rules: Sequence[Rules] = (),
    orders: Mapping[str, Orders | Sequence[Sequence[int]]] | Sequence[str | Path] = (),
    alignments: Mapping[str, Alignments] | Sequence[str | Path] = (),
    resamples: int = 1000,
    seed: int = 0,
    significance: bool = False,
    test: Test = "randomization",
    cache: bool = True,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> Result:
    """Score parsers with rule sets, or any other preorderers, against reference orders.

    Parameters: `reference` the name or folder of a reference set, or one in memory; by itself the
    command scores `en-ja-web` as well, in a result of its own. Either
    `systems`, or what they are made of: `parsers` by name or path (`gold` for the reference's own
    trees) and `trees` by the name they shall have, each with all `rules`, by default
    `bundled_rules`; order files (`orders`) and alignments of source and output (`alignments`), or
    what they hold, by name. Without any of these the bundled parser. `metrics` are signatures, by
    default those of `default_metrics`. `significance` compares all pairs of systems, by `test`.
    Without `cache` everything is parsed anew; `jobs` is how many processes share the work.

    Values come with 95 % intervals from `resamples` bootstrap resamples over sentences, and
    sentences without links are left out. Raises PreorderEvalError where nothing is left to score,
    for names that stand for nothing, and for what does not fit the reference.

    >>> evaluate("en-ko", parsers=["gold"], rules=["none"], metrics=["kendall"])
    parser  rules                  kendall  sentences
    gold    none   0.6740 [0.6377, 0.7081]        150
    """
    if not isinstance(reference, ReferenceSet):
        from preorder_eval.formats.reference_folder import load_reference

        reference = load_reference(reference)
    named = default_metrics(reference) if metrics is None else metrics
    chosen = _metrics(named)
    if systems is None:
        others = [
            *_others(System.from_orders, orders, reference),
            *_others(System.from_alignment, alignments, reference),
        ]
        parsed = []
        if parsers or trees or rules or not others:
            default = [] if parsers or trees else [DEFAULT_PARSER]
            parsed = reordered(
                reference,
                [*parsers, *default],
                trees or {},
                rules,
                cache=cache,
                jobs=jobs,
                progress=progress,
            )
        systems = [*parsed, *others]
    if not reference.informative.any():
        raise PreorderEvalError(f"{reference.name}: no sentence has a link, nothing can be scored")
    against: Against = "all" if significance else "none"
    sampling = Sampling(resamples, seed, test, against)
    return Result(Inputs(tuple(systems), reference), chosen, sampling, jobs=jobs)


def _metrics(named: Sequence[str | Metric]) -> tuple[Metric, ...]:
    """The metrics; PreorderEvalError for one that is there twice, also under two names."""
    chosen = tuple(metric(m) if isinstance(m, str) else m for m in named)
    signatures = list(map(str, chosen))
    again = [name for name in signatures if signatures.count(name) > 1]
    if again:
        raise PreorderEvalError(f"metric {again[0]} is given twice, but counts once")
    return chosen


def default_metrics(reference: ReferenceSet) -> tuple[str, ...]:
    """FRS and Kendall's τ; where words without links are many, also with these left out.

    An unaligned word stands beside its neighbour in the reference order (Talbot et al. 2011, 3.1).
    That is meant for texts that link all words but articles and punctuation. Where less than 90 %
    of the words have a link it rewards leaving the source as it is.

    >>> from preorder_eval.data.alignments import Alignments
    >>> default_metrics(ReferenceSet("mine", [["a", "b"]], Alignments.of([[(0, 0)]])))[2:]
    ('fuzzy(unaligned=drop)', 'kendall(unaligned=drop)')
    """
    if round(reference.coverage, 2) >= ENOUGH_LINKED:
        return ORDER_METRICS
    return (*ORDER_METRICS, *(f"{name}(unaligned=drop)" for name in ORDER_METRICS))


def reordered(
    reference: ReferenceSet,
    parsers: Sequence[str | Path | Parser],
    trees: Mapping[str, Treebank],
    rules: Sequence[Rules] = (),
    *,
    cache: bool = True,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> list[System]:
    """Every parser, and every treebank by its name, with every rule set or `bundled_rules`."""
    from preorder_eval.formats.rules import load_rules
    from preorder_eval.reordering.rule_set import RuleSet

    rule_sets = list(rules) or bundled_rules(reference.languages)
    # Rules are read first: they are quick to fail, parsing is not.
    read = [r if isinstance(r, RuleSet) else load_rules(r) for r in rule_sets]
    for rule_set in read if rules else []:
        warn_of_rules(rule_set, reference)
    parsed = [
        Parsed.by(parser, reference, cache=cache, jobs=jobs, progress=progress)
        for parser in parsers
    ]
    parsed += [
        Parsed({"name": name}, fitted(treebank, reference.source, name))
        for name, treebank in trees.items()
    ]
    return [System.from_trees(treebank, rule_set) for treebank in parsed for rule_set in rule_sets]


def bundled_rules(languages: str = "") -> list[str]:
    """The bundled rule sets: R1 to R4 of the paper, then those written for a pair of languages.

    Of these the one for `languages`, or all where none is for them; variants, such as one for trees
    of another scheme, have to be asked for.

    >>> bundled_rules("en-ja")[-2:]
    ['head-final-reverse-after', 'en-ja']
    """
    pairs = {name for name in bundled_names("rules") if name.count("-") == 1}
    of_languages = sorted(pairs - set(BASELINES))
    return [*BASELINES, *([languages] if languages in of_languages else of_languages)]


def _others(make: Any, given: Any, reference: ReferenceSet) -> list[System]:
    """Systems from files, which name them, or from what is given by name."""
    if isinstance(given, Mapping):
        return [make(value, reference, name=name) for name, value in given.items()]
    return [make(file, reference) for file in given]


def score(
    outputs: Mapping[str, Output] | Output,
    references: Output | Sequence[Output],
    metrics: Sequence[str | Metric] = OUTPUT_METRICS,
    *,
    resamples: int = 1000,
    seed: int = 0,
    significance: bool = False,
    test: Test = "randomization",
    **inputs: Any,
) -> Result:
    """Score outputs of translation systems against references.

    Parameters: `outputs` by the names of their systems, or of a single one; `references` one or
    several. Each is a file's path or a list of texts, a sentence each. `metrics` are signatures.
    `inputs` are what some of them need beside, by name, in memory: `source` the tokenised source,
    `hyp_alignment` and `ref_alignment` (`Alignments` for each output and each reference),
    `hyp_tags`, `ref_tags` and `source_tags` (lists of lines), or what another package's metric
    needs. Each system is compared with the first, with `significance` all with each other.

    Raises PreorderEvalError where something is missing that a metric needs, or has another number
    of sentences.

    >>> score({"mt": ["a b c", "c"]}, ["a b c", "b c"], ["wer"]).value("mt")
    0.2
    """
    if not isinstance(outputs, Mapping):
        outputs = {System.from_output(outputs).name: outputs}
    systems = []
    for number, (name, output) in enumerate(outputs.items()):
        of_system = {what: values[number] for what, values in inputs.items() if side(what) == "hyp"}
        systems.append(replace(System.from_output(output, name), name=name, inputs=of_system))
    texts = [
        System.from_output(stream, f"reference {number}")
        for number, stream in enumerate(_streams(references), 1)
    ]
    all_inputs = Inputs(
        tuple(systems),
        None,
        tuple(Texts(text.name, text.hyp or [], text.made_by) for text in texts),
        {what: values for what, values in inputs.items() if side(what) != "hyp"},
    )
    return score_inputs(
        all_inputs, metrics, resamples=resamples, seed=seed, significance=significance, test=test
    )


def score_inputs(
    inputs: Inputs,
    metrics: Sequence[str | Metric],
    *,
    resamples: int = 1000,
    seed: int = 0,
    significance: bool = False,
    test: Test = "randomization",
    jobs: int = 1,
) -> Result:
    """Score the systems of some inputs, each but the first compared with the first or with all."""
    chosen = _metrics(metrics)
    sampling = Sampling(resamples, seed, test, "all" if significance else "first")
    return Result(inputs, chosen, sampling, jobs=jobs)


def _streams(references: Output | Sequence[Output]) -> list[Output]:
    """The streams of references: those of a list of paths or of lists, or the only one."""
    if isinstance(references, str | Path):
        return [references]
    several: list[Output] = []
    texts: list[str] = []
    for reference in references:
        if isinstance(reference, str) and not _is_file(reference):
            texts.append(reference)
        else:
            several.append(reference)
    if texts and several:
        raise PreorderEvalError(
            f"references are texts and files or lists mixed; {texts[0][:40]!r} is no file"
        )
    return [texts] if texts else several


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or with what no name can hold
        return False
