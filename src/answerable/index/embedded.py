"""Our own index on Tantivy: BM25 over passages, in a folder or in memory, in any script."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import tantivy

from answerable.errors import StorageError
from answerable.protocols import IndexHit
from answerable.text.analysis import index_tokens
from answerable.text.passages import split_passages
from answerable.text.relevance import question_tokens
from answerable.text.urls import canonical_url
from answerable.types import Block, Image, IndexedPage, Page, Passage

T = TypeVar("T")

HEAP = 30_000_000  # bytes of the writer; Tantivy's smallest is 15 MB a thread
TITLE_BOOST = 1.5
LONGEST_QUERY = 64  # words; beyond that a query is a text, and its first words say what it is about
FOLDER_HINT = "Stop the other process that uses it, or remove the folder and add the pages again."


class EmbeddedIndex:
    """A PassageIndex. `folder` None keeps it in memory. One process may write to a folder at a time, many may read.

    The folder is opened at the first call. All calls raise StorageError when it cannot be used.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._index: tantivy.Index | None = None
        self._lock = asyncio.Lock()  # keeps waiting writers off the thread pool
        self._writing = threading.Lock()  # a cancelled caller lets go of the first while its thread still writes

    async def add(self, pages: Sequence[Page]) -> int:
        newest = {canonical_url(page.url): page for page in pages}
        return await self._write(lambda writer: _replace(writer, newest))

    async def remove(self, urls: Sequence[str]) -> int:
        """Returns how many pages were there and are gone."""
        keys = {canonical_url(url) for url in urls}
        held = await self._read(lambda index: sum(_holds(index, key) for key in keys))
        if held:
            await self._write(lambda writer: _delete(writer, keys))
        return held

    async def search(self, query: str, *, limit: int) -> list[IndexHit]:
        """Best first. No character of the query is an operator."""
        return await self._read(lambda index: _search(index, query, limit))

    async def count(self) -> int:
        return await self._read(_count)

    async def contents(self) -> list[tuple[str, str]]:
        """Address and title of each page, by address."""
        return await self._read(_contents)

    async def listed(self) -> list[IndexedPage]:
        """The pages with when they were read and their passages, by address."""
        return await self._read(_listed)

    async def _read(self, work: Callable[[tantivy.Index], T]) -> T:
        index = await self._opened()

        def read() -> T:
            index.reload()  # another process may have written: 0.03 ms
            return work(index)

        return await asyncio.to_thread(_guarded, self.folder, read)

    async def _write(self, work: Callable[[tantivy.IndexWriter], T]) -> T:
        """All of it or nothing: the commit is the last step."""
        index = await self._opened()
        async with self._lock:
            return await asyncio.to_thread(_guarded, self.folder, lambda: _committed(index, work, self._writing))

    async def _opened(self) -> tantivy.Index:
        async with self._lock:
            if self._index is None:
                self._index = await asyncio.to_thread(_guarded, self.folder, lambda: _open(self.folder))
            return self._index


