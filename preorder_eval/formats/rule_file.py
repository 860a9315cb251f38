"""What a rule file says, checked and made into a rule set; the file itself is `rules_toml`'s."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from preorder_eval.data.treebank import Column, Treebank
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.text import whole_number
from preorder_eval.reordering.linearization import MOST_SLOTS
from preorder_eval.reordering.rule_set import HEAD, OTHER, Example, Rule, RuleSet, Slot
from preorder_eval.reordering.schemes import LABELS, UPOS, XPOS


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


class RuleFile(_Model):
    # The name is that of the file in a run folder, too.
    name: str = Field(pattern=r"^[^/\\\x00-\x1f]*[^/\\\x00-\x1f.][^/\\\x00-\x1f]*$")
    scheme: Literal["ud", "sud", "clearnlp"]
    description: str = ""
    source: str = "any"
    target: str = "any"
    tags: Literal["upos", "xpos"] = "upos"
    default: Literal["keep", "reverse"] = "keep"
    rule: list[_Rule] = []
    example: list[_Example] = []

    def rule_set(self) -> RuleSet:
        """The rule set; raises PreorderEvalError, or UnknownNameError, for what makes no sense."""
        return RuleSet(
            name=self.name,
            scheme=self.scheme,
            rules=tuple(_rule(r, self) for r in _numbered(self.rule, self)),
            description=self.description,
            source=self.source,
            target=self.target,
            tags=self.tags,
            default=self.default,
            examples=tuple(_example(n, e) for n, e in enumerate(self.example, 1)),
        )


def keys_of(place: Sequence[str]) -> Iterable[str]:
    """The legal keys at a place in a rule file, given by the keys that lead there."""
    models: dict[str, type[BaseModel]] = {
        "rule": _Rule,
        "order": _Slot,
        "weights": _Weight,
        "example": _Example,
    }
    passed = [models[key] for key in place if key in models]
    return (passed[-1] if passed else RuleFile).model_fields


def _numbered(rules: Sequence[_Rule], parsed: RuleFile) -> Iterable[tuple[str, _Rule]]:
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


def _rule(numbered: tuple[str, _Rule], parsed: RuleFile) -> Rule:
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
        if len(row) != 4 or whole_number(row[2]) is None:
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
