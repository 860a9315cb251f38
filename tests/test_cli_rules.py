import json
from dataclasses import replace
from pathlib import Path

import pytest
from alignment_files import write_part

import preorder_eval as pe
from preorder_eval.analysis import check_rules as constructions
from preorder_eval.base.resources import bundled_names
from preorder_eval.orders.alignment_formats import format_alignments
from preorder_eval.references.reference_build import reference_from_files
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.conllu import write_conllu


def test_constructions_are_right_if_all_their_sentences_are(run, good, tmp_path, monkeypatch):
    """Words without links may stand anywhere, and one of several orders is enough."""
    sentences = [
        ("object", "We eat the fish", "0-0 1-2 3-1", ""),
        ("object", "They read books", "0-0 1-1 2-2", ""),  # not as a verb-final language has it
        ("adverb", "We often eat", "0-0 1-1 2-2", ""),
        ("free", "We eat fish", "0-1 1-2 2-0", "0|1"),
        ("torn", "We eat the fish", "2-0 1-1 3-2 0-3", ""),  # a subtree with a word inside
    ]
    heads = dict.fromkeys(["We", "often", "fish"], "eat") | {"They": "read", "books": "read"}
    heads["the"] = "fish"
    labels = {"fish": "obj", "books": "obj", "the": "det", "often": "advmod"}
    trees = ""
    for number, (name, text, *_) in enumerate(sentences):
        words = text.split()
        trees += f"# sent_id = {number}\n# construction = {name}\n"
        for n, word in enumerate(words, 1):
            root = word not in heads
            head, label = (
                (0, "root") if root else (words.index(heads[word]) + 1, labels.get(word, "nsubj"))
            )
            tag = "VERB" if root else "NOUN"
            trees += f"{n}\t{word}\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_\n"
        trees += "\n"
    folder = tmp_path / "short"
    folder.mkdir()
    (folder / "source.conllu").write_text(trees)
    (folder / "target.xx").write_text("a b c d\n" * 5)
    for ending, column in (("align", 2), ("free", 3)):
        lines = "".join(f"{row[column]}\n" for row in sentences)
        (folder / f"en-xx.{ending}").write_text(lines)
    monkeypatch.setattr(constructions, "CONSTRUCTIONS", str(folder))
    rules = tmp_path / "final.toml"
    order = 'head = "VERB"\norder = ["nsubj", "OTHER", "obj", "HEAD", "punct"]\n'
    rules.write_text(f'name = "final"\nscheme = "ud"\ntarget = "xx"\n[[rule]]\n{order}')
    out = good("rules", "check", rules)
    assert out.startswith(
        "Valid: 1 rule, 0 examples; 2 of 4 constructions right (3 of 5 sentences)"
    )
    result = json.loads(run("rules", "check", rules, "--json")[1])
    assert result["constructions"] == {"right": 2, "of": 4, "source_order": 1}
    wrong = [(row["order"], row["needs_lift"]) for row in result["wrong"]]
    assert wrong == [("They books read", False), ("We the fish eat", True)]
    assert "They read books" in run("rules", "check", rules, "--verbose")[1]


def test_rules_for_other_trees_are_valid_without_constructions(good):
    assert good("rules", "check", "en-ja-clearnlp").startswith("Valid: ")


CIRCLE = '["nsubj", "obj"],\n["obl", "HEAD"],\n["obj", "obl"],\n["obl", "nsubj"{}]'
STOP = '["OTHER>", "HEAD"]'
ALL = '"HEAD", "OTHER", "punct>",\n'


@pytest.mark.parametrize(
    ("key", "written", "warning"),
    [
        ("pairs", CIRCLE.format(""), "6: rules.pairs form a circle: nsubj before obj, obj"),
        ("pairs", CIRCLE.format(', "keep"'), None),
        ("pairs", '["obl", "HEAD"],\n["HEAD", {label="obl", word="x"}, "keep"]', "7: the pair HE"),
        ("pairs", '["HEAD", {label="obl>", word="x"}, "keep"],\n["obl", "HEAD"]', None),
        ("pairs", f'["obl>", "HEAD"],\n{STOP}', "7: OTHER> also takes the final full stop"),
        ("pairs", f'["punct", "HEAD", "keep"],\n{STOP}', None),
        ("order", '"punct<", "nsubj",\n"OTHER>", "HEAD", "OTHER<"', "7: OTHER> also takes"),
        ("order", '"punct<", "nsubj", "HEAD", "OTHER"', None),
        ("order", '"punct<", "OTHER", "HEAD", "punct>"', None),
        ("order", ALL + '{label="obl", at_least=4, at_most=3}', "7: no child fits: at_least = 4"),
        ("order", ALL + '{label="obl", at_least=3, at_most=3}', None),
        ("order", ALL + '{label="obl", word="last year"}', "7: word = 'last year' has a space"),
        ("pairs", '[{label="obl", with_word="as of"}, "HEAD"]', "6: with_word = 'as of' has a"),
        ("lift", '{label="obl", sibling_word="as of"}', "6: sibling_word = 'as of' has a space"),
    ],
)  # fmt: skip
def test_what_is_hardly_meant_is_a_warning_with_its_line(run, tmp_path, key, written, warning):
    path = tmp_path / "mine.toml"
    start = f'name = "mine"\nscheme = "ud"\n[[rule]]\nhead = "VERB"\n{key} = [\n'
    path.write_text(f"{start}{written},\n]\n")
    code, out, err = run("rules", "check", path)
    assert (code, "Valid" in out) == (0, True)
    assert err == "" if warning is None else f"warning: mine.toml:{warning}" in err


