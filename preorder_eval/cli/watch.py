"""`preorder-eval watch`: a rule file scored again on every save."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Annotated

from preorder_eval.analysis.trees_and_orders import learned_by
from preorder_eval.analysis.watch import Session, watch
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.files.files import read_bytes
from preorder_eval.base.visible import visible
from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.options import OBJECTIVE, RULES, Metrics, Resamples, Seed
from preorder_eval.cli.shared.reference_options import ScoredTrees
from preorder_eval.cli.terminal import progress
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.system_warnings import warn_of_rules
from preorder_eval.metrics import order_metric
from preorder_eval.references.objective import objective
from preorder_eval.rules.rule_files import rules_path
from preorder_eval.rules.rule_reading import failing_examples, load_rules


def command(
    rules: Annotated[str, RULES],
    scored: ScoredTrees,
    metric: Annotated[
        Metrics,
        Option(
            "Metric with its options. Repeatable; the first selects the sentences to show.",
            shown=OBJECTIVE,
        ),
    ] = (),
    sentences: Annotated[
        int,
        Option(
            "Number of sentences to show that gained most, and that lost most.",
            group="Output",
            low=0,
        ),
    ] = 3,
    resamples: Resamples = 1000,
    seed: Seed = 0,
) -> None:
    """Sentences are parsed once. Each save prints the scores, their change since the last save and
    since the start, and the sentences that gained and lost most. Each error in the file is printed
    on one line, and the command continues.

    Examples:
      preorder-eval watch --rules my-rules.toml
      preorder-eval watch --rules my-rules.toml --reference en-hi --parser gold
    """
    # Who stops watching has seen enough; that is no failure.
    with contextlib.suppress(KeyboardInterrupt):
        path = rules_path(rules)
        read_bytes(path)
        named = [order_metric(signature) for signature in metric]
        by, data = scored.by(), scored.reference_set(str(path))
        parsed = Parsed.by(by, data, cache=not scored.no_cache, progress=progress)
        session = Session(
            data, parsed.trees, named or objective(data), resamples=resamples, seed=seed
        )
        watched = f"watching {path} on {data.name}, trees of {parsed.name}; Ctrl-C ends"
        print(visible(watched), flush=True)
        with contextlib.suppress(PreorderEvalError):  # a mistake in the file is printed below
            first = load_rules(path)
            warn_of_rules(first, data)
            for caveat in learned_by(data, parsed.identity, first):
                print(visible(caveat.text), flush=True)
        for outcome in watch(path, session):
            if isinstance(outcome, PreorderEvalError):
                print(f"{time.strftime('%H:%M:%S')}  {outcome}", file=sys.stderr, flush=True)
                continue
            print("\n".join(outcome.lines(sentences)), flush=True)
            for failure in failing_examples(outcome.rules):
                print(visible(f"{path}: {failure}"), flush=True)
