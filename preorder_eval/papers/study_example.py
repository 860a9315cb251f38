"""An example of a study, made of a bundled reference set: its ratings and outputs are simulated.

Systems are the paper's rule sets R1 to R5 on gold trees. The output of a system has the words of
the reference translation in the order into which the system puts the source, and the ratings of
three judges rise with the fuzzy reordering score of the sentence: nobody translated or rated
anything. It shows how a study is written, and what its tables look like.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.alignment.ibm1 import align
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.formats.pharaoh import format_links
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.tables import format_tsv
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.results.evaluation import BASELINES
from preorder_eval.results.systems import System

SENTENCES = 60
_JUDGES = 3
_NOISE = 1.2  # standard deviation of a judge's rating around what the order deserves
_NOTE = """# An example: the ratings in ratings.tsv and the outputs are SIMULATED, by
# `preorder-eval study init`. Put your own files in their place.
"""


def example_files(reference: str = "en-ja", seed: int = 0) -> dict[str, str]:
    """The files of an example study by their names; `reference` is a set with gold trees.

    >>> files = example_files()
    >>> files["study.toml"].splitlines()[0]
    '# An example: the ratings in ratings.tsv and the outputs are SIMULATED, by'
    """
    whole = load_reference(reference)
    data = whole.take(range(min(SENTENCES, len(whole))), reference)
    if data.trees is None or data.target is None:
        raise PreorderEvalError(f"reference set {reference} has no gold trees or no translation")
    automatic = align(data.source, data.target, how="intersection")
    rules = [*BASELINES, whole.languages]
    systems = [System.from_rules("gold", name, data, cache=False) for name in rules]
    files = {
        "source.en": _lines(map(" ".join, data.source)),
        "reference.txt": _lines(map(" ".join, data.target)),
        "trees.conllu": format_conllu(data.trees),
        "manual.align": _lines(map(format_links, data.alignments)),
        "automatic.align": _lines(map(format_links, automatic)),
    }
    rng = np.random.default_rng(seed)
    ratings: list[list[object]] = []
    entries = []
    for number, (system, name) in enumerate(zip(systems, rules, strict=True), 1):
        own = f"R{number}"
        files[f"{own}.txt"] = _lines(_simulated_outputs(system, data))
        deserved = 6 * np.nan_to_num(
            Fuzzy().score(system.orders or [], data.allowed, data.words).sentence
        )
        for judge in range(1, _JUDGES + 1):
            noisy = np.clip(np.rint(deserved + rng.normal(0, _NOISE, len(data))), 0, 6)
            ratings += [[own, line, int(score), judge] for line, score in enumerate(noisy)]
        entries.append(
            f'[[system]]\nname = "{own}"\nrules = "{name}"\ntrees = "trees.conllu"\n'
            f'output = "{own}.txt"\n'
        )
    files["ratings.tsv"] = format_tsv(["system", "line", "score", "judge"], ratings)
    kinds = [
        f'[[reference]]\nkind = "{kind}"\nalignment = "{kind}.align"\n'
        for kind in ("manual", "automatic")
    ]
    head = f'{_NOTE}name = "example"\nsource = "source.en"\ntranslations = ["reference.txt"]\n'
    tail = '[ratings]\nfile = "ratings.tsv"\njudge = "judge"\n'
    files["study.toml"] = "\n".join([head, *kinds, *entries, tail])
    return files


def _simulated_outputs(system: System, data: ReferenceSet) -> list[str]:
    """The words of the translation in the order of the source words that they are linked with.

    A word without a link stays behind the one before it.
    """
    outputs = []
    for order, target, links in zip(
        system.orders or [], data.target or [], data.alignments, strict=True
    ):
        place = {position: rank for rank, position in enumerate(order)}
        ranks: list[float] = []
        for word in range(len(target)):
            linked = [place[i] for i, j in links if j == word]
            ranks.append(min(linked) if linked else (ranks[-1] if ranks else -1.0))
        in_order = sorted(range(len(target)), key=lambda word: (ranks[word], word))
        outputs.append(" ".join(target[word] for word in in_order))
    return outputs


def _lines(lines: Sequence[str] | map[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
