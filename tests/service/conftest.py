"""A service in this process: its pool works at once, or when a test lets it."""

from concurrent.futures import Future

import pytest

from structce.service.app import ServiceApp
from structce.service.queue import PageQueue
from structce.service.requests import PageTask
from structce.service.work import Answer, PageWork, WorkSetup

pytest.importorskip("prometheus_client")
testclient = pytest.importorskip("starlette.testclient")

HOST = "127.0.0.1:8000"


class InlinePool:
    """Works on each page at once, as a worker would."""

    def __init__(self, work):
        self.work = work
        self.is_closed = False

    def submit(self, item, name):
        future = Future()
        future.set_result(self.work(item))
        return future

    def close(self, *, is_forced=False):
        self.is_closed = True


class HeldPool(InlinePool):
    """Keeps pages until a test answers them."""

    def __init__(self):
        super().__init__(lambda _: Answer(b'{"held": true}', seconds=0.5))
        self.held: list[tuple[PageTask, Future[Answer]]] = []

    def submit(self, item, name):
        future = Future()
        if name == "probe":
            future.set_result(self.work(item))
        else:
            self.held.append((item, future))
        return future

    def answer(self, number=0):
        item, future = self.held.pop(number)
        if future.set_running_or_notify_cancel():
            future.set_result(self.work(item))


class Service:
    """An application with all that it is made of."""

    def __init__(self, pool, workers=1, queue=4, **options):
        self.pool = pool
        self.queue = PageQueue(pool, workers=workers, queue=queue)
        self.metrics = self.queue.metrics
        hosts = None if options.get("token") else frozenset([HOST])
        self.app = ServiceApp(self.queue, hosts, **options)

    def client(self):
        return testclient.TestClient(self.app, base_url=f"http://{HOST}")


@pytest.fixture(scope="session")
def page_work():
    """The work of a process of the service, done in this one."""
    work = PageWork(WorkSetup())
    yield work
    work.close()


@pytest.fixture
def make_service(page_work):
    """Return a function that makes a service, whose pool works at once if none is given."""

    def make(pool=None, **given):
        return Service(pool or InlinePool(page_work), **given)

    return make


@pytest.fixture
def held_pool():
    return HeldPool()


@pytest.fixture
def client(make_service):
    with make_service().client() as opened:
        yield opened
