import pytest

from preorder_eval.trees.conllu import parse_conllu
from preorder_eval.trees.nbest_files import read_nbest

TEXT = "She reads books .\nStop\nWhat did you say ?\n"
SENTENCES = [line.split() for line in TEXT.splitlines()]


@pytest.mark.slow
def test_the_trees_are_those_of_the_parser(good, parser):
    out = good("parse", stdin=TEXT.encode())
    trees = parse_conllu(out)
    assert trees.sentences == SENTENCES
    assert trees.heads.tolist() == parser.parse(SENTENCES).heads.tolist()
    assert out.startswith("# sent_id = 1\n# text = She reads books .\n1\tShe\t_\tPRON\t")


@pytest.mark.slow
def test_lists(run, parser, tmp_path):
    (tmp_path / "s.en").write_text(TEXT)
    path = tmp_path / "s.conllu"
    code, out, err = run("parse", "--n", 4, "--source", tmp_path / "s.en", "--out", path)
    assert (code, out, err) == (0, "", "")
    found, expected = read_nbest(path), parser.parse(SENTENCES, n=4)
    assert found.sizes.tolist() == expected.sizes.tolist() == [4, 1, 3]
    assert found.scores.tolist() == expected.scores.tolist()
    assert found.trees.heads.tolist() == expected.trees.heads.tolist()
    assert [tree.sentence_id for tree in found.trees] == [*"11112333"]


@pytest.mark.slow
@pytest.mark.parametrize("n", [(), ("--n", 2)])
def test_long_input_goes_through_in_parts(run, monkeypatch, n):
    whole = run("parse", *n, "--no-cache", stdin=TEXT.encode())
    monkeypatch.setattr("preorder_eval.evaluation.parse.AT_ONCE", 2)
    assert run("parse", *n, "--no-cache", stdin=TEXT.encode()) == whole


@pytest.mark.slow
def test_raw_text_is_tokenised_by_the_parser(run, good):
    raw = b"She doesn't read  old books.\nStop!\n"
    out = good("parse", "--raw", stdin=raw)
    trees = parse_conllu(out)
    assert trees.sentences[0] == ["She", "does", "n't", "read", "old", "books", "."]
    assert trees[0].comments == ("# sent_id = 1", "# text = She doesn't read  old books.")
    tokenised = "".join(" ".join(words) + "\n" for words in trees.sentences).encode()
    assert parse_conllu(run("parse", stdin=tokenised)[1]).heads.tolist() == trees.heads.tolist()


@pytest.mark.slow
def test_text_that_looks_raw_gets_a_warning(run):
    code, out, err = run("parse", stdin=b"She reads.\n")
    assert (code, parse_conllu(out).words) == (0, ["She", "reads."])
    assert err == (
        "preorder-eval: warning: standard input looks like raw text: 1 of its first 1 lines end "
        "like 'reads.', with punctuation attached to the last word; tokenise it, or let the "
        "parser do that (--raw)\n"
    )
    for tokenised in (b"She reads .\n", b"He lives in the U.S.\n", b"Look here\n", b"... ?\n"):
        assert run("parse", stdin=tokenised)[2] == ""


@pytest.mark.slow
def test_a_parser_without_a_tokenizer_takes_no_raw_text(run, tmp_path):
    path = tmp_path / "trees.conllu"
    path.write_text(run("parse", stdin=b"Go .\n")[1])
    code, _, err = run("parse", "--raw", "--parser", path, stdin=b"Go.\n")
    assert code == 2
    assert "parser trees has no tokenizer for raw text; tokenise the text" in err
