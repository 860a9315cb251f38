"""How time and memory grow with the corpus: `python -m tests.benchmarks.growth`.

Whole commands, from files, on 10,000, 100,000 and 1,000,000 sentences of 25 words: the processor's
time, the time of a sentence, the time that passes, and the memory that the process takes at most.
`--most` says how far to go. With `--beside FOLDER`, a checkout of another version, every command is
run by both in turn, and how many times as fast this one is stands behind, by both times. At the end
metrics of one order of so many positions.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from . import corpora

_ORDERS = "evaluate --orders system.order --source source.txt --alignment"
COMMANDS: dict[str, tuple[Callable[[Path, int], None], str]] = {
    "evaluate --orders": (corpora.write_orders, f"{_ORDERS} links.align --jobs 1"),
    "by two processes": (corpora.write_orders, f"{_ORDERS} links.align --jobs 2"),
    "lader's links": (corpora.write_orders, f"{_ORDERS} links.lader --jobs 1"),
    "lader's, by two": (corpora.write_orders, f"{_ORDERS} links.lader --jobs 2"),
    "evaluate --trees": (
        corpora.write_parsed,
        "evaluate --trees trees.conllu --rules en-ja --source trees.conllu --alignment links.align",
    ),
    "score": (
        corpora.write_texts,
        "score --hyp hyp.txt --ref ref.txt --metric bleu --metric wer --metric ribes",
    ),
    "score by all": (corpora.write_texts, "score --hyp hyp.txt --ref ref.txt"),
    "reorder --trees": (
        lambda folder, size: corpora.write_trees(folder / "trees.conllu", size),
        "reorder --trees trees.conllu --rules en-ja --output order",
    ),
    "reorder, converted": (
        lambda folder, size: corpora.write_trees(folder / "trees.conllu", size, corpora.CLEARNLP),
        "reorder --trees trees.conllu --rules en-ja --output order",
    ),
}


def run(command: list[str], folder: Path, tree: Path) -> tuple[float, float, float]:
    """The processor's time of a command in seconds, the time that passes, and its most memory."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "preorder_eval", *command],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(tree.absolute())},
    )
    _, status, usage = os.wait4(process.pid, 0)
    passed = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, passed, usage.ru_maxrss / 1024


def one_order(size: int) -> dict[str, float]:
    """The seconds that τ and FRS of one order of so many positions take."""
    from preorder_eval.data.orders import Orders, ReferenceOrders
    from preorder_eval.metrics import metric

    offsets = np.array([0, size])
    places = np.random.default_rng(0).permutation(size).astype(np.int32)
    orders = Orders(offsets, places)
    references = ReferenceOrders(offsets, places[::-1].copy(), np.ones(size, dtype=bool))
    seconds = {}
    for name in ("kendall", "fuzzy"):
        start = time.process_time()
        metric(name).score(orders, references)
        seconds[name] = time.process_time() - start
    return seconds


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--most", type=int, default=1_000_000)
    arguments.add_argument("--command", choices=list(COMMANDS), action="append")
    arguments.add_argument("--beside", type=Path)
    chosen = arguments.parse_args()
    trees = [Path(__file__).parents[2], *([chosen.beside] if chosen.beside else [])]
    names = ["what", "sentences", "seconds", "µs each", "passed", "MiB", "times", "times passed"]
    print("".join(f"{name:>18}" for name in (names if chosen.beside else names[:-2])))
    for name, (write, command) in COMMANDS.items():
        if chosen.command and name not in chosen.command:
            continue
        size = 10_000
        while size <= chosen.most:
            with tempfile.TemporaryDirectory() as folder:
                write(Path(folder), size)
                # Twice, as other programs may be running.
                taken = [[run(command.split(), Path(folder), t) for t in trees] for _ in range(2)]
            seconds, passed, peak = map(min, zip(*(both[0] for both in taken), strict=True))
            cells = [name, f"{size:,}", f"{seconds:.2f}", f"{1e6 * seconds / size:.1f}"]
            cells += [f"{passed:.2f}", f"{peak:.0f}"]
            for time_of, ours in enumerate((seconds, passed) if chosen.beside else ()):
                cells.append(f"{min(both[1][time_of] for both in taken) / ours:.2f}")
            print("".join(f"{cell:>18}" for cell in cells), flush=True)
            size *= 10
    print("".join(f"{name:>20}" for name in ("one order of", "kendall s", "fuzzy s")))
    for size in (10_000, 100_000, 1_000_000):
        if size <= chosen.most:
            times = one_order(size)
            cells = [f"{size:,}", *(f"{seconds:.2f}" for seconds in times.values())]
            print("".join(f"{cell:>20}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
