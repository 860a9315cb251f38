"""Rule files: what they may say, what errors say of them, and what is written."""

from dataclasses import replace

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.errors import FaultyFileError, FormatError
from preorder_eval.base.resources import bundled
from preorder_eval.rules.conditions import CONDITIONS, HEAD, Slot
from preorder_eval.rules.rule_files import extended_files, rule_names
from preorder_eval.rules.rule_reading import (
    failing_examples,
    load_rule_sets,
    load_rules,
    parse_rules,
    rules_hash,
    where_written,
)
from preorder_eval.rules.rule_writing import format_rules
from preorder_eval.trees.schemes import LABELS, SAME

HEADER = 'name = "mine"\nscheme = "ud"\n'


def verb_rule(order):
    return f'{HEADER}[[rule]]\nhead = "VERB"\norder = [{order}]\n'


def message(text):
    with pytest.raises(FormatError) as caught:
        parse_rules(text, "mine.toml")
    return str(caught.value)


def test_slots_in_short_and_long_form():
    rules = parse_rules(
        verb_rule(
            '"nsubj", {label=["obl","obj"], side="after", tag="NOUN", word="It", reverse=true}, '
            '"OTHER", "HEAD", "punct"'
        ),
        "mine.toml",
    )
    plain, narrow, *_ = rules.rules[0].slots
    assert plain.labels == ("nsubj",)
    assert narrow.labels == ("obl", "obj")
    assert (narrow.side, narrow.tags, narrow.words, narrow.reverse) == (
        "after", ("NOUN",), ("it",), True,
    )  # fmt: skip


