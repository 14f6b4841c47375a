"""Dates as pages and search providers write them: ISO, mail headers, Unix time, "3 hours ago", in several languages."""

from __future__ import annotations

import calendar
import re
import unicodedata
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_UNITS = (  # of English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese, Korean
    ("second", r"s|sec\w*|sek\w*|seg\w*|сек\w*|秒|초"),
    ("minute", r"min\w*|мин\w*|分钟?|分鐘|分|분"),
    ("hour", r"h|hr|hrs|hours?|std|stunden?|heures?|horas?|or[ae]|uur|uren|час\w*|小时|小時|時間|시간"),
    ("day", r"d|days?|tag|tage|tagen|jours?|j|d[ií]as?|giorn[oi]|dag|dagen|день|дн\w*|天|日|일"),
    ("week", r"w|wk|wks|weeks?|wochen?|semaines?|semanas?|settiman[ae]|week|weken|недел\w*|周|週|星期|週間|주"),
    (
        "month",
        r"mo|mos|months?|monate?n?|mois|mes|meses|m[eê]s|mes[ei]|maand|maanden|месяц\w*|个?月|個月|か月|ヶ月|개월",
    ),
    ("year", r"y|yr|yrs|years?|jahre?n?|ans?|ann[ée]es?|a[nñ]os?|ann[oi]|anos?|jaar|jaren|год\w*|лет|年|년"),
)
_UNIT_OF = {name: re.compile(pattern) for name, pattern in _UNITS}
_NUMBER_WORDS = {
    word: number
    for number, words in {
        1: "a an one ein einem einer eine un une una uno um uma een один одну",
        2: "two zwei deux dos due dois duas twee два две",
        3: "three drei trois tres tre drie три",
    }.items()
    for word in words.split()
}
_AGE = re.compile(
    r"(?:vor|il y a|hace|h[áa]|fa|about|over|ungefähr|etwa|~)?\s*"
    r"(?P<number>\d+|[^\W\d_]+)\s*(?P<unit>[^\W\d_]+?)\.?"
    r"\s*(?P<after>ago|fa|geleden|atr[áa]s|назад|前|전|old)?"
)
_DAYS_BACK = {
    0: "today heute aujourd'hui hoy oggi hoje vandaag сегодня 今天 今日 오늘",
    1: "yesterday gestern hier ayer ieri ontem gisteren вчера 昨天 昨日 어제",
    2: "vorgestern avant-hier anteayer anteontem eergisteren позавчера 前天 一昨日 그저께",
}
_DAY_WORDS = {word: days for days, words in _DAYS_BACK.items() for word in words.split()}
_NOW_WORDS = {"now", "just now", "moments ago", "a moment ago", "gerade eben", "à l'instant", "刚刚", "たった今"}
_MONTHS = (
    r"jan\w*|ene\w*|gen\w*|янв\w*",
    r"feb\w*|f[ée]v\w*|фев\w*",
    r"mar\w*|m[äa]r\w*|maart|mrt|мар\w*",
    r"apr\w*|avr\w*|abr\w*|апр\w*",
    r"mayo?|mai\w*|mei|mag\w*|ма[йя]",
    r"june?|jun[io]\w*|juin|giu\w*|июн\w*",
    r"july?|jul[io]\w*|juil\w*|lug\w*|июл\w*",
    r"aug\w*|ao[uû]t|ago\w*|авг\w*",
    r"sep\w*|set\w*|сен\w*",
    r"oct\w*|okt\w*|ott\w*|out\w*|окт\w*",
    r"nov\w*|ноя\w*",
    r"dec\w*|dez\w*|d[ée]c\w*|dic\w*|дек\w*",
)
_MONTH_OF = [re.compile(pattern) for pattern in _MONTHS]
_DAY_FIRST = re.compile(
    r"(?:\w+,? )?(\d{1,2})(?:st|nd|rd|th|er|º|\.)?(?: de)? ([^\W\d_]+)\.?,?(?: de)? (\d{4})(?:\D.*)?"
)
_MONTH_FIRST = re.compile(r"(?:[^\W\d_]+,? )?([^\W\d_]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:\D.*)?")
_YEAR_FIRST = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})日?(?:\D.*)?")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


