from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("s.en").write_text("a b c d e\nf g\nh i j\nk l m\n")
    Path("s.align").write_text("0-0 1-1 2-2 3-3 4-4\n\n0-0 0-2 1-1 2-3\n0-0 0-2 1-1 1-3 2-4\n")
    Path("o.order").write_text("1 2 3 4 0\n0 1\n0 1 2\n1 0 2\n")


OWN = ("evaluate", "--source", "s.en", "--alignment", "s.align", "--orders", "o.order")


def test_lader_prints_its_lines(run):
    code, out, _ = run(*OWN, "--compat", "lader")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["sys_ord:", "1", "2", "3", "4", "0"]
    assert lines[3] == "chunk=0.5 (loss 3/6)\ttau=0.6 (loss 4/10)"
    assert lines[-1].startswith("chunk=")


def test_options_of_lader_change_what_it_prints(run):
    attached = [run(*OWN, "--compat", "lader", "--attach-null", x)[0] for x in ("left", "right")]
    assert attached == [0, 0]
    merged = run(*OWN, "--compat", "lader")[1]
    assert run(*OWN, "--compat", "lader", "--combine-blocks", "no")[1] != merged


def test_tdbtg_goes_on_where_the_tool_stops_and_says_so(run):
    code, out, _ = run(*OWN, "--compat", "tdbtg")
    assert code == 0
    assert "Number of evaluated sentences: 2\nNumber of skipped sentences: 1\n" in out
    assert "Fuzzy Reordering Score: 0.375000" in out  # (0.5 + 0.25) / 2
    assert "# incomparable spans: sentences 3\n" in out
    assert "# no links: the tool stops here with 'Too few fields.': sentences 2\n" in out


def test_several_systems_are_named(run):
    Path("p.order").write_text("0 1 2 3 4\n0 1\n0 1 2\n0 1 2\n")
    out = run(*OWN, "--orders", "p.order", "--compat", "tdbtg")[1]
    assert [line for line in out.splitlines() if line in ("# o", "# p")] == ["# o", "# p"]


def test_the_peer_s_lines_come_alone(run):
    assert run(*OWN, "--compat", "lader", "--json")[0] == 2
