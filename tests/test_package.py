"""What the package promises as a whole: what it exports, what it loads, and what it ships."""

import ast
import inspect
import re
import subprocess
import sys
from collections import Counter
from importlib import metadata
from pathlib import Path

import pytest

import preorder_eval as pe


def test_everything_exported_is_listed_and_has_an_example():
    for name in pe.__all__:
        assert name in dir(pe)
        example = inspect.getdoc(getattr(pe, name))
        # Training takes minutes, and files have examples where they are read.
        assert ">>> " in example or name in ("train", "self_train", "write_run", "Texts")


PACKAGE = Path(pe.__file__).parent
MODULES = [path for path in PACKAGE.rglob("*.py") if "bundled" not in path.parts]


def names_of(module):
    """The public names that a module defines at its top."""
    for node in ast.parse(module.read_text("utf-8")).body:
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        defined = [getattr(node, "name", ""), *(getattr(target, "id", "") for target in targets)]
        yield from (name for name in defined if name and not name.startswith("_"))


@pytest.mark.slow  # it parses all modules
def test_one_name_has_one_meaning():
    """A command's module is called as the function that it calls."""
    modules = [path for path in MODULES if "cli" not in path.parts]
    names = [path.stem for path in modules if not path.stem.startswith("__")]
    defined = [name for path in modules for name in {*names_of(path)}]
    for stand in (names, defined):
        assert [name for name, count in Counter(stand).items() if count > 1] == []


def test_a_verb_is_a_file():
    """`pe.score` is `score.py`; what reads or writes files stands with what it reads."""
    for name, module in pe.HOMES.items():
        room, stem = module.split(".", 1)[1], module.rpartition(".")[2]
        if not name[0].isupper() and stem not in (name, f"{name}s"):
            verb, _, noun = name.partition("_")
            assert verb in ("read", "write", "load"), (name, module)
            assert noun.rstrip("s") in room or stem.startswith(f"{verb}_"), (name, module)


def test_the_stub_names_the_same_modules():
    """The stub is for type checkers, the table for those who import."""
    given = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8")).body
    stub = {n.names[0].name: n.module for n in given if isinstance(n, ast.ImportFrom)}
    assert stub.pop("__version__") == "preorder_eval.base.version"
    assert stub == pe.HOMES


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'metrics_'"):
        pe.metrics_  # noqa: B018


def test_public_names_alone_are_imported_given_and_read_by_templates():
    """Ruff sees to what modules read. A keyword of an own class stands in its own module."""
    package = Path(pe.__file__).parent
    for template in package.rglob("*.jinja"):
        assert not re.search(r"[\w)\]]\._[a-z]", template.read_text("utf-8")), template.name
    for module in package.rglob("*.py"):
        text = module.read_text("utf-8")
        assert not re.search(r"^\s*from preorder_eval\S* import .*\b_[a-z]", text, re.M), module
        for given in set(re.findall(r"^ +(_[a-z]\w*)=", text, re.M)):
            assert f"{given}:" in text, (module, given)


def test_matrices_are_multiplied_where_false_alarms_are_silenced():
    package = Path(pe.__file__).parent
    found = [
        module.relative_to(package).as_posix()
        for module in package.rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.MatMult)
        or (isinstance(node, ast.Attribute) and node.attr in {"dot", "einsum", "matmul"})
    ]
    assert sorted(found) == ["base/arrays.py", "parsers/products.py"]


def modules_after(code, folder=None):
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split("\n")[-2].split())


@pytest.mark.slow
def test_scoring_does_not_load_spacy():
    code = (
        "import preorder_eval as pe\n"
        "reference = pe.load_reference('en-ja')\n"
        "orders = pe.load_rules('en-ja').reorder(reference.trees)\n"
        "pe.metric('fuzzy').score(orders, reference.references, reference.source)"
    )
    assert not modules_after(code) & {"spacy", "networkx", "scipy"}


@pytest.mark.slow
def test_rule_tools_do_not_load_spacy_or_networkx():
    loaded = modules_after("import preorder_eval.cli.rules_scored")
    assert "preorder_eval.analysis.ablate" in loaded
    assert not loaded & {"spacy", "networkx", "scipy"}


