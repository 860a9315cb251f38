"""Every system call by which a command writes fails or is its last: what then stands on the disk.

strace finds these calls and puts the faults in. Whatever the fault, no output is half-written, an
older one is still there or replaced by the whole new one, and the same command works afterwards and
leaves nothing else behind. One call of each command is faulted; PREORDER_EVAL_ALL_FAULTS=1 takes
all.
"""

import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.trees.conllu import read_conllu, write_conllu

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace (apt install strace)"),
]
WRITING = [
    *("openat", "write", "pwrite64", "writev", "ftruncate", "fsync", "fdatasync"),
    *("rename", "renameat", "renameat2", "mkdir", "mkdirat", "unlink", "unlinkat", "rmdir"),
]
UNFINISHED = r"(^|/)\.|\.part-|\.aligner$"
FILES = {
    "s.en": "Dogs bark .\nThe cat sees a bird .\nShe reads books in Tokyo .\n",
    "s.ja": "犬 は 吠える 。\n猫 は 鳥 を 見る 。\n彼女 は 東京 で 本 を 読む 。\n",
    "s.align": "0-0 1-2 2-3\n1-0 2-4 4-2 5-5\n0-0 1-6 2-4 3-3 4-2 5-7\n",
    "e.en": "Birds sing .\nHe drinks tea at home .\n",
    "e.align": "0-0 1-2 2-3\n0-0 1-5 2-3 3-2 4-1 5-6\n",
    "old": "what stood there before\n",
}
# What a worker of a cluster does with a shard; that it is given to another one, test_scale.py says.
WORKER = """
import sys
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.evaluation.scale.shards import Shard
from preorder_eval.evaluation.scale.work import RemoteParser, Writing, write_trees

try:
    how = Writing(sys.argv[1], parser=RemoteParser.of("en-web"))
    write_trees(how, Shard("s", {"input": ["s.en"]}))
except PreorderEvalError as error:
    print(f"preorder-eval: {error}", file=sys.stderr)
    sys.exit(2)
"""


@dataclass(frozen=True)
class Command:
    """A command that writes; `made` is refused where it exists already, unless it is replaced.

    If it parses, its cache is filled before; one of its `own` is among what is faulted. What
    `grows` is a folder with a file for every step of the work, which goes on where it was.
    """

    arguments: str
    made: str
    replaced: bool = False
    own_cache: bool = False
    grows: bool = False
    program: tuple[str, ...] = ("-m", "preorder_eval")

    @property
    def parses(self):
        return self.program[0] == "-c" or re.search("^parse|^self-train", self.arguments)


OWN = "--source s.en --alignment s.align"
SELF_TRAIN = "--n 2 --steps 2 --resamples 20 --jobs 1"
SELF_TRAIN += " --treebank trees.conllu --dev trees.conllu"
SELF_TRAIN += " --evaluate-source e.en --evaluate-alignment e.align"
# One for each way to write: others share its functions.
COMMANDS = [
    Command(f"self-train {OWN} {SELF_TRAIN} --out {{0}}/work", "work", grows=True),
    Command("{0}", "s.conllu.gz", grows=True, program=("-c", WORKER)),
    Command("align s.en s.ja --force --out {0}/links", "links", replaced=True),
    Command("evaluate --reference en-ja --parser gold --resamples 20 --out {0}/run", "run"),
    Command("parse --source s.en --out {0}/trees.conllu", "trees.conllu", True, own_cache=True),
    Command("parse --source s.en --n 2 --out {0}/lists.conllu.gz", "lists.conllu.gz", True),
    Command(f"reference build {OWN} --target s.ja --out {{0}}/set", "set"),
]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with what the commands read, which faults cannot reach."""
    folder = tmp_path_factory.mktemp("inputs")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    trees = Path(__file__).parents[1] / "reference_data" / "en-ja" / "source.conllu"
    write_conllu(folder / "trees.conllu", read_conllu(trees).take(np.arange(6)))
    return folder


def started(inputs, cache, arguments, before=()):
    environment = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",  # the same calls in every run
        "OMP_NUM_THREADS": "1",
        "PREORDER_EVAL_CACHE": str(cache),
    }
    return subprocess.run(
        [*before, sys.executable, *map(str, arguments)],
        cwd=inputs,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )


def files_in(folder):
    """What the files of a folder hold, by their paths."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if "cache" not in path.relative_to(folder).parts[:1]
    }


