"""Rule files in TOML.

    name = "en-ja"
    scheme = "ud"             # the trees' annotation scheme: ud, sud or clearnlp
    source = "en"             # optional, as are target and description
    target = "ja"
    tags = "upos"             # or "xpos": what heads and `tag` conditions name
    default = "keep"          # or "reverse": what a head without a rule does
    tuned_on = ["en-ja-web/dev"]  # optional: reference sets that the rules were chosen by

    [[rule]]
    head = ["VERB", "AUX"]    # one tag or several; XPOS tags may end in *; "*" is any tag
    label = "acl:relcl"       # optional: only heads that are attached by this label (or these)
    order = ["advcl", { label = "obl", reverse = true }, "OTHER", "HEAD", "aux", "punct"]

    [[rule]]                  # the weighted form of Xu et al. (2009): larger weight first
    head = "ADP"
    weights = [{ label = "pobj", weight = 1 }, { label = "HEAD", weight = -1 }]

    [[rule]]                  # or pairs: the first that fits two items says which comes first
    head = "*"
    pairs = [["obj>", "HEAD"], [{ label = "advmod", side = "after", word = "not" }, "obl>"]]

    [[example]]
    tree = ["He PRON 2 nsubj", "eats VERB 0 root", "fish NOUN 2 obj"]
    order = "He fish eats"

A slot is a label, or a table with `label` (one or several) and conditions: `side` ("before" or
"after" the head; `"obl>"` is short for obl after it, `"obl<"` for obl before it), `tag`, `word` and
`feats` (one or several, of the child), `head_tag`, `head_word` and `head_label` (of its head),
`sibling` (labels, one of which another child has), `with_word` and `with_label` (which a child of
its own has, as the preposition of an obl), `at_least` and `at_most` (words that move with the
child), and `reverse`. A label covers its subtypes (nmod covers nmod:poss) unless another slot
names the subtype. Of the slots that fit a child the one with most conditions takes it.

A rule with `pairs` says of two kinds of items, the head among them, which comes out first, or, with
a third word "reverse" or "keep", that they turn round or stay. What its pairs leave open the next
rule of pairs that fits the head may say, then the rule of slots that fits, then the default. Where
pairs go round in a circle, as few of them as possible are given up.

A rule for all heads can instead have `scores`, pairs with a number: all that fit two items, the
first of which stands before the second, add up to what speaks for turning them round, and the order
with the highest sum comes out. That is how learned orderers are saved (see `rules
learn --statistical`); it is not written by hand.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.labels import labelled
from preorder_eval.formats.rule_file import RuleFile, keys_of
from preorder_eval.formats.rules_text import format_rules
from preorder_eval.formats.text import decode_text, read_bytes, text_hash
from preorder_eval.formats.toml_lines import line_of
from preorder_eval.formats.toml_model import parse_toml
from preorder_eval.plugins import Named, named
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.resources import bundled_names

_LOG = logging.getLogger(__name__)


def load_rules(name: str | Path) -> RuleSet:
    """A rule set by the name of a bundled or installed one, or by the path of a rule file.

    In `label=path` the label is its name. Installed are those of other packages
    (`preorder_eval.plugins`). Raises UnknownNameError for an unknown name (with the known ones) and
    FormatError for a file that is not a rule file, with the key that is wrong and its legal values.

    >>> load_rules("none").rules
    ()
    """
    label, _ = labelled(name)
    text, place = _written(name)
    rules = parse_rules(text, place)
    _LOG.info("rules %s from %s", label or rules.name, place)
    return rules if label is None else replace(rules, name=label)


def rule_names() -> list[str]:
    """The names of all rule sets, the bundled ones first."""
    return list(_named_rules())


def rules_path(name: str | Path) -> Path:
    """The file that a rule set's name or path stands for."""
    found = _find(name)
    if isinstance(found, RuleSet):
        raise PreorderEvalError(f"rule set {name} was made by a package and has no file")
    return found


def rules_text(name: str | Path) -> str:
    """The text of the rule file that a rule set's name or path stands for."""
    return _written(name)[0]


def rules_hash(name: str | Path) -> str:
    """The SHA-256 of a rule file, which identifies it in results."""
    return text_hash(rules_text(name))


def _named_rules() -> dict[str, Named]:
    return named("rules", bundled_names("rules"))


def _find(name: str | Path) -> Path | RuleSet:
    """The file that a rule set's name or path stands for, or what another package made."""
    _, name = labelled(name)
    known = _named_rules()
    if str(name) in known:
        entry = known[str(name)]
        made = entry.make()
        if isinstance(made, RuleSet):
            return made
        if isinstance(made, str | Path) and Path(made).is_file():
            return Path(made)
        raise entry.wrong("a RuleSet or the path of a rule file")
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return path
    raise UnknownNameError("rule set", str(name), known, "; or the path of a .toml file")


def _written(name: str | Path) -> tuple[str, str]:
    """A rule set as the text of a rule file, and what errors call that."""
    found = _find(name)
    if isinstance(found, RuleSet):
        return format_rules(found), f"rule set {name}"
    return decode_text(read_bytes(found), str(found)), str(found)


def parse_rules(text: str, file: str) -> RuleSet:
    """A rule set from the text of a rule file; `file` is what errors call it."""
    parsed = parse_toml(RuleFile, text, file, keys_of)
    try:
        return parsed.rule_set()
    except FormatError:
        raise
    except PreorderEvalError as error:
        raise FormatError(str(error), file=file, line=line_of(str(error), text)) from error


def failing_examples(rules: RuleSet) -> list[str]:
    """What the rule set makes of those of its own examples that come out differently."""
    failures = []
    for number, example in enumerate(rules.examples, 1):
        order = rules.reorder(example.treebank)[0]
        result = " ".join(example.treebank.words[i] for i in order)
        if result != example.expected:
            failures.append(f"example {number} gives {result!r} instead of {example.expected!r}")
    return failures
