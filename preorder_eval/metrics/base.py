"""Metrics, and their signatures.

A metric is a frozen dataclass; its fields are its parameters. It turns every segment into a row of
statistics, which add up over segments, and finishes sums of such rows into numbers. Sentence
scores, corpus scores, the bootstrap, and the parts of a corpus on a cluster all use the same rows.
Printed, a metric is its signature, such as `fuzzy(match=word)`, from which it can be made again.
"""

from __future__ import annotations

import functools
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from types import UnionType
from typing import Any, ClassVar, Literal, Self, Union, get_args, get_origin, get_type_hints

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError, argument, require_between
from preorder_eval.base.text.tokenization import Tokenize, unsegmented
from preorder_eval.metrics.needs import SystemInputs

NO_SPACES = "the references have no spaces between words"
_ROWS = 1 << 16  # of statistics
_COMMA = re.compile(r",(?![^()]*\))")  # that is not in brackets


@dataclass(frozen=True, eq=False)
class Scores:
    """A metric's result on a corpus.

    `statistics` float64[S, k] add up over sentences. `sentence` float64[S] are the sentence scores,
    NaN for a sentence that carries no information and is left out. `corpus` is the corpus value,
    and `metric` the signature.
    """

    metric: str
    statistics: Floats
    sentence: Floats
    corpus: float

    def __repr__(self) -> str:
        return f"<Scores {self.metric}: {self.corpus:.3f} over {len(self.sentence):,} sentences>"


def limited(default: Any, low: float, high: float = math.inf) -> Any:
    """Declare a parameter: a number from `low` to `high`, or one of the words in its type."""
    return field(default=default, metadata={"limits": (low, high)})


def ratio(default: str, count: int | None = None) -> Any:
    """Declare a parameter that is a ratio such as 3:2:1, of `count` numbers if that is given."""
    return field(default=default, metadata={"ratio": count})


def quiet(default: Any, *, stated: bool = False) -> Any:
    """Declare a parameter that signatures show at the end, and only if it is not at its default.

    A `stated` one (how words are split, case, stems) is always in the full signature. The default
    may be declared `limited`, or a `ratio`.
    """
    inner = default if isinstance(default, Field) else field(default=default)
    metadata = {**inner.metadata, "quiet": True, "stated": stated}
    return field(default=inner.default, kw_only=True, metadata=metadata)


