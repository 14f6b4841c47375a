"""The sentences, list items and table rows of the evidence that an extractive answer may quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from answerable.text.analysis import content_words, stem
from answerable.text.instructions import instructs
from answerable.text.kin import kin_of
from answerable.text.passages import paragraphs_of
from answerable.text.rows import REFERENCE, header_of, row_cells, row_spans
from answerable.text.sentences import split_sentences
from answerable.types import Block, Evidence, Page, Passage

_BULLET = re.compile(r"^\s*(?:[-*•‣▪◦·–]|\d{1,2}[.)])\s+")
_MARKUP = re.compile(r"[\\*`<~]|(?<!\w)_")  # one that only ends a word ("is_") opens nothing
_LABELLED = re.compile(r"[^\W\d_][^:\n]{2,60}:[^\n]*\d")  # "Saturday: 8 to 13"
_AMOUNT = re.compile(
    r"(?:\W{0,2}\d[\d.,/½¼¾–-]*\s?[^\W\d_]{1,12}\.? [^\W\d_]{3,}|\d[\d.,/½¼¾–-]* [^\W\d_]{3,})"
)  # "150 ml cream"
_DATED = re.compile(
    r"(?<!\d)\d{1,2}\.? [^\W\d_]{3,9}\.? (?:1[6-9]|20)\d\d(?!\d)"
    r"|(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?=\W*$|\s*[(,:–—“\x22-])"
)
_NO_STATEMENT = re.compile(  # what pages say about themselves, their authors and their readers
    r"(?:how|why|what) (?!\w+ is\b)(?!.*\b(?:is|are|was|were)\b)|(?:updated|posted|published|last reviewed|page last)\b"
    r"|(?:photo|image|picture|figure|fig\.|credit|caption|source|tags?|filed under|see also|related|share)\b.{0,20}:"
    r"|(?:click|subscribe|sign up|sign in|log in|read more|follow us|share this|book now|learn more|contact us)\b"
    r"|(?:the )?(?:newest|latest|oldest|most recent)\b[^\d]{0,40}\b(?:first|last|at the top|at the bottom|on top)\W*$"
    r"|.*(?:\b\d+ ?min(?:utes?)?\.? read\b|[★☆]{2,}|all rights reserved|©|we use cookies|cookie policy)"
    r"|by (?:\w+[ .]+){1,4}(?:on |, |· |\| )?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*[^.]*$",
    re.I,
)
_ANNOUNCES = re.compile(  # what a page will tell: "Pluto and Eris, who found them, how big they are and why they count"
    r"^(?:(?:how|why|what|where|when|who)"
    r"|(?-i:[A-ZÀ-Þ])[\w’'-]*(?:(?:,|,? and)? (?-i:[A-ZÀ-Þ])[\w’'-]*)*, (?:how|why|what|where|who))"
    r" [^.;:]*?(?:,|,? and) (?:how|why|what|where|whether) [^.;:]*\.?$",
    re.IGNORECASE,
)
_FINAL = (".", "!", "?", "…", "。", "！", "？", "।", "؟", "।", "۔")
_QUOTES = "\"'”’»)）」』"
_WORD = re.compile(r"[^\W\d_]+")
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_SMALL = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {word: str(n) for n, word in enumerate(_SMALL, start=2)}
_SPELLED = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b", re.IGNORECASE)
_PAST = """won/win built/build wrote/write written/write found/find made/make sold/sell bought/buy led/lead held/hold
    met/meet began/begin begun/begin gave/give given/give took/take taken/take went/go came/come became/become grew/grow
    flew/fly drew/draw drawn/draw fell/fall left/leave paid/pay said/say told/tell ran/run sat/sit lit/light"""
_IRREGULAR = {
    **dict(pair.split("/") for pair in _PAST.split()),
    **_NUMBERS,
    "men": "man",
    "women": "woman",
    "children": "child",
    "feet": "foot",
    "litre": "liter",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something quotable: `page.text[start:end]` without bullets and a page's own reference marks is `text`.

    `words` are the stems of the text (for a row, of its table's header too), `around` those of its title, headings
    and the sentence before. `prior` is what the ranking thought of its passage.
    """

    number: int  # of the source, from 1
    start: int
    end: int
    text: str
    words: frozenset[str]
    around: frozenset[str]
    prior: float
    first: bool  # opens its block
    cells: tuple[str, ...] = ()  # of a table row
    header: tuple[str, ...] = ()
    before: str = ""  # the sentence before it in its block
    above: str = ""  # title of the page and headings
    caption: str = ""  # what stands over the table of a row
    place: int = 0  # in its passage, from 0
    near: frozenset[str] = frozenset()  # stems of all its passage
    chance: float | None = None  # that it answers, by a model that read it with the question
    likely: float | None = None  # the same, by all that is known of it beside the others
    figures: Mapping[str, float] = field(default_factory=dict, compare=False)  # what that rests on

    @property
    def is_row(self) -> bool:
        return bool(self.cells)


