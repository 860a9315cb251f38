"""Metrics of `preorder-eval score` that need alignments or tags, and orders beside outputs."""

import json
from pathlib import Path

import pytest
from score_files import (
    BOTH,
    HYP_LINKS,
    HYP_TAGS,
    LINKS,
    LR,
    OWN,
    REF_LINKS,
    TEXT,
    TEXTS,
    expected_lrscore,
    inputs,
    links,
    values,
    write_files,
)

from preorder_eval.base.errors import InputWarning, PreorderEvalError
from preorder_eval.evaluation.score import score
from preorder_eval.metrics import metric
from preorder_eval.orders.alignments import Alignments

FEW = "preorder-eval: warning: only 3 sentences: no 95% intervals (at least 6 are needed)\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()


def test_alignments_that_count_from_one_target_first(run):
    _, expected, _ = run(*BOTH, *LINKS, *LR, "--tsv")
    for name in ("ref", "ref2", "good", "poor"):
        lines = [
            " ".join(f"{target + 1}-{source + 1}" for source, target in sentence)
            for sentence in links(f"{name}.align")
        ]
        Path(f"{name}.align").write_text("".join(line + "\n" for line in lines))
    code, _, err = run(*BOTH, *LINKS, *LR)
    assert code == 2
    assert "all links would fit with base 1" in err
    numbering = "alignment(base=1,direction=target-source)="
    own = [str(part).replace("alignment=", numbering) for part in LINKS]
    code, out, err = run(*BOTH, *own, *LR, "--tsv")
    assert (code, err) == (0, FEW)
    assert out == expected


def test_lower_goes_to_lrscore_and_tokenize_is_refused(run):
    _, out, _ = run(*BOTH, *LINKS, *LR, "--lower", "--json")
    expected = "lrscore(distance=kendall,ngram=4,alpha=0.5,tokenize=none,lower=true)"
    assert json.loads(out)["metrics"] == [expected]
    code, _, err = run(*BOTH, *LINKS, *LR, "--tokenize", "char")
    assert code == 2
    assert "metric lrscore: tokenize=char would split words that are aligned" in err


def conllu(sentences, tags):
    blocks = []
    for words, line in zip(sentences, tags, strict=True):
        rows = zip(words.split(), line.split(), strict=True)
        columns = (
            f"{i}\t{word}\t_\t{tag}\t_\t_\t{int(i > 1)}\t{'dep' if i > 1 else 'root'}\t_\t_\n"
            for i, (word, tag) in enumerate(rows, 1)
        )
        blocks.append("".join(columns))
    return "\n".join(block for block in blocks if block) + "\n"


def one_text(tags):
    """A CoNLL-U file of all words of both sides."""
    pairs = [(text, tag) for side in ("good", "ref") for text, tag in zip(*tags[side], strict=True)]
    return conllu(*zip(*[pair for pair in pairs if pair[0]], strict=True))


def test_a_tagger_gives_what_tag_files_would(run):
    sides = {side: (TEXTS[f"{side}.en"], TEXTS[f"{side}.pos"]) for side in ("good", "ref")}
    Path("own.conllu").write_text(one_text(sides))
    _, expected, _ = run(*OWN, *inputs("hyp_tags=good.pos", "ref_tags=ref.pos"), "--tsv")
    code, out, err = run(*OWN, "--tagger", "own.conllu", "--tsv")
    assert (code, err) == (0, FEW)
    assert out == expected
    _, out, _ = run(*OWN, "--tagger", "own.conllu", "--json")
    assert json.loads(out)["inputs"]["tagger"]["name"] == "own"


def test_a_tagger_without_tags_is_refused(run):
    nothing = {
        side: (TEXTS[f"{side}.en"], [" ".join("_" * len(s.split())) for s in TEXTS[f"{side}.en"]])
        for side in ("good", "ref")
    }
    Path("own.conllu").write_text(one_text(nothing))
    code, _, err = run(*OWN, "--tagger", "own.conllu")
    assert code == 2
    assert err == "preorder-eval: tagger own.conllu assigns no part-of-speech tags\n"


