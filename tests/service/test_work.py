"""The work on one page in a worker: limits, faults, addresses, and the browser."""

import pytest
from local_browser import has_browser

from structce.rendering import Document, Limits, Settings
from structce.rendering.network import ssrf_guard
from structce.service.requests import ExtractRequest, LabelRequest, PageTask
from structce.service.work import PageWork, WorkSetup

PAGE = Document("<h1>Ferry to stop</h1><p>It will stop in June, they said.", name="page")


def answer_of(work, page, task="label", options=None):
    return work(PageTask(task, page, options or LabelRequest()))


def network_work(**limits):
    return PageWork(WorkSetup(settings=Settings(network=True, limits=Limits(**limits))))


def test_the_time_limit_of_a_page_is_an_answer(monkeypatch):
    work = PageWork(WorkSetup(settings=Settings(limits=Limits(page_seconds=0.01))))

    def work_for_ever(*_):
        while True:
            pass

    monkeypatch.setattr(work, "_label", work_for_ever)
    monkeypatch.setattr(work, "_extract", work_for_ever)
    for task, options in (("label", LabelRequest()), ("extract", ExtractRequest(method="bte"))):
        answer = answer_of(work, PAGE, task, options)
        assert (answer.error.status, answer.error.code) == (504, "time_limit")


@pytest.mark.parametrize(
    ("page", "limits", "status", "code"),
    [
        (Document("words alone", name="page"), {}, 422, "unreadable_page"),
        (Document("<p>a<p>b<p>c", name="page"), {"regions": 2}, 422, "not_rendered"),
    ],
)
def test_an_unreadable_page_is_an_answer(page, limits, status, code):
    work = PageWork(WorkSetup(settings=Settings(limits=Limits(**limits))))
    answer = answer_of(work, page)
    assert (answer.error.status, answer.error.code) == (status, code)


@pytest.mark.parametrize(
    "address",
    [
        *"""
        http://127.0.0.1/ http://localhost:8080/ http://[::1]/ http://2130706433/ http://0x7f.1/
        http://[::ffff:127.0.0.1]/ http://[64:ff9b::7f00:1]/ http://169.254.169.254/latest/
        http://100.64.0.1/ http://10.0.0.1:8443/ http://93.184.216.34:22/
        http://user:salt@93.184.216.34/
        """.split(),
        "http:///path",
        "http://\\\\127.0.0.1/",
        "http://[bad/",
        "https://0/",
        "http://",
    ],
)
def test_private_addresses_are_never_fetched(address, monkeypatch):
    def connect(*_, **__):
        pytest.fail("a connection was opened")

    monkeypatch.setattr(ssrf_guard.httpcore.SyncBackend, "connect_tcp", connect)
    failure = answer_of(network_work(), address).error
    assert (failure.status, failure.code) in [(422, "unreadable_page"), (502, "fetch_failed")]
    assert "salt" not in failure.message


@pytest.mark.browser
@pytest.mark.skipif(not has_browser(), reason="no Chromium, Chrome or Edge is installed")
def test_a_browser_gives_boxes():
    work = PageWork(WorkSetup(renderer="chromium"))
    try:
        regions = answer_of(work, PAGE)
        assert b'"renderer": "chromium"' in regions.body
        assert b'"box": [' in regions.body
    finally:
        work.close()
