"""Kinds of references of a study: what no file has is aligned, from all there is to learn from."""

import pytest
from preorder_eval.papers.study_references import study_references

from preorder_eval.alignment.ibm1 import align
from preorder_eval.errors import InputWarning
from preorder_eval.formats.pharaoh import format_links
from preorder_eval.formats.study_file import StudyFile
from preorder_eval.results.systems import no_progress

SOURCE = ["the house", "the book", "a book"]
GERMAN = ["das Haus", "das Buch", "ein Buch"]
TURNED = ["Haus das", "Buch das", "Buch ein"]
MORE = ["a house"], ["ein Haus"]


@pytest.fixture
def folder(tmp_path):
    texts = {"s": SOURCE, "straight": GERMAN, "turned": TURNED, "m.s": MORE[0], "m.t": MORE[1]}
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "links").write_text("0-0 1-1\n0-0 1-1\n0-0 1-1\n")
    return tmp_path


def study(**more):
    kinds = [
        {"kind": "manual", "alignment": "links"},
        {"kind": "straight", "align": "ibm1"},
        {"kind": "turned", "align": "ibm1", "translation": "turned"},
        {"kind": "both", "align": "ibm1", "translation": "turned", "symmetrize": "intersection"},
    ]
    systems = [{"name": name, "orders": "o", "output": "straight"} for name in "ab"]
    said = {"name": "x", "source": "s", "translations": ["straight"], "reference": kinds}
    return StudyFile.model_validate({**said, "system": systems, **more})


def links(reference):
    return [format_links(own) for own in reference.data.alignments]


def test_automatic_links_are_learned_from_all_translations_together(folder):
    file = study(training={"source": ["m.s"], "target": ["m.t"]})
    found = study_references(file, folder, no_progress)
    assert list(found) == ["manual", "straight", "turned", "both"]
    source, target = ([line.split() for line in lines] for lines in (SOURCE * 2, GERMAN + TURNED))
    extra = tuple([line.split() for line in lines] for lines in MORE)
    expected = [format_links(own) for own in align(source, target, extra=extra)]
    assert links(found["straight"]) + links(found["turned"]) == expected
    assert links(found["straight"]) == links(found["manual"]) == ["0-0 1-1"] * 3
    turned = [line.split() for line in TURNED]
    both = align(source[:3], turned, how="intersection", extra=extra)
    assert links(found["both"]) == [format_links(own) for own in both]


def test_how_links_were_made_is_kept(folder):
    found = study_references(study(), folder, no_progress)
    assert found["manual"].made_by == {}
    assert found["both"].made_by == {
        "align": {"aligner": "ibm1", "iterations": 5, "symmetrize": "intersection"}
    }
    assert list(found["turned"].data.hashes) == ["s", "turned"]


def test_a_translation_that_is_not_split_is_warned_of(folder):
    """Whole sentences would be aligned as words."""
    (folder / "straight").write_text("私は猫が好きです。\n" * 3)
    with pytest.warns(InputWarning, match="straight looks like raw text: it has no spaces"):
        study_references(study(), folder, no_progress)
