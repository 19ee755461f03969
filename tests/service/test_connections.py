"""Connections that keep silent, are too many, or come when all slots are taken."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from structce.runtime import bind

pytest.importorskip("uvicorn")
service_server = pytest.importorskip("structce.service.server")

HOST = b"Host: 127.0.0.1:8000\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n"
TYPE = b"Content-Type: application/json\r\nContent-Length: 16\r\n"
HEAD = b"POST /v1/label HTTP/1.1\r\n" + TYPE + HOST


@pytest.fixture
def serve(make_service, held_pool):
    """Return a function that serves on a socket, and asks for the server to end."""

    @asynccontextmanager
    async def serving(**given):
        service = make_service(held_pool, **given)
        server = service_server.build_server(service.app, service.queue)
        with bind("127.0.0.1", 0) as listener:
            port = listener.getsockname()[1]
            running = asyncio.create_task(server.serve([listener]))
            while not server.started:
                await asyncio.sleep(0)

            async def connect(data=b""):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(data)
                return reader, writer

            yield connect, service
            server.should_exit = True
            await running

    return serving


async def answer(connection):
    reader, writer = connection
    data = await reader.read()
    writer.close()
    return data


@pytest.mark.parametrize("sent", [b"", b"GET /hea", b"POST /v1/label HTTP/1.1\r\n" + HOST])
def test_a_client_that_sends_no_request_is_dropped(serve, monkeypatch, sent):
    monkeypatch.setattr(service_server, "HEAD_SECONDS", 0.02)

    async def run():
        async with serve() as (connect, _):
            assert await answer(await connect(sent)) == b""
            reader, writer = await connect(HEALTH.replace(b"close", b"keep-alive"))
            await reader.readuntil(b"}")
            writer.write(sent or b"GET")
            assert await reader.read() == b""
            writer.close()

    asyncio.run(run())


def test_a_request_without_a_slot_is_refused_unread(serve, held_pool):
    async def run():
        async with serve(workers=1, queue=0) as (connect, service):
            first = await connect(HEAD + b'\r\n{"html": "<p>a"}')
            while not held_pool.held:
                await asyncio.sleep(0)
            refused = await answer(await connect(HEAD + b'\r\n{"html"'))
            head, _, body = refused.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 503 ")
            assert b"retry-after: 1\r\n" in head
            assert json.loads(body)["error"]["code"] == "queue_full"
            assert b"alive" in await answer(await connect(HEALTH))
            assert 'refusals_total{reason="queue_full"} 1.0' in service.metrics.text()[0].decode()
            held_pool.answer()
            await first[0].readuntil(b"held")
            first[1].close()

    asyncio.run(run())


def test_a_half_sent_body_does_not_keep_a_server_from_ending(serve, monkeypatch):
    monkeypatch.setattr(service_server, "BODY_SECONDS", 0.02)

    async def run():
        async with serve() as (connect, service):
            reader, writer = await connect(HEAD + b'\r\n{"html"')
            while not service.queue.n_taken:
                await asyncio.sleep(0)
        assert await reader.read() == b""
        writer.close()
        assert service.queue.n_taken == 0

    asyncio.run(run())
