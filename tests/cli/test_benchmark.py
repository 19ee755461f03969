"""``structce benchmark`` and ``structce proxy`` as a user runs them."""

import json
import subprocess
import sys

import pytest
from local_server import served

from structce.extraction import SERVER_SETTINGS, ExtractionProxy, make_extractor
from structce.rendering import ProxyClient
from structce.runtime import bind


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "quay"
    folder.mkdir()
    (folder / "description.package").write_text("name: The quay\n")
    for name in ("a", "b"):
        (folder / f"{name}.html").write_text(f"<ul><li><a>Home</a></ul><p>The quay {name}</p>")
        (folder / f"{name}.txt").write_text(f"The quay {name}\n")
    return folder


def report_of(folder):
    return json.loads((folder / "report.json").read_text("utf-8"))


@pytest.mark.usefixtures("plain_reports")
def test_methods_and_proxies_are_compared(run, package, tmp_path):
    proxy = ExtractionProxy(make_extractor("link-quota-50"), allow_private=True)
    out, methods = tmp_path / "report", ("--method", "plain", "--measure", "bag")
    with served(proxy, **SERVER_SETTINGS) as address:
        methods = (*methods, "--method", f"proxy:{address}")
        code, printed, _ = run("benchmark", package, *methods, "--set", "seed=3", "--out", out)
    assert code == 0
    assert f"proxy:{address} has the highest bag F1, 100.00 per cent." in printed
    report = report_of(out)
    assert (report["experiment"]["seed"], report["experiment"]["measures"]) == (3, ["bag"])
    units = [(one["subject"], one["unit"], one["value"]) for one in report["units"]]
    assert units[:2] == [("plain", "a", pytest.approx(6 / 7)), ("plain", "b", pytest.approx(6 / 7))]
    header, first, *_ = (out / "units.tsv").read_text("utf-8").splitlines()
    assert dict(zip(header.split("\t"), first.split("\t"), strict=True))["unit"] == "a"
    assert units[2:] == [(f"proxy:{address}", name, 1) for name in ("a", "b")]


@pytest.mark.usefixtures("plain_reports")
def test_a_report_is_completed(run, package, tmp_path):
    out = tmp_path / "report"
    command = ("benchmark", package, "--out", out, "--method", "plain")
    assert run(*command)[0] == 0
    first = report_of(out)["scores"]
    run(*command, "--method", "bte")
    kept = [score for score in report_of(out)["scores"] if score["subject"] == "plain"]
    assert kept == first  # times included: nothing is measured again


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "--method"),
        (("--method", "btee"), "did you mean 'bte'"),
        (("--method", "content-extractor"), "a method compares pages of a class"),
        (("--method", "proxy:nowhere"), "HOST:PORT"),
        (("PACKAGE", "--method", "plain"), "several packages are called quay"),
    ],
)
def test_mistakes_are_named(run, package, options, why):
    given = [package if option == "PACKAGE" else option for option in options]
    code, out, err = run("benchmark", package, *given)
    assert (code != 0, out) == (True, "")
    assert why in err


@pytest.mark.usefixtures("plain_reports")
def test_failures_are_named_and_exit_with_1(run, package, tmp_path):
    options = ("--method", "proxy:127.0.0.1:1", "--method", "plain", "--set", "seconds=5")
    code, printed, _ = run("benchmark", package, *options, "--out", tmp_path / "report")
    assert code == 1
    (failure,) = report_of(tmp_path / "report")["failures"]
    assert (failure["subject"], failure["n_units"]) == ("proxy:127.0.0.1:1", 2)
    assert "What failed" in printed


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
