"""How reference orders are made decides what scores on them say (Talbot et al. 2011, Table 7).

The design of the table: two kinds of translation of the same sentences, alignment-oriented and
standard, by two kinds of alignment, manual and automatic. The paper correlates scores on the four
kinds of reference with human ratings of translations; where there are none, the scores of the same
systems on the four can still be laid side by side.

The automatic alignments are IBM Model 1's, as in the paper, which does not say how its two
directions were combined. In the automatic alignments of its Table 2 every target word has one
source word at most and a source word can have several target words: so `none`, each target word
linked to its likeliest source word, comes nearest and is the default.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from preorder_eval.alignment.ibm1 import Sentences, align
from preorder_eval.alignment.symmetrization import Symmetrization
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import PreorderEvalError


@dataclass(frozen=True, eq=False)
class ReferenceKind:
    """One of the four kinds of reference: `translation` and `alignment` name it."""

    translation: str
    alignment: str
    reference: ReferenceSet

    @property
    def aligned(self) -> float:
        """Share of the source tokens with a link."""
        return float(self.reference.references.aligned.mean())


def reference_kinds(
    oriented: ReferenceSet,
    standard: ReferenceSet,
    *,
    how: Symmetrization = "none",
    iterations: int = 5,
    extra: tuple[Sentences, Sentences] = ((), ()),
    advance: Callable[[int], None] | None = None,
) -> list[ReferenceKind]:
    """The four kinds of reference for the sentences that both sets have, by their ids.

    Parameters: `oriented` and `standard` with translations and sentence ids; the sentences of
    `standard` must be in `oriented`. Model 1 learns from all pairs of both and from `extra`.
    Raises PreorderEvalError where the sets do not fit together.
    """
    manual = manual_kinds(oriented, standard)
    automatic = align(
        [*oriented.source, *standard.source],
        [*_translations(oriented), *_translations(standard)],
        how=how,
        iterations=iterations,
        extra=extra,
        advance=advance,
    )
    after = range(len(oriented), len(automatic))
    where = _positions(oriented, standard)
    return [
        manual[0],
        _kind("alignment-oriented", "ibm1", manual[0].reference, automatic, where),
        manual[1],
        _kind("standard", "ibm1", standard, automatic, after),
    ]


def manual_kinds(oriented: ReferenceSet, standard: ReferenceSet) -> list[ReferenceKind]:
    """Those of the four that were aligned by hand."""
    where, translations = _positions(oriented, standard), _translations(oriented)
    oriented_here = replace(
        standard, hashes=oriented.hashes, target=[translations[s] for s in where]
    )
    return [
        _kind("alignment-oriented", "manual", oriented_here, oriented.alignments, where),
        _kind("standard", "manual", standard, standard.alignments, range(len(standard))),
    ]


def _kind(
    translation: str,
    alignment: str,
    sentences: ReferenceSet,
    links: Alignments,
    chosen: Sequence[int],
) -> ReferenceKind:
    """Sentences with the chosen part of some links."""
    part = Alignments.of(links[s] for s in chosen)
    name = f"{translation}/{alignment}"
    return ReferenceKind(translation, alignment, replace(sentences, name=name, alignments=part))


def _positions(oriented: ReferenceSet, standard: ReferenceSet) -> list[int]:
    """Where the sentences of the standard set stand in the other one."""
    index = {name: s for s, name in enumerate(_ids(oriented))}
    where = []
    for name, words in zip(_ids(standard), standard.source, strict=True):
        if name not in index:
            raise PreorderEvalError(
                f"reference {standard.name}: sentence {name} is not in {oriented.name}"
            )
        if words != oriented.source[index[name]]:
            raise PreorderEvalError(
                f"sentence {name} has other words in {standard.name} than in {oriented.name}"
            )
        where.append(index[name])
    return where


def _ids(data: ReferenceSet) -> list[str]:
    ids = [tree.sentence_id for tree in data.trees] if data.trees is not None else []
    known = [name for name in ids if name]
    if len(known) < len(data) or len(set(known)) < len(known):
        raise PreorderEvalError(
            f"reference {data.name}: needs a source.conllu with a sent_id of its own for every "
            "sentence"
        )
    return known


def _translations(data: ReferenceSet) -> Sequence[list[str]]:
    if data.target is None:
        raise PreorderEvalError(f"reference {data.name} has no translations to align")
    return data.target
