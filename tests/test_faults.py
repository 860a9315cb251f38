"""Faults of the machine: one line and exit code 2, and nothing half-written."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # starts the program again and again

PROGRAM = [sys.executable, "-m", "preorder_eval"]
SHOW = ["reference", "show", "en-ja"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def started(*arguments, **options):
    environment = {**os.environ, **options.pop("environment", {})}
    return subprocess.run(
        [*PROGRAM, *arguments],
        env=environment,
        check=False,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("arguments", [SHOW, ["metrics", "--json"]])
def test_a_full_disk_behind_the_output(arguments):
    with Path("/dev/full").open("w") as full:
        done = started(*arguments, stdout=full)
    assert (done.returncode, done.stderr) == (2, "preorder-eval: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
@pytest.mark.parametrize(("mode", "unbuffered"), [("w", "1"), ("a", "")])
def test_a_file_behind_the_output_is_never_cut(mode, unbuffered):
    """Neither where the disk fills up nor where the input ends in a fault.

    What is appended stays: it may stand between the output of other processes.
    """
    import resource

    Path("s.en").write_text("Dogs bark at home .\n" * 3000)
    Path("faulty.en").write_text("Dogs bark at home .\n" * 3000 + "\n")
    rest = "begun before\n" * (mode == "a")
    reorder = ["reorder", "--rules", "reverse", "--source"]
    for arguments, limit in (
        ([*reorder, "s.en"], 5000),
        (["parse", "--source", "faulty.en"], resource.RLIM_INFINITY),
        ([*reorder, "s.en"], resource.RLIM_INFINITY),
    ):
        Path("out").write_text("begun before\n")
        with Path("out").open(mode) as out:
            bounds = (limit, resource.RLIM_INFINITY)
            done = started(
                *arguments,
                stdout=out,
                environment={"PYTHONUNBUFFERED": unbuffered},
                preexec_fn=lambda bounds=bounds: resource.setrlimit(resource.RLIMIT_FSIZE, bounds),
            )
        complete = arguments[0] == "reorder" and limit < 0
        assert done.returncode == (0 if complete else 2), done.stderr
        result = ". home at bark Dogs\n" * 3000 * complete
        left = Path("out").read_text()
        assert left.startswith(rest + result)
        assert left == rest + result or (mode == "a" and not complete)


@pytest.mark.parametrize("arguments", [SHOW, ["--help"]])
def test_a_reader_that_leaves_is_no_error_to_talk_about(arguments):
    """The exit code is that of Unix's own tools, which SIGPIPE ends; 1 would be a gate's."""
    ours, theirs = os.pipe()
    os.close(ours)
    done = started(*arguments, stdout=theirs)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("closed", "arguments", "code", "out"),
    [
        (">&-", "metrics", 2, ""),
        ("<&-", "--version", 0, "preorder-eval"),
        ("2>&-", "rules show nothing", 2, ""),
    ],
)
def test_streams_that_are_closed(closed, arguments, code, out):
    command = f"{sys.executable} -m preorder_eval {arguments} {closed}"
    done = subprocess.run(["sh", "-c", command], check=False, capture_output=True, text=True)
    told = "preorder-eval: standard output is closed\n" if closed == ">&-" else ""
    assert (done.returncode, done.stderr) == (code, told)
    assert done.stdout.startswith(out)
    assert bool(done.stdout) == bool(out)


def test_an_output_that_cannot_hold_the_text():
    done = started(*SHOW, stdout=subprocess.PIPE, environment={"PYTHONIOENCODING": "ascii"})
    [line] = done.stderr.splitlines()
    assert done.returncode == 2
    assert line.startswith("preorder-eval: the output encoding ascii has no \\u")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("place", ["preorder_eval.cli", "click"])
def test_an_interruption_while_it_starts_is_no_traceback(place):
    script = (
        "import os, runpy, signal, sys\n"
        "class Interrupted:\n"
        "    def find_spec(name, *rest):\n"
        f"        if name == {place!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupted)\n"
        "sys.argv = ['preorder-eval', '--version']\n"
        "runpy.run_module('preorder_eval', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_file_of_its_name(number):
    running = subprocess.Popen(
        [*PROGRAM, "parse", "--no-cache", "--out", "trees.conllu"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    running.stdin.write("Dogs bark\n" * 2000)
    running.stdin.flush()
    deadline = time.monotonic() + 60
    while not list(Path().glob(".trees*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert running.returncode != 0
    assert "Traceback" not in said
    assert not Path("trees.conllu").exists()
    Path("s.en").write_text("Dogs bark\n")
    assert started("parse", "--source", "s.en", "--out", "trees.conllu").returncode == 0
    assert sorted(path.name for path in Path().iterdir()) == ["s.en", "trees.conllu"]


@pytest.mark.slow
def test_the_same_bytes_whatever_hashes_threads_and_processes():
    Path("s.en").write_text("Dogs bark .\nThe cat sees a bird .\nShe reads books .\n" * 3)
    made = []
    for seed, threads, jobs in (("0", "1", "1"), ("12345", "2", "2")):
        environment = {
            "PYTHONHASHSEED": seed,
            "OMP_NUM_THREADS": threads,
            "PREORDER_EVAL_CACHE": f"cache{seed}",
        }
        common = ["--jobs", jobs]
        rules = ["--rules", "none", "--rules", "en-ja", "--significance"]
        for arguments in (
            ["evaluate", "--reference", "contrast", *rules, "--out", "run", *common],
            ["parse", "--source", "s.en", "--n", "3", "--out", "lists.conllu", *common],
            ["report", "run", "--out", "page.html"],
        ):
            done = started(*arguments, stdout=subprocess.PIPE, environment=environment)
            assert done.returncode == 0, done.stderr
        files = [p for p in Path().rglob("*") if p.is_file() and not p.parts[0].startswith("cache")]
        made.append({str(path): path.read_bytes() for path in sorted(files)})
        shutil.rmtree("run")
    assert made[0] == made[1]
    assert len(made[0]) > 5
