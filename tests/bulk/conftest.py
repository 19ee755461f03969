"""Small crawls, and the tables that a run leaves."""

import pytest
from warc_archives import write_archive

N_PAGES = 7
PICTURE = 3
"""Position of what claims to be a page, and is a picture."""


@pytest.fixture(scope="session")
def crawl(tmp_path_factory, article_html):
    """A WARC archive with seven pages, of which one is a picture."""
    path = tmp_path_factory.mktemp("crawl") / "crawl.warc.gz"
    data = [article_html(i).encode() for i in range(N_PAGES)]
    data[PICTURE] = b"\x89PNG\r\n\x1a\n"
    return write_archive(path, {f"https://post.example/{i}": page for i, page in enumerate(data)})


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
