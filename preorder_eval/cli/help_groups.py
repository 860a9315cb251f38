"""How `--help` arranges commands and options: by what people do with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

COMMANDS = {
    "Score word order": ["evaluate", "compare", "history", "analyse", "report"],
    "Write rules": ["rules", "watch", "reorder"],
    "Parse, and train parsers": ["parse", "attachment", "select", "self-train", "train"],
    "Make and check references": ["reference", "align", "convert"],
    "Score translations": ["score", "metrics", "meta", "tune", "study"],
    "Begin, and look things up": ["init", "manual", "reproduce"],
}
_MANY = 9  # options, from which on they are arranged


class _Options(NamedTuple):
    """Options that belong together, in commands that have one of `where`, if it is not empty."""

    title: str
    names: str
    where: str = ""


_OPTIONS = [
    _Options("Systems", "hyp parser trees orders system_alignment rules start nbest n system run"),
    _Options(
        "Judgments of people",
        "scores rankings system_column line_column score_column judge_column line_base without",
    ),
    _Options(
        "Inputs of metrics",
        "source hyp_alignment ref_alignment hyp_ref_alignment align base direction tokenize lower "
        "source_tokenize language hyp_tags ref_tags source_tags tagger source_tagger map_tags "
        "map_source_tags further documents",
        where="hyp",
    ),
    _Options(
        "Learning",
        "treebank train config weight rounds only_changed margin steps epochs lower beam "
        "beam_steps beam_learn_rate self_steps learn_rate evaluate_every keep "
        "truecase",
        where="learn_rate",
    ),
    _Options(
        "How links are written",
        "read_as base direction to to_base to_direction links",
        where="to_base",
    ),
    _Options(
        "References",
        "reference ref source raw alignment target parallel alignment_format base direction links "
        "also evaluate_source evaluate_alignment dev gold training",
    ),
    _Options(
        "Scores and tests",
        "metric significance power human by margin quality_estimation gate folds resamples seed "
        "seeds test compat attach_null combine_blocks",
    ),
    _Options(
        "What comes out",
        "sentence sentences top least json tsv toml form verbose out output name data_name licence "
        "svg svg_dir report port",
    ),
    _Options("How it is done", "jobs no_cache trust engine input scheduler skip_bad resume"),
]


def arranged(parameters: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """The options of a command in their groups, each with its title; few are one group."""
    left = list(parameters)
    names = {parameter.name for parameter in left}
    for title, listed, where in _OPTIONS if len(left) >= _MANY else []:
        if where and where not in names:
            continue
        order = listed.split()
        group = [parameter for parameter in left if parameter.name in order]
        if group:
            yield title, sorted(group, key=lambda parameter: order.index(parameter.name))
        left = [parameter for parameter in left if parameter not in group]
    yield "Options" if len(left) == len(parameters) else "Further options", left
