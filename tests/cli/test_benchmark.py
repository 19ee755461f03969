"""``structce benchmark`` and ``structce proxy`` as a user runs them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.extraction import make_extractor
from structce.extraction.proxies import ExtractionProxy
from structce.rendering import ProxyClient

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "quay"
    folder.mkdir()
    (folder / "description.package").write_text("name: The quay\n")
    for name in ("a", "b"):
        (folder / f"{name}.html").write_text(f"<ul><li><a>Home</a></ul><p>The quay {name}</p>")
        (folder / f"{name}.txt").write_text(f"The quay {name}\n")
    return folder


def column(out: str, name: str) -> list[str]:
    header, *lines = (line.split("\t") for line in out.splitlines())
    return [line[header.index(name)] for line in lines]


def test_methods_and_proxies_are_measured_in_one_table(run: Run, package: Path) -> None:
    with ExtractionProxy(make_extractor("link-quota-50"), allow_private=True) as proxy:
        code, out, err = run("benchmark", package, "--method", "plain", "--proxy", proxy.address)
    assert (code, err) == (0, "")
    assert column(out, "row") == ["document"] * 4 + ["mean", "deviation"] * 2
    assert (
        column(out, "system") == ["plain", proxy.address] * 2 + ["plain"] * 2 + [proxy.address] * 2
    )
    assert column(out, "bag_precision")[:2] == ["0.75", "1"]
    assert column(out, "bag_f1")[-2:] == ["1", "0"]


def test_a_table_in_a_file_is_completed(run: Run, package: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.tsv"
    assert run("benchmark", package, "--method", "plain", "--out", out)[:2] == (0, "")
    first = out.read_text()
    assert run("benchmark", package, "--method", "plain", "--out", out)[:2] == (0, "")
    assert out.read_text() == first  # times included: nothing is measured again
    run("benchmark", package, "--method", "plain", "--method", "bte", "--out", out)
    assert column(out.read_text(), "system")[:4] == ["plain", "bte"] * 2


def test_what_fails_is_told_and_is_in_the_code(run: Run, package: Path) -> None:
    (package / "c.html").write_text("<p>c</p>")
    code, out, err = run("benchmark", package, "--proxy", "127.0.0.1:1", "--seconds", "5")
    assert code == 1
    assert "quay: c:" in err
    assert "quay: a: 127.0.0.1:1:" in err
    assert all(column(out, "error")[:2])
    assert column(out, "bag_f1")[0] == "0"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "--method NAME or --proxy"),
        (("--method", "btee"), "did you mean 'bte'"),
        (("--proxy", "nowhere"), "HOST:PORT"),
    ],
)
def test_wrong_usage_is_told(run: Run, package: Path, options: tuple[str, ...], why: str) -> None:
    code, out, err = run("benchmark", package, *options)
    assert code != 0
    assert out == ""
    assert why in err


def test_two_packages_of_one_name_are_refused(run: Run, package: Path) -> None:
    code, _, err = run("benchmark", package, package, "--method", "plain")
    assert code == 2
    assert "several packages are called quay" in err


def test_a_proxy_tells_where_it_listens_and_answers() -> None:
    command = [sys.executable, "-m", "structce", "proxy", "--method", "plain", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            address = running.stderr.readline().split()[2].rstrip(";")
            client = ProxyClient(address)
            with pytest.raises(Exception, match="502"):
                client.get("http://169.254.169.254/", seconds=30, max_bytes=1_000)
        finally:
            running.terminate()


def test_a_port_that_is_taken_is_an_error(run: Run) -> None:
    with ExtractionProxy(make_extractor("plain"), allow_private=True) as proxy:
        port = proxy.address.rpartition(":")[2]
        code, _, err = run("proxy", "--port", port)
    assert code == 1
    assert f"cannot listen on 127.0.0.1:{port}" in err
