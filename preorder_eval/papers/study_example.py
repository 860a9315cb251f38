"""An example of a study on bundled reference sets: its parsers, outputs and ratings are simulated.

It has the two experiments of Talbot et al. (2011): five parsers with the same rules, and five rule
sets with the same parser. The parsers' trees are gold trees in which words have moved up by chance,
fewer for every better parser. The output of a system has the words of the reference translation in
the order into which the system puts the source, and the ratings of three judges rise with the fuzzy
reordering score of the sentence: nobody parsed, translated or rated anything. Of its references two
were aligned by hand, and two are by IBM Model 1. It shows how a study is written, and what its
tables look like.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from preorder_eval.data.orders import Orders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.formats.pharaoh import format_links
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rules import load_rules
from preorder_eval.formats.tsv import format_tsv
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.papers.reference_kinds import manual_kinds
from preorder_eval.results.defaults import BASELINES

SENTENCES = 60  # of the study; the others are the treebank
RULES = (*BASELINES, "en-ja")  # R1 to R5
_ERRORS = (0.35, 0.25, 0.18, 0.13, 0.06)  # of P1 to P5, by word
_JUDGES = 3
_NOISE = 1.2  # standard deviation of a judge's rating around what the order deserves
_NOTE = """# An example: the parsers, the outputs and the ratings are SIMULATED, by
# `preorder-eval study init`. Put your own files in their place.
"""


@dataclass(frozen=True)
class _Simulated:
    """A system with its name, its parser and rules by number, and its orders."""

    parser: int
    rules: int
    orders: Orders

    @property
    def name(self) -> str:
        return f"P{self.parser}R{self.rules}"


def example_files(seed: int = 0) -> dict[str, str]:
    """The files of an example by their names: studies `parsers.toml` and `rules.toml`.

    >>> files = example_files()
    >>> files["rules.toml"].splitlines()[0]
    '# An example: the parsers, the outputs and the ratings are SIMULATED, by'
    """
    rng = np.random.default_rng(seed)
    every, standard = load_reference("en-ja"), load_reference("en-ja-standard")
    kinds = manual_kinds(every, standard)
    chosen, others = range(SENTENCES), range(SENTENCES, len(standard))
    data = kinds[0].reference.take(chosen, "example")
    gold, treebank = (_trees(kinds[0].reference.take(part, "")) for part in (chosen, others))
    files = {
        "source.en": _lines(map(" ".join, data.source)),
        "treebank/gold.conllu": format_conllu(treebank),
    }
    for kind in kinds:
        part = kind.reference.take(chosen, "")
        files[f"{kind.translation}.txt"] = _lines(map(" ".join, part.target or []))
        files[f"{kind.translation}.align"] = _lines(map(format_links, part.alignments))
    used = [words for kind in kinds for words in kind.reference.take(chosen, "").target or []]
    pairs = [
        pair
        for part in (every, standard)
        for pair in zip(part.source, part.target or [], strict=True)
        if pair[1] not in used
    ]
    files["training/source.en"] = _lines(" ".join(source) for source, _ in pairs)
    files["training/target.txt"] = _lines(" ".join(target) for _, target in pairs)
    parses = []
    for number, rate in enumerate(_ERRORS, 1):
        parses.append(_with_errors(gold, rate, rng))
        files[f"trees/P{number}.conllu"] = format_conllu(parses[-1])
        files[f"treebank/P{number}.conllu"] = format_conllu(_with_errors(treebank, rate, rng))
    rules = [load_rules(name) for name in RULES]
    experiments = {
        "parsers": [_Simulated(p, 5, rules[4].reorder(parses[p - 1])) for p in range(1, 6)],
        "rules": [_Simulated(5, r, rules[r - 1].reorder(parses[4])) for r in range(1, 6)],
    }
    for name, systems in experiments.items():
        for system in systems:
            files[f"outputs/{system.name}.txt"] = _lines(_simulated_outputs(system.orders, data))
        files[f"ratings-{name}.tsv"] = _simulated_ratings(systems, data, rng)
        files[f"{name}.toml"] = _study_text(name, systems, [kind.translation for kind in kinds])
    return files


def _trees(data: ReferenceSet) -> Treebank:
    if data.trees is None:
        raise PreorderEvalError(f"reference set {data.name} has no gold trees")
    return data.trees


def _with_errors(trees: Treebank, rate: float, rng: np.random.Generator) -> Treebank:
    """Trees in which words hang from their grandparents instead, and some have another tag."""
    return Treebank.of([_with_error(tree, rate, rng) for tree in trees])


def _with_error(tree: Tree, rate: float, rng: np.random.Generator) -> Tree:
    heads = list(tree.heads)
    # A word that moves up stays below its old ancestors, so that there is no cycle.
    for word in np.flatnonzero(rng.random(len(tree)) < rate).tolist():
        parent = tree.heads[word]
        if parent >= 0 and tree.heads[parent] >= 0:
            heads[word] = tree.heads[parent]
    wrong = rng.random(len(tree)) < rate / 5
    tags = ["X" if error else tag for tag, error in zip(tree.upos, wrong, strict=True)]
    return replace(tree, heads=heads, upos=tags)


def _simulated_outputs(orders: Orders, data: ReferenceSet) -> list[str]:
    """The words of the translation in the order of the source words that they are linked with.

    A word without a link stays behind the one before it.
    """
    outputs = []
    for order, target, links in zip(orders, data.target or [], data.alignments, strict=True):
        place = {position: rank for rank, position in enumerate(order)}
        ranks: list[float] = []
        for word in range(len(target)):
            linked = [place[i] for i, j in links if j == word]
            ranks.append(min(linked) if linked else (ranks[-1] if ranks else -1.0))
        in_order = sorted(range(len(target)), key=lambda word: (ranks[word], word))
        outputs.append(" ".join(target[word] for word in in_order))
    return outputs


def _simulated_ratings(
    systems: Sequence[_Simulated], data: ReferenceSet, rng: np.random.Generator
) -> str:
    """From 0 to 6 by three judges, who see what the order deserves with an error each."""
    rows: list[list[object]] = []
    for system in systems:
        scores = Fuzzy().score(system.orders, data.allowed, data.words).sentence
        deserved = 6 * np.nan_to_num(scores)
        for judge in range(1, _JUDGES + 1):
            noisy = np.clip(np.rint(deserved + rng.normal(0, _NOISE, len(data))), 0, 6)
            rows += [[system.name, line, int(score), judge] for line, score in enumerate(noisy)]
    return format_tsv(["system", "line", "score", "judge"], rows)


def _study_text(name: str, systems: Sequence[_Simulated], translations: Sequence[str]) -> str:
    head = f"""{_NOTE}name = "{name}"
source = "source.en"
treebank = "treebank/gold.conllu"
"""
    references = [
        f'''[[reference]]
kind = "{translation}/manual"
alignment = "{translation}.align"
translation = "{translation}.txt"

[[reference]]
kind = "{translation}/automatic"
align = "ibm1"
translation = "{translation}.txt"
'''
        for translation in translations
    ]
    training = """[training]
source = ["training/source.en"]
target = ["training/target.txt"]
"""
    entries = [
        f"""[[system]]
name = "{system.name}"
rules = "{RULES[system.rules - 1]}"
trees = "trees/P{system.parser}.conllu"
treebank = "treebank/P{system.parser}.conllu"
output = "outputs/{system.name}.txt"
"""
        for system in systems
    ]
    ratings = f'[ratings]\nfile = "ratings-{name}.tsv"\njudge = "judge"\n'
    return "\n".join([head, *references, training, *entries, ratings])


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
