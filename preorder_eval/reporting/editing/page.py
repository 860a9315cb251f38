"""The editor's page: fixed text, style and script, which asks for everything else."""

from __future__ import annotations

from preorder_eval import __version__
from preorder_eval.reporting.local_server import Answer
from preorder_eval.reporting.page import environment, policy_hash, template_text
from preorder_eval.reporting.payload import json_text

_STYLES = ["report.css", "editor.css"]
_SCRIPTS = ["text.js", "editor_links.js", "editor_draw.js", "editor_requests.js", "editor.js"]


def editor_page(name: str, languages: str, *, trees: bool) -> Answer:
    """The page for a reference set; `trees` says whether its source sentences have trees."""
    style, script = ("\n".join(map(template_text, names)) for names in (_STYLES, _SCRIPTS))
    html = (
        environment()
        .get_template("editor.html.jinja")
        .render(
            name=name,
            languages=languages,
            trees=trees,
            data=json_text({"trees": trees}),
            style=style,
            script=script,
            version=__version__,
        )
    )
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{policy_hash(script)}'",
            f"style-src '{policy_hash(style)}'",
            "img-src data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )
    return Answer(html.encode(), policy=policy)
