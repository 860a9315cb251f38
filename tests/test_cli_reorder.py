import pytest


@pytest.mark.slow
def test_orders_come_out_as_positions(run):
    sentences = b"She reads books .\nGo home\n"
    code, text, _ = run("reorder", "--rules", "reverse", stdin=sentences)
    _, orders, _ = run("reorder", "--rules", "reverse", "--output", "order", stdin=sentences)
    assert code == 0
    assert text == ". books reads She\nhome Go\n"
    assert orders == "3 2 1 0\n1 0\n"


def test_trees_can_be_reordered(run, tmp_path):
    trees = tmp_path / "t.conllu"
    trees.write_text(
        "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\thome\t_\tADV\t_\t_\t1\tadvmod\t_\t_\n\n"
    )
    assert run("reorder", "--rules", "en-ja", "--trees", trees)[1] == "home go\n"


@pytest.mark.slow
def test_raw_text(run):
    code, out, err = run("reorder", "--rules", "en-ja", "--raw", stdin=b"She doesn't read books.\n")
    assert (code, out, err) == (0, "She books read does n't .\n", "")


def test_a_word_with_a_space_is_not_made_two(run, tmp_path):
    """UD allows spaces in words, which lines of text have no room for."""
    trees = tmp_path / "t.conllu"
    trees.write_text(
        "1\tRun\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\t10 000\t_\tNUM\t_\t_\t3\tnummod\t_\t_\n"
        "3\tmiles\t_\tNOUN\t_\t_\t1\tobj\t_\t_\n\n"
    )
    options = ("reorder", "--rules", "en-ja", "--trees", trees)
    code, out, err = run(*options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "'10 000'" in err
    assert run(*options, "--output", "order") == (0, "1 2 0\n", "")
