"""Systems: what is scored, however it was made."""

import pytest

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.base.files.files import file_hash
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.systems import System
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import load_rules, rules_hash
from preorder_eval.rules.rule_writing import format_rules

WORDS = [["She", "reads", "books"], ["He", "sleeps"]]


@pytest.mark.slow
def test_a_parser_with_rules_is_known_by_both(bundled_reference, gold):
    system = Parsed.by("gold", bundled_reference).reordered("en-ja")
    assert (system.name, system.parser, system.rules) == ("gold/en-ja", "gold", "en-ja")
    assert list(system.orders) == list(load_rules("en-ja").reorder(gold))
    assert system.made_by["rules"]["sha256"] == rules_hash("en-ja")
    assert system.made_by["parser"] == {"name": "gold", "gold": True, **bundled_reference.hashes}
    assert system.origin().trees is gold
    assert system.origin().rules == load_rules("en-ja")


def test_rules_can_be_a_file_or_a_rule_set(tmp_path, bundled_reference):
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nscheme = "ud"\n[[rule]]\nhead = "VERB"\n'
        'order = ["obj", "HEAD", "OTHER", "punct"]\n'
    )
    parsed = Parsed.by("gold", bundled_reference)
    of_file = parsed.reordered(tmp_path / "mine.toml")
    of_rules = parsed.reordered(load_rules(tmp_path / "mine.toml"))
    assert of_file.name == of_rules.name == "gold/mine"
    assert list(of_file.orders) == list(of_rules.orders)
    (tmp_path / "again.toml").write_text(format_rules(of_rules.origin().rules))
    again = parsed.reordered(tmp_path / "again.toml")
    assert list(again.orders) == list(of_rules.orders)


def test_gold_trees_are_those_of_a_reference_set():
    bare = ReferenceSet("bare", WORDS, Alignments.of([[(0, 0)], []]))
    for source in (bare, WORDS):
        with pytest.raises(PreorderEvalError, match="has no gold trees for the parser 'gold'"):
            Parsed.by("gold", source).reordered("none")
    with pytest.raises(UnknownNameError, match="en-wib"):
        Parsed.by("en-wib", WORDS).reordered("none")


def test_orders_come_from_memory_or_a_file(tmp_path):
    path = tmp_path / "mine.order"
    path.write_text("0 2 1\n1 0\n")
    of_file = System.from_orders(path, WORDS)
    of_lists = System.from_orders([[0, 2, 1], [1, 0]], WORDS, name="lists")
    of_orders = System.from_orders(Orders.of([[0, 2, 1], [1, 0]]), WORDS, name="orders")
    assert list(of_file.orders) == list(of_lists.orders) == list(of_orders.orders)
    assert [own.name for own in (of_file, of_lists, of_orders)] == ["mine", "lists", "orders"]
    assert of_file.made_by == {"orders": {"file": "mine.order", "sha256": file_hash(path)}}
    assert (of_lists.parser, of_lists.rules, of_lists.origin()) == ("lists", "", None)
    path.write_text("0 2 1\n")
    with pytest.raises(FormatError, match=r"mine\.order"):
        System.from_orders(path, WORDS)


def test_an_alignment_gives_the_orders_of_its_links(tmp_path):
    path = tmp_path / "decoder.align"
    path.write_text("0-0 1-2 2-1\n0-1 1-0\n")
    links = Alignments.of([[(0, 0), (1, 2), (2, 1)], [(0, 1), (1, 0)]])
    of_file, of_links = System.from_alignment(path, WORDS), System.from_alignment(links, WORDS)
    assert list(of_file.orders) == list(of_links.orders) == [[0, 2, 1], [1, 0]]
    assert of_file.made_by["alignment"]["sha256"] == file_hash(path)
    assert (of_file.name, of_links.name) == ("decoder", "decoder")


def test_outputs_come_from_memory_or_a_file(tmp_path):
    path = tmp_path / "mt.en"
    path.write_text("a b\n\n")
    of_file, of_lines = System.from_output(path), System.from_output(["a b", ""], name="mt")
    assert of_file.hyp == of_lines.hyp == ["a b", ""]
    assert of_file.name == of_lines.name == "mt"
    assert of_file.made_by["sha256"] == file_hash(path)
    assert repr(of_file) == "<System mt: outputs of 2 sentences>"


def test_a_system_has_orders_outputs_or_both():
    both = System("both", Orders.of([[0]]), ["a"])
    assert repr(both) == "<System both: orders and outputs of 1 sentence>"
    assert repr(System("none")) == "<System none: nothing of 0 sentences>"
    assert repr(both.named("other")) == "<System other: orders and outputs of 1 sentence>"


def test_parses_are_kept_from_one_rule_set_to_the_next(parser):
    calls = []

    class Counting:
        identity = parser.identity

        def parse(self, sentences, *, advance=None):
            calls.append(len(sentences))
            return parser.parse(sentences, advance=advance)

    parsed = Parsed.by(Counting(), WORDS)
    systems = [parsed.reordered(name) for name in ("none", "en-ja")]
    assert calls == [2]
    assert [system.name for system in systems] == ["en-web/none", "en-web/en-ja"]
    assert [list(system.orders) for system in systems] == [[[0, 1, 2], [0, 1]], [[0, 2, 1], [0, 1]]]