@pytest.mark.parametrize("short", ["punct|cc<", "punct<|cc<"])
def test_labels_of_a_slot_share_a_side(short):
    slot = parse_rules(verb_rule(f'"{short}", "OTHER", "HEAD", "punct"'), "x").rules[0].slots[0]
    assert slot == Slot(("punct", "cc"), side="before")


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ('"nsubjj", "OTHER", "HEAD", "punct"', "unknown label in rule 1 (VERB): 'nsubjj'"),
        ('"OTHER", "punct"', "rule 1 (VERB): 0 HEAD slots"),
        ('"HEAD", "OTHER", "HEAD", "punct"', "rule 1 (VERB): HEAD is in two slots"),
        ('"HEAD", "punct"', "no OTHER slot"),
        ('"HEAD", "OTHER"', "no slot for punct"),
        ('"obj", "HEAD", "obj", "OTHER", "punct"', "obj is in two slots"),
        ('{label="HEAD", side="after"}, "OTHER", "punct"', "the HEAD slot cannot have conditions"),
        ('{label="OTHER", tag="NOUN"}, "HEAD", "punct"', "the OTHER slot can only have"),
        ('{label="obj", side="left"}, "HEAD", "OTHER", "punct"', "'before' or 'after', not 'left'"),
        ('{label="obj", sides="after"}, "HEAD"', "at rule 1 order 1 sides: 'sides' (did you mean"),
        ('{side="after"}, "HEAD"', "key rule 1 order 1 label is missing"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_order_is_named(order, says):
    assert message(verb_rule(order)).startswith(("mine.toml:3: ", "mine.toml:5: "))
    assert says in message(verb_rule(order))


PAIRS = HEADER + "[[rule]]\nhead = '*'\npairs = "
LIFT = HEADER + "[[rule]]\nhead = 'NOUN'\nlift = "
EXAMPLE = HEADER + '[[example]]\ntree = ["{}"]\norder = "{}"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = 'x'\n", "key scheme is missing; add scheme = 'ud', 'sud' or 'clearnlp'"),
        ("scheme = 'ud'\n", "key name is missing; add name = …"),
        (HEADER + "[[rule]]\nhead = 'VREB'\norder = []\n", "category in rule 1 (VREB): 'VREB'"),
        (HEADER + "[[rule]]\nhead = 'VERB'\n",
         "rule 1 (VERB): give exactly one of order, weights, pairs and lift"),
        (PAIRS + "[['obj', 'HEAD', 'obl']]\n",
         "a pair must be 'first', 'reverse' or 'keep', not 'obl'"),
        (PAIRS + "[['obj>', 'HEAD>']]\n", "rule 1 (*): HEAD cannot have a side"),
        (PAIRS + "[['obj>', 'obj>']]\n", "rule 1 (*): obj> cannot come before itself"),
        (PAIRS + "[['obj>', {label='obl', reverse=true}]]\n", "pairs cannot have reverse"),
        (PAIRS + "[['obj>', {label='obl', sibling='objj'}]]\n",
         "sibling in rule 1 (*), ['obl']: 'objj'"),
        (PAIRS + "[['obj>', {label='obl', feats='Inf'}]]\n", "'Inf' does not have the form Name="),
        (PAIRS + "[['obj>', {label='obl', head_feats='Past'}]]\n",
         "mine.toml:5: rule 1 (*): head_feats 'Past' does not have the form Name=Value"),
        (PAIRS + "[['obj>', {label='obl', at_least=0}]]\n",
         "at_least: must be from 1 to 1,000,000,000, not 0"),
        (LIFT + "['HEAD']\n", "rule 1 (NOUN): lift cannot have reverse"),
        (LIFT + "[]\n", "rule 1 lift: must not be empty"),
        (PAIRS + "[['obj<|obl>', 'HEAD']]\n",
         "mine.toml:5: rule 1 (*): the labels of a slot must have the same side, unlike 'obj<"),
        (PAIRS + "[]\norder = ['HEAD', 'OTHER']\n", "rule 1 pairs: must not be empty"),
        ("x" + ".x" * 10 + " = 1\n" + HEADER, "mine.toml:1: unknown key at x"),
        ("x = " + "[" * 100_000, "mine.toml: not TOML"),
        ("x = " + "9" * 100_000, "mine.toml: not TOML"),
        (HEADER + "[[rule]]\nhead='VERB'\nweights=[{label='obj', weight=nan}]\n", "weight"),
        (HEADER + "\n[[rule", "mine.toml:4: not TOML"),
        (HEADER + "rule = [{head = 'VERB', order = []},\n{head = 'VREB'}]\n",
         "4: unknown category"),
        (HEADER + "[[rule]]\nhead = 'VERB|AUX'\nlabel = 'ccomp|acl'\npairs = [['obj', 'HEAD']]\n",
         "mine.toml:4: category in rule 1 (VERB|AUX): 'VERB|AUX' are several; "
         'write a list: ["VERB", "AUX"]'),
        (PAIRS + "[['obj', 'HEAD']]\n[[rule]]\nhead = ['AUX', '*']\npairs = [['obj', 'HEAD']]\n",
         "rule 2 (AUX, *): * heads already have rule 1"),
        (
            HEADER + "[[rule]]\nhead='VERB'\nweights=[{label='obj',weight=1},"
            "{label='obl',weight=1,order='REVERSE'},{label='punct',weight=-1}]\n",
            "obj, obl have the same weight, but one is NORMAL and one REVERSE",
        ),
        (EXAMPLE.format("eat VERB 0", "eat"), "token 'eat VERB 0' is not 'word TAG head label'"),
        (EXAMPLE.format("eat VERB 2 root", "eat"), "example 1: token 1 has head 2"),
        (EXAMPLE.format("eat VERB 0 root", "go"), "order does not contain exactly the words"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_named(text, says):
    assert says in message(text)


@pytest.mark.parametrize(
    ("scheme", "label", "says"),
    [
        ("ud", "dobj", "is a label of clearnlp, not of ud; write 'obj', or scheme = \"clearnlp\""),
        ("ud", "pobj", 'is a label of clearnlp, not of ud; write scheme = "clearnlp"'),
        ("sud", "obl", 'is a label of ud, not of sud; write scheme = "ud"'),
    ],
)
@pytest.mark.parametrize("form", ['order = ["{}"]', 'weights = [{{ label = "{}", weight = 1 }}]'])
def test_a_label_of_another_scheme_is_named_as_that(scheme, label, says, form):
    rule = f'[[rule]]\nhead = "VERB"\n{form.format(label)}\n'
    said = message(f'name = "x"\nscheme = "{scheme}"\n{rule}')
    assert said == f"mine.toml:5: label in rule 1 (VERB): {label!r} {says}"


def test_labels_with_another_name_are_labels_of_both_schemes():
    for scheme, other in (("ud", "clearnlp"), ("clearnlp", "ud")):
        assert SAME[scheme].keys() <= LABELS[other]
        assert set(SAME[scheme].values()) <= LABELS[scheme]


def test_all_faults_are_reported_a_line_each():
    rules = [
        '[[rule]]\nhead = ["VERBB", "AUX"]\norder = [\n  "nsubjj",\n  { label = "obj", x = 1 },\n]',
        '[[rule]]\nhead = "AUX"\norder = ["HEAD", "OTHER"]',
        '[[rule]]\nhead = "NOUN"\npairs = [["obj", "obj"]]',
        '[[example]]\ntree = ["a"]\norder = "a"',
    ]
    with pytest.raises(FaultyFileError) as refusal:
        parse_rules(HEADER + "\n".join(rules), "mine.toml")
    assert [fault.line for fault in refusal.value.faults] == [4, 6, 7, 9, 9, 14, 16]
    assert refusal.value.line == 4
    assert len(str(refusal.value).splitlines()) == 7


@pytest.mark.parametrize(("faults", "more"), [(20, []), (21, ["mine.toml: … and more"])])
def test_of_very_many_faults_some_are_reported(faults, more):
    lines = message(HEADER + "".join(f"key{n} = 1\n" for n in range(faults))).splitlines()
    assert lines[0].startswith("mine.toml:3: unknown key at key0")
    assert lines[20:] == more


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('{"name": "x", "scheme": "ud"}', "JSON"),
        ("# rules\n---\nname: x\nscheme: ud\n", "YAML"),
        ("name = 'x'\nscheme: ud\n", None),
    ],
)
def test_a_file_in_another_language_is_named_as_that(text, language):
    hint = f'; it looks like {language}; in TOML a key is written key = "value"'
    assert message(text).endswith(hint if language else ")")


