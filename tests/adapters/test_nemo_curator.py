"""The extractors inside NeMo Curator's own stage and extractor."""

import logging

import pytest
from warc_archives import write_archive

pytest.importorskip("nemo_curator")

from nemo_curator.stages.text.download.base.iterator import DocumentIterateExtractStage
from nemo_curator.stages.text.download.common_crawl.extract import CommonCrawlHTMLExtractor
from nemo_curator.stages.text.download.common_crawl.warc_iterator import CommonCrawlWarcIterator
from nemo_curator.tasks import FileGroupTask

from structce.adapters import CuratorAlgorithm, CuratorExtractor


@pytest.fixture
def crawl(tmp_path, article_html):
    """A WARC archive with an article, a page that cannot be read, and another article."""
    pages = enumerate([article_html(0), "no markup at all", article_html(1)])
    addressed = {f"https://post.example/{i}": html.encode() for i, html in pages}
    return write_archive(tmp_path / "crawl.warc.gz", addressed)


def rows(crawl, extractor):
    stage = DocumentIterateExtractStage(CommonCrawlWarcIterator(), extractor)
    task = FileGroupTask(dataset_name="crawl", data=[str(crawl)])
    table = stage.process(task).to_pandas()
    assert set(table.columns) == set(stage.outputs()[1])
    return table.to_dict("records")


def test_a_stage_gets_a_column_per_value(crawl):
    first, second = rows(crawl, CuratorExtractor())
    assert first["url"] == "https://post.example/0"
    assert first["title"] == "Ferry to stop in June, part 0"
    assert first["authors"] == ["Ann Lee"]
    assert "will not sail before noon" in first["text"]
    assert second["title"] == "Library opens again, part 1"


def test_the_algorithm_serves_the_extractor_for_common_crawl(crawl):
    first, second = rows(crawl, CommonCrawlHTMLExtractor(CuratorAlgorithm()))
    assert first["language"] == "ENGLISH"
    assert "will not sail before noon" in first["text"]
    assert "\n\n" in second["text"]


def test_a_page_that_cannot_be_read_is_skipped_with_a_warning(caplog):
    record = {"url": "https://post.example/1", "content": b"no markup at all"}
    with caplog.at_level(logging.WARNING):
        assert CuratorExtractor().extract(record) is None
        assert CuratorAlgorithm().extract_text("no markup", frozenset(), "ENGLISH") is None
    assert "https://post.example/1: " in caplog.text


def test_columns_can_have_other_names(article_html):
    extractor = CuratorExtractor(html="html", kept=("id",))
    assert extractor.input_columns() == ["id", "url", "html"]
    columns = extractor.extract({"id": "7", "html": article_html()})
    assert columns["id"] == "7"
    assert list(columns) == extractor.output_columns()
