"""How fast we are beside peers of the registry: `python -m tests.benchmarks.ratios`.

One table, every row on the same data and in the same run: what is computed, by how many items a
second by us and by the peer, how many times as fast that is, the memory both take at most, and the
value that both find. Every cell is a process of its own, timed by the processor's time of the work
alone, from texts in memory; memory is that of the whole process. The peer of a scanner of links is
our own reader that goes line by line. Peers that are not installed are left out:
`pip install rouge-score jiwer nltk conllu`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import corpora

Work = Callable[[Any], float]  # from the data to a value


@dataclass(frozen=True)
class Row:
    """A comparison; `items` is how much of the data both take, `unit` what is counted."""

    name: str
    peer: str
    ours: Work
    theirs: Work
    items: int = 20_000
    data: Callable[[int], Any] = corpora.texts
    unit: str = "pairs"


def score(signature: str) -> Work:
    """Our value from texts: words are interned each time."""

    def work(texts: Any) -> float:
        from preorder_eval.metrics import metric
        from preorder_eval.metrics.segments import Segments

        return float(metric(signature).score(Segments.of(*texts)).corpus)

    return work


def sacrebleu_score(name: str, **options: Any) -> Work:
    def work(texts: Any) -> float:
        import sacrebleu

        outputs, references = texts
        return float(getattr(sacrebleu, f"corpus_{name}")(outputs, [references], **options).score)

    return work


def rouge(name: str) -> Work:
    def work(texts: Any) -> float:
        from rouge_score.rouge_scorer import RougeScorer

        class Spaces:
            def tokenize(self, text: str) -> list[str]:
                return text.split(" ")

        scorer = RougeScorer([name], tokenizer=Spaces())
        scores = [scorer.score(ref, out)[name].fmeasure for out, ref in zip(*texts, strict=True)]
        return float(np.mean(scores))

    return work


def jiwer_wer(texts: Any) -> float:
    import jiwer

    outputs, references = texts
    return float(jiwer.wer(references, outputs))


def nltk_nist(texts: Any) -> float:
    from nltk.translate.nist_score import corpus_nist

    outputs, references = ([text.split() for text in side] for side in texts)
    return float(corpus_nist([[reference] for reference in references], outputs))


def nltk_ribes(texts: Any) -> float:
    from nltk.translate.ribes_score import corpus_ribes

    outputs, references = ([text.split() for text in side] for side in texts)
    return float(corpus_ribes([[reference] for reference in references], outputs))


def orders(sentences: int) -> list[list[int]]:
    """Random orders of near neighbours, to be held against the order of the source."""
    rng = np.random.default_rng(0)
    shape = (sentences, corpora.LENGTH)
    moved: list[list[int]] = np.argsort(
        np.arange(corpora.LENGTH) + rng.normal(0, 3, shape), axis=1
    ).tolist()
    return moved


def our_kendall(rows: Any) -> float:
    from preorder_eval.metrics import metric
    from preorder_eval.orders.orders import Orders, ReferenceOrders

    made = Orders.of(rows)
    ranks = np.tile(np.arange(corpora.LENGTH, dtype=np.int32), len(rows))
    references = ReferenceOrders(made.offsets, ranks, np.ones(len(ranks), dtype=bool))
    return float(metric("kendall").score(made, references).corpus)


def scipy_kendall(rows: Any) -> float:
    from scipy.stats import kendalltau

    places = list(range(corpora.LENGTH))
    return float(np.mean([(kendalltau(row, places).statistic + 1) / 2 for row in rows]))


def treebank(sentences: int) -> str:
    """CoNLL-U text."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        corpora.write_trees(Path(folder) / "x", sentences)
        return (Path(folder) / "x").read_text()


def our_conllu(text: Any) -> float:
    from preorder_eval.trees.conllu import parse_conllu

    return float(np.mean(parse_conllu(text).heads + 1))


def their_conllu(text: Any) -> float:
    import conllu

    heads = [token["head"] for sentence in conllu.parse(text) for token in sentence]
    return float(np.mean(heads))


def link_lines(sentences: int) -> list[str]:
    """Links of sentences of `corpora.LENGTH` words on both sides, in Pharaoh's format."""
    return [" ".join(f"{i}-{j}" for j, i in enumerate(order)) for order in orders(sentences)]


