"""Every metric says what it needs; commands and Python give it just that, and the same number."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from score_files import needed

import preorder_eval as pe
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.text.tokenization import tokenizer_of
from preorder_eval.evaluation.reading import option
from preorder_eval.metrics import metric, metric_types
from preorder_eval.metrics.needs import SystemInputs, side
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.metrics.outputs.lexical import WordMetric
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.order_files import format_order
from preorder_eval.orders.orders import SourceWords
from preorder_eval.orders.reference_orders import reference_orders, system_orders

ORDERS = [name for name, kind in sorted(metric_types().items()) if issubclass(kind, OrderMetric)]
OUTPUTS = [name for name in sorted(metric_types()) if name not in ORDERS]
OUTPUTS += ["hlepor(mix=1:9)", "rouge_l(like=rouge-score)"]
OUTPUTS += ["bleu(stem=true)", "ribes(tokenize=none)"]
WORDS = {  # what stands between spaces; a mark of punctuation at some
    "en": ["He", "ate,", "the", "red", "fish.", "Dogs", "(big)", "it's", "run"],
    "ja": ["彼は", "赤い", "魚を、", "食べた。", "犬と", "走る", "「本」", "読む"],
    "zh": ["他吃", "红色的", "鱼，", "狗", "跑。", "大", "书", "读了"],
    "ko": ["그는", "빨간", "물고기를", "먹었다.", "개", "달린다,", "책", "읽다"],
}
OTHERS = ["ja", "zh", "ko"]
# Each metric of outputs in English and in another language, that of the tokenizer in turn.
CASES = [(name, code) for n, name in enumerate(OUTPUTS) for code in ("en", OTHERS[n % 3])]
SIZE = 12
FILES = {
    "source": "src",
    "hyp": "hyp",
    "ref": "ref",
    "hyp_alignment": "hyp.align",
    "ref_alignment": "ref.align",
    "hyp_tags": "hyp.tags",
    "ref_tags": "ref.tags",
    "source_tags": "src.tags",
    "hyp_scores_score": "hyp.scores",
}


def made(language):
    """Texts with links, a permutation of the words of each sentence, and tags, by input."""
    rng = random.Random(language)
    hyp = [rng.sample(WORDS[language], rng.randint(3, 7)) for _ in range(SIZE)]
    # References have most of the words, in another order.
    ref = [[*rng.sample(words, len(words) - (len(words) > 4)), "OK"] for words in hyp]
    source = [[f"w{i}" for i in range(len(words))] for words in hyp]
    links = {
        name: [list(enumerate(rng.sample(range(len(s)), len(s)))) for s in source]
        for name in ("hyp_alignment", "ref_alignment")
    }
    links["ref_alignment"] = [
        [(i, min(j, len(r) - 1)) for i, j in pairs]  # some are tied
        for pairs, r in zip(links["ref_alignment"], ref, strict=True)
    ]
    tags = [[["N", "V"][len(word) % 2] for word in words] for words in (*source, *hyp, *ref)]
    return {
        "source": source,
        "hyp": [" ".join(words) for words in hyp],
        "ref": [[" ".join(words) for words in ref]],
        "hyp_alignment": Alignments.of(links["hyp_alignment"]),
        "ref_alignment": [Alignments.of(links["ref_alignment"])],
        "source_tags": [" ".join(words) for words in tags[:SIZE]],
        "hyp_tags": [" ".join(words) for words in tags[SIZE : 2 * SIZE]],
        "ref_tags": [[" ".join(words) for words in tags[2 * SIZE :]]],
        "hyp_scores_score": [repr(rng.random()) for _ in range(SIZE)],
    }


def lines_of(value):
    """An input as it is written to a file."""
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], str):
        [value] = value
    if isinstance(value, Alignments):
        return [" ".join(f"{i}-{j}" for i, j in sentence) for sentence in value]
    return [text if isinstance(text, str) else " ".join(text) for text in value]


@pytest.fixture
def given(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inputs = made(request.param)
    for name, file in FILES.items():
        Path(file).write_text("".join(f"{line}\n" for line in lines_of(inputs[name])))
    return inputs


def by_command(run, name, by):
    """The value and the signature that `score` prints as JSON."""
    of_ref = needed(by) & {"ref", "ref_alignment", "ref_tags"}
    names = {"hyp", "ref"} | needed(by) if of_ref else needed(by)
    written = {
        n: option(n) if "FILE" in option(n) else f"{option(n)} FILE" for n in names | {"hyp"}
    }
    options = [part for n in written for part in written[n].replace("FILE", FILES[n]).split()]
    options += ["--metric", name]
    if "hyp_scores_score" in names:  # whose metric is named with them
        better = "higher" if by.higher_is_better else "lower"
        options = ["--hyp", FILES["hyp"], "--scores", f"score(better={better})=hyp.scores"]
    code, out, err = run("score", *options, "--resamples", 2, "--json")
    assert code == 0, err
    [system] = json.loads(out)["systems"]
    [(signature, cells)] = system["scores"].items()
    return signature, cells["value"]


def in_python(name, by, given):
    """The same of `pe.score`."""
    one = ("hyp_alignment", "hyp_tags", "hyp_scores_score")
    more = {n: [given[n]] if n in one else given[n] for n in needed(by) - {"hyp", "ref"}}
    result = pe.score({"hyp": given["hyp"]}, given["ref"], [name], resamples=2, **more)
    return str(result.metrics[0]), result.value("hyp", 0)


def by_itself(by, given):
    """The same of the metric."""
    if by.name == "lrscore":
        links, lengths = (given["hyp_alignment"], given["ref_alignment"]), map(len, given["source"])
        return by.score(given["hyp"], given["ref"], alignments=links, source_lengths=list(lengths))
    if by.needs == ("hyp_scores_score",):
        return by.score(given["hyp_scores_score"])
    if by.name in ("ebleu", "hppr"):
        return by.score(given["hyp_tags"], given["source_tags"])
    if by.needs == ("hyp_tags", "ref_tags"):
        return by.score(given["hyp_tags"], given["ref_tags"])
    if "hyp_tags" in by.needs:
        return by.score(given["hyp"], given["ref"], (given["hyp_tags"], given["ref_tags"]))
    return by.score(given["hyp"], given["ref"])


@pytest.mark.filterwarnings(
    "ignore:.*no spaces between words:preorder_eval.base.errors.InputWarning"
)
@pytest.mark.parametrize(("name", "given"), CASES, indirect=["given"])
def test_metrics_of_outputs(run, given, name):
    by = metric(name)
    signature, value = by_command(run, name, by)
    assert in_python(name, by, given) == (signature, pytest.approx(value, abs=1e-12))
    alone = by_itself(by, given)
    assert (alone.metric, alone.corpus) == (signature, pytest.approx(value, abs=1e-12))
    if isinstance(by, WordMetric) and by.needs == ("hyp", "ref") and by.tokenize == "auto":
        assert f"tokenize={tokenizer_of(given['ref'][0])}" in signature
        tokens = [[text.split() for text in stream] for stream in (given["hyp"], *given["ref"])]
        as_given = by.score(tokens[0], tokens[1:])
        assert "tokenize=none" in as_given.metric
        assert as_given.corpus == metric(name, tokenize="none").score(*tokens).corpus


@pytest.mark.parametrize("given", ["en"], indirect=True)
@pytest.mark.parametrize("name", ORDERS)
def test_metrics_of_orders(run, given, name):
    by = metric(name)
    lengths = list(map(len, given["source"]))
    orders = system_orders(given["hyp_alignment"], lengths)
    reference = reference_orders(given["ref_alignment"][0], lengths)
    expected = by.score(orders, reference, given["source"]).corpus
    assert by_command(run, name, by) == (str(by), pytest.approx(expected))
    assert in_python(name, by, given) == (str(by), pytest.approx(expected))
    Path("hyp.order").write_text("".join(f"{format_order(order)}\n" for order in orders))
    files = ("--source", "src", "--alignment", "ref.align", "--orders", "hyp.order")
    code, out, err = run("evaluate", *files, "--metric", name, "--resamples", 2, "--json")
    assert code == 0, err
    [system] = json.loads(out)["systems"]
    assert system["scores"][str(by)]["value"] == pytest.approx(expected)


# What a metric needs is enough and needed, by itself.

OTHERWISE = ["LR-HB1(lower=true)", "fuzzy(match=position)", "kendall(unaligned=drop)"]
OTHERWISE += ["wer(tokenize=char)", "lepor(system=B,mix=1:1)"]
METRICS = list(map(metric, [*ORDERS, *OUTPUTS, *OTHERWISE]))


@pytest.fixture(scope="module")
def everything():
    """All inputs of a system, by name."""
    inputs = made("en")
    lengths = list(map(len, inputs["source"]))
    orders = system_orders(inputs["hyp_alignment"], lengths)
    reference = reference_orders(inputs["ref_alignment"][0], lengths)
    words = SourceWords.of(inputs["source"])
    return {**inputs, "orders": orders, "reference_orders": reference, "words": words}


def some(given, names):
    """The inputs of these names: the system's own, and what it is compared with."""
    own = {name: given[name] for name in names if side(name) == "hyp"}
    return SystemInputs(own, {name: given[name] for name in names if name not in own})


@pytest.mark.parametrize("by", METRICS, ids=str)
def test_what_is_needed_is_enough_and_no_less(everything, by):
    words = ("words",) if isinstance(by, OrderMetric) else ()  # equal ones may change places
    result = by.score_system(some(everything, (*by.needs, *words)))
    whole = by.score_system(some(everything, everything))
    np.testing.assert_array_equal(result.statistics, whole.statistics)
    assert (len(result.sentence), result.corpus) == (SIZE, whole.corpus)
    by.score_system(some(everything, by.needs))
    for name in by.needs:
        rest = [other for other in by.needs if other != name]
        with pytest.raises(PreorderEvalError, match=f"^{name} is missing: "):
            by.score_system(some(everything, rest))
    few = np.arange(SIZE - 1)
    for name in by.needs if len(by.needs) > 1 else ():  # a single one fits itself
        streams = everything[name] if side(name) == "ref" and name != "reference_orders" else None
        parts = [everything[name]] if streams is None else streams
        cut = [part[:-1] if isinstance(part, list) else part.take(few) for part in parts]
        given = {**everything, name: cut[0] if streams is None else cut}
        with pytest.raises(PreorderEvalError, match="sentences"):
            by.score_system(some(given, everything))