EXAMPLE = """
[[example]]
tree = [{}]
order = "{}"
"""
TREE = ["She PRON 2 nsubj", "reads VERB 0 root", "books NOUN 2 obj"]


@pytest.mark.parametrize(("order", "expected"), [("She books reads", 0), ("reads She books", 1)])
def test_check_fails_if_an_example_does(run, tmp_path, order, expected):
    """What else is known of the file is printed all the same."""
    path = tmp_path / "mine.toml"
    tree = ", ".join(f'"{line}"' for line in TREE)
    rule = f'[[rule]]\nhead = "VERB"\npairs = [["obj>", "HEAD"],\n{STOP},\n]\n'
    start = f'name = "mine"\nscheme = "ud"\ntarget = "nl"\n{rule}'
    path.write_text(start + EXAMPLE.format(tree, order))
    code, out, err = run("rules", "check", path)
    assert code == expected
    assert "no constructions are bundled for the target language nl" in " ".join(out.split())
    assert "takes the final full stop" in err
    assert ("example 1 gives 'She books reads' instead of" in err) == bool(expected)
    assert ("1 of 1 example wrong" in out) == bool(expected)
    code, out, _ = run("rules", "check", path, "--json")
    assert (code, len(json.loads(out)["wrong_examples"])) == (expected, expected)


TUNED = "rule set en-ja was tuned on"


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex", "paper"])
@pytest.mark.parametrize(
    "command",
    [
        ("check", "en-ja"),
        pytest.param(
            ("ablate", "--rules", "en-ja", "--parser", "gold", "--whole", "--resamples", "10"),
            marks=pytest.mark.slow,
        ),
        pytest.param(("oracle", "--rules", "en-ja", "--parser", "gold"), marks=pytest.mark.slow),
    ],
    ids=lambda command: command[0],
)
def test_that_rules_were_tuned_on_the_text_is_told(run, command, form):
    how = {"json": ["--json"], "tsv": ["--tsv"]}.get(form, ["--format", form])
    code, out, err = run("rules", *command, *how)
    assert code == 0
    if form == "json":
        [told] = json.loads(out)["warnings"]
        assert (told["kind"], TUNED in told["text"]) == ("learned", True)
    else:
        told = out if form == "text" else err
        assert TUNED in " ".join(told.split()).replace("Rule set", "rule set")


@pytest.mark.slow
def test_a_number_is_a_sentence_of_the_default_reference(run, tmp_path):
    own = ("rules", "show", "en-ja", "--sentence", "3", "--parser", "gold")
    assert run(*own) == run(*own, "--reference", "en-ja-web/dev")
    rules = tmp_path / "mine.toml"
    rules.write_text('name = "mine"\nscheme = "ud"\n')
    code, _, err = run("rules", "show", rules, "--sentence", "3", "--parser", "gold")
    assert (code, err.count("\n")) == (2, 1)
    assert "no reference is named, and rules mine have no target language; give a reference" in err


@pytest.mark.slow
def test_a_trace_shows_what_would_be_nearer_to_the_reference(run):
    sentence = ["--reference", "en-ja", "--sentence", "negation-05", "--parser", "gold"]
    _, out, _ = run("rules", "show", "en-ja", *sentence)
    better = ".        punct after\n  better  anymore | Nothing | works | .\n"
    assert better in out
    assert out.count("better") == 1
    assert "\ntranslation  もう 何 " in out
    _, out, _ = run("rules", "show", "en-ja", *sentence, "--json")
    shown = json.loads(out)
    assert shown["reference"] == [[2], [0], [1], [3]]
    assert shown["translation"][:2] == ["もう", "何"]
    assert [step["better"] for step in shown["steps"]] == [[2, 0, 1, 3]]


@pytest.mark.parametrize(
    ("rules", "default", "done"),
    [
        ("none", "keeps its source order", "keeps its source order"),
        ("reverse", "is inverted", "is inverted"),
    ],
)
def test_what_heads_without_a_rule_do_is_shown(good, rules, default, done):
    assert good("rules", "show", rules).splitlines()[1].endswith(f"a head without a rule {default}")
    sentence = ["--reference", "en-ja", "--sentence", "5", "--parser", "gold"]
    out = good("rules", "show", rules, *sentence)
    assert f"the sentence {done}\n" in out
    assert "\nreference " in out
    assert "no rule fits" not in good("rules", "show", "en-ja", *sentence)


