"""`preorder-eval reference build`, `export` and `show`: reference folders made and shown."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Annotated

import click

from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.base.files.writing import refuse_existing, write_folder
from preorder_eval.base.resources import bundled, bundled_names
from preorder_eval.base.tables import Column, Table
from preorder_eval.base.tables.drawing import wrap
from preorder_eval.base.visible import quantity, visible
from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.shared.options import ALIGNMENT, BASE, DIRECTION, REFERENCE, AlignmentFormat
from preorder_eval.orders.aligners import ALIGNERS
from preorder_eval.orders.alignment_files import AUTO, Direction
from preorder_eval.references.reference_build import blind_sheets, format_reference, reference_build
from preorder_eval.references.reference_files import datasheet_entry
from preorder_eval.references.reference_folder import (
    exported,
    load_reference,
    reference_makers,
    reference_names,
)
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.references.standoff import STANDOFF, TREEBANKS, join, treebank_files

_MOST_ORDERS = 10  # of a sentence that are printed


def _standoff_sets() -> dict[str, Path]:
    """Return the folders of the bundled sets that stand off from their text, by name."""
    folders = bundled_names("reference_data").items()
    return {name: path for name, path in folders if (path / STANDOFF).is_file()}


def _families() -> list[str]:
    """Return the endings of their names, such as ewt, for `--like`."""
    return sorted({name.rpartition("-")[2] for name in _standoff_sets()})


def build(
    out: Annotated[Path, Option("New folder.", metavar="DIR")],
    blind: Annotated[
        str | None,
        REFERENCE,
        Option(
            "Write the sentences of this set without translations and links, to annotate them.",
            shown="",
            beside="alignment source target source_language target_language",
        ),
    ] = None,
    sentences: Annotated[
        int,
        Option("Sentences to write, evenly spaced, of six words or more.", low=1, needs="blind"),
    ] = 100,
    standoff: Annotated[
        Path | None,
        Option(
            "Join the annotation in this folder with its text, from SOURCE….",
            metavar="DIR",
            beside="alignment aligner source target like split blind",
        ),
    ] = None,
    alignment: Annotated[
        Path | None,
        ALIGNMENT,
        Option("Word alignments; without them, link words with `reference edit` or --aligner."),
    ] = None,
    aligner: Annotated[
        str | None,
        Option(
            "Make links with an aligner, such as agree; τ is then the main metric and ignores "
            "unaligned words.",
            metavar=lambda: "|".join(ALIGNERS),
            beside="alignment blind",
        ),
    ] = None,
    source: Annotated[
        Path | None, Option("Source sentences, tokenised, or CoNLL-U with gold trees.")
    ] = None,
    target: Annotated[Path | None, Option("Translations, tokenised or CoNLL-U.")] = None,
    like: Annotated[
        str | None,
        Option(
            "Join all bundled annotation of this corpus, such as ewt, with its text, from SOURCE….",
            metavar=lambda: "|".join(_families()),
            beside="alignment aligner source target split blind",
        ),
    ] = None,
    split: Annotated[
        str,
        Option(
            "Splits and their numbers of sentences, in order, such as dev=400,test.",
            metavar="SPLITS",
            beside="blind",
        ),
    ] = "",
    alignment_format: AlignmentFormat = AUTO,
    base: Annotated[int | None, BASE] = None,
    direction: Annotated[Direction, DIRECTION] = "source-target",
    name: Annotated[
        str | None, Option("Name in the datasheet.", shown="the folder's", metavar="NAME")
    ] = None,
    source_language: Annotated[
        str | None,
        Option(
            "Code of the source language, such as en.",
            shown="the ending of --source",
            metavar="CODE",
        ),
    ] = None,
    target_language: Annotated[
        str | None,
        Option(
            "Code of the target language, such as ja.",
            shown="the ending of --target",
            metavar="CODE",
        ),
    ] = None,
    sources: Annotated[
        tuple[Path, ...],
        Argument(
            "Treebanks, files or folders, with the text that a set does not include.",
            metavar="[SOURCE]…",
            needs="standoff like",
        ),
    ] = (),
) -> None:
    """Examples:
      preorder-eval reference build --source s.en --target s.ja \\
        --alignment s.align --out my-set
      preorder-eval reference build --source en.conllu --target ja.conllu \\
        --alignment a.json --source-language en --target-language ja --out pud
      preorder-eval reference build --blind en-ko/test --sentences 40 --out sheets
      preorder-eval reference build --standoff annotation text.conllu --out my-set
    """
    refuse_existing(out)
    if standoff or like:
        _build_joined(out, {out.name: standoff} if standoff else _sets_like(like or ""), sources)
        return
    if blind is not None:
        _write_sheets(out, blind_sheets(load_reference(blind), sentences, name or out.name))
        return
    if source is None or target is None:
        raise click.UsageError("give both --source and --target, or --blind")
    languages = (
        _language("source", source_language, source),
        _language("target", target_language, target),
    )
    reference = reference_build(
        out,
        "-".join(languages),
        source,
        target,
        alignment,
        aligner=aligner,
        split=split,
        name=name or "",
        form=alignment_format,
        base=base,
        direction=direction,
    )
    _print_built(out, reference)


def _print_built(out: Path, reference: ReferenceSet) -> None:
    """Print the size of a new reference folder, and what is still to be done."""
    counts = [
        quantity(len(reference), "sentence"),
        quantity(len(reference.alignments.source), "link"),
        quantity(len(reference) - int(reference.informative.sum()), "sentence without links"),
    ]
    print(visible(f"{out}: {', '.join(counts)}; complete {out}/DATASHEET.md"))


def _sets_like(corpus: str) -> dict[str, Path]:
    """Return the folders of the sets whose text is from a corpus, by which their names end."""
    sets = {n: path for n, path in _standoff_sets().items() if n.endswith(f"-{corpus}")}
    if not sets:
        raise UnknownNameError("corpus of bundled annotation", corpus, _families())
    return sets


def _build_joined(out: Path, sets: dict[str, Path], sources: Sequence[Path]) -> None:
    """Join sets with treebanks, write each into its folder, and print what was left out."""
    files = treebank_files(sources)
    if not files:
        raise click.UsageError(f"give treebanks as SOURCE…, or in the variable {TREEBANKS}")
    joined = {name: join(folder, files, name, "all") for name, folder in sets.items()}
    texts: dict[str, str] = {}
    for name, each in joined.items():
        if not each.sentences:
            raise PreorderEvalError(f"{name}: no sentence was found: {each.left_out}")
        folder = "" if len(sets) == 1 and name == out.name else f"{name}/"
        texts |= {folder + file: text for file, text in each.files.items()}
    write_folder(out, texts)
    for name, each in joined.items():
        parts = [
            f"{part} {count}" if part else quantity(count, "sentence")
            for part, count in each.sentences.items()
        ]
        made_on = datasheet_entry(sets[name], "Made on").rstrip(".")
        lines = [", ".join(parts), each.left_out, made_on and f"made on {made_on}"]
        print(visible(f"{name}: " + "; ".join(filter(None, lines))))


def _write_sheets(out: Path, sheets: ReferenceSet) -> None:
    """Write the folder to annotate, without free orders as yet, and print what to do."""
    free = {f"{sheets.languages}.free": "\n" * len(sheets)}
    files = format_reference(sheets, *sheets.languages.split("-", 1))
    write_folder(out, {**files, **free})
    guidelines = bundled("reference_data") / "GUIDELINES.md"
    print(
        visible(
            f"{out}: {quantity(len(sheets), 'sentence')} to translate and link, as {guidelines} "
            f"describes: preorder-eval reference edit {out}"
        )
    )


def _language(side: str, given: str | None, file: Path) -> str:
    """Return a side's language: as given, or the two-letter ending of its file."""
    language = given or file.suffix[1:]
    pattern = r"[a-z]{2}" if not given else r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*"
    if not re.fullmatch(pattern, language):
        raise click.UsageError(f"name the language, such as en, with --{side}-language")
    return language