def test_of_trees_hppr_takes_phrases_and_ebleu_parts_of_speech(run):
    trees = {
        "src": ["(S (NP (D a) (N b)) (VP (V c)))", "(S (VP (V a)))", ""],
        "good": ["(S (NP (DT a) (NN b)) (VP (VBZ c)))", "(S (NP (NN a)))", ""],
        "poor": ["(S (VP (VB c) (NP (NN b))))", "(S (VP (VB a)))", "(X (UH no))"],
    }
    tags = {
        "src": [("D N V", "NP NP VP"), ("V", "VP"), ("", "")],
        "good": [("DT NN VBZ", "NP NP VP"), ("NN", "NP"), ("", "")],
        "poor": [("VB NN", "VP NP"), ("VB", "VP"), ("UH", "X")],
    }
    for name, lines in trees.items():
        Path(f"{name}.trees").write_text("".join(line + "\n" for line in lines))
    files = inputs("hyp_tags=good.trees", "hyp_tags=poor.trees", "source_tags=src.trees")
    code, out, err = run(*TEXT, "--metric", "hppr", "--metric", "ebleu", *files, "--json")
    assert (code, err) == (0, "")
    for system in ("good", "poor"):
        for number, name in enumerate(("ebleu", "hppr")):
            sides = [[line[number] for line in tags[side]] for side in (system, "src")]
            assert values(out, system)[str(metric(name))] == metric(name).score(*sides).corpus
    mapped = [part.replace("hyp_tags=", "hyp_tags(map=english-penn)=") for part in files]
    code, out, err = run(*TEXT, "--metric", "ebleu", *mapped, "--out", "run")
    assert (code, err) == (0, "")
    assert Path("run/inputs/hyp_tags.1.txt").read_text().splitlines()[0] == (
        "(NP (DET _)) (NP (NOUN _)) (VP (VERB _))"
    )
    assert run("compare", "run", "--system", "good", "--system", "poor")[0] == 0


def test_tags_by_a_parser_are_universal_beside_mapped_ones(run):
    """The parser's AUX is a VERB among universal tags, as Penn's MD."""
    Path("src.penn").write_text("PRP MD VB\nNN VBP\n\n")
    Path("own.conllu").write_text(conllu(["he can read", "dogs run"], ["PRON AUX VERB", "NOUN X"]))
    Path("out.en").write_text("he can read\ndogs run\n\n")
    own = ("score", "--hyp", "out.en", "--metric", "ebleu", "--tagger", "own.conllu", "--json")
    mapped = run(*own, "--input", "source_tags(map=english-penn)=src.penn")
    plain = run(*own, "--input", "source_tags=src.penn")
    expected = metric("ebleu").score(
        ["PRON VERB VERB", "NOUN X", ""], ["PRON VERB VERB", "NOUN VERB", ""]
    )
    assert values(mapped[1], "out")[str(metric("ebleu"))] == pytest.approx(expected.corpus)
    assert values(plain[1], "out")[str(metric("ebleu"))] > expected.corpus


def test_from_python():
    swapped, straight = Alignments.of([[(0, 1), (1, 0)]]), Alignments.of([[(0, 0), (1, 1)]])
    links = {"source": [["x", "y"]], "hyp_alignment": [straight], "ref_alignment": [swapped]}
    result = score(["a b"], ["b a"], ["LR-KB1", "kendall"], resamples=10, **links)
    assert [result.value("output", m) for m in (0, 1)] == [0.5, 0]
    assert result.sentence_scores("output").tolist() == [0.5]
    with pytest.raises(PreorderEvalError, match=r"needs source and hyp_alignment and ref_al.*t$"):
        score(["a b"], ["b a"], ["LR-KB1"])
    with pytest.raises(PreorderEvalError, match=r"metric kendall needs ref_alignment$"):
        score(["a b"], ["b a"], ["kendall"], source=[["x", "y"]], hyp_alignment=[straight])
    with pytest.raises(PreorderEvalError, match=r"metric wer needs ref$"):
        score(["a b"], [], ["wer"])
    with pytest.raises(PreorderEvalError, match="output, hyp_tags: 2 sentences, but reference 1 "):
        score(["a b"], ["b a"], ["wer"], hyp_tags=[["x", "y"]])


# Orders and outputs in one table, and all they need in one folder.


def test_orders_and_outputs_stand_in_one_table(run):
    """The orders are those of the links; the sentence without links has none."""
    own = ("--ref", "ref.en", "--source", "src.ja", *HYP_LINKS, *REF_LINKS[:2])
    chosen = ("--metric", "fuzzy", "--metric", "kendall", "--metric", "bleu", *LR)
    code, out, err = run(*TEXT, *own, *chosen, "--json")
    assert (code, err) == (0, "")
    summary = json.loads(out)
    assert summary["left_out"] == {"no links": [3]}
    assert summary["sentences"] == 3
    orders = {"good": [[0, 2, 1], [0, 1], []], "poor": [[1, 0, 2], [1, 0], []]}
    reference = [[[0], [2], [1]], [[0], [1]], []]
    for system in ("good", "poor"):
        found = values(out, system)
        for name in ("fuzzy(match=word)", "kendall"):
            expected = metric(name).score(orders[system], reference).corpus
            assert found[name] == pytest.approx(expected)
        with pytest.warns(InputWarning, match="no output has 4 words"):
            bleu = metric("bleu(tokenize=13a)").score(TEXTS[f"{system}.en"], TEXTS["ref.en"])
        assert found[bleu.metric] == pytest.approx(bleu.corpus)
    assert "without links" in run(*TEXT, *own, *chosen)[1]


