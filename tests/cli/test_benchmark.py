"""``structce benchmark`` and ``structce proxy`` as a user runs them."""

import subprocess
import sys

import pytest
from local_server import served
from package_files import write_package

from structce.extraction import SERVER_SETTINGS, ExtractionProxy, make_extractor
from structce.rendering import ProxyClient
from structce.runtime import bind


@pytest.fixture
def package(tmp_path):
    menu = "<ul><li><a>Home</a></ul>"
    pages = {name: (f"{menu}<p>The quay {name}</p>", f"The quay {name}\n") for name in "ab"}
    return write_package(tmp_path / "quay", pages)


def column(out, name):
    header, *lines = (line.split("\t") for line in out.splitlines())
    return [line[header.index(name)] for line in lines]


def test_methods_and_proxies_are_measured_in_one_table(run, package):
    proxy = ExtractionProxy(make_extractor("link-quota-50"), allow_private=True)
    with served(proxy, **SERVER_SETTINGS) as address:
        code, out, err = run("benchmark", package, "--method", "plain", "--proxy", address)
    assert (code, err) == (0, "")
    assert column(out, "row") == ["document"] * 4 + ["mean", "deviation"] * 2
    assert column(out, "system") == ["plain", address] * 2 + ["plain"] * 2 + [address] * 2
    assert column(out, "bag_precision")[:2] == ["0.75", "1"]


def test_a_table_in_a_file_is_completed(run, package, tmp_path):
    out = tmp_path / "results.tsv"
    command = ("benchmark", package, "--out", out, "--method", "plain")
    assert run(*command)[:2] == (0, "")
    first = out.read_text()
    assert run(*command)[:2] == (0, "")
    assert out.read_text() == first  # times included: nothing is measured again
    run(*command, "--method", "bte")
    assert column(out.read_text(), "system")[:4] == ["plain", "bte"] * 2
    (package / "a.html").write_text("<p>The quay, edited</p>")
    run("benchmark", package, "--out", out, "--method", "plain")
    names = ("system", "document", "bytes")
    systems, documents, sizes = (column(out.read_text(), name) for name in names)
    assert (systems[:4], documents[:4]) == (["bte", "bte", "plain", "plain"], ["a", "b"] * 2)
    assert sizes[2] == "23" != sizes[0]


def test_a_file_of_something_else_is_left_alone(run, package, tmp_path):
    path = tmp_path / "notes.tsv"
    path.write_text("my notes\n")
    code, _, err = run("benchmark", package, "--out", path, "--method", "plain")
    assert (code, path.read_text()) == (2, "my notes\n")
    assert "is no table to continue" in err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "--method NAME or --proxy"),
        (("--method", "btee"), "did you mean 'bte'"),
        (("--method", "content-extractor"), "learn its template first"),
        (("--proxy", "nowhere"), "HOST:PORT"),
        (("PACKAGE", "--method", "plain"), "several packages are called quay"),
    ],
)
def test_mistakes_are_named(run, package, options, why):
    given = [package if option == "PACKAGE" else option for option in options]
    code, out, err = run("benchmark", package, *given)
    assert (code != 0, out) == (True, "")
    assert why in err


def test_failures_are_named_and_tried_again(run, package, tmp_path):
    (package / "c.html").write_text("<p>c</p>")
    code, out, err = run("benchmark", package, "--proxy", "127.0.0.1:1", "--seconds", "5")
    assert (code, "quay: c:" in err, "quay: a: 127.0.0.1:1:" in err) == (1, True, True)
    assert all(column(out, "error")[:2])
    assert column(out, "bag_f1")[0] == "0"
    (package / "a.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    command = ("benchmark", package, "--out", tmp_path / "results.tsv", "--method", "plain")
    assert [run(*command)[0] for _ in range(2)] == [1, 1]
    errors = column((tmp_path / "results.tsv").read_text(), "error")
    assert [bool(error) for error in errors[:2]] == [True, False]


def test_a_proxy_prints_its_address_and_answers():
    pytest.importorskip("uvicorn")
    command = [sys.executable, "-m", "structce", "proxy", "--method", "plain", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            address = running.stderr.readline().split()[2].rstrip(";")
            with pytest.raises(Exception, match="502"):
                ProxyClient(address).get("http://169.254.169.254/", seconds=30, max_bytes=1_000)
        finally:
            running.terminate()


def test_a_port_in_use_is_an_error(run):
    pytest.importorskip("uvicorn")
    with bind("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        code, _, err = run("proxy", "--port", port)
    assert code == 1
    assert f"127.0.0.1:{port}: " in err
    assert "choose another --port" in err
