"""What of a page nobody sees: by attribute, style, size or colour, in its own style and in each element's."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from lxml import etree
from lxml.html import HtmlElement

from answerable.providers.reading.css import Index, Sheet, Style, declarations, merged, names_of
from answerable.providers.reading.naming import remembered

# gone: a script may show it, as it shows whole pages; unseen: nothing shows it; the others: what is in it may undo it.
Hidden = Literal["gone", "unseen", "font-size", "visibility"]
Colour = tuple[float, float, float, float]  # red, green, blue from 0 to 255, opacity from 0 to 1

_WANTED = frozenset(
    """display visibility content-visibility opacity filter font-size font position left right top bottom margin-left
    margin-top text-indent overflow overflow-x overflow-y clip clip-path transform animation height
    max-height width max-width color -webkit-text-fill-color background background-color background-image
    background-clip -webkit-background-clip text-decoration text-decoration-line""".split()  # noqa: SIM905
)
_STREAMED = re.compile(r"S:[0-9a-f]+\Z")  # React sends parts of a page hidden under such ids and puts them in place
_is_for_screen_readers = remembered(
    re.compile(r"(?:^|[\s_-])(?:sr-only|screen-reader-text|visually-?hidden)(?:$|\s)", re.IGNORECASE)
)
# Closed, not hidden: what these names hold is shown by a click, and is often the very answer that is looked for.
_FOLDED = re.compile(
    r"(?:^|[\s_-])(?:faqs?|accordion|collaps(?:e|ed|ible)|answers?|tab-?(?:pane|panel|content)|toggle-?content|expand(?:ed|able)?"
    r"|details|description|read-?more|less|full-?text|panel-?(?:body|content|collapse))(?:$|[\s_-])",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"(-?(?:\d+(?:\.\d*)?|\.\d+))(px|pt|pc|cm|mm|in|r?em|ex|ch|v[wh]|vmin|vmax|%)?")
_IN_PIXELS = {"": 1.0, "px": 1.0, "pt": 1.33, "pc": 16.0, "cm": 38.0, "mm": 3.8, "in": 96.0, "em": 16.0, "rem": 16.0,
              "ex": 8.0, "ch": 8.0, "vw": 13.0, "vh": 8.0, "vmin": 8.0, "vmax": 13.0, "%": 10.0}  # fmt: skip
_FAR, _FAR_PLACED = 1000, 500  # pixels off the screen; nearer ones move things about on it
_TINY = 2.0  # pixels of letters or of a box
_CLEAR = 0.05  # of opacity, below which nothing can be read
_CLOSE = 12  # of 255, in the colour where two differ most
_NAMED: dict[str, str] = {
    "white": "ffffff", "black": "000000", "red": "ff0000", "blue": "0000ff", "yellow": "ffff00", "lime": "00ff00",
    "green": "008000", "gray": "808080", "grey": "808080", "silver": "c0c0c0", "navy": "000080", "maroon": "800000",
    "snow": "fffafa", "ivory": "fffff0", "whitesmoke": "f5f5f5", "ghostwhite": "f8f8ff", "floralwhite": "fffaf0",
    "azure": "f0ffff", "mintcream": "f5fffa", "aliceblue": "f0f8ff", "seashell": "fff5ee", "honeydew": "f0fff0",
    "lightyellow": "ffffe0", "lightgray": "d3d3d3", "lightgrey": "d3d3d3", "darkgray": "a9a9a9",
    "transparent": "00000000",
}  # fmt: skip
_is_old_price = remembered(
    re.compile(
        r"(?:^|[\s_-])(?:(?:old|was|original|previous|former|crossed|struck)[_-]?price|price[_-]{1,2}(?:old|was|original|crossed)"
        r"|line-through|strike-?through|text-strike|price-strike)(?:$|[\s_-])",
        re.IGNORECASE,
    )
)
_PRICE_CHARS, _DIGIT = 60, re.compile(r"\d")
_PALE_FROM = 245  # of 255: near white
_MAYBE_HIDDEN = {"hidden", "d-none", "invisible", "is-hidden", "u-hidden", "hide", "is-invisible", "visually-hidden"}


def _value(style: Style, name: str) -> str:
    return style.get(name, "").removesuffix("!important").strip()


def _pixels(value: str) -> float | None:
    match = _LENGTH.fullmatch(value)
    return float(match[1]) * _IN_PIXELS[match[2] or ""] if match else None


def hidden_by(style: Style) -> Hidden | None:
    """How what has this style is hidden, if it is."""
    if _value(style, "display") == "none" or _value(style, "content-visibility") == "hidden":
        return "gone"
    if _is_clear(style) and not _reveals(style):
        return "gone"
    if _is_off_screen(style) or _is_clipped(style) or _ink_is_ground(style):
        return "unseen"
    if _is_squeezed(style):
        return "gone"
    size = font_size(style)
    if size is not None and size <= _TINY:
        return "font-size"
    return "visibility" if _value(style, "visibility") in {"hidden", "collapse"} else None


def _is_clear(style: Style) -> bool:
    said = [_value(style, "opacity"), *re.findall(r"opacity\(([^)]*)\)", _value(style, "filter"))]
    for value in said:
        match = re.fullmatch(r"(\d*\.?\d+)(%?)", value.strip())
        if match and float(match[1]) / (100 if match[2] else 1) <= _CLEAR:
            return True
    return False


def _reveals(style: Style) -> bool:
    """Transparent and moved aside is how the text of a page waits to slide in when it is scrolled to."""
    return any(_value(style, name) not in {"", "none"} for name in ("transform", "animation"))


def font_size(style: Style) -> float | None:
    """In pixels, of letters whose own size is 16; of what both properties say, the smaller."""
    said = [_value(style, "font-size")]
    if short := re.search(r"(?:^|\s)([\d.]+[a-z%]*)(?:\s*/|\s)", f"{_value(style, 'font')} "):
        said.append(short[1])
    calculated = re.fullmatch(r"calc\(\s*([^\s()]+)\s*\)", said[0])
    said[0] = calculated[1] if calculated else said[0]
    sizes = [size * 0.016 if value.endswith("%") else size for value in said if (size := _pixels(value)) is not None]
    return min(sizes, default=None)


def _is_off_screen(style: Style) -> bool:
    placed = _value(style, "position") in {"absolute", "fixed"}
    for name in ("left", "right", "top", "bottom", "margin-left", "margin-top"):
        value = _value(style, name)
        far = _FAR_PLACED if placed and not name.startswith("margin") else _FAR
        if (moved := _pixels(value)) is not None and moved <= -far and (placed or not value.endswith("%")):
            return True
    value = _value(style, "text-indent")
    indent = _pixels(value) or 0.0
    cut = "hidden" in _value(style, "overflow") or "hidden" in _value(style, "overflow-x")
    return indent <= -_FAR_PLACED or (indent >= 1000 and value.endswith("%") and cut)


def _is_clipped(style: Style) -> bool:
    if match := re.fullmatch(r"rect\(([^()]*)\)", _value(style, "clip")):
        sides = [_pixels(side) for side in re.split(r"[\s,]+", match[1].strip())]
        top, right, bottom, left = sides if len(sides) == 4 else [None] * 4
        if top is not None and bottom is not None and bottom - top <= _TINY:
            return True
        if left is not None and right is not None and right - left <= _TINY:
            return True
    match = re.match(r"(inset|circle|ellipse|polygon)\(([^()]*)\)", _value(style, "clip-path"))
    if match is None:
        return False
    points = re.split(r"[\s,]+", match[2].strip())
    if match[1] == "inset":
        return points[0].endswith("%") and (_pixels(points[0]) or 0) >= 500
    if match[1] == "polygon":
        return len({_pixels(point) for point in points}) == 1
    return _pixels(points[0]) == 0


def _is_squeezed(style: Style) -> bool:
    """To no size, by its box or by what turns and shrinks it."""
    for name, said in re.findall(r"(scale[xy]?|translate[xy]?|rotate[xy])\(([^()]*)\)", _value(style, "transform")):
        numbers = [
            number for part in said.split(",") if (number := _pixels(part.strip().removesuffix("deg"))) is not None
        ]
        if name.startswith("scale") and any(abs(number) <= 0.01 for number in numbers):
            return True
        if name.startswith("translate") and any(abs(number) >= _FAR for number in numbers):
            return True
        if name in {"rotatex", "rotatey"} and any(abs(number) == 90 for number in numbers):
            return True
    cut = {"hidden", "clip"} & set(
        " ".join(_value(style, name) for name in ("overflow", "overflow-x", "overflow-y")).split()
    )
    sizes = (_pixels(_value(style, name)) for name in ("height", "max-height", "width", "max-width"))
    return bool(cut) and any(size is not None and 0 <= size <= 1 for size in sizes)


def colour_of(value: str) -> Colour | None:
    """None for what is no colour, or none that is known here."""
    value = f"#{_NAMED[value]}" if value in _NAMED else value
    if match := re.fullmatch(r"#([0-9a-f]{3,8})", value):
        digits = match[1] if len(match[1]) > 4 else "".join(digit * 2 for digit in match[1])
        if len(digits) not in {6, 8}:
            return None
        channels = [float(int(digits.ljust(8, "f")[at : at + 2], 16)) for at in (0, 2, 4, 6)]
        return channels[0], channels[1], channels[2], channels[3] / 255
    match = re.fullmatch(r"(rgb|hsl)a?\(([^()]*)\)", value)
    parts = re.split(r"[\s,/]+", match[2].strip()) if match else []
    if match is None or len(parts) not in {3, 4}:
        return None
    try:
        numbers = [float(part.removesuffix("deg").removesuffix("%")) for part in parts]
    except ValueError:
        return None
    alpha = (numbers[3] / (100 if parts[3].endswith("%") else 1)) if len(parts) == 4 else 1.0
    if match[1] == "hsl":
        mixed = colorsys.hls_to_rgb(numbers[0] / 360 % 1, numbers[2] / 100, numbers[1] / 100)
        return mixed[0] * 255, mixed[1] * 255, mixed[2] * 255, alpha
    plain = [n * 2.55 if part.endswith("%") else n for n, part in zip(numbers, parts, strict=True)]
    return plain[0], plain[1], plain[2], alpha


def _is_same(ink: Colour, ground: Colour) -> bool:
    return max(abs(one - other) for one, other in zip(ink[:3], ground[:3], strict=True)) <= _CLOSE


def ink_of(style: Style) -> Colour | None:
    return colour_of(_value(style, "-webkit-text-fill-color")) or colour_of(_value(style, "color"))


def ground_of(style: Style) -> Colour | Literal["unknown"] | None:
    """None where nothing is painted; unknown where a picture is, or a colour that is not known here."""
    painted = " ".join(_value(style, name) for name in ("background", "background-color", "background-image"))
    if "url(" in painted or "gradient" in painted:
        return "unknown"
    words = re.findall(r"[a-z-]+\([^()]*\)|\S+", painted)
    colours = [colour for word in words if (colour := colour_of(word)) is not None]
    if colours:
        return None if colours[-1][3] == 0 else colours[-1] if colours[-1][3] > 0.9 else "unknown"
    plain = {"none", "inherit", "initial", "unset", "0", "no-repeat", "repeat", "center", "top", "left"}
    return "unknown" if set(words) - plain else None


def _ink_is_ground(style: Style) -> bool:
    ink, ground = ink_of(style), ground_of(style)
    if ink is None:
        return False
    if ink[3] <= _CLEAR:  # letters that are cut out of a picture have no colour of their own
        clip = _value(style, "background-clip") + _value(style, "-webkit-background-clip")
        return "text" not in clip
    return isinstance(ground, tuple) and _is_same(ink, ground)


def _strikes(style: Style) -> bool:
    return any("line-through" in _value(style, name) for name in ("text-decoration", "text-decoration-line"))


def _is_beside_another_price(element: HtmlElement) -> bool:
    above, own = element.getparent(), element.text_content()
    if above is None or len(own) > _PRICE_CHARS or not _DIGIT.search(own):
        return False
    others = (one for one in above if one is not element and isinstance(one.tag, str))
    return any(len(said := one.text_content()) <= _PRICE_CHARS and _DIGIT.search(said) for one in others)


def _is_suspect(style: Style, whole: bool) -> bool:
    return hidden_by({**style, "overflow": "hidden", "position": "absolute"}) is not None or (
        whole and ink_of(style) is not None
    )


def folds(element: HtmlElement) -> bool:
    """Whether it is named as what opens on a click: answers, tabs, the rest of a description."""
    return bool(
        _FOLDED.search(f"{element.get('class') or ''} {element.get('id') or ''} {element.get('data-testid') or ''}")
    )


@dataclass(slots=True)
class Hiding:
    """Of one tree: what its own style and its elements' say."""

    sheet: Sheet
    suspects: Index  # the rules that hide, or do so together with another
    strikers: Index  # those that strike out
    whole: bool  # no style comes from elsewhere, so that what is not said is not so
    ruled: set[HtmlElement] = field(default_factory=set)  # of those asked about, what the page's rules alone hide
    _grounds: dict[HtmlElement, Colour | Literal["unknown"]] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: HtmlElement) -> Hiding:
        everything = tree.getroottree().iter(etree.Element)
        kinds = {(e.tag, e.get("class"), e.get("id")): e for e in everything}
        present = {name for element in kinds.values() for name in names_of(element)}
        sheet = Sheet("\n".join(style.text or "" for style in tree.iter("style")), _WANTED, present)
        linked = any("stylesheet" in (link.get("rel") or "").lower() for link in tree.iter("link"))
        whole = not linked and not sheet.partial
        suspects = Index(sheet.above, (rule for rule in sheet.rules if _is_suspect(rule.style, whole)))
        strikers = Index(sheet.above, (rule for rule in sheet.rules if _strikes(rule.style)))
        return cls(sheet, suspects, strikers, whole)

    def style(self, element: HtmlElement) -> Style:
        """Its own, over what the page's rules say of it."""
        rules = [rule.style for rule in self.sheet.of(element)]
        own = element.get("style")
        return merged([*rules, declarations(own)] if own else rules)

    def how(self, element: HtmlElement) -> Hidden | None:
        hidden = element.get("hidden")
        if hidden is not None and hidden.lower() != "until-found" and not _STREAMED.match(element.get("id") or ""):
            return "gone"
        if _is_for_screen_readers(element.get("class") or "") or element.get("popover") is not None:
            return "gone"
        own = element.get("style")
        if not own and element.tag != "font" and not self.suspects.holds(element):
            return None
        style = self.style(element)
        found = hidden_by(style)
        if found == "gone" and _value(style, "display") == "none" and folds(element):
            return None
        if found and (not own or hidden_by(declarations(own)) is None):
            self.ruled.add(element)
        return found or ("gone" if self._is_on_its_own_colour(element, style, own or "") else None)

    def strikes(self, element: HtmlElement) -> bool:
        """Whether its words are struck out: by style, or as the old price beside a new one."""
        own = element.get("style")
        if (own and "line-through" in own.lower()) or self.strikers.holds(element):
            return _strikes(self.style(element))
        return _is_old_price(element.get("class") or "") and _is_beside_another_price(element)

    def _is_on_its_own_colour(self, element: HtmlElement, style: Style, own: str) -> bool:
        """Written in the colour of what it stands on. A colour by rule counts only where all rules are known."""
        said = declarations(own) if own else {}
        ink = ink_of(style if self.whole else said)
        if ink is None and element.tag == "font":
            ink = colour_of((element.get("color") or "").strip().lower())
        if ink is None:
            return False
        ground = self.ground(element)
        return ground != "unknown" and _is_same(ink, ground)

    def ground(self, element: HtmlElement) -> Colour | Literal["unknown"]:
        """What is painted behind an element, as far as the page itself says."""
        chain: list[HtmlElement] = []
        found: Colour | Literal["unknown"] | None = None
        for one in (element, *element.iterancestors()):
            found = self._grounds.get(one)
            if found is None:
                chain.append(one)
                found = self._painted(one)
            if found is not None:
                break
        ground = found or ((255.0, 255.0, 255.0, 1.0) if self.whole else "unknown")
        for one in chain:
            self._grounds[one] = ground
        return ground

    def _painted(self, element: HtmlElement) -> Colour | Literal["unknown"] | None:
        if element.get("background"):
            return "unknown"
        painted = ground_of(self.style(element))
        if painted is None and (named := element.get("bgcolor")):
            painted = colour_of(named.strip().lower()) or "unknown"
        return painted

    def shows_again(self, element: HtmlElement, hidden: Hidden) -> bool:
        """Whether it undoes what hides it from above."""
        if not element.get("style") and not self.sheet.rules:
            return False
        style = self.style(element)
        if hidden == "visibility":
            return _value(style, "visibility") == "visible"
        size, said = font_size(style), f"{_value(style, 'font-size')} {_value(style, 'font')}"
        return size is not None and size > _TINY and not re.search(r"[\d.](?:em|%)", said)


