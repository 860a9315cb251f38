"""What a command writes, others read: trees, lists, orders, rules, links, reference folders."""

from __future__ import annotations

import csv
import io
import shlex

import pytest

from preorder_eval.orders.alignment_formats import format_links

TEXT = "--source s.en --alignment s.align"
OWN = f"evaluate {TEXT} --rules en-ja"
LISTS = f"{OWN} --trees lists.conllu"
# Each is what writes a file, what scores it, and what must give the same scores without the file.
TRIPS = f"""
trees: parse --source s.en --out x.conllu
    {OWN} --trees x.conllu
    {OWN}
trees without their text: parse --source s.en --out x.conllu
    evaluate --trees x.conllu --alignment s.align --rules en-ja
    {OWN}
lists: parse --source s.en --n 4 --out x.conllu
    {OWN} --trees x.conllu
    {LISTS}
selected parses: select {TEXT} --parser en-web --n 1 --out x.conllu
    {OWN} --trees x.conllu
    {OWN}
selected parses of lists: select {TEXT} --nbest lists.conllu --out x.conllu
    {OWN} --trees x.conllu
    evaluate --trees x.conllu --alignment s.align --rules en-ja
selected parses selected from: select {TEXT} --parser en-web --n 1 --out x.conllu
    select {TEXT} --nbest x.conllu --out y.conllu
    select {TEXT} --parser en-web --n 1 --out z.conllu
orders: reorder --rules en-ja --source s.en --output order > x.order
    evaluate {TEXT} --orders x.order
    {OWN}
orders of trees: reorder --rules en-ja --trees lists.conllu --output order > x.order
    evaluate {TEXT} --orders x.order
    {LISTS}
rules: rules show en-ja --toml > x.toml
    evaluate {TEXT} --rules x.toml
    {OWN}
links: align s.align --from pharaoh > x.align
    {OWN.replace("s.align", "x.align")}
    {OWN}
a reference folder: reference build {TEXT} --target s.ja --out x-set
    evaluate --reference x-set --rules en-ja --parser en-web
    {OWN}
"""
STEPS = [line.strip() for line in TRIPS.strip().splitlines()]
TRIPLES = [
    pytest.param(*of, marks=[pytest.mark.slow] * (not of[0].startswith(("orders:", "rules:"))))
    for of in zip(STEPS[::3], STEPS[1::3], STEPS[2::3], strict=True)
]


@pytest.fixture
def texts(run, bundled_reference, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    part = bundled_reference.take(range(12), "part")
    for name, sentences in (("s.en", part.source), ("s.ja", part.target)):
        (tmp_path / name).write_text("".join(" ".join(words) + "\n" for words in sentences))
    links = [format_links(part.alignments[s]) for s in range(12)]
    (tmp_path / "s.align").write_text("\n".join(links) + "\n")
    assert run("parse", "--source", "s.en", "--n", "4", "--out", "lists.conllu")[0] == 0


@pytest.mark.parametrize(("writes", "reads", "same"), TRIPLES)
def test_what_is_written_is_read(run, texts, tmp_path, writes, reads, same):
    command, _, file = writes.partition(": ")[2].partition(" > ")
    code, out, err = run(*shlex.split(command))
    assert code == 0, err
    if file:
        (tmp_path / file).write_text(out)
    results = []
    for command in (reads, same):
        code, out, err = run(*shlex.split(command), "--tsv")
        assert code == 0, err
        rows = csv.DictReader(io.StringIO(out), delimiter="\t")
        named = {"system", "name", "first", "second", "parser", "rules", "reference"}
        results.append([{key: row[key] for key in row.keys() - named} for row in rows])
    assert results[0]
    assert all(result == results[0] for result in results)
