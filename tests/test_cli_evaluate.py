import csv
import io
import json
from pathlib import Path

import pytest

from preorder_eval.formats.conllu import read_conllu
from preorder_eval.results.run import read_run

SOURCE = "He eats fish .\nDogs bark\nShe sleeps here now\n"
ALIGNMENT = "0-0 1-2 2-1 3-3\n\n0-0 1-3 2-1 3-2\n"
TREES = """\
1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\teats\teat\tVERB\tVBZ\t_\t0\troot\t_\t_
3\tfish\tfish\tNOUN\tNN\t_\t2\tobj\t_\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_

1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tsleeps\tsleep\tVERB\tVBZ\t_\t0\troot\t_\t_
3\there\there\tADV\tRB\t_\t2\tadvmod\t_\t_
4\tnow\tnow\tADV\tRB\t_\t2\tadvmod\t_\t_

"""
ORDERS = "0 2 1 3\n1 0\n0 1 2 3\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Three sentences, the second without links, with everything that evaluate takes."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "s.en": SOURCE,
        "s.align": ALIGNMENT,
        "t.conllu": TREES,
        "o.order": ORDERS,
    }.items():
        Path(name).write_text(text)
    return tmp_path


OWN = ("evaluate", "--source", "s.en", "--alignment", "s.align")


def rows(tsv):
    return list(csv.DictReader(io.StringIO(tsv), delimiter="\t"))


def test_the_table_shows_every_rule_set_and_what_was_left_out(run, files):
    code, out, _ = run(*OWN, "--trees", "t.conllu", "--rules", "none", "--rules", "en-ja")
    assert code == 0
    header, none, en_ja, *notes = out.splitlines()
    # Fewer than nine in ten words have a link, so they are left out as well.
    metrics = ["fuzzy(match=word)", "kendall"]
    metrics += ["fuzzy(match=word,unaligned=drop)", "kendall(unaligned=drop)"]
    assert header.split() == ["parser", "rules", *metrics, "sentences"]
    # He eats fish . → two of three joints broken, one of six pairs; She sleeps here now → 2/3, 4/6.
    assert none.split()[:4] == ["t", "none", "0.1667", "[0.0000,"]
    assert en_ja.split()[:3] == ["t", "en-ja", "1.0000"]
    assert "left out: 1 without links (sentences 2)" in notes
    assert "less than 90 % linked: words without a link stand beside" in out


def test_links_called_after_their_languages_are_of_these(run, files):
    (files / "s.align").rename("en-hi.align")
    own = ("evaluate", "--source", "s.en", "--alignment", "en-hi.align", "--trees", "t.conllu")
    assert rows(run(*own, "--tsv")[1])[-1]["rules"] == "en-hi"
    _, _, err = run(*own, "--rules", "en-ja")
    assert "rule set en-ja is for the target language ja, but reference en-hi has hi" in err


def test_orders_need_no_parser(run, files):
    code, out, _ = run(*OWN, "--orders", "o.order", "--tsv")
    assert code == 0
    (row,) = rows(out)
    assert (row["parser"], row["rules"], row["sentences"], row["left_out"]) == ("o", "", "2", "1")
    assert float(row["fuzzy(match=word)"]) == pytest.approx((1 + 1 / 3) / 2)
    assert float(row["kendall"]) == pytest.approx((1 + 4 / 6) / 2)


@pytest.mark.slow
def test_raw_text_is_tokenised_by_the_parser(run, files):
    (files / "raw.txt").write_text("He doesn't eat fish.\nGo.\n")
    (files / "raw.align").write_text("0-0 1-4 2-4 3-3 4-2 5-5\n0-0 1-1\n")
    own = ("evaluate", "--source", "raw.txt", "--alignment", "raw.align", "--rules", "none")
    code, _, err = run(*own, "--raw", "--out", "run")
    assert (code, err) == (0, "")
    sentences = rows((files / "run" / "sentences.tsv").read_text())
    assert [s["source"] for s in sentences] == ["He does n't eat fish .", "Go ."]
    code, _, err = run(*own)
    assert code == 2
    assert "raw.align:1: link 4-2: source position 4" in err
    assert "--raw goes with --source" in run("evaluate", "--raw")[2]
    (files / "raw.txt").write_text("Go.\n \n")
    assert "raw.txt:2: a blank line" in run(*own, "--raw")[2]


