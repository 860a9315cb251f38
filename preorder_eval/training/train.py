"""Training of a spaCy pipeline, from nothing or further, with its model card.

spaCy's loop trains its components. Weights are averaged over the updates, and the learning rate
falls to zero. The same data and seed give the same weights, bit by bit on one machine.
"""

from __future__ import annotations

import io
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from math import isnan, nan
from pathlib import Path
from typing import IO, Any

import click
import numpy as np
import spacy
from spacy.language import Language
from spacy.training.loop import train as spacy_train

from preorder_eval.analysis.attachment import attachment
from preorder_eval.data.ragged import NameColumn
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.files import file_hash
from preorder_eval.formats.writing import new_folder, refuse_existing, write_text
from preorder_eval.parsers.loading import load_parser
from preorder_eval.parsers.pipelines import LEARNED, LOWER_CASE, read_pipeline, sentence_hashes
from preorder_eval.parsers.spacy_pipeline import SpacyParser
from preorder_eval.parsers.truecase import pipeline_truecaser
from preorder_eval.reordering.clearnlp import in_ud, is_clearnlp
from preorder_eval.training.pipelines import (
    data_errors,
    new_pipeline,
    parser_component,
    read_treebank,
    refuse_other_labels,
    resumed_pipeline,
    set_case,
    training_config,
)
from preorder_eval.training.recipe import TrainingSettings

_INTRODUCTION = """\
# {name}

A dependency parser for tokenised sentences of language `{lang}`, a pipeline of spaCy {spacy}:
{components}.
It gives every sentence one tree with one root and keeps the tokens as they are.

| | |
|---|---|
"""
_ACCURACY = """
Accuracy on {dev} ({words:,} words, punctuation included, gold tokens):

| | UAS | LAS | LAS with subtypes | UPOS | XPOS |
|---|---|---|---|---|---|
"""
_OPTIONS = {"evaluate_every": "evaluate-every", "learn_rate": "learn-rate", "data": "data-name"}


def train(
    train: Sequence[str | Path],
    dev: str | Path,
    out: str | Path,
    *,
    log: IO[str] = sys.stderr,
    **settings: Any,
) -> str:
    """Train a parser on CoNLL-U files and write it with its model card, which is returned.

    Parameters: `train` the files to learn from, `dev` the one that picks the best weights, `out`
    a new folder; `settings` are those of `TrainingSettings` by name, such as `steps` or `resume`.
    Raises what `train_parser` raises, and PreorderEvalError without files to learn from.
    """
    if not train:
        raise PreorderEvalError("a training needs files to learn from")
    files = [Path(file) for file in train]
    return train_parser(files, Path(dev), Path(out), TrainingSettings(**settings), log=log)


def train_parser(
    train: Sequence[Path],
    dev: Path,
    out: Path,
    settings: TrainingSettings,
    *,
    log: IO[str] = sys.stderr,
) -> str:
    """Train on CoNLL-U files, pick the best weights on another, and write the pipeline.

    The folder `out` appears whole, when training has ended; an interrupted training begins anew.
    Returns the model card; `log` gets spaCy's line for each evaluation.

    Raises FormatError for files that are not what they should be, and for an `out` that exists.
    """
    refuse_existing(out)
    weights = settings.weights or (1,) * len(train)
    if len(weights) != len(train):
        raise PreorderEvalError(f"{len(weights)} weights for {len(train)} training files")
    learned, gold = list(map(read_treebank, train)), read_treebank(dev)
    used = [_used(*facts) for facts in zip(train, learned, weights, strict=True)]
    start = load_parser(settings.resume) if settings.resume else None
    name, labels = train[0].name, learned[0].labels
    if isinstance(start, SpacyParser):
        name, labels = start.identity.name, NameColumn.of(parser_component(start.nlp).labels)
    treebanks = dict(zip([*train, dev], [*learned, gold], strict=True))
    refuse_other_labels(name, is_clearnlp(labels), treebanks)
    with new_folder(out) as folder:
        with data_errors():
            config = training_config(train, dev, settings)
            if start:
                nlp = resumed_pipeline(start, config, settings)
            else:
                nlp = new_pipeline(config, settings, learned)
            parser_component(nlp)  # an error now is better than after hours of training
            truecase = set_case(nlp, start, learned, settings.truecase, lower=settings.lower == 1)
            models = folder / "models"
            models.mkdir()
            bar = log if log.isatty() else io.StringIO()
            spacy_train(nlp, models, stdout=_Evaluations(log), stderr=bar)
            nlp = spacy.load(models / f"model-{settings.keep}")
            shutil.rmtree(models)
        casing = pipeline_truecaser(nlp, truecase)
        facts: dict[str, object] = {f"training data {n}": file for n, file in enumerate(used, 1)}
        facts |= {
            "development data": _used(dev, gold),
            "goes on from": start
            and f"{start.identity.name} {start.identity.version}; "
            f"SHA-256 `{start.identity.sha256}`",
            "truecasing": casing
            and f"{truecase}; {len(casing.words):,} words in the case they most "
            "often have in the training data",
            "sentences learned from": f"as hashes in {LEARNED}, by which scores on them are told",
            "weights": settings.keep,
            "data": settings.data,
            "licence": settings.licence or "not stated",
            "command": f"`{_command(train, dev, out, settings)}`",
        }
        _describe(nlp, out.name, train, dev, settings)
        nlp.to_disk(folder)
        known = [sentence_hashes(trees.sentences) for trees in learned]
        known += [start.learned()] if isinstance(start, SpacyParser) else []
        np.save(folder / LEARNED, np.unique(np.concatenate(known)))
        card = _card(folder, out.name, facts, in_ud(gold), dev)
        write_text(folder / "README.md", card)
    return card


