"""`preorder-eval reference check`, `show` and `stats`."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest

CONLLU = """\
# sent_id = one
# phenomenon = statement
1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tchase\tchase\tVERB\tVBP\t_\t0\troot\t_\t_
3\tthe\tthe\tDET\tDT\t_\t4\tdet\t_\t_
4\tcats\tcat\tNOUN\tNNS\t_\t2\tobj\t_\t_

# sent_id = two
# phenomenon = imperative
1\tRun\trun\tVERB\tVB\t_\t0\troot\t_\t_
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_

"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A reference folder that follows the guidelines."""
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "own"
    own.mkdir()
    (own / "source.conllu").write_text(CONLLU, encoding="utf-8")
    (own / "target.ja").write_text("犬 が 猫 を 追う\n走れ\n", encoding="utf-8")
    (own / "x.align").write_text("0-0 0-1 3-2 3-3 1-4\n0-0\n", encoding="utf-8")
    return own


def break_links(folder):
    (folder / "x.align").write_text("0-0 0-4 1-1\n\n", encoding="utf-8")


WARNINGS = [
    "own sentence 1 (one): unaligned content words: cats 3",
    "own sentence 1 (one): separate target stretches: Dogs 0",
    "own sentence 1 (one): unaligned target words: 猫 2, を 3",
    "own sentence 2 (two): no links",
]


def test_check_of_a_clean_set(folder, run):
    code, out, errors = run("reference", "check", "own")
    assert (code, errors) == (0, "")
    assert out.splitlines()[0] == (
        "own: 2 sentences, 6 source tokens, 6 target tokens, 6 links, gold trees: nothing to mend"
    )


def test_check_of_a_broken_set(folder, run):
    break_links(folder)
    code, out, _ = run("reference", "check", "own")
    assert code == 1
    assert out.splitlines()[:4] == WARNINGS
    assert (
        "own: 2 sentences, 6 source tokens, 6 target tokens, 3 links, gold trees: 4 warnings" in out
    )
    rows = [line.split() for line in out.splitlines()]
    assert ["own", "unaligned", "target", "words", "guideline", "2", "1"] in rows


def test_check_quiet_prints_the_summary_alone(folder, run):
    break_links(folder)
    code, out, _ = run("reference", "check", "own", "--quiet")
    assert code == 1
    assert out.startswith("own: 2 sentences")
    assert "cats" not in out


def test_check_against_a_corpus(folder, run):
    (folder.parent / "like.conllu").write_text(CONLLU, encoding="utf-8")
    (folder.parent / "unlike.conllu").write_text(CONLLU.replace("!", "?"), encoding="utf-8")
    code, out, _ = run("reference", "check", "own", "--corpus", "like.conllu")
    assert code == 0
    assert out.splitlines()[-1].split() == [
        "own",
        "no",
        "final",
        "punctuation",
        "50.0%",
        "50.0%",
        "1.00",
    ]
    code, out, _ = run("reference", "check", "own", "--corpus", "unlike.conllu", "--json")
    assert code == 1
    far = [row for row in json.loads(out)["references"][0]["profile"] if row["far"]]
    assert far == [
        {"feature": "exclamation marks", "set": 0.5, "corpus": 0.0, "ratio": None, "far": True},
        {"feature": "question marks", "set": 0.0, "corpus": 0.5, "ratio": 0.0, "far": True},
    ]
    _, out, _ = run("reference", "check", "own", "--corpus", "unlike.conllu", "--tsv")
    findings, features = out.split("\n\n")
    assert len(findings.splitlines()) == 1
    assert features.splitlines()[1].split("\t") == [
        "own",
        "mean length",
        "3.0",
        "3.0",
        "1.0",
        "False",
    ]


