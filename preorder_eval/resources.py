"""Where the bundled rule sets, reference data and parsers lie.

In an installed wheel `rules/` and `reference_data/` are inside the package; in a checkout they
are beside it.
"""

from __future__ import annotations

from pathlib import Path

DEFAULT_PARSER = "en-web"
DEFAULT_REFERENCE = "en-ja"

_PACKAGE = Path(__file__).parent


def bundled(folder: str) -> Path:
    """The bundled folder `rules`, `reference_data` or `parsers/bundled`."""
    inside = _PACKAGE / folder
    return inside if inside.is_dir() else _PACKAGE.parent / folder


def bundled_names(folder: str) -> dict[str, Path]:
    """The rule files or the folders that a bundled folder holds, by name without ending.

    >>> bundled_names("rules")["en-ja"].name
    'en-ja.toml'
    """
    entries = [e for e in sorted(bundled(folder).iterdir()) if not e.name.startswith((".", "_"))]
    rule_files = {e.stem: e for e in entries if e.suffix == ".toml"}
    return rule_files | {e.name: e for e in entries if e.is_dir()}
