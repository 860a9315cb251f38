"""Files of strangers and faults from outside: nothing is lost, nothing hangs, one line tells it."""

import gzip
import io
import os
import signal
import subprocess
import sys
import time
import zlib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import srsly
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

import preorder_eval as pe
from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.files.files import WORDS, iterate_lines, read_json, read_lines
from preorder_eval.base.files.writing import remove_made, take_lock
from preorder_eval.base.resources import bundled
from preorder_eval.base.visible import cell
from preorder_eval.metrics.score_files import read_score_file
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.parsers.pipelines import LEARNED_FILE, read_pipeline
from preorder_eval.parsers.to_docs import read_docbin
from preorder_eval.references.reference_text import ReferenceText
from preorder_eval.trees.conllu import read_conllu

PROGRAM = [sys.executable, "-m", "preorder_eval"]


# What is removed.


@pytest.mark.parametrize("path", ["..", ".", "other/inner", "/"])
def test_only_what_is_directly_inside_is_removed(tmp_path, path):
    (tmp_path / "out" / "other" / "inner").mkdir(parents=True)
    with pytest.raises(FormatError, match="not inside"):
        remove_made(tmp_path / "out" / path, tmp_path / "out")
    assert (tmp_path / "out" / "other" / "inner").exists()


# Processes that outlive others.


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no copies of processes")
def test_a_copy_of_a_process_does_not_hold_its_locks(tmp_path):
    file = (tmp_path / "lock").open("w")
    assert take_lock(file.fileno())
    (reading, writing), (begun, begins) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writing)
        os.write(begins, b"x")
        os.read(reading, 1)  # which ends with the parent, too
        os._exit(0)
    os.read(begun, 1)
    file.close()
    with (tmp_path / "lock").open("w") as again:
        assert take_lock(again.fileno())
    os.write(writing, b"x")
    os.waitpid(child, 0)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_a_killed_command_and_it_can_be_repeated(tmp_path, how):
    (tmp_path / "s.en").write_text("The old dog barks loudly at home .\n" * 9000)
    (tmp_path / "s.align").write_text("0-1 1-0 2-4 4-2\n" * 9000)
    command = [*PROGRAM, "evaluate", "--source", "s.en", "--alignment", "s.align", "--no-cache"]
    command += ["--rules", "reverse", "--jobs", "2", "--out", "RUN"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip

    def workers():
        listed = subprocess.run(
            ["ps", "-s", str(process.pid), "-o", "pid="],
            capture_output=True,
            text=True,
            check=False,
        )
        return [int(pid) for pid in listed.stdout.split() if int(pid) != process.pid]

    until = time.monotonic() + 60
    while not workers() and time.monotonic() < until and process.poll() is None:
        time.sleep(0.1)
    assert workers()
    process.send_signal(how)
    process.wait()
    until = time.monotonic() + 20
    while workers() and time.monotonic() < until:
        time.sleep(0.1)
    assert not workers()
    (tmp_path / "s.en").write_text("The dog barks .\n" * 2)
    (tmp_path / "s.align").write_text("0-1 1-0\n" * 2)
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr


# Files.


def test_endless_and_sparse_files_end_in_one_line(tmp_path, run):
    sparse = tmp_path / "sparse.en"
    with sparse.open("wb") as file:
        file.truncate(1 << 40)
    (tmp_path / "s.align").write_text("0-0\n")
    for source in (sparse, "/dev/zero"):
        code, out, err = run(
            "evaluate", "--source", source, "--alignment", tmp_path / "s.align", "--orders", "x"
        )
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"preorder-eval: {source}:1: ")


def docbin(**changed):
    doc = Doc(Vocab(), ["Go", "home"], heads=[0, 0], deps=["ROOT", "advmod"])
    content = DocBin(attrs=["ORTH", "HEAD", "DEP"], docs=[doc]).to_bytes()
    unpacked = srsly.msgpack_loads(zlib.decompress(content))
    return zlib.compress(srsly.msgpack_dumps({**unpacked, **changed}))


@pytest.mark.parametrize(
    "changed",
    [
        {"attrs": ["ORTH"]},
        {"attrs": [1 << 40]},
        {"attrs": "x"},
        {"tokens": b"\xff" * 3},
        {"lengths": np.array([-1], dtype="int32").tobytes()},
        {"lengths": np.array([1 << 30], dtype="int32").tobytes()},
        {"strings": 3},
        {"cats": 7},
        {"flags": [{}, {}, {}]},
        {"spans": b"x"},
    ],
)
def test_damaged_documents_are_one_line(tmp_path, changed):
    (tmp_path / "x.spacy").write_bytes(docbin(**changed))
    with suppress(FormatError):  # or what spaCy can make sense of
        assert read_docbin(tmp_path / "x.spacy").sentences[0][0] == "Go"


