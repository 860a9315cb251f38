import gc
import io
import json
import linecache
import math
import os
import shutil
import signal
import sys
from pathlib import Path

# Where no compiled files may stand beside sources, they stand here. Otherwise every process, and
# every program that a test starts, would compile all that it imports: half the time of the tests.
if sys.dont_write_bytecode:
    compiled = Path(__file__).parents[1] / ".pytest_cache" / "compiled"
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(compiled)
    os.environ["PYTHONPYCACHEPREFIX"] = str(compiled)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Each process of pytest-xdist has a core of its own; threads of BLAS would wait for one another.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis
import pytest

from preorder_eval.base.resources import bundled
from preorder_eval.cli import main, terminal
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.references.reference_folder import load_reference

# Headless, and without the services of its own that would look for a network.
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

gc.disable()  # until the tests are found

# What a shell starts in the background ignores Ctrl-C, as would the programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says more of the machine than of the code. CI tries more of them, and
# the same ones whenever the code is the same.
hypothesis.settings.register_profile(
    "ours",
    deadline=None,
    derandomize=True,
    max_examples=int(os.environ.get("PREORDER_EVAL_EXAMPLES", "10")),
)
hypothesis.settings.load_profile("ours")


# Files whose tests take long, or share what one process makes for them, begin: what processes take
# from each other at the end is then short.
FIRST = ("write_faults", "cli_self_train", "training", "scale", "verdict_simulated", "shown")
FIRST += ("documentation",)
# Then those that use scipy.stats or nltk, each in its tests, so that not every process loads them
# and all that they need, in a second or two.
FIRST += ("bootstrap", "correlation", "jackknife", "meta_evaluation", "mt_metrics_eval", "ngrams")
FIRST += ("order_metrics", "pairwise_accuracy", "permutation", "rouge", "segment_correlation")
FIRST += ("significance", "stored")


def pytest_collection_modifyitems(items):
    """Examples of functions run where these stand, not again where the package gives them out."""
    again = "preorder_eval/__init__.py::preorder_eval."
    items[:] = [item for item in items if not item.nodeid.startswith(again)]
    place = {f"test_{name}": n for n, name in enumerate(FIRST)}
    items.sort(key=lambda item: place.get(item.path.stem, len(FIRST)))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Examples are those of the package; in tests there are none to look for."""
    found = yield
    return [collector for collector in found if type(collector) is pytest.Module]


def pytest_collection_finish():
    """What is there before the first test stays: the collector of garbage need not visit it."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # tests leave little, and the modules are many
    gc.enable()
    linecache.clearcache()  # otherwise each example looks whether any source has changed


@pytest.fixture(scope="session", autouse=True)
def parse_cache(tmp_path_factory):
    """Keeps the user's parse cache out of the tests; all processes of pytest-xdist share one."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREORDER_EVAL_CACHE", str(folder / "parses"))
        yield


@pytest.fixture(scope="session")
def bundled_reference():
    """The bundled English–Japanese reference set."""
    return load_reference("en-ja")


@pytest.fixture(scope="session")
def gold(bundled_reference):
    """The gold trees of the bundled reference set."""
    return bundled_reference.trees


@pytest.fixture(scope="session")
def parser():
    """The bundled parser."""
    return load_parser("en-web")


@pytest.fixture(scope="session")
def tuned_parser(tmp_path_factory):
    """The bundled parser under the name `tuned`, as if tuned on two of the reference sets."""
    folder = tmp_path_factory.mktemp("parsers") / "tuned"
    shutil.copytree(bundled("parsers/bundled") / "en-web", folder)
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    meta |= {"name": "tuned", "tuned_on": ["en-ja-web/dev", "en-ja"]}
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    return folder


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs the command line and gives its exit code, output and errors; no notes of progress."""
    monkeypatch.setattr(terminal, "_FIRST", math.inf)

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["preorder-eval", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as stop:
            main()
        output = capsys.readouterr()
        return stop.value.code, output.out, output.err

    return run


@pytest.fixture
def good(run):
    """Runs the command line and gives its output; it ends well, without a word of errors."""

    def good(*arguments, **given):
        code, out, err = run(*arguments, **given)
        assert (code, err) == (0, "")
        return out

    return good


@pytest.fixture(scope="session")
def chromium():
    """Headless Chromium for tests marked `browser`: Debian's, or the one that CHROMIUM names."""
    from playwright.sync_api import sync_playwright  # not among what the other tests need

    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.fail("no Chromium; install Debian's, or name one in CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()
