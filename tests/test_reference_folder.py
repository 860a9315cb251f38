"""Reference folders with several translations, free blocks and splits."""

import re

import pytest

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.evaluation.evaluate import reference_of
from preorder_eval.references.reference_files import layers
from preorder_eval.references.reference_folder import (
    format_free_blocks,
    load_reference,
    read_free_blocks,
)


def tree(number, split):
    return (
        f"# sent_id = {number}\n# split = {split}\n"
        "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
    )


@pytest.fixture
def folder(tmp_path):
    for name, text in {
        "source.conllu": tree(1, "dev") + tree(2, "test") + tree(3, "dev"),
        "target.ja": "u v\nw x\ny z\n",
        "en-ja.align": "0-1 1-0\n0-0 1-1\n0-0 1-1\n",
        "en-ja.free": "\n\n0|1\n",
        "target.2.ja": "\nq r s\n\n",
        "en-ja.2.align": "\n0-2 1-0\n\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def orders(data):
    found = [[] for _ in data.source]
    for sentence, order in zip(data.allowed.sentence, data.allowed.references, strict=True):
        found[sentence].append([list(group) for group in order])
    return found


def test_the_part_to_tune_on_is_what_comes_without_asking(folder):
    data = load_reference(folder)
    assert data.name == f"{folder.name}/dev"
    assert [tree.sentence_id for tree in data.trees] == ["1", "3"]
    assert orders(data) == [[[[1], [0]]], [[[0], [1]], [[1], [0]]]]


def test_every_part_has_its_alternatives(folder):
    assert orders(load_reference(f"{folder}/test")) == [[[[0], [1]], [[1], [0]]]]
    whole = load_reference(f"{folder}/all")
    assert [len(own) for own in orders(whole)] == [1, 2, 2]
    assert set(whole.hashes) == {path.name for path in folder.iterdir()}


def test_another_part_is_refused_with_those_there_are(folder):
    with pytest.raises(UnknownNameError, match=r"unknown split of .* 'tset'.*did you mean 'test'"):
        load_reference(f"{folder}/tset")
    with pytest.raises(UnknownNameError, match="unknown split of en-ja 'test'"):
        load_reference("en-ja/test")


def test_without_a_part_to_tune_on_one_is_asked_for(folder):
    source = folder / "source.conllu"
    source.write_text(source.read_text().replace("= dev", "= more"))
    name = re.escape(folder.name)
    with pytest.raises(PreorderEvalError, match=rf"give {name}/more or {name}/test or {name}/all"):
        load_reference(folder)


@pytest.mark.parametrize(
    ("name", "rules", "expected"),
    [
        ("constructions", ["en-ko"], "constructions@ko"),
        ("constructions", ["none", "en-de"], "constructions@de"),
        ("constructions@ja", ["en-ko"], "constructions@ja"),
        ("constructions", ["en-ja", "en-ko"], None),
        ("constructions", ["none"], None),
        (None, ["en-tr"], "en-tr/dev"),
        ("en-ja", ["en-ko"], "en-ja"),
    ],
)
def test_a_set_of_several_languages_is_that_of_the_rules(name, rules, expected):
    if expected is None:
        with pytest.raises(PreorderEvalError, match="choose one: constructions@ar"):
            reference_of(name, rules)
    else:
        assert reference_of(name, rules).name == expected


def test_a_folder_can_be_called_otherwise(folder):
    assert load_reference(f"mine={folder}").name == "mine/dev"
    assert load_reference(f"mine={folder}/test").name == "mine/test"
    with pytest.raises(
        PreorderEvalError, match="bundled reference en-ja cannot have another name; labels are for"
    ):
        load_reference("mine=en-ja")


@pytest.fixture
def layered(folder):
    for name, text in {
        "target.second.ja": "u\n\ny z\n",
        "en-ja.second.align": "0-0\n\n\n",
        "en-ja.second.free": "\n\n0|1\n",
        "target.ko": "\na b\na b\n",
        "en-ko.align": "\n0-1 1-0\n0-0\n",
        "en-ko.exceptions": "3\t0|1\tas it happens\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_layers_hold_the_sentences_that_they_do_not_leave_out(layered):
    assert layers(layered) == ["second", "ko"]
    with pytest.raises(PreorderEvalError, match=r"several target languages \(ja, ko\); choose one"):
        load_reference(layered)
    main = load_reference(f"{layered}@ja")
    assert (main.languages, main.target) == ("en-ja", [["u", "v"], ["y", "z"]])
    assert orders(load_reference(f"{layered}@ja/test")) == [[[[0], [1]], [[1], [0]]]]
    second = load_reference(f"{layered}@second/all")
    assert (second.name, second.languages) == (f"{layered.name}@second/all", "en-ja")
    assert [tree.sentence_id for tree in second.trees] == ["1", "3"]
    assert second.informative.tolist() == [True, False]
    assert second.free == [[], [((0, 0), (1, 1))]]
    korean = load_reference(f"mine={layered}@ko/test")
    assert (korean.name, korean.languages, korean.target) == ("mine@ko/test", "en-ko", [["a", "b"]])
    assert load_reference(f"{layered}@ko").exceptions == [[((0, 0), (1, 1))]]
    assert load_reference(f"{layered}@ja/dev").target == main.target


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("en-ja.second.align", "0-0\n0-0\n\n", "en-ja.second.align:2: link 0-0"),
        ("target.second.ja", "u\n\ny\tz\n", "target.second.ja:3: a tab in tokenised text"),
        ("target.second.ja", "u\n\n", "target.second.ja:3: 2 lines, but the source has 3"),
        ("target.third.ja", "u\n\n\n", "target.third.ja: belongs to no translation"),
        ("en-ko.second.align", "0-0\n\n\n", "en-ko.second.align: belongs to no translation"),
    ],
)
def test_what_is_wrong_in_a_layer_is_refused(layered, name, text, message):
    (layered / name).write_text(text)
    with pytest.raises(FormatError, match=re.escape(message)):
        load_reference(f"{layered}@second")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("en-ko@secnd", "unknown layer of en-ko 'secnd' (did you mean 'second'?)"),
        ("en-ko-second", "unknown reference set 'en-ko-second' (did you mean 'en-ko@second'?)"),
        ("contrast-tr", "did you mean 'contrast@tr'?"),
        ("en-ja-web@second/test", "en-ja-web@second/test has no sentence"),
    ],
)
def test_layers_that_are_not_there(name, message):
    with pytest.raises(PreorderEvalError, match=re.escape(message)):
        load_reference(name)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("target.ja", "u v\nw x\n", "target.ja:3: 2 sentences, but"),
        ("en-ja.align", "0-1 1-0\n0-0 1-1\n0-0 1-2\n", "en-ja.align:3: link 1-2"),
        ("en-ja.free", "\n0|2\n\n", "en-ja.free:2: "),
        ("en-ja.2.free", "\n\n", "en-ja.2.free:3: 2 lines"),
        ("source.en", "a b\n", "2 files named source.*"),
        ("other.align", "0-0\n", "2 files named *.align"),
        ("en-de.align", "0-0\n", "no file named target.de"),
        ("target.3.ja", "a\nb\nc\n", "target.3.ja: belongs to no translation"),
        ("en-ja.2.align", "\n0-3\n\n", "en-ja.2.align:2: link 0-3"),
    ],
)
def test_what_is_wrong_in_itself_is_refused(folder, name, text, message):
    (folder / name).write_text(text)
    with pytest.raises(FormatError, match=re.escape(message)):
        load_reference(folder)