def may_be_hidden(element: HtmlElement) -> bool:
    """What nothing but a browser can tell: near white on a ground unknown, very small, named as hidden, not for screen
    readers, waiting to be shown. Most of it is in plain sight; what speaks to a model from there is not."""
    said, color, classes = element.get("style"), element.get("color"), element.get("class")
    if (classes and _MAYBE_HIDDEN & set(classes.lower().split())) or (
        element.get("aria-hidden") == "true" and element.tag != "svg"
    ):
        return True
    if not said and not color:
        return False
    style = declarations(said or "")
    ink, size = ink_of(style) or colour_of((color or "").strip().lower()), font_size(style)
    return (
        (ink is not None and (min(ink[:3]) >= _PALE_FROM or ink[3] < 0.3))
        or (size is not None and size < 5)
        or _is_clear(style)
    )


def leave_shown(element: HtmlElement, shown: set[HtmlElement]) -> None:
    """Takes away all text of a hidden element but that of the elements in it that are shown all the same."""
    for one in _outside(element, shown):
        one.text = None
        for inner in one:
            inner.tail = None


def _outside(element: HtmlElement, shown: set[HtmlElement]) -> Iterator[HtmlElement]:
    stack = [element]
    while stack:
        one = stack.pop()
        if one not in shown:
            yield one
            stack += [inner for inner in one if isinstance(inner.tag, str)]
