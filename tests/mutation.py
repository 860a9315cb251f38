"""Small changes of the package that its tests should notice: a seeded sample, and what survives.

    python -m tests.mutation  # 60 changes, others each week
    python -m tests.mutation --count 10 --seed 3 metrics stats  # of two folders alone

It exits with 1 if fewer than 90 % are noticed in the core, or 80 % elsewhere. Every folder has as
many of the changes as its size gives it, and one at least. Each change is made in a copy of the
repository, and the tests that have to do with its module run there: those that import it, those of
its command, and those and the docstrings of its folder. Slow tests run only for what the quick ones
let pass. Read what survives: a change that no user could notice is none, and anything else is a
test that is missing.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORE = {"data", "metrics", "parsers", "reordering", "stats"}
FLOORS = {"the core": 0.9, "elsewhere": 0.8}
SECONDS = 900  # a change that makes tests last longer is noticed
FIRST = 4  # files that run first: the module's own docstrings and tests
TIMES = itertools.count(1)
ROUNDS = {"quick": "not slow and not browser", "slow": "slow and not browser"}
COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
# With a tolerance, which no value equals by chance.
TOLERANT = {ast.Lt: ast.Gt, ast.LtE: ast.Gt, ast.Gt: ast.Lt, ast.GtE: ast.Lt}
OPERATIONS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult}
# Tests of folders and of modules, beside those that name a module.
FURTHER = {
    "metrics": "by_hand metrics order_metrics lexical_metrics",
    "stats": "by_hand significance baselines meta_evaluation cli_compare",
    "reordering": "rule_set treebank_rules cli_rules cli_reorder",
    "ribes": "tuning",
    "docs": "clearnlp",
    "data": "inputs words python_doors cli_score_inputs reference_folder",
    "parsers": "parsers parser_errors preorder cli_parse nothing_lost",
    "error_rates": "cder ter",
    "unigrams": "gtm",
    "function": "plugins",
    "judgment_options": "cli_meta cli_meta_inputs",
    "cli": "command_line wrong_inputs option_pairs cli_score cli_rules documentation",
    "analysis": "oracle ablation rule_learning treebank_rules cli_rules cli_analyse shown "
    "output_analysis documentation",
    "reporting": "report live editor cli_report scripts",
    "papers": "metric_tables shown",
    "training": "training selection cli_self_train cli_train resumable shown",
    "meta_evaluation": "meta_evaluation cli_meta baselines tuning permutation shown",
    "scale": "scale shards",
    "results": "result verdicts cli_evaluate cli_compare cli_score plugins wrong_inputs "
    "given_scores cli_score_inputs shown",
    "formats": "found_inputs wrong_inputs",
    "schema": "rule_files run",
    "tables": "tables shown",
    "sharded": "scale shards",  # a command without a test file of its name
}


def changes(path: Path) -> list[tuple[int, int, int, str]]:
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
            return "False"
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


def related(path: Path) -> list[str]:
    """The tests that have to do with a module: its own first, then those of its folder."""
    module = ".".join(path.with_suffix("").parts)
    parent, _, leaf = module.rpartition(".")
    imported = re.compile(rf"{re.escape(module)}\b|from {re.escape(parent)} import .*\b{leaf}\b")
    command = f"test_cli_{leaf.split('_')[0]}" if path.parts[1] == "cli" else leaf
    files = {file.stem: file for file in sorted((ROOT / "tests").glob("test_*.py"))}
    own = [
        name
        for name, file in files.items()
        if leaf.rpartition("_")[2] in name
        or command in name
        or imported.search(file.read_text(encoding="utf-8"))
    ]
    further = (FURTHER.get(place, "").split() for place in (path.stem, path.parts[1]))
    found = dict.fromkeys([*own, *(f"test_{name}" for names in further for name in names)])
    folder = [str(path.parent)] * (len(path.parts) > 2)
    return [str(path), *(f"tests/{name}.py" for name in found), *folder]


def sample(
    count: int, seed: int, folders: Sequence[str] = ()
) -> list[tuple[Path, tuple[int, int, int, str]]]:
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


def failing(copy: Path, tests: list[str], marks: str) -> str:
    """The first of some tests that fails in a copy; empty if all pass."""
    command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", *tests]
    command += ["-o", "python_classes=none"]  # a module of the package has docstrings to run only
    command += ["-n", "0"] * (len(tests) <= FIRST)  # a process for each core would start for longer
    command += ["-m", marks]
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONPYCACHEPREFIX": f"{copy}-compiled"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(
        command, cwd=copy, env=environment, start_new_session=True, **options
    ) as running:
        try:
            output, _ = running.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)  # what its tests started, too
            return "time"
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    # Tests that are all left out (exit 5) notice nothing.
    return [*failed, f"exit {running.returncode}"][0] if running.returncode not in (0, 5) else ""


def write(file: Path, text: str) -> None:
    """Write a module with a time of its own, by which Python tells what it has compiled."""
    file.write_text(text, encoding="utf-8")
    os.utime(file, (next(TIMES),) * 2)


def notice(
    copy: Path, path: Path, change: tuple[int, int, int, str], marks: str
) -> tuple[str, str]:
    """Make a change in a copy while the related tests run; what it was, and who noticed."""
    number, first, last, new = change
    file = copy / path
    text = file.read_text(encoding="utf-8")
    lines = text.split("\n")
    line = lines[number - 1].encode()
    old = line[first:last].decode()
    lines[number - 1] = (line[:first] + new.encode() + line[last:]).decode()
    write(file, "\n".join(lines))
    try:
        tests = related(path)
        parts = [part for part in (tests[:FIRST], tests[FIRST:]) if part]
        seen = next(filter(None, (failing(copy, part, marks) for part in parts)), "")
    finally:
        write(file, text)
    return f"{path}:{number}  {old} -> {new}\n    {line.decode().strip()}", seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=60, help="about how many")
    year, week, _ = date.today().isocalendar()
    parser.add_argument("--seed", type=int, default=100 * year + week, help="the week: %(default)s")
    parser.add_argument("folders", nargs="*", help="folders of the package (all)")
    chosen = parser.parse_args()
    plan = sample(chosen.count, chosen.seed, chosen.folders)
    whole, survived = plan, {}
    print(f"{len(plan)} changes, seed {chosen.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".*cache", "__pycache__"))
        for name, marks in ROUNDS.items():
            tests = sorted({test for path, _ in plan for test in related(path)})
            if tests and (seen := failing(copy, tests, marks)):
                sys.exit(f"{seen} fails without any change")
            survived = {}
            for number, (path, change) in enumerate(plan, 1):
                start = time.monotonic()
                what, seen = notice(copy, path, change, marks)
                survived |= {} if seen else {(path, change): what}
                took = time.monotonic() - start
                told = f"{name} {number}  {seen or 'SURVIVED'}  {took:.0f} s  {what}"
                print(told, flush=True)
            plan = list(survived)
    shares = {}
    for part in FLOORS:
        seen = [each not in survived for each in whole if part_of(each[0]) == part]
        if seen:
            shares[part] = sum(seen) / len(seen)
            print(f"{shares[part]:.0%} of {len(seen)} changes in {part} noticed")
    print(f"{len(survived)} survived, seed {chosen.seed}:", *survived.values(), sep="\n")
    sys.exit(any(share < FLOORS[part] for part, share in shares.items()))


if __name__ == "__main__":
    main()
