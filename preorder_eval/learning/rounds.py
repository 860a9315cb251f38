"""Rounds of targeted self-training (Katz-Brown et al. 2011; Talbot et al. 2011, section 4.1).

In a round, the parser parses sentences that have a reference order into n-best lists. The parse of
each list that reorders best is selected. Then the parser goes on learning from the treebank and the
selected parses. The next round starts from the parser of this one. If the work is interrupted, its
parses are kept in the user's cache; training starts again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from preorder_eval.base.errors import FormatError, PreorderEvalError, argument
from preorder_eval.base.files.files import file_hash, read_json
from preorder_eval.base.files.writing import format_json
from preorder_eval.base.progress import Progress
from preorder_eval.base.tables.table import plain
from preorder_eval.base.version import __version__
from preorder_eval.learning.recipe import Recipe
from preorder_eval.learning.resumable import once
from preorder_eval.learning.select import select
from preorder_eval.learning.train import refuse_other_labels, train
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import split_options
from preorder_eval.parsers.tree_file import is_tree_file
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import rules_hash
from preorder_eval.trees.conllu import read_conllu


@dataclass(frozen=True, eq=False)
class Work:
    """The input of targeted self-training, and the folder `out` of all its products.

    `parser` is a spaCy pipeline to start from, by name or path; `treebank` and `dev` are CoNLL-U
    files to go on learning from and to score every round on; `data` are sentences with reference
    orders to select parses of, `evaluation` those to evaluate on. `arguments`, of the command line,
    are kept in the run folders; `jobs` is how many processes parse.
    """

    out: Path
    parser: str | Path
    treebank: Path
    dev: Path
    data: ReferenceSet
    evaluation: ReferenceSet
    recipe: Recipe
    rules: str | Path
    resamples: int
    arguments: Sequence[str]
    progress: Progress
    jobs: int

    def settings(self) -> dict[str, Any]:
        """Return the settings that determine the outcome.

        Raises FormatError for files that cannot be read, and PreorderEvalError for a parser that
        cannot learn.
        """
        if is_tree_file(self.parser):
            hint = "give a spaCy pipeline"
            raise PreorderEvalError(f"{self.parser}: trees cannot be trained; {hint}")
        plain, _ = split_options(str(self.parser))
        clearnlp = bool(find_parser(plain).identity.converted)
        treebanks = {file: read_conllu(file) for file in (self.treebank, self.dev)}
        refuse_other_labels(plain, clearnlp, treebanks)
        if clearnlp:
            raise PreorderEvalError(f"{plain}: self-training needs a UD parser, such as en-web")
        identity = find_parser(self.parser).identity
        libraries = {name: version(name) for name in ("spacy", "thinc", "numpy")}
        return {
            "parser": {"sha256": identity.sha256, "truecase": identity.truecase},
            "rules": rules_hash(self.rules),
            "treebank": file_hash(self.treebank),
            "dev": file_hash(self.dev),
            "selection": self.data.hashes,
            "evaluation": self.evaluation.hashes,
            "recipe": asdict(self.recipe),
            "resamples": self.resamples,
            "versions": {"preorder-eval": __version__, **libraries},
        }

    def part(self, label: str, seed: int) -> Work:
        """Return the same work with this seed, in a folder below; its progress bars name it."""

        def progress(bar: str, total: int | None) -> AbstractContextManager[Any]:
            return self.progress(f"{label}, {bar}", total)

        recipe, out = replace(self.recipe, seed=seed), self.out / label.replace(" ", "-")
        return replace(self, out=out, recipe=recipe, progress=progress)


@dataclass(frozen=True)
class Round:
    """A finished round: its name, its parser's folder, and the data that it `learned` from.

    `learned` has the counts of `Selected`. `mean_after` is the new parser's mean score on those
    sentences, by the recipe's metric. `share_learned` is its gain there as a share of the list's,
    which is the selected parses' gain on the 1-best.
    """

    name: str
    parser: Path
    learned: dict[str, Any]


def train_in_rounds(work: Work, *, own: bool = False) -> Iterator[Round]:
    """Train in rounds in the folder of a work, which keeps all products; yield each when done.

    With `own` the parser learns from its own best parses of the sentences, as a control.

    Raises PreorderEvalError if nothing is selected.
    """
    parser, recipe = work.parser, work.recipe
    for number in range(1, recipe.rounds + 1):
        name = f"round-{number}"
        selected = work.out / "selected" / f"{name}.conllu"
        options: dict[str, Any] = {"out": selected, "margin": recipe.margin, "tags": "blank"}
        counts = _counts(selected.with_suffix(".json"), parser, work, own=own, **options)
        if not selected.stat().st_size:
            hint = f"use a smaller {argument('margin=…')}"
            raise FormatError("no parse was selected", file=selected, hint=hint)
        start, parser = parser, work.out / "parsers" / name
        if not parser.exists():
            parser.parent.mkdir(parents=True, exist_ok=True)
            train(
                [work.treebank, selected],
                work.dev,
                parser,
                steps=recipe.steps,
                lower=recipe.lower,
                seed=recipe.seed,
                evaluate_every=recipe.steps,
                learn_rate=recipe.learn_rate,
                weights=(1, recipe.weight),
                resume=start,
                keep="last",
            )
        # By lists of the same length: the head of those of a wider search is often another.
        after = _counts(selected.with_name(f"{name}-after.json"), parser, work)["mean_1best"]
        gain, room = (score - counts["mean_1best"] for score in (after, counts["mean_selected"]))
        share = gain / room if room > 0 else None
        yield Round(name, parser, counts | {"mean_after": after, "share_learned": share})


def _counts(file: Path, parser: str | Path, work: Work, **options: Any) -> dict[str, Any]:
    """Return the counts of a selection from a parser's lists, made unless the file has them."""

    def counts() -> str:
        found, recipe = find_parser(parser, jobs=work.jobs), work.recipe
        options.update(metric=recipe.metric, n=recipe.n, progress=work.progress)
        return format_json(plain(select(found, work.data, work.rules, **options).counts))

    found: dict[str, Any] = read_json(once(file, counts))
    return found