def calls_in(log, folder):
    """The system calls that write below a folder, each by its name and number of its kind."""
    counts = dict.fromkeys(WRITING, 0)
    for line in log.read_text(errors="replace").splitlines():
        name = re.match(r"\w*", line)[0]
        if name not in counts:
            continue
        counts[name] += 1
        reads = name == "openat" and not re.search("O_WRONLY|O_RDWR|O_CREAT", line)
        if str(folder) in line and not reads:
            yield name, counts[name]


def fault(kind, name, number):
    """strace's words for it: the call is the last one, has no room or no quota left, or fails."""
    if kind == "killed":
        return f"inject={name}:error=EIO:signal=SIGKILL:when={number}"
    full = ("ENOSPC", "EDQUOT")[number % 2]
    error = full if name in ("openat", "write", "pwrite64", "mkdir") else "EIO"
    return f"inject={name}:error={error}:when={number}"


@pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda own: f"{own.arguments.split()[0]} {own.made}"
)
def test_a_fault_at_every_call_that_writes(inputs, tmp_path, command):
    work = tmp_path / "work"
    cache = (work if command.own_cache else inputs) / "cache"
    arguments = [*command.program, *command.arguments.format(work).split()]
    trace = ["strace", "-y", "-qq", "-o", str(tmp_path / "log")]
    trace += ["-e", "trace=" + ",".join("?" + name for name in WRITING)]

    def begin():
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        if command.replaced:
            shutil.copy(inputs / "old", work / command.made)

    begin()
    before = files_in(work)
    if command.parses:
        assert started(inputs, cache, arguments).returncode == 0
        begin()
    done = started(inputs, cache, arguments, trace)
    assert done.returncode == 0, done.stderr
    whole = files_in(work)
    finished = {p: text for p, text in whole.items() if not re.search(UNFINISHED, p)}
    calls = list(calls_in(tmp_path / "log", work))
    assert calls
    if not os.environ.get("PREORDER_EVAL_ALL_FAULTS"):
        calls = calls[-(-len(calls) // 2) :][:1] or calls  # in the middle of the work
    for kind, call in itertools.product(("killed", "refused"), calls):
        begin()
        broken = started(inputs, cache, arguments, [*trace, "-e", fault(kind, *call)])
        found = files_in(work)
        where = f"{kind} at {call}: {broken.stderr}"
        assert "Traceback" not in broken.stderr, where
        if kind == "killed":
            assert broken.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL), where
        else:
            assert broken.returncode in (0, 2), where
            if broken.returncode == 2:
                assert broken.stderr.splitlines()[-1].startswith("preorder-eval: "), where
                assert not [path for path in found if path.endswith(".tmp")], where
        # A training keeps what it has learned so far, in a folder that begins with a dot, and a
        # round what it has selected so far, in parts. Whose the links are is written before them:
        # links that were there are taken for automatic at worst, not the reverse.
        made = {path: text for path, text in found.items() if not re.search(UNFINISHED, path)}
        if command.grows:
            assert made.items() <= whole.items(), where
        else:
            assert made in (before, finished), where
        again = started(inputs, cache, arguments)
        # Of a training that had finished but for its clearing, the next start does that.
        refused = found == whole and not command.replaced and not command.grows
        assert again.returncode == (2 if refused else 0), f"{where}, then {again.stderr}"
        assert files_in(work) == whole, where
