"""The parser `en-web` of preorder-eval for `spacy.load("en_preorder_web")`."""

from __future__ import annotations

from typing import Any

from spacy.language import Language

from preorder_eval.parsers.load_parser import load_pipeline


def load(**settings: Any) -> Language:
    """Load the pipeline; `settings` are those of `spacy.load`."""
    return load_pipeline("en-web", **settings)
