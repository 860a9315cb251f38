"""Train a spaCy pipeline, from nothing or further, and write it with its model card.

spaCy's config describes the pipeline, spaCy's components learn, and the loop is made of spaCy's
parts (`loop`); the corpus reader, the checkpoints and the model card are ours. With our own
config, weights are averaged over the updates, and the learning rate falls to zero.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from math import nan
from pathlib import Path
from typing import IO, Any

from spacy.language import Language

from preorder_eval.analysis.attachment import Attachment, attachment
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.files import file_hash
from preorder_eval.formats.writing import refuse_existing, write_text
from preorder_eval.parsers.base import Parser
from preorder_eval.parsers.loading import load_parser
from preorder_eval.parsers.pipelines import LOWER_CASE, read_pipeline
from preorder_eval.parsers.spacy_pipeline import SpacyParser
from preorder_eval.parsers.truecase import pipeline_truecaser
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.training.casing import set_case
from preorder_eval.training.checkpoint import CheckpointFile
from preorder_eval.training.loop import learn
from preorder_eval.training.model_card import UsedFile, accuracy_table, model_card
from preorder_eval.training.pipelines import (
    TrainingSettings,
    config_errors,
    is_conllu,
    named_files,
    new_pipeline,
    parser_component,
    read_treebank,
    resumed_pipeline,
    training_config,
    training_steps,
)
from preorder_eval.training.resumable import held

__all__ = ["TrainingSettings", "train", "train_parser", "training_steps"]

_CHECKPOINT = "checkpoint.npz"


def train(
    train: Sequence[str | Path],
    dev: str | Path | None,
    out: str | Path,
    *,
    log: IO[str] = sys.stderr,
    progress: Progress = no_progress,
    **settings: Any,
) -> str:
    """Train a parser on CoNLL-U files and write it with its model card, which is returned.

    Parameters: `train` the files to learn from, `dev` the one that picks the best weights, `out`
    a new folder; `settings` are those of `TrainingSettings` by name, such as `steps` or `resume`.
    Raises what `train_parser` raises, and PreorderEvalError where there is nothing to learn from.
    """
    if settings.get("config") is None and not (train and dev):
        raise PreorderEvalError(
            "a training needs files to learn from and one to pick the best weights, unless a "
            "config names the data"
        )
    chosen = TrainingSettings(**settings)
    files, picking = [Path(file) for file in train], None if dev is None else Path(dev)
    with progress("training", training_steps(chosen) + 1) as advance:
        return train_parser(files, picking, Path(out), chosen, log=log, advance=advance)


def train_parser(
    train: Sequence[Path],
    dev: Path | None,
    out: Path,
    settings: TrainingSettings,
    *,
    log: IO[str] = sys.stderr,
    advance: Callable[[int], None] | None = None,
) -> str:
    """Train on CoNLL-U files, pick the best weights on another, and write the pipeline.

    With `settings.config`, files may be spaCy's instead, or none where the config names its own.
    The folder `out` appears whole, when training has ended. Until then a hidden folder beside it
    holds a checkpoint: after an interruption the same call goes on from there, to the same
    weights. Returns the model card; `log` gets a line for each evaluation, `advance` is told how
    many more steps are done.

    Raises FormatError for files that are not what they should be, for an `out` that exists, and
    for the checkpoint of another training.
    """
    train = train or named_files(settings, "train")
    dev = dev or next(iter(named_files(settings, "dev")), None)
    weights = settings.weights or (1,) * len(train)
    if len(weights) != len(train):
        raise PreorderEvalError(f"{len(weights)} weights for {len(train)} training files")
    learned = [read_treebank(file) if is_conllu(file) else None for file in train]
    gold = read_treebank(dev) if dev and is_conllu(dev) else None
    used = [UsedFile.of(*facts) for facts in zip(train, learned, weights, strict=True)]
    used_dev = UsedFile.of(dev, gold) if dev else None
    start = load_parser(settings.resume) if settings.resume else None

    work = out.with_name(f".{out.name}.training")
    identity = _identity(used, used_dev, start, settings)
    checkpoints = CheckpointFile(work / _CHECKPOINT, identity)
    begun = work.is_dir()
    with held(work):
        card_file = out / "README.md"
        if card_file.is_file() and begun and (checkpoints.read() or not any(work.iterdir())):
            # The training had ended, and was killed before it could tidy up.
            _remove(work)
            print("the training had finished", file=log)
            return card_file.read_text(encoding="utf-8")
        refuse_existing(out)

        known = [treebank for treebank in learned if treebank]
        with config_errors(settings.config):
            config = training_config(train, dev, settings)
            if start:
                nlp = resumed_pipeline(start, config, settings)
            else:
                nlp = new_pipeline(config, settings, known)
            parser_component(nlp)  # an error now is better than after hours of training
            truecase = set_case(nlp, start, known, settings.truecase, lower=settings.lower == 1)
            casing = pipeline_truecaser(nlp, truecase)
            step = learn(
                nlp, checkpoints, keep_last=settings.keep == "last", log=log, advance=advance
            )

        facts: dict[str, object] = {f"training data {n}": file for n, file in enumerate(used, 1)}
        facts |= {
            "development data": used_dev,
            "goes on from": start and _named(start),
            "spaCy config": settings.config and UsedFile.of(settings.config),
            "truecasing": casing
            and f"{truecase}; {len(casing.words):,} words in the case they most "
            "often have in the training data",
            "weights": f"{settings.keep}, after step {step:,}",
            "data": settings.data,
            "licence": settings.licence or "not stated",
            "command": f"`{_command(train, dev, out, settings)}`",
        }
        finished = work / out.name
        shutil.rmtree(finished, ignore_errors=True)
        _describe(nlp, out.name, train, dev, settings)
        nlp.to_disk(finished)
        card = _card(finished, facts, gold, dev)
        write_text(finished / "README.md", card)
        finished.rename(out)
        _remove(work)
        return card


def _named(start: Parser) -> str:
    identity = start.identity
    return f"{identity.name} {identity.version}; SHA-256 `{identity.sha256}`"


def _remove(work: Path) -> None:
    """Remove the folder of a finished training; the checkpoint, which identifies it, comes last."""
    for left in work.iterdir():
        if left.is_dir():
            shutil.rmtree(left)
        elif left.name != _CHECKPOINT:
            left.unlink()
    (work / _CHECKPOINT).unlink(missing_ok=True)
    work.rmdir()


def _identity(
    used: Sequence[UsedFile], dev: UsedFile | None, start: Parser | None, settings: TrainingSettings
) -> dict[str, Any]:
    """What must be the same for an interrupted training to go on."""
    files = {
        "resume": start and start.identity.sha256,
        "truecase of resume": start and start.identity.truecase,
        "config": settings.config and file_hash(settings.config),
    }
    return {
        **asdict(settings),
        **files,
        "training data": [f"{file.name} {file.sha256}" for file in used],
        "development data": dev and f"{dev.name} {dev.sha256}",
        "library versions": {name: version(name) for name in ("spacy", "thinc", "numpy")},
    }


def _describe(
    nlp: Language, name: str, train: Sequence[Path], dev: Path | None, settings: TrainingSettings
) -> None:
    """Set the meta data of a finished pipeline, and take this machine's paths out of its config."""
    if train:
        names = [file.name for file in train]
        nlp.config["paths"]["train"] = names if len(names) > 1 else names[0]
    if dev:
        nlp.config["paths"]["dev"] = dev.name
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


