"""Make what `rules learn --treebank` ships: tables of counts, weights, and rule files.

    python rules/_treebank/make.py counts EWT-TRAIN.conllu TREEBANKS
    python rules/_treebank/make.py weights TREEBANKS PUD…
    python rules/_treebank/make.py rules TREEBANKS

TREEBANKS is a folder with a file LANGUAGE.conllu for each of `SOURCES`: the parts of the treebank
that are named there, of a release that was not recorded. PUD are folders en-LANGUAGE with
source.conllu, target.conllu and en-LANGUAGE.align: manual alignments of Nikolaev et al. (2020).
Through English they align any two of these languages, also relatives that order alike. `weights`
prints how others predict each language.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import cast

import numpy as np

import preorder_eval as pe
from preorder_eval.base.arrays import Floats, Longs
from preorder_eval.references.reference_build import reference_from_files
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.from_treebank.treebank_counts import (
    GROUPS,
    KINDS,
    PLACE_NAMES,
    TreebankCounts,
    groups_of,
    kinds_of,
    place_of,
)
from preorder_eval.rules.from_treebank.treebank_rules import rules_from_treebank
from preorder_eval.rules.from_treebank.turning import FEATURES, Preferences, proposals
from preorder_eval.rules.pair_costs import pair_costs
from preorder_eval.trees.treebank import Tree, comment_value

ENGLISH = "UniversalDependencies/UD_English-EWT train, 2025, CC BY-SA 4.0"
SOURCES = {  # language: its name, treebank and parts, licence, whether rules of it are shipped
    "ja": ("Japanese", "UD_Japanese-GSD dev, test", "CC BY-SA 4.0", False),
    "ko": ("Korean", "UD_Korean-GSD dev, test", "CC BY-SA 4.0", False),
    "zh": ("Chinese", "UD_Chinese-GSDSimp dev, test", "CC BY-SA 4.0", False),
    "de": ("German", "UD_German-GSD dev, test", "CC BY-SA 4.0", False),
    "fr": ("French", "UD_French-GSD dev, test", "CC BY-SA 4.0", False),
    "tr": ("Turkish", "UD_Turkish-BOUN dev, test", "CC BY-SA 4.0", False),
    "hi": ("Hindi", "UD_Hindi-PUD", "CC BY-SA 3.0", False),
    "ar": ("Arabic", "UD_Arabic-PUD, 497 sentences", "CC BY-SA 3.0", False),
    "id": ("Indonesian", "UD_Indonesian-GSD dev, test", "CC BY-SA 4.0", True),
    "vi": ("Vietnamese", "UD_Vietnamese-VTB train, dev, test", "CC BY-SA 4.0", True),
    "ga": ("Irish", "UD_Irish-IDT dev, test", "CC BY-SA 3.0", True),
    "cy": ("Welsh", "UD_Welsh-CCG train", "CC BY-SA 4.0", True),
    "fa": ("Persian", "UD_Persian-PerDT dev, test", "CC BY-SA 4.0", True),
    "te": ("Telugu", "UD_Telugu-MTG train, dev", "CC BY-SA 4.0", True),
    "kk": ("Kazakh", "UD_Kazakh-KTB train, test", "CC BY-SA 4.0", True),
    "th": ("Thai", "UD_Thai-PUD", "CC BY-SA 3.0", True),
}
BUNDLED = ("de", "tr", "hi")  # the development parts of our sets; ja, ko, zh are PUD's
Linked = tuple[Tree, Sequence[tuple[int, int]]]  # a tree, and its words' links from English ones
_TABLES = Path(pe.__file__).parent / "rules" / "from_treebank"
_RULES = Path(__file__).parents[1]
_SOFTEN, _RIDGE = 30.0, 1.0


def counts_of(folder: Path) -> dict[str, TreebankCounts]:
    """Return the counts of each language that the folder has."""
    files = {language: folder / f"{language}.conllu" for language in SOURCES}
    return {
        language: TreebankCounts.of(pe.read_conllu(file))
        for language, file in files.items()
        if file.is_file()
    }


def write_table(name: str, source: str, header: list[str], rows: list[list[str]]) -> None:
    """Write a table with its source."""
    lines = [f"# {source}", "\t".join(header), *("\t".join(row) for row in rows)]
    (_TABLES / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def make_counts(english: Path, folder: Path) -> None:
    """Write the counts of English, and how often children precede their head in each language."""
    source = TreebankCounts.of(pe.read_conllu(english))
    header = ["heads", "first", "second", "place", "count"]
    title = f"{ENGLISH}; made by rules/_treebank/make.py"
    write_table("english", title, header, list(rows_of(source)))
    rows = []
    for language, counts in {"en": source, **counts_of(folder)}.items():
        name = SOURCES[language][0] if language in SOURCES else "English"
        sides = zip(KINDS, counts.sides.tolist(), strict=True)
        rows += [[name, kind, *map(str, of)] for kind, of in sides if any(of) and kind != "HEAD"]
    treebanks = "; ".join(f"{title}, {licence}" for _, title, licence, _ in SOURCES.values())
    title = f"Children before and behind their head: {ENGLISH}; releases not recorded: {treebanks}"
    write_table("languages", title, ["language", "kind", "before", "behind"], rows)


def references(folders: list[Path]) -> dict[tuple[str, str], ReferenceSet]:
    """Return sentences with trees and links for each source and target language."""
    sets: dict[tuple[str, str], ReferenceSet] = {}
    linked: dict[str, dict[str, Linked]] = {"en": {}}
    for folder in folders:
        language = folder.name.rpartition("-")[2]
        source, links = folder / "source.conllu", folder / f"en-{language}.align"
        data = sets["en", language] = reference_from_files(source, links, name=folder.name)
        target = pe.read_conllu(folder / "target.conllu")
        linked[language] = {}
        for english, tree, found in zip(
            cast(pe.Treebank, data.trees), target, data.alignments, strict=True
        ):
            key = comment_value(english.comments, "sent_id") or ""
            linked[language][key] = tree, found
            linked["en"][key] = english, [(n, n) for n in range(len(english.words))]
    for one, other in permutations(linked, 2):
        if one != "en":
            sets[one, other] = through_english(linked[one], linked[other])
    return sets | {("en", name): pe.load_reference(f"en-{name}/dev") for name in BUNDLED}


def through_english(one: dict[str, Linked], other: dict[str, Linked]) -> ReferenceSet:
    """Return the sentences of two languages, with links of what is linked to the same word."""
    shared = [key for key in one if key in other]
    links = [{(i, j) for e, i in one[key][1] for f, j in other[key][1] if e == f} for key in shared]
    trees = pe.Treebank.of([one[key][0] for key in shared])
    return ReferenceSet("", list(map(list, trees.sentences)), pe.Alignments.of(links), trees=trees)


def rows_of(counts: TreebankCounts) -> Iterator[list[str]]:
    """Yield the rows of the table that `TreebankCounts.of_english` reads."""
    yield ["all words", "", "", "", str(counts.words)]
    groups = list(GROUPS)
    for at in np.argwhere(counts.pairs).tolist():
        names = groups[at[0]], KINDS[at[1]], KINDS[at[2]], PLACE_NAMES[at[3]]
        yield [*names, str(counts.pairs[tuple(at)])]


def outcomes(data: ReferenceSet) -> Longs:
    """Return how often links keep and turn two kinds of items; int64[5, K, K, 3, 2]."""
    trees = cast(pe.Treebank, data.trees)
    costs = pair_costs(trees, data.allowed)
    kind, group = kinds_of(trees), groups_of(trees)
    items = costs.first, costs.second
    one, other = (np.where(item == costs.block, 0, kind[item]) for item in items)
    place = place_of(*(np.sign(item - costs.block) for item in items))
    counted = (one >= 0) & (other >= 0) & (costs.keep != costs.turn)
    found = np.zeros((len(GROUPS), len(KINDS), len(KINDS), 3, 2), dtype=np.int64)
    turned = (costs.turn < costs.keep).astype(np.int64)
    at = (group[costs.block], one, other, place, turned)
    np.add.at(found, tuple(column[counted] for column in at), 1)
    return found


def fit(rows: list[tuple[Floats, Longs]]) -> Floats:
    """Return weights by logistic regression (Newton); many equal pairs count for less."""
    features = np.concatenate([row for row, _ in rows])
    counts = np.concatenate([found for _, found in rows])
    total = counts.sum(axis=1)
    share, weight = counts[:, 1] / total, total / (1 + total / _SOFTEN)
    weights = np.zeros(features.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-features @ weights))
        hessian = (features.T * (weight * p * (1 - p))) @ features + _RIDGE * np.eye(len(weights))
        gradient = features.T @ (weight * (share - p)) - _RIDGE * weights
        weights = weights + np.linalg.solve(hessian, gradient)
    return weights


def make_weights(folder: Path, pud: list[Path]) -> None:
    """Write the weights of all languages, and print how each is predicted by the others."""
    counts = {"en": TreebankCounts.of_english(), **counts_of(folder)}
    rows = {}
    for (source, target), reference in references(pud).items():
        here = Preferences.of(counts[source], fallbacks=False)
        proposed, features = proposals(counts[target], Preferences.of(counts[target]), here)
        found = outcomes(reference)
        chosen = proposed & (found.sum(axis=-1) > 0)
        rows[source, target] = features[chosen], found[chosen]
    print("of the pairs proposed with a probability, the share that was right (and their number)")
    for (source, target), (features, found) in rows.items():
        weights = fit([row for pair, row in rows.items() if target not in pair])
        p = 1 / (1 + np.exp(-features @ weights))
        parts = []
        for low in np.arange(0.3, 1, 0.1):
            kept, turned = found[(p > low) & (p <= low + 0.1)].sum(axis=0).tolist()
            parts.append(f"{low:.0%} {turned / max(kept + turned, 1):.2f} ({kept + turned})")
        print(f"{source}-{target}", *parts)
    table = [[n, f"{w:.3f}"] for n, w in zip(FEATURES, fit(list(rows.values())), strict=True)]
    names = ", ".join(map("-".join, rows))
    title = f"Fitted to {names}: PUD and our sets; made by rules/_treebank/make.py"
    write_table("turning", title, ["feature", "weight"], table)


def make_rules(folder: Path) -> None:
    """Write the rule files of the languages that are shipped."""
    for language, (name, title, licence, shipped) in SOURCES.items():
        if shipped:
            file = folder / f"{language}.conllu"
            full = f"{title}, {licence}, release not recorded"
            learned = rules_from_treebank(file, name=f"en-{language}-ud", title=full)
            header = f"# English to {name}, made by rules/_treebank/make.py from {full}.\n"
            header += (
                "# Learned from a treebank, not checked by a speaker. Behind each pair: counts\n"
            )
            header += "# for and against it, whose counts stand for its own, how sure it is.\n"
            (_RULES / f"en-{language}-ud.toml").write_text(
                header + "\n" + learned.toml(), encoding="utf-8"
            )
            print(language, learned.verdict)


if __name__ == "__main__":
    command, *paths = sys.argv[1], *map(Path, sys.argv[2:])
    if command == "counts":
        make_counts(*paths)
    elif command == "weights":
        make_weights(paths[0], list(paths[1:]))
    else:
        make_rules(*paths)
