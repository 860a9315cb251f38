"""A folder of mt-metrics-eval, small and made up, against scipy and its own conventions."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import scipy

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.judgments.correlation import groups as grouped
from preorder_eval.judgments.meta import meta_of_stored
from preorder_eval.judgments.mt_metrics_eval import EvalSet
from preorder_eval.judgments.side_by_side import SideBySide
from preorder_eval.judgments.statistic import agreement

SYSTEMS = ("Lan-A", "Online-B", "M2_1.2B", "poor")
SEGMENTS = 30
WORDS = ["the", "cat", "sat", "on", "a", "mat", "with", "one", "red", "hat"]


def blocks(table):
    lines = (
        f"{name}\t{'None' if np.isnan(value) else repr(float(value))}\n"
        for name, row in table.items()
        for value in row
    )
    return "".join(lines)


class Stored:
    """What is written to a folder `wmt99` for xx-en."""

    def __init__(self, seed=0):
        rng = np.random.default_rng(seed)
        quality = rng.normal(size=(4, SEGMENTS)) + np.linspace(1, 0, 4)[:, None]
        human = (quality + rng.normal(size=quality.shape)).round(1)
        human[:, 5:8] = np.nan
        human[1, :4] = np.nan
        self.mqm = dict(zip(SYSTEMS, human, strict=True))
        full = np.where(np.arange(SEGMENTS) < 25, quality, np.nan)
        self.full = dict(zip(SYSTEMS, full, strict=True))
        fine = quality + 0.5 * rng.normal(size=quality.shape)
        coarse = (quality + 2 * rng.normal(size=quality.shape)).round()
        coarse[:, 10] = 1.0  # constant there
        self.metrics = {
            "COMET-x-refA": dict(zip(SYSTEMS, fine, strict=True)),
            "Count-refA": dict(zip(SYSTEMS, coarse, strict=True)),
            "Kiwi-src": dict(zip(SYSTEMS, fine[::-1], strict=True)),
            "COMET-x-refB": dict(zip(SYSTEMS, -fine, strict=True)),
        }
        # As of a corpus metric: other values than the means.
        self.corpus = {"COMET-x-refA": dict(zip(SYSTEMS, [4.0, 3.5, 2.0, 2.5], strict=True))}
        self.ratings = dict(zip(SYSTEMS, [-1.0, -1.5, -3.0, -2.0], strict=True))
        self.texts = {
            name: [" ".join(rng.permutation(WORDS)[: 9 - n]) for _ in range(SEGMENTS)]
            for n, name in enumerate((*SYSTEMS, "refA", "refB"))
        }

    def write(self, folder):
        base = folder / "wmt99"
        files = {
            "documents/xx-en.docs": "".join(f"news d{n // 5}\n" for n in range(SEGMENTS)),
            "sources/xx-en.txt": "s\n" * SEGMENTS,
            "human-scores/xx-en.mqm.seg.score": blocks(self.mqm),
            "human-scores/xx-en.full.seg.score": blocks(self.full),
            "human-scores/xx-en.mqm.sys.score": blocks({s: [v] for s, v in self.ratings.items()}),
            "human-scores/yy-en.mqm.seg.score": "nobody\t1\n",
        }
        for name, text in self.texts.items():
            lines = "".join(line + "\n" for line in text)
            files[f"system-outputs/xx-en/{name}.txt"] = lines
            if name.startswith("ref"):
                files[f"references/xx-en.{name}.txt"] = lines
        for name, table in self.metrics.items():
            files[f"metric-scores/xx-en/{name}.seg.score"] = blocks(table)
        for name, values in self.corpus.items():
            own = blocks({s: [v] for s, v in values.items()})
            files[f"metric-scores/xx-en/{name}.sys.score"] = own
        files["metric-scores/xx-en/OnlySys-refA.sys.score"] = own
        for path, text in files.items():
            (base / path).parent.mkdir(parents=True, exist_ok=True)
            (base / path).write_text(text)
        return base / "xx-en"


@pytest.fixture
def stored():
    return Stored()


@pytest.fixture
def folder(stored, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return stored.write(tmp_path)


def table(of_systems):
    return np.stack([of_systems[name] for name in sorted(SYSTEMS)])


def test_what_is_read(stored, folder):
    found = EvalSet.of(folder)
    assert (found.segments, found.standard_reference, found.standard_score) == (30, "refA", "mqm")
    people = found.judgments()
    assert people.systems == tuple(sorted(SYSTEMS)), "outputs without human scores are no systems"
    np.testing.assert_array_equal(people.means, table(stored.mqm))
    assert people.ratings.tolist() == [stored.ratings[name] for name in sorted(SYSTEMS)]
    metrics = {metric.name: metric for metric in found.stored_metrics(people.systems)}
    assert set(metrics) == {"COMET-x", "Count", "Kiwi-src"}, "of this reference, or of none"
    np.testing.assert_array_equal(metrics["Count"].segments, table(stored.metrics["Count-refA"]))
    assert metrics["Count"].systems is None
    np.testing.assert_array_equal(metrics["COMET-x"].systems, table(stored.corpus["COMET-x-refA"]))
    other = found.stored_metrics(people.systems, "refB")
    assert [metric.name for metric in other] == ["COMET-x", "Kiwi-src"]
    few = found.judgments(without=["poor"])
    assert few.systems == tuple(sorted(SYSTEMS[:3]))
    assert few.ratings.tolist() == [stored.ratings[name] for name in sorted(SYSTEMS[:3])]


def test_scores_of_systems_are_those_that_are_stored(stored, folder):
    result = meta_of_stored(EvalSet.of(folder), by="system.pearson", resamples=20)
    people = [stored.ratings[name] for name in sorted(SYSTEMS)]
    comet = [stored.corpus["COMET-x-refA"][name] for name in sorted(SYSTEMS)]
    means = table(stored.metrics["Count-refA"]).mean(axis=1)
    found = result.statistics["system.pearson"].values
    assert found[:2] == pytest.approx([scipy.stats.pearsonr(x, people)[0] for x in (comet, means)])
    rows = result.to_dict()["systems"]
    assert [row["humans"] for row in rows] == people
    assert all(row["low"] is None for row in rows), "the segments' scores say other things"


def test_stored_scores_are_compared_to_the_last_digit(stored, folder):
    """18.3 and 18.300000000000001 are no tie there; for scores that are computed here they are."""
    noisy = {name: np.full(SEGMENTS, 18.3 + 4e-15 * n) for n, name in enumerate(SYSTEMS)}
    stored.metrics["COMET-x-refA"] = noisy
    stored.mqm = {name: np.full(SEGMENTS, -float(n)) for n, name in enumerate(SYSTEMS)}
    stored.write(folder.parent.parent)
    result = meta_of_stored(EvalSet.of(folder), resamples=20)
    assert result.statistics["pairs.wmt14"].values[0] == -1
    assert agreement("pairs.wmt14", result.metrics[:1], result.judgments)[0] == 0


def test_systems_without_scores_get_none(stored, folder):
    """As mt-metrics-eval repairs them; it is said."""
    for name in ("poor", "Lan-A"):
        del stored.metrics["Count-refA"][name]
    stored.write(folder.parent.parent)
    result = meta_of_stored(EvalSet.of(folder), resamples=20)
    assert "Count has no scores for Lan-A, poor: 0, as in mt-metrics-eval" in result.notes
    assert not result.metrics[1].segment_scores()[0].any()


def test_on_the_command_line(run, good, stored, folder):
    own = ["meta", "--mt-metrics-eval", "wmt99/xx-en", "--resamples", 20]
    out = good(*own)
    names = {line.split()[0] for line in out.split("\n\n")[1].splitlines()[1:]}
    assert names == {"COMET-x", "Count", "Kiwi-src", "chance"}
    assert "note: human score mqm, reference refA" in out
    assert "4 systems, 30 segments of 6 documents, 104 judgments" in out
    result = json.loads(run(*own, "--protocol", "wmt24-segment", "--json")[1])
    assert (result["by"], result["test"]) == ("within-segment.acc_eq", "PERM-BOTH")
    assert "3 systems" in run(*own, "--without", "poor")[1]
    out = good(*own, "--ref", "refB")
    assert "Count" not in out


def test_metrics_that_are_computed_here_stand_beside_them(run, good, stored, folder):
    own = ["meta", "--mt-metrics-eval", "wmt99/xx-en", "--resamples", 20, "--json"]
    out = good(*own, "--metric", "wer")
    rows = {row["metric"].partition("(")[0]: row for row in json.loads(out)["metrics"]}
    assert {name.partition("=")[0] for name in rows} == {"scores", "wer"}
    lines = judged(stored.mqm, "{name}\t{n}\t{document}\t{value}\n")
    Path("h.tsv").write_text("system\tline\tdoc\tscore\n" + "".join(lines))
    own = [*TEXTS, "--human", "h.tsv", "--column", "document=doc", "--metric", "wer"]
    direct = run("meta", *own, "--resamples", 20, "--json")
    [wer] = json.loads(direct[1])["metrics"]
    for name in ("pairs.consistency", "within-segment.acc_eq", "segment.pearson"):
        found, expected = (row["statistics"][name] for row in (rows["wer"], wer))
        assert found["value"] == pytest.approx(expected["value"])


TEXTS = [part for n in SYSTEMS for part in ("--hyp", f"wmt99/system-outputs/xx-en/{n}.txt")]
TEXTS += ["--ref", "wmt99/references/xx-en.refA.txt"]


def judged(scores, line="{name}\t{n}\t{value}\n"):
    """Lines of a file of human scores."""
    return [
        line.format(name=name, n=n, document=n // 5, value=value, negative=-value)
        for name, row in scores.items()
        for n, value in enumerate(row)
        if not np.isnan(value)
    ]


@pytest.mark.slow
def test_several_human_scores_stand_beside_each_other(run, good, stored, folder):
    own = ["meta", "--mt-metrics-eval", "wmt99/xx-en", "--resamples", 20]
    both = ["--score-column", "mqm", "--score-column", "full"]
    out = good(*own, *both)
    assert out.startswith("mqm: COMET-x has the highest pairs.accuracy 0.723")
    result = json.loads(run(*own, *both, "--json")[1])
    for name in ("mqm", "full"):
        alone = json.loads(run(*own, "--score-column", name, "--json")[1])
        assert result["human_scores"][name] == alone
        values = {m["metric"]: m["statistics"]["segment.kendall"] for m in alone["metrics"]}
        found = {row["metric"]: row[name] for row in result["scores"]["segment.kendall"]}
        assert {name: scores | {"chance": 0} for name, scores in found.items()} == values


def test_language_pairs_pool_their_pairs_of_systems(good, stored, folder):
    """As in the task of WMT 2022: 5 of 6 pairs and 3 of 3 are 8 of 9, and no mean of shares."""
    stored.ratings |= {"M2_1.2B": -2.0, "poor": -3.0}
    stored.write(folder.parent.parent)
    for file in folder.parent.rglob("*xx-en*"):
        copy = file.with_name(file.name.replace("xx-en", "zz-en"))
        (shutil.copytree if file.is_dir() else shutil.copy)(file, copy)
    for level in ("seg", "sys"):
        file = folder.parent / f"human-scores/zz-en.mqm.{level}.score"
        kept = [line for line in file.read_text().splitlines() if not line.startswith("poor")]
        file.write_text("\n".join(kept) + "\n")
    own = ["meta", "--mt-metrics-eval", "wmt99/{pair}", "--resamples", 20]
    own += ["--by", "system.accuracy"]
    out = good(*own, "--pair", "xx-en", "--pair", "zz-en", "--json")
    [comet] = [r for r in json.loads(out)["mean"]["system.accuracy"] if "COMET" in r["metric"]]
    assert (comet["xx-en"], comet["zz-en"]) == pytest.approx((5 / 6, 1))
    assert comet["mean"] == pytest.approx(8 / 9)
    by_pair = meta_of_stored(EvalSet.of(folder), level=1.0, resamples=100)
    wide = SideBySide.of_pairs({"a": by_pair})
    assert wide.groups == grouped(wide.p, wide.order, 1.0) == [1, 2, 3], "the protocol's level"


def test_the_task_s_own_reference_and_outliers(stored, tmp_path):
    """As mt-metrics-eval's meta_info has them."""
    base = stored.write(tmp_path).parent
    base.rename(tmp_path / "wmt21.news")
    for file in (tmp_path / "wmt21.news").rglob("*xx-en*"):
        file.rename(file.with_name(file.name.replace("xx-en", "zh-en")))
    assert EvalSet.of(tmp_path / "wmt21.news" / "zh-en").standard_reference == "refB"


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("metric-scores/xx-en/Count-refA.seg.score", "poor\tNone\n" * 30,
         "'None' of poor is not a score"),
        ("metric-scores/xx-en/Count-refA.seg.score", "poor 1\n" * 29,
         "29 scores of poor instead of 30"),
        ("metric-scores/xx-en/Count-refA.seg.score", "worst 1\n",
         "Count-refA.seg.score:1: scores of worst, which has no output"),
        ("human-scores/xx-en.mqm.seg.score", "poor 1\npoor nan\n",
         "mqm.seg.score:2: 'nan' of poor is not a score; write a number, or None"),
        ("human-scores/xx-en.mqm.seg.score", "poor 1\npoor\n", "mqm.seg.score:2"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_the_line(stored, folder, file, text, message):
    (folder.parent / file).write_text(text)
    with pytest.raises(FormatError) as caught:
        meta_of_stored(EvalSet.of(folder), resamples=5)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("documents/*", "xx-en.docs: is not a test set of mt-metrics-eval"),
        ("system-outputs/xx-en/*", "wmt99: no outputs of xx-en"),
        ("references/xx-en.*", "wmt99: no references of xx-en"),
        ("human-scores/xx-en.*", "wmt99: no human scores of xx-en"),
        ("human-scores/xx-en.*.seg.score", "wmt99: no human scores of segments"),
    ],
)
def test_what_is_missing_is_named(folder, missing, message):
    for file in folder.parent.glob(missing):
        file.unlink()
    with pytest.raises(FormatError, match=message):
        meta_of_stored(EvalSet.of(folder), resamples=5)


def test_unknown_names_and_scores_of_systems_alone_are_refused(folder):
    (folder.parent / "human-scores/xx-en.sqm.sys.score").write_text("poor\t1\n")
    (folder.parent / "human-scores/xx-en.none.seg.score").write_text("poor\tNone\n" * 30)
    stored = EvalSet.of(folder)
    for options, message in (
        ({"score": "nope"}, "unknown human score of wmt99/xx-en 'nope'"),
        ({"reference": "nope"}, "unknown reference of wmt99/xx-en 'nope'"),
        ({"without": ["nope"]}, "unknown system of wmt99/xx-en 'nope'"),
        ({"score": "sqm"}, "wmt99: human score sqm has no values for segments; choose another"),
        ({"score": "none"}, "human score none: no system has any"),
    ):
        with pytest.raises(PreorderEvalError, match=message):
            stored.judgments(**options)
