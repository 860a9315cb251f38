"""The pictures of the tutorials: each shows what its tutorial ends with, drawn from its session.

`tests/regenerate_docs.py --write` draws them anew. A picture is current if it shows the same names
and numbers: its other bytes depend on the version of matplotlib.
"""

import re
from pathlib import Path

import preorder_eval as pe

FOLDER = Path(__file__).parents[1] / "preorder_eval" / "manual" / "pictures"


def _translations(session):
    names = ("fair", "good", "poor")
    outputs = {name: session / "outputs" / f"{name}.en" for name in names}
    scored = pe.score(outputs, session / "ref.en", ["bleu", "ribes", "per"])
    return pe.meta(scored, pe.read_human_scores(session / "human.tsv", 4))


# What is drawn of the folder of a page's session.
_DRAWN = {
    "tutorial-annotation": lambda session: pe.evaluate(
        session / "my-set", rules=["none", "en-ja"], metrics=["fuzzy", "kendall"]
    ),
    "tutorial-parser": lambda session: pe.read_run(session / "runs" / "parsers"),
    "tutorial-rules": lambda session: pe.evaluate(
        "en-hi", parsers=["gold"], rules=["none", session / "mine.toml", "en-hi"]
    ),
    "tutorial-translations": _translations,
}
PICTURES = {f"manual/{name}": FOLDER / f"{name}.svg" for name in _DRAWN}


def draw_picture(page, session, file):
    """Draw the picture of a page from the folder of its session."""
    _DRAWN[page.removeprefix("manual/")](Path(session)).plot().save(file)


def texts(file):
    """The names and numbers of a picture."""
    return re.findall(r"<text[^>]*>([^<]*)", file.read_text(encoding="utf-8"))
