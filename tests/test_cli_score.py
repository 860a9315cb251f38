"""`preorder-eval score` from the command line."""

import csv
import io
import json
import random
import unicodedata
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU

from preorder_eval.base.text import tokenization
from preorder_eval.metrics import metric

SIZE = 60


def swapped(sentence, times, rng):
    words = sentence.split()
    for _ in range(times):
        i, j = rng.sample(range(len(words)), 2)
        words[i], words[j] = words[j], words[i]
    return " ".join(words)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """References, another stream of them, and three outputs from good to poor."""
    monkeypatch.chdir(tmp_path)
    rng = random.Random(0)
    reference = [" ".join(f"w{rng.randrange(40)}" for _ in range(10)) for _ in range(SIZE)]
    texts = {"ref.en": reference, "ref2.en": [swapped(s, 1, rng) for s in reference]}
    for name, times in (("good", 1), ("fair", 2), ("poor", 6)):
        texts[f"{name}.en"] = [swapped(s, times, rng) for s in reference]
    texts["poor.en"][4] = "x"
    for name, lines in texts.items():
        Path(name).write_text("".join(line + "\n" for line in lines))
    return texts


def rows(tsv):
    return list(csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE))


OWN = ("score", "--ref", "ref.en", "--resamples", 100)
TWO = ("--metric", "ribes", "--metric", "wer(lower=true,tokenize=13a)")


def test_bleu_as_sacrebleu_prints_it(run, files):
    """By default, with its signature, brevity penalty and precisions."""
    own = ("score", "--hyp", "raw.en", "--ref", "raw.ref", "--metric", "bleu", "--resamples", 5)
    Path("raw.en").write_text("Hello, World!\nIt's 3.5% of the (old) boats.\n")
    Path("raw.ref").write_text("Hello, world!\nIt's 3.5% of (the) old boats, we say.\n")
    scorer = BLEU()
    streams = [Path(name).read_text().splitlines() for name in ("raw.en", "raw.ref")]
    expected = scorer.corpus_score(streams[0], [streams[1]])
    code, out, _ = run(*own, "--verbose", "--out", "run")
    kept = json.loads(Path("run/run.json").read_text())
    [(name, signature)] = kept["sacrebleu"].items()
    assert code == 0
    assert name == "bleu(order=4,smooth=exp,tokenize=13a)"
    assert signature == str(scorer.get_signature())
    assert signature in out.replace("\n  ", " ")
    cells = kept["systems"][0]["scores"][name]
    found = [cells["value"], cells["brevity_penalty"], *cells["precisions"]]
    assert found == pytest.approx([expected.score, expected.bp, *expected.precisions])
    lengths = (cells["output_length"], cells["reference_length"])
    assert lengths == (expected.sys_len, expected.ref_len)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("私は猫が好きです。", "--metric wer --tokenize none", "split words with --tokenize char"),
        ("私は猫が好きです。", "--metric ter", "split words with ter(normalized=true,asian=true)"),
        ("私は猫が好きです。", "--metric ter(normalized=true,asian=true)", ""),
        ("私は猫が好きです。", "--metric wer", "use characters; published scores use MeCab's"),
        ("私は猫が好きです。", "--metric bleu(tokenize=zh)", ""),
        ("私は猫が好きです。", "--metric chrf", ""),
        ("저는 고양이를 좋아해요.", "--metric wer", "use the words of 13a; published scores"),
        ("ฉันชอบแมวและสุนัข", "--metric bleu", ""),
    ],
)
def test_notes_on_how_words_are_split(run, files, monkeypatch, text, options, message):
    """MeCab is not installed here."""
    monkeypatch.setattr(tokenization, "find_spec", lambda name: None)
    Path("text").write_text(f"{text}\n")
    own = ["score", "--resamples", 5, "--hyp", "text", "--ref", "text"]
    _, out, _ = run(*own, *options.split())
    assert message in out
    assert ("warning" in out or "published scores use" in out) == bool(message)


