"""A process that extracts: jobs come in on its standard input, results go out on its standard output.

Each message is a line of JSON and, for jobs, the body's bytes after it. JSON rather than pickle, so that a parser
broken by a hostile page can hand back nothing worse than wrong text.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any

from answerable.providers.reading.extract import extract
from answerable.providers.reading.extracted import Extracted, Job
from answerable.types import Block, Image

MEMORY = 2_000_000_000  # bytes of address space; a page of 8 MB takes some 300 MB at its worst
TOO_MUCH = "it needs more memory than a page is given"


def packed_job(job: Job) -> bytes:
    head = {
        "size": len(job.body),
        "url": job.url,
        "content_type": job.content_type,
        "now": job.now.isoformat(),
        "asked": job.asked,
        "seconds": job.seconds,
    }
    return json.dumps(head).encode() + b"\n" + job.body


def packed_result(result: Extracted) -> bytes:
    return json.dumps(asdict(result), default=datetime.isoformat).encode() + b"\n"


def unpacked_result(line: bytes) -> Extracted:
    fields: dict[str, Any] = json.loads(line)
    for name in ("published", "modified"):
        fields[name] = datetime.fromisoformat(fields[name]) if fields[name] else None
    blocks = tuple(Block(**(block | {"headings": tuple(block["headings"])})) for block in fields["blocks"])
    images = tuple(Image(**image) for image in fields["images"])
    return Extracted(**(fields | {"blocks": blocks, "images": images}))


def main() -> None:
    """Works until its input ends."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library says on standard output must not fall into the results
    logging.disable(logging.CRITICAL)
    _limit_memory(int(sys.argv[1]) if len(sys.argv) > 1 else MEMORY)
    output.write(b"ready\n")
    output.flush()
    while head := sys.stdin.buffer.readline():
        fields = json.loads(head)
        body = sys.stdin.buffer.read(fields["size"])
        now = datetime.fromisoformat(fields["now"])
        try:
            job = Job(body, fields["url"], fields["content_type"], now, fields["asked"], seconds=fields["seconds"])
            result = extract(job)
        except MemoryError:  # what it has taken is not given back: whoever sees this result ends the process
            result = Extracted("html", cause="too_large", message=TOO_MUCH)
        except RecursionError:
            result = Extracted("html", cause="decode", message="the page is too tangled to be read")
        output.write(packed_result(result))
        output.flush()


def _limit_memory(limit: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main()
