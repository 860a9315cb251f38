"""Sentences without a reference, and those with fewer references than others."""

import random
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from score_files import OF_OUTPUTS

import preorder_eval as pe
from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.orders.alignments import Alignments

RNG = random.Random(3)
HYP, FIRST, SECOND, THIRD = (
    [" ".join(RNG.choices("abcdefg", k=RNG.randint(1, 9))) for _ in range(12)] for _ in range(4)
)
# What some sentences have: the first alone, the last alone, the first two, all.
GAPS = [(1, 2), (0, 1), (2,), ()]
REFERENCES = [
    ["" if n in GAPS[s % 4] else text for s, text in enumerate(stream)]
    for n, stream in enumerate((FIRST, SECOND, THIRD))
]
OTHERS = ["modifier(kind=bp)", "hlepor", "chrf"]


@pytest.mark.filterwarnings("ignore:BLEU:preorder_eval.base.errors.InputWarning")
@pytest.mark.parametrize("name", [*(n for n in OF_OUTPUTS if n != "nist"), *OTHERS])
def test_an_empty_reference_beside_another_is_none(name):
    """Each sentence has the score that it has alone with the references that it has."""
    try:
        by = metric(name, **({} if "tokenize" not in str(metric(name)) else {"tokenize": "none"}))
    except PreorderEvalError:
        by = metric(name)
    together = by.score(HYP, REFERENCES)
    for s, hypothesis in enumerate(HYP):
        own = [[stream[s]] for stream in REFERENCES if stream[s]]
        alone = by.score([hypothesis], own)
        np.testing.assert_allclose(together.statistics[s], alone.statistics[0])


@pytest.mark.parametrize("kind", [sacrebleu.BLEU, sacrebleu.CHRF, sacrebleu.TER])
def test_as_sacrebleu_counts_them(kind):
    missing = [[text or None for text in stream] for stream in REFERENCES]
    theirs = kind().corpus_score(HYP, missing).score
    assert metric(kind.__name__.lower()).score(HYP, REFERENCES).corpus == pytest.approx(theirs)


def test_nist_takes_the_mean_length_of_the_references_that_are_there():
    """Information is that of all references, where an empty one has none."""
    with_gaps = metric("nist").score(["a b"], [["a b c d"], [""]])
    assert with_gaps.corpus == metric("nist").score(["a b"], [["a b c d"]]).corpus


def test_links_of_a_reference_that_is_missing_do_not_count():
    """For LRscore and for metrics of orders the sentence has the other reference alone."""
    crossed, straight = [(0, 1), (1, 0)], [(0, 0), (1, 1)]
    given = {"source": [["x", "y"]], "hyp_alignment": [Alignments.of([straight])]}
    metrics = ["lrscore(distance=hamming,ngram=1,alpha=1.0)", "kendall"]
    with_gap = {"ref_alignment": [Alignments.of([[]]), Alignments.of([crossed])]}
    result = pe.score({"mt": ["a b"]}, [[""], ["b a"]], metrics, **given, **with_gap)
    alone = {"ref_alignment": [Alignments.of([crossed])]}
    expected = pe.score({"mt": ["a b"]}, [["b a"]], metrics, **given, **alone)
    assert [result.value("mt", m) for m in (0, 1)] == [expected.value("mt", m) for m in (0, 1)]
    assert expected.value("mt", 1) == 0.0


def test_jackknifing_takes_all_references():
    with pytest.raises(PreorderEvalError, match="jackknife=true needs all references of every"):
        metric("bleu(jackknife=true)").score(HYP, REFERENCES)


def written(references=REFERENCES):
    Path("out.en").write_text("".join(f"{line}\n" for line in HYP))
    options = ["--hyp", "out.en"]
    for number, stream in enumerate(references, 1):
        Path(f"ref{number}.en").write_text("".join(f"{line}\n" for line in stream))
        options += ["--ref", f"ref{number}.en"]
    return options


@pytest.mark.parametrize("streams", [[REFERENCES[2]], REFERENCES[1:]])
def test_a_sentence_without_any_reference_is_an_error(run, tmp_path, monkeypatch, streams):
    monkeypatch.chdir(tmp_path)
    first = next(s for s in range(12) if not any(stream[s] for stream in streams))
    for command in ("score", "meta"):
        code, out, err = run(command, *written(streams), *(["--human", "h"] * (command == "meta")))
        assert (code, out, err.count("\n")) == (2, "", 1)
        if command == "score":
            message = "an empty line instead of a reference; remove the sentence"
            assert f"ref1.en:{first + 1}: {message}" in err
    with pytest.raises(FormatError, match=rf"^reference 1:{first + 1}: an empty line instead of"):
        pe.score({"mt": HYP}, streams, ["ribes"])
