import pytest
from sacrebleu.metrics.bleu import BLEU

from preorder_eval.analysis.analyse_outputs import analyse_outputs
from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.score import score

REFERENCES = ["the cat sat on the mat .", "he reads a book .", "yes , she does .", "no ."]
OUTPUTS = {
    "base": ["the cat lay on the mat .", "he reads books .", "yes .", "no ."],
    "other": ["a cat", "he", "she", "n"],
    "new": ["the cat sat on a mat .", "he read a book .", "yes , she does .", "no !"],
}


@pytest.fixture(scope="module")
def result():
    return score(OUTPUTS, REFERENCES, ["bleu(tokenize=13a)", "wer"], resamples=20)


@pytest.fixture(scope="module")
def analysis(result):
    return analyse_outputs(result)


def test_first_and_last_system_are_compared(analysis):
    assert analysis.systems == ("base", "new")
    assert analysis.tokenize == "13a", "as its metrics split words"
    assert [e.number for e in (*analysis.moved.gained, *analysis.moved.lost)].count(3) == 1
    assert analysis.metric == "bleu(order=4,smooth=exp,tokenize=13a)"


def test_examples_hold_all_texts(result, analysis, tmp_path):
    best = analysis.moved.gained[0]
    assert (best.number, best.first, best.second) == (3, "yes .", "yes , she does .")
    assert best.source == "yes , she does .", "the reference, as there is no source"
    (tmp_path / "src").write_text("katze\nbuch\nja\nnein\n")
    shown = analyse_outputs(result, source=tmp_path / "src").moved.gained[0]
    assert (shown.source, shown.reference) == ("ja", "yes , she does .")
    scores = [
        BLEU(tokenize="13a", effective_order=False).corpus_score([text], [["yes , she does ."]])
        for text in (best.first, best.second)
    ]
    assert best.second_score == pytest.approx(scores[1].score)


def test_scores_by_length_are_those_of_the_sentences_alone(analysis):
    parts = {part.name: part for part in analysis.lengths[analysis.metric]}
    assert {name: part.sentences for name, part in parts.items()} == {"1-5": 3, "6-10": 1}
    for n, name in enumerate(("base", "new")):
        short = BLEU(tokenize="13a").corpus_score(OUTPUTS[name][1:], [REFERENCES[1:]])
        assert parts["1-5"].scores[n].value == pytest.approx(short.score)
    assert set(analysis.lengths) == {analysis.metric, "wer(tokenize=13a)"}


def test_scores_have_the_decimals_of_their_metric(analysis):
    """BLEU, from 0 to 100, has one decimal as in every other table; error rates have three."""
    views = {view.title.rpartition(", ")[2]: view for view in analysis.view(whole=True)}
    formats = {name: views[name].columns[-1].format for name in ("BLEU", "WER")}
    assert formats == {"BLEU": ".1f", "WER": ".3f"}


def test_one_system_is_compared_with_nothing(result):
    made = analyse_outputs(result, ["new"])
    assert made.moved is None
    with pytest.raises(PreorderEvalError, match=r"no table by parts .*needs two systems"):
        made.narrowed(["parts"])


def test_what_is_shown(analysis):
    parts, lengths, *moved = analysis.view()
    assert parts.rows == analysis.parts.table.rows
    assert [row[:2] for row in lengths.rows] == [["1-5", 3], ["6-10", 1]]
    assert len(moved) == 1 + max(len(analysis.moved.gained), len(analysis.moved.lost))
    assert [table.title for table in analysis.view(whole=True)][:3] == [
        parts.title, lengths.title, lengths.title.replace("BLEU", "WER"),
    ]  # fmt: skip
    assert [row[:4] for row in analysis.tables()[1].rows][:2] == [
        [analysis.metric, "1-5", 3, "base"], [analysis.metric, "1-5", 3, "new"],
    ]  # fmt: skip
    assert analysis.verdict.endswith("base and new, 4 sentences, words by 13a")


def test_narrowed(analysis):
    few = analysis.narrowed(["sentences"], top=1)
    assert few.lengths == {}
    assert len(few.moved.gained) == 1
    with pytest.raises(UnknownNameError, match="unknown table 'lengths'"):
        analysis.narrowed(["lengths"])


def test_what_cannot_be_analysed(result, tmp_path, bundled_reference):
    with pytest.raises(PreorderEvalError, match="3 systems are named; name one to describe"):
        analyse_outputs(result, ["base", "new", "other"])
    with pytest.raises(UnknownNameError, match="unknown system of outputs 'old'"):
        analyse_outputs(result, ["old"])
    (tmp_path / "src").write_text("one\n")
    with pytest.raises(FormatError, match="src: 1 line for the 4 sentences"):
        analyse_outputs(result, source=tmp_path / "src")
    orders = evaluate("en-ko", parsers=["gold"], rules=["none"], metrics=["fuzzy"], resamples=5)
    with pytest.raises(PreorderEvalError, match="has no outputs with references"):
        analyse_outputs(orders)
