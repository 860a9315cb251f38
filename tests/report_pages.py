"""Contents of reports for tests: text that tries to get out of a page, and runs to compare."""

import base64
import hashlib
import random
import re
from functools import cache

from preorder_eval.analysis.overview import overview
from preorder_eval.evaluation.compare import compare
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.score import score
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.treebank import Tree, Treebank

HOSTILE = [
    "<script>window.attacked=1</script>",
    "</script><script>window.attacked=2</script>",
    '"><img src=x onerror=window.attacked=3>',
    "<!--<script>",
    "&lt;b&gt;&amp;",
    "'-window.attacked-'",
    "{{7*7}}",
    "${window.attacked=4}",
    "javascript:window.attacked=5",
    "\u202eright-to-left\u202c",
    "zero\u200bwidth\ufeff",
    "bell\x07nul\x00escape\x1b[31m",
    "line\u2028separator",
    "עברית",
    "w" * 10_000,
    "日本語",
]


def hostile_overview():
    """One sentence of hostile words; labels, tags, ids, translations and names are hostile too."""
    size = len(HOSTILE)
    tree = Tree(
        HOSTILE,
        [-1, *[0] * (size - 1)],
        ["root", *["nsubj"] * (size - 5), *HOSTILE[:4]],
        ["VERB", *["NOUN"] * (size - 5), *HOSTILE[:4]],
        ["_"] * size,
        (f"# sent_id = {HOSTILE[1]}", f"# phenomenon = {HOSTILE[2]}"),
    )
    trees = Treebank.of([tree])
    links = Alignments.of([[(i, size - 1 - i) for i in range(size)]])
    reference = ReferenceSet(HOSTILE[1], [HOSTILE], links, [HOSTILE], trees)
    names = ("en-ja", "head-final-reverse-after")
    systems = [
        Parsed({"name": HOSTILE[n]}, trees).reordered(rules).named(f"{HOSTILE[n]}/{rules}")
        for n, rules in enumerate(names)
    ]
    result = evaluate(reference, systems, ["fuzzy", "kendall"], resamples=10, significance=True)
    return overview(result, [{"arguments": HOSTILE, "versions": {HOSTILE[0]: HOSTILE[1]}}])


def hostile_outputs(folder) -> Result:
    """A run of `score` whose second to last texts are hostile."""
    hostile = [text.replace("\x00", "") for text in HOSTILE]
    references = ["the cat sat", *hostile]
    outputs = {"one": ["the cat sat", *hostile], HOSTILE[0]: ["the cat lay", *reversed(hostile)]}
    write_run(score(outputs, references, ["wer", "ribes"], resamples=10), folder)
    return read_run(folder)


def check_policy(policy, page):
    """Raise AssertionError unless a policy lets a page's own script and style run, and no other."""
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy
    for kind in ("script", "style"):
        [text] = re.findall(f"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[f"{kind}-src"] == f"'sha256-{digest}'"


def address(page):
    """What stands behind the file in the address, as the page itself has it.

    What the browser tells of it from outside may come a moment later.
    """
    return page.evaluate("location.hash")


def eventually(page, holds):
    """Wait until something holds, for a minute at most.

    Playwright's own `wait_for_function` evaluates strings in the page, which its policy forbids.
    """
    for _ in range(1200):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come true within a minute")


def follow(link):
    """Click a link to a part of the page, and wait until the page has heard of it and drawn it.

    A link changes the address at once, the page only when it is told.
    """
    link.page.evaluate(
        "() => { window.heard = false;"
        " addEventListener('hashchange', () => { window.heard = true; }, { once: true }); }"
    )
    link.click()
    eventually(link.page, lambda: link.page.evaluate("window.heard"))


@cache
def three_systems(names, against="") -> Result:
    """Outputs w, x and y of 14 sentences, scored in the order of their names.

    The first is clearly worse than the others, which hardly differ.
    """
    text = "the small dog has quickly found an old bone near our wooden garden gate today"
    words = text.split(" ")
    chance = random.Random(4)
    references = [chance.sample(words, 9) for _ in range(14)]
    turned = {"w": 3, "x": 1, "y": 1}
    texts = dict[str, list[str]]()
    for name, times in turned.items():
        for reference in references:
            output = list(reference)
            for _ in range(times):
                output[chance.randrange(9)] = chance.choice(words)
                i = chance.randrange(8)
                output[i : i + 2] = output[i + 1], output[i]
            texts.setdefault(name, []).append(" ".join(output))
    outputs = {name: texts[name] for name in names}
    scored = list(map(" ".join, references))
    return score(outputs, scored, ["bleu", "wer"], resamples=40, against=against)


def compared_cells(result, first, second):
    """Return what `compare` shows by each metric: B - A with its interval and mark, and p."""
    columns = compare(result, systems=[first, second]).tables()[0].drawn().columns
    cells = {column.heading: column.cells for column in columns}
    return list(zip(cells["B - A [95%]"], cells["p"], strict=True))
