"""The pages' scripts without a browser: they parse, and their logic that draws nothing is right."""

import json
import re
import shutil
import subprocess

import pytest

from preorder_eval.analysis import report_page
from preorder_eval.analysis.overview import overview
from preorder_eval.analysis.report import orders_page
from preorder_eval.base.pages.page import template_text
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.references import editor
from preorder_eval.references.reference_folder import load_reference

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed; CI has it")
LOGIC = ["text", "model", "state", "sides", "tables"]


def node(code, *arguments):
    """What node prints for a script, or for a check of it."""
    done = subprocess.run([NODE, *arguments, "-"], input=code, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("room", "names"),
    [("analysis", [f"{n}.js" for n in report_page._SCRIPTS]), ("references", editor._SCRIPTS)],
)
def test_the_scripts_of_a_page_parse_together(room, names):
    node("\n".join(template_text(room, name) for name in names), "--check")


@pytest.fixture(scope="module")
def reference():
    return load_reference("en-ko/test").take(range(40), "small")


@pytest.fixture(scope="module")
def asked(reference):
    """The values of an expression in the report of two systems, after each address is read."""
    systems = [Parsed.by("gold", reference).reordered(name) for name in ("none", "en-ko")]
    html = orders_page(overview(evaluate(reference, systems, ["fuzzy", "kendall"], resamples=5)))
    [data] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
    scripts = "\n".join(template_text("analysis", f"{name}.js") for name in LOGIC)

    def asked(fragments, expression):
        shim = f"const document = {{getElementById: () => ({{textContent: {json.dumps(data)}}})}};"
        read = "Object.assign(state, FIRST_STATE); readFragment(fragment);"
        each = f"{json.dumps(fragments)}.map((fragment) => {{{read} return {expression}}})"
        return json.loads(node(f"{shim}{scripts};console.log(JSON.stringify({each}))"))

    return asked, evaluate(reference, systems, ["fuzzy", "kendall"], resamples=5)


@pytest.mark.slow
def test_filters_choose_the_sentences_that_they_say(asked, reference):
    ask, result = asked
    trees = list(reference.trees)
    scores = result.sentence_scores("gold/en-ko").tolist()
    nouns = [s for s, tree in enumerate(trees) if "NOUN" in tree.upos]
    of_verbs = [
        s
        for s, t in enumerate(trees)
        if any(
            h >= 0 and label == "obj" and t.upos[h] == "VERB"
            for h, label in zip(t.heads, t.labels, strict=True)
        )
    ]
    roots = [s for s, t in enumerate(trees) if t.upos[t.heads.index(-1)] == "VERB"]
    short = [s for s, tree in enumerate(trees) if len(tree.words) <= 10]
    of_the = [s for s, tree in enumerate(trees) if "the" in map(str.lower, tree.words)]
    assert 0 < len(short) < 40
    assert 0 < len(of_the) < 40
    good = [s for s, score in enumerate(scores) if round(score, 3) >= 0.8]
    system = "a=gold%2Fen-ko&"
    wanted = {
        "": list(range(40)),
        "tag=NOUN": nouns,
        "label=obj&head=VERB": of_verbs,
        "tag=VERB&head=(root)": roots,
        "lengths=0-10": short,
        "lengths=11%2B": sorted({*range(40)} - {*short}),
        "word=THE": of_the,
        "word=the&lengths=-10": sorted({*of_the} & {*short}),
        "q=no such words": [],
        "min=0.8": good,
        "sort=low": sorted(range(40), key=lambda s: (scores[s], s)),
        "sort=long": sorted(range(40), key=lambda s: -len(trees[s].words)),
    }
    found = ask([system + fragment for fragment in wanted], "chosenSentences()")
    assert dict(zip(wanted, found, strict=True)) == wanted
    change = result.sentence_scores("gold/en-ko") - result.sentence_scores("gold/none")
    order = sorted(range(40), key=lambda s: (-round(abs(change[s]), 6), s))
    assert ask(["", "sort=number"], "chosenSentences()") == [order, [*range(40)]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fragment", "kept"),
    [
        ("s=3&sort=lost&whole=1&q=a+b&only=rules.2", None),
        ("s=1&a=gold%2Fen-ko&m=kendall", None),
        ("s=1&b=", None),
        ("s=0&sort=constructor&whole=2&a=nobody&m=nothing&x=1", ""),
        ("s=41&q=%3Cscript%3E", "q=%3Cscript%3E"),
    ],
)
def test_the_address_keeps_the_state_and_only_what_there_is(asked, fragment, kept):
    ask, _ = asked
    wanted = fragment if kept is None else kept
    found = ask([fragment, ""], "fragmentOf(state)")
    written, start = (text.removeprefix("#") for text in found)
    assert written == (wanted if kept is None else "&".join(filter(None, [start, wanted])))


LINKS = "[[0, 1, false], [1, 1, false], [2, 0, true]]"


EDITOR = {
    f"[...blocks({LINKS}).source]": [[0, 0], [1, 0], [2, 1]],
    f"[...blocks({LINKS}).target]": [[1, 0], [0, 1]],
    f"[...mates({LINKS}, 'target', new Set([1]))]": [0, 1],
    "toggled([], {side: 'source', positions: new Set([2])}, 5)": [[2, 5, False]],
    "toggled([[2, 5, true]], {side: 'target', positions: new Set([5])}, 2)": [],
    f"toggled({LINKS}, {{side: 'target', positions: new Set([0, 1])}}, 2)": [
        [0, 1, False],
        [1, 1, False],
        [2, 0, True],
        [2, 1, False],
    ],
    f"without({LINKS}, {{side: 'target', positions: new Set([1])}})": [[2, 0, True]],
    f"remarked({LINKS}, {{side: 'source', positions: new Set([0, 2])}})": [
        [0, 1, True],
        [1, 1, False],
        [2, 0, True],
    ],
    f"remarked({LINKS}, {{side: 'source', positions: new Set([2])}})[2]": [2, 0, False],
    "[...freeStretches('0-1|3 5|6-7')]": [[0, 0], [1, 0], [3, 1], [5, 0], [6, 1], [7, 1]],
    "withStretch('', [2])": "2",
    "withStretch('0-1', [3, 2])": "0-1|2-3",
    "withStretch('0-1', [4])": "0-1 4",
}
SMALL = {
    "[...increasing([2, 0, 1, 3])].sort()": [1, 2, 3],
    "[...movedBetween([1, 2, 0], [0, 1, 2])]": [0],
    "[...differingWords(['a', 'b', 'c'], ['a', 'c', 'd'])]": [1],
    "groupsOf([1, 0, 1])": [[1], [0, 2]],
    "rangeOf('10-19')": [10, 19],
    "rangeOf('12')": [12, 12],
    "[numberOf('0,5', 1), numberOf('x', 1), numberOf(' ', 2)]": [0.5, 1, 2],
    "[signed(0.0125), signed(-2), signed(0), signed(null)]": ["+0.013", "-2.000", "+0.000", ""],
    "visible('a\\u202eb\\u0007')": "a\\u202eb\\x07",
}


def test_links_and_free_blocks_of_the_editor():
    script = template_text("references", "editor_links.js")
    found = node(f"{script}\nconsole.log(JSON.stringify([{', '.join(EDITOR)}]))")
    assert dict(zip(EDITOR, json.loads(found), strict=True)) == EDITOR


@pytest.mark.slow
def test_small_functions_of_the_report(asked):
    [found] = asked[0]([""], f"[{', '.join(SMALL)}]")
    assert dict(zip(SMALL, found, strict=True)) == SMALL
