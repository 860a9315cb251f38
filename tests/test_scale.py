"""Work on shards, by a real cluster of two worker processes: killed, and given bad files."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import preorder_eval as pe
from preorder_eval.formats.alignment_formats import format_alignments
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.formats.writing import write_parts, write_text
from preorder_eval.results.defaults import objective

pytest.importorskip("distributed")

pytestmark = pytest.mark.slow
SHARDS = 4


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
def corpus(tmp_path_factory, bundled_reference):
    """The bundled reference set as one corpus and in shards of unequal size."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "shards").mkdir()
    size = len(bundled_reference)
    cuts = [0, 10, size // 3, size // 2, size]
    parts = {"all": range(size)}
    parts |= {f"shards/{n}": range(*cuts[n : n + 2]) for n in range(SHARDS)}
    for name, sentences in parts.items():
        part = bundled_reference.take(sentences, name)
        write_parts(folder / f"{name}.conllu.gz", [format_conllu(part.trees)])
        write_text(folder / f"{name}.align", format_alignments(part.alignments))
        for ending, words in (("en", part.source), ("ja", part.target)):
            lines = [" ".join(sentence) + "\n" for sentence in words]
            write_parts(folder / f"{name}.{ending}.gz", lines)
        write_parts(folder / f"{name}.out.gz", [line[3:] for line in lines])
        scores = [f"{1 / (n + 1)}\t{n % 7}\n" for n in sentences]
        write_parts(folder / f"{name}.tsv", ["a\tb\n", *scores])
    return folder


def values(printed):
    """What a printed result has, but for files and the names of systems."""
    told = json.loads(printed)
    # The verdict has names.
    for key in ("shards", "made_before", "inputs", "references", "verdict"):
        told.pop(key, None)
    told.get("reference", {}).pop("files", None)
    told.get("reference", {}).pop("name", None)
    for system in told["systems"]:
        for key in ("system", "parser", "rules", "made_by"):
            system.pop(key)
    told["significance"].pop("differences_from")  # another name
    for pair in told["significance"]["pairs"]:
        del pair["row"], pair["column"]
    return told


def trees_of(corpus):
    shards = f"{corpus}/shards/*"
    return ["--input", f"{shards}.conllu.gz", "--alignment", f"{shards}.align"]


RULES = ["--rules", "none", "--rules", "reverse", "--rules", "en-ja"]


@pytest.mark.parametrize("test", ["randomization", "koehn"])
def test_orders_score_as_in_one_process(tmp_path, run, dask, corpus, test):
    options = [*RULES, "--metric", "fuzzy", "--metric", "kendall(average=pooled)"]
    options += ["--metric", "fuzzy(unaligned=drop)", "--test", test, "--significance"]
    options += ["--seed", 3, "--json"]
    whole = ["--trees", corpus / "all.conllu.gz", "--alignment", corpus / "all.align"]
    code, plain, _ = run("evaluate", *whole, *options)
    assert code == 0
    shards = trees_of(corpus)
    code, printed, errors = dask("evaluate", *shards, *options, "--out", tmp_path / "out")
    assert (code, errors) == (0, "")
    assert values(printed) == values(plain)
    told, known = (json.loads(each)["verdict"]["caveats"] for each in (printed, plain))
    assert told[0]["kind"] == "learned_here"  # what has been seen of all shards
    assert [caveat["text"].partition(":")[0] for caveat in told] == [
        caveat["text"].partition(":")[0] for caveat in known
    ]
    # Sentence by sentence, the files of the shards are those of the whole.
    run("evaluate", *whole, *options, "--out", tmp_path / "run")
    wanted = rows((tmp_path / "run" / "scores.tsv").read_text())
    found = [
        row
        for n in range(SHARDS)
        for row in rows((tmp_path / "out" / str(n) / "scores.tsv").read_text())
    ]
    assert sorted(found) == sorted(wanted)
    # The folder of all shards is read as one run.
    both = [pe.read_run(tmp_path / name) for name in ("run", "out")]
    for m in range(3):
        differences = [pair.difference for pair in both[0].pairs[m]]
        assert differences == [pair.difference for pair in both[1].pairs[m]]
    code, printed, errors = run(
        *("compare", tmp_path / "out", tmp_path / "out", "--json", "--system", "trees/none"),
        *("--system", "trees/en-ja"),
    )
    assert (code, errors) == (0, "")
    assert json.loads(printed)["metrics"][0]["better"] > 100
    assert run("report", tmp_path / "out", "--out", tmp_path / "page.html")[0] == 0


def rows(table):
    """What a table says of sentences, but for the names of systems and the numbers."""
    return [line.split("\t")[2:] for line in table.splitlines()[1:]]


def test_groups_of_sentences_are_drawn_as_in_one_process(tmp_path, run, dask):
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
    for side, lines in sides.items():
        (tmp_path / f"all.{side}").write_text("".join(lines))
        (tmp_path / "shards").mkdir(exist_ok=True)
        for number, (first, last) in enumerate([(0, 7), (7, 5_000), (5_000, 9_000)]):
            (tmp_path / f"shards/{number}.{side}").write_text("".join(lines[first:last]))
    options = ["--metric", "fuzzy", "--metric", "kendall", "--resamples", 20, "--json"]
    options.append("--significance")
    printed = []
    for place, source, start in (("all", "--source", run), ("shards/*", "--input", dask)):
        sides = [source, tmp_path / f"{place}.en", "--alignment", tmp_path / f"{place}.align"]
        sides += [f"--orders={name}={tmp_path}/{place}.{name}" for name in ("one", "two")]
        code, out, errors = start("evaluate", *sides, *options, "--out", tmp_path / source)
        assert (code, errors) == (0, "")
        printed.append(values(out))
    assert printed[0] == printed[1]


def test_permutations_score_as_in_one_process(tmp_path, run, dask, corpus):
    for place in ("all", *(f"shards/{n}" for n in range(SHARDS))):
        reorder = ["reorder", "--trees", corpus / f"{place}.conllu.gz", "--output", "order"]
        for name, rules in (("a", "reverse"), ("b", "en-ja")):
            order = run(*reorder, "--rules", rules)[1]
            (corpus / f"{place}.{name}").write_text(order)
    options = ["--significance", "--resamples", 200, "--json"]
    whole = [f"--orders={name}={corpus}/all.{name}" for name in "ab"]
    sides = ["--source", corpus / "all.en.gz", "--alignment", corpus / "all.align"]
    code, plain, _ = run("evaluate", *sides, *whole, *options)
    assert code == 0
    shards = f"{corpus}/shards/*"
    code, printed, errors = dask(
        *("evaluate", "--input", f"{shards}.en.gz", "--alignment", f"{shards}.align"),
        *(f"--orders=x={shards}.a", f"--orders=y={shards}.b", *options, "--out", tmp_path / "out"),
    )
    assert (code, errors) == (0, "")
    assert values(printed) == values(plain)
    assert [system["system"] for system in json.loads(printed)["systems"]] == ["x", "y"]


def test_parses_are_those_of_one_process(tmp_path, run, dask, corpus):
    few = tmp_path / "few"
    few.mkdir()
    for n in range(2):
        for ending in ("en.gz", "align"):
            shutil.copy(corpus / "shards" / f"{n}.{ending}", few)
    code, printed, errors = dask("parse", "--input", f"{few}/*.en.gz", "--n", 4, "--out", few / "n")
    assert (code, errors) == (0, "")
    assert "2 shards, 0 of them made before" in printed
    run("parse", "--source", few / "1.en.gz", "--n", 4, "--no-cache", "--out", few / "1.conllu.gz")
    assert (few / "n" / "1.conllu.gz").read_bytes() == (few / "1.conllu.gz").read_bytes()


def test_a_bad_shard_is_named_and_finished_ones_are_not_made_again(
    tmp_path, dask, corpus, bundled_reference
):
    shards = tmp_path / "shards"
    shutil.copytree(corpus / "shards", shards)
    (shards / "2.align").write_text("0-0\n0-x\n")
    options = [*RULES, *trees_of(tmp_path), "--out", tmp_path / "out", "--metric", "fuzzy"]
    code, printed, errors = dask("evaluate", *options)
    assert (code, printed) == (2, "")
    assert f"shard 2: {shards}/2.align:2: " in errors
    assert errors.count("\n") == 1
    shutil.copy(corpus / "shards" / "2.align", shards)
    code, printed, _ = dask("evaluate", *options, "--json")
    told = json.loads(printed)
    assert (code, len(told["shards"])) == (0, 4)
    (tmp_path / "out" / "1.npz").write_bytes(b"cut short")
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").glob("*.npz")}
    code, printed, _ = dask("evaluate", *options, "--json")
    assert json.loads(printed)["made_before"] == 3
    changed = [file.name for file, time in before.items() if file.stat().st_mtime_ns != time]
    assert changed == ["1.npz"]
    # Other options make all anew. Without metrics they are those of all shards together.
    code, printed, _ = dask("evaluate", *options[:-2], "--json")
    told = json.loads(printed)
    assert told["made_before"] == 0
    assert told["metrics"] == list(map(str, objective(bundled_reference)))


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
    given = ["--input", shards / "*.conllu", "--out", tmp_path / "out", *options, "--alignment"]
    code, printed, errors = dask("evaluate", *given, shards / "*.align")
    assert code == 0, errors
    assert "ClearNLP" in errors
    found, wanted = (json.loads(each)["systems"][0]["scores"] for each in (printed, whole[1]))
    assert found == wanted
    code, printed, errors = dask("evaluate", *given, shards / "*.from1")
    assert (code, printed, errors.count("\n")) == (2, "", 1)
    assert "a.from1: no link of 24 sentences is at position 0" in errors
    assert dask("evaluate", *given, shards / "*.from1", "--base", "1")[0] == 0


def test_a_worker_killed_in_the_middle_loses_nothing(tmp_path, run, dask, corpus, workers):
    out = tmp_path / "out"

    def kill():
        while not list(out.glob("*.json")):
            time.sleep(0.05)
        workers.workers[0].send_signal(signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    options = ["--input", f"{corpus}/shards/*.en.gz", "--n", 8, "--out", out]
    code, printed, _ = dask("parse", *options)
    killer.join()
    workers.workers[0] = workers.worker()
    assert code == 0
    # A shard that the killed worker had finished is found when it is given to another.
    assert "4 shards, " in printed
    run("parse", "--source", corpus / "shards/3.en.gz", "--n", 8, "--out", tmp_path / "3.conllu.gz")
    assert (out / "3.conllu.gz").read_bytes() == (tmp_path / "3.conllu.gz").read_bytes()
    assert {file.name for file in out.iterdir()} == {
        f"{n}.{ending}" for n in range(SHARDS) for ending in ("conllu.gz", "json")
    }


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense"])
def test_where_no_scheduler_answers_that_is_said(tmp_path, run, address):
    (tmp_path / "1.en").write_text("a\n")
    code, _, errors = run(
        *("parse", "--engine", "dask", "--scheduler", address),
        *("--input", tmp_path / "*.en", "--out", tmp_path / "out"),
    )
    assert code == 2
    assert errors.startswith(f"preorder-eval: no Dask scheduler answers at {address}")
    assert errors.count("\n") == 1
