"""Small invented pages of two layouts, each with one thing that must be read right."""

import json

import pytest

from structce.article import label

TITLE, SITE = "Swimming bath to stay open for another winter", "Calder Gazette"
TEXTS = (
    "The parish council of Calder Bridge voted on Thursday night to keep the swimming bath open "
    "for another winter, although the boiler has failed twice since the spring.",
    "More than two hundred people had signed a petition, and a queue of parents and children stood "
    "outside the hall long before the doors were opened.",
    "The clerk, Petra Lund, told the meeting that the money would last until March, and that a "
    "grant from the county could pay for half of a new boiler.",
    "Swimmers will be asked for fifty pence more from October, when the season tickets are sold, "
    "and the café on the first floor will be let to a baker.",
    "The next meeting is in the second week of the new year, when the councillors want to hear "
    "what an engineer has to say about the roof and the drains.",
)
PARAGRAPHS = tuple(f"<p>{text}</p>" for text in TEXTS)
BODY = "".join(PARAGRAPHS)


def stated(body, head="", lang="en"):
    """Return a page in the elements of HTML 5 whose metadata state title and site."""
    return f"""<html lang="{lang}"><head><title>{TITLE} | {SITE}</title>
    <meta property="og:title" content="{TITLE}"><meta property="og:site_name" content="{SITE}">
    {head}</head><body><header><a href="/">{SITE}</a><nav><ul><li><a href="/n">News</a></li>
    <li><a href="/s">Sport</a></li></ul></nav></header><main><article><h1>{TITLE}</h1>{body}
    </article></main><footer><p>Imprint</p><p>&copy; 2021 {SITE}. All rights reserved.</p></footer>
    </body></html>"""


def plain(body, head="", lang="en"):
    """Return a page in ``div`` that states nothing."""
    return f"""<html lang="{lang}"><head><title>{TITLE}</title>{head}</head><body><div id="wrap">
    <div id="top"><b>{SITE}</b> <a href="/">Front</a> <a href="/archive">Archive</a></div>
    <div class="col"><h2>{TITLE}</h2>{body}</div><div class="side"><h3>Recent</h3><ul>
    <li><a href="/1">Bus fares to rise</a></li><li><a href="/2">Bridge closed</a></li></ul></div>
    <div class="bottom">Powered by Quillpress</div></div></body></html>"""


both = pytest.mark.parametrize("layout", [stated, plain])


def read(html):
    return label(html, url="https://www.calder-gazette.test/news/bath")


def names(article):
    return sorted(author.value for author in article.authors)


def news(**members):
    article = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": TITLE}
    return json.dumps(article | {"datePublished": "2024-09-01T06:00:00+02:00"} | members)


def script(text):
    return f'<script type="application/ld+json">{text}</script>'


DAYS = """en-US 05/04/2024|en-GB 4 May 2024|en Saturday, May 4th, 2024|en-AU 4/5/24
fr Publié le 4 mai 2024 à 9h05|es 4 de mayo de 2024|it 4 maggio 2024
pt 4 de maio de 2024 às 9h05|nl zaterdag 4 mei 2024|pl 4 maja 2024|ru 4 мая 2024, 09:05
uk 4 травня 2024|cs 4. května 2024|sv 4 maj 2024|da 4. maj 2024 kl. 9:05|fi 4.5.2024
tr 4 Mayıs 2024|el 4 Μαΐου 2024|zh-CN 2024年5月4日 9:05|ja 令和6年5月4日
ko 2024년 5월 4일 오전 9:05|vi 4 tháng 5, 2024|th 4 พฤษภาคม 2567|fa ۱۵ اردیبهشت ۱۴۰۳
he 4 במאי 2024|ar 4 مايو 2024|hi ४ मई २०२४|id 4 Mei 2024|hu 2024. május 4.|ro 4 mai 2024
bg 4 май 2024 г.|hr 4. svibnja 2024.|lt 2024 m. gegužės 4 d.|lv 2024. gada 4. maijs
et 4. mai 2024|ta 4 மே 2024|ur 4 مئی 2024|ca 4 de maig de 2024|is 4. maí 2024"""
DAYS_BY_LANGUAGE = DAYS.replace("\n", "|").split("|")


