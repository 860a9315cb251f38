"""Commands made of functions, whose annotated parameters declare the options.

A parameter's type determines how its value is read. An `Option` beside the type has all else: help,
group, what it goes with. Options that several commands share are annotated types with a name.
Options that always go together are the fields of a dataclass, whose `GROUP` is the group of all. If
an option differs in one command, another `Option` is added there, with only the fields that differ.

>>> Seed = Annotated[int, Option("Seed of all resampling.", low=0)]
>>> def draw(seed: Annotated[Seed, Option(needs="resamples")] = 0, resamples: int = 1000) -> None:
...     "What help has below the options."
>>> seed, resamples, *_ = Command("draw", draw).params
>>> seed.opts, seed.default, seed.declared.help, seed.declared.needs
(['--seed'], 0, 'Seed of all resampling.', 'resamples')
"""

from __future__ import annotations

import inspect
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import click

from preorder_eval.base.files.destinations import check_output
from preorder_eval.cli.terminal import Verbosity, choose

_NONE = inspect.Parameter.empty

Given = Mapping[str, Any]

# The groups of options in the order of help; those in no other group come first.
GROUPS = (
    "Options",
    "Systems",
    "References",
    "Human judgments",
    "Inputs of metrics",
    "Learning",
    "Scores and tests",
    "Aligner",
    "Conversion",
    "Output",
    "Execution",
    "Evaluation of other tools",
    "Shards of a corpus on a cluster (Dask)",
)
_OUT = "out"  # the option of every command that writes a file or folder
_FEW = 8  # options that stand in one group
_COLUMN = 26  # where help says what an option does


@dataclass(frozen=True)
class Option:
    """The declaration of an option; a field that is None is taken from elsewhere.

    - `name` is how the option is written, and `shown` its default in words.
    - `needs` names options of which one must be given, too, such as "alignment" or "compat=lader";
      a command need not have all of them.
    - The option has no effect together with those in `beside`. Nor has it if `idle` returns a
      reason.
    - The values of a `distinct` option may be given once each.
    """

    help: str | None = None
    name: str | None = None
    group: str | None = None
    metavar: str | Callable[[], str] | None = None
    low: Any = None
    high: Any = None
    default: Any = None
    shown: str | None = None
    needs: str | None = None
    beside: str | None = None
    idle: Callable[[Given], str] | None = None
    distinct: bool | None = None
    callback: Callable[[click.Context, click.Parameter, Any], Any] | None = None

    def over(self, other: Option) -> Option:
        """Return the other declaration, with the fields of this one that are not None.

        Only `beside` combines both.
        """
        changes = {f.name: getattr(self, f.name) for f in fields(self)}
        changes = {name: value for name, value in changes.items() if value is not None}
        if self.beside and other.beside:
            changes["beside"] = f"{other.beside} {self.beside}"
        merged = replace(other, **changes)
        return Argument(**vars(merged)) if isinstance(self, Argument) else merged


@dataclass(frozen=True)
class Argument(Option):
    """The declaration of a positional argument of a command."""


class _Declared(click.Parameter):
    """A parameter with its declaration."""

    def __init__(self, declared: Option, *names: str, **attributes: Any) -> None:
        super().__init__(names, **attributes)
        self.declared = declared

    def make_metavar(self, ctx: click.Context) -> str:
        written = self.declared.metavar  # a function where names of other packages stand in it
        return written() if callable(written) else super().make_metavar(ctx)


