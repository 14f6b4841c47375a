"""PDF files written by hand, so that tests know every byte of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text with its left end at (x, y) from the lower left corner, in points."""

    text: str
    x: float = 72
    y: float = 700
    size: float = 11
    bold: bool = False


def lines(*texts: str, top: float = 700, x: float = 72, size: float = 11, step: float = 14) -> list[Line]:
    """Lines one below the other; an empty one leaves a gap."""
    return [Line(text, x, top - step * n, size) for n, text in enumerate(texts) if text]


def pdf(
    pages: Sequence[Sequence[Line]],
    *,
    info: Mapping[str, str] | None = None,
    outline: Sequence[tuple[str, int]] = (),
    encrypted: bool = False,
) -> bytes:
    """`outline`: title and page from 0. A page of no lines holds a picture only."""
    objects: list[bytes] = []

    def add(body: str | bytes) -> int:
        objects.append(body.encode("latin-1") if isinstance(body, str) else body)
        return len(objects)

    catalog, tree = add(""), add("")
    plain = add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    bold = add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>")
    image = add(
        _stream("<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", b"x")
    )
    numbers = []
    for page in pages:
        drawn = b"".join(map(_drawn, page)) or b"q 500 0 0 700 50 50 cm /Im Do Q"
        content = add(_stream("<<", drawn))
        numbers.append(
            add(
                f"<</Type/Page/Parent {tree} 0 R/MediaBox[0 0 612 792]/Contents {content} 0 R"
                f"/Resources<</Font<</F {plain} 0 R/B {bold} 0 R>>/XObject<</Im {image} 0 R>>>>>>"
            )
        )
    entries = "".join(f"/{name}{_string(value)}" for name, value in (info or {}).items())
    about = add(f"<<{entries}>>")
    outlines = _outline(outline, numbers, objects)
    objects[catalog - 1] = f"<</Type/Catalog/Pages {tree} 0 R{outlines}>>".encode()
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects[tree - 1] = f"<</Type/Pages/Count {len(numbers)}/Kids[{kids}]>>".encode()
    lock = ""
    if encrypted:
        dead = "<" + "ab" * 32 + ">"
        number = add(f"<</Filter/Standard/V 1/R 2/P -4/O {dead}/U {dead}>>")
        lock = f"/Encrypt {number} 0 R/ID[<{'00' * 16}><{'00' * 16}>]"
    return _file(objects, f"<</Size {len(objects) + 1}/Root {catalog} 0 R/Info {about} 0 R{lock}>>")


def _drawn(line: Line) -> bytes:
    text = line.text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    font = "B" if line.bold else "F"
    return f"BT /{font} {line.size:g} Tf {line.x:g} {line.y:g} Td (".encode() + text + b") Tj ET\n"


def _stream(head: str, data: bytes) -> bytes:
    return f"{head}/Length {len(data)}>>stream\n".encode() + data + b"\nendstream"


def _string(value: str) -> str:
    return "<FEFF" + value.encode("utf-16-be").hex() + ">"


def _outline(entries: Sequence[tuple[str, int]], pages: Sequence[int], objects: list[bytes]) -> str:
    if not entries:
        return ""
    root = len(objects) + 1
    first, last = root + 1, root + len(entries)
    objects.append(f"<</Type/Outlines/First {first} 0 R/Last {last} 0 R/Count {len(entries)}>>".encode())
    for number, (title, page) in enumerate(entries, start=first):
        after = f"/Next {number + 1} 0 R" if number < last else ""
        before = f"/Prev {number - 1} 0 R" if number > first else ""
        dest = f"/Dest[{pages[page]} 0 R/Fit]"
        objects.append(f"<</Title{_string(title)}/Parent {root} 0 R{before}{after}{dest}>>".encode())
    return f"/Outlines {root} 0 R"


def _file(objects: Sequence[bytes], trailer: str) -> bytes:
    out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start = len(out)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    return out + f"{head}trailer\n{trailer}\nstartxref\n{start}\n%%EOF\n".encode()
