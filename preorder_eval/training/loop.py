"""spaCy's training loop, made to go on where it was interrupted.

It takes the same steps in the same order as `spacy.training.loop.train`, from whose parts it is
built, and gives the same weights, bit by bit on one machine (another processor adds up float32 in
another order); but it writes a checkpoint at every evaluation and can start from one. A batch of
an earlier step is then drawn again, with the random generators as they were, and not learned
from, so that batches come as without interruption.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.schemas import ConfigSchemaTraining
from spacy.training import Example
from spacy.training.loop import (
    create_evaluation_callback,
    create_train_batches,
    subdivide_batch,
    update_meta,
)
from spacy.util import registry, resolve_dot_names
from thinc.api import fix_random_seed

from preorder_eval.training.checkpoint import (
    Arrays,
    CheckpointFile,
    Snapshot,
    model_arrays,
    optimizer_arrays,
    random_state,
    restore_models,
    restore_optimizer,
    set_random_state,
    trainable,
)

Batch = tuple[int, list[Example]]  # with the number of its epoch


def learn(
    nlp: Language,
    checkpoints: CheckpointFile,
    *,
    keep_last: bool = False,
    log: IO[str] = sys.stderr,
    advance: Callable[[int], None] | None = None,
) -> int:
    """Train a pipeline by the `[training]` block of its config.

    In the end it has the weights of the best evaluation (the latest of equals, or with `keep_last`
    of all) and the scores in its meta data. Returns the step they are of. `log` gets a line for
    each evaluation; `advance` is told how many more steps are done.
    """
    training = _Training(nlp, keep_last)
    snapshot = checkpoints.read()
    if snapshot:
        try:
            training.restore(snapshot)
        except Exception as error:  # parts that are missing or of other shapes
            raise checkpoints.damaged() from error
        print(f"going on after step {training.step:,}", file=log)
        if advance:
            advance(training.step + 1)
    start_logger = training.settings["logger"]
    console = nlp.config["training"]["logger"].get("@loggers", "").startswith("spacy.Console")
    log_step, end_logger = (_no_log, _no_end) if console else start_logger(nlp, log, sys.stderr)
    resumable = not any(node.shims for _, pipe in trainable(nlp) for node in pipe.model.walk())
    for info, evaluated in training.steps():
        log_step(info if evaluated else None)
        if evaluated:
            # A layer of another framework keeps part of its optimizer's state to itself.
            if resumable:
                checkpoints.write(training.snapshot())
            print(training.report(info), file=log, flush=True)
        if advance:
            advance(1)
    end_logger()
    restore_models(nlp, training.kept)
    nlp.meta["performance"] = training.performance
    return max(training.results)[1] if not keep_last else training.results[-1][1]


def _no_log(info: dict[str, Any] | None) -> None:
    """In the place of spaCy's table on the console."""


def _no_end() -> None:
    """The end of `_no_log`."""