@dataclass(frozen=True)
class Metric(ABC):
    """A metric with its parameters.

    A subclass adds and documents fields. It has a `name` for signatures, perhaps a `short_name` for
    tables (such as FRS), and `paper` and `equation`. Tables show `decimals` places of it: three
    for numbers up to 1, one for percentages. `tuned_for` has parameters that were tuned for pairs
    of languages, written as in a signature. `equals` has, for each official program, the parameters
    that give the same numbers; `differs` says how the default differs from the program of the
    metric's name.

    If `whole_corpus` is True, a segment's statistics may depend on the other segments, and a corpus
    is never cut into parts.
    """

    name: ClassVar[str]
    short_name: ClassVar[str] = ""
    paper: ClassVar[str]
    equation: ClassVar[str]
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    decimals: ClassVar[int] = 3
    higher_is_better: ClassVar[bool] = True
    tuned_for: ClassVar[Mapping[str, str]] = {}
    equals: ClassVar[Mapping[str, str]] = {}
    differs: ClassVar[str] = ""
    whole_corpus: ClassVar[bool] = True
    score: ClassVar[Callable[..., Scores]]  # each kind of metric has parameters of its own

    @property
    def called(self) -> str:
        """The name for people: `short_name`, or else `name`."""
        return self.short_name or self.name

    @property
    def tokenize(self) -> Tokenize:
        """How words are split, for metrics of words; "auto" means by the language of the text."""
        return "auto"

    @property
    def jackknife(self) -> bool:
        """Whether each reference is held out in turn, which some metrics of words can do."""
        return False

    @classmethod
    def required(cls) -> list[str]:
        """Return the parameters that have no default."""
        return [f.name for f in fields(cls) if f.default is MISSING]

    def __post_init__(self) -> None:
        types = parameter_types(type(self))
        for parameter in fields(self):
            name, expected = parameter.name, types[parameter.name]
            value, words = getattr(self, name), _words(expected)
            if value in words:
                continue
            if get_origin(expected) is Literal:
                raise UnknownNameError(f"value of {self.name}'s {name}", str(value), words)
            if limits := parameter.metadata.get("limits"):
                require_between(f"metric {self.name}: {name}", value, *limits)
            if "ratio" in parameter.metadata:
                self.read_ratio(name)

    def read_ratio(self, parameter: str) -> tuple[float, ...]:
        """Return the numbers of a parameter that is written as a ratio, as in 3:2:1.

        Raises PreorderEvalError unless they are as many as declared, from 0 up, and not all 0.
        """
        text = str(getattr(self, parameter))
        [count] = [f.metadata["ratio"] for f in fields(self) if f.name == parameter]
        try:
            numbers = tuple(float(part) for part in text.split(":"))
        except ValueError:
            numbers = ()
        fine = all(0 <= number < math.inf for number in numbers) and sum(numbers) > 0
        if not fine or count not in (None, len(numbers)):
            wanted = f"{count or ''} weights from 0 up, not all 0, written as 3:2:1".lstrip()
            raise PreorderEvalError(f"metric {self.name}: {parameter}={text} is not {wanted}")
        return numbers

    @property
    @abstractmethod
    def needs(self) -> tuple[str, ...]:
        """The names of the inputs of the metric; `preorder_eval.metrics.needs` lists all names."""

    @abstractmethod
    def statistics_of(self, inputs: SystemInputs) -> Floats:
        """Return additive statistics of each sentence; float64[S, k]."""

    @abstractmethod
    def finish(self, statistics: Floats) -> Floats:
        """Turn sums of statistics into scores, float64[…, k] to float64[…]; zeros give NaN."""

    def finish_sentences(self, statistics: Floats) -> Floats:
        """Turn the statistics of single sentences into scores, as `finish`; only BLEU differs."""
        return self.finish(statistics)

    def splitting(self, tokenizer: Tokenize, language: str = "") -> Self:
        """Return the metric with the tokenizer of the text, unless it names one itself.

        Other parameters that depend on the `language` are set by its code, if that is known.
        """
        return self

    def score_system(self, inputs: SystemInputs) -> Scores:
        """Score one system; raises PreorderEvalError for inputs that are missing or do not fit."""
        return self.scores_of(self.statistics_of(inputs))

    def scores_of(self, statistics: Floats) -> Scores:
        """Return the result from the statistics of all sentences, float64[S, k]."""
        total = self.finish(statistics.sum(axis=0))
        parts = range(0, max(len(statistics), 1), _ROWS)  # so that temporary arrays stay small
        sentence = np.concatenate([self.finish_sentences(statistics[i : i + _ROWS]) for i in parts])
        return Scores(str(self), statistics, sentence, float(total))

    def cut_short(self, statistics: Floats) -> int:
        """Count the sentences, by their statistics float64[S, k], whose search was not completed.

        Some metrics bound their search and use the best result so far once they reach the bound.
        The score then only approximates the definition.
        """
        return 0

    @property
    def words(self) -> Callable[[str], Sequence[str]] | None:
        """The function that splits a text into words; None if the metric compares no words."""
        return None

    def cannot_read(
        self, references: Sequence[str], statistics: Sequence[Floats] = ()
    ) -> tuple[str, str] | None:
        """Return the reason why texts have no comparable words, and the fix; None if they have.

        In that case the metric has a value, but is excluded from verdicts, gates and rankings.

        Parameters: `references` the texts of a stream, `statistics` those of every system,
        float64[S, k] each.
        """
        if self.words is None or not unsegmented(references, self.words):
            return None
        return NO_SPACES, f"split words with {argument('tokenize=char')}"

    def details(self, total: Floats) -> dict[str, Any]:
        """Return the values printed beside a corpus score; `total` is the sum of its statistics."""
        return {}

    def sacrebleu_signature(self, references: int = 1) -> str:
        """Return the signature that sacrebleu prints for the same metric; empty if it has none.

        Parameters: `references` the number of references of each segment.
        """
        return ""

    def __str__(self) -> str:
        """Return the signature: quiet parameters last, and only where not at the default."""
        return self.signature(stated=False)

    def signature(self, *, stated: bool = True, **circumstances: object) -> str:
        """Return the full signature, with all `stated` parameters and with the circumstances.

        >>> import preorder_eval as pe
        >>> pe.metric("wer(tokenize=13a)").signature(refs=1, version="1.0.0")
        'wer(lower=false,tokenize=13a,stem=false)|refs:1|version:1.0.0'
        """
        quiet_last = sorted(fields(self), key=lambda f: bool(f.metadata.get("quiet")))
        shown = [
            f"{f.name}={print_value(getattr(self, f.name))}"
            for f in quiet_last
            if not f.metadata.get("quiet")
            or (stated and f.metadata.get("stated"))
            or getattr(self, f.name) != f.default
        ]
        written = f"{self.name}({','.join(shown)})" if shown else self.name
        return "|".join([written, *(f"{key}:{value}" for key, value in circumstances.items())])


