"""Small changes of the package that its tests should notice: a seeded sample, and what survives.

    python -m tests.mutation  # 60 changes, others each week
    python -m tests.mutation --count 10 --seed 3 metrics stats  # of two folders alone
    python -m tests.mutation --lines /tmp/lines  # made the first time, read the next

It exits with 1 if fewer than 90 % are noticed in the core, or 80 % elsewhere. Every folder has as
many of the changes as its size gives it, and one at least. First all tests run under coverage,
which says what tests run a line: the file of `--lines`. Then each change is made in a copy of the
repository, where the tests run that run its line, or share a fixture that runs it, quick ones
first, and of these the ones that run the fewest lines of all. Read what survives: a change that no
user could notice is none, and anything else is a test that is missing.

Tests are collected once. Then the process forks for each change, and the child gives the changed
functions their new code, so that a change costs little more than its tests. What tests start as
programs of their own is read from the copy, where the change stands as well.
"""

from __future__ import annotations

import argparse
import ast
import gc
import itertools
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from multiprocessing.queues import Queue
from pathlib import Path
from types import CodeType, FunctionType

import pytest

ROOT = Path(__file__).parents[1]
CORE = {"base", "metrics", "orders", "parsers", "rules", "trees"}
FLOORS = {"the core": 0.9, "elsewhere": 0.8}
SECONDS = 900  # a change that makes tests last longer is noticed
TIMES = itertools.count(1)
# Without a browser, tests that have a stage of their own, and those of imports: coverage has more.
TESTS = ["-m", "not browser", "-p", "no:cacheprovider"]
TESTS += [f"--ignore=tests/test_{name}.py" for name in ("option_pairs", "help_examples", "package")]
Change = tuple[int, int, int, str]
COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
# With a tolerance, which no value equals by chance.
TOLERANT = {ast.Lt: ast.Gt, ast.LtE: ast.Gt, ast.Gt: ast.Lt, ast.GtE: ast.Lt}
OPERATIONS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult}


