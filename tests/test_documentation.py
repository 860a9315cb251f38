"""Every command, every output and every link in README and manual is as they say.

`console_blocks` has how the blocks are told apart and run. Every block is a test of its own; what
one of them prints wrongly does not keep the others from being looked at.
"""

import doctest
import functools
import re
import shlex

import click
import pytest
from console_blocks import PAGES, Session, agrees, console_blocks
from manual_pictures import PICTURES, draw_picture, texts

from preorder_eval.cli import app

TEXTS = {name: page.read_text(encoding="utf-8") for name, page in PAGES.items()}
BLOCKS = {name: list(console_blocks(text)) for name, text in TEXTS.items()}


def console_tests():
    for page, blocks in BLOCKS.items():
        for number, block in enumerate(blocks):
            yield pytest.param(page, number, id=f"{page}: {block.name}")


@pytest.fixture(scope="session")
def sessions(tmp_path_factory):
    """The session of a page."""
    return functools.cache(lambda page: Session(BLOCKS[page], tmp_path_factory.mktemp("session")))


@pytest.mark.slow
@pytest.mark.parametrize(("page", "number"), list(console_tests()))
def test_console_block(sessions, page, number):
    block = BLOCKS[page][number]
    for step, outcome in zip(block.steps, sessions(page).outcome(number), strict=True):
        assert outcome.code == 0, f"$ {step.command}\n{outcome.printed}"
        assert agrees(outcome.printed, step.shown), f"$ {step.command}\n{outcome.printed}"


@pytest.mark.slow
@pytest.mark.parametrize("page", list(PICTURES))
def test_the_picture_of_a_tutorial_shows_what_it_ends_with(sessions, page, tmp_path):
    session = sessions(page)
    session.outcome(len(session.blocks) - 1)
    draw_picture(page, session.folder, tmp_path / "now.svg")
    assert texts(tmp_path / "now.svg") == texts(PICTURES[page])
    assert f"](pictures/{PICTURES[page].name})" in TEXTS[page]
    assert PICTURES[page].stat().st_size < 40_000


def test_every_tutorial_has_a_picture():
    assert [page for page in TEXTS if "tutorial" in page] == list(PICTURES)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page, text in TEXTS.items() if ">>> " in text])
def test_python_examples_run(page):
    failures, tried = doctest.testfile(str(PAGES[page]), module_relative=False, encoding="utf-8")
    assert tried > 0
    assert failures == 0


def shell_commands():
    """The commands of blocks that are not run: they train, or need data that is not here."""
    for page, text in TEXTS.items():
        for block in re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            for line in block.replace("\\\n", "").splitlines():
                if line.startswith("preorder-eval "):
                    yield pytest.param(shlex.split(line)[1:], id=f"{page}: {line[14:50]}")


@pytest.mark.parametrize("arguments", list(shell_commands()))
def test_commands_that_are_not_run_have_their_options(arguments):
    command, context = app, None
    while isinstance(command, click.Group):
        context = command.make_context(arguments[0], [], parent=context, resilient_parsing=True)
        command, arguments = command.get_command(context, arguments[0]), arguments[1:]
    context = command.make_context(command.name, [], parent=context, resilient_parsing=True)
    command.make_parser(context).parse_args(args=arguments)


def test_python_files_run():
    files = [
        code
        for text in TEXTS.values()
        for code in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        if ">>> " not in code
    ]
    assert files
    for code in files:
        exec(compile(code, "manual", "exec"), {"__name__": "example"})  # noqa: S102


def anchor(heading):
    """A heading's place in an address, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", list(TEXTS))
def test_links_lead_somewhere(page):
    for path, part in re.findall(r"\]\((?!http)([^)#]*)#?([^)]*)\)", TEXTS[page]):
        target = PAGES[page].parent / path if path else PAGES[page]
        assert target.exists(), path
        if part:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert part in map(anchor, headings), f"{path}#{part}"
