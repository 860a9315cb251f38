from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from preorder_eval.analysis.crossings import Crossing, crossings
from preorder_eval.data.orders import Orders, ReferenceOrder, ReferenceOrders
from preorder_eval.data.treebank import Tree, Treebank


def verb(words):
    """A tree in which all words hang on the word V; each is its own label."""
    words = words.split()
    heads = [-1 if word == "V" else words.index("V") for word in words]
    tags = ["VERB" if word == "V" else "NOUN" for word in words]
    return Tree(words, heads, ["root" if word == "V" else word for word in words], tags, tags)


def test_needless_and_missed():
    treebank = Treebank.of([verb("obl V obj"), verb("V obj"), verb("V obj")])
    orders = Orders.of([[1, 0, 2], [1, 0], [0, 1]])
    references = ReferenceOrders.of([[[0], [2], [1]], [[0], [1]], [[0, 1]]])
    found = crossings(treebank, orders, references)
    assert found == (
        # It stays though it should cross; crosses though it should stay; is free to do either.
        Crossing("obj", "VERB", "after", 3, 1, 1, 1, 1, (1, 2)),
        Crossing("obl", "VERB", "before", 1, 0, 1, 1, 0, (1,)),
    )
    assert [kind.wrong for kind in found] == [2, 1]


def test_words_without_links_have_no_side():
    treebank = Treebank.of([verb("V obj")] * 3)
    aligned = [[True, True], [True, False], [False, True]]
    references = ReferenceOrders.of(ReferenceOrder([[1], [0]], own) for own in aligned)
    [found] = crossings(treebank, Orders.unchanged(treebank.offsets), references)
    assert (found.count, found.sentences) == (1, (1,))


def test_nothing_below_a_root_alone():
    treebank = Treebank.of([verb("V")])
    assert crossings(treebank, Orders.of([[0]]), ReferenceOrders.of([[[0]]])) == ()


@given(st.lists(st.tuples(trees(most=6), st.randoms()), min_size=1, max_size=4))
def test_as_counted_child_by_child(cases):
    sentences, orders, references = [], [], []
    for tree, random in cases:
        size = range(len(tree))
        ranks = [random.randrange(3) for _ in size]
        sentences.append(tree)
        orders.append(random.sample(size, len(size)))
        references.append([[i for i in size if ranks[i] == r] for r in sorted(set(ranks))])
    expected = {}
    for s, (tree, order, groups) in enumerate(zip(sentences, orders, references, strict=True), 1):
        rank = {i: r for r, group in enumerate(groups) for i in group}
        for i, head in enumerate(tree.heads):
            if head < 0:
                continue
            source, system = i < head, order.index(i) < order.index(head)
            should = rank[i] != rank[head] and (rank[i] < rank[head]) != source
            free = rank[i] == rank[head]
            key = (tree.labels[i], tree.upos[head], "before" if source else "after")
            counts = expected.setdefault(key, [0, 0, 0, 0, 0, set()])
            needless = system != source and not should and not free
            missed = system == source and should
            marks = (True, should, system != source, needless, missed)
            counts[:5] = [n + mark for n, mark in zip(counts, marks, strict=False)]
            counts[5] |= {s} if needless or missed else set()
    found = crossings(Treebank.of(sentences), Orders.of(orders), ReferenceOrders.of(references))
    assert {
        (c.label, c.head, c.side): [
            c.count, c.should, c.crossed, c.needless, c.missed, set(c.sentences),
        ]
        for c in found
    } == expected  # fmt: skip
