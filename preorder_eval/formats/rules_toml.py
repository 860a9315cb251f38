"""Rule files in TOML.

    name = "en-ja"
    scheme = "ud"             # the trees' annotation scheme: ud, sud or clearnlp
    source = "en"             # optional, as are target and description
    target = "ja"
    tags = "upos"             # or "xpos": what heads and `tag` conditions name
    default = "keep"          # or "reverse": what a head without a rule does

    [[rule]]
    head = ["VERB", "AUX"]    # one tag or several; XPOS tags may end in *; "*" is any tag
    label = "acl:relcl"       # optional: only heads that are attached by this label (or these)
    order = ["advcl", { label = "obl", reverse = true }, "OTHER", "HEAD", "aux", "punct"]

    [[rule]]                  # the weighted form of Xu et al. (2009): larger weight first
    head = "ADP"
    weights = [{ label = "pobj", weight = 1 }, { label = "HEAD", weight = -1 }]

    [[example]]
    tree = ["He PRON 2 nsubj", "eats VERB 0 root", "fish NOUN 2 obj"]
    order = "He fish eats"

A slot is a label, or a table with `label` (one or several) and conditions: `side` ("before" or
"after" the head), `tag` and `word` (one or several, of the child), and `reverse`. A label covers
its subtypes (nmod covers nmod:poss) unless another slot names the subtype.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from preorder_eval.data.treebank import Column, Treebank
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.text import decode_lines, file_hash, read_bytes
from preorder_eval.formats.toml_lines import line_of
from preorder_eval.reordering.linearization import MOST_SLOTS
from preorder_eval.reordering.rule_set import HEAD, OTHER, Example, Rule, RuleSet, Slot
from preorder_eval.reordering.schemes import LABELS, UPOS, XPOS
from preorder_eval.resources import bundled_names


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Names = Annotated[list[str], BeforeValidator(_listed)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Slot(_Model):
    label: Names
    side: Literal["before", "after"] | None = None
    tag: Names = []
    word: Names = []
    reverse: bool = False

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        return {"label": value} if isinstance(value, str) else value


class _Weight(_Model):
    label: str
    weight: float = Field(allow_inf_nan=False)
    order: Literal["NORMAL", "REVERSE"] = "NORMAL"


class _Rule(_Model):
    head: Names
    label: Names = []
    order: list[_Slot] | None = None
    weights: list[_Weight] | None = None


class _Example(_Model):
    tree: list[str] = Field(min_length=1)
    order: str


class _RuleFile(_Model):
    name: str
    scheme: Literal["ud", "sud", "clearnlp"]
    description: str = ""
    source: str = "any"
    target: str = "any"
    tags: Literal["upos", "xpos"] = "upos"
    default: Literal["keep", "reverse"] = "keep"
    rule: list[_Rule] = []
    example: list[_Example] = []


def load_rules(name: str | Path) -> RuleSet:
    """A rule set by the name of a bundled one or by the path of a rule file.

    Raises UnknownNameError for an unknown name (with the known ones) and FormatError for a file
    that is not a rule file, with the key that is wrong and its legal values.

    >>> load_rules("none").rules
    ()
    """
    path = rules_path(name)
    return parse_rules("\n".join(decode_lines(read_bytes(path), str(path))), str(path))


def rules_path(name: str | Path) -> Path:
    """The file that a rule set's name or path stands for."""
    known = bundled_names("rules")
    if str(name) in known:
        return known[str(name)]
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return path
    raise UnknownNameError("rule set", str(name), known, "; or the path of a .toml file")


def rules_hash(name: str | Path) -> str:
    """The SHA-256 of a rule file, which identifies it in results."""
    return file_hash(rules_path(name))


