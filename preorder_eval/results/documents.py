"""Documents: sentences of one text are not drawn independently of each other.

Where it is known which document every sentence is of, intervals and tests draw documents instead of
sentences: their statistics are summed beforehand. Intervals are then wider, and honest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.errors import FormatError
from preorder_eval.formats.files import file_hash, read_lines
from preorder_eval.results.inputs import Inputs
from preorder_eval.visible import quantity

DOCUMENTS = "source_documents"  # the name of every sentence's document among the inputs


def with_documents(inputs: Inputs, file: Path) -> Inputs:
    """The inputs with the names of the sentences' documents, one a line.

    Raises FormatError for a line without a name, another number of lines than there are sentences,
    and fewer than two documents.
    """
    names = read_lines(file, blank=True)
    if len(names) != len(inputs):
        raise FormatError(
            f"{quantity(len(names), 'line')}, but there are {quantity(len(inputs), 'sentence')}",
            file=file,
            mend="write the name of its document for every sentence",
        )
    for number, name in enumerate(names, 1):
        if not name.strip():
            mend = "write the name of the sentence's document"
            raise FormatError("is empty", file=file, line=number, mend=mend)
    if len(set(names)) < 2:
        raise FormatError("has one document alone, which cannot be resampled", file=file)
    made_by = {DOCUMENTS: [{"file": str(file), "sha256": file_hash(file)}]}
    return replace(
        inputs,
        shared={**inputs.shared, DOCUMENTS: names},
        made_by={**inputs.made_by, **made_by},
    )


def by_document(statistics: Floats, documents: Sequence[str], counted: Bools) -> Floats:
    """Statistics of sentences, float64[R, S, k], summed over documents: float64[R, D, k].

    `counted` bool[T] says which of the sentences that `documents` names these S are.

    >>> ones = np.ones((1, 3, 1))
    >>> by_document(ones, ["a", "b", "a", "c"], np.array([True, True, True, False])).tolist()
    [[[2.0], [1.0]]]
    """
    known = [name for name, kept in zip(documents, counted, strict=True) if kept]
    number = {name: i for i, name in enumerate(dict.fromkeys(known))}
    sums = np.zeros((len(number), len(statistics), statistics.shape[2]))
    np.add.at(sums, np.array([number[name] for name in known]), statistics.swapaxes(0, 1))
    return sums.swapaxes(0, 1)
