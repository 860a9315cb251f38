"""Outputs of four systems from good to poor, whom people see as they are, as files."""

import random
from pathlib import Path

SIZE = 40
HEADER = "system\tline\tscore\tz\tjudge\n"
FILES = ["--hyp", "out", "--ref", "ref.en", "--human", "human.tsv", "--resamples", 50]


def write_news():
    """Write them here; the lines of the files of text, by their names."""
    rng = random.Random(0)
    reference = [[f"w{rng.randrange(40)}" for _ in range(9)] for _ in range(SIZE)]
    lines = {name: [" ".join(s) for s in reference] for name in ("ref.en", "src.ja")}
    rows = []
    for level, name in enumerate(("good", "fair", "poor", "bad")):
        own = lines[f"out/news.{name}.en"] = []
        for s, words in enumerate(reference):
            times = rng.randrange(1 + 2 * level)
            changed = list(words)
            for _ in range(times):
                i, j = rng.sample(range(9), 2)
                changed[i], changed[j] = changed[j], changed[i] + "x" * rng.randrange(2)
            own.append(" ".join(changed))
            if rng.random() < 0.9:
                judge = rng.choice(["ann", "bob"])
                rows.append(f"{name}\t{s}\t{90 - 10 * times}\t{-times / 5}\t{judge}\n")
    Path("out").mkdir()
    for name, text in lines.items():
        Path(name).write_text("".join(line + "\n" for line in text))
    Path("human.tsv").write_text(HEADER + "".join(rows))
    return lines
