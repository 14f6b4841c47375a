"""Pages cut into quotable passages: by their blocks, never through a sentence, with exact spans."""

from __future__ import annotations

import hashlib
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from answerable.text.analysis import fold, identifiers, index_term, index_tokens, tokens_of_folded
from answerable.text.sentences import split_sentences
from answerable.text.urls import canonical_url, site_of
from answerable.types import Block, BlockKind, Page, Passage, SearchResult

MAX_WORDS = 220  # about 256 tokens of a small encoder, so that a passage is scored whole
MIN_CHARS = 200  # shorter ones say too little to be ranked; they join a neighbour of their section
LONGEST_SENTENCE = 2 * MAX_WORDS  # a "sentence" beyond this is a wall of words, cut between words
LONGEST_CODE = 6 * MAX_WORDS  # code stays whole up to here, then breaks between lines
LONG_PAGE = 60_000  # characters; up to here a page is cut into passages as one whole
STRETCH = 16_000  # characters of a part of a longer one
SNIPPET_CHARS = 80  # a provider's snippet shorter than this holds no statement worth citing

# Scripts that put no spaces between words: about two characters a word in the first, five in the second.
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_WORD = re.compile(r"\w+")

PassageKind = Literal["prose", "table", "code"]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is never cut: a sentence, a list item, a row, a line of code, a heading."""

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...]
    words: float
    block: int  # which block it came from
    stem: Span | None = None  # of a list item, the line that introduces the list


def page_id_of(url: str, text: str) -> str:
    """The same page with the same text has the same id, however its address is spelt and whenever it is read."""
    return hashlib.sha256(f"{canonical_url(url)}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:20]


def passage_id_of(url: str, text: str, before: int = 0) -> str:
    """The same words of the same page have the same id, wherever they stand on it and whatever else changes there.
    `before`: how often they stand on the page before this place."""
    told = f"{canonical_url(url)}\0{text}\0{before or ''}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def size_in_words(text: str) -> float:
    """Words of a text; in scripts without spaces, what its characters would be in words."""
    ideographs, unspaced = len(_IDEOGRAPHS.findall(text)), len(_UNSPACED.findall(text))
    if not ideographs and not unspaced:
        return float(len(text.split()))
    rest = _UNSPACED.sub(" ", _IDEOGRAPHS.sub(" ", text))
    return len(_WORD.findall(rest)) + ideographs / 2 + unspaced / 5


def split_passages(page: Page) -> tuple[Passage, ...]:
    """All of the page's text, in order. `page.text[p.start:p.end] == p.text` holds for each passage."""
    return tuple(passage for blocks in _stretches(page) for passage in _passages_of(page, blocks))


def _passages_of(page: Page, blocks: Sequence[Block]) -> Iterator[Passage]:
    for section in _sections(page.text, blocks):
        for run in _runs(page.text, section):
            yield from (_passage(page, piece) for piece in _pieces(run))


