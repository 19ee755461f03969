"""Words that announce bylines, dates, credits and the like, in the languages of the news.

Names of months and days come from the CLDR through Babel. The word lists are ours.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from babel import Locale

LANGUAGES = (
    "en de fr es it pt nl da nb sv fi is pl cs sk sl hr sr ro hu tr el ru uk bg ja ko zh "
    "ar he fa hi vi id ms sw zu lt lv et ca"
).split()
"""Languages whose names of months and weekdays are cues."""

AUTHOR = re.compile(
    r"^\W*(?:by|von|par|por|di|da|de|door|av|af|napisa\w+|autor\w*|auteur|author|text|texte?:|"
    r"reporter|journalist\w*|redaktion|redakteur\w*|korrespondent\w*|rédaction|redacción|"
    r"redazione|written|words|opinion|editor\w*|ngu|nga|kirjoittanut|yazan|haber)\b"
    r"|記者|기자|记者|staff|correspondent|contributor|reuters|\bdpa\b|\bafp\b|\bapa?\b",
    re.IGNORECASE,
)
DATE = re.compile(
    r"\b(?:published|posted|updated|modified|created|publi[ée]e?|publicado|actualizado|"
    r"mis [àa] jour|veröffentlicht|aktualisiert|stand|erstellt|pubblicato|aggiornato|"
    r"gepubliceerd|bijgewerkt|publicert|publisert|oppdatert|publicerad|uppdaterad|opdateret|"
    r"opublikowan[oy]|aktualizace|güncelleme|uhr|ago|il y a|hace|vor)\b"
    r"|最終更新|公開|更新|입력|수정|发布",
    re.IGNORECASE,
)
TIME = re.compile(
    r"(?<!\d)(?:[01]?\d|2[0-3])[:.h][0-5]\d(?!\d)|\b\d{1,2}\s?[ap]\.?m\b", re.IGNORECASE
)
NUMERIC_DATE = re.compile(
    r"(?<!\d)(?:\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:\d{4}|\d{2})|\d{4}[-./]\d{1,2}[-./]\d{1,2}"
    r"|\d{4}\s?[年년]\s?\d{1,2}\s?[月월])(?!\d)"
)
YEAR = re.compile(r"(?<!\d)(?:19[89]\d|20[0-3]\d)(?!\d)")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w{2,}")
CREDIT = re.compile(
    r"©|\(c\)|(?:^|\b)(?:photo\w*|foto\w*|bild\w*|image|picture|illustration|credit|quelle|"
    r"source|crédit\w*|imag[eo]n?|kuva|zdj\w*)\s*[:/|]|getty|shutterstock|imago|picture.alliance|"
    r"写真|사진",
    re.IGNORECASE,
)
ADVERTISEMENT = re.compile(
    r"^\W*(?:advertis\w*|anzeige|werbung|publicit[ée]|publicidad|pubblicità|reklame?|annonse?|"
    r"advertentie|mainos|sponsored|promoted|anuncio|広告|광고|ad)\W*$",
    re.IGNORECASE,
)
COMMENT = re.compile(
    r"comment|kommentar|commentaire|comentario|commenti|reactie|yorum|댓글|コメント", re.IGNORECASE
)
COPYRIGHT = re.compile(
    r"©|\bcopyright\b|all rights reserved|alle rechte|tous droits", re.IGNORECASE
)
READ_MORE = re.compile(
    r"^\W*(?:read|lesen|lire|leer|leggi|lees|les|läs|læs|more|mehr|also|auch|related|see)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def month_names() -> frozenset[str]:
    """Return names and abbreviations of months in all languages, folded."""
    return frozenset().union(*(_names(language, "months") for language in LANGUAGES))


@lru_cache(maxsize=1)
def weekday_names() -> frozenset[str]:
    """Return names and abbreviations of weekdays in all languages, folded."""
    return frozenset().union(*(_names(language, "days") for language in LANGUAGES))


def _names(language: str, kind: str) -> frozenset[str]:
    table = getattr(Locale.parse(language), kind)
    names = (
        unicodedata.normalize("NFKC", name).casefold().strip(". ")
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for name in table[context][width].values()
    )
    return frozenset(name for name in names if len(name) >= 2 and name.isalpha())
