"""The record of runs from which the tables of results in manual and model card are written.

    python tests/figures.py measure --data DATA --old FOLDER --sm FOLDER   makes figures.json anew
    python tests/figures.py write                                          writes the pages' tables

`measure` takes `--only PATTERN` for some of the runs, by their names. DATA has the folders that the
runs name; `--old` is the bundled parser before the present one, `--sm` spaCy's `en_core_web_sm`. A
run of the record has its command, the commit and its values, with intervals. A page's table is
found by its first line, so that a page has no marks; `test_figures.py` compares pages and record.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import preorder_eval as pe
from preorder_eval.judgments.correlation import spearman
from preorder_eval.trees.nbest_files import format_nbest

ROOT = Path(__file__).parents[1]
RECORD = Path(__file__).with_name("figures.json")
MANUAL = ROOT / "preorder_eval" / "manual"
CARD = ROOT / "preorder_eval" / "parsers" / "bundled" / "en-web" / "README.md"

# The runs, by name: what follows `preorder-eval evaluate`.

DROP = "--metric fuzzy(unaligned=drop) --metric kendall(unaligned=drop)"
OURS, OLD, SM = "--parser en-web", "--parser old={old}", "--parser sm={sm}"
LISTS = "--parser list16=en-web(consensus=16)"


def _pud(language: str) -> str:
    folder = f"{{data}}/pud_en-{language}"
    return f"--source {folder}/source.conllu --alignment {folder}/en-{language}.align {DROP}"


TEXTS = {
    "ewt/test": "--reference en-ja-ewt/test",
    "ewt/pud": "--reference en-ja-ewt/pud",
    "web/test": "--reference en-ja-web/test",
    "PUD ja": _pud("ja"),
    "KFTT": "--source {data}/kftt_dev/source.en --alignment {data}/kftt_dev/en-ja.align " + DROP,
}
LANGUAGES = ("ja", "ko", "tr", "hi", "de", "zh")
PUD = ("ja", "ko", "zh", "fr", "ar")
OTHERS = ("en-ko", "en-tr", "en-hi", "reverse")
OTHERS += ("head-final-reverse-before", "head-final-reverse-after")
RULES = ("en-ja", *OTHERS)
TREEBANKS = {
    "EWT dev": "ud_english_ewt/en_ewt-ud-dev.conllu",
    "EWT test": "ud_english_ewt/en_ewt-ud-test.conllu",
    "GUM dev": "ud_english_more/en_gum_by-dev.conllu",
    "ESLSpok dev": "ud_english_more/en_eslspok-dev.conllu",
    "PUD": "pud_en-fr/source.conllu",
}
SETS = ["en-ja-web/dev", "en-ja-web/test", "en-ja-ewt/dev", "en-ja-ewt/test", "en-ja-ewt/pud"]
SETS += [f"en-{one}/{part}" for one in LANGUAGES[1:] for part in ("dev", "test")]

RUNS = {
    **{
        text: f"{where} --rules none --rules en-ja {OURS} {LISTS} {OLD} {SM} "
        f"--parser never=en-web(truecase=never){'' if text == 'KFTT' else ' --parser gold'} "
        "--against en-web/en-ja"
        for text, where in TEXTS.items()
    },
    **{
        f"{text}, other rules": f"{where} {OURS} --rules " + " --rules ".join(OTHERS)
        for text, where in TEXTS.items()
    },
    **{
        f"{text}, ClearNLP": f"{TEXTS[text]} --rules en-ja-clearnlp --parser sm={{sm}}(labels=own)"
        for text in ("KFTT", "PUD ja", "web/test")
    },
    **{
        f"{text}, lists": f"{TEXTS[text]} --rules en-ja --trees {{made}}/first16.conllu "
        "--parser list8=en-web(consensus=8)"
        for text in ("KFTT", "web/test", "PUD ja")
    },
    **{
        f"PUD {one}": f"{_pud(one)} --rules none --rules en-{one} {OURS} {OLD} {SM} --parser gold "
        "--against none"
        for one in PUD[1:]
    },
    **{
        f"en-{one}-ewt": f"--reference en-{one}-ewt/test --rules none --rules en-{one} "
        f"{OURS} {OLD} {SM} --parser gold"
        for one in LANGUAGES
    },
    **{
        f"treebank {one}": (_pud(one) if one in PUD else f"--reference en-{one} {DROP}")
        + f" --rules none --rules en-{one} --rules {{made}}/treebank-{one}.toml"
        + f" {OURS} --parser gold"
        for one in ("ja", "ko", "fr", "zh", "de", "tr", "hi")
    },
    **{
        name: f"--reference {name} --rules {name[:5]} {OLD} {OURS} --against old/{name[:5]}"
        for name in SETS
    },
    **{
        f"{text}, agree": f"--reference {{made}}/linked/{folder} {DROP} {OURS} --rules none "
        f"--rules {' --rules '.join(RULES)}"
        for text, folder in (("KFTT", "kftt_dev"), ("PUD ja", "pud_en-ja"))
    },
    **{
        f"trees, {on}": f"--gold {{data}}/{file} {OURS} {OLD} {SM}"
        for on, file in TREEBANKS.items()
    },
}

# Other commands, by name, which tell other values.
COUNTED = {
    **{
        f"predicted {one}": f"rules learn --treebank {{data}}/ud_targets/{one}.conllu "
        "--out {made}/rules.toml"
        for one in ("ja", "ko", "fr", "zh", "de", "tr", "hi")
    },
    **{
        f"agreement {one}": f"reference check en-{one}-ewt@first/test "
        f"--against en-{one}-ewt@second/test"
        for one in LANGUAGES
    },
}


# Measuring.


def _make(arguments: str, data: Path, folder: Path) -> None:
    """Make the files that a run names: rules from a treebank, links, or the lists of its text."""
    for name in re.findall(r"linked/([\w-]+)", arguments):
        source, target = (next((data / name).glob(f"{side}.*")) for side in ("source", "target"))
        build = [sys.executable, "-m", "preorder_eval", "reference", "build", "--quiet"]
        build += ["--source", str(source), "--target", str(target), "--aligner", "agree"]
        build += ["--source-language", "en", "--target-language", "ja"]
        subprocess.run([*build, "--out", str(folder / "linked" / name)], check=True)
    for language in re.findall(r"treebank-(\w+)", arguments):
        out = folder / f"treebank-{language}.toml"
        treebank = data / "ud_targets" / f"{language}.conllu"
        learn = [sys.executable, "-m", "preorder_eval", "rules", "learn", "--quiet"]
        learn += ["--treebank", str(treebank), "--out", str(out)]
        subprocess.run(learn, check=True, stdout=subprocess.DEVNULL)
    if "first16" in arguments:
        words = shlex.split(arguments)
        where = words[3].replace("{data}", str(data))
        if words[2] == "--reference":
            sentences = pe.load_reference(where).source
        elif where.endswith(".conllu"):
            sentences = pe.read_conllu(where).sentences
        else:
            sentences = [line.split() for line in Path(where).read_text("utf-8").splitlines()]
        lists = pe.load_parser("en-web").parse(sentences, 16)
        (folder / "first16.conllu").write_text(format_nbest(lists), encoding="utf-8")


def commands() -> dict[str, str]:
    """Return the command of each run, as the record has it."""
    runs = {name: f"evaluate {arguments}" for name, arguments in RUNS.items()} | COUNTED
    return {name: shlex.join(["preorder-eval", *shlex.split(run)]) for name, run in runs.items()}


def _commit() -> str:
    """Return the last commit of what decides the figures, with a mark if it was changed since."""
    decides = ["preorder_eval/**.py", "preorder_eval/parsers/bundled/**", "rules", "reference_data"]
    decides = ["--", *(f":(glob){name}" for name in decides[:2]), *decides[2:]]
    decides.append(":(exclude)*.md")

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words, *decides], check=True, capture_output=True, cwd=ROOT)
        return done.stdout.decode().strip()

    return git("log", "-1", "--format=%h") + "-changed" * bool(git("status", "--porcelain"))


def _told(run: str, given: argparse.Namespace, folder: Path) -> dict:
    """Run a command of the record and return what it prints as JSON."""
    _make(run, given.data, folder)
    places = {"data": given.data, "old": given.old, "sm": given.sm, "made": folder}
    words = [re.sub(r"\{(\w+)\}", lambda m: str(places[m[1]]), w) for w in shlex.split(run)[1:]]
    texts = os.pathsep.join(str(given.data / name) for name in ("ud_english_ewt", "pud_en-fr"))
    trust = ["--trust"] * ("--parser" in words)
    done = subprocess.run(
        [sys.executable, "-m", "preorder_eval", *words, "--json", "--quiet", *trust],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PREORDER_EVAL_TREEBANKS": texts},
    )
    return json.loads(done.stdout)


KEPT = ("value", "low", "high", "difference", "low_95", "high_95", "p", "detectable")


def _rounded(score: dict) -> dict:
    return {key: round(score[key], 5) for key in KEPT if score.get(key) is not None}


def _values(name: str, told: dict) -> dict:
    """Return the values of a run that the record keeps."""
    if name.startswith("predicted"):
        return {"gain": round(told["gain"], 5), "pairs": len(told["pairs"])}
    if name.startswith("agreement"):
        found = {row["measure"].partition("(")[0]: _rounded(row) for row in told["agreement"]}
        return {"sentences": told["sentences"], "agreement": found}
    rows = [
        (row.get("system", row.get("name")), row["scores"])
        for row in told.get("systems", told.get("trees"))
    ]
    systems = {
        system: {metric.partition("(")[0]: _rounded(score) for metric, score in scores.items()}
        for system, scores in rows
    }
    return {"sentences": told.get("sentences"), "systems": systems}


def measure(given: argparse.Namespace) -> None:
    """Run what is asked for and write the record after each run."""
    record = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    runs = commands()
    for name in [one for one in runs if re.search(given.only, one)]:
        print(name, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            told = _told(runs[name], given, Path(folder))
        record[name] = {"command": runs[name], "commit": _commit(), **_values(name, told)}
        ordered = {one: record[one] for one in runs if one in record}
        text = json.dumps(ordered, indent=1, ensure_ascii=False)
        RECORD.write_text(text + "\n", encoding="utf-8")


# Tables.


@dataclass(frozen=True)
class Table:
    """A table of a page: its first line, and what makes its rows of the record."""

    page: Path
    head: str
    rows: object


def _short(number: float, digits: int = 3) -> str:
    return (
        f"{number:.{digits}f}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:.{digits}f}"
    )


def both(record: dict, run: str, system: str) -> str:
    """FRS / τ of a system."""
    scores = record[run]["systems"][system]
    return " / ".join(_short(scores[metric]["value"]) for metric in ("fuzzy", "kendall"))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _ranked(record: dict, text: str, metric: str) -> list[float]:
    """The scores of the twelve systems by which texts are compared."""
    systems = record[text]["systems"]
    others = record[f"{text}, other rules"]["systems"]
    names = ("none", *(f"{p}/en-ja" for p in ("en-web", "list16", "old", "sm", "never")))
    found = [systems[name] for name in names] + [others[f"en-web/{rules}"] for rules in OTHERS]
    return [scores[metric]["value"] for scores in found]


def _texts(record: dict) -> list[str]:
    named = {"`none`": "none", "`en-web`": "en-web/en-ja"}
    named |= {"`en-web`, 16 trees by consensus": "list16/en-ja"}
    named |= {"`en-web` 1.0, for comparison": "old/en-ja"}
    named |= {"`en_core_web_sm`, converted": "sm/en-ja"}
    rows = [
        _row(label, *(both(record, text, system) for text in TEXTS))
        for label, system in named.items()
    ]
    rows += [
        _row(
            f"`en-web`, rules `{rules}`",
            *(both(record, f"{text}, other rules", f"en-web/{rules}") for text in TEXTS),
        )
        for rules in OTHERS[:3]
    ]
    gold = [both(record, t, "gold/en-ja") if t != "KFTT" else "" for t in TEXTS]
    rows.append(_row("gold trees", *gold))
    like = []
    for text in list(TEXTS)[1:]:
        pairs = [
            float(
                spearman(
                    np.array(_ranked(record, "ewt/test", m)), np.array(_ranked(record, text, m))
                )
            )
            for m in ("fuzzy", "kendall")
        ]
        like.append(" / ".join(_short(pair, 2) for pair in pairs))
    rows.append(_row("ρ with ewt/test", "", *like))
    for label, system in (("unlike parsers", "sm"), ("two versions", "old")):
        least = [_detectable(record, text, system) for text in TEXTS]
        rows.append(_row(f"detectable, {label}", *least))
    return rows


def _detectable(record: dict, text: str, system: str) -> str:
    found = record[text]["systems"][f"{system}/en-ja"]["fuzzy"].get("detectable")
    return "" if found is None else _short(found)


def _languages(record: dict) -> list[str]:
    rows = []
    for one in LANGUAGES:
        run = f"en-{one}-ewt"
        cells = [both(record, run, "none")]
        cells += [both(record, run, f"{p}/en-{one}") for p in ("old", "en-web", "sm", "gold")]
        cells.append(_short(record[f"agreement {one}"]["agreement"]["fuzzy"]["value"]))
        rows.append(_row(f"`{run}`", str(record[run]["sentences"]), *cells))
    return rows


CALLED = {"KFTT": "KFTT", "PUD ja": "PUD", "web/test": "`en-ja-web/test`"}


def _clearnlp(record: dict) -> list[str]:
    return [
        _row(
            called,
            both(record, text, "en-web/en-ja"),
            both(record, text, "sm/en-ja"),
            both(record, f"{text}, ClearNLP", "sm/en-ja-clearnlp"),
        )
        for text, called in CALLED.items()
    ]


def _consensus(record: dict) -> list[str]:
    return [
        _row(
            CALLED[text].replace("PUD", "PUD Japanese"),
            both(record, text, "en-web/en-ja"),
            both(record, f"{text}, lists", "first16/en-ja"),
            both(record, f"{text}, lists", "list8/en-ja"),
            both(record, text, "list16/en-ja"),
        )
        for text in ("KFTT", "web/test", "PUD ja")
    ]


NAMES = {"ja": "Japanese", "ko": "Korean", "zh": "Chinese", "fr": "French", "ar": "Arabic"}


def _natural(record: dict) -> list[str]:
    rows = []
    for run in ("KFTT", *(f"PUD {one}" for one in NAMES)):
        one = "ja" if run == "KFTT" else run[-2:]
        gold = "–" if run == "KFTT" else both(record, run, f"gold/en-{one}")
        cells = [both(record, run, f"{p}/en-{one}") for p in ("old", "en-web", "sm")]
        called = run if run == "KFTT" else f"PUD {NAMES[one]}"
        rules = f"`en-{one}` (tuned on it)"
        rows.append(_row(called, rules, both(record, run, "none"), gold, *cells))
    return rows


def _treebanks(record: dict) -> list[str]:
    rows = []
    for one in ("ja", "ko", "fr", "zh", "de", "tr", "hi"):
        run, parsers = f"treebank {one}", ("gold", "en-web")
        cells = [both(record, run, "none")]
        for rules in (f"treebank-{one}", f"en-{one}"):
            cells += [both(record, run, f"{parser}/{rules}") for parser in parsers]
        learned = record[f"predicted {one}"]
        rows.append(_row(one, *cells, f"{learned['gain']:+.2f}", str(learned["pairs"])))
    return rows


def _linked(record: dict) -> list[str]:
    rows = []
    ours = {f"en-web/{rules}": rules for rules in ("none", *RULES)}
    for text, called in (("KFTT", "KFTT"), ("PUD ja", "PUD")):
        manual = {**record[text]["systems"], **record[f"{text}, other rules"]["systems"]}
        links = {"manual links": manual, "`agree`": record[f"{text}, agree"]["systems"]}
        found = {
            label: {ours.get(name, name): scores for name, scores in systems.items()}
            for label, systems in links.items()
        }
        taus = [[of[rules]["kendall"]["value"] for rules in ours.values()] for of in found.values()]
        rho = _short(float(spearman(*map(np.array, taus))), 2)
        for (label, of), like, tau in zip(found.items(), ("", rho), taus, strict=True):
            cells = [both({text: {"systems": of}}, text, rules) for rules in ("none", "en-ja")]
            gain = f"{tau[1] - tau[0]:+.3f}".replace("0.", ".")
            rows.append(_row(f"{called}, {label}", *cells, gain, like))
    return rows


def _attached(record: dict) -> list[str]:
    rows = []
    for on in TREEBANKS:
        systems = record[f"trees, {on}"]["systems"]
        cells = []
        for name in ("old", "en-web", "sm"):
            pair = (systems[name][metric] for metric in ("UAS", "LAS"))
            cells.append(" / ".join(_percent(score) for score in pair))
        rows.append(_row(f"{on}, first half" if on == "PUD" else on, *cells))
    return rows


def _percent(score: dict) -> str:
    value, low, high = (100 * score[key] for key in ("value", "low", "high"))
    return f"{value:.1f} [{low:.1f}, {high:.1f}]"


def _reordered(record: dict) -> list[str]:
    named = {name: (name, name[:5]) for name in SETS}
    named |= {f"PUD {one}": (f"PUD English-{NAMES[one]}", f"en-{one}") for one in NAMES}
    named |= {"KFTT": ("KFTT, development part", "en-ja")}
    rows = []
    for run, (label, rules) in named.items():
        systems = record[run]["systems"]
        old, new = (systems[f"{name}/{rules}"]["fuzzy"] for name in ("old", "en-web"))
        cells = [
            f"{_short(one['value'])} [{_short(one['low'])}, {_short(one['high'])}]"
            for one in (old, new)
        ]
        gain = new["value"] - old["value"]
        cells.append(f"{gain:+.3f}".replace("0.", ".", 1))
        if "p" in new and "--against old" in record[run]["command"]:
            cells[-1] += f", p {'< .001' if new['p'] < 0.001 else '= ' + _short(new['p'])}"
        rows.append(_row(label, f"`{rules}`", *cells))
    return rows


def _paper(record: dict) -> list[str]:
    """Return FRS with its interval on public texts, in source order and by the bundled rules."""
    rows = []
    for text, called in (("KFTT", "KFTT, development"), ("PUD ja", "PUD, content words")):
        of = record[text]["systems"]
        scores = (of[name]["fuzzy"] for name in ("none", "en-web/en-ja"))
        cells = [f"{s['value']:.3f} [{s['low']:.3f}, {s['high']:.3f}]" for s in scores]
        rows.append(f"| {called} | {record[text]['sentences']} | {' | '.join(cells)} |")
    return rows


TABLES = [
    Table(
        ROOT / ".github" / "paper.md",
        "| manual alignments | sentences | source order | rules `en-ja`, parser `en-web` |",
        _paper,
    ),
    Table(MANUAL / "reference-data.md", "| | ewt/test | ewt/pud | web/test | PUD | KFTT |", _texts),
    Table(
        MANUAL / "reference-data.md",
        "| | sentences | `none` | `en-web` 1.0 | `en-web` | `sm` | gold trees | agreement |",
        _languages,
    ),
    Table(
        MANUAL / "parsers.md",
        "| | `en-web`, `en-ja` | `en_core_web_sm` converted, `en-ja` "
        "| own labels, `en-ja-clearnlp` |",
        _clearnlp,
    ),
    Table(
        MANUAL / "parsers.md",
        "| | greedy | first of 16 | consensus of 8 | consensus of 16 |",
        _consensus,
    ),
    Table(
        MANUAL / "rules.md",
        "| text | rules | source order | gold trees | `en-web` 1.0 | `en-web` | `sm` |",
        _natural,
    ),
    Table(
        MANUAL / "rules.md",
        "| | source order | gold trees | `en-web` | by hand, gold | by hand, `en-web` "
        "| predicted | pairs |",
        _treebanks,
    ),
    Table(MANUAL / "inputs.md", "| | `none` | `en-ja` | gain in τ | ρ |", _linked),
    Table(
        CARD, "| UAS / LAS | `en-web` 1.0 | `en-web` 2.3 | `en_core_web_sm`, converted |", _attached
    ),
    Table(CARD, "| FRS | rules | `en-web` 1.0 | `en-web` 2.3 | gain |", _reordered),
]


def written(page: Path, text: str, record: dict) -> str:
    """Return a page's text with its tables as the record has them."""
    for table in TABLES:
        if table.page != page:
            continue
        head, rule, after = text.partition(f"\n{table.head}\n")
        if not rule:
            raise SystemExit(f"{page.name} has no table {table.head}")
        lines = after.split("\n")
        end = next(n for n, line in enumerate(lines) if not line.startswith("|"))
        kept = [line for line in lines[1:end] if line.startswith("| sentences |")]
        text = head + rule + "\n".join([lines[0], *kept, *table.rows(record), *lines[end:]])
    return text


def main() -> None:
    """Measure, or write the tables."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("do", choices=["measure", "write"])
    for name in ("data", "old", "sm"):
        asked.add_argument(f"--{name}", type=Path)
    asked.add_argument("--only", default="", help="a pattern that the names of runs match")
    given = asked.parse_args()
    if given.do == "measure":
        measure(given)
        return
    record = json.loads(RECORD.read_text("utf-8"))
    for page in dict.fromkeys(table.page for table in TABLES):
        page.write_text(written(page, page.read_text("utf-8"), record), encoding="utf-8")


if __name__ == "__main__":
    main()
