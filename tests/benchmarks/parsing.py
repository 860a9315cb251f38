"""How fast the bundled parser is beside thinc's own products: `python -m tests.benchmarks.parsing`.

Both parse the same sentences in turns in one process; the best of their times count, of the
processor alone. A head that differs would be counted, too.
"""

from __future__ import annotations

import time

import numpy as np
from thinc.api import NumpyOps

from preorder_eval.base.resources import bundled
from preorder_eval.parsers.load_parser import find_parser, load_parser
from preorder_eval.trees.conllu import read_conllu

SENTENCES, TURNS = 256, 5


def main() -> None:
    """Print words a second of both, their ratio and how many heads differ."""
    sentences = read_conllu(bundled("reference_data") / "en-ja-web" / "source.conllu").sentences
    sentences = sentences[:SENTENCES]
    ours = load_parser("en-web")
    plain = find_parser(ours.loaded_anew())
    for _, component in plain.nlp.components:
        for node in component.model.walk():
            node.ops = NumpyOps()
    best = {"ours": float("inf"), "thinc": float("inf")}
    for _ in range(TURNS):
        trees = []
        for name, parser in (("ours", ours), ("thinc", plain)):
            start = time.process_time()
            trees.append(parser.parse(sentences))
            best[name] = min(best[name], time.process_time() - start)
    words = sum(map(len, sentences))
    differ = int(np.count_nonzero(trees[0].heads != trees[1].heads))
    rates = {name: words / seconds for name, seconds in best.items()}
    print("".join(f"{name:>10}/s {rate:8,.0f}" for name, rate in rates.items()))
    print(f"ratio {rates['ours'] / rates['thinc']:.2f}, {differ} of {words:,} heads differ")


if __name__ == "__main__":
    main()
