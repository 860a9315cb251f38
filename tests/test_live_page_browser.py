"""The served page in headless Chromium: it reloads by itself and keeps its place."""

import pytest
from report_pages import eventually

from preorder_eval.reporting.live import LivePage

pytestmark = pytest.mark.browser
# A policy as strict as the report's own.
STRICT = "<!doctype html><meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"


def report(text):
    return f"{STRICT}<title>{text}</title><p id=one>{text}<p id=two>2"


def test_an_open_tab_shows_every_report_at_the_place_it_was(chromium):
    noticed = []
    with LivePage() as live:
        live.show(report("first"))
        tab = chromium.new_page()
        tab.on("console", lambda message: noticed.append(message.text))
        tab.on("pageerror", lambda error: noticed.append(str(error)))
        tab.on("request", lambda request: noticed.append(request.url))
        tab.goto(live.url + "#one")
        frame = tab.frame_locator("iframe")
        frame.get_by_text("first").wait_for()
        eventually(tab, lambda: tab.title() == "first")

        tab.frames[1].evaluate("location.hash = '#two'")
        tab.wait_for_url(live.url + "#two")
        live.show(report("second"))
        frame.get_by_text("second").wait_for()
        eventually(tab, lambda: tab.title() == "second")
        assert tab.frames[1].url == live.url + "report#two"
        assert tab.url == live.url + "#two"

        tab.reload()
        frame.get_by_text("second").wait_for()
        assert tab.frames[1].url == live.url + "report#two"
        tab.close()
    assert [note for note in noticed if not note.startswith(live.url)] == []
