"""Hostile pages of any size: one thing repeated, which might make some step grow too fast.

Each function of :data:`GENERATORS` returns about so many bytes of HTML. They are measured by
``benchmarks.growth``, and tried at small sizes by the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Generator = Callable[[int], str]

_ARTICLE = "<h1>Ferry to stop</h1><p>By Ann Lee, 3 March 2026</p><p>{}</p>"
_LINE = (
    "The ferry will stop in June, the company said on Monday, and nobody could say for how long. "
)


def page(body: str = "", head: str = "", text: str = _LINE) -> str:
    """Return an article with something in its body, or in its head."""
    return f"<!doctype html><html lang=en><head>{head}</head><body>{_ARTICLE.format(text)}{body}"


def repeated(unit: str, *, start: str = "", end: str = "", head: bool = False) -> Generator:
    """Return the generator of a unit over and over, between a start and an end."""

    def generate(n_bytes: int) -> str:
        inside = start + unit * (n_bytes // len(unit.encode())) + end
        return page(head=inside) if head else page(inside)

    return generate


def numbered(unit: str, *, start: str = "", end: str = "", head: bool = False) -> Generator:
    """Return the generator of units with a number each, so that no two are alike."""

    def generate(n_bytes: int) -> str:
        size = len(unit.format(10**5).encode())
        inside = start + "".join(unit.format(i) for i in range(n_bytes // size)) + end
        return page(head=inside) if head else page(inside)

    return generate


def nested(start: str, end: str) -> Generator:
    """Return the generator of elements in one another, a text in the innermost."""

    def generate(n_bytes: int) -> str:
        n = n_bytes // len(start + end)
        return page(start * n + _LINE + end * n)

    return generate


def _fonts_of_regions(n_bytes: int) -> str:
    family = "f" * (n_bytes // 2)
    n = max(n_bytes // 2 // 12, 1)
    return page(f'<div style="font-family:{family}">' + "<p>one<br>" * min(n, 15_000))


def _json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


_LD, _LD_END = '<script type="application/ld+json">', "</script>"

GENERATORS: Mapping[str, Generator] = {
    "text": repeated(f"<p>{_LINE * 5}</p>"),
    "one text": repeated("The ferry will stop in June. ", start="<p>"),
    "one word": repeated("a", start="<p>"),
    "spaces": repeated(" ", start="<p>a", end="b"),
    "line breaks": repeated("\n", start="<p>a", end="b"),
    "pre": repeated("a\n", start="<pre>"),
    "fixed spaces": repeated("\xa0", start="<p>a", end="b"),
    # Statements
    "brackets in an author": repeated(
        "(", start='<meta name=author content="', end='">', head=True
    ),
    "closing brackets in an author": repeated(
        ")", start='<meta name=author content="', end='">', head=True
    ),
    "spaces in an author": repeated(
        " ", start='<meta name=author content="A', end='B">', head=True
    ),
    "commas in an author": repeated("A,", start='<meta name=author content="', end='">', head=True),
    "names in an author": repeated(
        "Ann Lee and ", start='<meta name=author content="', end='">', head=True
    ),
    "by in an author": repeated("by ", start='<meta name=author content="', end='">', head=True),
    "slashes in an author": repeated("/", start='<meta name=author content="', end='">', head=True),
    "authors": numbered('<meta name=author content="Ann Lee{}">', head=True),
    "authors in JSON-LD": numbered(
        '{{"name":"Ann Lee{}"}},',
        start=_LD + '{"@type":"Article","author":[',
        end="1]}" + _LD_END,
        head=True,
    ),
    "titles in og": numbered('<meta property=og:title content="Ferry {} to stop">', head=True),
    "titles": numbered("<title>Ferry {} to stop</title>", head=True),
    "long title": repeated("Ferry | ", start="<title>", end="</title>", head=True),
    "dashes in a title": repeated(" - ", start="<title>", end="</title>", head=True),
    "headlines in JSON-LD": numbered(_json_ld('{{"headline":"Ferry {}"}}'), head=True),
    "dates": numbered('<meta property=article:published_time content="2026-03-03T{}">', head=True),
    "images": numbered('<meta property=og:image content="/a{}.jpg">', head=True),
    "descriptions": numbered('<meta name=description content="Ferry {}">', head=True),
    "metas": numbered('<meta name=a{0} content="{0}">', head=True),
    "links in head": numbered("<link rel=canonical href=/{}>", head=True),
    "dates in a meta": repeated(
        "3 March 2026 ", start='<meta name=date content="', end='">', head=True
    ),
    "digits in a date": repeated("1", start='<meta name=date content="', end='">', head=True),
    "digits and spaces in a date": repeated(
        "1 ", start='<meta name=date content="', end='">', head=True
    ),
    "times": numbered("<time datetime=2026-03-03T{}>3 March</time>"),
    "references in a meta": repeated(
        "&amp;amp;", start='<meta property=og:title content="', end='">', head=True
    ),
    # JSON-LD
    "JSON-LD of spaces": repeated(" ", start=_LD, end=_LD_END, head=True),
    "JSON-LD of spaces behind": repeated(" ", start=_LD + "{}", end="x" + _LD_END, head=True),
    "JSON-LD of brackets": repeated("[", start=_LD, end=_LD_END, head=True),
    "JSON-LD of closed brackets": nested(_LD + "[", "]"),
    "JSON-LD of objects": repeated('{"a":', start=_LD, end=_LD_END, head=True),
    "JSON-LD of commas": repeated(", ", start=_LD + "[1", end="]" + _LD_END, head=True),
    "JSON-LD of backslashes": repeated("\\", start=_LD + '"', end=_LD_END, head=True),
    "JSON-LD of values": repeated("{} ", start=_LD, end=_LD_END, head=True),
    "JSON-LD of slashes": repeated("//", start=_LD, end=_LD_END, head=True),
    "JSON-LD of comments": repeated("/* ", start=_LD, end=_LD_END, head=True),
    "JSON-LD of marks": repeated("<!--", start=_LD, end=_LD_END, head=True),
    "JSON-LD of CDATA": repeated("<![CDATA[ ", start=_LD, end=_LD_END, head=True),
    "JSON-LD of digits": repeated(
        "1", start=_LD + '{"datePublished":', end="}" + _LD_END, head=True
    ),
    "JSON-LD of keys": numbered('"a{}":1,', start=_LD + "{", end='"z":1}' + _LD_END, head=True),
    "scripts of JSON-LD": repeated(_json_ld('{"@type":"Article"}'), head=True),
    "scripts": repeated("<script>a</script>", head=True),
    "microdata in microdata": nested("<i itemprop=author>a", ""),
    "signed links": nested("<a rel=author href=x><table><tr><td>", ""),
    "microdata": numbered("<div itemscope itemtype=a><i itemprop=author>Ann {}</i></div>"),
    "nested microdata": nested("<div itemscope itemprop=author>", ""),
    # Markup
    "comment of spaces": repeated(" ", start="<!--"),
    "comments begun": repeated("<!-- "),
    "comments begun without dashes": repeated("<!- "),
    "comments": repeated("<!-- a -->"),
    "comment of dashes": repeated("-", start="<!--"),
    "tags begun": repeated("<a "),
    "brackets": repeated("<"),
    "closing tags": repeated("</p>"),
    "end tags begun": repeated("</"),
    "questions": repeated("<?"),
    "exclamations": repeated("<!"),
    "CDATA": repeated("<![CDATA["),
    "quotes": repeated('"', start="<p title=", end=">x"),
    "quotes begun": repeated("<p title='"),
    "attributes": numbered("a{} ", start="<p ", end=">x"),
    "attributes of texts": numbered('<p id="a{0}" class="b{0}">x'),
    "long attribute": repeated("a", start="<p class=", end=">x"),
    "classes": numbered("a{} ", start='<p class="', end='">x'),
    "spaces in a tag": repeated(" ", start="<p", end="x"),
    "slashes in a tag": repeated("/", start="<p", end=">x"),
    "equals in a tag": repeated("=", start="<p ", end=">x"),
    "unclosed title": repeated("<title>"),
    "unclosed textareas": repeated("<textarea>"),
    "scripts begun": repeated("<script>"),
    "styles begun": repeated("<style>"),
    "plaintext": repeated("<plaintext>"),
    "references": repeated("&amp;", start="<p>"),
    "ampersands": repeated("&", start="<p>"),
    "references begun": repeated("&#", start="<p>"),
    "digits of a reference": repeated("1", start="<p>&#"),
    "zeros": repeated("\0", start="<p>"),
    # Style and media
    "spaces in a style": repeated(" ", start='<p style="color:', end='">x'),
    "semicolons in a style": repeated(";", start='<p style="', end='">x'),
    "brackets in a style": repeated("(", start='<p style="color:rgb', end='">x'),
    "comments in a style": repeated("/*", start='<p style="', end='">x'),
    "displays": repeated("display:block;", start='<p style="', end='">x'),
    "font families": repeated("a,", start='<p style="font-family:', end='">x'),
    "font families of regions": _fonts_of_regions,
    "digits of a width": repeated("1", start='<img src=a width="', end='x">'),
    "digits of a size": repeated("1", start='<p style="width:', end='x">x'),
    "spaces of a width": repeated(" ", start='<img src=a width="1', end='x">'),
    "srcset": repeated("a.jpg 1w,", start='<img srcset="', end='">'),
    "commas of a srcset": repeated(",", start='<img srcset="', end='">'),
    "spaces of a srcset": repeated(" ", start='<img srcset="a', end='b">'),
    "data address": repeated("A", start='<img src="data:image/png;base64,', end='">'),
    "pictures": repeated("<picture><source srcset=a><img src=b></picture>"),
    "sources of a picture": repeated("<source srcset=a.jpg>", start="<picture>", end="<img src=b>"),
    "images of a picture": repeated("<img src=b>", start="<picture>"),
    "images without size": repeated("<img src=a.jpg>"),
    "drawings": repeated("<svg><text>a</text></svg>"),
    "nested drawings": nested("<svg>", "</svg>"),
    "paths in a drawing": repeated("<path d=M0/>", start="<svg>"),
    "drawings closed at once": repeated("<svg/>"),
    "titles in drawings": repeated("<svg><title/>"),
    "frames": repeated('<iframe srcdoc="<p>a"></iframe>'),
    "frame": repeated("&lt;p>a", start='<iframe srcdoc="', end='"></iframe>'),
    "nested frames": lambda n: page(
        '<iframe srcdoc="' * min(n // 40, 1000) + "a" * n + '">' * min(n // 40, 1000)
    ),
    # Trees
    "divs": nested("<div>", "</div>"),
    "divs of texts": nested("<div>a", "</div>"),
    "divs and texts behind": nested("<div>", "a</div>"),
    "divs never closed": repeated("<div>"),
    "spans": nested("<span>", "</span>"),
    "spans of texts": nested("<span>a", "</span>"),
    "flat spans": repeated("<span>a</span>"),
    "flat spans never closed": repeated("<span>a"),
    "bold": repeated("<b>"),
    "bold of texts": repeated("<b>a"),
    "bold paragraphs": repeated("<p><b>"),
    "bold with attributes": numbered("<b id=a{}><p>"),
    "fonts": numbered("<font size={}>"),
    "links never closed": repeated("<a href=x>a"),
    "links": repeated("<a href=/a>one</a> "),
    "numbered links": numbered("<a href=/a{0}>one {0}</a> "),
    "lists": nested("<ul><li>", ""),
    "items": repeated("<li>a"),
    "tables": nested("<table><tr><td>", ""),
    "tables in tables": repeated("<table>"),
    "rows": repeated("<tr><td>a", start="<table>"),
    "texts in a table": repeated("a<tr>", start="<table>"),
    "stray elements in a table": repeated("<p>a</p>", start="<table>"),
    "captions": repeated("<caption>a", start="<table>"),
    "cells of many columns": repeated("<td colspan=1000>a", start="<table><tr>"),
    "options": repeated("<option>a", start="<select>"),
    "option groups": repeated("<optgroup><option>a", start="<select>"),
    "option groups closed": repeated("<optgroup><option>a</optgroup>", start="<select>"),
    "options closed": repeated("<option>a</option>", start="<select>"),
    "options of no select": repeated("<option>a"),
    "selects": repeated("<select><option>a"),
    "inputs": repeated("<input value=a>"),
    "buttons": repeated("<button>a"),
    "forms": repeated("<form><input>"),
    "fieldsets": nested("<fieldset>", ""),
    "details": repeated("<details name=a><summary>a</summary>b</details>"),
    "nested details": nested("<details><summary>a</summary>", ""),
    "definitions": repeated("<dt>a<dd>b", start="<dl>"),
    "paragraphs never closed": repeated("<p>a"),
    "paragraphs": repeated("<p>a</p>"),
    "numbered paragraphs": numbered("<p>number {}</p>"),
    "breaks": repeated("a<br>"),
    "rules": repeated("a<hr>"),
    "headings": numbered("<h2>Part {}</h2>"),
    "titles as headings": repeated("<h1>Ferry to stop</h1>"),
    "articles": repeated("<article><h1>Ferry</h1><p>It stops.</p></article>"),
    "nested articles": nested("<article>", "</article>"),
    "sections of paragraphs": repeated("<section><p>a</p></section>"),
    "templates": repeated("<template>a</template>"),
    "nested templates": nested("<template>", "</template>"),
    "shadows": repeated("<div><template shadowrootmode=open><slot></slot></template>a</div>"),
    "nested shadows": nested("<div><template shadowrootmode=open>", ""),
    "slots": numbered(
        "<slot name=a{0}></slot>",
        start="<div><template shadowrootmode=open>",
        end="</template>a</div>",
    ),
    "children of a host": repeated(
        "<i slot=a>b</i>",
        start="<div><template shadowrootmode=open><slot name=a></slot></template>",
    ),
    "noscripts": repeated("<noscript>a</noscript>"),
    "hidden": repeated("<p hidden>a</p>"),
    "invisible divs": nested('<div style="visibility:hidden">', ""),
    "hidden paragraphs": repeated("<p hidden>" + _LINE + "</p>"),
    "hidden paragraphs far below": lambda n: page(
        "<div>" * min(n // 10, 15_000) + repeated("<p hidden>" + _LINE)(n)
    ),
    "paragraphs in buttons": nested("<p style=visibility:hidden>" + "a" * 90 + "<button>", ""),
    "hidden divs": nested("<div hidden>", ""),
    "ruby": repeated("<ruby>a<rt>b</ruby>"),
    "maths": nested("<math><mi>", ""),
    "framesets": repeated("<frameset>"),
    "bodies": numbered("<body a{}=b>"),
    "htmls": numbered("<html a{}=b>"),
    "objects": nested("<object>", ""),
    "videos": repeated("<video><source src=a></video>"),
    "maps": repeated("<map><area href=a>"),
    "unknown elements": numbered("<x-{0}>a</x-{0}>"),
    # Text
    "combining marks": repeated("\u0301", start="<p>a"),
    "many combining marks": repeated("a\u0315\u0300\u05ae\u0062", start="<p>"),
    "combining marks in a title": repeated("\u0301", start="<title>a", end="</title>", head=True),
    "two combining marks": repeated("\u0315\u0300", start="<p>a"),
    "square words": repeated("\u3316", start="<p>"),
    "ligatures": repeated("\ufdfa", start="<p>"),
    "soft hyphens": repeated("\xad", start="<p>a"),
    "marks of direction": repeated("\u202e", start="<p>a"),
    "Chinese": repeated("\u8f2a\u6e21\u505c\u822a", start="<p>"),
    "Thai": repeated("\u0e40\u0e23\u0e37\u0e2d", start="<p>"),
    "Arabic": repeated("\u0627\u0644\u0639\u0628\u0627\u0631\u0629 ", start="<p>"),
    "faces": repeated("\U0001f600", start="<p>"),
    "surrogates": repeated("&#xd800;", start="<p>"),
    "digits": repeated("1", start="<p>"),
    "digits and spaces": repeated("1 ", start="<p>"),
    "digits and dots": repeated("1.", start="<p>"),
    "digits and slashes": repeated("1/", start="<p>"),
    "digits and colons": repeated("1:", start="<p>"),
    "dates in text": repeated("3 March 2026 ", start="<p>"),
    "paragraphs of dates": repeated("<p>3 March 2026</p>"),
    "months": repeated("March ", start="<p>"),
    "hours": repeated("12:30 ", start="<p>"),
    "by": repeated("by ", start="<p>"),
    "paragraphs of bylines": numbered("<p>By Ann Lee{}</p>"),
    "capitals": repeated("Ann ", start="<p>"),
    "ands": repeated("Ann and ", start="<p>By "),
    "commas": repeated(",", start="<p>"),
    "dots": repeated(".", start="<p>"),
    "dashes": repeated("-", start="<p>"),
    "brackets in text": repeated("(", start="<p>By Ann "),
    "pipes": repeated("|", start="<p>"),
    "colons": repeated(":", start="<p>"),
    "at signs": repeated("a@", start="<p>"),
    "mail addresses": repeated("a@b.example ", start="<p>"),
    "hosts": repeated("a.", start="<p>"),
    "addresses": repeated("http://", start="<p>"),
    "underscores": repeated("_", start="<p>"),
    "quotation marks": repeated("\u201c", start="<p>"),
    "apostrophes": repeated("'", start="<p>"),
    "percent signs in an address": repeated("%41", start="<a href='/", end="'>x</a>"),
    "slashes in an address": repeated("/", start="<a href='/", end="'>x</a>"),
    "dots in an address": repeated("../", start="<a href='/", end="'>x</a>"),
    "dates in an address": repeated("2026/03/03/", start="<a href='/", end="'>x</a>"),
    "base": repeated("a/", start="<base href='/", end="'><img src=a><a href=b>c</a>", head=True),
    "language": repeated("en-", start="<html lang='", end="'>"),
}
"""Pages by their names."""
