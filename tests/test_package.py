"""What the package promises as a whole: what it exports, what it loads, and what it ships."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import preorder_eval as pe


@pytest.mark.parametrize("name", pe.__all__)
def test_everything_exported_is_there_and_documented(name):
    assert getattr(pe, name).__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'metrics_'"):
        pe.metrics_  # noqa: B018


def test_the_example_of_the_documentation():
    reference = pe.reference_order([(0, 2), (1, 0)], source_length=3)
    assert reference == [[1], [0], [2]]
    tokens = ["reads", "books", "."]
    fuzzy = pe.metric("fuzzy")
    scores = fuzzy.score([[1, 0, 2]], [reference], words=[tokens])
    assert scores.sentence.tolist() == [1.0]
    assert scores.sentence.dtype == "float64"
    assert (scores.corpus, str(fuzzy)) == (1.0, "fuzzy(match=word)")
    trees = pe.load_parser("en-web").parse([tokens])
    assert pe.load_rules("en-ja").reorder(trees)[0] == [1, 0, 2]


def modules_after(code, folder=None):
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split("\n")[-2].split())


def test_help_loads_nothing_heavy():
    code = "from preorder_eval.cli import app\ntry: app(['--help'])\nexcept SystemExit: pass"
    assert not modules_after(code) & {"numpy", "spacy", "networkx", "scipy", "pydantic"}


def test_scoring_does_not_load_spacy():
    code = (
        "import preorder_eval as pe\n"
        "reference = pe.load_reference('en-ja')\n"
        "orders = pe.load_rules('en-ja').reorder(reference.trees)\n"
        "pe.metric('fuzzy').score(orders, reference.references, reference.source)"
    )
    assert not modules_after(code) & {"spacy", "networkx", "scipy"}


COMMANDS = [
    "evaluate --parser gold --rules none --rules en-ja --out run",
    "compare run/en-ja-web-dev",
    "score --hyp good.en --hyp bad.en --ref right.en --out scored",
    "compare scored",
    "meta --hyp good.en --hyp bad.en --ref right.en --scores human.tsv --metric ribes --metric per",
]


@pytest.mark.slow
def test_commands_that_parse_nothing_do_not_load_spacy(tmp_path):
    (tmp_path / "right.en").write_text("he ate the red fish\nshe reads a book\n")
    (tmp_path / "good.en").write_text("he ate the red fish\nshe reads books\n")
    (tmp_path / "bad.en").write_text("fish red ate the he\na book she reads\n")
    rows = ["system line score", "good 0 9", "good 1 8", "bad 0 1", "bad 1 5"]
    (tmp_path / "human.tsv").write_text("".join(row.replace(" ", "\t") + "\n" for row in rows))
    code = (
        "import sys\n"
        "from preorder_eval.cli import app\n"
        f"for command in {COMMANDS}:\n"
        "    app(command.split(), standalone_mode=False)\n"
        "    assert not sys.modules.keys() & {'spacy', 'thinc', 'networkx'}, command"
    )
    assert "preorder_eval.metrics.ribes" in modules_after(code, tmp_path)


def test_the_command_line_runs_as_a_module():
    command = [sys.executable, "-m", "preorder_eval", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout == f"preorder-eval {pe.__version__}\n"


def test_the_citation_is_of_this_version():
    citation = Path(__file__).parent.parent / "CITATION.cff"
    assert f"\nversion: {pe.__version__}\n" in citation.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", pe.__all__)
def test_every_name_is_listed_and_has_an_example(name):
    assert name in dir(pe)
    example = inspect.getdoc(getattr(pe, name))
    # Training takes minutes, and an error format is the base of the other.
    assert ">>> " in example or name == "train"


def test_no_public_function_returns_just_anything():
    for name in pe.__all__:
        thing = getattr(pe, name)
        functions = vars(thing).items() if isinstance(thing, type) else [(name, thing)]
        for member, function in functions:
            function = getattr(function, "__func__", function)
            if not member.startswith("_") and inspect.isfunction(function):
                returned = str(function.__annotations__.get("return", "nothing said"))
                # A default of a field is no function of the interface.
                assert function.__name__ == "<lambda>" or returned not in ("Any", "nothing said")


def test_what_holds_a_corpus_prints_as_one_line(bundled_reference):
    result = pe.evaluate(bundled_reference, parsers=["gold"], rules=["none"], resamples=10)
    inputs = result.inputs
    for thing in (bundled_reference, bundled_reference.trees, bundled_reference.alignments):
        assert len(repr(thing)) < 100
    for thing in (inputs, inputs.systems[0], inputs.of(0).orders, pe.analyse(result)):
        assert len(repr(thing)) < 120
    assert len(repr(result).splitlines()) == 2
    assert "<table>" in result._repr_html_()
    assert result.to_pandas()["rules"].tolist() == ["none"]
