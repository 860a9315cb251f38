"""The report of any results: of orders, of outputs, of both, and of what people say of outputs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from preorder_eval.analysis.orders.overview import overview, overview_of_runs
from preorder_eval.analysis.output_words import OutputWords
from preorder_eval.data.judgments import Judgments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.writing import write_text
from preorder_eval.meta_evaluation.evaluation import meta
from preorder_eval.reporting.beside import beside
from preorder_eval.reporting.orders import build_report
from preorder_eval.reporting.outputs import build_output_report
from preorder_eval.results.result import Result
from preorder_eval.results.run import read_run
from preorder_eval.results.systems import Progress, no_progress


def report(
    results: Result | Sequence[Result | str | Path],
    file: str | Path,
    judgments: Judgments | None = None,
    *,
    source: str | Path | None = None,
    training: str | Path | None = None,
    tagger: str | None = None,
) -> None:
    """Write results as one page that needs no network; an older file is replaced.

    Parameters: `results` in memory or run folders, over the same sentences; `judgments` of the
    outputs' systems, to show how well the metrics agree with people; files of the outputs' `source`
    and of the `training` text by which words are frequent; `tagger` a parser that tags outputs and
    references, where a result has no tags. Raises PreorderEvalError where
    the results are of different sentences.

    >>> import tempfile
    >>> from preorder_eval.results.scoring import score
    >>> page = Path(tempfile.mkdtemp()) / "report.html"
    >>> report(score({"mt": ["a b"]}, ["b a"], ["wer"]), page)
    >>> "<bdi>mt</bdi>" in page.read_text()
    True
    """
    listed = [results] if isinstance(results, Result) else results
    read = [result if isinstance(result, Result) else read_run(result) for result in listed]
    page = build(read, judgments, source=source, training=training, tagger=tagger)
    write_text(Path(file), page)


def build(
    results: Sequence[Result],
    judgments: Judgments | None = None,
    *,
    source: str | Path | None = None,
    training: str | Path | None = None,
    tagger: str | None = None,
    progress: Progress = no_progress,
) -> str:
    """The page as HTML.

    >>> from preorder_eval.results.scoring import score
    >>> "<bdi>mt</bdi>" in build([score({"mt": ["a b"]}, ["b a"], ["wer"])])
    True
    """
    if not results:
        raise PreorderEvalError("nothing to report without a result")
    of_orders = [result for result in results if result.inputs.reference is not None]
    of_outputs = [result for result in results if result.inputs.reference is None]
    _check_given(results, judgments, source if of_orders else None, training, tagger)
    people = None if judgments is None else meta(results, judgments)
    if not of_orders:
        return build_output_report(results, people, source, training, tagger or "", progress)
    sizes: list[int] = []
    if of_outputs:
        runs = [result.recorded for result in results if result.folder is not None]
        made = overview(beside(results), runs)
    elif len(results) == 1 and results[0].folder is None:
        made = overview(results[0])
    else:
        made, sizes = overview_of_runs(results), [len(run.systems) for run in results]
    words = None
    if _has_outputs(made.result):
        words = OutputWords(made.result, training=training, tagger=tagger or "", progress=progress)
    return build_report(made, sizes, words, people)


def _has_outputs(result: Result) -> bool:
    inputs = result.inputs
    return bool(inputs.references) and all(system.hyp is not None for system in inputs.systems)


def _check_given(
    results: Sequence[Result],
    judgments: Judgments | None,
    source: str | Path | None,
    training: str | Path | None,
    tagger: str | None,
) -> None:
    """Raise PreorderEvalError for what is for outputs, where there are none, or have a source."""
    first = results[0].name
    if source is not None:
        raise PreorderEvalError(
            f"{first} is a run of evaluate; the source of outputs goes with runs of score alone"
        )
    given = {
        "judgments of outputs go": judgments,
        "a training text goes": training,
        "a tagger goes": tagger,
    }
    # Runs of score alone may have no references, which the report on them says.
    if all(run.inputs.reference is not None and not _has_outputs(run) for run in results):
        for what, value in given.items():
            if value is not None:
                raise PreorderEvalError(f"{first} is a run of evaluate; {what} with runs of score")
