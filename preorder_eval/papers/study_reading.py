"""Studies read from a study file, or from the folder of one that was run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from preorder_eval.data.tokenization import language_of
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.judgments import ScoreColumns, read_human_scores
from preorder_eval.formats.study_file import StudyFile, SystemEntry, read_study_file
from preorder_eval.metrics import metric, shared_settings
from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.order import OrderMetric
from preorder_eval.papers.study import Study
from preorder_eval.papers.study_folder import read_study_folder
from preorder_eval.papers.study_references import StudyReference, study_references
from preorder_eval.parsers.tree_file import TreeFile
from preorder_eval.results.inputs import Inputs, Texts
from preorder_eval.results.reading import read_texts
from preorder_eval.results.result import Result, Sampling
from preorder_eval.results.scoring import score_inputs
from preorder_eval.results.systems import Parsed, Progress, System, no_progress

ORDER_METRICS = ("fuzzy", "kendall", "kendall(root=true)")


def read_studies(
    path: str | Path,
    *,
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> list[Study]:
    """The study of a file, or a study for each of its language pairs.

    `jobs` processes share parsing and scoring, where there is much. A folder that `Study.write` has
    written keeps how it was resampled. Raises FormatError and PreorderEvalError for what is missing
    or does not fit together.
    """
    path = Path(path)
    if path.is_dir():
        return read_study_folder(path)
    file, sampling = read_study_file(path), Sampling(resamples, seed, "koehn", "all")
    return [
        _read(path, file.of_pair(pair), pair, sampling, _Work(jobs, progress))
        for pair in file.pairs or [""]
    ]


@dataclass(frozen=True)
class _Work:
    """How many processes share what takes long, and where its progress shows."""

    jobs: int
    progress: Progress


def _read(path: Path, file: StudyFile, pair: str, sampling: Sampling, work: _Work) -> Study:
    folder = path.parent
    references = study_references(file, folder, work.progress)
    source = next(iter(references.values())).data.source
    parsers = _Parsers(folder, source, work)
    systems = tuple(_system(entry, folder, source, parsers) for entry in file.system)
    results = _results(path, file, references, systems, sampling, work.jobs)
    ratings = None
    if file.ratings is not None:
        said = file.ratings
        columns = ScoreColumns(said.system, said.line, said.score, said.judge, said.base)
        ratings = read_human_scores(folder / said.file, len(source), columns)
        unrated = [system.name for system in systems if system.name not in ratings.systems]
        if unrated:
            mend = f"it has ratings of {', '.join(ratings.systems)}"
            defect = f"no rating of {', '.join(unrated)}"
            raise FormatError(defect, file=folder / said.file, mend=mend)
        ratings = ratings.chosen([system.name for system in systems])
    gold = read_conllu(folder / file.treebank) if file.treebank else None
    parses = {} if gold is None else _parses(file, folder, gold, work)
    return Study(file.name, results, ratings, gold, parses, pair)


def _results(
    path: Path,
    file: StudyFile,
    references: dict[str, StudyReference],
    systems: tuple[System, ...],
    sampling: Sampling,
    jobs: int,
) -> dict[str, Result]:
    """A result for each kind of reference, with metrics of outputs where it has translations.

    A translation that several kinds have is of the first: the outputs' scores are the same.
    """
    files: dict[str, list[str]] = {}
    for entry in file.reference:
        names = [entry.translation] if entry.translation else []
        if not files:
            names = names or list(file.translations)
        held_against = systems[0].hyp is not None and names not in files.values()
        files[entry.kind] = names if held_against else []
    texts = {
        kind: tuple(read_texts([path.parent / name for name in names]))
        for kind, names in files.items()
    }
    chosen = _metrics(file, next((own for own in texts.values() if own), ()))
    results: dict[str, Result] = {}
    for kind, reference in references.items():
        own = tuple(m for m in chosen if texts[kind] or isinstance(m, OrderMetric))
        if own:
            results[kind] = score_inputs(
                Inputs(systems, reference.data, texts[kind], made_by=reference.made_by),
                own,
                sampling,
                jobs=jobs,
            )
    left_out = [m for m in chosen if not any(m in result.metrics for result in results.values())]
    if left_out:
        defect, mend = f"metric {left_out[0]} needs outputs", "name them and translations"
        raise FormatError(defect, file=path, mend=mend)
    return results


def _metrics(file: StudyFile, texts: tuple[Texts, ...]) -> list[Metric]:
    """The metrics of a study, by default the paper's: FRS, τ, √τ, and BLEU where it can be."""
    names = file.metrics or [*ORDER_METRICS, *(["bleu"] if texts else [])]
    language = language_of(texts[0].sentences) if texts else None
    return [metric(name, **shared_settings(name, None, False, language)) for name in names]


class _Parsers:
    """What parsers and files of trees say of the source, each parsed once."""

    def __init__(self, folder: Path, source: Sequence[list[str]], work: _Work) -> None:
        self._folder, self._source, self._work = folder, source, work
        self._parsed: dict[str, Parsed] = {}

    def of(self, entry: SystemEntry) -> Parsed:
        """The trees of a system."""
        parser = str(self._folder / entry.trees) if entry.trees else entry.parser
        if parser not in self._parsed:
            parsed = Parsed.by(
                parser, self._source, jobs=self._work.jobs, progress=self._work.progress
            )
            if any(other.name == parsed.name for other in self._parsed.values()):
                # Of two files that are called the same in different folders.
                parsed = replace(parsed, identity={**parsed.identity, "name": entry.name})
            self._parsed[parser] = parsed
        return self._parsed[parser]


def _system(
    entry: SystemEntry, folder: Path, source: Sequence[list[str]], parsers: _Parsers
) -> System:
    """A system with its orders, and its output if there is one."""
    if entry.orders:
        system = System.from_orders(folder / entry.orders, source)
    elif entry.alignment:
        system = System.from_alignment(folder / entry.alignment, source)
    else:
        rules = folder / entry.rules if (folder / entry.rules).is_file() else entry.rules
        system = System.from_trees(parsers.of(entry), rules)
    if entry.output:
        [text] = read_texts([folder / entry.output])
        system = replace(system, hyp=text.sentences)
    return system.named(entry.name)


def _parses(file: StudyFile, folder: Path, gold: Treebank, work: _Work) -> dict[str, Treebank]:
    """Every parser's trees of the treebank, by the name of the first system that has it."""
    first_with: dict[str, str] = {}
    parses: dict[str, Treebank] = {}
    for entry in file.system:
        source = entry.treebank or entry.parser
        if not source or first_with.setdefault(source, entry.name) != entry.name:
            continue
        if entry.treebank:
            parses[entry.name] = TreeFile(str(folder / source)).best
        else:
            parsed = Parsed.by(source, gold.sentences, jobs=work.jobs, progress=work.progress)
            parses[entry.name] = parsed.trees
    return parses
