"""Fuzzes decoding, extraction of every kind, and passages: no crash, no hang, spans exact. `make fuzz` runs it.

With atheris (coverage-guided) when it is installed, else with plain mutations of the same seeds. A failing input is
written to `crash-…` in the working folder; give it as an argument to see it again.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

try:
    import atheris

    instrumented: AbstractContextManager[object] = atheris.instrument_imports(include=["answerable"])
except ImportError:
    atheris, instrumented = None, nullcontext()

with instrumented:
    from answerable.providers.reading.decode import decode, kind_of
    from answerable.providers.reading.extract import extract
    from answerable.providers.reading.extracted import Job
    from answerable.providers.reading.kinds import office, pdf  # noqa: F401 (imported where they are met)
    from answerable.text.passages import best_part, page_id_of, split_passages
    from answerable.types import Page

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SECONDS_AN_INPUT = 10.0  # of up to 64 kB; an ordinary page of that size takes 30 ms
LABELS = (
    ("text/html", "a.html"),
    ("text/html; charset=gb2312", "a.html"),
    ("", "a"),
    ("text/plain; charset=utf-16", "a.txt"),
    ("application/json", "a.json"),
    ("text/csv", "a.csv"),
    ("text/markdown", "a.md"),
    ("application/rss+xml", "a.xml"),
    ("application/pdf", "a.pdf"),
    ("text/html; charset=iso-2022-jp", "a.html"),
)
SEEDS = (
    b"\x00<html><head><title>T</title><meta charset=cp1251></head><body><article><h1>H</h1><p>Text. More text.</p>"
    b"<table><tr><th rowspan=2>a<td>b</table><pre>code</pre><ul><li>x<ul><li>y</ul></ul>"
    b"<img src=a alt='A long alt'></article>",
    b'\x04{"a": [{"b": 1.50, "c": "d"}, {"b": 2}], '
    b'"version": "https://jsonfeed.org/version/1", "items": [{"title": "x"}]}',
    b'\x05a;b\n1;"2\n3"\n',
    b"\x06---\ntitle: x\n---\n# H\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n> q\n\n1. x\n",
    b"\x07<?xml version='1.0'?><rss><channel><title>t</title><item><title>x</title>"
    b"<description>&lt;p&gt;y</description><pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate></item></channel></rss>",
    b"\x08%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
    b"4 0 obj<</Length 40>>stream\nBT /F 9 Tf 9 50 Td (Text here) Tj ET\nendstream endobj\n"
    b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF",
    "\x03\ufeff橋の長さは四百十メートルで、費用は三億円。".encode("utf-16-le"),
    b"\x09\x1b$B66\x1b(B <p>text",
)


def check(data: bytes) -> None:
    """Raises AssertionError, or whatever broke."""
    began = time.monotonic()
    label, name = LABELS[data[0] % len(LABELS)] if data else LABELS[0]
    body = data[1:]
    assert isinstance(decode(body, label), str)
    kind_of(body, label)
    found = extract(Job(body, f"https://site.example/{name}", label, NOW))
    at = 0
    for block in found.blocks:
        assert at <= block.start < block.end <= len(found.text), "blocks overlap or leave the text"
        assert found.text[block.start : block.end].strip(), "an empty block"
        at = block.end
    found.text.encode()  # no half of a surrogate pair
    page = Page(page_id_of("u", found.text), "u", "", "", found.text, found.blocks)
    passages = split_passages(page)
    assert all(page.text[p.start : p.end] == p.text for p in passages), "a span is not exact"
    covered = "".join("".join(p.text for p in passages).split())
    blocks = "".join("".join(page.text[b.start : b.end] for b in page.blocks).split())
    assert covered == blocks or not page.blocks, "passages do not hold the blocks once and in order"
    assert len({p.passage_id for p in passages}) == len(passages), "two passages share an id"
    assert set(best_part(page, ["text"], 2000)) <= set(passages), "the best part is not part of the whole"
    assert time.monotonic() - began < SECONDS_AN_INPUT, "it takes too long"


def mutations(seconds: float, checked: Callable[[bytes], None]) -> int:
    """Random changes to the seeds and to what came of them, until the time is over; returns how many were tried."""
    chance = random.Random(20261130)
    pool, tried, end = list(SEEDS), 0, time.monotonic() + seconds
    while time.monotonic() < end:
        data = bytearray(chance.choice(pool))
        for _ in range(chance.randint(1, 12)):
            at, other = chance.randrange(len(data) + 1), chance.choice(pool)
            piece = other[chance.randrange(len(other)) :][: chance.randint(1, 60)]
            way = chance.randrange(4)
            if way == 0:
                data[at:at] = piece * chance.choice((1, 1, 1, 50))
            elif way == 1:
                del data[at : at + chance.randint(1, 20)]
            elif way == 2:
                data[at : at + 1] = bytes([chance.randrange(256)])
            else:
                data[at : at + len(piece)] = piece
        one = bytes(data[:65_536]) or b"\0"
        checked(one)
        tried += 1
        if chance.random() < 0.02:
            pool = [*SEEDS, *pool[len(SEEDS) :][-60:], one]
    return tried


def kept(data: bytes) -> None:
    """`check`, and the input of a failure is written down."""
    try:
        check(data)
    except BaseException:
        name = f"crash-{hashlib.sha256(data).hexdigest()[:12]}"
        Path(name).write_bytes(data)
        traceback.print_exc()
        print(f"written to {name}")
        raise


def guided(seconds: int) -> None:
    folder = Path(".fuzz-corpus")
    folder.mkdir(exist_ok=True)
    for seed in SEEDS:
        (folder / hashlib.sha256(seed).hexdigest()[:12]).write_bytes(seed)
    options = [sys.argv[0], f"-max_total_time={seconds}", "-max_len=65536", "-rss_limit_mb=4000", "-timeout=30"]
    atheris.Setup([*options, str(folder)], check)
    atheris.Fuzz()  # ends the process


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("inputs", nargs="*", type=Path, help="inputs to check again")
    parser.add_argument("--seconds", type=int, default=60)
    given = parser.parse_args()
    if given.inputs:
        for path in given.inputs:
            check(path.read_bytes())
        print(f"{len(given.inputs)} inputs, no fault")
        return
    if atheris is None:
        print("atheris is not installed: plain mutations")
        print(f"{mutations(given.seconds, kept):,} inputs in {given.seconds} s, no fault")
    else:
        guided(given.seconds)


if __name__ == "__main__":
    main()
