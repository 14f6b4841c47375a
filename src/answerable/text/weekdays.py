"""The days of the week that a text speaks of: "Monday to Friday", "Sundays and bank holidays". Pure."""

from __future__ import annotations

import re

_NAMES = (
    "monday mondays mon montag montags lundi lunes lunedì maandag",
    "tuesday tuesdays tue tues dienstag dienstags mardi martes martedì dinsdag",
    "wednesday wednesdays wed mittwoch mittwochs mercredi miércoles mercoledì woensdag",
    "thursday thursdays thu thur thurs donnerstag donnerstags jeudi jueves giovedì donderdag",
    "friday fridays fri freitag freitags vendredi viernes venerdì vrijdag",
    "saturday saturdays sat samstag samstags sonnabend sonnabends samedi sábado sábados sabato zaterdag",
    "sunday sundays sun sonntag sonntags dimanche domingo domingos domenica zondag",
)
_SHORT = frozenset({"mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun"})
_DAY = {word: day for day, words in enumerate(_NAMES) for word in words.split()}
_SEVERAL = {
    **dict.fromkeys(["weekday", "weekdays", "werktags", "werktage", "semaine", "laborables"], range(5)),
    **dict.fromkeys(["weekend", "weekends", "wochenende", "wochenenden", "week-end", "week-ends"], range(5, 7)),
    **dict.fromkeys(["daily", "täglich", "quotidiennement", "diariamente"], range(7)),
}
_EVERY = re.compile(
    r"\b(?:every day|all week|jeden tag|tous les jours|todos los días|seven days a week)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:-ends?)?")
_TO = re.compile(r"\s*(?:to|till|until|through|bis|à|a|al|au|tot|t/m|[-–—])\s*", re.IGNORECASE)


def weekdays_in(text: str) -> frozenset[int]:
    """Monday is 0. Days from one to another count all; a short name only with its capital ("Sat", not "sat")."""
    if _EVERY.search(text):
        return frozenset(range(7))
    found: set[int] = set()
    last: tuple[int, int] | None = None  # day and where its name ends
    for word in _WORD.finditer(text):
        name = word[0].casefold()
        found.update(_SEVERAL.get(name, ()))
        day = _DAY.get(name)
        if day is None or (name in _SHORT and not word[0][0].isupper()):
            continue
        if last and _TO.fullmatch(text[last[1] : word.start()]):
            found.update((last[0] + n) % 7 for n in range((day - last[0]) % 7 + 1))
        found.add(day)
        last = day, word.end()
    return frozenset(found)
