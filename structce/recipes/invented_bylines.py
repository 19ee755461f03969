"""Invented bylines in every language of the word lists, since some languages have few pages.

Names are invented; the words around them are those of the vocabulary. Dates, comment counts and
picture credits are also invented, without a name that signs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from structce.language import agencies, word_list
from structce.recipes.byline_examples import BylineExample

_GIVEN = (
    "Ann Tom Mira Jan Ada Nils Eva Omar Leyla Petra Iván Zoë Anna-Lena José Ewa Marek Olga Dmitri "
    "Giulia Luca Marta Piotr Sanne Joost Ingrid Lars Aino Eero Zsófia Gábor Ioana Radu Elif Mehmet "
    "Nikos Eleni Thanh Siti Budi Fatima Yusuf Noa Priya Arjun Grace Kwame"
).split()
_FAMILY = (
    "Lee Rost Okafor Öz Lindqvist de Wit|van der Berg|Kovács Nowak Horvat Marin Costa Ferreira "
    "Moreau Lefèvre Rossi Bianchi Hansen Virtanen Petrov Shevchenko Yılmaz Papadakis Nguyen "
    "Hartono Haddad Levi Sharma Mensah O'Neil MacLean Hart-Price"
)
_FAMILIES = [
    name for part in _FAMILY.split("|") for name in ([part] if " d" in part else part.split())
]
_CYRILLIC = ("Анна Иван Ольга Пётр Мария Олег", "Петров Иванова Шевченко Ковалёв Лукина Бойко")
_GREEK = ("Άννα Νίκος Ελένη Γιώργος", "Παπαδάκης Γεωργίου Νικολάου Λάμπρου")
_ARABIC = ("أحمد ليلى عمر مريم", "حداد منصور السيد خليل")
_HEBREW = ("נועה דוד יעל עומר", "לוי כהן מזרחי ברק")
_HINDI = ("प्रिया अर्जुन सीता राहुल", "शर्मा वर्मा गुप्ता सिंह")
_SCRIPTS = {
    **dict.fromkeys(("ru", "uk", "bg", "sr", "mk"), _CYRILLIC),
    "el": _GREEK,
    "ar": _ARABIC,
    "fa": _ARABIC,
    "he": _HEBREW,
    "hi": _HINDI,
}
_GIVEN_HAN = (
    "明 丽 伟 芳 强 敏 静 磊 洋 艳 勇 军 杰 娟 涛 超 "
    "秀英 小明 建国 志强 雅婷 怡君 俊宏 晓东 文静 海波"
).split()
_GIVEN_JAPANESE = "太郎 花子 健一 美咲 大輔 直子 翔 恵 隆 真由美 浩二 由紀 拓也 さくら 誠".split()
_GIVEN_KOREAN = "길동 민수 지영 현우 서연 준호 은지 동현 수빈 영희 철수 하늘".split()
_DATES = ("3 May 2026", "14.03.2026", "2026-03-14 09:30", "2026年3月14日", "12:30", "2026.03.14")
_PER_LANGUAGE = 40
_PER_LANGUAGE_JOINED = 150

_BREAK = "¶"  # between two lines of a byline
_TEMPLATES = """
{before} {A}|{before}: {A}|{before}¶{A}|{before} {A}, {B}|{before} {A} {and} {B}|{A}, {role}
{role} {A}|{A}¶{role}|{A} - {published} {date}|{before} {A}¶{date}|{date} / {A}|{A} ({agency})
{A}, {agency}|{before} {agency}|{A}|{A} · {date}|{before} {A} / {agency}|{picture}: {A!}
{published}: {date}|{updated} {date}|{comment}|{more}|{comment} (12)|{advertisement}|{published}
{rights}|{before} {A} {with} {agency}|{picture} {before} {A!}|{A} {and} {B}
{before} {A}; {picture} {B!}"""
_JOINED_TEMPLATES = {
    "zh": """
