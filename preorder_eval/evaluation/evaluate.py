"""Scoring orders: those of parsers with rules, and any others, against reference orders.

The reference set and the rule sets have defaults: those of the rules' target language, and those
that are bundled for the reference's languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from preorder_eval.base.errors import PreorderEvalError, argument
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.resources import DEFAULT_PARSER, DEFAULT_REFERENCE, bundled_names
from preorder_eval.base.stats import Test
from preorder_eval.base.text.languages import language_code
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.parsed import Parsed, in_scheme_of
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.evaluation.score import score_inputs
from preorder_eval.evaluation.system_warnings import warn_of_rules
from preorder_eval.evaluation.systems import Rules, System, listed
from preorder_eval.metrics.base import Metric
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders
from preorder_eval.parsers.parser import Parser
from preorder_eval.references.objective import ANY, SOURCE_ORDER, objective
from preorder_eval.references.reference_folder import in_language, load_reference
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import load_rule_sets, load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.retokenize import fitted
from preorder_eval.trees.treebank import Tree, Treebank, document_names

_BASELINES = {SOURCE_ORDER, "reverse", "head-final-reverse-before", "head-final-reverse-after"}


def evaluate(
    reference: str | Path | ReferenceSet | None = None,
    systems: System | Sequence[System] | None = None,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    *,
    parsers: str | Path | Parser | Sequence[str | Path | Parser] = (),
    trees: Mapping[str, Treebank | Sequence[Tree]] | Treebank | Sequence[Tree] | None = None,
    rules: Rules | Sequence[Rules] = (),
    orders: Mapping[str, Orders | Sequence[Sequence[int]]] | Sequence[str | Path] | Path = (),
    alignments: Mapping[str, Alignments] | Sequence[str | Path] | Path = (),
    gold: str | Path | None = None,
    resamples: int = 1000,
    seed: int = 0,
    significance: bool = False,
    against: str = "",
    test: Test = "randomization",
    cache: bool = True,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> Result:
    """Score parsers with rule sets, or any other preorderers, against reference orders.

    Parameters: `reference` the name or folder of a reference set, or one in memory, by default that
    of the rules' target (`reference_of`). Give either `systems`, or the parts they are made from.
    Parts are `parsers` by name or path (`gold` for the reference's own trees), loaded spaCy
    pipelines or functions (`FunctionParser`), and `trees`, by name or alone. Each is scored with
    all `rules` (default: those that fit the reference). Other parts are permutations (`orders`) and
    alignments of source and output (`alignments`), as files or by name. Without any of these the
    bundled parser is scored. Trees that are the file of `gold` trees are the ceiling, not a system
    among others. `metrics` are signatures; the default is the `objective` of the reference. `test`
    compares each system with the baseline (`Standing`) or the system named by `against`, and with
    the best; `significance` compares all pairs. `cache=False` ignores cached parses; `jobs` is the
    number of processes.

    Values are means over sentences with 95% intervals from `resamples` bootstrap resamples;
    sentences without links are skipped. Raises PreorderEvalError if nothing is left to score,
    for an unknown name, and for input that does not fit the reference.

    >>> import preorder_eval as pe
    >>> result = pe.evaluate("en-ko", parsers=["gold"], rules=["none"], metrics=["kendall"])
    >>> round(result.value("gold/none"), 3)
    0.674
    """
    parsers, rules = listed(parsers), listed(rules)
    if trees is not None and not isinstance(trees, Mapping):
        trees = {"trees": trees}
    reference = reference_of(reference, rules)
    chosen = listed(objective(reference) if metrics is None else metrics)
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
                gold=gold,
                cache=cache,
                jobs=jobs,
                progress=progress,
            )
        systems = sorted([*parsed, *others], key=lambda system: system.ceiling)
    systems = listed(systems)
    reference = _with_documents(reference, systems)
    sampling = Sampling(resamples, seed, test, "all" if significance else "baseline", against)
    return score_inputs(Inputs(tuple(systems), reference), chosen, sampling, jobs=jobs)


def _with_documents(reference: ReferenceSet, systems: Sequence[System]) -> ReferenceSet:
    """Return the reference set with the documents that systems' trees name, if it names none."""
    if reference.documents:
        return reference
    origins = filter(None, (system.origin() for system in systems))
    of_trees = filter(None, (document_names(origin.trees.comments) for origin in origins))
    return replace(reference, documents=next(of_trees, ()))


def reordered(
    reference: ReferenceSet,
    parsers: Sequence[str | Path | Parser],
    trees: Mapping[str, Treebank | Sequence[Tree]],
    rules: Sequence[Rules] = (),
    *,
    gold: str | Path | None = None,
    cache: bool = True,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> list[System]:
    """Return every parser and every treebank by its name, with every rule set.

    Without `rules` these are the `bundled_rules`.
    """
    # Rules are read first: they are quick to fail, parsing is not.
    rule_sets = load_rule_sets(rules or bundled_rules(reference.languages))
    for rule_set in rule_sets if rules else []:
        warn_of_rules(rule_set, reference)
    parsed = [
        Parsed.by(parser, reference, cache=cache, jobs=jobs, progress=progress)
        for parser in parsers
    ]
    for name, of_name in trees.items():
        given = in_scheme_of(_treebank(name, of_name), rule_sets)
        parsed.append(Parsed({"name": name}, fitted(given, reference.source, name)))
    return systems_of([one.marked(reference, gold) for one in parsed], rule_sets)


def systems_of(
    parsed: Sequence[Parsed], rules: Sequence[RuleSet], *, checked: bool = True
) -> list[System]:
    """Return all trees of the same sentences with every rule set.

    The source order is the same for all trees, so that it stands there once and without a parser.
    If these are one part of a corpus, they need not be `checked`: the whole corpus is.
    """
    systems = [trees.reordered(one, checked=checked) for trees in parsed for one in rules]
    if len(parsed) == 1:
        return systems
    unmoved = [system for system in systems if system.rules == SOURCE_ORDER]
    once = [
        System(SOURCE_ORDER, system.orders, made_by={"rules": system.maker("rules")})
        for system in unmoved[:1]
    ]
    return [*once, *(system for system in systems if system not in unmoved)]


def _treebank(name: str, trees: Treebank | Sequence[Tree]) -> Treebank:
    if isinstance(trees, Treebank):
        return trees
    if not isinstance(trees, Sequence) or not all(isinstance(tree, Tree) for tree in trees):
        raise PreorderEvalError(f"{name}: give a treebank, or a list of trees")
    return Treebank.of(trees)


def _others(make: Any, given: Any, reference: ReferenceSet) -> list[System]:
    if isinstance(given, Mapping):
        return [make(value, reference, name=name) for name, value in given.items()]
    return [make(file, reference) for file in listed(given)]


def reference_of(
    reference: str | Path | ReferenceSet | None, rules: Iterable[str | Path | RuleSet] = ()
) -> ReferenceSet:
    """Return a reference set for rules: one in memory, or by name, or else that of their target.

    If a set has several target languages, the annotation for the rules' target is returned. If no
    set is named, the bundled set for this target is returned, or `DEFAULT_REFERENCE` if there are
    no rules. Raises PreorderEvalError if that leaves the set or its language open.

    >>> reference_of("constructions", ["none", "en-ko"]).name, reference_of(None, ["en-tr"]).name
    ('constructions@ko', 'en-tr/dev')
    """
    if isinstance(reference, ReferenceSet):
        return reference
    if reference is None:
        return load_reference(_bundled_reference(list(map(load_rules, rules))))
    # Read only for a set of several languages: `watch` awaits a rule file that is wrong as yet.
    targets = (load_rules(rule).target for rule in rules)
    return load_reference(in_language(str(reference), targets))


def _bundled_reference(rules: Sequence[RuleSet]) -> str:
    """Return the bundled reference set of the rules' target, of web text if there is one."""
    pairs = dict.fromkeys((r.source, r.target) for r in rules if r.target != ANY)
    if not rules:
        return DEFAULT_REFERENCE
    if len(pairs) == 1:
        [(source, target)] = pairs
        pair = f"{'en' if source == ANY else source}-{target}"
        for name in (f"{pair}-web", pair):
            if name in bundled_names("reference_data"):
                return name
        problem = f"no bundled reference set is {pair}, as rule set {rules[-1].name} is"
    elif pairs:
        problem = f"the rule sets have several targets: {', '.join(t for _, t in pairs)}"
    else:
        names = ", ".join(rule_set.name for rule_set in rules)
        problem = f"no reference is named, and rules {names} name no target language"
    sets = ", ".join(bundled_names("reference_data"))
    raise PreorderEvalError(
        f"{problem}; give a reference: {argument('reference=…')} with one of {sets} or your folder"
        + argument("", ", or --alignment with --source")
    )


def of_its_languages(reference: ReferenceSet) -> ReferenceSet:
    """Return a user's set with its languages if its name is a language pair, such as `en-ja`.

    Those of a bundled rule set count, and any two codes of two letters: `en-old` names none.
    """
    known = reference.name in bundled_names("rules") or _are_codes(reference.name.split("-"))
    return replace(reference, languages=reference.name) if known else reference


def _are_codes(sides: Sequence[str]) -> bool:
    """Return whether these are the codes of two languages, of two letters each."""
    if len(sides) != len(("source", "target")) or any(len(code) != len("en") for code in sides):
        return False
    try:
        return list(map(language_code, sides)) == list(sides)
    except PreorderEvalError:
        return False


def bundled_rules(languages: str = "") -> list[str]:
    """Return the names of the rule sets that are scored by default: `none` and others.

    The others are the rule set written for `languages`, or, if there is none, all rule sets written
    for a language pair. Variants, such as one for trees of another scheme, must be named.

    >>> bundled_rules("en-ja")
    ['none', 'en-ja']
    """
    pairs = {name for name in bundled_names("rules") if name.count("-") == 1}
    of_languages = sorted(pairs - _BASELINES)
    return [SOURCE_ORDER, *([languages] if languages in of_languages else of_languages)]
