"""Parse bylines into names of persons, without "By", roles, places and dates."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache

from structce.language.calendars import month_names, weekday_names
from structce.language.text import SHARED_LETTERS, language_code, normalise
from structce.language.vocabulary import agencies, name_words, phrases, word_list
from structce.patterns import lazy_pattern

PICTURE_CREDIT = lazy_pattern(r"©|\(c\)|\bfoto|\bphoto|\bbild\b|picture|getty", re.IGNORECASE)
"""Signs of a picture credit, which names a person as a byline does."""

PARENTHESES = lazy_pattern(r"(?:(?<!\s)\s++)?[(（][^()（）]*+[)）]")
"""Text in parentheses, with the white space before it."""

# Marks between names, except a dot inside a name that is transcribed into Chinese or Japanese.
_BREAKS = (
    r",|，|;|；|\||｜|/|／|•|\s·\s?|·\s|(?<![ァ-ー])・|・(?![ァ-ー])|、|&|\+{2,}"
    r"|\s@\s|\s[-–—:>»]\s"
)
_PLACE = lazy_pattern(r"\s+(?:in|aus|from|à|em)\s+(?=[^\W\d_])\S.*$")
_INTRODUCING = frozenset({"von", "de", "di", "da", "af", "per", "na"})  # also begin surnames
_OTHERWISE = frozenset({"in", "a"})  # "and" in Slovene and Czech, with other meanings elsewhere
_MAX_WORDS = 6  # of a person's name; a longer piece of a byline is not a name
_MAX_LENGTH = 1000  # characters of a text that is split: some forty names
_DATED_LINE = 8  # words of a line with a date before "by"
_MAX_TRAILING = 3  # lower-case words after a name; more belong to a sentence
_SHORT_LINE = 3  # words of a line that may be a user's name
_ADDRESS = lazy_pattern(
    r"(?<!\S)\S*?(?:://|@[\w-]+\.|\bwww\.)\S*|(?<!\S)[\w-]+(?:\.[\w-]+)*\.[a-z]{2,4}/\S*"
)
_HANDLE = lazy_pattern(r"(?<!\S)@\w+")
_NUMBER = lazy_pattern(
    r"(?<![\w'’])[#(\[]?\d+(?:st|nd|rd|th|er|h|am|pm)?(?![^\W\d_])", re.IGNORECASE
)
_BIO = lazy_pattern(
    r"\s(?:is|was|are|covers|writes|reports|contributed|ist|war|est|has)\s.*"
    r"|\s(?i:said|says|wrote|schrieb|sagt|escribió|a écrit)\W*$"
)
_PICTURE_REMARK = lazy_pattern(
    r"(?:\s+\w+|\s*[,&])?\s+[^,(（]+[(（][^)）]*(?:fot|phot|bild|grafi|illustr|写真)[^)）]*[)）]",
    re.IGNORECASE,
)
_AROUND = " \t.:;,-–—|/·•・>*+©\"'“”„«»‹›()（）[]【】"
_SENTENCE = lazy_pattern(r"[?!…:=]|\s-\s|[^\W\d_]{7}\.\s")
_RIGHTS = lazy_pattern(
    r"\W*(?:©|\(c\)|copyright)[\W\d]*(?:©|\(c\))?[\W\d]*|\.?\s*all rights reserved.*", re.IGNORECASE
)
_LABEL = lazy_pattern(r"([^\W\d_]{3,16})(?:\s?[&+]\s?[^\W\d_]+)?\s?[:：]\s+(?=\S)")
# "editorial", but not "van" or "der"
_SMALL = lazy_pattern(r"(?<!\S)(?!d[ae]ll|degli)[a-zà-öø-ÿ]{4,}(?!\S)")
_GENERATION = lazy_pattern(r"(?:jr|sr|i{2,3}|iv)\.?", re.IGNORECASE)
_FUNCTION_WORD = lazy_pattern(r"(?<!\S)(?:of|at|for|the|to|from|with|für|bei|pour|du|para)(?!\S)")

_MARKS = lazy_pattern(r"^\W+")
_AFTER_PREFIX = lazy_pattern(r"\s*[:：／]\s*|\s+")
_SAME_LETTERS = str.maketrans("ıſς", "isσ")  # letters that differ only in form
_REPORTS = ("報導", "报道", "報道")
_ASIAN_ROLE = lazy_pattern(
    r"\s*(?:[东南西北]?(?:记者|記者)|特派員|特派员|기자|특파원|編集委員|报道|報導)$"
)


def split_byline(text: str, lang: str = "") -> list[str]:
    """Return the names in a byline as written, in order, without "By", roles, places and dates.

    A short line with one lower-case name is read as a user's name; an address or a number is not a
    name, and a line of more than 1,000 characters is not read. ``lang`` is the page's language tag,
    by which short words are interpreted.

    >>> split_byline("By Ann Lee and Tom Rost, in Berlin")
    ['Ann Lee', 'Tom Rost']
    """
    return list(_split(text, language_code(lang))) if len(text) <= _MAX_LENGTH else []


@lru_cache(maxsize=2048)
def _split(text: str, code: str) -> tuple[str, ...]:
    line = _line(text)
    if not line or line.endswith(("?", "？")):
        return ()
    if _has_asian(line) and (names := _asian_names(line, code)) is not None:
        return tuple(names)
    rest = _introduced(line, code)
    is_signed = rest != line
    pieces = [_piece(piece, is_apart, code) for piece, is_apart in _pieces(rest, code)]
    if names := _people(pieces, code):
        return tuple(names)
    user = pieces[0][0] if pieces else ""
    is_alone = not any(piece for piece, _ in pieces[1:])
    is_user = 0 < len(user.split()) <= _SHORT_LINE and any(map(str.isalpha, user))
    return (user,) if is_user and (is_signed or is_alone) else ()


def _line(text: str) -> str:
    """Return a byline in one line, without addresses, parentheses and photographers."""
    if "(" in text or "（" in text:
        plain = PARENTHESES.sub("", _PICTURE_REMARK.sub("", text))
        text = plain if any(map(str.isalpha, plain)) else text
    if "©" in text or "ights" in text or "opyright" in text:
        text = _RIGHTS.sub("", text)
    if "@" in text or "/" in text or "www." in text:
        text = _HANDLE.sub("", _ADDRESS.sub(" ", text))
    return " ".join(text.split()).strip("|/·•>*+ ")


def _introduced(text: str, code: str) -> str:
    """Return the text after "By", also after "Posted on 3 May by" and "All articles by"."""
    rest = strip_byline_prefix(text.lstrip(_AROUND), code)
    if len(rest) < len(text.lstrip(_AROUND)):
        return rest
    label = _LABEL.match(text)
    if label is not None and not _is_picture(text, code):
        return text[label.end() :]
    plain = _pattern("about", code).sub("", text)
    prefix = _pattern("inner prefix", code).search(plain) if plain == text else None
    if prefix is None:
        return plain
    before = text[: prefix.start()]
    is_date = any(map(str.isdigit, before)) and not _SENTENCE.search(before.replace(":", ""))
    is_short = len(before.split()) <= (_DATED_LINE if is_date else _SHORT_LINE + 1)
    after = text[prefix.end() :]
    begins_name = after and not after[0].islower()
    if is_short and begins_name and (is_date or _pattern("notice", code).search(before)):
        return after
    return text if not is_date else strip_byline_prefix(after, code) if is_short else text


def _pieces(text: str, code: str) -> Iterator[tuple[str, bool]]:
    parts = ["and", *_splitter(code).split(text)]
    for separator, part in zip(parts[::2], parts[1::2], strict=True):
        mark = separator.strip(" ,")
        yield part, mark != "&" and not mark.isalpha()


def _piece(text: str, is_apart: bool, code: str) -> tuple[str, bool]:
    """Return a piece without the words that introduce or follow its name."""
    text = strip_byline_prefix(text.strip(_AROUND), code)
    if _is_picture(text, code):
        return "", is_apart
    if _may_credit(text, code):
        text = _pattern("picture", code).split(text, maxsplit=1)[0]
    number = _NUMBER.search(text)
    if number is not None:
        text = _without_date_words(text[: number.start()], code)
    text = _BIO.sub("", _PLACE.sub("", text))
    words = text.strip(_AROUND + "’").split()
    size = len(words)
    while size > 1 and _is_trailing(words[:size], code):
        size -= 1
    is_sentence = len(words) - size > _MAX_TRAILING
    return " ".join(words if is_sentence else words[:size]), is_apart


def _is_trailing(words: list[str], code: str) -> bool:
    last = words[-1].replace(".", "")
    is_credential = (
        last.casefold() in name_words("credentials") and not last.islower() and len(words) > 2
    )
    is_small = last.islower() and words[0][0].isupper() and last not in group_words()
    is_weekday = words[-2].islower() and last.casefold() in weekday_names(code)
    return is_credential or is_small or is_weekday


def _without_date_words(text: str, code: str) -> str:
    """Return the words before a number without those of its date: "Ann Lee on Monday, May"."""
    words = text.split()
    names = month_names(code).keys() | weekday_names(code)
    while words and (
        words[-1].strip(",.:-–—@").casefold() in names
        or (len(words) > 1 and words[-1].islower())
        or not any(map(str.isalpha, words[-1]))
        or words[-1].strip(",.:-–—@|").lower() in _notices(code)
    ):
        words.pop()
    return " ".join(words)


def _people(pieces: list[tuple[str, bool]], code: str) -> list[str]:
    names: list[str] = []
    for piece, is_apart in pieces:
        is_first = not names
        if not is_first and _GENERATION.fullmatch(piece):
            names[-1] += f" {piece}" + "." * piece.casefold().endswith("r")
            continue
        name = _without_role(piece, code)
        is_full = not is_first and " " in names[0]
        if not is_first and is_apart and is_full and (" " not in name or _describes(name, code)):
            continue  # a credential, place, agency or position beside a full name
        if _is_name(name):
            names.append(name)
    return list(dict.fromkeys(names))


def _describes(text: str, code: str) -> bool:
    """Return whether a piece states a person's role, position or place instead of a name."""
    words = {word.strip(".,").casefold() for word in text.split()}
    has_role = not words.isdisjoint(_phrase_set("role", code) | _phrase_set("position", code))
    return (has_role or _FUNCTION_WORD.search(text) is not None) and text.upper() != text


