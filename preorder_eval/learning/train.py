"""Training of a spaCy pipeline, from nothing or further, with its model card.

A new pipeline has a small shared tok2vec, XPOS tagger, UPOS morphologizer and parser. Other kinds
are trained by `spacy train`, whose configs can name our corpus (`learning.corpus`). spaCy's loop
trains the components. Weights are averaged over the updates, and the learning rate falls to zero.
The same data and seed give the same weights, bit by bit on one machine.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from importlib.metadata import version
from math import isnan, nan
from pathlib import Path
from textwrap import shorten
from typing import IO, Any

import numpy as np
import spacy
from spacy.language import DEFAULT_CONFIG, Language
from spacy.parts_of_speech import IDS as UNIVERSAL_TAGS
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as spacy_train
from spacy.util import load_config, registry
from thinc.api import Config

from preorder_eval.analysis.attachment import attachment
from preorder_eval.base.arguments import checked
from preorder_eval.base.errors import FormatError, PreorderEvalError, warn
from preorder_eval.base.files.files import file_hash
from preorder_eval.base.files.writing import (
    format_json,
    new_folder,
    refuse_existing,
    remove_made,
    write_text,
)
from preorder_eval.base.ragged import NameColumn
from preorder_eval.learning.recipe import TrainingSettings
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.parsers.pipelines import (
    LEARNED_FILE,
    LOWER_CASE,
    READER,
    read_pipeline,
    sentence_hashes,
)
from preorder_eval.parsers.products import TrainingOps, multiply_by
from preorder_eval.parsers.spacy_pipeline import PARSERS, SpacyParser
from preorder_eval.parsers.truecase import (
    TRUECASE,
    Truecase,
    Truecaser,
    forget_case,
    keep_case,
    pipeline_truecaser,
)
from preorder_eval.trees.conllu import read_conllu
from preorder_eval.trees.in_ud import in_ud, in_version_1, is_clearnlp, label_counts
from preorder_eval.trees.treebank import Treebank

# min_action_freq in it is low because rarer labels become "dep", which no rule can name.
_CONFIG = Path(__file__).with_name("small_parser.cfg")
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
_LOGGER = "preorder_eval.updates.v1"
_SCORES = {"dep_las": "LAS", "dep_uas": "UAS", "pos_acc": "UPOS", "tag_acc": "XPOS"}


def train(
    train: Sequence[str | Path],
    dev: str | Path,
    out: str | Path,
    *,
    log: IO[str] | None = None,
    **options: Any,
) -> str:
    """Train a parser on CoNLL-U files and write it with its model card, which is returned.

    Parameters: `train` the files to learn from, `dev` the one that picks the best weights, `out`
    a new folder; `options` are those of `TrainingSettings` by name, such as `steps` or `resume`.
    The folder appears whole, when training has ended; an interrupted training begins anew. `log`
    gets a line for each evaluation: updates, accuracies on `dev`, and an estimate of the time left.

    Raises FormatError for files that are not what they should be, and for an `out` that exists, and
    PreorderEvalError without files to learn from.
    """
    if not train:
        raise PreorderEvalError("training needs files to train on")
    settings = checked(TrainingSettings)(**options)
    files, dev, out = list(map(Path, train)), Path(dev), Path(out)
    refuse_existing(out)
    _check_names([*files, dev, out])
    weights = settings.weights or (1,) * len(files)
    if len(weights) != len(files):
        raise PreorderEvalError(f"{len(weights)} weights for {len(files)} training files")
    learned, gold = list(map(read_treebank, files)), read_treebank(dev)
    used = [_used(*facts) for facts in zip(files, learned, weights, strict=True)]
    start = _parser_to_resume(settings)
    name, labels = files[0].name, learned[0].labels
    if start:
        name, labels = start.identity.name, NameColumn.of(parser_component(start.nlp).labels)
    treebanks = dict(zip([*files, dev], [*learned, gold], strict=True))
    refuse_other_labels(name, is_clearnlp(labels), treebanks)
    with new_folder(out) as folder:
        nlp, truecase = _trained(folder, files, dev, settings, start, learned, log)
        casing = pipeline_truecaser(nlp, truecase)
        facts: dict[str, object] = {f"training data {n}": file for n, file in enumerate(used, 1)}
        facts |= {
            "development data": _used(dev, gold),
            "continues from": start
            and f"{start.identity.name} {start.identity.version}; "
            f"SHA-256 `{start.identity.sha256}`",
            "truecasing": casing
            and f"{truecase}; {len(casing.words):,} words in their most frequent case in the "
            "training data",
            "training sentences": f"as hashes in {LEARNED_FILE}, to detect scores on them",
            "weights": settings.keep,
            "data": settings.data,
            "licence": settings.licence or "not stated",
            "command": f"`{_command(files, dev, out, settings)}`",
        }
        _describe(nlp, out.name, files, dev, settings)
        _write_pipeline(nlp, folder, learned, start)
        card = _card(folder, out.name, facts, in_ud(gold), dev)
        write_text(folder / "README.md", card)
    return card


def _check_names(files: Sequence[Path]) -> None:
    """Raise FormatError for a name that is not UTF-8, which spaCy's settings cannot hold."""
    for file in files:
        if re.search("[\udc80-\udcff]", str(file)):  # what stands for a byte
            hint = "rename it: spaCy's settings contain the names of files"
            raise FormatError("a name that is not UTF-8", file=file, hint=hint)


