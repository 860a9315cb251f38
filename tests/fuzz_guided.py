"""The readers of `tests.fuzz` under atheris, which keeps damaged inputs that reach new code.

It needs atheris (`pip install atheris`; Linux). A reader has processes of its own, for libFuzzer
ends the process that it runs in, and atheris keeps a little memory of every execution:

    python -m tests.fuzz_guided --executions 1000000
    python -m tests.fuzz_guided --executions 100000 conllu rules

A finding is printed with its traceback, and its input is written to a folder (`--findings DIR`). It
belongs into the table of `tests/test_found_inputs.py`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzz import Reader

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


def fuzz(name: str, reader: Reader, executions: int, findings: Path) -> str:
    """Fuzz a reader in one process after another; what the last one said, if it found anything."""
    with tempfile.TemporaryDirectory() as corpus:
        for number, good in enumerate(reader.good):
            (Path(corpus) / str(number)).write_bytes(good)
        for first in range(0, executions, _AT_ONCE):
            number = min(_AT_ONCE, executions - first)
            options = ["--executions", str(number), "--findings", str(findings), "--one", corpus]
            command = [sys.executable, "-m", "tests.fuzz_guided", *options, name]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            said = re.sub("(INFO|WARNING): .*\n", "", done.stdout + done.stderr)
            # And not by the exit code: libFuzzer's alarm may ring when all is done.
            if f"Done {number} in" not in said:
                return f"ended with {done.returncode}\n{said}"
    return ""


def main() -> None:
    """Fuzz the readers whose names begin with one of those given, or all, one after the other."""
    parser = argparse.ArgumentParser(description="Fuzz the readers, guided by coverage.")
    parser.add_argument("--executions", type=int, default=100_000, help="of each reader")
    parser.add_argument("--findings", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--one", metavar="CORPUS", help="in this process, from these inputs")
    parser.add_argument("readers", nargs="*", help="what their names begin with")
    chosen = parser.parse_args()
    if chosen.one:
        fuzz_one(chosen.readers[0], chosen.executions, chosen.one, chosen.findings)
    from tests.fuzz import readers

    found = 0
    for name, reader in readers().items():
        if chosen.readers and not name.startswith(tuple(chosen.readers)):
            continue
        start = time.monotonic()
        finding = fuzz(name, reader, chosen.executions, chosen.findings)
        found += bool(finding)
        outcome = finding or "no finding"
        seconds = time.monotonic() - start
        print(f"{name}: {chosen.executions:,} executions, {seconds:,.0f} s, {outcome}", flush=True)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
