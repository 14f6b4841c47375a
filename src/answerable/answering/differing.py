"""Whether two sources give different answers to one question: a fitted line over what tells such a pair.

Two likely sentences of different pages with different values are mostly not a quarrel: one is of another thing, another
year, a part. What the rules of sides.py know of that are figures here; how much each counts was fitted on whole webs
(training/fit_sides.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from answerable.answering.candidates import Candidate, figures_of
from answerable.answering.choosing import chance_of_answer, choose, fitted
from answerable.answering.enough import Signs
from answerable.answering.rivals import independent
from answerable.answering.sides import (
    AGO,
    ON_TOPIC,
    agrees,
    answers,
    astray,
    cannot_both,
    known,
    of_its_time,
    on_subject,
    quarrels,
)
from answerable.answering.values import apart, dates_apart, figures_in, values_of
from answerable.answering.weighing import PERSONAL, Wanted, spoken, turns_of, wanted_of
from answerable.types import Evidence, Page, Plan

Ranked = Sequence[tuple[Candidate, float]]

NEXT = 9  # sentences behind the lead that are looked at
DIFFERING = 0.25  # chance from which both are shown
AS_RULED = 0.04  # the same where the rules see a quarrel, too
_OF_BOTH = (
    "read",
    "held",
    "held_around",
    "row",
    "given",
    "own_page",
    "newness",
    "agreeing",
    "rivals",
    "place",
    "title",
)
_OF_OTHER = (
    *("read_gap", "read_place", "weighed_gap", "weighed_place", "page_read", "page_place", "before_read", "after_read"),
    *("section_read", "held_near", "title_other", "first", "points", "figure", "another", "strange", "as_asked"),
    *("year_behind", "dated", "values", "passage", "beyond", "unnamed", "named", "turned", "contrary", "other_year"),
    *("echo", "lacking", "nobody", "measured", "unmeasured"),
)
_ASKED = (
    "number",
    "date",
    "person",
    "place",
    "why",
    "extreme",
    "new",
    "names",
    "words",
    "measure",
    "yes_no",
    "definition",
)


def differing(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate | None:
    """The sentence of another source that answers otherwise; None where none does. `lead` is the first of `ranked`,
    whose chances beside each other are known."""
    line = fitted("sides")
    told = [(1 / (1 + math.exp(-line.score(figures))), place, figures) for place, figures in pairs(ranked, wanted)]
    differ = [
        (chance, -place)
        for chance, place, figures in told
        if (may_quarrel(figures) and chance >= DIFFERING) or (figures["quarrels"] and chance >= AS_RULED)
    ]
    return ranked[-max(differ)[1]][0] if differ else None


def may_quarrel(figures: Mapping[str, float]) -> bool:
    """What no chance makes up for: values that can both be true, another subject or time, a source that agrees, and of
    a page on much else a sentence that rather does not answer."""
    told = figures["other_passage"] >= ON_TOPIC or figures["other_read"] >= 0
    apart = figures["cannot_both"] and figures["of_its_time"] and not figures["astray"]
    return bool(told and apart and not figures["agrees"])


def ready() -> None:
    """Tries all that was fitted on two sentences. Raises AnswerableError where it is missing, damaged or made for other
    figures."""
    plan = Plan("Is it?", ())
    pages = tuple(Page(name, f"https://{name}.example/", "", f"{name}.example", "It is.") for name in ("one", "two"))
    read = [
        Candidate(n, 0, len(page.text), page.text, frozenset(), frozenset(), 0.5, True, chance=0.5)
        for n, page in enumerate(pages, start=1)
    ]
    wanted = wanted_of(plan.standalone_question, plan, Evidence(pages), read)
    choice = choose([(c, 0.0) for c in read], wanted)
    chance_of_answer(choice, Signs(0.0, 0.0, 0, 0.0))
    differing(choice.ranked[0][0], choice.ranked, wanted)


def pairs(ranked: Ranked, wanted: Wanted) -> list[tuple[int, dict[str, float]]]:
    """Place and figures of each that may answer otherwise than the first."""
    lead, shares = ranked[0][0], [c.likely or 0.0 for c, _ in ranked]
    others = [(k, c) for k, (c, _) in enumerate(ranked[: NEXT + 1]) if k and not _elsewhere(c, wanted)]
    near = [k for k, c in others if independent(c, lead, wanted)]
    return [(k, _beside(k, ranked, shares) | _of_pair(ranked[k][0], lead, ranked, wanted)) for k in near]


def _elsewhere(c: Candidate, wanted: Wanted) -> bool:
    """Whether it is somebody's own story, or turns to a replica, a plan, what was before."""
    return bool(PERSONAL.search(c.text) or turns_of(AGO.sub("", c.text), wanted.question))


