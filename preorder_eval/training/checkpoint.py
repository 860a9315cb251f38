"""The state of an interrupted training, in one file that is there whole or not at all.

Everything that decides the coming updates is in it: weights; the optimizer's moments, averages
and counts; the states of Python's and numpy's random generators, also those in which earlier
batches were drawn, so that the order of the data can be drawn again. It is numpy's `.npz`
without pickled objects, and JSON.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from thinc.api import Optimizer

from preorder_eval.errors import FormatError
from preorder_eval.formats.writing import replacing

Arrays = dict[str, NDArray[Any]]
_FACTS = "facts"


@dataclass(frozen=True)
class Snapshot:
    """What a checkpoint holds: `facts` that JSON can say, and arrays by name."""

    facts: dict[str, Any]
    arrays: Arrays


@dataclass(frozen=True)
class CheckpointFile:
    """Where the checkpoints of one training are kept.

    `identity` is what must be the same for a training to go on: settings, data, versions.
    """

    path: Path
    identity: Mapping[str, Any]

    def write(self, snapshot: Snapshot) -> None:
        """Put this checkpoint in the place of the last."""
        text = json.dumps({"identity": self.identity, **snapshot.facts}, default=float)
        arrays: Arrays = {_FACTS: np.frombuffer(text.encode(), dtype=np.uint8)}
        archive = BytesIO()  # written to a file, its small parts would be a thousand writes
        np.savez(archive, allow_pickle=False, **(arrays | snapshot.arrays))
        with replacing(self.path) as file:
            file.write(archive.getbuffer())

    def read(self) -> Snapshot | None:
        """The last checkpoint, None if there is none.

        Raises FormatError for that of another training and for a damaged one.
        """
        try:
            with self.path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            facts = json.loads(arrays.pop(_FACTS).tobytes())
            stored = facts.pop("identity")
        except FileNotFoundError:
            return None
        except Exception as error:  # zipfile, zlib and numpy have a dozen for damaged bytes
            raise self.damaged() from error
        # JSON has lists for tuples: compare what both look like as JSON.
        wanted = json.loads(json.dumps(self.identity))
        for key in sorted({*wanted, *stored}):
            if wanted.get(key) != stored.get(key):
                raise FormatError(
                    f"an interrupted training with other {key}: "
                    f"{_brief(stored.get(key))} instead of {_brief(wanted.get(key))}",
                    file=self.path,
                    mend=self._mend,
                )
        return Snapshot(facts, arrays)

    def damaged(self) -> FormatError:
        """What is said of a checkpoint that cannot be used."""
        return FormatError("a damaged checkpoint", file=self.path, mend=self._mend)

    @property
    def _mend(self) -> str:
        return f"repeat its command, or remove the folder {self.path.parent} to start anew"


def _brief(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else text[:99] + "…"


def trainable(nlp: Language) -> Iterator[tuple[str, Any]]:
    """The components that have a model, by name; the same ones that spaCy's loop updates."""
    pipeline: list[tuple[str, Any]] = nlp.pipeline
    for name, pipe in pipeline:
        if getattr(pipe, "is_trainable", False) and pipe.model not in (True, False, None):
            yield name, pipe


def model_arrays(nlp: Language) -> Arrays:
    """The weights of all components, each in its serialised form; uint8."""
    return {name: np.frombuffer(p.model.to_bytes(), np.uint8) for name, p in trainable(nlp)}


def restore_models(nlp: Language, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Set the weights that `model_arrays` gave."""
    for name, pipe in trainable(nlp):
        pipe.model.from_bytes(arrays[name].tobytes())


def optimizer_arrays(nlp: Language, optimizer: Optimizer) -> Arrays:
    """The moments, averages and update counts of every parameter that was ever updated.

    thinc keys them by numbers that differ from process to process; here they have names, such as
    `mom1/parser/3/W`: parameter W of the third layer in the parser's walk.
    """
    names = _parameter_names(nlp)
    arrays = {
        f"{table}/{names[key]}": values
        for table in ("mom1", "mom2", "averages")
        for key, values in (getattr(optimizer, table) or {}).items()
    }
    counts = {f"nr_update/{names[key]}": np.array(n) for key, n in optimizer.nr_update.items()}
    return arrays | counts


def restore_optimizer(nlp: Language, optimizer: Optimizer, arrays: Arrays, updates: int) -> None:
    """Set what `optimizer_arrays` gave, and let schedules run as far as after the updates."""
    keys = {name: key for key, name in _parameter_names(nlp).items()}
    for label, values in arrays.items():
        table, _, name = label.partition("/")
        restored = int(values) if table == "nr_update" else values
        getattr(optimizer, table)[keys[name]] = restored
    for _ in range(updates):
        optimizer.step_schedules()  # type: ignore[no-untyped-call]


def _parameter_names(nlp: Language) -> dict[tuple[int, str], str]:
    return {
        (node.id, parameter): f"{name}/{i}/{parameter}"
        for name, pipe in trainable(nlp)
        for i, node in enumerate(pipe.model.walk())
        for parameter in node.param_names
    }


def random_state() -> NDArray[np.float64]:
    """The states of Python's and numpy's global random generators as one vector.

    >>> state = random_state()
    >>> a = random.random(), np.random.random()
    >>> set_random_state(state)
    >>> a == (random.random(), np.random.random())
    True
    """
    _, words, gauss = random.getstate()
    _, key, *rest = np.random.get_state()  # noqa: NPY002 (thinc draws from it)
    python_state = np.array([*words, np.nan if gauss is None else gauss])
    # Whole numbers below 2**32 are exact in float64.
    return np.concatenate([python_state, np.asarray(key, np.float64), np.array(rest, np.float64)])


def set_random_state(state: NDArray[np.float64]) -> None:
    """Set what `random_state` gave."""
    words, gauss, key = state[:625], float(state[625]), state[626:1250]
    integers = tuple(int(word) for word in words)
    random.setstate((3, integers, None if np.isnan(gauss) else gauss))
    position, has_gauss, cached = state[1250:]
    np.random.set_state(  # noqa: NPY002
        ("MT19937", key.astype(np.uint32), int(position), int(has_gauss), float(cached))
    )
