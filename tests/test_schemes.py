import pytest

from preorder_eval.reordering.schemes import LABELS, base_label, understood


@pytest.mark.parametrize(
    ("label", "scheme", "expected"),
    [
        ("nsubj", "ud", True),
        ("nmod:tmod", "ud", True),
        ("nmod:ourown", "ud", True),
        ("dobj", "ud", False),
        ("dobj", "clearnlp", True),
        ("case", "clearnlp", False),
        ("comp:obj", "sud", True),
        ("comp:obj@x", "sud", True),
        ("nsubj", "sud", False),
    ],
)
def test_labels_belong_to_schemes(label, scheme, expected):
    assert understood(label, scheme) is expected


def test_every_universal_relation_is_known():
    """The 37 relations of Universal Dependencies version 2, universaldependencies.org/u/dep."""
    assert len({base_label(label) for label in LABELS["ud"]}) == 37
