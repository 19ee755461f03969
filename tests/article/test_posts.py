"""Posts of threads: records of one form, their names, days and texts, on invented pages."""

import numpy as np
import pytest

from structce.article.evidence import Evidence
from structce.article.posts import covers_body, find_posts, is_thread, read_posts
from structce.labels import NEWS

SAID = ("Does the ferry sail on Sundays?", "It does, but only until noon.", "Not in winter.")
USERS = ("quay7", "Ann Lee", "deckhand")
DAYS = ("3 May 2026, 09:30", "4 May 2026, 10:00", "4 May 2026, 21:15")

LIST = """<div class="post" id="p{n}"><div class="who">
<a class="username" href="/members/{n}">{user}</a>
<span>Joined: 12 January 20{n}0</span></div><span class="when">{day}</span>
<div class="text"><p>{said}</p></div><a href="/reply">Reply</a></div>"""
ROWS = """<tr><td class="head"><a href="/user/{n}">{user}</a> <b>{day}</b></td></tr>
<tr><td class="msg">{said}</td></tr>"""
BARE = "<li><p><b>{user}</b> <i>{day}</i></p><p>{said}</p></li>"


def thread(form, around="<div>{}</div>", n_posts=3):
    posts = "".join(
        form.format(n=n, user=USERS[n], day=DAYS[n], said=SAID[n]) for n in range(n_posts)
    )
    return f"<html lang=en><nav><a href=/>Home</a></nav><h1>Ferry</h1>{around.format(posts)}"


def evidence_of(page):
    """Evidence of a labeller that knows nothing."""
    return Evidence(page, np.full((len(page), len(NEWS)), 1 / len(NEWS)), NEWS.names)


def posts_of(page):
    evidence = evidence_of(page)
    return read_posts(evidence, find_posts(evidence))


@pytest.mark.parametrize(
    ("form", "around"),
    [(LIST, "<div>{}</div>"), (ROWS, "<table>{}</table>"), (BARE, "<ul>{}</ul>")],
)
def test_a_thread_gives_its_posts_with_name_day_and_text(make_page, form, around):
    posts = posts_of(make_page(thread(form, around)))
    assert [post.author.value for post in posts] == list(USERS)
    assert [post.text for post in posts] == list(SAID)
    days = [post.date.value for post in posts]
    assert days == ["2026-05-03T09:30:00", "2026-05-04T10:00:00", "2026-05-04T21:15:00"]


def test_a_term_linked_in_every_post_stays_in_its_sentence(make_page):
    form = LIST.replace("{said}", "{said} See <a href='/q'>quay</a> for {said}")
    posts = posts_of(make_page(thread(form)))
    assert [post.text for post in posts] == [f"{said} See quay for {said}" for said in SAID]


def test_comments_below_an_article_do_not_take_its_place(make_page):
    article = "".join(
        f"<p>{n}. The ferry rests until the river has fallen again.</p>" for n in "123"
    )
    page = make_page(thread(LIST, f"<article>{article}</article><div>{{}}</div>"))
    evidence = evidence_of(page)
    places = find_posts(evidence)
    assert len(places) == len(SAID)
    said = np.array([text in SAID for text in page.text])
    told = np.array(["river" in text for text in page.text])
    assert covers_body(evidence, said, places)
    assert not covers_body(evidence, said | told, places)
    assert not covers_body(evidence, told, places)
    assert not covers_body(evidence, told, [])


def test_two_posts_are_a_thread_only_if_both_have_a_name(make_page):
    named = find_posts(evidence_of(make_page(thread(LIST, n_posts=2))))
    assert len(named) == 2
    assert is_thread(named)
    nameless = [post._replace(author=()) for post in named]
    assert not is_thread([named[0], nameless[1]])
    assert not is_thread(named[:1])
    assert is_thread(nameless * 2)


def test_a_time_element_tells_the_moment_of_a_post(make_page):
    form = LIST.replace("{day}", '<time datetime="2026-05-0{n}T08:00:00Z">today</time>')
    _, *later = posts_of(make_page(thread(form)))  # of the first the element tells no day
    moments = [f"2026-05-0{day}T08:00:00+00:00" for day in (1, 2)]
    assert [post.date.value for post in later] == moments


def test_one_entry_and_a_page_without_days_are_no_thread(make_page):
    assert posts_of(make_page(thread(LIST, n_posts=1))) == ()
    undated = LIST.replace("{day}", "").replace("Joined: 12 January 20{n}0", "Member")
    assert posts_of(make_page(thread(undated))) == ()
    assert posts_of(make_page("")) == ()
