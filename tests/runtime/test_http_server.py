"""Serving: whose requests are refused, and what the name of this machine may be."""

import pytest

from structce.runtime import LOOPBACK, foreign_request, host_headers, is_same_secret, new_token

HOSTS = frozenset(["localhost:8000"])


class Listener:
    """What a socket says of itself."""

    def __init__(self, port):
        self.port = port

    def getsockname(self):
        return LOOPBACK, self.port


def refused(method="POST", hosts=HOSTS, **headers):
    given = {"host": "localhost:8000"} | {key.replace("_", "-"): v for key, v in headers.items()}
    return bool(foreign_request(method, given, hosts=hosts))


def test_hosts_accept_the_default_port():
    assert host_headers(Listener(8000), "localhost", "::1") == {"localhost:8000", "[::1]:8000"}
    assert host_headers(Listener(80), "localhost") == {"localhost", "localhost:80"}


def test_local_program_is_answered_foreign_site_not():
    assert not refused()
    assert not refused(origin="http://localhost:8000", sec_fetch_site="same-origin")
    assert refused(host="evil.example")
    assert refused(origin="http://evil.example")
    assert refused(origin="http://localhost:8001")
    assert refused(sec_fetch_site="cross-site")


def test_a_link_on_another_site_may_lead_here_and_nothing_else():
    link = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert not refused("GET", sec_fetch_dest="document", **link)
    assert refused("GET", sec_fetch_dest="iframe", **link)
    assert refused("POST", sec_fetch_dest="document", **link)


def test_any_host_is_answered_where_it_is_said():
    assert refused(origin="https://app.example")
    assert not refused(hosts=None, host="pages.example")
    assert refused(hosts=None, host="pages.example", origin="https://evil.example")


@pytest.mark.parametrize("given", ["", "secre", "secret ", "SECRET", "\ud800", "s\xe9cret"])
def test_secrets_are_equal_or_not(given):
    assert is_same_secret("secret", "secret")
    assert not is_same_secret("secret", given)
    assert new_token() != new_token()
