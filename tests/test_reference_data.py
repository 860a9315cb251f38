"""The bundled reference sets are what their datasheets say."""

import pytest

from preorder_eval.data.treebank import comment_value
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.reordering.schemes import LABELS, UPOS, XPOS
from preorder_eval.resources import bundled, bundled_names

SETS = [name for name, path in bundled_names("reference_data").items() if path.is_dir()]
ARTICLES = {"a", "an", "the"}


def whole(name):
    """A set with all of its parts."""
    reference = load_reference(name)
    return load_reference(f"{name}/all") if "/" in reference.name else reference


@pytest.fixture(params=SETS)
def reference(request):
    return whole(request.param)


def test_every_set_has_a_datasheet(reference):
    sheet = (bundled("reference_data") / reference.name / "DATASHEET.md").read_text()
    assert sheet.startswith(f"# {reference.name}: ")
    assert f"{len(reference)} " in sheet


def test_every_sentence_has_links_and_a_tree_in_universal_dependencies(reference):
    assert reference.references.informative.all()
    assert set(reference.trees.labels.names) <= LABELS["ud"]
    assert set(reference.trees.upos.names) <= UPOS
    assert set(reference.trees.xpos.names) <= XPOS


def test_no_sentence_stands_twice(reference):
    # Greetings and closings of mails may well be the same.
    texts = [" ".join(words).lower() for words in reference.source if len(words) > 3]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", [name for name in SETS if not name.endswith("-standard")])
def test_alignment_oriented_sets_follow_the_guidelines(name):
    """Talbot et al. (2011), 3.1: all but articles and punctuation linked, in one stretch each."""
    reference = whole(name)
    for s, tree in enumerate(reference.trees):
        targets: dict[int, list[int]] = {}
        for source, target in reference.alignments[s]:
            targets.setdefault(source, []).append(target)
        exempt = {
            i
            for i, (word, tag) in enumerate(zip(tree.words, tree.upos, strict=True))
            if tag == "PUNCT" or word.lower() in ARTICLES
        }
        assert set(range(len(tree))) - exempt <= set(targets), tree.words
        linked = {target for found in targets.values() for target in found}
        assert linked == set(range(len(reference.target[s]))), tree.words


def test_phenomena_of_the_english_japanese_set(bundled_reference):
    phenomena = [comment_value(c, "phenomenon") for c in bundled_reference.trees.comments]
    assert {phenomena.count(p) for p in phenomena} == {10}
    assert len(set(phenomena)) == 30
    lengths = [len(words) for words in bundled_reference.source]
    assert min(lengths) >= 3
    assert max(lengths) <= 40


@pytest.mark.parametrize("name", [name for name in SETS if not name.startswith("en-ja-web")])
def test_other_sets_hold_sentences_of_the_english_japanese_ones(name):
    def sentences(reference):
        ids = [comment_value(comments, "sent_id") for comments in reference.trees.comments]
        return set(zip(ids, map(tuple, reference.source), strict=True))

    known = [sentences(whole(own)) for own in ("en-ja", "en-ja@1", "en-ja-web")]
    assert sentences(load_reference(name)) <= set.union(*known)
