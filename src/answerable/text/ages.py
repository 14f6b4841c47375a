"""Ages and days as search providers write them beside a result: "3 hours ago · Reuters", "igår", "Updated: Nov 20"."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta

from answerable.text.dates import before, day_and_month, parse_date

_LABEL = re.compile(
    r"^(?:(?:last )?(?:updated|published|posted|modified)|veröffentlicht|aktualisiert|publié|publicado|pubblicato)"
    r"(?: on| at| le| am| il| el)?[:\s]+",
    re.IGNORECASE,
)
_REST = re.compile(r"\s+[·•|—–-]\s+|\s*[·•|]\s*")
_CLOCK = re.compile(
    r"(?:,|\bat\b|\bum\b|à|\ba las\b)?\s*\d{1,2}[:h.]\d{2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\.?|uhr)?$", re.IGNORECASE
)
_AHEAD = timedelta(days=1)  # a day without a year that lies further ahead is meant a year earlier

# Languages beside those of dates.py: before the number, its units, after the unit, and words for whole days.
_BEFORE = ("för", "for", "před", "pred", "acum", "πριν από", "πριν", "منذ", "قبل", "לפני")
_AFTER = (
    "sedan", "siden", "sitten", "temu", "önce", "trước", "पहले", "yang lalu", "lalu", "тому", "ezelőtt", "που πέρασαν",
)  # fmt: skip
_UNITS = {
    "minute": r"minut\w*|min|dakika|phút|मिनट|menit|хвилин\w*|perc\w*|λεπτ\w*|دقيق\w*|دقائق|דקות|דקה",
    "hour": r"tim(?:mar|me|er|mer)\w*|tunti\w*|tuntia|godzin\w*|hodin\w*|saat|giờ|घंट\w+|jam|годин\w*|or[ăe]|órá?\w*|"
            r"ώρ\w+|ساع\w+|שעות|שעה",
    "day": r"dag(?:ar|er|e|en)?|päiv\w+|dni|dzień|dn[yíů]|den|gün|ngày|दिन|hari|дн\w+|день|zile|zi|nap\w*|"
           r"μέρ\w+|ημέρ\w+|يوم|أيام|ايام|ימים|יום",
    "week": r"veck\w+|uke|uker|uge|uger|viikko\w*|tygod\w+|týd\w+|hafta|tuần|हफ़?्त\w+|सप्ताह|minggu|тиж\w+|săptămâni?|"
            r"hét\w*|εβδομάδ\w+|أسبوع|أسابيع|שבועות|שבוע",
    "month": r"månad\w*|måned\w*|kuukau\w+|miesi\w+|měsíc\w*|ay|tháng|महीन\w+|bulan|місяц\w*|luni|lună|hónap\w*|μήν\w+|"
             r"شهر|أشهر|חודשים|חודש",
    "year": r"år|vuo\w+|lat|rok\w*|let|yıl|năm|साल|वर्ष|tahun|рок\w*|рік|ani|an|év\w*|χρόνι\w+|سنة|سنوات|שנים|שנה",
}  # fmt: skip
_PATTERNS = {unit: re.compile(pattern) for unit, pattern in _UNITS.items()}
_DUALS = {
    "ساعتين": ("hour", 2),
    "يومين": ("day", 2),
    "أسبوعين": ("week", 2),
    "שעתיים": ("hour", 2),
    "יומיים": ("day", 2),
}
_DAYS = {
    word: days
    for days, words in {
        0: "idag|i dag|tänään|dziś|dzisiaj|dnes|bugün|hôm nay|आज|hari ini|сьогодні|azi|ma|σήμερα|اليوم|היום",
        1: "igår|i går|eilen|wczoraj|včera|dün|hôm qua|kemarin|вчора|ieri|tegnap|χθες|χτες|أمس|אתמול",
    }.items()
    for word in words.split("|")
}
_ONE = {"en", "ett", "et", "o"}
_AGE = re.compile(
    rf"(?:(?:{'|'.join(map(re.escape, _BEFORE))})\s+)?(?P<number>\d+|en|ett|et|o)?\s*(?P<unit>[^\W\d_][^\s\d]*)"
    rf"\s*(?:(?:{'|'.join(map(re.escape, _AFTER))}))?"
)
_ENGLISH = re.compile(r"(?P<number>half an?|\d+[.,]\d)\s*(?P<unit>hour|day|week|month|year)s?\s*ago")
_ELIDED = re.compile(r"un'(?P<unit>ora)\s*fa")


def provider_date(value: object, now: datetime) -> datetime | None:
    """As `parse_date`, and what only providers write; a day without a year is its last occurrence before `now`.

    What lies ahead of `now` by more than time zones explain is no date of a page that was already found.
    """
    found = _date(value, now)
    return found if found is not None and found.timestamp() <= (now + 2 * _AHEAD).timestamp() else None


def _date(value: object, now: datetime) -> datetime | None:
    if not isinstance(value, str):
        return parse_date(value, now)
    text = " ".join(unicodedata.normalize("NFKC", value[:100]).split())
    text = _LABEL.sub("", text)
    first = _REST.split(text, maxsplit=1)[0]
    for said in dict.fromkeys((text, first, _CLOCK.sub("", first).rstrip(", "))):
        if said and (found := parse_date(said, now) or _age(said.lower(), now) or _without_year(said.lower(), now)):
            return found
    return None


def _age(text: str, now: datetime) -> datetime | None:
    if text in _DAYS:
        return now - timedelta(days=_DAYS[text])
    if match := _ELIDED.fullmatch(text.replace("’", "'")):
        return before(now, 1, "hour")
    if match := _ENGLISH.fullmatch(text):
        number = 0.5 if match["number"].startswith("half") else float(match["number"].replace(",", "."))
        hours = {"hour": 1, "day": 24, "week": 168, "month": 730, "year": 8766}[match["unit"]]
        return now - timedelta(hours=number * hours) if number <= 10_000 else None
    match = _AGE.fullmatch(text)
    if match is None or not (match["number"] or match["unit"] in _DUALS):
        return None
    if match["unit"] in _DUALS:
        unit, count = _DUALS[match["unit"]]
        return before(now, count, unit)
    unit_found = next((unit for unit, pattern in _PATTERNS.items() if pattern.fullmatch(match["unit"])), None)
    number_said = match["number"]
    if unit_found is None or not (number_said in _ONE or number_said.isdecimal()):
        return None
    whole = 1 if number_said in _ONE else int(number_said)
    return before(now, whole, unit_found) if whole <= 10_000 else None


def _without_year(text: str, now: datetime) -> datetime | None:
    if (found := day_and_month(text)) is None:
        return None
    month, day = found
    for year in range(now.year + 1, now.year - 8, -1):  # eight years hold a 29 February
        try:
            moment = datetime(year, month, day, tzinfo=now.tzinfo or UTC)
        except ValueError:
            continue
        if moment <= now.replace(tzinfo=moment.tzinfo) + _AHEAD:
            return moment
    return None
