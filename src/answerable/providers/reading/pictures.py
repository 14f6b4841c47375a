"""The pictures of a page that say something: captioned or described, large enough, within its text. By address only."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from answerable.providers.reading.naming import remembered
from answerable.providers.reading.walker import Raw, folded, is_zone
from answerable.types import Image

MAX_IMAGES = 30
MIN_SIDE, MIN_AREA = 100, 30_000  # pixels, where the page says the size
_CAPTION_CHARS = 400
_DESCRIBED = 12  # characters of an alt text that says more than a word
_NEAR = 6  # steps up from a picture to what holds its text too
_FURNITURE = re.compile(
    r"(?:^|[\W_])(?:logo|icon|icons|avatar|gravatar|sprite|spacer|pixel|tracking|badge|button|emoji|smiley|flag|rating"
    r"|stars?|placeholder|loading|spinner|banner|advert|ads?|beacon|captcha|profile-?pic|thumb-?nail-?author)(?:[\W_]|$)",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"\S+\.(?:jpe?g|png|gif|webp|svg|avif|bmp)|(?:img|dsc|image|photo|picture)[\W_]*\d*", re.IGNORECASE
)
_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "src",
)  # the first are what a page loads when it is scrolled to
_is_caption = remembered(re.compile(r"(?:^|[\s_-])caption(?:$|[\s_-])", re.IGNORECASE))


def images_of(tree: HtmlElement, chosen: Sequence[Raw], url: str) -> tuple[Image, ...]:
    """In page order. `chosen` are the blocks of the page's text, whose places `Image.block` names."""
    places = {element: place for place, element in enumerate(tree.iter())}
    found: list[tuple[int, int, HtmlElement]] = []  # place in the page, of the block, what holds the block
    for number, raw in enumerate(chosen):
        if raw.inside is not None and raw.inside in places:
            found.append((places[raw.inside], number, raw.inside))
    found.sort(key=lambda one: one[:2])
    starts = [place for place, _, _ in found]
    base = next((element.get("href") for element in tree.iter("base") if element.get("href")), None)
    images: dict[str, Image] = {}
    for element in tree.iter("img"):
        near = bisect_right(starts, places[element])
        for _, number, holder in (*reversed(found[max(0, near - 2) : near]), *found[near : near + 1]):
            if _together(element, holder):
                image = _image(element, _joined(url, base) or url, number)
                if image is not None:
                    images.setdefault(image.url, image)
                break
        if len(images) >= MAX_IMAGES:
            break
    return tuple(images.values())


def _together(element: HtmlElement, holder: HtmlElement) -> bool:
    """Whether a picture stands in the content block of a text, and not in what is around it."""
    above = list(element.iterancestors())
    if any(is_zone(one, above[place + 1 :]) for place, one in enumerate(above)):
        return False
    around = {holder, *holder.iterancestors()}
    return any(one in around and one.tag not in {"html", "body"} for one in above[:_NEAR]) or (
        len(above) <= 3 and holder.getparent() is not None and holder.getparent().tag == "body"
    )


def _image(element: HtmlElement, base: str, block: int) -> Image | None:
    names = " ".join(element.get(name) or "" for name in ("class", "id", "src", "role"))
    if _FURNITURE.search(names) or element.get("aria-hidden") == "true":
        return None
    address = _address(element, base)
    alt, caption = folded(element.get("alt") or ""), _caption(element)
    if _FILE_NAME.fullmatch(alt) or _FURNITURE.fullmatch(alt):
        alt = ""
    width, height = _pixels(element.get("width")), _pixels(element.get("height"))
    known = [side for side in (width, height) if side is not None]
    small = any(side < MIN_SIDE for side in known) or (len(known) == 2 and known[0] * known[1] < MIN_AREA)
    if not address or small or not (caption or len(alt) >= _DESCRIBED):
        return None
    return Image(address, alt[:_CAPTION_CHARS], caption[:_CAPTION_CHARS], width, height, block)


def _caption(element: HtmlElement) -> str:
    for above in list(element.iterancestors())[:5]:
        if above.tag == "figure":
            caption = above.find(".//figcaption")
            return folded(caption.text_content()) if caption is not None else ""
        if above.tag in {"article", "main", "body", "section"}:
            return ""
        for inner in above.iterdescendants("div", "p", "span", "td"):
            if _is_caption(inner.get("class") or ""):
                return folded(inner.text_content()) if len(list(above.iter("img"))) == 1 else ""
    return ""


def _address(element: HtmlElement, base: str) -> str:
    candidates = [element.get(name) for name in _SOURCES]
    candidates.insert(3, _largest(element.get("srcset") or element.get("data-srcset") or ""))
    for candidate in candidates:
        address = _joined(base, candidate.strip()) if candidate and not candidate.startswith("data:") else ""
        if address:
            return address
    return ""


def _joined(base: str, address: str | None) -> str:
    """An address of the web, or "" for anything else."""
    try:
        joined = urljoin(base, address or "")
        parts = urlsplit(joined)
    except ValueError:
        return ""
    return joined if parts.scheme in {"http", "https"} and parts.hostname and len(joined) <= 2_000 else ""


def _largest(srcset: str) -> str:
    best, most = "", 0.0
    for candidate in re.split(r",\s+", srcset):
        address, _, size = candidate.strip().partition(" ")
        match = re.fullmatch(r"(\d+(?:\.\d+)?)[wx]", size.strip())
        if address and (not best or (match is not None and float(match[1]) > most)):
            best, most = address, float(match[1]) if match else 0.0
    return best


def _pixels(value: str | None) -> int | None:
    match = re.fullmatch(r"\s*(\d{1,5})(?:\.\d+)?\s*(?:px)?\s*", value or "")
    return int(match[1]) if match else None
