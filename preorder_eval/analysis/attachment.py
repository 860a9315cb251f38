"""Attachment scores of parsers against gold trees, as the CoNLL 2018 shared task defines them.

All words count, punctuation included; labels are compared without their subtypes (Zeman et al.,
CoNLL 2018 shared task, section 4). The system may have tokenised the text differently, so words are
aligned by their characters. A score is F1: twice the number of right words, divided by the number
of words of both sides. If both have the same words, that is the share of right words. A parser that
is better by these scores is not always better for reordering.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Bools, Longs
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.files.files import labelled
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.stats.bootstrap import Interval, bootstrap
from preorder_eval.base.stats.legends import few_drawn
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.notes import converted_notes
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import Parser
from preorder_eval.parsers.tree_file import TreeFile
from preorder_eval.trees.conllu import read_conllu
from preorder_eval.trees.in_ud import in_ud
from preorder_eval.trees.retokenize import CharacterAlignment, surface_forms, text_of
from preorder_eval.trees.schemes import base_label
from preorder_eval.trees.treebank import Treebank, document_names

ATTACHMENT_SCORES = ("UAS", "LAS", "LAS with subtypes", "UPOS", "XPOS")


@dataclass(frozen=True)
class Attachment:
    """F1 over words, each between 0 and 1.

    `uas`: the head is right; `las`: head and universal label are right; `las_full`: with its
    subtype; `upos`, `xpos`: the tag is right.
    """

    uas: float
    las: float
    las_full: float
    upos: float
    xpos: float


@dataclass(frozen=True, eq=False)
class TreeScores(Shown):
    """The scores of several parsers' trees of the same sentences, by name and score.

    `gold` is the file of the gold trees, which has so many `sentences` and `words`. `same_words` is
    false if some parser tokenised the text differently. `made_by` identifies the parsers,
    `unit` is what is resampled.
    """

    gold: str
    sentences: int
    words: int
    scores: dict[str, dict[str, Interval]]
    resamples: int
    seed: int
    same_words: bool = True
    made_by: Sequence[Mapping[str, Any]] = ()
    unit: Unit = EACH_SENTENCE

    @property
    def own_warnings(self) -> list[Caveat]:
        units = self.unit.documents if self.unit.drawn else self.sentences
        return few_drawn(self.unit, units)

    def tables(self) -> list[Table]:
        columns = [Column("name", "trees", label=True)]
        columns += [
            Column(("scores", name), name, ".3f", interval=True) for name in ATTACHMENT_SCORES
        ]
        rows = [
            [name, *(ends(values[score]) for score in ATTACHMENT_SCORES)]
            for name, values in self.scores.items()
        ]
        drawn = f" of {self.unit.drawn}" * bool(self.unit.drawn)
        share = "share of words" if self.same_words else "F1 over the words of both"
        note = (
            f"{quantity(self.sentences, 'sentence')}, {quantity(self.words, 'word')} of "
            f"{self.gold}; {share} [95% CI, {self.resamples} bootstrap resamples{drawn}, seed "
            f"{self.seed}]"
        )
        few = [caveat.text for caveat in self.own_warnings]
        notes = [note, *few, *converted_notes(self.made_by)]
        return [Table("trees", columns, rows, title="Trees against gold trees", notes=notes)]

    def _facts(self) -> dict[str, Any]:
        return {
            "gold": self.gold,
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
        }


def score_trees(
    gold: str | Path,
    trees: Sequence[str | Path] = (),
    parsers: Sequence[str | Path | Parser] = (),
    *,
    resamples: int = 1000,
    seed: int = 0,
    cache: bool = True,
    progress: Progress = no_progress,
) -> TreeScores:
    """Score CoNLL-U files of trees, and parsers, against a CoNLL-U file of gold trees.

    Parameters: `trees` files of the same text (from n-best lists the first tree of each sentence is
    taken); `parsers` by name or path. Without `cache` everything is parsed anew.

    Raises FormatError for files that cannot be read or are not of the same text, and
    PreorderEvalError if there is nothing to score.

    >>> from preorder_eval.base.resources import bundled
    >>> gold = bundled("reference_data") / "en-ja" / "source.conllu"
    >>> score_trees(gold, [gold], resamples=10).scores[str(gold)]["LAS"].value
    1.0
    """
    if not trees and not parsers:
        raise PreorderEvalError("no trees to score; name a file of trees or a parser")
    right = in_ud(read_conllu(gold), file=gold)
    treebanks: dict[str, Treebank] = {}
    made_by: list[dict[str, Any]] = []
    for path in trees:
        label, name = labelled(path)
        file = TreeFile(name)
        file.parse(right.sentences)  # which must be of the same text
        treebanks[label or name] = file.best
        made_by.append(asdict(file.identity) | {"name": label or name})
    same = all(treebank.words == right.words for treebank in treebanks.values())
    for choice in parsers:
        if isinstance(choice, str | Path):
            label, name = labelled(choice)
            parser, name = find_parser(name, cache), label or name
        else:
            parser, name = choice, choice.identity.name
        with progress(f"parsing with {name}", len(right)) as advance:
            treebanks[name] = parser.parse(right.sentences, advance=advance)
        made_by.append(asdict(parser.identity) | {"name": name})
    unit = Unit.of_names(document_names(right.comments))
    scores = {
        name: attachment_intervals(right, treebank, unit, resamples=resamples, seed=seed)
        for name, treebank in treebanks.items()
    }
    return TreeScores(
        str(gold), len(right), len(right.words), scores, resamples, seed, same, made_by, unit
    )


def attachment(gold: Treebank, system: Treebank) -> Attachment:
    """Score one treebank against another. Raises PreorderEvalError if the text differs."""
    right = _right(gold, system).sum(axis=0)
    return Attachment(*(2 * right / (len(gold.words) + len(system.words))).tolist())


def attachment_intervals(
    gold: Treebank,
    system: Treebank,
    unit: Unit = EACH_SENTENCE,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Interval]:
    """Return the scores of `attachment` by name, with 95% bootstrap intervals by `unit`."""
    right = np.add.reduceat(_right(gold, system), gold.offsets[:-1], dtype=np.float64)
    # A word of the system counts in the gold sentence that it starts in.
    starts = CharacterAlignment.of(*reversed(_forms(gold, system))).first
    system_words = np.histogram(starts, gold.offsets)[0]
    words = (gold.lengths + system_words) / 2
    measurements = [
        unit.measurement(np.stack([counts, words], axis=-1)[None], lambda s: s[..., 0] / s[..., 1])
        for counts in right.T
    ]
    results = bootstrap(measurements, resamples=resamples, seed=seed)
    return dict(zip(ATTACHMENT_SCORES, (result.interval(0) for result in results), strict=True))


def _right(gold: Treebank, system: Treebank) -> Bools:
    """Return for every gold word whether the system has it right by each of SCORES; bool[N, 5]."""
    forms, system_forms = _forms(gold, system)
    aligned = CharacterAlignment.of(forms, system_forms)
    there, word = aligned.same, aligned.first
    parents, system_parents = gold.parents, system.parents[word]
    root, system_root = gold.heads < 0, system.heads[word] < 0
    same_parent = there[parents] & (word[parents] == system_parents)
    heads = np.where(root | system_root, root & system_root, same_parent)
    universal = gold.labels.renamed(base_label), system.labels.renamed(base_label)
    right = [
        heads,
        heads & _same(*universal, word),
        heads & _same(gold.labels, system.labels, word),
        _same(gold.upos, system.upos, word),
        _same(gold.xpos, system.xpos, word),
    ]
    return np.stack(right, axis=1) & there[:, None]


def _forms(gold: Treebank, system: Treebank) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words of both, for alignment; raises PreorderEvalError if the text differs."""
    for forms in ((gold.words, system.words), (surface_forms(gold), surface_forms(system))):
        if text_of(forms[0]) == text_of(forms[1]):
            return forms
    raise PreorderEvalError("gold and system trees have different texts")


def _same(one: NameColumn, other: NameColumn, aligned: Longs) -> Bools:
    """Compare the names of aligned words in two columns: bool[N], True where they are equal."""
    names = [np.array(column.names, dtype=object)[column.codes] for column in (one, other)]
    same: Bools = names[0] == names[1][aligned]
    return same
