"""Made-up corpora for the benchmarks, the same in every run: texts and trees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

LENGTH = 25  # tokens of a sentence
_WORDS = 20_000
_AT_ONCE = 10_000  # sentences made at a time


def texts(pairs: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """Outputs and references of frequent and rare words; a fifth of the words are changed."""
    parts = list(_texts(pairs, seed))
    outputs = [line for part, _ in parts for line in part]
    return outputs, [line for _, part in parts for line in part]


def _texts(pairs: int, seed: int) -> Iterator[tuple[list[str], list[str]]]:
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, _WORDS + 1)  # Zipf's law
    for start in range(0, pairs, _AT_ONCE):
        shape = (min(_AT_ONCE, pairs - start), LENGTH)
        references = rng.choice(_WORDS, shape, p=shares / shares.sum())
        outputs = np.where(rng.random(shape) < 0.2, references[::-1], references)
        order = np.argsort(np.arange(LENGTH) + rng.normal(0, 2, shape), axis=1)
        yield _lines(np.take_along_axis(outputs, order, axis=1), "w"), _lines(references, "w")


def _lines(rows: np.ndarray, before: str = "") -> list[str]:
    return [" ".join(f"{before}{n}" for n in row) for row in rows.tolist()]


UD = ("nsubj", "obj", "case", "det", "punct", "advmod", "obl")


def write_trees(file: Path, sentences: int) -> None:
    """Trees of random shape over words of some classes, as CoNLL-U."""
    rng = np.random.default_rng(0)
    tags = ("VERB", "NOUN", "ADP", "DET", "PUNCT")
    with file.open("w") as out:
        for sentence in range(sentences):
            heads = [0, *(int(rng.integers(1, i)) for i in range(2, LENGTH + 1))]
            words, tag, label = rng.integers(0, 1000, (3, LENGTH)).tolist()
            out.write(f"# sent_id = {sentence + 1}\n")
            for i, head in enumerate(heads):
                relation = UD[label[i] % len(UD)] if head else "root"
                out.write(
                    f"{i + 1}\tw{words[i]}\tw{words[i]}\t{tags[tag[i] % len(tags)]}\tX\t_\t{head}\t"
                    f"{relation}\t_\t_\n"
                )
            out.write("\n")
