import io
import random

import numpy as np
import pytest

from preorder_eval.errors import FormatError
from preorder_eval.training.checkpoint import (
    CheckpointFile,
    Snapshot,
    random_state,
    set_random_state,
)

ARRAY = io.BytesIO()
np.save(ARRAY, np.zeros(3))
ARRAY = ARRAY.getvalue()


def draw():
    """Numbers from both global generators, Gaussian ones too: each keeps a second for later."""
    own = random.random(), random.gauss(0, 1)
    return *own, np.random.random(), np.random.normal()  # noqa: NPY002 (thinc uses it)


def test_random_generators_go_on_where_they_were():
    draw()
    state = random_state()
    draws = [draw() for _ in range(1000)]
    set_random_state(state)
    assert [draw() for _ in range(1000)] == draws


def test_a_checkpoint_is_read_as_it_was_written(tmp_path):
    file = CheckpointFile(tmp_path / "c.npz", {"seed": 1, "weights": (1, 2)})
    assert file.read() is None
    weights = np.array([0.1, np.nan, -np.inf], dtype=np.float32)
    for step in range(2):
        file.write(Snapshot({"step": step, "score": np.float32(0.1)}, {"a/W": weights}))
    found = file.read()
    assert found.facts == {"step": 1, "score": float(np.float32(0.1))}
    assert found.arrays["a/W"].tobytes() == weights.tobytes()
    assert [path.name for path in tmp_path.iterdir()] == ["c.npz"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"x" * 300, ARRAY])
def test_a_damaged_checkpoint_is_named(tmp_path, content):
    (tmp_path / "c.npz").write_bytes(content)
    with pytest.raises(FormatError, match=r"c\.npz: a damaged checkpoint; repeat its command, or"):
        CheckpointFile(tmp_path / "c.npz", {}).read()


@pytest.mark.slow
def test_any_damaged_byte_is_refused_or_changes_nothing(tmp_path):
    """Such as another way of compression, which zipfile does not know."""
    path = tmp_path / "c.npz"
    file = CheckpointFile(path, {"seed": 1})
    file.write(Snapshot({"step": 3}, {"a/W": np.arange(3.0)}))
    whole = path.read_bytes()
    refused = 0
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        try:
            read = file.read()
        except FormatError:
            refused += 1
        else:
            assert read.facts == {"step": 3}
            assert read.arrays.get("a/W", np.arange(3.0)).tolist() == [0, 1, 2]
    assert refused > len(whole) / 2


def test_pickled_objects_are_not_loaded(tmp_path):
    np.savez(tmp_path / "c.npz", facts=np.array([print], dtype=object))
    with pytest.raises(FormatError, match="a damaged checkpoint"):
        CheckpointFile(tmp_path / "c.npz", {}).read()


def test_what_differs_is_said(tmp_path):
    path = tmp_path / "c.npz"
    CheckpointFile(path, {"seed": 1, "steps": 5}).write(Snapshot({}, {}))
    with pytest.raises(FormatError, match="other steps: 5 instead of 6"):
        CheckpointFile(path, {"seed": 1, "steps": 6}).read()
    with pytest.raises(FormatError, match="other beam: null instead of 8"):
        CheckpointFile(path, {"seed": 1, "steps": 5, "beam": 8}).read()