def lader_lines(sentences: int) -> list[str]:
    """The same links as lader reads them."""
    lengths = f"{corpora.LENGTH}-{corpora.LENGTH} ||| "
    return [lengths + line for line in link_lines(sentences)]


def links_of(read: Callable[[bytes], Any]) -> Work:
    """The mean source position of the links of a file."""

    def work(lines: Any) -> float:
        return float(np.mean(read("".join(f"{line}\n" for line in lines).encode()).columns[1]))

    return work


def scanned_links(form: str) -> Work:
    from preorder_eval.orders.alignment_files import FORMATS

    return links_of(FORMATS[form].scan)


def parsed_links(form: str) -> Work:
    """By the reader that goes through a file line by line."""
    from preorder_eval.orders.alignment_files import FORMATS

    return links_of(lambda data: FORMATS[form].parse(data.decode().splitlines(), "links"))


ROWS = [
    Row("BLEU", "sacrebleu", score("bleu"), sacrebleu_score("bleu", tokenize="none")),
    Row("chrF", "sacrebleu", score("chrf"), sacrebleu_score("chrf")),
    Row("TER", "sacrebleu", score("ter"), sacrebleu_score("ter"), 1000),
    Row("NIST", "nltk", score("nist"), nltk_nist),
    Row("RIBES", "nltk", score("ribes"), nltk_ribes, 5000),
    Row("WER", "jiwer", score("wer"), jiwer_wer),
    Row("ROUGE-1", "rouge_score", score("rouge_n(n=1)"), rouge("rouge1")),
    Row("ROUGE-2", "rouge_score", score("rouge_n(n=2)"), rouge("rouge2")),
    Row("ROUGE-L", "rouge_score", score("rouge_l"), rouge("rougeL"), 5000),
    Row("Kendall's τ", "scipy", our_kendall, scipy_kendall, 20_000, orders, "orders"),
    Row(
        "links: Pharaoh",
        "preorder_eval",
        scanned_links("pharaoh"),
        parsed_links("pharaoh"),
        20_000,
        link_lines,
        "sentences",
    ),
    Row(
        "links: lader",
        "preorder_eval",
        scanned_links("lader"),
        parsed_links("lader"),
        20_000,
        lader_lines,
        "sentences",
    ),
    Row("reading CoNLL-U", "conllu", our_conllu, their_conllu, 5000, treebank, "sentences"),
]


def measure(row: Row, side: str) -> dict[str, float]:
    """The seconds of processor time that one side takes, its value, and the process's memory."""
    data = row.data(row.items)
    work = row.ours if side == "ours" else row.theirs
    times = []
    for _ in range(3 if side == "ours" else 1):  # the peers take long enough to time at once
        start = time.process_time()
        value = work(data)
        times.append(time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": min(times), "value": value, "peak": peak}


def measured(row: Row, side: str) -> dict[str, float]:
    """`measure` in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.ratios", "--row", row.name, "--side", side]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Print the table, or measure one cell of it."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--row", choices=[row.name for row in ROWS], action="append")
    arguments.add_argument("--side", choices=["ours", "theirs"])
    chosen = arguments.parse_args()
    rows = [row for row in ROWS if not chosen.row or row.name in chosen.row]
    if chosen.side:
        print(json.dumps(measure(rows[0], chosen.side)))
        return
    header = ["what", "peer", "ours/s", "peer/s", "ratio", "MiB", "peer MiB", "value", "peer value"]
    print("".join(f"{name:>16}" for name in header))
    for row in rows:
        if importlib.util.find_spec(row.peer) is None:
            print(f"{row.name:>16}{row.peer:>16}  not installed")
            continue
        ours, theirs = measured(row, "ours"), measured(row, "theirs")
        rates = [row.items / side["seconds"] for side in (ours, theirs)]
        cells = [row.name, row.peer, *(f"{rate:,.0f}" for rate in rates)]
        cells += [f"{rates[0] / rates[1]:.1f}", *(f"{side['peak']:.0f}" for side in (ours, theirs))]
        cells += [f"{side['value']:.5g}" for side in (ours, theirs)]
        print("".join(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
