"""Whole files against the official programs, sentence by sentence, as `metrics verify` does it.

The outputs are bundled English texts with words left out, repeated, exchanged and moved.
"""

import random
from pathlib import Path

import pytest

from preorder_eval.errors import FormatError
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.papers.programs import PROGRAMS, verify

SETS = ["en-ja", "en-ja-web"]
INSTALLED = ["sacrebleu", "rouge-score", "jiwer", "nltk"]


def changed(words, rng):
    """A sentence as a bad translation may have it."""
    words = list(words)
    for _ in range(rng.randint(0, 6)):
        k = rng.randrange(len(words))
        match rng.randrange(4):
            case 0 if len(words) > 1:
                del words[k]
            case 1:
                words.insert(k, rng.choice(words))
            case 2:
                words[k] = rng.choice(
                    ["the", "of", "U.S.", "ten-year", "(", "it's", "naïve", "42,5"]
                )
            case _:
                j = min(len(words), k + rng.randint(1, 5))
                words[k:j] = reversed(words[k:j])
    return " ".join(words)


def made(sentences, streams=1):
    """Changed outputs, and as many streams of references, of which the first is unchanged."""
    rng = random.Random(0)
    sides = [[changed(words, rng) for words in sentences] for _ in range(streams)]
    return sides[0], [list(map(" ".join, sentences)), *sides[1:]]


def assert_same(result, programs):
    assert {each.program for each in result.compared} == {*programs}, result.missing
    assert [each for each in result.compared if each.apart] == []


@pytest.mark.slow
@pytest.mark.parametrize("program", INSTALLED)
def test_a_few_changed_sentences(program):
    pytest.importorskip(program.replace("-", "_"))
    outputs, references = made(load_reference("en-ja-web").source[:40], streams=2)
    spaces = [text.replace(" ", "\u3000", 1) for text in outputs]  # which separates words, too
    for tokenize in ("auto", "none", "char"):
        assert_same(verify(spaces, references, tokenize, programs=[program]), [program])


def test_what_differs_is_shown(monkeypatch):
    halved = PROGRAMS["sacrebleu"]._replace(
        run=lambda by, sides, path: [0.5] * len(sides.outputs), metrics=["chrf"]
    )
    monkeypatch.setitem(PROGRAMS, "sacrebleu", halved)
    result = verify(["a b", "", "c"], [["a b", "c", "d"]], programs=["sacrebleu", "meteor-1.5"])
    [row] = result.tables()[0].rows
    assert row[3:] == [2, 2, 99.5]
    differences = [
        ["sacrebleu", "chrf(char_order=6,word_order=0,beta=2)", 1, 100, 0.5],
        ["sacrebleu", "chrf(char_order=6,word_order=0,beta=2)", 3, 0, 0.5],
    ]
    assert result.tables()[1].rows == differences
    text = repr(result)
    assert "1 of 1 comparison differ" in text
    assert "not here: meteor-1.5" in text
    assert "left out: 1 sentence with an empty side: 2" in text


FAKE = """import sys
from pathlib import Path
lines = Path(sys.argv[-1]).read_text().splitlines()
references = [Path(sys.argv[k + 1]) for k, part in enumerate(sys.argv) if part == "-r"]
assert [len(file.read_text().splitlines()) for file in references] == [len(lines)] * 2
for number, line in enumerate(lines):
    print(f"{1 if number else 0.315247:.6f} alpha=0.250000 beta=0.100000 x sentence {number}")
print("0.657624 alpha=0.250000 beta=0.100000 x")
"""


def test_a_program_by_its_path(tmp_path):
    """What RIBES.py -s prints is read, with its six digits."""
    (tmp_path / "RIBES.py").write_text(FAKE)
    texts = ["he ate the red fish", "a b"], [["The fish he ate", "a b"]] * 2
    paths = {"ribes-1.03.1": tmp_path / "RIBES.py"}
    assert_same(verify(*texts, paths=paths, programs=["ribes-1.03.1"]), paths)
    (tmp_path / "RIBES.py").write_text("raise SystemExit('no such option')")
    with pytest.raises(Exception, match="failed: no such option"):
        verify(*texts, paths=paths, programs=["ribes-1.03.1"])
    with pytest.raises(FormatError, match="nowhere: no such file"):
        verify(*texts, paths={"meteor-1.5": Path("nowhere")})


@pytest.mark.slow
@pytest.mark.parametrize("program", INSTALLED)
def test_on_changed_sentences(program):
    pytest.importorskip(program.replace("-", "_"))
    sentences = [words for name in SETS for words in load_reference(name).source]
    assert_same(verify(*made(sentences), programs=[program]), [program])