def candidates_of(evidence: Evidence, language: str) -> list[Candidate]:
    """All of them, those of the best passage first; a span held by two passages comes once."""
    numbers = {page.page_id: number for number, page in enumerate(evidence.pages, start=1)}
    scores = evidence.scores or tuple(1 / (1 + rank) for rank in range(len(evidence.passages)))
    found: dict[tuple[int, int], Candidate] = {}
    for rank, (passage, score) in enumerate(zip(evidence.passages, scores, strict=True)):
        number = numbers[passage.page_id]
        page = evidence.pages[number - 1]
        prior = 0.7 * score + 0.3 / (1 + rank)  # the order of passages knows of newness and of good sources, too
        for candidate in _of_passage(page, passage, number, prior, language):
            found.setdefault((candidate.number, candidate.start), candidate)
    return list(found.values())


def stems_of(text: str, language: str) -> frozenset[str]:
    words = content_words(text, language)
    if language.startswith("en"):
        words = [_IRREGULAR.get(word, word) for word in words]
    return frozenset(stem(word, language) for word in words)


def dated_heading(c: Candidate) -> str:
    """The heading right above it, where that has a day or a version: "6.1.2 (1 June 2026)" of a list of changes."""
    page, _, heading = c.above.rpartition(" > ")
    return heading if page and _DATED.search(heading) else ""


