"""How every command reads its options."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand


class Command(TyperCommand):
    """A command that refuses an option given twice that counts once.

    Of `--seed 1 --seed 2` the first would be forgotten in silence.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for parameter, count in Counter(given).items():
            if count > 1 and parameter.param_type_name == "option" and not parameter.multiple:
                raise typer.BadParameter(f"{parameter.opts[0]} is given twice, but counts once")
        return super().parse_args(ctx, args)
