"""What peer tools print, for `evaluate --compat`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.results.evaluation import System


def peer_lines(
    peer: Literal["lader", "tdbtg"],
    data: ReferenceSet,
    systems: Sequence[System],
    attach_null: Literal["left", "right"],
    combine_blocks: bool,
) -> Iterator[str]:
    """The lines that the peer prints for each system; a comment names each of several."""
    from preorder_eval.papers.peers import lader, tdbtg

    for system in systems:
        if len(systems) > 1:
            yield f"# {system.name}"
        if peer == "tdbtg":
            result = tdbtg.evaluate(data.alignments, system.orders)
            yield from result.lines()
            for why, sentences in result.left_out.items():
                yield f"# {why}: sentences {', '.join(map(str, sentences))}"
        else:
            yield from lader.evaluate(
                data.alignments,
                system.orders,
                data.source,
                attach_null=attach_null,
                combine_blocks=combine_blocks,
            ).lines()
