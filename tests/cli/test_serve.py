"""``structce serve``: what is refused before it listens, and what it passes to the service."""

import socket

import pytest

pytest.importorskip("prometheus_client")
pytest.importorskip("uvicorn")

TOKEN = "a-secret-of-the-tests"


@pytest.fixture
def served(monkeypatch):
    """Setup and options that the service would run with."""
    given = []
    monkeypatch.setattr(
        "structce.service.run_service", lambda setup, **options: given.append((setup, options))
    )
    return given


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "pages.example", ""])
def test_others_reach_a_server_only_with_a_token(run, served, monkeypatch, host):
    code, _, err = run("serve", "--host", host)
    assert code == 2
    assert "give a token" in err
    assert run("serve", "--host", host, "--token", TOKEN)[0] == 0
    monkeypatch.setenv("STRUCTCE_TOKEN", TOKEN)
    assert run("serve", "--host", host)[0] == 0
    assert [(options["host"], options["token"]) for _, options in served] == [(host, TOKEN)] * 2


@pytest.mark.parametrize("token", ["short", "fifteen-letters", "é" * 20, "with a\nline break"])
def test_a_weak_token_is_refused(run, served, token):
    code, _, err = run("serve", "--token", token)
    assert (code, served) == (2, [])
    assert "16 or more" in err


def test_options_are_those_of_the_server(run, served):
    given = "--workers 3 --queue 7 --limit page_seconds=2 --limit regions=9 --network"
    code, _, err = run("serve", *given.split())
    assert (code, err) == (0, "")
    ((setup, options),) = served
    assert (options["workers"], options["queue"]) == (3, 7)
    settings = setup.settings
    assert (settings.limits.page_seconds, settings.limits.regions, settings.network) == (2, 9, True)
    assert options["host"] == "127.0.0.1"


def test_models_are_checked_before_anything_starts(run, served):
    code, _, err = run("serve", "--model", "no-such-model")
    assert (code, served) == (1, [])
    assert "no-such-model" in err
    code, _, err = run("serve", "--model", "news-chromium")
    assert code == 0
    assert "expect more mistakes" in err


def test_a_port_in_use_is_an_error(run, monkeypatch):
    from structce.service import server as running

    monkeypatch.setattr(running.logging, "basicConfig", lambda **_: None)
    monkeypatch.setattr(running.signal, "signal", lambda *_: None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _, err = run("serve", "--port", taken.getsockname()[1])
    assert code == 1
    assert "choose another --port" in err
