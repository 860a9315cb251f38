"""Files of trees, made earlier by any parser, used as parsers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from preorder_eval.base.errors import FormatError, nearest, warn
from preorder_eval.base.files.files import file_hash, stem, uncompressed
from preorder_eval.base.progress import Advance
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.text.tokenization import TokenLists
from preorder_eval.base.visible import quantity
from preorder_eval.parsers.parser import ListParser, ParserIdentity, split_options, with_options
from preorder_eval.trees.clearnlp import CLEARNLP, lists_to_ud
from preorder_eval.trees.conllu import is_conllu
from preorder_eval.trees.in_ud import LabelEvidence, in_version_1, label_counts, with_one_root
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.nbest_files import is_large, iterate_nbest, read_nbest
from preorder_eval.trees.retokenize import fitted, fitted_lists
from preorder_eval.trees.schemes import LABELS, likely_scheme, understood
from preorder_eval.trees.treebank import Treebank

OF_RANK_1 = "_of_rank_1"  # ends the comment by which a tree is known as chosen by references
_DOCBIN = ".spacy"


def is_tree_file(path: str | Path) -> bool:
    """Return whether a path has the ending of a file of trees: CoNLL-U, CoNLL-X or `.spacy`."""
    return is_conllu(path) or uncompressed(path).suffix == _DOCBIN


class TreeFile(ListParser):
    """A parser that returns the trees in a file, for the text of that file.

    The file is CoNLL-U or CoNLL-X, with one tree or a list for each sentence (`trees.nbest_files`),
    or spaCy's `.spacy`. Trees with the labels of ClearNLP become trees of UD.
    `FILE(labels=clearnlp)` and `FILE(labels=ud)` specify the scheme; with `FILE(labels=own)` labels
    are not changed.

    If the text is split into other words or sentences than in the file, the trees are transferred,
    with a warning (`trees.retokenize`). From n-best lists only the first trees are transferred; to
    use whole lists, the sentences must be the same. Parsing raises FormatError if the text is a
    different one.
    """

    def __init__(self, path: str | Path) -> None:
        plain, options = split_options(str(path))
        self.path = Path(plain)
        self._own = _read(self.path)
        scheme = options.get("labels") or _scheme(self._own.trees, self.path)
        if scheme == "ud":
            self._own = replace(self._own, trees=with_one_root(self._own.trees))
        converted = scheme == CLEARNLP
        first = self._own.top(1)
        self.best = (lists_to_ud(first) if converted else first).trees
        _warn_of_labels(self.path, self.best.labels)
        self.identity = ParserIdentity(
            with_options(stem(plain), options),
            "",
            file_hash(plain),
            converted=CLEARNLP if converted else "",
        )

    def _lists(self, sentences: TokenLists, n: int | None, advance: Advance | None) -> NBest:
        if n is None:
            lists = _alone(fitted(self._own.top(1).trees, sentences, self.path))
        elif len(self._own) != len(sentences):
            count = quantity(len(self._own), "list of trees")
            raise FormatError(f"{count} for {quantity(len(sentences), 'sentence')}", file=self.path)
        else:
            lists = fitted_lists(self._own.top(n), sentences, self.path)
        if advance:
            advance(len(sentences))
        return lists

    def learned_from(self, sentences: TokenLists) -> int:
        """Count the trees that `select` has chosen by reference orders."""
        return chosen_by_references(self.best)


def chosen_by_references(trees: Treebank) -> int:
    """Count the trees that `select` has chosen by reference orders."""
    return sum(f"{OF_RANK_1} = " in "".join(comments) for comments in trees.comments)


def iterate_lists(path: str | Path, n: int | None = None) -> Iterator[NBest]:
    """Read the lists of a CoNLL-U file, some at a time: all their trees, or the first n.

    They are converted as by `TreeFile`. A file too large for the memory is read twice: its labels
    are counted first. Raises the errors of `read_nbest`, each when its line is reached.
    """
    plain, options = split_options(str(path))
    scheme, parts = options.get("labels"), iterate_nbest(plain)
    if scheme is None and is_large(plain):
        counts: Counter[str] = Counter()
        for lists in iterate_nbest(plain):
            counts.update(label_counts(lists.trees.labels))
        scheme = LabelEvidence(counts, conjunctions=False, changed=False).scheme(plain)
    elif scheme is None:
        parts = iter([read_nbest(plain)])
    for lists in parts:
        scheme = _scheme(lists.trees, plain) if scheme is None else scheme
        top = lists if n is None else lists.top(n)
        if scheme == CLEARNLP:
            top = lists_to_ud(top)
        yield replace(top, trees=with_one_root(top.trees)) if scheme == "ud" else top


def _scheme(trees: Treebank, path: str | Path) -> str:
    how = f"'{path}(labels=ud)' or '{path}(labels=clearnlp)'"
    return LabelEvidence.of(trees).scheme(path, how)


def _read(path: Path) -> NBest:
    if uncompressed(path).suffix != _DOCBIN:
        return read_nbest(path)
    from preorder_eval.parsers.to_docs import read_docbin  # takes spaCy

    return _alone(read_docbin(path))


def _warn_of_labels(path: Path, labels: NameColumn) -> None:
    """Warn of a few non-UD labels among UD labels: they may be misspelt."""
    scheme, fitting = likely_scheme(labels, "ud")
    others = len(labels) - fitting
    if scheme != "ud" or not 0 < others < fitting or in_version_1(label_counts(labels)):
        return
    name = next(name for name in labels if not understood(name, scheme))
    near = nearest(name, sorted(LABELS[scheme]))
    guess = f" (did you mean {near!r}?)" if near else ""
    words = "1 word has a label" if others == 1 else f"{others} words have labels"
    warn(f"{path}: {words} not named by any rule, such as {name!r}{guess}")


def _alone(trees: Treebank) -> NBest:
    return NBest(trees, np.arange(len(trees) + 1), np.full(len(trees), np.nan))
