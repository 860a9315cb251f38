"""A metric with an input of its own, or with tags, is one new file: every command takes it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from judged_outputs import SYSTEMS, JudgedOutputs
from test_plugins import install

from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.registry import entries, metric, metric_type, metric_types
from preorder_eval.plugins import _installed
from preorder_eval.results.scoring import score


@dataclass(frozen=True)
class Sureness(Metric):
    """How often outputs are as long as the reference, weighed by how sure their system is."""

    name: ClassVar[str] = "sureness"
    paper: ClassVar[str] = "nobody's"
    equation: ClassVar[str] = "Σ confidence · right / Σ confidence"
    needs = ("hyp", "ref", "hyp_confidence")

    def statistics_of(self, inputs):
        weights = np.array(inputs["hyp_confidence"], dtype=float)
        segments = inputs.segments
        right = segments.hypotheses.lengths == segments.references[0].lengths
        return np.column_stack([weights * right, weights])

    def finish(self, statistics):
        return statistics[..., 0] / statistics[..., 1]


@dataclass(frozen=True)
class Nouns(Metric):
    """The share of nouns among the words of the outputs; fewer are better."""

    name: ClassVar[str] = "nouns"
    paper: ClassVar[str] = "nobody's"
    equation: ClassVar[str] = "nouns / words"
    higher_is_better: ClassVar[bool] = False
    needs = ("hyp", "hyp_tags")

    def statistics_of(self, inputs):
        tags = [line.split() for line in inputs["hyp_tags"]]
        return np.array([[own.count("NOUN"), len(own)] for own in tags], dtype=float)

    def finish(self, statistics):
        return statistics[..., 0] / np.maximum(statistics[..., 1], 1)


SURE = "sureness"


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Judged outputs with how sure each system is, where both metrics are installed."""

    def forget():
        _installed.cache_clear()
        entries.cache_clear()
        metric_type.cache_clear()
        metric_types.cache_clear()

    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    named = {kind.name: f"{__name__}:{kind.__name__}" for kind in (Sureness, Nouns)}
    install(tmp_path, "new-metrics", {"preorder_eval.metrics": named})
    forget()
    data = JudgedOutputs(0)
    data.write()
    rng = np.random.default_rng(0)
    data.sure = {name: [str(n) for n in rng.integers(1, 9, size=30)] for name in SYSTEMS}
    for name, lines in data.sure.items():
        Path(f"sure.{name}.txt").write_text("".join(line + "\n" for line in lines))
    yield data
    forget()


HYPS = [part for name in SYSTEMS for part in ("--hyp", f"out.{name}.en")]
CONFIDENCE = [part for name in SYSTEMS for part in ("--input", f"hyp_confidence=sure.{name}.txt")]
SCORE = ["score", *HYPS, "--ref", "ref.en", "--resamples", 50]


def by_hand(data, system):
    """The value of a system, as its docstring says."""
    pairs = zip(data.outputs[SYSTEMS.index(system)], data.references[0], strict=True)
    weights = list(map(int, data.sure[system]))
    right = sum(w for w, (hyp, ref) in zip(weights, pairs, strict=True) if len(hyp) == len(ref))
    return right / sum(weights)


def test_from_python(data):
    inputs = {"hyp_confidence": list(data.sure.values())}
    outputs = {
        name: list(map(" ".join, own)) for name, own in zip(SYSTEMS, data.outputs, strict=True)
    }
    reference = list(map(" ".join, data.references[0]))
    result = score(outputs, reference, ["sureness", "wer"], resamples=10, **inputs)
    for name in SYSTEMS:
        assert result.value(name, "sureness") == pytest.approx(by_hand(data, name))
    assert metric("sureness") == Sureness()


@pytest.fixture
def scored(data, run):
    own = ("--metric", SURE, "--metric", "wer", "--json", "--out", "run")
    code, out, err = run(*SCORE, *CONFIDENCE, *own)
    assert (code, err) == (0, "")
    return json.loads(out)


def test_score(data, scored):
    for system in scored["systems"]:
        name = system["system"].removeprefix("out.")
        assert system["scores"][SURE]["value"] == pytest.approx(by_hand(data, name))
    files = [given["file"] for given in scored["inputs"]["hyp_confidence"]]
    assert files == [f"sure.{name}.txt" for name in SYSTEMS]