def parse_rules(text: str, file: str) -> RuleSet:
    """A rule set from the text of a rule file; `file` is what errors call it."""
    try:
        parsed = _RuleFile.model_validate(tomllib.loads(text))
    except ValidationError as error:
        found = _first_error(error)
        raise FormatError(found, file=file, line=line_of(found, text)) from error
    except (ValueError, RecursionError) as error:
        at = re.search(r"\(at line (\d+), column \d+\)", str(error))
        last = text.count("\n") + 1 if "at end of document" in str(error) else None
        line = int(at[1]) if at else last
        raise FormatError(f"not TOML: {error}", file=file, line=line) from error
    try:
        return RuleSet(
            name=parsed.name,
            scheme=parsed.scheme,
            rules=tuple(_rule(r, parsed) for r in _numbered(parsed.rule, parsed)),
            description=parsed.description,
            source=parsed.source,
            target=parsed.target,
            tags=parsed.tags,
            default=parsed.default,
            examples=tuple(_example(n, e) for n, e in enumerate(parsed.example, 1)),
        )
    except FormatError:
        raise
    except PreorderEvalError as error:
        raise FormatError(str(error), file=file, line=line_of(str(error), text)) from error


def _first_error(error: ValidationError) -> str:
    """The first thing pydantic found, as key and legal values."""
    first = error.errors(include_url=False)[0]
    keys = [str(k + 1) if isinstance(k, int) else k for k in first["loc"]]
    where = " ".join(keys)
    if first["type"] == "extra_forbidden":
        models: dict[str, type[BaseModel]] = {
            "rule": _Rule,
            "order": _Slot,
            "weights": _Weight,
            "example": _Example,
        }
        named = [models[key] for key in keys[:-1] if key in models]
        model = named[-1] if named else _RuleFile
        return str(UnknownNameError(f"key at {where}:", keys[-1], model.model_fields))
    if first["type"] == "missing":
        return f"key {where} is missing"
    return f"key {where}: {first['msg'][0].lower()}{first['msg'][1:]}, not {first['input']!r:.60}"


def _numbered(rules: Sequence[_Rule], parsed: _RuleFile) -> Iterable[tuple[str, _Rule]]:
    """The rules with what errors call them, their heads checked."""
    legal = UPOS if parsed.tags == "upos" else XPOS
    seen: dict[tuple[str, str], int] = {}
    for number, rule in enumerate(rules, 1):
        place = f"rule {number} ({', '.join(rule.head)})"
        for tag in rule.head:
            _check_tag(tag, f"category in {place}:", legal, patterns=parsed.tags == "xpos")
        for label in rule.label:
            if label not in LABELS[parsed.scheme]:
                raise UnknownNameError(f"head label in {place}:", label, LABELS[parsed.scheme])
        for tag, label in itertools.product(rule.head, rule.label or [""]):
            if (tag, label) in seen:
                heads = f"{tag} heads" + (f" attached by {label}" if label else "")
                raise PreorderEvalError(f"{place}: {heads} have rule {seen[tag, label]} already")
            seen[tag, label] = number
        yield place, rule


def _check_tag(tag: str, what: str, legal: frozenset[str], *, patterns: bool) -> None:
    if tag == "*" or tag in legal:
        return
    if patterns and tag.endswith("*") and any(t.startswith(tag[:-1]) for t in legal):
        return
    raise UnknownNameError(what, tag, [*legal, "*"])