def test_the_weighted_form_is_the_same_as_slots():
    weighted = f"""{HEADER}[[rule]]
head = "VERB"
weights = [
  {{ label = "nsubj", weight = 3 }},
  {{ label = "obl", weight = 1, order = "REVERSE" }},
  {{ label = "obj", weight = 1, order = "REVERSE" }},
  {{ label = "HEAD", weight = -1 }},
  {{ label = "punct", weight = -2 }},
]
"""
    slots = verb_rule('"nsubj", {label=["obl", "obj"], reverse=true}, "OTHER", "HEAD", "punct"')
    assert parse_rules(weighted, "a").rules == parse_rules(slots, "b").rules


def test_what_is_not_named_weighs_nothing():
    """Xu et al. (2009): children without a weight, and a head without one, keep their order."""
    weights = '[{label="obj", weight=1}, {label="punct", weight=-1}]'
    text = f'{HEADER}[[rule]]\nhead = "VERB"\nweights = {weights}\n'
    assert [slot.labels for slot in parse_rules(text, "a").rules[0].slots] == [
        ("obj",), ("HEAD", "OTHER"), ("punct",),
    ]  # fmt: skip


def test_xpos_categories_can_be_patterns():
    order = 'order = ["obj", "HEAD", "OTHER", "punct"]\n'
    text = f'{HEADER}tags = "xpos"\n[[rule]]\nhead = "VB*"\n{order}'
    assert parse_rules(text, "a").rules[0].heads == ("VB*",)
    assert "'ZZ*'" in message(text.replace("VB*", "ZZ*"))


