"""Sentence boundaries in any script, by rules that look no further ahead than the next few words.

A decision at a stop depends on the sentence so far and on a bounded window after it (`window`), so text that arrives
in pieces is split exactly as the whole text is: as long as the window is not full, the answer is "not yet".
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from answerable.text.abbreviations import (
    GERMAN_ORDINAL_CONTEXT,
    HALF_DAYS,
    LETTERED,
    MAY_END,
    MONTHS,
    NEVER_END,
    NUMBER_FOLLOWS,
    SPEECH_VERBS,
    STARTERS,
    TITLES,
    UNITS_TOO,
)

ALWAYS = "。！？｡।॥؟۔።፧෴๏។၊။‼⁇⁈⁉"  # stops that need no space after them
STOPS = ".!?…" + ALWAYS + "։"
CLOSERS = "\"'”’»›)]）］】」』〉》*_~"
OPENERS = "\"'“‘«‹„‚([（［【「『〈《*_~¿¡"
CLUSTER = re.compile(rf"[{re.escape(STOPS)}](?:[{re.escape(STOPS + CLOSERS)}])*")
OPENING = re.compile(rf"[\s{re.escape(OPENERS)}—–-]*")
TOKEN = re.compile(r"\S+")
UNSPOKEN = re.compile(r"[b-df-hj-np-tv-xz]{2,4}")  # "fl. 12", "kr. 40": no word, so short for one
LAST_WORD = re.compile(r"(?:(?<![^\W_])[^\W\d_]\.\s?)*[^\W_]+(?:[-'’][^\W_]+)*[°º]?$")
SPACED_DOTS = re.compile(r"(?:\.\s)+$")
WINDOW = 32  # characters after a stop that one decision may look at
TAG_WINDOW = 80  # the same after a closing quote, where a speaker may follow
NEAR = 400  # characters before a stop that one decision may look at, so that a long text costs no more than its length
LONGEST_QUOTE = 300  # an unclosed quotation mark stops mattering after this many characters
GLUED = re.compile(r"[^\W\d_][a-zß-ÿ]+(?:[\s,;:]|$)")
LIST_START = re.compile(r"(?:[-*+•‣◦|>#]|\d{1,3}[.)]\s)")
LABEL = r"(?P<label{0}>\d{{1,3}}|[a-z])(?P<stop{0}>\.\)|[.)])\s+(?=\S)"
ENUMERATOR = re.compile(rf"\s*(?:(?P<bullet>[•⁃‣◦])\s*(?:{LABEL.format(1)})?|{LABEL.format(2)})")
FIRST_LABELS = {"1", "a"}
MOST_ITEMS = 100
GLUED_BEFORE = re.compile(r"^[\u2e80-\ud7ff\uf900-\ufaff]+(?=[A-Za-z])")  # text without spaces before "Dr."
OPENING_WORDS = 4  # of "At 5 a.m. Mr. Smith went…": too few for a sentence of their own
JAPANESE_CONTINUES = ("と", "って", "という", "など", "の", "が", "を", "に", "は", "も", "で")
LONG_LINE = 40


@dataclass(frozen=True, slots=True)
class Boundary:
    """A sentence ends before `end`; `stop` is where its final punctuation begins. `end` None: not decided yet."""

    stop: int
    end: int | None


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of a text, without the white space around them; line ends count where they mean one."""
    spans: list[tuple[int, int]] = []
    for line_start, line_end in (item for line in logical_lines(text) for item in listed_items(text, *line)):
        line, start = text[line_start:line_end], 0
        scan = mark.end() if (mark := ENUMERATOR.match(line)) else 0
        while boundary := next_boundary(line, start, max(start, scan), complete=True):
            assert boundary.end is not None
            spans.append((line_start + start, line_start + boundary.end))
            start = boundary.end
        spans.append((line_start + start, line_end))
    return [span for begin, end in spans if (span := trimmed(text, begin, end))]


