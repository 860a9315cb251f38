"""What the options of `tune` stand for beside judgments: free parameters, links and tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from preorder_eval.alignment.symmetrization import Symmetrization
from preorder_eval.errors import PreorderEvalError

if TYPE_CHECKING:
    from preorder_eval.data.alignments import Alignments
    from preorder_eval.formats.alignment import Direction
    from preorder_eval.meta.tuning.space import Space
    from preorder_eval.results.scoring import Texts
    from preorder_eval.results.scoring_inputs import Inputs, OutputMetric

_ITERATIONS = 5
_SYMMETRIZE: Symmetrization = "grow-diag"  # as in `align`


def read_space(signature: str, tokenize: str | None, lower: bool) -> Space:
    """The free parameters of a metric, with the settings that it does not say itself.

    LRscore has no tokenisation of its own, as what is aligned is words: `Further` splits them.
    """
    from preorder_eval.meta.tuning.space import Space
    from preorder_eval.metrics.lrscore import LRScore
    from preorder_eval.metrics.shared.base import parse_signature
    from preorder_eval.results.scoring_inputs import written_out

    name, _ = parse_signature(written_out(signature))
    shared = {"lower": "true"} if lower else {}
    if tokenize and name != LRScore.name:
        shared["tokenize"] = tokenize
    return Space.of(signature, **shared)


@dataclass(frozen=True)
class Further:
    """What a metric needs beside outputs and references: links and tags.

    Raises PreorderEvalError unless just what it needs is given.
    """

    measure: OutputMetric
    tokenize: str | None = None
    source: Path | None = None
    source_tokenize: str | None = None
    align: Literal["ibm1"] | None = None
    hyp_alignment: Sequence[str] = ()
    ref_alignment: Sequence[Path] = ()
    numbering: tuple[int | None, Direction] = (None, "source-target")
    tagger: str | None = None

    def __post_init__(self) -> None:
        from preorder_eval.metrics.lrscore import LRScore
        from preorder_eval.results.scoring_inputs import ESTIMATES, counts_tags

        given = {
            "--source": self.source,
            "--align": self.align,
            "--hyp-alignment": self.hyp_alignment,
            "--ref-alignment": self.ref_alignment,
            "--source-tokenize": self.source_tokenize,
        }
        if isinstance(self.measure, LRScore):
            self._check_links(given)
        else:
            for option in (option for option, value in given.items() if value):
                raise PreorderEvalError(f"{option}: metric {self.measure.name} does not need it")
        if isinstance(self.measure, ESTIMATES):
            raise PreorderEvalError(
                f"metric {self.measure.name} compares tags alone, which tune does not read"
            )
        if counts_tags(self.measure) and not self.tagger:
            raise PreorderEvalError(
                f"metric {self.measure.name} with mix needs part-of-speech tags: give --tagger"
            )
        if self.tagger and not counts_tags(self.measure):
            raise PreorderEvalError(f"--tagger: metric {self.measure} does not count tags")
        if self.tagger and self.tokenize not in (None, "none"):
            raise PreorderEvalError("--tagger tags the words between spaces; leave out --tokenize")

    def _check_links(self, given: Mapping[str, object]) -> None:
        wanted = ["--source", "--align"]
        if self.align is None:
            wanted = ["--source", "--hyp-alignment", "--ref-alignment"]
            for option, name in (
                ("--tokenize", self.tokenize),
                ("--source-tokenize", self.source_tokenize),
            ):
                if name not in (None, "none"):
                    raise PreorderEvalError(
                        f"{option} {name} would split words that are aligned; it goes with --align"
                    )
        elif self.hyp_alignment or self.ref_alignment:
            raise PreorderEvalError("choose one of --align and given alignments")
        missing = [option for option in wanted if not given[option]]
        if missing:
            instead = "" if self.align else "; or --source and --align ibm1"
            raise PreorderEvalError(f"metric lrscore needs {' and '.join(missing)}{instead}")

    def read(
        self, outputs: list[Texts], references: list[Texts]
    ) -> tuple[list[Texts], list[Texts], Inputs]:
        """The texts as the metric takes them, and what it needs beside."""
        from preorder_eval.cli.meta_inputs import match_systems, output_files
        from preorder_eval.cli.score_inputs import check_lengths, read_inputs, read_texts

        if self.align and self.source:
            [source] = _tokenized(read_texts([self.source]), self.source_tokenize)
            check_lengths([outputs[0], source])
            outputs = _tokenized(outputs, self.tokenize)
            references = _tokenized(references, self.tokenize)
            return outputs, references, _aligned(source, outputs, references)
        links: list[Path] = []
        if self.hyp_alignment:
            names = [output.name for output in outputs]
            links = list(match_systems(names, output_files(self.hyp_alignment), ()).values())
        if self.hyp_alignment and len(self.ref_alignment) != len(references):
            raise PreorderEvalError(
                f"{len(self.ref_alignment)} --ref-alignment, but {len(references)} --ref"
            )
        files = {
            "source": [self.source] if self.source else [],
            "hyp_alignment": links,
            "ref_alignment": self.ref_alignment,
        }
        inputs = read_inputs(
            outputs, references, [self.measure], files, self.tagger, self.numbering
        )
        return outputs, references, inputs


def _tokenized(texts: Sequence[Texts], name: str | None) -> list[Texts]:
    """The texts with spaces between their tokens."""
    from preorder_eval.data.segments import tokenizer

    split = tokenizer(name or "none")
    return [
        replace(text, sentences=[" ".join(split(sentence)) for sentence in text.sentences])
        for text in texts
    ]


def _aligned(source: Texts, outputs: Sequence[Texts], references: Sequence[Texts]) -> Inputs:
    """Alignments by IBM Model 1, learned from all outputs and references together."""
    from preorder_eval.alignment.ibm1 import align, directions
    from preorder_eval.cli.progress import progress
    from preorder_eval.data.segments import tokenizer
    from preorder_eval.results.scoring_inputs import Inputs

    split = tokenizer("none")
    sides = [*outputs, *references]
    words = list(map(split, source.sentences))
    translations = [split(sentence) for side in sides for sentence in side.sentences]
    with progress("learning ibm1", _ITERATIONS * directions(_SYMMETRIZE)) as advance:
        links = align(
            words * len(sides),
            translations,
            iterations=_ITERATIONS,
            how=_SYMMETRIZE,
            advance=advance,
        )
    apart = _apart(links, len(words))
    return Inputs(
        source=words, hyp_alignment=apart[: len(outputs)], ref_alignment=apart[len(outputs) :]
    )


def _apart(links: Alignments, size: int) -> list[Alignments]:
    """The links of stretches of so many sentences each."""
    from preorder_eval.data.alignments import Alignments

    parts = []
    for first in range(0, len(links), size):
        offsets = links.offsets[first : first + size + 1]
        own = slice(offsets[0], offsets[-1])
        parts.append(Alignments(offsets - offsets[0], links.source[own], links.target[own]))
    return parts
