"""As much of CSS as tells what a page's own style hides: declarations, selectors, and which rule wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml.html import HtmlElement

Style = dict[str, str]  # property to value, both in lower case; what is important ends in `!important`

_MAX_CHARS, _MAX_RULES = 300_000, 8_000  # of all the style of a page; beyond that it is a framework, not a disguise
_MAX_DEPTH, _MAX_PARTS, _MAX_STEPS, _MAX_LIST = 6, 6, 40, 100
_BITS = 512  # of the names above an element
_NARROWEST = 360  # pixels; what holds from there on holds on every screen
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?|\\(.)", re.IGNORECASE | re.DOTALL)
_TOKEN = re.compile(r"\"[^\"\\\n]*\"|'[^'\\\n]*'|\([^()]*\)|[{};]")
_HELD = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\"[^\"\\\n]*\"|[,;]")
_QUERY = re.compile(
    r"(?:only\s+)?(?:all|screen)?(?:\s*(?:\band\b)?\s*\(\s*min-width\s*:\s*[\d.]+(?:px|r?em)?\s*\))*\s*", re.IGNORECASE
)
_MIN_WIDTH = re.compile(r"min-width\s*:\s*([\d.]+)(px|r?em)?", re.IGNORECASE)
_PIECE = re.compile(
    r"(?P<tag>\*|[a-z][\w-]*)|(?P<sign>[.#])(?P<name>(?:[\w-]|\\.|[^\x00-\x7f])+)"
    r"|\[\s*(?P<attribute>[\w:-]+)\s*(?:(?P<how>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\]\s\"']+)\s*[is]?\s*)?\]"
    r"|:not\((?P<other>[^()]*)\)|(?P<root>:root)",
    re.IGNORECASE,
)
_COMBINATOR = re.compile(r"\s*([>+~])\s*|\s+")
_WITHOUT_SCRIPTS = {"no-js", "nojs", "no-javascript"}  # a script takes these off the page at once


def declarations(text: str) -> Style:
    """The later of two for one property wins, unless the earlier is important."""
    return merged([_declared(part) for part in _split(_unescaped(_COMMENT.sub("", text)), ";")])


def _split(text: str, sign: str) -> list[str]:
    """At each sign that stands in no brackets or quotes."""
    parts, begin = [], 0
    for token in _HELD.finditer(text):
        if token[0] == sign:
            parts.append(text[begin : token.start()])
            begin = token.end()
    return [*parts, text[begin:]]


def _declared(text: str) -> Style:
    name, _, value = text.partition(":")
    name, value = name.strip().lower(), " ".join(value.lower().split())
    if not name or not value:
        return {}
    return {name: re.sub(r"\s*!\s*important\Z", "!important", value)}


def merged(styles: Iterable[Style]) -> Style:
    found: Style = {}
    for style in styles:
        for name, value in style.items():
            if value.endswith("!important") or not found.get(name, "").endswith("!important"):
                found[name] = value
    return found


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = int(match[1], 16) if match[1] else 0
        return match[2] or (chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd")

    return _ESCAPE.sub(one, text) if "\\" in text else text


@dataclass(frozen=True, slots=True)
class _Compound:
    """What one element must be."""

    tag: str = ""
    ids: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str], ...] = ()
    others: tuple[_Compound, ...] = ()  # what it must not be
    root: bool = False

    @property
    def names(self) -> set[str]:
        tag = {self.tag} if self.tag else set()
        return {f".{name}" for name in self.classes} | {f"#{name}" for name in self.ids} | tag

    def holds(self, element: HtmlElement) -> bool:
        if self.tag and element.tag != self.tag:
            return False
        if self.ids and not self.ids <= {element.get("id") or ""}:
            return False
        if self.classes and not self.classes <= set((element.get("class") or "").split()):
            return False
        if self.root and element.getparent() is not None:
            return False
        return all(_has(element, *attribute) for attribute in self.attributes) and not any(
            other.holds(element) for other in self.others
        )


def _has(element: HtmlElement, name: str, how: str, wanted: str) -> bool:
    value = element.get(name)
    if value is None or not how:
        return value is not None
    if how == "=":
        return bool(value == wanted)
    if not wanted:
        return False
    match how[0]:
        case "~":
            return wanted in value.split()
        case "|":
            return bool(value == wanted or value.startswith(f"{wanted}-"))
        case "^":
            return bool(value.startswith(wanted))
        case "$":
            return bool(value.endswith(wanted))
    return wanted in value


@dataclass(frozen=True, slots=True)
class Selector:
    """Compounds from the last to the first, each with what stands before it: ` `, `>`, `+`, `~`, or nothing."""

    parts: tuple[tuple[_Compound, str], ...]

    @property
    def specificity(self) -> tuple[int, int, int]:
        held = [one for compound, _ in self.parts for one in (compound, *compound.others)]
        return (
            sum(len(one.ids) for one in held),
            sum(len(one.classes) + len(one.attributes) + one.root for one in held),
            sum(bool(one.tag) for one in held),
        )

    @property
    def key(self) -> str:
        """What an element must have at least for it to be looked at."""
        last = self.parts[0][0]
        if last.ids:
            return f"#{min(last.ids)}"
        return f".{min(last.classes)}" if last.classes else last.tag

    @property
    def own(self) -> set[str]:
        """The names that what it holds for has: its tag, `.classes`, `#id`."""
        return self.parts[0][0].names

    @property
    def above(self) -> set[str]:
        """The names that stand above what it holds for, of one element or of several."""
        return {name for one, before in self._linked if before in " >" for name in one.names}

    @property
    def needs(self) -> set[str]:
        """The names without which it holds nowhere."""
        return {name for one, _ in self.parts for name in one.names}

    @property
    def _linked(self) -> Iterator[tuple[_Compound, str]]:
        """Each compound but the last, and what stands between it and the next."""
        return ((one, before) for (one, _), (_, before) in zip(self.parts[1:], self.parts, strict=False))

    def holds(self, element: HtmlElement) -> bool:
        steps = iter(range(_MAX_STEPS))
        return self._holds(element, 0, steps)

    def _holds(self, element: HtmlElement, place: int, steps: Iterator[int]) -> bool:
        compound, before = self.parts[place]
        if next(steps, None) is None or not compound.holds(element):
            return False
        if not before:
            return True
        return any(self._holds(one, place + 1, steps) for one in _before(element, before))


def _before(element: HtmlElement, combinator: str) -> Iterable[HtmlElement]:
    if combinator in " >":
        above = element.iterancestors()
        return above if combinator == " " else [one for one in [element.getparent()] if one is not None]
    earlier = element.itersiblings(preceding=True)
    return earlier if combinator == "~" else [one for one in [element.getprevious()] if one is not None]


def selector_of(text: str) -> Selector | None:
    """None for one that asks for more than an element's place, names and attributes: a state, a part, a count."""
    at, text = 0, text.strip()
    parts: list[tuple[_Compound, str]] = []
    combinator = ""
    while at < len(text) and len(parts) < _MAX_PARTS:
        compound, at = _compound(text, at)
        if compound is None or compound.classes & _WITHOUT_SCRIPTS:
            return None
        parts.append((compound, combinator))
        link = _COMBINATOR.match(text, at)
        if at < len(text) and link is None:
            return None
        if link:
            combinator, at = link[1] or " ", link.end()
    return Selector(tuple(reversed(parts))) if parts and at >= len(text) else None


