"""Every door asks one function by what a reference is scored: the same question has one number.

The reference here links content words alone: with the others, FRS is another number.
"""

import json

import numpy as np
import pytest
from spacy.tokens import Doc

import preorder_eval as pe
from preorder_eval.analysis.overview import overview
from preorder_eval.evaluation.gates import check_gates, parse_gate
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.learning.learn_rules import learn_rules
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.metrics.orders.order import Kendall
from preorder_eval.orders.alignment_formats import format_links
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Alternatives, ReferenceOrder, aligned_only
from preorder_eval.references.objective import objective, objective_at, of_kind
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_files import rules_path
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.conllu import write_conllu

FRS, TAU = "fuzzy(match=word,unaligned=drop)", "kendall(unaligned=drop)"
CONTENT = {"NOUN", "PROPN", "VERB", "ADJ"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, bundled_reference):
    """A reference folder, `few`, whose links are those of content words; a run of it, `run`."""
    folder = tmp_path_factory.mktemp("doors")
    (folder / "few").mkdir()
    part = bundled_reference.take(range(12), "few")
    write_conllu(folder / "few" / "source.conllu", part.trees)
    kept = [
        [(i, j) for i, j in links if tree.upos[i] in CONTENT]
        for links, tree in zip(part.alignments, part.trees, strict=True)
    ]
    lines = "".join(f"{format_links(links)}\n" for links in kept)
    (folder / "few" / "en-ja.align").write_text(lines)
    (folder / "mine.toml").write_bytes(rules_path("en-ja").read_bytes())
    (folder / "none.toml").write_bytes(rules_path("none").read_bytes())
    return folder


@pytest.fixture(scope="module")
def few(folder):
    data = pe.load_reference(folder / "few")
    assert data.coverage < 0.6
    return data


@pytest.fixture(scope="module")
def orders(few):
    return load_rules("en-ja").reorder(few.trees)


@pytest.fixture(scope="module")
def expected(few, orders):
    """FRS and τ of the rules `en-ja` on the gold trees, without unaligned words."""
    linked = aligned_only(orders, few.references, few.words)
    values = [metric.score(*linked).corpus for metric in (Fuzzy(), Kendall())]
    assert abs(Fuzzy().score(orders, few.references, few.words).corpus - values[0]) > 0.05
    return values


@pytest.fixture
def there(folder, monkeypatch):
    monkeypatch.chdir(folder)


GOLD = ["--reference", "few", "--parser", "gold", "--resamples", "10"]
ABOUT_RULES = ["--rules", "mine.toml", *GOLD]


@pytest.fixture
def kept_run(run, there, folder):
    if not (folder / "run").exists():
        rules = ["--rules", "none", "--rules", "en-ja"]
        assert run("evaluate", *GOLD, *rules, "--out", "run")[0] == 0
    return read_run(folder / "run")