class _Training:
    """A training between two steps: what changes from step to step."""

    def __init__(self, nlp: Language, keep_last: bool) -> None:
        self.nlp = nlp
        self.keep_last = keep_last
        config = nlp.config.interpolate()
        if config["training"]["seed"] is not None:
            fix_random_seed(config["training"]["seed"])
        settings = registry.resolve(config["training"], schema=ConfigSchemaTraining)
        names = [settings["train_corpus"], settings["dev_corpus"]]
        train, dev = resolve_dot_names(config, names)
        source = create_train_batches(nlp, train, settings["batcher"], settings["max_epochs"])
        dropout = settings["dropout"]
        self.settings = settings
        self.optimizer = settings["optimizer"]
        self.batches = _Batches(source)
        self.evaluate = create_evaluation_callback(nlp, dev, settings["score_weights"])
        self.dropouts = itertools.repeat(dropout) if isinstance(dropout, float) else dropout
        self.step = -1  # the last one taken
        self.results: list[tuple[float, int]] = []  # score and step of each evaluation
        self.losses: dict[str, float] = {}  # since the last evaluation
        self.kept: Arrays = {}
        self.performance: dict[str, Any] = {}
        self.words, self.seconds = 0, 0.0  # since the last evaluation, for the log only

    def steps(self) -> Iterator[tuple[dict[str, Any], bool]]:
        """Take all steps that are left; yields spaCy's facts about each, and if it evaluated."""
        while not self._ended():
            start = perf_counter()
            drawn = next(self.batches, None)
            if drawn is None:
                return
            self.step += 1
            epoch, batch = drawn
            self._update(epoch, batch)
            self.words += sum(map(len, batch))
            self.seconds += perf_counter() - start
            evaluated = self.step % self.settings["eval_frequency"] == 0
            evaluated |= self.keep_last and self.step == self.settings["max_steps"]
            info: dict[str, Any] = {
                "epoch": epoch,
                "step": self.step,
                "losses": self.losses,
                "score": None,
                "other_scores": None,
            }
            if evaluated:
                self._evaluate(info)
                self.losses = {}
            info |= {"checkpoints": self.results, "words": self.words, "seconds": self.seconds}
            yield info, evaluated
            if evaluated:
                self.words, self.seconds = 0, 0.0

    def _ended(self) -> bool:
        patience, most = self.settings["patience"], self.settings["max_steps"]
        if self.step < 0:
            return False
        best = -max((score, -step) for score, step in self.results)[1]  # the earliest of equals
        return bool((patience and self.step - best >= patience) or (most and self.step >= most))

    def _update(self, epoch: int, batch: list[Example]) -> None:
        settings, nlp = self.settings, self.nlp
        if settings["before_update"]:
            settings["before_update"](nlp, {"step": self.step, "epoch": epoch})
        drop = next(self.dropouts)
        frozen = settings["frozen_components"]
        parts = subdivide_batch(batch, settings["accumulate_gradient"])  # type: ignore[no-untyped-call]
        for part in parts:
            nlp.update(
                part,
                drop=drop,
                losses=self.losses,
                sgd=False,  # type: ignore[arg-type]
                exclude=frozen,
                annotates=settings["annotating_components"],
            )
        for name, pipe in trainable(nlp):
            if name not in frozen:
                pipe.finish_update(self.optimizer)
        self.optimizer.step_schedules()

    def _averaged(self) -> AbstractContextManager[Any]:
        averages = self.optimizer.averages
        return self.nlp.use_params(averages) if averages else nullcontext()

    def _evaluate(self, info: dict[str, Any]) -> None:
        with self._averaged():
            info["score"], info["other_scores"] = self.evaluate()
            self.results.append((info["score"], self.step))
            if self.keep_last or info["score"] == max(self.results)[0]:
                self.kept = model_arrays(self.nlp)
                update_meta(self.settings, self.nlp, info)
                self.performance = dict(self.nlp.meta["performance"])

    def report(self, info: dict[str, Any]) -> str:
        """An evaluation in one line."""
        shown = [
            name for name, weight in self.settings["score_weights"].items() if weight is not None
        ]
        scores = "".join(
            f"  {name} {100 * value:.1f}"
            for name in shown
            if isinstance(value := info["other_scores"].get(name), float)
        )
        best = "  best" if info["score"] == max(self.results)[0] else ""
        speed = info["words"] / max(info["seconds"], 1e-9)
        most = self.settings["max_steps"]
        of = f" of {most:,}" if most else ""
        return (
            f"step {self.step:,}{of}, epoch {info['epoch'] + 1}:{scores}"
            f"  {speed:,.0f} words/s{best}"
        )

    def snapshot(self) -> Snapshot:
        """All that the coming steps depend on, right after an evaluation."""
        # Losses are not in it: they start anew at an evaluation, as do the words for the log.
        facts = {
            "step": self.step,
            "results": self.results,
            "performance": self.performance,
            "strings": sorted(self.nlp.vocab.strings),  # they are written with the pipeline
        }
        drawn = self.batches.drawn
        arrays = {
            "random": random_state(),
            "draw_steps": np.array(list(drawn), dtype=np.int64),
            "draw_states": np.array(list(drawn.values())),
        }
        parts = {
            "model": model_arrays(self.nlp),
            "kept": self.kept,
            "optimizer": optimizer_arrays(self.nlp, self.optimizer),
        }
        for part, values in parts.items():
            arrays |= {f"{part}/{name}": array for name, array in values.items()}
        return Snapshot(facts, arrays)

    def restore(self, snapshot: Snapshot) -> None:
        """Become the training that gave the snapshot."""
        facts, arrays = snapshot.facts, snapshot.arrays
        self.step = facts["step"]
        self.results = [(score, step) for score, step in facts["results"]]
        self.performance = facts["performance"]
        done = self.step + 1
        for string in facts["strings"]:
            self.nlp.vocab.strings.add(string)
        self.kept = _part(arrays, "kept")
        restore_models(self.nlp, _part(arrays, "model"))
        restore_optimizer(self.nlp, self.optimizer, _part(arrays, "optimizer"), done)
        steps = arrays["draw_steps"].tolist()
        self.batches.skip(done, dict(zip(steps, arrays["draw_states"], strict=True)))
        self.dropouts = itertools.islice(self.dropouts, done, None)
        set_random_state(arrays["random"])


def _part(arrays: Arrays, part: str) -> Arrays:
    prefix = part + "/"
    return {name.removeprefix(prefix): a for name, a in arrays.items() if name.startswith(prefix)}


class _Batches(Iterator[Batch]):
    """Batches, with the state of the random generators before each draw that made use of them."""

    def __init__(self, source: Iterator[Batch]) -> None:
        self.source = source
        self.count = 0
        self.drawn: dict[int, NDArray[np.float64]] = {}  # by number of the batch

    def __next__(self) -> Batch:
        before = random_state()
        batch = next(self.source)
        if not np.array_equal(before, random_state(), equal_nan=True):
            self.drawn[self.count] = before
        self.count += 1
        return batch

    def skip(self, count: int, drawn: dict[int, NDArray[np.float64]]) -> None:
        """Draw a number of batches again as they were drawn before."""
        for number in range(count):
            if number in drawn:
                set_random_state(drawn[number])
            next(self)
