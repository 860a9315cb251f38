"""What the options of judged outputs stand for: outputs or runs, and judgments of just these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from preorder_eval.cli.verbosity import note

if TYPE_CHECKING:
    from preorder_eval.cli.judgment_options import JudgmentOptions
    from preorder_eval.data.judgments import Judgments
    from preorder_eval.results.result import Result


def output_files(chosen: Sequence[str]) -> list[Path]:
    """The files that names, patterns and folders stand for, in order and each once."""
    from preorder_eval.errors import FormatError

    outputs: dict[Path, None] = {}
    for name in chosen:
        path = Path(name)
        if path.is_dir():
            files = sorted(file for file in path.iterdir() if file.is_file())
        elif path.exists() or not set("*?[") & set(name):
            files = [path]
        else:
            files = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if not files:
            raise FormatError(
                "no such file", file=name, mend="quote patterns, and see where you are"
            )
        outputs |= dict.fromkeys(files)
    return list(outputs)


def match_systems(
    systems: Sequence[str], files: Sequence[Path], option: str = "--hyp"
) -> dict[str, Path]:
    """The file of each system, in their order; `option` says what files they are.

    Raises PreorderEvalError, with what there is, for a system without a file or with two.
    """
    from preorder_eval.errors import PreorderEvalError

    file_of: dict[str, Path] = {}
    for system in systems:
        matching = [file for file in files if system in _names(file)]
        matching = matching or [file for file in files if _belongs(file, system)]
        if len(matching) != 1:
            names = ", ".join(file.name for file in matching or files)
            what = ("output", "") if option == "--hyp" else ("file", f" for {option}")
            problem = f"{len(matching) or 'no'} {what[0]}{'s' * bool(matching)}{what[1]}"
            raise PreorderEvalError(
                f"judged system {system} has {problem} ({names}); name its file after it, or leave "
                f"it out with --without {system}"
            )
        file_of[system] = matching[0]
    return file_of


def _names(file: Path) -> tuple[str | None, ...]:
    """What a system may be called to have that file: its label or its name."""
    from preorder_eval.formats.files import labelled_output, stem

    return labelled_output(file)[0], file.name, file.stem, stem(file)


def _chosen_systems(judged: Sequence[str], without: Sequence[str]) -> list[str]:
    """The judged systems but those left out, which must be judged; at least one is left."""
    from preorder_eval.errors import PreorderEvalError, UnknownNameError

    for name in without:
        if name not in judged:
            raise UnknownNameError("judged system", name, judged)
    chosen = [name for name in judged if name not in without]
    if not chosen:
        raise PreorderEvalError("no judged system is left")
    return chosen


def _belongs(file: Path, system: str) -> bool:
    """Whether a file's name, or a part of it between dots, is a system's.

    >>> _belongs(Path("news/output.NT5.en"), "NT5")
    True
    """
    return f".{system}." in f".{file.name}."


def _with_output(judged: Sequence[str], made: Callable[[str], bool], where: str) -> list[str]:
    """The judged systems that there is an output of; the others are named in one note."""
    there = [name for name in judged if made(name)]
    absent = [name for name in judged if name not in there]
    if there:
        _note_left_out("judged system", absent, where, where)
    return there or list(judged)


def _note_left_out(what: str, names: Sequence[str], of_one: str, of_many: str) -> None:
    """Name all that is left out in one note, if there is any; `of_one` says why."""
    if len(names) == 1:
        note(f"{what} {names[0]} is {of_one}; it is left out".lstrip())
    elif names:
        note(
            f"{what}{'s' * bool(what)} {', '.join(names)} are {of_many}; they are left out".lstrip()
        )


def judged_outputs(
    chosen: Sequence[str], refs: Sequence[Path], people: JudgmentOptions
) -> tuple[dict[str, Path], Judgments]:
    """The output file of every judged system, and the judgments of just these outputs."""
    from preorder_eval.results.texts import read_texts

    files = output_files(chosen)
    [first] = read_texts([*refs, *files][:1])
    judgments = people.read(len(first.sentences))
    judged = _chosen_systems(judgments.systems, people.without or [])
    judged = _with_output(
        judged,
        lambda name: any(name in _names(f) or _belongs(f, name) for f in files),
        "not among the outputs",
    )
    matched = match_systems(judged, files)
    folders = [Path(name) for name in chosen if Path(name).is_dir()]
    unjudged = [
        str(file)
        for file in files
        if file not in matched.values()
        and file.parent not in folders
        and not any(_belongs(file, name) for name in people.without or [])
    ]
    _note_left_out(
        "", unjudged, "the output of no judged system", "the outputs of no judged systems"
    )
    return matched, judgments.chosen(list(matched))


def judged_runs(folders: Sequence[Path], people: JudgmentOptions) -> tuple[list[Result], Judgments]:
    """Run folders, and the judgments of their systems."""
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.results.run import read_run

    results = [read_run(folder) for folder in folders]
    systems = list(dict.fromkeys(name for result in results for name in result.systems))
    judgments = people.read(len(results[0]))
    chosen = _chosen_systems(judgments.systems, people.without or [])
    chosen = _with_output(chosen, systems.__contains__, "in no run")
    for name in chosen:
        if name not in systems:
            raise PreorderEvalError(
                f"judged system {name} is in no run; they have {', '.join(systems)}; leave it out "
                f"with --without {name}"
            )
    unjudged = [s for s in systems if s not in chosen and s not in (people.without or [])]
    _note_left_out("system", unjudged, "not judged", "not judged")
    return results, judgments.chosen(chosen)
