"""What makes the page installable and lets conversations open without the server: manifest, worker, its page."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response

from answerable.web.api import EngineDep
from answerable.web.showing import show
from answerable.web.templating import base_of
from answerable.web.words import words_for

STATIC = Path(__file__).parent / "static"
WORKER = Path(__file__).parent / "templates" / "sw.js"
LEFT_OUT = {".png"}
router = APIRouter(include_in_schema=False)


@router.get("/offline")
async def offline(request: Request, engine: EngineDep) -> Response:
    return show(request, engine, "offline.html")


@router.get("/sw.js")
async def worker(request: Request) -> Response:
    """The script that shows local copies when this server cannot be reached. It changes with what it keeps."""
    paths, version = _shell()
    text = WORKER.read_text("utf-8")
    for blank, value in (("{base}", base_of(request)), ("{version}", version), ("{shell}", json.dumps(paths))):
        text = text.replace(blank, value)
    return Response(text, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    base, words = base_of(request), words_for(request)
    icons = [
        {"src": f"{base}/static/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size, purpose in ((192, "any"), (512, "any"), (512, "maskable"))
    ]
    about = {
        "name": "Answerable",
        "short_name": "Answerable",
        "description": words("lead"),
        "lang": words.language,
        "id": f"{base}/",
        "start_url": f"{base}/",
        "scope": f"{base}/",
        "display": "standalone",
        "background_color": "#faf8f3",
        "theme_color": "#faf8f3",
        "icons": icons,
    }
    headers = {"Cache-Control": "no-cache"}
    return Response(json.dumps(about, ensure_ascii=False), media_type="application/manifest+json", headers=headers)


@cache
def _shell() -> tuple[list[str], str]:
    """Addresses of the scripts, styles and words, and a mark that changes with any of them."""
    files = [path for path in sorted(STATIC.rglob("*")) if path.is_file() and path.suffix not in LEFT_OUT]
    marks = hashlib.sha256(b"".join(path.read_bytes() for path in [WORKER, *files]))
    return [f"/static/{path.relative_to(STATIC).as_posix()}" for path in files], marks.hexdigest()[:12]
