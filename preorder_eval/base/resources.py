"""The bundled rule sets, reference data and parsers, and the defaults.

In an installed wheel `rules/` and `reference_data/` are inside the package, in
`bundled`; in a checkout they are beside it.
"""

from __future__ import annotations

from pathlib import Path

DEFAULT_PARSER = "en-web"
DEFAULT_REFERENCE = "en-ja-web"  # web-style text, the part to tune on

_PACKAGE = Path(__file__).parents[1]
_BESIDE = ("rules", "reference_data")  # the package, in a checkout
_HOW_MADE = "annotation"  # of reference_data, in a checkout alone


def bundled(folder: str) -> Path:
    """Return the bundled folder `rules`, `reference_data` or `parsers/bundled`."""
    if folder not in _BESIDE:
        return _PACKAGE / folder
    inside = _PACKAGE / "bundled" / folder
    return inside if inside.is_dir() else _PACKAGE.parent / folder


def bundled_names(folder: str) -> dict[str, Path]:
    """Return the rule files or folders that a bundled folder holds, by name without ending.

    >>> bundled_names("rules")["en-ja"].name
    'en-ja.toml'
    """
    entries = sorted(bundled(folder).iterdir(), key=lambda entry: entry.stem)
    entries = [entry for entry in entries if not entry.name.startswith((".", "_"))]
    rule_files = {e.stem: e for e in entries if e.suffix == ".toml"}
    return rule_files | {e.name: e for e in entries if e.is_dir() and e.name != _HOW_MADE}
