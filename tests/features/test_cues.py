"""Cues that a reader would name, on texts that show or lack them."""

from collections.abc import Callable

import numpy as np
import pytest

from structce.features.cues import page_cues
from structce.features.registry import REGISTRY
from structce.features.zones import zones
from structce.language.cues import MAX_CUE_LENGTH, find_cues
from structce.page import Page

Make = Callable[..., Page]


def page_of(make_page: Make, texts: list[str], lang: str = "") -> Page:
    return make_page(f"<html lang='{lang}'>" + "".join(f"<p>{text}</p>" for text in texts))


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("task.author-cue", ["By Ann Lee", "Von Jan Rost", "写真 佐藤記者"], ["Bystander"]),
        (
            "task.contributor-cue",
            ["Additional reporting by Ann Lee", "(Reuters)", "dpa"],
            ["a map"],
        ),
        ("task.agency-cue", ["mit AFP", "The Associated Press"], ["an ap", "afterwards"]),
        ("task.role-cue", ["Ann Lee, Reporter", "Redakteurin"], ["a report"]),
        (
            "task.date-cue",
            ["Published on Monday", "Stand: 12 Uhr"],
            ["The last stand", "a dateline"],
        ),
        (
            "task.update-cue",
            ["Last updated 2 hours ago", "Aktualisiert"],
            ["Published", "up to date"],
        ),
        ("task.numeric-date-cue", ["14.03.2026", "3/14/26", "2026年3月"], ["14:30", "3.5"]),
        ("task.months-cue", ["3 mars 2026", "5. Juni", "8 января"], ["March on", "12 boats"]),
        ("task.weekday-cue", ["Mon 12:30", "Samstag, 14."], ["Monday blues", "12 boats"]),
        ("task.time-cue", ["14:30", "9.05 Uhr", "4 pm"], ["31:72", "1234", "14.03.2026", "$9.50"]),
        (
            "task.day-period-cue",
            ["3:30 in the afternoon", "午後3時"],
            ["in the afternoon", "3 boats"],
        ),
        ("task.day-word-cue", ["Yesterday at 5", "heute, 12.37 Uhr", "今日"], ["Holiday"]),
        ("task.era-cue", ["44 BC", "im Jahr 44 v. Chr."], ["BC Ferries", "44 boats"]),
        ("task.year-cue", ["in 2026"], ["in 20264", "1066"]),
        ("task.email-cue", ["write to a.b@c.example"], ["a at b"]),
        ("task.credit-cue", ["Photo: A", "© Getty", "Bild von Lee"], ["A photo of the quay"]),
        ("task.advertisement-cue", ["Advertisement", "- Anzeige -"], ["The ad failed"]),
        ("task.comment-cue", ["12 Kommentare", "Leave a comment"], ["No comment-ary"]),
        ("task.copyright-cue", ["© 2026", "All rights reserved"], ["The right to fish"]),
        ("task.read-more-cue", ["Read more", "Lesen Sie auch: Fähre"], ["She can read"]),
        ("text.all-capitals", ["BREAKING NEWS"], ["Breaking NEWS", "123"]),
        ("text.ends-sentence", ["It rains.", "Really?"], ["Weather", "Read more:"]),
    ],
)
def test_a_cue_is_set_where_a_reader_sees_it(
    make_page: Make, name: str, yes: list[str], no: list[str]
) -> None:
    values = np.asarray(REGISTRY[name].values(page_of(make_page, [*yes, *no])))
    assert values.tolist() == [True] * len(yes) + [False] * len(no)


LANGUAGES = {
    "en": "By Ann Lee | Published | Updated | Advertisement | Read more | 3 hours ago",
    "de": "Von Ann Lee | Veröffentlicht | Aktualisiert | Anzeige | Lesen Sie auch | vor 3 Stunden",
    "fr": "Par Ann Lee | Publié | Mis à jour | Publicité | Lire aussi | il y a 3 heures",
    "es": "Por Ann Lee | Publicado | Actualizado | Publicidad | Lea también | hace 3 horas",
    "it": "Di Ann Lee | Pubblicato | Aggiornato | Pubblicità | Leggi anche | 3 ore fa",
    "pt": "Por Ann Lee | Publicado | Atualizado | Publicidade | Leia também | há 3 horas",
    "nl": "Door Ann Lee | Gepubliceerd | Bijgewerkt | Advertentie | Lees ook | 3 uur geleden",
    "da": "Af Ann Lee | Publiceret | Opdateret | Annonce | Læs også | for 3 timer siden",
    "nb": "Av Ann Lee | Publisert | Oppdatert | Annonse | Les også | for 3 timer siden",
    "sv": "Av Ann Lee | Publicerad | Uppdaterad | Annons | Läs också | för 3 timmar sedan",
    "fi": "Kirjoittanut Lee | Julkaistu | Päivitetty | Mainos | Lue myös | 3 tuntia sitten",
    "pl": "Autor: Ann Lee | Opublikowano | Aktualizacja | Reklama | Czytaj także | 3 godziny temu",
    "cs": "Autor: Ann Lee | Publikováno | Aktualizováno | Reklama | Čtěte také | před 3 hodinami",
    "hu": "Írta: Ann Lee | Megjelent | Frissítve | Hirdetés | Kapcsolódó | 3 órával ezelőtt",
    "ro": "De Ann Lee | Publicat | Actualizat | Publicitate | Citește și | acum 3 ore",
    "tr": "Yazan: Ann Lee | Yayınlanma | Güncelleme | Reklam | Devamını oku | 3 saat önce",
    "el": "Γράφει ο Λι | Δημοσιεύθηκε | Ενημερώθηκε | Διαφήμιση | Διαβάστε | πριν από 3 ώρες",
    "ru": "Автор: Ли | Опубликовано | Обновлено | Реклама | Читайте также | 3 часа назад",
    "uk": "Автор: Лі | Опубліковано | Оновлено | Реклама | Читайте також | 3 години тому",
    "ja": "文／佐藤花子 | 公開日 | 最終更新 | 広告 | もっと見る | 3時間前",
    "ko": "글 홍길동 | 입력 2026 | 최종수정 | 광고 | 관련기사 | 3시간 전",
    "zh": "作者：王小明 | 发布时间 | 更新时间 | 广告 | 延伸阅读 | 3小时前",
    "ar": "بقلم: أحمد | نشر في | آخر تحديث | إعلان | اقرأ أيضا | قبل 3 ساعات",
    "he": "מאת: דנה | פורסם | עודכן | פרסומת | קראו עוד | לפני 3 שעות",
    "id": "Oleh Ann Lee | Diterbitkan | Diperbarui | Iklan | Baca juga | 3 jam yang lalu",
}
CUES = ("author", "date", "update", "advertisement", "read-more", "relative-time")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cues_are_known_in_many_languages(make_page: Make, lang: str) -> None:
    texts = [*LANGUAGES[lang].split(" | "), "2026"]
    page = page_of(make_page, texts, lang)
    for i, cue in enumerate(CUES):
        values = np.asarray(REGISTRY[f"task.{cue}-cue"].values(page)).tolist()
        assert values[i], cue
        assert not values[-1], cue


