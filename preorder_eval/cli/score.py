"""`preorder-eval score`: the outputs of translation systems against references."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.cli.input_options import (
    AlignmentBase,
    AlignmentDirection,
    AlignOption,
    FurtherInput,
    HypAlignment,
    HypTags,
    LowerOption,
    RefAlignment,
    RefTags,
    SourceTags,
    SourceText,
    SourceTokenizeOption,
    TaggerOption,
    TokenizeOption,
)
from preorder_eval.cli.options import (
    JsonForTable,
    Resamples,
    Seed,
    TestOption,
    TsvForTable,
    choose_one,
)


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
    source: SourceText = None,
    source_tokenize: SourceTokenizeOption = None,
    hyp_alignment: HypAlignment = None,
    ref_alignment: RefAlignment = None,
    align: AlignOption = None,
    base: AlignmentBase = None,
    direction: AlignmentDirection = "source-target",
    hyp_tags: HypTags = None,
    ref_tags: RefTags = None,
    source_tags: SourceTags = None,
    tagger: TaggerOption = None,
    further: FurtherInput = None,
    significance: Annotated[
        bool,
        typer.Option(
            "--significance", help="Compare all pairs of systems, not each with the first."
        ),
    ] = False,
    test: TestOption = "randomization",
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
    at the 95 % (**) or 90 % level (*). Metrics of orders, such as fuzzy, take the orders from the
    alignments, so that they stand in one table with the others.

    \b
    Examples:
      preorder-eval score --hyp out.en --ref ref.en
      preorder-eval score --hyp base.en --hyp new.en --ref ref1.en --ref ref2.en --out runs/new
      preorder-eval score --hyp out.ja --ref ref.ja --tokenize char --metric ribes --metric wer
      preorder-eval score --hyp out.en --ref ref.en --metric 'hlepor(mix=1:9)' --tagger en-web
      preorder-eval score --hyp out.en --hyp-tags out.pos --source-tags src.pos --metric ebleu
      preorder-eval score --hyp out.en --hyp-alignment out.align --source src.ja --ref ref.en \\
        --ref-alignment ref.align --metric LR-KB1 --metric fuzzy --metric bleu
    """
    from preorder_eval.cli.input_options import input_files, metrics_of
    from preorder_eval.cli.progress import progress
    from preorder_eval.cli.results import print_pairs, print_result
    from preorder_eval.formats.folders import refuse_existing
    from preorder_eval.formats.text import write_text
    from preorder_eval.results.evaluation import OUTPUT_METRICS, score_inputs
    from preorder_eval.results.run import scores_tsv, write_result

    choose_one(json=json, tsv=tsv)
    if out is not None:
        refuse_existing(out)
    metrics = metrics_of(metric or OUTPUT_METRICS, tokenize, lower)
    files = input_files(
        hyp,
        ref or [],
        source=source,
        hyp_alignment=hyp_alignment,
        ref_alignment=ref_alignment,
        hyp_tags=hyp_tags,
        ref_tags=ref_tags,
        source_tags=source_tags,
        further=further,
        base=base,
        direction=direction,
        tagger=tagger,
        align=align,
        source_tokenize=source_tokenize,
    )
    result = score_inputs(
        files.read(metrics, progress=progress),
        metrics,
        resamples=resamples,
        seed=seed,
        significance=significance,
        test=test,
    )
    if sentence is not None:
        write_text(sentence, scores_tsv(result))
    if out is not None:
        write_result(result, out, sys.argv[1:])
    print_result(result, json=json, tsv=tsv)
    if significance and not json:
        print()
        print_pairs(result, tsv=tsv)