记者 {A}|记者{A}|記者{A}／台北報導|文/{A}|文／{A}|作者：{A}|作者:{A} 编辑:{B!}
来源：河口日报 作者：{A}|来源:新华网|本报记者 {A}|（记者 {A} {B}）|撰文 {A}
{A}¶2026年3月14日|责任编辑：{A!}|发布时间：2026-03-14|{A} 文|新华社记者{A}、{B}
作者：{A}¶来源：河口网|图片来源：视觉中国|摄影：{A!}|通讯员 {A}|本報記者{A}""",
    "ja": """
{A}|文・{A}|文：{A}|取材・文＝{A}|{A}記者|記者 {A}|{A} 記者|著者：{A}|執筆：{A}
写真：{A!}|公開日 2026年3月14日|更新 2026年3月14日|【{A}】|筆者 {A}|編集部
編集委員 {A}|聞き手・{A}|{A}、{B}|ライター {A}|関連記事""",
    "ko": """
{A} 기자|{A}기자|기자 {A}|글 {A}|{A} 특파원|{A} 기자 hong@post.example|댓글 3
입력 2026.03.14 09:30|수정 2026.03.14|사진 {A!}|{A} 논설위원|글·{A} 기자
[하구일보 {A} 기자]|하구일보={A} 기자|{A} 기자¶2026.03.14|{A}, {B} 기자""",
}
_KINDS = "before role published updated picture comment more advertisement rights".split()


def invented_bylines(seed: int = 7) -> Iterator[BylineExample]:
    """Yield invented bylines, the same in every run."""
    draw = random.Random(seed)
    for code in word_list("before"):
        is_joined = code in _JOINED_TEMPLATES
        lines = _JOINED_TEMPLATES.get(code, _TEMPLATES).strip().splitlines()
        templates = [template for line in lines for template in line.split("|")]
        for number in range(_PER_LANGUAGE_JOINED if is_joined else _PER_LANGUAGE):
            yield _byline(draw, code, templates[number % len(templates)], number)


def _byline(draw: random.Random, code: str, template: str, number: int) -> BylineExample:
    """Return a byline from a template; a name marked with ``!`` does not sign."""
    names: list[str] = []
    text = template.replace(_BREAK, "\n")
    for mark in ("{A}", "{B}"):
        if mark in text:
            names.append(_name(draw, code))
            text = text.replace(mark, names[-1])
    for mark in ("{A!}", "{B!}"):
        text = text.replace(mark, _name(draw, code))
    for kind in _KINDS:
        if f"{{{kind}}}" in text:
            text = text.replace(f"{{{kind}}}", _cased(draw, _word(draw, kind, code)))
    agency = _agency(draw)
    is_agency = "{agency}" in text and not names
    names += [agency] if is_agency else []
    text = text.replace("{with}", draw.choice(("with", "mit", "avec", "con", "met")))
    text = text.replace("{agency}", agency).replace("{and}", _word(draw, "between", code))
    return BylineExample(
        text.replace("{date}", draw.choice(_DATES)),
        code,
        tuple(names),
        (is_agency,) * len(names),
        f"invented-{code}-{number % 8}",
        "invented",
        is_byline=bool(names),
    )


def _agency(draw: random.Random) -> str:
    name = draw.choice(sorted(agencies()))
    return name.upper() if len(name) < 5 and name != "dpa" else name.title()


def _word(draw: random.Random, kind: str, code: str) -> str:
    listed = word_list(kind).get(code) or word_list(kind)["en"]
    return draw.choice(listed.split(", "))


def _cased(draw: random.Random, word: str) -> str:
    return draw.choice(
        (word, word[:1].upper() + word[1:], word[:1].upper() + word[1:], word.upper())
    )


def _name(draw: random.Random, code: str) -> str:
    """Return an invented name in the form of a language."""
    if code in _JOINED_TEMPLATES:
        first = {"zh": _GIVEN_HAN, "ja": _GIVEN_JAPANESE, "ko": _GIVEN_KOREAN}[code]
        space = " " if code == "ja" and draw.random() < 0.3 else ""
        return draw.choice(word_list("family")[code].split(", ")) + space + draw.choice(first)
    given, families = _lists(code)
    name = f"{draw.choice(given)} {draw.choice(families)}"
    return name.upper() if draw.random() < 0.1 else name


def _lists(code: str) -> tuple[Sequence[str], Sequence[str]]:
    if code in _SCRIPTS:
        first, last = _SCRIPTS[code]
        return first.split(), last.split()
    return _GIVEN, _FAMILIES