def changes(path: Path) -> list[Change]:
    """All changes of a module: line, first and last byte in it, and what stands there instead."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        hints = [function.args, function.returns, *function.decorator_list]
        hints += [n.annotation for n in ast.walk(function) if isinstance(n, ast.AnnAssign)]
        outside = {id(n) for hint in hints if hint for n in ast.walk(hint)}
        signed = (n for n in ast.walk(function) if isinstance(n, ast.UnaryOp))
        outside |= {id(n.operand) for n in signed if isinstance(n.op, ast.USub)}
        for node in ast.walk(function):
            if id(node) not in outside and (new := changed(node)) is not None:
                node = node.test if isinstance(node, ast.If) else node
                if node.lineno == node.end_lineno:
                    found.append((node.lineno, node.col_offset, node.end_col_offset, new))
    return list(dict.fromkeys(found))


def changed(node: ast.AST) -> str | None:
    """What stands in place of an expression; None if it stays."""
    match node:
        case ast.Compare(left=left, ops=[by], comparators=[right]) if type(by) in COMPARISONS:
            others = COMPARISONS | TOLERANT if "TIE" in ast.unparse(right) else COMPARISONS
            return ast.unparse(ast.Compare(left, [others[type(by)]()], [right]))
        case ast.BinOp(op=by) if type(by) in OPERATIONS and not texts(node):
            return f"({ast.unparse(ast.BinOp(node.left, OPERATIONS[type(by)](), node.right))})"
        case ast.AugAssign(op=by) if type(by) in OPERATIONS and not texts(node):
            return ast.unparse(ast.AugAssign(node.target, OPERATIONS[type(by)](), node.value))
        case ast.If(body=[*_, ast.Raise()]):
            return f"({ast.unparse(node.test)} and False)"
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return str(1 - value)
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return str(value + 1)
        case ast.UnaryOp(op=ast.Not()):
            return ast.unparse(node.operand)
    return None


def texts(node: ast.BinOp | ast.AugAssign) -> bool:
    return any(
        isinstance(n, ast.JoinedStr) or (isinstance(n, ast.Constant) and isinstance(n.value, str))
        for n in ast.iter_child_nodes(node)
    )


def sample(count: int, seed: int, folders: Sequence[str] = ()) -> list[tuple[Path, Change]]:
    """Changes in any order: of each folder by the number that it has, and one at least."""
    rng, of_folder = random.Random(seed), {}
    for file in sorted((ROOT / "preorder_eval").rglob("*.py")):
        path = file.relative_to(ROOT)
        folder = path.parts[1] if len(path.parts) > 2 else "preorder_eval"
        if path.name[0] != "_" and (not folders or folder in folders):
            of_folder.setdefault(folder, []).extend((path, change) for change in changes(file))
    of_folder = {folder: every for folder, every in of_folder.items() if every}
    total, chosen = sum(map(len, of_folder.values())), []
    for every in of_folder.values():
        share = max(1, round(count * len(every) / total))
        chosen += rng.sample(every, min(share, len(every)))
    rng.shuffle(chosen)
    return chosen


def part_of(path: Path) -> str:
    return "the core" if path.parts[1] in CORE else "elsewhere"


def write_lines(file: Path) -> None:
    """Run all tests, and write what lines each of them runs."""
    command = [sys.executable, "-m", "pytest", "-q", *TESTS]
    command += ["--cov=preorder_eval", "--cov-context=test", "--cov-report="]
    environment = os.environ | {"COVERAGE_FILE": str(file)}
    if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
        sys.exit("tests fail without any change")


class Lines:
    """The tests that run a line: a file of coverage, whose contexts name them."""

    def __init__(self, file: Path) -> None:
        self.of_file: dict[str, dict[int, set[tuple[str, bool]]]] = {}  # True in setups
        self.count: Counter[str] = Counter()  # the lines that each test runs
        import coverage  # tests have their examples run where it is not installed

        data = coverage.CoverageData(str(file))
        data.read()
        for name in data.measured_files():
            # Of a test, "tests/test_a.py::test_b|run"; of a program that it starts, "… (call)".
            self.of_file[name] = {
                line: {
                    (re.sub(r"\|\w+$| \(\w+\)$", "", each), each.endswith(("|setup", " (setup)")))
                    for each in contexts
                }
                for line, contexts in data.contexts_by_lineno(name).items()
            }
            for of_line in self.of_file[name].values():
                self.count.update({test for test, _ in of_line})

    def tests(self, items: Sequence[pytest.Item], path: Path, line: int) -> list[pytest.Item]:
        """Those of some tests that run a line: quick ones, and what runs least, first."""
        run = self.of_file.get(path.as_posix(), {}).get(line, set())
        made = set[tuple[str, str]]()  # fixtures that ran it, for the first test that has them
        for item in items:
            if (item.nodeid, True) in run:
                made |= shared(item)
        return sorted(
            (i for i in items if {(i.nodeid, False), (i.nodeid, True)} & run or shared(i) & made),
            key=lambda i: (i.get_closest_marker("slow") is not None, self.count[i.nodeid]),
        )


def shared(item: pytest.Item) -> set[tuple[str, str]]:
    """The fixtures of a test that are made once for its module: the module, and their names."""
    of_name = item._fixtureinfo.name2fixturedefs if hasattr(item, "_fixtureinfo") else {}
    every = (fixture for fixtures in of_name.values() for fixture in fixtures)
    return {(f.baseid, f.argname) for f in every if f.scope == "module"}


def with_change(text: str, change: Change) -> tuple[str, str]:
    """A module's text with a change; and the change as it is told."""
    number, first, last, new = change
    lines = text.split("\n")
    line = lines[number - 1].encode()
    lines[number - 1] = (line[:first] + new.encode() + line[last:]).decode()
    told = f"{number}  {line[first:last].decode()} -> {new}\n    {line.decode().strip()}"
    return "\n".join(lines), told


def write(file: Path, text: str) -> None:
    """Write a module with a time of its own, by which Python tells what it has compiled."""
    file.write_text(text, encoding="utf-8")
    os.utime(file, (next(TIMES),) * 2)


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a module and of all that is defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def exchange(file: Path, old: str, new: str) -> None:
    """Give the functions of a module, wherever they are kept, the code of its changed text."""
    both = [codes(compile(text, str(file), "exec", dont_inherit=True)) for text in (old, new)]
    changed = {a: b for a, b in zip(*both, strict=True) if a != b}
    gc.unfreeze()  # the tests' conftest freezes all that is there, which is then not listed
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__.co_filename == str(file):
            function.__code__ = changed.get(function.__code__, function.__code__)


