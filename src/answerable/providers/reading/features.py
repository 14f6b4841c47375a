"""What can be counted of a block and of where it stands: the figures from which its chance to be main text is told."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from answerable.providers.reading.sayings import SAYINGS, says
from answerable.providers.reading.surroundings import FAR, NAMES, TAGS, Place, Places, above
from answerable.providers.reading.vocabulary import Signs, name_signs, word_signs
from answerable.providers.reading.walker import Raw

Matrix = NDArray[np.float32]

_WORD = re.compile(r"\w+")
_CAPITAL, _DIGIT = re.compile("[A-ZÀ-ÖØ-ÞА-Я]"), re.compile("[0-9]")
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_IDEOGRAPHS_A_WORD = 1.7
_COMMA = re.compile("[,，、،]")
_STOP = re.compile(r"[.!?。！？…।؟۔](?=\s|[\"'”’」』)\]]|$)|[。！？]")
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:[€£¥₹]|USD|EUR|GBP)")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b"
    r"|\b(?:[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Jj]u[nl]|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec)[a-z]*\b"
    r"|\b(?:ago|yesterday|today|Yesterday|Today)\b"
)
_KINDS = ("heading", "paragraph", "list_item", "table", "code", "quote", "caption")
_KIND_FLAGS = {kind: tuple(float(kind == other) for other in _KINDS) for kind in _KINDS}
_GROUP_STATS = ("chars", "share", "linked", "sentences", "each", "blocks", "prices")
_LEVELS = (0, 1, 2, 4)
_NEIGHBOUR = ("chars", "linked", "stops", "heading", "zone", "listed", "says_related", "says_more")
_STEPS = (-2, -1, 1, 2)

_OWN = (
    "chars", "words", "word_chars", "stops", "commas", "linked", "capitals", "digits", "ends_stop", "ends_colon",
    "starts_small", "lines", "price", "date", *SAYINGS, *_KINDS, "listed", "level", "zone", "comment", "titled",
    "title_share", "seen", "times", "again_share", "described", "short_words",
)  # fmt: skip
_TITLED, _TITLE_SHARE = _OWN.index("titled"), _OWN.index("title_share")
_WHERE = (
    "at", "at_chars", "from_top", "from_bottom", "depth", "before_h1", "from_h1", "before_title", "from_title",
    "from_heading", "heading_level", "heading_related", "heading_forum", "heading_review", "heading_zone",
    "under_related", "under_review", "alike", "alike_each", "alike_linked", "alike_share", "repeat_far",
    "repeat_count", "repeat_each", "repeat_linked", "repeat_nth", "trunk_30", "trunk_50", "trunk_70", "trunk_far",
    "after_trunk",
)  # fmt: skip
_PAGE = (
    "page_chars", "page_linked", "page_blocks", "page_prose", "page_listed", "page_headings", "page_prices",
    "page_dates", "page_zone", "page_tables", "page_code", "page_comments", "page_forum", "page_main",
    "page_articles", "page_long", "page_repeats", "url_depth", "url_slug", "url_digits", "url_query",
    "about_article", "about_product", "about_list", "about_forum", "about_org",
)  # fmt: skip
_ABOUT = {
    "about_article": {"article", "newsarticle", "blogposting", "techarticle", "recipe", "report", "scholarlyarticle"},
    "about_product": {"product", "offer", "productgroup", "vehicle", "softwareapplication", "book"},
    "about_list": {"itemlist", "collectionpage", "searchresultspage", "offercatalog", "blog"},
    "about_forum": {"discussionforumposting", "qapage", "question", "answer", "comment"},
    "about_org": {"organization", "localbusiness", "service", "professionalservice", "corporation", "faqpage"},
}
FEATURES: tuple[str, ...] = (
    *_OWN,
    *_WHERE,
    *(f"near_{kind}" for kind in NAMES),
    *(f"in_{tag}" for tag in TAGS),
    *(f"held{level}_{name}" for level in _LEVELS for name in _GROUP_STATS),
    *(f"{name}{step:+d}" for step in _STEPS for name in _NEIGHBOUR),
    *_PAGE,
)
_AT = {name: i for i, name in enumerate(FEATURES)}


@dataclass(frozen=True, slots=True)
class About:
    """What the page says of itself, as far as it tells what kind of page it is."""

    url: str = ""
    title: str = ""
    types: frozenset[str] = frozenset()  # of its structured data, in lower case
    og_type: str = ""
    forum: bool = False
    described: str = ""  # what its head and its structured data say that it holds


@dataclass(frozen=True, slots=True)
class Counted:
    """The blocks' figures, a row each, and the places they stand in."""

    matrix: Matrix
    places: list[Place]
    words: NDArray[np.float32]
    sections: list[int]  # the index of the heading above each block, -1 where there is none
    alike: list[int]  # the same number for blocks in elements of the same tags and names
    names: list[Signs]  # what the elements above are called
    said: list[Signs]