def _parser_to_resume(settings: TrainingSettings) -> SpacyParser | None:
    """Load the parser to go on from, if there is one."""
    start = load_parser(settings.resume) if settings.resume else None
    if not isinstance(start, SpacyParser | None):
        raise PreorderEvalError(
            f"{settings.resume}: only the training of a spaCy pipeline can be continued"
        )
    return start


def _trained(
    folder: Path,
    files: Sequence[Path],
    dev: Path,
    settings: TrainingSettings,
    start: SpacyParser | None,
    learned: Sequence[Treebank],
    log: IO[str] | None,
) -> tuple[Language, str]:
    """Train in a folder, and leave it empty; return the pipeline and how it truecases."""
    with data_errors():
        config = training_config(files, dev, settings)
        if start:
            nlp = resumed_pipeline(start, config, settings)
        else:
            nlp = new_pipeline(config, settings, learned)
        parser_component(nlp)  # an error now is better than after hours of training
        multiply_by(nlp, TrainingOps)
        truecase = set_case(nlp, start, learned, settings.truecase, lower=settings.lower == 1)
        models = folder / "models"
        models.mkdir()
        with redirect_stdout(io.StringIO()):  # where spaCy's parser prints what it lacks
            spacy_train(nlp, models, stdout=io.StringIO(), stderr=log or sys.stderr)
        nlp = spacy.load(models / f"model-{settings.keep}")
        remove_made(models, folder)
    return nlp, truecase


def _write_pipeline(
    nlp: Language, folder: Path, learned: Sequence[Treebank], start: SpacyParser | None
) -> None:
    """Write a pipeline with its labels as its only strings, and the sentences it learned from."""
    nlp.to_disk(folder)
    # All words of the treebanks are among the strings, addresses too; labels alone are needed.
    needed = {label for _, part in nlp.pipeline for label in getattr(part, "labels", ())}
    write_text(folder / "vocab" / "strings.json", format_json(sorted(needed)))
    known = [sentence_hashes(trees.sentences) for trees in learned]
    known += [start.learned()] if start else []
    np.save(folder / LEARNED_FILE, np.unique(np.concatenate(known)))


def read_treebank(file: Path) -> Treebank:
    """Read a CoNLL-U file to learn from; raises FormatError for a UPOS that spaCy does not know."""
    treebank = read_conllu(file)
    unknown = set(treebank.upos.names) - UNIVERSAL_TAGS.keys() - {"_"}
    if unknown:
        hint = "write _ if there is none, and put other tags into the XPOS column"
        defect = f"UPOS {min(unknown)!r} is not one of Universal Dependencies"
        raise FormatError(defect, file=file, hint=hint)
    return treebank


