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
    TEXT,
    write_files,
)

POS = ("--source-tags", "src.pos")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*BOTH, *LR), "needs --source and --hyp-alignment and --ref-alignment"),
        ((*BOTH, *LR, *HYP_LINKS, *REF_LINKS), "metric lrscore needs --source\n"),
        ((*BOTH, "--metric", "LR-HB1", *LINKS[:2]), "ngram=1,alpha=0.5) needs --hyp-alignment and"),
        ((*BOTH, *LR, *LINKS, "--align", "ibm1"), "choose one of --align and --hyp-alignment"),
        ((*BOTH, *LR, "--align", "ibm1"), "metric lrscore needs --source\n"),
        ((*BOTH, *LR, *LINKS, "--source-tokenize", "char"), "--source-tokenize goes with --align"),
        (
            (*BOTH, "--metric", "wer", "--source", "src.ja", "--align", "ibm1"),
            "--source: none of the metrics needs it",
        ),
        ((*BOTH, "--metric", "wer", "--align", "ibm1"), "--align: none of the metrics needs it"),
        ((*BOTH, *LR, "--source", "src.ja", "--align", "ibm2"), "unknown aligner 'ibm2'"),
        ((*TEXT, "--metric", "fuzzy", *LINKS), "metric fuzzy needs --ref\n"),
        ((*TEXT, "--metric", "fuzzy", *LINKS[:-4]), "fuzzy needs --ref and --ref-alignment; or"),
        ((*TEXT, "--metric", "fuzzy", *HYP_LINKS), "needs --source and --ref and --ref-alignment"),
        ((*TEXT, *LR, "--source", "src.ja", *HYP_LINKS), "needs --ref and --ref-alignment"),
        ((*TEXT, "--metric", "wer"), "metric wer needs --ref"),
        ((*BOTH, *MIX), "needs --hyp-tags and --ref-tags, or --tagger"),
        ((*BOTH, "--metric", "ebleu"), "needs --source-tags and --hyp-tags"),
        ((*BOTH, "--metric", "hppr", "--source-tags", "src.pos"), "needs --hyp-tags"),
        (
            (*TEXT, "--metric", "ebleu", *HYP_TAGS, *POS, "--map-tags", "x"),
            "unknown map of tags 'x'",
        ),
        (
            (*TEXT, "--metric", "ebleu", *HYP_TAGS, "--source-tags", "one", "--map-tags", "ud"),
            "one:2: 1 sentence, but good.en has 3",
        ),
        (
            (*TEXT, "--metric", "hppr", *HYP_TAGS, "--source-tags", "trees"),
            "trees:2: 1 brackets of a tree are not closed",
        ),
        (
            (*TEXT, "--metric", "hppr", *HYP_TAGS, *POS, "--map-tags", "french"),
            "good.pos:1: unknown phrase tag of french 'PRON'",
        ),
        ((*BOTH, *MIX, *HYP_TAGS, "--tagger", "en-web"), "choose one of --tagger and --hyp-tags"),
        (
            (*BOTH, "--metric", "hlepor", "--tagger", "en-web"),
            "--tagger: none of the metrics needs it",
        ),
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
        (
            (*BOTH, *LR, "--source", "none.ja", *HYP_LINKS, *REF_LINKS),
            "none.ja: cannot be read: No such file or directory",
        ),
        (
            (*BOTH, *LR, "--source", "short", *HYP_LINKS, *REF_LINKS),
            "short:2: 1 sentence, but good.en has 3 sentences; both must",
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
            "one:2: 1 line of links, but the source has 3 sentences",
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
            "short:2: 1 sentence, but good.en has 3 sentences",
        ),
        ((*BOTH, "--metric", "LR-HB2"), "unknown variant of lrscore 'LR-HB2' (did you mean 'LR-HB"),
        ((*BOTH, "--metric", "LR-HB1(ngram=4)"), "'ngram=4' is not one key=value"),
        ((*BOTH, "--metric", "wer", "--input", "x"), "--input 'x' is not NAME=FILE"),
        ((*BOTH, "--metric", "wer", "--input", "=x"), "--input '=x' is not NAME=FILE"),
        ((*BOTH, "--metric", "wer", "--input", "hyp=short"), "--input hyp=short: give it as --hyp"),
        (
            (*BOTH, "--metric", "ebleu", "--input", "source_tags=src.pos"),
            "--input source_tags=src.pos: give it as --source-tags",
        ),
        (
            (*BOTH, "--metric", "wer", "--input", "hyp_x=short"),
            "--input hyp_x=FILE: none of the metrics needs it",
        ),
        ((*BOTH, "--metric", "wer", "--input", "orders=short"), "orders=FILE: none of the metrics"),
    ],
)
def test_bad_input_is_one_line(run, arguments, message):
    Path("short").write_text("a\n")
    Path("one").write_text("0-0\n")
    Path("trees").write_text("(S (NP (N a)))\n(S (NP (N a))\n\n")
    Path("far").write_text("0-0\n0-5\n\n")
    before = set(Path().iterdir())
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("preorder-eval: ")
    assert message in err
    assert err.count("\n") == 1
    assert set(Path().iterdir()) == before


@pytest.mark.parametrize(
    ("signature", "needed"),
    [
        ("ebleu", "source_tags and hyp_tags"),
        ("hlepor(mix=1:9)", "hyp_tags and ref_tags"),
        ("LR-HB1", "source and hyp_alignment and ref_alignment"),
    ],
)
def test_compare_says_what_a_run_folder_does_not_hold(run, signature, needed):
    assert run(*BOTH, "--metric", "wer", "--out", "runs")[0] == 0
    code, out, err = run("compare", "runs", "--metric", signature)
    assert (code, out) == (2, "")
    assert err.startswith("preorder-eval: metric ")
    assert err.endswith(f" needs {needed}, which runs does not hold; score with it first\n")
