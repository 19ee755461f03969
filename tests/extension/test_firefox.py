"""The extension in Firefox, which is driven through Marionette, its own protocol."""

import json
import shutil
import socket
import subprocess
import time

import numpy as np
import pytest

from structce.extraction.boilernet import text_leaves
from structce.extraction.parsed_document import ParsedDocument

pytestmark = pytest.mark.browser

START_SECONDS = 120
ID = "structce@structce.invalid"
PAGE = """<!doctype html><title>No ferry</title><nav><a href="/">Home</a></nav>
<p>The ferry, they <b>said</b>, will not sail.</p><p>Nobody knows why.</p><footer>All rights"""
CLICK = f"""
  const {{ ExtensionParent }} = ChromeUtils.importESModule(
    "resource://gre/modules/ExtensionParent.sys.mjs");
  const {{ extension }} = WebExtensionPolicy.getByID("{ID}");
  await ExtensionParent.apiManager.global.browserActionFor(extension).triggerAction(window);
"""
HIGHLIGHTED = """
  const shown = CSS.highlights.get("structce-content");
  return shown ? [...shown].map((range) => range.startContainer.data) : null;
"""
SETTINGS = {
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


class Firefox:
    """A session: commands go out, and each is answered, as ``length:JSON``."""

    def __init__(self, connection):
        self._connection = connection
        self._read()  # the greeting
        self.command("WebDriver:NewSession")

    def command(self, name, **parameters):
        data = json.dumps([0, 1, name, parameters]).encode()
        self._connection.sendall(f"{len(data)}:".encode() + data)
        _, _, error, result = self._read()
        assert error is None, error["message"]
        return result

    def run(self, script, context="content"):
        """Return what the body of an asynchronous function returns, in the page or the browser."""
        self.command("Marionette:SetContext", value=context)
        whole = (
            "const done = arguments[arguments.length - 1];"
            f"(async () => {{ {script} }})().then((v) => done([v ?? null]), (e) => done(`${{e}}`));"
        )
        value = self.command("WebDriver:ExecuteAsyncScript", script=whole, args=[])["value"]
        assert isinstance(value, list), value
        return value[0]

    def _read(self):
        length = b""
        while not length.endswith(b":"):
            length += self._connection.recv(1)
        data = b""
        while len(data) < int(length[:-1]):
            data += self._connection.recv(int(length[:-1]) - len(data))
        return json.loads(data)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def connect(process, port):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS)
        except OSError:
            time.sleep(0.1)
    return None


@pytest.fixture
def firefox(tmp_path):
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        pytest.skip("needs Firefox")
    port = free_port()
    settings = SETTINGS | {"marionette.port": port}
    lines = (f'user_pref("{name}", {json.dumps(value)});\n' for name, value in settings.items())
    (tmp_path / "user.js").write_text("".join(lines))
    command = [path, "--headless", "--marionette", "-remote-allow-system-access", "-no-remote"]
    process = subprocess.Popen(
        [*command, "-profile", str(tmp_path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    connection = connect(process, port)
    try:
        if connection is None:
            pytest.skip("Firefox does not start, or does not let itself be driven")
        with connection:
            yield Firefox(connection)
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def test_one_click_highlights_the_main_content_in_firefox(firefox, built, server, small_boilernet):
    firefox.command("Addon:Install", path=str(built / "firefox"), temporary=True)
    firefox.command("WebDriver:Navigate", url=server.put("firefox", PAGE))
    firefox.run(CLICK, "chrome")
    deadline = time.monotonic() + START_SECONDS
    while (highlighted := firefox.run(HIGHLIGHTED)) is None:
        assert time.monotonic() < deadline, "nothing was highlighted"
        time.sleep(0.05)
    leaves = text_leaves(ParsedDocument.of(PAGE))
    chosen = np.flatnonzero(small_boilernet.probabilities(leaves) >= 0.5)
    assert highlighted == [leaves.text[i] for i in chosen]
    assert 0 < len(highlighted) < len(leaves)
