"""The editor's page in headless Chromium."""

import pytest
from edited_reference import TEXTS, texts_of, write_folder
from report_pages import eventually

from preorder_eval.references.annotation import annotation
from preorder_eval.references.editor import editor_server

pytestmark = pytest.mark.browser


@pytest.fixture
def folder(tmp_path, request, run):
    """A small folder, or blind sheets of so many sentences of a set."""
    if not hasattr(request, "param"):
        return write_folder(tmp_path / "small")
    blind = ("--blind", "en-ko/test", "--sentences", str(request.param))
    assert run("reference", "build", *blind, "--out", tmp_path / "sheets")[0] == 0
    return tmp_path / "sheets"


@pytest.fixture
def open_tab(folder, chromium):
    """Opens the page at a sentence; nothing must be complained of on the console."""
    noticed, contexts = [], []
    with annotation(folder) as work, editor_server(work) as server:

        def open_tab(place="", width=1400, scheme="light"):
            size = {"width": width, "height": 860}
            context = chromium.new_context(viewport=size, color_scheme=scheme)
            contexts.append(context)
            tab = context.new_page()
            tab.on("console", lambda message: noticed.append(message.text))
            tab.on("pageerror", lambda error: noticed.append(str(error)))
            tab.on(
                "request",
                lambda sent: None if sent.url.startswith(server.url) else noticed.append(sent.url),
            )
            tab.goto(server.url + place)
            tab.wait_for_selector(".chip")
            return tab

        yield open_tab
        for context in contexts:
            context.close()
    assert [note for note in noticed if not note.startswith("data:")] == []


def word(tab, side, i):
    return tab.locator(f".chip[data-side={side}][data-i='{i}']")


def saved(tab, folder, name, line, text):
    """Waits until a line of a file is what it should be, and the page says so."""
    path = folder / name
    eventually(tab, lambda: path.read_text("utf-8").splitlines()[line : line + 1] == [text])
    tab.locator("#saved:text-is('saved')").wait_for()


def test_clicks_link_words_and_show_the_order_and_the_findings(open_tab, folder):
    tab = open_tab("#2")
    assert tab.locator(".findings").inner_text().count("bark") == 1
    assert tab.locator(".order").inner_text() == "Dogs bark"
    word(tab, "source", 1).click()
    word(tab, "target", 2).click()
    saved(tab, folder, "en-ja.align", 1, "0-0 0-1 1-2")
    tab.get_by_text("Nothing.", exact=True).wait_for()
    assert tab.locator("#next-finding").inner_text() == "Nothing to fix"
    # Two quick clicks, of which the second is made for what the first has left.
    word(tab, "target", 0).click()
    word(tab, "target", 2).click()
    tab.get_by_text("unaligned target words").wait_for()
    tab.locator(".target .chip.mate[data-i='0']").wait_for()
    tab.locator(".target .chip.mate[data-i='2']").wait_for(state="detached")
    saved(tab, folder, "en-ja.align", 1, "0-0 0-1 1-0")
    for _ in range(3):
        tab.keyboard.press("u")
    tab.locator("#undo:disabled").wait_for()
    assert texts_of(folder) == TEXTS


def test_everything_by_keys(open_tab, folder):
    tab = open_tab()
    tab.keyboard.press("f")
    tab.wait_for_selector("h2:text-is('Sentence 2')")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    saved(tab, folder, "en-ja.align", 1, "0-0 0-1 1-2")
    tab.keyboard.press("o")
    tab.wait_for_selector(".chip.possible[data-side=source]")
    saved(tab, folder, "en-ja.align", 1, "0-0 0-1 1p2")
    tab.keyboard.press("x")
    tab.wait_for_selector(".chip.alone[data-side=source]")
    saved(tab, folder, "en-ja.align", 1, "0-0 0-1")
    tab.keyboard.press("Control+z")
    tab.wait_for_selector(".chip.possible[data-side=source]")
    tab.keyboard.press("p")
    tab.wait_for_selector("h2:text-is('Sentence 1')")
    tab.keyboard.press("?")
    tab.wait_for_selector("#help[open]")
    tab.keyboard.press("Escape")
    tab.keyboard.press("/")
    tab.keyboard.type("犬 が")
    assert tab.locator("#found").inner_text() == "1 of 2 sentences"
    tab.keyboard.press("Enter")
    tab.wait_for_selector("h2:text-is('Sentence 2')")


def test_words_and_free_orders_are_edited(open_tab, folder):
    tab = open_tab("#1")
    tab.keyboard.press("e")
    tab.locator("#words").fill("私 は とても 新鮮 な 魚 を 食べる")
    tab.keyboard.press("Control+Enter")
    tab.get_by_text("とても").first.wait_for()
    saved(tab, folder, "en-ja.free", 0, "3-4|5-6")
    tab.locator(".free-order summary").click()
    word(tab, "target", 7).click()
    tab.locator("#free-add").click()
    assert tab.locator("#free").input_value() == "3-4|5-6|7"
    tab.locator("#free").press("Enter")
    tab.wait_for_selector(".orders li:nth-child(6)")
    saved(tab, folder, "en-ja.free", 0, "3-4|5-6|7")
    tab.locator("#free").fill("0|2")
    tab.locator("#free").press("Enter")
    tab.get_by_text("has spans that are not adjacent").wait_for()
    saved_before = texts_of(folder)["en-ja.free"]
    assert saved_before == "3-4|5-6|7\n\n"


def test_a_translation_is_added(open_tab, folder):
    tab = open_tab("#1")
    tab.locator("#add-translation").click()
    tab.locator("#words").fill("魚 食う")
    tab.locator("#words-save").click()
    tab.wait_for_selector(".chip[data-side=target]")
    saved(tab, folder, "target.2.ja", 0, "魚 食う")


def test_what_goes_wrong_is_said(open_tab, folder):
    tab, second = open_tab("#2"), open_tab("#2")
    word(second, "source", 1).click()
    word(second, "target", 2).click()
    saved(second, folder, "en-ja.align", 1, "0-0 0-1 1-2")
    word(tab, "source", 1).click()
    word(tab, "target", 0).click()
    tab.get_by_text("another tab changed").wait_for()
    assert texts_of(folder)["en-ja.align"].splitlines()[1] == "0-0 0-1 1-2"
    (folder / "en-ja.align").write_text("0-0\n1-1\n")
    word(tab, "target", 0).click()
    tab.get_by_text("changed on disk since it was read").wait_for()
    tab.locator("#reread").click()
    tab.wait_for_selector(".chip.alone[data-side=source][data-i='0']")
    assert tab.locator("#problem").is_hidden()
    assert texts_of(folder)["en-ja.align"] == "0-0\n1-1\n"
