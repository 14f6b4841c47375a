"""The folder format of the miniature web: hosts, pages and how they behave, and the questions asked of them.

<root>/web.toml                [defaults], [hosts."slow.example"], [pages."host/path"]
<root>/hosts/<hostname>/<path> the files; index.html stands for its folder; robots.txt
<root>/questions.jsonl         and questions-*.jsonl, one question a line
"""

from __future__ import annotations

import codecs
import difflib
import json
import mimetypes
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from answerable.errors import SettingsError
from answerable.text.urls import host_of
from answerable.types import Focus

_PLACEHOLDER = re.compile(r"\{\{\s*(today|days_ago|hours_ago)\s*(?::\s*(-?\d+(?:\.\d+)?)\s*)?(?:\|([^{}]*))?\}\}")
_LIKE_A_PLACEHOLDER = re.compile(r"\{\{\s*(?:today|days?_ago|hours?_ago)\b[^{}]*\}\}")
_DECLARES_CHARSET = re.compile(rb"<meta[^>]{0,200}charset|<\?xml[^>]{0,100}encoding", re.IGNORECASE)
_TEXT_TYPES = re.compile(r"text/|application/(?:.*\+)?(?:xml|json|xhtml)|application/javascript")
_TYPES = {".md": "text/markdown", ".htm": "text/html", ".xml": "application/xml", ".jsonl": "application/json"}
_KINDS: dict[str, type | tuple[type, ...]] = {
    "latency_ms": (int, float),
    "status": int,
    "kind": str,
    "content_type": str,
    "charset": str,
    "redirect": str,
    "drip": bool,
    "size": int,
    "title": str,  # of a page without a file, for those who find it by search
    "description": str,
}
_FOCUSES: tuple[Focus, ...] = ("web", "news", "academic", "own")


class WebFolderError(SettingsError):
    """The folder is not a miniature web; every fault names its file and, where there is one, its line."""

    code = "bad_web_folder"

    def __init__(self, faults: list[str]) -> None:
        super().__init__(faults)
        self.hint = "Correct these places and start again."


@dataclass(frozen=True, slots=True)
class WebPage:
    """One address of the miniature web and how it behaves. Without a `file` it is a redirect, an error or filler."""

    host: str
    path: str  # unescaped; a folder's index.html is the folder
    file: Path | None = None
    content_type: str | None = None  # None: from the file
    charset: str = "utf-8"  # of the bytes on disk
    redirect: str | None = None
    status: int | None = None
    latency_ms: float = 0
    drip: bool = False  # a byte at a time, for ever
    size: int = 0  # padded to this many bytes
    kind: str = ""  # of the host
    title: str = ""
    description: str = ""

    @property
    def url(self) -> str:
        path, mark, query = self.path.partition("?")
        return f"http://{self.host}{quote(path, safe='/:@!$&()*+,;=~-._')}{mark}{query}"

    @property
    def media_type(self) -> str:
        """Without parameters, in lower case."""
        if self.content_type:
            return self.content_type.split(";")[0].strip().lower()
        suffix = self.file.suffix.lower() if self.file else ".html"
        return _TYPES.get(suffix) or mimetypes.types_map.get(suffix) or "text/html"

    @property
    def is_text(self) -> bool:
        return _TEXT_TYPES.match(self.media_type) is not None

    @property
    def is_article(self) -> bool:
        """An ordinary page that answers with its own words."""
        return (
            self.file is not None
            and self.media_type in ("text/html", "text/plain", "text/markdown", "application/xhtml+xml")
            and self.path != "/robots.txt"
            and not (self.redirect or self.drip or self.size)
            and self.status in (None, 200)
        )

    def body(self, now: datetime) -> bytes:
        """The bytes of the file with its placeholders filled, in the page's charset. Reads the file."""
        raw = self.file.read_bytes() if self.file else b""
        if not self.is_text:
            return raw
        text = raw.decode(self.charset, "surrogateescape")
        return fill(text, now).encode(self.charset, "surrogateescape") if "{{" in text else raw

    def text(self, now: datetime) -> str:
        """The source of a text page, decoded and filled. Reads the file."""
        return self.body(now).decode(self.charset, "replace")

    def content_type_header(self, body: bytes) -> str:
        """Names the charset, as a server should, except where an old page says it itself."""
        given = self.content_type or self.media_type
        said_by_page = self.charset != "utf-8" and _DECLARES_CHARSET.search(body[:1024])
        return given if not self.is_text or "charset" in given or said_by_page else f"{given}; charset={self.charset}"