def tells_of(row: Candidate, names: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether a cell of the row is the name and another column, with a figure, what is asked of it; by stems."""
    named = [i for i, cell in enumerate(row.cells) if names and stems_of(cell, "en") == names]
    wanted = kin_of(asked) - names
    return bool(named) and any(
        i not in named and _FIGURE.search(cell) and stems_of(header, "en") & wanted
        for i, (header, cell) in enumerate(zip(row.header, row.cells, strict=False))
    )


def figures_of(text: str) -> frozenset[str]:
    """Its numbers, without commas; small ones also when they are spelled out in English."""
    found = {figure.replace(",", "") for figure in _FIGURE.findall(text)}
    return frozenset(found | {_NUMBERS[word.lower()] for word in _SPELLED.findall(text)})


def shown(text: str) -> str:
    """Page text as a line of Markdown: its words verbatim, without its bullet, reference marks and line breaks."""
    line = REFERENCE.sub("", " ".join(_BULLET.sub("", text).split()))
    return _MARKUP.sub(r"\\\g<0>", line).strip()


def cited(text: str, number: int) -> str:
    """The text with its marker before the final stop, which it is given when it has none."""
    body = text.rstrip()
    if body.endswith(_FINAL):
        return f"{body[:-1].rstrip()} [{number}]{body[-1]}"
    if body and body[-1] in _QUOTES:
        return f"{body} [{number}]."
    return f"{body.rstrip(':;,')} [{number}]" + ("。" if body and "\u3040" <= body[-1] <= "\u9fff" else ".")


def rows_beside(row: Candidate, page: Page) -> list[tuple[str, ...]]:
    """The cells of all rows of its table on its page, itself among them, without the names of columns."""
    for block in page.blocks:
        if block.kind == "table" and block.start <= row.start < block.end:
            spans = row_spans(page.text, block.start, block.end)
            rows = [row_cells(page.text[start:end]) for start, end in spans]
            return [cells for cells in rows if not set(cells) <= {*row.header, ""}]
    return []


def _of_passage(page: Page, passage: Passage, number: int, prior: float, language: str) -> Iterator[Candidate]:
    headline = " > ".join(dict.fromkeys(part for part in (page.title, *passage.headings) if part))
    above = stems_of(headline, language)
    near = stems_of(passage.text, language)
    place = 0
    header: tuple[str, ...] = ()
    caption = ""
    for block in page.blocks or paragraphs_of(page.text):
        if block.kind != "table":
            caption = page.text[block.start : block.end] if block.kind == "caption" else ""
        start, end = max(block.start, passage.start), min(block.end, passage.end)
        if start >= end or block.kind in {"code", "caption"}:
            continue
        if block.kind == "heading" and not _DATED.search(page.text[start:end]):
            continue  # but "6.1.2 (1 June 2026)"
        if block.kind == "table":
            header, until = _header(page.text, block)
            spans = row_spans(page.text, start, end)
            named = stems_of(" ".join(header), language) if len(set(header)) > 1 else frozenset()  # it is the title
            about = above | stems_of(f"{caption} {passage.context}", language)
            for s, e in spans:
                cells = row_cells(page.text[s:e])
                words = named | stems_of(" ".join(cells), language)
                if s >= until and len(cells) > 1:
                    row = Candidate(number, s, e, shown(page.text[s:e]), words, about, prior, False, cells, header)
                    yield replace(row, above=headline, place=place, near=near, caption=caption)
            continue
        for found in _of_prose(page, block, (start, end), number, prior, above, language):
            yield replace(found, above=headline, place=place, near=near)
            place += 1


def _of_prose(
    page: Page, block: Block, span: tuple[int, int], number: int, prior: float, above: frozenset[str], language: str
) -> Iterator[Candidate]:
    before = ""
    plain = REFERENCE.sub(lambda mark: " " * len(mark[0]), page.text[span[0] : span[1]])  # "goose.[12] It" is two
    for s, e in split_sentences(plain):
        start, end = span[0] + s, span[0] + e
        text = shown(page.text[start:end])
        words = stems_of(text, language)
        cut = page.read_as == "snippet" and not text.endswith(_FINAL)  # by the provider
        if not cut and _quotable(text, words, block, start, language.startswith("en")):
            around = above | stems_of(before, language)
            yield Candidate(number, start, end, text, words, around, prior, start == block.start, before=before)
        before = text


def _quotable(text: str, words: frozenset[str], block: Block, start: int, english: bool) -> bool:
    """Whole statements only: no question, label, order to a model, wall of words, nothing cut at its head."""
    listed, dated = block.kind == "list_item", block.kind == "heading"  # of headings only such come here
    labelled = dated or (listed and bool(_LABELLED.match(text) or (english and _AMOUNT.match(text))))
    if (
        (not labelled and sum(not word[0].isdigit() for word in words) < 3 and len(_WORD.findall(text)) < 3)
        or text.endswith(("?", "？", "؟", ":", "："))
        or len(text) > 600
        or instructs(text)
    ):
        return False
    if _NO_STATEMENT.match(text) or _ANNOUNCES.search(text):
        return False
    cut = start != block.start and text[0].islower() and text[0].isascii()
    whole = text.endswith(_FINAL) or text[-1] in _QUOTES
    if not whole and _IDEOGRAPH.search(text) and " " in text:
        return False  # a row of links
    return not cut and (listed or dated or whole or len(words) >= 6)


def _header(text: str, block: Block) -> tuple[tuple[str, ...], int]:
    """The names of the columns and where they end."""
    spans = list(row_spans(text, block.start, block.end))
    names, lines = header_of([text[s:e] for s, e in spans])
    return names, spans[lines - 1][1] if lines else block.start