def test_a_set_without_trees_has_no_profile(folder, run):
    (folder / "source.conllu").rename("corpus.conllu")
    (folder / "source.en").write_text("Dogs chase the cats\nRun !\n", encoding="utf-8")
    code, out, errors = run("reference", "check", "own", "--corpus", "corpus.conllu")
    assert (code, out) == (2, "")
    assert "own has no gold trees to compare with a corpus" in errors


def test_check_structure_only(folder, run):
    break_links(folder)
    code, out, _ = run("reference", "check", "own", "--structure-only")
    assert code == 1
    assert out.splitlines()[0] == WARNINGS[3]
    (folder / "x.align").write_text("0-0\n0-0\n", encoding="utf-8")
    assert run("reference", "check", "own")[0] == 1
    assert run("reference", "check", "own", "--structure-only")[0] == 0


def test_check_as_tsv(folder, run):
    break_links(folder)
    code, out, _ = run("reference", "check", "own", "--tsv")
    lines = [line.split("\t") for line in out.splitlines()]
    assert code == 1
    assert lines[0][:4] == ["reference", "sentence", "sentence_id", "check"]
    assert lines[3] == [
        "own",
        "1",
        "one",
        "unaligned target words",
        "guideline",
        "2 3",
        "猫 を",
    ]
    _, out, _ = run("reference", "check", "own", "--tsv", "--quiet")
    assert out.splitlines()[0] == "reference\tcheck\tlevel\tfound\tsentences"


def test_check_as_json(folder, run):
    break_links(folder)
    _, out, _ = run("reference", "check", "own", "--json")
    [entry] = json.loads(out)["references"]
    assert (entry["name"], entry["sentences"], entry["links"]) == ("own", 2, 3)
    assert set(entry["files"]) == {"source.conllu", "target.ja", "x.align"}
    assert entry["findings"][1] == {
        "sentence": 1,
        "sentence_id": "one",
        "check": "separate target stretches",
        "level": "guideline",
        "positions": [0],
        "words": ["Dogs"],
    }
    assert {c["check"]: c["found"] for c in entry["checks"]}["no links"] == 1
    _, out, _ = run("reference", "check", "own", "--json", "--quiet")
    assert "findings" not in json.loads(out)["references"][0]


@pytest.mark.slow
def test_check_of_all_bundled_alignment_oriented_sets_is_clean(run):
    names = ["en-ja", "en-ja-web/all", "en-de", "en-hi", "en-ko", "en-tr", "en-zh", "contrast"]
    code, out, _ = run("reference", "check", *names)
    assert code == 0
    assert out.count("nothing to mend") == len(names)
    assert run("reference", "check", "en-ja-standard")[0] == 0


@pytest.mark.parametrize("command", ["check", "show", "stats"])
def test_files_that_cannot_be_read(folder, run, command):
    (folder / "x.align").write_text("0-0 0-9\n0-0\n", encoding="utf-8")
    code, out, errors = run("reference", command, "own")
    assert (code, out) == (2, "")
    assert errors.count("\n") == 1
    assert "x.align:1: " in errors
    assert run("reference", command, "nowhere")[0] == 2


def test_show(folder, run):
    code, out, errors = run("reference", "show", "own", "--sentence", "1", "--width", "60")
    assert (code, errors) == (0, "")
    assert out.splitlines() == [
        "own, sentence 1 of 2, sent_id = one, phenomenon = statement",
        "source     Dogs chase the cats",
        "reference  Dogs the cats chase",
        "target     犬 が 猫 を 追う",
        "",
        "         0  1  2  3",
        "犬 が    ●  ·  ·  ·  Dogs",
        "猫 を    ·  ·  ·  ●  cats",
        "追う     ·  ●  ·  ·  chase",
        "no link: the 2",
    ]


def test_show_by_id_and_by_number(folder, run):
    assert run("reference", "show", "own", "--sentence", "two") == run(
        "reference", "show", "own", "--sentence", "2"
    )
    for name in ("0", "3", "three", "-1"):
        code, out, errors = run("reference", "show", "own", "--sentence", name)
        assert (code, out) == (2, "")
        assert "give a number from 1 to 2 or a sent_id" in errors


