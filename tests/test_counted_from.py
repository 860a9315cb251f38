"""Links counted from 1 that are read as if from 0: an error at every door."""

from pathlib import Path

import pytest

import preorder_eval as pe
from preorder_eval.orders.alignment_files import read_alignment
from preorder_eval.orders.alignment_formats import format_links


@pytest.fixture
def links(bundled_reference, tmp_path, monkeypatch):
    """Files of 25 sentences that end in a word without a link; links from 0 and from 1."""
    monkeypatch.chdir(tmp_path)
    part = bundled_reference.take(range(25), "part")
    for side, sentences in (("s.en", part.source), ("s.ja", part.target)):
        Path(side).write_text("".join(" ".join(words) + " *\n" for words in sentences))
    for base in (0, 1):
        lines = [
            format_links([(i + base, j + base) for i, j in part.alignments[s]]) for s in range(25)
        ]
        Path(f"from{base}.align").write_text("".join(line + "\n" for line in lines))
    Path("t.conllu").write_text("")
    return part.alignments


TEXT = "--source s.en --alignment from1.align"


@pytest.mark.parametrize(
    "command",
    [
        f"evaluate --rules none {TEXT}",
        f"rules oracle --rules en-ja {TEXT}",
        f"rules learn --start en-ja --out r.toml {TEXT}",
        f"rules ablate --rules en-ja {TEXT}",
        f"watch --rules r.toml {TEXT}",
        f"select --parser en-web --out o.conllu {TEXT}",
        f"self-train --treebank t.conllu --dev t.conllu --out work {TEXT}",
        "align from1.align --from pharaoh",
        "align from1.align --from auto --target s.ja",
        "reference build --out set --source s.en --target s.ja --alignment from1.align",
        "evaluate --source s.en --alignment from0.align --system-alignment from1.align",
    ],
)
def test_links_that_never_name_the_first_word_are_refused(run, links, command):
    Path("r.toml").write_text('name = "r"\nscheme = "ud"\n')
    code, out, err = run(*command.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "from1.align:1:" in err
    assert "--base 1" in err
    assert not any(Path(made).exists() for made in ("work", "o.conllu", "set"))


def test_what_is_stated_is_read(links):
    stated = read_alignment("from1.align", base=1)
    assert list(stated) == list(links) == list(read_alignment("from0.align"))
    assert read_alignment("from1.align", base=0)[0] == [(i + 1, j + 1) for i, j in links[0]]
    with pytest.raises(pe.FormatError, match="base=1") as caught:
        pe.read_alignment("from1.align")
    assert (caught.value.file, caught.value.line) == ("from1.align", 1)


def test_few_sentences_or_one_first_word_decide_nothing(links):
    lines = Path("from1.align").read_text().splitlines()
    Path("few.align").write_text("\n".join(lines[:19] + [""] * 6) + "\n")
    Path("once.align").write_text("\n".join([*lines[:24], "0-3"]) + "\n")
    assert len(read_alignment("few.align")) == 25
    assert read_alignment("once.align")[24] == [(0, 3)]