def test_trees_can_be_the_source(run, files):
    arguments = ("evaluate", "--alignment", "s.align", "--trees", "t.conllu", "--rules", "en-ja")
    assert run(*arguments)[1] == run(*OWN, "--trees", "t.conllu", "--rules", "en-ja")[1]


def test_json_and_tsv_hold_what_the_table_holds(run, files):
    arguments = (*OWN, "--trees", "t.conllu", "--orders", "o.order", "--rules", "none")
    summary = json.loads(run(*arguments, "--json")[1])
    table = rows(run(*arguments, "--tsv")[1])
    assert [s["system"] for s in summary["systems"]] == ["t/none", "o"]
    for system, row in zip(summary["systems"], table, strict=True):
        for metric, values in system["scores"].items():
            assert values == {
                "value": float(row[metric]),
                "low": float(row[f"{metric} low"]),
                "high": float(row[f"{metric} high"]),
            }
    assert summary["left_out"] == {"no links": [2]}


def test_metrics_can_be_chosen_with_their_options(run, files):
    code, out, _ = run(*OWN, "--orders", "o.order", "--metric", "fuzzy(match=position)", "--tsv")
    assert code == 0
    assert "fuzzy(match=position)" in rows(out)[0]
    assert "kendall" not in rows(out)[0]


def test_labels_that_windows_has_no_file_names_for_come_back(run, files):
    (files / "r.toml").write_text(
        'name = "r"\nscheme = "ud"\n[[rule]]\nhead = "VERB"\norder = ["punct", "OTHER", "HEAD"]\n'
    )
    labels = ("--trees", "old:1=t.conllu", "--trees", "aux=t.conllu", "--rules", "what?=r.toml")
    assert run(*OWN, *labels, "--out", "run")[0] == 0
    assert sorted(p.name for p in files.glob("run/*/*")) == [
        *("%61ux.conllu", "old%3A1.conllu", "what%3F.toml")
    ]
    systems = read_run("run").inputs.systems
    assert [system.name for system in systems] == ["old:1/what?", "aux/what?"]
    assert {system.origin().rules.name for system in systems} == {"what?"}
    assert run("report", "run")[0] == 0


def test_the_run_folder_holds_all_that_a_repetition_needs(run, files):
    out = files / "runs" / "first"
    arguments = (*OWN, "--trees", "t.conllu", "--rules", "en-ja", "--tsv")
    code, table, _ = run(*arguments, "--out", out)
    assert code == 0
    summary = json.loads((out / "run.json").read_text())
    assert summary["arguments"][:3] == ["evaluate", "--source", "s.en"]
    assert set(summary["reference"]["files"]) == {"s.en", "s.align"}
    sentences = rows((out / "sentences.tsv").read_text())
    assert [s["source"] for s in sentences] == SOURCE.splitlines()
    assert [s["left_out"] for s in sentences] == ["", "no links", ""]
    assert sentences[0]["reference_order"] == "0 2 1 3"
    scores = rows((out / "scores.tsv").read_text())
    assert [s["order"] for s in scores] == ["0 2 1 3", "0 1", "0 2 3 1"]
    assert [s["kendall"] for s in scores] == ["1.0", "", "1.0"]
    assert read_conllu(out / "trees" / "t.conllu").sentences[1] == ["Dogs", "bark"]

    again = ("--trees", out / "trees" / "t.conllu", "--rules", out / "rules" / "en-ja.toml")
    assert run(*OWN, *again, "--tsv")[1] == table


def test_a_run_folder_is_never_overwritten(run, files):
    (files / "run").mkdir()
    (files / "run" / "notes").write_text("mine")
    code, _, err = run(*OWN, "--orders", "o.order", "--out", "run")
    assert code == 2
    assert err == "preorder-eval: run: exists already; name a new folder for the run\n"


