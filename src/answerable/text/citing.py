"""The citation machine: turns a model's text, piece by piece, into checked text whose numbers are final.

No I/O happens here. `feed` and `close` are generators: they yield `Release` (text to show now), `Check` (a claim to
check; the answer is sent back in as `Found`) and `Ended` (a sentence is complete). One driver awaits a support checker,
another computes a score; both get the same machine. Every decision depends on the text so far and a bounded look
ahead, so any way of cutting the text into pieces gives the same answer.

Words are released as they come. Held back are white space, closing punctuation, and what could still be a marker. At
the end of a sentence its claim is checked, and the markers that survive go before its final stop. A generator that is
closed while it waits for a check leaves the machine as it was before that check.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from dataclasses import dataclass, field

from answerable.text.citing_rows import RowDraft, draft_row
from answerable.text.claims import states_fact
from answerable.text.lines import Line, has_delimiter_row, read_line, whole_line
from answerable.text.markers import Cursor, Item, NeedMore, is_half_marker, marker_run, read_item
from answerable.text.sentences import next_boundary
from answerable.text.units import Unit
from answerable.text.worded import NO_SOURCE, NO_SUCH_SOURCE, NONE_SAYS, coded
from answerable.types import Sentence, Verdict


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources a text may cite: `page_of(k)` is the page of source number k, None when there is no such source."""

    count: int
    page_of: Callable[[int], Hashable | None]
    number_of_address: Callable[[str], int | None] = lambda address: None


