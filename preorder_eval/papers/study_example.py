"""Examples of studies on bundled reference sets; parsers, outputs and ratings are simulated.

`parsers.toml` and `rules.toml` are the two experiments of Talbot et al. (2011): five parsers with
the same rules, and five rule sets with the same parser. The parsers' trees are gold trees in which
words have moved up by chance, fewer for every better parser. The output of a system is the
reference translation in the system's order. The ratings of three judges rise with the fuzzy
reordering score of the sentence. Nobody parsed, translated or rated anything. References are
alignment-oriented and standard translations, each aligned by hand and by the aligner `agree`, as
in their Table 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.orders import Orders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.formats.pharaoh import format_links
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rule_reading import load_rules
from preorder_eval.formats.tsv import format_tsv
from preorder_eval.metrics import metric
from preorder_eval.results.rule_defaults import BASELINES

SENTENCES = 60
RULES = (*BASELINES, "en-ja")  # R1 to R5
TRANSLATIONS = ("alignment-oriented", "standard")
_ERRORS = (0.35, 0.25, 0.18, 0.13, 0.06)  # of P1 to P5, by word
_JUDGES = 3
_NOISE = 1.2  # standard deviation of a judge's rating around what the order deserves
_NOTE = """# An example, by `preorder-eval study init`: put your own files in their place.
about = "parsers, outputs and ratings are SIMULATED"
"""


def example_files(seed: int = 0) -> dict[str, str]:
    """Return the files of the examples by their names, with three study files."""
    rng = np.random.default_rng(seed)
    oriented, standard = load_reference("en-ja"), load_reference("en-ja-standard")
    kinds = dict(zip(TRANSLATIONS, aligned_by_hand(oriented, standard), strict=True))
    chosen = range(SENTENCES)
    data = kinds[TRANSLATIONS[0]].take(chosen, "example")
    gold = _trees(standard.take(chosen, ""))
    files = _references(kinds, chosen, [oriented, standard])
    parses = []
    for number, rate in enumerate(_ERRORS, 1):
        parses.append(_with_errors(gold, rate, rng))
        files[f"trees/P{number}.conllu"] = format_conllu(parses[-1])
    rules = [load_rules(name) for name in RULES]
    last = len(parses) - 1
    experiments = {
        "parsers": [(parser, last) for parser in range(len(parses))],
        "rules": [(last, rule_set) for rule_set in range(len(rules))],
    }
    for experiment, numbers in experiments.items():
        orders, entries = {}, []
        for parser, rule_set in numbers:
            system = f"P{parser + 1}R{rule_set + 1}"
            orders[system] = rules[rule_set].reorder(parses[parser])
            files[f"outputs/{system}.txt"] = _lines(_simulated_outputs(orders[system], data))
            entry = {
                "name": system,
                "rules": RULES[rule_set],
                "trees": f"trees/P{parser + 1}.conllu",
                "output": f"outputs/{system}.txt",
            }
            entries.append(entry)
        files[f"ratings-{experiment}.tsv"] = _simulated_ratings(orders, data, rng)
        head = f'{_NOTE}name = "{experiment}"\nsource = "source.en"\n'
        ratings = f'[ratings]\nfile = "ratings-{experiment}.tsv"\njudge = "judge"\n'
        files[f"{experiment}.toml"] = _study_text(head, entries) + ratings
    return files


def aligned_by_hand(oriented: ReferenceSet, standard: ReferenceSet) -> list[ReferenceSet]:
    """Return the sentences of `standard` with the translations and links of both sets."""
    index = {tree.sentence_id: s for s, tree in enumerate(_trees(oriented))}
    where = [index[tree.sentence_id] for tree in _trees(standard)]
    target, links = oriented.target or [], Alignments.of(oriented.alignments[s] for s in where)
    return [replace(standard, target=[target[s] for s in where], alignments=links), standard]


def _references(
    kinds: dict[str, ReferenceSet], chosen: Sequence[int], sets: Sequence[ReferenceSet]
) -> dict[str, str]:
    """Return the source, translations and links of some sentences, and the other pairs of sets."""
    files: dict[str, str] = {}
    used: list[list[str]] = []
    for translation, reference in kinds.items():
        part = reference.take(chosen, "")
        files["source.en"] = _lines(map(" ".join, part.source))
        files[f"{translation}.txt"] = _lines(map(" ".join, part.target or []))
        files[f"{translation}.align"] = _lines(map(format_links, part.alignments))
        used += part.target or []
    pairs = [
        pair
        for data in sets
        for pair in zip(data.source, data.target or [], strict=True)
        if pair[1] not in used
    ]
    files["training/source.en"] = _lines(" ".join(source) for source, _ in pairs)
    files["training/target.txt"] = _lines(" ".join(target) for _, target in pairs)
    return files


def _study_text(head: str, systems: Sequence[dict[str, str]]) -> str:
    """Return a study file with the four kinds of references and these systems."""
    parts = [head]
    for translation in TRANSLATIONS:
        target = f'translation = "{translation}.txt"\n'
        by_hand = f'alignment = "{translation}.align"\n'
        for kind, made in (("manual", by_hand), ("automatic", 'align = "agree"\n')):
            parts.append(f'[[reference]]\nkind = "{translation}/{kind}"\n{made}{target}')
    training = "training/"
    parts.append(
        f'[training]\nsource = ["{training}source.en"]\ntarget = ["{training}target.txt"]\n'
    )
    for system in systems:
        entries = (f'{key} = "{value}"\n' for key, value in system.items())
        parts.append(f"[[system]]\n{''.join(entries)}")
    return "\n".join([*parts, ""])


def _trees(data: ReferenceSet) -> Treebank:
    if data.trees is None:
        raise PreorderEvalError(f"reference set {data.name} has no gold trees")
    return data.trees


def _with_errors(trees: Treebank, rate: float, rng: np.random.Generator) -> Treebank:
    """Return trees in which words hang from their grandparents, and some have another tag."""
    changed = []
    for tree in trees:
        heads = list(tree.heads)
        # A word that moves up stays below its old ancestors, so that there is no cycle.
        for word in np.flatnonzero(rng.random(len(tree)) < rate).tolist():
            parent = tree.heads[word]
            if parent >= 0 and tree.heads[parent] >= 0:
                heads[word] = tree.heads[parent]
        wrong = rng.random(len(tree)) < rate / 5
        tags = ["X" if error else tag for tag, error in zip(tree.upos, wrong, strict=True)]
        changed.append(replace(tree, heads=heads, upos=tags))
    return Treebank.of(changed)


def _simulated_outputs(orders: Orders, data: ReferenceSet) -> list[str]:
    """Return the words of translations in the order of the source words they are linked with."""
    outputs = []
    for order, target, links in zip(orders, data.target or [], data.alignments, strict=True):
        place = {position: rank for rank, position in enumerate(order)}
        ranks: list[float] = []
        for word in range(len(target)):
            linked = [place[i] for i, j in links if j == word]
            # A word without a link stays behind the one before it.
            ranks.append(min(linked) if linked else (ranks[-1] if ranks else -1.0))
        in_order = sorted(range(len(target)), key=lambda word: (ranks[word], word))
        outputs.append(" ".join(target[word] for word in in_order))
    return outputs


def _simulated_ratings(
    orders: Mapping[str, Orders], data: ReferenceSet, rng: np.random.Generator
) -> str:
    """Return ratings from 0 to 6 by judges who see what the order deserves with an error each."""
    rows: list[list[object]] = []
    for system, of_system in orders.items():
        scores = metric("fuzzy").score(of_system, data.allowed, data.words).sentence
        deserved = 6 * np.nan_to_num(scores)
        for judge in range(1, _JUDGES + 1):
            noisy = np.clip(np.rint(deserved + rng.normal(0, _NOISE, len(data))), 0, 6)
            rows += [[system, line, int(score), judge] for line, score in enumerate(noisy)]
    return format_tsv(["system", "line", "score", "judge"], rows)


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