class _Option(_Declared, click.Option):
    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return its spelling, and its help with the default in brackets."""
        written = " / ".join(filter(None, [", ".join(self.opts), *self.secondary_opts]))
        kind = "" if self.is_flag else f" {self.make_metavar(ctx)}"
        default = "" if self.is_flag or self.required else self.default
        shown = self.declared.shown or ("" if default in (None, "", ()) else str(default))
        text = self.help or ""
        return written + kind, f"{text.rstrip('.')} [{shown}]." if shown else text


class _Argument(_Declared, click.Argument):
    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return self.make_metavar(ctx), self.declared.help or ""


def verbosity_options() -> list[click.Parameter]:
    """Return --quiet and --verbose, which may stand anywhere on the line."""

    def flag(level: Verbosity, help: str) -> _Option:
        def callback(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
            if value:
                choose(level)

        how: dict[str, Any] = {"is_flag": True, "expose_value": False, "callback": callback}
        written = f"-{level[0]}", f"--{level}"
        return _Option(Option(group="Output"), level, *written, help=help, **how)

    return [
        flag("quiet", "Print results and errors only."),
        flag("verbose", "Also print what was read, and all details."),
    ]


def _entry(written: str, text: str, width: int) -> str:
    """Return an option with its help beside it, or below it if the option is long."""
    indent, width = " " * _COLUMN, width - _COLUMN
    how: dict[str, Any] = {"break_on_hyphens": False, "subsequent_indent": "  " * ("\n" in text)}
    lines = [part for line in text.split("\n") for part in textwrap.wrap(line, width, **how)]
    first = f"  {written:{_COLUMN - 2}}"
    if len(first) == _COLUMN and first.endswith("  "):
        first += lines.pop(0) if lines else ""
    return "\n".join([first.rstrip(), *(indent + line for line in lines)])


class Command(click.Command):
    """A command made of a function; it rejects options that would have no effect.

    With `--seed 1 --seed 2`, the first value would be ignored silently. So an option that is not
    repeatable is rejected if it is given twice. Help begins with the summary, and with the examples
    at the end of the function's docstring; the rest of the docstring stands below the options.
    """

    def __init__(
        self, name: str, function: Callable[..., None], summary: str = "", page: str = ""
    ) -> None:
        details, _, examples = f"\n{inspect.getdoc(function)}".partition("\nExamples:\n")
        self.details = details.strip()
        self.examples = textwrap.indent(textwrap.dedent(examples.rstrip()), "  ")
        parameters, call = _expanded(function)
        super().__init__(
            name,
            callback=call,
            params=[*parameters, *verbosity_options()],
            help=summary,
            epilog=f"Manual: preorder-eval manual {page}" if page else None,
        )

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help_text(ctx, formatter)
        if self.examples:
            formatter.write(f"\nExamples:\n{self.examples}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write arguments, options in their groups, and the rest of the help."""
        grouped: dict[str, list[tuple[str, str]]] = {"Arguments": [], **{g: [] for g in GROUPS}}
        few = len(self.params) <= _FEW
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            declared = getattr(parameter, "declared", Option(group="Output"))  # --help
            group = "Options" if few else declared.group or "Options"
            group = "Arguments" if isinstance(parameter, click.Argument) else group
            if record is not None:
                grouped[group].append(record)
        for title, records in grouped.items():
            if records:
                formatter.write_paragraph()
                formatter.write(f"{title}:\n")
                for written, text in records:
                    formatter.write(f"{_entry(written, text, formatter.width)}\n")
        if self.details:
            formatter.write_paragraph()
            formatter.write_text(self.details)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        values, _, parameters = self.make_parser(ctx).parse_args(args=list(args))
        for parameter, count in Counter(parameters).items():
            several = isinstance(parameter, click.Argument) or parameter.multiple
            if count > 1 and not several:
                raise click.UsageError(f"{_written(parameter)} can be given only once", ctx)
            value = values[parameter.name]
            if "" in (value if isinstance(value, list | tuple) else [value]):
                name = _written(parameter)
                raise click.UsageError(f"{name} is empty: omit it or give it a value", ctx)
        if not any(parameter.is_eager for parameter in parameters):
            read = [values[p.name] for p in dict.fromkeys(parameters) if p.name != _OUT]
            check_output(values.get(_OUT), read)
            # An argument that is left out is among them too, with a value of click's own.
            given = {
                str(parameter.name): values[parameter.name]
                for parameter in parameters
                if isinstance(parameter, click.Option)
                or (isinstance(values[parameter.name], str | tuple) and values[parameter.name])
            }
            if idle := self.idle(given):
                raise click.UsageError(idle, ctx)
        return super().parse_args(ctx, args)

    def idle(self, given: Given) -> str:
        """Return an error for an option that has no effect with the other options, if there is one.

        A user who gives an option would otherwise believe that it was applied.
        """
        for parameter in self.params:
            if parameter.name not in given or not isinstance(parameter, _Declared):
                continue
            declared, written = parameter.declared, _written(parameter)
            if why := self._refused(declared, given):
                return f"{written} {why}"
            values = given[parameter.name] if declared.distinct and parameter.multiple else []
            again = [value for value in values if values.count(value) > 1]
            if again:
                return f"{written} {again[0]} can be given only once"
        return ""

    def _refused(self, declared: Option, given: Given) -> str:
        """Explain why an option would have no effect; empty if it has one."""
        needed = (declared.needs or "").split()
        if needed and not any(_is_given(other, given) for other in needed):
            return f"needs {self._listed(needed)}"
        silent = [other for other in (declared.beside or "").split() if _is_given(other, given)]
        if silent:
            return f"has no effect with {self._listed(silent)}"
        return "" if declared.idle is None else declared.idle(given)

    def _listed(self, named: Iterable[str]) -> str:
        """Return options as they are written on the command line."""
        written = {parameter.name: _written(parameter) for parameter in self.params}
        parts = [name.partition("=") for name in named]
        return " or ".join(
            f"{written[name]} {value}".strip() for name, _, value in parts if name in written
        )