@pytest.mark.parametrize(
    ("cue", "text", "own", "other"),
    [
        ("author-cue", "De Ann Lee", "ro", "nl"),
        ("author-cue", "Di Ann Lee", "it", "de"),
        ("months-cue", "12 lis 2026", "pl", "en"),
        ("weekday-cue", "12 do", "de", "fr"),
        ("day-period-cue", "7 am", "en", "de"),
        ("time-cue", "kl 7", "sv", "en"),
    ],
)
def test_a_short_word_is_a_cue_in_its_own_language_alone(
    cue: str, text: str, own: str, other: str
) -> None:
    assert cue in find_cues(text, own)
    assert cue not in find_cues(text, other)


def test_a_long_text_has_no_cue() -> None:
    text = "By Ann Lee, published 14.03.2026 "
    assert len(find_cues(text, "en")) >= 3
    assert find_cues(text.ljust(MAX_CUE_LENGTH + 1, "x"), "en") == frozenset()


def test_every_column_is_what_its_texts_show(
    make_page: Make, article_html: Callable[..., str]
) -> None:
    page = make_page(article_html())
    found = page_cues(page)
    names = frozenset().union(*found)
    assert {"author-cue", "months-cue", "copyright-cue"} <= names
    for name in names:
        values = np.asarray(REGISTRY[f"task.{name}"].values(page)).tolist()
        assert values == [name in find_cues(text, page.lang) for text in page.text]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("By Ann Lee", "by-name"),
        ("By AFP", "by-other"),
        ("By", "by"),
        ("Ann Lee", "name"),
        ("ANN LEE", "capitals"),
        ("María R. Sahuquillo", "name"),
        ("Ludwig van Beethoven", "name"),
        ("Ann Lee and Tom Rost", "names"),
        ("Ann Lee, Berlin", "name-more"),
        ("Ann Lee, Reporter", "name-role"),
        ("大渡 美咲", "name"),
        ("Read more", None),
        ("Ann", None),
        ("Route 66", None),
        ("a quiet day", None),
    ],
)
def test_a_byline_has_a_form(make_page: Make, text: str, form: str | None) -> None:
    page = page_of(make_page, [text], "en")
    assert REGISTRY["task.byline-pattern"].values(page) == [form]


@pytest.mark.parametrize(
    ("start", "form"),
    [
        ("BERLIN (dpa) - ", "agency"),
        ("Washington/Berlin (AFP) – ", "agency"),
        ("LONDON, March 3 (Reuters) - ", "agency"),
        ("Madrid, 3 mar (EFE).- ", "agency"),
        ("新华社北京3月3日电 ", "agency"),
        ("PUTRAJAYA, Nov 22 — ", "capitals"),
        ("The ferry (a small one) - ", None),
        ("The ferry – ", None),
        ("", None),
    ],
)
def test_a_dateline_begins_a_report(make_page: Make, start: str, form: str | None) -> None:
    page = page_of(make_page, [start + "The harbour stays closed until the storm is over."], "en")
    assert REGISTRY["task.dateline"].values(page) == [form]


def test_zones_part_the_page_around_headline_and_text(
    make_page: Make, article_html: Callable[..., str]
) -> None:
    page = make_page(article_html())
    parts = dict(zip(page.text, zones(page), strict=True))
    assert parts["Ferry to stop in June, part 0"] == "title"
    assert parts["Ann Lee"] == "head"
    assert parts["1 March 2026"] == "head"
    assert parts["No end in sight"] == "text"
    assert parts["All rights reserved"] in ("foot", "below")


def test_title_likeness_is_highest_at_the_headline(
    make_page: Make, article_html: Callable[..., str]
) -> None:
    page = make_page(article_html())
    likeness = np.asarray(REGISTRY["task.title-likeness"].values(page), dtype=float)
    assert page.tag[int(likeness.argmax())] == "h1"
    assert likeness.max() == pytest.approx(1.0)


def test_link_density_is_that_of_the_block(make_page: Make) -> None:
    page = make_page("<p>abcd<a>efgh</a></p><li><a>ijkl</a></li><p>mnop</p>")
    density = np.asarray(REGISTRY["dom.link-density"].values(page), dtype=float)
    assert density.tolist() == [0.5, 0.5, 1.0, 0.0]