def _stretches(page: Page) -> Iterator[Sequence[Block]]:
    """The blocks of a page; of a long one, parts of it, parted at headings where it can be.

    Each is cut into passages by itself, so that a book need not be cut whole to find its best part.
    """
    blocks = page.blocks or paragraphs_of(page.text)
    if not blocks or blocks[-1].end - blocks[0].start <= LONG_PAGE:
        yield blocks
        return
    first = 0
    for place in range(1, len(blocks)):
        size = blocks[place].start - blocks[first].start
        heads = blocks[place].kind == "heading" and blocks[place - 1].kind not in {"heading", "caption"}
        loose = blocks[place].kind == blocks[place - 1].kind == "paragraph"
        if (heads and size >= STRETCH // 2) or (loose and size >= STRETCH) or size >= 4 * STRETCH:
            yield blocks[first:place]
            first = place
    yield blocks[first:]


def paragraphs_of(text: str) -> tuple[Block, ...]:
    """Blocks of a text that came without any: its paragraphs, or its lines where no line is blank."""
    gap = r"\n[^\S\n]*\n" if re.search(r"\S[^\S\n]*\n[^\S\n]*\n\s*\S", text) else r"\n"
    found, at = [], 0
    for match in re.finditer(rf"(?:{gap})+|\Z", text):
        start, end = _trim(text, at, match.start())
        if start < end:
            found.append(Block("paragraph", start, end))
        at = match.end()
    return tuple(found)


def given_page(result: SearchResult) -> Page | None:
    """The page of a result whose provider handed over the page or its whole text; None when it did not."""
    if result.page is not None:
        return result.page
    if not result.text or not result.text.strip():
        return None
    return Page(
        page_id=page_id_of(result.url, result.text),
        url=result.url,
        title=result.title,
        site=site_of(result.url),
        text=result.text,
        blocks=paragraphs_of(result.text),
        published=result.published,
    )


def snippet_page(result: SearchResult) -> Page | None:
    """The provider's own words in place of a page that was not read, marked as such; None when they say too little."""
    text = result.snippet.strip()
    if len(text) < SNIPPET_CHARS:
        return None
    return Page(
        page_id=page_id_of(result.url, text),
        url=result.url,
        title=result.title,
        site=site_of(result.url),
        text=text,
        blocks=paragraphs_of(text),
        published=result.published,
        read_as="snippet",
    )


def best_part(
    page: Page,
    question_tokens: Collection[str],
    limit_chars: int,
) -> tuple[Passage, ...]:
    """The passages of a page that share most with the question, up to a size, in page order; all of a short page.

    `question_tokens` come from `index_tokens`.
    """
    stretches = _nearest(page.text, list(_stretches(page)), question_tokens, 4 * limit_chars)
    passages = tuple(passage for blocks in stretches for passage in _passages_of(page, blocks))
    if sum(len(p.text) for p in passages) <= limit_chars:
        return passages
    scores = _overlap(question_tokens, [index_tokens(p.text) for p in passages])
    kept: set[int] = set()
    left = limit_chars
    # Position breaks ties: what stands first on a page is most often what it is about.
    for i in sorted(range(len(passages)), key=lambda i: (-scores[i], i)):
        if len(passages[i].text) <= left or not kept:
            kept.add(i)
            left -= len(passages[i].text)
    return tuple(passages[i] for i in sorted(kept))


def _nearest(
    text: str, stretches: Sequence[Sequence[Block]], question: Collection[str], limit_chars: int
) -> list[Sequence[Block]]:
    """Of a long page, in page order, the parts that share most with the question, judged by their words alone."""
    if len(stretches) <= 1:
        return list(stretches)
    wanted = set(question)
    counts = []
    for blocks in stretches:
        folded = fold(text[blocks[0].start : blocks[-1].end])
        words = Counter([*tokens_of_folded(folded), *identifiers(folded)])
        count: Counter[str] = Counter()
        for word, times in words.items():  # each word is stemmed once, however often it stands there
            if (term := index_term(word, None)) in wanted:
                count[term] += times
        counts.append((count, words.total()))
    scores = _bm25(counts)
    kept: set[int] = set()
    left = limit_chars
    for place in sorted(range(len(stretches)), key=lambda place: (-scores[place], place)):
        size = stretches[place][-1].end - stretches[place][0].start
        if size <= left or not kept:
            kept.add(place)
            left -= size
    return [stretches[place] for place in sorted(kept)]


def _overlap(question: Collection[str], documents: Sequence[Sequence[str]]) -> list[float]:
    """BM25 of each document for the question's tokens, among these documents alone."""
    wanted = set(question)
    return _bm25([(Counter(token for token in document if token in wanted), len(document)) for document in documents])


def _bm25(counts: Sequence[tuple[Counter[str], int]]) -> list[float]:
    """Of each document, given by how often it holds the tokens asked for and by its length in tokens."""
    mean = max(1.0, sum(length for _, length in counts) / max(1, len(counts)))
    held = Counter(token for count, _ in counts for token in count)
    weight = {t: math.log(1 + (len(counts) - n + 0.5) / (n + 0.5)) for t, n in held.items()}
    return [
        sum(weight[t] * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * length / mean)) for t, n in sorted(count.items()))
        for count, length in counts
    ]


