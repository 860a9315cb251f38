"""`preorder-eval reference check`: what a reference set leaves to be wished for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.cli.options import JsonForText, TsvForText, choose_one

if TYPE_CHECKING:
    from preorder_eval.analysis.reference_quality import Finding
    from preorder_eval.data.reference_set import ReferenceSet

    Checked = tuple[ReferenceSet, list[str], list[Finding]]


def command(
    references: Annotated[
        list[str],
        typer.Argument(help="Bundled reference sets or folders.", metavar="NAME|DIR…"),
    ],
    structure_only: Annotated[
        bool,
        typer.Option(
            "--structure-only",
            help="Leave out the guidelines, which translations made as usual do not follow.",
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print the summary without the sentences.")
    ] = False,
    json: JsonForText = False,
    tsv: TsvForText = False,
) -> None:
    """Check reference sets: their structure, and the guidelines for making alignments.

    The guidelines: every word but articles and punctuation is linked, no source word to separate
    target stretches, and every target word is linked. Subtrees of the gold tree that the reference
    order tears apart are counted for information. Positions count from 0.

    Exit code: 0 if there is nothing to mend, 1 with warnings, 2 for files that cannot be read.

    \b
    Examples:
      preorder-eval reference check en-ja en-ko en-de
      preorder-eval reference check my-set --tsv > warnings.tsv
      preorder-eval reference check news-set --structure-only
    """
    from preorder_eval.analysis.reference_quality import check_reference, checks_for
    from preorder_eval.formats.reference_folder import load_reference
    from preorder_eval.formats.tables import format_json, format_tsv

    choose_one(json=json, tsv=tsv)
    sets = [load_reference(name) for name in references]
    checked = [
        (
            data,
            checks_for(data, structure_only=structure_only),
            check_reference(data, structure_only=structure_only),
        )
        for data in sets
    ]
    if json:
        print(format_json({"references": [_as_json(entry, quiet) for entry in checked]}), end="")
    elif tsv:
        print(format_tsv(*(_summary(checked) if quiet else _findings(checked))), end="")
    else:
        print(_text(checked, quiet))
    if any(finding.is_warning for *_, findings in checked for finding in findings):
        raise typer.Exit(1)


def _summary(checked: list[Checked]) -> tuple[list[str], list[list[object]]]:
    """Header and rows of the counts of each check on each set."""
    from preorder_eval.analysis.reference_quality import CHECKS

    rows: list[list[object]] = []
    for data, checks, findings in checked:
        for check in checks:
            own = [finding for finding in findings if finding.check == check]
            found = sum(finding.count for finding in own)
            rows.append([data.name, check, CHECKS[check], found, len(own)])
    return ["reference", "check", "level", "found", "sentences"], rows


def _findings(checked: list[Checked]) -> tuple[list[str], list[list[object]]]:
    """Header and rows of all that was found."""
    header = ["reference", "sentence", "sentence_id", "check", "level", "positions", "words"]
    rows: list[list[object]] = [
        [
            data.name,
            finding.sentence + 1,
            _sentence_id(data, finding.sentence),
            finding.check,
            finding.level,
            " ".join(map(str, finding.positions)),
            " ".join(finding.words),
        ]
        for data, _, findings in checked
        for finding in findings
    ]
    return header, rows


def _as_json(entry: Checked, quiet: bool) -> dict[str, Any]:
    data, _, findings = entry
    header, rows = _summary([entry])
    result = {
        "name": data.name,
        "files": data.hashes,
        "sentences": len(data),
        "source_tokens": sum(map(len, data.source)),
        "target_tokens": None if data.target is None else sum(map(len, data.target)),
        "links": len(data.alignments.source),
        "gold_trees": data.trees is not None,
        "checks": [dict(zip(header[1:], row[1:], strict=True)) for row in rows],
    }
    if not quiet:
        result["findings"] = [
            {
                "sentence": finding.sentence + 1,
                "sentence_id": _sentence_id(data, finding.sentence),
                "check": finding.check,
                "level": finding.level,
                "positions": list(finding.positions),
                "words": list(finding.words),
            }
            for finding in findings
        ]
    return result


def _text(checked: list[Checked], quiet: bool) -> str:
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.visible import visible

    lines = []
    for data, _, findings in [] if quiet else checked:
        for finding in findings:
            if finding.is_warning:
                number, name = finding.sentence + 1, _sentence_id(data, finding.sentence)
                place = f"{data.name} sentence {number}" + (f" ({name})" if name else "")
                words = ", ".join(
                    f"{word} {position}"
                    for word, position in zip(finding.words, finding.positions, strict=True)
                )
                lines.append(visible(f"{place}: {finding.check}" + (f": {words}" if words else "")))
    header, rows = _summary(checked)
    table = format_table(header, [[str(cell) for cell in row] for row in rows])
    return "\n".join([*lines, *([""] if lines else []), *map(_size, checked), "", table])


def _size(entry: Checked) -> str:
    """One line on what a set holds and whether it is clean."""
    data, _, findings = entry
    warnings = sum(finding.is_warning for finding in findings)
    target = "" if data.target is None else f"{sum(map(len, data.target))} target tokens, "
    return (
        f"{data.name}: {len(data)} sentences, {sum(map(len, data.source))} source tokens, {target}"
        f"{len(data.alignments.source)} links, {'gold' if data.trees is not None else 'no'} trees: "
        + (f"{warnings} warnings" if warnings else "nothing to mend")
    )


def _sentence_id(data: ReferenceSet, sentence: int) -> str | None:
    return data.trees[sentence].sentence_id if data.trees is not None else None
