"""Where the bundled rule sets, reference data and parsers lie.

In an installed wheel `rules/` and `reference_data/` are inside the package; in a checkout they
are beside it.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def bundled(folder: str) -> Path:
    """The bundled folder `rules`, `reference_data` or `parsers/bundled`."""
    inside = _PACKAGE / folder
    return inside if inside.is_dir() else _PACKAGE.parent / folder


def bundled_names(folder: str) -> dict[str, Path]:
    """What a bundled folder holds, by name (the file name without its ending)."""
    entries = sorted(bundled(folder).iterdir())
    return {
        e.stem if e.is_file() else e.name: e for e in entries if not e.name.startswith((".", "_"))
    }
