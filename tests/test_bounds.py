"""What metrics do with sentences that no text has: they take seconds, or refuse them."""

import numpy as np
import pytest
from score_files import OF_OUTPUTS

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.metrics import metric

SKIP_BIGRAMS = {"rouge_s", "rouge_su"}
SQUARE = {"rouge_w"}  # time, not memory


def value(name, output, reference):
    return metric(name).score([output], [reference]).corpus


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_OUTPUTS)
def test_the_same_word_2000_times(name):
    assert np.isfinite(value(name, " ".join(["the"] * 2000), " ".join(["the"] * 1900 + ["cat"])))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(OF_OUTPUTS) - SKIP_BIGRAMS - SQUARE))
def test_30_000_words(name):
    rng = np.random.default_rng(0)
    words = [f"w{n}" for n in rng.integers(5000, size=30_000)]
    changed = [w if keep else "x" for w, keep in zip(words, rng.random(30_000) < 0.8, strict=True)]
    output, reference = " ".join(changed[15_000:] + changed[:15_000]), " ".join(words)
    assert np.isfinite(value(name, output, reference))


@pytest.mark.parametrize("name", sorted(SKIP_BIGRAMS))
def test_more_pairs_of_words_than_memory_holds_are_refused(name):
    text = "a " * 12_000
    with pytest.raises(PreorderEvalError, match="a sentence of 12000 words has too many pairs"):
        metric(name).score([text.strip()], [text.strip()])
    assert metric(f"{name}(skip=4)").score([text.strip()], [text.strip()]).corpus == 1