def count(blocks: Sequence[Raw], about: About) -> Counted:
    texts = [block.text for block in blocks]
    words = [_WORD.findall(text.lower()) for text in texts]
    stops = [len(_STOP.findall(text)) for text in texts]
    prices = [len(_PRICE.findall(text)) for text in texts]
    places = Places()
    own = places.count(blocks, stops, prices)
    sizes = [_size(text) for text in texts]
    said = _own(blocks, words, sizes, stops, prices, about)
    where, sections, alike = _where(blocks, own, said, places.root)
    total = float(max(1, places.root.chars))
    names = [[*place.near, *place.tags] for place in own]
    held = _held(own, total)
    left = np.concatenate([np.array(part, np.float32) for part in (said, where, names, held)], axis=1)
    around = _neighbours(left)
    page = np.array(_page(blocks, left, places.root, about, own), np.float32)
    matrix = np.concatenate([left, around, np.repeat(page[None, :], len(blocks), axis=0)], axis=1)
    signs = name_signs(blocks), word_signs(blocks, words, sections)
    return Counted(matrix, own, np.array(sizes, np.float32), sections, alike, *signs)


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return set(zip(words, words[1:], words[2:], words[3:], strict=False))


def _size(text: str) -> int:
    """Words, told by the spaces between them or, where a script has none, by its characters."""
    words = len(text.split())
    return words if text.isascii() else max(words, int(len(_IDEOGRAPH.findall(text)) / _IDEOGRAPHS_A_WORD))


def _own(
    blocks: Sequence[Raw],
    words: list[list[str]],
    sizes: list[int],
    stops: list[int],
    prices: list[int],
    about: About,
) -> list[list[float]]:
    title = set(_WORD.findall(about.title.lower()))
    times = Counter(block.text for block in blocks)
    said_before = _runs(_WORD.findall(about.described.lower()))
    seen: Counter[str] = Counter()
    grams: set[tuple[str, ...]] = set()
    rows = []
    for block, told, size, said, priced in zip(blocks, words, sizes, stops, prices, strict=True):
        text = block.text
        n, w = len(text), max(1, size)
        own = _runs(told)
        again = len(own & grams) / len(own) if own else 0.0
        described = len(own & said_before) / len(own) if own else 0.0
        grams |= own
        head = text if n <= 300 else text[:300]
        last = text[-1]
        shared = sum(word in title for word in told) if title else 0
        row = [
            math.log1p(n), math.log1p(size), n / w, said / w, len(_COMMA.findall(text)) / w, block.linked,
            len(_CAPITAL.findall(head)) / len(head), len(_DIGIT.findall(head)) / len(head),
            float(last in ".!?。！？…।؟۔"), float(last in ":："), float(text[0].islower()),
            math.log1p(text.count("\n")), float(min(3, priced)), float(bool(_DATE.search(head))),
            *says(told), *_KIND_FLAGS[block.kind],
            float(block.kind == "list_item"), float(block.level), float(block.zone), float(block.comment),
            shared / max(1, len(told)), shared / max(1, len(title)), float(min(5, seen[text])),
            float(min(9, times[text])), again, described,
            sum(len(word) <= 3 for word in head.split()) / max(1, len(head.split())),
        ]  # fmt: skip
        seen[text] += 1
        rows.append(row)
    return rows


def _where(
    blocks: Sequence[Raw], own: list[Place], said: list[list[float]], root: Place
) -> tuple[list[list[float]], list[int], list[int]]:
    n, total = len(blocks), float(max(1, root.chars))
    first = next((i for i, b in enumerate(blocks) if b.kind == "heading" and b.level == 1), -1)
    title = next((i for i, row in enumerate(said) if row[_TITLE_SHARE] >= 0.8 and row[_TITLED] >= 0.4), -1)
    alike: dict[tuple[str, ...], list[float]] = {}
    keys = []
    for block, place in zip(blocks, own, strict=True):
        key = (block.kind, place.key, above(place, 1).key, above(place, 2).key)
        keys.append(key)
        sums = alike.setdefault(key, [0.0, 0.0, 0.0])
        sums[0] += 1
        sums[1] += len(block.text)
        sums[2] += block.link_chars
    trunks = [_trunk(own, share) for share in (0.3, 0.5, 0.7)]
    in_trunk = [_below_of(own, trunk) for trunk in trunks]
    last_of_trunk = max((i for i, inside in enumerate(in_trunk[1]) if inside >= 0), default=n)
    rows, sections = [], []
    heading, chars = -1, 0
    path: list[int] = []  # of headings above
    related, forum, review = (_OWN.index(f"says_{name}") for name in ("related", "forum", "review"))
    for i, (block, place) in enumerate(zip(blocks, own, strict=True)):
        group = alike[keys[i]]
        over = said[heading] if heading >= 0 else None
        repeat, far = _repeated(place)
        rows.append(
            [
                i / n, chars / total, math.log1p(i), math.log1p(n - i), float(min(60, place.depth)),
                float(i < first), float(min(99, i - first)) if first >= 0 else -1.0,
                float(i < title), float(min(99, i - title)) if title >= 0 else -1.0,
                float(min(50, i - heading)) if heading >= 0 else 99.0,
                float(blocks[heading].level) if heading >= 0 else 0.0,
                over[related] if over else 0.0, over[forum] if over else 0.0, over[review] if over else 0.0,
                float(heading >= 0 and blocks[heading].zone),
                float(any(said[h][related] for h in path)), float(any(said[h][review] for h in path)),
                math.log1p(group[0]), math.log1p(group[1] / group[0]), group[2] / max(1.0, group[1]), group[1] / total,
                far, math.log1p(repeat.like), math.log1p(repeat.like_chars / max(1, repeat.like)),
                repeat.like_links / max(1, repeat.like_chars), math.log1p(repeat.nth),
                float(in_trunk[0][i] >= 0), float(in_trunk[1][i] >= 0), float(in_trunk[2][i] >= 0),
                float(in_trunk[1][i]), float(i > last_of_trunk),
            ]
        )  # fmt: skip
        sections.append(heading)
        if block.kind == "heading":
            heading = i
            path = [h for h in path if blocks[h].level < block.level] + [i]
        chars += len(block.text)
    numbers = {key: number for number, key in enumerate(alike)}
    return rows, sections, [numbers[key] for key in keys]


