"""Metrics that texts have too few words for: unsegmented text, and sentences too short for BLEU."""

import json

import pytest

import preorder_eval as pe

JA = ["私は猫が好きです。", "彼は本を読みます。", "雨が降る。", "山に登りました。", "今日は寒い。"]
SHORT = ["go on", "he eats", "stop", "no you", "me too"]
UNSEGMENTED = "warning: the references have no spaces between words"
TOO_SHORT = "warning: BLEU is 0, as no output has 4 words"
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

    for metric in ("ter", "ter(normalized=true,asian=true)"):
        told = warned(metric)
        assert len(told) == (metric != advice)
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
    assert bleu["statistics"]["system.spa"]["value"] is None
    assert bleu["statistics"]["pairs.accuracy"]["value"] > 0.5
