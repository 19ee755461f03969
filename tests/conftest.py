"""Small pages and corpora that tests of every package build on."""

import gc
import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from local_browser import has_browser

from structce.cli import main
from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.features.registry import REGISTRY
from structce.learners import LEARNERS
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import write_sample

Run = Callable[..., tuple[int, str, str]]

ARTICLE = """<!doctype html>
<html lang="en"><head>
<title>{title} | The Harbour Post</title>
<meta property="og:title" content="{title}">
<meta property="article:published_time" content="2026-03-{day:02d}T09:30:00+00:00">
<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "{title}",
"author": {{"@type": "Person", "name": "{author}"}}}}</script>
</head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a> <a href="/town">Town</a></nav>
<article>
<h1>{title}</h1>
<p class="standfirst">What the council said, and what it left out.</p>
<div class="by">By <a href="/staff">{author}</a></div>
<time datetime="2026-03-{day:02d}T09:30:00Z">{day} March 2026</time>
<figure><img src="/i/{day}.jpg" width="640" height="360" alt="">
<figcaption>The quay on a grey morning.</figcaption></figure>
<p>{first} The <a href="/boats">boats</a> will not sail before noon, the company said on Monday.</p>
<p>{second} Nobody could say how long the works would take, or who would pay for them.</p>
<h2>No end in sight</h2>
<p>{third} The mayor promised a letter, and the harbour master promised to read it.</p>
</article>
<aside><h3>Related</h3><a href="/a">A market moves indoors</a><img src="/ad.gif" width="300"
height="250"></aside>
<footer>All rights reserved</footer>
</body></html>
"""

LABELS = {"h1": "Title", "h2": "Subtitle", "time": "Date", "figcaption": "Caption"}
TITLES = ("Ferry to stop in June", "Library opens again", "Storm takes the pier roof")
AUTHORS = ("Ann Lee", "Tomas Rost", "Mira Okafor")


def make_page(html, *, url="https://post.example/1"):
    """Return a page rendered without a browser."""
    return StaticRenderer().render(Document(html, url=url, name=url))


def article_html(n=0):
    """Return the n-th small article: words differ, structure does not."""
    lines = [f"Story {n} went on {word} and {word} again." for word in ("slowly", "late", "badly")]
    values = {"title": f"{TITLES[n % 3]}, part {n}", "author": AUTHORS[n % 3], "day": 1 + n % 28}
    return ARTICLE.format(**values, **dict(zip(("first", "second", "third"), lines, strict=True)))


def article_labels(page):
    """Return the labels of an article made by :func:`article_html`."""
    return tuple(_label(page, i) for i in range(len(page)))


def _label(page, i):
    above = [page.elements.tag[n] for n in page.elements.ancestors(int(page.element[i]))]
    if "article" not in above:
        return "Advertisement" if page.attributes[i].get("src") == "/ad.gif" else "None"
    if page.tag[i] in LABELS:
        return LABELS[page.tag[i]]
    if page.tag[i] == "img":
        return "Multimedia"
    if page.attributes[i].get("class") == "standfirst":
        return "Subtitle"
    if page.attributes[i].get("href") == "/staff":
        return "Author"
    return "Paragraph" if "p" in above else "None"


def make_corpus(n_pages=6, *, pages_per_site=1):
    """Return a corpus of small articles, one label set, several sites."""
    pages = []
    for n in range(n_pages):
        site = f"site{n // pages_per_site}.example"
        page = make_page(article_html(n), url=f"https://{site}/{n}")
        pages.append(LabelledPage(f"page{n}", site, site, page, article_labels(page)))
    return Corpus("small", tuple(pages), licence="MIT")


