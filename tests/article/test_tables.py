"""What a process keeps of the pages it has read is bounded, whatever words they consist of."""

import functools
import sys

from structce import label

PAGE = """<html lang="en"><head><title>{0} ferry {0}</title>
<meta name="author" content="{0} Lee"><meta property="og:url" content="https://{0}.test/{0}">
<style>.{0} {{ display: block }}</style></head>
<body class="{0}-page"><nav class="{0}-menu"><a href="/{0}" title="{0}">{0} news</a></nav>
<article id="{0}"><h1 class="{0}-title">{0} ferry {0}</h1>
<p class="byline {0}">By Ann {0} and {0} Lee, {0} correspondent</p>
<p class="date {0}"><time>{1} May 2026, {0}</time></p>
<figure><img src="https://{0}.test/{0}.jpg" alt="{0}">
<figcaption>{0}: {0} Press</figcaption></figure>
<p>The {0} ferry will stop in June, {0} said, since {0} is closed for all of the summer, and none
of those who cross the {0} every day knows another way.</p><p data-{0}="{0}">Updated {0} {1}:{1}</p>
</article><footer class="{0}-foot">© {0} 20{1} {0}@{0}.test</footer></body></html>"""
"""Page whose words, class names, addresses and numbers are to be filled in."""


def _page(word, number):
    return PAGE.format(word, number)


def _tables():
    """Return the sizes of all tables of functions of the package that have no bound."""
    modules = [module for name, module in sys.modules.items() if name.startswith("structce.")]
    found = [value for module in modules for value in vars(module).values()]
    found = [value for value in found if isinstance(value, functools._lru_cache_wrapper)]
    tables = {f"{own.__module__}.{own.__qualname__}": own.cache_info() for own in found}
    return {name: info.currsize for name, info in tables.items() if info.maxsize is None}


def test_tables_of_distinct_strings_are_bounded():
    for word in ("harbour", "湾"):  # patterns of a script are made with its first page
        label(_page(word, 12))
    before = _tables()
    assert before
    for number, word in enumerate("quay pier Mole jetty-head Hafen 港".split(), start=13):
        label(_page(word, number))
    assert {name: size for name, size in _tables().items() if size != before.get(name)} == {}
