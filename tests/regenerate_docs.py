"""Runs the console blocks of README and manual, writes what they print, and draws the pictures.

    python tests/regenerate_docs.py                                     all pages, reported only
    python tests/regenerate_docs.py --write README.md preorder_eval/manual/rules.md

What a page shows with `…` stays as it is while it fits, or while only numbers and spaces beside it
have changed. Read the difference before it is committed:
a number that changed without a reason is an error found.
"""

import argparse
import functools
import re
import sys
import tempfile
from pathlib import Path

from console_blocks import PAGES, Session, agrees, console_blocks
from manual_pictures import PICTURES, draw_picture, texts

# What may change beside a `…` that stays.
_CHANGES = re.compile(r"(…|[-+]?\d[\d.,]*\d|[-+]?\d| +)")


def renewed(printed, shown):
    """What a page shows now: with its `…`, if words are as they were, or else what was printed."""
    parts = _CHANGES.split(shown)  # texts and changes in turn
    kinds = {"…": ".*?", " ": "( +)"}
    pattern = "".join(
        kinds.get(part[:1], r"([-+]?[\d.,]*\d)") if n % 2 else re.escape(part)
        for n, part in enumerate(parts)
    )
    found = "…" in shown and re.fullmatch(pattern, printed, re.DOTALL)
    if not found:
        return printed
    values = iter(found.groups())
    return "".join(next(values) if n % 2 and part != "…" else part for n, part in enumerate(parts))


def regenerated(text, picture):
    """The page with what its commands print now, and how many of them print something else.

    `picture` draws the page's picture from the folder of its session.
    """
    blocks = list(console_blocks(text))
    parts, end, changed = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        session = Session(blocks, Path(folder))
        for number, block in enumerate(blocks):
            steps = []
            for step, outcome in zip(block.steps, session.outcome(number), strict=True):
                shown = step.shown
                if outcome.code:
                    sys.exit(f"exit code {outcome.code}: $ {step.lines}\n{outcome.printed}")
                if not agrees(outcome.printed, shown):
                    changed += 1
                    shown = renewed(outcome.printed, shown)
                    print(f"  $ {step.lines.splitlines()[0]}")
                steps.append(f"$ {step.lines}\n" + (f"{shown}\n" if shown else ""))
            if not block.prompts:  # and so no output, which the test would find
                steps = [text[slice(*block.span)]]
            parts += [text[end : block.span[0]], *steps]
            end = block.span[1]
        picture(folder)
    return "".join([*parts, text[end:]]), changed


def renew(page, folder, write):
    """Draw the picture of a page that has one, and report whether it shows something else now."""
    name = next(name for name, file in PAGES.items() if file.resolve() == page.resolve())
    if name not in PICTURES:
        return
    file, new = PICTURES[name], Path(folder) / "picture.svg"
    draw_picture(name, folder, new)
    if not file.exists() or texts(file) != texts(new):
        print(f"  {file.name}")
        if write:
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(new.read_bytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES.values())
    parser.add_argument("--write", action="store_true", help="write the pages")
    options = parser.parse_args()
    for page in options.pages:
        print(page)
        picture = functools.partial(renew, page, write=options.write)
        new, changed = regenerated(page.read_text(encoding="utf-8"), picture)
        print(f"  {int(changed)} differ{'s' * (changed == 1)}")
        if options.write and changed:
            page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
