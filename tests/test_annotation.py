import tempfile
from pathlib import Path

import hypothesis
import pytest
from edited_reference import TEXTS, texts_of, write_folder
from hypothesis import strategies as st

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.files.writing import write_folder as write_files
from preorder_eval.references.annotation import ChangedOnDiskError, annotation
from preorder_eval.references.findings import checks_for, findings_of
from preorder_eval.references.reference_build import format_reference
from preorder_eval.references.reference_folder import load_reference, parse_free_blocks


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "small")


def linked(work, number, links):
    sentence = work.text[number]
    work.change(number, sentence.linked(0, dict.fromkeys(links, False)))


def test_every_change_is_in_the_files_and_can_be_undone(folder):
    with annotation(folder) as work:
        linked(work, 1, [(0, 0), (0, 1), (1, 2)])
        second = texts_of(folder)
        assert load_reference(folder).alignments[1] == [(0, 0), (0, 1), (1, 2)]
        work.change(0, work.text[0].reworded(1, ["新鮮", "な", "魚"]))
        third = texts_of(folder)
        assert third["target.2.ja"] == "新鮮 な 魚\n犬 は 吠える\n"
        assert work.undo() == 0
        assert texts_of(folder) == second
        assert work.undo() == 1
        assert texts_of(folder) == TEXTS
        assert not work.can_undo
        assert [work.redo(), work.redo()] == [1, 0]
        assert texts_of(folder) == third
        assert not work.can_redo
        work.undo()
        assert work.can_redo
        work.change(0, work.text[0])
        assert work.can_redo, "nothing has changed"
        linked(work, 1, [(1, 2)])
        assert (work.can_undo, work.can_redo) == (True, False)


@pytest.mark.parametrize("word", ["\ufeff", "a\tb", "\0", "a\rb"])
@pytest.mark.parametrize("side", ["source", "target"])
def test_what_cannot_be_read_back_is_not_saved(folder, side, word):
    """A mark that begins a file is no word of its first sentence."""
    before = texts_of(folder)
    with annotation(folder) as work:
        first = work.text[0]
        new = first.with_source([word]) if side == "source" else first.reworded(0, [word])
        with pytest.raises(PreorderEvalError):
            work.change(0, new)
        assert texts_of(folder) == before
        assert not work.can_undo
        linked(work, 1, [(0, 0)])  # and work goes on


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "DATASHEET.md"])
@pytest.mark.parametrize("text", ["changed\n", None])
def test_a_file_that_somebody_has_changed_is_not_overwritten(folder, name, text):
    with annotation(folder) as work:
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text)
        there = texts_of(folder)
        for change in (lambda: linked(work, 1, []), lambda: linked(work, 1, [(1, 1)])):
            with pytest.raises(ChangedOnDiskError, match=f"{name}: changed on disk since it was"):
                change()
            assert texts_of(folder) == there
            assert work.text.files == {n: TEXTS[n] for n in work.text.files}
        assert not work.can_undo


def test_a_file_that_somebody_has_made_is_not_overwritten(folder):
    with annotation(folder) as work:
        (folder / "en-ja.2.free").write_text("\n0|1-2\n")
        with pytest.raises(ChangedOnDiskError, match=r"en-ja\.2\.free: changed on disk"):
            work.change(1, work.text[1].freed(1, [((0, 1), (2, 2))]))
        work.read()
        assert work.text[1].translations[1].free == (((0, 0), (1, 2)),)


def test_what_was_done_elsewhere_is_read_anew(folder):
    with annotation(folder) as work:
        linked(work, 1, [])
        (folder / "target.ja").write_text("魚\n犬 たち が 吠える\n")
        with pytest.raises(FormatError, match="target position 1, but"):
            work.read()
        (folder / "en-ja.align").write_text("\n0-0\n")
        (folder / "en-ja.free").unlink()
        work.read()
        assert not work.can_undo
        linked(work, 1, [(0, 0), (1, 3)])
    assert texts_of(folder)["en-ja.align"] == "\n0-0 1-3\n"


