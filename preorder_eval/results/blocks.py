"""Orders of a large corpus, scored in blocks of lines that several processes share.

Every process reads its own blocks and keeps none: what comes back are statistics of sentences. The
result is that of the whole files. Files that are not plain in every block (`formats.scanning`) are
left to the readers, which take what is unusual and report what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Unpack
from warnings import catch_warnings

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import InputWarning, PreorderEvalError
from preorder_eval.formats.alignment import (
    AUTO,
    AlignmentOptions,
    Reading,
    aligner_of,
    note_reading,
    scan_alignment,
    scanned_form,
)
from preorder_eval.formats.conllu import is_conllu
from preorder_eval.formats.files import file_hash, is_compressed, labelled_path, read_input, stem
from preorder_eval.formats.order_files import scan_orders
from preorder_eval.formats.text import parse_sentences, warn_if_raw
from preorder_eval.metrics.base import Metric
from preorder_eval.processes import Processes
from preorder_eval.results import notes
from preorder_eval.results.defaults import objective, objective_at
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.result import Result
from preorder_eval.results.sampling import Sampling, judged, measured
from preorder_eval.results.scoring import score_systems
from preorder_eval.results.system_warnings import moves
from preorder_eval.results.systems import System, file_facts

MANY = 50_000  # sentences, from which it is worth while
_BLOCK = 1 << 13  # sentences


class _Scored(NamedTuple):
    """The statistics of a block for each system and metric, and what its links cover."""

    metrics: Sequence[Metric]
    statistics: list[list[Floats]]
    informative: Bools
    linked: int
    words: int


def score_orders(
    source: Path,
    alignment: Path,
    orders: Sequence[str | Path],
    metrics: Sequence[Metric],
    sampling: Sampling,
    *,
    jobs: int,
    **reading: Unpack[AlignmentOptions],
) -> Result | None:
    """Score permutation files as `evaluate` does, without metrics by the objective.

    None for files that are small or not plain, and where sentences are asked for.
    """
    given = list(map(labelled_path, orders))
    paths = [source, alignment, *(path for _, path in given)]
    if is_conllu(source) or any(not path.is_file() or is_compressed(path) for path in paths):
        return None
    if len({*metrics}) < len(metrics):
        return None
    files = _read(paths)
    lines = [np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n")) + 1 for data in files]
    size = len(lines[0])
    whole = all(data.endswith(b"\n") for data in files)
    if size < MANY or {*map(len, lines)} != {size} or not whole:
        return None
    form = scanned_form(files[1], reading.pop("form", AUTO))
    if form is None:
        return None
    borders = [[0, *ends[_BLOCK - 1 : -1 : _BLOCK].tolist(), int(ends[-1])] for ends in lines]
    name, names = stem(alignment), [label or stem(path) for label, path in given]
    aligner = aligner_of(alignment)
    wanted: Sequence[Metric] = metrics
    with closing(Processes(jobs, _read, paths, made=files)) as together:
        while True:
            score = partial(_scored, [name, *names], wanted, aligner, form, reading)
            parts = []
            for part in together.map(score, zip(*map(pairwise, borders), strict=True)):
                if part is None:
                    return None
                parts.append(part)
            coverage = sum(part.linked for part in parts) / sum(part.words for part in parts)
            wanted = metrics or objective_at(coverage, automatic=bool(aligner))
            if all(list(part.metrics) == list(wanted) for part in parts):
                break  # else some blocks have fewer links than the whole, or more
    direction = reading.get("direction", "source-target")
    note_reading(alignment, form, reading.get("base") or 0, direction)
    by_number = list(enumerate(wanted))
    informative = np.concatenate([part.informative for part in parts])
    scores = [
        [by.scores_of(np.concatenate([p.statistics[s][m] for p in parts])) for m, by in by_number]
        for s in range(len(names))
    ]
    counted = [~np.isnan(by.sentence) for by in scores[0]]
    measurements = [
        measured(by, [row[m].statistics for row in scores], counted[m], name) for m, by in by_number
    ]
    systems = [
        System(called, made_by={"orders": file_facts(path)})
        for called, (_, path) in zip(names, given, strict=True)
    ]
    scored = list(map(np.ndarray.tobytes, counted))
    hashes = {path.name: file_hash(path) for path in (source, alignment)}
    reference = {"name": name, "sentences": size, "orders": 1, "files": hashes}
    return Result(
        about={"reference": reference | ({"aligner": aligner} if aligner else {})},
        made=systems,
        size=size,
        left_out=(np.flatnonzero(~informative) + 1).tolist(),
        metrics=tuple(wanted),
        measurements=measurements,
        **judged(systems, wanted, measurements, scored, sampling, of_orders=True),
        cut_short=[
            [by.cut_short(s.statistics) for by, s in zip(wanted, row, strict=True)]
            for row in scores
        ],
        title=notes.reference_size(name, size, coverage),
        remarks=notes.unaligned_notes(wanted, coverage),
        scores=scores,
    )


def _read(paths: Sequence[Path]) -> list[bytes]:
    return list(map(read_input, paths))


def _scored(
    names: Sequence[str],
    wanted: Sequence[Metric],
    aligner: str,
    form: str,
    reading: Reading,
    files: list[bytes],
    places: Sequence[tuple[int, int]],
) -> _Scored | None:
    """Score a block, by its bytes in every file; None if it is not plain or does not fit.

    `names` are those of the reference and of the systems. Without `wanted` metrics, the objective
    of the block counts.
    """
    blocks = [data[slice(*place)] for data, place in zip(files, places, strict=True)]
    name, *names = names
    try:
        with catch_warnings(action="error"):
            sentences = parse_sentences(blocks[0], name)
            if places[0][0] == 0:
                warn_if_raw(sentences, name)
        lengths = sentence_lengths(sentences)
        links = scan_alignment(blocks[1], name, lengths, form, **reading)
        orders = [scan_orders(data, lengths) for data in blocks[2:]]
        if links is None or None in orders:
            return None
        reference = ReferenceSet(name, sentences, replace(links, aligner=aligner))
        if not moves(reference.references):
            return None
        systems = tuple(map(System, names, orders))
        metrics = wanted or objective(reference)
        scores = score_systems(Inputs(systems, reference), metrics)
    except (PreorderEvalError, InputWarning):
        return None
    aligned = reference.references.aligned
    statistics = [[of.statistics for of in row] for row in scores]
    return _Scored(metrics, statistics, reference.informative, int(aligned.sum()), len(aligned))