def noticed(tests: Sequence[pytest.Item], file: Path, old: str, new: str) -> str:
    """Run some tests in a child with a changed module; the first that fails, or no name."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.setsid()
        seen = "an error outside of tests"
        try:
            exchange(file, old, new)
            for test, after in itertools.zip_longest(tests, tests[1:]):
                test.config.hook.pytest_runtest_protocol(item=test, nextitem=after)
                if test.session.testsfailed:
                    seen = test.nodeid
                    break
            else:
                seen = ""
        finally:
            os.write(writing, seen.encode())
            os._exit(0)
    until, ended, status = time.monotonic() + SECONDS, 0, 0
    while not ended and time.monotonic() < until:
        time.sleep(0.01)
        ended, status = os.waitpid(child, os.WNOHANG)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what its tests started, too
    if not ended:
        os.waitpid(child, 0)
    os.set_blocking(reading, False)
    seen = "a crash" if status else ""
    with suppress(BlockingIOError):
        seen = os.read(reading, 1 << 16).decode()
    os.close(reading)
    os.close(writing)
    return seen if ended else "time"


class Changes:
    """A plugin of pytest: in place of running all tests, those of each change."""

    def __init__(
        self, copy: Path, plan: Sequence[tuple[Path, Change]], lines: Lines, results: Queue
    ) -> None:
        self.copy, self.plan, self.lines, self.results = copy, plan, lines, results

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for path, change in self.plan:
            start = time.monotonic()
            file = self.copy / path
            old = file.read_text(encoding="utf-8")
            new, told = with_change(old, change)
            tests = self.lines.tests(session.items, path, change[0])
            write(file, new)
            try:
                seen = noticed(tests, file, old, new)
            finally:
                write(file, old)
            if noticed([test for test in tests if test.nodeid == seen], file, old, old):
                told = f"{told}\n    {seen} fails without any change"
                seen = ""
            took = time.monotonic() - start
            self.results.put((path, f"{path}:{told}", seen, took))
        return True


def work(copy: Path, plan: Sequence[tuple[Path, Change]], lines: Lines, results: Queue) -> None:
    """Make changes in a copy of the repository, and put what came of each into a queue."""
    ignored = shutil.ignore_patterns(".git", ".*cache", "__pycache__")
    shutil.copytree(ROOT, copy, ignore=ignored)
    os.chdir(copy)
    os.environ |= {"PYTHONPATH": str(copy), "PYTHONPYCACHEPREFIX": f"{copy}-compiled"}
    os.environ["PREORDER_EVAL_EXAMPLES"] = "20"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.path[0] = str(copy)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if pytest.main(["-n", "0", *TESTS], [Changes(copy, plan, lines, results)]):
        results.put(None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=60, help="about how many")
    year, week, _ = date.today().isocalendar()
    parser.add_argument("--seed", type=int, default=100 * year + week, help="the week: %(default)s")
    parser.add_argument("--lines", type=Path, help="keep, or read, what tests run which lines")
    parser.add_argument("folders", nargs="*", help="folders of the package (all)")
    chosen = parser.parse_args()
    plan = sample(chosen.count, chosen.seed, chosen.folders)
    survived: dict[str, list[str]] = {part: [] for part in FLOORS}
    print(f"{len(plan)} changes, seed {chosen.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file = chosen.lines or Path(folder) / "lines"
        if not file.exists():
            write_lines(file)
        lines, forking = Lines(file), multiprocessing.get_context("fork")
        results = forking.Queue()
        count = os.cpu_count() or 1
        for worker in range(count):
            forking.Process(
                target=work,
                args=(Path(folder) / f"copy{worker}", plan[worker::count], lines, results),
            ).start()
        for number in range(1, len(plan) + 1):
            if (result := results.get()) is None:
                sys.exit("tests that cannot be collected")
            path, told, seen, took = result
            print(f"{number}  {seen or 'SURVIVED'}  {took:.0f} s  {told}", flush=True)
            if not seen:
                survived[part_of(path)].append(told)
    below = False
    for part, floor in FLOORS.items():
        if whole := sum(part_of(path) == part for path, _ in plan):
            share = 1 - len(survived[part]) / whole
            below |= share < floor
            print(f"{share:.0%} of {whole} changes in {part} noticed")
    print(f"survived, seed {chosen.seed}:", *itertools.chain(*survived.values()), sep="\n")
    sys.exit(below)


if __name__ == "__main__":
    main()
