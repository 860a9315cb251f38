"""spaCy's component `preorder`: the words of every document in target order.

    nlp = spacy.load("en_preorder_web")
    nlp.add_pipe("preorder", config={"rules": "en-ja"})
    doc = nlp("She reads books in Tokyo.")
    doc._.preordered      # 'She Tokyo in books reads .'
    doc._.preorder        # (0, 4, 3, 2, 1, 5)

`doc._.preorder` are the indices of the document's words (white space is none) in target order,
sentence by sentence. `doc._.preordered` is their text. A span has both for its own words.
`DocBin(store_user_data=True)` keeps the order.

The component reads the trees of the parser that runs before it. A pipeline that keeps the case of
words parses sentences without a capital again, truecased as in `evaluate` (`parsers.truecase`).
With `consensus=n` the parser lists n trees of each sentence. The one whose order is nearest to all
orders of the list is set (`rules.consensus_orders`). The rules are stored with the pipeline.
"""

# Annotations are not put off here: of a factory spaCy before 3.8.11 needs to see the types.

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.pipeline import DependencyParser
from spacy.tokens import Doc, Span

from preorder_eval.base.errors import PreorderEvalError, require_between, warn
from preorder_eval.base.files.files import decode_text, read_bytes
from preorder_eval.base.files.writing import write_text
from preorder_eval.base.ragged import NameColumn
from preorder_eval.parsers.from_docs import from_docs, words_of
from preorder_eval.parsers.lines import split_line
from preorder_eval.parsers.pipelines import made_by_train
from preorder_eval.parsers.spacy_pipeline import TreeMaker
from preorder_eval.parsers.truecase import TRUECASE, pipeline_truecaser
from preorder_eval.rules.consensus_orders import chosen_trees
from preorder_eval.rules.rule_reading import load_rules, parse_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.rules.rule_writing import format_rules
from preorder_eval.trees.in_ud import Labels, in_ud, is_clearnlp, label_counts, scheme_by_labels
from preorder_eval.trees.treebank import Tree, Treebank

_BATCH = 128
_RULES = "rules.toml"
_TREE: list[int | str] = ["HEAD", "DEP", "POS", "TAG"]


@Language.factory(
    "preorder", assigns=["doc._.preorder"], default_config={"consensus": 0, "labels": "auto"}
)
def make_preorder(
    nlp: Language, name: str, rules: str, consensus: int, labels: Labels = "auto"
) -> "Preorder":
    """Make the component for a pipeline.

    Parameters: `rules` the name of a bundled or installed rule set or the path of a rule file;
    `consensus` how many trees of each sentence the rules choose from, 0 for the parser's one;
    `labels` the annotation scheme of the documents' trees, by default that of the pipeline's
    parser.
    """
    return Preorder(rules, nlp, consensus, labels)


