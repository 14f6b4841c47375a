"""A line of an answer under way: its words without markers, where markers stood, and how much may be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from answerable.text.analysis import UNSPACED
from answerable.text.lines import LineKind
from answerable.text.markers import Item
from answerable.text.sentences import CLOSERS, STOPS

FINAL = STOPS + ":;：；"
HELD = FINAL + CLOSERS
AFTER_GAP = STOPS + ",;:%)]}»”’，、；：）】」』،؛"  # takes no space before it
UNSPACED_CHAR = re.compile(rf"[{UNSPACED}\u3000-\u303f\uff00-\uffef]")
FORGED = re.compile(r"\[[\s\d,;^#–-]*\d\s*$")  # "[1[7]]" without its inner marker would read as a marker itself
MASK = "¤"  # stands for a character of code or of a formula, where no sentence ends


@dataclass(slots=True)
class Unit:
    kind: LineKind
    prefix: str
    context: str
    indent: int = 0
    clean: str = ""
    masked: str = ""
    marks: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    start: int = 0  # of the sentence under way, in `clean`
    scan: int = 0  # stops before it are decided
    hold: int | None = None  # a stop that is not decided yet
    shown: int = 0
    opened: bool = False
    answer_start: int = -1  # of the sentence under way, in the answer
    last: str = ""  # the sentence before it
    gap: str | None = None  # white space before a marker, until it is known whether it stays

    def add(self, item: Item, numbers: tuple[int, ...] = ()) -> None:
        """Takes one item in; `numbers`: what it cites."""
        if item.kind == "marker":
            bare = self.clean.rstrip()
            self.gap = self.clean[len(bare) :] or self.gap or ""
            self.clean, self.masked = bare, self.masked[: len(bare)]
        else:
            self.append(item.text if self.clean else item.text.lstrip(), opaque=item.kind == "opaque")
        if numbers:
            self.marks.append((len(self.clean), numbers))

    def append(self, text: str, *, opaque: bool) -> None:
        if text.startswith("]") and not opaque and FORGED.search(self.masked[-40:]):
            text = text[1:]
        if not text:
            return
        if self.gap is not None:
            text_gap = self.filled_gap(text)
            self.clean, self.masked, self.gap = self.clean + text_gap, self.masked + text_gap, None
        self.clean += text
        self.masked += MASK * len(text) if opaque else text

    def filled_gap(self, text: str) -> str:
        """The white space that stays where a marker was taken out before `text`."""
        first = text[0]
        if not self.clean or first.isspace() or first in AFTER_GAP or UNSPACED_CHAR.match(first):
            return ""
        if first in "*_" and len(re.findall(re.escape(first) + "+", self.clean[self.start :])) % 2 == 1:
            return ""  # closes the emphasis that was open before the marker
        if self.gap:
            return self.gap
        return " " if first.isalnum() and (self.clean[-1].isalnum() or self.clean[-1] in FINAL) else ""

    def marked(self) -> list[int]:
        return [offset for offset, _ in self.marks]

    def cited(self, end: int) -> list[int]:
        """The source numbers of markers up to `end`, each once, in the writer's order."""
        return list(dict.fromkeys(k for offset, numbers in self.marks if offset <= end for k in numbers))

    def safe_end(self) -> int:
        """How much may be shown: nothing that stands after a place where this sentence may end."""
        end = len(self.masked)
        while end > self.shown and (self.masked[end - 1] in HELD or self.masked[end - 1].isspace()):
            end -= 1
        while end < len(self.masked) and self.masked[end] in CLOSERS:
            end += 1
        return max(self.shown, min(end, len(self.masked) if self.hold is None else self.hold))

    def stop_before(self, end: int) -> int:
        """Where the markers of the sentence that ends at `end` go: before its final stop, or at its end."""
        position = end
        while position > self.start and self.masked[position - 1] in CLOSERS:
            position -= 1
        stop = self.run_before(position)
        return end if stop == position else max(stop, self.shown)

    def run_before(self, position: int) -> int:
        """Where the run of final punctuation that reaches up to `position` begins."""
        while position > self.start and self.masked[position - 1] in FINAL:
            position -= 1
        return position

    def rest(self) -> str:
        return self.clean[self.start :].strip()

    def ended(self, end: int, text: str) -> None:
        self.marks = [mark for mark in self.marks if mark[0] > end]
        self.start = self.scan = self.shown = end
        self.hold, self.answer_start, self.last = None, -1, text