@both
@pytest.mark.parametrize("line", DAYS_BY_LANGUAGE)
def test_a_day_is_read_in_the_language_of_the_page(layout, line):
    lang, day = line.split(" ", 1)
    article = read(layout(f'<p class="date">{day}</p>{BODY}', lang=lang))
    assert article.date is not None
    assert article.date.value.startswith("2024-05-04")


MOMENTS = [
    ("en", "May 4, 2024 3:05 p.m. EDT", "2024-05-04T15:05"),
    ("zh-CN", "2024年5月4日下午3:05", "2024-05-04T15:05"),
    ("zh-CN", "2024-5-4 9:5", "2024-05-04T09:05"),
    ("ko", "2024.5.4. 오후 3:05", "2024-05-04T15:05"),
    ("pt", "04/05/2024 15h05", "2024-05-04T15:05"),
    ("fi", "4.5.2024 15.05", "2024-05-04T15:05"),
    ("en", "Sat, 04 May 2024 15:05:00 +0200", "2024-05-04T15:05:00+02:00"),
    ("stated", "2024-05-04 15:05:00", "2024-05-04"),
    ("stated", "1714835100", "2024-05-04"),
    ("stated", "1714835100000", "2024-05-04"),
    ("stated", "2024-05-04T15:05:00 GMT+0200", "2024-05-04"),
]
"""Languages of a page, or that a script states the moment; what is written, and what it means."""


@pytest.mark.parametrize(("lang", "line", "moment"), MOMENTS)
def test_a_time_of_day_is_read(lang, line, moment):
    if lang == "stated":
        article = read(stated(BODY, script(news(datePublished=line))))
    else:
        article = read(plain(f'<p class="date">{line}</p>{BODY}', lang=lang))
    assert article.date is not None
    assert article.date.value.startswith(moment)


TEASER = "<a href=/2>Ferry gets a new engine</a> <time datetime=2026-02-05>2 days ago</time>"


@both
@pytest.mark.parametrize(
    "part",
    [
        f"<div class=related>{TEASER}</div>",
        "<ul><li>14 July 2027: fair</li><li>15 July 2027: boats</li></ul>",
        "<h2>The flood of 3 March 1953</h2>",
        "<blockquote>On 12 June 2019 we signed the lease.</blockquote>",
        "<p>© Calder Gazette, 12 May 2016</p>",
        '<figure><img src="/b.jpg"><figcaption>The bath on 12 May 2016.</figcaption></figure>',
        "<table><tr><th>Day</th></tr><tr><td>14 July 2027</td><td>Fair</td></tr></table>",
        "<p>The council of Calder Bridge first met on 3 June 1894 in a tent beside the river.</p>",
    ],
)
def test_a_day_in_the_text_is_not_that_of_publication(layout, part):
    assert read(layout("".join(PARAGRAPHS[:3]) + part + "".join(PARAGRAPHS[3:]))).date is None


@both
def test_a_dateline_states_the_day(layout):
    article = read(layout(f"<p>CALDER BRIDGE, 22 May 2026 (CG) - {TEXTS[0]}</p>{BODY}"))
    assert article.date is not None
    assert article.date.value == "2026-05-22"


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "By Ann Lee | 22 May 2026 | Updated 24 May 2026"),
        ("en", "Updated 24 May 2026, 10:00. First published 22 May 2026, 08:00"),
        ("de", "22.05.2026, 08:00 Uhr - aktualisiert am 24.05.2026, 10:00 Uhr"),
        ("it", "22 maggio 2026 (modifica il 24 maggio 2026)"),
    ],
)
def test_publication_and_change_are_told_apart(lang, line):
    article = read(plain(f'<p class="by">{line}</p>{BODY}', lang=lang))
    assert article.date is not None
    assert article.modified is not None
    assert (article.date.value[:10], article.modified.value[:10]) == ("2026-05-22", "2026-05-24")


