"""What a run draws: documents where they are known, in every interval, p, legend and form."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.analysis.ablate import ablate
from preorder_eval.analysis.analyse import analyse
from preorder_eval.analysis.analyse_outputs import analyse_outputs
from preorder_eval.analysis.attachment import score_trees
from preorder_eval.analysis.overview import overview
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.stats import FEWEST_UNITS
from preorder_eval.base.stats.bootstrap import _draws
from preorder_eval.base.stats.measurement import Measurement
from preorder_eval.base.stats.significance import compare_systems
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.evaluation.compare import compare
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.inputs import with_documents
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.score import score, score_inputs
from preorder_eval.judgments.human_score_files import ScoreColumns, read_human_scores
from preorder_eval.judgments.human_scores import HumanScores
from preorder_eval.judgments.meta import meta
from preorder_eval.judgments.metric_scores import MetricScores
from preorder_eval.judgments.statistic import Conventions, agreement, resample, statistic
from preorder_eval.judgments.tune import _folds, tune
from preorder_eval.learning.learn_rules import learn_rules
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_agreement import reference_agreement
from preorder_eval.references.reference_check import reference_check
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.conllu import format_conllu
from preorder_eval.trees.treebank import Tree, Treebank, document_names

LENGTH = 5  # sentences of a document
RULES = """\
name = "mine"
scheme = "ud"
[[rule]]
head = "VERB"
order = ["nsubj", "obj", "HEAD", "OTHER", "punct"]
"""


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30), st.integers(0, 2**32 - 1))
def test_units_are_summed_as_in_a_plain_loop(names, seed):
    rng = np.random.default_rng(seed)
    counted = rng.random(len(names)) < 0.7
    statistics = rng.integers(0, 9, (2, int(counted.sum()), 3)).astype(float)
    unit = Unit.of_names(names)
    if not counted.any():
        return
    sums = {}
    kept = [name for name, there in zip(names, counted, strict=True) if there]
    several = len(set(names)) >= FEWEST_UNITS
    for place, name in enumerate(kept):
        key = names.index(name) if several else place
        sums[key] = sums.get(key, 0) + statistics[:, place]
    plain = [sums[key] for key in sorted(sums)]
    drawn = unit.measurement(statistics, lambda s: s[..., 0], counted)
    assert np.array_equal(drawn.statistics, np.stack(plain, axis=1))
    assert unit.count(counted) == len(plain)


@pytest.mark.parametrize(
    ("comments", "names"),
    [
        ([[], ["# sent_id = a"]], ()),
        ([["# newdoc"], [], ["# newdoc"]], ("document 1", "document 1", "document 2")),
        ([["# newdoc id = a"], ["# newdoc id=b"], []], ("a", "b", "b")),
        ([["#newdoc id = a"], ["# newdoc id = b"], ["# newdoc id = a"]], ("a", "b", "a")),
        ([[], ["# sent_id = 2", "# newdoc id = "], []], ("sentence 1", "document 1", "document 1")),
        ([["# newdocument = x"], ["# text = newdoc"]], ()),
    ],
)
def test_documents_are_those_of_the_comments(comments, names):
    assert document_names(comments) == names


def tree(number, documents):
    """A sentence whose object follows its verb; each document begins with a comment."""
    begins = number % LENGTH == 0 and number // LENGTH < documents
    words = ["she", "sees" if number % 2 else "reads", f"it{number}"]
    comments = (f"# newdoc id = d{number // LENGTH}",) if begins else ()
    heads, labels = [1, -1, 1], ["nsubj", "root", "obj"]
    return Tree(words, heads, labels, ["PRON", "VERB", "PRON"], ["PRP", "VBZ", "PRP"], comments)


def trees_of(documents=8):
    return Treebank.of([tree(number, documents) for number in range(LENGTH * documents)])


def reference(documents=8, name="mine"):
    """Verb-final sentences, but for some documents, which keep English order."""
    trees = trees_of(documents)
    turned = [[(0, 0), (1, 2), (2, 1)], [(0, 0), (1, 1), (2, 2)]]
    links = [turned[n // LENGTH % 4 == 0] for n in range(len(trees))]
    return ReferenceSet(name, trees.sentences, Alignments.of(links), trees=trees)


@pytest.fixture
def rules(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(RULES)
    return file


def of_trees(file):
    return score_trees(file, [file])


DOORS = {
    "evaluate": lambda data, rules, result: result,
    "a part of its systems": lambda data, rules, result: result.chosen(result.systems[:2]),
    "compare": lambda data, rules, result: compare(result, systems=result.systems),
    "analyse": lambda data, rules, result: analyse(result, result.systems[1]),
    "report": lambda data, rules, result: overview(result).systems[1].ablation,
    "ablate": lambda data, rules, result: ablate(rules, "gold", data),
    "ablate, of trees": lambda data, rules, result: ablate(rules, data.trees, data.references),
    "learn": lambda data, rules, result: learn_rules("gold", data, words=False, folds=2),
    "check": lambda data, rules, result: reference_check(data, structure_only=True),
    "agreement": lambda data, rules, result: reference_agreement(data, data),
    "trees": lambda data, rules, result: of_trees(rules.with_name("gold.conllu")),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("documents", "told"), [(8, "8 documents"), (3, "only 3 documents")])
def test_every_door_draws_the_documents_of_a_set(door, documents, told, rules):
    data = reference(documents)
    rules.with_name("gold.conllu").write_text(format_conllu(data.trees))
    result = evaluate(data, parsers=["gold"], rules=["none", rules], resamples=10)
    shown = DOORS[door](data, rules, result).show(whole=True)
    assert " ".join(shown.split()).count(told) >= 1


def test_p_and_interval_are_those_of_the_sums_of_documents(rules, tmp_path):
    data = reference()
    result = evaluate(data, parsers=["gold"], rules=["none", rules], resamples=100)
    statistics = np.stack([of[0].statistics for of in result.scores])
    summed = statistics.reshape(2, 8, LENGTH, -1).sum(axis=2)
    [[pair]] = compare_systems(
        [Measurement(summed, result.metrics[0].finish)], higher_is_better=[True], resamples=100
    )
    write_run(result, tmp_path / "run")
    for each in (result, read_run(tmp_path / "run")):
        assert each.difference(0, 1) == pair.difference
        assert each.units() == (8, "document")
        assert each.to_dict()["unit"] == "document"
    [part] = [
        part for part in ablate(rules, "gold", data, resamples=100).parts if part.slot is None
    ]
    assert part.difference == pair.difference


def test_trees_give_the_documents_of_a_set_without(rules):
    data = replace(reference(), trees=None, documents=())
    named = {"trees": {"mine": reference().trees}, "rules": ["none", rules], "resamples": 10}
    assert evaluate(data, **named).units() == (8, "document")


def test_a_part_of_a_set_keeps_the_documents_that_begin_outside():
    assert reference().take([1, 2, 6, 11], "part").documents == ["d0", "d0", "d1", "d2"]


@pytest.mark.parametrize(("documents", "unit"), [(8, "document"), (3, "sentence")])
def test_outputs_by_documents(documents, unit, tmp_path):
    """The parts, the lengths and the paper had drawn sentences beside documents."""
    lines = [f"a b c d e{n}" for n in range(LENGTH * documents)]
    worse = [f"x b c d e{n}" if n // LENGTH % 4 else line for n, line in enumerate(lines)]
    file = tmp_path / "documents"
    file.write_text("".join(f"{n // LENGTH}\n" for n in range(len(lines))))
    inputs = with_documents(score({"a": worse, "b": lines}, lines, ["wer"]).inputs, file)
    write_run(score_inputs(inputs, ["wer"]), tmp_path / "run")
    compared = compare(read_run(tmp_path / "run"))
    differing = compared.metrics[0].difference.differing
    assert differing == sum(n % 4 > 0 for n in range(documents)) * (1 if unit == "document" else 5)
    assert compared.parts.differences[0].differing == differing
    analysed = analyse_outputs(compared.both)
    for shown in (compared, analysed):
        told = " ".join(shown.show(whole=True).split())
        assert ("8 documents" in told) == (unit == "document")
        assert told.count("only 3 documents") == (unit == "sentence")
        assert shown.to_dict()["unit"] == unit
    paper = compared.for_paper
    assert ("in 8 documents" in paper and "all 256 subsets" in paper) == (unit == "document")
    if unit == "document":
        [part] = analysed.lengths[str(compared.both.metrics[0])]
        assert part.scores == [row[0] for row in compared.both.intervals]


# Agreement of metrics with humans


def rated(seed=0, segments=12, systems=4):
    """Human scores of outputs, and two metrics that know something of them."""
    rng = np.random.default_rng(seed)
    people = rng.normal(size=(systems, segments)) + np.arange(systems)[:, None] / 2
    return people, [people + rng.normal(0, noise, people.shape) for noise in (1, 2)]


def judged(table, documents=EACH_SENTENCE):
    system, segment = map(np.ravel, np.indices(table.shape))
    names = tuple("abcdef"[: len(table)])
    scores = HumanScores(names, table.shape[1], system, segment, table.ravel(), 0 * system)
    return replace(scores, documents=documents)


def agreement_of(people, metrics, resamples=50, **options):
    given = [
        MetricScores.mean(name, table)
        for name, table in zip(("bleu", "nist"), metrics, strict=True)
    ]
    return meta(given, people, resamples=resamples, **options)


@pytest.mark.parametrize(
    "by",
    ["pairs.accuracy", "segment.pearson", "within-segment.kendall", "within-segment.acc_eq",
     "within-system.pearson", "system.spearman"],
)  # fmt: skip
def test_sentences_said_three_times_are_no_news(by):
    """As a document, the copies of a segment have the interval and p of that segment alone."""
    people, metrics = rated()
    thrice = [np.repeat(table, 3, axis=1) for table in (people, *metrics)]
    copies = Unit.of_names([n // 3 for n in range(36)])
    alone = agreement_of(judged(people), metrics, by=by)
    by_documents = agreement_of(judged(thrice[0], copies), thrice[1:], by=by)
    by_segments = agreement_of(judged(thrice[0]), thrice[1:], by=by)
    for one, other in ((alone.statistics[by], by_documents.statistics[by]),
                       (alone.ratings, by_documents.ratings)):  # fmt: skip
        np.testing.assert_allclose(one.values, other.values)
        np.testing.assert_allclose(one.resampled, other.resampled)
    np.testing.assert_allclose(alone.p, by_documents.p)
    assert alone.p[0, 1] > by_segments.p[0, 1]
    assert by_documents.standing.units == (12, "document")
    assert by_documents.to_dict()["unit"] == "document"
    told = " ".join(by_documents.show().split())
    assert "36 segments of 12 documents" in told
    assert "resamples of documents" in told


@pytest.mark.parametrize("by", ["segment.kendall", "within-system.spearman"])
def test_ranks_of_drawn_documents(by):
    """Documents have other lengths, so that a resample has more or fewer segments than the text."""
    people, [metric, _] = rated(3, 240)
    of = np.repeat(np.arange(40), [2, 10] * 20)
    scores, chosen = judged(people, Unit.of_names(of.tolist())), statistic(by, judged(people))
    [sampled] = resample([MetricScores.mean("m", metric)], scores, [chosen], resamples=30)
    real = []
    for counts in np.concatenate(list(_draws(40, 30, 0))).astype(int):
        drawn = np.concatenate([np.flatnonzero(of == d) for d in np.repeat(range(40), counts)])
        found = agreement(by, [MetricScores.mean("m", metric[:, drawn])], judged(people[:, drawn]))
        real.append(found[0])
    assert np.std(sampled.resampled[:, 0] - real) < np.std(real) / 5
    assert np.std(real) > 0.01


def test_whole_documents_are_swapped():
    """Kendall of all outputs is computed anew after each of the 64 swaps of six documents."""
    people, [one, other] = rated(2)
    of, by = np.arange(12) % 6, "segment.kendall"

    def difference(first, second):
        scores = [MetricScores.mean("m", table) for table in (first, second)]
        return np.diff(agreement(by, scores, judged(people)))[0]

    one, other = ((table - table.mean()) / table.std() for table in (one, other))
    real = abs(difference(one, other))
    hits = []
    for swap in np.ndindex((2,) * 6):
        moved = np.array(swap, dtype=bool)[of]
        hits.append(abs(difference(np.where(moved, other, one), np.where(moved, one, other))))
    scores = judged(people, Unit.of_names(of.tolist()))
    found = agreement_of(scores, [one, other], by=by, resamples=64)
    assert found.p[0, 1] == pytest.approx(np.mean(np.array(hits) >= real - 1e-9))


@pytest.mark.parametrize(
    ("documents", "permuted", "kind", "unit"),
    [
        (8, "inputs", None, "document"),
        (3, "inputs", "few_documents", "segment"),
        (8, "both", "segments_drawn", "segment"),
        (3, "both", "few_documents", "segment"),
    ],
)
def test_what_meta_draws_and_warns_of(documents, permuted, kind, unit, tmp_path):
    """Too few documents are not drawn, nor any where single outputs are swapped, as in WMT."""
    people, metrics = rated(segments=16)
    known = Unit.of_names([n % documents for n in range(16)])
    found = agreement_of(judged(people, known), metrics, conventions=Conventions(permuted=permuted))
    kinds = {caveat.kind for caveat in found.warnings}
    assert kinds & {"few_documents", "segments_drawn"} == {kind} - {None}
    assert f"resamples of {unit}s" in " ".join(found.show().split())


def test_documents_of_a_run_are_those_of_its_agreement_and_fit(tmp_path):
    lines = [f"a b c d e{n}" for n in range(16)]
    worse = [f"x b c d e{n}" for n in range(16)]
    file = tmp_path / "documents"
    file.write_text("".join(f"{n // 2}\n" for n in range(16)))
    people = judged(np.where(np.arange(16) % 2 == np.arange(2)[:, None], 1.0, 2.0))
    alone = score({"a": worse, "b": lines}, lines, ["wer"])
    known = score_inputs(with_documents(alone.inputs, file), ["wer"])
    fits = [tune("lepor(alpha=?)", r.inputs, people, folds=2, resamples=20) for r in (alone, known)]
    for results in ((meta(r, people, resamples=20) for r in (alone, known)), fits):
        of_segments, of_documents = results
        assert of_segments.to_dict().get("unit") is None
        assert of_documents.to_dict()["unit"] == "document"
        for form in ("text", "paper", "latex"):
            assert "documents" not in of_segments.show(form)
            assert "documents" in " ".join(of_documents.show(form).split())
    told = " ".join(fits[1].show().split())
    assert "2 folds of documents" in told or "2 folds of 8 documents" in told
    folds = _folds(known.inputs.unit.numbers(16), np.arange(16), 10, 0)
    assert len(np.unique(folds)) == 8, "a fold for each document at most"
    assert (folds[::2] == folds[1::2]).all()


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        (["a\t{n}\td{half}\t1"], ScoreColumns(), "document"),
        (["a\t{n}\td{half}\t1", "b\t{n}\t other\t1"], ScoreColumns(),
         ":3: segment 0 is of document ' other', and of 'd0' above; a segment is of one document"),
        (["a\t{n}\td{half}\t1"], ScoreColumns(document="doc"), "unknown column of .* 'doc'"),
    ],
)  # fmt: skip
def test_documents_in_a_table_of_human_scores(rows, columns, expected, tmp_path):
    file = tmp_path / "human.tsv"
    lines = [row.format(n=n, half=n // 2) + "\n" for n in range(12) for row in rows]
    file.write_text("system\tline\tdocument\tscore\n" + "".join(lines))
    if expected == "document":
        people = read_human_scores(file, 14, columns)
        assert people.unit.numbers(14).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7]
        assert people.judged_units == (6, "document")
        assert people.on(np.arange(14) < 10).drawn == "segments", "five documents are too few"
    else:
        with pytest.raises(PreorderEvalError, match=expected):
            read_human_scores(file, 14, columns)
