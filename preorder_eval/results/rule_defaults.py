"""Defaults of rules: the reference set of some, and the rule sets that are scored."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import PreorderEvalError, argument
from preorder_eval.formats.reference_folder import in_language, load_reference
from preorder_eval.formats.rule_reading import load_rules
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.resources import DEFAULT_REFERENCE, bundled_names
from preorder_eval.results.defaults import ANY, SOURCE_ORDER

BASELINES = [SOURCE_ORDER, "reverse", "head-final-reverse-before", "head-final-reverse-after"]


def reference_for(rules: Iterable[str | Path | RuleSet] = ()) -> str:
    """Return the reference set for rules unless one is named: the bundled one of their target.

    Without rules it is `DEFAULT_REFERENCE`. Raises PreorderEvalError for rules of several targets
    or of none, and for a target that no bundled set has.

    >>> [reference_for(rules) for rules in ([], ["none", "en-tr"], ["en-ja"])]
    ['en-ja-web', 'en-tr', 'en-ja-web']
    """
    named = list(map(load_rules, rules))
    pairs = dict.fromkeys((r.source, r.target) for r in named if r.target != ANY)
    if not named:
        return DEFAULT_REFERENCE
    if len(pairs) == 1:
        [(source, target)] = pairs
        pair = f"{'en' if source == ANY else source}-{target}"
        for name in (f"{pair}-web", pair):
            if name in bundled_names("reference_data"):
                return name
        problem = f"no bundled reference set is {pair}, as rule set {named[-1].name} is"
    elif pairs:
        problem = f"the rule sets have several targets: {', '.join(t for _, t in pairs)}"
    else:
        names = ", ".join(rule_set.name for rule_set in named)
        problem = f"no reference is named, and rules {names} name no target language"
    sets = ", ".join(bundled_names("reference_data"))
    raise PreorderEvalError(
        f"{problem}; give a reference: {argument('reference=…')} with one of {sets} or your folder"
        + argument("", ", or --alignment with --source")
    )


def reference_of(
    reference: str | Path | ReferenceSet | None, rules: Iterable[str | Path | RuleSet] = ()
) -> ReferenceSet:
    """Return a reference set for rules: one in memory, or by name, or else that of their target.

    Of a set with several target languages it is the annotation in the rules' one. Raises
    PreorderEvalError if that leaves the language open, or `reference_for` has no set.

    >>> reference_of("constructions", ["none", "en-ko"]).name, reference_of(None, ["en-tr"]).name
    ('constructions@ko', 'en-tr/dev')
    """
    if isinstance(reference, ReferenceSet):
        return reference
    if reference is None:
        return load_reference(reference_for(rules))
    # Read only for a set of several languages: `watch` awaits a rule file that is wrong as yet.
    targets = (load_rules(rule).target for rule in rules)
    return load_reference(in_language(str(reference), targets))


def bundled_rules(languages: str = "") -> list[str]:
    """Return the names of the rule sets that are scored unless some are named: `none` and others.

    Of those written for a pair of languages, the one for `languages`, or all if there is none for
    them. Variants, such as one for trees of another scheme, have to be asked for.

    >>> bundled_rules("en-ja")
    ['none', 'en-ja']
    """
    pairs = {name for name in bundled_names("rules") if name.count("-") == 1}
    of_languages = sorted(pairs - set(BASELINES))
    return [SOURCE_ORDER, *([languages] if languages in of_languages else of_languages)]
