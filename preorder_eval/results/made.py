"""Inputs that are made where no file has them: tags by a parser, links by an aligner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from preorder_eval.alignment.symmetrization import Symmetrization
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.tags import format_tagged, phrase_categories
from preorder_eval.data.tokenization import tokenizer
from preorder_eval.data.treebank import Tree
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.base import Metric
from preorder_eval.results.systems import Progress

TAGS = ("hyp_tags", "ref_tags")
SOURCE_TAGS = "source_tags"
LINKS = ("hyp_alignment", "ref_alignment")
DIRECT = "hyp_ref_alignment"
ITERATIONS = 5  # of learning links, as in `align`
_HOW: Symmetrization = "grow-diag"  # as in `align`


def aligned(
    name: str,
    source: Sequence[Sequence[str]],
    texts: Sequence[Sequence[str]],
    metrics: Sequence[Metric],
    progress: Progress,
) -> list[Alignments]:
    """Links of the source with each of the texts, learned from all of them together.

    The texts are split as the metrics of aligned words split them; PreorderEvalError where these
    do not agree.
    """
    from preorder_eval.alignment import aligner
    from preorder_eval.alignment.ibm1 import directions

    of_links = [metric for metric in metrics if set(LINKS) & set(metric.needs)]
    splits = {getattr(metric, "tokenize", "none") for metric in of_links}
    if len(splits) > 1:
        raise PreorderEvalError(
            f"metrics of aligned words split them differently: {', '.join(sorted(splits))}"
        )
    split = tokenizer(splits.pop() if splits else "none")
    translations = [split(sentence) for text in texts for sentence in text]
    with progress(f"learning {name}", ITERATIONS * directions(_HOW)) as advance:
        links = aligner(name)(
            list(source) * len(texts),
            translations,
            iterations=ITERATIONS,
            how=_HOW,
            advance=advance,
        )
    return [_stretch(links, number, len(source)) for number in range(len(texts))]


def tagged(
    name: str, texts: Sequence[Sequence[str]], progress: Progress, *, in_phrases: bool = False
) -> tuple[list[list[str]], dict[str, str]]:
    """The universal part-of-speech tags of each text's words, and the parser's identity.

    With `in_phrases` each stands in the phrase that the parser's tree puts it in (`phrases`).
    Raises PreorderEvalError for a parser that gives none.
    """
    from preorder_eval.parsers.loading import find_parser

    tagger, split = find_parser(name), tokenizer("none")
    # Parsers refuse a sentence without words; it has no tags.
    sentences = [split(sentence) for text in texts for sentence in text]
    filled = [sentence for sentence in sentences if sentence]
    with progress(f"tagging with {tagger.identity.name}", len(filled)) as advance:
        trees = tagger.parse(filled, advance=advance)
    if len(trees) and not set(trees.upos.names) - {"_", ""}:
        raise PreorderEvalError(f"tagger {name} gives no part-of-speech tags")
    of_filled = iter([_with_phrases(tree) if in_phrases else " ".join(tree.upos) for tree in trees])
    tags = iter([next(of_filled) if sentence else "" for sentence in sentences])
    return [[next(tags) for _ in text] for text in texts], asdict(tagger.identity)


def _with_phrases(tree: Tree) -> str:
    return format_tagged(zip(tree.upos, phrase_categories(tree), strict=True))


def _stretch(links: Alignments, number: int, size: int) -> Alignments:
    """The links of the stretch of that number, each of `size` sentences."""
    offsets = links.offsets[number * size : (number + 1) * size + 1]
    span = slice(offsets[0], offsets[-1])
    return Alignments(offsets - offsets[0], links.source[span], links.target[span])
