"""Tables of odd and hostile pages: one row each, tried through every door of the package."""

ARTICLE = (
    "<!doctype html><html lang=en><title>Ferry to stop</title><h1>Ferry to stop</h1>"
    "<p>By Ann Lee, 3 March 2026</p>{}<p>The ferry will stop in June, the company said on Monday, "
    "and nobody could say how long the works would take.</p></html>"
)
DIGITS = "1" * 4301

BAD_ADDRESSES = (
    "http://[bad/", "http://[::1", "http://]/", "http://a]b[c/", "https://[1.2.3.4/x",
    "http://\u2100.example/", "http://example\uff03@x/", "http://[v1.x]/", "http://xn--a/",
    "http://a:b/", "http://a:99999999/", "http://%zz/", "http://\u0000/", "http:///nothing",
)  # fmt: skip
"""What stands where an address belongs, and urllib, httpx or IDNA refuse."""


def page(inside="", head=""):
    return (head + ARTICLE.format(inside)).encode("utf-8", "surrogatepass")


def json_ld(text):
    return f'<script type="application/ld+json">{text}</script>'


REFERENCES = {
    "reference in text": page(f"<p>a &#{DIGITS}; b</p>"),
    "reference in hexadecimal": page(f"<p>a &#x{DIGITS}; b</p>"),
    "reference of zeros": page(f"<p>a &#{'0' * 5000}65; b</p>"),
    "reference in a title": page(head=f"<title>&#{DIGITS};</title>"),
    "reference in an attribute": page(f'<a href="&#{DIGITS};">x</a><img alt="&#{DIGITS};" src=x>'),
    "reference in a name": page(head=f'<meta name=author content="A&amp;#{DIGITS};">'),
    "reference in og:title": page(head=f'<meta property=og:title content="x &amp;#{DIGITS};">'),
    "reference in JSON-LD": page(
        head=json_ld(f"{{&quot;headline&quot;: &quot;&#{DIGITS};&quot;}}")
    ),
    "reference in a headline of JSON-LD": page(
        head=json_ld(f'{{"@type": "Article", "headline": "&#{DIGITS};"}}')
    ),
    "reference alone": f"<p>&#{DIGITS}".encode(),
    "reference in a textarea": page(f"<textarea>&#{DIGITS};</textarea>"),
    "number in JSON-LD": page(head=json_ld(f'{{"datePublished": {DIGITS}}}')),
    "number as a date": page(f"<time datetime={DIGITS}>{DIGITS}</time>"),
    "number in a width": page(f'<img src=a.jpg width="{DIGITS}" height="{DIGITS}x">'),
    "number in colspan": page(f"<table><tr><td colspan={DIGITS}>x<td>y</table>"),
    "number in a style": page(f'<p style="width:{DIGITS}px;font-size:{DIGITS}em">x</p>'),
    "number in a colour": page(f'<p style="color:rgb({DIGITS},1,1)">x</p><font color=#{DIGITS}>y'),
    "number in srcset": page(f'<img srcset="a.jpg {DIGITS}w, b.jpg {DIGITS}x">'),
    "number in a list": page(f"<ol start={DIGITS}><li value={DIGITS}>x</ol>"),
    "number in a link": page(f'<a href="/a?id={DIGITS}">x</a><a rel=next href="/a?page={DIGITS}">'),
    "number in a date of mail": page(
        head='<meta name=date content="Mon, 1 Jan 99999999999999999999 10:00:00 +0000">'
    ),
    "digit without a place value": page("<p>\u1369 March 2026</p><p>\u2776 May 2026"),
    "number in an address": page(f'<a href="http://a.example:{DIGITS}/">x</a>'),
}

CHARSETS = (
    "iso-2022-kr", "hz-gb-2312", "x-user-defined", "replacement", "iso-2022-cn", "csiso2022kr",
    "utf-7", "utf-32", "utf-16", "unicode", "idna", "punycode", "rot13", "unicode_escape",
    "base64", "zlib", "undefined", "mbcs", "nothing", "\u00fc", "*", "utf-8'en'x",
)  # fmt: skip
"""Names of encodings that Python, webencodings or both do not have, or have as something else."""

