"""A folder of tiny files under the names that the help's examples use, and commands run in it."""

import io
import json
import random
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.cli import main
from preorder_eval.cli.shared.options import Printed
from preorder_eval.orders.alignment_formats import format_links
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.trees.conllu import write_conllu

COUNT = 12
# What makes the rest, in this order.
COMMANDS = """
parse --source s.en --out parsed.conllu
parse --source s.en --n 3 --out lists.conllu
reorder --rules en-ja --trees s.conllu --output order --out-is out.order
rules show en-ja --toml --out-is my-rules.toml
rules show reverse --toml --out-is v1.toml
rules show en-ja --toml --out-is v2.toml
reference build --source s.en --target s.ja --alignment s.align --out my-set
evaluate --source s.en --alignment s.align --trees s.conllu --rules none --resamples 5 --out runs/before
evaluate --source s.en --alignment s.align --trees s.conllu --rules none --rules en-ja --resamples 5 --out runs/after
evaluate --source s.en --alignment s.align --trees en-web=parsed.conllu --rules none --rules en-ja --rules my-rules.toml --resamples 5 --out runs/today
evaluate --source s.en --alignment s.align --trees one=parsed.conllu --trees two=s.conllu --rules en-ja --resamples 5 --out runs/parsers
score --hyp base.en --hyp new.en --ref ref.en --resamples 5 --out runs/outputs
score --hyp base=base.en --hyp new=new.en --ref ref.en --metric hlepor --metric ribes --resamples 5 --out runs/mt
evaluate --reference en-ko/test --reference en-tr/test --parser gold --rules none --rules en-tr --rules v1.toml --resamples 5 --out runs/refs
"""  # noqa: E501


def call(line, results=None, stdin=b"She reads books .\n", together=False):
    """Run a command line: its exit code, output and errors; the results printed go to a list.

    Output and errors can go to one file `together`, in the order in which they are written.
    """
    words = shlex.split(line) if isinstance(line, str) else [*map(str, line)]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    printing = Printed.print

    def record(self, result, whole=False):
        results.append(result)
        printing(self, result, whole)

    to_err = redirect_stderr(out if together else err)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), to_err:
        patch.setattr(sys, "argv", ["preorder-eval", *words])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        if results is not None:
            patch.setattr(Printed, "print", record)
        with pytest.raises(SystemExit) as stop:
            main()
    return stop.value.code or 0, *(file.buffer.getvalue().decode() for file in (out, err))


def _write(name, lines):
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _texts():
    """Outputs and references: words in other orders, and some of them others."""
    rng = random.Random(1)
    words = list("abcdefghijkl")
    ref = [rng.sample(words, rng.randint(4, 8)) for _ in range(COUNT)]

    def damaged(share):
        return [
            " ".join(
                rng.choice(words) if rng.random() < share else word
                for word in (line if rng.random() > share else sorted(line))
            )
            for line in ref
        ]

    outputs = {"base": damaged(0.6), "new": damaged(0.3), "other": damaged(0.45)}
    for name, lines in outputs.items():
        _write(f"{name}.en", lines)
        _write(f"outputs/{name}.en", lines)
        _write(f"{name}.tags", (" ".join("NVA"[len(w) % 3] for w in x.split()) for x in lines))
        _write(f"{name}.align", (" ".join(f"{i}-{i}" for i in range(4)) for _ in lines))
    for name in ("ref", "ref1", "ref2"):
        _write(f"{name}.en", [" ".join(line) for line in ref] if name != "ref2" else damaged(0.1))
    _write("ref.tags", (" ".join("NVA"[len(w) % 3] for w in line) for line in ref))
    _write("ref.align", (" ".join(f"{i}-{(i + 1) % 4}" for i in range(4)) for _ in ref))
    _write("src.ja", ("彼 は 本 を 読む" for _ in ref))
    judged = [
        (name, line, round({"base": 2, "new": 4, "other": 3}[name] + rng.uniform(-1.5, 1.5), 1))
        for name in outputs
        for line in range(COUNT)
    ]
    header = "system\tline\tscore\tjudge\tz"
    rows = [f"{n}\t{s}\t{x}\tj{s % 2}\t{x / 2}" for n, s, x in judged]
    for name in ("human.tsv", "h.tsv"):
        _write(name, [header, *rows])
    ranks = [
        f"ja,en,{s + 1},j{s % 2},base,{1 + (s % 4 > 0)},new,{1 + (s % 4 == 0)}"
        for s in range(COUNT)
    ]
    columns = "srclang,trglang,srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank"
    _write("judged.csv", [columns, *ranks])
    comet = {name: [{"COMET": rng.random()} for _ in lines] for name, lines in outputs.items()}
    _write("comet.json", [json.dumps(comet)])


def make(folder):
    """Fill a folder, and give it back."""
    reference = load_reference("en-ja")
    with chdir(folder):
        part = reference.take(range(COUNT), "s")
        _write("s.en", (" ".join(words) for words in part.source))
        _write("s.ja", (" ".join(words) for words in part.target))
        _write("s.align", (format_links(part.alignments[s]) for s in range(COUNT)))
        for name, first, last in (("s", 0, COUNT), ("train", 40, 60), ("dev", 60, 65)):
            write_conllu(Path(f"{name}.conllu"), reference.trees.take(np.arange(first, last)))
        write_conllu(Path("ko.conllu"), load_reference("en-ko/test").trees)
        _texts()
        for line in COMMANDS.strip().splitlines():
            line, _, file = line.partition(" --out-is ")
            code, out, err = call(line)
            assert code == 0, f"{line}\n{err}"
            if file:
                out = out.replace('name = "en-ja"', f'name = "{Path(file).stem}"')
                Path(file).write_text(out, encoding="utf-8")
        for sheet in Path("sheets").glob("judge-*.tsv"):
            header, *rows = sheet.read_text(encoding="utf-8").splitlines()
            _write(sheet, [header, *(f"{row}{n % 7}" for n, row in enumerate(rows))])
    return folder


if __name__ == "__main__":  # to look at them
    Path(sys.argv[1]).mkdir()
    make(Path(sys.argv[1]))
