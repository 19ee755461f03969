"""A real server on loopback: it starts, answers, finishes what is under way, and ends."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading

import psutil
import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("prometheus_client")

PAGE = {"html": "<h1>Ferry to stop</h1><p>By Ann Lee<p>It will stop in June, the company said."}
JSON = {"content-type": "application/json"}


class Server:
    """A server in a process of its own, and the lines of its log."""

    def __init__(self, *options):
        command = [sys.executable, "-m", "structce", "serve", "--port", "0", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.port = int(self.process.stderr.readline().rpartition(":")[2])

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body and json.dumps(body), JSON if body else {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def send_raw(self, data):
        """Send bytes that are no request, and return the first line of what comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=120) as opened:
            opened.sendall(data)
            opened.shutdown(socket.SHUT_WR)
            return opened.makefile("rb").readline().strip()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        lines = self.process.communicate(timeout=120)[1].splitlines()
        return self.process.returncode, lines


@pytest.fixture
def start():
    opened = []

    def begin(*options):
        opened.append(Server(*options))
        return opened[-1]

    yield begin
    for server in opened:
        server.process.kill()
        server.process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="a process there gets no SIGTERM")
def test_a_server_finishes_its_requests_before_it_ends(start):
    server = start("--workers", "1")
    assert server.ask("GET", "/health")[0] == 200
    status, body = server.ask("POST", "/v1/label", PAGE)
    assert (status, json.loads(body)["title"]["value"]) == (200, "Ferry to stop")
    assert server.ask("GET", "/ready")[0] == 200
    for data in (b"\0\xff\r\n\r\n", b"GET /health\r\n\r\n", b"POST /v1/label HTTP/1.1\r\n\r\n"):
        assert server.send_raw(data).startswith(b"HTTP/1.1 400")
    assert server.send_raw(b"") == b""
    for child in psutil.Process(server.process.pid).children():
        if "spawn_main" in " ".join(child.cmdline()):
            child.kill()
    assert server.ask("POST", "/v1/label", PAGE)[0] == 200
    answers = []

    def ask():
        answers.append(server.ask("POST", "/v1/label/batch", {"pages": [PAGE] * 12}))

    thread = threading.Thread(target=ask)
    thread.start()
    while b"structce_pages_in_flight 0.0" in server.ask("GET", "/metrics")[1]:
        assert thread.is_alive()
    code, lines = server.end()
    thread.join()
    ((status, body),) = answers
    assert status == 200
    assert len(json.loads(body)["results"]) == 12
    assert code == 0
    assert lines[-1].endswith(" INFO stopped")
    assert not [line for line in lines if "Ferry" in line]
    with pytest.raises(OSError, match="refused"):
        server.ask("GET", "/health")