@dataclass(frozen=True, slots=True)
class Release:
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """Is `text` supported by these sources? `context` is the stem or header it is read with."""

    text: str
    context: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a check found: `keep` are the source numbers that keep their marker."""

    verdict: Verdict
    reason: str = ""
    keep: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """A sentence with its final place; `cited` pairs each shown number with a source number of the prompt."""

    sentence: Sentence
    cited: tuple[tuple[int, int], ...]


Steps = Generator[Release | Check | Ended, Found | None, None]


@dataclass(slots=True)
class CitingMachine:
    """Feed text, then close. `pages` are those shown so far, in the order of their numbers (from 1)."""

    sources: Sources
    pages: list[Hashable] = field(default_factory=list)
    answer: str = ""
    sentences: int = 0
    _raw: str = ""
    _carry: str = ""
    _at: int = 0
    _complete: bool = False
    _unit: Unit | None = None
    _fence: str = ""
    _newlines: int = 0  # that stand between what was shown and what comes
    _table: list[str] | None = None  # header cells of the table under way; [] when it has none
    _stems: list[tuple[int, str]] = field(default_factory=list)  # (indent, text) of what list items hang on

    def feed(self, text: str) -> Steps:
        text = self._carry + text
        self._carry = "\r" if text.endswith("\r") else ""  # may be half of a line end
        text = text[: len(text) - len(self._carry)]
        self._raw += text.replace("\r\n", "\n").replace("\r", "\n")
        yield from self._run()

    def close(self) -> Steps:
        """Ends the text; half a marker at its end is dropped. More may be fed after it, as a new block."""
        self._raw, self._carry = self._raw + "\n" * bool(self._carry), ""
        self._complete = True
        try:
            yield from self._run()
            if self._fence:
                yield from self._show("\n" * bool(self._newlines) + self._fence)
        finally:
            self._complete = False
        self._raw, self._at, self._unit, self._fence = "", 0, None, ""
        self._table, self._stems = None, []
        self._newlines = 2 if self.answer else 0

    def _run(self) -> Steps:
        try:
            while (yield from self._step()):
                pass
        except NeedMore:
            pass
        if self._unit is not None:
            yield from self._release(self._unit, self._unit.safe_end())

    def _step(self) -> Generator[Release | Check | Ended, Found | None, bool]:
        """One line start or one item of a line; False when the text is used up. `NeedMore` leaves all as it was."""
        if self._fence:
            return (yield from self._fence_line())
        if self._unit is not None:
            return (yield from self._inline(self._unit))
        self._raw, self._at = self._raw[self._at :], 0
        return (yield from self._line_start())

    # Lines

    def _line_start(self) -> Generator[Release | Check | Ended, Found | None, bool]:
        line = read_line(
            self._raw,
            0,
            complete=self._complete,
            sources=self.sources.count,
            in_list=bool(self._stems and self._stems[-1][0] >= 0),
            loose=self._newlines != 1,
        )
        if line.kind == "table":
            return (yield from self._row(line))
        if line.kind == "blank":
            self._newlines = min(2, self._newlines + 1) if self.answer else 0
            self._table, self._at = None, line.end
        elif line.kind == "drop":
            self._at = line.end
        elif line.kind == "fence":
            self._fence = self._raw[:3].strip() or self._raw.lstrip()[:3]
            self._table, self._stems = None, []
            return (yield from self._fence_line(opening=True))
        elif line.kind in {"rule", "code"}:
            yield from self._verbatim(self._raw[: line.end])
            self._table, self._stems = None, []
            self._at = line.end
        elif line.kind != "end":
            self._open_unit(line)
        return line.kind != "end"

    def _open_unit(self, line: Line) -> None:
        kind = line.kind
        opaque = ""
        if kind == "formula":
            kind, opaque = "paragraph", self._formula()
        context = self._context(kind, line.indent)
        indent = " " * line.indent if kind == "item" or self._stems else ""
        prefix = indent + self._raw[: line.end].lstrip() if kind != "paragraph" else indent
        self._table = None
        self._unit = Unit(kind=kind, prefix=prefix, context=context, indent=line.indent)
        self._at = line.end
        if opaque:
            self._unit.add(Item("opaque", 0, opaque))
            self._at = line.end + len(opaque)

    def _formula(self) -> str:
        closing = "$$" if self._raw.lstrip().startswith("$$") else "\\]"
        begin = len(self._raw) - len(self._raw.lstrip(" \t"))
        found, blank = self._raw.find(closing, begin + 2), self._raw.find("\n\n", begin)
        if found >= 0 and (blank < 0 or found < blank):
            return self._raw[begin : found + 2]
        if blank < 0 and not self._complete:
            raise NeedMore
        return self._raw[begin : begin + 2]

    def _context(self, kind: str, indent: int) -> str:
        """What a unit is read with; a line that is no list item ends the lists above it."""
        if kind == "item":
            while self._stems and self._stems[-1][0] >= indent:
                self._stems.pop()
            return " ".join(text.rstrip(" :：") for _, text in self._stems if text)
        if kind != "paragraph" or indent < 2 or not self._stems:
            self._stems = []
        return ""

    def _fence_line(self, *, opening: bool = False) -> Generator[Release | Check | Ended, Found | None, bool]:
        if self._at >= len(self._raw):
            return False
        try:
            line, end = whole_line(Cursor(self._raw, self._at, self._complete), self._at)
        except NeedMore:
            self._fence = "" if opening else self._fence
            raise
        closes = not opening and line.strip().startswith(self._fence) and not line.strip().strip(self._fence[0])
        yield from self._verbatim(line + "\n")
        self._fence = "" if closes else self._fence
        self._raw, self._at = self._raw[end:], 0
        return True

    def _verbatim(self, line: str) -> Steps:
        yield from self._show("\n" * self._newlines + line.rstrip("\n"))
        self._newlines = 1

    # Items of a line

    def _inline(self, unit: Unit) -> Generator[Release | Check | Ended, Found | None, bool]:
        if self._at >= len(self._raw):
            if self._complete:
                yield from self._finish_unit(unit)
            return False
        if self._cut_marker():
            self._at = len(self._raw)
            return True
        item = read_item(self._raw, self._at, complete=self._complete, sources=self.sources.count)
        if item.kind == "end":
            following = self._continues(unit, item.end)
            if following is None:
                yield from self._finish_unit(unit)
                self._newlines, self._at = 1 if unit.opened else self._newlines, item.end
                return True
            item = Item("text", following, "\n")
        unit.add(item, self._numbers_of(item))
        self._at = item.end
        yield from self._sentences(unit, final=False)
        return True

    def _cut_marker(self) -> bool:
        """Whether all that is left is half a marker, at the end of the whole text."""
        rest = self._raw[self._at :]
        return self._complete and len(rest) < 200 and is_half_marker(rest.rstrip("\n"))

    def _continues(self, unit: Unit, at: int) -> int | None:
        """Where the words go on when the next line belongs to this unit; None when it begins a new one."""
        if unit.kind == "heading" or not unit.clean.strip():
            return None
        cursor = Cursor(self._raw, at, self._complete)
        cursor.spaces(most=40)
        begin = cursor.at
        char = cursor.peek()
        if char.islower():
            return begin
        if char and marker_run(cursor, self.sources.count) is not None:  # a line of nothing but markers
            cursor.spaces(most=40)
            return begin if cursor.peek() in ("\n", "") else None
        return None

    def _numbers_of(self, item: Item) -> tuple[int, ...]:
        """What an item cites; the address of a link in running words cites when it is that of a source."""
        if item.kind == "marker":
            return item.numbers
        found = (self.sources.number_of_address(address) for address in item.addresses)
        return tuple(number for number in found if number is not None)

    def _sentences(self, unit: Unit, *, final: bool) -> Steps:
        while True:
            boundary = next_boundary(unit.masked, unit.start, unit.scan, complete=final, marked=unit.marked())
            if boundary is None:
                unit.hold, unit.scan = None, len(unit.masked)
                return
            if boundary.end is None:
                unit.hold, unit.scan = unit.run_before(boundary.stop), boundary.stop
                return
            yield from self._end_sentence(unit, boundary.end)

    def _finish_unit(self, unit: Unit) -> Steps:
        yield from self._sentences(unit, final=True)
        if unit.rest():
            yield from self._end_sentence(unit, len(unit.clean.rstrip()))
        if unit.last.rstrip(" *_").endswith((":", "：")) or unit.kind == "heading":
            self._stems.append((unit.indent if unit.kind == "item" else -1, unit.last.strip(" *_#")))
        elif unit.kind == "item" and not (self._stems and self._stems[-1][0] >= unit.indent):
            self._stems.append((unit.indent, ""))
        self._unit = None

    def _end_sentence(self, unit: Unit, end: int) -> Steps:
        """Checks the sentence that ends here, and shows the markers that survived with its final punctuation."""
        text, stop = unit.clean[unit.start : end].strip(), unit.stop_before(end)
        yield from self._release(unit, stop)
        yield from self._begin(unit)
        unit.answer_start = len(self.answer) if unit.answer_start < 0 else unit.answer_start
        given = unit.cited(end)
        is_claim = unit.kind != "heading" and states_fact(text, context=unit.context, cited=bool(given))
        known = self._known(given)
        found = None
        if known:
            found = yield Check(" ".join(text.split()), unit.context, known)
        verdict, reason = judge(is_claim, given, known, found)
        cited = self._assign([k for k in known if found is not None and k in found.keep])
        yield from self._show("".join(f"[{n}]" for n, _ in cited) + unit.clean[stop:end])
        sentence = self._sentence(unit.answer_start, cited, verdict, reason, given)
        unit.ended(end, text)
        yield Ended(sentence, cited)

    def _sentence(
        self, start: int, cited: tuple[tuple[int, int], ...], verdict: Verdict | None, reason: str, given: list[int]
    ) -> Sentence:
        """The answer from `start` on, as the next sentence of it."""
        numbers, text = tuple(n for n, _ in cited), self.answer[start:]
        place, self.sentences = self.sentences, self.sentences + 1
        unknown = self._unknown(given)
        return Sentence(place, text, start, len(self.answer), numbers, verdict, reason, unknown, *coded(reason))

    def _known(self, given: list[int]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(k for k in given if self.sources.page_of(k) is not None))

    def _unknown(self, given: Iterable[int]) -> int:
        return sum(1 for k in dict.fromkeys(given) if self.sources.page_of(k) is None)

    def _assign(self, kept: list[int]) -> tuple[tuple[int, int], ...]:
        """Shown numbers for sources that keep their marker: one a page, in the order of first use."""
        shown: dict[int, int] = {}
        for k in kept:
            page = self.sources.page_of(k)
            if page not in self.pages:
                self.pages.append(page)
            shown.setdefault(self.pages.index(page) + 1, k)
        return tuple(shown.items())

    def _release(self, unit: Unit, end: int) -> Steps:
        """Shows a unit's words up to `end`; its first words bring the line's mark and the lines before it."""
        piece = unit.clean[unit.shown : end]
        if not piece or (not unit.opened and not piece.strip()):
            return
        yield from self._begin(unit)
        if unit.answer_start < 0:
            unit.answer_start = len(self.answer) + len(piece) - len(piece.lstrip())
        unit.shown = end
        yield from self._show(piece)

    def _begin(self, unit: Unit) -> Steps:
        if not unit.opened:
            unit.opened = True
            yield from self._show("\n" * self._newlines + unit.prefix)
            self._newlines = 0

    def _show(self, text: str) -> Steps:
        if text:
            self.answer += text
            yield Release(text)

    # Table rows

    def _row(self, line: Line) -> Generator[Release | Check | Ended, Found | None, bool]:
        row = self._raw[: line.end].rstrip("\n")
        if self._table is None and has_delimiter_row(self._raw, line.end, self._complete):
            draft = draft_row(row, self.sources.count)
            yield from self._verbatim(draft.text({}))
            self._table, self._at = [cell.strip() for cell in draft.words()], line.end
            return True
        if has_delimiter_row(row, 0, True):
            yield from self._verbatim(row)
            self._at = line.end
            return True
        stem = " ".join(text for _, text in self._stems if text).rstrip(" :：")
        draft = draft_row(row, self.sources.count)
        yield from self._checked_row(draft, self._table or [], stem)
        self._table, self._at = self._table or [], line.end
        return True

    def _checked_row(self, draft: RowDraft, header: list[str], stem: str) -> Steps:
        """A row is one sentence; each cell with markers is checked with its row's label and its column's header."""
        kept: dict[int, list[int]] = {}
        results: list[Found] = []
        given = [k for cell in draft.cells for k in cell.numbers]
        for claim in draft.claims(header, stem):
            known = self._known(list(claim.numbers) if claim.numbers else [k for ks in kept.values() for k in ks])
            if not known:
                continue
            found = yield Check(claim.text, claim.context, known)
            assert found is not None
            results.append(found)
            if claim.numbers:
                kept[claim.cell] = [k for k in known if k in found.keep]
        is_claim = draft.filled() >= 2 and states_fact(" ".join(draft.words()), context="", cited=bool(given))
        verdict, reason = judge(is_claim, given, self._known(given), together(results))
        cited = {cell: self._assign(ks) for cell, ks in kept.items()}
        yield from self._show("\n" * self._newlines)
        start = len(self.answer)
        shown = {cell: "".join(f"[{n}]" for n, _ in pairs) for cell, pairs in cited.items()}
        yield from self._show(draft.text(shown))
        pairs = tuple({n: (n, k) for ps in cited.values() for n, k in ps}.values())
        sentence = self._sentence(start, pairs, verdict, reason, given)
        self._newlines = 1
        yield Ended(sentence, pairs)


def judge(is_claim: bool, given: list[int], known: tuple[int, ...], found: Found | None) -> tuple[Verdict | None, str]:
    """The verdict of a sentence from what its writer cited and what the check found."""
    if not is_claim:
        return None, ""
    if not given:
        return "uncited", NO_SOURCE
    if found is None or not known:
        return "unsupported", NO_SUCH_SOURCE
    if not found.keep:
        return "unsupported", found.reason or NONE_SAYS
    return ("partly" if found.verdict == "partly" else "supported"), found.reason


def together(results: list[Found]) -> Found | None:
    """One finding for the cells of a row: supported when all are."""
    if not results:
        return None
    keep = tuple(k for found in results for k in found.keep)
    short = next((found for found in results if found.verdict != "supported" or not found.keep), None)
    if short is None:
        return Found("supported", results[0].reason if len(results) == 1 else "", keep)
    return Found("partly" if keep else "unsupported", short.reason, keep)