CONTENT_TYPES = (
    "text/html; charset*=utf-8''x", "text/html; charset*0=utf; charset*1=-8",
    "text/html; charset*0*=a; charset*0=b", "text/html; charset*=%ff'%ff'%ff",
    'text/html; charset="utf-8', "text/html; charset=", "text/html; charset", "; charset=utf-8",
    "text/html; charset*1*=x''y", "text/html; =x; charset==", "text/html; charset=iso-2022-kr",
)  # fmt: skip
"""Content-Type as no server should send it."""


def charset_pages():
    pages = {f"charset {name}": page(head=f"<meta charset={name!r}>") for name in CHARSETS}
    pages |= {
        f"content-type {kind}": page(head=f'<meta http-equiv=content-type content="{kind}">')
        for kind in CONTENT_TYPES
    }
    return pages


def address_pages():
    """Return pages that hold an address wherever a page may hold one."""
    pages = {}
    for url in BAD_ADDRESSES:
        pages[f"saved from {url}"] = page(head=f"<!-- saved from url=(0014){url} -->")
        pages[f"everywhere {url}"] = page(
            f'<a href="{url}">a</a><a rel=author href="{url}">b</a><img src="{url}" srcset="{url} '
            f'2x"><iframe src="{url}"></iframe><video poster="{url}" src="{url}"></video>',
            head=f'<base href="{url}"><link rel=canonical href="{url}"><meta property=og:url '
            f'content="{url}"><meta property=og:image content="{url}"><meta name=author '
            f'content="{url}"><script type="application/ld+json">{{"@type":"Article","url":"{url}",'
            f'"author":{{"url":"{url}","name":"{url}"}},"image":"{url}"}}</script>',
        )
    return pages


SMALL = {**REFERENCES, **charset_pages(), **address_pages()}
"""Small pages that each ended a run once, or are like one that did."""


def mhtml(url, content_type="text/html"):
    """Return a page in MHTML, at an address and with a type that may be odd."""
    lines = [
        "From: <Saved by Blink>",
        f"Snapshot-Content-Location: {url}",
        "MIME-Version: 1.0",
        'Content-Type: multipart/related; type="text/html"; boundary="=_b"',
        "",
        "--=_b",
        f"Content-Type: {content_type}",
        f"Content-Location: {url}",
        "",
        ARTICLE.format('<img src="cid:1">'),
        "--=_b",
        "Content-Type: text/css",
        f"Content-Location: {url}",
        "Content-ID: <1>",
        "",
        "p {}",
        "--=_b--",
        "",
    ]
    return "\r\n".join(lines).encode("utf-8", "surrogatepass")


def warc(url, content_type="text/html"):
    """Return a WARC file of one page, at an address and with a type that may be odd."""
    kind = content_type if content_type.startswith("text/html") else f"text/html{content_type}"
    body = page()
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode() + body
    lines = [
        "WARC/1.0",
        "WARC-Type: response",
        f"WARC-Target-URI: {url}",
        "WARC-Date: 2026-03-01T09:30:00Z",
        "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(http)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + http + b"\r\n\r\n"


def archives():
    """Return archives by the end of their names."""
    files = {}
    for number, url in enumerate(BAD_ADDRESSES):
        files[f"address-{number}.mhtml"] = mhtml(url)
        if "\u0000" not in url:
            files[f"address-{number}.warc"] = warc(url)
    kinds = (*CONTENT_TYPES, *(f"text/html; charset={name}" for name in CHARSETS))
    for number, kind in enumerate(kinds):
        files[f"type-{number}.mhtml"] = mhtml("http://a.example/", kind)
        files[f"type-{number}.warc"] = warc("http://a.example/", kind)
    files["semicolons.mhtml"] = mhtml("http://a.example/", "text/html" + ";" * 200_000)
    return files
