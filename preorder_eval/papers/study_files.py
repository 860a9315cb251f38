"""Studies read from study files.

Talbot et al. (2011) made automatic alignments for Table 7 by IBM Model 1 (`align = "ibm1"`) and do
not say how they combined its directions. An aligner learns from all translations that it aligns,
taken together, and from more text that the study may name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from preorder_eval.alignment import STEPS, align
from preorder_eval.data.judgments import HumanScores
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import FormatError
from preorder_eval.formats.files import file_hash
from preorder_eval.formats.judgments import read_human_scores
from preorder_eval.formats.reference_set import reference_from_files
from preorder_eval.formats.study_file import ReferenceEntry, StudyFile, SystemEntry, read_study_file
from preorder_eval.formats.text import read_pairs
from preorder_eval.metrics import Metric, OrderMetric, metric
from preorder_eval.papers.study import Study
from preorder_eval.results.defaults import objective
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.joining import scored_beside
from preorder_eval.results.other_scores import by_metric
from preorder_eval.results.parsed import Parsed
from preorder_eval.results.reading import read_texts
from preorder_eval.results.result import Result
from preorder_eval.results.sampling import Sampling
from preorder_eval.results.scoring import score_inputs
from preorder_eval.results.systems import Progress, System, no_progress

ORDER_METRICS = ("fuzzy", "kendall", "kendall(root=true)")


def read_study(
    path: str | Path,
    *,
    resamples: int = 1000,
    seed: int = 0,
    paper: bool = False,
    jobs: int = 1,
    progress: Progress = no_progress,
    scores: Mapping[str, Sequence[Path]] = MappingProxyType({}),
    passed_over: Sequence[str] = (),
) -> Study:
    """Read a study file and all that it names.

    Unaligned words are treated alike for all kinds of references. They are dropped if the
    `objective` of one of them drops them, unless the file names metrics. With `paper` they stay
    beside their neighbours, as in the paper. `jobs` processes share parsing and scoring, where
    there is much. `scores` are files with those of other programs by the metric, beside those that
    the study names; they may have scores of systems `passed_over`. Raises FormatError and
    PreorderEvalError for what is missing or does not fit together.

    >>> import tempfile
    >>> from preorder_eval.formats.writing import write_folder
    >>> from preorder_eval.papers.study_example import example_files
    >>> folder = Path(tempfile.mkdtemp()) / "example"
    >>> write_folder(folder, example_files())
    >>> read_study(folder / "rules.toml", resamples=10).tables()[0].key
    'ratings'
    """
    sampling = Sampling(resamples, seed, "koehn", "all")
    return _Reading(Path(path), sampling, paper, jobs, progress).study(scores, passed_over)


class _Reading:
    """The reading of what a study file names, each text and parse once."""

    def __init__(
        self, path: Path, sampling: Sampling, paper: bool, jobs: int, progress: Progress
    ) -> None:
        self.path, self.folder, self.file = path, path.parent, read_study_file(path)
        self.sampling, self.jobs, self.progress = sampling, jobs, progress
        self.references = study_references(self.file, self.folder, progress)
        self.source = next(iter(self.references.values()))[0].source
        ways = {objective(data).first.unaligned for data, _ in self.references.values()}
        self.dropped = "drop" in ways and not paper
        self.parsed: dict[str, Parsed] = {}

    def study(self, scores: Mapping[str, Sequence[Path]], passed_over: Sequence[str]) -> Study:
        systems = tuple(map(self.system, self.file.system))
        results = self.results(systems)
        named = by_metric(self.file.scores)
        files = {name: [self.folder / file for file in of] for name, of in named.items()}
        # They do not depend on the kind of reference.
        first = next(iter(results))
        [results[first]] = scored_beside([results[first]], {**files, **scores}, passed_over)
        ratings = self.ratings([system.name for system in systems])
        return Study.of(self.file.name, results, ratings, self.file.about)

    def system(self, entry: SystemEntry) -> System:
        """Return a system with its orders, and its output if there is one."""
        if entry.orders:
            system = System.from_orders(self.folder / entry.orders, self.source)
        elif entry.alignment:
            system = System.from_alignment(self.folder / entry.alignment, self.source)
        else:
            file = self.folder / entry.rules
            rules = file if file.is_file() else entry.rules
            system = self.trees(entry).reordered(rules)
        if entry.output:
            [text] = read_texts([self.folder / entry.output])
            system = replace(system, hyp=text.sentences)
        return system.named(entry.name)

    def trees(self, entry: SystemEntry) -> Parsed:
        """Return the trees of a system's source by its parser or from its file."""
        parser = str(self.folder / entry.trees) if entry.trees else entry.parser
        if parser not in self.parsed:
            parsed = Parsed.by(parser, self.source, jobs=self.jobs, progress=self.progress)
            if any(other.name == parsed.name for other in self.parsed.values()):
                # Of two files that are called the same in different folders.
                parsed = replace(parsed, identity={**parsed.identity, "name": entry.name})
            self.parsed[parser] = parsed
        return self.parsed[parser]

    def ratings(self, systems: Sequence[str]) -> HumanScores | None:
        """Return people's ratings of the systems; FormatError if one has none."""
        entry = self.file.ratings
        if entry is None:
            return None
        ratings = read_human_scores(self.folder / entry.file, len(self.source), entry)
        unrated = [name for name in systems if name not in ratings.systems]
        if unrated:
            hint = f"it has ratings of {', '.join(ratings.systems)}"
            defect = f"no rating of {', '.join(unrated)}"
            raise FormatError(defect, file=self.folder / entry.file, hint=hint)
        return ratings.chosen(systems)

    def results(self, systems: tuple[System, ...]) -> dict[str, Result]:
        """Score each kind of reference, with metrics of outputs where it has translations.

        A translation that several kinds have is of the first: the outputs' scores are the same.
        """
        files: dict[str, list[str]] = {}
        for entry in self.file.reference:
            names = [entry.translation] if entry.translation else []
            if not files:
                names = names or list(self.file.translations)
            scored_by = systems[0].hyp is not None and names not in files.values()
            files[entry.kind] = names if scored_by else []
        texts = {
            kind: tuple(read_texts([self.folder / name for name in names]))
            for kind, names in files.items()
        }
        # By default the paper's: FRS, τ, √τ, and BLEU where it can be.
        named = self.file.metrics or [*ORDER_METRICS, *(["bleu"] if any(texts.values()) else [])]
        chosen = [
            replace(m, unaligned="drop" if self.dropped else "attach")
            if isinstance(m, OrderMetric) and not self.file.metrics
            else m
            for m in map(metric, named)
        ]
        results: dict[str, Result] = {}
        scored: list[Metric] = []
        for kind, (data, made_by) in self.references.items():
            possible = [m for m in chosen if texts[kind] or isinstance(m, OrderMetric)]
            scored += possible
            if possible:
                made_by = made_by | ({"about": self.file.about} if self.file.about else {})
                inputs = Inputs(systems, data, texts[kind], made_by=made_by)
                results[kind] = score_inputs(inputs, possible, self.sampling, jobs=self.jobs)
        left_out = [m for m in chosen if m not in scored]
        if left_out:
            defect, hint = f"metric {left_out[0]} needs outputs", "name them and translations"
            raise FormatError(defect, file=self.path, hint=hint)
        return results


