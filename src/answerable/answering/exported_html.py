"""An answer's Markdown as safe HTML that stands alone: no script, no image, no address but of the web."""

from __future__ import annotations

import re
from html import escape

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from answerable.types import Turn

_MARKER = re.compile(r"\[(\d{1,3})\]")
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "reference"])
_TAGS = {
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "code", "pre", "blockquote", "hr"),
    *("br", "table", "thead", "tbody", "tr", "th", "td", "a"),
}
_CLEANER = nh3.Cleaner(tags=_TAGS, attributes={"a": {"href"}, "ol": {"start"}}, url_schemes={"http", "https"})


def html_of_answer(turn: Turn, anchor: str) -> str:
    """`anchor` begins the ids of the turn's sources, which its markers lead to."""
    tokens = _MARKDOWN.parse(turn.answer)
    known = {citation.n for citation in turn.citations}
    for token in tokens:
        if token.type == "inline":
            token.children = [part for child in token.children or [] for part in _linked(child, known, anchor)]
    return _CLEANER.clean(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def _linked(token: Token, known: set[int], anchor: str) -> list[Token]:
    """A text with its markers as links to the sources."""
    if token.type != "text" or not _MARKER.search(token.content):
        return [token]
    html = _MARKER.sub(
        lambda marker: f'<a href="#{anchor}-{marker[1]}">[{marker[1]}]</a>' if int(marker[1]) in known else marker[0],
        escape(token.content),
    )
    return [Token("html_inline", "", 0, content=html)]