def refuse_other_labels(name: str, clearnlp: bool, treebanks: Mapping[Path, Treebank]) -> None:
    """Raise PreorderEvalError for treebanks with other labels than the parser or file `name` has.

    Its labels are those of ClearNLP (`clearnlp`) or of UD; a parser trained on both would produce
    trees of neither scheme.
    """
    kinds = "UD", "ClearNLP"
    for file, treebank in treebanks.items():
        if old := in_version_1(label_counts(treebank.labels)):
            warn(f"{file.name}: has {old}")
        if is_clearnlp(treebank.labels) != clearnlp:
            hint = "; start from a UD parser, such as en-web" if clearnlp else ""
            raise PreorderEvalError(
                f"{name} has the labels of {kinds[clearnlp]}, but the treebank {file.name} has "
                f"those of {kinds[not clearnlp]}: a parser can learn only one scheme{hint}"
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
        if reason.startswith("[E1031]"):  # no action is left that would make the first trees
            raise PreorderEvalError(
                "too few words to train on: a parser learns the labels that occur at least 10 "
                "times; give it more sentences"
            ) from error
        raise PreorderEvalError(f"spaCy cannot train on these files: {reason}") from error


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
    rate["total_steps"] = steps  # as a number: `nlp.update` reads the optimizer without variables
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


def resumed_pipeline(parser: SpacyParser, config: Config, settings: TrainingSettings) -> Language:
    """Return a trained pipeline, to be trained further as the config says."""
    nlp = parser.loaded_anew()
    if settings.beam:  # a beam parser with the same labels and weights replaces a greedy one
        old = parser_component(nlp)
        changed = nlp.get_pipe_config(old.name) | {"beam_width": settings.beam}
        del changed["factory"]
        new: Any = nlp.replace_pipe(old.name, "beam_parser", config=changed)
        new.moves.from_bytes(old.moves.to_bytes())
        new.model = old.model
        nlp._link_components()  # noqa: SLF001
    config["corpora"]["train"]["known_tags"] = True
    trained = nlp.config
    # The components may refer to paths and settings of their own.
    shared = {name: {**trained.get(name, {}), **config[name]} for name in ("paths", "system")}
    further = {name: config[name] for name in ("corpora", "training", "initialize")}
    # `update` of a pipeline that is loaded reads its settings as they are.
    further["training"] = config.interpolate()["training"]
    nlp.config = Config({**trained, **further, **shared})
    return nlp


def parser_component(nlp: Language) -> Any:
    """Return the pipeline's parser, greedy or with a beam; PreorderEvalError if there is none."""
    for name in nlp.pipe_names:
        if nlp.get_pipe_meta(name).factory in PARSERS:
            return nlp.get_pipe(name)
    names = ", ".join(nlp.pipe_names) or "no component"
    raise PreorderEvalError(f"the pipeline has no parser that can be trained: {names}")


def set_case(
    nlp: Language,
    start: SpacyParser | None,
    treebanks: Iterable[Treebank],
    wanted: Truecase | None,
    *,
    lower: bool,
) -> str:
    """Let a pipeline learn the case of words; return how it truecases, empty if it does not.

    A new parser, and one that goes on from one without any, learns the case of words from its
    treebanks. It truecases as `wanted`, or else as the one that it goes on from, or else `auto`. It
    forgets the case of words if it never truecases, or learns in `lower` case only. If a parser is
    trained further, its corpora are truecased in the same way as sentences to parse.
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


@registry.loggers(_LOGGER)  # type: ignore[untyped-decorator]
def updates_log() -> Callable[[Language, IO[str], IO[str]], Any]:
    """Write updates, scores and time left for each evaluation."""

    def begin(nlp: Language, stdout: IO[str], stderr: IO[str]) -> Any:
        def write(first: object, cells: Iterable[str]) -> None:
            print(f"{first:>7} {''.join(f'{c:>7}' for c in cells)}", file=stderr, flush=True)

        def step(info: dict[str, Any] | None) -> None:
            if info is None:
                return
            done, scores = info["step"], info["other_scores"]
            if not done:  # not before spaCy has found what it can learn from
                write("updates", [*_SCORES.values(), "left"])
            cells = [f"{scores[name]:.3f}" if name in scores else "" for name in _SCORES]
            to_come = nlp.config["training"]["max_steps"] - done
            left = round(info["seconds"] / done * to_come) if done else 0
            write(done, [*cells, f"{left // 60}:{left % 60:02}" if left else ""])

        return step, lambda: None

    return begin


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
            words += [f"--{'data-name' if name == 'data' else name.replace('_', '-')}", shown]
    return shlex.join(words)