LISTS = """
[words]
not = ["not", "N't"]

[slots]
front = ["punct<", { label = "obl|advcl<", reverse = true }]
end = [{ label = "advmod>", word = ["$not", "$$us", "$5"] }, "punct>"]

[[rule]]
name = "clause"
head = "VERB"
order = ["$front", "OTHER", "HEAD", "$end"]

[[rule]]
name = "noun"
head = ["NOUN", "PROPN"]
label = "obj"
order = ["OTHER", "HEAD", "$end"]
"""


def test_named_lists_are_what_they_stand_for():
    written = (
        HEADER
        + """[[rule]]
head = "VERB"
order = ["punct<", { label = ["obl", "advcl"], side = "before", reverse = true }, "OTHER", "HEAD",
{ label = "advmod", side = "after", word = ["not", "n't", "$$us", "$5"] }, "punct>"]
[[rule]]
head = ["NOUN", "PROPN"]
label = "obj"
order = ["OTHER", "HEAD", { label = "advmod>", word = ["not", "n't", "$$us", "$5"] }, "punct>"]
"""
    )
    rules = parse_rules(HEADER + LISTS, "x")
    assert rules.rules[1].slots[2].words == ("not", "n't", "$us", "$5")
    assert [rule.slots for rule in rules.rules] == [
        rule.slots for rule in parse_rules(written, "y").rules
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (LISTS.replace('"$front"', '"$frnt"'), "14: unknown list of slots in rule clause (VERB): "),
        (LISTS.replace("$not", "$nto"), "list of words in list end, ['advmod']: 'nto' (did you"),
        (LISTS.replace('"punct<"', '"pnct<"'), "8: unknown label in list front: 'pnct' (did you"),
        (LISTS.replace('["not", "N\'t"]', "[]"), "5: key words not: must not be empty"),
        (
            LISTS.replace("front", "5th"),
            "8: '5th' is not a valid name of a list; use a letter, then",
        ),
        (LISTS.replace('"N\'t"', '"$end"'), "5: list not: a list of words cannot contain another"),
        (
            LISTS.replace('"noun"', '"clause"'),
            "16: rule clause: there is already a rule with this name",
        ),
        (PAIRS.removeprefix(HEADER) + "[['obj', {label='obl', sibling='obk<'}]]", "'obk' (did you"),
    ],
)
def test_what_is_wrong_with_lists_is_named(text, says):
    assert says in message(HEADER + text)


MARKED = """source = "en"
[words]
going = ["~visit", "went"]
[[rule]]
head = "VERB"
order = [
  "OTHER", "HEAD", { label = "advmod", word = "$going" }, { label = "obl", word = ["up", "~~x"] },
  "punct",
]
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (MARKED.replace('"en"', '"en_GB"'), ""),
        (
            MARKED.replace('"en"', '"zh"'),
            "mine.toml:9: rule 1 (VERB), ['advmod']: '~visit' stands for all",
        ),
        (MARKED.replace('source = "en"\n', ""), "source = 'any' has no stemmer; set source to one"),
        (
            MARKED.replace('label = "obl", word = ["up"', 'label = "advmod", word = ["visited"'),
            "two",
        ),
        (MARKED.replace('label = "obl", word = ["up"', 'label = "advmod", word = ["visitor"'), ""),
    ],
)
def test_marked_words_are_those_of_a_stem_of_the_source_language(text, says):
    if says:
        assert says in message(HEADER + text)
    else:
        assert parse_rules(HEADER + text, "x").rules[0].slots[2].words == ("~visit", "went")


def test_a_fault_of_a_list_is_reported_once():
    assert len(message(HEADER + LISTS.replace('"punct>"', '"pnct>"', 1)).splitlines()) == 1


@pytest.fixture
def base(tmp_path):
    path = tmp_path / "base.toml"
    path.write_text(
        'name = "base"\ndescription = "the base"\nscheme = "ud"\ntarget = "ja"\n'
        'tuned_on = "en-ja"\n' + LISTS
    )
    return path


def extending(base, text, extends="base.toml"):
    """A file beside another one that it extends."""
    path = base.with_name("mine.toml")
    path.write_text(f'name = "mine"\nextends = "{extends}"\n{text}')
    return path


def test_a_file_has_the_rules_of_what_it_extends(base):
    rules, under = load_rules(extending(base, 'tuned_on = "en-ko"\n')), load_rules(base)
    assert rules.rules == under.rules
    assert (rules.scheme, rules.target, rules.description) == ("ud", "ja", "")
    assert rules.tuned_on == ("en-ja", "en-ko")
    assert rules_hash(rules) == rules_hash(under)
    assert parse_rules(format_rules(rules), "x") == rules


def test_rules_and_lists_of_the_same_name_are_replaced(base):
    own = """
