"""The contract of every shown result: all its forms agree, and its verdict stands in its tables.

The results are those that commands print for tiny files, and what these consist of. A class of
results that none of the commands shows fails the first test.
"""

import importlib
import json
import pkgutil
import re
from collections import defaultdict
from contextlib import chdir
from functools import cache
from html import unescape

import numpy as np
import pytest
import tiny_files

import preorder_eval
from preorder_eval import cli
from preorder_eval.base.errors import warn
from preorder_eval.base.files.writing import format_json
from preorder_eval.base.tables import Caveat, Several, Shown
from preorder_eval.base.tables.table import plain
from preorder_eval.evaluation.decision import DecidedDifference
from preorder_eval.evaluation.result import Result

OWN = "--source s.en --alignment s.align"
OUTPUTS = "--hyp outputs/ --ref ref.en"
TRAIN = f"self-train --treebank train.conllu --dev dev.conllu {OWN} --steps 1 --n 2 --resamples 9"
# These warn of nothing; the others as if their input had something odd, too.
UNWARNED = ("rules show en-vi-ud", "evaluate --reference en-ko/test --parser gold --rules none")
COMMANDS = f"""
ShownRules      {UNWARNED[0]}
Result          {UNWARNED[1]}
Result          evaluate {OWN} --trees s.conllu --rules none --rules en-ja --rules v1.toml --resamples 20
Result          evaluate {OWN} --trees s.conllu --rules en-ja --rules none --resamples 99
Result          evaluate --reference en-ko/test --parser en-web --parser gold --resamples 20
Result          score --hyp base.en --hyp new.en --hyp other.en --ref ref.en --resamples 20
Result          score --hyp new.en --hyp base.en --ref ref.en --metric wer --metric bleu
Result          score --hyp base.en --hyp new.en --ref ref.en --test koehn
Several         evaluate --reference en-ko/test --reference en-hi/test --parser gold --rules none --rules en-hi
TreeScores      evaluate --gold s.conllu --trees parsed.conllu --trees other=s.conllu
Result          evaluate --reference en-ko/test --trees ko.conllu --gold ko.conllu --resamples 5
Comparison      compare runs/after --sentences 3
Comparison      compare runs/outputs
ByParser        compare en-web 'en-web(consensus=2)' --reference constructions
Comparison      compare runs/outputs --system new --system base
Analysis        analyse runs/today --system en-web/en-ja --gold s.conllu --by label --by errors --top 20
ParsersApart    analyse runs/parsers --system one/en-ja --system two/en-ja --gold s.conllu
OutputAnalysis  analyse runs/outputs
OutputAnalysis  analyse runs/outputs --system base --system new --by length
RuleSets        rules show
Trace           rules show en-ja --reference en-ja --sentence 12 --parser gold
RuleCheck       rules check en-ko v2.toml head-final-reverse-after
ByParser        rules check en-ko --parser en-web
TreebankRules   rules learn --treebank ko.conllu --out learned-ud.toml
Ablation        rules ablate --rules en-ja --trees s.conllu {OWN} --resamples 20
Ablation        rules ablate --rules en-ja --trees s.conllu {OWN} --resamples 5 --whole
Oracle          rules oracle --rules en-ja --trees s.conllu {OWN}
LearnedRules    rules learn --trees s.conllu {OWN} --out learned.toml --folds 2
Selected        select --nbest lists.conllu {OWN} --out best.conllu
ReferenceCheck  reference check en-ja
ReferenceCheck  reference check my-set
ReferenceAgreement reference check en-ko --against en-ko@second --resamples 20
_Metrics        metrics
_OneMetric      metrics fuzzy
MetaEvaluation  meta {OUTPUTS} --human human.tsv --column judge=judge --resamples 20
MetaEvaluation  meta {OUTPUTS} --rankings judged.csv --resamples 20
SideBySide      meta {OUTPUTS} --human human.tsv --score-column score --score-column z
PaperResult     meta --table ribes-1 {OUTPUTS} --human h.tsv --resamples 20
Tuning          tune 'ribes(alpha=?)' {OUTPUTS} --human human.tsv --resamples 20
SelfTraining    {TRAIN} --out work
SeededTrainings {TRAIN} --out seeds --seeds 2
"""  # noqa: E501