def _compound(text: str, at: int) -> tuple[_Compound | None, int]:
    tag = ""
    ids: set[str] = set()
    classes: set[str] = set()
    attributes: list[tuple[str, str, str]] = []
    others: list[_Compound] = []
    root, start = False, at
    while match := _PIECE.match(text, at):
        if match["tag"] and at > start:
            break
        at = match.end()
        if match["tag"]:
            tag = "" if match["tag"] == "*" else match["tag"].lower()
        elif match["sign"]:
            (ids if match["sign"] == "#" else classes).add(_unescaped(match["name"]))
        elif match["attribute"]:
            attributes.append((match["attribute"].lower(), match["how"] or "", (match["value"] or "").strip("\"'")))
        elif match["other"] is not None:
            other, end = _compound(match["other"].strip(), 0)
            if other is None or end < len(match["other"].strip()):
                return None, at
            others.append(other)
        root = root or bool(match["root"])
    if at == start:
        return None, at
    return _Compound(tag, frozenset(ids), frozenset(classes), tuple(attributes), tuple(others), root), at


@dataclass(frozen=True, slots=True)
class Rule:
    selector: Selector
    style: Style
    order: int
    own: frozenset[str]  # names, as `Selector.own`
    above: int  # of the names above, a bit each


class Above:
    """What stands above each element, as far as rules ask for it, so that most that cannot hold need not be tried.
    Two of very many names may share a bit."""

    def __init__(self) -> None:
        self._bits: dict[str, int] = {}
        self._named: dict[HtmlElement, int] = {}  # what is called so, and what is above it

    def asked_for(self, names: Iterable[str]) -> int:
        """To be called for all rules before any element is looked at."""
        bits = 0
        for name in sorted(names):
            bits |= self._bits.setdefault(name, 1 << (len(self._bits) % _BITS))
        return bits

    def of(self, element: HtmlElement) -> int:
        chain: list[HtmlElement] = []
        known: int | None = 0
        for one in element.iterancestors():
            known = self._named.get(one)
            if known is not None:
                break
            chain.append(one)
        bits = known or 0
        for one in reversed(chain):
            for name in names_of(one):
                bits |= self._bits.get(name, 0)
            self._named[one] = bits
        return bits


def names_of(element: HtmlElement) -> set[str]:
    """Its tag, `.classes` and `#id`."""
    classes, id = element.get("class"), element.get("id")
    names = {element.tag, *([f".{name}" for name in classes.split()] if classes else ())}
    return {*names, f"#{id}"} if id else names


