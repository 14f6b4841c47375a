"""An HTML tree made ready for reading: what people cannot see and what only decorates is gone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from answerable.providers.reading.flattening import flattened
from answerable.providers.reading.hiding import Hiding, leave_shown, may_be_hidden
from answerable.providers.reading.naming import called, remembered
from answerable.text.instructions import instructs

_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
# Invisible characters that only serve to hide words or to break them: soft hyphens, zero-width space and marks,
# direction overrides, and the tag characters that no screen shows. Joiners stay: Persian and emoji need them.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")

_NO_TEXT = (
    "title", "script", "style", "template", "svg", "canvas", "iframe", "object", "embed", "video", "audio", "map",
    "noscript", "button", "select", "textarea", "input", "option", "datalist", "progress", "meter", "dialog",
)  # fmt: skip
_NOSCRIPT_CHARS = 600
_KEPT_WHOLE = {"html", "body", "main", "article"}  # anti-flicker rules hide these until a script has run
_STRUCK_CHARS, _MOST_ACCEPTED = 300, 20
_ANSWER = re.compile(r"(?:^|[\s_-])(?:answer|acceptedAnswer|suggestedAnswer)(?:$|[\s_-])")
_TOLD_CHARS = 20_000  # of what is hidden, that is looked through for who is spoken to
# Names of what stands around a page's text on nearly every site: never content, whatever its length.
_is_around_named = remembered(
    re.compile(
        r"(?:^|[\s_-])(?:cookie-?(?:banner|bar|consent|notice|message|law|policy-banner|popup|overlay|info)?|consent|gdpr|ccpa"
        r"|onetrust|cookiebot|truste|skip-?(?:link|nav|to-content|to-main)?|breadcrumbs?|share-?(?:bar|buttons?|links?|icons?)"
        r"|social-?(?:share|links|icons|media|bar)|addtoany|sharedaddy|newsletter-?(?:signup|form|box)?|subscribe-?(?:form|box)"
        r"|pagination|pager|advert(?:isement)?s?|ad-(?:slot|unit|container|wrapper|banner)|adsbygoogle|taboola|outbrain"
        r"|editsection|mw-editsection|noprint|navbox|references|reflist|linenos?|line-numbers-rows|lineno|gutter|headerlink"
        r"|anchor-?link|toc-?(?:toggle)?|copy-?(?:button|btn)|print-only|modal|popup|lightbox|reveal-modal)(?:$|[\s_-])",
        re.IGNORECASE,
    )
)
_is_advert_named = remembered(re.compile(r"(?:^|\s)ads?(?:$|\s)", re.IGNORECASE))
_ADVERT_SAYS = re.compile(
    r"(?:advert|sponsor|promoted|anzeige|werbung|publicit|pubblicit|reklam|реклам|广告|広告)", re.IGNORECASE
)
_AROUND_ROLES = {"navigation", "banner-ad", "search", "dialog", "alertdialog", "menu", "menubar", "tablist", "toolbar"}
_REFERENCE_MARK = re.compile(
    r"\s*(?:\[\s*(?:\d{1,3}|[a-z]{1,2}|note \d+|nb \d+|citation needed|edit)\s*\]\s*)+", re.IGNORECASE
)
_SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")


def parse_html(text: str) -> HtmlElement | None:
    """The tree, or None when there is nothing of one."""
    text = _INVISIBLE.sub("", _XML_DECLARATION.sub("", text, count=1))
    if not text.strip():
        return None
    tree, too_deep = _parsed(text)
    return _parsed(flattened(text))[0] if too_deep else tree


def _parsed(text: str) -> tuple[HtmlElement | None, bool]:
    """The tree, and whether it ends where the parser found the page nested too deep."""
    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        tree = document_fromstring(text.encode("utf-8", "ignore"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        tree = None
    last = parser.error_log.last_error
    return tree, last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT


def prune_hidden(tree: HtmlElement) -> bool:
    """Removes in place what people do not see, and what must not be taken for words of the text: struck-out prices,
    reference marks. Metadata and walls are judged before. True when what was hidden spoke to a model."""
    hiding, sizes = Hiding.of(tree), sizes_of(tree)
    everything = [e for e in sizes if e.tag not in {"html", "body"}]  # anti-flicker rules hide these at first
    how = {e: kind for e in everything if (kind := hiding.how(e))}
    half = sizes[tree] // 2
    # What holds half of a page's text is not hidden in it: a script opens it, with or without an animation.
    hidden = {e for e, kind in how.items() if kind == "unseen" or sizes[e] <= half}
    ruled = {e for e in hidden & hiding.ruled if how[e] != "unseen"}
    if sum(sizes[e] for e in _outermost(ruled, tree)) > half:
        hidden -= ruled
    faint = {e for e in everything if e not in hidden and may_be_hidden(e) and instructs(_said(e))}
    tried = bool(faint) or instructs("\n".join(map(_said, _outermost(hidden, tree)))[:_TOLD_CHARS])
    for element in [e for e in hidden if how[e] in {"font-size", "visibility"}]:
        shown = {e for e in element.iterdescendants(etree.Element) if hiding.shows_again(e, how[element])}
        if shown:
            leave_shown(element, shown)
            hidden.discard(element)
    drop(hidden | faint)
    struck = [
        e for e in everything if e.tag in {"del", "s", "strike"} or (sizes[e] < _STRUCK_CHARS and hiding.strikes(e))
    ]
    drop(struck)
    _accepted_first(tree)
    _plain_references(tree)
    _superscripts(tree)
    return tried or instructs("\n".join(_unseen_words(tree))[:_TOLD_CHARS])


def _accepted_first(tree: HtmlElement) -> None:
    """The answer that the asker took stands before the others that it follows, as it would be quoted."""
    for accepted in tree.xpath(".//*[@itemprop='acceptedAnswer' or contains(@class, 'accepted')]")[:_MOST_ACCEPTED]:
        if not _ANSWER.search(_names(accepted)):
            continue
        earlier = [e for e in accepted.itersiblings(preceding=True) if _ANSWER.search(_names(e))]
        if earlier:
            tail, accepted.tail = accepted.tail, None
            earlier[0].tail = (earlier[0].tail or "") + (tail or "")
            earlier[-1].addprevious(accepted)


def _names(element: HtmlElement) -> str:
    return f"{element.get('class') or ''} {element.get('itemprop') or ''}"


def _said(element: HtmlElement) -> str:
    """What it says, as far as it matters who is spoken to."""
    return " ".join("".join(islice(element.itertext(), 400)).split())[:2000]


def _unseen_words(tree: HtmlElement) -> Iterator[str]:
    """Of attributes that a page shows only when asked to."""
    for element in tree.iter(etree.Element):
        for name in ("alt", "title", "aria-label"):
            said = element.get(name)
            if said and len(said) > 12:
                yield said


def prune(tree: HtmlElement) -> None:
    """Removes in place what is no text or stands around the text on nearly every site: banners, menus, buttons."""
    _open_details(tree)
    _open_noscript(tree)
    drop(list(tree.iter(*_NO_TEXT)))
    sizes = sizes_of(tree)
    wrapping: set[HtmlElement] = set()
    for inner in tree.iter("article", "main"):
        for above in inner.iterancestors():
            if above in wrapping:
                break
            wrapping.add(above)
    drop([e for e in sizes if e.tag not in _KEPT_WHOLE and _is_around(e, sizes[e], e in wrapping)])


def sizes_of(tree: HtmlElement) -> dict[HtmlElement, int]:
    """Characters of text in each element, scripts and styles apart, in the order of the page. Linear, where asking each
    element would cost depth times length."""
    elements = list(tree.iter(etree.Element))
    sizes = dict.fromkeys(elements, 0)
    for element in reversed(elements):
        if element.tag not in {"script", "style"}:
            sizes[element] += len((element.text or "").strip())
        above = element.getparent()
        if above is not None and above in sizes:
            sizes[above] += sizes[element] + len((element.tail or "").strip())
    return sizes


def _outermost(elements: set[HtmlElement], tree: HtmlElement) -> list[HtmlElement]:
    """Those that stand in no other of them."""
    found, inside = [], set()
    for element in tree.iter(etree.Element):
        if element.getparent() in inside:
            inside.add(element)
        elif element in elements:
            found.append(element)
            inside.add(element)
    return found


def drop(elements: Iterable[HtmlElement]) -> None:
    """Removes elements, keeping the text that follows each."""
    for element in elements:
        if element.getparent() is not None:
            element.drop_tree()


def _is_around(element: HtmlElement, size: int, wraps: bool) -> bool:
    if element.get("role", "").lower() in _AROUND_ROLES or element.get("aria-modal") == "true":
        return True
    names = called(element)
    # A wrapper of everything can carry such a name ("has-cookie-banner"); what stands around is small.
    if names == " " or size >= 3000 or wraps:
        return False
    return _is_around_named(names) or (_is_advert_named(names) and _is_advert(element))


def _is_advert(element: HtmlElement) -> bool:
    """Whether what is named `ad` is one: on a board of small ads, each of them is named so."""
    said = "".join(islice(element.itertext(), 20)).lstrip()
    return element.get("aria-hidden") == "true" or bool(_ADVERT_SAYS.match(said))


def _open_noscript(tree: HtmlElement) -> None:
    """Forums that draw themselves by script carry their whole text for those without it. A mere notice is dropped, and
    what stands beside the text of a page, since nobody sees it there."""
    silent = list(tree.iter("noscript"))
    sizes = sizes_of(tree) if silent else {}
    for element in silent:
        if sizes[element] > _NOSCRIPT_CHARS and sizes[element] > sizes[tree] // 2:
            element.tag = "div"


def _open_details(tree: HtmlElement) -> None:
    for details in tree.iter("details"):
        details.tag = "section"
    for summary in tree.iter("summary"):
        if len(summary.text_content()) < 300 and not len(summary.xpath(".//h1|.//h2|.//h3|.//h4|.//h5|.//h6")):
            summary.tag = "h5"


def _plain_references(tree: HtmlElement) -> None:
    """Takes away `[12]`, `[edit]` and the like, which could be taken for marks of our own."""
    drop(
        [
            e
            for e in tree.iter("sup", "a", "span")
            if len(e) < 20 and _REFERENCE_MARK.fullmatch(text := e.text_content()) and text.strip()
        ]
    )


def _superscripts(tree: HtmlElement) -> None:
    """10<sup>6</sup> becomes 10⁶, never 106."""
    for sup in list(tree.iter("sup")):
        text = sup.text_content().strip()
        if len(text) <= 4 and re.fullmatch(r"[0-9+\-−=()n]+", text) and not len(sup):
            sup.text = text.translate(_SUPERSCRIPTS)
