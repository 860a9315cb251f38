"""Text of others on a screen."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.errors import brief
from preorder_eval.base.visible import visible

FAMILY = "👩\u200d👩\u200d👧"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\r\nc\x7f\x85", r"a\tb\r\nc\x7f\x85"),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x1b]0;title\x07\x9b2J", r"\x1b]0;title\x07\x9b2J"),
        ("\u202aa\u202eb\u202c", r"\u202aa\u202eb\u202c"),
        ("\u2066a\u2069\u200f\u061c", r"\u2066a\u2069\u200f\u061c"),
        ("pay\u200bpal\u2060\ufeff\u00ad", r"pay\u200bpal\u2060\ufeff\xad"),
        ("a\u200db\u200c", r"a\u200db\u200c"),
        ("か\u200d\u200d", "か\u200d\\u200d"),
        ("\u200dか", r"\u200dか"),
        ("a\u2028b\u2029", r"a\u2028b\u2029"),
        ("\U000e0041\ud800\uffff", r"\U000e0041\ud800\uffff"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        *("日本語\u3000です、ｶﾀｶﾅ", "か\u3099e\u0301", "葛\U000e0100", "❤\ufe0f🇯🇵👍🏽", FAMILY),
        *("می\u200cخواهم", "क्\u200dष", "naïve\u00a0“…”", "\ue000", r"C:\new"),
    ],
)
def test_ordinary_text_is_left_alone(text):
    assert visible(text) == text


WORDS = 19 * f"{99 * 'a'} " + "b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a " + 400 * "x", "a " + 400 * "x"),
        ("a " + 401 * "x", "a " + 400 * "x" + "…"),
        (f"no '{119 * 'x'}'", f"no '{119 * 'x'}'"),
        (f"no '{120 * 'x'}'", f"no '{119 * 'x'}…'"),
        (f'no "{60 * "x "}" is', f'no "{60 * "x "}'[:-1] + '…" is'),
        (WORDS[1:], WORDS[1:]),
        (WORDS, f"{WORDS[:950]} … {WORDS[-950:]}"),
    ],
)
def test_errors_cut_what_is_long(text, shown):
    assert brief(text) == shown


@given(st.text(st.characters()))
def test_what_is_shown_is_one_line_that_stays_as_it_is(text):
    shown = visible(text)
    assert visible(shown) == shown
    assert len(shown.splitlines()) <= 1
    categories = {
        unicodedata.category(c) for c in shown.replace("\u200c", "").replace("\u200d", "")
    }
    assert not categories & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    ordinary = [c for c in text if unicodedata.category(c)[0] in "LMNPS" or c == " "]
    assert [c for c in ordinary if c not in shown] == []