def listed_items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A line, cut where it lists one item after the other: "1. One 2. Two", "a) one b) two", "• one • two"."""
    line = text[start:end]
    mark = ENUMERATOR.match(line)
    if mark is None:
        return [(start, end)]
    bullet, label, stop = mark["bullet"], mark["label2"] or "", mark["stop2"] or ""
    cuts, at = [0], mark.end()
    if not bullet and label not in FIRST_LABELS:
        return [(start, end)]  # "3. Oktober 1990", "2001) …"
    while True:
        label = next_label(label)
        wanted = re.escape(bullet) if bullet else re.escape(label + stop) + r"\s"
        found = re.compile(rf"(?<=\s){wanted}").search(line, at)
        if found is None or len(cuts) == MOST_ITEMS:
            break
        cuts.append(found.start())
        at = found.end()
    return [(start + one, start + two) for one, two in zip(cuts, [*cuts[1:], end - start], strict=True)]


def next_label(label: str) -> str:
    return str(int(label) + 1) if label.isdigit() else chr(ord(label) + 1) if label else ""


def trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end = start + len(piece.strip())
    return (start, end) if start < end else None


def logical_lines(text: str) -> list[tuple[int, int]]:
    """Lines, where a line that plainly runs on into the next one is joined with it."""
    spans: list[tuple[int, int]] = []
    start = position = 0
    for line in text.splitlines(keepends=True):
        position += len(line)
        if position < len(text) and runs_on(line, text[position : position + 40]):
            continue
        spans.append((start, position))
        start = position
    return spans


def runs_on(line: str, following: str) -> bool:
    bare = line.rstrip("\r\n")
    if not bare.strip() or not following[:1].strip() or not following[0].islower() or LIST_START.match(bare.lstrip()):
        return False
    return bare[-1] in " ,-–" or len(bare) >= LONG_LINE


def next_boundary(text: str, start: int, scan: int, *, complete: bool, marked: Collection[int] = ()) -> Boundary | None:
    """The first boundary of the sentence that begins at `start`, looking from `scan` on; None: no stop ends it so far.

    `complete`: nothing follows the text. `marked`: offsets where a citation marker was taken out, which speaks for an
    end there.
    """
    position = scan
    while cluster := CLUSTER.search(text, position):
        decision = decide(text, start, cluster, complete=complete, marked=marked)
        if decision is not False:
            return Boundary(cluster.start(), None if decision is None else cluster.end())
        position = cluster.end()
    return None


def decide(text: str, start: int, cluster: re.Match[str], *, complete: bool, marked: Collection[int]) -> bool | None:
    """Whether the sentence ends with this cluster of stops and closing marks; None: more text must be seen."""
    end, stops = cluster.end(), cluster[0]
    after_quote = stops[-1] in "\"'”’»›」』" and len(stops) > 1
    following = window(text, end, words=4 if after_quote else 1, size=TAG_WINDOW if after_quote else WINDOW)
    if following is None:
        if not complete:
            return None
        following = text[end : end + TAG_WINDOW]
    if not following.strip():
        return complete or None
    if stops[0] in ALWAYS:
        return not (after_quote and following.startswith(JAPANESE_CONTINUES)) and following[0] not in "、，,"
    if inside_quote(text[start:end], stops):
        return False
    word = following.lstrip()
    start = max(start, cluster.start() - NEAR)
    if stops[0] == "." and (dots := spaced_ellipsis(text[start : cluster.start()], word)) is not None:
        return dots
    spaced = following[0].isspace()
    if any(cluster.start() <= mark <= end for mark in marked) and not bare(word)[:1].islower():
        return True
    if not spaced and not starts_glued(text, start, cluster, following):
        return False
    return ends_here(text[start : cluster.start()], stops, word, after_quote=after_quote)


def window(text: str, end: int, *, words: int, size: int) -> str | None:
    """What one decision may look at: `words` words and the character after them, or `size` characters."""
    position = end
    for _ in range(words):
        token = TOKEN.search(text, position, end + size)
        if token is None:
            break
        position = token.end()
    else:
        if position < len(text):
            return text[end : min(position, end + size)]
    return text[end : end + size] if len(text) >= end + size else None


def inside_quote(sentence: str, stops: str) -> bool:
    """Whether an open quotation goes on after this stop."""
    if len(sentence) > LONGEST_QUOTE:
        return False
    for opening, closing in (("“", "”"), ("«", "»"), ("「", "」"), ("『", "』"), ("（", "）")):
        opened = sentence.rfind(opening)
        if opened >= 0 and closing not in sentence[opened:] and not (opening == "“" and "„" in sentence):
            return True
    if "„" in sentence and not re.search("[“”]", sentence[sentence.rfind("„") :]):
        return True
    marks = re.sub(r'(?<=\d)"', "", sentence) if sentence.count('"') % 2 else sentence  # 5" is a measure
    return marks.count('"') % 2 == 1


def spaced_ellipsis(left: str, word: str) -> bool | None:
    """Stops of ". . ." end nothing, the fourth of ". . . ." does; None: no such row."""
    if word[0] == "." or left.endswith(("[", "(")):
        return False
    row = SPACED_DOTS.search(left)
    return None if row is None else row[0].count(".") >= 3


def starts_glued(text: str, start: int, cluster: re.Match[str], following: str) -> bool:
    """Whether a new sentence follows without a space: "…tall.The Louvre", but not "example.com" or "3.5"."""
    if following[0] > "\u2e7f":
        return cluster[0] != "." or not text[cluster.start() - 1 : cluster.start()].isdigit()
    if cluster[0] != "." and len(cluster[0]) > 1 and cluster[0][-1] in '"”)»':
        return True
    left = re.search(r"(?:^|\s)[\"“(*]*([a-zß-ÿ]{3,}|[\w.,]*\d%?)[)\"”%]*$", text[start : cluster.start()])
    return bool(left and following[0].isupper() and GLUED.match(following))


def bare(word: str) -> str:
    match = OPENING.match(word)
    return word[match.end() :] if match else word


def ends_here(left: str, stops: str, word: str, *, after_quote: bool) -> bool:
    """The rules for stops that are used for other things too; `word` begins the text after the white space."""
    core = bare(word)
    first = core[:1]
    if after_quote and is_speaker_tag(core):
        return False
    if first.islower() and not re.match(r"[a-z]{1,2}[A-Z]", core):  # iPhone, eBay
        return False
    if first and not first.isalnum() and first in ",;:%/=&":
        return False
    if stops[0] != ".":
        return True
    if stops.startswith(".."):
        return not first.islower()
    return not is_abbreviation(left, core)


def is_speaker_tag(core: str) -> bool:
    words = re.findall(r"[^\W\d_](?:[\w'’-]|\.(?=\w))*", core)[:4]
    for position, word in enumerate(words[:3]):
        if word.lower() in SPEECH_VERBS:
            return position > 0 or word.islower()
        if not word[0].isupper():
            return False
    return False


def is_abbreviation(left: str, core: str) -> bool:
    """Whether the full stop after `left` belongs to an abbreviation, an initial or an ordinal, with `core` after it."""
    last = LAST_WORD.search(left)
    if last is None:
        return False
    raw = GLUED_BEFORE.sub("", last[0].strip())
    word = re.sub(r"\s", "", raw).lower()
    follower = re.match(r"[^\W_]+", core)
    follows = follower[0] if follower else ""
    starts_new = follows.lower() in STARTERS
    if raw.isdigit():
        return is_ordinal(left[: last.start()], raw, follows)
    if word in HALF_DAYS and follows.lower() in TITLES:
        return len(left.split()) <= OPENING_WORDS
    if word in NEVER_END:
        return raw[0].isupper() or word not in UNITS_TOO
    if word in NUMBER_FOLLOWS:
        return follows[:1].isdigit() or (word in NEVER_END)
    if word in MAY_END:
        return not starts_new and (follows[:1].isdigit() or word not in {"etc", "usw", "al", "u.s.w"})
    if "\u0621" <= word <= "\u064a" and len(word) == 1:  # a title of one letter, as in Arabic for a doctor
        return bool(follows)
    if len(word) == 1 and raw.isalpha() and raw.isupper():
        before = left[: last.start()]
        named = not before or before[-1] in ' \t\n.("“-' and "".join(before.lower().split()[-1:]) not in LETTERED
        return named and not starts_new and bool(follows)
    if "." in word and len(word.replace(".", "")) <= 5:
        return not starts_new
    return bool(UNSPOKEN.fullmatch(raw)) and follows[:1].isdigit()


def is_ordinal(before: str, number: str, follows: str) -> bool:
    if not before.strip(" \t*_#>-("):
        return len(number) <= 3  # "1. The first": an enumerator
    previous = before.split()[-1].lower().strip(",;(") if before.split() else ""
    if len(number) > 2:
        return False
    return follows.lower() in MONTHS or (previous in GERMAN_ORDINAL_CONTEXT and follows[:1].isupper())
