"""Pipes, which can be read once: named ones, those of a shell's `<(…)`, and standard input."""

import json
import os
import threading
from pathlib import Path

import pytest

FILES = {
    "s.en": "She reads books\nGo home\n",
    "s.align": "0-0 1-2 2-1\n0-1 1-0\n",
    "s.order": "0 2 1\n1 0\n",
    "hyp": "a b c d\nc d e f\n",
    "hyp2": "a c b d\nd c e f\n",
    "hyp3": "a x b d\nd c y f\n",
    "ref": "a b c d\nc e d f\n",
    "docs": "d1\nd2\n",
    "human.tsv": "system\tline\tscore\nhyp\t0\t1\nhyp\t1\t2\nhyp2\t0\t2\nhyp2\t1\t4\n"
    "hyp3\t0\t0\nhyp3\t1\t3\n",
    "s.conllu": "1\tGo\t_\tVERB\tVB\t_\t0\troot\t_\t_\n2\thome\t_\tADV\tRB\t_\t1\tadvmod\t_\t_\n\n",
    "r.toml": 'name = "r"\nscheme = "ud"\n[[rule]]\nhead = "VERB"\n'
    'order = ["OTHER", "HEAD", "punct"]\n',
}
EVALUATE = "evaluate --source s.en --alignment s.align --orders s.order --json"
SCORE = "score --hyp hyp --ref ref --documents docs --metric wer --resamples 10 --json"
META = "meta --hyp hyp --hyp hyp2 --hyp hyp3 --ref ref --human human.tsv --metric wer --json"
META += " --resamples 10"
REORDER = "reorder --rules r.toml --trees s.conllu"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)


@pytest.mark.parametrize(
    ("command", "name"),
    [(command, word) for command in (EVALUATE, SCORE, META, REORDER)
     for word in command.split() if word in FILES],
)  # fmt: skip
def test_a_named_pipe_is_read_as_the_file_with_its_hash(run, command, name):
    wanted = run(*command.split())
    data = Path(name).read_bytes()
    Path(name).unlink()
    os.mkfifo(name)
    threading.Thread(target=Path(name).write_bytes, args=(data,), daemon=True).start()
    assert run(*command.split()) == wanted
    assert wanted[0] == 0


@pytest.mark.parametrize("name", ["s.en", "s.align", "s.order"])
def test_standard_input_is_known_by_its_hash(run, name):
    told = run(*EVALUATE.split())[1]
    words = ["-" if word == name else word for word in EVALUATE.split()]
    code, out, err = run(*words, stdin=Path(name).read_bytes())
    assert code == 0, err
    hashes = [sorted(of["files"].values()) for of in (_reference(told), _reference(out))]
    assert hashes[0] == hashes[1]
    code, _, err = run(*words, stdin=b"\xff\n")
    assert (code, err.partition(" not UTF-8")[0]) == (2, "preorder-eval: standard input:1:")


def _reference(printed):
    return json.loads(printed)["reference"]


def test_what_is_no_file_is_written_to_and_is_not_replaced(run):
    """`--out /dev/null` made an ordinary file of it, for whoever may."""
    os.mkfifo("out.align")
    read = []
    reader = threading.Thread(target=lambda: read.append(Path("out.align").read_text()))
    reader.start()
    align = ["align", "s.en", "s.en", "--aligner", "ibm1", "--force"]
    links = run(*align)[1]
    assert run(*align, "--out", "out.align")[:2] == (0, "")
    reader.join(60)
    assert read == [links]
    assert Path("out.align").is_fifo()
