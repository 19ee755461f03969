"""Pages in folders: which files are pages, and what surrounds them."""

import os
import threading

import pytest

from structce.errors import SourceError
from structce.rendering.document import Resource
from structce.rendering.sources import Source, open_sources


def resources_of(source):
    return source.read().resources


def css(path, content="p {}"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return content.encode()


def page(path, content="<p>Hello</p>"):
    css(path, content)
    return path


def test_the_frames_of_a_saved_page_are_no_pages(tmp_path):
    page(tmp_path / "news.html")
    page(tmp_path / "news_files" / "frame.html")
    page(tmp_path / "news_files" / "deep" / "frame.htm")
    page(tmp_path / "other_files" / "own.html")
    names = [source.name for source in open_sources([str(tmp_path)])]
    assert names == [str(tmp_path / "news.html"), str(tmp_path / "other_files" / "own.html")]


@pytest.mark.parametrize("given", ["", "sub/page one.html"])
def test_relative_addresses_lead_to_files_beside_the_page(tmp_path, given):
    page(tmp_path / "sub" / "page one.html")
    data = css(tmp_path / "sub" / "page one_files" / "main.css")
    (source,) = open_sources([str(tmp_path / given)])
    resources = resources_of(source)
    folder = "" if given else "sub/"
    assert resources.base == f"http://page.invalid/{folder}page%20one.html"
    resource = resources.get(f"http://page.invalid/{folder}page%20one_files/main.css")
    assert resource == Resource(data, "text/css")
    assert resources.get("http://page.invalid/none.css") is None


@pytest.mark.parametrize("name", ["main.css?v=7.0.css", "main.css?v=7.0", "main.css"])
@pytest.mark.parametrize("address", ["main.css?v=7.0", "main.css%3Fv=7.0"])
def test_files_are_found_under_the_names_that_crawlers_give_them(tmp_path, name, address):
    data = css(tmp_path / name)
    resources = resources_of(Source(str(page(tmp_path / "a.html"))))
    resource = resources.get(f"http://page.invalid/{address}")
    if "%3F" in address and name == "main.css":
        assert resource is None  # it asks for a name with a question mark
    else:
        assert resource == Resource(data, "text/css")


def test_other_hosts_are_looked_up_in_folders_of_their_names(tmp_path):
    page(tmp_path / "post.example" / "www.post.example" / "news" / "index.html")
    data = css(tmp_path / "post.example" / "cdn.example" / "a" / "main.css")
    page(tmp_path / "post.example" / "cdn.example" / "frame" / "index.html")
    source = next(s for s in open_sources([str(tmp_path)]) if "news" in s.name)
    resources = resources_of(source)
    resource = resources.get("https://cdn.example/a/main.css?v=1")
    assert resource == Resource(data, "text/css")
    frame = resources.get("https://cdn.example/frame/")
    assert frame.content_type == "text/html"
    assert resources.get("https://other.example/a/main.css") is None


@pytest.mark.parametrize(
    "address",
    """
    http://page.invalid/../secret.css http://page.invalid/%2e%2e/secret.css
    http://page.invalid/..%2fsecret.css http://page.invalid/..%5csecret.css
    http://page.invalid/%2fetc/passwd http://../secret.css http://page.invalid/link.css
    http://page.invalid/link/secret.css http://page.invalid/folder.css http://page.invalid/%00.css
    http://page.invalid:port/[.css http://[/ file:///etc/passwd LONG
    """.split(),
)
def test_nothing_outside_the_folder_is_given(tmp_path, address):
    css(tmp_path / "secret.css")
    path = page(tmp_path / "folder" / "a.html")
    (tmp_path / "folder" / "folder.css").mkdir()
    (tmp_path / "folder" / "link.css").symlink_to(tmp_path / "secret.css")
    (tmp_path / "folder" / "link").symlink_to(tmp_path)
    address = address.replace("LONG", "http://page.invalid/" + "x" * 5_000)
    assert resources_of(Source(str(path))).get(address) is None


@pytest.mark.parametrize(
    ("comment", "url"),
    [
        ("<!-- saved from url=(0025)https://post.example/news -->", "https://post.example/news"),
        ("<!--\n Page saved with SingleFile \n url: https://a.example/?b=1\nsaved: now -->",
         "https://a.example/?b=1"),
        ("<!-- saved from url=(0014)about:internet -->", ""),
        ("<!-- saved from a fire -->", ""),
    ],
)  # fmt: skip
def test_a_saved_page_tells_its_address(tmp_path, comment, url):
    path = page(tmp_path / "a.html", f"<!doctype html>\n{comment}<p>Hello</p>")
    assert Source(str(path)).read().url == url


@pytest.mark.browser
def test_the_browser_shows_a_saved_page_with_its_style_sheet(tmp_path, chromium):
    html = "<link rel=stylesheet href='a_files/main.css?v=2'><p>Seen</p><p class=no>Unseen</p>"
    path = page(tmp_path / "a.html", html)
    css(tmp_path / "a_files" / "main.css", "@import 'more.css'; p { font-size: 31px }")
    css(tmp_path / "a_files" / "more.css", ".no { display: none }")
    shown = chromium.render(Source(str(path)).read())
    assert shown.text == ("Seen",)
    assert shown.styles["font-size"].tolist() == [31.0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_until_its_writer_ends(tmp_path):
    os.mkfifo(path := tmp_path / "a.html")
    html = "<p>Hello</p>" * 20_000  # more than a pipe holds
    writer = threading.Thread(target=path.write_text, args=(html,))
    writer.start()
    assert Source(str(path)).read().html == html
    writer.join()


def test_a_file_without_end_is_refused_where_the_limit_ends(tmp_path):
    for name in ("a.html", "a.mhtml"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(10**12)
        with pytest.raises(SourceError, match="000,000 bytes, which is the limit"):
            Source(str(tmp_path / name)).read()
