"""A small reference folder to be edited: two sentences, two translations, a free block."""

TEXTS = {
    "source.en": "I eat fresh fish\nDogs  bark\n",
    "target.ja": "私 は 新鮮 な 魚 を 食べる\n犬 が 吠える\n",
    "en-ja.align": "0-0 0-1 1-6 2-2 2-3 3-4 3p5\n0-0 0-1\n",
    "en-ja.free": "2-3|4-5\n\n",
    "target.2.ja": "\n犬 は 吠える\n",
    "en-ja.2.align": "\n1-2 0-0 0-1\n",
    "DATASHEET.md": "# Small\n",
}

TREE = """\
# sent_id = {}
1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_

"""


def write_folder(path, texts=TEXTS):
    """The folder at a path."""
    path.mkdir()
    for name, text in texts.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def texts_of(folder):
    """What stands in the folder now."""
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
