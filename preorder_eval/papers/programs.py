"""The official programs that metrics equal, run on the same sentences.

Metrics declare which programs they equal, and by which parameters (`Metric.equals`). Here those
programs are run that are installed or given by their path, and every sentence is compared.
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from preorder_eval.data.segments import Segments
from preorder_eval.data.tokenization import Tokenize
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.tables import Column, Shown, Table
from preorder_eval.visible import first_few, quantity

_EXACT, _SIX_DIGITS = 1e-9, 6e-7
_METEOR_LANGUAGES = {"english": "en", "french": "fr", "german": "de", "spanish": "es"}
Scores = Sequence[float]


class Sides(NamedTuple):
    """Outputs and streams of references, as texts and as lists of tokens."""

    outputs: Sequence[str]
    references: Sequence[Sequence[str]]
    words: list[list[str]]
    reference_words: list[list[list[str]]]


def _sacrebleu(by: Any, sides: Sides, path: Path | None) -> Scores:
    scorer = by.scorer()
    sentences = zip(sides.outputs, zip(*sides.references, strict=True), strict=True)
    return [scorer.sentence_score(output, [*references]).score for output, references in sentences]


def _rouge_score(by: Any, sides: Sides, path: Path | None) -> Scores:
    name = f"rouge{by.n}" if by.name == "rouge_n" else "rougeL"
    module = importlib.import_module("rouge_score.rouge_scorer")
    scorer = module.RougeScorer([name], use_stemmer=by.stem)
    pairs = zip(sides.references[0], sides.outputs, strict=True)
    return [scorer.score(reference, output)[name].fmeasure for reference, output in pairs]


def _jiwer(by: Any, sides: Sides, path: Path | None) -> Scores:
    jiwer: Any = importlib.import_module("jiwer")
    pairs = zip(sides.reference_words[0], sides.words, strict=True)
    return [jiwer.wer(" ".join(reference), " ".join(words)) for reference, words in pairs]


def _nltk(by: Any, sides: Sides, path: Path | None) -> Scores:
    module = importlib.import_module("nltk.translate.nist_score")
    pairs = zip(sides.reference_words[0], sides.words, strict=True)
    # nltk refuses an order that the output is too short for.
    return [
        module.corpus_nist([[reference]], [words], min(by.order, len(words)))
        for reference, words in pairs
    ]


def _ribes(by: Any, sides: Sides, path: Path | None) -> Scores:
    with _files([sides.words, *sides.reference_words]) as (output, *references):
        options = [part for reference in references for part in ("-r", reference)]
        options += ["-s", "-a", str(by.alpha), "-b", str(by.beta), *([] if by.lower else ["-c"])]
        lines = _run([sys.executable, str(path), *options, output]).stdout.splitlines()
    return [float(line.split()[0]) for line in lines if line.split()[-2:-1] == ["sentence"]]


def _meteor(by: Any, sides: Sides, path: Path | None) -> Scores:
    use = by.parameters
    together = [words for several in zip(*sides.reference_words, strict=True) for words in several]
    with _files([sides.words, together]) as (output, references):
        stems = by.stem != "none"
        options = ["-l", _METEOR_LANGUAGES.get(by.stem, "en"), "-x", str(by.beam), "-q"]
        options += ["-m", "exact stem" if stems else "exact"]
        options += ["-w", f"1.0 {use.stem_weight}" if stems else "1.0"]
        options += ["-r", str(len(sides.references))]
        options += ["-p", f"{use.alpha} {use.beta} {use.gamma} 0.5"]  # function words weigh 0.5
        program = ["java", "-Xmx2G", "-jar", str(path), output, references]
        return list(map(float, _run([*program, *options]).stderr.split()))


class Program(NamedTuple):
    """A program, and the metrics that are compared with it.

    `single` is whether it takes one reference.
    """

    run: Callable[[Any, Sides, Path | None], Scores]
    metrics: Sequence[str]
    single: bool = False
    tolerance: float = _EXACT


# Packages of Python by their names; programs given by their path end with their version.
PROGRAMS: Mapping[str, Program] = {
    "sacrebleu": Program(
        _sacrebleu,
        ("bleu(effective_order=true)", "chrf", "chrf(word_order=2)", "ter"),
    ),
    "rouge-score": Program(
        _rouge_score,
        ("rouge_n(n=1)", "rouge_n(n=2)", "rouge_l", "rouge_l(stem=true)"),
        single=True,
    ),
    "jiwer": Program(_jiwer, ["wer"], single=True),
    "nltk": Program(_nltk, ["nist"], single=True),
    "ribes-1.03.1": Program(_ribes, ["ribes"], tolerance=_SIX_DIGITS),
    "meteor-1.5": Program(_meteor, ["meteor"]),
}


class Verified(NamedTuple):
    """A metric beside a program: both scores of each sentence."""

    metric: str
    program: str
    version: str
    ours: list[float]
    theirs: list[float]
    tolerance: float

    @property
    def apart(self) -> list[int]:
        """The places of the sentences whose scores differ."""
        return np.flatnonzero(np.abs(np.subtract(self.ours, self.theirs)) > self.tolerance).tolist()


@dataclass(frozen=True)
class Verification(Shown):
    """The scores of official programs beside those of the metrics that equal them.

    `lines` are the numbers of the sentences; `left_out` those of sentences with an empty side,
    which programs refuse or take for one word; `missing` the programs that are not there.
    """

    compared: Sequence[Verified]
    lines: Sequence[int]
    left_out: Sequence[int]
    missing: Sequence[str]

    def facts(self) -> dict[str, Any]:
        return {"left_out": list(self.left_out), "missing": list(self.missing)}

    def tables(self) -> list[Table]:
        columns = [Column(name, label=True) for name in ("program", "version", "metric")]
        columns += [Column("sentences"), Column("differ"), Column("largest", format=".1e")]
        details = [*columns[:1], columns[2], Column("line")]
        details += [Column("ours", format=".9f"), Column("theirs", format=".9f")]
        rows, apart = [], []
        for each in self.compared:
            largest = float(np.abs(np.subtract(each.ours, each.theirs)).max(initial=0))
            about = [each.program, each.version, each.metric]
            rows.append([*about, len(self.lines), len(each.apart), largest])
            apart += [
                [each.program, each.metric, self.lines[k], each.ours[k], each.theirs[k]]
                for k in each.apart
            ]
        notes = [f"not here: {', '.join(self.missing)}"] if self.missing else []
        if self.left_out:
            count = quantity(len(self.left_out), "sentence")
            notes.append(f"left out: {count} with an empty side: {first_few(self.left_out)}")
        differ = sum(bool(each.apart) for each in self.compared)
        title = f"{differ} of {quantity(len(rows), 'comparison')} differ"
        summary = Table("programs", columns, rows, title if differ else "No difference", notes)
        return [summary, *([Table("differences", details, apart)] if apart else [])]


def verify(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    tokenize: Tokenize = "auto",
    paths: Mapping[str, Path] | None = None,
    programs: Sequence[str] = tuple(PROGRAMS),
) -> Verification:
    """Score sentences by the metrics and by the official programs that these equal.

    Parameters: `outputs` and streams of `references`; `tokenize` how words are split, by default
    as their language asks; `paths` of RIBES.py (`ribes-1.03.1`) and METEOR's jar (`meteor-1.5`).
    Programs that take one reference are given the first. Raises PreorderEvalError where a program
    fails, and where no sentence is left.
    """
    paths = paths or {}
    for path in paths.values():
        if not path.is_file():
            raise FormatError("no such file", file=path, hint="name the program that is to be run")
    whole = Segments.of(outputs, references)
    tokenize = whole.tokenizer if tokenize == "auto" else tokenize
    sides = [whole.prepared(tokenize).hypotheses, *whole.prepared(tokenize).references]
    has_words = np.all([side.lengths > 0 for side in sides], axis=0)
    if not has_words.any():
        raise PreorderEvalError("every sentence has an empty side; nothing can be compared")
    streams = [list(compress(stream, has_words)) for stream in (outputs, *references)]
    compared, missing = list[Verified](), list[str]()
    for name in programs:
        release = _release(name, paths)
        if not release:
            missing.append(name)
            continue
        program = PROGRAMS[name]
        used = streams[:2] if program.single else streams
        for signature in program.metrics:
            by = metric(signature, like=name).splitting(tokenize)
            ours, theirs = _both(by, used, program, paths.get(name))
            if len(theirs) != len(ours):
                raise PreorderEvalError(f"{name} gives {len(theirs)} scores of {len(ours)}")
            compared.append(Verified(str(by), name, release, ours, theirs, program.tolerance))
    lines, left_out = (np.flatnonzero(which) + 1 for which in (has_words, ~has_words))
    return Verification(compared, lines.tolist(), left_out.tolist(), missing)


def _both(
    by: Any, streams: Sequence[Sequence[str]], program: Program, path: Path | None
) -> tuple[list[float], list[float]]:
    """Return the scores of a metric and of a program."""
    segments = Segments.of(streams[0], streams[1:])
    if by.whole_corpus:  # its sentences by themselves
        ours = [by.statistics(segments.part(k, k + 1)) for k in range(len(segments))]
        scores = [float(by.finish(statistics[0])) for statistics in ours]
    else:
        scores = by.score(segments).sentence.tolist()
    split = by.prepared(segments)
    words = [
        [[split.names[code] for code in sentence.tolist()] for sentence in side]
        for side in (split.hypotheses, *split.references)
    ]
    sides = Sides(streams[0], streams[1:], words[0], words[1:])
    return scores, list(program.run(by, sides, path))


def _release(name: str, paths: Mapping[str, Path]) -> str:
    """Return the version of a program; empty if it is not there."""
    if name in paths:
        return name.rpartition("-")[2]
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    if shutil.which(command[0]) is None:
        raise PreorderEvalError(f"{command[0]} is not installed, and needed to run {command[-1]}")
    # What is run is Java, or a script that the user names.
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    if done.returncode:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        raise PreorderEvalError(f"{Path(command[0]).name} failed: {last}")
    return done


@contextmanager
def _files(sides: Sequence[Sequence[Sequence[str]]]) -> Iterator[list[str]]:
    """Write sentences to temporary files, a line each, and give their names."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, side in enumerate(sides):
            names.append(str(Path(folder) / f"{number}.txt"))
            text = "".join(" ".join(words) + "\n" for words in side)
            Path(names[-1]).write_text(text, encoding="utf-8")
        yield names