def _guarded(folder: Path | None, work: Callable[[], T]) -> T:
    """Tantivy raises ValueError and OSError whatever has happened; its message tells."""
    try:
        return work()
    except (ValueError, OSError, KeyError, TypeError) as failure:
        where = repr(str(folder)) if folder else "in memory"
        raise StorageError(f"the index {where} cannot be used: {failure}", hint=FOLDER_HINT) from failure


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for name in ("kind", "url", "page"):  # page: the id under which a passage finds its page
        builder.add_text_field(name, stored=name == "page", tokenizer_name="raw", index_option="basic")
    for name in ("title", "text"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


SCHEMA = _schema()


def _open(folder: Path | None) -> tantivy.Index:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    index = tantivy.Index(SCHEMA, path=str(folder) if folder else None)
    index.config_reader("manual")
    return index


def _committed(index: tantivy.Index, work: Callable[[tantivy.IndexWriter], T], writing: threading.Lock) -> T:
    with writing:
        writer = index.writer(HEAP, 1)
        try:
            result = work(writer)
            writer.commit()
        except BaseException:
            with contextlib.suppress(ValueError):
                writer.rollback()
            raise
        finally:
            writer.wait_merging_threads()  # also gives the folder's lock back
    return result


def _replace(writer: tantivy.IndexWriter, pages: dict[str, Page]) -> int:
    _delete(writer, set(pages))
    written = 0
    for url, page in pages.items():
        writer.add_document(_document(url, page, "page", _as_json(page)))
        for passage in split_passages(page):
            document = _document(url, page, "passage", _as_json(passage))
            document.add_text("title", " ".join(index_tokens(f"{page.title} {' '.join(passage.headings)}")))
            document.add_text("text", " ".join(index_tokens(f"{passage.context} {passage.text}")))
            writer.add_document(document)
            written += 1
    return written


def _document(url: str, page: Page, kind: str, stored: bytes) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("kind", kind)
    document.add_text("url", url)
    document.add_text("page", page.page_id)
    document.add_bytes("stored", stored)
    return document


def _delete(writer: tantivy.IndexWriter, urls: set[str]) -> None:
    for url in urls:
        writer.delete_documents_by_term("url", url)


def _term(field: str, value: str) -> tantivy.Query:
    return tantivy.Query.term_query(SCHEMA, field, value, index_option="basic")


def _count(index: tantivy.Index) -> int:
    return int(index.searcher().search(_term("kind", "page"), 1).count)  # type: ignore[attr-defined]


def _contents(index: tantivy.Index) -> list[tuple[str, str]]:
    return sorted((page["url"], page["title"]) for page in _pages(index.searcher()))


def _pages(searcher: tantivy.Searcher) -> list[dict[str, Any]]:
    hits = searcher.search(_term("kind", "page"), max(1, searcher.num_docs), count=False).hits
    return [json.loads(bytes(_first(searcher.doc(address), "stored"))) for _, address in hits]


def _listed(index: tantivy.Index) -> list[IndexedPage]:
    searcher = index.searcher()

    def passages(page_id: str) -> int:
        wanted = [(tantivy.Occur.Must, _term("page", page_id)), (tantivy.Occur.Must, _term("kind", "passage"))]
        return int(searcher.search(tantivy.Query.boolean_query(wanted), 1).count)  # type: ignore[attr-defined]

    found = [
        IndexedPage(page["url"], page["title"], _date(page.get("fetched")), passages(page["page_id"]))
        for page in _pages(searcher)
    ]
    return sorted(found, key=lambda page: page.url)


def _holds(index: tantivy.Index, url: str) -> bool:
    return bool(index.searcher().search(_term("url", url), 1).hits)


def _search(index: tantivy.Index, query: str, limit: int) -> list[IndexHit]:
    words = question_tokens(query)[:LONGEST_QUERY]
    if not words or limit < 1:
        return []
    searcher = index.searcher()
    pages: dict[str, Page] = {}
    hits = []
    for score, address in searcher.search(_query(words), limit, count=False).hits:
        document = searcher.doc(address)
        page_id = str(document.get_first("page"))
        if page_id not in pages:
            pages[page_id] = _page(_stored(searcher, page_id))
        passage = _passage(json.loads(bytes(_first(document, "stored"))))
        hits.append(IndexHit(passage, pages[page_id], float(score)))
    return hits


def _query(words: Sequence[str]) -> tantivy.Query:
    should = []
    for word, times in Counter(words).items():
        for field, boost in (("text", 1.0), ("title", TITLE_BOOST)):
            term = tantivy.Query.term_query(SCHEMA, field, word, index_option="freq")
            should.append((tantivy.Occur.Should, tantivy.Query.boost_query(term, boost * times)))
    return tantivy.Query.boolean_query(should)


def _stored(searcher: tantivy.Searcher, page_id: str) -> dict[str, Any]:
    wanted = [(tantivy.Occur.Must, _term("page", page_id)), (tantivy.Occur.Must, _term("kind", "page"))]
    for _, address in searcher.search(tantivy.Query.boolean_query(wanted), 1, count=False).hits:
        found: dict[str, Any] = json.loads(bytes(_first(searcher.doc(address), "stored")))
        return found
    raise ValueError(f"page {page_id!r} is missing though its passages are there")


def _first(document: tantivy.Document, field: str) -> Any:
    return document.get_first(field)


def _as_json(thing: Page | Passage) -> bytes:
    # Lone surrogates, which a page may hold, are escaped by ensure_ascii and so survive.
    return json.dumps(asdict(thing), default=datetime.isoformat).encode()


def _page(stored: dict[str, Any]) -> Page:
    dates = {name: _date(stored.get(name)) for name in ("published", "modified", "fetched", "checked")}
    blocks = tuple(Block(**{**block, "headings": tuple(block["headings"])}) for block in stored["blocks"])
    images = tuple(Image(**image) for image in stored.get("images", ()))
    authors = tuple(stored.get("authors", ()))
    return Page(**{**stored, **dates, "blocks": blocks, "images": images, "authors": authors})


def _date(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None


def _passage(stored: dict[str, Any]) -> Passage:
    return Passage(**{**stored, "headings": tuple(stored["headings"])})
