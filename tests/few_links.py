"""One sentence with two links, on which FRS turns round when the other words are left out.

    source     She really reads old books
    links      reads - 2nd, books - 1st
    reference  old books She really reads, by links alone: books reads

Moving the object before the verb, as RULES does, gives `She really old books reads`: its three
chunks of five words make FRS .5, where the source's two make .75. Of the two linked words alone it
has the order right (1) and the source has it wrong (0).
"""

from preorder_eval.formats.reference_set import reference_from_files

OBJECT_FIRST = """\
name = "mine"
scheme = "ud"

[[rule]]
head = "VERB"
order = ["nsubj", "advmod", "obj", "HEAD", "OTHER", "punct"]
"""
AS_IT_STANDS = OBJECT_FIRST.partition("\n[[rule]]")[0]

WORDS = {"She": "PRON", "really": "ADV", "reads": "VERB", "old": "ADJ", "books": "NOUN"}
HEADS = {"She": 3, "really": 3, "reads": 0, "old": 5, "books": 3}


def parse(rank, labels):
    """The sentence as a parse of an n-best list."""
    rows = [
        f"{i}\t{word}\t_\t{tag}\t_\t_\t{HEADS[word]}\t{label}\t_\t_\n"
        for i, ((word, tag), label) in enumerate(zip(WORDS.items(), labels, strict=True), 1)
    ]
    return f"# sent_id = 1\n# parse = {rank}\n{''.join(rows)}\n"


def write_few_links(folder):
    """Write s.en, s.align and r.toml; t.conllu, the right tree; and lists.conllu.

    The list has the right tree second; by the first one the source stays as it is.
    """
    right = ["nsubj", "advmod", "root", "amod", "obj"]
    wrong = ["nsubj", "advmod", "root", "amod", "dep"]
    (folder / "s.en").write_text(" ".join(WORDS) + "\n")
    (folder / "s.align").write_text("2-1 4-0\n")
    (folder / "r.toml").write_text(OBJECT_FIRST)
    (folder / "t.conllu").write_text(parse(1, right))
    (folder / "lists.conllu").write_text(parse(1, wrong) + parse(2, right))


def few_links(folder):
    """The sentence of these files as a reference set."""
    return reference_from_files(folder / "s.en", folder / "s.align", name="s")
