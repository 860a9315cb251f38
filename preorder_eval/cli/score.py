"""`preorder-eval score`: the outputs of translation systems against references."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.cli.options import JsonForTable, Resamples, Seed, TsvForTable, choose_one
from preorder_eval.cli.scoring_options import (
    AlignmentBase,
    AlignmentDirection,
    LowerOption,
    TaggerOption,
    TokenizeOption,
)

if TYPE_CHECKING:
    from preorder_eval.results.scoring import Scoring
    from preorder_eval.results.scoring_inputs import OutputMetric

# What is quick and widely known, each kind once.
DEFAULT_METRICS = ["bleu", "chrf", "ribes", "nkt", "rouge_l", "hlepor", "meteor"]
DEFAULT_METRICS += ["nist", "wer", "per", "fmeasure"]


def command(
    hyp: Annotated[
        list[Path],
        typer.Option(
            help="A system's output, one sentence a line. Repeatable; the others are compared "
            "with the first.",
            metavar="FILE",
        ),
    ],
    ref: Annotated[
        list[Path] | None,
        typer.Option(
            help="References, one sentence a line. Repeatable for several of each sentence. "
            "Metrics need them but for ebleu and hppr.",
            metavar="FILE",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="Metric with its options, such as 'ribes(alpha=0.2)', or LR-HB1, LR-HB4, LR-KB1, "
            "LR-KB4 of lrscore. Repeatable; a useful set by default.",
            metavar="SIGNATURE",
        ),
    ] = None,
    tokenize: TokenizeOption = None,
    lower: LowerOption = False,
    source: Annotated[
        Path | None, typer.Option(help="Tokenised source, for lrscore.", metavar="FILE")
    ] = None,
    hyp_alignment: Annotated[
        list[Path] | None,
        typer.Option(
            help="Word alignment of source and output, for lrscore; one for each --hyp. Any "
            "format of `convert`.",
            metavar="FILE",
        ),
    ] = None,
    ref_alignment: Annotated[
        list[Path] | None,
        typer.Option(
            help="Word alignment of source and reference, for lrscore; one for each --ref.",
            metavar="FILE",
        ),
    ] = None,
    base: AlignmentBase = None,
    direction: AlignmentDirection = "source-target",
    hyp_tags: Annotated[
        list[Path] | None,
        typer.Option(
            help="Tags of the output, one line a sentence, for ebleu, hppr and 'hlepor(mix=1:9)'; "
            "one for each --hyp.",
            metavar="FILE",
        ),
    ] = None,
    ref_tags: Annotated[
        list[Path] | None,
        typer.Option(
            help="Part-of-speech tags of the reference, for lepor, hlepor and nlepor with mix; "
            "one for each --ref.",
            metavar="FILE",
        ),
    ] = None,
    source_tags: Annotated[
        Path | None,
        typer.Option(
            help="Tags of the source for ebleu and hppr, of the same tagset as --hyp-tags.",
            metavar="FILE",
        ),
    ] = None,
    tagger: TaggerOption = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    sentence: Annotated[
        Path | None,
        typer.Option(help="Write the scores of every sentence to this file, as TSV."),
    ] = None,
    json: JsonForTable = False,
    tsv: TsvForTable = False,
    out: Annotated[
        Path | None, typer.Option(help="New folder for the run: summary, texts, scores.")
    ] = None,
) -> None:
    """Score outputs of translation systems against references.

    With several outputs, + marks those that are better than the first and - those that are worse,
    at the 95 % (**) or 90 % level (*) by the paired bootstrap; p is by approximate randomization
    with ten times as many trials.

    \b
    Examples:
      preorder-eval score --hyp out.en --ref ref.en
      preorder-eval score --hyp base.en --hyp new.en --ref ref1.en --ref ref2.en --out runs/new
      preorder-eval score --hyp out.ja --ref ref.ja --tokenize char --metric ribes --metric wer
      preorder-eval score --hyp out.en --ref ref.en --metric 'hlepor(mix=1:9)' --tagger en-web
      preorder-eval score --hyp out.en --hyp-tags out.pos --source-tags src.pos --metric ebleu
      preorder-eval score --hyp out.en --hyp-alignment out.align --source src.ja --ref ref.en \\
        --ref-alignment ref.align --metric LR-KB1
    """
    from preorder_eval.cli.score_inputs import (
        check_lengths,
        check_options,
        read_inputs,
        read_texts,
    )
    from preorder_eval.formats.run_folder import format_json, format_tsv, refuse_existing
    from preorder_eval.formats.text import write_text
    from preorder_eval.results.scoring import score_outputs

    choose_one(json=json, tsv=tsv)
    if out is not None:
        refuse_existing(out)
    metrics = _metrics(metric, tokenize, lower)
    files = {
        "source": [source] if source else [],
        "hyp_alignment": hyp_alignment or [],
        "ref_alignment": ref_alignment or [],
        "hyp_tags": hyp_tags or [],
        "ref_tags": ref_tags or [],
        "source_tags": [source_tags] if source_tags else [],
    }
    check_options(metrics, hyp, ref or [], files, tagger, out)
    outputs, references = read_texts(hyp), read_texts(ref or [])
    check_lengths([*outputs, *references])
    numbering = (base, direction)
    inputs = read_inputs(outputs, references, metrics, files, tagger, numbering)
    result = score_outputs(outputs, references, metrics, inputs, resamples=resamples, seed=seed)

    if sentence is not None:
        write_text(sentence, result.scores_tsv())
    if out is not None:
        _write_run(out, result)
    if json:
        print(format_json(result.summary()), end="")
    elif tsv:
        print(format_tsv(*result.table()), end="")
    else:
        print(_table(result))


def _metrics(signatures: list[str] | None, tokenize: str | None, lower: bool) -> list[OutputMetric]:
    from preorder_eval.metrics import lexical_types
    from preorder_eval.results.scoring_inputs import with_settings

    chosen = signatures or [name for name in DEFAULT_METRICS if name in lexical_types()]
    return [with_settings(signature, tokenize, lower) for signature in chosen]


def _write_run(out: Path, result: Scoring) -> None:
    from preorder_eval.cli.versions import versions
    from preorder_eval.formats.run_folder import format_json, write_folder

    run: dict[str, Any] = {"versions": versions(), "arguments": sys.argv[1:], **result.summary()}
    files = {
        "run.json": format_json(run),
        "sentences.tsv": result.sentences_tsv(),
        "scores.tsv": result.scores_tsv(),
    }
    write_folder(out, files)


def _table(result: Scoring) -> str:
    """A block for each metric with a row for each system."""
    from preorder_eval import __version__
    from preorder_eval.cli.tables import format_interval, format_table

    several = len(result.systems) > 1
    rows = []
    for m, metric in enumerate(result.metrics):
        for s, system in enumerate(result.systems):
            row = [str(metric) if s == 0 else "", system.output.name]
            row.append(format_interval(system.intervals[m]))
            if several and s == 0:
                row += ["", "", ""]
            for versus in system.versus[m : m + 1]:
                row += [f"{versus.difference.value:+.4f}", versus.mark, f"{versus.p:.4f}"]
            rows.append(row)
    header = ["metric", "system", "score", *(["difference", "", "p"] if several else [])]
    count = len(result.systems[0].output.sentences)
    many = len(result.references)
    notes = (
        f"{count} sentences, {many} reference{'s' if many != 1 else ''}; score [95 % interval from "
        f"{result.resamples} bootstrap resamples, seed {result.seed}]; preorder-eval {__version__}"
    )
    legend = [f"differences from {result.systems[0].output.name}: + better, - worse"]
    return "\n".join([format_table(header, rows), "", notes, *(legend if several else [])])
