"""Small crawls, and the tables that a run leaves."""

import pytest

from structce.rendering import Resource, WarcWriter

N_PAGES = 7
PICTURE = 3
"""Position of what claims to be a page, and is a picture."""


@pytest.fixture(scope="session")
def crawl(tmp_path_factory, article_html):
    """A WARC archive with seven pages, of which one is a picture."""
    path = tmp_path_factory.mktemp("crawl") / "crawl.warc.gz"
    with WarcWriter(path) as archive:
        for i in range(N_PAGES):
            data = b"\x89PNG\r\n\x1a\n" if i == PICTURE else article_html(i).encode()
            resource = Resource(data, "text/html; charset=utf-8", 200)
            archive.add(f"https://post.example/{i}", resource)
    return path


@pytest.fixture(scope="session")
def tables():
    """Return a function that reads the tables of a run in the order of their files' names."""
    parquet = pytest.importorskip("pyarrow.parquet")

    def read(out):
        tables = []
        for name in ("pages", "failed"):
            paths = sorted((out / name).glob("*.parquet"))
            tables.append([row for path in paths for row in parquet.read_table(path).to_pylist()])
        return tables[0], tables[1]

    return read