def test_what_is_lifted_is_shown_as_that(run, bundled_reference, tmp_path):
    rules = tmp_path / "mine.toml"
    lift = '[[rule]]\nname = "flat"\nhead = "*"\nlabel = "obj"\nlift = ["OTHER"]\n'
    rules.write_text(f'name = "mine"\nscheme = "ud"\n{lift}')
    code, out, _ = run("rules", "show", rules)
    assert code == 0
    assert "flat: * attached by obj; lifted from it to its head\n" in out
    assert "1  OTHER  mine.toml:7\n" in out
    rules.write_text(f'{rules.read_text()}[[rule]]\nhead = "VERB"\npairs = [["HEAD", "nsubj"]]\n')
    sentence = ["--reference", "en-ja", "--sentence", "5", "--parser", "gold"]
    code, out, _ = run("rules", "show", rules, *sentence)
    assert (code, "needs | extra, lifted | blankets" in out) == (0, True)
    write_conllu(tmp_path / "own.conllu", bundled_reference.trees)
    assert run("rules", "show", rules, *sentence[:-1], tmp_path / "own.conllu")[1] == out


@pytest.mark.slow
def test_the_trace_of_a_sentence_that_is_typed_in(run):
    code, out, _ = run("rules", "show", "en-ja", "--sentence", "She reads books .")
    assert code == 0
    assert out.endswith("result  She books reads .\n")
    code, out, _ = run("rules", "show", "none", "--sentence", "She \x1b[1mreads .")
    assert "no rule fits any head that has children: the sentence keeps its source order" in out
    assert out.endswith("result  She \\x1b[1mreads .\n")


@pytest.mark.slow
def test_the_oracle_of_own_text_with_own_gold_trees(run, bundled_reference, tmp_path):
    """The parser's share of what is lost is that of the same sentences as a reference set."""
    part = bundled_reference.take(range(20), "s")
    write_conllu(tmp_path / "gold.conllu", part.trees)
    source, alignment = write_part(tmp_path, part)
    own = ("--source", source, "--alignment", alignment)
    oracle = ("rules", "oracle", "--rules", "en-ja", *own, "--json")
    code, out, _ = run(*oracle, "--gold", tmp_path / "gold.conllu")
    assert code == 0
    text = reference_from_files(source, alignment, name="s")
    expected = pe.oracle("en-ja", "en-web", replace(text, trees=part.trees)).to_dict()
    assert json.loads(out)["oracle"] == expected["oracle"]
    assert json.loads(out)["value_on_gold"] == expected["value_on_gold"]
    assert json.loads(run(*oracle)[1])["value_on_gold"] is None
    code, _, err = run(*oracle, "--gold", source)
    assert (code, "s.en:1: " in err) == (2, True)


def test_the_rule_file_itself_is_shown(good):
    out = good("rules", "show", "en-ja", "--toml")
    assert out == bundled_names("rules")["en-ja"].read_text(encoding="utf-8")


@pytest.mark.slow
def test_rules_for_a_new_pair_start_from_others(run, good, tmp_path):
    out = good("rules", "show", "en-ja", "--new", "en-hi")
    (tmp_path / "mine.toml").write_text(out)
    rules = load_rules(tmp_path / "mine.toml")
    assert (rules.name, rules.source, rules.target) == ("en-hi", "en", "hi")
    assert rules.rules == load_rules("en-ja").rules
    assert rules.examples == ()
    (tmp_path / "other.toml").write_text(good("rules", "show", "en-ja", "--new", "zh-ja"))
    other = load_rules(tmp_path / "other.toml")  # zh has no stems: marked words lose the mark
    assert len(other.rules) == len(rules.rules)
    assert not any("~" in str(slot) for rule in other.rules for slot in rule.patterns)
    code, _, err = run("rules", "show", "en-ja", "--new", "hindi")
    assert (code, "is not a pair of languages" in err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["evaluate", "rules ablate", "rules learn --start en-ja"])
@pytest.mark.parametrize(("size", "warned"), [(12, True), (50, False)])
def test_few_sentences_are_noted_at_every_door(
    run, bundled_reference, tmp_path, monkeypatch, command, size, warned
):
    monkeypatch.chdir(tmp_path)
    part = bundled_reference.take(range(size), "s")
    write_conllu(tmp_path / "s.conllu", part.trees)
    Path("s.align").write_text(format_alignments(part.alignments))
    options = ["--trees", "s.conllu", "--alignment", "s.align"]
    options += ["--out", "new.toml"] if "learn" in command else ["--rules", "en-ja"]
    code, out, err = run(*command.split(), *options)
    assert code == 0, err
    assert (f"only {size} sentences" in out) == warned
