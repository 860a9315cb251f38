"""The manual in headless Chromium: searching, jumping, and how it fits a screen."""

import pytest

from preorder_eval.manual import manual_page, page_names
from preorder_eval.manual.html import render

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    file = tmp_path_factory.mktemp("manual") / "manual.html"
    file.write_text(render([manual_page(name) for name in page_names()]), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def page(chromium, address):
    """The manual in a tab that must report no error and load nothing else."""
    context = chromium.new_context(viewport={"width": 1400, "height": 900})
    tab = context.new_page()
    faults, loaded = [], []
    tab.on("console", lambda message: faults.append(message.text))
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("request", lambda request: loaded.append(request.url))
    tab.goto(address)
    yield tab
    assert faults == []
    assert {url for url in loaded if not url.startswith("data:")} == {address}
    context.close()


def test_searching_finds_a_section(page):
    page.keyboard.press("/")
    page.keyboard.type("weights xu")
    assert page.inner_text("#found") == "1 section"
    assert page.inner_text("#results mark >> nth=0") == "Weights"
    page.keyboard.press("Enter")
    page.wait_for_url("**/*#rules--weights")
    assert page.evaluate("document.querySelector(':target').getBoundingClientRect().top") < 100
    page.focus("#search")
    page.keyboard.press("Escape")
    assert page.is_hidden("#results")
    assert page.is_visible("#contents")


def test_what_nobody_wrote_is_not_found(page):
    page.fill("#search", "<img src=x onerror=alert(1)>")
    assert page.inner_text("#found") == "0 sections"


def test_the_contents_show_where_one_is(page):
    page.click("#contents >> text=The rule language")
    page.wait_for_selector("#contents li.here >> text=Worked examples")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_it_fits(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    ground, text = page.evaluate(
        "(({backgroundColor, color}) => [backgroundColor, color].map("
        "(c) => Math.max(...c.match(/\\d+/g).map(Number))))(getComputedStyle(document.body))"
    )
    assert (ground > text) == (scheme == "light")


def test_a_narrow_screen_opens_the_contents_when_asked(page):
    page.set_viewport_size({"width": 400, "height": 900})
    assert page.is_hidden("#contents")
    page.click("#menu")
    page.click("#contents a[href='#outputs']")
    assert page.is_hidden("#contents")
    page.wait_for_url("**/*#outputs")
