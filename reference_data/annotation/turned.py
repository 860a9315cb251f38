"""How often references turn a kind of pair: python turned.py SET|FOLDER…

For each kind of dependent and head (or sister) in the gold trees it prints the share of pairs whose
heads come out in the other order, of those where both are linked to separate target words, and how
many there are. It compares our sets with PUD, whose translations and alignments are by people.
"""

import sys

from preorder_eval.references.reference_folder import load_reference
from preorder_eval.trees.schemes import base_label

KINDS = {
    "object, verb": lambda tree, d, h: tree.labels[d] == "obj" and tree.upos[h] == "VERB",
    "oblique, verb": lambda tree, d, h: (
        base_label(tree.labels[d]) == "obl" and tree.upos[h] == "VERB"
    ),
    "adverb behind, verb": lambda tree, d, h: tree.labels[d] == "advmod" and d > h,
    "relative clause, noun": lambda tree, d, h: tree.labels[d] == "acl:relcl",
    "of-phrase, noun": lambda tree, d, h: tree.labels[d] == "nmod",
    "adverbial clause behind, verb": lambda tree, d, h: tree.labels[d] == "advcl" and d > h,
    "clause complement, verb": lambda tree, d, h: tree.labels[d] in ("ccomp", "xcomp"),
}
SISTERS = {
    "adverbial clause behind, subject": ("advcl", "nsubj"),
    "oblique, object": ("obl", "obj"),
}


def pairs(tree):
    for d, h in enumerate(tree.heads):
        if h < 0:
            continue
        for kind, fits in KINDS.items():
            if fits(tree, d, h):
                yield kind, d, h
        for kind, (label, other) in SISTERS.items():
            for s, head in enumerate(tree.heads):
                same = base_label(tree.labels[s]) == other and head == h and d > s
                if same and base_label(tree.labels[d]) == label:
                    yield kind, d, s


def main(names):
    for name in names:
        data = load_reference(name)
        counts = {}
        for tree, links in zip(data.trees, data.alignments, strict=True):
            first = {}
            for s, t in links:
                first[s] = min(t, first.get(s, t))
            for kind, one, other in pairs(tree):
                if one in first and other in first and first[one] != first[other]:
                    turned, of = counts.get(kind, (0, 0))
                    swapped = (one < other) != (first[one] < first[other])
                    counts[kind] = (turned + swapped, of + 1)
        print(name, len(data))
        for kind in [*KINDS, *SISTERS]:
            turned, of = counts.get(kind, (0, 0))
            print(f"  {kind}\t{turned / max(of, 1):.0%}\t{of}")


if __name__ == "__main__":
    main(sys.argv[1:])
