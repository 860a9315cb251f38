"""The pipeline that a training starts with: a new one, or a trained one that goes on learning.

A new one has a small shared tok2vec, XPOS tagger, UPOS morphologizer and parser. Other kinds are
trained by `spacy train`, whose configs can name our corpora (`training.corpus`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from preorder_eval.parsers.base import Parser
from preorder_eval.parsers.spacy_pipeline import SpacyParser
from preorder_eval.parsers.truecase import TRUECASE, Truecase, Truecaser, forget_case, keep_case
from preorder_eval.reordering.clearnlp import is_clearnlp
from preorder_eval.training.corpus import READER
from preorder_eval.training.recipe import TrainingSettings

# min_action_freq in it is low because rarer labels become "dep", which no rule can name.
_CONFIG = Path(__file__).with_name("small_parser.cfg")
_PARSERS = ("parser", "beam_parser")


def read_treebank(file: Path) -> Treebank:
    """Read a CoNLL-U file to learn from; raises FormatError for a UPOS that spaCy does not know."""
    treebank = read_conllu(file)
    unknown = set(treebank.upos.names) - UNIVERSAL_TAGS.keys() - {"_"}
    if unknown:
        hint = "write _ where there is none, and other tags in the XPOS column"
        defect = f"UPOS {min(unknown)!r} is not one of Universal Dependencies"
        raise FormatError(defect, file=file, hint=hint)
    return treebank


def refuse_other_labels(name: str, clearnlp: bool, treebanks: Mapping[Path, Treebank]) -> None:
    """Raise PreorderEvalError for treebanks with other labels than the parser or file `name` has.

    It has those of ClearNLP (`clearnlp`) or of UD; what learns both gives neither.
    """
    kinds = "UD", "ClearNLP"
    for file, treebank in treebanks.items():
        if is_clearnlp(treebank.labels) != clearnlp:
            hint = "; start from one of UD, such as en-web" if clearnlp else ""
            raise PreorderEvalError(
                f"{name} has the labels of {kinds[clearnlp]}, but the treebank {file.name} those "
                f"of {kinds[not clearnlp]}: a parser learns one kind{hint}"
            )


@contextmanager
def data_errors() -> Iterator[None]:
    """Turn spaCy's own errors, of data or weights, into one line."""
    try:
        yield
    except PreorderEvalError:
        raise
    except Exception as error:
        reason = shorten(str(error), 200, placeholder=" …")
        if not re.match(r"\[E\d+\]", reason):
            raise
        raise PreorderEvalError(f"spaCy cannot learn from these files: {reason}") from error


def training_config(train: Sequence[Path], dev: Path, settings: TrainingSettings) -> Config:
    """Return the config of a training, with the files and settings set in it."""
    config = DEFAULT_CONFIG.merge(load_config(_CONFIG))
    training, corpora = config["training"], config["corpora"]
    rate = training["optimizer"]["learn_rate"]
    names = list(map(str, train))
    config["paths"] |= {"train": names if len(names) > 1 else names[0], "dev": str(dev)}
    if settings.weights:
        corpora["train"]["weights"] = list(settings.weights)
    if settings.lower is not None:
        corpora["train"]["lower"] = settings.lower
    if settings.lower == 1:
        corpora["dev"]["lower"] = 1.0
    if settings.seed is not None:
        config["system"]["seed"] = training["seed"] = settings.seed
    steps = training["max_steps"] = settings.steps or training["max_steps"]
    training["eval_frequency"] = min(settings.evaluate_every or training["eval_frequency"], steps)
    if settings.resume is not None:
        # A trained parser needs little warm-up, and a short training has no time for a long one.
        rate["warmup_steps"] = steps // 20
    if settings.learn_rate is not None:
        rate["initial_rate"] = settings.learn_rate
    return config


def new_pipeline(
    config: Config, settings: TrainingSettings, treebanks: Sequence[Treebank]
) -> Language:
    """Make an untrained pipeline, with the labels of the training data.

    Taggers are left out where no sentence has such tags.
    """
    for name, column in (("tagger", "xpos"), ("morphologizer", "upos")):
        if all(getattr(treebank, column).names == ("_",) for treebank in treebanks):
            config["nlp"]["pipeline"].remove(name)
            del config["components"][name]
    if settings.beam:
        config["components"]["parser"] |= {"factory": "beam_parser", "beam_width": settings.beam}
    return init_nlp(config)


def resumed_pipeline(parser: Parser, config: Config, settings: TrainingSettings) -> Language:
    """Return a trained pipeline, to be trained further as the config says.

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

    A new parser, and one that goes on from one without any, learns the case of words from its
    treebanks. It truecases as `wanted`, or else as the one that it goes on from, or else `auto`; it
    forgets if it never does, or learns in `lower` case only. One that goes on learning sees its
    corpora as it will see sentences to parse.
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