def test_one_editor_at_a_time(folder):
    with annotation(folder), pytest.raises(FormatError, match="close the other editor"):  # noqa: SIM117
        with annotation(folder):
            pass


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("nothing", "no such reference folder"),
        ("small/target.ja", "no such reference folder"),
        ("a\0b", "no such reference folder"),
        ("", r"no file named \*\.align"),
    ],
)
def test_what_is_no_reference_folder_is_refused(folder, name, complaint):
    with pytest.raises(FormatError, match=complaint), annotation(folder.parent / name):
        pass


@pytest.mark.parametrize("name", ["target.ja", "en-ja.align", "notes"])
def test_a_link_out_of_the_folder_is_refused(folder, name):
    outside = folder.parent / "outside"
    outside.write_text(TEXTS.get(name, "secret\n"))
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    with (
        pytest.raises(FormatError, match=f"name '{name}' leads out of the folder"),
        annotation(folder),
    ):
        pass
    (folder / name).unlink()
    (folder / name).write_text(outside.read_text())
    with annotation(folder) as work:
        (folder / name).unlink()
        (folder / name).symlink_to(outside)
        linked(work, 1, [(1, 2)])
    assert outside.read_text() == TEXTS.get(name, "secret\n")


def check_reference(data):
    return findings_of(data, checks_for(data))


def found(work):
    sentences = range(len(work.text))
    return [finding for s in sentences for finding in work.findings[s][0]]


def test_the_findings_are_those_of_the_check(tmp_path):
    data = load_reference("contrast@ja")
    folder = tmp_path / "part"
    write_files(folder, format_reference(data.take(range(0, len(data), 17), "part"), "en", "ja"))
    with annotation(folder) as work:
        assert found(work) == check_reference(load_reference(folder))
        linked(work, 2, [(0, 0), (0, 2), (1, 1)])
        work.change(3, work.text[3].reworded(0, ["は", "で", "す", "。"]))
        assert found(work) == check_reference(load_reference(folder))


WORDS = st.lists(st.sampled_from(["犬", "猫", "が", "を", "吠える", "a b"]), max_size=4)
EDITS = st.one_of(
    st.tuples(st.just("link"), st.integers(0, 2), st.sets(st.tuples(*[st.integers(0, 3)] * 2))),
    st.tuples(st.just("words"), st.integers(0, 2), WORDS),
    st.tuples(st.just("source"), st.just(0), WORDS),
    st.tuples(st.just("free"), st.integers(0, 2), st.sampled_from(["", "0|1", "0-1|2"])),
    st.tuples(st.just("translation"), st.just(0), WORDS),
)


def edit(work, number, kind, which, value):
    text, sentence = work.text, work.text[number]
    match kind:
        case "link":
            work.change(number, sentence.linked(which, dict.fromkeys(value, True)))
        case "words":
            work.change(number, sentence.reworded(which, value))
        case "source":
            work.change(number, sentence.with_source(value))
        case "free":
            size = len(sentence.translations[which].words)
            work.change(number, sentence.freed(which, parse_free_blocks(value, size, "free")))
        case "translation":
            more = text.with_translation()
            changed = more[number].reworded(len(text.translations), value)
            work.do(more.with_sentence(number, changed), number)


@pytest.mark.slow
@hypothesis.given(edits=st.lists(st.tuples(st.integers(0, 2), EDITS), max_size=8))
def test_after_any_changes_the_folder_can_be_read_and_all_can_be_undone(edits):
    with tempfile.TemporaryDirectory() as place:
        folder = write_folder(Path(place) / "small")
        with annotation(folder) as work:
            for number, (kind, which, value) in edits:
                before = texts_of(folder)
                try:
                    edit(work, min(number, len(work.text) - 1), kind, which, value)
                except (PreorderEvalError, IndexError):  # what the page cannot ask for, too
                    assert texts_of(folder) == before
                data = load_reference(folder)
                assert len(data) == len(work.text)
                assert found(work) == check_reference(data)
                assert {**texts_of(folder), "DATASHEET.md": ""} == {
                    **work.text.files,
                    "DATASHEET.md": "",
                }
            while work.can_undo:
                work.undo()
            assert texts_of(folder) == TEXTS
