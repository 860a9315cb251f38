"""A mixin that gives results every output format, alone or several together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

from preorder_eval.base.errors import (
    PreorderEvalError,
    UnknownNameError,
    require_between,
    warnings_given,
)
from preorder_eval.base.tables.drawing import (
    Drawing,
    folded_lines,
    latex_needs,
    markdown_line,
    screen,
)
from preorder_eval.base.tables.table import FURTHER, Table, plain
from preorder_eval.base.visible import visible

if TYPE_CHECKING:
    from pandas import DataFrame

Form = Literal["text", "tsv", "markdown", "latex", "html", "paper", "score"]
INPUT = "input"  # the kind of warnings that reading gave


def draw(tables: Iterable[Table], form: Form = "text", **screen: Any) -> str:
    """Return tables one below the other, an empty line between them."""
    drawings = _with_labels([table.drawn(padded=form == "text") for table in tables])
    return "\n\n".join(getattr(drawing, form)(**screen) for drawing in drawings)


def _with_labels(drawings: Sequence[Drawing]) -> Iterator[Drawing]:
    """Yield drawings with labels for LaTeX that are different: a second `scores` is `scores-2`."""
    seen: Counter[str] = Counter()
    for drawing in drawings:
        seen[drawing.label] += 1
        count = seen[drawing.label]
        yield replace(drawing, label=f"{drawing.label}-{count}") if count > 1 else drawing


class Caveat(NamedTuple):
    """A warning about a result: its kind, for programs, and a sentence."""

    kind: str
    text: str


class Text(str):
    """Text that Python's prompt shows as it is printed."""

    __slots__ = ()
    __repr__ = str.__str__


