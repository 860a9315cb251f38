"""Small data to tune metrics on: outputs of three systems with human scores."""

from pathlib import Path

import numpy as np

from preorder_eval.evaluation.inputs import Inputs, Texts
from preorder_eval.evaluation.systems import System
from preorder_eval.judgments.human_scores import HumanScores
from preorder_eval.metrics.outputs.lrscore import LRScore
from preorder_eval.metrics.segments import Segments
from preorder_eval.orders.alignment_formats import format_alignments
from preorder_eval.orders.alignments import Alignments

SYSTEMS = ("good", "fair", "poor")
SEGMENTS = 30


class JudgedOutputs:
    """Outputs that lose words and order from system to system, and people who mostly see it."""

    def __init__(self, seed=0, references=1):
        rng = np.random.default_rng(seed)
        words = [[f"w{rng.integers(30)}" for _ in range(rng.integers(4, 12))] for _ in range(29)]
        words.append(["w1"])
        self.references = [[self.spoilt(rng, s, 1 if r else 0) for s in words] for r in range(2)]
        self.references = self.references[:references]
        self.outputs = [[self.spoilt(rng, s, level) for s in words] for level in (1, 2, 4)]
        self.outputs[2][3] = []  # a system without a word to say
        self.segments = [Segments.of(output, self.references) for output in self.outputs]
        self.lengths = [len(s) for s in words]
        self.links = [self.random_links(rng, side) for side in [*self.outputs, *self.references]]
        means = np.array([[0.5], [0.2], [0.0]]) + rng.normal(0, 0.4, (3, SEGMENTS))
        system, segment = np.nonzero(rng.random((3, SEGMENTS)) < 0.9)
        score = np.round(means[system, segment], 1)
        self.people = HumanScores(SYSTEMS, SEGMENTS, system, segment, score, 0 * system)

    @staticmethod
    def spoilt(rng, sentence, times):
        words = list(sentence)
        for _ in range(times):
            i, j = rng.integers(len(words), size=2)
            words[i], words[j] = words[j], words[i]
            if rng.random() < 0.4:
                words[i] = f"w{rng.integers(30)}"
            if rng.random() < 0.3 and len(words) > 1:
                words.pop()
        return words

    def random_links(self, rng, side):
        return Alignments.of(
            [
                [(int(rng.integers(n)), t) for t in range(len(target)) if rng.random() < 0.8]
                for n, target in zip(self.lengths, side, strict=True)
            ]
        )

    def score(self, metric):
        """The scores of each system by a metric."""
        if not isinstance(metric, LRScore):
            return [metric.score(own) for own in self.segments]
        hypotheses, references = self.links[:3], self.links[3:]
        return [
            metric.score(own, alignments=(links, references), source_lengths=self.lengths)
            for own, links in zip(self.segments, hypotheses, strict=True)
        ]

    @property
    def inputs(self):
        """The same for a metric that is told what it is given by name."""
        return Inputs(
            tuple(
                System(name, hyp=list(map(" ".join, output)), inputs={"hyp_alignment": links})
                for name, output, links in zip(SYSTEMS, self.outputs, self.links, strict=False)
            ),
            references=tuple(
                Texts(f"reference {number}", list(map(" ".join, reference)))
                for number, reference in enumerate(self.references, 1)
            ),
            shared={
                "source": [[f"s{i}" for i in range(n)] for n in self.lengths],
                "ref_alignment": self.links[3:],
            },
        )

    def write(self):
        """Outputs, a reference, scores, a source, alignments and tags in the current folder."""
        texts = dict(zip((f"out.{s}.en" for s in SYSTEMS), self.outputs, strict=True))
        texts["ref.en"] = self.references[0]
        texts["src.ja"] = [[f"s{i}" for i in range(n)] for n in self.lengths]
        for name, sentences in texts.items():
            Path(name).write_text("".join(" ".join(words) + "\n" for words in sentences))
            if name != "src.ja":  # a tag is the last digit of a word
                tags = [" ".join(f"T{word[-1]}" for word in words) for words in sentences]
                Path(name).with_suffix(".pos").write_text("".join(line + "\n" for line in tags))
        Path("src.pos").write_text(Path("ref.pos").read_text())
        for name, links in zip((*SYSTEMS, "ref"), self.links, strict=True):
            Path(f"links.{name}").write_text(format_alignments(links))
        people = zip(self.people.system, self.people.segment, self.people.score, strict=True)
        rows = [f"{SYSTEMS[system]}\t{segment}\t{score}\n" for system, segment, score in people]
        Path("human.tsv").write_text("system\tline\tscore\n" + "".join(rows))

    def scores(self, metric):
        """float64[3, SEGMENTS]."""
        return np.stack([own.sentence for own in self.score(metric)])
