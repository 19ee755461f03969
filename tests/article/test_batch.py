"""Many pages in one call: lazily, in order, errors as values; and the same from asyncio."""

import asyncio
import inspect

import pytest

import structce
from structce.errors import ModelWarning, RenderError, StructceError
from structce.page import pack_page
from structce.rendering import Document, StaticRenderer


@pytest.mark.parametrize("workers", [1, 2])
def test_pages_come_in_order_and_errors_are_values(mixed_folder, workers):
    outcomes = list(structce.label_files([mixed_folder], workers=workers))
    assert [outcome.source for outcome in outcomes] == [
        str(mixed_folder / f"{name}.html") for name in "abc"
    ]
    assert [bool(outcome.error) for outcome in outcomes] == [False, True, False]
    assert "PNG image" in outcomes[1].error
    alone = structce.label(mixed_folder / "a.html")
    assert outcomes[0].value == alone
    assert outcomes[0].value.regions[0].span is not None


def test_pages_are_read_as_they_are_asked_for(mixed_folder, monkeypatch):
    read = []
    original = StaticRenderer.submit

    def submit(self, document):
        read.append(document.name)
        return original(self, document)

    monkeypatch.setattr(StaticRenderer, "submit", submit)
    outcomes = structce.label_files([mixed_folder / "a.html"] * 100)
    assert read == []
    next(outcomes)
    assert len(read) < 100
    outcomes.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_snapshots_keep_their_source_and_stand_beside_pages(tmp_path, article_html, workers):
    page = StaticRenderer().render(Document(article_html(0)))
    for name, source in (("a", "news/ferry.html"), ("b", "")):
        (tmp_path / f"{name}.page").write_bytes(pack_page(page, source))
    (tmp_path / "c.html").write_text(article_html(1))
    first, second, other = structce.label_files([tmp_path], workers=workers)
    assert [first.source, second.source] == ["news/ferry.html", str(tmp_path / "b.page")]
    assert first.value == second.value
    assert first.value.title.value == "Ferry to stop in June, part 0"
    assert other.value.title.value.endswith("part 1")


def test_a_model_of_another_renderer_is_warned_of(mixed_folder, article_html):
    with pytest.warns(ModelWarning, match="chromium renderer"):
        list(structce.label_files([mixed_folder / "a.html"], model="news-chromium"))
    with pytest.warns(ModelWarning, match="chromium renderer"):
        structce.label(article_html(0), model="news-chromium")


@pytest.mark.parametrize("workers", [1, 2])
def test_an_address_is_fetched_only_if_the_network_is_asked_for(mixed_folder, workers, monkeypatch):
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: pytest.fail("asked the network"))
    address = "http://127.0.0.1:9/a.html"
    odd, good = structce.label_files([address, mixed_folder / "a.html"], workers=workers)
    assert "network=True" in odd.error
    assert not good.error

    async def others():
        return [outcome.error async for outcome in structce.label_files_async([address])]

    assert asyncio.run(others()) == [odd.error]


def test_what_cannot_work_is_an_error_at_once(mixed_folder):
    with pytest.raises(StructceError):
        structce.label_files([mixed_folder], model="nothing")
    with pytest.raises(RenderError):
        structce.label_files([mixed_folder], renderer="netscape")


def test_asyncio_gets_the_same(mixed_folder):
    async def both():
        article = await structce.label_async(mixed_folder / "a.html")
        return article, [outcome async for outcome in structce.label_files_async([mixed_folder])]

    article, outcomes = asyncio.run(both())
    assert article == structce.label(mixed_folder / "a.html")
    assert outcomes == list(structce.label_files([mixed_folder]))


def test_asyncio_takes_the_same_parameters():
    for name in ("label", "label_files"):
        call, awaited = getattr(structce, name), getattr(structce, f"{name}_async")
        assert inspect.signature(awaited).parameters == inspect.signature(call).parameters


def test_asyncio_goes_on_with_other_work_meanwhile(mixed_folder):
    async def together():
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        other = asyncio.create_task(tick())
        await structce.label_async(mixed_folder / "a.html")
        other.cancel()
        return ticks

    assert asyncio.run(together()) > 1


def test_an_asynchronous_iteration_can_be_left(mixed_folder):
    async def first():
        outcomes = structce.label_files_async([mixed_folder])
        outcome = await anext(outcomes)
        await outcomes.aclose()
        return outcome

    assert asyncio.run(first()).value is not None
