"""The model card that a trained parser comes with."""

from __future__ import annotations

from preorder_eval.analysis.attachment import Attachment

_CARD = """\
# {name}

A small dependency parser for tokenised sentences of language `{lang}`: a convolutional tok2vec
layer shared by an XPOS tagger, a UPOS tagger and a transition-based parser (spaCy {spacy}).
It gives every sentence one tree with one root and keeps the tokens as they are.

| | |
|---|---|
| training data | {data}{train}: {sentences:,} sentences, {words:,} words |
| SHA-256 of the training data | `{digest}` |
| licence | {licence} |
| command | `{command}` |
| size on disk | {size:.1f} MB |

Accuracy on {dev} ({dev_words:,} words, punctuation included, gold tokens):

| | UAS | LAS | LAS with subtypes | UPOS | XPOS |
|---|---|---|---|---|---|
| as it is | {as_is} |
| in lower case | {lower} |
"""


def accuracy_cells(scores: Attachment) -> str:
    """Scores in percent as the cells of a table row.

    >>> accuracy_cells(Attachment(0.9, 0.8, 0.79, 0.95, 0.94))
    '90.0 | 80.0 | 79.0 | 95.0 | 94.0'
    """
    values = (scores.uas, scores.las, scores.las_full, scores.upos, scores.xpos)
    return " | ".join(f"{100 * value:.1f}" for value in values)


def model_card(**facts: object) -> str:
    """The card's text."""
    return _CARD.format(**facts)
