"""Notices that ask for consent to cookies: they cover the article and are none of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.features.memo import once_a_page
from structce.features.naming import read_name
from structce.features.registry import feature
from structce.features.tree import elements_called, elements_with, ends, regions_below
from structce.page import Page

PLATFORMS = frozenset(
    "onetrust optanon didomi usercentrics cookiebot cybot trustarc truste klaro borlabs iubenda "
    "consentmanager cmpbox cmpwrapper cmplz complianz cookieyes cky cookiefirst cookiehub "
    "cookieconsent cookiebanner cookiebar cookienotice cookielaw consentbanner gdprbanner "
    "tarteaucitron axeptio osano termly evidon truendo commandersact sirdata".split()
)
"""Words of names that no other part of a page is called by: platforms that manage consent."""

_TOGETHER = tuple(
    frozenset(words.split())
    for words in (
        *("qc cmp", "sp message container", "sp message iframe", "ot sdk", "cc window"),
        *("cc banner", "coi overlay", "fc consent", "fast cmp"),
    )
)
"""Words of platforms that mean it only side by side in one name."""

_ABOUT = frozenset("cookie cookies consent gdpr dsgvo rgpd tcf ccpa".split())
_NOTICE = frozenset(
    "banner bar notice notification popup popin modal overlay dialog layer message disclaimer "
    "law wall manager prompt warning alert toast hint snackbar drawer sheet".split()
)
_ALSO_COMPONENTS = "cmp"  # consent management platform, or just a component of the page
_TELLING = PLATFORMS.union(_ABOUT, {_ALSO_COMPONENTS}, *_TOGETHER)
_NO_BOX = frozenset(
    "link links button btn toggle reopen open show change settings preferences manage policy has "
    "no without footer menu".split()
)
"""Words of what leads to a notice, and of elements that only say whether there is one."""

_TAGS = frozenset("div section aside form dialog footer header nav ul p iframe".split())
_ROLES = frozenset({"dialog", "alertdialog"})
_COOKIES = re.compile(
    r"cookie|\bgdpr|\bdsgvo|\brgpd|tracking|\bkakor|informasjonskaps|eväste|piškotk|kolačić|"
    r"\bsütik|ciastecz|slapuk|sīkdat|küpsis|çerez|куки|бисквитк|クッキー|쿠키|ملفات تعريف|עוגיות",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"\b(?:accept|agree|consent|reject|decline|got it|akzept|zustimm|einverstand|ablehn|refus|"
    r"acept|acord|rechaz|accett|rifiut|aceit|concord|recus|akkoord|weiger|tillad|samtyk|samtyck|"
    r"godta|godkänn|avvis|hyväksy|zgadzam|zgod|odrzu|akcept|souhlas|přijm|súhlas|prijať|prihva|"
    r"strinja|elfogad|kabul|redde|sutink|piekr|nõust|αποδοχ|αποδέχ|συμφων|соглас|принять|прийня|"
    r"погод|приема|прихват)|同意|동의|موافق|قبول|מסכים|אישור",
    re.IGNORECASE,
)
"""Words of what is asked, and of the answers, in the commonest languages; a notice holds both."""

_MOST = 0.5  # share of a page's regions that a notice holds at most; our choice
_FEW = 10  # regions that it may hold on any page
_LONGEST = 4_000  # characters of a notice that only its text tells; our choice
_SURE, _MAYBE, _NONE = 2, 1, 0
Mask = NDArray[np.bool_]


@feature("task")
def consent(page: Page) -> Mask:
    """Inside a notice that asks for consent to cookies, which covers the article.

    Its text runs on as an article's does, and it comes first or last in the page. It is known by
    the names of the few platforms that serve most notices, or, in a dialog, by its words.
    """
    found = np.zeros(len(page), dtype=bool)
    if not len(page):
        return found
    first, counts = regions_below(page)
    most = max(_MOST * len(page), _FEW)
    for i, strength in _candidates(page).items():
        start, n = int(first[i]), int(counts[i])
        if n > most or found[start : start + n].all() or _holds_article(page, i):
            continue
        if strength == _SURE or _asks(page.text[start : start + n]):
            found[start : start + n] = True
    return found


def _candidates(page: Page) -> dict[int, int]:
    """Return the elements that may be a notice, and how sure their names are, outermost first."""
    rows, tags = page.elements.attributes, page.elements.tag
    having = elements_with(page)
    found = dict.fromkeys(_dialogs(page), _MAYBE)
    for key in ("id", "class"):
        for i in having.get(key, ()):
            strength = _strength(rows[i][key])
            if strength and tags[i] in _TAGS:
                found[i] = max(strength, found.get(i, _NONE))
    return dict(sorted(found.items()))


def _dialogs(page: Page) -> set[int]:
    """Return the dialogs, stated or by their place in front of the page."""
    rows, having = page.elements.attributes, elements_with(page)
    found = set(elements_called(page).get("dialog", ()))
    found |= {i for i in having.get("role", ()) if rows[i]["role"].lower() in _ROLES}
    found |= {i for i in having.get("aria-modal", ()) if rows[i]["aria-modal"] == "true"}
    if "position" in page.elements.styles:
        fixed = np.flatnonzero(page.elements.styles["position"] == "fixed")
        found |= set(fixed.tolist())
    return found


@lru_cache(maxsize=16384)
def _strength(names: str) -> int:
    """Return how surely one of the names in an attribute is that of a notice."""
    return max((_strength_of_one(name) for name in names.split()), default=_NONE)


def _strength_of_one(name: str) -> int:
    words = read_name(name).tokens
    if _TELLING.isdisjoint(words) or words & _NO_BOX:
        return _NONE
    if words & PLATFORMS or any(together <= words for together in _TOGETHER):
        return _SURE
    if words & _NOTICE and words & _ABOUT:
        return _SURE
    if words & _ABOUT or (_ALSO_COMPONENTS in words and words & (_NOTICE | {"container"})):
        return _MAYBE
    return _NONE


@once_a_page
def _articles(page: Page) -> list[int]:
    """Return the elements that hold what the page is for, in document order."""
    called = elements_called(page)
    return sorted(i for name in ("main", "article", "body") for i in called.get(name, ()))


def _holds_article(page: Page, i: int) -> bool:
    """Return whether an element is, or holds, one that the page itself stands in."""
    articles = _articles(page)
    n_before = bisect_right(articles, i - 1)
    return n_before < len(articles) and articles[n_before] < ends(page)[i]


def _asks(texts: tuple[str, ...]) -> bool:
    """Return whether texts speak of cookies, and of accepting or refusing."""
    text = " ".join(texts)
    if len(text) > _LONGEST:
        return False
    return _COOKIES.search(text) is not None and _ANSWER.search(text) is not None
