"""All pairs of options of each command on tiny files: a result, or one line of what is wrong.

The quick stage runs a sample of them that is always the same, the slow stage another; and with it
the examples of every command's help.
"""

import os
import random
import re
import shlex
from contextlib import chdir
from itertools import combinations

import click
import pytest
import tiny_files
from test_command_line import SINGLE

OWN = "--source s.en --alignment s.align"
OUTPUTS = "--hyp outputs/ --ref ref.en --metric wer --metric ribes --resamples 3"
HUMAN = f"{OUTPUTS} --human human.tsv"
BASES = f"""
evaluate --trees s.conllu --reference my-set --resamples 3
evaluate {OWN} --rules en-ja --resamples 3
evaluate {OWN} --orders out.order --resamples 3
evaluate --gold s.conllu --trees parsed.conllu
compare runs/before runs/after --system s/none --system s/none --resamples 3
compare runs/outputs --resamples 3
compare runs/refs --system gold/none --system gold/en-tr --resamples 3
compare v1.toml v2.toml --reference my-set --resamples 3
compare s.conllu parsed.conllu --reference my-set --resamples 3
compare s.conllu out.order {OWN} --rules en-ja --resamples 3
analyse runs/today --system en-web/en-ja
analyse runs/outputs --system base
analyse runs/outputs
report runs/after --out REPORT
report runs/outputs --out REPORT
rules show
rules show en-ja
rules show en-ja --sentence 3
rules check en-ja
rules ablate --rules en-ja --reference my-set --trees s.conllu --whole --resamples 3
rules ablate --rules en-ja --trees s.conllu {OWN} --resamples 3
rules oracle --rules en-ja --trees s.conllu {OWN}
rules learn --trees s.conllu {OWN} --out RULES.toml
reorder --rules en-ja
reorder --rules en-ja --trees s.conllu
parse
parse --source s.en --out TREES
select --nbest lists.conllu {OWN} --out TREES
select --parser en-web --n 2 --reference my-set --out TREES
train --train train.conllu --dev dev.conllu --out MODEL --steps 1
reference build --source s.en --target s.ja --out SET
reference build --source s.en --target s.ja --alignment s.align --out SET
reference build --blind my-set --out SET
reference export --standoff en-ko --out SET
reference check my-set
reference check en-ko --against en-ko@second --resamples 3
reference show
reference show my-set
align s.en s.ja --force
align s.align --from pharaoh --source s.en --target s.ja
score --hyp base.en --ref ref.en --resamples 3 --metric wer
score --hyp base.en --hyp new.en --ref ref.en --resamples 3 --metric hlepor --metric bleu
score --hyp base.en --ref ref.en --source src.ja --input hyp_alignment=base.align --input ref_alignment=ref.align --metric lrscore --resamples 3
metrics
metrics ribes
meta {HUMAN}
meta {OUTPUTS} --rankings judged.csv
meta --run runs/outputs --human human.tsv --resamples 3
meta --table ribes-1 --hyp outputs/ --ref ref.en --human human.tsv --resamples 3
tune ribes(alpha=?) --hyp outputs/ --ref ref.en --human human.tsv --resamples 3
manual rules
"""  # noqa: E501
LINES = BASES.strip().splitlines()
# Values of options that do not say themselves which they have, and of some that would take long.
VALUES = {
    "against": "base", "align": "agree", "aligner": "agree", "alignment": "s.align",
    "alignment_format": "pharaoh", "beam": "2", "blind": "my-set",
    "by": "label", "compat": "lader", "data": "x", "documents": "ref.en",
    "evaluate_every": "1", "folds": "2", "gate": "fuzzy:-0.5",
    "gold": "s.conllu", "human": "human.tsv", "hyp": "other.en", "input": "source=src.ja",
    "jobs": "1", "column": "judge=judge", "language": "en",
    "learn_rate": "0.1", "like": "my-set", "lower": "0.5",
    "metric": "kendall", "name": "x",
    "nbest": "lists.conllu", "new": "en-hi", "orders": "out.order", "out": "OUT",
    "pair": "de-en", "parser": "gold", "protocol": "wmt23",
    "quality_estimation": None, "rankings": "judged.csv", "ref": "ref2.en",
    "reference": "my-set",
    "resume": "en-web", "rules": "none", "run": "runs/outputs", "run_b": "runs/after",
    "scheduler": None, "score_column": "z", "scores": "comet.json", "sentence": "2",
    "source": "s.en", "source_language": "en",
    "split": "test", "standoff": "my-set",
    "start": "en-ja", "system": "new", "system_alignment": "s.align",
    "table": "lepor-1", "tagger": "en-web", "target": "s.ja", "target_language": "ja",
    "tokenize": "char", "train_source": "s.en", "train_target": "s.ja",
    "trees": "parsed.conllu", "without": "base",
}  # fmt: skip
OF_COMMANDS = {
    "analyse": {"by": "length", "source": "src.ja"},
    "meta": {"by": "system.spa", "source": "src.ja", "metric": "bleu"},
    "report": {"source": "src.ja"},
    "rules show": {"reference": "en-ja"},
    "score": {"source": "src.ja", "metric": "bleu"},
    "tune": {"objective": "system.pearson", "source": "src.ja"},
}
# A cluster, and a server: they are tested by themselves.
ELSEWHERE = {"engine", "scheduler", "port", "mt_metrics_eval"}
NEW = re.compile(r"\b(OUT|REPORT|RULES|TREES|MODEL|SET|NEW)\b")
MORE = int(os.environ.get("PREORDER_EVAL_PAIRS", "5"))
GIVEN = str | bool | tuple | list  # what click reads; other values stand for arguments left out