def test_compare(data, scored, run):
    for name in SYSTEMS:
        Path(f"sure.{name}.txt").unlink()  # the folder has them
    options = ("--system", "out.good", "--system", "out.poor", "--resamples", 50, "--json")
    code, out, err = run("compare", "run", *options)
    assert (code, err) == (0, "")
    found = json.loads(out)["metrics"][0]
    assert found["metric"] == SURE
    assert found["difference"] == pytest.approx(by_hand(data, "poor") - by_hand(data, "good"))
    [poor] = [own for own in scored["systems"] if own["system"] == "out.poor"]
    assert found["p"] == poor["scores"][SURE]["p"]


def test_report(scored, run):
    code, _, err = run("report", "run", "--out", "page.html")
    assert (code, err) == (0, "")
    assert SURE in Path("page.html").read_text(encoding="utf-8")


def test_meta(data, scored, run):
    own = ("meta", "--resamples", 50, "--scores", "human.tsv", "--tsv")
    chosen = ("--ref", "ref.en", "--metric", SURE, "--metric", "wer")
    given = ("--input", "hyp_confidence=sure.*.txt")  # each is found by its system's name
    code, direct, err = run(*own, "--hyp", "out.*.en", *chosen, *given)
    assert (code, err) == (0, "")
    assert f"\n{SURE}\t" in direct
    people = Path("human.tsv")
    for name in SYSTEMS:  # the run's systems are called after whole files
        people.write_text(people.read_text().replace(f"\n{name}\t", f"\nout.{name}\t"))
    assert run(*own, "--run", "run") == (0, direct, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*SCORE, "--metric", SURE], "metric sureness needs --input hyp_confidence=FILE\n"),
        (
            [*SCORE, *CONFIDENCE[2:], "--metric", SURE],
            "2 --input hyp_confidence=FILE, but 3 --hyp; give one for each, in the same order\n",
        ),
        (
            [*SCORE, *CONFIDENCE, "--metric", "wer"],
            "--input hyp_confidence=FILE: none of the metrics needs it\n",
        ),
        (
            ["meta", "--hyp", "out.*.en", "--ref", "ref.en", "--scores", "human.tsv",
             "--metric", SURE, "--input", "hyp_confidence=sure.g*"],
            "judged system fair has no file for --input hyp_confidence=FILE (sure.good.txt); name ",
        ),
    ],
)  # fmt: skip
def test_what_is_missing_or_too_much_is_one_line(data, run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"preorder-eval: {message}")


def tagged(sentences, tag):
    """A CoNLL-U file of sentences without blank ones, all words being of one tag but the first."""
    blocks = [
        "".join(
            f"{i}\t{word}\t_\t{tag if i > 1 else 'VERB'}\t_\t_\t{int(i > 1)}\t"
            f"{'dep' if i > 1 else 'root'}\t_\t_\n"
            for i, word in enumerate(words, 1)
        )
        for words in sentences
    ]
    return "\n".join(block for block in blocks if block) + "\n"


def test_a_metric_of_tags_takes_files_or_a_tagger(data, run):
    words = data.outputs[0]
    own = ("score", "--hyp", "out.good.en", "--metric", "nouns", "--resamples", 50, "--tsv")
    lines = [" ".join(["VERB"] + ["NOUN"] * (len(sentence) - 1)) for sentence in words]
    Path("good.tags").write_text("".join(line + "\n" for line in lines))
    code, out, err = run(*own, "--hyp-tags", "good.tags")
    assert (code, err) == (0, "")
    expected = 1 - len(words) / sum(map(len, words))
    assert float(out.splitlines()[1].split("\t")[2]) == pytest.approx(expected)
    Path("own.conllu").write_text(tagged(words, "NOUN"))
    assert run(*own, "--tagger", "own.conllu") == (0, out, "")
    code, _, err = run(*own)
    assert (code, err) == (2, "preorder-eval: metric nouns needs --hyp-tags, or --tagger\n")
    Path("good.tags").write_text("".join(line + " X\n" for line in lines))
    code, _, err = run(*own, "--hyp-tags", "good.tags")
    first = len(words[0])
    assert err.startswith(f"preorder-eval: good.tags:1: {first + 1} tags, but the sentence of out.")