def _written(parameter: click.Parameter) -> str:
    """Return the name of an option or an argument in errors: `--out`, `SOURCE`."""
    is_argument = isinstance(parameter, click.Argument)
    return parameter.human_readable_name if is_argument else parameter.opts[-1]


def _is_given(written: str, given: Given) -> bool:
    name, equals, value = written.partition("=")
    return name in given and (not equals or given[name] == value)


def _expanded(function: Callable[..., None]) -> tuple[list[click.Parameter], Callable[..., None]]:
    """Return the parameters of a command, and a function that takes their values.

    A dataclass among the parameters is replaced by its fields.
    """
    parameters: list[click.Parameter] = []
    groups: dict[str, tuple[Any, list[str]]] = {}
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind, declared = _unfolded(hints[name])
        if is_dataclass(kind):
            of_fields = get_type_hints(kind, include_extras=True)
            within = Option(group=getattr(kind, "GROUP", None))
            for field in fields(kind):
                field_kind, field_declared = _unfolded(of_fields[field.name])
                default = _NONE if field.default is MISSING else field.default
                of_field = declared.over(field_declared).over(within)
                parameters.append(_parameter(field.name, field_kind, of_field, default))
            groups[name] = kind, [field.name for field in fields(kind)]
        else:
            parameters.append(_parameter(name, kind, declared, parameter.default))

    def call(**values: Any) -> None:
        for name, (group, names) in groups.items():
            values[name] = group(**{each: values.pop(each) for each in names})
        function(**values)

    return parameters, call


def _unfolded(hint: Any) -> tuple[Any, Option]:
    """Return a type and its declaration; of several declarations the last one counts most."""
    if get_origin(hint) is not Annotated:
        return hint, Option()
    kind, declared, *changes = get_args(hint)
    for change in changes:
        declared = change.over(declared)
    return kind, declared


def _parameter(name: str, kind: Any, declared: Option, default: Any) -> click.Parameter:
    """Return a click parameter; it is required if it has no default."""
    if get_origin(kind) in (Union, UnionType):
        [kind] = [one for one in get_args(kind) if one is not NoneType]
    several = get_origin(kind) is tuple
    kind = get_args(kind)[0] if several else kind
    attributes: dict[str, Any] = {"type": _type(kind, declared), "metavar": declared.metavar}
    if default is _NONE and declared.default is None:
        attributes["required"] = True
    else:
        attributes["default"] = declared.default if default is _NONE else default
    if isinstance(declared, Argument):
        return _Argument(declared, name, nargs=-1 if several else 1, **attributes)
    written = declared.name or f"--{name.replace('_', '-')}"
    if kind is bool:
        attributes = {"default": default, "is_flag": True, "callback": declared.callback}
    elif attributes["metavar"] is None:
        attributes["metavar"] = {int: "N", float: "X", Path: "FILE"}.get(kind)
    names = [part.strip() for part in written.split(",")]
    return _Option(declared, name, *names, multiple=several, help=declared.help, **attributes)


def _type(kind: Any, declared: Option) -> Any:
    """Return the type by which click reads a value."""
    low, high = declared.low, declared.high
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if kind is Path:
        return click.Path(path_type=Path)
    if low is None and high is None:
        return kind
    return click.IntRange(low, high) if kind is int else click.FloatRange(low, high)
