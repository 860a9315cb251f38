"""The manual as one page: its links lead somewhere, and it loads nothing."""

import html
import re

import pytest

from preorder_eval.manual import ManualPage, manual_page, page_names
from preorder_eval.manual.html import render


@pytest.fixture(scope="module")
def page():
    return render([manual_page(name) for name in page_names()])


def test_every_link_leads_somewhere(page):
    places = re.findall(r' id="([^"]+)"', page)
    assert len(places) == len(set(places))
    links = re.findall(r'href="([^"]*)"', page)
    assert len(links) > 50
    for link in links:
        assert link.startswith("https://") or link.removeprefix("#") in places, link


def test_it_loads_nothing(page):
    assert "default-src 'none'" in html.unescape(page)
    assert not re.findall(r'\b(?:src|srcset)="(?!data:)', page)
    assert "<link" not in page
    assert "@import" not in page


def test_columns_of_numbers_need_no_style_that_the_policy_blocks(page):
    assert not re.search(r"<[a-z]+ [^<>]*style=", page)
    assert '<td class="number">' in page


def test_the_same_bytes_again(page):
    assert render([manual_page(name) for name in page_names()]) == page


def test_markdown_is_no_html():
    text = (
        "# A & B\n\n## In `code`\n\n[b](other.md#in-code), [here](#in-code), [a\nfile](../a.py)\n\n"
        "<script>alert(1)</script>\n\n![a picture](../no.png)\n"
    )
    page = render([ManualPage("one", text), ManualPage("other", "# Other\n\n## In code\n")])
    body = page[page.index("<main") : page.index("</main>")]
    assert '<h1 id="one">A &amp; B</h1>' in body
    assert '<h2 id="one--in-code">In <code>code</code></h2>' in body
    assert '<a href="#other--in-code">b</a>, <a href="#one--in-code">here</a>, a\nfile' in body
    assert "<script" not in body
    assert "<p>a picture</p>" in body