def strip_byline_prefix(text: str, code: str) -> str:
    """Return a text without a leading "By"; "De Gaulle" and "Von Trier" stay whole."""
    line = _MARKS.sub("", text)
    folded = _letters(line)
    for phrase in _introducing(code).get(folded[:1], ()):
        after = _AFTER_PREFIX.match(line, len(phrase)) if folded.startswith(phrase) else None
        if after is not None:
            rest, word = line[after.end() :], line[: len(phrase)]
            is_word = word == "von" and code == "de"  # a surname has a capital where a line starts
            is_part = folded[: len(phrase)] in _INTRODUCING and len(rest.split()) < 2
            return text if is_part and not is_word and normalise(rest) not in _agencies() else rest
    return text


@lru_cache(maxsize=64)
def _introducing(code: str) -> Mapping[str, list[str]]:
    """Return the phrases that introduce a name, by their first letter, the longest first."""
    table: dict[str, list[str]] = {}
    for phrase in sorted(phrases("before", code), key=len, reverse=True):
        folded = _letters(phrase)
        table.setdefault(folded[0], []).append(folded)
    return table


def _letters(text: str) -> str:
    """Return a text of as many characters in lower case, with one form of each letter."""
    return text.replace("İ", "i").lower().translate(_SAME_LETTERS)