def parse_signature(text: str) -> tuple[str, dict[str, str]]:
    """Split a signature into the metric's name and its parameters, as they are written.

    A value may be a signature itself. The part of the signature from the first | on is ignored.
    Raises PreorderEvalError for text that is no signature.

    >>> parse_signature("fuzzy(match=word, unaligned=drop)")
    ('fuzzy', {'match': 'word', 'unaligned': 'drop'})
    >>> parse_signature("mine(words=chrf(beta=1,char_order=4),alpha=0.2)")
    ('mine', {'words': 'chrf(beta=1,char_order=4)', 'alpha': '0.2'})
    """
    match = re.fullmatch(r"\s*([\w-]+)\s*(?:\(([^|]*)\))?\s*(?:\|.*)?", text)
    if not match:
        raise PreorderEvalError(f"metric {text!r} does not have the form name or name(key=value,…)")
    parameters = {}
    for part in filter(str.strip, _COMMA.split(match[2] or "")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value) or key in parameters:
            raise PreorderEvalError(
                f"metric {text!r}: {part.strip()!r} does not have the form key=value"
            )
        parameters[key] = value
    return match[1], parameters


def build_metric(metric_type: type[Metric], parameters: Mapping[str, Any]) -> Metric:
    """Make a metric from parameters, whose values may be given as text."""
    types = parameter_types(metric_type)
    values = {}
    for key, value in parameters.items():
        if key not in types:
            raise UnknownNameError(f"parameter of {metric_type.name}", key, types)
        values[key] = _read_value(metric_type.name, key, value, types[key])
    missing = [name for name in metric_type.required() if name not in values]
    if missing:
        raise PreorderEvalError(f"metric {metric_type.name} needs {', '.join(missing)}")
    return metric_type(**values)


@functools.cache
def parameter_types(metric_type: type[Metric]) -> Mapping[str, Any]:
    """Return the type of each parameter, by its name."""
    hints = get_type_hints(metric_type)
    return {f.name: hints[f.name] for f in fields(metric_type)}


def print_value(value: object) -> str:
    """Write a parameter's value as in a signature."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@functools.cache
def _words(expected: Any) -> tuple[Any, ...]:
    """Return the values that a type lists, alone or beside numbers: float | Literal["ratio"]."""
    choices = [expected, *get_args(expected)]
    return tuple(word for each in choices if get_origin(each) is Literal for word in get_args(each))


def _read_value(name: str, key: str, value: Any, expected: Any) -> Any:
    if not isinstance(value, str) or get_origin(expected) is Literal or value in _words(expected):
        return value
    if get_origin(expected) in (Union, UnionType):  # a word or a number: beta=ratio, beta=1
        [expected] = [each for each in get_args(expected) if get_origin(each) is not Literal]
    try:
        if expected is bool:
            return {"true": True, "false": False}[value]
        return expected(value)
    except (KeyError, ValueError):
        kind = {bool: "true or false", int: "a whole number", float: "a number"}[expected]
        raise PreorderEvalError(f"metric {name}: {key}={value} is not {kind}") from None
