"""`preorder-eval score`: the outputs of translation systems against references."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.cli.input_options import InputOptions, LanguageOption, outputs_language
from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Drawn, Form, Printed, as_recorded
from preorder_eval.cli.shard_options import OnCluster


@grouped
def command(
    hyp: Annotated[
        list[Path],
        typer.Option(
            help="A system's output, one sentence a line, also as LABEL=FILE; - is standard input. "
            "Repeatable; the "
            "others are compared with the first.",
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
    *,
    given: InputOptions,
    language: LanguageOption = None,
    documents: Annotated[
        Path | None,
        typer.Option(
            help="The document of every sentence, a name a line: intervals and tests draw "
            "documents instead of sentences.",
            metavar="FILE",
        ),
    ] = None,
    significance: Annotated[
        bool,
        typer.Option(
            "--significance", help="Compare all pairs of systems, not each with the first."
        ),
    ] = False,
    human: Annotated[
        bool,
        typer.Option(
            "--human",
            help="Score people too: each of several references against the others. Compare with "
            "metrics that leave out a reference in turn, such as 'rouge_l(jackknife=true)'.",
        ),
    ] = False,
    drawn: Drawn,
    sentence: Annotated[
        Path | None,
        typer.Option(help="Write the scores of every sentence to this file, as TSV."),
    ] = None,
    printed: Printed,
    form: Annotated[
        Form,
        typer.Option(
            "--format",
            help="Print a block for each metric, or a matrix of systems and metrics: as text, "
            "in Markdown, or in LaTeX.",
        ),
    ] = "text",
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print sacrebleu's signatures of its metrics too.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="New folder for the run: summary, texts, scores.")
    ] = None,
    cluster: OnCluster,
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
      translate < src.en | preorder-eval score --hyp - --ref ref.de --language de --verbose
      preorder-eval score --hyp a.en --hyp b.en --ref ref.en --documents doc.txt --format latex
      preorder-eval score --hyp out.en --ref ref.en --metric 'hlepor(mix=1:9)' --tagger en-web
      preorder-eval score --hyp out.en --hyp-tags out.pos --source-tags src.pos --metric ebleu
      preorder-eval score --hyp out.en --hyp-alignment out.align --source src.ja --ref ref.en \\
        --ref-alignment ref.align --metric LR-KB1 --metric fuzzy --metric bleu
      preorder-eval score --engine dask --scheduler tcp://head:8786 --hyp 'out/*.en.gz' \\
        --ref 'ref/*.en.gz' --out scores
    """
    from preorder_eval.cli.progress import progress
    from preorder_eval.cli.results import human_beside, print_result
    from preorder_eval.formats.writing import refuse_existing, write_text
    from preorder_eval.results.documents import with_documents
    from preorder_eval.results.evaluation import OUTPUT_METRICS, score_inputs
    from preorder_eval.results.human import human_scores
    from preorder_eval.results.run import scores_tsv, write_result

    if cluster.engine is not None:
        from preorder_eval.cli.sharded import score_shards

        score_shards(
            cluster,
            hyp,
            ref or [],
            metric or [],
            given,
            language,
            drawn,
            printed,
            out,
            significance=significance,
            documents=documents,
            human=human,
            sentence=sentence,
            format=None if form == "text" else form,
        )
        return
    if out is not None:
        refuse_existing(out)
    printed.check(form)
    signatures = metric or OUTPUT_METRICS
    metrics = given.metrics(signatures, outputs_language(language, signatures, ref or []))
    if verbose and not any(own.sacrebleu_signature() for own in metrics):
        raise typer.BadParameter("--verbose goes with metrics of sacrebleu: bleu, chrf, ter")
    if drawn.test == "koehn" and len(hyp) == 1:
        raise typer.BadParameter("--test goes with several --hyp")
    inputs = given.files(hyp, ref or []).read(metrics, progress=progress)
    if documents is not None:
        inputs = with_documents(inputs, documents)
    result = score_inputs(inputs, metrics, significance=significance, **asdict(drawn))
    beside = []
    if human:
        streams = [text.sentences for text in inputs.references]
        beside.append(human_beside(human_scores(metrics, streams, result.sampling)))
    if sentence is not None:
        write_text(sentence, scores_tsv(result))
    if out is not None:
        write_result(result, out, as_recorded(sys.argv[1:]))
    print_result(result, printed, beside, form, verbose)
