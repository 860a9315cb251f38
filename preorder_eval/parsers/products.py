"""Matrix products by numpy's OpenBLAS, for pipelines made by `train`.

thinc multiplies with BLIS, whose wheels are optimised for few processors; on the others OpenBLAS
needs a third of the time. But the order in which OpenBLAS adds up numbers depends on the number of
threads and on the position of a row in its matrix. So OpenBLAS gets one thread here, and each
sentence is multiplied alone. Then trees and scores do not depend on threads, on positions, or on
the sentences that are parsed together. Each pipeline has its own operations; other pipelines, and
the threads of other code in the process, are not affected. If numpy is built with another library,
such as Apple's Accelerate, thinc's products are used.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from thinc.api import Model, NumpyOps

Matrix = NDArray[np.float32]
_LOCK = threading.Lock()
_PREFIXES = "scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}"


@functools.cache
def _threads() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """Return the functions that get and set the threads of OpenBLAS in numpy's wheel, if any."""
    package = Path(np.__file__).parent
    folders = package.with_name("numpy.libs"), package / ".dylibs"
    for file in sorted(file for folder in folders for file in folder.glob("*openblas*")):
        library = ctypes.CDLL(str(file))  # which numpy has loaded already
        for name in _PREFIXES:
            if hasattr(library, name.format("set_num_threads")):
                asked = library[name.format("get_num_threads")]
                return asked, library[name.format("set_num_threads")]
    return None


class _OneThread:
    """The number of products in progress, each in one thread, and the thread count to restore."""

    def __init__(self) -> None:
        self.products = self.before = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Limit OpenBLAS to one thread; restore its thread count after the last product."""
        functions = _threads()
        if functions is None:
            yield
            return
        get, let = functions
        with _LOCK:
            if not self.products:
                self.before = get()
                let(1)
            self.products += 1
        try:
            with np.errstate(all="ignore"):  # false alarms: see `matrix_product`
                yield
        finally:
            with _LOCK:
                self.products -= 1
                if not self.products:
                    let(self.before)


_ONE_THREAD = _OneThread()


class TrainingOps(NumpyOps):  # type: ignore[misc]
    """Operations of thinc with numpy's products by one thread, of whole batches."""

    def __init__(self) -> None:
        super().__init__(use_blis=False)

    def gemm(self, x: Matrix, y: Matrix, **options: Any) -> Matrix:
        """Multiply; the options are thinc's: `out`, `trans1` and `trans2`."""
        with _ONE_THREAD.held():
            product: Matrix = super().gemm(x, y, **options)
        return product


class SentenceOps(NumpyOps):  # type: ignore[misc]
    """Operations of thinc with numpy's products by one thread, sentence by sentence.

    `flatten` makes one matrix of the sentences of a batch, so it knows their rows.
    """

    def __init__(self) -> None:
        super().__init__()
        self._flat = threading.local()

    def flatten(self, *arguments: Any, **options: Any) -> Any:
        """Put arrays one after another, with `pad` empty rows before each and after the last."""
        flat = super().flatten(*arguments, **options)
        pad = options.get("pad", 0)
        stops = list(accumulate(len(array) + pad for array in arguments[0]))
        starts = [before + pad for before in [0, *stops[:-1]]]
        self._flat.sentences = list(zip(starts, stops, strict=True))
        self._flat.rows = len(flat)
        between = np.ones(len(flat), dtype=bool)
        for start, stop in self._flat.sentences:
            between[start:stop] = False
        self._flat.between = np.flatnonzero(between)
        return flat

    def gemm(
        self,
        x: Matrix,
        y: Matrix,
        out: Matrix | None = None,
        trans1: bool = False,
        trans2: bool = False,
    ) -> Matrix:
        """Multiply sentence by sentence; any other matrix is multiplied as thinc does."""
        if trans1 or len(x) != getattr(self._flat, "rows", None):
            product: Matrix = super().gemm(x, y, out=out, trans1=trans1, trans2=trans2)
            return product
        right = y.T if trans2 else y
        made: Matrix = np.empty((len(x), right.shape[1]), np.float32) if out is None else out
        with _ONE_THREAD.held():
            for start, stop in self._flat.sentences:
                np.dot(x[start:stop], right, out=made[start:stop])
        between = self._flat.between
        if len(between):
            made[between] = super().gemm(x[between], y, trans2=trans2)
        return made


def multiply_by(nlp: Language, kind: type[TrainingOps | SentenceOps]) -> None:
    """Give all components of a pipeline their own operations, if numpy has OpenBLAS."""
    if _threads() is None:
        return
    ops = kind()
    for _, component in nlp.components:
        model = getattr(component, "model", None)
        for node in model.walk() if isinstance(model, Model) else ():
            node.ops = ops
