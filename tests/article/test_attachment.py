"""What follows the body in its container belongs to it; what leads away does not."""

import numpy as np
import pytest

from structce.article.body import block_columns
from structce.article.body_choice import with_attached
from structce.article.tuned import tuned

LONG = "The harbour board met on Tuesday to decide what becomes of the old grain store by the quay."
ITEMS = "<ul><li>Wood for the floor</li><li>Iron for the roof</li></ul>"


def attached(inside, p, make_page, see, n_taken=2, after=""):
    """Texts that are added to a body of the first blocks of an article, by their probability."""
    html = f"<article>{f'<p>{LONG}</p>' * n_taken}{inside}</article>{after}"
    page = make_page(html)
    evidence = see(page, ["Paragraph"] * len(page))
    taken = np.arange(evidence.n_blocks) < n_taken
    chances = np.where(taken, 0.95, p)
    kept = with_attached(evidence, taken, chances, block_columns(evidence))
    assert kept[taken].all()
    return [page.text[i] for i in np.flatnonzero((kept & ~taken)[page.blocks])]


@pytest.mark.parametrize(
    ("inside", "n_texts"),
    [
        (ITEMS, 2),
        (f"<div class=wrap><div>{ITEMS}</div></div>", 2),
        ("<pre><code>stall add 12</code></pre>", 1),
        ("<table><tr><td>Floor<td>Rent<tr><td>1<td>20</table>", 4),
        ("<blockquote><p>We will not sell it.</p></blockquote>", 1),
        ("<dl><dt>Quay<dd>A wall by water</dl>", 2),
        (f"<section>{ITEMS}</section>", 2),
    ],
)
def test_what_hangs_on_the_body_is_kept(inside, n_texts, make_page, see):
    least = tuned("hanging-block")
    assert len(attached(inside, least + 0.01, make_page, see)) == n_texts
    assert attached(inside, least - 0.01, make_page, see) == []
    assert attached("", least + 0.01, make_page, see, after=inside) == []


def test_a_line_needs_more_than_a_list(make_page, see):
    least = tuned("following-block")
    assert attached("<p>One more line.</p>", least + 0.01, make_page, see) == ["One more line."]
    assert attached("<p>One more line.</p>", least - 0.01, make_page, see) == []


def test_links_are_kept_only_after_a_colon_or_a_heading(make_page, see):
    links = "<ul><li><a href=/1>The night of the mill</a><li><a href=/2>Rye on the quay</a></ul>"
    assert attached(links, 0.3, make_page, see) == []
    announced = "<p>The stories that explain it:</p>" + links
    assert len(attached(announced, 0.5, make_page, see)) == 3
    assert len(attached(f"<h2>Resources</h2>{links}", 0.5, make_page, see)) == 3


@pytest.mark.parametrize(
    "inside",
    [f"<div class=related>{ITEMS}</div>", f"<h2>Read more</h2>{ITEMS}", f"<p>Share:</p>{ITEMS}"],
)
def test_what_leads_away_and_what_follows_it_is_left_out(inside, make_page, see):
    assert attached(inside, 0.45, make_page, see) == []


def test_the_rest_of_a_list_follows_its_half(make_page, see):
    items = "<ul>" + "".join(f"<li>Item {i}</li>" for i in range(4)) + "</ul>"
    p = np.array([0.95, 0.95, 0.3, 0.3])
    page = make_page(f"<p>{LONG}</p>{items}<p>{LONG}</p>")
    evidence = see(page, ["Paragraph"] * len(page))
    taken = np.array([True, True, True, False, False, True])
    chances = np.array([0.95, *p, 0.95])
    assert with_attached(evidence, taken, chances, block_columns(evidence)).all()
