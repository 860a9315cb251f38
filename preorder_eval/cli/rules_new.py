"""`preorder-eval rules new`: a rule file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.visible import quantity, visible


def command(
    target: Annotated[
        str, typer.Option(help="Code of the language whose order is wanted.", metavar="CODE")
    ],
    start: Annotated[
        str,
        typer.Option(
            "--from",
            help="Bundled rule set or rule file to start from; none has no rules.",
            metavar="NAME|FILE",
        ),
    ] = "none",
    source: Annotated[
        str, typer.Option(help="Code of the language that is reordered.", metavar="CODE")
    ] = "en",
    out: Annotated[
        Path | None, typer.Option(help="New file; SOURCE-TARGET.toml by default.", metavar="FILE")
    ] = None,
) -> None:
    """Write a rule file for a new pair of languages, with the rules of another.

    Worked examples are left out: they are in the other language's order.

    \b
    Examples:
      preorder-eval rules new --from en-ja --source en --target hi
      preorder-eval rules new --from head-final-reverse-after --target ta --out my-rules.toml
    """
    from dataclasses import replace

    from preorder_eval.errors import FormatError
    from preorder_eval.formats.rules import format_rules, load_rules
    from preorder_eval.formats.writing import write_text

    name = f"{source}-{target}"
    file = out or Path(f"{name}.toml")
    if file.exists():
        raise FormatError("exists already", file=file, mend="name a new one with --out")
    begun = load_rules(start)
    rules = replace(
        begun,
        name=name,
        source=source,
        target=target,
        description=f"started from {begun.name}",
        examples=(),
    )
    write_text(file, format_rules(rules))
    count = quantity(len(rules.rules), "rule")
    print(visible(f"{file}: {count} of {begun.name}; next: preorder-eval watch --rules {file}"))
