"""The item pipeline inside a crawler, and the article of a response."""

import asyncio
import sys
from dataclasses import dataclass
from subprocess import run

import pytest

pytest.importorskip("scrapy")

from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from structce.adapters import ScrapyPipeline, read_response

CRAWL = """
import sys
from pathlib import Path
import scrapy
from scrapy.crawler import CrawlerProcess

class Spider(scrapy.Spider):
    name = "pages"
    start_urls = [Path(name).as_uri() for name in sys.argv[2:]]
    def parse(self, response):
        yield {"url": response.url, "html": response.text}

process = CrawlerProcess({
    "ITEM_PIPELINES": {"structce.adapters.ScrapyPipeline": 300},
    "FEEDS": {sys.argv[1]: {"format": "csv", "fields": ["title", "authors", "text"]}},
})
process.crawl(Spider)
process.start()
"""


@dataclass
class Story:
    html: str
    title: str = ""
    date: str = ""


def processed(item, **settings):
    pipeline = ScrapyPipeline.from_crawler(get_crawler(settings_dict=settings))
    return asyncio.run(pipeline.process_item(item))


def test_a_response_gives_an_article(article_html):
    response = HtmlResponse("https://post.example/0", body=article_html().encode())
    article = read_response(response)
    assert article.title.value == "Ferry to stop in June, part 0"
    assert article.url == "https://post.example/0"


def test_a_dictionary_gets_all_fields(article_html):
    item = processed({"url": "https://post.example/0", "html": article_html()})
    assert item["authors"] == ["Ann Lee"]
    assert "will not sail before noon" in item["text"]


def test_item_class_gets_declared_fields_and_keeps_values(article_html):
    item = processed(Story(article_html(), title="By the spider"))
    assert item.title == "By the spider"
    assert item.date == "2026-03-01"


def test_a_setting_names_the_field_of_the_html(article_html):
    item = processed({"body": article_html()}, STRUCTCE_HTML_FIELD="body")
    assert item["title"] == "Ferry to stop in June, part 0"


def test_an_item_without_html_passes(article_html):
    assert processed({"url": "https://post.example/0"}) == {"url": "https://post.example/0"}


def test_a_page_that_cannot_be_read_is_dropped():
    with pytest.raises(DropItem, match=r"https://post\.example/0: .*no markup"):
        processed({"url": "https://post.example/0", "html": "no markup at all"})


def test_a_crawler_runs_the_pipeline(tmp_path, article_html):
    names = [str(tmp_path / f"{i}.html") for i in range(2)]
    for i, name in enumerate(names):
        (tmp_path / name).write_text(article_html(i))
    (tmp_path / "crawl.py").write_text(CRAWL)
    feed = tmp_path / "items.csv"
    command = [sys.executable, str(tmp_path / "crawl.py"), str(feed), *names]
    done = run(command, capture_output=True, text=True, check=True)
    assert "'item_scraped_count': 2" in done.stderr
    text = feed.read_text()
    assert "Ferry to stop in June, part 0" in text
    assert "Library opens again, part 1" in text
