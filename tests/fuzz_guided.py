"""The readers of `tests.fuzz` under atheris, which keeps damaged inputs that reach new code.

`python -m tests.fuzz --guided` runs it. It needs atheris (`pip install atheris`; Linux). A reader
has processes of its own, for libFuzzer ends the process that it runs in, and atheris keeps a little
memory of every execution. The input of a finding is written to a folder (`--findings DIR`). It
belongs into the table of `tests/test_found_inputs.py`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

_AT_ONCE = 50_000  # executions of a process
_LONGEST = 100_000  # bytes
_MEGABYTES = 3000  # of the process: also the libraries, and all inputs that were kept


def fuzz_one(name: str, executions: int, corpus: str, findings: Path) -> None:
    """Fuzz a reader in this process, and end it; `corpus` is a folder of inputs that grows."""
    import atheris

    with atheris.instrument_imports(include=["preorder_eval"]):
        from tests.fuzz import check, readers

        reader = readers()[name]
        for good in reader.good:  # what readers import when they are first used
            reader.read(good)
    options = {
        "atheris_runs": executions,
        "max_len": _LONGEST,
        "rss_limit_mb": _MEGABYTES,
        "timeout": 20,
        "verbosity": 0,
        "artifact_prefix": f"{findings}/{re.sub('[^a-z0-9]+', '-', name)}-",
    }
    arguments = [sys.argv[0], *(f"-{key}={value}" for key, value in options.items()), corpus]
    atheris.Setup(arguments, lambda data: check(reader, data))
    atheris.Fuzz()


def fuzz(name: str, good: tuple[bytes, ...], executions: int, findings: Path) -> int:
    """Fuzz a reader in one process after another. Raises AssertionError for a finding."""
    with tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(good):
            (Path(corpus) / str(number)).write_bytes(data)
        for first in range(0, executions, _AT_ONCE):
            number = min(_AT_ONCE, executions - first)
            command = [sys.executable, "-m", "tests.fuzz_guided", name, str(number), corpus]
            done = subprocess.run([*command, findings], capture_output=True, text=True)
            said = re.sub("(INFO|WARNING): .*\n", "", done.stdout + done.stderr)
            # And not by the exit code: libFuzzer's alarm may ring when all is done.
            assert f"Done {number} in" in said, f"ended with {done.returncode}\n{said}"
    return executions


if __name__ == "__main__":
    fuzz_one(sys.argv[1], int(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
