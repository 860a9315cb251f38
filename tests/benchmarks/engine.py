"""How long our own parts take beside each other: `python -m tests.benchmarks.engine`.

Each row is a ratio of processor times in one process and one run, so that it says the same on a
fast and on a slow machine: a rule set against reading the trees it reorders, also at the first call
in a process, as in a command, and for a head of very many children; the check of six rule sets
against reading; `ablate` and `report` against `evaluate`, scores of outputs against reading, the
scanner of links against the reader that goes line by line. A row fails if its ratio is more than
twice what it was when it was written down; then rules or code have become slower than they should,
unnoticed by tests of what they do.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import preorder_eval as pe
from preorder_eval.analysis.check_rules import check_rules
from preorder_eval.base.resources import bundled_names
from preorder_eval.trees.conllu import format_conllu, parse_conllu
from preorder_eval.trees.treebank import Tree, Treebank

from .corpora import texts
from .ratios import lader_lines, link_lines, parsed_links, scanned_links

_TIMES = 3  # the fastest counts
_DATA = {"de": "en-de", "ja": "en-ja-web", "zh": "en-zh"}
_CHECKED = ["en-ja", "en-ko", "en-tr", "en-hi", "en-zh", "en-de"]
_CHILDREN = 2_000  # of one head
_LINKED = 20_000  # sentences
_SYSTEMS, _OUTPUTS = 5, 500
_METRICS = ["bleu", "chrf", "ribes", "hlepor", "meteor", "nist", "ter", "rouge_l"]
_WORST = 2.0  # times the ratio that was written down

# Beside what, and the ratio that was measured, those of links on the slower of two processors;
# `others` are the rule sets that have no row.
RATIOS = {
    "rules en-zh / reading": 0.5,
    "rules en-de / reading": 0.42,
    "rules others / reading": 0.28,
    "first en-zh / reading": 0.88,
    "first en-de / reading": 0.74,
    "first en-ar, en-fr / reading": 0.44,
    "many children en-ar / reading": 0.9,
    "rules check / reading": 12.0,
    "ablate en-de / evaluate": 14.0,
    "ablate en-ja / evaluate": 19.0,
    "ablate en-zh / evaluate": 12.0,
    "report / evaluate": 17.0,
    "scores / reading": 24.0,
    "links pharaoh / reader": 0.1,
    "links lader / reader": 0.15,
}


def seconds(work: Callable[[], object]) -> float:
    """The processor time of some work, the least of a few times."""
    times = []
    for _ in range(_TIMES):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


@cache
def _trees() -> tuple[Treebank, str]:
    """Gold trees of the bundled texts, many times over, and their text."""
    trees = pe.load_reference("en-ja-web").trees
    assert trees is not None
    text = format_conllu(trees) * 10
    return parse_conllu(text, "trees"), text


def rules_beside_reading(names: list[str]) -> float:
    """The slowest of some rule sets against reading the same trees."""
    trees, text = _trees()
    rules = [rules for rules in map(pe.load_rules, names) if rules.scheme == "ud"]
    slowest = max(seconds(lambda chosen=chosen: chosen.reorder(trees)) for chosen in rules)
    return slowest / seconds(lambda: parse_conllu(text, "trees"))


def first_beside_reading(names: list[str]) -> float:
    """The slowest first call of some rule sets in a process of its own, against reading.

    A command calls once: it makes all tests of words and labels, and stems the words.
    """
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawn, max_tasks_per_child=1) as pool:
        ratios = zip(*(pool.map(_first_call, names) for _ in range(_TIMES)), strict=True)
        return max(map(min, ratios))


def _first_call(name: str) -> float:
    trees, text = _trees()
    rules = pe.load_rules(name)
    start = time.process_time()
    rules.reorder(trees)
    first = time.process_time() - start
    return first / seconds(lambda: parse_conllu(text, "trees"))


def many_children_beside_reading(name: str) -> float:
    """One head with very many children of all labels, against reading much more text.

    Nearly all of them are in one circle of preferences.
    """
    trees, text = _trees()
    some = {column: getattr(trees, column)[:_CHILDREN] for column in ("words", "upos", "xpos")}
    label = [one if one != "root" else "obl" for one in trees.labels[:_CHILDREN]]
    heads = [-1, *[0] * (_CHILDREN - 1)]
    wide = Treebank.of([Tree(heads=heads, labels=["root", *label[1:]], **some)])
    chosen = pe.load_rules(name)
    return seconds(lambda: chosen.reorder(wide)) / seconds(lambda: parse_conllu(text, "trees"))


def check_beside_reading() -> float:
    """The check of six rule sets in a process of its own, with their files, against reading."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawn, max_tasks_per_child=1) as pool:
        return min(pool.map(_first_check, [_CHECKED] * _TIMES))


