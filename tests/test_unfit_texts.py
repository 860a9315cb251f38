"""Metrics that texts have too few words for: unsegmented text, and sentences too short for BLEU."""

import json

import pytest

import preorder_eval as pe
from preorder_eval.base.errors import InputWarning
from preorder_eval.evaluation.gates import check_gates, parse_gate
from preorder_eval.evaluation.inputs import Inputs, Texts
from preorder_eval.evaluation.notes import unfit
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics import metric

JA = ["私は猫が好きです。", "彼は本を読みます。", "雨が降る。", "山に登りました。", "今日は寒い。"]
SHORT = ["go on", "he eats", "stop", "no you", "me too"]
UNSEGMENTED = "warning: the references have no spaces between words"
TOO_SHORT = "warning: BLEU is 0, because no output has 4 words"
ADVICE = {
    "今日は雨です。明日は山に行きます。": "ter(normalized=true,asian=true)",
    "ฉันชอบแมวและสุนัขมากที่สุด": "wer",
    "ຂ້ອຍມັກແມວແລະໝາຫຼາຍທີ່ສຸດ": "wer",
    "ខ្ញុំចូលចិត្តឆ្មានិងឆ្កែខ្លាំងណាស់": "wer",
    "ကျွန်တော်ကြောင်နှင့်ခွေးကိုကြိုက်တယ်": "wer",
    "ངས་ཞི་མི་དང་ཁྱི་ལ་དགའ་པོ་ཡོད།": "wer",
}


def outputs(texts):
    """Three systems: one with all right, one with two changed, one with all changed."""
    return [texts, [text + "x" * (n < 2) for n, text in enumerate(texts)], [t + "x" for t in texts]]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, texts in (("ja", JA), ("short", SHORT)):
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.ref").write_text("\n".join(texts) + "\n")
        for system, lines in enumerate(outputs(texts)):
            (tmp_path / name / f"s{system}").write_text("\n".join(lines) + "\n")
    rows = [f"s{s}\t{n}\t{9 - 3 * s + n % 2}\n" for s in range(3) for n in range(5)]
    (tmp_path / "human.tsv").write_text("system\tline\tscore\n" + "".join(rows))
    return tmp_path


@pytest.mark.slow
def test_every_door_warns(run, files):
    texts = ("--hyp", "ja", "--ref", "ja.ref")
    judged, none = ("--human", "human.tsv"), ("--tokenize", "none")
    assert run("score", *texts, "--metric", "ter", "--metric", "wer", "--out", "run")[0] == 0
    for line in (
        ("score", *texts, "--metric", "ter"),
        ("score", *texts, "--metric", "wer", *none),
        ("meta", *texts, *judged, "--metric", "ter"),
        ("meta", *texts, *judged, "--metric", "wer", *none),
        ("meta", "--run", "run", *judged),
        ("compare", "run", "--system", "s0", "--system", "s1", "--metric", "ter"),
        ("tune", "ribes(alpha=?)", *texts, *judged, *none, "--folds", "2"),
    ):
        code, out, err = run(*line)
        assert (code, err) == (0, ""), line
        assert UNSEGMENTED in " ".join(out.split()), line
    assert run("report", "run", "--out", "r.html")[0] == 0
    assert UNSEGMENTED in (files / "r.html").read_text()
    result = pe.score({"s0": JA}, JA, ["ter"])
    assert UNSEGMENTED in " ".join(str(result).split())


@pytest.mark.parametrize(("text", "advice"), ADVICE.items())
def test_the_advice_helps(text, advice):
    def warned(metric):
        below = pe.score({"s": [text + "x"]}, [text], [metric]).below
        return [line for line in below if line.startswith(UNSEGMENTED)]

    for by in ("ter", "ter(normalized=true,asian=true)"):
        told = warned(by)
        assert len(told) == (by != advice)
        assert all(advice in line for line in told)
    assert pe.score({"s": [text + "x"]}, [text], [advice]).value("s") < 100


def test_texts_too_short_for_bleu_have_no_best_system(run, files):
    texts = ("--hyp", "short", "--ref", "short.ref", "--metric", "bleu")
    code, out, _ = run("score", *texts)
    assert code == 0
    assert TOO_SHORT in " ".join(out.split())
    assert out.startswith("No system is the best")
    fitting = run("score", *texts[:-1], "bleu(effective_order=true)")[1]
    assert TOO_SHORT not in " ".join(fitting.split())
    judged = (*texts, "--human", "human.tsv")
    assert TOO_SHORT in " ".join(run("meta", *judged)[1].split())
    [bleu] = json.loads(run("meta", *judged, "--json")[1])["metrics"]
    assert bleu["statistics"]["system.pearson"]["value"] is None
    assert bleu["statistics"]["pairs.accuracy"]["value"] > 0.5


MARKUP = [
    '<refset trglang="en" setid="x">\n<seg id="1">he reads</seg>\n',
    "<?xml version='1.0' encoding='utf-8'?>\n<dataset id='wmt'>\n",
    '<!DOCTYPE mteval SYSTEM "x.dtd">\n<mteval>\n',
    '<DOC docid="d1">\n<seg id="1">he reads</seg>\n',
]


