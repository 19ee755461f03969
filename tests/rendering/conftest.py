"""What tests of renderers share: a place that counts who comes, and browsers by settings."""

import select
import socket
from collections import deque
from contextlib import ExitStack

import pytest
from local_browser import has_browser
from msgspec.structs import replace

from structce.rendering.chromium import ChromiumRenderer

PATIENCE = 10
"""Tests for which a place stays open after its own."""


class Outside:
    """An address of this machine that stands for the network, and counts what reaches it.

    Nobody answers: the kernel takes connections and datagrams in, and ``visits`` takes them out.
    One port serves both, so that one address does for pages and for peer connections.
    """

    def __init__(self, name):
        self.name = name
        self.stream = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self.stream.getsockname()[1]
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("127.0.0.1", self.port))
        self.stream.setblocking(False)
        self.datagrams.setblocking(False)

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def visits(self):
        """Return how many connections and datagrams have come since the last question."""
        return sum(1 for _ in self._connections()) + sum(1 for _ in self._datagrams())

    def wait(self, seconds):
        """Wait for a visit and return whether there was one; it stays to be counted."""
        return bool(select.select([self.stream, self.datagrams], [], [], seconds)[0])

    def _connections(self):
        while True:
            try:
                self.stream.accept()[0].close()
            except BlockingIOError:
                return
            yield

    def _datagrams(self):
        while True:
            try:
                self.datagrams.recv(65_536)
            except BlockingIOError:
                return
            yield

    def close(self):
        self.stream.close()
        self.datagrams.close()


@pytest.fixture(scope="module")
def places():
    """The places of the last tests, open still: what comes late counts too."""
    places = deque()
    yield places
    while places:
        assert_unvisited(places.popleft())


@pytest.fixture
def outside(request, places):
    """A place of this test's own that no page may reach."""
    place = Outside(request.node.name)
    places.append(place)
    if len(places) > PATIENCE:
        assert_unvisited(places.popleft())
    return place


def assert_unvisited(place):
    late = place.visits()
    place.close()
    assert late == 0, f"{late} came late from {place.name}"


@pytest.fixture(scope="module")
def chromium_with():
    """Browsers by their settings, each started once for the tests of a module."""
    if not has_browser():
        pytest.skip("no Chromium, Chrome or Edge is installed")
    started = {}
    with ExitStack() as stack:

        def start(settings):
            # Nothing answers the pages of these tests, so there is nothing to wait for.
            settings = replace(settings, limits=replace(settings.limits, quiet=0.1))
            if settings not in started:
                started[settings] = stack.enter_context(ChromiumRenderer(settings=settings))
            return started[settings]

        yield start
