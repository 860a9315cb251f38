"""A test set of mt-metrics-eval: outputs, human scores and scores of metrics of a language pair.

mt-metrics-eval (github.com/google-research/mt-metrics-eval) distributes the data of WMT's metrics
tasks. The folder of a test set, such as wmt22, has for a language pair LP, such as ja-en:

documents/LP.docs                          domain and document of each segment
sources/LP.txt, references/LP.REF.txt      the source and the references, a segment a line
system-outputs/LP/SYSTEM.txt               outputs; a reference that is judged, too, is among them
human-scores/LP.NAME.LEVEL.score           scores of LEVEL seg (segments) or sys (systems), lines of
metric-scores/LP/NAME-REF.LEVEL.score      `SYSTEM SCORE`, systems one after the other; human ones
                                           that are missing are `None`

REF is the reference of a metric: names joined by dots, `all`, or `src` for none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.base.files.files import read_lines
from preorder_eval.base.files.tsv import MISSING, finite
from preorder_eval.base.stats.unit import Unit
from preorder_eval.base.visible import quantity
from preorder_eval.judgments.human_scores import HumanScores
from preorder_eval.metrics.score_files import read_score_file

SEGMENTS, SYSTEMS = "seg", "sys"
_HINT = "name a folder TEST_SET/LP of mt-metrics-eval, such as mt-metrics-eval-v2/wmt22/en-de"
# Human scores from the one that the metrics tasks took first on (MQM since 2021).
_STANDARD = ("mqm", "esa", "wmt", "wmt-appraise", "da-sqm", "wmt-raw", "wmt-z")
# References that a task took where it is not the first by name that most metrics have.
_REFERENCES = {
    ("wmt21.news", "en-de"): "refC",
    ("wmt21.news", "zh-en"): "refB",
    ("wmt21.tedtalks", "zh-en"): "refB",
}
# Outliers that a task left out.
_OUTLIERS = {("wmt22", "en-de"): ["M2M100_1.2B-B4"]}


@dataclass(frozen=True, eq=False)
class StoredMetric:
    """The scores of a metric, as mt-metrics-eval stores them.

    `segments` float64[R, S] are those of segments, `systems` float64[R] those of systems, None if
    they are not stored. `filled` are the systems without scores; these count as 0, as in
    mt-metrics-eval.
    """

    name: str
    segments: Floats
    systems: Floats | None
    filled: list[str]


@dataclass(frozen=True)
class EvalSet:
    """The files of a test set and language pair, by their names, and its size.

    `human` has the files of each human score, `metrics` those of each metric with its reference;
    both by the name, then by the level (`seg` or `sys`).
    """

    folder: Path
    pair: str
    segments: int
    documents: Unit
    outputs: Mapping[str, Path]
    references: Mapping[str, Path]
    human: Mapping[str, Mapping[str, Path]]
    metrics: Mapping[str, Mapping[str, Path]]

    @classmethod
    def of(cls, path: Path) -> EvalSet:
        """Find the files of TEST_SET/LP; there need not be a folder of that name.

        Raises FormatError if there are no documents, outputs, references or human scores.
        """
        folder, pair = path.parent, path.name
        documents = folder / "documents" / f"{pair}.docs"
        if not documents.is_file():
            raise FormatError("no test set of mt-metrics-eval", file=documents, hint=_HINT)
        lines = read_lines(documents)
        eval_set = cls(
            folder,
            pair,
            len(lines),
            Unit.of_names([line.rpartition("\t")[2] for line in lines]),
            {file.stem: file for file in sorted((folder / "system-outputs" / pair).glob("*.txt"))},
            {
                file.name.split(".")[-2]: file
                for file in sorted((folder / "references").glob(f"{pair}.*.txt"))
            },
            _by_level((folder / "human-scores").glob(f"{pair}.*.score"), f"{pair}."),
            _by_level((folder / "metric-scores" / pair).glob("*.score")),
        )
        for what in ("outputs", "references", "human"):
            if not getattr(eval_set, what):
                missing = "human scores" if what == "human" else what
                raise FormatError(f"no {missing} of {pair}", file=folder, hint=_HINT)
        return eval_set

    @property
    def standard_reference(self) -> str:
        """The reference that the task used, or else the one that most metrics used."""
        of_task = _REFERENCES.get((self.folder.name, self.pair))
        taken = [name.rpartition("-")[2] for name in self.metrics]
        return of_task or max(sorted(self.references), key=taken.count)

    @property
    def standard_score(self) -> str:
        """The human score that the metrics tasks used, or else the first of segments by name."""
        scored = [name for name, levels in self.human.items() if SEGMENTS in levels]
        if not scored:
            raise FormatError("no human scores of segments", file=self.folder, hint=_HINT)
        return next((name for name in _STANDARD if name in scored), min(scored))

    def judgments(
        self, score: str = "", reference: str = "", without: Sequence[str] = ()
    ) -> HumanScores:
        """Read human scores, by default the standard ones, of all systems that have any.

        The reference that metrics compare with, the outliers of the task, and the systems `without`
        are omitted. Raises FormatError and UnknownNameError.
        """
        score, reference = score or self.standard_score, reference or self.standard_reference
        named = [("human score", score, self.human), ("reference", reference, self.references)]
        for kind, name, known in [*named, *(("system", name, self.outputs) for name in without)]:
            if name not in known:
                raise UnknownNameError(f"{kind} of {self.folder.name}/{self.pair}", name, known)
        if SEGMENTS not in self.human[score]:
            defect = f"human score {score} is not of segments"
            raise FormatError(defect, file=self.folder, hint="choose another")
        left_out = {reference, *without, *_OUTLIERS.get((self.folder.name, self.pair), ())}
        of_segments = self._scores(self.human[score][SEGMENTS], self.segments, missing=True)
        judged = {
            name: scores
            for name, scores in sorted(of_segments.items())
            if name not in left_out and not np.isnan(scores).all()
        }
        if not judged:
            raise PreorderEvalError(f"human score {score}: no system has any")
        table = np.stack(list(judged.values()))
        system, segment = np.nonzero(~np.isnan(table))
        ratings = None
        if SYSTEMS in self.human[score]:
            of_systems = self._scores(self.human[score][SYSTEMS], 1, missing=True)
            given = np.array([of_systems.get(name, [np.nan])[0] for name in judged])
            ratings = None if np.isnan(given).any() else given
        return HumanScores(
            tuple(judged),
            self.segments,
            system,
            segment,
            table[system, segment],
            np.zeros(len(system), dtype=np.int64),
            ratings,
            documents=self.documents,
        )

    def stored_metrics(self, systems: Sequence[str], reference: str = "") -> list[StoredMetric]:
        """Read the metrics that have scores of segments, and use this reference or none."""
        reference = reference or self.standard_reference
        every = {*self.references} if len(self.references) == 1 else set()
        metrics = []
        for name, levels in self.metrics.items():
            base, _, taken = name.rpartition("-")
            names = every if taken == "all" else set(taken.split(".")) - {"src"}
            if SEGMENTS not in levels or not names <= {reference} or (taken == "all" and not every):
                continue
            of_segments = self._scores(levels[SEGMENTS], self.segments)
            filled = [system for system in systems if system not in of_segments]
            table = np.stack([of_segments.get(s, np.zeros(self.segments)) for s in systems])
            corpus = None
            if SYSTEMS in levels:
                of_systems = self._scores(levels[SYSTEMS], 1)
                corpus = np.array([of_systems.get(s, np.zeros(1))[0] for s in systems])
            label = base if taken != "src" else name
            metrics.append(StoredMetric(label, table, corpus, filled))
        return metrics

    def _scores(self, file: Path, size: int, *, missing: bool = False) -> dict[str, Floats]:
        """Read `size` scores of each system; a score that may be missing is then NaN."""
        scores: dict[str, list[float]] = {}
        for line, system, _, text in read_score_file(file).rows:
            if system not in self.outputs:
                hint = f"there are {', '.join(self.outputs)}"
                defect = f"scores of {system}, which has no output"
                raise FormatError(defect, file=file, line=line, hint=hint)
            value = np.nan if missing and text in MISSING else finite(text)
            if value is None:
                hint = "write a number" + ", or None" * missing
                raise FormatError(
                    f"{text!r} of {system} is not a score", file=file, line=line, hint=hint
                )
            scores.setdefault(system, []).append(value)
        for system, values in scores.items():
            if len(values) != size:
                many = f"{quantity(len(values), 'score')} of {system} instead of {size}"
                hint = "scores and documents must be of the same text"
                raise FormatError(many, file=file, hint=hint)
        return {system: np.array(values) for system, values in scores.items()}


def _by_level(files: Iterable[Path], prefix: str = "") -> dict[str, dict[str, Path]]:
    """Return the files of NAME.LEVEL.score by name and level."""
    by_name: dict[str, dict[str, Path]] = {}
    for file in sorted(files):
        name, _, level = file.stem.removeprefix(prefix).rpartition(".")
        by_name.setdefault(name, {})[level] = file
    return by_name