def is_organisation(name: str, lang: str = "") -> bool:
    """Return whether a name in a byline is that of an agency, a department or an account.

    >>> is_organisation("Reuters"), is_organisation("News Desk"), is_organisation("Ann Lee")
    (True, True, False)
    """
    words = [word.strip(".,:()").casefold() for word in re.split(r"[\s\-]+", name)]
    return (
        name.startswith("@")
        or normalise(name) in _agencies()
        or normalise(name) in _nobody(language_code(lang))
        or any(word in group_words() for word in words)
    )


# Patterns with thousands of letters take milliseconds to compile, which few pages need.


def _has_asian(text: str) -> bool:
    return not text.isascii() and any(
        "\u3040" <= c <= "\u30ff" or "\u3400" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3"
        for c in text
    )


@cache
def _asian_label() -> re.Pattern[str]:
    """Return a pattern of labels before names, such as "author"; its group is the label."""
    return re.compile(
        r"(?:本[报報]|本[刊网站臺台]|新[华華]社|特[约約]|责任|責任|見習|见习|[实實]习|首席)*"
        r"(作者|撰文|撰稿|原作者|记者|記者|聞き手|編集委員|筆者|著者|取材|執筆|글쓴이|(?<![가-힣])글|(?<![\u3400-\u9fff])文"
        r"|编辑|編輯|责编|編集|编译|翻译|来源|來源|出处|通讯员|摄影|攝影|图片?|圖片?|写真|撮影|发布时间|时间|日期"
        r"|责编|校对|审核|监制|浏览|点击|사진|출처|编辑部)(?:\s*[:：/／|・]\s*|\s+|(?=[\u3400-\u9fff]{2,4}(?:$|[／/，,、|])))"
    )


