"""Signs of an advertisement: its size, its names, its host, how its link is marked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from structce.arrays import Flags
from structce.features.class_names import read_name
from structce.features.dom_tree import elements_called, elements_with, ends, regions_below
from structce.features.registry import feature, once_a_page
from structce.language import find_cues
from structce.page import Page

_ATTRIBUTE_SIZES = frozenset(
    "728x90 300x250 160x600 300x600 320x50 320x100 970x250 970x90 336x280 250x250 468x60 120x600 "
    "300x50 320x480 300x1050 180x150 200x200 240x400 300x100 300x1250 600x500 800x250".split()
)
"""Width and height of advertisements, as the Interactive Advertising Bureau names them."""

_NAMES = frozenset(
    "ad ads adv advert adverts advertisement advertisements advertising advertorial advertise "
    "adslot adunit adbox adsense adsbygoogle adcontainer adwrapper adplacement adbanner adframe "
    "adtag adzone "
    "sponsor sponsored sponsors sponsoring sponsorship dfp gpt taboola outbrain teads criteo "
    "revcontent mgid ligatus plista adition adnxs prebid banner banners billboard skyscraper mpu "
    "anzeige anzeigen werbung werbeblock reklame reklama reklam publicidad publicite pubblicita "
    "publicidade advertentie annonse annonser annons anuncio anuncios iklan promoted paidcontent "
    "nativead".split()
)
_NOT_ALONE = frozenset({"banner", "banners"})  # "cookie-banner" and "banner-nav" are none
_OTHER_BANNERS = frozenset(
    "cookie cookies consent gdpr cmp privacy nav navigation header newsletter app login "
    "hero".split()
)
_HOSTS = re.compile(
    r"doubleclick|googlesyndication|googleadservices|adservice|taboola|outbrain|criteo|adnxs|"
    r"amazon-adsystem|adsystem|adform|adition|rubiconproject|pubmatic|openx|teads|revcontent|mgid|"
    r"ligatus|plista|smartadserver|adsrvr|casalemedia|sharethrough|yieldlab|adtech|zedo|"
    r"(?:^|\.)ads?\d*\.|adserver"
)
"""Parts of the names of hosts that serve advertisements; the list is ours."""

_SLOTS = frozenset(
    "data-ad data-ads data-ad-slot data-ad-client data-ad-unit data-ad-id data-ad-type "
    "data-google-query-id data-adunit data-ad-format".split()
)
_ABSOLUTE = ("https://", "http://", "//")
_ADDRESSES = ("src", "href", "data-src")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN = str.maketrans(dict.fromkeys("-_:./#()0123456789", " "))
_MOST = 0.2  # share of a page's regions that one advertisement holds at most; our choice
_FEW = 3  # regions that it may hold on any page
_NEAR = 3  # elements above that are near
_LABEL = 40  # characters of a label that announces an advertisement


@feature("task", source="IAB")
def advertisement_size(page: Page) -> Flags:
    """Frame or image in a size that the Interactive Advertising Bureau names for advertisements."""
    found = np.zeros(len(page), dtype=bool)
    for i in np.flatnonzero(page.is_media).tolist():
        row = page.attributes[i]
        found[i] = f"{row.get('width')}x{row.get('height')}" in _ATTRIBUTE_SIZES
    return found


@feature("task", needs="layout", source="IAB")
def advertisement_box(page: Page) -> Flags:
    """Image or frame that is laid out in the size of an advertisement, to the pixel."""
    found = np.zeros(len(page), dtype=bool)
    for i in np.flatnonzero(page.is_media & np.isfinite(page.boxes).all(axis=1)).tolist():
        _, _, width, height = page.boxes[i].tolist()
        found[i] = f"{round(width)}x{round(height)}" in _ATTRIBUTE_SIZES
    return found


@feature("task")
def advertisement_name(page: Page) -> list[str | None]:
    """Where a class, an id or a label speaks of advertisements: on the element, ``near``, ``far``.

    Publishers wrap advertisements in elements that they call so; whole words count, so that
    "header" and "shadow" do not.
    """
    steps = _steps(page)
    kinds = ["own", *["near"] * _NEAR, "far"]
    return [kinds[min(steps[i], _NEAR + 1)] if steps[i] >= 0 else None for i in page.element]


@once_a_page
def _steps(page: Page) -> list[int]:
    """Return how many elements above each element one is named for advertisements; -1 for none."""
    named = {i for i, row in enumerate(page.elements.attributes) if _is_named(row, page.lang)}
    named -= _large(page) if named else set()
    steps: list[int] = []
    for i, parent in enumerate(page.elements.parent.tolist()):
        above = steps[parent] if parent >= 0 else -1
        steps.append(0 if i in named else above + 1 if above >= 0 else -1)
    return steps


def _large(page: Page) -> set[int]:
    """Return the elements that hold much of the page: ``has-ads`` says something else of them."""
    parents = page.elements.parent.tolist()
    held = np.bincount(page.element, minlength=len(parents)).tolist()
    for i in range(len(parents) - 1, 0, -1):
        held[parents[i]] += held[i]
    most = max(_MOST * len(page), _FEW)
    return {i for i, n in enumerate(held) if n > most}


def _is_named(row: Mapping[str, str], tag: str) -> bool:
    if not row:
        return False
    if _speaks(f"{row.get('class', '')} {row.get('id', '')} {row.get('name', '')}"):
        return True
    label = row["aria-label"] if "aria-label" in row else row.get("title", "")
    if label and len(label) <= _LABEL and "advertisement-cue" in find_cues(label, tag):
        return True
    return not _SLOTS.isdisjoint(row)


@lru_cache(maxsize=16384)
def _speaks(name: str) -> bool:
    """Return whether a word of a class or id is one for advertisements."""
    opened = name if name.islower() else _CAMEL.sub(" ", name).lower()
    found = opened.translate(_BETWEEN).split()
    named = _NAMES.intersection(found)
    return bool(named - _NOT_ALONE) or (bool(named) and _OTHER_BANNERS.isdisjoint(found))


@feature("task")
def advertisement_host(page: Page) -> Flags:
    """Image, frame or link whose address is of a host that serves advertisements."""
    own = [False] * len(page.elements)
    for i, row in enumerate(page.elements.attributes):
        for key in _ADDRESSES:
            if key in row and row[key].startswith(_ABSOLUTE):
                own[i] |= _is_ad_host(row[key].split("/", 3)[2])
    return _at_or_below(page, own)


@lru_cache(maxsize=4096)
def _is_ad_host(host: str) -> bool:
    return _HOSTS.search(host.lower()) is not None


@feature("task", source="HTML")
def sponsored_link(page: Page) -> Flags:
    """Inside a link that says by ``rel`` that it is paid for: a duty of publishers."""
    rows = page.elements.attributes
    own = ["sponsored" in row["rel"].lower() if "rel" in row else False for row in rows]
    return _at_or_below(page, own)


def _at_or_below(page: Page, own: list[bool]) -> Flags:
    found = page.elements.lineage(own) if any(own) else np.zeros(len(own), dtype=bool)
    return found[page.element]


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

_MOST_CONSENT = 0.5  # share of a page's regions that a notice holds at most; our choice
_FEW_CONSENT = 10  # regions that it may hold on any page
_LONGEST = 4_000  # characters of a notice that only its text tells; our choice
_SURE, _MAYBE, _NONE = 2, 1, 0


@feature("task")
def consent(page: Page) -> Flags:
    """Inside a notice that asks for consent to cookies, which covers the article.

    Its text runs on as an article's does, and it comes first or last in the page. It is known by
    the names of the few platforms that serve most notices, or, in a dialog, by its words.
    """
    found = np.zeros(len(page), dtype=bool)
    if not len(page):
        return found
    first, counts = regions_below(page)
    most = max(_MOST_CONSENT * len(page), _FEW_CONSENT)
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
