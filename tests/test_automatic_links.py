"""References whose links an aligner made: they say so, and are scored by τ without other words."""

import json
from dataclasses import replace

import numpy as np
import pytest

import preorder_eval as pe
from preorder_eval.base.errors import FormatError
from preorder_eval.base.text.text_files import join_tokens
from preorder_eval.orders.alignment_files import aligner_file, read_alignment
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.reference_orders import alternatives, reference_orders
from preorder_eval.references.objective import objective
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.conllu import write_conllu

FRS, TAU = "fuzzy(match=word,unaligned=drop)", "kendall(unaligned=drop)"
NOTE = "differences are underestimated, and FRS is not comparable with"


@pytest.fixture(scope="module")
def folder(tmp_path_factory, bundled_reference):
    """The bundled source and target, with trees; 300 sentences, of which few are scored below."""
    folder = tmp_path_factory.mktemp("automatic")
    write_conllu(folder / "s.conllu", bundled_reference.trees)
    for name, sentences in (("s.en", bundled_reference.source), ("s.ja", bundled_reference.target)):
        (folder / name).write_text("".join(f"{join_tokens(words)}\n" for words in sentences))
    return folder


@pytest.fixture
def there(folder, monkeypatch, run):
    monkeypatch.chdir(folder)
    if not (folder / "s.align").exists():
        assert run("align", "s.en", "s.ja", "--out", "s.align")[0] == 0
    return folder


# How links say who made them


def test_align_writes_its_signature_beside_the_links(run, there):
    signature = "agree(pairs=300,precision=0.86)"
    assert (there / "s.aligner").read_text() == f"{signature}\n"
    lengths = [len(line.split()) for line in (there / "s.en").read_text().splitlines()]
    links = read_alignment("s.align", lengths)
    assert links.aligner == signature
    assert links.sure.aligner == links.part(3, 7).aligner == links.take(np.array([2])).aligner
    assert reference_orders(links, lengths).part(0, 4).aligner == signature == links.sure.aligner


def test_conversion_keeps_it_and_links_of_people_take_its_place(run, there, tmp_path):
    copy = tmp_path / "copy.align"
    assert run("align", "s.align", "--from", "pharaoh", "--out", copy)[0] == 0
    assert (tmp_path / "copy.aligner").read_text() == (there / "s.aligner").read_text()
    (tmp_path / "manual.txt").write_text("0-0\n")
    assert run("align", tmp_path / "manual.txt", "--from", "pharaoh", "--out", copy)[0] == 0
    assert not (tmp_path / "copy.aligner").exists()


def test_links_of_other_files_say_it_by_their_whole_names(tmp_path):
    (tmp_path / "a.wpt").write_text("1 1 1\n")
    (tmp_path / "a.align").write_text("0-0\n")
    aligner_file(tmp_path / "a.align").write_text("fast_align\n")
    assert read_alignment(tmp_path / "a.align", [1]).aligner == "fast_align"
    assert read_alignment(tmp_path / "a.wpt", [1]).aligner == ""


@pytest.mark.parametrize("text", ["", "\n", "agree\nibm1\n"])
def test_a_file_that_does_not_name_an_aligner(tmp_path, text):
    (tmp_path / "a.align").write_text("0-0\n")
    (tmp_path / "a.aligner").write_text(text)
    with pytest.raises(FormatError, match=r"a\.aligner: does not name the aligner of the links; "):
        read_alignment(tmp_path / "a.align", [1])


def test_a_reference_folder_keeps_it(run, there, tmp_path):
    out = tmp_path / "set"
    made = ("reference", "build", "--source", "s.conllu", "--target", "s.ja")
    named = ("--source-language", "en", "--out")
    assert run(*made, "--alignment", "s.align", *named, out)[0] == 0
    assert run(*made, "--aligner", "agree", *named, tmp_path / "anew")[0] == 0
    one, other = pe.load_reference(out), pe.load_reference(tmp_path / "anew")
    assert one.aligner == other.aligner == "agree(pairs=300,precision=0.86)"
    assert list(one.alignments) == list(other.alignments)
    assert "| Links made by | `agree(pairs=300,precision=0.86)`, no human |" in (
        out / "DATASHEET.md"
    ).read_text("utf-8")
    assert "links made by agree(pairs=300" in run("reference", "show", out)[1]
    # One that people have corrected is theirs.
    (out / "en-ja.aligner").unlink()
    assert pe.load_reference(out).aligner == ""
    (out / "en-ja.2.aligner").write_text("agree\n")
    with pytest.raises(FormatError, match="belongs to no translation"):
        pe.load_reference(out)


def test_of_several_translations_one_is_enough(tmp_path):
    manual = Alignments.of([[(0, 1), (1, 0)]])
    automatic = replace(Alignments.of([[(0, 0), (1, 1)]]), aligner="agree")
    both, _ = alternatives([2], [(manual, ()), (automatic, ())])
    assert len(both.references) == 2
    data = ReferenceSet("two", [["a", "b"]], manual, alternatives=both)
    assert data.aligner == both.aligner == data.take([0], "one").aligner == "agree"
    assert list(map(str, objective(data))) == list(map(str, objective(both))) == [TAU, FRS]


# What commands and functions make of it


def test_a_reference_is_checked_by_what_holds_for_automatic_links(run, there, tmp_path):
    """Guidelines are for annotators. FRS stands in its column, though τ leads."""
    made = ("reference", "build", "--source", "s.conllu", "--target", "s.ja", "--aligner", "agree")
    assert run(*made, "--source-language", "en", "--out", tmp_path / "set")[0] == 0
    command = ("reference", "check", tmp_path / "set", "--resamples", "10")
    checked = json.loads(run(*command, "--json")[1])
    found = {check["check"] for check in checked["checks"] if check["sentences"]}
    assert found == {"no links"}
    [group] = checked["groups"]
    result = pe.evaluate(tmp_path / "set", parsers=["gold"], rules=["none"], resamples=10)
    for name, metric in (("fuzzy", FRS), ("kendall", TAU)):
        value = result.value("gold/none", metric)
        assert group["unchanged"][name]["value"] == pytest.approx(value)
    assert NOTE in " ".join(run(*command)[1].split())