@cache
def _asian_separator(is_japanese: bool) -> re.Pattern[str]:
    if is_japanese:
        return re.compile(r"\s*[、，,/／|｜；;]\s*|\s+・\s*|と(?=[\u3400-\u9fff]{3})")
    return re.compile(r"[\s、，,/／|｜；;]+(?:・\s+)?|和(?=[\u3400-\u9fff]{2,3}$)")


def _asian_names(line: str, code: str) -> list[str] | None:
    """Return the names in a Chinese, Japanese or Korean line with labels; None without labels."""
    parts = _asian_label().split(line)
    if len(parts) < 3:
        plain = _ASIAN_ROLE.sub("", line)
        return list(_asian(plain, code)) or None if plain != line else None
    labelled = list(zip(parts[1::2], parts[2::2], strict=True))
    authors = name_words("asian_authors")
    for labels in (authors, name_words("asian_editors")):
        names_of_label = (
            name for label, text in labelled if label in labels for name in _asian(text, code)
        )
        if names := list(dict.fromkeys(names_of_label)):
            return names
    if any(label in authors and text.strip() for label, text in labelled):
        return None
    return list(_asian(parts[0], code))


def _asian(text: str, code: str) -> Iterator[str]:
    """Yield the names in a text, up to the first piece that is not a name."""
    for piece in _asian_separator(code == "ja").split(text.strip(_AROUND + "。")):
        name = _ASIAN_ROLE.sub("", piece.strip(_AROUND))
        if piece.endswith(_REPORTS) and piece != text:
            return  # "Taipei report"
        longest = 20 if "·" in name or "・" in name else 6  # of a transcribed name, or of others
        if _has_asian(name) and 2 <= len(name) <= longest and not any(map(str.isdigit, name)):
            yield name
        elif name and not name.isascii():
            return


