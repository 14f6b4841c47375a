"""A row of a table read aloud: its label, then the values under the columns that the question asks for. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerable.answering.candidates import Candidate, shown, stems_of
from answerable.answering.extremes import extreme_column, measured_column
from answerable.answering.weighing import Wanted, columns_of, sought_columns
from answerable.text.answertypes import holds
from answerable.text.kin import kin_of
from answerable.text.rows import SAID
from answerable.text.seasons import in_season, months_in
from answerable.text.weekdays import weekdays_in

MOST = 4  # values of a row
_SAYS_NOTHING = re.compile(  # over the values of a table of two columns
    r"(?:the )?(?:values?|details?|data|info(?:rmation)?|figures?|facts?|answer|description|specifications?"
    r"|wert|angabe|valeur|valore?|dato|waarde)",
    re.IGNORECASE,
)
_ASKS_PRICE = re.compile(
    r"\bhow much (?:is|are|was|were|do|does|did|for|will|would)\b"
    r"(?!.*\b(?:weigh|earn|eat|drink|rain|snow|hold|carry|need|use|contain)\b)",
    re.IGNORECASE,
)
_PRICE = stems_of("price cost fee", "en")
_NOUGHT = re.compile(r"(?:free|none|nil|no charge|not charged|included)\b", re.IGNORECASE)  # a number all the same
_ORDINALS = {"1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth"}
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b", re.IGNORECASE)
_LETTER = re.compile(r"\b(?i:class|zone|type|grade|group|line|size|band|category|level|terminal) ([A-Za-z])\b")
_NUMBERED = re.compile(r"\W*(\d{1,3})(?:st|nd|rd|th)?\W*")  # a place, a number of a line
_WORDS = re.compile(r"[^\W\d_]{3,}")
_UNIT = re.compile(r"\s*[(\[]([^)\]]*)[)\]]")  # "Height (m)"


def read_aloud(row: Candidate, *asked: Wanted) -> str:
    """ "Tin – Melting point (°C): 232": under the names of the columns asked for, else of the first four. `asked`: by
    the parts of the question that the row answers."""
    columns = [(shown(name), shown(cell)) for name, cell in columns_of(row)]
    kept = _with_its_name(sorted({i for wanted in asked for i in _kept(row, columns, wanted)})[:MOST], columns, asked)
    names = ["" if len(columns) == 2 and _SAYS_NOTHING.fullmatch(name) else name for name, _ in columns]
    values = [": ".join(filter(None, (names[i], columns[i][1]))) for i in kept if columns[i][1]]
    label = columns[0][1] or row.text
    return f"{label}{SAID}{'; '.join(values)}" if values else label


def _with_its_name(kept: Sequence[int], columns: Sequence[tuple[str, str]], asked: Sequence[Wanted]) -> list[int]:
    """With the first column of words, where the row is labelled by a number that nobody asked for, and no word is kept:
    "3 – Lock: Grey Bank; Fall (m): 7.8"."""
    number = _NUMBERED.fullmatch(columns[0][1])
    if (
        not number
        or any(number[1] in wanted.figures for wanted in asked)
        or any(_WORDS.search(columns[i][1]) for i in kept)
    ):
        return list(kept)
    named = [i for i, (_, cell) in enumerate(columns) if i and _WORDS.search(cell) and not holds(cell, "number")]
    return sorted([*named[:1], *kept])[:MOST]


def tells(row: Candidate, wanted: Wanted) -> bool:
    """Whether a column that the question names holds the kind of answer that it asks for."""
    cells = [row.cells[i] for i in sought_columns(row, wanted)]
    kinds = [kind for kind in wanted.kinds if kind in {"number", "date"}]
    return bool(cells) and (not kinds or any(holds(cell, kind) for cell in cells for kind in kinds))


def _kept(row: Candidate, columns: Sequence[tuple[str, str]], wanted: Wanted) -> list[int]:
    if (most := extreme_column(row, wanted)) is not None:
        return [most]
    others = _of_other_times(columns, wanted)
    return _kept_of(row, columns, wanted, [i for i in range(1, len(columns)) if i not in others])


def _kept_of(row: Candidate, columns: Sequence[tuple[str, str]], wanted: Wanted, among: Sequence[int]) -> list[int]:
    sought = [i for i in sought_columns(row, wanted) if i in among]
    label = wanted.stems(columns[0][1])  # "250 ml" has the unit of its cells
    held = [
        i for i, (_, cell) in enumerate(columns) if i in among and (wanted.stems(cell) - label) & wanted.weights.keys()
    ]
    if not sought and (priced := _priced(columns, among, wanted)):
        return sorted({*priced, *held})[:MOST]
    exact = [kind for kind in wanted.kinds if kind in {"number", "date"}]
    if exact and not any(holds(columns[i][1], kind) or _NOUGHT.match(columns[i][1]) for i in sought for kind in exact):
        sought = [i for i in among if any(holds(columns[i][1], kind) for kind in exact)]
    named = [i for i in sought if stems_of(columns[i][0], wanted.language) <= wanted.weights.keys()]
    if of_kind := _of_the_kind(sought, named, columns, wanted, among):
        sought = named = of_kind
    if (meant := _meant(sought, columns, wanted)) is not None:
        return sorted([meant, *(i for i in held if i != meant)])[:MOST]
    measured = measured_column(row, wanted)
    if measured is not None and not [i for i in sought if i != measured]:
        return sorted({measured, *held})[:MOST]
    rest = [] if named else among  # which column is meant is not sure
    kept = sorted(list(dict.fromkeys([*(named or sought), *held, *rest]))[:MOST])
    return [i for i in kept if not _other_count(columns[i][0], wanted)] or kept


def _of_the_kind(
    sought: Sequence[int],
    named: Sequence[int],
    columns: Sequence[tuple[str, str]],
    wanted: Wanted,
    among: Sequence[int],
) -> list[int]:
    """Other columns, where those sought do not hold what is asked for: the founder and not the year for "who founded",
    the loan period and not the number of books for "how long can I keep a book"."""
    if "person" in wanted.kinds and sought and not any(_WORDS.search(columns[i][1]) for i in sought):
        asked = kin_of(wanted.weights.keys())
        called = [i for i in among if _WORDS.search(columns[i][1])]
        akin = [i for i in called if asked & wanted.stems(columns[i][0])]
        return akin or [i for i in called if holds(columns[i][1], "person")]
    if wanted.measure and sought and not named:
        fits = [i for i in among if wanted.measure.search(_with_unit(columns[i]))]
        return [] if set(fits) & set(sought) else fits
    return []


def _with_unit(column: tuple[str, str]) -> str:
    """A value as it would be said: "7.8 m" of "7.8" under "Fall (m)"."""
    name, cell = column
    unit = _UNIT.search(name)
    return f"{cell} {unit[1]}" if unit and not _WORDS.search(cell) else cell


def _of_other_times(columns: Sequence[tuple[str, str]], wanted: Wanted) -> set[int]:
    """Columns for other days or months than are asked for, beside one for these: "Dec and Jan" for March."""
    days, months = weekdays_in(wanted.question), months_in(wanted.question)
    fits: dict[int, bool] = {}
    for i, (name, _) in enumerate(columns):
        season, told = in_season(months, months_in(name)), weekdays_in(name)
        if i and season is not None:
            fits[i] = season
        if i and days and told:
            fits[i] = fits.get(i, True) and days <= told
    return {i for i, so in fits.items() if not so} if any(fits.values()) else set()


def _priced(columns: Sequence[tuple[str, str]], among: Sequence[int], wanted: Wanted) -> list[int]:
    """Columns of prices, for "how much is" without a word for the price."""
    if not _ASKS_PRICE.search(wanted.question):
        return []
    return [i for i in among if kin_of(stems_of(columns[i][0], wanted.language)) & _PRICE]


def _meant(sought: Sequence[int], columns: Sequence[tuple[str, str]], wanted: Wanted) -> int | None:
    """The one column whose name holds of the question all that others' names do, and more; or the same, and nothing
    else: "class B" beside "class A", "Cob Mix" beside "Cob Mix Lite"."""
    asked = wanted.weights.keys() | _words(wanted.question, wanted)
    names = {i: _words(_UNIT.sub("", columns[i][0]), wanted) for i in sought}
    told = {i: (kin_of(name) if wanted.language.startswith("en") else name) & asked for i, name in names.items()}
    best = [i for i in sought if told[i] and all(told[j] <= told[i] for j in sought)]
    only = best if len(best) < 2 else [i for i in best if names[i] <= asked]
    return only[0] if len(only) == 1 else None


def _words(text: str, wanted: Wanted) -> frozenset[str]:
    """Stems, with what they leave out and columns are told apart by: ordinals and letters."""
    spelled = _ORDINAL.sub(lambda found: _ORDINALS[found[0].casefold()], text)
    return wanted.stems(spelled) | {letter.casefold() for letter in _LETTER.findall(text)}


def _other_count(name: str, wanted: Wanted) -> bool:
    """Whether a column is for a number that nobody asked for: "10 entrées"."""
    figures = set(re.findall(r"\d+", name))
    return not wanted.language.startswith("en") and bool(figures) and not figures & wanted.figures
