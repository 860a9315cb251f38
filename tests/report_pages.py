"""Contents of reports for tests: text that tries to get out of a page, and runs to compare."""

from preorder_eval.analysis.overview import MadeFrom, overview
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.formats.output_run import OutputRun, read_any_run
from preorder_eval.formats.rules_toml import load_rules
from preorder_eval.formats.tables import format_json
from preorder_eval.formats.folders import write_folder
from preorder_eval.metrics import metric, order_metric
from preorder_eval.results.evaluation import System, evaluate
from preorder_eval.results.scoring import Texts, score_outputs

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
    rules = [load_rules(name) for name in ("en-ja", "head-final-reverse-after")]
    systems = [
        System(HOSTILE[n], name, rule_set.reorder(trees), {"parser": HOSTILE[n]})
        for n, (name, rule_set) in enumerate(zip(HOSTILE[:2], rules, strict=True))
    ]
    metrics = [order_metric("fuzzy"), order_metric("kendall")]
    evaluation = evaluate(reference, systems, metrics, resamples=10, significance=True)
    run = {"arguments": HOSTILE, "versions": {HOSTILE[0]: HOSTILE[1]}}
    return overview(evaluation, [MadeFrom(trees, rule_set) for rule_set in rules], trees, [run])


def hostile_outputs(folder) -> OutputRun:
    """A run of `score` whose second to last texts are hostile."""
    hostile = [text.replace("\x00", "") for text in HOSTILE]
    references = ["the cat sat", *hostile]
    outputs = {"one": ["the cat sat", *hostile], HOSTILE[0]: ["the cat lay", *reversed(hostile)]}
    texts = [Texts(name, sentences, {"file": name}) for name, sentences in outputs.items()]
    reference = Texts("ref", references, {"file": "ref"})
    result = score_outputs(texts, [reference], [metric("wer"), metric("ribes")], resamples=10)
    files = {
        "run.json": format_json(result.summary()),
        "sentences.tsv": result.sentences_tsv(),
        "scores.tsv": result.scores_tsv(),
    }
    write_folder(folder, files)
    return read_any_run(folder)
