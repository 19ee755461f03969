"""The examples of docs/service.md, and the command of the container."""

import json
import re
import shlex
from pathlib import Path

import httpx
import pytest

from structce.cli.serve import command as serve_command

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "service.md").read_text("utf-8")
CONSOLE = "\n".join(re.findall(r"^```console\n(.*?)^```", TEXT, re.M | re.S))
EXAMPLES = re.findall(r"^\$ (curl .+)\n((?:\{.*\n?)+)", CONSOLE, re.M)


@pytest.fixture
def ferry(tmp_path, monkeypatch):
    (html,) = re.findall(r"^```html\n(.*?)^```", TEXT, re.M | re.S)
    (tmp_path / "ferry.html").write_text(html, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def send(client, command):
    """Send what a command of curl would send."""
    words = iter(shlex.split(command)[1:])
    headers, body, address = {}, None, ""
    for word in words:
        if word == "-H":
            headers.update([next(words).split(": ")])
        elif word == "-d":
            body = next(words).encode()
        elif word != "-s":
            address = word
    return client.request("GET" if body is None else "POST", address, content=body, headers=headers)


def without_model(value):
    """Return an answer without what depends on the model."""
    if isinstance(value, dict):
        seen = {"articleBody", "articleBodyHtml", "probability"}
        return {key: key if key in seen else without_model(part) for key, part in value.items()}
    return [without_model(part) for part in value] if isinstance(value, list) else value


@pytest.mark.usefixtures("ferry")
@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_an_example_of_the_guide_is_answered(client, command, output):
    answers = [json.loads(line) for line in send(client, command).text.splitlines()]
    expected = [json.loads(line) for line in output.splitlines()]
    assert without_model(answers) == without_model(expected)


@pytest.mark.usefixtures("ferry")
def test_the_python_client_of_the_guide_works(make_service, monkeypatch, capsys):
    (code,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)
    monkeypatch.setattr(httpx, "Client", lambda **_: make_service().client())
    exec(compile(code, "docs/service.md", "exec"), {})
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "Ferry to stop in June ['Ann Lee'] 2026-05-03"
    assert sorted(lines) == ["0 False", "1 False", "2 False"]


def test_the_container_serves_as_a_user_without_rights():
    text = (ROOT / "Containerfile").read_text("utf-8")
    user = re.findall(r"^USER (\d+):(\d+)$", text, re.M)
    assert len(user) == 1
    assert min(map(int, user[0])) >= 1_000
    words = (re.search(rf"^{word} (\[.*\])$", text, re.M)[1] for word in ("ENTRYPOINT", "CMD"))
    entry, options = map(json.loads, words)
    assert entry[1] == "serve"
    context = serve_command.make_context("serve", [*entry[2:], *options])
    assert (context.params["host"], context.params["port"]) == ("0.0.0.0", 8000)
    for source in re.findall(r"^COPY (?!--)(.+) \S+$", text, re.M):
        assert all((ROOT / name).exists() for name in source.split())