def _sections(text: str, blocks: Iterable[Block]) -> Iterator[list[_Atom]]:
    """Atoms from one heading to the next; neighbouring sections that fit into one passage together are one."""
    held: list[_Atom] = []
    for section in _headed(text, blocks):
        fits = sum(atom.words for atom in (*held, *section)) <= MAX_WORDS
        if held and not fits and held[-1].end - held[0].start >= MIN_CHARS:
            yield held
            held = []
        held += section
    if held:
        yield held


def _headed(text: str, blocks: Iterable[Block]) -> Iterator[list[_Atom]]:
    section: list[_Atom] = []
    for atom in _atoms(text, blocks):
        if atom.kind == "heading" and any(held.kind != "heading" for held in section):
            yield section
            section = []
        section.append(atom)
    if section:
        yield section


def _atoms(text: str, blocks: Iterable[Block]) -> Iterator[_Atom]:
    stem: Span | None = None
    previous: BlockKind | None = None
    for number, block in enumerate(blocks):
        spans = list(_spans(text, block))
        if block.kind == "list_item" and previous == "list_item":
            pass  # the stem holds for the whole list
        elif block.kind != "list_item" or previous != "paragraph":
            stem = None
        for start, end in spans:
            words = size_in_words(text[start:end])
            yield _Atom(block.kind, start, end, block.headings, words, number, stem)
        if block.kind == "paragraph" and spans and text[: spans[-1][1]].endswith((":", "：")):
            stem = spans[-1]
        if spans:
            previous = block.kind


def _spans(text: str, block: Block) -> Iterator[Span]:
    """The uncuttable spans of a block; together they hold all of it but the space between them."""
    start, end = _trim(text, block.start, block.end)
    if start >= end:
        return
    words = size_in_words(text[start:end])
    if block.kind == "heading" or (block.kind == "code" and words <= LONGEST_CODE):
        yield start, end
    elif block.kind in {"table", "code"}:
        for line in _lines(text, start, end):
            yield from _bounded(text, *line)
    elif block.kind in {"list_item", "caption"} and words <= MAX_WORDS:
        yield start, end
    else:
        for s, e in split_sentences(text[start:end]):
            yield from _bounded(text, start + s, start + e)


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        s, e = at, stop
        while e > s and text[e - 1].isspace():
            e -= 1
        if text[s:e].strip():
            yield s, e
        at = stop + 1


def _bounded(text: str, start: int, end: int) -> Iterator[Span]:
    """The span itself, or pieces of it where it is a wall of words without end."""
    start, end = _trim(text, start, end)
    while start < end and size_in_words(text[start:end]) > LONGEST_SENTENCE:
        stop = _cut(text, start, end)
        yield _trim(text, start, stop)
        start, end = _trim(text, stop, end)
    if start < end:
        yield start, end


def _cut(text: str, start: int, end: int) -> int:
    """Where to break a wall of words: after `MAX_WORDS` of them, at a space when there is one."""
    low, high = start + 1, end
    while low < high:
        middle = (low + high) // 2
        if size_in_words(text[start:middle]) >= MAX_WORDS:
            high = middle
        else:
            low = middle + 1
    space = max(text.rfind(" ", start + 1, low), text.rfind("\n", start + 1, low))
    return space if space > start + (low - start) // 2 else low


def _runs(text: str, section: Sequence[_Atom]) -> Iterator[list[_Atom]]:
    """A section split where prose gives way to a table or to code of some size, heading and caption kept with it."""
    run: list[_Atom] = []
    for kind, atoms in _by_kind(section):
        large = atoms[-1].end - atoms[0].start >= MIN_CHARS
        lead = _lead(run) if kind != "prose" else 0
        if run and (large or _kind(run) != "prose") and _long(run[: len(run) - lead]):
            yield run[: len(run) - lead]
            run = run[len(run) - lead :]
        run += atoms
    if run:
        yield run