def _first_check(names: list[str]) -> float:
    start = time.process_time()
    for name in names:
        check_rules(pe.load_rules(name))
    first = time.process_time() - start
    _, text = _trees()
    return first / seconds(lambda: parse_conllu(text, "trees"))


def _evaluated(language: str) -> pe.Result:
    return pe.evaluate(f"{_DATA[language]}/dev", parsers=["gold"], rules=["none", f"en-{language}"])


def ablate_beside_evaluate(language: str) -> float:
    """All rules and slots left out in turn, against scoring the rules once."""
    everything = seconds(lambda: pe.ablate(f"en-{language}", "gold", f"{_DATA[language]}/dev"))
    return everything / seconds(lambda: _evaluated(language))


def report_beside_evaluate() -> float:
    """The report of a result, against the result."""
    result = _evaluated("ja")
    with tempfile.TemporaryDirectory() as folder:
        page = seconds(lambda: pe.report(result, Path(folder) / "report.html"))
    return page / seconds(lambda: _evaluated("ja"))


def scores_beside_reading() -> float:
    """Five systems by eight metrics with all comparisons, against reading trees."""
    lines, reference = texts(_OUTPUTS)
    words = list(map(str.split, lines))
    outputs = {  # each has lost another share of its words
        f"s{n}": [" ".join(w for i, w in enumerate(line) if i % (n + 4)) for line in words]
        for n in range(_SYSTEMS)
    }
    scored = seconds(lambda: pe.score(outputs, reference, _METRICS, significance=True))
    return scored / seconds(lambda: parse_conllu(_trees()[1], "trees"))


def scanner_beside_reader(form: str) -> float:
    """The fast scanner of links against the plain reader of the same format."""
    lines = {"pharaoh": link_lines, "lader": lader_lines}[form](_LINKED)
    scan, read = scanned_links(form), parsed_links(form)
    return seconds(lambda: scan(lines)) / seconds(lambda: read(lines))


def measured() -> dict[str, float]:
    """All ratios, by the names of RATIOS."""
    others = [name for name in bundled_names("rules") if name not in ("en-zh", "en-de")]
    return {
        "rules en-zh / reading": rules_beside_reading(["en-zh"]),
        "rules en-de / reading": rules_beside_reading(["en-de"]),
        "rules others / reading": rules_beside_reading(others),
        "first en-zh / reading": first_beside_reading(["en-zh"]),
        "first en-de / reading": first_beside_reading(["en-de"]),
        "first en-ar, en-fr / reading": first_beside_reading(["en-ar", "en-fr"]),
        "many children en-ar / reading": many_children_beside_reading("en-ar"),
        "rules check / reading": check_beside_reading(),
        "ablate en-de / evaluate": ablate_beside_evaluate("de"),
        "ablate en-ja / evaluate": ablate_beside_evaluate("ja"),
        "ablate en-zh / evaluate": ablate_beside_evaluate("zh"),
        "report / evaluate": report_beside_evaluate(),
        "scores / reading": scores_beside_reading(),
        "links pharaoh / reader": scanner_beside_reader("pharaoh"),
        "links lader / reader": scanner_beside_reader("lader"),
    }


def main() -> int:
    """Print the ratios; 1 if one is more than twice what it was."""
    slower = 0
    for name, ratio in measured().items():
        worse = ratio > _WORST * RATIOS[name]
        print(f"{name:30}{ratio:8.2f}  was {RATIOS[name]:.2f}{'  SLOWER' if worse else ''}")
        slower += worse
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
