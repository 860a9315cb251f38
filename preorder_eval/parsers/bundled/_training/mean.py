"""Make a parser of the mean of other parsers' weights.

    python mean.py ONE ANOTHER --out MEAN

The parsers come from trainings that start from the same weights and differ in their seeds or some
of their data. Errors that chance taught only one of them weigh less in the mean (Wortsman et al.
2022, *Model soups*, ICML). Everything but the weights is that of the first one; the hashes of the
sentences learned from are those of all.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
from spacy.language import Language
from spacy.pipeline import TrainablePipe

from preorder_eval.parsers.load_parser import load_pipeline


def mean(pipelines: list[Language], out: Path) -> None:
    """Write the mean of pipelines' weights over those of a folder."""
    for name, part in pipelines[0].components:
        if not isinstance(part, TrainablePipe):
            continue
        models = [nlp.get_pipe(name).model for nlp in pipelines]  # type: ignore[attr-defined]
        for nodes in zip(*(model.walk() for model in models), strict=True):
            for param in nodes[0].param_names:
                if nodes[0].has_param(param):
                    weights = [node.get_param(param).astype("float64") for node in nodes]
                    nodes[0].set_param(param, np.mean(weights, axis=0).astype("float32"))
        models[0].to_disk(out / name / "model")


def main() -> None:
    """Write the parser."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parsers", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    shutil.copytree(given.parsers[0], given.out)
    mean([load_pipeline(str(one), trust=True) for one in given.parsers], given.out)
    learned = np.unique(np.concatenate([np.load(one / "learned.npy") for one in given.parsers]))
    np.save(given.out / "learned.npy", learned)
    meta = json.loads((given.out / "meta.json").read_text(encoding="utf-8"))
    meta["performance"] = {}  # that of the first one is not the mean's
    (given.out / "meta.json").write_text(json.dumps(meta, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