def written(name, parameter):
    """An option with a value, as it is written."""
    kind, flag = parameter.type, parameter.opts[-1]
    if parameter.is_flag:
        return [flag]
    value = OF_COMMANDS.get(name, {}).get(parameter.name, VALUES.get(parameter.name))
    if value is None and isinstance(kind, click.Choice):
        value = str(kind.choices[-1])
    elif value is None:
        value = str(max(getattr(kind, "min", None) or 0, 1))
    return [flag, value]


def lines(base):
    """The command lines of all pairs of options that are not refused as they stand."""
    words = base.split()
    name = max((n for n in SINGLE if base.startswith(n)), key=len)
    command = SINGLE[name]
    options = [
        written(name, p)
        for p in command.params
        if isinstance(p, click.Option) and p.name not in ELSEWHERE and p.opts[-1] not in words
    ]
    for pair in [*([one] for one in options), *combinations(options, 2)]:
        line = [*words, *(word for one in pair for word in one)]
        context = click.Context(command, info_name=name)
        after = line[len(name.split()) :]
        values, _, order = command.make_parser(context).parse_args(args=list(after))
        given = {p.name: values[p.name] for p in order if isinstance(values[p.name], GIVEN)}
        if not command.idle(given):
            yield line


def wrong(line, number):
    """What is wrong with what a command line does; empty if nothing is."""
    line = [NEW.sub(rf"\1-{number}", word) for word in line]
    try:
        code, out, err = tiny_files.call(line)
    except Exception as error:  # a finding, which is told with its command line
        return f"{shlex.join(line)}\n  {error!r}"
    said = r"^preorder-eval: (?!warning|note).*\n"
    errors, found = re.findall(said, err, re.MULTILINE), ""
    if code not in (0, 2) and not (code == 1 and ("--gate" in line or "check" in line)):
        found = f"exit {code}"
    elif code == 2 and (
        not err.endswith(errors[-1]) or len(errors) > 1 + ("--verbose" in line) * 99
    ):
        found = f"not one line: {err}"
    elif code == 2 and out:
        found = "an error below output"
    elif re.search(r"(?<![\w-])(nan|NaN)(?![\w-])", out):
        found = "nan"
    return f"{shlex.join(line)}\n  {found}" if found else ""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_files.make(tmp_path_factory.mktemp("tiny"))


@pytest.mark.slow
@pytest.mark.parametrize("base", LINES)
def test_a_line_gives_a_result_as_it_stands(folder, base):
    with chdir(folder):
        code, _, err = tiny_files.call(
            [NEW.sub(rf"\1-{LINES.index(base)}", word) for word in base.split()]
        )
    assert (code, "Traceback" in err) == (0, False), err


@pytest.mark.slow
@pytest.mark.parametrize("base", LINES)
def test_more_pairs_of_options(folder, base):
    """Another sample of each line; `.ci/run pairs` takes all of them."""
    chosen = list(lines(base))
    chosen = random.Random(f"more {base}").sample(chosen, min(MORE, len(chosen)))
    with chdir(folder):
        found = (wrong(line, f"{LINES.index(base)}a{n}") for n, line in enumerate(chosen))
        assert not list(filter(None, found))


def test_every_command_has_a_line_here():
    served = {"watch", "reference edit", "self-train"}  # the last in test_shown and its own tests
    assert {n for n in SINGLE if any(line.startswith(n) for line in LINES)} | served == {*SINGLE}
