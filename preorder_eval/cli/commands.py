"""How every command reads its options."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand

from preorder_eval.cli.completion import complete_names
from preorder_eval.cli.help_groups import arranged
from preorder_eval.cli.idle_options import idle_option
from preorder_eval.cli.project import defaults


class Command(TyperCommand):
    """A command that refuses options without effect, also one given twice that counts once.

    Of `--seed 1 --seed 2` the first would be forgotten in silence. What is not given may be said in
    the project file of the folder. Help has options in groups, and a shell can complete names.
    """

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        complete_names(self.params)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, and options in their groups."""
        shown = [(p, p.get_help_record(ctx)) for p in self.get_params(ctx)]
        records = {p.name: record for p, record in shown if record is not None}
        options = [p for p, _ in shown if p.param_type_name == "option" and p.name in records]
        positional = [p for p, _ in shown if p.param_type_name != "option" and p.name in records]
        for title, parameters in [("Arguments", positional), *arranged(options)]:
            if parameters:
                with formatter.section(title):
                    formatter.write_dl([records[parameter.name] for parameter in parameters])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        values, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for parameter, count in Counter(given).items():
            if count > 1 and parameter.param_type_name == "option" and not parameter.multiple:
                raise typer.BadParameter(
                    f"{parameter.opts[0]} is given twice, but counts once", ctx
                )
        if not ctx.resilient_parsing and not any(parameter.is_eager for parameter in given):
            said = {
                parameter.name: values[parameter.name]
                for parameter in given
                if parameter.param_type_name == "option" or values[parameter.name]
            }
            idle = idle_option(command_of(ctx), said, {p.name: p.opts[0] for p in self.params})
            if idle is not None:
                raise typer.BadParameter(idle, ctx)
            several = {parameter.name for parameter in self.params if parameter.multiple}
            ctx.default_map = defaults(command_of(ctx), said, several)
        return super().parse_args(ctx, args)


def command_of(ctx: Any) -> str:
    """What a command is called below the whole, such as `rules show`."""
    names = []
    while ctx.parent is not None:
        names.append(ctx.info_name)
        ctx = ctx.parent
    return " ".join(reversed(names))
