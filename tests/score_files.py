"""Texts of three sentences with alignments and tags, and the options that name them."""

from pathlib import Path

TEXTS = {
    "src.ja": ["彼 本 読む", "犬 走る", ""],
    "ref.en": ["he reads books", "dogs run fast", ""],
    "ref2.en": ["books he reads", "dogs run", "well"],
    "good.en": ["he reads books", "dogs run", ""],
    "poor.en": ["books he reads", "run dogs", "no"],
    "ref.align": ["0-0 1-2 2-1", "0-0 1-1", ""],
    "ref2.align": ["0-1 1-0 2-2", "0-0 1-1", ""],
    "good.align": ["0-0 1-2 2-1", "0-0 1-1", ""],
    "poor.align": ["0-1 1-0 2-2", "0-1 1-0", ""],
    "src.pos": ["PRON NOUN VERB", "NOUN VERB", ""],
    "ref.pos": ["PRON VERB NOUN", "NOUN VERB ADV", ""],
    "ref2.pos": ["NOUN PRON VERB", "NOUN VERB", "ADV"],
    "good.pos": ["PRON VERB NOUN", "NOUN VERB", ""],
    "poor.pos": ["NOUN PRON VERB", "VERB NOUN", "DET"],
}
TEXT = ("score", "--resamples", 50, "--hyp", "good.en", "--hyp", "poor.en")
BOTH = (*TEXT, "--ref", "ref.en", "--ref", "ref2.en")
HYP_LINKS = ("--hyp-alignment", "good.align", "--hyp-alignment", "poor.align")
REF_LINKS = ("--ref-alignment", "ref.align", "--ref-alignment", "ref2.align")
LINKS = ("--source", "src.ja", *HYP_LINKS, *REF_LINKS)
HYP_TAGS = ("--hyp-tags", "good.pos", "--hyp-tags", "poor.pos")
REF_TAGS = ("--ref-tags", "ref.pos", "--ref-tags", "ref2.pos")
MIX = ("--metric", "hlepor(mix=1:9)")
LR = ("--metric", "lrscore")
OWN = ("score", "--hyp", "good.en", "--ref", "ref.en", "--resamples", 50, *MIX)


def write_files():
    """Write the texts to the current folder."""
    for name, lines in TEXTS.items():
        Path(name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