def export(
    standoff: Annotated[str, Option("Set with gold trees.", metavar="NAME|DIR")],
    out: Annotated[Path, Option("New folder.", metavar="DIR")],
) -> None:
    """`reference build --standoff` joins the annotation with the text again. It finds each sentence
    by its sent_id, and compares a hash of its tokens.

    Examples:
      preorder-eval reference export --standoff my-set --out my-set-standoff
      preorder-eval reference build --standoff my-set-standoff text.conllu \\
        --out again
    """
    files = exported(standoff)
    write_folder(out, files)
    count = quantity(files[STANDOFF].count("\n"), "sentence")
    print(visible(f"{out}: {count} without their text; complete {out}/DATASHEET.md"))


def show(
    reference: Annotated[
        str | None,
        REFERENCE,
        Argument("Bundled reference set or folder; if omitted, all are listed."),
    ] = None,
    sentence: Annotated[
        str | None,
        Option(
            "Number of the sentence, from 1, or its sent_id.",
            metavar="N|ID",
            shown="1",
            needs="reference",
        ),
    ] = None,
) -> None:
    """Each source word is followed by its position, from 0, and the target words linked to it. The
    last lines state who made the set.

    Examples:
      preorder-eval reference show
      preorder-eval reference show en-ja --sentence 12
      preorder-eval reference show my-set --sentence cleft-03
    """
    if reference is None:
        rows: list[list[object]] = []
        for name in reference_names():
            rows.append([name, "text not found", *[None] * 3])
            with suppress(PreorderEvalError):  # of sets whose text is not bundled
                one = load_reference(name)
                rows[-1][1:] = [one.name, one.languages, len(one), one.coverage]
        headings = map(Column, ("reference", "loaded as", "languages", "sentences"))
        print(Table("sets", [*headings, Column("aligned", format=".0%")], rows).text())
        return
    data = load_reference(reference)
    s = data.find(sentence or "1")
    columns = shutil.get_terminal_size(fallback=(100, 24)).columns
    print("\n".join([_heading(data, s), *_rows(data, s, columns)]))
    if data.aligner:
        print(f"\nlinks made by {visible(data.aligner)}")
    if makers := reference_makers(reference):
        print("\n" + wrap(["made by:", *visible(makers).split()], columns, 2))


