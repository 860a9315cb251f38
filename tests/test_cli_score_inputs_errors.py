"""What `preorder-eval score` says where alignments or tags are missing or do not fit."""

from pathlib import Path

import pytest
from score_files import (
    BOTH,
    HYP_LINKS,
    HYP_TAGS,
    LINKS,
    LR,
    MIX,
    OWN,
    REF_LINKS,
    REF_TAGS,
    TEXT,
    write_files,
)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*BOTH, *LR), "needs --source and --hyp-alignment and --ref-alignment"),
        ((*BOTH, *LR, *HYP_LINKS, *REF_LINKS), "alpha=0.5) needs --source"),
        ((*TEXT, *LR, "--source", "src.ja", *HYP_LINKS), "needs --ref and --ref-alignment"),
        ((*TEXT, "--metric", "wer"), "metric wer needs --ref"),
        ((*BOTH, *MIX), "needs --hyp-tags and --ref-tags, or --tagger"),
        ((*BOTH, "--metric", "ebleu"), "needs --source-tags and --hyp-tags"),
        ((*BOTH, "--metric", "hppr", "--source-tags", "src.pos"), "needs --hyp-tags"),
        (
            (*BOTH, "--metric", "ebleu", *MIX, "--source-tags", "src.pos", "--tagger", "en-web"),
            "metric ebleu(alpha=9.0,beta=1.0,weights=1:1:1:1) needs --hyp-tags",
        ),
        ((*BOTH, *MIX, *HYP_TAGS, "--tagger", "en-web"), "choose one of --tagger and --hyp-tags"),
        ((*BOTH, "--metric", "hlepor", "--tagger", "en-web"), "--tagger: no metric counts words"),
        (
            (*OWN, "--tagger", "en-web", "--tokenize", "char"),
            "--tagger tags the words between spaces; leave out tokenize",
        ),
        ((*OWN, "--tagger", "en-wbe"), "unknown parser 'en-wbe' (did you mean 'en-web'?)"),
        ((*BOTH, "--metric", "hlepor", *HYP_TAGS), "--hyp-tags: none of the metrics needs it"),
        ((*BOTH, "--metric", "wer", *LINKS), "--source: none of the metrics needs it"),
        (
            (*BOTH, "--metric", "ebleu", "--source-tags", "src.pos", *HYP_TAGS),
            "--ref: none of the metrics needs it",
        ),
        (
            (*BOTH, *LR, "--source", "src.ja", *HYP_LINKS[:2], *REF_LINKS),
            "1 --hyp-alignment, but 2 --hyp; give one for each, in the same order",
        ),
        (
            (*BOTH, *LR, "--source", "src.ja", *HYP_LINKS, *REF_LINKS, *REF_LINKS[:2]),
            "3 --ref-alignment, but 2 --ref; give one for each, in the same order",
        ),
        ((*BOTH, *LR, *LINKS, "--out", "run"), "--out: a run folder does not keep --source"),
        ((*BOTH, *MIX, *HYP_TAGS, *REF_TAGS, "--out", "run"), "does not keep --hyp-tags"),
        (
            (*BOTH, *LR, "--source", "none.ja", *HYP_LINKS, *REF_LINKS),
            "none.ja: cannot be read: No such file or directory",
        ),
        (
            (*BOTH, *LR, "--source", "short", *HYP_LINKS, *REF_LINKS),
            "short:2: 1 sentences, but good.en has 3 sentences; both must",
        ),
        (
            (*BOTH, *LR, "--source", "src.ja", *HYP_LINKS[:2], "--hyp-alignment", "no", *REF_LINKS),
            "no: cannot be read: No such file or directory",
        ),
        (
            (*OWN[:-2], *LR, "--source", "src.ja", "--hyp-alignment", "far", *REF_LINKS[:2]),
            "far:2: link 0-5: target position 5, but the target sentence has 2 tokens",
        ),
        (
            (*OWN[:-2], *LR, "--source", "src.ja", "--hyp-alignment", "one", *REF_LINKS[:2]),
            "one:2: 1 lines of links, but the source has 3 sentences",
        ),
        (
            (*OWN, "--hyp-tags", "ref.pos", "--ref-tags", "ref.pos"),
            "ref.pos:2: 3 tags, but the sentence of good.en has 2 words (tokenize=none); there",
        ),
        (
            (*OWN, "--hyp-tags", "good.pos", "--ref-tags", "good.pos"),
            "good.pos:2: 2 tags, but the sentence of ref.en has 3 words",
        ),
        (
            (*OWN, "--hyp-tags", "short", "--ref-tags", "ref.pos"),
            "short:2: 1 sentences, but good.en has 3 sentences",
        ),
        ((*BOTH, "--metric", "LR-HB2"), "unknown variant of lrscore 'LR-HB2' (did you mean 'LR-HB"),
        ((*BOTH, "--metric", "LR-HB1(ngram=4)"), "'ngram=4' is not one key=value"),
    ],
)
def test_bad_input_is_one_line(run, arguments, message):
    Path("short").write_text("a\n")
    Path("one").write_text("0-0\n")
    Path("far").write_text("0-0\n0-5\n\n")
    before = set(Path().iterdir())
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("preorder-eval: ")
    assert message in err
    assert err.count("\n") == 1
    assert set(Path().iterdir()) == before


@pytest.mark.parametrize(
    ("signature", "options"),
    [
        ("ebleu", "--source-tags and --hyp-tags"),
        ("hlepor(mix=1:9)", "--hyp-tags and --ref-tags"),
        ("LR-HB1", "--source and --hyp-alignment and --ref-alignment"),
    ],
)
def test_compare_does_not_score_what_a_run_folder_does_not_keep(run, signature, options):
    assert run(*BOTH, "--metric", "wer", "--out", "runs")[0] == 0
    code, _, err = run("compare", "runs", "--metric", signature)
    assert code == 2
    assert f"needs {options}, which a run folder does not keep" in err