@pytest.mark.slow
def test_scoring_outputs_loads_no_parsers_rules_or_reference_folders():
    loaded = modules_after("import preorder_eval as pe\npe.score(['a b'], ['a c'], ['wer'])")
    parts = {name.removeprefix("preorder_eval.").partition(".")[0] for name in loaded}
    assert not parts & {"parsers", "rules"}
    heavy = {"trees.conllu", "references.reference_folder", "base.files.schema"}
    assert not loaded & {f"preorder_eval.{name}" for name in heavy}
    assert "preorder_eval.evaluation.parsed" in modules_after(
        "import preorder_eval as pe\npe.Parsed.by('en-web', [['fish']]).reordered('none')"
    )


FILES = {
    "s.en": "he ate the red fish\nshe reads a book\n",
    "good.en": "he ate the red fish\nshe reads books\n",
    "s.align": "0-0 1-1 2-2 3-3 4-4\n0-3 1-2 2-1 3-0\n",
    "o.order": "0 1 2 3 4\n3 2 1 0\n",
    "human.tsv": "system\tline\tscore\ngood\t0\t9\ngood\t1\t8\ns\t0\t1\ns\t1\t5\n",
}
OWN = "--source s.en --alignment s.align --resamples 10"
DRAWN = {"click", "numpy", "rich"}
SCORED = {*DRAWN, "colorama", "lxml", "portalocker", "rapidfuzz", "regex", "sacrebleu", "tabulate"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("commands", "packages"),
    [
        (["--help", "rules --help"], {"click"}),
        (
            [
                f"evaluate {OWN} --orders o.order",
                "evaluate --parser gold --reference en-ko --rules none --resamples 10",
                "score --hyp good.en --ref s.en --metric ribes(tokenize=none) --resamples 10",
                "rules show",
                "reference show en-ko",
            ],
            DRAWN,
        ),
        pytest.param(["score --hyp good.en --ref s.en --resamples 10 --metric bleu --metric ribes"],
            SCORED, marks=pytest.mark.slow),
        pytest.param(["meta --hyp good.en --hyp s.en --ref s.en --human human.tsv --metric ribes"],
            {*SCORED, "charset_normalizer", "jinja2", "markupsafe"},
            marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_commands_import_no_more_packages_than_they_need(tmp_path, commands, packages):
    """Quick to start: what is imported is held, as times depend on the machine."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    code = (
        "import sys\nfrom preorder_eval.cli import main\n"
        f"for command in {commands}:\n"
        "    sys.argv = ['preorder-eval', *command.split()]\n"
        "    try: main()\n    except SystemExit as stop: assert not stop.code"
    )
    installed = {name for name in metadata.packages_distributions() if name[0] != "_"}
    modules = modules_after(code, tmp_path)
    assert not modules & {"multiprocessing", "preorder_eval.learning.learn_rules"}
    imported = {name.partition(".")[0] for name in modules}
    # tabulate takes wcwidth where something else has installed it
    assert (imported & installed) - {"preorder_eval", "cython_runtime", "wcwidth"} <= packages


def test_the_command_line_runs_as_a_module():
    command = [sys.executable, "-m", "preorder_eval", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout == f"preorder-eval {pe.__version__}\n"


def test_the_citation_and_the_changelog_are_of_this_version_and_of_one_day():
    root = Path(__file__).parent.parent
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    [day] = re.findall(r'^date-released: "(.*)"$', citation, re.MULTILINE)
    assert f"\nversion: {pe.__version__}\n" in citation
    newest = re.search(r"^## .*", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest
    assert newest[0] == f"## {pe.__version__} ({day})"


def test_nothing_but_the_interface_is_listed():
    assert dir(pe) == sorted(set(pe.__all__))
    assert len(dir(pe)) <= 50


@pytest.mark.slow
def test_what_holds_a_corpus_prints_as_one_line(bundled_reference):
    result = pe.evaluate(bundled_reference, parsers=["gold"], rules=["none"], resamples=10)
    inputs = result.inputs
    for thing in (bundled_reference, bundled_reference.trees, bundled_reference.alignments):
        assert len(repr(thing)) < 100
    for thing in (inputs, inputs.systems[0], inputs.of(0).orders):
        assert len(repr(thing)) < 120
    assert "parser gold" in repr(result)
    assert "<table>" in result._repr_html_()
    assert result.to_pandas(wide=True)["rules"].tolist() == ["none"]
