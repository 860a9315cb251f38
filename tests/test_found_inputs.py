"""Inputs that once gave a traceback, or a message too long to read: one line and exit code 2 now.

What was found by fuzzing and by hand is added here, so that it stays mended.
"""

import json
import shutil
from pathlib import Path

import pytest
from score_files import OF_OUTPUTS

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.cli import terminal
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.metrics import metric, metric_types
from preorder_eval.metrics.base import parameter_types
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.conllu import read_conllu

RUNS = Path(__file__).parent / "data" / "runs"
DIGITS = "9" * 5000
TREES = "1\tGo\t_\tVERB\tVB\t_\t0\troot\t_\t_\n2\thome\t_\tADV\tRB\t_\t1\tadvmod\t_\t_\n\n"
RULE = 'name = "r"\nscheme = "ud"\n'
WEIGHTED = RULE + '[[rule]]\nhead = "VERB"\nweights = [{{ label = "HEAD", weight = {} }}]\n'
EXAMPLE = RULE + '[[example]]\ntree = ["a VERB {} root"]\norder = "a"\n'
RANKED = "srclang,trglang,srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank\n"
FILES = {
    "hyp": "a b\nc d\n",
    "ref": "a b\nc e\n",
    "s.en": "Go home\n",
    "s.ja": "a b\n",
    "s.align": "0-0 1-1\n",
    "s.conllu": TREES,
    "afile": "x\n",
}
EVALUATE = ["evaluate", "--source", "s.en", "--trees", "s.conllu", "--alignment", "s.align"]
SCORE = ["score", "--hyp", "hyp", "--ref", "ref"]
TRAIN = ["train", "--train", "s.conllu", "--dev", "s.conllu", "--out", "model"]
SELF_TRAIN = ["self-train", "--treebank", "s.conllu", "--dev", "s.conllu", "--source", "s.en"]
SELF_TRAIN += ["--alignment", "s.align", "--out", "work"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with small files of every kind."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)


def refused(run, arguments, message):
    """The command says one line, after the usage or a note, and leaves nothing behind."""
    before = sorted(Path().rglob("*"))
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    *before_it, said = err.splitlines()
    assert not before_it or before_it[0].startswith(("Usage: ", "preorder-eval: note: "))
    assert message in said
    assert all(len(line) < 2000 for line in err.splitlines())
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (WEIGHTED.format(DIGITS), "own.toml: not TOML: Exceeds the limit (4300 digits)"),
        (WEIGHTED.format(DIGITS[:400]), "own.toml:5: key rule 1 weights 1 weight: must be"),
        (EXAMPLE.format(DIGITS), "own.toml:4: example 1: token 'a VERB 99999999999999"),
        (EXAMPLE.format(DIGITS[:9]), "own.toml:"),
        ('name = "r\\u0000"\nscheme = "ud"\n',
         "run: name 'rules/r\\x00.toml' leads out of the folder"),
        ('name = "../../r"\nscheme = "ud"\n', "name 'rules/../../r.toml' leads out of the folder"),
    ],
)  # fmt: skip
def test_a_rule_file(run, rules, message):
    Path("own.toml").write_text(rules)
    refused(run, [*EVALUATE, "--rules", "own.toml", "--out", "run"], message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*EVALUATE, "--resamples", "99999999999"], "'--resamples'"),
        ([*EVALUATE, "--seed", "99999999999999999999"], "'--seed'"),
        (["reference", "show", "en-ja", "--sentence", DIGITS], "no sentence '999"),
        ([*SCORE, "--metric", "x" * 10**6], "metric 'xxx"),
        ([*SCORE, "--metric", f"wer({'x' * 10**6}=1)"], "unknown parameter of wer 'xxx"),
        ([*TRAIN, "--learn-rate", "nan"], "learn_rate must be from 0 to 1000, not nan"),
        ([*TRAIN, "--steps", "99999999999999"], "steps must be from 1 to"),
        ([*SELF_TRAIN, "--learn-rate", "inf"], "learn_rate must be from 0 to 1000, not inf"),
        (["parse", "--source", "s.en", "--n", "99999999999"], "n must be from 1 to 10000"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_an_option(run, arguments, message):
    refused(run, arguments, message)


@pytest.mark.parametrize(
    "arguments",
    [
        ["parse", "--source", "s.en"],
        EVALUATE,
        SCORE,
        ["report", RUNS / "score"],
        TRAIN[:-2],
        SELF_TRAIN[:-2],
        ["reference", "build", "--source", "s.en", "--target", "s.ja", "--alignment", "s.align"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_folder_that_is_a_file(run, arguments):
    refused(run, [*arguments, "--out", "afile/x"], "afile")


def test_rankings_with_a_long_name(run):
    Path("ranked").write_text(f"{RANKED}ja,en,1,j,hyp,1,{'x' * 200_000},2\n")
    arguments = ["meta", "--hyp", "hyp", "--ref", "ref", "--rankings", "ranked"]
    refused(run, arguments, "ranked:2: field larger than field limit")


@pytest.mark.parametrize("meta", ["5", "{}", '{"version": {}}', "{"])
def test_a_pipeline_whose_meta_data_are_something_else(run, meta):
    Path("pipeline").mkdir()
    Path("pipeline/meta.json").write_text(meta)
    refused(run, ["parse", "--parser", "pipeline", "--source", "s.en"], "not a spaCy pipeline")


@pytest.mark.parametrize(
    ("name", "value"), [("parser", "a\0b"), ("parser", "../x"), ("rules", "../../x")]
)
def test_a_run_whose_files_would_be_elsewhere(run, name, value):
    shutil.copytree(RUNS / "evaluate", "run")
    said = json.loads(Path("run/run.json").read_text())
    said["systems"][0][name] = value
    Path("run/run.json").write_text(json.dumps(said))
    refused(run, ["report", "run"], "leads out of the folder")


@pytest.mark.parametrize("score", ["inf", "nan", "1e400", "-1e308", DIGITS])
@pytest.mark.parametrize("kind", ["evaluate", "score"])
def test_a_run_folder_with_other_scores(run, kind, score):
    shutil.copytree(RUNS / kind, "run")
    lines = Path("run/scores.tsv").read_text().split("\n")
    lines[1] = lines[1].rpartition("\t")[0] + "\t" + score
    Path("run/scores.tsv").write_text("\n".join(lines))
    refused(run, ["compare", "run"], "run/scores.tsv:2: ")


@pytest.mark.parametrize("name", ["trees/parsed.conllu", "rules/verb-final.toml"])
def test_a_run_folder_with_a_link_that_leads_out_of_it(run, name):
    shutil.copytree(RUNS / "evaluate", "run")
    Path("run", name).rename("elsewhere")
    Path("run", name).symlink_to(Path("elsewhere").absolute())
    refused(run, ["report", "run"], "leads out of the folder")


@pytest.mark.parametrize("read", [read_conllu, read_run, load_rules, load_reference, load_parser])
def test_a_path_with_a_null_byte(read):
    with pytest.raises(PreorderEvalError):
        read("a\0b")


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "a" * 5000],
        ["evaluate", "--parser", "a" * 5000],
        ["evaluate", "--rules", "a" * 5000],
        ["evaluate", "--reference", "a" * 5000],
        [*SCORE, "--out", "a" * 5000],
        ["score", "--ref", "ref", "--hyp", "a" * 5000],
    ],
    ids=lambda arguments: " ".join(arguments)[:20],
)
def test_a_name_too_long_for_a_file(run, arguments):
    refused(run, arguments, "File name too long")


def test_a_sentence_longer_than_any(run):
    Path("s.en").write_text("go home " * 5000 + "now\n")
    said = "sentence 1 has 10,001 tokens; parsers take at most 10,000: give one sentence per line"
    refused(run, ["--quiet", "parse", "--source", "s.en"], said)


def test_what_cannot_be_seen_is_cut_as_it_is_written_out():
    Path("s.conllu").write_text(f"# sent_id = s{400 * chr(1)}\n{300 * chr(1)}\n\n")
    with pytest.raises(PreorderEvalError, match=r"1 field instead of 10") as refusal:
        read_conllu("s.conllu")
    assert len(str(refusal.value)) < 2000
    assert "\1" not in str(refusal.value)


ENGLISH = ["The old man read a book .", "We went home at noon .", "She sold seven red boats ."] * 9
JAPANESE = ["老人は本を読んだ。", "昼に家へ帰った。", "赤い舟を七つ売った。"] * 9
APART = "outputs share no {} with their references; check that both are in the same language"


@pytest.mark.parametrize(
    ("outputs", "references", "warning"),
    [
        (JAPANESE, ENGLISH, f"of 27 longer lines, 27 {APART.format('two characters')}"),
        (ENGLISH, JAPANESE, f"of 27 longer lines, 27 {APART.format('two characters')}"),
        (["qx zv kj wy"] * 27, ENGLISH, f"of 27 longer lines, 27 {APART.format('word')}"),
        (
            ENGLISH[:1] * 27,
            ENGLISH[1:] + ENGLISH[:1],
            f"of 27 longer lines, 18 {APART.format('word')}",
        ),
        (["", " ", *ENGLISH[2:]], ENGLISH, "no output in 2 lines of 27: 1, 2"),
        ([""] * 27, ENGLISH, "no output in 27 lines of 27: 1, 2, 3, 4, 5, …"),
        (["The boats went home"] * 27, ENGLISH, ""),
        (["赤い本だ。"] * 27, JAPANESE, ""),
        (["qx zv kj wy"] * 3, ENGLISH[:3], ""),  # too few to tell
        (ENGLISH[:6] + ["qx zv kj wy"] * 2, ENGLISH[:8], ""),  # a quarter
    ],
)
def test_outputs_that_are_hardly_translations(run, outputs, references, warning):
    """Of empty output, garbage or another language a score alone tells nothing."""
    for name, lines in (("hyp", outputs), ("ref", references)):
        Path(name).write_text("".join(line + "\n" for line in lines))
    code, _, err = run(*SCORE, "--metric", "wer")
    assert code == 0
    assert err.startswith(f"preorder-eval: warning: hyp: {warning}") if warning else not err


@pytest.mark.slow
def test_a_long_command_without_a_terminal_reports_now_and_then(run, monkeypatch):
    Path("s.en").write_text("Go home\n" * 300)
    parse = ["parse", "--source", "s.en", "--no-cache"]
    said = [line for line in run(*parse)[2].splitlines() if "note: parsing" in line]
    assert said == []
    monkeypatch.setattr(terminal, "_FIRST", 0.0)
    assert "note: parsing with en-web: 128 of 300\n" in run(*parse)[2]
    monkeypatch.setattr(terminal, "_EVERY", 0.0)
    said = [line for line in run(*parse)[2].splitlines() if "note: parsing" in line]
    counts = (128, 256, 300)
    assert said == [f"preorder-eval: note: parsing with en-web: {n} of 300" for n in counts]
    assert run("--quiet", *parse)[2] == ""


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("command", [[*EVALUATE, "--rules", "none"], SCORE])
def test_fewer_than_six_sentences_have_no_interval(run, command, count):
    """`0.309 [0.309, 0.309]` would claim certainty; all of five are on one side in 6% of cases."""
    for name in ("s.en", "s.conllu", "s.align"):
        Path(name).write_bytes(Path(name).read_bytes() * count)
    for name in ("hyp", "ref"):
        Path(name).write_text("a b\n" * count)
    code, out, _ = run(*command)
    assert code == 0
    assert " [-]" in out
    told = f"only {count} sentence{'s' * (count > 1)}: no 95% intervals (at least 6 are needed)"
    assert told in out
    shown = json.loads(run(*command, "--json")[1])["systems"][0]["scores"]
    assert all((one["low"], one["high"]) == (None, None) for one in shown.values())


EXTREMES = ["-1", "0", "100", "999999999", DIGITS, "nan", "inf", "1e308", "5e-324"]


@pytest.mark.parametrize("name", OF_OUTPUTS)
def test_parameters_of_metrics(name):
    """Any number is refused or gives a score: no overflow, no table of terabytes."""
    kinds = parameter_types(metric_types()[name])
    for key in (key for key, kind in kinds.items() if "int" in str(kind) or "float" in str(kind)):
        for value in EXTREMES:
            try:
                chosen = metric(f"{name}({key}={value})")
            except PreorderEvalError:
                continue
            scores = chosen.score(["a b c", "x", "", "d"], ["b a c", "", "d", "d"])
            assert scores.corpus == scores.corpus
