"""Cues of a byline, a date, a credit or an advertisement, on texts that have or lack them."""

import pytest

from structce.language.cues import MAX_CUE_LENGTH, find_cues

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


@pytest.mark.parametrize(
    ("cue", "yes", "no"),
    [
        ("author-cue", ["By Ann Lee", "Von Jan Rost", "写真 佐藤記者"], ["Bystander"]),
        ("contributor-cue", ["Additional reporting by Ann Lee", "(Reuters)", "dpa"], ["a map"]),
        ("agency-cue", ["mit AFP", "The Associated Press"], ["an ap", "afterwards"]),
        ("role-cue", ["Ann Lee, Reporter", "Redakteurin"], ["a report"]),
        ("date-cue", ["Published on Monday", "Stand: 12 Uhr"], ["The last stand", "a dateline"]),
        ("update-cue", ["Last updated 2 hours ago", "Aktualisiert"], ["Published", "up to date"]),
        ("numeric-date-cue", ["14.03.2026", "3/14/26", "2026年3月"], ["14:30", "3.5"]),
        ("months-cue", ["3 mars 2026", "5. Juni", "8 января"], ["March on", "12 boats"]),
        ("weekday-cue", ["Mon 12:30", "Samstag, 14."], ["Monday blues", "12 boats"]),
        ("time-cue", ["14:30", "9.05 Uhr", "4 pm"], ["31:72", "1234", "14.03.2026", "$9.50"]),
        ("day-period-cue", ["3:30 in the afternoon", "午後3時"], ["in the afternoon", "3 boats"]),
        ("day-word-cue", ["Yesterday at 5", "heute, 12.37 Uhr", "今日"], ["Holiday"]),
        ("era-cue", ["44 BC", "im Jahr 44 v. Chr."], ["BC Ferries", "44 boats"]),
        ("year-cue", ["in 2026"], ["in 20264", "1066"]),
        ("email-cue", ["write to a.b@c.example"], ["a at b"]),
        ("credit-cue", ["Photo: A", "© Getty", "Bild von Lee"], ["A photo of the quay"]),
        ("advertisement-cue", ["Advertisement", "- Anzeige -"], ["The ad failed"]),
        ("comment-cue", ["12 Kommentare", "Leave a comment"], ["No comment-ary"]),
        ("copyright-cue", ["© 2026", "All rights reserved"], ["The right to fish"]),
        ("read-more-cue", ["Read more", "Lesen Sie auch: Fähre"], ["She can read"]),
    ],
)
def test_a_cue_is_found_where_a_reader_sees_it(cue, yes, no):
    assert all(cue in find_cues(text, "") for text in yes)
    assert not any(cue in find_cues(text, "") for text in no)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cues_are_known_in_many_languages(lang):
    for cue, text in zip(CUES, LANGUAGES[lang].split(" | "), strict=True):
        assert f"{cue}-cue" in find_cues(text, lang), cue
        assert f"{cue}-cue" not in find_cues("2026", lang), cue


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
def test_a_short_word_is_a_cue_in_its_own_language_alone(cue, text, own, other):
    assert cue in find_cues(text, own)
    assert cue not in find_cues(text, other)


def test_a_long_text_has_no_cue():
    text = "By Ann Lee, published 14.03.2026 "
    assert len(find_cues(text, "en")) >= 3
    assert find_cues(text.ljust(MAX_CUE_LENGTH + 1, "x"), "en") == frozenset()
