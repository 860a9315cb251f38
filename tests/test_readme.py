"""Every command and every output in the README is what happens."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def console_steps():
    """The commands of the console blocks with the output shown for each."""
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = step.splitlines()
            more = 1
            while more < len(lines) and lines[more].startswith(">"):
                more += 1
            command = [
                lines[0],
                *(line.removeprefix(">").removeprefix(" ") for line in lines[1:more]),
            ]
            yield "\n".join(command), "\n".join(lines[more:]).strip()


def test_console_blocks_show_what_is_printed(tmp_path):
    scripts = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    steps = list(console_steps())
    assert len(steps) > 5
    for command, shown in steps:
        result = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert result.returncode == 0, f"{command}\n{result.stdout}"
        printed = "\n".join(line.rstrip() for line in result.stdout.splitlines()).strip()
        expected = re.escape(shown).replace(re.escape("…"), ".*")
        assert re.fullmatch(expected, printed, re.DOTALL), f"$ {command}\n{printed}"


def test_python_examples_run():
    failures, tried = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, encoding="utf-8"
    )
    assert tried > 5
    assert failures == 0


def test_the_set_up_is_two_commands():
    commands = re.findall(r"```bash\n(.*?)```", README, re.DOTALL)
    assert [command.strip().count("\n") for command in commands] == [0, 0]
    assert commands[0].startswith("pip install . && preorder-eval evaluate")
    assert commands[1].strip().endswith("&& pytest")


def test_mentioned_files_exist():
    for path in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / path).exists(), path
