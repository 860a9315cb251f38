"""Results in run folders: all that was given and found comes back, and goes out the same again."""

import json
from dataclasses import replace

import pytest
from score_files import HYP_LINKS, HYP_TAGS, LINKS, LR, REF_TAGS, TEXT, inputs, write_files
from small_orders import THREE, evaluated, reference

from preorder_eval.base.errors import FormatError
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run, write_runs
from preorder_eval.evaluation.systems import System
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Alternatives
from preorder_eval.references.reference_set import ReferenceSet

ONE_REF = ("--ref", "ref.en")
BOTH_REFS = ("--ref", "ref.en", "--ref", "ref2.en")
ONE_LINKS = ("--source", "src.ja", *HYP_LINKS, *inputs("ref_alignment=ref.align"))
RUNS = {
    "outputs": (*TEXT, *BOTH_REFS, "--metric", "wer", "--metric", "bleu"),
    "koehn": (*TEXT, *BOTH_REFS, "--metric", "wer", "--test", "koehn", "--seed", 3),
    "tags": (*TEXT, *BOTH_REFS, *HYP_TAGS, *REF_TAGS, "--metric", "hlepor(mix=1:9)"),
    "alignments": (*TEXT, *BOTH_REFS, *LINKS, *LR),
    "source tags": (*TEXT, *HYP_TAGS, *inputs("source_tags=src.pos"), "--metric", "ebleu"),
    "orders of links": (*TEXT, *ONE_REF, *ONE_LINKS, "--metric", "fuzzy", "--metric", "kendall"),
    "orders and outputs": (
        *(*TEXT, *ONE_REF, *ONE_LINKS, *LR, "--metric", "fuzzy", "--metric", "bleu"),
    ),
    "learned links": (*TEXT, *ONE_REF, "--source", "src.ja", "--align", "ibm1(force=true)", *LR),
    "orders": ("evaluate", "--source", "s.en", "--alignment", "s.align", "--orders", "s.order"),
    "rules": (
        *("evaluate", "--reference", "en-ko", "--parser", "gold", "--rules", "none"),
        *("--rules", "en-ko", "--significance", "--resamples", 10),
    ),
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()
    (tmp_path / "s.en").write_text("He eats 10\u00a0000 fish\nDogs bark\n")
    (tmp_path / "s.align").write_text("0-0 1-2 2-1 3-1\n\n")
    (tmp_path / "s.order").write_text("0 2 3 1\n1 0\n")
    return tmp_path


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_a_run_comes_back_as_it_was_and_goes_out_again(good, files, name):
    printed = good(*RUNS[name], "--json", "--out", "first")
    read = read_run(files / "first")
    assert read.to_dict() == json.loads(printed)
    write_run(read, files / "second")
    first, second = contents(files / "first"), contents(files / "second")
    one, two = (json.loads(own.pop("run.json")) for own in (first, second))
    assert first == second
    assert list(one) == list(two)
    for changing in ("versions", "arguments"):
        del one[changing], two[changing]
    assert one == two


def test_orders_and_outputs_stand_in_one_table(run, files):
    assert run(*RUNS["orders and outputs"], "--out", "first")[0] == 0
    header, first, *_ = (files / "first" / "scores.tsv").read_text().splitlines()
    assert header.split("\t")[:4] == ["system", "sentence", "order", "output"]
    assert first.split("\t")[:4] == ["good", "1", "0 2 1", "he reads books"]
    columns = (files / "first" / "sentences.tsv").read_text().splitlines()[0].split("\t")
    assert columns[-3:] == ["links", "reference_order", "reference_1"]


@pytest.mark.parametrize(("command", "name"), [("compare", "tags"), ("report", "alignments")])
def test_commands_read_runs_with_links_and_tags(run, command, name):
    assert run(*RUNS[name], "--out", "first")[0] == 0
    code, out, err = run(command, "first")
    assert (code, err, bool(out)) == (0, "", True)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hyp_tags.1.txt", "PRON\n", r"hyp_tags\.1\.txt: 1 line for 3 sentences"),
        ("hyp_tags.1.txt", "NOUN NOUN NOUN\nNOUN VERB\nNOUN\n",
         r"scores\.tsv:2: good, sentence 1: .* recomputed"),
        ("hyp_tags.x.txt", "a\nb\nc\n", "is not an input of a run"),
        ("hyp_tags.1.docx", "", "is not an input of a run"),
        ("ref_alignment.1.align", "0-0\n0:1\n\n", r"ref_alignment\.1\.align:2: link '0:1'"),
    ],
)  # fmt: skip
def test_inputs_that_were_changed_are_refused(run, files, name, text, message):
    assert run(*RUNS["tags"], "--out", "first")[0] == 0
    (files / "first" / "inputs" / name).write_text(text)
    with pytest.raises(FormatError, match=message):
        read_run(files / "first")


