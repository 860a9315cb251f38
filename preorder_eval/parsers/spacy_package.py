"""Parsers as pipelines of spaCy, for those who work with spaCy itself."""

from __future__ import annotations

from typing import Any

import spacy
from spacy.language import Language

from preorder_eval.parsers import pipeline_folder
from preorder_eval.resources import DEFAULT_PARSER


def load_pipeline(name: str = DEFAULT_PARSER, **settings: Any) -> Language:
    """The spaCy pipeline of a parser, with a tokenizer for raw text.

    Parameters: `name` a bundled or installed parser or a folder; `settings` are those of
    `spacy.load`. The bundled one is also `spacy.load("en_preorder_web")`; it takes every document
    for one sentence, unless a component such as spaCy's `sentencizer` before it finds several.
    Raises PreorderEvalError for what is no spaCy pipeline.

    >>> nlp = load_pipeline()
    >>> _ = nlp.add_pipe("preorder", config={"rules": "en-ja"})
    >>> nlp("She doesn't read old books.")._.preordered
    "She old books read does n't ."
    """
    return spacy.load(pipeline_folder(name), **settings)