[words]
not = "never"

[[rule]]
name = "noun"
order = ["HEAD", "$end", "OTHER"]

[[rule]]
head = "ADJ"
order = ["OTHER", "HEAD", "punct"]
"""
    path = extending(base, own)
    clause, noun, adjective = load_rules(path).rules
    assert clause.slots[-2].words == noun.slots[1].words == ("never", "$us", "$5")
    assert (noun.heads, noun.labels, len(noun.slots)) == (("NOUN", "PROPN"), ("obj",), 4)
    assert adjective.heads == ("ADJ",)
    assert rules_hash(path) != rules_hash(base)
    assert where_written(path) == [
        [f"base.toml:{line}" for line in (11, 11, 17, 17, 12, 12)],
        ["mine.toml:9", "base.toml:12", "base.toml:12", "mine.toml:9"],
        ["mine.toml:13"] * 3,
    ]


def test_a_bundled_set_can_be_extended_and_what_extends_it_too(base):
    first = extending(base, "", "en-ja")
    second = first.with_name("second.toml")
    second.write_text(f'name = "second"\nextends = "{first}"\ndefault = "reverse"\n')
    assert load_rules(second).rules == load_rules("en-ja").rules
    assert load_rules(second).default == "reverse"
    assert [file.name for file in extended_files(second)] == ["mine.toml", "en-ja.toml"]


ORDER = 'order = ["OTHER", "HEAD", "punct"]\n'


@pytest.mark.parametrize(
    ("text", "extends", "says"),
    [
        ("", "en-jaa", "mine.toml:2: unknown rule set 'en-jaa' (did you mean 'en-ja'?); known: "),
        ("", "mine.toml", "mine.toml:2: extends forms a cycle: mine.toml, which extends mine."),
        ('scheme = "sud"\n', "base.toml", "mine.toml:3: scheme is 'ud' in base, which this file "),
        (f'[[rule]]\nname = "nuon"\n{ORDER}', "base.toml",
         "mine.toml:4: unknown rule of base.toml: 'nuon' (did you mean 'noun'?); known: clause"),
        (f'[[rule]]\nhead = "VERB"\n{ORDER}', "base.toml",
         'mine.toml:3: rule 3 (VERB): VERB heads already have rule clause; name = "clause" re'),
        (f'[[rule]]\nname = "noun"\n{ORDER}' * 2, "base.toml",
         "mine.toml:6: rule noun: there is already a rule with this name"),
        ('[slots]\nend = ["mark"]\n', "base.toml",
         "base.toml:19: rule noun (NOUN, PROPN): no slot for punct; "),
        ('[words]\nnto = "not"\n', "base.toml",
         "mine.toml:4: unknown list of words in base: 'nto' (did you mean 'not'?)"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_that_extends_another_is_named(base, text, extends, says):
    with pytest.raises(FormatError) as caught:
        load_rules(extending(base, text, extends))
    assert says in str(caught.value)


def test_files_that_extend_each_other_are_named(base):
    path = extending(base, "")
    base.write_text('name = "base"\nextends = "mine.toml"\n')
    circle = "mine.toml, which extends base.toml, which extends mine.toml"
    with pytest.raises(FormatError, match=f"base.toml:2: extends forms a cycle: {circle}"):
        load_rules(path)


def test_a_failing_example_is_reported():
    text = verb_rule('"OTHER", "HEAD", "punct"') + (
        '[[example]]\ntree = ["eat VERB 0 root", "fish NOUN 1 obj"]\norder = "eat fish"\n'
    )
    assert failing_examples(parse_rules(text, "a")) == [
        "example 1 gives 'fish eat' instead of 'eat fish'"
    ]


# What TOML files may not hold as it stands, or at all: half of a surrogate pair.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def legal(rule):
    """A random rule as a file may hold it: punct has a slot, and a child is not in two."""
    if not rule.slots:
        return rule
    slots = []
    for drawn in rule.slots:
        slot = replace(drawn, labels=(HEAD,)) if HEAD in drawn.labels else drawn
        if not any(slot.shared_labels(other, "en") for other in slots):  # also by its earlier name
            slots.append(slot)
    if not any("punct" in slot.labels for slot in slots):
        slots.append(Slot(("punct",)))
    return replace(rule, slots=tuple(slots))


@given(strategies.rule_sets(), texts, texts, st.sampled_from(["de", "en"]), st.lists(texts))
def test_written_rules_read_back_the_same(rules, name, description, source, tuned_on):
    written = replace(
        rules,
        rules=tuple(map(legal, rules.rules)),
        name=name,
        description=description,
        source=source,
        tuned_on=tuple(tuned_on),
    )
    assert parse_rules(format_rules(written), "x") == written


@pytest.mark.slow
@given(strategies.pair_rules())
def test_written_pairs_read_back_the_same(drawn):
    rules = replace(drawn, rules=tuple(map(legal, drawn.rules)))
    assert parse_rules(format_rules(rules), "x") == rules


@pytest.mark.slow
@pytest.mark.parametrize("name", rule_names())
def test_bundled_rules_and_their_examples_read_back(name):
    rules = load_rules(name)
    again = parse_rules(format_rules(rules), "x")
    assert again == rules
    assert failing_examples(again) == []


def test_examples_have_the_tags_that_the_rules_go_by():
    text = (
        'name = "x"\nscheme = "ud"\ntags = "xpos"\n[[example]]\n'
        'tree = ["\\"go\\" VBP 0 root"]\norder = "\\"go\\""\n'
    )
    [example] = parse_rules(format_rules(parse_rules(text, "x")), "x").examples
    assert example.tree.xpos == ["VBP"]
    assert example.expected == '"go"'


def test_the_manual_lists_the_declared_conditions():
    rows = [f"| `{key}` | {known.metadata['about']} |\n" for key, known in CONDITIONS.items()]
    page = (bundled("manual") / "rules.md").read_text(encoding="utf-8")
    assert "|---|---|\n" + "".join(rows) in page


def test_what_a_file_extends_is_named_from_that_file(tmp_path):
    for name, base in (("mine", "b/theirs.toml"), ("b/theirs", "all.toml"), ("b/all", None)):
        path = tmp_path / f"{name}.toml"
        path.parent.mkdir(exist_ok=True)
        above = f'extends = "{base}"\n' if base else 'default = "reverse"\n'
        path.write_text(f'name = "{path.stem}"\nscheme = "ud"\n{above}')
    assert load_rules(tmp_path / "mine.toml").default == "reverse"


def test_files_of_one_name_are_called_by_their_files(tmp_path):
    for name in ("old", "new"):
        (tmp_path / f"{name}.toml").write_text('name = "mine"\nscheme = "ud"\n')
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    names = [[rules.name for rules in load_rule_sets(of)] for of in ([old, new], [old], ["none"])]
    assert names == [["old", "new"], ["mine"], ["none"]]
    assert [rules.name for rules in load_rule_sets([old, f"b={new}", old])] == ["old", "b", "old"]
