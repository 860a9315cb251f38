"""What a rule file says, checked and made into a rule set; the file itself is `rules_toml`'s."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from preorder_eval.data.ragged import Column
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.text import whole_number
from preorder_eval.reordering.conditions import HEAD, OTHER, Slot
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import Example, Pair, Rule
from preorder_eval.reordering.schemes import LABELS, UPOS, XPOS


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Names = Annotated[list[str], BeforeValidator(_listed)]


_LONGEST = 1_000_000_000  # words that can move together: more than any sentence has


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Slot(_Model):
    label: Names
    side: Literal["before", "after"] | None = None
    tag: Names = []
    word: Names = []
    feats: Names = []
    head_tag: Names = []
    head_word: Names = []
    head_label: Names = []
    sibling: Names = []
    with_word: Names = []
    with_label: Names = []
    at_least: Annotated[int, Field(ge=1, le=_LONGEST)] | None = None
    at_most: Annotated[int, Field(ge=1, le=_LONGEST)] | None = None
    reverse: bool = False

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        side = {"<": "before", ">": "after"}.get(value[-1:])
        return {"label": value[:-1], "side": side} if side else {"label": value}


class _Pair(_Model):
    first: _Slot
    second: _Slot
    order: Literal["first", "reverse", "keep"] = "first"

    @model_validator(mode="before")
    @classmethod
    def _of_list(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if len(value) not in (2, 3):
            raise ValueError('a pair is two kinds of items, and perhaps "reverse" or "keep"')
        return dict(zip(("first", "second", "order"), value, strict=False))


class _Scored(_Model):
    first: _Slot
    second: _Slot
    score: float = Field(allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _of_list(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if len(value) != 3:
            raise ValueError("a scored pair is two kinds of items and a number")
        return dict(zip(("first", "second", "score"), value, strict=True))


class _Weight(_Model):
    label: str
    weight: float = Field(allow_inf_nan=False)
    order: Literal["NORMAL", "REVERSE"] = "NORMAL"


class _Rule(_Model):
    head: Names
    label: Names = []
    order: list[_Slot] | None = None
    weights: list[_Weight] | None = None
    pairs: Annotated[list[_Pair], Field(min_length=1)] | None = None
    scores: Annotated[list[_Scored], Field(min_length=1)] | None = None


class _Example(_Model):
    tree: list[str] = Field(min_length=1)
    order: str


class RuleFile(_Model):
    name: str
    scheme: Literal["ud", "sud", "clearnlp"]
    description: str = ""
    source: str = "any"
    target: str = "any"
    tags: Literal["upos", "xpos"] = "upos"
    default: Literal["keep", "reverse"] = "keep"
    tuned_on: Names = []
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
            tuned_on=tuple(self.tuned_on),
            examples=tuple(_example(n, e) for n, e in enumerate(self.example, 1)),
        )


def keys_of(place: Sequence[str]) -> Iterable[str]:
    """The legal keys at a place in a rule file, given by the keys that lead there."""
    models: dict[str, type[BaseModel]] = {
        "rule": _Rule,
        "order": _Slot,
        "weights": _Weight,
        "pairs": _Slot,
        "scores": _Slot,
        "example": _Example,
    }
    passed = [models[key] for key in place if key in models]
    return (passed[-1] if passed else RuleFile).model_fields


def _numbered(rules: Sequence[_Rule], parsed: RuleFile) -> Iterable[tuple[str, _Rule]]:
    """The rules with what errors call them, their heads checked."""
    legal = UPOS if parsed.tags == "upos" else XPOS
    seen: dict[tuple[str, str, bool], int] = {}
    for number, rule in enumerate(rules, 1):
        place = f"rule {number} ({', '.join(rule.head)})"
        for tag in rule.head:
            _check_tag(tag, f"category in {place}:", legal, patterns=parsed.tags == "xpos")
        for label in rule.label:
            if label not in LABELS[parsed.scheme]:
                raise UnknownNameError(f"head label in {place}:", label, LABELS[parsed.scheme])
        for tag, label in itertools.product(rule.head, rule.label or [""]):
            key = tag, label, rule.pairs is None
            if key in seen:
                heads = f"{tag} heads" + (f" attached by {label}" if label else "")
                raise PreorderEvalError(f"{place}: {heads} have rule {seen[key]} already")
            seen[key] = number
        yield place, rule


def _check_tag(tag: str, what: str, legal: frozenset[str], *, patterns: bool) -> None:
    if tag == "*" or tag in legal:
        return
    if patterns and tag.endswith("*") and any(t.startswith(tag[:-1]) for t in legal):
        return
    raise UnknownNameError(what, tag, [*legal, "*"])


def _rule(numbered: tuple[str, _Rule], parsed: RuleFile) -> Rule:
    place, rule = numbered
    if [rule.order, rule.weights, rule.pairs, rule.scores].count(None) != 3:
        raise PreorderEvalError(f"{place}: give one of order, weights, pairs and scores")
    heads, labels = tuple(rule.head), tuple(rule.label)
    if rule.pairs is not None:
        pairs = tuple(_pair(pair, place, parsed) for pair in rule.pairs)
        return Rule(heads, labels=labels, pairs=pairs)
    if rule.scores is not None:
        if rule.head != ["*"] or rule.label or any(r.pairs for r in parsed.rule):
            raise PreorderEvalError(
                f'{place}: scores are for all heads (head = "*"), and without pairs beside them'
            )
        scores = tuple(_pair(scored, place, parsed) for scored in rule.scores)
        return Rule(heads, pairs=scores)
    slots = _weighted(rule.weights, place) if rule.weights is not None else rule.order or []
    built: list[Slot] = []
    for slot in slots:
        new = _slot(slot, place, parsed)
        if HEAD in new.labels and [*new.conditions()]:
            raise PreorderEvalError(f"{place}: the HEAD slot takes no conditions")
        if OTHER in new.labels and set(dict(new.conditions())) - {"side"}:
            raise PreorderEvalError(f"{place}: the OTHER slot takes no condition but side")
        for label in (x for old in built for x in new.shared_labels(old)):
            raise PreorderEvalError(f"{place}: {label} is in two slots")
        built.append(new)
    _check_complete(built, place)
    return Rule(heads, tuple(built), labels)


def _pair(told: _Pair | _Scored, place: str, parsed: RuleFile) -> Pair:
    first, second = (_slot(side, place, parsed) for side in (told.first, told.second))
    if isinstance(told, _Scored):
        pair = Pair(first, second, score=told.score)
    else:
        pair = Pair(first, second, told.order)
    for slot in (pair.first, pair.second):
        if slot.reverse:
            raise PreorderEvalError(f"{place}: nothing in a pair can be reversed")
        if HEAD in slot.labels and slot.side:
            raise PreorderEvalError(f"{place}: HEAD is on no side of itself")
    if HEAD in pair.first.labels and HEAD in pair.second.labels:
        raise PreorderEvalError(f"{place}: a head is one item and cannot be paired with itself")
    if pair.first == pair.second and pair.order == "first" and pair.score is None:
        raise PreorderEvalError(
            f'{place}: {pair.first.short} cannot come before itself; add "reverse" or "keep"'
        )
    return pair


def _slot(slot: _Slot, place: str, parsed: RuleFile) -> Slot:
    """A slot, or one side of a pair, its labels and tags checked."""
    legal = UPOS if parsed.tags == "upos" else XPOS
    patterns = parsed.tags == "xpos"
    labels = LABELS[parsed.scheme]
    for label in slot.label:
        if label not in (HEAD, OTHER) and label not in labels:
            raise UnknownNameError(f"label in {place}:", label, [*labels, HEAD, OTHER])
    for key in ("head_label", "sibling", "with_label"):
        for label in getattr(slot, key):
            if label not in labels:
                raise UnknownNameError(f"{key} in {place}, {slot.label}:", label, labels)
    for key, tags in (("tag", slot.tag), ("head_tag", slot.head_tag)):
        for tag in tags:
            _check_tag(tag, f"{key} in {place}, {slot.label}:", legal, patterns=patterns)
    for feature in slot.feats:
        if not all(feature.partition("=")):
            raise PreorderEvalError(f"{place}: feats {feature!r} is not of the form Name=Value")
    return Slot(
        tuple(slot.label),
        slot.side,
        tuple(slot.tag),
        tuple(word.lower() for word in slot.word),
        slot.reverse,
        tuple(slot.feats),
        tuple(slot.head_tag),
        tuple(word.lower() for word in slot.head_word),
        tuple(slot.head_label),
        tuple(slot.sibling),
        tuple(word.lower() for word in slot.with_word),
        tuple(slot.with_label),
        slot.at_least,
        slot.at_most,
    )


def _check_complete(slots: Sequence[Slot], place: str) -> None:
    labels = [label for slot in slots for label in slot.labels]
    if labels.count(HEAD) != 1:
        raise PreorderEvalError(
            f"{place}: {labels.count(HEAD)} HEAD slots; one must say where the head goes"
        )
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
        Column.of(words),
        np.array([int(h) - 1 for h in heads], dtype=np.int32),
        Column.of(labels),
        Column.of(tags),
        Column.of(tags),
    )
    if sorted(example.order.split(" ")) != sorted(words):
        raise PreorderEvalError(f"example {number}: order does not hold the words of the tree")
    return Example(treebank, example.order)