ROWS = [row.split(None, 1) for row in COMMANDS.strip().splitlines()]
# Parts of the results above.
PARTS = {"Several", "MovedSentences"}
NUMBER = re.compile(r"(?<![\w.\-–/])[-+]?\d[\d,]*(?:\.\d+)?(?![\d\w–])(?!\.\d)")
FLOAT = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
FORMS = ("markdown", "latex", "html")
SLOW = ("self-train", "meta", "tune", "rules ablate", "rules check", "reference check")
SLOW += ("evaluate --ref", "score --hyp base.en", "compare runs/outputs", "compare en-web")
CASES = [
    pytest.param(line, id=f"{name}: {line[:40]}", marks=[pytest.mark.slow] * line.startswith(SLOW))
    for name, line in ROWS
]
# All tests of a command beside each other, so that one process runs it, once.
each = pytest.mark.parametrize("line", CASES, scope="module")
RESULTS = [case for case, (name, _) in zip(CASES, ROWS, strict=True) if name == "Result"]


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    with chdir(tiny_files.make(tmp_path_factory.mktemp("tiny"))):
        yield


PLANTED = "a.en has a byte-order mark; ignored"


@cache
def run(line):
    """What a command prints, and its errors, as if reading had warned: before it does anything.

    The commands `UNWARNED` are run as they are.
    """
    printed = []

    def invoke(app, context):
        if line not in UNWARNED:
            warn(PLANTED)
        return type(app).invoke(app, context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli.app, "invoke", invoke.__get__(cli.app))
        code, _, err = tiny_files.call(line, printed)
    assert code == 0, err
    return printed, err


@cache
def results(line):
    """What a command prints, and what it consists of."""
    found = [*run(line)[0]]
    for result in found:
        found += result.results if isinstance(result, Several) else []
        found += [result.sentences(2)] if hasattr(result, "told_apart") else []
    return found


def subclasses(kind):
    return {kind}.union(*map(subclasses, kind.__subclasses__()))