def test_a_link_that_leads_out_is_not_read(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.ja"
    outside.write_text("u v\nw x\ny z\n")
    (folder / "target.ja").unlink()
    (folder / "target.ja").symlink_to(outside)
    with pytest.raises(FormatError, match=r"name 'target\.ja' leads out of the folder"):
        load_reference(folder)


def test_free_blocks_are_read_and_written(tmp_path):
    file = tmp_path / "a.free"
    file.write_text("0-1|2 4|5-6|7\n\n3|4\n")
    blocks = read_free_blocks(file, [8, 3, 5])
    assert blocks == [[((0, 1), (2, 2)), ((4, 4), (5, 6), (7, 7))], [], [((3, 3), (4, 4))]]
    assert [format_free_blocks(of) for of in blocks] == file.read_text().splitlines()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0-1", "does not have the form 0-1|2-4"),
        ("0-1|3-4", "has spans that are not adjacent"),
        ("1-0|1-2", "has a span that ends before it begins"),
        ("3-4|5-6", "exceeds its sentence of 6 tokens"),
        ("0-1|2-3 3|4", "overlaps another"),
        ("1-4|5 0|1-2", "overlaps another"),
    ],
)
def test_free_blocks_that_are_none(tmp_path, line, message):
    file = tmp_path / "a.free"
    file.write_text(f"\n{line}\n")
    with pytest.raises(FormatError) as error:
        read_free_blocks(file, [6, 6])
    assert message in str(error.value)
    assert f"{file}:2: " in str(error.value)
