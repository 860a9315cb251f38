"""Train a small spaCy pipeline (shared tok2vec, XPOS tagger, UPOS morphologizer, parser).

The pipeline is described by a spaCy config and trained by spaCy's own loop; only the corpus
reader is ours. Weights are averaged over the updates, and the learning rate falls to zero.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

import spacy
from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as spacy_train
from spacy.util import load_config

import preorder_eval.training.corpus  # noqa: F401  (registers the corpus reader)
from preorder_eval.analysis.attachment import attachment
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.text import file_hash, write_text
from preorder_eval.parsers.spacy_pipeline import SpacyParser
from preorder_eval.training.model_card import accuracy_cells, model_card

# min_action_freq in it is low because rarer labels become "dep", which no rule can name.
_CONFIG = Path(__file__).with_name("small_parser.cfg")


@dataclass(frozen=True)
class TrainingSettings:
    """What decides the outcome of a training run, and what its model card says.

    `steps` updates of about 800 words each; `lower` is the share of sentences learned from in
    lower case; every `evaluate_every` steps the score on the development data picks the best
    weights. `data` names the treebank and `licence` the terms of the model.
    """

    steps: int = 8500
    lower: float = 0.15
    seed: int = 0
    evaluate_every: int = 500
    data: str = ""
    licence: str = ""


def train_parser(
    train: Path,
    dev: Path,
    out: Path,
    settings: TrainingSettings,
    *,
    log: IO[str] = sys.stdout,
) -> str:
    """Train on one CoNLL-U file, pick the best weights on another, and write the pipeline.

    The folder `out` appears whole, when training has ended. Returns the model card. Raises
    FormatError for files that are not CoNLL-U.
    """
    read_conllu(train), read_conllu(dev)  # the errors of ours, before spaCy wraps them
    overrides: dict[str, Any] = {
        "paths.train": str(train),
        "paths.dev": str(dev),
        "system.seed": settings.seed,
        "corpora.train.lower": settings.lower,
        "training.max_steps": settings.steps,
        "training.optimizer.learn_rate.total_steps": settings.steps,
        "training.eval_frequency": min(settings.evaluate_every, settings.steps),
    }
    config = load_config(_CONFIG, overrides=overrides, interpolate=False)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder:
        nlp = init_nlp(config)
        spacy_train(nlp, Path(folder), stdout=log, stderr=sys.stderr)
        best = spacy.load(Path(folder) / "model-best")
        finished = Path(folder) / out.name
        card = _finish(best, finished, train, dev, settings)
        finished.rename(out)
    return card


def _finish(nlp: Language, folder: Path, train: Path, dev: Path, settings: TrainingSettings) -> str:
    """Write the pipeline with its meta data and model card."""
    nlp.config["paths"] = {"train": train.name, "dev": dev.name}
    nlp.meta |= {
        "name": folder.name,
        "version": "1.0.0",
        "description": "dependency parser for tokenised sentences",
        "license": settings.licence,
        "sources": [{"name": settings.data or train.stem, "license": settings.licence}],
        # The weights are plain arrays; only a new major version could read them differently.
        "spacy_version": ">=3.8,<4.0",
    }
    nlp.to_disk(folder)
    parser = SpacyParser(folder, folder.name)
    learned, gold = read_conllu(train), read_conllu(dev)
    low = replace(gold, words=[word.lower() for word in gold.words])
    card = model_card(
        name=folder.name,
        lang=nlp.lang,
        spacy=version("spacy"),
        data=f"{settings.data}, " if settings.data else "",
        train=train.name,
        sentences=len(learned),
        words=len(learned.words),
        digest=file_hash(train),
        licence=settings.licence or "not stated",
        command=_command(train, dev, folder.name, settings),
        size=sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6,
        dev=dev.name,
        dev_words=len(gold.words),
        as_is=accuracy_cells(attachment(gold, parser.parse(gold.sentences))),
        lower=accuracy_cells(attachment(low, parser.parse(low.sentences))),
    )
    write_text(folder / "README.md", card)
    return card


def _command(train: Path, dev: Path, name: str, settings: TrainingSettings) -> str:
    words = ["preorder-eval", "train", "--train", train.name, "--dev", dev.name, "--out", name]
    words += ["--steps", str(settings.steps), "--lower", str(settings.lower)]
    words += ["--seed", str(settings.seed)]
    words += ["--data-name", settings.data] if settings.data else []
    words += ["--licence", settings.licence] if settings.licence else []
    return shlex.join(words)
