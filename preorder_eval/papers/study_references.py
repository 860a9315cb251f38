"""The kinds of references of a study: links of the source from files, or made by an aligner.

Automatic alignments are made as the paper made them, by IBM Model 1 in one direction unless the
study says otherwise (`papers.reference_kinds`). An aligner learns from all translations that it
aligns, taken together, and from more text that the study may name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.alignment import aligner
from preorder_eval.alignment.ibm1 import directions
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.files import file_hash
from preorder_eval.formats.reference_set import reference_from_files
from preorder_eval.formats.study_file import ReferenceEntry, StudyFile
from preorder_eval.formats.text import read_pairs
from preorder_eval.results.reading import ITERATIONS
from preorder_eval.results.systems import Progress


@dataclass(frozen=True, eq=False)
class StudyReference:
    """A kind of reference; `made_by` identifies the aligner, where its links are automatic."""

    data: ReferenceSet
    made_by: dict[str, Any]


def study_references(
    file: StudyFile, folder: Path, progress: Progress
) -> dict[str, StudyReference]:
    """Each kind of reference by its name, in the order of the file.

    Raises FormatError for files that do not fit together, and UnknownNameError for an aligner.
    """
    sets = {kind.kind: _unlinked_or_read(file, kind, folder) for kind in file.reference}
    found = {name: StudyReference(data, {}) for name, data in sets.items()}
    ways = dict.fromkeys((kind.align, kind.symmetrize) for kind in file.reference if kind.align)
    for name, how in ways:
        kinds = [kind for kind in file.reference if (kind.align, kind.symmetrize) == (name, how)]
        # A translation that several kinds have is learned from once.
        of_text = {_translation(file, kind): sets[kind.kind] for kind in kinds}
        size = len(sets[kinds[0].kind])
        training = file.training
        extra_files = [training.source, training.target] if training else [(), ()]
        extra = read_pairs(*([folder / text for text in texts] for texts in extra_files))
        with progress(f"learning {name}", ITERATIONS * directions(how)) as advance:
            links = aligner(name)(
                [words for data in of_text.values() for words in data.source],
                [words for data in of_text.values() for words in data.target or []],
                iterations=ITERATIONS,
                how=how,
                extra=extra,
                advance=advance,
            )
        made_by: dict[str, Any] = {
            "align": {"aligner": name, "iterations": ITERATIONS, "symmetrize": how}
        }
        hashes = [
            {"file": text, "sha256": file_hash(folder / text)}
            for texts in extra_files
            for text in texts
        ]
        made_by |= {"training": hashes} if hashes else {}
        for kind in kinds:
            first = list(of_text).index(_translation(file, kind)) * size
            own = links.take(np.arange(first, first + size))
            data = replace(sets[kind.kind], alignments=own)
            found[kind.kind] = StudyReference(data, made_by)
    return found


def _unlinked_or_read(file: StudyFile, kind: ReferenceEntry, folder: Path) -> ReferenceSet:
    """The source with the links of a kind, or with its translation where they are to be made."""
    source = folder / file.source
    if kind.alignment:
        return reference_from_files(source, folder / kind.alignment, name=kind.kind)
    return reference_from_files(source, None, folder / _translation(file, kind), name=kind.kind)


def _translation(file: StudyFile, kind: ReferenceEntry) -> str:
    return kind.translation or file.translations[0]
