"""The pipeline that a training starts with: a new one from a config, or a trained one.

A config is spaCy's: of a small shared tok2vec, XPOS tagger, UPOS morphologizer and parser unless
the user has one. The settings given, and nothing else, are set in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten
from typing import Any

from spacy.language import DEFAULT_CONFIG, Language
from spacy.parts_of_speech import IDS as UNIVERSAL_TAGS
from spacy.training.initialize import init_nlp
from spacy.util import load_config
from thinc.api import Config

from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.files import read_bytes
from preorder_eval.parsers.base import Parser
from preorder_eval.parsers.spacy_pipeline import SpacyParser
from preorder_eval.parsers.truecase import (
    TRUECASE,
    Truecase,
    Truecaser,
    forget_case,
    keep_case,
)
from preorder_eval.training.corpus import READER
from preorder_eval.training.recipe import TrainingSettings

# min_action_freq in it is low because rarer labels become "dep", which no rule can name.
_CONFIG = Path(__file__).with_name("small_parser.cfg")
_PARSERS = ("parser", "beam_parser")


def is_conllu(file: Path) -> bool:
    """Return whether a file is ours to read, and not one of spaCy's."""
    return file.suffix != ".spacy"


def read_treebank(file: Path) -> Treebank:
    """Read a CoNLL-U file to learn from; raises FormatError for a UPOS that spaCy does not know."""
    treebank = read_conllu(file)
    unknown = set(treebank.upos.names) - UNIVERSAL_TAGS.keys() - {"_"}
    if unknown:
        raise FormatError(
            f"UPOS {min(unknown)!r} is not one of Universal Dependencies",
            file=file,
            hint="write _ where there is none, and other tags in the XPOS column",
        )
    return treebank


@contextmanager
def config_errors(config: Path | None) -> Iterator[None]:
    """Turn spaCy's errors about a config, or about the data, into one line.

    A config calls any function that is registered with spaCy, and so any error can come of it.
    """
    try:
        yield
    except PreorderEvalError:
        raise
    except Exception as error:
        reason = shorten(str(error) or type(error).__name__, 200, placeholder=" …")
        if config is None and re.match(r"\[E\d+\]", reason):  # spaCy's own, of data or weights
            raise PreorderEvalError(f"spaCy cannot learn from these files: {reason}") from error
        if config is None:
            raise
        raise FormatError(
            f"spaCy cannot train by this config: {reason}",
            file=config,
            hint="python -m spacy debug config may tell more",
        ) from error


def named_files(settings: TrainingSettings, corpus: str) -> list[Path]:
    """Return the files that a user's config itself names for the corpus `train` or `dev`."""
    if settings.config is None:
        return []
    with config_errors(settings.config):
        paths = _raw_config(settings).interpolate()["paths"].get(corpus) or []
    names = [paths] if isinstance(paths, str) else paths
    return [Path(name) for name in names if Path(name).is_file()]


def _raw_config(settings: TrainingSettings) -> Config:
    read_bytes(settings.config or _CONFIG)  # for its errors, which are clearer than spaCy's
    return DEFAULT_CONFIG.merge(load_config(settings.config or _CONFIG))


def training_config(train: Sequence[Path], dev: Path | None, settings: TrainingSettings) -> Config:
    """Return the config of a training, with the files and settings set in it.

    Raises PreorderEvalError for a setting that the config has no use for.
    """
    config = _raw_config(settings)
    training = config["training"]
    weights = list(settings.weights) or None
    _set_corpus(config, "train", train, weights=weights, lower=settings.lower)
    _set_corpus(config, "dev", [dev] if dev else [], lower=1.0 if settings.lower == 1 else None)
    if settings.seed is not None:
        config["system"]["seed"] = training["seed"] = settings.seed
    if settings.steps is not None:
        training["max_steps"] = settings.steps
    plain = config.interpolate()["training"]
    every = settings.evaluate_every or plain["eval_frequency"]
    training["eval_frequency"] = min(every, plain["max_steps"] or every)
    if settings.resume is not None and settings.config is None:
        # A trained parser needs little warm-up, and a short training has no time for a long one.
        training["optimizer"]["learn_rate"]["warmup_steps"] = plain["max_steps"] // 20
    if settings.learn_rate is not None:
        schedule = training["optimizer"]["learn_rate"]
        if isinstance(schedule, dict) and "initial_rate" in schedule:
            schedule["initial_rate"] = settings.learn_rate
        else:
            training["optimizer"]["learn_rate"] = settings.learn_rate
    return config