def test_show_draws_an_svg(folder, run):
    code, _, _ = run("reference", "show", "own", "--svg", "one.svg")
    assert code == 0
    text = (folder.parent / "one.svg").read_text(encoding="utf-8")
    assert len(list(ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}path"))) == 5  # noqa: S314
    code, out, errors = run("reference", "show", "own", "--svg", "nowhere/one.svg")
    assert (code, out) == (2, "")
    assert "cannot be written" in errors


def test_show_without_a_translation_or_without_links(folder, run):
    (folder / "target.ja").unlink()
    (folder / "x.align").write_text("0-0 3-2 1-4\n\n", encoding="utf-8")
    code, out, _ = run("reference", "show", "own")
    assert code == 0
    assert "target" not in out
    assert [line.split()[0] for line in out.splitlines()[5:10]] == ["0", "1", "2", "3", "4"]
    code, out, _ = run("reference", "show", "own", "--sentence", "2", "--svg", "two.svg")
    assert code == 0
    assert out.splitlines()[-1] == "no links"


def test_show_keeps_control_characters_from_the_terminal(folder, run):
    (folder / "source.conllu").write_text(CONLLU.replace("Dogs\t", "D\x1b[2J\t"), encoding="utf-8")
    code, out, _ = run("reference", "show", "own")
    assert code == 0
    assert "\x1b" not in out
    assert "D\\x1b[2J" in out


def test_stats(folder, run):
    code, out, _ = run("reference", "stats", "own", "--resamples", "10")
    assert code == 0
    header, row = out.splitlines()[:2]
    assert header.split() == [
        *["reference", "sentences", "tokens", "links", "ties"],
        *["aligned", "crossing", "monotone", "fuzzy", "kendall"],
    ]
    # Pairs of links: 10 in the first sentence, of which the verb crosses two; none in the second.
    assert row.split()[:8] == ["own", "2", "6", "6", "0", "66.7%", "20.0%", "50.0%"]


def test_stats_by_phenomenon(folder, run):
    _, out, _ = run("reference", "stats", "own", "--by", "phenomenon", "--tsv")
    lines = [line.split("\t") for line in out.splitlines()]
    assert [line[:2] for line in lines] == [
        ["reference", "phenomenon"],
        ["own", "statement"],
        ["own", "imperative"],
    ]
    scores = dict(zip(lines[0], lines[1], strict=True))
    assert float(scores["fuzzy(match=word)"]) == pytest.approx(1 / 3)
    assert float(scores["kendall"]) == pytest.approx(4 / 6)
    assert scores["crossing"] == "0.2"


def test_stats_as_json_and_of_sentences_without_links(folder, run):
    (folder / "x.align").write_text("0-0 0-1 3-2 3-3 1-4\n\n", encoding="utf-8")
    _, out, _ = run("reference", "stats", "own", "--by", "phenomenon", "--json")
    statement, imperative = json.loads(out)["groups"]
    assert statement["phenomenon"] == "statement"
    assert statement["unchanged"]["kendall"]["value"] == pytest.approx(4 / 6)
    assert imperative["monotone"] is imperative["unchanged"]["kendall"] is None
    _, out, _ = run("reference", "stats", "own", "--by", "phenomenon")
    assert out.splitlines()[-1] == "left out of scores: 1 sentence without links"


def test_stats_by_an_unknown_comment(folder, run):
    code, out, errors = run("reference", "stats", "own", "--by", "genre")
    assert (code, out) == (2, "")
    assert "no sentence has a comment '# genre = …'" in errors


@pytest.mark.parametrize("command", ["check", "stats"])
def test_json_and_tsv_exclude_each_other(folder, run, command):
    assert run("reference", command, "own", "--json", "--tsv")[0] == 2
