"""What a parser gains from a treebank in the order of its target language.

    pip install ufal.udpipe
    python -m tests.benchmarks.transfer SOURCE.conllu TARGET.conllu...

A parser (UDPipe 1) is trained on universal tags alone, on sentences of the source language: once as
they are, once reordered by rules that are learned from the target's treebank. It parses sentences
of the target language. Rules are learned from the first half of each target's treebank, and the
parser is scored on the second half. One row a language: unlabelled and labelled attachment in
source order and reordered.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

import preorder_eval as pe
from preorder_eval.learning.learn_rules import learn_rules
from preorder_eval.trees.treebank import Tree, Treebank

# No words, features or language's own tags; the iterations of UDPipe's own models are 20 to 30.
_PARSER = (
    "iterations={iterations};embedding_upostag=20;embedding_feats=0;embedding_xpostag=0;"
    "embedding_form=0;embedding_lemma=0;embedding_deprel=20;hidden_layer=100;run={seed};"
    "transition_system=projective;transition_oracle=dynamic;structured_interval=8"
)


def universal(trees: Treebank) -> str:
    """Return trees as CoNLL-U in which universal tags stand for words and labels lack subtypes."""
    return "".join(map(_sentence, trees))


def _sentence(tree: Tree) -> str:
    rows = zip(tree.upos, tree.heads, tree.labels, strict=True)
    lines = (
        f"{n}\t{tag}\t_\t{tag}\t_\t_\t{head + 1}\t{label.partition(':')[0]}\t_\t_\n"
        for n, (tag, head, label) in enumerate(rows, 1)
    )
    return "".join(lines) + "\n"


def reordered(trees: Treebank, rules: pe.RuleSet) -> Treebank:
    """Return trees in the order of rules."""
    made = [_in_order(tree, order) for tree, order in zip(trees, rules.reorder(trees), strict=True)]
    return Treebank.of(made)


def _in_order(tree: Tree, order: list[int]) -> Tree:
    at = {old: new for new, old in enumerate(order)}
    return Tree(
        words=[tree.words[old] for old in order],
        heads=[at.get(tree.heads[old], -1) for old in order],
        labels=[tree.labels[old] for old in order],
        upos=[tree.upos[old] for old in order],
        xpos=[tree.xpos[old] for old in order],
    )


def trained(text: str, folder: Path, seed: int, iterations: int) -> Path:
    """Train a parser on CoNLL-U and return its file."""
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer  # type: ignore[import-not-found]

    reader, error, sentences = InputFormat.newConlluInputFormat(), ProcessingError(), Sentences()
    reader.setText(text)
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = Sentence()
    options = _PARSER.format(iterations=iterations, seed=seed)
    model = Trainer.train(
        "morphodita_parsito", sentences, Sentences(), Trainer.NONE, Trainer.NONE, options, error
    )
    file = folder / "model.udpipe"
    file.write_bytes(model)
    return file


def scores(model: Path, trees: Treebank) -> tuple[float, float]:
    """Return the unlabelled and the labelled attachment of words that are not punctuation."""
    from ufal.udpipe import Model, Pipeline, ProcessingError

    loaded = Model.load(str(model))  # a pipeline does not keep its model alive
    pipeline = Pipeline(loaded, "conllu", Pipeline.NONE, Pipeline.DEFAULT, "conllu")
    parsed = pipeline.process(universal(trees), ProcessingError())
    rows = [line.split("\t") for line in parsed.splitlines() if line and line[0] != "#"]
    heads = np.array([int(row[6]) for row in rows])
    right = heads == np.concatenate([np.array(tree.heads) + 1 for tree in trees])
    labels = [label.partition(":")[0] for tree in trees for label in tree.labels]
    labelled = right & np.array([row[7] == of for row, of in zip(rows, labels, strict=True)])
    counted = np.array([label != "punct" for label in labels])
    return float(right[counted].mean()), float(labelled[counted].mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("source", type=Path)
    parser.add_argument("targets", type=Path, nargs="+")
    parser.add_argument("--sentences", type=int, default=1000, help="of the source to train on")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    source = pe.read_conllu(given.source)
    source = source.take(np.arange(min(given.sentences, len(source))))
    print("target", "UAS", "reordered", "LAS", "reordered", sep="\t")
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, given.seeds + 1):
            plain = trained(universal(source), Path(folder), seed, given.iterations)
            plain = plain.rename(Path(folder) / "plain.udpipe")
            for file in given.targets:
                target = pe.read_conllu(file)
                half = len(target) // 2
                rules = learn_rules(treebank=target.take(np.arange(half))).rules
                test = target.take(np.arange(half, len(target)))
                text = universal(reordered(source, rules))
                before = scores(plain, test)
                after = scores(trained(text, Path(folder), seed, given.iterations), test)
                row = [f"{value:.3f}" for both in zip(before, after, strict=True) for value in both]
                print(file.stem, *row, sep="\t", flush=True)


if __name__ == "__main__":
    main()
