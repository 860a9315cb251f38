"""The console blocks of README and manual: what they run, what they show, and where they run it.

    ```console
    $ printf 'a command\n'
    a command
    ```

Commands that print nothing stand in a `bash` block without prompts, so that it can be copied whole;
a `sh` block is not run. The blocks of a page are one session: they run in its order in one folder,
where later ones use the files of earlier ones.
"""

import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import pytest
import tiny_files

ROOT = Path(__file__).parents[1]
_MANUAL = ROOT / "preorder_eval" / "manual"
PAGES = {"README": ROOT / "README.md"}
PAGES |= {f"manual/{page.stem}": page for page in sorted(_MANUAL.glob("*.md"))}

# A log-probability of the parser is summed in float32, where another processor adds in another
# order and so prints another sixth digit. These numbers may differ by a little, and no others.
# The scores of orders from the parser's trees must be exact: they are float64 of whole positions
# and change only where a tree does, for which two actions of the parser would have to be as near
# to each other. With all its weights off by one bit at random none of them changed.
LOG_PROBABILITY = re.compile(r"(?<=^# score = )-?\d+\.\d+$", re.MULTILINE)
TOLERANCE = 2e-5
PROGRESS = re.compile(
    r"preorder-eval: note: (comparing metrics|[^:]+: [0-9,]+( of [0-9,]+)?)"
)  # of a slow machine

# A command of ours in which the shell has nothing to do but to take off quotes.
PLAIN = re.compile(r"preorder-eval (?:[^'|<>$&;`*?~#(){}]|'[^']*')*")

_PARTS = re.compile(
    r"^#+ (?P<heading>[^\n]*)$"
    r"|^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Step:
    """A command of a console block and the output shown for it.

    `lines` is the command as it stands in the page, with the sign of its continuation lines.
    """

    lines: str
    shown: str

    @property
    def command(self):
        first, *others = self.lines.splitlines()
        return "\n".join([first, *(line.removeprefix(">").removeprefix(" ") for line in others)])


@dataclass(frozen=True)
class Block:
    """A block of commands; its name is that of its section and of what is run in it.

    `span` is where its text begins and ends in the page, and `prompts` is whether it has these.
    """

    name: str
    steps: list[Step]
    span: tuple[int, int]
    prompts: bool = True


def console_blocks(text):
    """The blocks of a page that are run, top to bottom."""
    section = ""
    for found in _PARTS.finditer(text):
        if found["heading"]:
            section = found["heading"]
        elif found["language"] in ("console", "bash"):
            prompts = found["language"] == "console"
            block = found["text"] if prompts else "".join(_prompted(found["text"]))
            ran = re.search(r"^\$ .*?preorder-eval ([a-z-]+(?: [a-z]+)?)", block, re.MULTILINE)
            name = f"{section}: {ran[1] if ran else block[2:40].strip()}"
            yield Block(name, list(_steps(block)), found.span("text"), prompts)


def _prompted(block):
    """Commands without prompts, as lines with them; a command goes on to the end of its text."""
    end = ""  # that of a here-document
    goes_on = False
    for line in block.splitlines():
        yield f"{'> ' if goes_on or end else '$ '}{line}\n"
        end = "" if line == end else end
        if opened := re.search(r"<<'(\w+)'", line):
            end = opened[1]
        goes_on = line.endswith("\\")


def _steps(block):
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = step.splitlines()
        more = 1
        while more < len(lines) and lines[more].startswith(">"):
            more += 1
        yield Step("\n".join(lines[:more]), "\n".join(lines[more:]).strip())


def agrees(printed, shown):
    """Whether a page shows what was printed; `…` stands for anything."""
    texts = [re.escape(text).replace("…", ".*") for text in LOG_PROBABILITY.split(shown)]
    found = re.fullmatch(r"(-?\d[\d.e-]*)".join(texts), printed, re.DOTALL)
    if not found:
        return False
    numbers = zip(found.groups(), LOG_PROBABILITY.findall(shown), strict=True)
    return all(abs(float(a) - float(b)) <= TOLERANCE for a, b in numbers)


@dataclass(frozen=True)
class Outcome:
    """What a command printed, its errors among it, and its exit code."""

    printed: str
    code: int


class Session:
    """Runs the blocks of a page once each, as far as they are asked for."""

    def __init__(self, blocks, folder):
        self.blocks = blocks
        self.folder = folder
        scripts = Path(sys.executable).parent
        self.environment = os.environ | {
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "80",
        }
        self.outcomes = []

    def outcome(self, number):
        """What the commands of a block did, after those of all earlier blocks."""
        for block in self.blocks[len(self.outcomes) : number + 1]:
            self.outcomes.append([self._run(step.command) for step in block.steps])
        return self.outcomes[number]

    def _run(self, command):
        code, output = (self._here if PLAIN.fullmatch(command) else self._in_bash)(command)
        lines = (line for line in output.splitlines() if not PROGRESS.fullmatch(line))
        return Outcome("\n".join(map(str.rstrip, lines)).strip(), code)

    def _here(self, command):
        """Run a command in this process, which has imported all that it needs."""
        _, *words = shlex.split(command.replace("\\\n", ""))
        with chdir(self.folder), pytest.MonkeyPatch.context() as patch:
            patch.setenv("COLUMNS", self.environment["COLUMNS"])
            code, output, _ = tiny_files.call(words, stdin=b"", together=True)
        return code, output

    def _in_bash(self, command):
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return ran.returncode, ran.stdout
