"""`preorder-eval meta` with all that metrics can be given: tags, links, and runs of both kinds."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from judged_outputs import SYSTEMS, JudgedOutputs
from score_files import inputs

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.score import score_inputs
from preorder_eval.evaluation.systems import System
from preorder_eval.judgments.meta import meta
from preorder_eval.metrics import metric
from preorder_eval.orders.order_files import format_order

OWN = ("meta", "--human", "human.tsv", "--resamples", 50)
OUTPUTS = ("--hyp", "out.*.en")
TEXTS = (*OUTPUTS, "--ref", "ref.en")
LINKS = ("--source", "src.ja", *inputs("hyp_alignment=links.*", "ref_alignment=links.ref"))
BOTH = ("--metric", "fuzzy", "--metric", "bleu")


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = JudgedOutputs(0)
    data.write()
    return data


def expected(data, given, metrics):
    """What `--json` prints of a result, as the library has it."""
    found = meta(score_inputs(given, metrics), data.people, resamples=50)
    return json.loads(json.dumps(found.to_dict()))


def test_estimates_from_tags_need_no_references(run, data):
    metrics = ["hppr", "ebleu(alpha=1,weights=1:1)"]
    chosen = [part for name in metrics for part in ("--metric", name)]
    tags = inputs("hyp_tags=out.*.pos", "source_tags=src.pos")
    code, out, err = run(*OWN, *OUTPUTS, *tags, *chosen, "--json")
    assert (code, err) == (0, "")
    tagged = {
        name: [" ".join(f"T{word[-1]}" for word in words) for words in sentences]
        for name, sentences in zip(
            (*SYSTEMS, "ref"), [*data.outputs, *data.references], strict=True
        )
    }
    systems = [System(n, hyp=[""] * 30, inputs={"hyp_tags": tagged[n]}) for n in SYSTEMS]
    given = Inputs(tuple(systems), shared={"source_tags": tagged["ref"]})
    assert json.loads(out) == expected(data, given, metrics)
    code, out, err = run(*OWN, *TEXTS, *tags, *chosen)
    assert (code, err) == (2, "preorder-eval: --ref: none of the metrics needs it\n")


def test_tags_of_the_lepor_family(run, data):
    tags = inputs("hyp_tags=out.*.pos", "ref_tags=ref.pos")
    code, out, err = run(*OWN, *TEXTS, *tags, "--metric", "hlepor(mix=0:1)", "--tsv")
    assert code == 0
    assert err.endswith(" is not shown to be better than chance\n")
    for name in (*(f"out.{name}" for name in SYSTEMS), "ref"):
        shutil.copy(f"{name}.pos", f"{name}.en")
    same = run(*OWN, *TEXTS, "--metric", "hlepor(tokenize=none)", "--tsv")[1]
    assert out.replace(",mix=0:1", "") == same  # where words weigh nothing, tags are the words


@pytest.mark.slow
def test_metrics_of_links_are_given_alignments(run, data):
    metrics = ["LR-HB1", "LR-KB4(alpha=0.9)", "fuzzy", "kendall", "bleu(tokenize=13a)"]
    chosen = [part for name in metrics for part in ("--metric", name)]
    code, out, err = run(*OWN, *TEXTS, *LINKS, *chosen, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == expected(data, data.inputs, metrics)


def test_files_of_links_are_found_by_the_names_of_systems(run, data):
    chosen = ("--metric", "LR-HB1", "--tsv")
    by_name = inputs(*(f"hyp_alignment=links.{name}" for name in reversed(SYSTEMS)))
    assert run(*OWN, *TEXTS, *LINKS, *chosen) == run(
        *OWN, *TEXTS, *LINKS[:2], *by_name, *LINKS[4:], *chosen
    )
    code, _, err = run(*OWN, *TEXTS, *LINKS[:2], *by_name[2:], *LINKS[4:], *chosen)
    assert code == 2
    assert err.startswith(
        "preorder-eval: judged system poor has no file for --input hyp_alignment=FILE (links.fair, "
    )


@pytest.fixture
def runs(run, data):
    """Runs of the same systems: `orders` by their orders, `outputs` by their outputs."""
    for number, name in enumerate(SYSTEMS):
        orders = data.inputs.of(number).orders
        Path(f"{name}.order").write_text("".join(format_order(own) + "\n" for own in orders))
        shutil.copy(f"out.{name}.en", f"{name}.en")
    Path("straight.order").write_text(
        "".join(" ".join(map(str, range(n))) + "\n" for n in data.lengths)
    )
    quick = ("--resamples", 10)
    orders = [part for name in (*SYSTEMS, "straight") for part in ("--orders", f"{name}.order")]
    reference = ("--source", "src.ja", "--alignment", "links.ref")
    by = ("--metric", "fuzzy", "--metric", "kendall")
    assert run("evaluate", *reference, *orders, *by, *quick, "--out", "orders")[0] == 0
    hyps = [part for name in SYSTEMS for part in ("--hyp", f"{name}.en")]
    chosen = ("--ref", "ref.en", "--metric", "bleu", "--metric", "wer")
    assert run("score", *hyps, *chosen, *quick, "--out", "outputs")[0] == 0
    some = [*hyps[:4], "--ref", "ref.en", "--metric", "bleu", *quick]
    assert run("score", *some, "--out", "some")[0] == 0


KEPT = "preorder-eval: warning: poor: no output in 1 line of 30: 4\n"  # by the run of outputs
NOTE = "preorder-eval: note: system straight is not judged; skipped\n"


@pytest.mark.slow
def test_runs_of_orders_and_of_outputs_make_one_table(run, data, runs):
    both = ("--run", "orders", "--run", "outputs")
    code, out, err = run(*OWN, *both, *BOTH, "--tsv")
    _, of_texts, warnings = run(*OWN, *TEXTS, *LINKS, *BOTH, "--tsv")
    assert (code, out, err) == (0, of_texts, KEPT + NOTE + warnings)
    _, out, _ = run(*OWN, *both, "--tsv")
    names = {row["metric"] for row in csv.DictReader(io.StringIO(out), delimiter="\t")}
    words = {str(metric(name)) for name in ("bleu(tokenize=13a)", "wer(tokenize=13a)")}
    assert names == {"fuzzy(match=word)", "kendall"} | words
    turned = run(*OWN, "--run", "outputs", "--run", "orders", *BOTH, "--tsv")
    assert turned == run(*OWN, *both, *BOTH, "--tsv")


@pytest.mark.slow
def test_a_system_that_is_in_one_run_alone(run, data, runs):
    both = ("--run", "orders", "--run", "some")
    code, out, err = run(*OWN, *both, *BOTH)
    assert code == 0
    assert "skipped, because they lack orders or outputs: poor\n" in err
    without = ("--without", "poor")
    assert run(*OWN, *both, *BOTH, *without)[1] == out
    assert run(*OWN, *both, "--metric", "fuzzy")[0] == 0


@pytest.mark.slow
def test_runs_that_contradict_each_other_are_refused(run, data, runs):
    hyps = ("--hyp", "fair.en", "--hyp", "good.en")
    Path("fair.en").write_text(Path("poor.en").read_text())
    assert run("score", *hyps, "--ref", "ref.en", "--metric", "bleu", "--out", "later")[0] == 0
    code, _, err = run(*OWN, "--run", "outputs", "--run", "later")
    assert code == 2
    assert err.endswith("preorder-eval: two systems are called fair; omit one of the runs\n")


def test_other_systems_than_those_that_are_judged(data):
    given = data.inputs
    other = Inputs((given.systems[0].named("x"),), None, given.references)
    with pytest.raises(PreorderEvalError, match=r"none of the judged systems \(good, fair, poor\)"):
        meta(score_inputs(other, ["wer"]), data.people)
    two = Inputs(given.systems[:2], None, given.references)
    found = meta(score_inputs(two, ["wer"]), data.people, by="segment.kendall", resamples=9)
    assert found.judgments.systems == ("fair", "good")