def _beside(k: int, ranked: Ranked, shares: Sequence[float]) -> dict[str, float]:
    """What each is by itself, and how likely both are beside the rest."""
    c, lead = ranked[k][0], ranked[0][0]
    rest = [j for j in range(len(ranked)) if j not in (0, k)]
    return {
        **{f"other_{name}": c.figures[name] for name in (*_OF_BOTH, *_OF_OTHER)},
        **{f"lead_{name}": lead.figures[name] for name in _OF_BOTH},
        **{f"asks_{name}": c.figures[f"asks_{name}"] for name in _ASKED},
        "ratio": math.log((shares[k] + 1e-6) / (shares[0] + 1e-6)),
        "lead_likely": shares[0],
        "both_likely": shares[0] + shares[k],
        "behind": float(k),
        "third": max((shares[j] for j in rest), default=0.0),
        "third_there": max((shares[j] for j in rest if ranked[j][0].number in (c.number, lead.number)), default=0.0),
        "both_rows": float(c.is_row and lead.is_row),
        "words": float(min(60, len(c.words))),
    }


def _of_pair(c: Candidate, lead: Candidate, ranked: Ranked, wanted: Wanted) -> dict[str, float]:
    """How their values, words and dates stand to each other, and what the rules make of it."""
    ones, others = values_of(lead, wanted), values_of(c, wanted)
    times = apart(figures_in(lead, wanted), figures_in(c, wanted))
    asked = wanted.weights.keys()
    own, leads = c.words - asked, lead.words - asked
    above = wanted.stems(lead.above)
    return {
        "share": float(bool(ones & others)),
        "no_values": float(not ones or not others),
        "apart": float(times is not None),
        "times": min(3.0, math.log(max(times, 1e-3))) if times else 0.0,
        "close": float(times is not None and times < 1.35),
        "dates_apart": float(dates_apart(c, lead)),
        "cannot_both": float(cannot_both(c, lead, wanted)),
        "on_subject": float(on_subject(c, lead, wanted)),
        "astray": float(astray(c, lead, wanted)),
        "answers": float(answers(c, lead, wanted)),
        "of_its_time": float(of_its_time(c, lead, wanted)),
        "quarrels": float(quarrels(c, lead, ranked, wanted)),
        "known": float(known(c, lead, wanted)),
        "agrees": float(any(agrees(other, c, lead, wanted) for other, _ in ranked if other.number == c.number)),
        "overlap": len(own & leads) / (min(len(own), len(leads)) or 1),
        "asked_overlap": len(c.words & lead.words & asked) / (len(lead.words & asked) or 1),
        "same_title": len(wanted.stems(c.above) & above) / (len(above) or 1),
        **_numbers(c, lead, wanted),
        **_dates(c, lead, wanted),
    }


def _numbers(c: Candidate, lead: Candidate, wanted: Wanted) -> dict[str, float]:
    one, other = (
        {figure for figure in figures_of(spoken(each)) if figure not in wanted.figures and len(figure) > 1}
        for each in (lead, c)
    )
    return {
        "lead_there": float(_stands(one, wanted.pages[c.number - 1].text)),
        "other_there": float(_stands(other, wanted.pages[lead.number - 1].text)),
        "numbers_shared": float(bool(one & other)),
        "numbers": float(min(5, len(other))),
        "lead_numbers": float(min(5, len(one))),
    }


def _stands(figures: set[str], text: str) -> bool:
    plain = text.replace(",", "")
    return any(re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d)", plain) for figure in figures)


def _dates(c: Candidate, lead: Candidate, wanted: Wanted) -> Mapping[str, float]:
    one, other = wanted.dates[lead.number - 1], wanted.dates[c.number - 1]
    days = (other - one).days if one and other else 0
    return {
        "newer": math.copysign(math.log1p(abs(days)), days),
        "gap": math.log1p(abs(days)),
        "undated": float(one is None) + float(other is None),
        "overtaken": float(wanted.overtaken(c.number, lead.number)),
        "overtakes": float(wanted.overtaken(lead.number, c.number)),
    }
