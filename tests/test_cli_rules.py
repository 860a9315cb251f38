def test_rule_sets_are_listed(run):
    code, out, _ = run("rules", "list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == [
        "en-ja", "head-final-reverse-after", "head-final-reverse-before", "none", "reverse",
    ]  # fmt: skip


def test_right_rule_files_are_said_to_be_right(run):
    code, out, _ = run("rules", "check", "en-ja", "none")
    assert code == 0
    assert "none: all right; rules: 0, worked examples: 0" in out


def test_a_failing_example_is_an_error(run, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\nscheme = "ud"\n[[example]]\n'
        'tree = ["eat VERB 0 root", "fish NOUN 1 obj"]\norder = "fish eat"\n'
    )
    code, _, err = run("rules", "check", path)
    assert code == 2
    assert "mine.toml: example 1 gives 'eat fish' instead of 'fish eat'" in err
