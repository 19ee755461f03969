"""Whatever is wrong within one page is that page's error, through every door of the package."""

import asyncio
import json
import os

import page_inputs as inputs
import pytest

import structce
from structce.article import reading
from structce.errors import ModelError, PageError
from structce.features.feature_set import FeatureSet
from structce.labelling import RegionLabeller
from structce.rendering import NetworkResources, static
from structce.rendering.base import Limits
from structce.rendering.document import decode
from structce.runtime import WorkerPool

BAD = "BAD PAGE"
FAULTS = (ValueError("odd"), RecursionError(), MemoryError(), KeyError("x"), AssertionError())


@pytest.mark.parametrize("name", inputs.SMALL)
def test_an_odd_page_has_an_article(name):
    url = "http://p.example/a" if "link" in name else ""
    article = structce.label(inputs.SMALL[name], url=url, context=True)
    assert "The ferry will stop" in article.text or "alone" in name


@pytest.mark.parametrize("kind", ["mhtml", "warc"])
def test_an_odd_archive_gives_a_page_or_says_why_not(kind, tmp_path):
    if kind == "warc":
        pytest.importorskip("fastwarc")
    files = {name: data for name, data in inputs.archives().items() if name.endswith(kind)}
    for name, data in {**files, "good.html": inputs.page()}.items():
        (tmp_path / name).write_bytes(data)
    *odd, good = structce.label_files([tmp_path / name for name in (*files, "good.html")])
    assert good.error == ""
    assert len(odd) == len(files)
    for outcome in odd:
        # A fault of the program would be said to be in one of its files.
        assert "(structce/" not in outcome.error, outcome.source
        assert (outcome.value is None) == bool(outcome.error), outcome.source


@pytest.mark.parametrize("url", inputs.BAD_ADDRESSES)
def test_a_page_may_be_said_to_be_at_any_address(url):
    assert structce.label(inputs.page(), url=url).url == url


@pytest.mark.parametrize("url", inputs.BAD_ADDRESSES)
def test_a_file_at_no_address_is_not_there_and_says_why(url):
    with NetworkResources("http://127.0.0.1:9/", limits=Limits(request_seconds=1)) as resources:
        assert resources.get(url) is None
        assert resources.failures


@pytest.mark.parametrize("kind", inputs.CONTENT_TYPES)
def test_a_content_type_is_read_or_passed_over(kind):
    assert "Ferry to stop" in decode(inputs.page(), name="p", content_type=kind).html


def test_the_detector_reads_what_the_standard_never_decodes():
    text = "<meta charset=iso-2022-kr><p>" + "\ud398\ub9ac \uc6b4\ud56d \uc911\ub2e8 " * 40
    assert "\ud398\ub9ac" in decode(text.encode("euc-kr"), name="p").html


def never_ends(*_):
    while True:
        try:
            sum(range(1000))
        except Exception:
            continue


# Stages of the way of a page: where each is, and how its arguments show the page's title.
PLACES = {
    "rendering": (static, "render_static", lambda document, *_: str(document.html)),
    "features": (FeatureSet, "scores", lambda _, page, *__: page.title),
    "labelling": (RegionLabeller, "_label", lambda _, page: page.title),
    "article": (reading, "evidence_of", lambda page: page.page.title),
}


def fail_at(place, fault, patch):
    """Make one stage fail for the page called ``BAD``."""
    owner, name, title_of = PLACES[place]
    original = getattr(owner, name)

    def call(*given, **named):
        if BAD not in title_of(*given):
            return original(*given, **named)
        if isinstance(fault, TimeoutError):
            never_ends()
        raise fault

    patch.setattr(owner, name, call)


@pytest.fixture
def faulty_folder(tmp_path):
    path = tmp_path / "pages"
    path.mkdir()
    for name in "abc":
        title = BAD if name == "b" else "Ferry to stop"
        html = inputs.page().decode().replace("Ferry to stop", title)
        (path / f"{name}.html").write_text(html)
    return path


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
@pytest.mark.parametrize("place", PLACES)
def test_a_fault_is_the_record_of_its_page(place, fault, faulty_folder, run, monkeypatch):
    fail_at(place, fault, monkeypatch)
    code, out, err = run("label", faulty_folder, "--renderer", "static")
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [("error" in record) for record in records] == [False, True, False]
    expected = "not enough memory" if isinstance(fault, MemoryError) else type(fault).__name__
    assert expected in records[1]["error"]
    assert "Traceback" not in err


@pytest.mark.parametrize("place", ["rendering", "article"])
def test_a_page_that_does_not_end_is_stopped_in_one_process(place, faulty_folder, run, monkeypatch):
    fail_at(place, TimeoutError(), monkeypatch)
    code, out, _ = run("label", faulty_folder, "--renderer", "static", "--limit", "page_seconds=2")
    errors = [json.loads(line).get("error", "") for line in out.splitlines()]
    assert code == 1
    assert [bool(error) for error in errors] == [False, True, False]
    assert "took longer than the limit of 2 seconds" in errors[1]


@pytest.mark.parametrize("place", PLACES)
def test_python_and_asyncio_have_the_fault_as_a_value(place, faulty_folder, monkeypatch):
    fail_at(place, ValueError("odd"), monkeypatch)
    outcomes = list(structce.label_files([faulty_folder]))

    async def others():
        return [outcome async for outcome in structce.label_files_async([faulty_folder])]

    assert [bool(outcome.error) for outcome in outcomes] == [False, True, False]
    assert asyncio.run(others()) == outcomes
    with pytest.raises(PageError, match=r"ValueError: odd") as raised:
        structce.label(faulty_folder / "b.html")
    assert isinstance(raised.value.__cause__, ValueError)


def start_work():
    return work


def work(item):
    if item == "fault":
        raise ValueError("odd")
    if item == "unsendable":
        return lambda: item
    if item == "death":
        os._exit(3)
    return item


def test_a_process_outlives_a_fault_and_tells_of_it():
    pool = WorkerPool(start_work, 1, seconds=60, work=work)
    try:
        fault, unsendable, good = (pool.submit(item, item) for item in ("fault", "unsendable", "x"))
        assert good.result() == "x"
        with pytest.raises(PageError, match=r"fault: ValueError: odd") as raised:
            fault.result()
        assert "Traceback" in raised.value.trace
        with pytest.raises(PageError, match="unsendable"):
            unsendable.result()
    finally:
        pool.close()


def test_what_all_pages_need_still_ends_a_run(faulty_folder, run, monkeypatch):
    fail_at("article", ModelError("the trees are of another release"), monkeypatch)
    code, _, err = run("label", faulty_folder, "--renderer", "static")
    assert code == 1
    assert "error: the trees are of another release" in err
    with pytest.raises(ModelError):
        list(structce.label_files([faulty_folder]))