def pytest_collection_finish():
    """Exempt the collected tests, which live until the end, from every later garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command; return exit code, standard output and standard error."""

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["structce", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        code = stop.value.code
        return (code if isinstance(code, int) else 1), out, err

    return call


@pytest.fixture
def own_features():
    """Yield a function that forgets the features a test registered, as its end does."""
    features, aliases = dict(REGISTRY), dict(REGISTRY._aliases)

    def forget():
        REGISTRY.clear()
        REGISTRY.update(features)
        REGISTRY._aliases = dict(aliases)

    yield forget
    forget()


@pytest.fixture
def forgets_learners():
    """Forget the learners that a test registered when it ends."""
    before = set(LEARNERS)
    yield
    for name in set(LEARNERS) - before:
        del LEARNERS[name]


@pytest.fixture
def plain_reports():
    """Write reports without drawing their plots or digesting the code, which takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("structce.experiments.page.report_plots", lambda _: {})
        for module in ("learners", "extractors"):
            patch.setattr(f"structce.experiments.{module}.code_digest", lambda *_: "the code")
        yield


# Functions that tests ask for by name.
give_page = pytest.fixture(lambda: make_page, scope="session", name="make_page")
give_corpus = pytest.fixture(lambda: make_corpus, scope="session", name="make_corpus")
give_html = pytest.fixture(lambda: article_html, scope="session", name="article_html")


@pytest.fixture
def article_folder(tmp_path):
    """A folder of three small articles."""
    pages = {f"{n}.html": article_html(n).encode() for n in range(3)}
    return write_files(tmp_path / "articles", pages)


@pytest.fixture
def mixed_folder(tmp_path):
    """A folder with two pages and a broken file between them."""
    first, second = (article_html(n).encode() for n in range(2))
    pages = {"a.html": first, "b.html": b"\x89PNG\r\n\x1a\n", "c.html": second}
    return write_files(tmp_path / "pages", pages)


def write_files(folder, files):
    """Write files to a new folder, and return it."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def raw_corpus(tmp_path):
    """The folder of a corpus of two raw pages."""
    write_sample(tmp_path / "raw", 2, 1, seed=5)
    return tmp_path / "raw"


@pytest.fixture(scope="session")
def small_corpus():
    """Six rendered articles, each of its own site."""
    return make_corpus(6)


@pytest.fixture(scope="session")
def shared_data():
    """Return a function that finds a real data set beside the checkout, or skips the test."""

    def find(name):
        path = Path(__file__).parents[2] / "shared" / "data" / name
        if not path.exists():
            pytest.skip(f"{name} is not here")
        return path

    return find


@pytest.fixture(scope="session")
def chromium():
    """One browser for all browser tests; they are skipped without one."""
    if not has_browser():
        pytest.skip("no Chromium, Chrome or Edge is installed")
    with ChromiumRenderer() as renderer:
        yield renderer


@pytest.fixture
def two_data_sets(tmp_path):
    """Return a folder of two data sets in the layouts of public ones, with two common sites."""
    folder = tmp_path / "sets"
    folder.mkdir()
    texts = {f"page{n}": _text(n) for n in range(6)}
    rows = {name: {"articleBody": text, "url": f"https://site{name[4:]}.example/1"}
            for name, text in texts.items()}  # fmt: skip
    with zipfile.ZipFile(folder / "article-extraction-benchmark.zip", "w") as archive:
        archive.writestr("ground-truth.json", json.dumps(rows))
        for n, (name, text) in enumerate(texts.items()):
            packed = gzip.compress(_news(n, text).encode(), mtime=0)
            archive.writestr(f"html/{name}.html.gz", packed)
    with zipfile.ZipFile(folder / "htmldate.zip", "w") as archive:
        days = {
            f"https://site{n}.example/2": {"file": f"{n}.html", "date": f"2026-03-{10 + n}"}
            for n in range(4, 8)
        }
        archive.writestr("tests/eval_mediacloud_2020.json", json.dumps(days))
        for n in range(4, 8):
            archive.writestr(f"tests/test_set/{n}.html", _news(n, _text(n + 100)))
    return folder


def _text(n):
    """Return three lines of words that no other number gives, so that no two pages are copies."""
    return "\n".join(
        " ".join(f"{word}{n}x{k}" for k in range(20)) for word in ("salt", "sand", "sea")
    )


def _news(n, text):
    lines = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    return (
        f"<html lang=en><title>Story {n} | Post</title><nav><a href=/>Home</a></nav>"
        f"<h1>Story {n}</h1><time>{10 + n} March 2026</time>{lines}<footer>Imprint</footer></html>"
    )


SMALL_RECIPE = """
name = "small"
notes = "Made in a test."
model_licence = "MIT"
folds = 2
calibration = "none"
[data.article-extraction-benchmark]
[data.htmldate]
[views]
shares = { stated = 0.5, bare = 0.5 }
[features]
families = ["text", "dom"]
min_count = 1
[learner.structured-svm]
lambda = 0.1
max_epochs = 5
tol = 0.5
"""


@pytest.fixture
def few_bylines(monkeypatch):
    """Fit readers of bylines on a few invented ones of each language."""
    monkeypatch.setattr("structce.recipes.byline_examples._PER_LANGUAGE", 4)
    monkeypatch.setattr("structce.recipes.byline_examples._PER_LANGUAGE_JOINED", 15)


@pytest.fixture
def small_recipe(tmp_path):
    """A recipe of the two data sets of ``two_data_sets``, as a file."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL_RECIPE)
    return path
