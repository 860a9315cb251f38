"""Run folders: what evaluate writes is what comes back, and what was changed is refused."""

import json
import re
import tracemalloc
import warnings

import numpy as np
import pytest

import preorder_eval as pe
from preorder_eval.base.errors import FormatError, InputWarning
from preorder_eval.base.files.tsv import escape_tokens, unescape_tokens
from preorder_eval.base.files.writing import write_folder
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.runs.run_folder import run_folders
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.score import score
from preorder_eval.evaluation.systems import System
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_set import ReferenceSet

SOURCE = [["He", "eats", "10 000", "fish"], ["Dogs", "bark"], ["a\\s", "b", "b"]]
LINKS = [[(0, 0), (1, 2), (2, 1), (3, 1)], [], [(0, 1), (2, 0)]]
ORDERS = {"first": [[0, 1, 2, 3], [0, 1], [0, 1, 2]], "second": [[0, 2, 3, 1], [1, 0], [2, 0, 1]]}


@pytest.fixture
def folder(tmp_path):
    """A run of two systems over three sentences, the second without links."""
    reference = ReferenceSet("small", SOURCE, Alignments.of(LINKS))
    systems = [System.from_orders(own, reference, name=name) for name, own in ORDERS.items()]
    write_run(evaluate(reference, systems, ["fuzzy", "kendall"], resamples=10), tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def outputs(tmp_path):
    """A run of two outputs of two sentences with two references."""
    texts = {"first": ["a\tb  c", ""], "second": ["x", "\\s y"]}
    with pytest.warns(InputWarning, match="no output in 1 line"):
        result = score(texts, [["a b", "s\\"], ["", "y"]], ["wer", "per"], resamples=10)
    write_run(result, tmp_path / "outputs")
    return tmp_path / "outputs"


def test_a_file_of_many_parts_is_never_held_whole(tmp_path):
    tracemalloc.start()
    write_folder(tmp_path / "run", {"parts": ("x" * 1_000_000 for _ in range(20))})
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "run" / "parts").stat().st_size == 20_000_000
    assert most < 5_000_000


def test_files_whose_names_are_one_here_are_refused(tmp_path):
    """As `En` and `en` are on macOS and Windows, and two slashes are everywhere."""
    with pytest.raises(
        FormatError, match=r"rules/en\.toml: has the name of another file here; giv"
    ):
        write_folder(tmp_path / "run", {"rules/en.toml": "first", "rules//en.toml": "second"})
    assert list(tmp_path.iterdir()) == []


def change(path, old, new, line=None):
    """Replace text in a file, on a 1-based line or everywhere."""
    lines = path.read_text().split("\n")
    chosen = range(len(lines)) if line is None else [line - 1]
    assert any(old in lines[i] for i in chosen)
    for i in chosen:
        lines[i] = lines[i].replace(old, new)
    path.write_text("\n".join(lines))


def test_what_was_written_comes_back(folder):
    run = read_run(folder)
    reference = run.inputs.reference
    assert (reference.name, list(map(list, reference.source))) == ("small", SOURCE)
    assert reference.target is None
    assert [reference.alignments[s] for s in range(3)] == LINKS
    expected = ReferenceSet("small", SOURCE, Alignments.of(LINKS)).references
    assert list(reference.references) == list(expected)
    assert reference.references.aligned.tolist() == expected.aligned.tolist()
    assert list(map(str, run.metrics)) == ["fuzzy(match=word)", "kendall"]
    systems = run.inputs.systems
    assert {system.name: list(system.orders) for system in systems} == ORDERS
    assert [system.hyp for system in systems] == [None, None]
    assert (run.inputs.references, run.inputs.shared) == ((), {})
    scores = np.column_stack([each.sentence for each in run.scores[1]])
    assert scores[0].tolist() == [1, 1]
    assert np.isnan(scores[1]).all()


def test_tokens_of_any_kind_come_back():
    for tokens in (
        ["10 000", "a\\sb", "\\", "\\\\s", " "],
        ["a\tb", "\n", "\r", "\u3000"],
        ["", ""],
    ):
        field = escape_tokens(tokens)
        assert not set(field) & set("\t\n\r")
        assert unescape_tokens(field) == tokens


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("run.json", "run: is not a run folder: it has no run.json; name one written by"),
        ("sentences.tsv", "sentences.tsv: cannot be read: No such file"),
        ("scores.tsv", "scores.tsv: cannot be read: No such file"),
    ],
)
def test_a_missing_file_is_named(folder, name, message):
    (folder / name).unlink()
    with pytest.raises(FormatError, match=message):
        read_run(folder)


