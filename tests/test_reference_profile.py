"""The web set has the lengths and shares of real web text, within a factor of 1.5."""

import itertools

import numpy as np
import pytest

from preorder_eval.analysis.reference_profile import (
    FACTOR,
    likeness_table,
    likenesses,
    profile,
)
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.formats.reference_folder import load_reference

# Of UD English EWT, train (12,544 sentences, of 2025; CC BY-SA 4.0), by `profile`. Only these
# counts are taken from it.
EWT = {
    "mean length": 16.31,
    "length 1-10": 0.3716,
    "length 11-20": 0.3295,
    "length 21-30": 0.1822,
    "length 31-40": 0.0727,
    "length 41+": 0.04408,
    "parentheses": 0.06393,
    "dashes": 0.0688,
    "addresses": 0.01969,
    "lower-case starts": 0.05222,
    "contractions": 0.1113,
    "I": 0.2073,
    "exclamation marks": 0.05772,
    "question marks": 0.06744,
    "numbers": 0.2054,
    "no verb": 0.193,
    "no final punctuation": 0.1319,
    "quotation marks": 0.05222,
    "lists": 0.02695,
    "parataxis": 0.1026,
    "adverbial clauses": 0.2477,
    "clauses of nouns": 0.2191,
    "complement clauses": 0.1493,
    "open complements": 0.2029,
}


@pytest.mark.parametrize("feature", EWT)
def test_the_web_set_is_like_web_text(web, feature):
    factor = 1.05 if feature == "mean length" else FACTOR
    assert 1 / factor <= web[feature] / EWT[feature] <= factor


@pytest.fixture(scope="module")
def web():
    return profile(load_reference("en-ja-web/all").trees)


def test_no_feature_goes_unmeasured(web):
    assert [name for name in web if not name.startswith("genre")] == list(EWT)
    assert max(load_reference("en-ja-web/all").trees.lengths) <= 62


SENTENCES = """\
I/PRON/PRP do/AUX/VBP n't/PART/RB know/VERB/VB !/PUNCT/.
the/DET/DT cat/NOUN/NN 's/PART/POS bowl/NOUN/NN (/PUNCT/: see/VERB/VB a@b.org/X/ADD )/PUNCT/:
it/PRON/PRP 's/AUX/VBZ 9/NUM/CD -/PUNCT/, or/CCONJ/CC -/PUNCT/HYPH ten/NUM/CD ?/PUNCT/.
"/PUNCT/`` Free/ADJ/JJ
"""
EXPECTED = {
    "mean length": 5.75,
    "length 1-10": 1,
    "parentheses": 1 / 4,
    "dashes": 1 / 4,
    "addresses": 1 / 4,
    "lower-case starts": 2 / 4,
    "contractions": 2 / 4,
    "I": 1 / 4,
    "exclamation marks": 1 / 4,
    "question marks": 1 / 4,
    "numbers": 1 / 4,
    "no verb": 1 / 4,
    "no final punctuation": 1 / 4,
    "quotation marks": 1 / 4,
    "parataxis": 1 / 4,
}


def small(genres=()):
    trees = []
    for line, genre in itertools.zip_longest(SENTENCES.splitlines(), genres):
        words, upos, xpos = zip(*(token.rsplit("/", 2) for token in line.split()), strict=True)
        labels = ["root"] + ["dep"] * (len(words) - 1)
        if "Free" in words:
            labels[1] = "parataxis:discourse"
        comments = (f"# genre = {genre}",) if genre else ()
        trees.append(Tree(words, [-1] + [0] * (len(words) - 1), labels, upos, xpos, comments))
    return Treebank.of(trees)


def test_features_by_hand():
    assert {name: share for name, share in profile(small()).items() if share} == EXPECTED


def test_likenesses_by_hand():
    """The second and the third of four sentences, which are long, beside all."""
    rows = {row.feature: row for row in likenesses(small().take(np.array([1, 2])), small())}
    assert "length 11-20" not in rows  # as neither has any
    assert (rows["dashes"].ratio, rows["dashes"].is_far) == (2, True)
    assert (rows["contractions"].ratio, rows["contractions"].is_far) == (1, False)
    assert (rows["I"].in_set, rows["I"].is_far) == (0, True)
    [_, *_, last] = likeness_table(likenesses(small(), small().take(np.array([0]))))[1]
    assert last == ["parataxis", 0.25, 0.0, None, True]


def test_genres_count_where_both_sides_have_them():
    mails = small(["mail"] * 4)
    names = [row.feature for row in likenesses(small(["mail", "blog"]), mails)]
    assert names[-2:] == ["genre blog", "genre mail"]
    assert not [row for row in likenesses(small(), mails) if "genre" in row.feature]


def test_half_is_for_tuning_and_half_is_not_and_no_document_is_in_both():
    parts = [load_reference(f"en-ja-web/{part}") for part in ("dev", "test")]
    assert [len(part) for part in parts] == [250, 250]
    documents = [{tree.sentence_id.rpartition("-")[0] for tree in part.trees} for part in parts]
    assert not documents[0] & documents[1]
    texts = [
        {tuple(word.lower() for word in words) for words in part.source if len(words) > 5}
        for part in parts
    ]
    assert not set.intersection(*texts)


def test_objects_and_obliques_stand_as_in_japanese():
    """Of an object and an oblique behind their verb most are turned round (PUD: 78 of 103)."""
    data = load_reference("en-ja-web/all")
    turned = kept = 0
    for tree, order in zip(data.trees, data.references, strict=True):
        rank = {i: r for r, group in enumerate(order) for i in group}
        for head in range(len(tree)):
            behind = [i for i in range(head + 1, len(tree)) if tree.heads[i] == head]
            for one, other in itertools.combinations(behind, 2):
                if tree.labels[one] == "obj" and tree.labels[other] == "obl":
                    turned += rank[other] < rank[one]
                    kept += rank[other] > rank[one]
    assert turned > 2 * kept