def printed(run, *command):
    code, out, err = run(*command, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.mark.slow
def test_evaluate_shows_the_objective_alone(run, there, expected):
    told = printed(run, "evaluate", *ABOUT_RULES)
    assert told["metrics"] == [FRS, TAU]
    [system] = told["systems"]
    assert [system["scores"][name]["value"] for name in (FRS, TAU)] == pytest.approx(expected)


def test_compare_of_runs_of_rule_files_and_its_gates(run, kept_run, expected):
    of_run = ["run", "--system", "gold/none", "--system", "gold/en-ja"]
    of_files = ["none.toml", "mine.toml", "--parser", "gold", "--reference", "few"]
    for what in (of_run, of_files):
        told = printed(run, "compare", *what, "--resamples", "10")
        assert [row["metric"] for row in told["metrics"]] == [FRS, TAU]
        assert [row["second"] for row in told["metrics"]] == pytest.approx(expected)
    compared = pe.compare(kept_run, systems=["gold/en-ja", "gold/none"])
    for name in ("fuzzy", "FRS"):
        [line], _ = check_gates(compared, [parse_gate(f"{name}:-0.1")])
        assert f"fell by {expected[0] - kept_run.value('gold/none', 0):.3f}" in line


def test_analyse(run, kept_run, few, expected):
    told = printed(run, "analyse", "run", "--system", "gold/en-ja", "--least", "1", "--top", "0")
    assert (told["metric"], told["score"]) == (FRS, pytest.approx(expected[0]))
    linked = few.references.aligned
    assert told["total"]["count"] == linked.sum()
    assert told["total"]["cost"] == pytest.approx(1 - expected[0])
    words = {group["name"] for group in told["groups"] if group["by"] == "word"}
    flat = np.array([word.lower() for words in few.source for word in words])
    assert words == set(flat[linked])


def test_reference_check_scores_the_source_order_as_evaluate_does(run, kept_run):
    [group] = printed(run, "reference", "check", "few", "--structure-only")["groups"]
    assert group["metrics"] == [FRS, TAU]
    unchanged = [group["unchanged"][name]["value"] for name in ("fuzzy", "kendall")]
    assert unchanged == pytest.approx([kept_run.value("gold/none", m) for m in (0, 1)])


@pytest.mark.slow
def test_report(kept_run, expected):
    made = overview(kept_run)
    system = made.systems[1]
    assert [str(metric) for metric in made.result.metrics] == [FRS, TAU]
    assert [interval.value for interval in made.result.intervals[1]] == pytest.approx(expected)
    assert (system.ablation.metric, system.limits.metric) == (FRS, TAU)
    assert [system.ablation.value, system.limits.value] == pytest.approx(expected)
    cost = sum(group.cost for group in system.analysis.groups["word"])
    assert cost == pytest.approx(1 - expected[0])


@pytest.mark.slow
def test_python(folder, few, orders, kept_run, expected):
    result = pe.evaluate(few, orders={"mine": orders}, resamples=10)
    assert [result.value("mine", m) for m in range(len(result.metrics))] == pytest.approx(expected)
    assert pe.analyse(result).score == pytest.approx(expected[0])
    assert pe.compare(kept_run).metrics[0].values[1] == pytest.approx(expected[0])
    assert pe.ablate("en-ja", "gold", few, resamples=10).value == pytest.approx(expected[0])
    assert pe.oracle("en-ja", "gold", few).value == pytest.approx(expected[1])
    learned = learn_rules("gold", few, start="en-ja", folds=2)
    assert [one.values[0] for one in learned.scores] == pytest.approx(expected)
    assert pe.select("en-web", few, n=1).metric == FRS


@pytest.mark.slow
def test_every_door_of_spacy_parses_as_evaluate_does():
    """Sentences without a capital were truecased by `evaluate` alone."""
    data = pe.load_reference("en-ja-web/test")
    lower = [s for s, words in enumerate(data.source) if "".join(words).islower()]
    assert len(lower) > 9
    part = data.take([*lower, 1, 2], "en-ja-web/test")
    parser, never = "en-web", "en-web(truecase=never)"
    by = {"metrics": objective(data), "rules": ["en-ja"], "resamples": 10}
    result = pe.evaluate(part, parsers=[parser, never], **by)
    expected = [result.value(f"{parser}/en-ja", m) for m in (0, 1)]
    assert result.value(f"{never}/en-ja", 1) != expected[1]
    nlp = pe.load_pipeline(parser)
    nlp.add_pipe("preorder", config={"rules": "en-ja"})
    docs = list(nlp.pipe(Doc(nlp.vocab, words=words) for words in part.source))
    assert [list(doc._.preorder) for doc in docs] == list(result.inputs.orders(0))
    read = pe.evaluate(part, trees={"docs": pe.from_docs(docs)}, **by)
    assert [read.value("docs/en-ja", m) for m in (0, 1)] == pytest.approx(expected)


# The reference of the rules, and the default


@pytest.fixture
def turkish(tmp_path, monkeypatch):
    """Rules for Turkish under the name of others."""
    monkeypatch.chdir(tmp_path)
    about = 'name = "en-tr"\nscheme = "ud"\nsource = "en"\ntarget = "tr"\n'
    rule = '[[rule]]\nhead = "*"\norder = ["OTHER", "HEAD", "punct"]\n'
    for name in ("mine.toml", "other.toml"):
        (tmp_path / name).write_text(about + rule)


TURKISH = "en-tr/dev"
BY_TARGET = {
    "evaluate": ["evaluate", "--parser", "gold", "--rules", "mine.toml", "--resamples", "2"],
    "compare": ["compare", "mine.toml", "other.toml", "--parser", "gold", "--resamples", "2"],
    "oracle": ["rules", "oracle", "--rules", "mine.toml", "--parser", "gold"],
    "ablate": ["rules", "ablate", "--rules", "mine.toml", "--parser", "gold", "--resamples", "2"],
    "learn": ["rules", "learn", "--start", "mine.toml", "--parser", "gold", "--folds", "2",
              "--out", "learned.toml"],
    "select": ["select", "--rules", "mine.toml", "--parser", "en-web", "--n", "2",
               "--out", "selected.conllu"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("door", BY_TARGET)
def test_the_reference_is_that_of_the_rules_target(run, turkish, door):
    """A Turkish file was scored on Japanese at every door but with a warning."""
    reference = printed(run, *BY_TARGET[door])["reference"]
    assert (reference["name"] if isinstance(reference, dict) else reference) == TURKISH


@pytest.mark.parametrize("door", BY_TARGET)
@pytest.mark.parametrize("target", ['"ar"', '"any"'])
def test_without_one_every_door_tells_how_to_give_it(run, turkish, tmp_path, door, target):
    for name in ("mine.toml", "other.toml"):
        text = (tmp_path / name).read_text().replace('target = "tr"', f"target = {target}")
        (tmp_path / name).write_text(text)
    code, out, err = run(*BY_TARGET[door])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "give a reference: --reference with one of " in err
    assert not list(tmp_path.glob("learned*")) + list(tmp_path.glob("selected*"))


# What the function chooses


@pytest.mark.parametrize(
    ("coverage", "unaligned"),
    [(1, "attach"), (0.9, "attach"), (0.895, "attach"), (0.8949, "drop"), (0, "drop"),
     (float("nan"), "drop")],
)  # fmt: skip
def test_below_nine_in_ten_linked_words_the_others_are_left_out(coverage, unaligned):
    chosen = objective_at(coverage)
    assert chosen == (Fuzzy(unaligned=unaligned), Kendall(unaligned=unaligned))


def reference(*aligned):
    """A sentence with reference orders in which these words have a link."""
    orders = [ReferenceOrder([[0], [1]], linked) for linked in aligned]
    links = Alignments.of([[(i, i) for i in (0, 1) if aligned[0][i]]])
    return ReferenceSet("r", [["a", "b"]], links, alternatives=Alternatives.of([orders]))


def test_of_several_reference_orders_the_first_is_looked_at():
    full, half = [True, True], [True, False]
    for data, unaligned in ((reference(full, half), "attach"), (reference(half, full), "drop")):
        for given in (data, data.allowed, data.references):
            assert objective(given).first.unaligned == unaligned


@pytest.mark.parametrize(
    ("metrics", "frs"),
    [
        (["kendall", "fuzzy(match=position)", "fuzzy"], "fuzzy(match=position)"),
        (["kendall(average=pooled,references=mean)"],
         "fuzzy(match=word,average=pooled,references=mean)"),
        ([], FRS),
    ],
)  # fmt: skip
def test_the_frs_of_a_run_counts_what_its_metrics_count(metrics, frs):
    half = reference([True, False])
    assert str(of_kind(Fuzzy, map(order_metric, metrics), half)) == frs


# Several reference orders
