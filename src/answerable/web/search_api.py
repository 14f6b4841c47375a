"""`POST /v1/search`: pages and their passages without an answer, in the shape that Perplexity's clients read."""

from __future__ import annotations

import uuid
from dataclasses import asdict
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel

from answerable.answering.searching import FoundPage, FoundPassage
from answerable.schemas import SearchRequest
from answerable.types import Cut, Focus, Note, ReadAs
from answerable.web.api import PROBLEMS, EngineDep

router = APIRouter(responses=PROBLEMS)


class SearchResultReply(BaseModel):
    """`date` and `last_updated` are days; `snippet` is the provider's own extract, `passages` the page's words; `cut`
    says why only its beginning was read."""

    title: str
    url: str
    snippet: str
    date: str | None
    last_updated: str | None
    read_as: ReadAs
    passages: tuple[FoundPassage, ...]
    cut: Cut | None


class SearchReply(BaseModel):
    id: str
    results: list[SearchResultReply]
    queries: tuple[str, ...]
    notes: tuple[Note, ...]


@router.post("/v1/search", response_model=SearchReply)
@router.post("/search", response_model=SearchReply, include_in_schema=False)
async def search(request: Request, body: SearchRequest, engine: EngineDep) -> SearchReply:
    """Plan, search, read and rank; nothing is written. Providers and pages that failed are told in `notes`."""
    academic: Focus = "academic" if body.search_mode == "academic" else "web"
    found = await engine.search(
        body.query,
        max_results=body.max_results,
        focus=body.focus or academic,
        recency=body.search_recency_filter,
        domains=body.search_domain_filter or (),
    )
    results = [SearchResultReply(**result_fields(page)) for page in found.results]
    return SearchReply(id=f"search_{uuid.uuid4().hex[:20]}", results=results, queries=found.queries, notes=found.notes)


def result_fields(page: FoundPage) -> dict[str, Any]:
    return asdict(page) | {"date": day(page.date), "last_updated": day(page.last_updated)}


def day(moment: datetime | None) -> str | None:
    return moment.date().isoformat() if moment else None
