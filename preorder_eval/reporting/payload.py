"""JSON that can stand in a page."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from preorder_eval.stats.bootstrap import Interval

Json = dict[str, Any]
# What ends a script element, and what cannot be seen or turns the direction of the page's source.
_UNSAFE = re.compile(
    "[<>&\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)


def json_text(value: Any) -> str:
    r"""A value as JSON that can stand in a script element.

    >>> print(json_text({"word": "</script>\u202e"}))
    {"word":"\u003c/script\u003e\u202e"}
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


_SMALL, _LARGEST = 64, 50_000


def packed(numbers: Sequence[int]) -> str | list[int]:
    """Numbers as a character each, which takes a third of the room; the script unpacks them.

    Number 0 is the question mark and so on in ASCII, so that few need to be escaped; from 64 they
    are beyond Latin-1. A list stays a list where a number is too large for that.

    >>> packed([0, 1, 10, 64])
    '?@Iŀ'
    """
    if max(numbers, default=0) > _LARGEST:
        return list(numbers)
    return "".join(chr(n + (63 if n < _SMALL else 256)) for n in numbers)


def four(value: float) -> float | None:
    """A score as the page has it: to four digits, None where there is none.

    >>> four(2 / 3), four(float("nan"))
    (0.6667, None)
    """
    return None if math.isnan(value) else round(value, 4)


def ends(interval: Interval) -> list[float | None]:
    """A value with the ends of its interval, as the page has them."""
    return [four(interval.value), four(interval.low), four(interval.high)]