def test_the_closest_of_several_references_counts_for_orders_too(run):
    code, out, err = run(*BOTH, *LINKS, "--metric", "fuzzy", "--metric", "kendall", "--json")
    assert (code, err) == (0, "")
    # Poor has the first sentence in the order of the second reference.
    for name, worst in (("fuzzy(match=word)", 0.0), ("kendall", 0.0)):
        assert values(out, "good")[name] == 1
        assert values(out, "poor")[name] == pytest.approx((1 + worst) / 2)


def test_links_that_are_learned_do_not_depend_on_what_else_is_scored(run):
    ibm1 = ("--source", "src.ja", "--align", "ibm1(force=true)", "--json")
    alone = run("score", "--hyp", "poor.en", "--ref", "ref.en", *ibm1, "--metric", "fuzzy")[1]
    beside = run(*TEXT, "--ref", "ref.en", *ibm1, *LR, "--metric", "fuzzy", "--metric", "wer")[1]
    [name] = json.loads(alone)["metrics"]
    assert values(beside, "poor")[name] == values(alone, "poor")[name]
    other = ("--metric", "lrscore(tokenize=char)", "--metric", "fuzzy")
    code, _, err = run(*TEXT, "--ref", "ref.en", *ibm1, *other)
    assert code == 2
    assert "metric lrscore: tokenize=char, but words are aligned with 13a; omit it" in err


def test_compare_makes_other_metrics_of_what_was_kept(run):
    assert run(*BOTH, *LINKS, *LR, "--out", "run")[0] == 0
    code, out, err = run("compare", "run", "--metric", "LR-HB1", "--metric", "ribes", "--json")
    assert (code, err) == (0, "")
    hamming, ribes = json.loads(out)["metrics"]
    for place, system in (("first", "good"), ("second", "poor")):
        expected = expected_lrscore("LR-HB1", system).corpus
        assert hamming[place] == pytest.approx(expected)
        references = [TEXTS["ref.en"], TEXTS["ref2.en"]]
        expected = metric("ribes").score(TEXTS[f"{system}.en"], references).corpus
        assert ribes[place] == pytest.approx(expected)


# What is missing or does not fit; test_reading_refusals.py has more.

POS = ("--metric", "ebleu", *HYP_TAGS, "--input", "source_tags=src.pos")
OF_LINKS = (*OWN[:-2], *LR, "--source", "src.ja", *REF_LINKS[:2], "--input")
INPUT = (*BOTH, "--metric", "wer", "--input")
MAPPED = POS[:-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (*TEXT, *MAPPED, "source_tags(map=french)=src.pos"),
            "src.pos:1: unknown phrase tag of french 'PRON'",
        ),
        ((*TEXT, *POS[:-1], "source_tags=one"), "one:2: 1 sentence, but good.en has 3"),
        ((*TEXT, *POS[:-1], "source_tags=trees"), "trees:2: 1 brackets of a tree are not closed"),
        ((*BOTH, "--metric", "LR-HB1(ngram=4)"), "LR-HB1 has ngram=1"),
        ((*INPUT, "x"), "--input 'x' is not NAME=FILE"),
        ((*INPUT, "hyp=short"), "--input hyp=short: give it as --hyp"),
        ((*INPUT, "hyp_scores_X=short"), "--input hyp_scores_X=short: give it as --scores X=FILE"),
        (
            (*INPUT, "hyp_tag=short"),
            "unknown input 'hyp_tag' (did you mean 'hyp_tags'?); known: hyp_alignment, hyp_tags, r",
        ),
        ((*TEXT, *MAPPED, "source_tags(maps=ud)=src.pos"), "unknown setting of source_tags 'maps'"),
        ((*OF_LINKS, "hyp_alignment(base=2)=one"), "unknown base of hyp_alignment '2'"),
        (
            (*TEXT, *POS, "--input", "hyp_tags(map=ud)=good.pos"),
            "--input hyp_tags(map=ud)=good.pos: hyp_tags was given other settings before",
        ),
        (
            (*OWN, "--tagger", "en-web", "--tagger", "x"),
            "--tagger x: --tagger en-web is given, too",
        ),
        (
            ("score", "--hyp", "he reads", "--ref", "ref.en"),
            "he reads: no such file; if it is text",
        ),
        (("score", "--hyp", "good.en", "--ref", "he reads"), "<(echo TEXT)"),
    ],
)
def test_bad_input_is_one_line(run, arguments, message):
    Path("short").write_text("a\n")
    Path("one").write_text("0-0\n")
    Path("trees").write_text("(S (NP (N a)))\n(S (NP (N a))\n\n")
    before = set(Path().iterdir())
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("preorder-eval: ")
    assert message in err
    assert err.count("\n") == 1
    assert set(Path().iterdir()) == before
