"""Metrics of `preorder-eval score` that need alignments or tags beside the texts."""

import csv
import io
import json
from pathlib import Path

import pytest
from score_files import (
    BOTH,
    HYP_TAGS,
    LINKS,
    LR,
    OWN,
    REF_TAGS,
    TEXT,
    TEXTS,
    expected_lrscore,
    links,
    values,
    write_files,
)

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.tags import phrase_categories
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.results.scoring import score


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()


@pytest.mark.parametrize(
    ("written", "signature"),
    [
        ("lrscore(distance=kendall,ngram=4)", "lrscore(distance=kendall,ngram=4,alpha=0.5)"),
        ("LR-HB1", "lrscore(distance=hamming,ngram=1,alpha=0.5)"),
        ("LR-HB4", "lrscore(distance=hamming,ngram=4,alpha=0.5)"),
        ("LR-KB1(alpha=0.2)", "lrscore(distance=kendall,ngram=1,alpha=0.2)"),
        ("LR-KB4", "lrscore(distance=kendall,ngram=4,alpha=0.5)"),
    ],
)
def test_lrscore_and_its_variants(run, written, signature):
    code, out, err = run(*BOTH, *LINKS, "--metric", written, "--metric", "wer", "--json")
    assert (code, err) == (0, "")
    for system in ("good", "poor"):
        found = values(out, system)
        expected = expected_lrscore(signature, system).corpus
        assert found[signature] == pytest.approx(expected)
        assert "wer" in found
    assert values(out, "good")[signature] > values(out, "poor")[signature]
    inputs = json.loads(out)["inputs"]
    assert [given["file"] for given in inputs["hyp_alignment"]] == ["good.align", "poor.align"]
    assert len(inputs["source"][0]["sha256"]) == 64


def test_tables_and_sentence_scores(run):
    _, out, _ = run(*BOTH, *LINKS, *LR, "--sentence", "s.tsv", "--tsv")
    good, poor = csv.DictReader(io.StringIO(out), delimiter="\t")
    signature = str(metric("lrscore"))
    assert float(poor[f"{signature} difference"]) < 0
    assert 0 <= float(poor[f"{signature} p"]) <= 1
    assert float(good[f"{signature} low"]) <= float(good[signature])
    rows = csv.DictReader(io.StringIO(Path("s.tsv").read_text()), delimiter="\t")
    found = [float(row[signature]) for row in rows]
    expected = [*expected_lrscore("lrscore", "good").sentence]
    expected += [*expected_lrscore("lrscore", "poor").sentence]
    assert found == pytest.approx(expected)
    _, out, _ = run(*BOTH, *LINKS, *LR)
    assert out.splitlines()[1].startswith(signature)


def test_alignments_in_another_format(run):
    _, expected, _ = run(*BOTH, *LINKS, *LR, "--tsv")
    talbot = ["1 1 1", "1 3 2", "1 2 3", "2 1 1", "2 2 2"]
    Path("good.align").write_text("".join(line + "\n" for line in talbot))
    code, out, err = run(*BOTH, *LINKS, *LR, "--tsv")
    assert (code, err) == (0, "")
    assert out == expected


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
    assert "everything would fit with base 1" in err
    numbering = ("--base", 1, "--direction", "target-source")
    code, out, err = run(*BOTH, *LINKS, *LR, *numbering, "--tsv")
    assert (code, err) == (0, "")
    assert out == expected


def test_lower_goes_to_lrscore_and_tokenize_is_refused(run):
    _, out, _ = run(*BOTH, *LINKS, *LR, "--lower", "--json")
    assert json.loads(out)["metrics"] == ["lrscore(distance=kendall,ngram=4,alpha=0.5,lower=true)"]
    code, _, err = run(*BOTH, *LINKS, *LR, "--tokenize", "char")
    assert code == 2
    assert "metric lrscore: tokenize=char would split words that are aligned" in err


def test_the_lepor_family_with_tag_files(run):
    names = ["lepor(mix=1:1)", "hlepor(mix=1:9)", "nlepor(mix=1:9)", "hlepor"]
    chosen = [word for name in names for word in ("--metric", name)]
    code, out, err = run(*BOTH, *HYP_TAGS, *REF_TAGS, *chosen, "--json")
    assert (code, err) == (0, "")
    references = [TEXTS["ref.en"], TEXTS["ref2.en"]]
    for system in ("good", "poor"):
        tags = (TEXTS[f"{system}.pos"], [TEXTS["ref.pos"], TEXTS["ref2.pos"]])
        for name in names:
            mixed = {"tags": tags} if "mix" in name else {}
            expected = metric(name).score(TEXTS[f"{system}.en"], references, **mixed)
            assert values(out, system)[expected.metric] == pytest.approx(expected.corpus)


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
    _, expected, _ = run(*OWN, "--hyp-tags", "good.pos", "--ref-tags", "ref.pos", "--tsv")
    code, out, err = run(*OWN, "--tagger", "own.conllu", "--tsv")
    assert (code, err) == (0, "")
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
    assert err == "preorder-eval: tagger own.conllu gives no part-of-speech tags\n"


