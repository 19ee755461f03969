"""The build: what is asked of users, what is in the result, and what is pinned."""

import importlib.util
import json
import re

import pytest


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_packages_are_pinned_and_no_address_is_named(extension_folder):
    stated = read(extension_folder / "package.json")
    exact = stated["dependencies"] | stated["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in exact.values())
    assert "://" not in (extension_folder / "package-lock.json").read_text(encoding="utf-8")
    lock = read(extension_folder / "package-lock.json")
    packages = {path: package for path, package in lock["packages"].items() if path}
    assert all("resolved" not in package for package in packages.values())
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    for name, version in exact.items():
        assert packages[f"node_modules/{name}"]["version"] == version


@pytest.mark.parametrize(
    ("browser", "permissions"),
    [
        ("chromium", ["activeTab", "scripting", "offscreen"]),
        ("firefox", ["activeTab", "scripting"]),
    ],
)
def test_a_manifest_asks_for_the_least(built, browser, permissions):
    manifest = read(built / browser / "manifest.json")
    assert manifest["manifest_version"] == 3
    assert manifest["permissions"] == permissions
    for name in ("host_permissions", "content_scripts", "web_accessible_resources"):
        assert name not in manifest
    policy = manifest["content_security_policy"]["extension_pages"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "'unsafe-eval'" not in policy


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_named_files_exist_and_no_code_is_remote(built, browser):
    folder = built / browser
    manifest = (folder / "manifest.json").read_text(encoding="utf-8")
    pages = [path.read_text(encoding="utf-8") for path in folder.glob("*.html")]
    named = re.findall(r'"([\w/.-]+\.(?:js|html|png))"', manifest)
    named += [name for page in pages for name in re.findall(r'(?:src|href)="([^"]+)"', page)]
    assert {"popup.html", "background.js", "popup.js"} <= set(named)
    assert all((folder / name).is_file() for name in named)
    assert all((folder / "model" / name).is_file() for name in ("model.onnx", "vocabulary.json"))
    assert (folder / "ort-wasm-simd-threaded.wasm").stat().st_size > 1_000_000
    for script in folder.glob("*.js"):
        code = script.read_text(encoding="utf-8")
        assert not re.search(r"\beval\(|new Function\(|importScripts\(", code), script.name
        assert not re.search(r"import\s*\(?\s*['\"]https?:", code), script.name


@pytest.fixture
def prepare(extension_folder, tmp_path, monkeypatch):
    """The script that installs what these tests need, for a folder with two pinned packages."""
    spec = importlib.util.spec_from_file_location("prepare", extension_folder / "prepare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "HERE", tmp_path)
    pins = {"dependencies": {"one": "1.0.0"}, "devDependencies": {"@a/two": "2.0.0"}}
    (tmp_path / "package.json").write_text(json.dumps(pins))
    return module


def put_package(folder, name, version):
    package = folder / "node_modules" / name
    package.mkdir(parents=True, exist_ok=True)
    (package / "package.json").write_text(json.dumps({"version": version}))


def test_missing_or_outdated_packages_are_installed(prepare, tmp_path, monkeypatch):
    commands = []

    def npm(command, **_):
        commands.append(command)
        put_package(tmp_path, "@a/two", "2.0.0")
        return type("Done", (), {"returncode": 0})

    monkeypatch.setattr(prepare.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(prepare.subprocess, "run", npm)
    put_package(tmp_path, "one", "1.0.0")
    put_package(tmp_path, "@a/two", "1.9.0")
    assert prepare.install_packages()
    assert commands == [["/usr/bin/npm", "ci"]]
    assert prepare.install_packages()  # nothing to do
    assert len(commands) == 1


def test_without_npm_nothing_is_installed(prepare, monkeypatch):
    monkeypatch.setattr(prepare.shutil, "which", lambda name: None)
    assert not prepare.install_packages()