class Preorder:
    """The component that puts the words of documents into target order, using their trees.

    If the rules are written for UD, trees with ClearNLP labels are converted to UD
    (`trees.clearnlp`). Raises PreorderEvalError for a document without a parse, and for trees whose
    annotation scheme differs from that of the rules.
    """

    def __init__(
        self, rules: str, nlp: Language, consensus: int = 0, labels: Labels = "auto"
    ) -> None:
        require_between("consensus", consensus, 0)
        self._nlp = nlp
        self._consensus = consensus
        self._labels = labels
        self._seen: Labels | None = None
        self._warned = False
        self._name = rules
        # A stored pipeline brings its rules along, and need not find the file again.
        gone = rules.endswith(".toml") and not Path(rules).is_file()
        self._rules = None if gone else load_rules(rules)

    def rules(self) -> RuleSet:
        """Return the rule set; raises FormatError if its file is gone and none was stored."""
        return load_rules(self._name) if self._rules is None else self._rules

    def __call__(self, doc: Doc) -> Doc:
        """Set the order of a document."""
        [doc] = self._set([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = _BATCH) -> Iterator[Doc]:
        """Set the orders of documents, many at a time."""
        remaining = iter(stream)
        while docs := list(itertools.islice(remaining, batch_size)):
            yield from self._set(docs)

    def _set(self, docs: list[Doc]) -> list[Doc]:
        sentences = [
            (number, words)
            for number, doc in enumerate(docs)
            for words in self._sentences(doc)
            if words
        ]
        orders: list[list[int]] = [[] for _ in docs]
        if sentences:
            self._warn_of_ends(words for _, words in sentences)
            parsed = [doc for doc in docs if words_of(doc)]
            treebank = from_docs(parsed, labels="own")
            if self._parsed_again([words for _, words in sentences], treebank):
                treebank = from_docs(parsed, labels="own")
            for (number, words), order in zip(
                sentences, self.rules().reorder(self._read(treebank)), strict=True
            ):
                orders[number] += [words[place].i for place in order]
        for doc, order in zip(docs, orders, strict=True):
            doc._.preorder = tuple(order)  # as DocBin gives it back
        return docs

    def _parsed_again(self, sentences: list[list[Any]], trees: Treebank) -> bool:
        """Set trees of truecased sentences, or of all by consensus; False if none are set."""
        truecaser = pipeline_truecaser(self._nlp, self._nlp.meta.get(TRUECASE, ""))
        given = trees.sentences
        seen = list(map(truecaser.read, given)) if truecaser else given
        again = [n for n, words in enumerate(seen) if self._consensus or words != given[n]]
        if not again:
            return False
        maker = TreeMaker(self._nlp)
        listed = maker.lists([seen[n] for n in again], self._consensus or None)
        lists = maker.nbest([given[n] for n in again], listed)
        chosen = chosen_trees(replace(lists, trees=self._read(lists.trees)), self.rules())
        parsed = zip((sentences[n] for n in again), lists.trees.take(chosen), strict=True)
        for doc, of_doc in itertools.groupby(parsed, lambda each: each[0][0].doc):
            _set_trees(doc, of_doc)
        return True

    def _read(self, trees: Treebank) -> Treebank:
        """Return the parser's trees in the scheme that the rules read."""
        if self.rules().scheme != "ud":
            return trees
        pipes = [pipe for _, pipe in self._nlp.pipeline if isinstance(pipe, DependencyParser)]
        labels = self._labels
        if pipes and labels == "auto":
            labels = "clearnlp" if is_clearnlp(NameColumn.of(pipes[-1].labels)) else "ud"
        if labels == "auto":  # one scheme for all documents, once any of them has told it
            self._seen = self._seen or scheme_by_labels(label_counts(trees.labels))
            labels = self._seen or labels
        return in_ud(trees, labels)

    def _sentences(self, doc: Doc) -> list[list[Any]]:
        """Return the words of each sentence."""
        if words_of(doc) and not doc.has_annotation("DEP"):
            raise PreorderEvalError(
                "the component preorder needs parsed documents; add a parser before it"
            )
        return [words_of(sentence) for sentence in doc.sents] if len(doc) else []

    def _warn_of_ends(self, sentences: Iterable[list[Any]]) -> None:
        """Warn, once, that a pipeline made by `train` treats several sentences as one."""
        if self._warned or not made_by_train(self._nlp.meta):
            return
        if {"sentencizer", "senter"}.isdisjoint(self._nlp.pipe_factories.values()):
            several = any(len(split_line([word.text for word in words])) > 1 for words in sentences)
            self._warned = several
            if several:
                warn(
                    "the pipeline does not detect sentence boundaries, so that words of several "
                    'sentences are mixed: add spaCy\'s nlp.add_pipe("sentencizer", first=True), '
                    "or use pe.load_pipeline"
                )

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the rules as the text of a rule file."""
        return format_rules(self.rules()).encode()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "Preorder":
        """Take over stored rules."""
        self._rules = parse_rules(decode_text(data, _RULES), _RULES)
        return self

    def to_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the rules into a folder of the stored pipeline."""
        path.mkdir(parents=True, exist_ok=True)
        write_text(path / _RULES, format_rules(self.rules()))

    def from_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> "Preorder":
        """Take over the rules of a stored pipeline."""
        return self.from_bytes(read_bytes(path / _RULES))


def _set_trees(doc: Doc, sentences: Iterable[tuple[list[Any], Tree]]) -> None:
    """Set the heads of the words in a document's sentences as in the given trees."""
    rows: Any = doc.to_array(_TREE)
    heads = np.arange(len(doc)) + rows[:, 0].view(np.int64)
    for words, tree in sentences:
        places = [word.i for word in words]
        root = places[tree.heads.index(-1)]
        for token in words[0].sent:
            if heads[token.i] == token.i:  # also where that is white space
                heads[token.i] = root
        heads[places] = [root if head < 0 else places[head] for head in tree.heads]
        labels = ("ROOT" if label == "root" else label for label in tree.labels)
        names = (labels, tree.upos, tree.xpos)
        for column, of_words in enumerate(names, 1):
            known = ("" if name == "_" else name for name in of_words)
            rows[places, column] = [doc.vocab.strings.add(name) for name in known]
    rows[:, 0] = (heads - np.arange(len(doc))).view(np.uint64)
    doc.from_array(_TREE, rows)


def _span_order(span: Span) -> tuple[int, ...] | None:
    """Return the document indices of the span's words, in target order."""
    order = span.doc._.preorder
    return None if order is None else tuple(i for i in order if span.start <= i < span.end)


def _text(words: Doc | Span) -> str | None:
    order = words._.preorder
    return None if order is None else " ".join(words.doc[i].text for i in order)


Doc.set_extension("preorder", default=None, force=True)
Doc.set_extension("preordered", getter=_text, force=True)
Span.set_extension("preorder", getter=_span_order, force=True)
Span.set_extension("preordered", getter=_text, force=True)
