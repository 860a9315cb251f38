"""Damaged inputs for every reader: nothing but an error of the project may come of them.

Hypothesis takes a good input of the reader, or nothing, and damages it: bytes are cut out,
repeated, taken from elsewhere, or replaced by what readers have stumbled over. Then it is read.
Whatever is not refused by a PreorderEvalError of one readable line, or takes more than ten seconds
or 500 megabytes, is a finding, which Hypothesis makes as small as it can.

A short run is part of the tests. A long one, of all readers or of some:

    python -m tests.fuzz --executions 100000
    python -m tests.fuzz --executions 1000000 conllu rules
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
import traceback
import warnings
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from spacy.tokens import DocBin
from spacy.vocab import Vocab

from preorder_eval.base.errors import InputWarning, PreorderEvalError
from preorder_eval.base.text.text_files import read_sentences
from preorder_eval.base.visible import visible
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.judgments.human_score_files import ScoreColumns, read_human_scores, read_rankings
from preorder_eval.metrics import metric
from preorder_eval.metrics.score_files import read_score_file
from preorder_eval.orders.alignment_files import FORMATS, read_alignment
from preorder_eval.orders.order_files import read_orders
from preorder_eval.parsers.cache import _decoded
from preorder_eval.parsers.to_docs import gold_document, read_docbin
from preorder_eval.references.reference_folder import load_reference, read_free_blocks
from preorder_eval.rules.rule_reading import failing_examples, load_rules
from preorder_eval.trees.conllu import read_conllu
from preorder_eval.trees.nbest_files import read_nbest

_SECONDS = 10.0  # of the processor
_MEGABYTES = 500
_LINE = 2000  # characters
_DATA = Path(__file__).parent / "data"
_TREES = (
    "# sent_id = 1\n# text = Go home\n"
    "1\tGo\tgo\tVERB\tVB\tMood=Imp\t0\troot\t_\t_\n2\thome\thome\tADV\tRB\t_\t1\tadvmod\t_\t_\n\n"
    "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t2\tcase\t_\t_\n"
    "2\tle\t_\tDET\t_\t_\t0\troot\t_\tSpaceAfter=No\n2.1\te\t_\t_\t_\t_\t_\t_\t2:dep\t_\n\n"
)
_LISTS = "".join(
    f"# sent_id = {s}.{n}\n# parse_score = -{n}.5\n1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n\n"
    for s in (1, 2)
    for n in (1, 2)
)
_RULES = """name = "r"
scheme = "ud"
[[rule]]
head = ["VERB", "AUX"]
order = ["advcl", { label = "obl", side = "before", reverse = true }, "OTHER", "HEAD", "punct"]
[[rule]]
head = "NOUN"
weights = [{ label = "nmod", weight = 1.5, order = "REVERSE" }, { label = "punct", weight = -1 }]
[[example]]
tree = ["He PRON 2 nsubj", "eats VERB 0 root", "fish NOUN 2 obj"]
order = "He fish eats"
"""
_LINKS = {
    "auto": "0-0 1-1\n\n0-1 1-0\n",
    "giza": "".join(
        f"# Sentence pair ({n}) source length 2 target length 2 alignment score : 0.1\n"
        "u v\nNULL ({ }) a ({ 1 }) b ({ 2 })\n"
        for n in (1, 2, 3)
    ),
    "ids": '[{"1": ["1"], "2": ["2"], "X": []}, {}, {"1": ["2"], "2": ["1"]}]\n',
    "lader": "2-2 ||| 0-0 1-1\n2-2 |||\n2-2 ||| 0-1\n",
    "naacl": "1 1 1\n1 2 2 P\n2 1 1 S\n3 2 1\n",
    "pharaoh": "0-0 1-1\n0p1\n0-1 1-0\n",
    "talbot": "0,1\n0_1,\n,0\n",
}
_SCORES = "system\tline\tscore\tjudge\na\t0\t71.5\tj\nb\t1\t\tk\nb\t0\t-3e1\tj\n"
_SEGMENT_SCORES = (
    "a\tb\n0.5\t1\n-3e1\t0.25\n",
    "system\tsegment\tscore\tweight\na\t0\t1\t2\na\t1\t.5\t3\nb\t0\t1\t9\nb\t1\t2\t1\n",
    "a 0.5\na 1\nb 0.25\nb -1\n",
    "a\tSegment 0\tscore: 0.5\na\tSegment 1\tscore: 1\nb\tSegment 0\tscore: 1\n"
    "b\tSegment 1\tscore: 2\na\tscore: 0.75\n",
    '{"a": [{"COMET": 0.5}, {"COMET": 1}], "b": [{"COMET": 0.5}, {"COMET": 1}]}\n',
    '{"system": "a", "score": 1}\n{"system": "a", "score": 2}\n'
    '{"system": "b", "prediction": 1}\n{"system": "b", "segment": 1, "score": 2}\n',
)
_RANKED = "srclang,trglang,srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank\n"
_RANKED += 'ja,en,1,j,a,1,b,2\nja,en,2,"j k",a,-1,b,1\n'
_PIECES = [
    *(b"", b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\t", b" ", b"\n"),
    *(b"-1", b"0", b"1", b"9" * 20, b"9" * 5000, b"1e999", b"nan", b"inf", b"-0", b"1_0", b"0x1"),
    *b"_ \\ \" ' { } [[ ]] ( ) | ||| , = :".split(),
    *("\u2028 \u3000 \u202e ٣ é \U0001f600".encode().split(b" ")),
    *(b"x" * 100_000, b"[" * 5000, b"a " * 3000, b"1 " * 3000),
]


@dataclass(frozen=True)
class Reader:
    """A reader with good inputs of its own."""

    read: Callable[[bytes], object]
    good: tuple[bytes, ...]


def check(reader: Reader, data: bytes) -> None:
    """Read an input; AssertionError, or whatever the reader raised, for a finding."""
    start, peak = time.process_time(), _peak()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # a byte-order mark, for one
            reader.read(data)
    except PreorderEvalError as error:
        line = visible(str(error))
        assert len(line) <= _LINE, f"a message of {len(line)} characters"
    assert time.process_time() - start < _SECONDS, "it takes too long"
    assert _peak() - peak < _MEGABYTES, "it takes too much memory"


def _peak() -> float:
    """The most memory that this process ever took, in megabytes."""
    if sys.platform == "win32":
        return 0.0
    import resource

    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


@st.composite
def damaged(draw: st.DrawFn, good: tuple[bytes, ...]) -> bytes:
    """A good input with up to four edits, or bytes by chance."""
    data = draw(st.sampled_from([*good, b""]))
    for _ in range(draw(st.integers(0, 4))):
        first, last = sorted(draw(st.integers(0, len(data))) for _ in range(2))
        last = draw(st.sampled_from([first, min(first + 1, len(data)), last]))
        other = draw(st.sampled_from(good))
        piece = draw(
            st.one_of(
                st.sampled_from(_PIECES),
                st.binary(max_size=6),
                st.just(data[first:last] * 2),
                st.just(other[len(other) // 3 : len(other) // 2]),
            )
        )
        data = data[:first] + piece + data[last:]
    return data


def fuzz(reader: Reader, executions: int, *, derandomize: bool = True) -> int:
    """Read damaged inputs; how many there were. Raises for the smallest finding."""
    count = 0

    @settings(
        max_examples=executions,
        deadline=None,
        database=None,
        derandomize=derandomize,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(damaged(reader.good))
    def run(data: bytes) -> None:
        nonlocal count
        count += 1
        check(reader, data)

    run()
    return count


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="fuzz-"))


def _of_file(read: Callable[[Path], object], *good: str | bytes, name: str = "input") -> Reader:
    def of_bytes(data: bytes) -> object:
        path = _folder() / name
        path.write_bytes(data)
        return read(path)

    return Reader(of_bytes, tuple(g if isinstance(g, bytes) else g.encode() for g in good))


def _of_folder(whole: Path, name: str, read: Callable[[Path], object]) -> Reader:
    """One file of a folder is damaged, the others are as they are."""

    def of_bytes(data: bytes) -> object:
        folder = _folder() / "folders" / whole.name
        if not folder.exists():
            shutil.copytree(whole, folder)
        before = (folder / name).read_bytes()
        (folder / name).write_bytes(data)
        try:
            return read(folder)
        finally:
            (folder / name).write_bytes(before)

    return Reader(of_bytes, ((whole / name).read_bytes(),))


def _run(folder: Path) -> object:
    result = read_run(folder)
    result.scores  # noqa: B018  # which are made again
    return [system.origin() for system in result.inputs.systems], result.to_dict()


def _signature(data: bytes) -> object:
    chosen = metric(data.decode("utf-8", "replace"))
    return chosen.score(["a b c"], ["c a b"]) if chosen.needs == ("hyp", "ref") else str(chosen)


def _cache_entry(data: bytes) -> object:
    return _decoded(data)


def _documents() -> Reader:
    """What stands in a DocBin is damaged before it is compressed: else zlib would see it."""
    path = _folder() / "input.conllu"
    path.write_text(_TREES, encoding="utf-8")
    docs = [gold_document(Vocab(), tree) for tree in read_conllu(path)]
    reader = _of_file(read_docbin, zlib.decompress(DocBin(docs=docs).to_bytes()))
    return Reader(lambda data: reader.read(zlib.compress(data)), reader.good)


def _rules(path: Path) -> object:
    return failing_examples(load_rules(path))


def _small_reference() -> Path:
    folder = _folder() / "reference"
    folder.mkdir(exist_ok=True)
    files = {
        "source.conllu": _TREES,
        "target.ja": "u v\nw x\n",
        "en-ja.align": "0-1 1-0\n0-0 1-1\n",
        "en-ja.free": "0|1\n\n",
        "target.2.ja": "\nq r s\n",
        "en-ja.2.align": "\n0-2 1-0\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@cache
def readers() -> dict[str, Reader]:
    """All readers by name."""
    first, reference = _DATA / "runs", _small_reference()
    lengths = [2, 2, 2]
    found = {
        "sentences": _of_file(read_sentences, "Go home\na  b\n"),
        "conllu": _of_file(read_conllu, _TREES),
        "nbest": _of_file(read_nbest, _LISTS, _TREES),
        "orders": _of_file(lambda p: read_orders(p, lengths), "0 1\n1 0\n0 1\n"),
        "free blocks": _of_file(lambda p: read_free_blocks(p, [4, 4]), "0-1|2|3\n\n"),
        "rules": _of_file(_rules, _RULES, name="input.toml"),
        "scores": _of_file(lambda p: read_human_scores(p, 2, ScoreColumns(judge="judge")), _SCORES),
        "segment scores": _of_file(
            lambda p: read_score_file(p).of({"a": [], "b": []}, 2), *_SEGMENT_SCORES
        ),
        "rankings": _of_file(lambda p: read_rankings(p, 2), _RANKED),
        "documents": _documents(),
        "signature": Reader(
            _signature,
            (b"rouge_s(skip=4,beta=ratio)", b"hlepor(n=2,weights=1:8:1)", b"LR-HB1(alpha=0.2)"),
        ),
        "cache entry": Reader(
            _cache_entry,
            (json.dumps([[0.0], [[-1, 0]], [["root", "obj"]], ["X"] * 2, ["X"] * 2]).encode(),),
        ),
    }
    for form in ("auto", *FORMATS):
        good = _LINKS.get(form, _LINKS["auto"])
        found[f"links, {form}"] = _of_file(
            lambda p, form=form: read_alignment(p, lengths, lengths, form), good
        )
    for kind, name in (
        *[("evaluate", name) for name in ("run.json", "sentences.tsv", "scores.tsv")],
        *[("evaluate", name) for name in ("trees/parsed.conllu", "rules/verb-final.toml")],
        *[("score", name) for name in ("run.json", "sentences.tsv", "scores.tsv")],
    ):
        found[f"run of {kind}, {name}"] = _of_folder(first / kind, name, _run)
    for file in sorted(reference.iterdir()):
        found[f"reference, {file.name}"] = _of_folder(reference, file.name, load_reference)
    return found


def main(arguments: Iterable[str] | None = None) -> None:
    """Fuzz the readers whose names begin with one of those given, or all."""
    parser = argparse.ArgumentParser(description="Fuzz the readers.")
    parser.add_argument("--executions", type=int, default=100_000, help="of each reader")
    parser.add_argument("readers", nargs="*", help="what their names begin with")
    chosen = parser.parse_args(None if arguments is None else list(arguments))
    total, findings, start = 0, 0, time.monotonic()
    for name, reader in readers().items():
        if chosen.readers and not name.startswith(tuple(chosen.readers)):
            continue
        try:
            count = fuzz(reader, chosen.executions, derandomize=False)
        except Exception:
            findings += 1
            print(f"{name}: a finding\n{traceback.format_exc()}", flush=True)
        else:
            total += count
            print(f"{name}: {count:,} executions, no finding", flush=True)
    seconds = time.monotonic() - start
    print(f"{total:,} executions without a finding, {findings} findings, {seconds:,.0f} s")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
