"""Words as they stand in the text, where that is told by multiword tokens."""

from __future__ import annotations

from preorder_eval.data.characters import characters, text_of
from preorder_eval.data.treebank import Treebank


def surface_forms(trees: Treebank) -> list[str]:
    r"""What of the text each word has; N strings.

    A multiword token such as *du* for the words *de le* is shared out among them, a character for
    each but the last, so that both are in the token and nothing else is.

    >>> from preorder_eval.formats.conllu import parse_conllu
    >>> row = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t_\t_"
    >>> rows = [row.format(1, "de", 2), row.format(2, "le", 0)]
    >>> surface_forms(parse_conllu("\n".join(["1-2\tdu" + "\t_" * 8, *rows, "", ""])))
    ['d', 'u']
    """
    forms = list(trees.words)
    for sentence, lines in trees.extra_lines.items():
        start = int(trees.offsets[sentence]) - 1
        for _, line in lines:
            numbers, form = line.split("\t", 2)[:2]
            first, dash, last = numbers.partition("-")
            if not dash:  # an empty node, which has no text
                continue
            held, text = slice(start + int(first), start + int(last) + 1), characters(form)
            size = held.stop - held.start
            if text != text_of(forms[held]) and size <= len(text):
                forms[held] = [*text[: size - 1], text[size - 1 :]]
    return forms
