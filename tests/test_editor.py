"""The editor without its page: requests, what they are answered, and the server."""

import http.client
import json
import re
import socket
import time
from contextlib import ExitStack, suppress
from urllib.parse import quote

import pytest
from edited_reference import TEXTS, TREE, texts_of, write_folder
from report_pages import HOSTILE, check_policy

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.pages import local_server
from preorder_eval.base.pages.local_server import Answer, LocalServer
from preorder_eval.references.annotation import annotation
from preorder_eval.references.editor import Requests, editor_page, editor_server, revision
from preorder_eval.references.reference_text import ReferenceText

LINKS = [[0, 0, False], [0, 1, False], [1, 2, True]]


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "small")


@pytest.fixture
def requests(folder):
    with annotation(folder) as work:
        yield Requests(work)


@pytest.fixture
def ask(requests):
    """Asks for something of the current revision of its sentence, as the page does."""

    def ask(do, **values):
        if "links" in values:
            names = ("source", "target", "possible")
            values["links"] = [dict(zip(names, link, strict=True)) for link in values["links"]]
        if do in ("link", "words", "free"):
            shown = requests.answer(json.dumps({"do": "show", "sentence": values["sentence"]}))
            values = {"revision": shown["sentence"]["revision"], **values}
        return requests.answer(json.dumps({"do": do, **values}))

    return ask


def test_a_sentence_is_shown_with_orders_and_findings(ask):
    shown = ask("show", sentence=0)["sentence"]
    assert (shown["number"], shown["source"]) == (0, ["I", "eat", "fresh", "fish"])
    first, second = shown["translations"]
    assert first["free"] == "2-3|4-5"
    assert first["links"][-1] == [3, 5, True]
    assert first["orders"] == [[[0], [2], [3], [1]], [[0], [3], [2], [1]]]
    assert first["findings"] == []
    assert (second["words"], second["orders"], second["findings"]) == ([], [], [])


def test_the_list_has_a_row_for_each_sentence(ask):
    answer = ask("list")
    assert answer["list"] == [
        {
            "source": "I eat fresh fish",
            "targets": ["私 は 新鮮 な 魚 を 食べる", ""],
            "warnings": [0, 0],
        },
        {"source": "Dogs bark", "targets": ["犬 が 吠える", "犬 は 吠える"], "warnings": [2, 0]},
    ]
    assert (answer["undo"], answer["redo"]) == (False, False)


def test_links_are_saved_and_checked_at_once(ask, folder):
    before = ask("show", sentence=1)["sentence"]["translations"][0]["findings"]
    assert [(f["check"], f["side"], f["positions"], f["fix"]) for f in before] == [
        ("unaligned content words", "source", [1], True),
        ("unaligned target words", "target", [2], True),
    ]
    answer = ask("link", sentence=1, translation=0, links=LINKS)
    assert answer["sentence"]["translations"][0]["findings"] == []
    assert answer["row"]["warnings"] == [0, 0]
    assert (answer["undo"], answer["redo"]) == (True, False)
    assert texts_of(folder)["en-ja.align"].splitlines()[1] == "0-0 0-1 1p2"
    assert ask("undo")["sentence"]["number"] == 1
    assert texts_of(folder) == TEXTS
    assert ask("redo")["row"]["warnings"] == [0, 0]


def test_words_are_changed_and_all_rows_told(ask, folder):
    answer = ask("words", sentence=1, translation=0, text="犬 たち が 吠える")
    assert answer["list"][1]["targets"][0] == "犬 たち が 吠える"
    assert texts_of(folder)["en-ja.align"].splitlines()[1] == "0-0 0-2"
    ask("words", sentence=1, translation=None, text="The dogs bark")
    assert texts_of(folder)["source.en"].splitlines()[1] == "The dogs bark"
    answer = ask("words", sentence=0, translation=2, text="魚 食う")
    assert answer["sentence"]["translations"][2]["words"] == ["魚", "食う"]
    assert texts_of(folder)["target.3.ja"] == "魚 食う\n\n"


def test_nothing_to_undo_is_no_error(ask):
    assert "error" not in ask("undo")
    assert "error" not in ask("redo")


