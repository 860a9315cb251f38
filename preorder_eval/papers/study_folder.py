"""Studies in folders: what a study was run on, so that its tables can be made again.

    study.json          name, language pairs, kinds of references, parsers
    runs/KIND/          a run folder for each kind of reference, for `compare` and `report`
    ratings.tsv         people's ratings, if there are any
    treebank/           gold.conllu and the parsers' trees of its sentences, if there are any

Of several language pairs, each has such a folder inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from preorder_eval.data.judgments import HumanScores
from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import format_conllu, read_conllu
from preorder_eval.formats.files import read_json
from preorder_eval.formats.judgments import ScoreColumns, read_human_scores
from preorder_eval.formats.tsv import format_tsv
from preorder_eval.formats.writing import Text, format_json, path_inside, write_folder
from preorder_eval.papers.study import Study
from preorder_eval.results.run import read_run, run_files

FILE = "study.json"
_RATINGS = ("system", "line", "score", "judge")
_MEND = "the folder was changed or cut short; run the study again"


class _StudyJson(BaseModel):
    """What `study.json` says; `parsers` are names of systems in the order of their trees."""

    model_config = ConfigDict(strict=True)

    study: str
    pairs: list[Annotated[str, Field(pattern=r"^[\w-]+$")]]
    kinds: list[str]
    ratings: bool
    parsers: list[str]


def write_studies(studies: Sequence[Study], folder: Path, arguments: Sequence[str] = ()) -> None:
    """Write the studies of all language pairs as one folder, which appears whole or not at all.

    `arguments` are those of the command line. Raises FormatError where the folder is not new or
    cannot be written.
    """
    first = studies[0]
    if not first.pair:
        write_folder(folder, _files(first, arguments))
        return
    said = _StudyJson(
        study=first.name, pairs=[s.pair for s in studies], kinds=[], ratings=False, parsers=[]
    )
    files: dict[str, Text] = {FILE: format_json(said.model_dump())}
    for study in studies:
        inner = _files(study, arguments)
        files |= {f"{study.pair}/{name}": text for name, text in inner.items()}
    write_folder(folder, files)


def _files(study: Study, arguments: Sequence[str]) -> dict[str, Text]:
    said = _StudyJson(
        study=study.name,
        pairs=[study.pair] if study.pair else [],
        kinds=list(study.results),
        ratings=study.ratings is not None,
        parsers=list(study.parses),
    )
    files: dict[str, Text] = {FILE: format_json(said.model_dump())}
    for kind, result in study.results.items():
        inner = run_files(result, arguments)
        files |= {f"runs/{kind}/{name}": text for name, text in inner.items()}
    if study.ratings is not None:
        files["ratings.tsv"] = _ratings_tsv(study.ratings)
    if study.gold is not None:
        files["treebank/gold.conllu"] = format_conllu(study.gold)
        for number, trees in enumerate(study.parses.values(), 1):
            files[f"treebank/parser-{number}.conllu"] = format_conllu(trees)
    return files


def _ratings_tsv(ratings: HumanScores) -> str:
    columns = (ratings.system, ratings.segment, ratings.score, ratings.judge)
    rows = [
        [ratings.systems[int(system)], int(line), float(score), int(judge)]
        for system, line, score, judge in zip(*columns, strict=True)
    ]
    return format_tsv(_RATINGS, rows)


def read_study_folder(folder: Path) -> list[Study]:
    """The studies of a folder, one for each language pair.

    Raises FormatError, with the file, for what is missing or malformed.
    """
    said = _said(folder)
    if said.kinds:
        return [_read(folder, said)]
    inner = {path: _said(path) for path in (path_inside(folder, pair) for pair in said.pairs)}
    for path, said_of_pair in [(folder, said), *inner.items()]:
        if not (said_of_pair.pairs if path == folder else said_of_pair.kinds):
            raise FormatError("has no kinds of references", file=path / FILE, mend=_MEND)
    return [_read(path, said_of_pair) for path, said_of_pair in inner.items()]


def _said(folder: Path) -> _StudyJson:
    try:
        return _StudyJson.model_validate(read_json(folder / FILE))
    except ValidationError as error:
        first = error.errors()[0]
        defect = f"{' '.join(map(str, first['loc']))}: {first['msg'].lower()}"
        raise FormatError(defect, file=folder / FILE, mend=_MEND) from error


def _read(folder: Path, said: _StudyJson) -> Study:
    results = {kind: read_run(path_inside(folder, f"runs/{kind}")) for kind in said.kinds}
    first = next(iter(results.values()))
    ratings = gold = None
    if said.ratings:
        columns = ScoreColumns(judge="judge")
        ratings = read_human_scores(folder / "ratings.tsv", len(first), columns)
        ratings = ratings.chosen(first.systems)
    if said.parsers:
        gold = read_conllu(folder / "treebank" / "gold.conllu")
    parses = {
        name: read_conllu(folder / "treebank" / f"parser-{number}.conllu")
        for number, name in enumerate(said.parsers, 1)
    }
    return Study(said.study, results, ratings, gold, parses, *said.pairs)
