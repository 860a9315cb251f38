"""The examples of every command's help run, in a folder of tiny files of these names."""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
import tiny_files
from test_command_line import SINGLE

from preorder_eval.references.reference_folder import load_reference
from preorder_eval.trees.conllu import write_conllu

pytestmark = pytest.mark.slow

# Other names of what the folder has.
COPIES = """
new.en out.en train.en text.en out.good out.poor p1.ja p2.ja r.ja out/one out/two
src.ja out.ja ref.ja
s.conllu gold.conllu best.conllu
parsed.conllu parses.conllu
my-rules.toml mine.toml
runs/mt runs/base
"""
# They serve until Ctrl-C, or take corpora or models that are not here, or many sentences.
ELSEWHERE = re.compile(
    r"watch|reference edit my-set|mt-metrics-eval|a\.json|standoff|cleft-03|g\.wpt"
    r"|--sample 500|models/mine|--human ratings\.tsv|lists\.conllu --metric|'out\.\*'|--align agree"
    r"|runs/today runs/outputs|en_core_web_sm"
)
RUNS = {
    "before": "--reference en-ko/test --parser gold --rules none",
    "after": "--reference en-ko/test --parser gold --rules en-ko",
    "today": "--reference en-ko/test --rules none --rules en-ja --rules my-rules.toml",
}
EXAMPLES = [
    pytest.param(" ".join(line.split()), id=line.strip()[14:60])
    for one in SINGLE.values()
    for line in one.examples.replace("\\\n", "").splitlines()
    if not ELSEWHERE.search(line)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tiny_files.make(tmp_path_factory.mktemp("tiny"))
    with chdir(folder):
        for line in COPIES.split("\n"):
            source, *names = line.split() or [""]
            for name in names:
                Path(name).parent.mkdir(exist_ok=True)
                (shutil.copytree if Path(source).is_dir() else shutil.copy)(source, name)
        for name in ("old", "new"):
            write_conllu(Path(f"{name}.conllu"), load_reference("en-ja-web/test").trees)
        for name, options in RUNS.items():
            shutil.rmtree(f"runs/{name}")
            assert tiny_files.call(f"evaluate {options} --resamples 5 --out runs/{name}")[0] == 0
        Path("my-project").mkdir()
    return folder


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(folder, tmp_path, example):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    if " align " in example:  # it takes 100 pairs
        for name in ("s.en", "s.ja"):
            text = (tmp_path / name).read_text(encoding="utf-8") * 9
            for copy in (name, f"big{name[1:]}"):
                (tmp_path / copy).write_text(text, encoding="utf-8")
    if "comet.json" in example:
        names = ["out"] if "out.en" in example else ["base", "new"]
        scores = {name: [{"COMET": n / 12} for n in range(12)] for name in names}
        (tmp_path / "comet.json").write_text(json.dumps(scores), encoding="utf-8")
    for made in re.findall(r"--out (\S+)", example):
        shutil.rmtree(tmp_path / made, ignore_errors=True)
    steps = " --steps 2" * (" train " in example or "self-train" in example)
    line = example + steps * ("--steps" not in example)
    programs = Path(sys.executable).parent
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
