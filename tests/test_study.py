"""Studies of orders, outputs, references and ratings: the paper's tables, from an example."""

from dataclasses import replace

import numpy as np
import pytest

from preorder_eval.alignment import align
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.judgments import read_human_scores
from preorder_eval.formats.pharaoh import format_links
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.schema import checked
from preorder_eval.formats.study_file import StudyFile, read_study_file
from preorder_eval.formats.writing import write_folder
from preorder_eval.papers.study import pooled
from preorder_eval.papers.study_example import SENTENCES, aligned_by_hand, example_files
from preorder_eval.papers.study_files import read_study, study_references
from preorder_eval.papers.study_tables import Studies
from preorder_eval.results.systems import no_progress

KINDS = [f"{t}/{a}" for t in ("alignment-oriented", "standard") for a in ("manual", "automatic")]

DROPPED = "fuzzy(match=word,unaligned=drop)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studies") / "example"
    write_folder(folder, example_files())
    return folder


@pytest.fixture(scope="module")
def study(folder):
    return read_study(folder / "rules.toml", resamples=20, paper=True)


@pytest.fixture(scope="module")
def parsers(folder):
    return read_study(folder / "parsers.toml", resamples=10, seed=3, paper=True)


@pytest.fixture
def written(folder, tmp_path):
    """Writes a study with changes beside it."""

    def write(*changes, without=(), aligned=False, name="rules"):
        text = (folder / f"{name}.toml").read_text()
        if not aligned:  # nothing to learn: automatic kinds go, and what they learn from
            tables = text.split("\n\n")
            text = "\n\n".join(t for t in tables if "agree" not in t and "[training]" not in t)
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        file = folder / f"{tmp_path.name}-{name}.toml"
        lines = (line for line in text.splitlines() if not line.startswith(tuple(without)))
        file.write_text("".join(f"{line}\n" for line in lines))
        return file

    return write


@pytest.fixture
def changed(written):
    """Reads the study of rules with changes."""
    return lambda *changes, **more: read_study(written(*changes, **more), resamples=5)


RATINGS = ("[ratings]", "file =", "judge =")


def table(study, key):
    return next(table.records() for table in study.tables() if table.key == key)


# The example, and the tables against slow and obvious computations


def test_the_example_says_what_is_simulated(folder, study):
    about = "parsers, outputs and ratings are SIMULATED"
    assert f'about = "{about}"' in (folder / "parsers.toml").read_text()
    assert study._facts()["about"] == about
    assert Studies([study])._view()[-1].notes[-1] == about
    assert Studies([study]).show("latex").count(f"({about})}}") == 7
    assert study.verdict.startswith(f"rules: {about}")
    assert study.for_paper.count(about) == 1
    assert {result.inputs.made_by["about"] for result in study.results.values()} == {about}
    translations = (folder / "alignment-oriented.txt").read_text().splitlines()
    words = [sorted(line.split()) for line in translations]
    for file in (folder / "outputs").iterdir():
        outputs = file.read_text().splitlines()
        assert [sorted(line.split()) for line in outputs] == words, "the words of the reference"


def test_sentences_aligned_by_hand_are_those_of_both_sets():
    oriented, standard = load_reference("en-ja"), load_reference("en-ja-standard")
    both = aligned_by_hand(oriented, standard)
    assert both[0].source == both[1].source == standard.source
    ids = [tree.sentence_id for tree in oriented.trees]
    at = ids.index(standard.trees[3].sentence_id)
    assert both[0].target[3] == oriented.target[at]
    assert both[0].alignments[3] == oriented.alignments[at]


def test_mean_ratings(study, folder):
    """Table 1: the mean over the sentences of their mean ratings."""
    people = read_human_scores(folder / "ratings-rules.tsv", SENTENCES)
    rows = table(study, "ratings")
    for row, ratings in zip(rows, people.means, strict=True):
        assert row["rating"] == pytest.approx(ratings.mean())
        assert row["low"] <= row["rating"] <= row["high"]
    assert rows[4]["low"] > rows[3]["high"], "R5 is best"