def _card(folder: Path, facts: dict[str, object], gold: Treebank | None, dev: Path | None) -> str:
    parser = SpacyParser(read_pipeline(folder, folder.name))
    nlp = parser.nlp
    settings = parser_component(nlp).cfg
    width = settings["beam_width"]
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    beam = f" (beam {width})" if width > 1 else ""
    card = model_card(
        folder.name,
        str(nlp.lang),
        version("spacy"),
        ", ".join(nlp.pipe_names) + beam,
        facts | {"size on disk": f"{size / 1e6:.1f} MB"},
    )
    if gold is None or dev is None:
        return card
    scores: dict[str, Attachment] = {}
    lower = "in lower case, truecased" if parser.truecaser else "in lower case"
    for treebank, case in ((gold, "as it is"), (_lower(gold), lower)):
        for beam_width in dict.fromkeys((width, 1)):
            settings["beam_width"] = beam_width
            way = case + (f", beam {beam_width}" if beam_width > 1 else ", greedy")
            parsed = parser.parse(treebank.sentences)
            score = attachment(treebank, parsed)
            untagged = {
                name: nan
                for name in ("upos", "xpos")
                if ("_",) in (getattr(parsed, name).names, getattr(treebank, name).names)
            }
            scores[way] = replace(score, **untagged)
    return card + accuracy_table(dev.name, len(gold.words), scores)


def _lower(treebank: Treebank) -> Treebank:
    return replace(treebank, words=treebank.lower_words)


_OPTIONS = {  # by field of the settings
    "steps": "--steps",
    "lower": "--lower",
    "seed": "--seed",
    "evaluate_every": "--evaluate-every",
    "learn_rate": "--learn-rate",
    "dropout": "--dropout",
    "beam": "--beam",
    "resume": "--resume",
    "keep": "--keep",
    "config": "--config",
    "truecase": "--truecase",
    "data": "--data-name",
    "licence": "--licence",
}


def _command(train: Sequence[Path], dev: Path | None, out: Path, settings: TrainingSettings) -> str:
    """The command line that trains this parser, with the names of files for their paths."""
    words = ["preorder-eval", "train"]
    for file in train:
        words += ["--train", file.name]
    for weight in settings.weights:
        words += ["--weight", str(weight)]
    words += ["--dev", dev.name] if dev else []
    words += ["--out", out.name]
    for field, option in _OPTIONS.items():
        value = getattr(settings, field)
        if isinstance(value, Path):
            value = value.name
        if value != getattr(TrainingSettings, field):
            words += [option, str(value)]
    return shlex.join(words)
