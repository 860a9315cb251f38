"""Help, what shells complete, and what is wrong on the command line."""

import pytest
import typer.main

from preorder_eval.cli import app
from preorder_eval.cli.help_groups import _OPTIONS, COMMANDS, arranged


def commands():
    """Every command with what it is called."""
    root = typer.main.get_command(app)
    for name in root.commands:
        command = root.commands.get(name)
        for below, one in getattr(command, "commands", {"": command}).items():
            yield f"{name} {below}".strip(), one


def test_commands_stand_in_groups_each_once(run):
    _, out, _ = run("--help")
    places = [out.index(f"\n{title}:\n") for title in COMMANDS]
    assert places == sorted(places)
    for names in COMMANDS.values():
        for name in names:
            assert out.count(f"\n  {name} ") == 1


def test_options_are_grouped_where_they_are_many(run):
    out = run("evaluate", "--help")[1]
    titles = ["Systems", "References", "Scores and tests", "What comes out", "How it is done"]
    places = [out.index(f"\n{title}:\n") for title in titles]
    assert places == sorted(places)
    assert "\nOptions:\n" in run("history", "--help")[1]


def test_no_name_in_the_groups_is_of_no_option():
    known = {parameter.name for _, command in commands() for parameter in command.params}
    assert {name for group in _OPTIONS for name in group.names.split()} <= known


def test_no_option_is_lost(run):
    for name, command in commands():
        options = [p for p in command.params if p.param_type_name == "option"]
        groups = [option.name for _, group in arranged(options) for option in group]
        assert sorted(groups) == sorted(option.name for option in options)
        out = run(*name.split(), "--help")[1]
        assert all(option.opts[0] in out for option in options)


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("ev", ["evaluate"]),
        ("evaluate --metric ken", ["kendall"]),
        ("evaluate --rules en-ja-", ["en-ja-clearnlp", "en-ja-learned"]),
        ("evaluate --rules min", ["mine.toml"]),
        ("evaluate --rules sub/", ["sub/own.toml"]),
        ("evaluate --parser g", ["gold"]),
        ("evaluate --reference en-ja-st", ["en-ja-standard"]),
        ("manual tutorial-r", ["tutorial-research", "tutorial-rules"]),
        ("evaluate --compat l", ["lader"]),
        ("rules show head-final-reverse-a", ["head-final-reverse-after"]),
        ("watch --rules x", []),
    ],
)
def test_shells_complete_names(tmp_path, monkeypatch, capsys, words, completed):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for name in ("mine.toml", "mine.txt", "sub/own.toml"):
        (tmp_path / name).write_text("")
    monkeypatch.setenv("_PREORDER_EVAL_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"preorder-eval {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    with pytest.raises(SystemExit) as stop:
        app(prog_name="preorder-eval")
    assert (stop.value.code, capsys.readouterr().out.split()) == (0, completed)


def test_the_script_for_a_shell_can_be_shown(run):
    code, out, _ = run("--show-completion", "bash")
    assert code == 0
    assert "COMPLETE=complete_bash" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["evaluate", "--sed", "1"], "No such option: --sed "),
        (["rules", "ablate"], "Missing option '--rules'; see preorder-eval rules ablate --help"),
        (["evalute"], "No such command 'evalute'. Did you mean 'evaluate'?; see preorder-eval"),
        (
            ["evaluate", "--compat", "x"],
            "Invalid value for '--compat': 'x' is not one of 'lader', 'tdbtg'; see preorder-eval",
        ),
        (
            ["evaluate", "--seed", "1", "--seed", "2"],
            "--seed is given twice, but counts once; see preorder-eval evaluate --help",
        ),
        (["evaluate", "x\x1b[1m"], "Got unexpected extra argument(s) (x\\x1b[1m); see"),
    ],
)
def test_what_is_wrong_on_the_command_line_is_one_line(run, arguments, says):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(f"preorder-eval: {says}")


def test_a_group_that_is_given_nothing_prints_its_help(run):
    code, _, err = run("rules")
    assert code == 2
    assert err.startswith("Usage: ")
    assert "oracle" in err