def test_text_of_other_systems_is_read_with_one_note(run, files):
    _, out, _ = run(*OWN, "--orders", "o.order")
    (files / "s.en").write_bytes(
        b"\xef\xbb\xbf" + (files / "s.en").read_bytes().replace(b"\n", b"\r\n")
    )
    code, again, err = run(*OWN, "--orders", "o.order")
    assert (code, again) == (0, out)
    assert err == (
        "preorder-eval: warning: s.en has a byte-order mark and Windows line ends; it is read "
        "without\n"
    )


def test_the_same_seed_gives_the_same_bytes(run, files):
    arguments = (*OWN, "--orders", "o.order", "--json")
    assert run(*arguments, "--seed", 3)[1] == run(*arguments, "--seed", 3)[1]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("s.en", b"", "s.en: is empty"),
        ("s.en", b"a b c d\n\na b c d\n", "s.en:2: a blank line"),
        ("s.en", b"a b c d\na b\n", "3 lines of links, but the source has 2 sentences"),
        ("s.en", b"a b c d\ra b\ra b c d\r", "s.en:1: a carriage return inside a line"),
        ("s.en", b"a b c d\na b\na \xff c d\n", "s.en:3: not UTF-8: byte 0xff"),
        ("s.en", b"a b c d\na\tb\na b c d\n", "s.en:2: a tab"),
        ("s.align", b"0-0\n0-0\n", "2 lines of links, but the source has 3"),
        ("s.align", b"0-0\n0-0\n4-0\n", "s.align:3: link 4-0"),
        ("s.align", b"0-0\n-1-0\n0-0\n", "s.align:2: link '-1-0'"),
        ("s.align", b"0-0\n0-0 x\n0-0\n", "s.align:2: link 'x'"),
        ("s.align", b"\n\n\n", "no sentence has a link"),
        ("o.order", b"0 2 1 3\n1 1\n0 1 2 3\n", "o.order:2: not a permutation of 0"),
        ("o.order", b"0 2 1\n1 0\n0 1 2 3\n", "o.order:1: 3 positions for 4 source tokens"),
        ("o.order", b"0 2 1 3\n1 0\n", "2 orders, but the source has 3 sentences"),
        ("o.order", b"0 2 1 3\n\n0 1 2 3\n", "o.order:2: a blank line"),
        ("t.conllu", TREES.encode().replace(b"2\tobj", b"3\tobj"), "a cycle of heads: 3"),
        ("t.conllu", TREES.encode().replace(b"bark\tb", b"barks\tb"), "'barks', source has 'bark'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_leaves_nothing(run, files, name, text, says):
    (files / name).write_bytes(text)
    sources = ("--orders", "o.order", "--trees", "t.conllu", "--rules", "en-ja")
    code, out, err = run(*OWN, *sources, "--out", "run")
    assert code == 2
    assert out == ""
    assert says in err
    assert err.count("\n") == 1
    assert not Path("run").exists()
    assert not [path for path in files.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--parser", "en-wbe"), "unknown parser 'en-wbe' (did you mean 'en-web'?)"),
        (("--rules", "en-jp"), "known: en-ar, en-de, en-fr, en-hi, en-ja"),
        (("--reference", "en-jp"), "unknown reference set 'en-jp' (did you mean 'en-ja'?)"),
        (("--metric", "fuzy"), "unknown metric 'fuzy' (did you mean 'fuzzy'?)"),
        (("--metric", "fuzzy(match=words)"), "known: position, word"),
        (("--metric", "fuzzy(mach=word)"), "unknown parameter of fuzzy 'mach'"),
        (
            ("--reference", "en-ja", "--orders", "missing.order"),
            "missing.order: cannot be read: No such file",
        ),
        (("--reference", "en-ja", "--trees", "missing.conllu"), "missing.conllu: cannot be read"),
    ],
)
def test_unknown_names_are_answered_with_the_known_ones(
    run, tmp_path, monkeypatch, arguments, says
):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("evaluate", *arguments)
    assert code == 2
    assert out == ""
    assert says in err
    assert err.count("\n") == 1


