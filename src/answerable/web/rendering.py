"""An answer's Markdown to safe HTML: citation chips, marked claims, literal formulas; no image, no script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from urllib.parse import urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

from answerable.types import Citation, Sentence
from answerable.web.telling import reason
from answerable.web.words import Words, words_of

TITLE_CHARS = 300
# Pairs of rare punctuation that may stand for "a sentence begins/ends here" while Markdown is parsed. They must be
# punctuation: `**` and `_` open and close beside punctuation exactly as they do beside a space.
_MARKS = (("⸨", "⸩"), ("⦅", "⦆"), ("⟬", "⟭"), ("⦗", "⦘"))
_BLOCK_START = re.compile(r"(?:\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|#{1,6}\s+|>\s?))*\s*")
_CELL = re.compile(r"(?:\\.|[^|\\])+")
# Control and format characters that flip, hide or break text. The joiners U+200C and U+200D shape letters: kept.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_LINK = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_MONEY = re.compile(r"\d[\d.,]*\s?(?:[^\W\d_]{2,}\b.*|[kKmMbB]n?)?$", re.DOTALL)  # "5 and then", "2bn", "30"


def clean(text: str, limit: int = TITLE_CHARS) -> str:
    """One line of visible text, whatever a page put into its title."""
    text = " ".join(_INVISIBLE.sub("", text).split()).strip("\u200c\u200d ")
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def display_title(title: str, url: str, untitled: str = "") -> str:
    """The title as shown; the host where a page has none that can be seen."""
    return clean(title) or clean(urlsplit(url).hostname or "" if safe_href(url) else "") or untitled or clean(url, 80)


def safe_href(url: str) -> str | None:
    """The address if it is one a reader may follow, http or https; else None, however it disguises its scheme."""
    if re.search(r"[\x00-\x20\x7f]", url):
        return None
    try:
        parts = urlsplit(url)
        return url if parts.scheme in {"http", "https"} and parts.hostname else None
    except ValueError:
        return None


def render_answer(
    answer: str,
    sentences: Sequence[Sentence] = (),
    citations: Sequence[Citation] = (),
    *,
    anchor: str = "",
    words: Words | None = None,
) -> Markup:
    """Safe HTML of an answer. `anchor` begins the ids of this turn's sources and claims; `words` are English unless
    given."""
    words = words or words_of("en")
    pair = next((pair for pair in _MARKS if not any(mark in answer for mark in pair)), None)
    marked = _with_marks(answer, sentences, pair) if pair else answer
    tokens = _MARKDOWN.parse(marked, {})
    chips = _Chips(pair or ("\0", "\0"), {s.index: s for s in sentences}, citations, anchor, words)
    for token in tokens:
        _dress(token)
        if token.type == "inline":
            token.children = list(chips.inline(token.children or []))
        elif token.type in {"fence", "code_block"}:
            token.content = chips.without_marks(token.content)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {"table": words("table")})
    return Markup(_CLEANER.clean(_HALF_PAIR.sub("\ufffd", html)))


def plain(text: str) -> str:
    """A sentence of an answer as plain words: without Markdown and without markers."""
    cells = [cell.strip() for cell in text.strip().strip("|").split("|")] if text.lstrip().startswith("|") else [text]
    words = []
    for cell in cells:
        lead = _BLOCK_START.match(cell)
        (inline,) = _MARKDOWN.parseInline(cell[lead.end() if lead else 0 :], {})
        words.append("".join(token.content or " " * (token.type == "softbreak") for token in inline.children or []))
    return clean(re.sub(r"\s*\[\d{1,3}\]", "", " · ".join(filter(None, words))), limit=2000)


def _with_marks(answer: str, sentences: Sequence[Sentence], pair: tuple[str, str]) -> str:
    """The answer with each sentence between marks: `⸨3⸨The text.⸩`, inside list markers and table cells."""
    begin, end = pair
    parts, at = [], 0
    for sentence in sorted(sentences, key=lambda s: s.start):
        text = answer[sentence.start : sentence.end]
        if sentence.start < at or text != sentence.text:
            continue
        parts.append(answer[at : sentence.start])
        open_mark = f"{begin}{sentence.index}{begin}"
        if text.lstrip().startswith("|"):
            parts.append(_row(text, open_mark, end))
        else:
            lead = _BLOCK_START.match(text)
            cut = lead.end() if lead else 0
            parts.append(text[:cut] + _around(text[cut:], open_mark, end))
        at = sentence.end
    return "".join([*parts, answer[at:]])


def _row(text: str, begin: str, end: str) -> str:
    """Each cell between marks; a doubled end mark says that the claim goes on in a later cell."""
    cells = [cell for cell in _CELL.finditer(text) if cell[0].strip()]
    parts, at = [], 0
    for cell in cells:
        parts += [text[at : cell.start()], _around(cell[0], begin, end if cell is cells[-1] else end + end)]
        at = cell.end()
    return "".join([*parts, text[at:]])


def _around(text: str, begin: str, end: str) -> str:
    inner = text.strip()
    if not inner:
        return text
    at = text.index(inner)
    return f"{text[:at]}{begin}{inner}{end}{text[at + len(inner) :]}"


class _Chips:
    """Turns the text of inline tokens into claims and chips. A sentence may run over several tokens."""

    def __init__(
        self,
        pair: tuple[str, str],
        sentences: dict[int, Sentence],
        citations: Sequence[Citation],
        anchor: str,
        words: Words,
    ) -> None:
        begin, end = map(re.escape, pair)
        self._marks = re.compile(f"{begin}\\d+{begin}|{end}")
        self._pieces = re.compile(f"{begin}(?P<index>\\d+){begin}|(?P<end>{end}{{1,2}})|\\[(?P<n>\\d{{1,3}})\\]")
        self._sentences, self._citations, self._anchor, self._words = sentences, citations, anchor, words
        self._now: Sentence | None = None

    def without_marks(self, text: str) -> str:
        return self._marks.sub("", text)

    def inline(self, children: list[Token]) -> Iterator[Token]:
        for k, token in enumerate(children):
            numbered = self._in_numbered_link(children, k)
            if numbered and token.type == "text":
                yield from self._text(f"[{token.content.strip()}]")
            elif numbered:
                continue
            elif token.type == "text":
                yield from self._text(token.content)
            elif token.type == "code_inline":
                yield _html(self._claim(f"<code>{escape(self.without_marks(token.content))}</code>"))
            elif token.type == "math":
                token.content = self.without_marks(token.content)
                yield token
            else:
                for name, value in token.attrs.items():
                    token.attrs[name] = self.without_marks(str(value))
                if token.type == "image":
                    yield _html(self._claim(escape(self.without_marks(token.content))))
                else:
                    yield token

    @staticmethod
    def _in_numbered_link(children: list[Token], k: int) -> bool:
        """`[1](https://…)`: a link dressed up as a citation loses its address."""
        for opening in (k, k - 1, k - 2):
            around = children[opening : opening + 3] if opening >= 0 else []
            if [t.type for t in around] == ["link_open", "text", "link_close"] and around[1].content.strip().isdigit():
                return True
        return False

    def _text(self, text: str) -> Iterator[Token]:
        at = 0
        for found in self._pieces.finditer(text):
            yield from self._plain(text[at : found.start()])
            at = found.end()
            if found["index"] is not None:
                self._now = self._sentences.get(int(found["index"]))
            elif found["end"] is not None:
                if len(found["end"]) == 1:
                    yield from self._verdict_mark()
                self._now = None
            else:
                citation = self._citation(int(found["n"]))
                yield _html(self._chip(citation)) if citation else _html(self._claim(escape(found[0])))
        yield from self._plain(text[at:])

    def _plain(self, text: str) -> Iterator[Token]:
        if text:
            yield _html(self._claim(escape(text)))

    def _claim(self, html: str) -> str:
        if self._now is None or self._now.verdict is None:
            return html
        verdict = self._now.verdict
        title = "" if verdict == "supported" else f' title="{escape(_why(self._now, self._words))}"'
        return f'<span class="claim {verdict}" data-s="{self._now.index}"{title}>{html}</span>'

    def _citation(self, n: int) -> Citation | None:
        same = [citation for citation in self._citations if citation.n == n]
        here = [c for c in same if self._now is not None and c.sentence == self._now.index]
        return next(iter(here or same), None)

    def _chip(self, citation: Citation) -> str:
        kind = "chip" + (" partly" if citation.verdict == "partly" else "")
        label = f"{citation.n}: {display_title(citation.title, citation.url, self._words('untitled'))}"
        return (
            f'<a class="{kind}" href="#{escape(self._anchor)}s{citation.n}" data-n="{citation.n}" '
            f'data-s="{citation.sentence}" aria-label="{escape(label)}">{citation.n}</a>'
        )

    def _verdict_mark(self) -> Iterator[Token]:
        """A sign after a claim without support: it can be reached, and does not rely on colour."""
        if self._now is None or self._now.verdict not in {"unsupported", "uncited"}:
            return
        sign = "!" if self._now.verdict == "unsupported" else "?"
        yield _html(
            f'<a class="chip {self._now.verdict}" href="#{escape(self._anchor)}claims" data-s="{self._now.index}" '
            f'aria-label="{sign} {escape(_why(self._now, self._words))}">{sign}</a>'
        )


def _why(sentence: Sentence, words: Words) -> str:
    verdict = words(sentence.verdict or "uncited")
    return f"{verdict}: {clean(reason(sentence, words).text)}" if sentence.reason else verdict


def _html(html: str) -> Token:
    return Token("html_inline", "", 0, content=html)


def _dress(token: Token) -> None:
    """Headings below the question's, direction by content, alignment by class (inline styles are not allowed)."""
    if token.type in {"heading_open", "heading_close"}:
        token.tag = f"h{min(int(token.tag[1]) + 2, 6)}"
    if token.type in {"paragraph_open", "heading_open", "list_item_open", "th_open", "td_open"}:
        align = str(token.attrs.pop("style", "")).removeprefix("text-align:")
        token.attrSet("dir", "auto")
        if align:
            token.attrSet("class", align)