def _set_corpus(config: Config, name: str, files: Sequence[Path], **options: Any) -> None:
    """Let a corpus read these files: CoNLL-U with our reader, unless the config has its own."""
    corpora = config["corpora"]
    if files:
        paths = [str(file) for file in files]
        config["paths"][name] = paths if len(paths) > 1 else paths[0]
        if corpora[name].get("@readers") == "spacy.Corpus.v1":
            if all(map(is_conllu, files)):
                corpora[name] = {
                    "@readers": READER,
                    "path": f"${{paths.{name}}}",
                    "seed": "${system.seed}",
                    "shuffle": name == "train",
                }
            elif len(files) > 1:
                raise FormatError(
                    "one of several training files",
                    file=next(file for file in files if not is_conllu(file)),
                    hint="a .spacy file must be the only one; several CoNLL-U files can be used",
                )
    for option, value in options.items():
        if value is not None:
            if corpora[name].get("@readers") != READER:
                raise PreorderEvalError(f"--{option} is for training on CoNLL-U files")
            corpora[name][option] = value


def new_pipeline(
    config: Config, settings: TrainingSettings, treebanks: Sequence[Treebank]
) -> Language:
    """Make an untrained pipeline, with the labels of the training data.

    Our own config's taggers are left out where no sentence has such tags.
    """
    if settings.config is None:
        for name, column in (("tagger", "xpos"), ("morphologizer", "upos")):
            if all(getattr(treebank, column).names == ("_",) for treebank in treebanks):
                config["nlp"]["pipeline"].remove(name)
                del config["components"][name]
    if settings.beam:
        parsers = [c for c in config["components"].values() if c.get("factory") in _PARSERS]
        if not parsers:
            raise PreorderEvalError("the config has no parser component that could use a beam")
        for parser in parsers:
            parser |= {"factory": "beam_parser", "beam_width": settings.beam}
    return init_nlp(config)


def resumed_pipeline(parser: Parser, config: Config, settings: TrainingSettings) -> Language:
    """Return a trained pipeline, to be trained further by a config's `[training]` block.

    Raises PreorderEvalError for a parser that is no spaCy pipeline.
    """
    if not isinstance(parser, SpacyParser):
        raise PreorderEvalError(f"{settings.resume}: only a spaCy pipeline can be trained further")
    nlp = parser.nlp
    if settings.beam:  # a beam parser with the same labels and weights replaces a greedy one
        old = parser_component(nlp)
        own = nlp.get_pipe_config(old.name) | {"beam_width": settings.beam}
        del own["factory"]
        new: Any = nlp.replace_pipe(old.name, "beam_parser", config=own)
        new.moves.from_bytes(old.moves.to_bytes())
        new.model = old.model
        nlp._link_components()
    if config["corpora"]["train"].get("@readers") == READER:
        config["corpora"]["train"]["known_tags"] = True
    trained = nlp.config
    # The components may refer to paths and settings of their own.
    shared = {name: {**trained.get(name, {}), **config[name]} for name in ("paths", "system")}
    further = {name: config[name] for name in ("corpora", "training", "initialize")}
    nlp.config = Config({**trained, **further, **shared})
    return nlp


def parser_component(nlp: Language) -> Any:
    """Return the pipeline's parser, greedy or with a beam; PreorderEvalError if there is none."""
    for name in nlp.pipe_names:
        if nlp.get_pipe_meta(name).factory in _PARSERS:
            return nlp.get_pipe(name)
    names = ", ".join(nlp.pipe_names) or "no component"
    raise PreorderEvalError(f"the pipeline has no parser that could learn: {names}")


def set_case(
    nlp: Language,
    start: Parser | None,
    treebanks: Iterable[Treebank],
    wanted: Truecase | None,
    *,
    lower: bool,
) -> str:
    """Let a pipeline keep the case of words, and return how it truecases, empty if it does not.

    A parser that goes on learning keeps the words that it knows; a new one, and one that goes on
    from a parser without any, learns them from its treebanks. It truecases as `wanted`, or else
    as the one that it goes on from, or else `auto`; one that never does, or learns in `lower` case
    only, forgets.

    A parser that goes on learning sees its corpora as it sees sentences to parse: truecased if it
    will truecase them. A new one learns the case of words from them, and sees them as they are.
    """
    known = start.identity.truecase if start else ""
    truecase = wanted or known or "auto"
    if not known:
        words = Truecaser.learned(words for trees in treebanks for words in trees.sentences).words
        truecase = truecase if words else "never"
        keep_case(nlp, words)
    if lower or "never" in (known, truecase):
        forget_case(nlp)
        nlp.meta.pop(TRUECASE, None)
        return ""
    nlp.meta[TRUECASE] = truecase
    for corpus in nlp.config["corpora"].values() if start else ():
        if corpus.get("@readers") == READER:
            corpus["truecase"] = truecase
    return truecase
