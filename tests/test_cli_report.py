import json
import re
import shlex

import pytest

TREES = [  # of the sentences below: heads from 1, 0 for the root
    [("She", "PRON", 2, "nsubj"), ("reads", "VERB", 0, "root"), ("books", "NOUN", 2, "obj"),
     (".", "PUNCT", 2, "punct")],
    [("What", "PRON", 0, "root"), ("is", "AUX", 1, "cop"), ("it", "PRON", 1, "nsubj"),
     ("?", "PUNCT", 1, "punct")],
    [("He", "PRON", 2, "nsubj"), ("sleeps", "VERB", 0, "root"), (".", "PUNCT", 2, "punct")],
]  # fmt: skip
TEXTS = {
    "ref.en": "the cat sat\nhe reads\n",
    "one.en": "cat the sat\nhe reads\n",
    "two.en": "a\nb\n",
}


TREES_OF = ("--trees", "web.conllu")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder to work in, with sentences and links, and outputs with a reference."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.en").write_text("She reads books .\nWhat is it ?\nHe sleeps .\n")
    words = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"
    rows = ["".join(words.format(n, *word) for n, word in enumerate(tree, 1)) for tree in TREES]
    (tmp_path / "web.conllu").write_text("".join(row + "\n" for row in rows))
    (tmp_path / "s.align").write_text("0-0 1-2 2-1 3-3\n0-1 1-2 2-0 3-3\n0-0 1-1 2-2\n")
    (tmp_path / "b.order").write_text("0 2 1 3\n0 1 2 3\n0 1 2\n")
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def orders(run, files):
    """Makes a run folder of `evaluate` of that name."""

    def make(name, *more):
        arguments = ("--source", "s.en", "--alignment", "s.align", "--resamples", 10, *more)
        assert run("evaluate", *arguments, "--out", name)[0] == 0
        return name

    return make


@pytest.fixture
def outputs(run, files):
    """Makes a run folder of `score` of that name."""

    def make(name, *metrics):
        wanted = [part for metric in metrics for part in ("--metric", metric)]
        texts = ("--hyp", "one.en", "--hyp", "two.en", "--ref", "ref.en", "--resamples", 10)
        assert run("score", *texts, *wanted, "--out", name)[0] == 0
        return name

    return make


def data_of(path):
    [text] = re.findall(r'id="data">(.*?)</script>', path.read_text(encoding="utf-8"), re.S)
    return json.loads(text)


@pytest.mark.slow
def test_report_of_a_run(good, orders, files):
    folder = orders(
        "today", "--orders", "b.order", *TREES_OF, "--rules", "none", "--rules", "en-ja"
    )
    out = good("report", folder)
    assert re.fullmatch(r"report\.html: 0\.\d MB\n", out)
    data = data_of(files / "report.html")
    assert [system["name"] for system in data["systems"]] == ["web/none", "web/en-ja", "b"]
    assert data["systems"][2]["orders"][0] == "?A@B", "packed 0 2 1 3"
    assert data["systems"][2]["parser"] is None
    assert data["systems"][1]["ablation"]
    page = (files / "report.html").read_text(encoding="utf-8")
    assert "evaluate --source s.en" in page, "it says what was run"


@pytest.mark.slow
def test_command_of_the_slots_prints_the_contributions_of_the_page(good, files):
    metric = ("--metric", "fuzzy(match=word,unaligned=drop)", "--resamples", 20, "--seed", 3)
    rules = ("--parser", "gold", "--rules", "none", "--rules", "en-ja")
    good("evaluate", *rules, *metric, "--reference", "en-ja", "--out", "mine")
    good("report", "mine")
    _, system = data_of(files / "report.html")["systems"]
    parts = json.loads(good(*shlex.split(system["ablate"])[1:], "--json"))["parts"]
    whole = {part["rule"] - 1: part for part in parts if part["slot"] is None}
    assert 0 < len(whole) < len(parts)
    shown = {
        rule: (applied, changed, ends)
        for rule, _, _, applied, changed, *ends, _ in system["ablation"]
    }
    assert shown == {
        rule: (
            part["applied"],
            part["changed_sentences"],
            [part["contribution"], part["low_95"], part["high_95"]],
        )
        for rule, part in whole.items()
    }


def test_report_of_outputs(good, outputs, files):
    out = good("report", outputs("scores", "wer", "ribes"))
    size = (files / "report.html").stat().st_size
    assert out == f"report.html: {size / 1e6:.1f} MB\n"
    assert not re.search(r" 0\.0 | \d{2,}\.", out)
    data = data_of(files / "report.html")
    page = (files / "report.html").read_text(encoding="utf-8")
    assert page.count("no 95% intervals (at least") == 1
    assert "2 sentences, by WER and RIBES" in page
    assert data["kind"] == "outputs"
    assert data["translations"] == [["the cat sat", "he reads"]]
    assert data["systems"][0]["outputs"] == ["cat the sat", "he reads"]
    assert [metric["higher"] for metric in data["metrics"]] == [False, True]


def test_metrics_against_people(good, outputs, files):
    lines = ["system\tline\tscore", "one\t0\t1", "one\t1\t0.9", "two\t0\t0.5", "two\t1\t0"]
    (files / "human.tsv").write_text("\n".join(lines) + "\n")
    (files / "two.en").write_text("sat the cat\nb\n")  # which WER cannot tell from one.en
    folder = outputs("scores", "wer", "ribes")
    good("report", folder, "--human", "human.tsv")
    page = (files / "report.html").read_text(encoding="utf-8")
    assert re.search("<bdi>chance</bdi>.*?<b>0.500</b>", page, re.DOTALL)
    cells = re.findall(r'<td class="n">([^<]*)</td>', page)
    assert "0.250" in cells, "what WER gets by chance, as it ties half of the pairs"
    assert all(len(cell) <= 6 for cell in cells)
