"""One text put together block by block, with each one's span, headings above it and place in a paged document."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from answerable.providers.reading.extracted import MAX_CHARS, Extracted
from answerable.text.cleaning import storable
from answerable.types import Block, BlockKind, Cut, PageKind


@dataclass(slots=True)
class Composer:
    """`add` returns False once the text is full; what did not fit is cut between lines or words. `cut` is for whoever
    knows that there was more."""

    limit: int = MAX_CHARS
    blocks: list[Block] = field(default_factory=list)
    full: bool = False
    cut: Cut | None = None
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0
    _path: list[tuple[int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def add(self, kind: BlockKind, text: str, *, level: int = 0, leaf: int | None = None) -> bool:
        """Text of white space alone is no block. A heading without a level is of the lowest."""
        text = storable(text)
        text = text.strip("\n") if kind in {"code", "table"} else text.strip()
        if not text.strip() or self.full:
            return not self.full
        gap = self._gap(kind)
        room = self.limit - self._length - len(gap)
        if len(text) > room:
            self.full, self.cut = True, "size"
            cut = text[: max(0, room)]
            text = cut.rpartition("\n")[0] or cut.rpartition(" ")[0]
            if not text.strip():
                return False
        level = (min(level, 6) or 6) if kind == "heading" else 0
        if level:
            self._path = [(held, title) for held, title in self._path if held < level]
        start = self._length + len(gap)
        titles = tuple(title for _, title in self._path)
        self.blocks.append(Block(kind, start, start + len(text), titles, level, leaf))
        if level:
            self._path.append((level, text))
        self._pieces += [gap, text] if gap else [text]
        self._length = start + len(text)
        return not self.full

    def extracted(
        self,
        kind: PageKind,
        title: str,
        *,
        author: str | None = None,
        published: datetime | None = None,
        modified: datetime | None = None,
        nothing: str = "an answer without text",
    ) -> Extracted:
        """What was put together; `nothing` is said when it is no text at all."""
        return Extracted(
            kind,
            title,
            self.text,
            tuple(self.blocks),
            published,
            modified,
            author,
            cause=None if self.blocks else "empty",
            message="" if self.blocks else nothing,
            cut=self.cut,
        )

    def _gap(self, kind: BlockKind) -> str:
        if not self.blocks:
            return ""
        before = self.blocks[-1].kind
        return "\n" if before == "caption" or before == kind == "list_item" else "\n\n"