@pytest.mark.parametrize("markup", MARKUP, ids=lambda text: text[:9])
def test_mark_up_is_no_text_at_any_door(run, tmp_path, monkeypatch, markup):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.sgm").write_text(markup)
    (tmp_path / "t").write_text("he reads\nshe sings\n")
    (tmp_path / "a").write_text("0-0 1-1\n" * 2)
    for line in (
        "score --hyp x.sgm --ref t",
        "score --hyp t --ref x.sgm",
        "evaluate --source x.sgm --alignment a --rules none",
        "parse --source x.sgm",
        "parse --raw --source x.sgm",
        "reorder --source x.sgm --rules en-ja",
        "align x.sgm t",
        "align t x.sgm",
    ):
        code, out, err = run(*line.split())
        assert (code, out) == (2, ""), line
        assert "x.sgm:1: is SGM or XML, not text; extract its segments: sed -n" in err, line


@pytest.mark.parametrize("text", ["< he reads >", "<unk> reads", "<s> he </s>", "<3 you", "<b>He"])
def test_a_text_may_begin_with_a_bracket(text):
    assert pe.score({"s": [text]}, [text], ["wer"]).value("s", "wer") == 0


RAW = [f"The cat number {n} sat." for n in range(20)]
SPLIT = [line.replace(".", " .") for line in RAW]
BPE = [line.replace("number", "num@@ ber") for line in SPLIT]
SPM = ["▁" + line.replace(" ", " ▁") for line in SPLIT]
SEVERAL = ["Is it?", "No.", "It sat .", "No !", "Yes."] * 4


@pytest.mark.parametrize(
    ("hyp", "ref", "expected"),
    [
        (RAW, RAW, []),
        (SPLIT, SPLIT, []),
        (SEVERAL, RAW, []),
        (SPLIT[:4], RAW[:4], []),
        (SPLIT, RAW, ["A looks tokenised, the references do not: 20 of 20 lines"]),
        (RAW, SPLIT, ["the references look tokenised, A does not: 20 of 20 lines"]),
        (BPE, RAW, ["A: 20 of 20 lines contain the subword mark @@", "A looks tokenised"]),
        (SPM, SPLIT, ["A: 20 of 20 lines contain the subword mark ▁"]),
        (BPE, BPE, ["A: 20 of 20 lines contain", "the reference: 20 of 20 lines contain"]),
    ],
)
def test_texts_of_other_words_than_their_references_are_warned_of(hyp, ref, expected):
    inputs = Inputs((System("A", hyp=hyp),), None, (Texts("ref", ref),))
    found = [caveat.text for caveat in unfit(inputs, [], []).caveats]
    assert [line[: len(e)] for line, e in zip(found, expected, strict=True)] == expected


SPACED = [f"私は{city}で Windows 10 を使って {city}の本を読んだ 。" for city in "東西南北京都大坂"]
WRONG = [f"彼は{city}の本を読む。" for city in "東西南北京都大坂"]
UNSPACED = [
    f"私は{city}でWindows 10を使って{city}の本を読みました。" for city in "東西南北京都大坂"
]
TWO = {"spaced": SPACED, "wrong": WRONG}


@pytest.mark.parametrize(
    "first", ["ter", "wer(tokenize=none)", "bleu(tokenize=13a)", "bleu(order=9)"]
)
def test_a_metric_that_cannot_read_the_texts_shows_nothing(first):
    """By TER an output of other words was better, since it had fewer spaces."""
    reference = SHORT * 2 if first.startswith("bleu(o") else UNSPACED
    outputs = {"a": outputs_of(reference), "b": reference} if reference != UNSPACED else TWO
    alone = pe.score(outputs, reference, [first])
    assert alone.found.decision == "cannot be read"
    assert alone.verdict.startswith("No verdict on")
    assert alone.show("paper").endswith("cannot read these texts.")
    [row] = pe.compare(alone).tables()[0].records()
    assert (row["significance"], row["p"], row["low_95"]) == ("0", None, None)
    with pytest.raises(pe.PreorderEvalError, match="cannot read these texts"):
        check_gates(pe.compare(alone), [parse_gate(f"{first}:-0.1")])
    several = pe.score(outputs | {"c": reference}, reference, [first])
    assert several.verdict.startswith("No system is the best")
    both = pe.score(outputs, reference, [first, "chrf"])
    kind = "worse" if outputs is TWO else "better"
    assert both.verdict.startswith(f"{list(outputs)[1]} scores {kind} than")
    assert both.found.metric != both.metric_names[0]
    assert f"{both.metric_names[0]} (p" not in both.verdict
    assert both.metric_names[0] not in both.show("paper")
    assert [w.kind for w in both.warnings].count("cannot_read") == 1
    with pytest.warns(InputWarning, match="no part in verdicts and rankings"):
        metric(first).score(next(iter(outputs.values())), reference)


def outputs_of(texts):
    return [f"{text} x" for text in texts]


def test_they_are_ranked_with_no_metrics(run, files):
    judged = ("--hyp", "ja", "--ref", "ja.ref", "--human", "human.tsv", "--resamples", 20)
    _, out, _ = run("meta", *judged, "--metric", "ter")
    assert out.startswith("No verdict: no metric can read these texts")
    found = json.loads(run("meta", *judged, "--metric", "ter", "--metric", "chrf", "--json")[1])
    assert [(row["metric"][:4], row["group"]) for row in found["metrics"]] == [
        ("chrf", 1),
        ("ter", None),
    ]
    assert found["verdict"]["pairs"] == 0
    assert found["warnings"][-1]["kind"] == "cannot_read"
    tuned = run("tune", "ribes(alpha=?)", *judged, "--tokenize", "none", "--folds", 2)[1]
    assert "cannot read these texts" in " ".join(tuned.split())