def test_a_change_to_what_another_tab_has_changed_is_not_made(ask, folder):
    old = ask("show", sentence=1)["sentence"]["revision"]
    ask("link", sentence=1, translation=0, links=LINKS)
    there = texts_of(folder)
    answer = ask("link", sentence=1, translation=0, links=[], revision=old)
    assert answer["stale"]
    assert "another tab changed" in answer["error"]
    assert answer["sentence"]["translations"][0]["links"] == LINKS
    assert texts_of(folder) == there


def test_a_file_changed_on_disk_is_read_anew_when_asked(ask, folder):
    (folder / "en-ja.align").write_text("0-0\n1-2\n")
    answer = ask("link", sentence=1, translation=0, links=LINKS)
    assert answer["reread"]
    assert "en-ja.align: changed on disk since it was read" in answer["error"]
    assert "error" not in ask("read")
    assert ask("show", sentence=1)["sentence"]["translations"][0]["links"] == [[1, 2, False]]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"do": "drop"}',
        b'{"do": "show"}',
        b'{"do": "show", "sentence": -1}',
        b'{"do": "show", "sentence": "0"}',
        b'{"do": "show", "sentence": true}',
        b'{"do": "show", "sentence": 1e9}',
        b'{"do": "show", "sentence": 0, "folder": "/etc"}',
        b'{"do": "link", "sentence": 0, "translation": 0, "links": []}',
        b'{"do": "link", "sentence": 0, "revision": "", "translation": 0, "links": [[0, 0]]}',
        b'{"do": "words", "sentence": 0, "revision": "", "translation": 0, "text": "\\ud800"}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_request_changes_nothing(requests, folder, body):
    assert requests.answer(body) == {"error": "not a request from the page of the editor"}
    assert texts_of(folder) == TEXTS


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"do": "show", "sentence": 2}, "there is no sentence 3; the last is 2"),
        ({"do": "link", "sentence": 0, "translation": 2, "links": []}, "no translation 3"),
        ({"do": "link", "sentence": 0, "translation": 0, "links": [[4, 0, False]]}, "link 4-0 is"),
        ({"do": "words", "sentence": 0, "translation": 3, "text": "x"}, "no translation 4"),
        ({"do": "words", "sentence": 0, "translation": 0, "text": " "},
         "only further translations"),
        ({"do": "words", "sentence": 0, "translation": None, "text": ""}, "a sentence needs words"),
        ({"do": "free", "sentence": 0, "translation": 9, "text": ""}, "no translation 10"),
        ({"do": "free", "sentence": 0, "translation": None, "text": ""}, "not a request"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(ask, folder, values, said):
    assert said in ask(**values)["error"]
    assert texts_of(folder) == TEXTS


@pytest.fixture
def server(folder):
    with annotation(folder) as work, editor_server(work) as server:
        yield server


def post(server, body, last="do", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    usual = {
        "Host": f"127.0.0.1:{server.port}",
        "Origin": f"http://127.0.0.1:{server.port}",
        "Content-Type": "application/json",
    }
    known = {name.replace("_", "-"): value for name, value in headers.items()}
    place = known.pop("place", server.place)
    sent = {name: value for name, value in {**usual, **known}.items() if value is not None}
    connection.request("POST", place + last, body, sent)
    return connection.getresponse()


def renaming(folder):
    """Return a request to change the words of the second sentence."""
    known = revision(ReferenceText.read(folder)[1])
    change = {"do": "words", "sentence": 1, "revision": known, "translation": None}
    return json.dumps({**change, "text": "Cats bark"})


def test_the_page_posts_its_requests(server, folder):
    answer = post(server, renaming(folder))
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    assert json.loads(answer.read())["sentence"]["number"] == 1
    assert "Cats bark" in texts_of(folder)["source.en"]
    assert post(server, '{"do": "list"}', Host=f"localhost:{server.port}").status == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"place": "/"}, 404),
        ({"place": "/AAAAAAAAAAAAAAAAAAAAAA/"}, 404),
        ({"last": "other"}, 404),
        ({"last": "../do"}, 404),
        ({"Host": "evil.example"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": None}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": None}, 415),
        ({"Content_Length": "-1"}, 411),
        ({"Content_Length": "4000001"}, 413),
    ],
)
def test_nothing_is_written_for_anybody_else(server, folder, headers, status):
    assert post(server, renaming(folder), **headers).status == status
    assert texts_of(folder) == TEXTS