def test_the_bundled_tagger(run, parser):
    code, out, err = run(*OWN, "--tagger", "en-web", "--json")
    assert (code, err) == (0, "")
    tags = []
    for side in ("good.en", "ref.en"):
        trees = iter(parser.parse([line.split() for line in TEXTS[side] if line]))
        tags.append([" ".join(next(trees).upos) if line else "" for line in TEXTS[side]])
    expected = metric("hlepor(mix=1:9)").score(TEXTS["good.en"], TEXTS["ref.en"], tags=tuple(tags))
    assert values(out, "good")[expected.metric] == pytest.approx(expected.corpus)


def test_estimates_need_no_reference(run):
    names = ["ebleu(weights=1:1)", "hppr(precision=1,recall=1)"]
    chosen = [word for name in names for word in ("--metric", name)]
    code, out, err = run(*TEXT, *chosen, "--source-tags", "src.pos", *HYP_TAGS, "--json")
    assert (code, err) == (0, "")
    assert "references" not in json.loads(out)
    assert json.loads(out)["sentences"] == 3
    for system in ("good", "poor"):
        for name in names:
            expected = metric(name).score(TEXTS[f"{system}.pos"], TEXTS["src.pos"])
            assert values(out, system)[expected.metric] == pytest.approx(expected.corpus)
    _, out, _ = run(*TEXT, *chosen, "--source-tags", "src.pos", *HYP_TAGS)
    assert "\n3 sentences, 0 references\n" in out


def test_links_of_the_reference_with_the_output(run):
    direct = [
        part for name in ("good", "poor") for part in ("--hyp-ref-alignment", f"{name}.direct")
    ]
    Path("good.direct").write_text("0-0 1-1 2-2\n0-0 1-1\n\n")
    Path("poor.direct").write_text("0-1 1-2 2-0\n0-1 1-0\n\n")
    chosen = "lrscore(distance=kendall,alpha=1,links=direct)"
    one = (*TEXT, "--ref", "ref.en", "--metric", chosen, *direct)
    code, out, err = run(*one, "--out", "run", "--json")
    assert (code, err) == (0, "")
    links = Alignments.of([[(0, 1), (1, 2), (2, 0)], [(0, 1), (1, 0)], []])
    expected = metric(chosen).score(TEXTS["poor.en"], TEXTS["ref.en"], alignments=(links, ()))
    assert values(out, "poor")[expected.metric] == pytest.approx(expected.corpus)
    assert run("compare", "run")[0] == 0
    code, _, err = run(*one[:-2], "--tokenize", "char")
    assert code == 2
    code, _, err = run(*TEXT, "--ref", "ref.en", "--metric", chosen)
    assert "needs --hyp-ref-alignment" in err


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
    files = ("--hyp-tags", "good.trees", "--hyp-tags", "poor.trees", "--source-tags", "src.trees")
    code, out, err = run(*TEXT, "--metric", "hppr", "--metric", "ebleu", *files, "--json")
    assert (code, err) == (0, "")
    for system in ("good", "poor"):
        for number, name in enumerate(("ebleu", "hppr")):
            sides = [[line[number] for line in tags[side]] for side in (system, "src")]
            assert values(out, system)[str(metric(name))] == metric(name).score(*sides).corpus
    mapped = ("--map-tags", "english-penn", "--out", "run")
    code, out, err = run(*TEXT, "--metric", "ebleu", *files, *mapped)
    assert (code, err) == (0, "")
    assert Path("run/inputs/hyp_tags.1.txt").read_text().splitlines()[0] == (
        "(NP (DET _)) (NP (NOUN _)) (VP (VERB _))"
    )
    assert run("compare", "run", "--system", "good", "--system", "poor")[0] == 0


def test_estimates_from_text_with_parsers(run, parser):
    """Source and outputs are both English here: the bundled parser reads both."""
    Path("src.en").write_text("he reads books\ndogs run\n\n")
    own = ("--source", "src.en", "--source-tagger", "en-web", "--tagger", "en-web")
    code, out, err = run(*TEXT, "--metric", "hppr", "--metric", "ebleu", *own, "--json")
    assert (code, err) == (0, "")
    sides = []
    for lines in (TEXTS["good.en"], ["he reads books", "dogs run", ""]):
        trees = parser.parse([line.split() for line in lines if line])
        sides.append([(" ".join(tree.upos), " ".join(phrase_categories(tree))) for tree in trees])
    for number, name in enumerate(("ebleu", "hppr")):
        texts = [[*(line[number] for line in side), ""] for side in sides]
        found = values(out, "good")[str(metric(name))]
        assert found == pytest.approx(metric(name).score(*texts).corpus)
    universal = ("--map-tags", "ud", "--map-source-tags", "ud", "--tsv")
    assert run(*TEXT, "--metric", "ebleu", *own, *universal)[0] == 0


def test_settings_for_words_do_not_touch_tags(run):
    wanted = ("--metric", "ebleu", "--metric", "wer", "--tokenize", "char", "--lower")
    _, out, _ = run(*BOTH, *wanted, "--source-tags", "src.pos", *HYP_TAGS, "--json")
    ebleu, wer = json.loads(out)["metrics"]
    assert ebleu == "ebleu(alpha=9.0,beta=1.0,weights=1:1:1:1,smooth=add-k)"
    assert wer == "wer(tokenize=char,lower=true)"


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
