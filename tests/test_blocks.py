"""A large corpus scored in blocks has the results of the whole files."""

import numpy as np
import pytest

from preorder_eval.results import blocks
from preorder_eval.results.sampling import Sampling

LONG = 7  # words of the longest sentence


def write(folder, linked, size=60, seed=0):
    """Write sentences, orders of two systems and links; `linked` is the share of linked words."""
    rng = np.random.default_rng(seed)
    lines = {name: [] for name in ("s.en", "s.align", "a.order", "b.order")}
    for sentence in range(size):
        n = int(rng.integers(2, LONG))
        there = rng.random(n) < linked(sentence)
        links = " ".join(f"{i}-{j}" for i, j in enumerate(rng.permutation(n).tolist()) if there[i])
        lines["s.en"].append(" ".join(f"w{word}" for word in rng.integers(0, 4, n).tolist()))
        lines["s.align"].append(links)
        for name in ("a.order", "b.order"):
            lines[name].append(" ".join(map(str, rng.permutation(n).tolist())))
    for name, texts in lines.items():
        (folder / name).write_text("".join(line + "\n" for line in texts))


def everywhere(sentence):
    return 0.97


def rather_few(sentence):
    """Some blocks have fewer links than FRS takes unaligned words with, the whole has enough."""
    return 0.3 if sentence % 20 < 2 else 1.0


@pytest.fixture
def scored(run, tmp_path, monkeypatch):
    """The output of `evaluate` on the whole files, which it is in blocks too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(blocks, "_BLOCK", 9)
    made, score = [], blocks.score_orders
    monkeypatch.setattr(
        "preorder_eval.cli.evaluate.score_orders",
        lambda *given, **more: made.append(score(*given, **more)) or made[-1],
    )

    def output(*options, in_blocks=True):
        command = ["evaluate", "--source", "s.en", "--alignment", "s.align", "--resamples", "50"]
        outputs = []
        for many in (blocks.MANY, 1):
            monkeypatch.setattr(blocks, "MANY", many)
            outputs.append(run(*command, *options))
        assert (made[0] is None, made[-1] is not None) == (True, in_blocks)
        assert outputs[0] == outputs[1]
        return outputs[0]

    return output


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("linked", [everywhere, rather_few])
@pytest.mark.parametrize("form", ["--verbose", "--json", "--tsv"])
def test_blocks_have_the_results_of_the_files(scored, tmp_path, jobs, linked, form):
    write(tmp_path, linked)
    both = "--orders", "a.order", "--orders", "mine=b.order", "--jobs", jobs
    assert "mine" in scored(*both, form)[1]


@pytest.mark.parametrize(
    "options",
    [
        ("--orders", "a.order", "--metric", "spearman", "--metric", "fuzzy(unaligned=drop)"),
        ("--orders", "a.order", "--orders", "b.order", "--significance"),
        ("--orders", "a.order", "--orders", "b.order", "--against", "b"),
        ("--orders", "a.order", "--links", "sure", "--base", "0"),
    ],
)
def test_options_hold_in_blocks(scored, tmp_path, options):
    write(tmp_path, everywhere)
    code, output, _ = scored(*options, "--jobs", "1")
    assert code == 0
    assert "60 sentences" in output


@pytest.mark.parametrize(
    ("file", "old", "new", "error"),
    [
        ("s.en", " w", "\tw", "s.en"),
        ("a.order", "0 1\n", "0 2\n", "a.order"),
        ("s.align", "0-1", "9-1", "s.align"),
        ("s.align", "0-1", "0:1", "s.align"),
        ("a.order", "0 1\n", "", "a.order"),
        ("a.order", "\n", "", ""),
    ],
)
def test_what_is_not_plain_is_left_to_the_readers(scored, tmp_path, file, old, new, error):
    """Wherever it stands, and the error tells the line of the file."""
    write(tmp_path, everywhere)
    text = (tmp_path / file).read_text()
    at = text.rindex(old)
    (tmp_path / file).write_text(text[:at] + new + text[at + len(old) :])
    code, _, shown = scored("--orders", "a.order", "--jobs", "1", in_blocks=False)
    assert (code, error in shown) == (2 if error else 0, True)


def test_raw_text_and_links_that_move_nothing_are_warned_of(scored, tmp_path):
    write(tmp_path, everywhere)
    text = (tmp_path / "s.en").read_text()
    (tmp_path / "s.en").write_text(text.replace("\n", ".\n"))
    options = "--orders", "a.order", "--jobs", "1"
    assert "looks like raw text" in scored(*options, in_blocks=False)[2]
    (tmp_path / "s.en").write_text(text)
    links = ["".join(f"{i}-{i} " for i in range(line.count(" ") + 1)) for line in text.splitlines()]
    (tmp_path / "s.align").write_text("".join(line.strip() + "\n" for line in links))
    assert "nothing to reorder" in scored(*options, in_blocks=False)[2]


def test_small_compressed_and_piped_files_are_left_to_the_readers(tmp_path):
    write(tmp_path, everywhere)
    files = [tmp_path / name for name in ("s.en", "s.align", "a.order")]
    for source in (files[0], tmp_path / "s.en.gz", tmp_path / "none"):
        assert blocks.score_orders(source, files[1], files[2:], [], Sampling(), jobs=1) is None