def _repeated(place: Place) -> tuple[Place, float]:
    """The nearest place above that stands among three or more of its like, and how far up it is."""
    at: Place | None = place
    for far in range(8):
        if at is None:
            break
        if at.like >= 3:
            return at, float(far)
        at = at.parent
    return place, FAR


def _trunk(own: list[Place], share: float) -> Place | None:
    """The innermost place that holds this share of the page's sentences."""
    root = own[0] if own else None
    while root is not None and root.parent is not None:
        root = root.parent
    if root is None or not root.sentences:
        return None
    best, seen = root, set()
    for place in own:
        at: Place | None = place
        while at is not None and id(at) not in seen:
            seen.add(id(at))
            if at.depth > best.depth and at.sentences >= share * root.sentences:
                best = at
            at = at.parent
    return best


def _below_of(own: list[Place], trunk: Place | None) -> list[float]:
    """How far each place is below the trunk, at most 20; -1 for those outside it."""
    known: dict[int, float] = {}
    found = []
    for place in own:
        chain = []
        at: Place | None = place
        while at is not None and id(at) not in known and at is not trunk:
            chain.append(at)
            at = at.parent
        if at is None:
            far = -1.0
        elif at is trunk:
            far = 0.0
        else:
            far = known[id(at)]
        for step in reversed(chain):
            far = min(20.0, far + 1) if far >= 0 else -1.0
            known[id(step)] = far
        found.append(far)
    return found


def _held(own: list[Place], total: float) -> list[list[float]]:
    known: dict[int, list[float]] = {}

    def stats(place: Place) -> list[float]:
        held = known.get(id(place))
        if held is None:
            n = max(1, place.blocks)
            held = known[id(place)] = [
                math.log1p(place.chars), place.chars / total, place.links / max(1, place.chars),
                math.log1p(place.sentences), math.log1p(place.chars / n), math.log1p(n), math.log1p(place.prices),
            ]  # fmt: skip
        return held

    return [[value for level in _LEVELS for value in stats(above(place, level))] for place in own]


def _neighbours(left: Matrix) -> Matrix:
    columns = left[:, [_AT[name] for name in _NEIGHBOUR]]
    parts = []
    for step in _STEPS:
        moved = np.full_like(columns, -1.0)
        if abs(step) < len(columns):
            if step > 0:
                moved[:-step] = columns[step:]
            else:
                moved[-step:] = columns[:step]
        parts.append(moved)
    return np.concatenate(parts, axis=1)


def _page(blocks: Sequence[Raw], left: Matrix, root: Place, about: About, own: list[Place]) -> list[float]:
    n, total = len(blocks), float(max(1, root.chars))
    sizes = np.array([len(b.text) for b in blocks], np.float32)
    stops = left[:, _AT["stops"]] > 0
    plain = left[:, _AT["linked"]] < 0.3
    parts = urlsplit(about.url)
    path = [step for step in parts.path.split("/") if step]
    slug = path[-1] if path else ""
    articles = {id(p) for p in own if p.tags[TAGS.index("article")] == 0}

    def share(of: NDArray[np.bool_]) -> float:
        return float(sizes[of].sum()) / total

    listed, zone, table, code, comment = (
        share(left[:, _AT[name]] > 0) for name in ("listed", "zone", "table", "code", "comment")
    )
    return [
        math.log1p(total), root.links / total, math.log1p(n), share(stops & plain), listed,
        float((left[:, _AT["heading"]] > 0).mean()), math.log1p(root.prices), float((left[:, _AT["date"]] > 0).mean()),
        zone, table, code, comment, float(about.forum), share(left[:, _AT["in_main"]] < FAR), math.log1p(len(articles)),
        float((sizes > 200).mean()), float((left[:, _AT["repeat_far"]] < FAR).mean()),
        float(len(path)), float(slug.count("-") + slug.count("_")), float(any(map(str.isdigit, slug))),
        float(bool(parts.query)),
        *(float(bool(about.types & types) or (name == f"about_{about.og_type}")) for name, types in _ABOUT.items()),
    ]  # fmt: skip
