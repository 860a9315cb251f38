"""What the site has beside the manual's pages, made while it is built: `mkdocs build --strict`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import griffe
from mkdocs.structure.files import File, Files

import preorder_eval as pe

ROOT = Path(__file__).resolve().parents[2]
MANUAL = ROOT / "preorder_eval" / "manual"
PICTURE = ROOT / ".github" / "report.png"
# The copy button takes what is displayed: commands without prompts and outputs.
_COPIED = """\
[data-md-copying] :is(.gp, .go) { display: none; }
.highlight :is(.gp, .go) { user-select: none; }
"""
_CONTINUED = re.compile('<span class="go">&gt; ?(.*?)</span>')
_LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
_EXAMPLE = re.compile(r"(?:^>>> .*\n(?:.+\n?)*)+", re.MULTILINE)


def on_files(files: Files, config: Any) -> Files:
    """Add README as the first page, the public interface, a report and the notebook, executed."""
    names = [name for name in pe.__all__ if callable(getattr(pe, name))]
    homes = (f"::: {pe.HOMES[name]}.{name}" for name in names)
    for name, folder in (("index", ROOT), ("manual", MANUAL)):
        text = (folder / "README.md").read_text("utf-8")
        files.append(File.generated(config, f"{name}.md", content=_linked(text, folder, config)))
    interface = "\n\n".join(["# The public interface", *homes])
    files.append(File.generated(config, "interface.md", content=interface))
    files.append(File.generated(config, "copied.css", content=_COPIED))
    files.append(File.generated(config, PICTURE.name, content=PICTURE.read_bytes()))
    files.append(File.generated(config, "report.html", content=_report()))
    files.append(File.generated(config, "notebook.html", content=_notebook()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Link what stands outside of the manual to the repository."""
    return markdown if page.file.generated_by else _linked(markdown, MANUAL, config)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Mark the lines of a document in a command as such; Pygments takes them for output."""
    return _CONTINUED.sub(r'<span class="gp">&gt; </span>\1', html)


def _linked(markdown: str, folder: Path, config: Any) -> str:
    """Return a page of a folder with its links as they are on the site."""

    def link(match: re.Match[str]) -> str:
        target = (folder / match[1]).resolve()
        if not target.exists():
            raise FileNotFoundError(f"a page of {folder} links to {match[1]}")
        if target == MANUAL / "README.md":
            return "](manual.md"
        if target == MANUAL / "notebook.ipynb":
            return "](notebook.html"
        if target.parent == MANUAL:
            return f"]({target.name}"
        if target == PICTURE:
            return f"]({PICTURE.name}"
        kind = "tree" if target.is_dir() else "blob"
        return f"]({config.repo_url}/{kind}/main/{target.relative_to(ROOT).as_posix()}"

    return _LINK.sub(link, markdown)


class FencedExamples(griffe.Extension):
    """Examples of docstrings as blocks of code."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Fence the examples of an object's docstring."""
        if obj.docstring is not None:
            text = obj.docstring.value + "\n"
            fenced = _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)
            obj.docstring.value = fenced


def _report() -> str:
    """Make the page of an evaluation: one file, which needs no network."""
    with tempfile.TemporaryDirectory() as folder:
        run, page = Path(folder) / "run", Path(folder) / "report.html"
        result = pe.evaluate("en-ja-web/dev", parsers=["en-web"], rules=["none", "en-ja"])
        pe.write_run(result, run)
        pe.report([run], page)
        return page.read_text("utf-8")


def _notebook() -> str:
    file = MANUAL / "notebook.ipynb"
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "--stdout", file]
    command += ["--log-level", "ERROR"]
    made = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    page = made.stdout.replace("<title>notebook<", "<title>Is the word order better?<")
    return re.sub('<script src="https:.*?</script>', "", page)  # for formulas, which it has none of
