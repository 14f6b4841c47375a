"""What the templates show: a turn's parts in the order and the words a reader sees."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from markupsafe import Markup, escape

from answerable.schemas import TURN
from answerable.text.telling import BUILT_IN, is_built_in, only_built_in
from answerable.types import Citation, Note, Page, Sentence, Source, SourceImage, SupportCounts, Turn
from answerable.web.rendering import clean, display_title, plain, render_answer, safe_href
from answerable.web.telling import Told, fault, note, reason
from answerable.web.words import Words

_HOME_LINK = re.compile(rb"""((?:href|src|action)\s*=\s*["']?)(?:https?://([a-z0-9.-]+))?(/[^/"'\s>])""", re.IGNORECASE)
_HEAD = re.compile(rb"<head[^>]*>", re.IGNORECASE)
_READABLE = (
    b"<style>:root{color-scheme:light dark}body{max-width:44rem;margin:2rem auto;padding:0 1rem;"
    b"font:1.0625rem/1.6 Georgia,'DejaVu Serif Condensed',serif}table{border-collapse:collapse}"
    b"td,th{padding:.3rem 1rem .3rem 0;border-bottom:1px solid #8885;text-align:start}pre{overflow-x:auto}</style>"
)


PROVIDER_WORDS = {
    "brave": "Brave Search",
    "exa": "Exa",
    "google_pse": "Google",
    "serpapi": "Google (SerpAPI)",
    "serper": "Google (Serper)",
    "searxng": "SearXNG",
    "tavily": "Tavily",
    "wikipedia": "Wikipedia",
}


def scope(providers: Sequence[str], words: Words) -> str:
    """What a question is searched in, in one sentence."""
    web = [
        words("keyless") if name == "ddgs" else PROVIDER_WORDS.get(name, name)
        for name in providers
        if name not in {"own", BUILT_IN}
    ]
    told = f" {words('and')} ".join([", ".join(web[:-1]), web[-1]] if len(web) > 1 else web)
    return words("searches_web_own" if "own" in providers else "searches_web", providers=told)


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses a page may carry: none that runs script, and the built-in collection's on this server."""

    base: str
    collection_hosts: frozenset[str]

    def is_builtin(self, url: str) -> bool:
        return is_built_in(url, self.collection_hosts)

    def outside(self, url: str, link: str = "") -> str | None:
        """Where a source opens; `link` adds the text fragment that leads to the quoted words."""
        if safe_href(url) is None:
            return None
        if not self.is_builtin(url):
            return safe_href(link) or url
        parts = urlsplit(url)
        query = f"?{parts.query}" if parts.query else ""
        fragment = f"#{urlsplit(link).fragment}" if "#" in link else ""
        return f"{self.base}/collection/{parts.hostname}{parts.path or '/'}{query}{fragment}"

    def as_read(self, citation: Citation) -> str:
        """The stored page with the quote marked."""
        path = f"{self.base}/pages/{quote(citation.page_id, safe='')}"
        return f"{path}?start={citation.start}&end={citation.end}#quote"

    def page(self, source: Source) -> str:
        return f"{self.base}/pages/{quote(source.page_id, safe='')}"


@dataclass(frozen=True, slots=True)
class SourceView:
    source: Source
    title: str
    site: str
    href: str | None
    page_href: str
    builtin: bool
    quotes: tuple[Citation, ...] = ()

    work: str = ""


@dataclass(frozen=True, slots=True)
class ClaimView:
    sentence: Sentence
    words: str
    verdict: str
    reason: Told


@dataclass(frozen=True, slots=True)
class TurnView:
    turn: Turn
    anchor: str
    html: Markup
    sources: tuple[SourceView, ...]
    also_read: tuple[SourceView, ...]
    claims: tuple[ClaimView, ...]
    badge: str
    facts: tuple[str, ...]
    fallback: bool  # the web failed, so that all of this is from the built-in collection
    timings: tuple[tuple[str, str, float], ...]
    data: Markup
    notes: tuple[tuple[Note, Told], ...]
    fault: Told | None
    images: tuple[tuple[SourceImage, int], ...] = ()  # each with its place in the turn


def turn_view(turn: Turn, links: Links, words: Words) -> TurnView:
    anchor = f"{turn.turn_id}-"
    claims = [sentence for sentence in turn.sentences if sentence.verdict is not None]
    return TurnView(
        turn=turn,
        anchor=anchor,
        html=render_answer(turn.answer, turn.sentences, turn.citations, anchor=anchor, words=words),
        sources=tuple(_source(s, links, words, turn.citations) for s in turn.sources),
        also_read=tuple(_source(s, links, words) for s in turn.also_read),
        claims=tuple(ClaimView(s, plain(s.text), words(s.verdict or "uncited"), reason(s, words)) for s in claims),
        badge=_support(turn.support, words),
        facts=tuple(_facts(turn, words)),
        fallback=only_built_in(turn, links.collection_hosts),
        timings=tuple(_timings(turn.timings, words)),
        data=embedded(turn),
        notes=tuple((one, note(one, words)) for one in turn.notes),
        fault=fault(turn.error, words) if turn.error else None,
        images=tuple((i, place) for place, i in enumerate(turn.images) if not links.is_builtin(i.page_url)),
    )


def _source(source: Source, links: Links, words: Words, citations: Sequence[Citation] = ()) -> SourceView:
    quotes: dict[tuple[int, int], Citation] = {}
    for citation in citations:
        if citation.page_id == source.page_id:
            quotes.setdefault((citation.start, citation.end), citation)
    first = next(iter(quotes.values()), None)
    return SourceView(
        source=source,
        title=display_title(source.title, source.url, words("untitled")),
        site=clean(source.site, 80),
        href=links.outside(source.url, first.link if first else ""),
        page_href=links.as_read(first) if first else links.page(source),
        builtin=links.is_builtin(source.url),
        quotes=tuple(quotes.values()),
        work=_work(source, words),
    )


def _work(source: Source, words: Words) -> str:
    """Who wrote a scholarly work, where it stands and of which year it is; "" for other pages."""
    names = list(source.authors)
    if len(names) > 3:
        names = [*names[:2], words("others", n=len(names) - 2)]
    who = f" {words('and')} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
    return clean(", ".join(filter(None, (who, source.venue, str(source.year or "")))), 300)


def _support(counts: SupportCounts, words: Words) -> str:
    """The partly supported are told apart, not counted in. "" without claims."""
    if not counts.claims:
        return ""
    told = words("claims_supported", n=counts.claims, supported=counts.supported)
    return f"{told}, {words('in_part', partly=counts.partly)}" if counts.partly else told


def _facts(turn: Turn, words: Words) -> Iterable[str]:
    pages = len(turn.sources) + len(turn.also_read)
    if pages:
        yield words("pages_read", n=pages)
    if turn.timings:
        took = turn.timings.get("total", sum(turn.timings.values()))
        yield words("seconds", seconds=f"{took / 1000:.1f}".replace(".", words("decimal")))
    if turn.as_of:
        yield words("as_of", when=words.when(turn.as_of, time=True))


def _timings(timings: dict[str, float], words: Words) -> Iterable[tuple[str, str, float]]:
    """Stage, time in words, share of the longest."""
    stages = {stage: ms for stage, ms in timings.items() if stage != "total"}
    longest = max(stages.values(), default=0.0) or 1.0
    for stage, ms in stages.items():
        yield _stage(stage, words), words("milliseconds", ms=f"{ms:.0f}"), round(100 * ms / longest, 1)


def _stage(stage: str, words: Words) -> str:
    """A stage that has no word of its own is shown by its name."""
    key = f"stage_{stage}"
    return words(key) if key in words.known else stage.replace("_", " ")


def embedded(turn: Turn) -> Markup:
    """The turn for the page's scripts, in a data block that no text can close."""
    text = TURN.dump_json(turn).decode("utf-8")
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def passages_of(page: Page, start: int, end: int) -> list[tuple[str, list[tuple[str, bool]]]]:
    """The page's text block by block, each as pieces that are or are not part of the quote `start:end`."""
    blocks = [(block.kind, block.start, block.end) for block in page.blocks]
    covered = any(s <= start and end <= e for _, s, e in blocks)
    if not blocks or (end > start and not covered and not any(s < end and start < e for _, s, e in blocks)):
        blocks = [("paragraph", 0, len(page.text))]
    return [(kind, _marked(page.text, s, e, start, end)) for kind, s, e in blocks]


def _marked(text: str, start: int, end: int, mark_start: int, mark_end: int) -> list[tuple[str, bool]]:
    cuts = [start, min(max(mark_start, start), end), max(min(mark_end, end), start), end]
    pieces = [(text[cuts[0] : cuts[1]], False), (text[cuts[1] : cuts[2]], True), (text[cuts[2] : cuts[3]], False)]
    return [(piece, marked) for piece, marked in pieces if piece]


def at_home(body: bytes, host: str, links: Links) -> bytes:
    """A page of the collection as bytes of any ASCII-based charset: legible, its links leading to its neighbours."""

    def lead(found: re.Match[bytes]) -> bytes:
        target = (found[2] or host.encode("ascii", "ignore")).decode("ascii").lower()
        known = not found[2] or target in links.collection_hosts
        return found[1] + f"{links.base}/collection/{target}".encode() + found[3] if known else found[0]

    return _HEAD.sub(lambda head: head[0] + _READABLE, _HOME_LINK.sub(lead, body), count=1)


def _as_code(text: str) -> Markup:
    """What stands between backticks, as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def operations(openapi: dict[str, Any]) -> list[dict[str, Any]]:
    """The API's operations for the reference page."""
    found = []
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            schema: dict[str, Any] = {}
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            for name in json.dumps(content).split("#/components/schemas/")[1:2]:
                schema = openapi["components"]["schemas"][name.split('"')[0]]
            fields = [(n, _as_code(field.get("description", ""))) for n, field in schema.get("properties", {}).items()]
            found.append(
                {
                    "method": method.upper(),
                    "path": path,
                    "description": _as_code(operation.get("description", "")),
                    "fields": fields,
                }
            )
    return found
