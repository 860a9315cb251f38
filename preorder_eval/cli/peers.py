"""What peer tools print, for `evaluate --compat`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from preorder_eval.results.result import Result


def peer_lines(
    peer: Literal["lader", "tdbtg"],
    result: Result,
    attach_null: Literal["left", "right"],
    combine_blocks: bool,
) -> Iterator[str]:
    """The lines that the peer prints for each system; a comment names each of several."""
    from preorder_eval.papers import lader, tdbtg

    data = result.inputs.ordered
    if data is None:
        return
    for number, name in enumerate(result.systems):
        orders = result.inputs.of(number).orders
        if len(result.systems) > 1:
            yield f"# {name}"
        if peer == "tdbtg":
            scored = tdbtg.evaluate(data.alignments, orders)
            yield from scored.lines()
            for why, sentences in scored.left_out.items():
                yield f"# {why}: sentences {', '.join(map(str, sentences))}"
        else:
            yield from lader.lines(
                lader.evaluate(
                    data.alignments,
                    orders,
                    data.source,
                    attach_null=attach_null,
                    combine_blocks=combine_blocks,
                )
            )