def study_references(
    file: StudyFile, folder: Path, progress: Progress
) -> dict[str, tuple[ReferenceSet, dict[str, Any]]]:
    """Return each kind of reference by its name, and the text that its aligner learned from."""

    def translation(kind: ReferenceEntry) -> str:
        return kind.translation or file.translations[0]

    references: dict[str, tuple[ReferenceSet, dict[str, Any]]] = {}
    for kind in file.reference:
        links = folder / kind.alignment if kind.alignment else None
        target = None if links else folder / translation(kind)
        data = reference_from_files(folder / file.source, links, target, name=kind.kind)
        references[kind.kind] = data, {}
    training = file.training
    texts = [training.source, training.target] if training else [(), ()]
    extra = read_pairs(*([folder / text for text in side] for side in texts))
    for name in dict.fromkeys(kind.aligner for kind in file.reference if kind.aligner):
        kinds = [kind for kind in file.reference if kind.aligner == name]
        # A translation that several kinds have is learned from once.
        of_text = {translation(kind): references[kind.kind][0] for kind in kinds}
        with progress(f"learning {name}", STEPS) as advance:
            links_of_all = align(
                [words for data in of_text.values() for words in data.source],
                [words for data in of_text.values() for words in data.target or []],
                name,
                extra=extra,
                advance=advance,
            )
        made_by: dict[str, Any] = {}
        if training:
            files = [*training.source, *training.target]
            made_by["training"] = [{"file": f, "sha256": file_hash(folder / f)} for f in files]
        for kind in kinds:
            data, size = references[kind.kind][0], len(references[kind.kind][0])
            first = list(of_text).index(translation(kind)) * size
            aligned = links_of_all.take(np.arange(first, first + size))
            references[kind.kind] = replace(data, alignments=aligned), made_by
    return references