def parse_date(value: object, now: datetime) -> datetime | None:
    """The moment meant, with a time zone (UTC where none is said); None when it cannot be told."""
    if isinstance(value, datetime):
        return _aware(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_unix(float(value))
    if not isinstance(value, str):
        return None
    text = " ".join(unicodedata.normalize("NFKC", value[:100]).split())
    if not text:
        return None
    if re.fullmatch(r"\d{9,13}(?:\.\d+)?", text):
        return _from_unix(float(text))
    try:
        return _iso(text) or _written(text.lower()) or _mail(text) or parse_age(text, now)
    except (ValueError, OverflowError):
        return None


def parse_age(text: str, now: datetime) -> datetime | None:
    """ "3 hours ago", "vor 2 Tagen", "昨天": a moment before `now`; None for anything else."""
    text = " ".join(unicodedata.normalize("NFKC", text).lower().replace("’", "'").split())
    if text in _NOW_WORDS:
        return now
    if text in _DAY_WORDS:
        return now - timedelta(days=_DAY_WORDS[text])
    match = _AGE.fullmatch(text)
    if match is None:
        return None
    word = match["number"]
    number = int(word) if word.isdecimal() else _NUMBER_WORDS.get(word)
    unit = next((name for name, pattern in _UNIT_OF.items() if pattern.fullmatch(match["unit"])), None)
    if number is None or unit is None or number > 10_000:
        return None
    return before(now, number, unit)


def before(now: datetime, number: int, unit: str) -> datetime:
    """`number` calendar units before; the day is the month's last when it has no such day."""
    if unit not in ("month", "year"):
        return now - timedelta(**{f"{unit}s": number})
    months = now.year * 12 + now.month - 1 - number * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return now.replace(year=year, month=month + 1, day=min(now.day, calendar.monthrange(year, month + 1)[1]))


def _iso(text: str) -> datetime | None:
    try:
        return _aware(datetime.fromisoformat(text))
    except ValueError:
        return None


def _mail(text: str) -> datetime | None:
    try:
        return _aware(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError):
        return None


def _written(text: str) -> datetime | None:
    if match := _YEAR_FIRST.fullmatch(text):
        return _day(match[1], match[2], match[3])
    if match := _DOTTED.fullmatch(text):
        return _day(match[3], match[2], match[1])
    if match := _SLASHED.fullmatch(text):  # whether day or month stands first shows only when one is above 12
        first, second = int(match[1]), int(match[2])
        if first > 12 or first == second:
            return _day(match[3], match[2], match[1])
        return _day(match[3], match[1], match[2]) if second > 12 else None
    if ":" in text:  # a time of day would be lost
        return None
    if (match := _DAY_FIRST.fullmatch(text)) and (month := _month(match[2])):
        return _day(match[3], month, match[1])
    if (match := _MONTH_FIRST.fullmatch(text)) and (month := _month(match[1])):
        return _day(match[3], month, match[2])
    return None


_BARE_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|º|\.)?(?: de)? ([^\W\d_]+)\.?")
_BARE_MONTH_FIRST = re.compile(r"([^\W\d_]+)\.? (\d{1,2})(?:st|nd|rd|th)?")
_BARE_CJK = re.compile(r"(\d{1,2})[月월]\s*(\d{1,2})[日일]")


def day_and_month(text: str) -> tuple[int, int] | None:
    """Month and day of "nov 20", "20. november", "11月20日" in lower case; None for anything else."""
    if match := _BARE_CJK.fullmatch(text):
        return int(match[1]), int(match[2])
    if (match := _BARE_DAY_FIRST.fullmatch(text)) and (month := _month(match[2])):
        return month, int(match[1])
    if (match := _BARE_MONTH_FIRST.fullmatch(text)) and (month := _month(match[1])):
        return month, int(match[2])
    return None


def _month(name: str) -> int | None:
    return next((number for number, pattern in enumerate(_MONTH_OF, 1) if pattern.fullmatch(name)), None)


def _day(year: str, month: str | int, day: str) -> datetime:
    return datetime(int(year), int(month), int(day), tzinfo=UTC)


def _from_unix(seconds: float) -> datetime | None:
    seconds = seconds / 1000 if seconds > 1e11 else seconds
    if not 1e8 < seconds < 1e11:  # from 1973 on; smaller numbers are something else
        return None
    return datetime.fromtimestamp(seconds, UTC)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
