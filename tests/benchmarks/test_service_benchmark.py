"""The load on the service: rates are kept, refusals are told from errors, nothing is unbounded."""

import asyncio
from itertools import cycle, repeat

import httpx

from benchmarks.service import Load, Target, keep_rate, saturate


def loaded(phase, statuses):
    """Return the load of a phase against a server that answers so."""
    answers = iter(statuses)

    def handle(_):
        if (status := next(answers)) == 0:
            raise httpx.ConnectError("gone")
        return httpx.Response(status)

    async def run():
        transport = httpx.MockTransport(handle)
        async with httpx.AsyncClient(transport=transport, base_url="http://page.invalid") as client:
            return await phase(Target(client, cycle([b"<p>a"]), "/v1/label"))

    return asyncio.run(run())


def test_a_rate_is_kept_whatever_is_answered():
    statuses = [200, 503, 0, 500, 503, 200]
    load = loaded(lambda target: keep_rate(target, "300 %", 1e6, 1.0, 6), statuses)
    row = load.row(1.0)
    assert (row["requests"], row["answered"], row["refused"], row["errors"]) == (6, 2, 2, 2)
    assert row["answer 50 %, ms"] > 0


def test_capacity_is_bounded_by_requests_and_by_seconds():
    load = loaded(lambda target: saturate(target, 2, 60.0, 5), repeat(200))
    assert 5 <= len(load.answers) <= 6
    assert load.pages_per_second > 0
    assert loaded(lambda target: saturate(target, 2, 0.0, 5), repeat(200)).answers == []


def test_a_phase_without_refusals_has_no_times_of_them():
    row = Load("capacity", answers=[(200, 0.5)], seconds=2.0).row(3.0)
    assert (row["pages/s"], row["answer 95 %, ms"]) == (0.5, 500.0)
    assert row["refusal 50 %, ms"] is None