def test_a_request_that_is_broken_off_is_not_done(server, folder):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    request = renaming(folder).encode()
    head = (
        f"POST {server.place}do HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Origin: http://127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(request) + 9}\r\n\r\n"
    )
    connection.connect()
    connection.sock.sendall(head.encode() + request)
    connection.close()
    assert post(server, '{"do": "list"}').status == 200
    assert texts_of(folder) == TEXTS


def request(server, place, host, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request(method, place, headers={"Host": host})
    return connection.getresponse()


def page_of(server):
    return request(server, server.place, server.hosts[0]).read()


@pytest.mark.slow
def test_a_request_that_never_ends_is_cut_off(monkeypatch):
    """A byte now and then keeps no connection open."""
    monkeypatch.setattr(local_server, "_ARRIVAL", 0.4)
    with LocalServer(Answer(b"page"), Answer) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=0.1) as dripping:
            for _ in range(100):
                dripping.send(b"x")
                with suppress(TimeoutError):
                    dripping.recv(9)  # a refusal, and the end
                    break
            else:
                pytest.fail("still open after ten seconds")
        assert page_of(server) == b"page"


@pytest.fixture
def plain():
    with LocalServer(Answer(b"secret"), Answer) as server:
        yield server


def test_who_does_not_know_the_token_or_comes_from_elsewhere_gets_nothing(plain):
    port, place = plain.port, plain.place
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1"):
        answer = request(plain, place, host)
        assert (answer.status, b"secret" in answer.read()) == (403, False)
    wrong = "A" * (len(place) - 2)
    for other in ("/", "//", f"/{wrong}/", place[:-1], place.upper(), quote("/\u00e9/")):
        answer = request(plain, other, f"127.0.0.1:{port}")
        assert (answer.status, b"secret" in answer.read()) == (404, False)
    assert request(plain, place, f"localhost:{port}").read() == b"secret"


def test_nothing_else_is_served_and_on_this_machine_alone(plain):
    host = f"127.0.0.1:{plain.port}"
    assert plain.url == f"http://{host}{plain.place}"
    assert len(plain.place) >= 22
    with LocalServer(Answer(b"page"), Answer) as other:
        assert other.place != plain.place
    assert request(plain, f"{plain.place}../../etc/passwd", host).status == 404
    assert request(plain, f"{plain.place}?x=1", host).status == 404
    assert request(plain, plain.place, host, "POST").status == 404


def test_a_port_that_is_taken_is_an_error(plain):
    with pytest.raises(PreorderEvalError, match=f"port {plain.port} is not available"):
        LocalServer(Answer(b"page"), Answer, port=plain.port)


@pytest.mark.slow
def test_connections_are_bounded(monkeypatch):
    monkeypatch.setattr(local_server, "_MOST", 3)
    with LocalServer(Answer(b"page"), Answer) as server, ExitStack() as waiting:
        idle = [socket.create_connection(("127.0.0.1", server.port), 10) for _ in range(3)]
        for connection in idle:
            waiting.enter_context(connection)
        with socket.create_connection(("127.0.0.1", server.port), 10) as fourth:
            assert fourth.recv(9) == b""
        idle[0].close()
        for _ in range(100):  # until the server has noticed
            with suppress(OSError, http.client.HTTPException):
                assert page_of(server) == b"page"
                break
            time.sleep(0.1)
        else:
            pytest.fail("no connection became free")


def test_the_page_runs_its_own_script_and_no_other(server):
    answer = request(server, server.place, server.hosts[0])
    check_policy(answer.headers["Content-Security-Policy"], answer.read().decode())


def test_a_hostile_name_is_text():
    page = editor_page(HOSTILE[0], HOSTILE[2]).content.decode()
    assert "<script>window" not in page
    assert "<img" not in page


def test_hostile_words_are_data(tmp_path):
    words = [text for text in HOSTILE if "\x00" not in text and not re.search(r"\s", text)]
    texts = {
        "source.conllu": TREE.format(HOSTILE[0]),
        "target.ja": " ".join(words) + "\n",
        "en-ja.align": "\n",
    }
    with annotation(write_folder(tmp_path / "small", texts)) as work:
        shown = Requests(work).answer(b'{"do": "show", "sentence": 0}')["sentence"]
    assert shown["translations"][0]["words"] == words
    assert shown["comments"] == [f"sent_id = {HOSTILE[0]}"]