def _by_kind(section: Sequence[_Atom]) -> Iterator[tuple[PassageKind, list[_Atom]]]:
    """Neighbouring atoms of one kind; each table and each piece of code is apart."""
    group: list[_Atom] = []
    for atom in section:
        kind = _kind_of(atom)
        if group and (kind != _kind_of(group[-1]) or (kind != "prose" and atom.block != group[-1].block)):
            yield _kind_of(group[-1]), group
            group = []
        group.append(atom)
    if group:
        yield _kind_of(group[-1]), group


def _lead(run: Sequence[_Atom]) -> int:
    """How many of the last atoms (heading, caption) belong to what follows."""
    lead = 0
    while lead < len(run) and run[-1 - lead].kind in {"heading", "caption"}:
        lead += 1
    return lead


def _long(atoms: Sequence[_Atom]) -> bool:
    return bool(atoms) and atoms[-1].end - atoms[0].start >= MIN_CHARS


def _kind_of(atom: _Atom) -> PassageKind:
    if atom.kind == "table":
        return "table"
    return "code" if atom.kind == "code" else "prose"


def _kind(atoms: Sequence[_Atom]) -> PassageKind:
    """What most of it is."""
    held: Counter[PassageKind] = Counter()
    for atom in atoms:
        held[_kind_of(atom)] += atom.end - atom.start
    return max(("prose", "table", "code"), key=lambda kind: held[kind])


@dataclass(frozen=True, slots=True)
class _Piece:
    atoms: tuple[_Atom, ...]
    context: Span | None = None


def _pieces(run: Sequence[_Atom]) -> Iterator[_Piece]:
    """A run cut into parts of about equal size, none above the limit unless one atom alone is."""
    total = sum(atom.words for atom in run)
    target = total / max(1, math.ceil(total / MAX_WORDS))
    sums = [0.0]
    for atom in run:
        sums.append(sums[-1] + atom.words)
    first = 0
    while first < len(run):
        last = _end_of_piece(run, sums, first, target)
        if last < len(run) and run[-1].end - run[last].start < MIN_CHARS:
            last = len(run)  # a short rest is worth a few words beyond the limit
        yield _Piece(tuple(run[first:last]), _context(run, first))
        first = last


def _end_of_piece(run: Sequence[_Atom], sums: Sequence[float], first: int, target: float) -> int:
    """The atom after the last one of the piece that begins at `first`."""
    fits = max(first + 1, bisect_right(sums, sums[first] + MAX_WORDS + 0.5) - 1)
    last = first + 1
    while last < fits and sums[last] - sums[first] < target:
        last += 1
    while last < len(run) and run[last - 1].end - run[first].start < MIN_CHARS:
        last += 1
    # A heading, a caption or a stem does not end a passage whose next one it introduces.
    back = last
    while back > first + 1 and back < len(run) and _introduces(run[back - 1], run[back]):
        back -= 1
    return back if run[back - 1].end - run[first].start >= MIN_CHARS else last


def _introduces(atom: _Atom, following: _Atom) -> bool:
    return atom.kind in {"heading", "caption"} or following.stem == (atom.start, atom.end)


def _context(run: Sequence[_Atom], first: int) -> Span | None:
    """What the piece from `first` on needs from before it: a table's caption and header row, a list's stem."""
    atom = run[first]
    if atom.stem is not None:
        return atom.stem
    if atom.kind != "table":
        return None
    header = first
    while header > 0 and run[header - 1].block == atom.block:
        header -= 1
    if header == first:
        return None
    start = run[header - 1].start if header > 0 and run[header - 1].kind == "caption" else run[header].start
    return start, run[header].end


def _passage(page: Page, piece: _Piece) -> Passage:
    start, end = piece.atoms[0].start, piece.atoms[-1].end
    body = [atom.headings for atom in piece.atoms if atom.kind != "heading"] or [piece.atoms[0].headings]
    text = page.text[start:end]
    return Passage(
        passage_id=passage_id_of(page.url, text, page.text.count(text, 0, start)),
        page_id=page.page_id,
        start=start,
        end=end,
        text=text,
        headings=_shared(body),
        kind=_kind(piece.atoms),
        context=page.text[slice(*piece.context)] if piece.context else "",
    )


def _shared(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that hold for all of a passage."""
    levels = zip(*paths, strict=False)
    return tuple(level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels))


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