@pytest.mark.slow  # it imports every module
def test_every_class_of_results_is_shown_here():
    for module in pkgutil.walk_packages(preorder_eval.__path__, "preorder_eval."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    own = {k for k in subclasses(Shown) if k.__module__.startswith("preorder_eval.")}
    shown = {k.__name__ for k in own if k.tables is not Shown.tables and not k.__subclasses__()}
    assert shown == {name for name, _ in ROWS} | PARTS


@each
def test_the_fixture_is_of_its_class(line):
    [wanted] = {name for name, other in ROWS if other == line}
    assert wanted in {type(result).__name__ for result in results(line)}


def numbers(value):
    """All numbers in plain values, those in texts too."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [n for one in value for n in numbers(one)]
    if isinstance(value, str):
        return [float(n.replace(",", "")) for n in NUMBER.findall(value)]
    return [] if value is None or isinstance(value, bool) else [float(value)]


def printed(table, form):
    """The numbers of a table as a form prints them."""
    text = getattr(table.drawn(padded=form == "text"), form)()
    if form == "html":
        text = unescape(re.sub(r"<[^>]*>", " ", text))
    return sorted(NUMBER.findall(text.replace("$-$", "-").replace("\\", "")))


def values(result):
    """The numbers that programs get, without signs, and a hundred times these, as in per cent."""
    tables = [table.flat()[1] for table in result.tables() if table.only != "json"]
    return known([result.to_dict(), tables])


def known(those):
    found = np.abs(numbers(plain(those)))
    return np.unique(np.concatenate([found, 100 * found]))


def stands(number, among, decimals=7):
    """Whether a number is one of these, rounded to so many decimals."""
    after = np.searchsorted(among, abs(number))
    near = among[max(after - 1, 0) : after + 1]
    return bool((np.abs(near - abs(number)) <= 0.5001 * 10.0**-decimals).any())


@each
def test_programs_get_the_same_numbers_in_each_form(line):
    for result in results(line):
        assert result.tables() or line.startswith("rules check")  # whose purpose is the verdict
        wanted = result.to_dict()
        text = format_json(wanted)
        assert not re.search(r"\b(NaN|Infinity)\b", text)
        assert json.loads(text) == plain(wanted)
        blocks = result.show("tsv").split("\n\n")
        tables = [table for table in result.tables() if table.only != "json"]
        for table, block in zip(tables, blocks if tables else [], strict=True):
            header, *rows = (row.split("\t") for row in block.split("\n"))
            assert (header, len(rows)) == (table.flat()[0], len(table.rows))
            in_json = {round(n, 9) for n in numbers(table.records())}
            cells = [cell for row in rows for cell in row if FLOAT.fullmatch(cell)]
            assert {round(float(cell), 9) for cell in cells} <= in_json


@each
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_people_see_numbers_that_programs_get_and_the_same_in_each_form(line, whole):
    for result in results(line):
        everywhere, cells = values(result), defaultdict(list)
        for table in result.tables():
            for column in table.columns:
                cells[table.key, column.key] += table.cells(column.key)
        in_columns = {where: known(found) for where, found in cells.items()}
        for table in result.view(whole):
            for column in table.columns:
                if column.only in ("", "people") and not column.name.endswith("paper"):
                    among = in_columns.get((table.key, column.key), everywhere)
                    for row, cell in zip(table.rows, table.cells(column.key), strict=True):
                        of_row = everywhere if row[0] == "chance" else among
                        for number in [] if isinstance(cell, str) else numbers(plain(cell)):
                            assert stands(number, of_row), (table.key, column.key, number)
            as_text = printed(table, "text")
            assert all(printed(table, form) == as_text for form in FORMS), table.key
        for form in ("text", "paper", *FORMS):
            assert not re.search(r"\bnan\b|None", result.show(form, whole, digits=6))


@each
def test_nothing_is_counted_in_the_wrong_number(line):
    nouns = "sentence|word|token|rule|system|metric|document|segment|pair|construction|parser"
    for result in results(line):
        for form in ("text", "paper"):
            text = result.show(form, whole=True)
            assert not re.findall(rf"(?<![\d.,] )\b1 (?:{nouns})s\b.*", text)
            assert not re.findall(rf"\b\d+ \w+s (?:{nouns})\b.*", text)


@each
def test_a_column_that_is_marked_so_sorts_the_table(line):
    for table in (t for result in results(line) for t in result.view(whole=True)):
        for column in table.columns:
            if str(column.heading).endswith("▼"):
                at = table.at(column.key)
                cells = [row[at] for row in table.rows if row[0] != "chance"]
                found = [n[0] for n in map(numbers, plain(cells)) if n]
                assert found == sorted(found, reverse=True), (table.key, column.key)


CHANGE = re.compile(r"([+-][\d.]+) \(([\d.]+) → ([\d.]+)\)")
JUDGED = re.compile(r"(\S+) (?:orders|scores) (better|worse) than (\S+?): \S+ " + CHANGE.pattern)


def of_tests(result):
    """The numbers of the tests of a result: of each pair, and of the sentences that differ."""
    if isinstance(result, Several):
        return [n for one in result.results for n in of_tests(one)]
    result = getattr(result, "kept", result)  # of several trainings
    result = getattr(result, "comparison", result)
    result = getattr(result, "both", result)
    found = []
    for m, pairs in enumerate(result.pairs if isinstance(result, Result) else []):
        for pair in pairs:
            by = pair.difference
            found += [by.value, by.detectable, 100 * by.won, 100 * by.lost]
            found += [min(1.0, by.p * k) for k in range(1, len(result.systems))]
            one, other = (
                result.sentence_scores(result.systems[n], m) for n in (pair.first, pair.second)
            )
            found += [np.sum(one - other > 1e-9), np.sum(other - one > 1e-9)]
    return found


def counted(result):
    """How many rows tables have, and how many different values the columns of labels."""
    columns = [(t, c.key) for t in [*result.tables(), *result.view(True)] for c in t.columns]
    return [len({str(cell) for cell in t.cells(key)}) for t, key in columns] + [
        len(t.rows) for t, _ in columns
    ]


@each
def test_each_number_of_the_verdict_stands_in_the_tables(line):
    for result in results(line):
        more = np.abs([0, *of_tests(result), *counted(result)])
        among = np.unique(np.concatenate([values(result), more]))
        text = re.sub(r"p < 0\.001|at the 5% level|\S+@\S+|\S+/\S+", "", result.verdict)
        for number in NUMBER.findall(text):
            value = float(number.replace(",", ""))
            decimals = len(number.partition(".")[2])
            assert stands(value, among, decimals), (number, text)


@each
def test_the_verdict_has_the_direction_of_the_values(line):
    for result in results(line):
        for change, first, second in CHANGE.findall(result.verdict):
            off = float(second) - float(first) - float(change)
            assert abs(off) < 2.01 * 10.0 ** -len(change.partition(".")[2])
        by = getattr(result, "both", result)
        for one, kind, other, _, first, second in JUDGED.findall(result.verdict):
            if isinstance(by, Result):
                of = [by.intervals[by.labels.index(name)][0].value for name in (other, one)]
                decimals = len(first.partition(".")[2])
                assert of == pytest.approx([float(first), float(second)], abs=10.0**-decimals)
                higher = by.metrics[0].higher_is_better
                assert (kind == "better") == ((of[1] > of[0]) == higher)


def flat(text):
    """A text without line breaks, markup and what LaTeX writes otherwise."""
    text = unescape(re.sub(r"<[^>]*>|^% ", " ", text, flags=re.MULTILINE))
    return " ".join(text.replace("$", "").replace("\\", "").split())


def finding_of(result):
    """What the verdict of a result rests on; None where nothing is compared."""
    found = getattr(result, "found", None)
    return found if isinstance(found, DecidedDifference) else getattr(found, "answer", None)


def has_all(text, result, paper=False):
    """Whether a form has the decision, p, how that is corrected, and the unit that was drawn."""
    finding = finding_of(result)
    (_, unit), decision = finding.units, finding.decision
    if decision in ("cannot be shown", "same"):
        assert "p =" not in text.partition(". ")[0]
        assert decision == "same" or finding.too_few() in text
    else:
        assert finding.sure in text
        pairs = finding.comparisons
        assert pairs == 1 or f"corrected for {pairs} pairs" in text
        assert decision.kind in text
    assert unit == "sentence" or unit in text
    lower = (
        [
            n
            for n, m in zip(by_of(result).metric_names, by_of(result).metrics, strict=True)
            if not m.higher_is_better
        ]
        if by_of(result)
        else []
    )
    assert all(f"ower is better for {', '.join(lower)}" in text for _ in lower)
    if paper and finding.comparisons > 1:
        assert "95% CI" not in text.partition(" (")[2].partition(")")[0]


def by_of(result):
    """The scored systems that a result is of."""
    by = getattr(result, "both", result)
    return by if isinstance(by, Result) else None


def is_told(warning, result, text):
    """Whether a form tells a warning: in its words, by the mark †, or in those of the verdict."""
    words = warning.text.rstrip(".")
    if isinstance(result, Several) and words.startswith(tuple(result.names)):
        words = words.partition(": ")[2]  # a name stands before the whole verdict
    if warning.kind == "input":  # on standard error, as the test above sees
        return True
    if warning.kind == "learned" and "† trained, selected or tuned on" in text:
        return True
    if warning.kind == "below_chance":  # the verdict has named the metric, or judges all of them
        words = words.partition(" is ")[2]
        if "No evidence that any metric agrees with humans better than chance" in text:
            return True
    return words.lower() in text.lower()


# Words of caution; a sentence with one of them is a warning, wherever it stands.
CAUTION = re.compile(
    r"(?:^|warning: )only \d+ |has no interval|too (?:narrow|pessimistic)|are uncertain"
    r"|was tuned on|was trained on|^fewer than 90%|^warning: "
)


@each
def test_what_text_warns_of_are_warnings_for_programs(line):
    for result in results(line):
        facts = str(result.to_dict()).lower()
        notes = [note for table in result.view(whole=True) for note in table.notes]
        for note in filter(CAUTION.search, notes):
            text = note.removeprefix("warning: ")
            assert repr(text).strip("'\"").lower() in facts, note


@each
def test_warnings_of_the_input_are_in_every_form(line):
    printed, err = run(line)
    if line in UNWARNED:
        assert err == ""
        assert [result.warnings for result in printed] == [[]]
        return
    assert err.count(PLANTED) == 1
    for result in printed:
        assert Caveat("input", PLANTED) in result.warnings
        assert PLANTED in str(result.to_dict())


@each
def test_each_form_has_the_same_verdict_and_warnings(line):
    for result in results(line):
        facts, told = result.to_dict(), result.warnings
        if not isinstance(result, Several):
            assert facts["warnings"] == [warning._asdict() for warning in told]
        shown = {form: flat(result.show(form)) for form in ("text", *FORMS)}
        verdict = flat(result.verdict)
        for form, text in shown.items():
            assert verdict.replace("\\", "") in text, form
            for warning in told:
                assert is_told(warning, result, text), (form, warning)
        finding = finding_of(result)
        if finding is None:
            continue
        of = facts["verdict"]
        assert (of["decision"], of["comparisons"]) == (finding.decision, finding.comparisons)
        assert of["p"] == finding.p or np.isnan(finding.p)
        assert (of["differing"], of[f"{finding.units[1]}s"]) == (
            finding.difference.differing,
            finding.units[0],
        )
        paper = result.show("paper")
        for text in (shown["text"], shown["latex"], flat(paper)):
            has_all(text, result, paper=text is paper)
        learned = [warning.text for warning in told if warning.kind == "learned"]
        assert all(text.lower() in paper.lower() for text in learned)


@each
def test_latex_is_well_formed(line):
    """Rows have as many cells as the table has columns, labels differ, and braces are closed."""
    for result in results(line):
        text = result.show("latex")
        labels = re.findall(r"\\caption{.*}\n\\label{(.*)}", text)
        assert len({*labels}) == len(labels) == text.count(r"\end{table}")
        lines = [line for line in text.splitlines() if not line.startswith("%")]
        assert not re.search(r"(?<!\\)[#%_^]", re.sub(r"\$\^|\\label{.*}", "", "\n".join(lines)))
        for line in lines:
            plain = re.sub(r"\\[{}&\\]", "", line)
            assert plain.count("{") == plain.count("}")
            if line.startswith(r"\begin{tabular}"):
                kinds = line.removeprefix(r"\begin{tabular}").replace("@{~}", "").replace("@{}", "")
            elif line.endswith(r" \\"):
                assert plain.count("&") == len(kinds) - len("{}") - 1, line


@each
@pytest.mark.parametrize("form", ["text", *FORMS])
def test_a_caption_hides_no_facts(line, form):
    for result in results(line):
        # In LaTeX a table without a title has its label as its caption.
        shown = re.sub(r"\\caption{\w+( \w+)?}", "", result.show(form))
        words = set(re.findall(r"\w+", shown))
        assert words <= set(re.findall(r"\w+", result.show(form, caption="A title")))


@pytest.mark.slow
@pytest.mark.parametrize("line", RESULTS)
def test_scores_alone(line):
    for result in results(line):
        rows = [list(map(float, row.split())) for row in result.show("score", digits=9).split("\n")]
        values = [[interval.value for interval in row] for row in result.intervals]
        assert rows == pytest.approx(np.array(values), abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("line", RESULTS)
def test_a_report_has_the_same_verdict_and_warnings(line, tmp_path):
    result, *_ = results(line)
    preorder_eval.report(result, tmp_path / "page.html")
    page = flat((tmp_path / "page.html").read_text())
    assert flat(result.verdict) in page
    for warning in result.warnings:
        assert warning.kind == "learned" or warning.text.rstrip(".") in page, warning


@pytest.mark.slow
def test_better_and_worse_are_seen_above():
    """Else the test of directions would test nothing."""
    lines = [line for name, line in ROWS if name in ("Result", "Comparison")]
    found = {
        kind for line in lines for kind in re.findall("better|worse", results(line)[0].verdict)
    }
    assert found == {"better", "worse"}
