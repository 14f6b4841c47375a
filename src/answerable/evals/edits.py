"""Small changes that make a true claim false, and whether a support checker sees them.

Seeded edits of ten kinds over sentences of real answers, each with the passage that bears out the unedited sentence. A
checker flips an edit when its verdict is no longer `supported`; the unedited sentences are the controls.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from answerable.protocols import SupportChecker
from answerable.text.languages import detect
from answerable.text.miniweb import load_questions
from answerable.text.passages import split_passages
from answerable.text.sentences import split_sentences
from answerable.types import Page, Passage, Turn
from answerable.wiring import COLLECTION, Engine

PER_KIND = 40
MARKERS = re.compile(r"\s*\[\d+\]")
NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\d:-])|(?<![\w.,:/-])\d+(?:\.\d+)?(?![\w:/-]|[.,]\d)")
YEAR = re.compile(r"\b(1[0-9]\d\d|20\d\d)\b")
_MONTHS = "January February March April May June July August September October November December"
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
MONTHS, DAYS = _MONTHS.split(), _DAYS.split()
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-zé]{2,}(?: [A-Z][a-zé]{2,})?")
UNITS = """metres/feet feet/metres kilometres/miles miles/kilometres kilograms/pounds kg/g km/m days/weeks hours/minutes
    minutes/hours years/months months/years weeks/days tonnes/kilograms seconds/minutes degrees/percent litres/gallons
    euros/dollars grams/kilograms million/billion billion/million thousand/million"""
TURNED = """rose/fell increased/decreased grew/shrank higher/lower highest/lowest larger/smaller largest/smallest
    longer/shorter longest/shortest before/after above/below first/last north/south east/west more/fewer opened/closed
    up/down fastest/slowest deepest/shallowest tallest/shortest oldest/youngest early/late won/lost faster/slower
    northern/southern eastern/western upper/lower hotter/colder began/ended left/entered
    strongly/weakly inside/outside"""
QUANTIFIERS = """all/some some/all most/all many/all every/almost no|most/few several/no both/neither of the|each/no
    half/all nearly/exactly about/exactly almost/entirely usually/always often/always sometimes/always
    never/sometimes"""
SCOPES = (
    ", and the same is true in every country",
    " everywhere in the world",
    " at all times of the year",
    ", as do all others of its kind",
    " throughout recorded history",
    ", without any exception",
)
SPEAKERS = (
    "According to a study of Harvard University, ",
    "According to the mayor of Lisbon, ",
    "NASA reported that ",
    "As the historian Margaret Oldfield wrote, ",
    "The World Bank found that ",
    "Critics at the time complained that ",
)
VERB = re.compile(r"\b(?:is|are|was|were|has|have|can|could|will|must|should|does|did)\b(?! not)")
KINDS = (
    "number",
    "name",
    "unit",
    "date",
    "negation",
    "direction",
    "quantifier",
    "attribution",
    "scope",
    "merged",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence of an answer, and the passage that holds its quote."""

    claim: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Edit:
    kind: str
    claim: str
    original: str
    passage: Passage


def edits_of(pairs: Sequence[Pair], *, seed: int = 1, per_kind: int = PER_KIND) -> list[Edit]:
    """Up to `per_kind` edits of each kind; the same ones for the same pairs and seed."""
    found: list[Edit] = []
    for kind in KINDS:
        chance = random.Random(f"{seed}:{kind}")
        order = list(pairs)
        chance.shuffle(order)
        made: list[Edit] = []
        for pair in order:
            edited = edited_as(kind, pair, pairs, chance)
            if edited and edited != pair.claim and edited not in pair.passage.text:
                made.append(Edit(kind, edited, pair.claim, pair.passage))
            if len(made) == per_kind:
                break
        found += made
    return found


def edited_as(kind: str, pair: Pair, pairs: Sequence[Pair], chance: random.Random) -> str:
    """The claim with one edit of that kind; "" where it cannot be made."""
    if kind == "number":
        return other_number(pair, chance)
    if detect(pair.claim) != "en" or len(pair.claim.split()) < 5 or " – " in pair.claim:
        return ""  # the other kinds are edits of English sentences
    simple: dict[str, Callable[[str], str]] = {
        "unit": lambda claim: swapped(claim, UNITS, chance, after_number=True),
        "date": lambda claim: other_date(claim, chance),
        "negation": lambda claim: negated(claim, chance),
        "direction": lambda claim: swapped(claim, TURNED, chance),
        "quantifier": lambda claim: swapped(claim, QUANTIFIERS, chance) or made_only(claim),
        "attribution": lambda claim: chance.choice(SPEAKERS) + lowered(claim),
        "scope": lambda claim: stopped(claim)[0] + chance.choice(SCOPES) + stopped(claim)[1],
    }
    if kind in simple:
        return simple[kind](pair.claim)
    return other_name(pair, pairs, chance) if kind == "name" else merged(pair, pairs, chance)


