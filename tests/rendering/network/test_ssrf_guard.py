"""Who may be asked: only addresses of everybody, and only those that were checked."""

import ipaddress
import socket

import httpx
import pytest

from structce.errors import SourceError
from structce.rendering.base import Limits
from structce.rendering.network.http import NetworkResources
from structce.rendering.network.ssrf_guard import AddressPolicy, is_dangerous, is_public

LIMITS = Limits(request_bytes=50_000, total_bytes=120_000, request_seconds=60.0)
PUBLIC = "9.9.9.9"


def reason(resources, url):
    """Return why an address gave nothing."""
    assert resources.get(url) is None
    return resources.failures[url]


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://post.example/a",
        "data:text/css,p",
        "/style.css",
        "http:///style.css",
        "http://",
        "",
        "http://post.example:22/",
        "http://post.example:99999/",
        "http://post.example:none/",
        "http://me:secret@post.example/",
        "http://" + "a" * 300 + ".example/",
        "http://post..example/",
        "http://[fe80::1%25eth0]/",
        "http://post.example/" + "a" * 9_000,
        "http://post.example/\udcff",
        "http://\0/",
    ],
)
def test_refused_address_is_reported_and_not_requested(url, names, connections):
    names["post.example"] = [PUBLIC]
    with NetworkResources("http://post.example/", limits=LIMITS) as resources:
        assert resources.get(url) is None
        assert list(resources.failures) == [url[:8_000]]
    assert connections.made == []


@pytest.mark.parametrize(
    "address",
    """
        127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 100.64.0.1
        100.100.100.200 192.0.0.192 168.63.129.16 224.0.0.1 240.0.0.1 255.255.255.255 198.18.0.1
        192.88.99.1 203.0.113.5 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1
        ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 ::ffff:0:10.0.0.1 64:ff9b::10.0.0.1
        64:ff9b::169.254.169.254 64:ff9b:1::1 2002:7f00:1:: 2002:909:909:: 2001:0:909:909::1
        2001:db8::1 3fff::1 5f00::1 100::1
    """.split(),
)
def test_special_purpose_address_is_not_public(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address", [PUBLIC, "172.32.0.1", "2620:fe::fe", f"::ffff:{PUBLIC}", f"64:ff9b::{PUBLIC}"]
)
def test_global_address_is_public(address):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    """
        169.254.169.254 100.100.100.200 168.63.129.16 0.0.0.0 224.0.0.1 :: fe80::1 fd00:ec2::254
        ::ffff:169.254.169.254 64:ff9b::169.254.169.254 2002:a9fe:a9fe:: 2001:0:1:1:0:0:5601:5601
    """.split(),
)
def test_metadata_services_of_clouds_are_never_requested(address):
    parsed = ipaddress.ip_address(address)
    assert is_dangerous(parsed)
    base = httpx.URL(f"http://{address}/" if ":" not in address else f"http://[{address}]/")
    for policy in (AddressPolicy(base, is_named=True), AddressPolicy(base, allow_private=True)):
        with pytest.raises(SourceError, match="not a public address"):
            policy.allowed(base.host, 80, [parsed])


def test_a_name_that_leads_to_this_machine_is_not_asked(server, names):
    names["post.example"] = ["127.0.0.1"]
    base = f"http://post.example:{server.server_port}/style.css"
    with NetworkResources(base, limits=LIMITS, is_named=True) as resources:
        told = reason(resources, base)
        with pytest.raises(SourceError, match=r"post\.example.*127\.0\.0\.1"):
            resources.page()
    assert told == "post.example is at 127.0.0.1, which is not a public address"
    assert server.seen == []


def test_the_host_that_the_user_named_opens_no_other_one(server, make_server):
    with make_server() as other:
        with NetworkResources(server.url, limits=LIMITS, is_named=True) as resources:
            assert "port" in reason(resources, f"{other.url}/style.css")
            told = reason(resources, f"http://127.0.0.2:{server.server_port}/style.css")
            assert "not a public address" in told
        with NetworkResources(server.url, limits=LIMITS) as resources:
            assert "not a public address" in reason(resources, f"{server.url}/style.css")
        assert server.seen == other.seen == []


def test_only_the_addresses_that_were_checked_are_connected_to(names, connections):
    names["post.example"] = ["10.0.0.1", PUBLIC, "::1", "2620:fe::fe"]
    with NetworkResources("https://post.example/", limits=LIMITS) as resources:
        resources.get("https://post.example/style.css")
        assert connections.made == [(PUBLIC, 443)]
        assert connections.tls_names == ["post.example"]


def test_a_name_is_looked_up_once_a_connection(connections, monkeypatch):
    looked_up = []
    answers = iter([PUBLIC, "127.0.0.1"])

    def rebind(host, *_, **__):
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), 443))]

    monkeypatch.setattr(socket, "getaddrinfo", rebind)
    with NetworkResources("https://post.example/", limits=LIMITS) as resources:
        assert "no TLS here" in reason(resources, "https://post.example/1")
        assert "127.0.0.1" in reason(resources, "https://post.example/2")
    assert looked_up == ["post.example"] * 2
    assert connections.made == [(PUBLIC, 443)]
