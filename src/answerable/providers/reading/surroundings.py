"""Where a block stands: what the elements above it are called, how much they hold, how often they repeat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml.html import HtmlElement

from answerable.providers.reading.naming import called
from answerable.providers.reading.walker import Raw

FAR = 9.0  # the distance of what is nowhere above
# Kinds of names that sites give to the parts of a page, each with the words that make them up.
NAMES: dict[str, frozenset[str]] = {
    kind: frozenset(words.split())
    for kind, words in {
        "content": "content main article articlebody post entry story body text prose richtext rte wysiwyg copy "
        "markdown",
        "about": "description desc summary intro overview about bio detail details excerpt lead dek subtitle abstract",
        "product": "product pdp sku price pricing spec specs specification specifications feature features variant buy",
        "post": "message thread topic reply answer question comment comments discussion posts postbody "
        "crawler usertext",
        "card": "card cards tile tiles grid item items list listing result results row column col teaser "
        "slide collection",
        "hero": "hero banner masthead jumbotron headline title heading header",
        "section": "section block module container wrapper component region panel",
        "fold": "faq faqs accordion collapse collapsible toggle tab tabs expand expandable dropdown",
        "nav": "nav navigation menu navbar megamenu submenu sidenav toc breadcrumb breadcrumbs topbar drawer",
        "foot": "footer foot copyright legal disclaimer colophon bottom",
        "side": "sidebar aside side rail secondary widget widgets complementary",
        "related": "related recommend recommended recommendations recommendation similar more popular trending "
        "latest recent upsell cross also next prev previous suggested carousel slider swiper recirc",
        "promo": "promo promotion promotional ad ads advert advertisement sponsor sponsored cta newsletter "
        "subscribe signup offer offers deal announcement",
        "social": "social share sharing follow facebook twitter",
        "meta": "meta author byline date time tag tags category categories info stats views likes votes vote "
        "user avatar username signature sig profile badge rating ratings stars",
        "form": "form search filter filters sort facet facets input login cart account wishlist checkout "
        "button btn buttons actions toolbar pagination pager",
        "review": "review reviews testimonial testimonials quote",
        "notice": "cookie consent gdpr modal popup overlay dialog alert notice toast hidden",
        "image": "image img media gallery caption figure video thumbnail thumb photo",
    }.items()
}
_KINDS = tuple(NAMES)
_KIND_OF = {word: k for k, kind in enumerate(NAMES) for word in NAMES[kind]}
TAGS = ("nav", "header", "footer", "aside", "main", "article", "section", "form", "table", "ul", "li", "figure", "a")
_TAG_AT = {tag: i for i, tag in enumerate((*TAGS, "ol", "dl", "dd"))} | {"ol": TAGS.index("ul")}
_TAG_AT |= {"dl": TAGS.index("ul"), "dd": TAGS.index("li")}
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_FIELDS = {"articlebody": "content", "text": "content", "description": "about", "name": "hero", "author": "meta"}


@dataclass(slots=True, eq=False)
class Place:
    """An element that holds blocks, somewhere below."""

    parent: Place | None
    tag: str
    names: str
    depth: int
    kinds: tuple[int, ...] = ()  # of its own names
    near: list[float] = field(default_factory=list)  # for each kind of name, how far up it is met
    tags: list[float] = field(default_factory=list)  # for each of TAGS, how far up it is met
    chars: int = 0
    links: int = 0  # characters of links
    sentences: int = 0
    blocks: int = 0
    prices: int = 0
    like: int = 1  # siblings of the same tag and names, itself counted, that hold blocks
    like_chars: int = 0  # of all of these
    like_links: int = 0
    nth: int = 0  # which of these

    @property
    def key(self) -> str:
        return f"{self.tag}.{self.names}"


class Places:
    """All elements above a page's blocks; each is met once, so that depth costs nothing."""

    def __init__(self) -> None:
        self._of: dict[HtmlElement, Place] = {}
        self._order: list[Place] = []  # those above before those below
        self._kinds: dict[str, tuple[int, ...]] = {}
        self.root = Place(None, "html", "", 0, (), [FAR] * len(_KINDS), [FAR] * len(TAGS))

    def of(self, element: HtmlElement | None) -> Place:
        if element is None:
            return self.root
        chain = []
        while element is not None and element not in self._of:
            chain.append(element)
            element = element.getparent()
        place = self.root if element is None else self._of[element]
        for below in reversed(chain):
            place = self._below(place, below)
            self._of[below] = place
            self._order.append(place)
        return place

    def _below(self, above: Place, element: HtmlElement) -> Place:
        names = called(element).strip()[:300]
        kinds = self._kinds_of(names, element)
        place = Place(above, element.tag, names, above.depth + 1, kinds)
        place.near = [d + 1 if d < FAR else FAR for d in above.near]
        for kind in kinds:
            place.near[kind] = 0.0
        at = _TAG_AT.get(element.tag)
        place.tags = [d + 1 if d < FAR else FAR for d in above.tags]
        if at is not None:
            place.tags[at] = 0.0
        return place

    def _kinds_of(self, names: str, element: HtmlElement) -> tuple[int, ...]:
        said = element.get("itemprop") or element.get("role") or element.get("data-testid") or ""
        asked = f"{names} {said[:100]}"
        kinds = self._kinds.get(asked)
        if kinds is None:
            words = {word.lower() for word in _NAME_WORD.findall(asked)}
            kinds = tuple(sorted({_KIND_OF[word] for word in words if word in _KIND_OF}))
            self._kinds[asked] = kinds
        return kinds

    def count(self, blocks: Sequence[Raw], sentences: Sequence[int], prices: Sequence[int]) -> list[Place]:
        """Adds up what each place holds; the places of the blocks, in their order."""
        own = [self.of(block.inside) for block in blocks]
        for block, place, said, priced in zip(blocks, own, sentences, prices, strict=True):
            place.chars += len(block.text)
            place.links += block.link_chars
            place.sentences += said
            place.prices += priced
            place.blocks += 1
        for place in reversed(self._order):
            above = place.parent
            if above is not None:
                above.chars += place.chars
                above.links += place.links
                above.sentences += place.sentences
                above.prices += place.prices
                above.blocks += place.blocks
        self._liken()
        return own

    def _liken(self) -> None:
        """Tells cards, rows and posts from parts that stand alone: siblings that look alike."""
        groups: dict[tuple[int, str], list[Place]] = {}
        for place in self._order:
            groups.setdefault((id(place.parent), place.key), []).append(place)
        for group in groups.values():
            chars, links = sum(p.chars for p in group), sum(p.links for p in group)
            for nth, place in enumerate(group):
                place.like, place.nth, place.like_chars, place.like_links = len(group), nth, chars, links


def above(place: Place, levels: int) -> Place:
    for _ in range(levels):
        if place.parent is None:
            break
        place = place.parent
    return place
