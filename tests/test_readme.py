"""Every command and every output in the README is what happens.

The console blocks are one session: they run in the README's order in one folder, where later ones
use the files of earlier ones. Every block is a test of its own all the same; what one of them
prints wrongly does not keep the others from being looked at.
"""

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")

# A log-probability of the parser is summed in float32, where another processor adds in another
# order and so prints another sixth digit. These numbers may differ by a little, and no others.
# The scores of orders from the parser's trees must be exact: they are float64 of whole positions
# and change only where a tree does, for which two actions of the parser would have to be as near
# to each other. With all its weights off by one bit at random none of them changed.
LOG_PROBABILITY = re.compile(r"(?<=^# score = )-?\d+\.\d+$", re.MULTILINE)
TOLERANCE = 2e-5


@dataclass(frozen=True)
class Step:
    """A command of a console block and the output shown for it."""

    command: str
    shown: str


@dataclass(frozen=True)
class Block:
    """A console block; its name is that of its section and of what is run in it."""

    name: str
    steps: list[Step]


def console_blocks():
    """The console blocks, top to bottom."""
    section = ""
    for found in re.finditer(
        r"^#+ ([^\n]*)$|^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE
    ):
        heading, language, text = found.groups()
        if heading:
            section = heading
        elif language == "console":
            ran = re.search(r"^\$ .*?preorder-eval ([a-z-]+(?: [a-z]+)?)", text, re.MULTILINE)
            yield Block(f"{section}: {ran[1] if ran else text[2:40]}", list(steps(text)))


def steps(block):
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = step.splitlines()
        more = 1
        while more < len(lines) and lines[more].startswith(">"):
            more += 1
        continued = (line.removeprefix(">").removeprefix(" ") for line in lines[1:more])
        yield Step("\n".join([lines[0], *continued]), "\n".join(lines[more:]).strip())


BLOCKS = list(console_blocks())


def agrees(printed, shown):
    """Whether the README shows what was printed; `…` stands for anything."""
    texts = [re.escape(text).replace("…", ".*") for text in LOG_PROBABILITY.split(shown)]
    found = re.fullmatch(r"(-?\d[\d.e-]*)".join(texts), printed, re.DOTALL)
    if not found:
        return False
    numbers = zip(found.groups(), LOG_PROBABILITY.findall(shown), strict=True)
    return all(abs(float(a) - float(b)) <= TOLERANCE for a, b in numbers)


class Session:
    """Runs the blocks once each, as far as they are asked for."""

    def __init__(self, folder):
        self.folder = folder
        scripts = Path(sys.executable).parent
        self.environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
        self.blocks = []

    def results(self, number):
        """What the commands of a block did, after those of all earlier blocks."""
        for block in BLOCKS[len(self.blocks) : number + 1]:
            self.blocks.append([self.run(step.command) for step in block.steps])
        return self.blocks[number]

    def run(self, command):
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


@pytest.fixture(scope="session")
def session(tmp_path_factory):
    return Session(tmp_path_factory.mktemp("readme"))


# One process runs all blocks; elsewhere the session would start from the top again.
@pytest.mark.xdist_group("readme")
@pytest.mark.parametrize("number", range(len(BLOCKS)), ids=[block.name for block in BLOCKS])
def test_console_block(session, number):
    for step, result in zip(BLOCKS[number].steps, session.results(number), strict=True):
        printed = "\n".join(line.rstrip() for line in result.stdout.splitlines()).strip()
        assert result.returncode == 0, f"$ {step.command}\n{printed}"
        assert agrees(printed, step.shown), f"$ {step.command}\n{printed}"


def test_no_console_block_is_overlooked():
    assert len(BLOCKS) == README.count("```console") > 5
    assert sum(len(block.steps) for block in BLOCKS) == len(
        re.findall(r"^\$ ", README, re.MULTILINE)
    )


def test_only_log_probabilities_may_differ_in_the_last_digits():
    assert agrees("# parse = 2\n# score = -2.730576\nx", "# parse = 2\n# score = -2.730577\nx")
    assert agrees("# score = -0.07157", "# score = -0.071569")
    assert not agrees("# score = -2.730677", "# score = -2.730577")
    assert not agrees("# parse = 1", "# score = -2.730577")
    assert not agrees("alpha = 0.350587", "alpha = 0.350586")
    assert not agrees("en-ja  0.7883", "en-ja  0.7882")
    assert agrees("a\nb\nc", "a\n…c")


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
