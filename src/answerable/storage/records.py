"""A turn as rows: what is asked of the database stands in columns, all of it in the record."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic_core import PydanticSerializationError
from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from answerable.errors import StorageError
from answerable.schemas import ASK, TURN
from answerable.storage.tables import CitationRow, EvidenceRow, SourceRow, TermRow, stored_time
from answerable.text.cleaning import storable
from answerable.text.finding import search_terms
from answerable.types import Ask, Evidence, Turn

TITLE_PART = "title"  # where the terms of a conversation's title stand among those of its turns


def record_of(turn: Turn) -> str:
    """Raises StorageError for text that no database can hold."""
    try:
        return TURN.dump_json(turn).decode()
    except (PydanticSerializationError, UnicodeError) as fault:
        raise StorageError(
            "the answer holds half of a surrogate pair, which is no character and cannot be stored",
            hint="Text from outside is cleaned where it comes in; this is a fault of the software: report it.",
        ) from fault


def attempt_values(turn: Turn, *, ended: datetime | None = None) -> dict[str, Any]:
    return {
        "id": turn.id,
        "turn_id": turn.turn_id,
        "attempt": turn.attempt,
        "state": turn.state,
        "outcome": turn.outcome,
        "question": storable(turn.question),
        "record": record_of(turn),
        "created": stored_time(turn.created),
        "ended": stored_time(ended) if ended else "",
        "standalone_question": storable(turn.standalone_question),
        "answer": storable(turn.answer),
        "summary": storable(turn.summary),
        "model": turn.model,
        "plan": _json(turn, "plan"),
        "timings": _json(turn, "timings"),
        "claims": turn.support.claims,
        "supported": turn.support.supported,
        "partly": turn.support.partly,
        "unsupported": turn.support.unsupported,
        "uncited": turn.support.uncited,
        "input_tokens": turn.usage.input_tokens,
        "output_tokens": turn.usage.output_tokens,
        "cost": turn.cost,
    }


def _json(turn: Turn, field: str) -> str:
    text = TURN.dump_json(turn, include={field}).decode()
    return text[len(field) + 4 : -1]  # without the object around it: {"plan":…}


def choices_of(ask: Ask) -> dict[str, Any]:
    text = ASK.dump_json(ask, exclude={"question", "conversation_id", "idempotency_key", "owner"})
    return {"choices": text.decode(), "focus": ask.focus}


async def replace_details(connection: AsyncConnection, turn: Turn, evidence: Evidence | None) -> None:
    """The rows of citations, sources and evidence of an attempt, in the place of those that were there. Evidence that
    is not given stays: a later verdict changes none."""
    await connection.execute(delete(CitationRow).where(CitationRow.attempt_id == turn.id))
    await connection.execute(delete(SourceRow).where(SourceRow.attempt_id == turn.id))
    if evidence is not None:
        await connection.execute(delete(EvidenceRow).where(EvidenceRow.attempt_id == turn.id))
    for table, rows in (
        (CitationRow, _citations(turn)),
        (SourceRow, _sources(turn)),
        (EvidenceRow, _evidence(turn, evidence)),
    ):
        if rows:
            await connection.execute(insert(table), rows)


def _citations(turn: Turn) -> list[dict[str, Any]]:
    return [
        {
            "attempt_id": turn.id,
            "sentence": c.sentence,
            "n": c.n,
            "page_id": c.page_id,
            "verdict": c.verdict,
            "quote": storable(c.quote),
            "span_start": c.start,
            "span_end": c.end,
            "reason": storable(c.reason),
        }
        for c in {(c.sentence, c.n): c for c in turn.citations}.values()
    ]


def _sources(turn: Turn) -> list[dict[str, Any]]:
    return [
        {
            "attempt_id": turn.id,
            "position": position,
            "n": source.n,
            "page_id": source.page_id,
            "url": storable(source.url),
            "title": storable(source.title),
            "site": storable(source.site),
            "published": stored_time(source.published) if source.published else None,
            "read_as": source.read_as,
        }
        for position, source in enumerate((*turn.sources, *turn.also_read))
    ]


def _evidence(turn: Turn, evidence: Evidence | None) -> list[dict[str, Any]]:
    if evidence is None:
        return []
    scores = (*evidence.scores, *[0.0] * len(evidence.passages))
    return [
        {
            "attempt_id": turn.id,
            "position": position,
            "passage_id": passage.passage_id,
            "page_id": passage.page_id,
            "span_start": passage.start,
            "span_end": passage.end,
            "score": float(score),
            "text": storable(passage.text),
        }
        for position, (passage, score) in enumerate(zip(evidence.passages, scores, strict=False))
    ]


async def replace_terms(connection: AsyncConnection, conversation_id: str, part: str, text: str) -> None:
    await connection.execute(delete(TermRow).where(TermRow.conversation_id == conversation_id, TermRow.part == part))
    rows = [{"term": t, "conversation_id": conversation_id, "part": part} for t in search_terms(storable(text))]
    if rows:
        await connection.execute(insert(TermRow), rows)
