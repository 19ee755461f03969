"""Slots, the queue, batches, clients that leave, and workers that fail."""

import asyncio
import json

import httpx
import pytest

from structce.errors import RenderError, TimeLimitError
from structce.service.requests import page_error
from structce.service.work import Answer

HOST = "127.0.0.1:8000"
PAGE = {"html": "<p>A story of the sea."}


def run_with(service, steps):
    """Run steps with a client of a service, whose pool answers when the steps say so."""

    async def run():
        transport = httpx.ASGITransport(service.app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            service.queue.start()
            return await steps(client)

    return asyncio.run(run())


async def until(condition):
    """Give others their turn until something is so."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0)


def test_a_full_queue_refuses_at_once_and_recovers(make_service, held_pool):
    service = make_service(held_pool, workers=1, queue=1)

    async def steps(client):
        first = [asyncio.create_task(client.post("/v1/label", json=PAGE)) for _ in range(2)]
        await until(lambda: len(held_pool.held) == 2)
        refused = await client.post("/v1/label", json=PAGE)
        busy = service.queue.n_open, service.queue.n_free
        assert b"structce_waiting_pages 1.0" in service.metrics.text()[0]
        assert (await client.get("/health")).status_code == 200
        assert (await client.get("/ready")).status_code == 200
        held_pool.answer()
        held_pool.answer()
        answered = [await answer for answer in first]
        again = asyncio.create_task(client.post("/v1/label", json=PAGE))
        await until(lambda: held_pool.held)
        held_pool.answer()
        return refused, busy, [*answered, await again]

    refused, busy, answered = run_with(service, steps)
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == "queue_full"
    assert int(refused.headers["retry-after"]) >= 1
    assert busy == (2, 0)
    assert [answer.status_code for answer in answered] == [200, 200, 200]
    assert service.queue.n_taken == 0


def test_the_time_to_wait_grows_with_the_queue(make_service, held_pool):
    queue = make_service(held_pool, workers=2, queue=100).queue
    assert queue.refusal().answer.retry_after == 1
    slots = [queue.take_slot() for _ in range(40)]
    assert queue.refusal().answer.retry_after == 10  # at a second a page until one is known
    for slot in slots:
        slot.__exit__()
    assert queue.n_taken == 0


def test_refusals_are_spread_over_time(make_service, held_pool):
    queue = make_service(held_pool).queue
    delays = [queue.refusal_delay(10.0) for _ in range(2_000)]
    assert delays[0] == delays[150] == 0
    assert 0 < delays[300] == delays[301] < delays[600] < 4
    assert delays[-1] == pytest.approx(4, abs=0.2)
    assert queue.refusal_delay(60.0) == 0


def test_a_batch_takes_further_slots_while_they_are_free(make_service, held_pool):
    service = make_service(held_pool, workers=3, queue=0)

    async def steps(client):
        single = asyncio.create_task(client.post("/v1/label", json=PAGE))
        await until(lambda: len(held_pool.held) == 1)
        batch = asyncio.create_task(client.post("/v1/label/batch", json={"pages": [PAGE] * 5}))
        await until(lambda: len(held_pool.held) == 3)
        assert service.queue.n_taken == 3
        held_pool.answer()
        await single
        for _ in range(5):
            await until(lambda: held_pool.held)
            held_pool.answer(-1)
        return (await batch).json()["results"]

    assert [answer["index"] for answer in run_with(service, steps)] == [0, 1, 2, 3, 4]
    assert service.queue.n_taken == 0


def test_a_stream_answers_pages_as_they_are_done(make_service, held_pool):
    service = make_service(held_pool, workers=2, queue=0)
    sent = []

    async def steps():
        body = json.dumps({"pages": [PAGE, PAGE, {}], "stream": True}).encode()
        task = asyncio.create_task(call(service.app, "/v1/label/batch", body, sent))
        await until(lambda: len(held_pool.held) == 2)
        held_pool.answer(1)
        await until(lambda: numbers(sent) == [1, 2])
        held_pool.answer(0)
        await task
        assert numbers(sent) == [1, 2, 0]

    asyncio.run(steps())
    assert service.queue.n_taken == 0


async def call(app, path, body, sent, *, gone=None):
    """Call an application as a server does; the client leaves when the event says so.

    Without a body the client sends none.
    """
    gone = gone or asyncio.Event()
    request = {"type": "http.request", "body": body, "more_body": False}
    messages = [] if body is None else [request]

    async def receive():
        if messages:
            return messages.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path}
    await app(scope | {"headers": headers}, receive, send)


def numbers(sent):
    bodies = [message.get("body", b"") for message in sent]
    return [json.loads(body)["index"] for body in bodies if body]


@pytest.mark.parametrize(
    ("path", "stream"),
    [("/v1/label", False), ("/v1/label/batch", False), ("/v1/label/batch", True)],
)
def test_a_client_that_leaves_frees_its_slot_after_the_work(make_service, held_pool, path, stream):
    service = make_service(held_pool, workers=1, queue=0)
    asked = {"pages": [PAGE] * 3, "stream": stream} if "batch" in path else PAGE

    async def steps():
        gone, body = asyncio.Event(), json.dumps(asked).encode()
        task = asyncio.create_task(call(service.app, path, body, [], gone=gone))
        await until(lambda: held_pool.held)
        assert held_pool.held[0][1].set_running_or_notify_cancel()  # a worker is at it
        gone.set()
        await task
        assert service.queue.n_taken == 1
        held_pool.held.pop()[1].set_result(Answer(b"{}"))
        assert service.queue.n_taken == 0

    asyncio.run(steps())
    assert held_pool.held == []


def test_a_waiting_page_is_dropped_with_its_client(make_service, held_pool):
    service = make_service(held_pool)

    async def steps():
        gone, body = asyncio.Event(), json.dumps(PAGE).encode()
        task = asyncio.create_task(call(service.app, "/v1/label", body, [], gone=gone))
        await until(lambda: held_pool.held)
        gone.set()
        await task

    asyncio.run(steps())
    assert held_pool.held[0][1].cancelled()
    assert service.queue.n_taken == 0


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (TimeLimitError("page: took more than 35 seconds"), 504, "time_limit"),
        (RenderError("page: the process died (exit code 7)"), 500, "worker_died"),
        (ValueError("secret words of a page"), 500, "internal_error"),
    ],
)
def test_a_failing_worker_costs_one_page(make_service, held_pool, error, status, code):
    service = make_service(held_pool)

    async def steps(client):
        task = asyncio.create_task(client.post("/v1/label", json=PAGE))
        await until(lambda: held_pool.held)
        held_pool.held.pop()[1].set_exception(error)
        return await task

    answer = run_with(service, steps)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert "secret" not in answer.text
    assert f'reason="{code}"' in service.metrics.text()[0].decode()
    assert service.queue.n_taken == 0


def test_readiness_needs_an_answer_of_every_worker(make_service, held_pool):
    service = make_service(held_pool)
    held_pool.work = lambda _: Answer(error=page_error("page", ValueError()))

    async def steps(client):
        unready = await client.get("/ready")
        held_pool.work = lambda _: Answer(b"{}")
        again = await client.get("/ready")
        ready = await client.get("/ready")
        service.queue.stop()
        answers = unready, again, ready, await client.get("/ready")
        return [answer.status_code for answer in answers], await client.post("/v1/label", json=PAGE)

    statuses, refused = run_with(service, steps)
    assert statuses == [503, 503, 200, 503]
    assert refused.json()["error"]["code"] == "stopping"
    assert held_pool.is_closed


def test_a_slow_body_is_refused(make_service, held_pool, monkeypatch):
    monkeypatch.setattr("structce.service.app._BODY_SECONDS", 0)
    service = make_service(held_pool)
    sent = []
    asyncio.run(call(service.app, "/v1/label", None, sent))
    assert sent[0]["status"] == 408
    assert service.queue.n_taken == 0