def _math_inline(state: StateInline, silent: bool) -> bool:
    """`$x^2$` and `$$E = mc^2$$`, but no prices: see the tests for "from $5 to $10"."""
    if state.src[state.pos] != "$":
        return False
    fence = "$$" if state.src.startswith("$$", state.pos) else "$"
    start = state.pos + len(fence)
    end = state.src.find("$", start, state.posMax)
    if end < 0 or not state.src.startswith(fence, end):
        return False
    inside, after = state.src[start:end], state.src[end + len(fence) : end + len(fence) + 1]
    before = state.src[state.pos - 1] if state.pos else ""
    glued = before.isalnum() or after.isdigit() or inside != inside.strip()
    if not inside.strip() or (fence == "$" and (glued or _MONEY.match(inside))):
        return False
    if not silent:
        token = state.push("math", "span", 0)
        token.content = inside.strip()
        token.attrSet("class", "math display" if fence == "$$" else "math")
    state.pos = end + len(fence)
    return True


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A formula between lines of `$$`, so that its lines are not taken for lists or headings."""
    lines = [state.getLines(k, k + 1, state.blkIndent, False).strip() for k in range(start, end)]
    if lines[0] != "$$" or "$$" not in lines[1:]:
        return False
    if silent:
        return True
    last = lines.index("$$", 1)
    token = state.push("math", "div", 0)
    token.content = "\n".join(lines[1:last])
    token.attrSet("class", "math display")
    token.block = True
    state.line = start + last + 1
    return True


def _render_math(self: object, tokens: Sequence[Token], k: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[k]
    return f'<{token.tag} class="{token.attrs["class"]}">{escape(token.content)}</{token.tag}>'


def _render_table(self: object, tokens: Sequence[Token], k: int, options: OptionsDict, env: EnvType) -> str:
    opening = tokens[k].nesting == 1
    region = '<div class="table" tabindex="0" role="group" aria-label="' + escape(str(env.get("table", ""))) + '">'
    return f"{region}<table>\n" if opening else "</table></div>\n"


def _render_code(self: object, tokens: Sequence[Token], k: int, options: OptionsDict, env: EnvType) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[k].content)}</code></pre>\n'


def _markdown() -> MarkdownIt:
    # Reference definitions would let a line "[1]: https://…" turn every [1] into a link of the writer's choice;
    # indented code and underlined headings are more often an accident of a quoted page than meant.
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    parser.disable(["reference", "html_block", "html_inline", "code", "lheading"])
    parser.inline.ruler.before("escape", "math", _math_inline)
    parser.block.ruler.before("fence", "math", _math_block, {"alt": ["paragraph"]})
    parser.add_render_rule("math", _render_math)
    parser.add_render_rule("table_open", _render_table)
    parser.add_render_rule("table_close", _render_table)
    parser.add_render_rule("fence", _render_code)
    parser.validateLink = lambda url: bool(_LINK.match(url))  # type: ignore[method-assign]
    return parser


_MARKDOWN = _markdown()
_CLEANER = nh3.Cleaner(
    tags={
        *("p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "s", "code", "pre", "blockquote", "hr", "br"),
        *("table", "thead", "tbody", "tr", "th", "td", "a", "span", "div"),
    },
    attributes={
        "a": {"href", "class", "data-n", "data-s", "aria-label", "title"},
        "span": {"class", "data-s", "title"},
        "div": {"class", "tabindex", "role", "aria-label"},
        "pre": {"tabindex"},
        "ol": {"start"},
        "*": {"dir"},
        "th": {"class"},
        "td": {"class"},
    },
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
)