def other_number(pair: Pair, chance: random.Random) -> str:
    places = [m for m in NUMBER.finditer(pair.claim) if not YEAR.fullmatch(m[0])]
    if not places:
        return ""
    place = chance.choice(places)
    for _ in range(20):
        at = chance.choice([k for k, c in enumerate(place[0]) if c.isdigit()])
        digit = chance.choice([d for d in "123456789" if d != place[0][at]])
        number = place[0][:at] + digit + place[0][at + 1 :]
        if not re.search(rf"(?<!\d){re.escape(number)}(?!\d)", f"{pair.passage.text} {pair.passage.context}"):
            return pair.claim[: place.start()] + number + pair.claim[place.end() :]
    return ""


def other_date(claim: str, chance: random.Random) -> str:
    years, names = list(YEAR.finditer(claim)), [w for w in (*MONTHS, *DAYS) if re.search(rf"\b{w}\b", claim)]
    if names and (not years or chance.random() < 0.5):
        word = chance.choice(names)
        others = MONTHS if word in MONTHS else DAYS
        return claim.replace(word, chance.choice([w for w in others if w != word]), 1)
    if not years:
        return ""
    year = chance.choice(years)
    moved = int(year[0]) + chance.choice([-31, -10, -3, -1, 1, 2, 5, 11, 40])
    return f"{claim[: year.start()]}{moved}{claim[year.end() :]}" if str(moved) not in claim else ""


def other_name(pair: Pair, pairs: Sequence[Pair], chance: random.Random) -> str:
    names = [m for m in NAME.finditer(pair.claim) if m[0] not in (*MONTHS, *DAYS)]
    pool: list[str] = sorted({n for other in pairs for n in NAME.findall(other.claim) if n not in (*MONTHS, *DAYS)})
    pool = [n for n in pool if not any(word in pair.passage.text for word in n.split())]
    if not names or not pool:
        return ""
    name: re.Match[str] = chance.choice(names)
    like = [n for n in pool if len(n.split()) == len(name[0].split())] or pool
    return f"{pair.claim[: name.start()]}{chance.choice(like)}{pair.claim[name.end() :]}"


def swapped(claim: str, table: str, chance: random.Random, *, after_number: bool = False) -> str:
    """One word of the table replaced by what stands against it."""
    swaps: list[list[str]] = [
        entry.split("/") for entry in re.findall(r"[\w ]+/[\w]+(?: no\b| of the\b)?", table.replace("\n", " "))
    ]
    before = r"(?<=\d )" if after_number else r"(?<![\w-])"
    places = [(m, to) for word, to in swaps for m in re.finditer(rf"{before}{re.escape(word.strip())}(?![\w-])", claim)]
    if not places:
        return ""
    place, to = chance.choice(places)
    return f"{claim[: place.start()]}{to.strip()}{claim[place.end() :]}"


def made_only(claim: str) -> str:
    return re.sub(r"\b(is|was|are|were) (a|an|one of the|the) ", r"\1 the only ", claim, count=1)


def negated(claim: str, chance: random.Random) -> str:
    if found := re.search(r"\b(?:not|never) ", claim):
        return claim[: found.start()] + claim[found.end() :]
    verbs = list(VERB.finditer(claim))
    if not verbs:
        return ""
    verb = verbs[0] if len(verbs) == 1 or chance.random() < 0.7 else chance.choice(verbs)
    return claim[: verb.end()] + chance.choice([" not", " never", " not"]) + claim[verb.end() :]


def lowered(claim: str) -> str:
    first = claim.split(" ", 1)[0]
    return claim[0].lower() + claim[1:] if first in {"The", "It", "This", "At", "In", "A", "Its", "When"} else claim


def stopped(claim: str) -> tuple[str, str]:
    return (claim[:-1], claim[-1]) if claim[-1:] in ".!" else (claim, "")


def merged(pair: Pair, pairs: Sequence[Pair], chance: random.Random) -> str:
    """The claim with what another sentence says of another thing: half from the same passage, half from elsewhere."""
    if chance.random() < 0.5:
        texts = [pair.passage.text[s:e] for s, e in split_sentences(pair.passage.text)]
    else:
        texts = [p.claim for p in pairs if p.passage.page_id != pair.passage.page_id and detect(p.claim) == "en"]
    opening = pair.claim.split()[:3]
    found = []
    for text in texts:
        parts = re.match(
            r"((?:The |An? )?(?:[\w’'-]+ ){1,4}?)((?:is|are|was|were|has|have|had|can) .{12,110}?)[.;,]?$", text
        )
        if parts and parts[1].split()[:1] not in ([w] for w in ("It", "This", "He", "She", "They", "There", "These")):
            named = [w for w in parts[1].split() if w[0].isupper() and w != "The"] or parts[1].split()[-1:]
            if not any(w in pair.claim for w in named) and text not in pair.claim and opening != text.split()[:3]:
                found.append(parts[2].rstrip(".,; "))
    body, stop = stopped(pair.claim)
    return f"{body} and {chance.choice(sorted(found))}{stop}" if found else ""


