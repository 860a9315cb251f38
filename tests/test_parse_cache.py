import multiprocessing
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.parsers.cache import CachedParser, ParseCache, cache_path
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import ParserIdentity
from preorder_eval.parsers.pipelines import PipelineFolder

SENTENCES = [["Dogs", "bark", "."], ["Stop"], ["Dogs", "bark", "."], ["a", "\n", "\u3000"]]


class Counting:
    """A parser that counts the sentences it is given."""

    def __init__(self, parser):
        self.parser, self.identity, self.seen = parser, parser.identity, []

    def parse(self, sentences, n=None, advance=None):
        self.seen += sentences
        return self.parser.parse(sentences, n, advance)


@pytest.fixture
def counting(parser):
    return Counting(parser)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "parses.sqlite"


@pytest.fixture
def cached(counting, path):
    """Makes a parser with a new look at the same cache."""

    def cached(identity=counting.identity, warn=pytest.fail):
        folder = PipelineFolder(path, identity, "en", (), lower=False)
        return CachedParser(folder, lambda: counting, ParseCache(path, warn))

    return cached


def same(one, other):
    """Whether two treebanks have the same trees, or two n-best lists."""
    if hasattr(one, "scores"):
        equal = np.array_equal(one.scores, other.scores)
        return equal and same(one.trees, other.trees) and one.sizes.tolist() == other.sizes.tolist()
    return list(one) == list(other)


@pytest.mark.slow
@pytest.mark.parametrize("n", [None, 1, 4])
def test_nothing_is_parsed_twice(cached, counting, parser, n):
    expected = parser.parse(SENTENCES, n)
    assert same(cached().parse(SENTENCES, n), expected)
    assert counting.seen == [SENTENCES[0], SENTENCES[1], SENTENCES[3]]
    assert same(cached().parse(SENTENCES, n), expected)
    assert same(cached().parse(SENTENCES[2:], n), parser.parse(SENTENCES[2:], n))
    assert len(counting.seen) == 3
    cached().parse([["New", "words"], *SENTENCES], n)
    assert counting.seen[3:] == [["New", "words"]]


def test_lists_of_other_lengths_and_other_models_are_kept_apart(cached, counting):
    cached().parse(SENTENCES[:1])
    cached().parse(SENTENCES[:1], n=1)
    cached().parse(SENTENCES[:1], n=2)
    cached(ParserIdentity("en-web", "1", "0" * 64)).parse(SENTENCES[:1])
    assert len(counting.seen) == 4


def test_tokens_are_not_joined(cached, counting):
    for words in (["a b"], ["a", "b"], ["a\nb"], ["ab"], ['a", "b']):
        cached().parse([words])
    assert len(counting.seen) == 5


def spoil(path, change):
    """Change what is stored for every sentence."""
    with sqlite3.connect(path) as connection:
        for key, entry in connection.execute("SELECT * FROM parses").fetchall():
            connection.execute("UPDATE parses SET entry = ? WHERE key = ?", (change(entry), key))


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: b"",
        lambda entry: entry[:-3],
        lambda entry: entry[:9] + bytes([entry[9] ^ 1]) + entry[10:],
        lambda entry: "text",
    ],
)
def test_damaged_entries_are_parsed_again(cached, counting, parser, path, change):
    cached().parse(SENTENCES)
    spoil(path, change)
    assert same(cached().parse(SENTENCES), parser.parse(SENTENCES))
    assert len(counting.seen) == 6
    cached().parse(SENTENCES)  # and are whole again
    assert len(counting.seen) == 6


def test_a_file_that_is_no_database_is_left_alone(cached, parser, path):
    path.parent.mkdir()
    path.write_bytes(b"not a database, but somebody's file" * 100)
    warnings = []
    assert same(cached(warn=warnings.append).parse(SENTENCES), parser.parse(SENTENCES))
    assert warnings == [f"{path}: the parse cache cannot be used: file is not a database"]
    assert path.read_bytes().startswith(b"not a database")


def test_the_file_does_not_grow_above_its_bound(path):
    cache = ParseCache(path, pytest.fail, bound=60_000)
    keys = [number.to_bytes(2) for number in range(300)]
    for start in range(0, len(keys), 20):
        cache.put(dict.fromkeys(keys[start : start + 20], bytes(400)))
    assert path.stat().st_size < 80_000
    left = list(cache.get(keys))
    assert left == keys[-len(left) :]  # the newest stay
    assert len(left) > 50


def _write(path, start):
    cache = ParseCache(Path(path), _fail)
    for i in range(start, start + 40):
        cache.put({bytes([i]): bytes([i]) * 1000})
        assert cache.get([bytes([i])]) == {bytes([i]): bytes([i]) * 1000}


def _fail(line):
    raise AssertionError(line)


@pytest.mark.slow
def test_processes_share_the_file(path):
    """Four at once, started anew: they even make the file together."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write, args=(path, 40 * i)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    assert len(ParseCache(path, _fail).get([bytes([i]) for i in range(160)])) == 160


def test_a_cache_that_another_process_reads_is_used(tmp_path):
    path = tmp_path / "parses.sqlite"
    ParseCache(path, _fail).put({b"1": b"entry"})
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM parses").fetchall()
        assert ParseCache(path, _fail).get([b"1"]) == {b"1": b"entry"}


def test_where_the_cache_is(monkeypatch):
    monkeypatch.setenv("PREORDER_EVAL_CACHE", "/own")
    assert cache_path() == Path("/own/parses.sqlite")
    monkeypatch.delenv("PREORDER_EVAL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_path() == Path("/xdg/preorder-eval/parses.sqlite")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert cache_path() == Path("/home/me/.cache/preorder-eval/parses.sqlite")


@pytest.mark.slow
def test_a_user_without_a_home_has_no_cache(monkeypatch):
    def no_home(path):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("PREORDER_EVAL_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", no_home)
    assert cache_path() is None
    assert len(find_parser("en-web").parse([["Go"]])) == 1


@pytest.mark.slow
def test_evaluating_again_does_without_spacy(run):
    once = run("evaluate", "--rules", "none", "--rules", "en-ja")
    script = (
        "import sys\n"
        "sys.argv = 'preorder-eval evaluate --rules none --rules en-ja'.split()\n"
        "from preorder_eval.cli import main\n"
        "try: main()\n"
        "finally: print('spacy' in sys.modules)"
    )
    again = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert again.returncode == 0
    assert again.stdout == once[1] + "False\n"


@pytest.mark.slow
def test_without_the_cache_everything_is_parsed_again(run, monkeypatch, tmp_path):
    monkeypatch.setenv("PREORDER_EVAL_CACHE", str(tmp_path / "cache"))
    arguments = ["reorder", "--rules", "en-ja"]
    first = run(*arguments, "--no-cache", stdin=b"She reads books .\n")
    assert not (tmp_path / "cache").exists()
    assert run(*arguments, stdin=b"She reads books .\n") == first
    assert [file.name for file in (tmp_path / "cache").iterdir()] == ["parses.sqlite"]


@pytest.mark.slow
def test_a_cache_that_cannot_be_used_is_one_line_of_warning(run, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PREORDER_EVAL_CACHE", str(tmp_path / "file"))
    code, out, err = run("reorder", "--rules", "none", stdin=b"She reads books .\n")
    assert (code, out) == (0, "She reads books .\n")
    assert len(err.splitlines()) == 1
    assert "warning" in err
    assert "the parse cache cannot be used" in err
