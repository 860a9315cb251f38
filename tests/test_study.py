"""Studies of orders, outputs, references and ratings: the paper's tables, from an example."""

import numpy as np
import pytest

from preorder_eval.analysis.attachment import attachment
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.judgments import read_human_scores
from preorder_eval.formats.study_file import read_study_file
from preorder_eval.formats.writing import write_folder
from preorder_eval.papers.study import Study
from preorder_eval.papers.study_example import SENTENCES, example_files
from preorder_eval.papers.study_tables import (
    correlations_table,
    marks_table,
    titled_tables,
)

KINDS = [f"{t}/{a}" for t in ("alignment-oriented", "standard") for a in ("manual", "automatic")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studies") / "example"
    write_folder(folder, example_files())
    return folder


@pytest.fixture(scope="module")
def study(folder):
    return Study.read(folder / "rules.toml", resamples=100)


def test_the_example_says_what_is_simulated(folder):
    for name in ("parsers", "rules"):
        text = (folder / f"{name}.toml").read_text()
        assert "the parsers, the outputs and the ratings are SIMULATED" in text
    assert example_files() == example_files()
    translations = (folder / "alignment-oriented.txt").read_text().splitlines()
    words = [sorted(line.split()) for line in translations]
    for file in (folder / "outputs").iterdir():
        outputs = file.read_text().splitlines()
        assert [sorted(line.split()) for line in outputs] == words, "the words of the reference"


def test_mean_ratings(study, folder):
    """Table 1: the mean over the sentences of their mean ratings."""
    people = read_human_scores(folder / "ratings-rules.tsv", SENTENCES)
    for number, mean in enumerate(study.mean_ratings):
        assert mean.value == pytest.approx(people.means[number].mean())
        assert mean.low <= mean.value <= mean.high
    assert study.mean_ratings[4].low > study.mean_ratings[3].high, "R5 is best"


def test_correlation_over_outputs(study):
    """Tables 6 and 7 against numpy, over all outputs together."""
    people = study.ratings.means.ravel()
    found = study.correlations
    for number, scores in enumerate(found.metrics):
        expected = np.corrcoef(scores.segments.ravel(), people)[0, 1]
        assert found.statistics["segment.pearson"].values[number] == pytest.approx(expected)
    _, rows = correlations_table(study)
    by_rank = {row[0]: row[6] for row in rows if row[1] == KINDS[0]}
    assert by_rank["kendall"] == pytest.approx(by_rank["kendall(root=true)"]), "the same ranks"


def test_kinds_of_references_stand_beside_each_other(study):
    """A metric of outputs does not change with the alignment, and stands there once a text."""
    rows = correlations_table(study)[1]
    by_kind = {(metric, kind): value for metric, kind, value, *_ in rows}
    fuzzy = [by_kind["fuzzy(match=word)", kind] for kind in KINDS]
    assert fuzzy[0] == max(fuzzy)
    of_bleu = [kind for metric, kind in by_kind if metric.startswith("bleu")]
    assert of_bleu == [KINDS[0], KINDS[2]], "by each translation once"
    assert len(rows) == 3 * len(KINDS) + 2
    p = {row[1]: row[5] for row in rows if row[0] == "fuzzy(match=word)"}
    assert p[KINDS[0]] is None, "it is what the others are compared with"
    assert p[KINDS[3]] < 0.01


def test_judges_are_compared(study):
    said = {row["judges"]: row for row in study.summary()["judges"]}
    assert said["different judges"]["compared"] == 3 * 10 * SENTENCES, "3 pairs of judges"
    assert 0.2 < said["different judges"]["kappa"] < 0.8
    assert said["the same judge"]["agreed"] is None
    assert titled_tables(study)[1].rows[0][0] == "different judges"


def test_significance_and_how_far_it_agrees(study):
    """Tables 3 to 5: the marks of ratings are those of their means, and FRS has most of them."""
    header, rows = marks_table(study)
    assert header[:3] == ["row", "column", "ratings"]
    assert len(rows) == 10
    means = dict(zip(study.result.systems, study.mean_ratings, strict=True))
    for first, second, mark, *_ in rows:
        if mark != "0":
            assert (mark[0] == "+") == (means[second].value > means[first].value)
    same = sum(row[2] == row[3] for row in rows)
    assert study.agreeing("fuzzy(match=word)") == same >= 7


def test_parsers_by_themselves(study, folder):
    """Table 8: each parser once, by the first system that has it."""
    assert list(study.attachment) == ["P5R1"], "all rules have the same parser"
    parsers = Study.read(folder / "parsers.toml", resamples=5)
    assert list(parsers.attachment) == [f"P{n}R5" for n in range(1, 6)]
    gold, third = (read_conllu(folder / "treebank" / f"{n}.conllu") for n in ("gold", "P3"))
    expected = attachment(gold, third)
    assert parsers.attachment["P3R5"]["LAS"].value == pytest.approx(expected.las)
    assert parsers.attachment["P3R5"]["UPOS"].value == pytest.approx(expected.upos)


def test_without_ratings_and_outputs_orders_are_compared(folder, tmp_path):
    lines = (folder / "rules.toml").read_text().split("[ratings]")[0].splitlines()
    kept = [line for line in lines if not line.startswith(("output", "treebank"))]
    (folder / "orders.toml").write_text("\n".join(kept))
    study = Study.read(folder / "orders.toml", resamples=20)
    assert study.correlations is None
    assert list(study.tables()) == ["significance"]
    assert list(study.marks) == ["fuzzy(match=word)", "kendall", "kendall(root=true)"]
    assert len(titled_tables(study)) == 2
    with pytest.raises(PreorderEvalError, match="has no ratings"):
        study.mean_ratings  # noqa: B018


def test_several_language_pairs(folder, tmp_path):
    """A pair's texts come instead of {pair}, and the pair is chosen by its name."""
    text = (folder / "rules.toml").read_text().replace("ratings-rules", "{pair}")
    (folder / "pairs.toml").write_text(f'pairs = ["en-ja", "en-ko"]\n{text}')
    for name, kept in (("en-ja", 1), ("en-ko", 2)):
        header, *rows = (folder / "ratings-rules.tsv").read_text().splitlines()
        (folder / f"{name}.tsv").write_text("\n".join([header, *rows[::kept]]))
    one = Study.read(folder / "pairs.toml", "en-ko", resamples=5)
    assert one.label == "rules en-ko"
    assert len(one.ratings) * 2 == len(Study.read(folder / "pairs.toml", "en-ja").ratings)
    with pytest.raises(UnknownNameError, match="known: en-ja, en-ko"):
        Study.read(folder / "pairs.toml")


def test_outputs_are_held_against_the_translation_of_a_kind(folder, study):
    """Or all by the same translations, which stand above the kinds."""
    lines = (folder / "rules.toml").read_text().splitlines()
    kept = [line for line in lines if not line.startswith("translation = ")]
    (folder / "one.toml").write_text('translations = ["standard.txt"]\n' + "\n".join(kept))
    one = Study.read(folder / "one.toml", resamples=100)
    [alone] = [row for row in correlations_table(one)[1] if row[0].startswith("bleu")]
    of_bleu = {row[1]: row[2] for row in correlations_table(study)[1] if row[0].startswith("bleu")}
    assert list(of_bleu) == [KINDS[0], KINDS[2]]
    assert (alone[1], alone[2]) == ("", pytest.approx(of_bleu[KINDS[2]]))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "P5R1"', 'name = "mine"', "tsv: no rating of mine; it has ratings of P5R1, P5R2"),
        ("treebank/gold.conllu", "trees/P5.conllu", "treebank of P5R1: gold and system trees are"),
        ('output = "outputs/P5R2.txt"', "", "rules.toml: no output of P5R2; give all systems one"),
        ('treebank/gold.conllu"', 't"\ntranslations = ["t"]', "beside that of the first"),
        ('align = "ibm1"', 'align = "ibm7"', "unknown aligner 'ibm7'"),
        ("training/source.en", "source.en", "280 sentences, but .*source.en has 60"),
        ('source = "source.en"', 'source = "source.en"\nmetrics = ["blue"]', "unknown metric"),
    ],
)
def test_studies_that_do_not_fit_together(folder, tmp_path, old, new, message):
    text = (folder / "rules.toml").read_text()
    assert old in text
    (folder / "own-rules.toml").write_text(text.replace(old, new))
    with pytest.raises(PreorderEvalError, match=message):
        titled_tables(Study.read(folder / "own-rules.toml", resamples=5))