def _heading(data: ReferenceSet, s: int) -> str:
    """Return the set, the sentence, and what its comments say beyond the text."""
    parts = [f"{data.name}, sentence {s + 1} of {len(data)}"]
    comments = data.trees[s].comments if data.trees is not None else ()
    texts = [comment.lstrip("#").strip() for comment in comments]
    parts += [text for text in texts if text.partition("=")[0].strip() != "text"]
    return visible(", ".join(parts))


def _rows(data: ReferenceSet, s: int, width: int) -> Iterator[str]:
    """Yield source, reference orders with ties in braces, target and links."""
    source = [visible(word) for word in data.source[s]]
    # Without a translation its positions stand for its words.
    known = None if data.target is None else [visible(word) for word in data.target[s]]
    links = [
        f"{source[i]} {i}: {' '.join(known[j] if known else str(j) for _, j in linked)},"
        for i, linked in groupby(sorted(data.alignments[s]), key=itemgetter(0))
    ]
    orders = data.orders_of(s)
    rows = [("source", source)]
    rows += [
        ("or" if number else "reference", order.braces(source).split(" "))
        for number, order in enumerate(orders[:_MOST_ORDERS])
    ]
    if len(orders) > _MOST_ORDERS:
        rows.append(("", [f"and {len(orders) - _MOST_ORDERS} more"]))
    rows += [("target", known)] if known is not None else []
    rows.append(("links", [*links[:-1], links[-1][:-1]] if links else ["none"]))
    return (f"{name:11}{wrap(words, width, 11)}" for name, words in rows)
