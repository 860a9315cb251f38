"""How time and memory grow with the corpus: `python -m tests.benchmarks.growth`.

Whole commands, from files, on 10,000, 100,000 and 1,000,000 sentences of 25 words: the processor's
time, the time of a sentence, and the memory that the process takes at most. `--most` says how far
to go. At the end metrics of one order of so many positions.
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

COMMANDS: dict[str, tuple[Callable[[Path, int], None], str]] = {
    "evaluate --orders": (
        corpora.write_orders,
        "evaluate --orders system.order --source source.txt --alignment links.align",
    ),
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


def run(command: list[str], folder: Path) -> tuple[float, float]:
    """The processor's time of a command in seconds, and its most memory in MiB."""
    process = subprocess.Popen(
        [sys.executable, "-m", "preorder_eval", *command], cwd=folder, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


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
    chosen = arguments.parse_args()
    print("".join(f"{name:>20}" for name in ("what", "sentences", "seconds", "µs each", "MiB")))
    for name, (write, command) in COMMANDS.items():
        if chosen.command and name not in chosen.command:
            continue
        size = 10_000
        while size <= chosen.most:
            with tempfile.TemporaryDirectory() as folder:
                write(Path(folder), size)
                seconds, peak = run(command.split(), Path(folder))
            cells = [name, f"{size:,}", f"{seconds:.2f}", f"{1e6 * seconds / size:.1f}"]
            print("".join(f"{cell:>20}" for cell in [*cells, f"{peak:.0f}"]), flush=True)
            size *= 10
    print("".join(f"{name:>20}" for name in ("one order of", "kendall s", "fuzzy s")))
    for size in (10_000, 100_000, 1_000_000):
        if size <= chosen.most:
            times = one_order(size)
            cells = [f"{size:,}", *(f"{seconds:.2f}" for seconds in times.values())]
            print("".join(f"{cell:>20}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
