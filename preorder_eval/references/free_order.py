"""Free blocks of a translation, from gold trees, links and a list for its language.

`free_order.toml` lists, for each target language, which neighbouring dependents of one head stand
equally well in either order. A dependent takes part if the target words of its subtree are one span
without words of other subtrees. Neighbours have nothing but target commas between them, which go
with the first of them. A block is a longest run of neighbours of which any two may be exchanged. A
block may stand inside a span of another: two adjuncts in a clause that may itself change places.
"""

from __future__ import annotations

import itertools
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from preorder_eval.orders.alignments import Link
from preorder_eval.orders.reference_orders import Block, Stretch
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.treebank import Tree, subtrees

_LISTED = tomllib.loads(Path(__file__).with_name("free_order.toml").read_text("utf-8"))
_HEADS = frozenset({"VERB", "AUX", "ADJ", "NOUN", "PROPN", "PRON", "NUM", "ADV"})
_CLAUSE = "clause"
_COMMAS = frozenset("、，,،")
_MARKS = frozenset({"case", "mark"})
_SIDES = frozenset({"label", "word", "xpos", "case", "head", "child"})

Exchanges = frozenset[frozenset[str]]  # the pairs of classes that may be exchanged
_Dependent = tuple[Stretch, str]  # where it stands in the target, and its class


def _expanded(values: Sequence[str]) -> frozenset[str]:
    """Return values, with names of lists replaced by the entries of the lists."""
    return frozenset(
        value
        for name in values
        for value in (_expanded(_LISTED["words"][name[1:]]) if name.startswith("@") else [name])
    )


_CLASSES = [
    (e["name"], {key: _expanded(e[key]) for key in _SIDES & e.keys()}, e.get("alone", False))
    for e in _LISTED["class"]
]


def exchanges(language: str) -> Exchanges:
    """Return which classes a target language exchanges; none if no list is known for it."""
    listed = _LISTED["language"].get(language, {})
    pairs = {frozenset(pair) for pair in itertools.combinations(listed.get("among", ()), 2)}
    pairs |= {frozenset({a, b}) for a, others in listed.items() if a != "among" for b in others}
    return frozenset(pairs)


def dependent_class(tree: Tree, word: int) -> str | None:
    """Return the class of a dependent, or None if it is never exchanged."""
    children = [i for i, head in enumerate(tree.heads) if head == word]
    label, head = tree.labels[word], tree.heads[word]
    spelt = tree.words[word].lower()
    values = {
        "label": {label, label.split(":")[0] + "*"},
        "word": {spelt, "*" + spelt[-2:]},
        "xpos": {tree.xpos[word]},
        "case": {tree.words[i].lower() for i in children if tree.labels[i] in _MARKS} or {""},
        "head": {tree.words[head].lower()} if head >= 0 else set(),
        "child": {
            text for i in children for text in (tree.words[i].lower(), tree.labels[i], tree.xpos[i])
        },
    }
    for name, conditions, alone in _CLASSES:
        if not (alone and children) and all(values[k] & c for k, c in conditions.items()):
            return str(name)
    return None


def free_blocks(
    tree: Tree, links: Sequence[Link], target: Sequence[str], exchanged: Exchanges
) -> list[Block]:
    """Return the blocks of a translation that may stand in any order, by the list."""
    classes = [dependent_class(tree, word) for word in range(len(tree))]
    dependents: defaultdict[int, list[_Dependent]] = defaultdict(list)
    for word, stretch in _stretches(tree, links).items():
        head, name = tree.heads[word], classes[word]
        if name is not None and head >= 0 and tree.upos[head] in _HEADS:
            dependents[head].append((stretch, name))
    runs = (_runs(some, target, exchanged) for some in dependents.values())
    return sorted(block for some in runs for block in some)


def _stretches(tree: Tree, links: Sequence[Link]) -> dict[int, Stretch]:
    """Return the target span of every subtree that has one to itself."""
    stretches = {}
    for word, inside in enumerate(subtrees(tree.heads).tolist()):
        targets = {t for s, t in links if inside[s]}
        if targets and tree.labels[word] != "punct":
            first, last = min(targets), max(targets)
            if not any(first <= t <= last for s, t in links if not inside[s]):
                stretches[word] = first, last
    return stretches


def _runs(
    dependents: list[_Dependent], target: Sequence[str], exchanged: Exchanges
) -> Iterator[Block]:
    """Yield the runs of neighbours that may all be exchanged with each other."""
    runs: list[list[_Dependent]] = []
    for stretch, name in sorted(dependents):
        run = runs[-1] if runs else []
        beside = bool(run) and _COMMAS.issuperset(target[run[-1][0][1] + 1 : stretch[0]])
        if beside and all(frozenset({name, other}) in exchanged for _, other in run):
            run.append((stretch, name))
        elif (
            beside and frozenset({name, run[-1][1]}) in exchanged and _CLAUSE in {name, run[-1][1]}
        ):
            # A clause may be exchanged with the subject, whatever else the subject may be.
            first = [run.pop()] if all(other != _CLAUSE for _, other in run[:-1]) else []
            runs.append([*first, (stretch, name)])
        else:
            runs.append([(stretch, name)])
    for run in runs:
        stretches = [stretch for stretch, _ in run]
        ends = [*(first - 1 for first, _ in stretches[1:]), stretches[-1][1]]
        if len(stretches) > 1:
            yield tuple((first, end) for (first, _), end in zip(stretches, ends, strict=True))


def listed_blocks(reference: ReferenceSet) -> list[list[Block]]:
    """Return the blocks of every sentence of a set by the list of its language.

    The set must have gold trees and a translation into a language with a list.
    """
    exchanged = exchanges(reference.languages.rpartition("-")[2])
    rows = zip(reference.trees or (), reference.alignments, reference.target or (), strict=True)
    return [free_blocks(tree, links, words, exchanged) for tree, links, words in rows]