class _Evaluations(io.StringIO):
    """Where spaCy's loop writes: a log without colours, and without the folder it saves to."""

    def __init__(self, log: IO[str]) -> None:
        super().__init__()
        self.log = log

    def write(self, text: str) -> int:
        """Pass a line on."""
        return 0 if "Saved pipeline" in text else self.log.write(click.unstyle(text))


def _describe(
    nlp: Language, name: str, train: Sequence[Path], dev: Path, settings: TrainingSettings
) -> None:
    """Set the meta data of a finished pipeline, and take this machine's paths out of its config."""
    names = [file.name for file in train]
    nlp.config["paths"] |= {"train": names if len(names) > 1 else names[0], "dev": dev.name}
    sources = nlp.meta.get("sources") or [] if settings.resume else []
    data = settings.data or ", ".join(file.stem for file in train)
    nlp.meta |= {
        "name": name,
        "version": "1.0.0",
        "description": "dependency parser for tokenised sentences",
        "license": settings.licence,
        "sources": [*sources, {"name": data, "license": settings.licence}],
        LOWER_CASE: settings.lower == 1,
        # The weights are plain arrays; only a new major version could read them differently.
        "spacy_version": ">=3.8,<4.0",
    }


def _used(path: Path, treebank: Treebank, weight: int = 1) -> str:
    """Describe a file that a training has used, and the treebank it was read as."""
    often = f", {weight} times in each epoch" if weight > 1 else ""
    size = f"{len(treebank):,} sentences, {len(treebank.words):,} words"
    return f"{path.name}: {size}{often}; SHA-256 `{file_hash(path)}`"


def _card(folder: Path, name: str, facts: Mapping[str, object], gold: Treebank, dev: Path) -> str:
    """Write what is needed to train the parser again, and its accuracy on `gold` trees."""
    parser = SpacyParser(read_pipeline(folder, name))
    settings = parser_component(parser.nlp).cfg
    width = settings["beam_width"]
    beam = f" (beam {width})" if width > 1 else ""
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    facts = {**facts, "size on disk": f"{size / 1e6:.1f} MB"}
    card = _INTRODUCTION.format(
        name=name,
        lang=parser.nlp.lang,
        spacy=version("spacy"),
        components=", ".join(parser.nlp.pipe_names) + beam,
    )
    card += "".join(f"| {fact} | {value} |\n" for fact, value in facts.items() if value)
    card += _ACCURACY.format(dev=dev.name, words=len(gold.words))
    lower = "in lower case, truecased" if parser.truecaser else "in lower case"
    for case, trees in (("as it is", gold), (lower, replace(gold, words=gold.lower_words))):
        for beam_width in dict.fromkeys((width, 1)):
            settings["beam_width"] = beam_width
            way = f"beam {beam_width}" if beam_width > 1 else "greedy"
            accuracy = _accuracy(trees, parser.parse(trees.sentences))
            card += f"| {case}, {way} | {accuracy} |\n"
    return card


def _accuracy(gold: Treebank, parsed: Treebank) -> str:
    """Return the cells of a row of scores in percent; tags that are not given have none."""
    scores = attachment(gold, parsed)
    values = [scores.uas, scores.las, scores.las_full]
    for name in ("upos", "xpos"):
        missing = ("_",) in (getattr(parsed, name).names, getattr(gold, name).names)
        values.append(nan if missing else getattr(scores, name))
    return " | ".join("–" if isnan(value) else f"{100 * value:.1f}" for value in values)


def _command(train: Sequence[Path], dev: Path, out: Path, settings: TrainingSettings) -> str:
    """Return the command line that trains this parser, with the names of files for their paths."""
    words = ["preorder-eval", "train"]
    for file in train:
        words += ["--train", file.name]
    for weight in settings.weights:
        words += ["--weight", str(weight)]
    words += ["--dev", dev.name, "--out", out.name]
    for name, value in vars(settings).items():
        if name != "weights" and value != getattr(TrainingSettings, name):
            shown = value.name if isinstance(value, Path) else str(value)
            words += [f"--{_OPTIONS.get(name, name)}", shown]
    return shlex.join(words)