def test_a_missing_folder_says_what_to_name(tmp_path):
    with pytest.raises(FormatError, match="no such folder; name one written by"):
        read_run(tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "line", "old", "new", "message"),
    [
        ("sentences.tsv", 1, "source", "sauce", "columns are not sentence, left_out, source"),
        ("sentences.tsv", 3, "Dogs bark\t", "Dogs bark", "5 fields instead of 6"),
        ("sentences.tsv", 3, "2\t", "3\t", "sentence '3' where 2 was expected"),
        ("sentences.tsv", 2, "0-0", "0:0", "link '0:0' is not two positions"),
        ("sentences.tsv", 2, "0-0", "4-0", "a link outside the 4 source tokens"),
        ("sentences.tsv", 2, "2_3", "2_2", "not a permutation of 0 … 3: 3 is missing"),
        ("scores.tsv", 2, "0 1 2 3", "0 1 2 2", "3 is missing, 2 occurs twice"),
        ("scores.tsv", 2, "0 1 2 3", "0 1 2", "3 positions for 4 source tokens"),
        ("scores.tsv", 5, "\t1.0", "\tone", "'one' is not a score"),
        ("scores.tsv", 1, "order", "orders", "columns are not system, sentence, order or output"),
        ("scores.tsv", 4, "first", "second", "sentence 3 of second where 3 of first was expected"),
    ],
)
def test_a_changed_line_is_named(folder, name, line, old, new, message):
    change(folder / name, old, new, line)
    with pytest.raises(FormatError) as error:
        read_run(folder)
    assert error.value.line == line
    assert error.value.file == str(folder / name)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "line", "old", "new", "message"),
    [
        ("sentences.tsv", 1, "reference_2", "reference_3", "columns are not sentence, left_out"),
        ("scores.tsv", 1, "output", "order", "columns are not system, sentence, order or output"),
        ("scores.tsv", 2, "first", "second", "sentence 2 of first where 2 of second was expected"),
        ("scores.tsv", 5, "\\\\s y", "\\\\s\ty", "6 fields instead of 5"),
    ],
)
def test_a_changed_line_of_outputs_is_named(outputs, name, line, old, new, message):
    change(outputs / name, old, new, line)
    with pytest.raises(FormatError, match=re.escape(message)):
        read_run(outputs)


def test_a_system_that_stands_twice_is_refused(folder):
    change(folder / "scores.tsv", "second", "first")
    with pytest.raises(FormatError, match=r"scores\.tsv:5: sentence 1 of first"):
        read_run(folder)


def test_a_file_cut_short_is_refused(folder):
    lines = (folder / "scores.tsv").read_text().splitlines(keepends=True)
    (folder / "scores.tsv").write_text("".join(lines[:-1]))
    with pytest.raises(FormatError, match="2 rows of second for 3 sentences"):
        read_run(folder)
    (folder / "scores.tsv").write_text(lines[0])
    with pytest.raises(FormatError, match="no row below the header"):
        read_run(folder)


@pytest.mark.parametrize("named", ["work", "work/runs"])
def test_a_self_training_is_its_start_and_rounds_in_order(tmp_path, named):
    for name in ("start", "round-1", "round-2", "round-10"):
        (tmp_path / "work/runs" / name).mkdir(parents=True)
        (tmp_path / "work/runs" / name / "run.json").write_text("{}")
    found = [folder.name for folder in run_folders(tmp_path / named)]
    assert found == ["start", "round-1", "round-2", "round-10"]
    with pytest.raises(FormatError, match=r"has several runs; name one of (runs/)?start, "):
        read_run(tmp_path / named)
    one = tmp_path / "work/runs/start"
    assert run_folders(one) == [one]


def test_warnings_of_what_was_read_stay_with_the_run(run, tmp_path, monkeypatch):
    """They are in JSON, in Python, on the report's page, and given again with the run's."""
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("a.en", "\ufeffa b\n\nc\n"),
        ("b.en", "a b\nb\nd\n"),
        ("r.en", "a b\nb\nc\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    hyps = ("--hyp", "a.en", "--hyp", "b.en", "--ref", "r.en", "--metric", "wer")
    told = ["a.en has a byte-order mark; ignored", "a: no output in 1 line of 3: 2"]

    def of_input(facts):
        return [each["text"] for each in facts["warnings"] if each["kind"] == "input"]

    for command in (("score", *hyps, "--out", "first"), ("compare", "first"), ("analyse", "first")):
        code, out, err = run(*command, "--json")
        assert (code, of_input(json.loads(out))) == (0, told)
        assert [err.count(text) for text in told] == [1, 1]
    assert of_input(json.loads((tmp_path / "first/run.json").read_text())) == told
    code, _, err = run("report", "first", "--out", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert code == 0
    assert all(text in err and text in page for text in told)
    with warnings.catch_warnings(action="ignore"):
        result = pe.read_run("first")
        scored = pe.score({"a": "a.en", "b": "b.en"}, "r.en", ["wer"])
    for made in (result, pe.compare(result), pe.analyse_outputs(result), result.chosen(["b"])):
        assert [w.text for w in made.warnings if w.kind == "input"] == told
    assert of_input(scored.to_dict())[0] == told[0]
    assert of_input(pe.score({"b": "b.en"}, "r.en", ["wer"]).to_dict()) == []  # another call