def array_head(*shape):
    file = io.BytesIO()
    head = {"descr": "<f4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, head)
    return file.getvalue()


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("vocab/vectors", array_head(3_000_000, 400)),
        ("vocab/vectors", array_head(1 << 20, 0)),  # of rows that take no bytes
        ("meta.json", b"[" * 100_000),
        ("tagger/cfg", b'{"labels": ["NN"], "overwrite": false}'),
        ("parser/moves", b"\x81\xa5moves\xa1x"),
    ],
)
def test_damaged_pipelines_are_one_line(copy, run, file, content):
    (copy / file).write_bytes(content)
    code, out, err = run("parse", "--parser", copy, "--no-cache", stdin=b"She reads .\n")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("preorder-eval: ")
    assert "not a spaCy pipeline" in err
    if file.startswith("vocab"):
        with pytest.raises(PreorderEvalError, match="not a spaCy pipeline"):
            pe.load_pipeline(str(copy))


@pytest.fixture
def copy(tmp_path):
    """The bundled pipeline as the folder of a stranger."""
    copy, own = tmp_path / "pl", bundled("parsers/bundled") / "en-web"
    for path in own.rglob("*"):
        if path.is_file():
            new = copy / path.relative_to(own)
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(path.read_bytes())
    return copy


@pytest.mark.parametrize(
    "content", [array_head(2 * 10**12), array_head(1 << 40, 0), b"x", array_head()[:9]]
)
def test_hashes_of_what_was_learned_cannot_fill_the_memory(copy, content):
    (copy / LEARNED_FILE).write_bytes(content)
    hint = f"{LEARNED_FILE}: has no hashes of sentences; copy the parser again"
    with pytest.raises(PreorderEvalError, match=hint):
        read_pipeline(copy, "copy").learned_from([["She", "reads", "old", "books"]])


def test_a_pipeline_that_could_run_code_is_refused_as_a_parser_is(copy):
    config = (copy / "config.cfg").read_text()
    (copy / "config.cfg").write_text(config.replace('factory = "tagger"', 'factory = "evil"'))
    for load in (load_parser, pe.load_pipeline):
        with pytest.raises(PreorderEvalError, match="could run code of its maker"):
            load(str(copy))


def test_the_editor_writes_nothing_that_cannot_be_read():
    text = ReferenceText.read(bundled("reference_data") / "en-ko")
    for words in (["a"] * (WORDS + 1), ["a" * (1 << 20)]):
        with pytest.raises(PreorderEvalError, match=f"the limits are {WORDS:,}"):
            text.with_sentence(0, replace(text[0], source=tuple(words)))


# Terminals, spreadsheets, shells.


def test_log_lines_cannot_command_a_terminal(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rules = '[[rule]]\nhead = "*"\norder = ["OTHER", "HEAD", "punct"]\n'
    rules = f'name = "a\\u001b[2Jb"\nscheme = "ud"\n{rules}'
    Path("evil.toml").write_text(rules)
    Path("s.conllu").write_text(
        "1\ta\t_\tX\tX\t_\t2\tdep\t_\t_\n2\tb\t_\tX\tX\t_\t0\troot\t_\t_\n\n"
    )
    Path("s.align").write_text("0-1 1-0\n")
    given = ("--trees", "s.conllu", "--alignment", "s.align")
    code, out, err = run("-v", "evaluate", *given, "--rules", "evil.toml")
    assert (code, "\x1b" in out + err) == (0, False)


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "-x"])
def test_no_cell_is_a_formula(text):
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-0.3", "+0.026", "-", "+1e-05", "", "a=b", "-12%"])
def test_numbers_and_words_stay_as_they_are(text):
    assert cell(text) == text


@pytest.mark.slow
def test_what_is_printed_to_a_closed_output_is_an_error():
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m preorder_eval metrics >&-"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, "preorder-eval: standard output is closed\n")


def test_scores_that_no_statistic_can_square_are_refused(tmp_path):
    for value in ("1e300", "-1e101", "inf", "nan"):
        (tmp_path / "h.tsv").write_text(f"system\tline\tscore\na\t0\t{value}\n")
        with pytest.raises(FormatError, match=r"h.tsv:2: '.*' is not a score"):
            pe.read_human_scores(tmp_path / "h.tsv", 1)


def test_a_compressed_file_may_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("preorder_eval.base.files.files.EXPANDED", 1 << 20)
    with gzip.open(tmp_path / "s.en.gz", "wb") as file:
        file.write(b"a b\n" * (1 << 19))
    with pytest.raises(FormatError, match="has more than 1,048,576 bytes"):
        read_lines(tmp_path / "s.en.gz")


@pytest.mark.parametrize(
    ("read", "name", "line"),
    [
        (read_lines, "s.en.gz", b"a\n"),
        (lambda path: next(iterate_lines(path)), "s.en.gz", b"a\n"),
        (read_conllu, "s.conllu.gz", b"1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n\n"),
        (pe.read_alignment, "s.align.gz", b"\n"),
        (read_json, "s.json", b"[[],"),
        (read_score_file, "s.json", b'{"a": [0,0,0,0,0,0]}\n'),
    ],
)
def test_lines_and_values_may_not_fill_the_memory_either(tmp_path, monkeypatch, read, name, line):
    monkeypatch.setattr("preorder_eval.base.files.files.LINES", 1000)
    with (gzip.open if name.endswith(".gz") else open)(tmp_path / name, "wb") as file:
        file.write(line * 1001)
    with pytest.raises(FormatError, match=r"has more than 1,000 (lines|values)"):
        read(tmp_path / name)
