"""Days of publication that a page offers, those that may be the article's, and the last change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from datetime import date, datetime
from itertools import islice

import numpy as np

from structce.article.candidates import (
    REGION_COLUMNS,
    STATED_COLUMNS,
    UNKNOWN,
    CandidateBuilder,
    Row,
    ValueCandidate,
    clipped,
    is_above_title,
    is_with_title,
)
from structce.article.evidence import Evidence
from structce.article.regions import has_unspaced
from structce.article.titles import MAX_TITLE
from structce.features import cues, dom_tree
from structce.language import (
    TIME_OF_DAY,
    date_occasion,
    find_dates,
    find_phrase,
    normalise,
    parse_iso,
)
from structce.page import Statement
from structce.patterns import lazy_pattern

_MAX_LINE = 200  # characters of a block in which days are looked for
_LEAD, _N_BEFORE = 40, 2  # characters and number of regions that may introduce a day
_N_AFTER = 3  # regions after the body in which a change is looked for
_MOST_DAYS = 9_999  # between the first and the last day of a page; more count as so many
_FAR = 999  # days between two dates; more, or an unknown number, count as so many
_YEAR = lazy_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_LEVELS = 4  # elements around a day in which the headline is looked for that it is the day of
_HEADLINE, _SHORT_HEADLINE = 4, 8  # words of a linked headline; characters in scripts without space
_LIKELY = 0.2  # least probability of an author or date whose link is not taken for a headline
_HEADED = 0.5  # probability of a title from which its region is the page's headline
_BACKED = 0.25  # probability of a date that stands against one above the article
_BELOW = 2  # blocks below a headline in which its byline and day are
_OPENING = 40  # characters of a text in which its place and day may be
_PLACE = lazy_pattern(r"\W*[^\W\d_][^,;.\d]{1,24}(?:,|\s[-–—(])|\W*[^\W\d_a-zA-Z\u00c0-\u052f]")
"""Name of a place before a day, or a text in a script without capitals."""
_BYLINE = 60  # characters of a line with name and day
_PARTS = lazy_pattern(r"[|;•·\n]")

DATE_COLUMNS = (
    *REGION_COLUMNS,
    *STATED_COLUMNS,
    *"""
    has_clock occasion share_of_line n_shown between after_body p_body p_none p_share p_rival
    order n_days after_first before_last is_modified is_only_modified shown_modified from_modified
    from_published from_stated from_likeliest is_utc like_address like_title
    """.split(),
)
"""Columns of the candidates of a date."""


_NO_LINE = (UNKNOWN,) * 7


def date_candidates(evidence: Evidence) -> list[ValueCandidate]:
    """Return the candidates of the day of publication: in likely lines, and stated."""
    builder = CandidateBuilder(evidence, "Date", lambda day: day[:10], least=0.004, n=8)
    page, n_shown = evidence.page, Counter[str]()
    numbered = {*cues.with_digit(page)}
    for rank, block in enumerate(builder.blocks):
        regions = [i for i in evidence.regions_of(block) if page.text[i]]
        for moment, raw, of_moment in _moments_in(evidence, builder.p, regions, numbered):
            key = moment[:10]
            is_unseen = "T" in moment and TIME_OF_DAY.search(raw) is None
            clock = "time" if is_unseen else ""  # only the ``time`` element states the time of day
            n_shown[key] += 1
            if candidate := builder.get(key):
                if "T" in moment and "T" not in candidate.value:
                    candidate.value, candidate.clock_source = moment, clock
                continue
            builder.shown[key] = _line_row(evidence, moment, raw, of_moment[0])
            candidate = ValueCandidate(moment, tuple(of_moment), (), raw, clock)
            builder.add_visible(key, candidate, rank)
    statements = [statement for statement in evidence.stated_dates if parse_iso(statement.value)]
    builder.add_statements(statements)
    for statement in reversed(statements):  # a day that no text writes gets the hour of JSON-LD
        candidate = builder[statement.value[:10]]
        is_hour = statement.source == "json-ld" and not statement.is_modified
        is_hour &= bool(candidate.regions) and "T" in statement.value
        if is_hour and not find_dates(candidate.raw, page.lang):
            candidate.value, candidate.clock_source = statement.value, "json-ld"
    return builder.finish(DATE_COLUMNS, _compared_days(builder, statements, n_shown))


def _line_row(evidence: Evidence, moment: str, raw: str, region: int) -> Row:
    """Return the features of the line of a day, from ``has_clock`` to ``p_none``."""
    page, before = evidence.page, ""
    for i in range(region - 1, max(region - 1 - _N_BEFORE, -1), -1):
        if evidence.chars[i] > _LEAD or any(map(str.isdigit, page.text[i])):
            break
        before = f"{page.text[i]} {before}"
    share = min(12 / max(len(raw), 1), 1.0)
    is_between = evidence.title_region <= region <= evidence.body_begin
    p_body, p_none = evidence.p_body.item(region), evidence.probability("None").item(region)
    occasion = date_occasion(before + raw, page.lang)
    return "T" in moment, occasion, share, is_between, region > evidence.body_end, p_body, p_none


def _moments_in(
    evidence: Evidence, p: Sequence[float], regions: Sequence[int], numbered: Set[int]
) -> Iterator[tuple[str, str, list[int]]]:
    """Yield moments in ISO 8601, each with the words it was read from and its regions.

    ``numbered`` are the regions of the page with a digit, of which only short texts give days.
    """
    page = evidence.page
    has_times = "time" in dom_tree.elements_called(page)
    has_digit = not numbered.isdisjoint(regions)
    if not has_times and not has_digit:
        return
    least = 0.3 * max([p[i] for i in regions], default=0.0)
    likely = [i for i in regions if p[i] >= least]
    for i in likely if has_times else ():
        if moment := element_moment(evidence, i):
            written = written_moments(page.text[i], page.lang)
            same = [other for other in written if other[:10] == moment[:10]]
            others = [other for other in written if other not in same] if same else []
            # Of several moments the element states one, mostly that of the change.
            for value in (*others, min(same) if len(same) > 1 else moment):
                yield value, page.text[i], [i]
            return
    for i in likely:
        for moment in written_moments(page.text[i], page.lang) if i in numbered else ():
            yield moment, page.text[i], [i]
    line = evidence.text_of(regions) if has_digit and len(regions) > 1 else ""
    if line and len(line) <= _MAX_LINE:
        for moment in written_moments(line, page.lang)[:2]:
            yield moment, line, likely or list(regions)


def element_moment(evidence: Evidence, region: int) -> str:
    """Return the moment that the ``time`` element around a region states, or an empty text."""
    stated = (evidence.nearest_attributes(region, "time") or {}).get("datetime", "").strip()
    moment = parse_iso(stated) if stated else None
    return "" if moment is None else _iso(moment, ":" in stated)


def written_moments(text: str, lang: str) -> list[str]:
    """Return the first three days or moments in a text, in ISO 8601."""
    moments = find_dates(text, lang)[:3]
    has_clock = bool(moments) and TIME_OF_DAY.search(text) is not None
    return [_iso(moment, has_clock) for moment in moments]


def _iso(moment: datetime, has_clock: bool) -> str:
    is_timed = has_clock and moment.time() != moment.min.time()
    return moment.isoformat() if is_timed else moment.date().isoformat()


def _compared_days(
    builder: CandidateBuilder, statements: Sequence[Statement], n_shown: Counter[str]
) -> Iterator[Row]:
    """Yield the day's own features of each candidate: its line, and others' days and places.

    ``n_shown`` says how many texts show each day.
    """
    page, title_region = builder.evidence.page, builder.evidence.title_region
    days = {key: date.fromisoformat(key).toordinal() for key in builder}
    modified = [day.value[:10] for day in statements if day.is_modified]
    published = [day.value[:10] for day in statements if not day.is_modified]
    trusted = {d.value[:10] for d in statements if not d.is_modified and d.source != "time"}
    visible = {key: candidate.p for key, candidate in builder.items() if candidate.regions}
    in_order = sorted(visible, key=lambda key: builder[key].regions[0])
    total = sum(visible[key] for key in in_order) or 1.0
    likeliest = max(visible, key=visible.__getitem__, default="")
    anchors = next(iter(modified), ""), next(iter(published), ""), likeliest
    first, last = min(days.values(), default=0), max(days.values(), default=0)
    title = page.text[title_region][:MAX_TITLE] if len(page) else ""
    years = set(_YEAR.findall(f"{page.metadata.title} {title}"))
    shown_modified = any(key in visible for key in modified) if modified else UNKNOWN
    for (key, candidate), day in zip(builder.items(), days.values(), strict=True):
        p_share = order = n_texts = UNKNOWN
        if key in visible:
            p_share, order, n_texts = candidate.p / total, in_order.index(key), n_shown[key]
        has_clock, occasion, share, *around = builder.shown.get(key, _NO_LINE)
        distances = [abs(day - days[other]) for other in trusted if other != key]
        from_modified, from_published, from_likeliest = [
            clipped(day - days[anchor], _FAR) if anchor else UNKNOWN for anchor in anchors
        ]
        yield (
            has_clock, occasion, share, n_texts, *around, p_share,
            max([p for other, p in visible.items() if other != key], default=0.0),
            order, len(builder), min(day - first, _MOST_DAYS), min(last - day, _MOST_DAYS),
            key in modified, key in modified and key not in published, shown_modified,
            from_modified, from_published, min(*distances, _FAR) if distances else UNKNOWN,
            from_likeliest, candidate.value.endswith("+00:00"), _like_address(key, page.url),
            (1.0 if key[:4] in years else -1.0) if years else 0.0,
        )  # fmt: skip


def _like_address(day: str, url: str) -> float:
    """Return how much of a day is in an address: 0 nothing, 1 the year, 2 year and month."""
    year, month, _ = day.split("-")
    if f"/{year}" not in url and f"-{year}" not in url:
        return 0.0
    months = (f"{year}/{month}", f"{year}-{month}", f"{year}{month}", f"{year}/{int(month)}/")
    return 2.0 if any(written in url for written in months) else 1.0


def eligible_days(candidates: Sequence[ValueCandidate], evidence: Evidence) -> list[int]:
    """Return the indices of the days that may be those of the page's article.

    Days of comments, tables and teasers are of others. Today's date above the article, days of
    receipt, and days that nothing connects with the headline lose to stated and to likely ones.
    """
    days = [n for n, candidate in enumerate(candidates) if not _is_of_other(candidate, evidence)]
    days = [n for n in days if not _is_receipt(candidates[n], evidence)] or days
    better = [n for n in days if not is_above_title(candidates[n], evidence)]
    of_better = [candidates[n] for n in better]
    if any(c.is_stated and not c.feature("is_only_modified") for c in of_better):
        return [n for n in better if _is_connected(candidates[n], evidence)]
    if any(c.p >= _BACKED or _is_below_title(c, evidence) for c in of_better):
        return better
    return days


def _is_of_other(candidate: ValueCandidate, evidence: Evidence) -> bool:
    """Return whether a day is of another page, or named in the text, as that of an event is."""
    page = evidence.page
    first = None if candidate.is_stated else _first_region(candidate, evidence)
    if first is None:
        return False
    if any(evidence.is_in_surroundings(first, kind) for kind in ("comment", "related")):
        return True
    if candidate.regions and evidence.body_begin <= first <= evidence.body_end:
        in_table = page.elements.tag[int(page.block_element[first])] in ("td", "th")
        if in_table or _is_mentioned(candidate, evidence):
            return True
    return _is_beside_headline(evidence, first)


def _first_region(candidate: ValueCandidate, evidence: Evidence) -> int | None:
    """Return the first region that shows a day, or is in an element ``time`` that states it."""
    if candidate.regions:
        return candidate.regions[0]
    page, (first, end) = evidence.page, evidence.region_ranges
    for i in dom_tree.elements_with(page).get("datetime", ()):
        moment = page.elements.attributes[i]["datetime"]
        if moment.strip().startswith(candidate.value[:10]) and first[i] < end[i]:
            return int(first[i])
    return None


def _is_mentioned(candidate: ValueCandidate, evidence: Evidence) -> bool:
    """Return whether the text names a day, such as that of an event, after its first words.

    The first words may be the day, perhaps after its place: "Berlin, 3 May".
    """
    page, first = evidence.page, candidate.regions[0]
    if candidate.p >= _BACKED or _is_below_title(candidate, evidence):
        return False
    text = page.text[first]
    opening = text[:_OPENING] if first == evidence.body_begin else ""
    if _has_day(opening, candidate, page.lang):
        after = opening.partition(" ")[2]
        if _PLACE.match(opening) or not _has_day(after, candidate, page.lang):
            return False
    return not find_phrase(text.casefold(), "published", page.lang)


def _is_below_title(candidate: ValueCandidate, evidence: Evidence) -> bool:
    """Return whether a short line right below the headline shows a day."""
    page, title = evidence.page, evidence.title_region
    if not candidate.regions or evidence.probability("Title")[title] < _HEADED:
        return False
    first = candidate.regions[0]
    is_next = page.blocks[title] < page.blocks[first] <= page.blocks[title] + _BELOW
    return bool(is_next) and len(page.text[first]) <= _BYLINE


def _is_connected(candidate: ValueCandidate, evidence: Evidence) -> bool:
    """Return whether a day is stated, called that of publication, or near it or the headline."""
    if candidate.is_stated or not candidate.regions or candidate.feature("occasion") == -1:
        return True
    if abs(candidate.feature("from_published", _FAR)) <= 1:  # in another time zone
        return True
    return bool(candidate.feature("between")) or is_with_title(evidence, candidate.regions[0])


def _is_beside_headline(evidence: Evidence, region: int) -> bool:
    """Return whether a part of the page around a region, beside the article, links to another."""
    first, end = evidence.region_ranges
    page = evidence.page
    for above in islice(page.elements.ancestors(int(page.element[region])), _LEVELS):
        start, stop = int(first[above]), int(end[above])
        if start <= evidence.title_region < stop or start <= evidence.body_begin < stop:
            return False
        if any(_is_headline(evidence, i) for i in range(start, stop)):
            return True
    return False


def _is_headline(evidence: Evidence, region: int) -> bool:
    if not evidence.in_link[region]:
        return False
    text = evidence.page.text[region]
    is_long = text.count(" ") + 1 >= _HEADLINE
    is_long |= len(text) >= _SHORT_HEADLINE and has_unspaced(text)
    p = evidence.probability("Author")[region] + evidence.probability("Date")[region]
    title = normalise(evidence.page.metadata.title)
    return is_long and bool(p < _LIKELY) and evidence.page.letters[region] not in title


def _is_receipt(candidate: ValueCandidate, evidence: Evidence) -> bool:
    """Return whether words before a day say that a paper was received, accepted or revised."""
    if candidate.is_stated or not candidate.regions:
        return False
    page, first = evidence.page, candidate.regions[0]
    parts = (part for part in _PARTS.split(candidate.raw) if _has_day(part, candidate, page.lang))
    part = next(parts, candidate.raw).casefold()
    if not any(mark.isalpha() for mark in part[: len(part) // 2]) or part[:1].isdigit():
        part = " ".join((*page.text[max(first - 2, 0) : first], part)).casefold()
    is_named_so = bool(find_phrase(part, "receipt", page.lang))
    return is_named_so and not find_phrase(part, "published", page.lang)


def _has_day(text: str, candidate: ValueCandidate, lang: str) -> bool:
    return any(day.date().isoformat() == candidate.value[:10] for day in find_dates(text, lang))


def visible_change(evidence: Evidence) -> tuple[str, list[int]] | None:
    """Return the moment of the last change that the page shows, with its regions; None without one.

    It follows a word such as "Updated", in the same region or in the next one with a date,
    between the title and the end of the body.
    """
    page, begin = evidence.page, max(evidence.title_region - _N_BEFORE, 0)
    has_cue = cues.cue_column(page, "update-cue")[begin : evidence.body_end + _N_AFTER]
    for i in (np.flatnonzero(has_cue) + begin).tolist():
        line = page.text[i].casefold()
        word = find_phrase(line, "updated", page.lang)
        before, _, after = line.rpartition(word or "\n")
        if not word or (not after and len(before) > _MAX_LINE - _LEAD):
            continue
        if moments := written_moments(after, page.lang):
            return element_moment(evidence, i) or moments[0], [i]
        if len(after) > _LEAD:
            continue
        for n in range(i + 1, min(i + 1 + _N_BEFORE, len(page))):
            if moments := written_moments(page.text[n], page.lang):
                return element_moment(evidence, n) or moments[0], [i, n]
    return None