def test_correlation_over_outputs(study):
    """Tables 6 and 7 against numpy, over all outputs of sentences that all kinds have links of."""
    left_out = {s - 1 for result in study.results.values() for s in result.left_out}
    people = np.delete(study.ratings.means, list(left_out), axis=1).ravel()
    assert len(left_out) == 2, "agree links few words"
    found = study.correlations
    for number, scores in enumerate(found.metrics):
        expected = np.corrcoef(scores.segment_scores().ravel(), people)[0, 1]
        assert found.statistics["segment.pearson"].values[number] == pytest.approx(expected)
    by_rank = {
        row["metric"]: row["segment.spearman"]["value"]
        for row in table(study, "correlations")
        if row["reference"] == KINDS[0]
    }
    assert by_rank["kendall"] == pytest.approx(by_rank["kendall(root=true)"]), "the same ranks"


def test_kinds_of_references_stand_beside_each_other(study):
    """A metric of outputs does not change with the alignment, and stands there once a text."""
    rows = {(row["metric"], row["reference"]): row for row in table(study, "correlations")}
    frs = [rows["fuzzy(match=word)", kind] for kind in KINDS]
    values = [row["segment.pearson"]["value"] for row in frs]
    assert values[0] == max(values)
    of_bleu = [kind for metric, kind in rows if metric.startswith("bleu")]
    assert of_bleu == [KINDS[0], KINDS[2]], "by each translation once"
    assert len(rows) == 3 * len(KINDS) + 2
    assert frs[0]["segment.pearson p"] is None, "it is what the others are compared with"
    assert frs[3]["segment.pearson p"] < 0.01


def test_significance_and_how_far_it_agrees(study):
    """Tables 3 to 5: the marks of ratings are those of their means, and FRS has most of them."""
    rows = table(study, "significance")
    assert len(rows) == 10
    means = {row["system"]: row["rating"] for row in table(study, "ratings")}
    for row in rows:
        if row["ratings"] != "0":
            assert (row["ratings"][0] == "+") == (means[row["column"]] > means[row["row"]])
    same = sum(row["ratings"] == row["fuzzy(match=word)"] for row in rows)
    assert study._agreeing("fuzzy(match=word)") == same >= 7


# Other studies


def test_without_ratings_and_outputs_orders_are_compared(changed):
    study = changed(without=["output", "translation", *RATINGS])
    keys = [table.key for table in study.tables()]
    assert keys == ["examples", "scores", "rank_correlations", "significance"]
    tau = "kendall(unaligned=drop)", "kendall(unaligned=drop,root=true)"
    assert list(study.marks) == [DROPPED, *tau], "standard translations link few words"


def test_outputs_are_scored_by_the_translation_of_a_kind(changed):
    """Or all by the same translations, which stand above the kinds."""

    def of_bleu(study):
        return [r for r in table(study, "correlations") if r["metric"].startswith("bleu")]

    named = 'translations = ["standard.txt"]\nsource = "source.en"'
    _, standard = of_bleu(changed())
    [alone] = of_bleu(changed(('source = "source.en"', named), without=["translation = "]))
    assert (alone["reference"], standard["reference"]) == ("", KINDS[2])
    assert alone["segment.pearson"] == standard["segment.pearson"]


