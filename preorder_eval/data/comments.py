"""The comment lines of the sentences of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from preorder_eval.data.arrays import Offsets, described


@dataclass(frozen=True, eq=False)
class Comments(Sequence[tuple[str, ...]]):
    r"""The comment lines of each sentence, which become strings when they are asked for.

    `text` UTF-8 in which every line has its end; `offsets` int64[S + 1], the bytes of each
    sentence. They equal, and can be used as, a list of tuples of lines.

    >>> from preorder_eval.data.arrays import offsets_of
    >>> comments = Comments(b"# sent_id = 1\n# new\n", offsets_of([20, 0]))
    >>> comments, comments[0], comments[1]
    (<Comments: 2 sentences>, ('# sent_id = 1', '# new'), ())
    """

    text: bytes
    offsets: Offsets

    def __repr__(self) -> str:
        return described("Comments", sentence=len(self))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, sentence: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, sentence: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, sentence: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(sentence, slice):
            return [self[s] for s in range(len(self))[sentence]]
        s = range(len(self))[sentence]
        lines = self.text[self.offsets[s] : self.offsets[s + 1]].decode()
        return tuple(lines.split("\n")[:-1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