GOOD = news(author={"@type": "Person", "name": "Jana Polk"}, description="DESC")
BROKEN = {
    "single quotes": GOOD.replace('"', "'"),
    "comment": f"/* data */ {GOOD}",
    "comment of HTML": f"<!-- {GOOD} -->",
    "CDATA": f"//<![CDATA[\n{GOOD}\n//]]>",
    "line end in a text": GOOD.replace("DESC", "a\nb"),
    "no comma": GOOD.replace(', "author"', ' "author"'),
    "two commas": GOOD.replace(', "author"', ',, "author"'),
    "bare key": GOOD.replace('"author":', "author:"),
    "undefined": GOOD.replace('"DESC"', "undefined"),
    "no end": GOOD[:-2],
    "two ends": f"{GOOD}}}",
    "variable": f"var data = {GOOD};",
    "marks in a text": GOOD.replace("DESC", 'a "quoted" word'),
    "curly marks": GOOD.replace('"DESC"', "“DESC”"),
    "mark-up behind": f"{GOOD} <br>",
    "a text": json.dumps(GOOD),
    "graph": json.dumps({"@graph": [{"@type": "WebSite", "name": SITE}, json.loads(GOOD)]}),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_json_ld_is_read_although_it_is_broken(text):
    article = read(stated(BODY, script(text)))
    assert article.date is not None
    assert (names(article), article.date.value[:10]) == (["Jana Polk"], "2024-09-01")


@pytest.mark.parametrize(
    "author",
    [
        [{"@type": "Person", "name": "Jana Polk"}, {"@type": "Person", "name": "Tor Wied"}],
        {"@type": "Person", "name": "Jana Polk and Tor Wied"},
        {"@type": "Person", "name": ["Jana Polk", "Tor Wied"]},
        "Jana Polk; Tor Wied",
        "Jana Polk &amp; Tor Wied",
    ],
)
def test_authors_that_one_source_states_are_all_given(author):
    assert names(read(stated(BODY, script(news(author=author))))) == ["Jana Polk", "Tor Wied"]


@pytest.mark.parametrize("name", "citation_author author DC.creator article:author".split())
def test_authors_of_several_meta_elements_are_all_given(name):
    people = ["Ines Barr", "Jana Polk", "Tor Wied"]
    key = "property" if ":" in name else "name"
    head = "".join(f'<meta {key}="{name}" content="{person}">' for person in people)
    assert names(read(stated(BODY, head))) == people


@pytest.mark.parametrize(
    "name",
    [
        "Jana Polk, Staff Writer",
        "By Jana Polk",
        "Por Jana Polk",
        "Von Jana Polk",
        "Jana&nbsp;Polk",
        '<a href="/j">Jana Polk</a>',
        "Jana Polk (jana@calder.test)",
        f"Jana Polk | {SITE}",
    ],
)
def test_what_is_beside_a_stated_name_is_left_out(name):
    author = {"@type": "Person", "name": name}
    assert names(read(stated(BODY, script(news(author=author))))) == ["Jana Polk"]


@pytest.mark.parametrize(
    "name", ["admin", "webmaster", "undefined", "news@calder.test", "12345", "-", ""]
)
def test_an_account_is_no_author(name):
    author = {"@type": "Person", "name": name}
    assert not names(read(stated(BODY, script(news(author=author)))))


def test_the_site_is_no_author_beside_a_person():
    site = {"@type": "Organization", "name": SITE}
    authors = [{"@type": "Person", "name": "Jana Polk"}, site]
    assert names(read(stated(BODY, script(news(author=authors))))) == ["Jana Polk"]


BYLINES = {
    "By Jana Polk": ["Jana Polk"],
    "By Jana Polk and Tor Wied": ["Jana Polk", "Tor Wied"],
    "By Jana Polk, Tor Wied and Ines Barr": ["Ines Barr", "Jana Polk", "Tor Wied"],
    "By Jana Polk with Tor Wied": ["Jana Polk", "Tor Wied"],
    "By Jana Polk, Reuters": ["Jana Polk"],
    "Jana Polk, Environment Correspondent": ["Jana Polk"],
    "Words by Jana Polk. Photographs by Tor Wied": ["Jana Polk"],
    "Posted by Jana Polk on May 4, 2024": ["Jana Polk"],
    "记者 王小芳": ["王小芳"],
    "김민수 기자 kms@calder.test": ["김민수"],
    "Автор: Анна Петрова": ["Анна Петрова"],
    "Írta: Kovács Anna": ["Kovács Anna"],
    "5 min read": [],
    "Leave a comment": [],
    "Photo: Getty Images": [],
}


@both
@pytest.mark.parametrize("byline", BYLINES)
def test_a_byline_is_read(layout, byline):
    scripts = {"记": "zh", "김": "ko", "А": "ru", "Í": "hu"}
    page = layout(f'<p class="byline">{byline}</p>{BODY}', lang=scripts.get(byline[0], "en"))
    assert names(read(page)) == BYLINES[byline]


@pytest.mark.parametrize("separator", "- | – — · • » :: / &lt; › ~".split())
def test_a_title_is_told_from_its_site(separator):
    page = plain(BODY).replace(f"<title>{TITLE}", f"<title>{TITLE} {separator} {SITE}")
    title = read(page).title
    assert title is not None
    assert title.value == TITLE


@pytest.mark.parametrize("window", ["Home", SITE, "Startseite"])
def test_a_title_of_the_site_gives_way_to_a_heading(window):
    page = plain(BODY).replace(f"<title>{TITLE}", f"<title>{window}").replace("h2", "h1")
    title = read(page).title
    assert title is not None
    assert title.value == TITLE


KEPT = {
    "<pre>stall add 12\nstall print</pre>": "stall print",
    "<ul><li>one lamp</li><li>one rope</li></ul>": "one rope",
    "<table><tr><th>Floor</th><th>Rent</th></tr><tr><td>One</td><td>200</td></tr></table>": "200",
    "<blockquote>We will not sell it.</blockquote>": "We will not sell it.",
    "<dl><dt>Quay</dt><dd>A wall by water</dd></dl>": "A wall by water",
    "<h2>Sources</h2><ol><li>Town roll, page 12</li></ol>": "Town roll, page 12",
    "<p>It rained.</p>": "It rained.",
    "<p><em>Correction: the price was wrong.</em></p>": "the price was wrong.",
    "<div><div><p>Nobody objected.</p></div></div>": "Nobody objected.",
    '<p>These tell more:</p><ul><li><a href="/a">How it was bought</a></li></ul>': "it was bought",
}


@both
@pytest.mark.parametrize("place", [1, 3, 5])
@pytest.mark.parametrize("part", KEPT)
def test_a_part_of_the_text_is_kept(layout, place, part):
    text = read(layout("".join(PARAGRAPHS[:place]) + part + "".join(PARAGRAPHS[place:]))).text
    assert KEPT[part] in text
    assert all(paragraph in text for paragraph in TEXTS)


@both
@pytest.mark.parametrize(
    "part",
    [
        '<div class="ad">Advertisement</div>',
        '<div id="cookie-banner"><p>We use cookies.</p><button>Accept all</button></div>',
        '<div class="promo"><a href="/x">Get the app for free</a></div>',
        '<aside class="related"><ul><li><a href="/1">Bus fares to rise again</a></li></ul></aside>',
    ],
)
def test_furniture_in_the_text_is_left_out(layout, part):
    text = read(layout("".join(PARAGRAPHS[:3]) + part + "".join(PARAGRAPHS[3:]))).text
    assert text.split("\n") == list(TEXTS)