def test_others_are_compared_with_the_one_named(run, files):
    own = (*OWN, "--hyp", "fair.en", "--hyp", "good.en", "--hyp", "poor.en", *TWO)
    assert "over fair, second best" in " ".join(run(*own)[1].split())
    own = (*own, "--against", "fair")
    _, out, _ = run(*own, "--json")
    result = json.loads(out)
    fair, good, poor = (system["scores"] for system in result["systems"])
    # Better has a plus by either metric, though less of the error rate is better.
    for name in result["metrics"]:
        assert "p" not in fair[name]
        assert (good[name]["significance"], poor[name]["significance"]) == ("+**", "-**")
        difference = good[name]["value"] - fair[name]["value"]
        assert good[name]["difference"] == pytest.approx(difference)
        assert (difference > 0) == (name.startswith("ribes"))
    table = {row["system"]: row for row in rows(run(*own, "--tsv")[1])}
    expected = metric("wer").score(files["poor.en"], files["ref.en"]).corpus
    assert float(table["poor"]["wer(lower=true,tokenize=13a)"]) == pytest.approx(expected)
    assert table["fair"]["wer(lower=true,tokenize=13a) p"] == ""
    assert table["poor"]["wer(lower=true,tokenize=13a) significance"] == "-**"
    text = run(*own)[1]
    assert text.count(" **") >= 2
    assert "lower is better" in text


@pytest.mark.slow
def test_json_has_the_default_metrics_by_all_references(run, files):
    _, out, _ = run(*OWN, "--ref", "ref2.en", "--hyp", "fair.en", "--hyp", "good.en", "--json")
    result = json.loads(out)
    assert result["sentences"] == SIZE
    assert [r["file"] for r in result["references"]] == ["ref.en", "ref2.en"]
    fair, good = result["systems"]
    assert len(good["made_by"]["sha256"]) == 64
    assert list(fair["scores"]) == result["metrics"]
    names = [signature.partition("(")[0] for signature in result["metrics"]]
    assert {"bleu", "chrf", "ribes", "wer"} <= set(names)
    for name in result["metrics"]:
        expected = metric(name).score(files["good.en"], [files["ref.en"], files["ref2.en"]])
        assert good["scores"][name]["value"] == pytest.approx(expected.corpus)


def test_scores_of_sentences(run, files):
    code, _, _ = run(*OWN, "--hyp", "good.en", "--hyp", "poor.en", *TWO, "--out", "run")
    assert code == 0
    table = rows(Path("run/scores.tsv").read_text())
    assert len(table) == 2 * SIZE
    expected = metric("ribes").score(files["poor.en"], files["ref.en"]).sentence
    assert [row["system"] for row in table[::SIZE]] == ["good", "poor"]
    assert [row["output"] for row in table[SIZE:]] == files["poor.en"]
    found = [float(row["ribes(alpha=0.25,beta=0.1,tokenize=13a)"]) for row in table[SIZE:]]
    assert found == pytest.approx(expected)


def test_tokenize_and_lower_are_for_metrics_that_do_not_say_it(run, files):
    Path("hyp.ja").write_text("犬が走る ABC\n")
    Path("ref.ja").write_text("走る犬が abc\n")
    options = ["--tokenize", "char", "--lower", "--metric", "wer", "--metric", "per(lower=false)"]
    _, out, _ = run("score", "--hyp", "hyp.ja", "--ref", "ref.ja", *options, "--json")
    assert json.loads(out)["metrics"] == ["wer(lower=true,tokenize=char)", "per(tokenize=char)"]
    code, _, err = run("score", "--hyp", "hyp.ja", "--ref", "ref.ja", "--tokenize", "words")
    assert code == 2
    assert "tokenize 'words'; known: 13a, auto, char, intl" in err


def test_normal_forms_of_unicode_are_told_apart(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "Él café está aquí .\n"
    Path("ref").write_text(text)
    for form in ("NFC", "NFD"):
        Path("hyp").write_text(unicodedata.normalize(form, text))
        code, out, _ = run("score", "--hyp", "hyp", "--ref", "ref", "--metric", "wer")
        assert (code, "warning: hyp is in NFD" in out) == (0, form == "NFD")