def test_metrics_of_outputs_need_outputs(folder):
    lines = (folder / "rules.toml").read_text().split("[ratings]")[0].splitlines()
    kept = [line for line in lines if not line.startswith("output")]
    (folder / "bleu.toml").write_text('metrics = ["fuzzy", "bleu"]\n' + "\n".join(kept))
    with pytest.raises(FormatError, match="needs outputs; name them and translations"):
        Study.read(folder / "bleu.toml")


HEAD = 'name = "x"\nsource = "s"\n[[reference]]\nkind = "m"\nalignment = "a"\n'
TWO = '[[system]]\nname = "A"\norders = "o"\n[[system]]\nname = "B"\norders = "o"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not TOML"),
        (HEAD, "key system is missing; add system"),
        (
            HEAD + TWO.replace("orders", "order"),
            "unknown key at system 1 order",
        ),
        (HEAD + TWO.replace('"B"', '"A"'), "system A stands twice"),
        (HEAD + TWO + 'rules = "none"\n', "system 2: its order is of rules and orders"),
        (HEAD + TWO.replace('orders = "o"\n[', "["), "system 1: its order is of none"),
        (HEAD + TWO + 'parser = "gold"\n', "system 2: rules, parser and trees"),
        (HEAD + TWO + 'treebank = "t"\n', "system 2: treebank without gold trees"),
        (HEAD + TWO + "[ratings]\nfile = 3\n", "13: key ratings file: must be a text, not 3"),
        (HEAD.replace('"m"', '"../m"') + TWO, "3: reference 1: kind '../m' is no name"),
        (HEAD + TWO.replace('"o"', '"{pair}"'), "there is {pair}, but no pairs"),
        (
            HEAD + TWO.replace('"A"', '"a\\tb"'),
            r"system 'a\\tb' has characters that cannot be seen",
        ),
        ('pairs = ["../x"]\n' + HEAD + TWO, "'../x' is no language pair"),
        (HEAD + TWO.replace('"o"', '"o"\noutput = "t"'), "there are outputs but no translations"),
        (HEAD + 'translation = "t"\n' + TWO, "there are translations but no outputs"),
        (HEAD + 'align = "ibm1"\n' + TWO, "reference 1: alignment and align: both; name a file"),
        (HEAD.replace('alignment = "a"\n', "") + TWO, "alignment and align: neither"),
        (HEAD.replace("alignment = ", "align = ") + TWO, "nothing to align the source with"),
        (HEAD + 'symmetrize = "union"\n' + TWO, "reference 1: symmetrize without align"),
        (
            HEAD.replace("alignment = ", 'translation = "t"\nalign = ')
            + '[training]\nsource = ["s", "s"]\ntarget = ["t"]\n'
            + TWO.replace('"o"', '"o"\noutput = "t"'),
            "training: source and target; name as many",
        ),
        (HEAD + '[training]\nsource = ["s"]\ntarget = ["t"]\n' + TWO, "nothing to align"),
    ],
)
def test_study_files_that_make_no_sense(tmp_path, text, message):
    file = tmp_path / "study.toml"
    file.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_study_file(file)