class Sheet:
    """The rules of a page's own style that hold on every screen. `present`: the tags, `.classes` and `#ids` of the
    page; most rules are for others. `partial`: there was one that is not understood."""

    def __init__(self, css: str, wanted: frozenset[str], present: set[str] | None = None) -> None:
        self._present = present
        self.above = Above()
        self._by_key = Index(self.above)
        self.rules: list[Rule] = []
        self.partial = len(css) > _MAX_CHARS or "@import" in css
        blocks = _flattened(_parts(_COMMENT.sub("", css[:_MAX_CHARS]))[1], ("",), 0)
        for selectors, style in islice(blocks, _MAX_RULES):
            known = {name: value for name, value in style.items() if name in wanted}
            if known:
                self._add(selectors, known)

    def _add(self, selectors: Sequence[str], style: Style) -> None:
        for text in selectors:
            selector = selector_of(text)
            if selector is None or len(self.rules) >= _MAX_RULES:
                self.partial = True
                continue
            if self._present is not None and not selector.needs <= self._present:
                continue
            above = self.above.asked_for(selector.above)
            rule = Rule(selector, style, len(self.rules), frozenset(selector.own), above)
            self.rules.append(rule)
            self._by_key.add(rule)

    def of(self, element: HtmlElement) -> list[Rule]:
        """Those that hold for it, the winner last."""
        held = [rule for rule in self._by_key.asked(element) if rule.selector.holds(element)]
        return sorted(held, key=lambda rule: (rule.selector.specificity, rule.order))


class Index:
    """Rules by what an element must have at least for them to be looked at."""

    def __init__(self, above: Above, rules: Iterable[Rule] = ()) -> None:
        self._above = above
        self._rules: dict[str, list[Rule]] = {}
        for rule in rules:
            self.add(rule)

    def add(self, rule: Rule) -> None:
        self._rules.setdefault(rule.selector.key, []).append(rule)

    def asked(self, element: HtmlElement) -> Iterator[Rule]:
        """Those that may hold for it."""
        if not self._rules:
            return
        names = names_of(element)
        above: int | None = None
        for key in ("", *names):
            for rule in self._rules.get(key, ()):
                if rule.above and above is None:
                    above = self._above.of(element)
                if rule.own <= names and not rule.above & ~(above or 0):
                    yield rule

    def holds(self, element: HtmlElement) -> bool:
        return any(rule.selector.holds(element) for rule in self.asked(element))


Blocks = list[tuple[str, str]]  # what is before the brace, what is in it


def _flattened(blocks: Blocks, within: Sequence[str], depth: int) -> Iterator[tuple[Sequence[str], Style]]:
    for prelude, body in blocks:
        at_rule = prelude.startswith("@")
        if at_rule and not (depth < _MAX_DEPTH and _holds_everywhere(prelude)):
            continue
        own, inner = _parts(body) if "{" in body else (body, [])
        selectors = within
        if not at_rule:
            selectors = [_nested(above, one) for one in _split(prelude, ",")[:_MAX_LIST] for above in within][
                :_MAX_LIST
            ]
            yield selectors, declarations(own)
        if depth < _MAX_DEPTH:
            yield from _flattened(inner, selectors, depth + 1)


def _nested(above: str, own: str) -> str:
    own = own.strip()
    if not above:
        return own
    return own.replace("&", above) if "&" in own else f"{above} {own}"


def _parts(css: str) -> tuple[str, Blocks]:
    """What stands outside of blocks, and the blocks."""
    blocks: Blocks = []
    outside: list[str] = []
    begin = inner = depth = 0
    prelude = ""
    for token in _TOKEN.finditer(css):
        match token[0]:
            case "{":
                if depth == 0:
                    prelude, inner = css[begin : token.start()].strip(), token.end()
                depth += 1
            case "}" if depth:
                depth -= 1
                if depth == 0:
                    blocks.append((prelude, css[inner : token.start()]))
                    begin = token.end()
            case "}" | ";" if depth == 0:
                outside.append(css[begin : token.start()])
                begin = token.end()
    if depth:
        blocks.append((prelude, css[inner:]))
    else:
        outside.append(css[begin:])
    return ";".join(outside), blocks


def _holds_everywhere(prelude: str) -> bool:
    name, _, condition = prelude.partition(" ") if " " in prelude else prelude.partition("(")
    name = name.lower()
    if name.startswith("@media"):
        queries = prelude[len("@media") :].split(",")
        return any(_QUERY.fullmatch(query.strip()) and _widest(query) <= _NARROWEST for query in queries)
    return name in {"@supports", "@layer"} and "not" not in condition.lower().split()


def _widest(query: str) -> float:
    widths = [float(number) * (16 if unit.endswith("em") else 1) for number, unit in _MIN_WIDTH.findall(query)]
    return max(widths, default=0.0)