@dataclass(frozen=True, slots=True)
class WebQuestion:
    """A question to ask of the web, and what a right answer is. See the module docstring for the file."""

    id: str
    group: str
    question: str
    history: tuple[str, ...] = ()  # earlier questions of the conversation, asked first
    expect: tuple[tuple[str, ...], ...] = ()  # the answer contains at least one of each
    forbid: tuple[str, ...] = ()  # and none of these; both regardless of case
    gold_urls: tuple[str, ...] = ()
    both_sides: tuple[tuple[str, ...], ...] = ()  # at least one of each is cited
    abstain: bool = False
    max_age_days: float | None = None
    focus: Focus = "web"
    note: str = ""
    example: bool = False  # offered on the start page

    def at(self, now: datetime) -> WebQuestion:
        """With the placeholders of what is asked, expected and forbidden filled."""
        return replace(
            self,
            question=fill(self.question, now),
            history=tuple(fill(text, now) for text in self.history),
            expect=tuple(tuple(fill(text, now) for text in any_of) for any_of in self.expect),
            forbid=tuple(fill(text, now) for text in self.forbid),
        )


@dataclass(frozen=True)
class Web:
    root: Path
    pages: Mapping[str, WebPage]  # by host and path: "tower.example/height.html"
    hosts: Mapping[str, WebPage]  # how a host behaves where no page is
    questions: tuple[WebQuestion, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    def find(self, host: str, target: str) -> WebPage | None:
        """The page at a host and an escaped path with or without a query; None when the host has no such page."""
        path, _, query = target.partition("?")
        path = _folder_path(unquote(path) or "/")
        host = _host_key(host)
        tries = [f"{host}{path}?{query}"] if query else []
        tries += [f"{host}{path}", f"{host}{path}/"]
        return next((self.pages[key] for key in tries if key in self.pages), None)

    def find_url(self, url: str) -> WebPage | None:
        parts = urlsplit(url)
        return self.find(parts.hostname or "", parts.path + (f"?{parts.query}" if parts.query else ""))

    def articles(self) -> Iterator[WebPage]:
        """The ordinary pages, in order of their addresses: what a collection holds."""
        return (page for page in self.pages.values() if page.is_article)


def fill(text: str, now: datetime) -> str:
    """Fill {{today}}, {{days_ago:3}}, {{days_ago:3|%d %B %Y}} and {{hours_ago:5}} for a moment with a time zone."""

    def value(match: re.Match[str]) -> str:
        unit, count, form = match[1], match[2], match[3]
        if unit == "today":
            return f"{now:{form}}" if form else now.date().isoformat()
        if count is None:
            return match[0]
        ago = timedelta(days=float(count)) if unit == "days_ago" else timedelta(hours=float(count))
        then = now - ago
        if form:
            return f"{then:{form}}"
        return then.date().isoformat() if unit == "days_ago" else then.isoformat(timespec="seconds")

    return _PLACEHOLDER.sub(value, text)


def load_web(root: Path | str) -> Web:
    """Read a folder. Raises WebFolderError with every fault; what is merely odd is in `warnings`."""
    return _Loading(Path(root)).web()


def load_questions(root: Path | str) -> tuple[WebQuestion, ...]:
    """Only the questions of a folder."""
    loading = _Loading(Path(root))
    questions = loading.questions()
    loading.check()
    return questions


class _Loading:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.faults: list[str] = []
        self.warnings: list[str] = []
        self.toml = ""

    def check(self) -> None:
        if self.faults:
            raise WebFolderError(self.faults)

    def web(self) -> Web:
        if not (self.root / "hosts").is_dir():
            raise WebFolderError([f"{self.root}: no folder 'hosts' in it, so this is no miniature web"])
        table = self.table()
        defaults = self.values("[defaults]", table.get("defaults", {}))
        hosts, pages = self.hosts(defaults, table), self.files(defaults, table)
        self.rules(defaults, table, hosts, pages)
        self.placeholders(pages)
        questions = self.questions()
        self.check()
        return Web(self.root, dict(sorted(pages.items())), hosts, questions, tuple(self.warnings))

    def table(self) -> dict[str, Any]:
        path = self.root / "web.toml"
        if not path.exists():
            return {}
        try:
            self.toml = path.read_text("utf-8")
            table = tomllib.loads(self.toml)
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise WebFolderError([f"web.toml: {error}"]) from error
        for name in ("defaults", "hosts", "pages"):
            rules = table.get(name, {})
            if not isinstance(rules, dict) or (
                name != "defaults" and not all(isinstance(rule, dict) for rule in rules.values())
            ):
                raise WebFolderError(
                    [f"web.toml: [{name}] must be a table{'' if name == 'defaults' else ' of tables'}"]
                )
        self.warnings += [
            f"web.toml: unknown table [{name}]" for name in table if name not in ("defaults", "hosts", "pages")
        ]
        return table

    def values(self, header: str, rule: dict[str, Any]) -> dict[str, Any]:
        """The known and well-formed values of one table."""
        kept: dict[str, Any] = {}
        for key, value in rule.items():
            place = f"web.toml:{self.line_of(header, key)}: {header} {key}"
            if key not in _KINDS:
                near = difflib.get_close_matches(key, _KINDS, 1)
                self.warnings.append(f"{place} is unknown{f'; did you mean {near[0]!r}?' if near else ''}")
            elif not isinstance(value, _KINDS[key]) or (isinstance(value, bool) and _KINDS[key] is not bool):
                self.faults.append(f"{place} has the wrong type: {value!r}")
            elif (fault := _fault_of(key, value)) is not None:
                self.faults.append(f"{place} = {value!r} {fault}")
            else:
                kept[key] = value
        return kept

    def line_of(self, header: str, key: str = "") -> int:
        inside, table_line = False, 1
        for number, line in enumerate(self.toml.splitlines(), 1):
            plain = line.strip()
            if plain.startswith("["):
                inside = plain.replace("'", '"').startswith(header)
                table_line = number if inside else table_line
            elif inside and re.match(rf"[\"']?{re.escape(key)}[\"']?\s*=", plain):
                return number
        return table_line

    def hosts(self, defaults: dict[str, Any], table: dict[str, Any]) -> dict[str, WebPage]:
        hosts = {
            _host_key(folder.name): WebPage(_host_key(folder.name), "/", **defaults)
            for folder in sorted((self.root / "hosts").iterdir())
            if folder.is_dir() and not folder.name.startswith(".")
        }
        for name, rule in table.get("hosts", {}).items():
            values = self.values(f'[hosts."{name}"]', rule)
            hosts[_host_key(name)] = WebPage(_host_key(name), "/", **(defaults | values))
        for key in table.get("pages", {}):
            host = _host_key(_page_key(key).split("/", 1)[0])
            hosts.setdefault(host, WebPage(host, "/", **defaults))
        return hosts

    def files(self, defaults: dict[str, Any], table: dict[str, Any]) -> dict[str, WebPage]:
        rules = {_host_key(name): rule for name, rule in table.get("hosts", {}).items()}
        pages: dict[str, WebPage] = {}
        for file in sorted((self.root / "hosts").rglob("*")):
            parts = file.relative_to(self.root / "hosts").parts
            if (
                len(parts) < 2
                or not file.is_file()
                or any(part.startswith(".") and part != ".well-known" for part in parts)
            ):
                continue
            host, path = _host_key(parts[0]), _folder_path("/" + "/".join(parts[1:]))
            known = {key: value for key, value in rules.get(host, {}).items() if key in _KINDS}
            pages[host + path] = WebPage(host, path, file, **(defaults | known))
        return pages

    def rules(
        self,
        defaults: dict[str, Any],
        table: dict[str, Any],
        hosts: dict[str, WebPage],
        pages: dict[str, WebPage],
    ) -> None:
        for name, rule in table.get("pages", {}).items():
            header, key = f'[pages."{name}"]', _page_key(name)
            values = self.values(header, rule)
            key = key if key in pages or f"{key}/" not in pages else f"{key}/"
            host, _, path = key.partition("/")
            page = pages.get(key) or replace(hosts[host], path=f"/{path}")
            if page.file is None and not {"redirect", "status", "drip", "size"} & values.keys() and page.status is None:
                self.warnings.append(
                    f"web.toml:{self.line_of(header)}: {header} has no file under hosts/: served as 404"
                )
                values["status"] = 404
            pages[key] = replace(page, **values)

    def placeholders(self, pages: dict[str, WebPage]) -> None:
        for page in pages.values():
            if page.file is None or not page.is_text:
                continue
            raw = page.file.read_bytes()
            try:
                text = raw.decode(page.charset)
            except UnicodeDecodeError as error:
                self.warnings.append(f"{page.file.relative_to(self.root)}: not {page.charset} at byte {error.start}")
                text = raw.decode(page.charset, "surrogateescape")
            for match in _LIKE_A_PLACEHOLDER.finditer(text):
                if not _fills(match[0]):
                    line = text.count("\n", 0, match.start()) + 1
                    self.faults.append(
                        f"{page.file.relative_to(self.root)}:{line}: {match[0]} is no placeholder; write "
                        "{{today}}, {{days_ago:3}}, {{days_ago:3|%d %B %Y}} or {{hours_ago:5}}"
                    )

    def questions(self) -> tuple[WebQuestion, ...]:
        files = [self.root / "questions.jsonl", *sorted(self.root.glob("questions-*.jsonl"))]
        found: dict[str, WebQuestion] = {}
        for file in files:
            if not file.exists():
                continue
            for number, line in enumerate(file.read_text("utf-8-sig").splitlines(), 1):
                if not line.strip():
                    continue
                try:
                    question = _question(json.loads(line))
                    if question.id in found:
                        raise ValueError(f"id {question.id!r} is taken")
                    found[question.id] = question
                except ValueError as error:
                    self.faults.append(f"{file.name}:{number}: {error}")
        return tuple(found.values())


def _question(raw: Any) -> WebQuestion:
    if not isinstance(raw, dict):
        raise ValueError("a question is an object")
    given = {key: value for key, value in raw.items() if value is not None}
    for key in ("id", "question"):
        if not isinstance(given.get(key), str) or not given[key].strip():
            raise ValueError(f"{key!r} is missing or no text")
    age = given.get("max_age_days")
    if age is not None and (isinstance(age, bool) or not isinstance(age, int | float)):
        raise ValueError("'max_age_days' must be a number")
    if given.get("focus", "web") not in _FOCUSES:
        raise ValueError(f"'focus' must be one of {', '.join(_FOCUSES)}")
    if not isinstance(given.get("abstain", False), bool):
        raise ValueError("'abstain' must be true or false")
    return WebQuestion(
        id=given["id"],
        group=str(given.get("group", "")),
        question=given["question"],
        history=_texts(given, "history"),
        expect=_lists(given, "expect"),
        forbid=_texts(given, "forbid"),
        gold_urls=_texts(given, "gold_urls"),
        both_sides=_lists(given, "both_sides"),
        abstain=given.get("abstain", False),
        max_age_days=age,
        focus=given.get("focus", "web"),
        note=str(given.get("note", "")),
        example=given.get("example") is True,
    )


def _texts(given: dict[str, Any], key: str) -> tuple[str, ...]:
    value = given.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{key!r} must be a list of texts")
    return tuple(value)


def _lists(given: dict[str, Any], key: str) -> tuple[tuple[str, ...], ...]:
    value = given.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, list) for item in value):
        raise ValueError(f"{key!r} must be a list of lists of texts")
    return tuple(_texts({key: item}, key) for item in value)


def _fault_of(key: str, value: Any) -> str | None:
    if key == "charset":
        try:
            codecs.lookup(value)
        except LookupError:
            return "is no charset"
    if key in ("latency_ms", "size") and value < 0:
        return "must not be negative"
    if key == "status" and not 200 <= value <= 599:
        return "is no status of an answer"
    return None


def _fills(placeholder: str) -> bool:
    match = _PLACEHOLDER.fullmatch(placeholder)
    return match is not None and (match[1] == "today") == (match[2] is None)


def _host_key(host: str) -> str:
    return host_of(f"http://{host}/") or host.lower()


def _page_key(key: str) -> str:
    """`host/path` however it was spelled: with or without scheme, escapes, index.html."""
    host, _, path = key.removeprefix("http://").removeprefix("https://").partition("/")
    path, mark, query = path.partition("?")
    return f"{_host_key(host)}{_folder_path('/' + unquote(path))}{mark}{query}"


def _folder_path(path: str) -> str:
    return path.removesuffix("index.html") if path.endswith("/index.html") else path
