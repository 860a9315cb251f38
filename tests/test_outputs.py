"""Where outputs go: never over an input, through links, into devices, with the mode that was."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click
import pytest

import preorder_eval as pe
from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.files import destinations
from preorder_eval.base.files.destinations import check_output, destination
from preorder_eval.base.files.writing import adding, write_text
from preorder_eval.cli.commands import ENTRIES, command
from preorder_eval.evaluation.parse import parse_file
from preorder_eval.evaluation.reorder import reorder_file
from preorder_eval.trees.conllu import read_conllu, write_conllu

TREE = "1\tGo\t_\tVERB\tVB\t_\t0\troot\t_\t_\n\n"


def doors():
    """Every command that writes, with each of its parameters that may name a file.

    They are found in the commands themselves, so that a new one is among them.
    """
    for name, entry in ENTRIES.items():
        made = command(entry)
        parameters = {p.name: p for p in getattr(made, "params", ())}
        out = parameters.pop("out", None)
        for key, other in parameters.items() if out is not None else ():
            if isinstance(other.type, click.Path | click.types.StringParamType):
                yield pytest.param(name, other, id=f"{name} {key}")


def written(parameter, value):
    """A parameter as it is given on the command line."""
    option = [] if isinstance(parameter, click.Argument) else [parameter.opts[-1]]
    return [*option, value]


DOORS = list(doors())


def test_doors_are_found():
    assert {"parse", "evaluate", "report", "reference build"} <= {door.values[0] for door in DOORS}


HOWS = ["label", "link", "hard link", "pattern"]
OF_PARSE = [door.values for door in DOORS if door.id == "parse source"]


@pytest.mark.parametrize(
    ("name", "parameter", "how"),
    [(*door.values, "name") for door in DOORS] + [(*OF_PARSE[0], how) for how in HOWS],
)
def test_no_command_writes_over_an_input(tmp_path, run, monkeypatch, name, parameter, how):
    monkeypatch.chdir(tmp_path)
    Path("input.toml").write_text("precious\n")
    given = {"label": "mine=input.toml", "pattern": "in*.toml"}.get(how, "input.toml")
    out = {"link": "link.toml", "hard link": "hard.toml"}.get(how, "./input.toml")
    Path("link.toml").symlink_to("input.toml")
    Path("hard.toml").hardlink_to("input.toml")
    code, printed, errors = run(*name.split(), *written(parameter, given), "--out", out)
    assert (code, printed, errors.count("\n")) == (2, "", 1)
    assert f"{Path(out)}: is one of the inputs" in errors
    assert Path("input.toml").read_text() == "precious\n"


def test_the_name_of_the_aligner_is_no_input_either(tmp_path, run, monkeypatch):
    """It goes beside the links, and what stands there otherwise is removed."""
    monkeypatch.chdir(tmp_path)
    Path("s.aligner").write_text("0-0\n")
    code, _, errors = run("align", "s.aligner", "--from", "auto", "--out", "s.align")
    assert (code, "s.aligner: is one of the inputs" in errors) == (2, True)
    assert Path("s.aligner").read_text() == "0-0\n"


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scored") / "run"
    pe.write_run(pe.score({"mt": ["a b"]}, ["a c"], ["wer"]), folder)
    return folder


@pytest.mark.parametrize("place", ["run.json", "new.html", "inputs/new.html"])
def test_nothing_is_written_into_a_run_that_is_read(run, scored, place):
    before = (scored / "run.json").read_bytes()
    code, _, errors = run("report", scored, "--out", scored / place)
    assert (code, errors.count("\n")) == (2, 1)
    assert "is inside" in errors or "is one of the inputs" in errors
    with pytest.raises(FormatError, match="is inside"):
        pe.report(pe.read_run(scored), scored / place)
    assert (scored / "run.json").read_bytes() == before


def test_a_run_does_not_replace_what_it_is_made_from(tmp_path, run, scored):
    code, _, errors = run(
        *("score", "--hyp", scored / "scores.tsv", "--ref", scored / "sentences.tsv"),
        *("--out", scored, "--overwrite"),
    )
    assert (code, "which is an input; it would be replaced" in errors) == (2, True)


def test_standard_input_is_an_input(tmp_path):
    source = tmp_path / "s.en"
    source.write_text("Go home\n")
    with source.open() as given:
        done = subprocess.run(
            [sys.executable, "-m", "preorder_eval", "parse", "--out", source],
            stdin=given, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, "is one of the inputs, standard input" in done.stderr) == (2, True)
    assert source.read_text() == "Go home\n"


def test_files_of_a_set_that_is_read_are_kept(tmp_path):
    """A new file beside them is none of them."""
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "source.en").write_text("a\n")
    with pytest.raises(FormatError, match="is inside"):
        check_output(tmp_path / "set" / "source.en", [tmp_path / "set"])
    check_output(tmp_path / "set" / "new.en", [tmp_path / "set"])
    (tmp_path / "runs" / "a").mkdir(parents=True)
    (tmp_path / "runs" / "a" / "run.json").write_text("{}")
    (tmp_path / "runs" / "report.html").write_text("an older page")
    check_output(tmp_path / "runs" / "report.html", [tmp_path / "runs"])


def test_a_folder_that_takes_no_files_is_told_before_anything_is_read(tmp_path, run, monkeypatch):
    """As root may write everything, the system is asked by a double."""
    monkeypatch.setattr(destinations.os, "access", lambda *_: False)
    for name in ("evaluate", "score", "report", "parse", "select", "train", "self-train"):
        code, _, errors = run(name, "--out", tmp_path / "new" / "one")
        assert (code, errors.count("\n")) == (2, 1)
        assert "one: cannot be written: Permission denied" in errors, name


@pytest.mark.parametrize(
    "write",
    [
        lambda file: parse_file(file, Path(file)),
        lambda file: reorder_file("x.en", Path(file), file),
        lambda file: reorder_file("x.en", Path(file), "en-ja", trees=Path(file)),
        lambda file: pe.select(Path(file), "en-ja", out=file),
    ],
)
def test_python_does_not_write_over_an_input(tmp_path, monkeypatch, write):
    monkeypatch.chdir(tmp_path)
    Path("s.conllu").write_text(TREE)
    with pytest.raises(PreorderEvalError, match="is one of the inputs"):
        write("s.conllu")
    assert Path("s.conllu").read_text() == TREE
    trees = read_conllu("s.conllu")  # what has been read may be written again
    write_conllu(Path("s.conllu"), trees)


# Links, modes, devices.


def test_links_are_written_through(tmp_path):
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "t.txt").write_text("old")
    for link, to in (("file", "else/t.txt"), ("new", "else/new.txt"), ("twice", "file")):
        (tmp_path / link).symlink_to(to)
        write_text(tmp_path / link, link)
        assert (tmp_path / link).is_symlink()
        assert (tmp_path / "else" / Path(to).name if "/" in to else tmp_path / to).read_text() == (
            link
        )
    assert (tmp_path / "else" / "t.txt").read_text() == "twice"
    (tmp_path / "folder").symlink_to("else")
    with pytest.raises(FormatError, match="folder: cannot be written: it is a folder"):
        write_text(tmp_path / "folder", "")
    assert sorted(path.name for path in (tmp_path / "else").iterdir()) == ["new.txt", "t.txt"]
    for link in ("a", "b"):
        (tmp_path / link).symlink_to("ab".replace(link, ""))
    with pytest.raises(FormatError, match="a: is a broken link"):
        write_text(tmp_path / "a", "")


def test_a_folder_is_made_behind_a_link(tmp_path, scored):
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("real")
    result = pe.read_run(scored)
    for overwrite in (False, True):
        pe.write_run(result, tmp_path / "link", overwrite=overwrite)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "real" / "run.json").is_file()
        assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o700
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_what_is_replaced_keeps_its_mode(tmp_path, mode):
    file = tmp_path / "p.conllu"
    file.write_text("old")
    file.chmod(mode)
    write_text(file, "new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", mode)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_must_not_be_written_is_kept(tmp_path):
    (tmp_path / "p").write_text("old")
    (tmp_path / "p").chmod(0o400)
    with pytest.raises(FormatError, match="Permission denied"):
        write_text(tmp_path / "p", "new")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no descriptors as files")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_descriptors_are_written_to_where_they_are(tmp_path, name):
    """Into a file that the shell has opened, behind what is there: it stays the same file."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    program = (
        "import sys; from pathlib import Path\n"
        "from preorder_eval.base.files.writing import write_text\n"
        "print('before'); write_text(Path(sys.argv[1]), 'text\\n'); print('after')\n"
    )
    with (tmp_path / "got").open("w") as got:
        got.write("first\n")
        got.flush()
        subprocess.run([sys.executable, "-c", program, name], stdout=got, cwd=tmp_path, check=True)
    assert (tmp_path / "got").read_text() == "first\nbefore\ntext\nafter\n"
    assert (tmp_path / "link").is_symlink()


def test_a_pipe_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_text(tmp_path / "pipe", "text")
    assert os.read(reader, 9) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert destination(Path(os.devnull)).in_place


def test_a_temporary_name_is_no_way_to_another_file(tmp_path, monkeypatch):
    """Who may write in the folder may have put something there before."""
    monkeypatch.setattr("secrets.randbelow", lambda _: 7)  # or guessed
    (tmp_path / "victim").write_text("precious")
    (tmp_path / f".out.{os.getpid()}000007.tmp").symlink_to("victim")
    with suppress(FormatError):
        write_text(tmp_path / "out", "text")
    assert (tmp_path / "victim").read_text() == "precious"
    os.mkfifo(tmp_path / ".else.1.tmp")  # which opening would wait for
    write_text(tmp_path / "else", "text")


def test_what_is_added_replaces_nothing(tmp_path):
    for text in ("first", "second"):
        with adding(tmp_path / "a.txt") as file:
            file.write(text)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "first"
