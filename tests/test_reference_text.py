import pytest
from edited_reference import TEXTS, TREE, write_folder

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.references.reference_text import ReferenceText


@pytest.fixture
def text(tmp_path):
    return ReferenceText.read(write_folder(tmp_path / "small"))


def test_sentences_are_read(text):
    assert len(text) == 2
    first, second = text[0].translations
    assert (first.free, first.links[3, 5], second.words) == ((((2, 3), (4, 5)),), True, ())
    assert text[1].source == ("Dogs", "bark")
    assert text[1].translations[1].links == {(0, 0): False, (0, 1): False, (1, 2): False}


def test_what_is_not_changed_keeps_every_byte(text):
    assert text.files == {name: TEXTS[name] for name in text.files}
    assert set(TEXTS) - set(text.files) == {"DATASHEET.md"}
    same = text.with_sentence(0, text[0]).with_sentence(1, text[1])
    assert same.changes_since(text) == {}


def test_only_the_files_that_differ_are_changed(text):
    linked = text.with_sentence(1, text[1].linked(0, {(1, 2): True, (0, 0): False}))
    first, _ = TEXTS["en-ja.align"].splitlines()
    assert linked.changes_since(text) == {"en-ja.align": f"{first}\n0-0 1p2\n"}
    renamed = text.with_sentence(1, text[1].with_source(["The", "dogs", "bark"]))
    assert renamed.changes_since(text) == {
        "source.en": "I eat fresh fish\nThe dogs bark\n",
        "en-ja.align": f"{first}\n1-0 1-1\n",
        "en-ja.2.align": "\n1-0 1-1 2-2\n",
    }


def test_a_translation_is_added_to_the_first_sentence_that_has_it(text):
    more = text.with_translation()
    more = more.with_sentence(1, more[1].reworded(2, ["わんわん"]))
    assert more.changes_since(text) == {"target.3.ja": "\nわんわん\n", "en-ja.3.align": "\n\n"}


def test_trees_are_not_changed(tmp_path):
    files = {f"{side}.conllu": TREE.format(side) for side in ("source", "target")}
    text = ReferenceText.read(write_folder(tmp_path / "gold", {**files, "en-xx.align": "0-0\n"}))
    assert text[0].source == text[0].translations[0].words == ("Dogs", "bark")
    with pytest.raises(PreorderEvalError, match=r"the trees of source\.conllu; edit them there"):
        text.with_sentence(0, text[0].with_source(["Cats"]))
    with pytest.raises(PreorderEvalError, match=r"the trees of target\.conllu"):
        text.with_sentence(0, text[0].reworded(0, ["Dogs"]))
    more = text.with_translation()
    assert set(more.changes_since(text)) == {"target.2.xx", "en-xx.2.align"}


def test_only_a_further_translation_may_be_empty(text):
    gone = text.with_sentence(1, text[1].reworded(1, []))
    assert gone.changes_since(text) == {"target.2.ja": "\n\n", "en-ja.2.align": "\n\n"}
    with pytest.raises(PreorderEvalError, match="only further translations may omit sentences"):
        text.with_sentence(1, text[1].reworded(0, []))


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"target.ja": None, "target.2.ja": None}, "translation 1 has no text"),
        ({"en-ja.align": "a b\n"}, "is not in a known alignment format"),
        ({"en-ja.align": "2-3 ||| 0-1\n2-3 ||| 0-1\n"}, "not in Pharaoh's format"),
    ],
)
def test_what_cannot_be_edited_is_said(tmp_path, texts, said):
    texts = {n: text for n, text in {**TEXTS, **texts}.items() if text is not None}
    folder = write_folder(tmp_path / "small", texts)
    with pytest.raises(FormatError, match=said):
        ReferenceText.read(folder)


def test_a_link_to_another_file_is_refused(tmp_path):
    folder = write_folder(tmp_path / "small")
    (folder / "target.ja").rename(folder / "elsewhere")
    (folder / "target.ja").symlink_to("elsewhere")
    with pytest.raises(FormatError, match=r"target\.ja: is a link to another file"):
        ReferenceText.read(folder)