def _without_role(name: str, code: str) -> str:
    parts = name.split()
    roles = _phrase_set("role", code)
    while parts and parts[0].casefold() in roles:
        parts = parts[1:]
    if not parts or parts[-1].casefold() not in roles:
        return " ".join(parts)
    if parts[-1][0] > SHARED_LETTERS:
        return " ".join(parts[:-1])
    while parts and parts[-1].casefold() in roles | _phrase_set("position", code):
        parts.pop()
    is_person = len(parts) > 1 and not any(part.isupper() and len(part) > 2 for part in parts)
    return " ".join(parts) if is_person else ""


def _any_of(words: Collection[str]) -> str:
    firsts = "".join(sorted({re.escape(word[0]) for word in words}))
    longest_first = sorted(words, key=len, reverse=True)
    return f"(?=[{firsts}])(?:{'|'.join(map(re.escape, longest_first))})"


@lru_cache(maxsize=256)
def _pattern(name: str, code: str) -> re.Pattern[str]:
    before = phrases("before", code)
    match name:
        case "inner prefix":  # words that introduce a name, inside a line
            expression = rf"(?<=[\s|,]){_any_of(before)}(?:\s*[:：]\s*|\s+)"
        case "notice":  # words beside dates, and words for something written
            expression = rf"(?<![^\W\d_]){_any_of(_notices(code))}(?![^\W\d_])"
        case "about":  # words before a name in a note about the person: "More from"
            expression = rf"^\W*{_any_of(phrases('about', code))}\s+"
        case _:  # a word for pictures followed by "by" or a colon
            pictures, by = phrases("picture", code), "|".join(map(re.escape, before))
            expression = (
                rf"(?<![^\W\d_]){_any_of(pictures)}s?(?:\s(?:credits?|courtesy))?"
                rf"(?:\s+(?:{by})\s|\s*[:：])"
            )
    return re.compile(expression, re.IGNORECASE)


@lru_cache(maxsize=64)
def _notices(code: str) -> frozenset[str]:
    lists = ("published", "updated", "clock", "work")
    return frozenset().union(*(_phrase_set(name, code) for name in lists))


def _may_credit(text: str, code: str) -> bool:
    """Return whether a text has a colon or "by", without which it cannot be a picture credit."""
    return ":" in text or "：" in text or _pattern("inner prefix", code).search(text) is not None


def _is_picture(text: str, code: str) -> bool:
    return _may_credit(text, code) and _pattern("picture", code).match(text) is not None


@lru_cache(maxsize=64)
def _splitter(code: str) -> re.Pattern[str]:
    words = f"{_and(code)}|with|mit|avec" if code in ("", "en", "de", "fr") else _and(code)
    return re.compile(rf"\s*(,\s+(?:{words})\s|{_BREAKS}|\s(?:{words})\s)\s*")


def _and(code: str) -> str:
    words = set(phrases("between", code))
    if code not in word_list("between"):
        words -= _OTHERWISE
    words |= {word.upper() for word in words if len(word) > 1}  # "John E Lee" is one name
    return "|".join(map(re.escape, sorted(words)))


@lru_cache(maxsize=128)
def _phrase_set(kind: str, code: str) -> frozenset[str]:
    return frozenset(phrases(kind, code))


@lru_cache(maxsize=64)
def _nobody(code: str) -> frozenset[str]:
    words = _phrase_set("others", code) | _phrase_set("account", code)
    return frozenset(map(normalise, words))


@cache
def group_words() -> frozenset[str]:
    """Return the words in names of departments and organisations."""
    return frozenset(word for line in word_list("group").values() for word in line.split(", "))


@cache
def _agencies() -> frozenset[str]:
    return frozenset(map(normalise, agencies()))


def _is_name(text: str) -> bool:
    words = text.split()
    return (
        0 < len(words) <= _MAX_WORDS
        and not any(c.isdigit() for c in text)
        and "@" not in text
        and (not words[0].islower() or (words[0] in name_words("particles") and len(words) > 1))
        and _SENTENCE.search(text) is None
        and _SMALL.search(text) is None
    )
