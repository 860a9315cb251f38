"""Mark what a language leaves free, by one list, in every set: python free_order.py [SET …]

The list is preorder_eval/references/free_order.toml. A block that the list has is marked,
unless the set's file of exceptions has it with a reason. A block that the list does not have stays
if the exceptions have it; in sets whose annotators marked by hand (constructions, en-…-ewt) it
stays anyway, and the exceptions then say that an annotator marked it. Where a block by hand
overlaps one of the list, the one with more spans stands, and the list's if neither has; a block
by hand that is lost so is printed.

It needs the treebanks that stand-off sets are made on. It prints how many blocks came and went.
"""

import re
import sys
from pathlib import Path

from preorder_eval.references.free_order import exchanges, free_blocks
from preorder_eval.references.reference_folder import (
    format_free_blocks,
    load_reference,
    parse_free_blocks,
)

ROOT = Path(__file__).parents[1]
BY_HAND = re.compile(r"constructions|en-\w+-ewt")
MARKED = "marked by the annotator"


def overlap(one, other):
    """Return whether two blocks overlap without one lying within one span of the other."""
    apart = one[-1][1] < other[0][0] or other[-1][1] < one[0][0]
    nested = any(
        first <= inner[0][0] and inner[-1][1] <= last
        for inner, outer in ((one, other), (other, one))
        for first, last in outer
    )
    return not apart and not nested


def merged(listed, by_hand, reasons):
    """Return the blocks of a sentence, the exceptions with reasons, and what of by_hand is lost."""
    blocks = [block for block in listed if block in by_hand or block not in reasons]
    lost = []
    for block in by_hand:
        others = [other for other in blocks if overlap(block, other)]
        if block in blocks:
            continue
        if any(len(other) >= len(block) for other in others):
            lost.append(block)
            continue
        blocks = [other for other in blocks if other not in others] + [block]
    settled = sorted(set(blocks) ^ set(listed))
    return sorted(blocks), {block: reasons.get(block, MARKED) for block in settled}, lost


def lines(file):
    return file.read_text("utf-8").splitlines() if file.is_file() else []


def parse_link(text):
    source, target = text.split("-")
    return int(source), int(target)


def mark(folder, links_file):
    """Mark the free blocks of one annotation; return how many came and went."""
    pair = re.fullmatch(r"(\w+-(\w+))((?:\.\w+)*)\.align", links_file.name)
    language, more = pair[2], pair[3]
    whole = f"{folder.name}/all"
    reference = load_reference(whole if (folder / "standoff.tsv").is_file() else folder.name)
    trees = (load_reference(whole) if "/" in reference.name else reference).trees
    target = [line.split() for line in lines(folder / f"target{more}.{language}")]
    links = [
        [tuple(map(int, link.split("-"))) for link in line.split()] for line in lines(links_file)
    ]
    free = folder / links_file.with_suffix(".free").name
    exceptions = folder / links_file.with_suffix(".exceptions").name
    known = lines(free) or [""] * len(target)
    reasons = {}
    for line in lines(exceptions):
        name, block, reason = line.split("\t")
        reasons[name, block] = reason
    came = went = 0
    marked, settled = [], []
    exchanged = exchanges(language)
    for tree, words, of, line in zip(trees, target, links, known, strict=True):
        old = parse_free_blocks(line, len(words), free.name) if words else []
        listed = free_blocks(tree, of, words, exchanged) if words else []
        excepted = {
            parse_free_blocks(block, len(words), exceptions.name)[0]: reason
            for (name, block), reason in reasons.items()
            if name == tree.sentence_id
        }
        by_hand = [b for b in old if BY_HAND.fullmatch(folder.name) or b in excepted]
        new, why, lost = merged(listed, by_hand, excepted)
        for block in lost:
            by_list = format_free_blocks([b for b in new if overlap(block, b)])
            mine = format_free_blocks([block])
            print(
                f"{folder.name}/{free.name}: {tree.sentence_id}: {mine}, marked by hand, gives "
                f"way to {by_list} of the list"
            )
        came += len(set(new) - set(old))
        went += len(set(old) - set(new))
        marked.append(new)
        settled += [f"{tree.sentence_id}\t{format_free_blocks([b])}\t{r}\n" for b, r in why.items()]
    free.write_text("".join(f"{format_free_blocks(blocks)}\n" for blocks in marked), "utf-8")
    if settled and not more[-1:].isdigit():  # a second order has no exceptions of its own
        exceptions.write_text("".join(settled), "utf-8")
    elif exceptions.is_file():
        exceptions.unlink()
    return came, went


def main(names):
    folders = [ROOT / name for name in names] or sorted(
        f.parent for f in ROOT.glob("*/DATASHEET.md")
    )
    for folder in folders:
        for links_file in sorted(folder.glob("*.align")):
            if not links_file.with_suffix(".free").is_file():
                continue  # a standard translation
            came, went = mark(folder, links_file)
            print(f"{folder.name}/{links_file.stem}: {came} blocks came, {went} went")


if __name__ == "__main__":
    main(sys.argv[1:])
