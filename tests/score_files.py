"""Texts of three sentences with alignments and tags, and the options that name them."""

import json
from pathlib import Path

from preorder_eval.evaluation.reading import InputFiles
from preorder_eval.metrics import metric, metric_types
from preorder_eval.metrics.needs import LINKED, MADE_OF
from preorder_eval.orders.alignments import Alignments

TEXTS = {
    "src.ja": ["彼 本 読む", "犬 走る", ""],
    "ref.en": ["he reads books", "dogs run fast", "so"],
    "ref2.en": ["books he reads", "dogs run", "well"],
    "good.en": ["he reads books", "dogs run", "so"],
    "poor.en": ["books he reads", "run dogs", "no"],
    "ref.align": ["0-0 1-2 2-1", "0-0 1-1", ""],
    "ref2.align": ["0-1 1-0 2-2", "0-0 1-1", ""],
    "good.align": ["0-0 1-2 2-1", "0-0 1-1", ""],
    "poor.align": ["0-1 1-0 2-2", "0-1 1-0", ""],
    "src.pos": ["PRON NOUN VERB", "NOUN VERB", ""],
    "ref.pos": ["PRON VERB NOUN", "NOUN VERB ADV", "ADV"],
    "ref2.pos": ["NOUN PRON VERB", "NOUN VERB", "ADV"],
    "good.pos": ["PRON VERB NOUN", "NOUN VERB", "ADV"],
    "poor.pos": ["NOUN PRON VERB", "VERB NOUN", "DET"],
}
# Metrics of outputs that need no more than references.
OF_OUTPUTS = [
    name
    for name, kind in metric_types().items()
    if not kind.required() and kind().needs == ("hyp", "ref")
]
TEXT = ("score", "--resamples", 50, "--hyp", "good.en", "--hyp", "poor.en")
BOTH = (*TEXT, "--ref", "ref.en", "--ref", "ref2.en")


def inputs(*written):
    """The options of inputs, NAME=FILE each."""
    return [part for one in written for part in ("--input", one)]


HYP_LINKS = inputs("hyp_alignment=good.align", "hyp_alignment=poor.align")
REF_LINKS = inputs("ref_alignment=ref.align", "ref_alignment=ref2.align")
LINKS = ("--source", "src.ja", *HYP_LINKS, *REF_LINKS)
HYP_TAGS = inputs("hyp_tags=good.pos", "hyp_tags=poor.pos")
REF_TAGS = inputs("ref_tags=ref.pos", "ref_tags=ref2.pos")
MIX = ("--metric", "hlepor(mix=1:9)")
LR = ("--metric", "lrscore")
OWN = ("score", "--hyp", "good.en", "--ref", "ref.en", "--resamples", 50, *MIX)

HYP = [Path("good.en"), Path("poor.en")]
REF = [Path("ref.en"), Path("ref2.en")]
SOURCE = {"source": [Path("src.ja")]}
HYP_LINK_FILES = {"hyp_alignment": [Path("good.align"), Path("poor.align")]}
REF_LINK_FILES = {"ref_alignment": [Path("ref.align"), Path("ref2.align")]}
HYP_TAG_FILES = {"hyp_tags": [Path("good.pos"), Path("poor.pos")]}
REF_TAG_FILES = {"ref_tags": [Path("ref.pos"), Path("ref2.pos")]}
SOURCE_TAGS = {"source_tags": [Path("src.pos")]}
LINK_FILES = SOURCE | HYP_LINK_FILES | REF_LINK_FILES
ALL = {"ref": REF, **LINK_FILES, **HYP_TAG_FILES, **REF_TAG_FILES, **SOURCE_TAGS}


def needed(by):
    """The names of the files that a metric is given: what it needs, or what makes that."""
    parts = {part for name in by.needs for part in MADE_OF.get(name, (name,))}
    return parts | ({"source"} if parts & LINKED else set())


# Beside outputs; links of references are of words of these.
NEEDED = {
    name: {part: ALL[part] for part in ALL if part in {*needed(metric(name)), *also}}
    for name, also in {
        **dict.fromkeys(["wer", "hlepor(mix=1:9)", "ebleu", "hppr", "lrscore"], ()),
        "fuzzy": ("ref",),
    }.items()
}


def write_files():
    """Write the texts to the current folder."""
    for name, lines in TEXTS.items():
        Path(name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def input_files(given, **options):
    """The two outputs with other files by name."""
    more = dict(given)
    return InputFiles(HYP, more.pop("ref", ()), more, **options)


def metrics(*signatures):
    return [metric(signature) for signature in signatures]


def links(name):
    """The links of one of the alignment files."""
    return Alignments.of(
        [[tuple(map(int, link.split("-"))) for link in line.split()] for line in TEXTS[name]]
    )


def expected_lrscore(signature, system):
    """What the files give by the library."""
    return metric(signature).score(
        TEXTS[f"{system}.en"],
        [TEXTS["ref.en"], TEXTS["ref2.en"]],
        alignments=(links(f"{system}.align"), [links("ref.align"), links("ref2.align")]),
        source_lengths=[3, 2, 0],
    )


def values(out, system):
    """What `--json` prints of a system, by metric."""
    [found] = [s for s in json.loads(out)["systems"] if s["system"] == system]
    return {name: cells["value"] for name, cells in found["scores"].items()}