def test_several_reference_orders_come_back(tmp_path):
    """The links give one of them alone; the others are kept beside."""
    links = Alignments.of([[(0, 0), (1, 1)], [(0, 0)]])
    several = Alternatives.of([[[[0], [1]], [[1], [0]]], [[[0]]]])
    data = ReferenceSet("open", [["a", "b"], ["c"]], links, alternatives=several)
    made = evaluate(data, [System.from_orders([[1, 0], [0]], data)], ["fuzzy"], resamples=10)
    assert made.value("orders") == 1
    write_run(made, tmp_path / "first")
    read = read_run(tmp_path / "first")
    assert read.intervals == made.intervals
    write_run(read, tmp_path / "second")
    first, second = contents(tmp_path / "first"), contents(tmp_path / "second")
    del first["run.json"], second["run.json"]
    assert first == second


def test_two_references_of_one_folder_are_refused(tmp_path):
    two = [replace(reference(), name=name) for name in ("web/dev", "web-dev")]
    with pytest.raises(FormatError, match="web-dev would be the folder of two references; label"):
        write_runs([evaluated(THREE, data) for data in two], tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def edited(folder, place, value):
    """Change what `run.json` says in a place, of which keys and numbers are the steps."""
    said = json.loads((folder / "run.json").read_text())
    *outer, last = place
    inner = said
    for key in outer:
        inner = inner[key]
    inner[last] = value
    (folder / "run.json").write_text(json.dumps(said))


WRONG = {
    ("reference",): ["en-ja", ["en-ja"], None, 3],
    ("reference", "name"): [[1]],
    ("reference", "files"): [[1]],
    ("reference", "sentences"): [[1]],
    ("bootstrap",): ["1000", None, [1000]],
    ("bootstrap", "resamples"): ["many", -1, 0, None, 100_001, 10**12, 1.5, True, [20], "20"],
    ("bootstrap", "seed"): [-1, "one", None, 0.5, 2**64, False],
    ("bootstrap", "level"): ["high"],
    ("significance",): ["yes", None, [1]],
    ("significance", "test"): ["coin", None, ["koehn"]],
    ("significance", "against"): ["everyone", None, {"a": 1}],
    ("systems",): ["one", {"good": 1}, [1], None],
    ("systems", 0, "system"): [["x"], 5, None],
    ("systems", 0, "parser"): [5, None],
    ("systems", 0, "rules"): [["x"]],
    ("systems", 0, "scores"): ["x", [1], {"kendall": 1}],
    ("systems", 0, "made_by"): [3, "en-web", [1]],
    ("versions",): [5, [1]],
    ("arguments",): [5, [1]],
    ("metrics",): [5, [1]],
    ("sentences",): ["x", [[1]]],
    ("left_out",): ["x", [[1]]],
    ("inputs",): ["tags", None],
    ("references",): ["ref", None, [1], [{"name": "a"}]],
}


@pytest.mark.slow
def test_a_hand_edited_run_json_is_one_line(run, tmp_path):
    folder = tmp_path / "run"
    write_run(evaluated({"good": THREE["good"], "poor": THREE["poor"]}, significance=True), folder)
    whole = (folder / "run.json").read_text()
    for place, values in WRONG.items():
        for value in values:
            (folder / "run.json").write_text(whole)
            edited(folder, place, value)
            code, out, err = run("compare", folder)
            assert (code, out, err.count("\n")) == (2, "", 1), (place, value)
            assert err.startswith(f"preorder-eval: {folder}/run.json: key {place[0]}")


def test_a_run_json_that_is_none_is_one_line(tmp_path):
    folder = tmp_path / "run"
    write_run(evaluated({"good": THREE["good"], "poor": THREE["poor"]}), folder)
    for text in ("{", "[]", '{"systems": NaN}', ""):
        (folder / "run.json").write_text(text)
        with pytest.raises(FormatError, match=r"run\.json: not "):
            read_run(folder)


def test_a_run_json_that_names_no_systems_leaves_the_numbers_as_they_are(tmp_path):
    """Names of parsers and hashes are lost, but orders and scores are in the tables."""
    folder = tmp_path / "run"
    made = evaluated(THREE)
    write_run(made, folder)
    for key, value in (("systems", []), ("left_out", {}), ("metrics", [])):
        edited(folder, [key], value)
    assert read_run(folder).to_dict()["systems"] != []
    assert read_run(folder).intervals == made.intervals
