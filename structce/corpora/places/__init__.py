"""Where the values of a page's gold stand among its regions, one kind of value a file."""

from structce.corpora.places.author import find_author
from structce.corpora.places.body import place_body
from structce.corpora.places.day import MAX_DATE, find_date
from structce.corpora.places.headings import body_labels
from structce.corpora.places.image import find_caption, find_image
from structce.corpora.places.place import NOWHERE, Place
from structce.corpora.places.segments import find_segment
from structce.corpora.places.title import find_title

__all__ = [
    "MAX_DATE",
    "NOWHERE",
    "Place",
    "body_labels",
    "find_author",
    "find_caption",
    "find_date",
    "find_image",
    "find_segment",
    "find_title",
    "place_body",
]