async def measure_edits(pairs: Sequence[Pair], checker: SupportChecker, *, seed: int = 1) -> dict[str, Any]:
    """Flip rate by kind (share of edits that are no longer supported), false flips, and what was missed."""
    seen: Counter[str] = Counter()
    flipped: Counter[str] = Counter()
    missed: list[dict[str, str]] = []
    for edit in edits_of(pairs, seed=seed):
        support = await checker.check(edit.claim, [edit.passage])
        seen[edit.kind] += 1
        flipped[edit.kind] += support.verdict != "supported"
        if support.verdict == "supported":
            missed.append({"kind": edit.kind, "claim": edit.claim, "original": edit.original})
    refused = []
    for pair in pairs:
        support = await checker.check(pair.claim, [pair.passage])
        if support.verdict != "supported":
            refused.append({"claim": pair.claim, "verdict": support.verdict, "reason": support.reason})
    return {
        "n": seen.total(),
        "flip_rate": round(flipped.total() / max(1, seen.total()), 4),
        "controls": len(pairs),
        "false_flips": round(len(refused) / max(1, len(pairs)), 4),
        "by_kind": {k: {"n": seen[k], "flip_rate": round(flipped[k] / seen[k], 4)} for k in KINDS if seen[k]},
        "missed": missed,
        "refused": refused,
    }


async def pairs_of_collection() -> list[Pair]:
    """The cited sentences of extractive answers to the questions of the built-in collection."""
    pairs: dict[tuple[str, str], Pair] = {}
    with tempfile.TemporaryDirectory(prefix="answerable-edits-") as data:
        settings = {"data_dir": data, "search": ["own"], "model": "", "writer": "extractive", "collection": True}
        async with Engine.from_settings(settings) as engine:
            await engine.warm_up()
            for question in load_questions(COLLECTION):
                if not question.history:
                    turn = await engine.ask(question.at(engine.clock()).question, focus="own")
                    pages = {c.page_id: await engine.page(c.page_id) for c in turn.citations}
                    for pair in pairs_of(turn, pages.values()):
                        pairs.setdefault((pair.claim, pair.passage.page_id), pair)
    return list(pairs.values())


def pairs_of(turn: Turn, pages: Iterable[Page]) -> Iterable[Pair]:
    """Each sentence that one page bears out, with the passage of that page which holds the quote."""
    by_id = {page.page_id: page for page in pages}
    for sentence in turn.sentences:
        cited = [c for c in turn.citations if c.sentence == sentence.index]
        if sentence.verdict == "supported" and len(cited) == 1:
            passages = split_passages(by_id[cited[0].page_id])
            held = [p for p in passages if p.start <= cited[0].start < p.end]
            if held:
                yield Pair(MARKERS.sub("", sentence.text).strip(), held[0])


def floors_broken(report: dict[str, Any]) -> list[str]:
    """What fell below (false flips: rose above) the pinned floors of floors.json."""
    pinned = json.loads(resources.files("answerable.evals").joinpath("floors.json").read_text("utf-8"))["edits"]
    broken = []
    if report["flip_rate"] < pinned["flip_rate"]:
        broken.append(f"edits: flip_rate is {report['flip_rate']}, pinned at {pinned['flip_rate']}")
    if report["false_flips"] > pinned["at_most_false_flips"]:
        broken.append(f"edits: false_flips is {report['false_flips']}, pinned at {pinned['at_most_false_flips']}")
    for kind in KINDS:
        rate = report["by_kind"].get(kind, {"flip_rate": None})["flip_rate"]
        if rate is None or rate < pinned["flip_rate_of_each_kind"]:
            broken.append(f"edits: flip_rate of {kind} is {rate}, pinned at {pinned['flip_rate_of_each_kind']}")
    if report["n"] < pinned["n"]:
        broken.append(f"edits: {report['n']} edits were made, pinned at {pinned['n']}")
    return broken


def table_of(report: dict[str, Any]) -> list[str]:
    rows = [f"| {kind} | {found['n']} | {found['flip_rate']:.2f} |" for kind, found in report["by_kind"].items()]
    return [
        "| edit | n | flip rate |",
        "|---|---|---|",
        f"| all | {report['n']} | {report['flip_rate']:.2f} |",
        *rows,
        "",
        f"false flips: {report['false_flips']:.3f} of {report['controls']} unedited claims",
    ]
