"""Which of the sentences that were read answers: figures of each beside the others, and their fitted weights.

What the rules know (another thing of the kind, the wrong measure, a page that never names the thing) are figures like
the rest here: how much each is worth was fitted on whole webs (training/fit_choice.py).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from answerable.answering.another import speaks_of_another
from answerable.answering.candidates import Candidate, stems_of
from answerable.answering.elsewhere import strange_pages, told_as_asked
from answerable.answering.enough import Signs
from answerable.answering.extremes import extremes
from answerable.answering.leading import marks_against, on_own_page
from answerable.answering.values import values_of
from answerable.answering.weighing import (
    SET,
    Judges,
    Wanted,
    explains,
    gives,
    logit,
    measured_at_all,
    set_of,
    spoken,
    weigh,
)
from answerable.errors import AnswerableError
from answerable.text.pointing import points

Ranked = Sequence[tuple[Candidate, float]]

WEIGHTS = Path(__file__).parents[1] / "models" / "choice" / "weights.json"
STEADY = 4.0
NOBODY = -5.0  # log odds where there is no other sentence
TOPMOST = 4  # rows of a superlative that are read whatever words they hold
SURELY = 1.5  # log odds from which the model that read it is sure
_KINDS = ("number", "date", "person", "place", "reason", "definition", "yes_no")
_EXTREME = re.compile(
    r"\b(?:\w{2,}est|most|least|cheapest|first|last|only|maximum|minimum|best|worst)\b", re.IGNORECASE
)
_FIGURE = re.compile(r"\d")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def figures_of_all(ranked: Ranked, wanted: Wanted) -> list[dict[str, float]]:
    """One mapping a candidate, in their order, the same names in each. All were read by the model (`chance`)."""
    pool = [c for c, _ in ranked]
    read = [logit(c.chance or 0.0) for c in pool]
    best_of_page: dict[int, float] = {}
    for c, told in zip(pool, read, strict=True):
        best_of_page[c.number] = max(told, best_of_page.get(c.number, NOBODY))
    strange = strange_pages(wanted)
    around = _Around(ranked, read, best_of_page)
    values = [values_of(c, wanted) for c in pool]
    measured = measured_at_all(pool, wanted)
    asked = _asked(wanted)
    superlative = extremes(pool, wanted)
    return [
        around.of(k)
        | {"extreme": float(superlative[k])}
        | _own(c, wanted, strange)
        | dict.fromkeys(SET, 0.0)
        | set_of(c, wanted, measured)
        | _agreement(k, pool, values, read)
        | asked
        for k, c in enumerate(pool)
    ]


class _Around:
    """A candidate beside the others."""

    def __init__(self, ranked: Ranked, read: Sequence[float], best_of_page: dict[int, float]) -> None:
        self.ranked, self.read, self.best_of_page = ranked, read, best_of_page
        self.by_reading = sorted(range(len(read)), key=lambda k: -read[k])
        self.place = {k: place for place, k in enumerate(self.by_reading)}
        self.pages = sorted(best_of_page, key=lambda number: -best_of_page[number])
        self.on_page: dict[int, list[int]] = {}
        for k in sorted(range(len(ranked)), key=lambda k: ranked[k][0].start):
            self.on_page.setdefault(ranked[k][0].number, []).append(k)

    def of(self, k: int) -> dict[str, float]:
        c, score = self.ranked[k]
        others = [told for j, told in enumerate(self.read) if j != k]
        return {
            "read": self.read[k],
            "read_gap": self.read[k] - max(others, default=NOBODY),
            "read_place": float(min(10, self.place[k])),
            "weighed_gap": score - max((s for j, (_, s) in enumerate(self.ranked) if j != k), default=score - 1),
            "weighed_place": float(min(10, k)),
            "page_read": self.best_of_page[c.number],
            "page_place": float(min(6, self.pages.index(c.number))),
            "page_gap": self.best_of_page[c.number]
            - max((told for number, told in self.best_of_page.items() if number != c.number), default=NOBODY),
            "before_read": self._next_to(k, -1),
            "after_read": self._next_to(k, 1),
            "section_read": max(
                (self.read[j] for j in self.on_page[c.number] if j != k and self.ranked[j][0].above == c.above),
                default=NOBODY,
            ),
            "source": float(min(8, c.number)),
            "sources": float(min(8, len(self.pages))),
            "likely": float(sum(told > 0 for told in self.read)),
        }

    def _next_to(self, k: int, step: int) -> float:
        """What the model says of the candidate before or after it on the page."""
        there = self.on_page[self.ranked[k][0].number]
        at = there.index(k) + step
        return self.read[there[at]] if 0 <= at < len(there) else NOBODY


def _own(c: Candidate, wanted: Wanted, strange: frozenset[int]) -> dict[str, float]:
    title = stems_of(c.above, wanted.language)
    asked = wanted.weights.keys()
    total = sum(wanted.weights.values()) or 1.0
    return {
        "held": wanted.coverage(c, around=0.0),
        "held_around": wanted.coverage(c, around=1.0),
        "held_near": sum(w for word, w in wanted.weights.items() if word in c.words | c.around | c.near) / total,
        "title": sum(wanted.weights[word] for word in title & asked) / total,
        "title_other": float(min(8, len(title - asked))),
        "words": float(min(60, len(c.words))),
        "density": len(c.words & asked) / (len(c.words) or 1),
        "place": float(min(10, c.place)),
        "first": float(c.first),
        "points": float(points(c.text)),  # "It has had this height since …"
        "row": float(c.is_row),
        "columns": float(len(c.cells)),
        "figure": float(bool(_FIGURE.search(spoken(c)))),
        "given": sum(gives(c, wanted, kind) for kind in wanted.kinds) / (len(wanted.kinds) or 1),
        "another": float(speaks_of_another(c, wanted)),
        "strange": float(c.number in strange),
        "as_asked": float(told_as_asked(c, wanted)),
        "own_page": float(on_own_page(c, wanted)),
        "newness": wanted.newness(c.number),
        "year_behind": _year_behind(c, wanted),
        "dated": float(wanted.dates[c.number - 1] is not None),
        **marks_against(c, wanted),
    }


def _year_behind(c: Candidate, wanted: Wanted) -> float:
    """By how many years the newest year in the title or the address of its page lies back, where none was asked for."""
    told = [int(year) for year in _YEAR.findall(f"{c.above} {wanted.pages[c.number - 1].url}")]
    if not told or wanted.now is None or _YEAR.search(wanted.question):
        return 0.0
    return float(min(5, max(-1, wanted.now.year - max(told))))


def _agreement(
    k: int, pool: Sequence[Candidate], values: Sequence[frozenset[str]], read: Sequence[float]
) -> dict[str, float]:
    """Whether other pages give the same value, and how many other values likely sentences give."""
    same = [j for j, c in enumerate(pool) if c.number != pool[k].number and values[k] and values[k] <= values[j]]
    rivals = [j for j in range(len(pool)) if j != k and values[j] and not values[j] & values[k] and read[j] > 0]
    return {
        "agreeing": float(min(3, len(same))),
        "agreeing_read": max((read[j] for j in same), default=NOBODY),
        "rivals": float(min(4, len(rivals))),
        "values": float(min(6, len(values[k]))),
    }


def _asked(wanted: Wanted) -> dict[str, float]:
    return {
        **{f"asks_{kind}": float(kind in wanted.kinds) for kind in _KINDS},
        "asks_measure": float(wanted.measure is not None),
        "asks_why": float(explains(wanted)),
        "asks_extreme": float(bool(_EXTREME.search(wanted.question))),
        "asks_names": float(min(4, len(wanted.names))),
        "asks_words": float(min(15, len(wanted.weights))),
        "asks_new": wanted.newest,
    }


class BrokenChoice(AnswerableError):
    """The fitted weights are missing or damaged."""

    code = "broken_model"

    def __init__(self, cause: str) -> None:
        super().__init__(
            f"the model file {str(WEIGHTS)!r} cannot be used: {cause}",
            hint="Install the package again; until then sentences are chosen by likeness alone.",
        )


@dataclass(frozen=True, slots=True)
class Line:
    """Weights of figures brought to one scale, no further than `STEADY` spreads from their mean."""

    names: tuple[str, ...]
    mean: NDArray[np.float64]
    spread: NDArray[np.float64]
    weights: NDArray[np.float64]
    intercept: float = 0.0

    def score(self, figures: Mapping[str, float]) -> float:
        try:
            row = np.array([figures[name] for name in self.names])
        except KeyError as failure:
            raise BrokenChoice(f"it was made for other figures ({failure})") from failure
        scaled = np.clip((row - self.mean) / self.spread, -STEADY, STEADY)
        return self.intercept + float(scaled @ self.weights)


@dataclass(frozen=True, slots=True)
class Choice:
    """`ranked`: with the log odds of each and, as `likely`, its chance to answer if any does; best first. `best`: the
    figures of the first; empty where no model read them, and then `ranked` is as it was."""

    ranked: list[tuple[Candidate, float]]
    best: Mapping[str, float] = field(default_factory=dict)


async def choice_of(candidates: Sequence[Candidate], wanted: Wanted, judges: Judges) -> Choice:
    """Of all candidates: those that hold most of the question are read, and the rows that a superlative asks for."""
    asked_for = [c for c, extreme in zip(candidates, extremes(candidates, wanted), strict=True) if extreme == 1]
    return choose(await weigh(candidates, wanted, judges, asked_for[:TOPMOST]), wanted)


def choose(ranked: Ranked, wanted: Wanted) -> Choice:
    """Raises AnswerableError where the fitted file is no good; `differing.ready` tells before."""
    if not ranked or any(c.chance is None for c, _ in ranked):
        return Choice(list(ranked))
    figures = figures_of_all(ranked, wanted)
    line = fitted("choice")
    return in_order(ranked, figures, np.array([line.score(one) for one in figures]))


def in_order(ranked: Ranked, figures: Sequence[Mapping[str, float]], scores: NDArray[np.float64]) -> Choice:
    """The candidates by their scores, with the chance of each beside the others."""
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    places = [(c.number, c.start) for c, _ in ranked]
    order = sorted(range(len(ranked)), key=lambda k: (-round(float(scores[k]), 9), places[k]))
    told = [(replace(ranked[k][0], likely=float(shares[k]), figures=figures[k]), float(scores[k])) for k in order]
    return Choice(told, figures[order[0]])


def enough_figures(choice: Choice, signs: Signs) -> dict[str, float]:
    """What tells whether any of them answers: the likeliest one, how it stands out, and the signs of the evidence.
    Of a choice with `best`."""
    shares = [c.likely or 0.0 for c, _ in choice.ranked]
    read = sorted((logit(c.chance or 0.0) for c, _ in choice.ranked), reverse=True)
    return {
        "score": choice.ranked[0][1],
        "share": shares[0],
        "next_share": shares[1] if len(shares) > 1 else 0.0,
        "read_best": read[0],
        "read_next": read[1] if len(read) > 1 else NOBODY,
        "read_sure": float(sum(told > SURELY for told in read)),
        "candidates": float(len(read)),
        "passage": signs.passage,
        "window": signs.window,
        "names": float(signs.names),
        "coverage": signs.coverage,
        "unheard": float(len(signs.unheard)),
        "fits": float(signs.fits),
    } | {f"best_{name}": value for name, value in choice.best.items()}


def chance_of_answer(choice: Choice, signs: Signs) -> float | None:
    """That one of them answers; None where no model read them."""
    if not choice.best:
        return None
    return 1 / (1 + math.exp(-fitted("enough").score(enough_figures(choice, signs))))


@cache
def fitted(name: str) -> Line:
    """Of training/fit_choice.py. Raises AnswerableError."""
    try:
        held = json.loads(WEIGHTS.read_text("utf-8"))[name]
        mean, spread, weights = (np.array(held[part], np.float64) for part in ("mean", "spread", "weights"))
        line = Line(tuple(held["names"]), mean, spread, weights, float(held["intercept"]))
    except (OSError, ValueError, KeyError, TypeError) as failure:
        raise BrokenChoice(repr(failure)) from failure
    if not mean.shape == spread.shape == weights.shape == (len(line.names),):
        raise BrokenChoice("it has not as many weights as figures")
    return line