@pytest.mark.slow
def test_two_experiments_on_the_same_sentences(study, parsers, changed):
    """Their correlation is that over the scores and ratings of all ten systems' outputs."""
    both = pooled([parsers, study])
    assert both.name == "parsers and rules"
    names = both.result.systems
    assert len(names) == 10
    assert sum(name.endswith("P5R5") for name in names) == 2, "with other ratings in each"
    assert both.ratings.judges == 6
    results = study.results.values()
    linked = np.all([r.counted(m) for r in results for m in range(len(r.metrics))], axis=0)
    people = np.concatenate([each.ratings.means[:, linked] for each in (parsers, study)])
    for number, scores in enumerate(both.correlations.metrics):
        apart = [each.correlations.metrics[number] for each in (parsers, study)]
        assert {scores.label} == {each.label for each in apart}
        segments = np.concatenate([each.segment_scores() for each in apart])
        expected = np.corrcoef(segments.ravel(), people.ravel())[0, 1]
        found = both.correlations.statistics["segment.pearson"].values[number]
        assert found == pytest.approx(expected)
    other = changed(('name = "rules"', 'name = "x"\nmetrics = ["ulam"]'), aligned=True)
    assert pooled([study, other]) is None
    assert pooled([study, replace(study, ratings=None)]) is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "P5R1"', 'name = "mine"', "tsv: no rating of mine; it has ratings of P5R1, P5R2"),
        ('output = "outputs/P5R2.txt"', "", "no output of P5R2; give all systems one"),
        ('name = "rules"', 'name = "rules"\ntranslations = ["t"]', "beside that of the first"),
        ('align = "agree"', 'align = "ibm7"', "unknown aligner 'ibm7'"),
        ("training/source.en", "source.en", "280 sentences, but .*source.en has 60"),
        ('source = "source.en"', 'source = "source.en"\nmetrics = ["blue"]', "unknown metric"),
    ],
)
def test_studies_that_do_not_fit_together(changed, old, new, message):
    with pytest.raises(PreorderEvalError, match=message):
        changed((old, new), aligned="ali" in old or "training" in old)


def test_metrics_of_outputs_need_outputs(changed):
    named = 'metrics = ["fuzzy", "bleu"]\nsource = "source.en"'
    with pytest.raises(FormatError, match="needs outputs; name them and translations"):
        changed(('source = "source.en"', named), without=["output", "translation", *RATINGS])


HEAD = 'name = "x"\nsource = "s"\n[[reference]]\nkind = "m"\nalignment = "a"\n'
TWO = '[[system]]\nname = "A"\norders = "o"\n[[system]]\nname = "B"\norders = "o"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not TOML"),
        (HEAD, "key system is missing; add system"),
        (HEAD + TWO.replace("orders", "order"), "unknown key at system 1 order"),
        (HEAD + TWO.replace('"B"', '"A"'), "system A stands twice"),
        (HEAD + TWO + 'rules = "none"\n', "system 2: its order is of rules and orders"),
        (HEAD + TWO.replace('orders = "o"\n[', "["), "system 1: its order is of none"),
        (HEAD + TWO + 'parser = "gold"\n', "system 2: rules, parser and trees"),
        (HEAD + TWO + "[ratings]\nfile = 3\n", "13: key ratings file: must be a text, not 3"),
        (HEAD.replace('"m"', '"../m"') + TWO, "3: reference 1: kind '../m' is no name"),
        (HEAD + TWO.replace('"A"', '"a\\tb"'),
         r"system 'a\\tb' has characters that cannot be seen"),
        (HEAD + TWO.replace('"o"', '"o"\noutput = "t"'), "there are outputs but no translations"),
        (HEAD + 'translation = "t"\n' + TWO, "there are translations but no outputs"),
        (HEAD + 'align = "ibm1"\n' + TWO, "reference 1: alignment and align: both"),
        (HEAD.replace('alignment = "a"\n', "") + TWO, "reference 1: no links; name a file"),
        (HEAD.replace("alignment = ", "align = ") + TWO, "no links; .*or the translation"),
        (
            HEAD.replace("alignment = ", 'translation = "t"\nalign = ')
            + '[training]\nsource = ["s", "s"]\ntarget = ["t"]\n'
            + TWO.replace('"o"', '"o"\noutput = "t"'),
            "training: source and target; name as many",
        ),
        (HEAD + '[training]\nsource = ["s"]\ntarget = ["t"]\n' + TWO, "nothing to align"),
    ],
)  # fmt: skip
def test_study_files_that_make_no_sense(tmp_path, text, message):
    file = tmp_path / "study.toml"
    file.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_study_file(file)


# Links that are made: what no file has is aligned, from all there is to learn from

few_pairs = pytest.mark.filterwarnings(
    "ignore:automatic links are unsafe:preorder_eval.errors.InputWarning"
)
SOURCE = ["the house", "the book", "a book"]
GERMAN = ["das Haus", "das Buch", "ein Buch"]
TURNED = ["Haus das", "Buch das", "Buch ein"]
MORE = ["a house"], ["ein Haus"]


