"""Days, names and titles of what is beside the article are not the article's."""

import pytest

from structce.article.authors import eligible_names, is_furniture_word
from structce.article.choice import candidates_of
from structce.article.dates import eligible_days
from structce.article.titles import eligible_titles
from structce.labelling import ArticleTrees

BODY = "".join(
    f"<p>The harbour board of Ostwick met on {day} evening to decide about the old grain store.</p>"
    for day in ("Monday", "Tuesday", "Friday")
)
OWN = "<p class=date>May 22, 2026</p>"
LINK = "<a href=/9>Ferry gets a new engine</a>"
LABELS = {
    "May 22, 2026": "Date",
    "Mar 5, 2026": "Date",
    "Ann Lee": "Author",
    "Tom": "Author",
    "Received 5 Mar 2026 | First online 22 May 2026": "Date",
}


def evidence_of(html, make_page, see):
    page = make_page(f"<html lang=en><body>{html}</body></html>", url="https://ostwick.example/1")
    return see(page, [
        "Title" if page.text[i] == "Store to stay"
        else LABELS.get(page.text[i], "Paragraph" if "board" in page.text[i] else "None")
        for i in range(len(page))
    ])  # fmt: skip


def own_values(field, own, html, make_page, see):
    evidence = evidence_of(html, make_page, see)
    candidates = candidates_of(field, evidence, ArticleTrees())
    return {candidates[n].value[:10] for n in own(candidates, evidence)}


@pytest.mark.parametrize(
    ("html", "days"),
    [
        (f"<h1>Store to stay</h1>{OWN}{BODY}", {"2026-05-22"}),
        (f"<header><span>Mar 5, 2026</span></header><main><h1>Store to stay</h1>{OWN}{BODY}</main>",
         {"2026-05-22"}),
        (f"<header><span>Mar 5, 2026</span></header><main><h1>Store to stay</h1>{BODY}</main>",
         {"2026-03-05"}),
        (f"<h1>Store to stay</h1><div>{LINK} <time>Mar 5, 2026</time></div>{OWN}{BODY}",
         {"2026-05-22"}),
        (f"<h1>Store to stay</h1>{BODY}<ul><li>{LINK}<i>Mar 5, 2026</i></ul>", set()),
        (f"<h1>Store to stay</h1>{BODY}<div id=comments><b>Tom</b><i>Mar 5, 2026</i></div>", set()),
        (f"<h1>Store to stay</h1>{BODY}<table><tr><td>Mar 5, 2026<td>Fair</table>{BODY}", set()),
        (f"<h1>Store to stay</h1><p>Received: 5 Mar 2026; Accepted: 6 Mar 2026</p>{OWN}{BODY}",
         {"2026-05-22"}),
        (f"<h1>Store to stay</h1><p>Received 5 Mar 2026 | First online 22 May 2026</p>{BODY}",
         {"2026-05-22"}),
        (f"<meta name=date content=2026-05-22><h1>Store to stay</h1>{BODY}<i>Mar 5, 2026</i>",
         {"2026-05-22"}),
    ],
)  # fmt: skip
def test_days_of_the_furniture_lose(html, days, make_page, see):
    assert own_values("date", eligible_days, html, make_page, see) == days


@pytest.mark.parametrize(
    ("html", "has_tom"),
    [
        (f"<h1>Store to stay</h1><p>By <b>Tom</b></p>{BODY}", True),
        (f"<h1>Store to stay</h1>{BODY}<div class=comment><b>Tom</b></div>", False),
        (f"<h1>Store to stay</h1>{BODY}<blockquote>So be it.<footer>Tom</footer></blockquote>",
         False),
        ("<meta property=og:site_name content=Tom><header>Tom</header><main><h1>Store to stay</h1>"
         f"{BODY}</main>", False),
    ],
)  # fmt: skip
def test_readers_speakers_and_the_site_are_no_authors(html, has_tom, make_page, see):
    assert ("Tom" in own_values("authors", eligible_names, html, make_page, see)) is has_tom


def test_words_of_buttons_are_no_names():
    words = ("Written By", "Comment", "undefined", "Tweet", "\u624b\u673a\u7248")
    assert all(map(is_furniture_word, words))
    assert not any(map(is_furniture_word, ("Ann Lee", "Tom", "Reuters")))


def test_a_title_with_the_site_loses_to_the_headline(make_page, see):
    stated = "<meta property=og:title content='Store to stay | Post'>"
    html = f"<title>Store to stay | Post</title>{stated}<h1>Store to stay</h1>{BODY}"
    evidence = evidence_of(html, make_page, see)
    candidates = candidates_of("title", evidence, ArticleTrees())
    values = {candidates[n].value for n in eligible_titles(candidates, evidence)}
    assert "Store to stay" in values
    assert "Store to stay | Post" not in values