def _rule(numbered: tuple[str, _Rule], parsed: _RuleFile) -> Rule:
    place, rule = numbered
    if (rule.order is None) == (rule.weights is None):
        raise PreorderEvalError(f"{place}: give either order or weights")
    slots = _weighted(rule.weights, place) if rule.weights is not None else rule.order or []
    legal_tags = UPOS if parsed.tags == "upos" else XPOS
    built: list[Slot] = []
    for slot in slots:
        for label in slot.label:
            if label not in (HEAD, OTHER) and label not in LABELS[parsed.scheme]:
                legal = [*LABELS[parsed.scheme], HEAD, OTHER]
                raise UnknownNameError(f"label in {place}:", label, legal)
        for tag in slot.tag:
            _check_tag(
                tag, f"tag in {place}, {slot.label}:", legal_tags, patterns=parsed.tags == "xpos"
            )
        words = tuple(word.lower() for word in slot.word)
        new = Slot(tuple(slot.label), slot.side, tuple(slot.tag), words, slot.reverse)
        if HEAD in new.labels and (new.side or new.tags or new.words):
            raise PreorderEvalError(f"{place}: the HEAD slot takes no conditions")
        if OTHER in new.labels and (new.tags or new.words):
            raise PreorderEvalError(f"{place}: the OTHER slot takes no condition but side")
        for label in (x for old in built for x in new.shared_labels(old)):
            raise PreorderEvalError(f"{place}: {label} is in two slots")
        built.append(new)
    _check_complete(built, place)
    return Rule(tuple(rule.head), tuple(built), tuple(rule.label))


def _check_complete(slots: Sequence[Slot], place: str) -> None:
    labels = [label for slot in slots for label in slot.labels]
    if labels.count(HEAD) != 1:
        raise PreorderEvalError(
            f"{place}: {labels.count(HEAD)} HEAD slots; one must say where the head goes"
        )
    if len(slots) > MOST_SLOTS:
        raise PreorderEvalError(f"{place}: more than {MOST_SLOTS} slots")
    sides = {slot.side for slot in slots if OTHER in slot.labels}
    if None not in sides and sides != {"before", "after"}:
        raise PreorderEvalError(f"{place}: no OTHER slot for the children that no slot names")
    if "punct" not in labels:
        raise PreorderEvalError(f"{place}: no slot says where punct goes")


def _weighted(weights: Sequence[_Weight], place: str) -> list[_Slot]:
    """The slots of a weighted rule: what weighs the same shares a slot.

    Children that are not named weigh 0 (Xu et al. 2009), and so does a head that is not named.
    """
    named = {weight.label for weight in weights}
    zeros = [_Weight(label=x, weight=0.0) for x in (HEAD, OTHER) if x not in named]
    by_weight: dict[float, list[_Weight]] = {}
    for weight in [*weights, *zeros]:
        by_weight.setdefault(weight.weight, []).append(weight)
    slots = []
    for _, members in sorted(by_weight.items(), reverse=True):
        directions = {member.order for member in members if member not in zeros}
        labels = [member.label for member in members]
        if len(directions) > 1:
            raise PreorderEvalError(
                f"{place}: {', '.join(labels)} weigh the same, but one is NORMAL and one REVERSE"
            )
        slots.append(_Slot(label=labels, reverse=directions == {"REVERSE"}))
    return slots


def _example(number: int, example: _Example) -> Example:
    rows = [token.split(" ") for token in example.tree]
    for row in rows:
        if len(row) != 4 or not row[2].isdecimal():
            raise PreorderEvalError(
                f"example {number}: token {' '.join(row)!r} is not 'word TAG head label'"
            )
    words, tags, heads, labels = (list(part) for part in zip(*rows, strict=True))
    treebank = Treebank(
        np.array([0, len(rows)]),
        words,
        np.array([int(h) - 1 for h in heads], dtype=np.int32),
        Column.of(labels),
        Column.of(tags),
        Column.of(tags),
    )
    if sorted(example.order.split(" ")) != sorted(words):
        raise PreorderEvalError(f"example {number}: order does not hold the words of the tree")
    return Example(treebank, example.order)


def failing_examples(rules: RuleSet) -> list[str]:
    """What the rule set makes of those of its own examples that come out differently."""
    failures = []
    for number, example in enumerate(rules.examples, 1):
        order = rules.reorder(example.treebank)[0]
        result = " ".join(example.treebank.words[i] for i in order)
        if result != example.expected:
            failures.append(f"example {number} gives {result!r} instead of {example.expected!r}")
    return failures