@pytest.fixture
def texts(tmp_path):
    files = {"s": SOURCE, "straight": GERMAN, "turned": TURNED, "m.s": MORE[0], "m.t": MORE[1]}
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "links").write_text("0-0 1-1\n0-0 1-1\n0-0 1-1\n")
    return tmp_path


def aligned(folder, **more):
    kinds = [
        {"kind": "manual", "alignment": "links"},
        {"kind": "straight", "align": "ibm1"},
        {"kind": "turned", "align": "ibm1", "translation": "turned"},
        {"kind": "agreed", "align": "agree(force=true)", "translation": "turned"},
    ]
    systems = [{"name": name, "orders": "o", "output": "straight"} for name in "ab"]
    content = {"name": "x", "source": "s", "translations": ["straight"], "reference": kinds}
    file = checked(StudyFile, {**content, "system": systems, **more})
    return study_references(file, folder, no_progress)


@few_pairs
def test_automatic_links_are_learned_from_all_translations_together(texts):
    found = aligned(texts, training={"source": ["m.s"], "target": ["m.t"]})
    links = {kind: list(map(format_links, d.alignments)) for kind, (d, _) in found.items()}
    assert list(found) == ["manual", "straight", "turned", "agreed"]
    source, target = ([line.split() for line in lines] for lines in (SOURCE * 2, GERMAN + TURNED))
    extra = tuple([line.split() for line in lines] for lines in MORE)
    assert links["straight"] + links["turned"] == list(
        map(format_links, align(source, target, "ibm1", extra=extra))
    )
    assert links["straight"] == links["manual"] == ["0-0 1-1"] * 3
    turned = [line.split() for line in TURNED]
    agreed = align(source[:3], turned, "agree(force=true)", extra=extra)
    assert links["agreed"] == list(map(format_links, agreed))
    assert found["manual"][1] == {}
    assert found["manual"][0].aligner == ""
    assert found["turned"][0].aligner == "ibm1(pairs=7)"
    assert found["agreed"][0].aligner.startswith("agree(pairs=4,")
    assert list(found["turned"][0].hashes) == ["s", "turned"]


# The layout of Talbot et al. (2011)


def test_studies_of_the_same_name(study):
    with pytest.raises(PreorderEvalError, match="two studies are called rules"):
        Studies([study, study])


# From the command line


def test_table_2_has_the_reference_orders_of_a_sentence_by_all_kinds(study):
    """The first that is in different orders; links are as Talbot et al. write them."""
    [table] = [table for table in study.tables() if table.key == "examples"]
    sentence = int(table.title.split()[4]) - 1
    kinds = dict.fromkeys(table.cells("reference"))
    assert list(kinds) == list(study.results)
    orders = set()
    for kind, result in study.results.items():
        texts = {what: text for of, what, text in table.rows if of == kind}
        data = result.inputs.reference
        assert texts["source"] == " ".join(data.source[sentence])
        assert texts["reordering"] == data.orders_of(sentence)[0].braces(data.source[sentence])
        found = {
            (int(i), j)
            for j, field in enumerate(texts["alignment"].split(","))
            for i in field.split("_")
            if i
        }
        assert found == {tuple(link) for link in data.alignments[sentence]}
        orders.add(texts["reordering"])
    assert len(orders) > 1


def test_scores_of_other_programs_in_a_study(folder, study, written, changed, run, good):
    """Named by the study file or by --scores; a metric of outputs in every table."""
    systems = study.result.systems
    mean = study.ratings.means  # as a metric that agrees with people on every output
    columns = ["\t".join(systems), *("\t".join(map(repr, s)) for s in mean.T.tolist())]
    (folder / "perfect.tsv").write_text("".join(f"{line}\n" for line in columns))
    kendall = 'source = "source.en"\nmetrics = ["kendall"]\n'
    named = changed(('source = "source.en"', f'{kendall}scores = ["COMET=perfect.tsv"]'))
    name = "scores(of=COMET)"
    [row] = [row for row in table(named, "correlations") if row["metric"] == name]
    assert row["segment.pearson"]["value"] == pytest.approx(1)
    assert len(named.marks[name]) == len(named.marks["kendall"])
    assert named.result.value("P5R1", "COMET") == pytest.approx(mean[0].mean())
