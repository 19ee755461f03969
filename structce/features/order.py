"""The order of features, windows and strengths wherever they are listed or stored.

A feature set is stored, and its digest taken, with its features in this order, so that neither
hangs on which module is imported first. What is not listed here, such as a feature of one's own,
comes after the others in the order of its registration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def sorted_by(values: Mapping[str, T], order: Sequence[str]) -> dict[str, T]:
    """Return a mapping with the names of an order first; the others keep theirs behind them."""
    return {name: values[name] for name in (*order, *values) if name in values}


def _names(text: str) -> tuple[str, ...]:
    """Return full names: those behind ``family:`` belong to it."""
    names, family = [], ""
    for word in text.split():
        if word.endswith(":"):
            family = word[:-1]
        else:
            names.append(f"{family}.{word}")
    return tuple(names)


FEATURE_ORDER = _names("""
text: has-text token first-token length word-count repetitions output-position text-position
  block-length block-regions
task: advertisement-size advertisement-box advertisement-name advertisement-host sponsored-link
  author-cue role-cue contributor-cue agency-cue date-cue update-cue time-cue months-cue weekday-cue
  day-period-cue era-cue day-word-cue relative-time-cue numeric-date-cue year-cue email-cue
  credit-cue advertisement-cue comment-cue copyright-cue read-more-cue author-match author-form
dom: meaning far-meaning tag parent-tag grandparent-tag ancestor-tag token near-token far-token path
  depth block-depth previous-depth-difference paragraph-depth-difference siblings siblings-next
  inside in-iframe path-repetitions line-breaks new-block
style: text-colour background-colour shown-background has-background background-differs
  off-text-background colour-differs is-commonest-colour contrast-ratio colour-saturation
  background-saturation opacity shown-opacity border-top-colour border-right-colour
  border-bottom-colour border-left-colour
dom: previous-comment-token next-comment-token
task: consent number-cue date-pattern date-share
dom: link-density element-link-density parent-link-density
text: density density-to-previous density-to-next
dom: tag-density container-text-share
task: author-place headline-place description-place published-match modified-match date-match
  stated-time title-likeness title-levenshtein-distance title-word-match is-heading from-heading
  from-text after-text in-main depth-in-main running-text function-word-share paragraph-cue zone
  zone-meaning zone-tag zone-text zone-cue first-of-kind last-of-kind nearest-media in-figure
  company caption-place media-place
dom: heading-level heading-above since-heading aspect-ratio stated-width alternative-text
  alternative-words media-source
style: left right top bottom from-page-end width height surface area-share line-count above-fold
  outside-window is-centred same-left-as-previous same-left-as-next same-width-as-previous
  previous-left-difference next-left-difference previous-top-difference next-top-difference
  previous-height-difference next-height-difference previous-width-difference next-width-difference
dom: list-place list-length list-depth table-column table-width
style: advertisement-size has-advertisement-size aspect-ratio is-tiny is-icon media-rank
  media-area-ratio
task: byline-pattern dateline profile meaning-cue like-text body-match
style: row-size row-position reading-order-difference reading-order-jump
dom: attribute attribute-value microdata role landmark
text: sentence-count sentence-length shape all-capitals first-word-capitals ends-sentence
  last-character script capitalised-share digit-share punctuation-share comma-share quoted-share
  quotes next-in-parent previous-in-parent
dom: place-in-parent place-in-block
site: same-text-share same-file-share same-path-share inverse-frequency block-share on-every-page
  template-slot lone-slot
style: margin-top margin-right margin-bottom margin-left padding-top padding-right padding-bottom
  padding-left border-top-width border-right-width border-bottom-width border-left-width
  previous-gap next-gap previous-gap-in-lines next-gap-in-lines
task: publisher-cue publisher-match keyword-match description-match stated-image attribute-match
  date-place
style: relative-font-size font-size-rank max-font-size-difference previous-font-size-difference
  next-font-size-difference is-bold relative-font-weight is-italic font-kind is-text-font
  line-height-ratio shown-in-capitals keyword pinned clipped column-overlap in-text-column
  column-coverage column-distance column-left-difference centred-in-column heading-offset
  heading-distance text-offset text-end-offset text-distance
""")
"""Our features, as the registry and a stored feature set list them."""

WINDOW_ORDER = ("task", *_names("""
task: zone zone-meaning zone-tag nearest-media from-heading from-text after-text in-main profile
  company
text: has-text word-count all-capitals capitalised-share digit-share punctuation-share ends-sentence
  last-character block-length
dom: parent-tag token meaning link-density path-repetitions new-block line-breaks
style: keyword is-bold is-italic colour-differs in-text-column height width previous-gap
text: first-token length shape
task: zone-text
style: relative-font-size
dom: tag
task: running-text title-likeness author-match date-match
"""))  # fmt: skip
"""Families and features with a window of their own, as a stored feature set lists them."""

STRENGTH_ORDER = _names("""
task: author-place headline-place description-place date-place body-match company caption-place
  media-place like-text meaning-cue
""")
"""Features with a strength of their own, as a stored feature set lists them."""