def test_control_characters_of_the_input_do_not_reach_the_terminal(run, files):
    (files / "s.align").write_text("0-0\n\x1b[31m\n0-0\n")
    _, _, err = run(*OWN, "--orders", "o.order")
    assert "\x1b" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--json", "--tsv"),
        ("--source", "s.en"),
        ("--alignment", "s.align"),
        ("--alignment", "s.align", "--source", "s.en", "--reference", "en-ja"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run, files, arguments):
    assert run("evaluate", *arguments)[0] == 2


def test_gold_trees_of_a_reference_are_a_parser(run):
    code, out, _ = run("evaluate", "--parser", "gold", "--rules", "en-ja", "--tsv")
    assert code == 0
    assert float(rows(out)[0]["fuzzy(match=word)"]) > 0.75


@pytest.mark.slow
def test_the_bundled_run_ranks_the_rule_sets(run):
    """Talbot et al. (2011), Rules: the hand-written rules are far above all others."""
    code, out, err = run("evaluate", "--tsv")
    assert (code, err) == (0, "")
    for block, reference in zip(out.split("\n\n"), ("en-ja-web/dev", "en-ja"), strict=True):
        table = {row["rules"]: row for row in rows(block)}
        assert {row["reference"] for row in table.values()} == {reference}
        assert list(table)[:2] == ["none", "reverse"]
        best = table.pop("en-ja")
        for row in table.values():
            assert float(best["fuzzy(match=word) low"]) > float(row["fuzzy(match=word) high"])
            assert float(best["kendall low"]) > float(row["kendall high"])


GOLD = ("evaluate", "--parser", "gold", "--rules", "none", "--resamples", 10)
BOTH = ("--reference", "en-ko", "--reference", "en-ja-web/test")


def test_references_are_scored_each_by_itself(run, tmp_path):
    both = run(*GOLD, *BOTH, "--out", tmp_path / "run")[1]
    alone = [run(*GOLD, *BOTH[at : at + 2])[1].splitlines() for at in (0, 2)]
    shared = [alone[0][-1]]
    assert shared == [alone[1][-1]]
    first, second = ([*own[:2], "", *own[3:-1], ""] for own in alone)
    assert both.splitlines() == [*first, *second, *shared]

    kept = json.loads(run(*GOLD, *BOTH, "--json")[1])["results"]
    assert [own["reference"]["name"] for own in kept] == ["en-ko", "en-ja-web/test"]
    assert kept[0] == json.loads(run(*GOLD, *BOTH[:2], "--json")[1])
    for name, own in zip(("en-ko", "en-ja-web-test"), kept, strict=True):
        of_run = json.loads((tmp_path / "run" / name / "run.json").read_text())
        assert of_run["systems"] == own["systems"]
    code, _, err = run("analyse", tmp_path / "run")
    assert code == 2
    assert "has several runs; name one of en-ja-web-test, en-ko" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--reference", "en-ko", "--reference", "en-ko"), "two references are called en-ko"),
        (("--trees", "t.conllu"), "need --reference or --alignment"),
        (("--orders", "o.order"), "need --reference or --alignment"),
        (("--compat", "lader"), "--compat takes one reference"),
    ],
)
def test_references_that_make_no_sense_are_refused(run, files, arguments, says):
    code, out, err = run("evaluate", *arguments)
    assert (code, out) == (2, "")
    assert says in err


def test_rules_and_parsers_tuned_on_the_test_are_named(run, tmp_path):
    rules = tmp_path / "mine.toml"
    rules.write_text('name = "mine"\nscheme = "ud"\ntuned_on = ["en-ja-web/test"]\n')
    code, _, err = run(*GOLD[:3], "--rules", rules, "--reference", "en-ja-web/test")
    assert code == 0
    assert err == (
        "preorder-eval: warning: rule set mine was tuned on en-ja-web/test: its scores on "
        "en-ja-web/test flatter; tune on the part dev, and score on sentences that it has not "
        "seen\n"
    )
    assert (
        "tuned on en-ja-web/test" in run(*GOLD[:3], "--rules", rules, *BOTH[:1], "en-ja-web/all")[2]
    )
    assert run(*GOLD[:3], "--rules", rules)[2] == ""  # the part dev
