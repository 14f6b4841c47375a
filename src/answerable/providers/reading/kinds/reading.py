"""Each kind of document but HTML to its reader."""

from __future__ import annotations

from answerable.providers.reading.decode import decode
from answerable.providers.reading.extracted import Extracted, Job, Kind
from answerable.providers.reading.kinds.feed import read_feed
from answerable.providers.reading.kinds.json import read_json
from answerable.providers.reading.kinds.office import read_office
from answerable.providers.reading.kinds.table import looks_like_table, read_table
from answerable.providers.reading.kinds.text import read_text


def read_kind(kind: Kind, job: Job) -> Extracted:
    """Never raises for what a body holds."""
    if kind == "pdf":
        from answerable.providers.reading.kinds.pdf import read_pdf  # loads PDFium, which few pages need

        return read_pdf(job)
    if kind == "docx" or kind == "xlsx" or kind == "pptx":
        return read_office(kind, job)
    if kind == "other" and job.body.startswith(b"\xd0\xcf\x11\xe0"):
        return Extracted(kind, cause="not_text", message="an encrypted or very old Office file, which cannot be read")
    if kind == "other":
        return Extracted(kind, cause="not_text", message=f"no text ({job.content_type or 'unknown kind'})")
    text = decode(job.body, job.content_type)
    if kind == "json":
        return read_json(text, job)
    if kind == "feed":
        return read_feed(text, job)
    return read_table(text, job) if looks_like_table(text, job) else read_text(text, job)