@dataclass(frozen=True, eq=False, repr=False)
class Shown:
    """A result that is shown: a class that defines `tables`, and more if it differs from them.

    `_facts` are what JSON has beside the tables, and `view` returns the tables as people read them.
    `own_warnings` are those that the result itself calls for, and `input_warnings` those that the
    same command or public function gave.
    """

    input_warnings: Sequence[str] = field(default_factory=warnings_given, kw_only=True)

    @property
    def verdict(self) -> str:
        """The conclusion, a sentence or one a line; empty if there is none.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b"]}, ["a b"], ["wer"]).verdict
        ''
        """
        return ""

    @property
    def for_paper(self) -> str:
        """The verdict as a paper reports it, with the test and the version."""
        return self.verdict

    @property
    def own_warnings(self) -> Sequence[Caveat]:
        return ()

    @property
    def warnings(self) -> list[Caveat]:
        """What to bear in mind: caveats of the verdict, what does not fit, warnings of the input.

        As text they stand in the verdict and in notes below tables, those of the input on standard
        error. JSON has them all; commands print all on standard error with every other form.

        >>> import preorder_eval as pe
        >>> [each.kind for each in pe.score({"mt": ["a b"]}, ["a b"], ["wer"]).warnings]
        ['few_sentences']
        """
        own = list(self.own_warnings)
        texts = {caveat.text for caveat in own}
        return own + [Caveat(INPUT, text) for text in self.input_warnings if text not in texts]

    @property
    def scores_alone(self) -> Table | None:
        """The table of `--format score`: a row of numbers for each system; None without scores."""
        return None

    def tables(self) -> list[Table]:
        """Return all values, for programs.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b"]}, ["a b"], ["wer"]).tables()[0].cells("system")
        ['mt']
        """
        raise NotImplementedError

    def view(self, whole: bool = False) -> list[Table]:
        """Return the tables for people; `whole` adds all that there is."""
        return self.tables()

    def _facts(self) -> dict[str, Any]:
        """Return the entries of JSON that stand beside the tables."""
        return {}

    def _warnings(self) -> dict[str, Any]:
        """Return the warnings for JSON, under their key."""
        return {"warnings": [caveat._asdict() for caveat in self.warnings]}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b"]}, ["a b"], ["wer"]).to_dict()["sentences"]
        1
        """
        values: dict[str, Any] = plain(self._facts())
        values |= self._warnings()
        for table in self.tables():
            *within, last = (table.key,) if isinstance(table.key, str) else table.key
            place = values
            for name in within:
                place = place.setdefault(name, {})
            place[last] = table.records()
        return values

    def to_pandas(self, key: str | None = None) -> DataFrame:
        """Return the table of this key, by default the first that TSV has.

        Raises UnknownNameError for another key.
        """
        tables = self.tables()
        chosen = (t for t in tables if (t.only != "json" if key is None else t.key == key))
        found = next(chosen, None)
        if found is None:
            known = [str(table.key) for table in tables]
            raise UnknownNameError("table", key or "", known)
        return found.to_pandas()

    def show(
        self, form: str = "text", whole: bool = False, digits: int = 3, caption: str = ""
    ) -> Text:
        """Return the output of a command.

        Parameters: `form` is text, tsv, markdown, latex, html, paper or score, the numbers alone, a
        line for each system; `whole` adds all details; `digits`, from 2 to 12, are the decimals of
        numbers up to 1; `caption` takes the place of the first table's title, which becomes a note.
        Raises PreorderEvalError for another form, and for other digits.

        >>> import preorder_eval as pe
        >>> print(pe.score({"mt": ["a b"]}, ["a c"], ["wer"]).show("markdown").splitlines()[4])
        | WER      | mt       | 0.500 \\[-\\] |
        """
        if form not in get_args(Form):
            raise PreorderEvalError(f"show takes {', '.join(get_args(Form))}, not {form!r}")
        require_between("digits", digits, 2, 12)
        return Text(self._drawn(cast(Form, form), whole, digits, caption))

    def _drawn(self, form: Form, whole: bool, digits: int, caption: str = "") -> str:
        if form == "tsv":
            return "\n".join(table.tsv() for table in self.tables() if table.only != "json")[:-1]
        if form == "score":
            alone = self.scores_alone
            return "" if alone is None else alone.with_digits(digits).lines()
        usual = FURTHER.set(digits - 3)
        try:
            verdict = self.for_paper if form == "paper" else self.verdict
            views = [] if form == "paper" else self.view(whole)
        finally:
            FURTHER.reset(usual)
        lines = [visible(line) for line in verdict.splitlines()]
        if form == "paper":
            return "\n".join(lines)
        views = [table.with_digits(digits) for table in views]
        if caption and views:
            headed = (
                n for n, each in enumerate(views) if any(c.heading != "" for c in each.columns)
            )
            n = next(headed, 0)
            of_title = [views[n].title] if views[n].title else []
            views[n] = replace(views[n], title=caption, notes=[*of_title, *views[n].notes])
        body = draw(views, form, **(screen() if form == "text" else {}))
        if form == "html":
            lines = [f"<p>{escape(line)}</p>" for line in lines]
        elif form == "markdown":
            lines = list(map(markdown_line, lines))
        elif form == "latex":
            lines = [*(f"% {line}" for line in lines), latex_needs(body)]
        elif form == "text":
            lines = [folded_lines(line, screen().get("width")) for line in lines]
        above = ("\n\n" if form == "markdown" else "\n").join(lines)
        return "\n\n".join(filter(None, [above, body]))

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "__repr__" not in cls.__dict__:  # else dataclass would write one
            cls.__repr__ = Shown.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """Return the tables for people without colours, as a repr may be written anywhere."""
        width = screen().get("width")
        lines = [folded_lines(visible(line), width) for line in self.verdict.splitlines()]
        return "\n\n".join(filter(None, ["\n".join(lines), draw(self.view(), width=width)]))

    def _repr_html_(self) -> str:
        return self.show("html")


@dataclass(frozen=True, eq=False)
class Several(Shown):
    """Two results or more, shown one below the other.

    `key` is the name of their list in JSON. `names` tell them apart in the first column of TSV,
    which is called `what`. Notes that all of them share stand once, at the end. `above` is a
    verdict on all.
    """

    key: str
    results: Sequence[Shown]
    names: Sequence[str]
    what: str = "reference"
    above: str = ""

    @classmethod
    def of(cls, key: str, results: Sequence[Shown], names: Sequence[str], **more: str) -> Shown:
        """Return results as one; a single one is shown as it is."""
        return cls(key, results, names, **more) if len(results) > 1 else results[0]

    @property
    def verdict(self) -> str:
        """The verdict on all, and those of the results after their names."""
        each = self._each([result.verdict for result in self.results])
        return "\n".join(filter(None, [self.above, each]))

    @property
    def for_paper(self) -> str:
        """The texts of the results, after their names."""
        return self._each([result.for_paper for result in self.results])

    @property
    def own_warnings(self) -> list[Caveat]:
        """The warnings of the results, each once, after their names where not all have it."""
        names: dict[Caveat, list[str]] = {}
        for name, result in zip(self.names, self.results, strict=True):
            for caveat in result.warnings:
                names.setdefault(caveat, []).append(name)
        return [
            caveat
            if len(those) == len(self.results)
            else Caveat(caveat.kind, f"{', '.join(those)}: {caveat.text}")
            for caveat, those in names.items()
        ]

    def _each(self, texts: Sequence[str]) -> str:
        named = zip(self.names, texts, strict=True)
        return "\n".join(f"{name}: {text}" for name, text in named if text)

    @property
    def scores_alone(self) -> Table | None:
        """The scores of all results, one below the other, if all have some."""
        each = [result.scores_alone for result in self.results]
        there = [table for table in each if table is not None]
        if len(there) < len(each):
            return None
        return replace(there[0], rows=[row for table in there for row in table.rows])

    def to_dict(self) -> dict[str, Any]:
        """Return the results in a list."""
        return {self.key: [result.to_dict() for result in self.results]}

    def tables(self) -> list[Table]:
        """Return the tables of all results."""
        return [
            table.prefixed(self.what, name)
            for result, name in zip(self.results, self.names, strict=True)
            for table in result.tables()
        ]

    def view(self, whole: bool = False) -> list[Table]:
        """Return the tables of all results for people."""
        each = [result.view(whole) for result in self.results]
        noted = [[note for table in tables for note in table.notes] for tables in each]
        shared = [n for n in noted[0] if all(n in notes for notes in noted)]
        views = [
            replace(table, notes=[note for note in table.notes if note not in shared])
            for tables in each
            for table in tables
        ]
        last = [replace(table, notes=[*table.notes, *shared]) for table in views[-1:]]
        return [*views[:-1], *last]
