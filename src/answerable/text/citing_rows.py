"""A table row of an answer: its cells without markers, what each cites, and the claims to check."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.text.lines import cells_of
from answerable.text.markers import read_item
from answerable.text.units import Unit


@dataclass(frozen=True, slots=True)
class Cell:
    before: str  # white space
    words: str
    after: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RowClaim:
    """`cell` shows the markers that survive; no `numbers`: what the row's other cells keep must bear it out too."""

    cell: int
    text: str
    context: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RowDraft:
    cells: tuple[Cell, ...]
    opens: bool  # with a bar
    closes: bool

    def words(self) -> list[str]:
        return [cell.words for cell in self.cells]

    def filled(self) -> int:
        return sum(1 for cell in self.cells if any(char.isalnum() for char in cell.words))

    def text(self, shown: dict[int, str]) -> str:
        """The row with the markers that survived at the ends of their cells."""
        cells = (
            cell.before + cell.words + shown.get(position, "") + cell.after for position, cell in enumerate(self.cells)
        )
        return "|" * self.opens + "|".join(cells) + "|" * self.closes

    def claims(self, header: list[str], stem: str) -> list[RowClaim]:
        """One claim a cell that cites. Markers on the label or only on the last cell speak for the whole row."""
        marked = [position for position, cell in enumerate(self.cells) if cell.numbers]
        if not marked:
            return []
        data = [position for position, cell in enumerate(self.cells) if position > 0 and cell.words]
        if marked in ([0], [len(self.cells) - 1]):
            return [self.claim(data, header, stem, marked[0], self.cells[marked[0]].numbers)]
        claims = [self.claim([at] if at else data, header, stem, at, self.cells[at].numbers) for at in marked]
        unmarked = [position for position in data if position not in marked]
        if unmarked and 0 not in marked:
            claims.append(self.claim(unmarked, header, stem, -1, ()))
        return claims

    def claim(self, cells: list[int], header: list[str], stem: str, at: int, numbers: tuple[int, ...]) -> RowClaim:
        heads = [header[position] for position in (0, *cells) if position < len(header)]
        words = [self.cells[0].words, *(self.cells[position].words for position in cells)]
        return RowClaim(at, " ".join(filter(None, words)), " ".join(filter(None, (stem, *heads))), numbers)


def draft_row(row: str, sources: int) -> RowDraft:
    stripped = row.strip()
    cells = tuple(read_cell(cell, sources) for cell in cells_of(row))
    return RowDraft(cells, stripped.startswith("|"), len(stripped) > 1 and stripped.endswith("|"))


def read_cell(text: str, sources: int) -> Cell:
    unit = Unit(kind="table", prefix="", context="")
    bare = text.strip()
    at = 0
    while at < len(bare):
        item = read_item(bare, at, complete=True, sources=sources)
        unit.add(item, item.numbers if item.kind == "marker" else ())
        at = item.end
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :] if bare else ""
    return Cell(before, unit.clean.strip(), after, tuple(unit.cited(len(unit.clean))))
