"""Work on shards, by a real cluster of two worker processes: killed, and given bad files."""

from __future__ import annotations

import gzip
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import preorder_eval as pe
from preorder_eval.base.files.writing import write_parts, write_text
from preorder_eval.orders.alignment_formats import format_alignments
from preorder_eval.orders.order_files import format_order
from preorder_eval.trees.conllu import format_conllu

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def distributed():
    """Dask, not imported where none of these tests runs."""
    pytest.importorskip("distributed")


class Workers:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder):
        self.file = folder / "scheduler.json"
        self.started = []
        self.log = (folder / "log").open("ab")
        self.start("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", self.file)
        while not self.file.exists():
            time.sleep(0.1)
        self.address = json.loads(self.file.read_text())["address"]
        self.workers = [self.worker() for _ in range(2)]

    def start(self, module, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.{module}", *map(str, arguments)]
        self.started.append(subprocess.Popen(command, stdout=self.log, stderr=self.log))
        return self.started[-1]

    def worker(self):
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        return self.start("dask_worker", self.address, *options)

    def stop(self):
        for process in self.started:
            process.kill()
            process.wait()
        self.log.close()


@pytest.fixture(scope="module")
def workers(tmp_path_factory):
    running = Workers(tmp_path_factory.mktemp("cluster"))
    yield running
    running.stop()


@pytest.fixture
def dask(run, workers):
    """Runs a command on the cluster."""

    def dask(command, *arguments):
        return run(command, "--engine", "dask", "--scheduler", workers.address, *arguments)

    return dask


@pytest.fixture(scope="module")
def corpora(tmp_path_factory, bundled_reference):
    """The bundled reference set in one file, and in shards of two kinds, called by one name."""
    folder = tmp_path_factory.mktemp("corpora")
    size = 60
    cuts = {"few": [0, size // 2, size], "many": [0, 3, 10, 20, size - 1, size]}
    parts = {"corpus": range(size)}
    for place, ends in cuts.items():
        (folder / place / "corpus").mkdir(parents=True)
        parts |= {f"{place}/corpus/{n}": range(*ends[n : n + 2]) for n in range(len(ends) - 1)}
    for name, sentences in parts.items():
        part = bundled_reference.take(sentences, name)
        trees = format_conllu(part.trees)
        write_parts(folder / f"{name}.conllu", [trees])
        write_text(folder / f"{name}.align", format_alignments(part.alignments))
        turned = [list(reversed(range(len(words)))) for words in part.source]
        write_text(folder / f"{name}.order", "".join(format_order(o) + "\n" for o in turned))
        for ending, words in (("en", part.source), ("ja", part.target)):
            lines = [" ".join(sentence) + "\n" for sentence in words]
            write_parts(folder / f"{name}.{ending}", lines)
    return folder


TREES, TEXT = ("--trees", "conllu"), ("--source", "en")
RULES = ["--rules", "none", "--rules", "reverse", "--rules", "en-ja"]
BY = [*RULES, "--metric", "fuzzy(references=best)", "--metric", "kendall(average=pooled)"]


@pytest.mark.parametrize(
    ("given", "places", "options"),
    [
        (TREES, [".", "few", "many"], [*BY, "--test", "koehn", "--significance", "--target", "ja"]),
        (TREES, [".", "many"], ["--alignment", "align", "--against", "none", "--gate", "FRS:-0.5"]),
        (TEXT, [".", "many"], ["--parser", "en-web", "--orders", "order", "--rules", "en-ja"]),
        (TEXT, [".", "few"], ["--parser", "x=en-web(consensus=2)", "--parser", "en-web"]),
    ],
)
def test_a_cluster_has_the_result_of_one_machine(
    tmp_path, run, workers, corpora, monkeypatch, given, places, options
):
    """What is printed and the run folder have the same bytes, whatever the shards.

    So has the report, which is made of that folder alone: those of one folder are compared.
    """
    option, ending = given
    made = {}
    for place in places:
        monkeypatch.chdir(corpora / place)
        name = "corpus" if place == "." else "corpus/*"
        command = ["evaluate", option, f"{name}.{ending}"]
        if place != ".":
            command = ["evaluate", "--engine", "dask", "--scheduler", workers.address]
            command += ["--input", f"{name}.{ending}"]
        files = ("order", "align", "ja")
        command += ["--alignment", f"{name}.align", "--resamples", 50, "--out", tmp_path / place]
        command += [f"{name}.{each}" if each in files else each for each in options]
        code, printed, errors = run(*command)
        assert code == 0, errors
        run_folder = files_in(tmp_path / place)
        recorded = json.loads(run_folder.pop("run.json"))
        del recorded["arguments"]
        # Hashes are those of the whole files; their names have a star.
        text = json.dumps(recorded).replace('"*.', '"corpus.')
        made[place] = printed, errors.replace("*.", "corpus."), text, run_folder
    assert all(made[place] == made["."] for place in places)
    if RULES[0] in options:
        pages = [
            page_of(tmp_path / place, text, tmp_path / f"page of {place}", run, monkeypatch)
            for place in places
        ]
        assert all(page == pages[0] for page in pages)


def page_of(run_folder, summary, folder, run, monkeypatch):
    """The report of a run with another summary, under a name that is always the same."""
    shutil.copytree(run_folder, folder / "run")
    (folder / "run/run.json").write_text(summary, encoding="utf-8")
    monkeypatch.chdir(folder)
    code, _, errors = run("report", "run", "--out", "page.html")
    assert code == 0, errors
    return (folder / "page.html").read_bytes()


def files_in(folder):
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text() for path in paths}


def test_groups_of_sentences_are_drawn_as_on_one_machine(tmp_path, run, dask, monkeypatch):
    random = np.random.default_rng(0)
    permutations = random.permuted(np.tile(np.arange(3), (9_000, 3, 1)), axis=2).tolist()
    sides = {
        "en": ["a b c\n"] * 9_000,
        "align": [
            " ".join(f"{i}-{j}" for i, j in enumerate(link)) + "\n" for link, _, _ in permutations
        ],
        **{
            name: [" ".join(map(str, orders[which])) + "\n" for orders in permutations]
            for which, name in ((1, "one"), (2, "two"))
        },
    }
    sides["align"][5_000] = "\n"  # a sentence that is left out, in the last shard
    monkeypatch.chdir(tmp_path)
    Path("all").mkdir()
    for side, lines in sides.items():
        Path(f"all.{side}").write_text("".join(lines))
        for number, (first, last) in enumerate([(0, 7), (7, 5_000), (5_000, 9_000)]):
            Path(f"all/{number}.{side}").write_text("".join(lines[first:last]))
    options = ["--metric", "fuzzy", "--metric", "kendall", "--resamples", 20, "--significance"]
    printed = []
    for place, source, start in (("all", "--source", run), ("all/*", "--input", dask)):
        given = [source, f"{place}.en", "--alignment", f"{place}.align"]
        given += [f"--orders={name}={place}.{name}" for name in ("one", "two")]
        code, out, errors = start("evaluate", *given, *options)
        assert (code, errors) == (0, "")
        printed.append(out)
    assert printed[0] == printed[1]


PARSED = ["parse", "--n", "4"]
REORDERED = ["reorder", "--rules", "en-ja"]


@pytest.mark.parametrize(
    ("command", "given", "made"),
    [
        (PARSED, TEXT, "conllu.gz"),
        (["parse", "--parser", "en-web(truecase=never)"], TEXT, "conllu.gz"),
        (REORDERED, TEXT, "txt.gz"),
        ([*REORDERED, "--output", "order"], TREES, "order.gz"),
        ([*REORDERED, "--output", "conllu"], TREES, "conllu.gz"),
    ],
)
def test_files_of_shards_are_those_of_one_machine(
    tmp_path, run, dask, corpora, monkeypatch, command, given, made
):
    option, ending = given
    monkeypatch.chdir(corpora / "many")
    out = tmp_path / "out"
    name, *options = command
    sharded = [name, "--input", f"corpus/*.{ending}", "--out", out, *options]
    code, printed, errors = dask(*sharded)
    assert (code, printed, errors) == (0, "5 shards written, 0 kept\n", "")
    assert sorted(path.name for path in out.iterdir()) == [f"{n}.{made}" for n in range(5)]
    for n in range(5):
        alone = run(name, option, f"corpus/{n}.{ending}", *options)[1]
        assert gzip.decompress((out / f"{n}.{made}").read_bytes()).decode() == alone
    # What is there is kept, whatever it is, and nothing else is touched.
    (out / f"2.{made}").write_text("mine")
    (out / f"3.{made}").unlink()
    (out / "thesis.txt").write_text("precious")
    before = files_in_bytes(out)
    code, printed, errors = dask(*sharded)
    assert (code, printed) == (0, "1 shard written, 4 kept\n")
    assert (
        errors
        == f"preorder-eval: note: {out}: existing files are kept: "
        + ", ".join(f"{n}.{made}" for n in (0, 1, 2, 4))
        + "\n"
    )
    after = files_in_bytes(out)
    assert after.keys() - before.keys() == {f"3.{made}"}
    assert before.items() <= after.items()


def files_in_bytes(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_bad_shard_is_named(tmp_path, dask, corpora):
    shutil.copytree(corpora / "few" / "corpus", tmp_path / "corpus")
    (tmp_path / "corpus" / "1.align").write_text("0-0\n0-x\n")
    code, printed, errors = dask(
        *("evaluate", "--input", tmp_path / "corpus/*.conllu", "--out", tmp_path / "out"),
        *("--alignment", tmp_path / "corpus/*.align"),
    )
    assert (code, printed, errors.count("\n")) == (2, "", 1)
    assert f"shard 1: {tmp_path}/corpus/1.align:2: " in errors
    assert not (tmp_path / "out").exists()


def test_labels_and_positions_are_read_as_those_of_one_input(tmp_path, run, dask):
    """A part alone would be read as trees of UD, and as links from 0."""
    row = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n".format
    told = row(1, "Go", "VERB", 0, "ROOT") + row(2, "to", "ADP", 1, "prep")
    told += row(3, "her", "PRON", 2, "pobj") + "\n"
    alike = row(1, "She", "PRON", 2, "nsubj") + row(2, "is", "AUX", 0, "ROOT")
    alike += row(3, "here", "ADV", 2, "advmod") + "\n"
    parts = {"a": told * 12, "b": alike * 12}
    for name, trees in {**parts, "all": parts["a"] + parts["b"]}.items():
        folder = tmp_path / "shards" if name in parts else tmp_path
        folder.mkdir(exist_ok=True)
        size = trees.count("\n\n")
        write_text(folder / f"{name}.conllu", trees)
        write_text(folder / f"{name}.align", "0-0 1-2 2-1\n" * size)
        write_text(folder / f"{name}.from1", "1-2 2-1\n" * size)
    shards = tmp_path / "shards"
    options = ["--rules", "en-ja", "--metric", "fuzzy", "--json"]
    whole = run("evaluate", "--trees", tmp_path / "all.conllu", *options, "--alignment",
                tmp_path / "all.align")  # fmt: skip
    given = ["--input", shards / "*.conllu", *options, "--alignment"]
    code, printed, errors = dask("evaluate", *given, shards / "*.align")
    assert code == 0, errors
    assert "ClearNLP" in errors
    found, wanted = (json.loads(each)["systems"][0]["scores"] for each in (printed, whole[1]))
    assert found == wanted
    code, printed, errors = dask("evaluate", *given, shards / "*.from1")
    assert (code, printed, errors.count("\n")) == (2, "", 1)
    assert "a.from1: no link in 24 sentences has position 0" in errors
    assert dask("evaluate", *given, shards / "*.from1", "--base", "1")[0] == 0


@pytest.mark.parametrize("command", ["parse", "reorder", "evaluate"])
def test_a_worker_killed_in_the_middle_loses_nothing(
    tmp_path, run, dask, corpora, workers, command, monkeypatch
):
    """It is killed while it parses; another one is given its shard."""
    monkeypatch.chdir(corpora / "few")
    busy = threading.Event()

    psutil = pytest.importorskip("psutil")  # which Dask needs

    def kill():
        process = psutil.Process(workers.workers[0].pid)
        begun = process.cpu_times().user
        while process.cpu_times().user < begun + 1.5 and not busy.is_set():
            time.sleep(0.05)
        workers.workers[0].send_signal(signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    options = ["--input", "corpus/*.en", "--n", 64]
    if command != "parse":
        options = ["--input", "corpus/*.en", "--parser", "en-web(consensus=64)", "--rules", "en-ja"]
    if command == "evaluate":
        options += ["--alignment", "corpus/*.align"]
    code, _, errors = dask(command, *options, "--out", tmp_path / "out")
    busy.set()
    killer.join()
    workers.workers[0].wait()
    workers.workers[0] = workers.worker()
    assert code == 0, errors
    left = sorted(path.name for path in (tmp_path / "out").iterdir())
    if command == "evaluate":
        assert pe.read_run(tmp_path / "out").systems == ["en-web(consensus=64)/en-ja"]
        return
    made = "conllu.gz" if command == "parse" else "txt.gz"
    assert [name for name in left if not name.startswith(".")] == [f"0.{made}", f"1.{made}"]
    for name in ("0", "1"):
        alone = run(command, "--source", f"corpus/{name}.en", *options[2:], "--no-cache")[1]
        assert gzip.decompress((tmp_path / f"out/{name}.{made}").read_bytes()) == alone.encode()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense"])
def test_where_no_scheduler_answers_that_is_said(tmp_path, run, address):
    (tmp_path / "1.en").write_text("a\n")
    code, _, errors = run(
        *("parse", "--engine", "dask", "--scheduler", address),
        *("--input", tmp_path / "*.en", "--out", tmp_path / "out"),
    )
    assert code == 2
    assert errors.startswith(f"preorder-eval: no Dask scheduler responds at {address}")
    assert errors.count("\n") == 1
