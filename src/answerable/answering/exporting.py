"""A conversation to take along: as JSON (which can be brought in again), Markdown, or one safe HTML file."""

from __future__ import annotations

import contextlib
import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from typing import Any

from pydantic import TypeAdapter, ValidationError

from answerable.answering.exported_html import html_of_answer
from answerable.errors import BadRequest, NotFound
from answerable.protocols import Conversation, ConversationStore, Feedback, FeedbackStore, History, PageCache
from answerable.schemas import CONVERSATION, PAGE, TURN
from answerable.text.cleaning import shortened, storable_json
from answerable.text.passages import page_id_of
from answerable.text.urls import is_web_url
from answerable.types import Citation, Page, Sentence, Source, Turn

FORMAT = "answerable-conversation-1"
MOST_TURNS = 1000  # of a conversation that is brought in; and as many attempts that were tried again
MOST_FEEDBACK = 10_000
VOTES = {"up", "down"}
MOST_SAID = 10_000  # characters of a feedback's reason or detail
_FEEDBACK: TypeAdapter[tuple[Feedback, ...]] = TypeAdapter(tuple[Feedback, ...])


@dataclass(frozen=True, slots=True)
class Exported:
    """A conversation with all that belongs to it: attempts that were tried again, feedback, the pages it cites."""

    conversation: Conversation
    earlier: tuple[Turn, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    pages: tuple[Page, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """What an export brings, under new ids. `turns`: the attempts of each turn in their order, the one shown last."""

    title: str
    turns: tuple[Turn, ...]
    pages: tuple[Page, ...]
    feedback: tuple[Feedback, ...] = ()


def to_json(exported: Exported) -> str:
    whole = CONVERSATION.dump_python(exported.conversation, mode="json", exclude={"owner"})
    return json.dumps(
        {
            "format": FORMAT,
            **whole,
            "earlier_attempts": [TURN.dump_python(turn, mode="json") for turn in exported.earlier],
            "feedback": _FEEDBACK.dump_python(exported.feedback, mode="json"),
            "pages": [PAGE.dump_python(page, mode="json") for page in exported.pages],
        },
        ensure_ascii=False,
        indent=1,
    )


def from_json(body: bytes) -> Imported:
    """Raises BadRequest, which names what does not fit."""
    try:
        read: Any = storable_json(json.loads(body))
        if not isinstance(read, dict) or read.get("format") != FORMAT:
            raise BadRequest(
                f"this is no exported conversation: `format` is not {FORMAT!r}",
                hint="Send a file that was exported as JSON.",
            )
        conversation = CONVERSATION.validate_python(read)
        pages = TypeAdapter(tuple[Page, ...]).validate_python(read.get("pages") or [])
        earlier = TypeAdapter(tuple[Turn, ...]).validate_python(read.get("earlier_attempts") or [])
        feedback = _FEEDBACK.validate_python(read.get("feedback") or [])
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadRequest(f"this is not JSON: {fault}", hint="Send a file that was exported as JSON.") from None
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadRequest(f"{where}: {first['msg']}", hint="Send the file as it was exported.") from None
    _bound(conversation.turns, earlier, feedback)
    turns = _anew(conversation.turns, earlier)
    cited = {citation.page_id for turn in turns.values() for citation in turn.citations}
    # A page's id is made of its address and its text: what does not match is not what was read.
    kept = tuple(page for page in pages if page.page_id in cited and page.page_id == page_id_of(page.url, page.text))
    return Imported(shortened(conversation.title, 120), tuple(turns.values()), kept, _said(feedback, turns))


def _said(feedback: Sequence[Feedback], turns: Mapping[str, Turn]) -> tuple[Feedback, ...]:
    """Of these turns, with one vote an answer, the last."""
    votes = {one.answer_id: one for one in feedback if one.kind in VOTES}
    kept = (
        one for one in feedback if one.answer_id in turns and (one.kind not in VOTES or votes[one.answer_id] is one)
    )
    return tuple(replace(one, answer_id=turns[one.answer_id].id) for one in kept)


def _bound(turns: Sequence[Turn], earlier: Sequence[Turn], feedback: Sequence[Feedback]) -> None:
    if not 1 <= len(turns) <= MOST_TURNS:
        raise BadRequest(f"turns: expected 1 to {MOST_TURNS}, found {len(turns)}")
    if len(earlier) > MOST_TURNS:
        raise BadRequest(f"earlier_attempts: expected at most {MOST_TURNS}, found {len(earlier)}")
    if len(feedback) > MOST_FEEDBACK:
        raise BadRequest(f"feedback: expected at most {MOST_FEEDBACK}, found {len(feedback)}")
    for number, one in enumerate(feedback):
        if one.created.tzinfo is None:
            raise BadRequest(f"feedback.{number}.created: a time zone is missing")
        if len(one.reason) > MOST_SAID or len(one.detail) > MOST_SAID:
            raise BadRequest(f"feedback.{number}: expected at most {MOST_SAID:,} characters")


def _anew(turns: Sequence[Turn], earlier: Sequence[Turn]) -> dict[str, Turn]:
    """By the ids they had, under new ones. Raises BadRequest where something does not belong together."""
    id = f"con_{uuid.uuid4().hex[:20]}"
    found: dict[str, Turn] = {}
    before: dict[str, list[tuple[str, Turn]]] = {turn.turn_id: [] for turn in turns}
    for number, turn in enumerate(earlier):
        if turn.turn_id not in before:
            raise BadRequest(f"earlier_attempts.{number}: it is of no turn of this conversation")
        before[turn.turn_id].append((f"earlier_attempts.{number}", turn))
    for number, shown in enumerate(turns):
        turn_id = f"turn_{uuid.uuid4().hex[:20]}"
        attempts = [*sorted(before[shown.turn_id], key=lambda held: held[1].attempt), (f"turns.{number}", shown)]
        for attempt, (place, turn) in enumerate(attempts, start=1):
            _check(turn, place)
            if turn.id in found:
                raise BadRequest(f"{place}: its id {turn.id!r} stands for another one, too")
            found[turn.id] = replace(
                turn,
                id=f"run_{uuid.uuid4().hex[:20]}",
                conversation_id=id,
                turn_id=turn_id,
                attempt=attempt,
                state="interrupted" if turn.state == "running" else turn.state,
            )
        before[shown.turn_id] = []
    return found


def _check(turn: Turn, place: str) -> None:
    """Raises BadRequest where citations and text do not belong together."""
    shown = {sentence.index: sentence for sentence in turn.sentences}
    for citation in turn.citations:
        sentence = shown.get(citation.sentence)
        if sentence is None or citation.n not in sentence.numbers or f"[{citation.n}]" not in sentence.text:
            raise BadRequest(f"{place}: citation [{citation.n}] is not in the sentence that it names")
        if not is_web_url(citation.url) and citation.url:
            raise BadRequest(f"{place}: {citation.url!r} of citation [{citation.n}] is no web address")
    if turn.created.tzinfo is None:
        raise BadRequest(f"{place}.created: a time zone is missing")


def to_markdown(exported: Exported) -> str:
    conversation = exported.conversation
    lines = [f"# {_md(conversation.title)}", "", f"{_day(conversation.created)}"]
    for turn in conversation.turns:
        lines += ["", f"## {_md(turn.question)}", "", turn.answer or f"({turn.state})"]
        if turn.citations:
            lines += ["", "### Sources", ""]
        for source in turn.sources:
            lines.append(f"{source.n}. {_md(source.title or source.site)} ({_md(source.site)}): {_address(source.url)}")
            for citation in _of(turn, source.page_id):
                lines.append(f"   - {_verdict(citation)}: “{_md(citation.quote)}”")
        doubtful = list(_without_support(turn))
        if doubtful:
            lines += ["", "### Claims without support", ""]
            lines += [f"- {sentence.verdict}: {_md(sentence.text)}" for sentence in doubtful]
        if turn.notes:
            lines += ["", *(f"> {_md(note.message)}" for note in turn.notes)]
    return "\n".join([*lines, ""])


def to_html(exported: Exported) -> str:
    """One file that loads nothing and runs nothing: a policy in it forbids both."""
    conversation = exported.conversation
    title = escape(shortened(conversation.title, 120))
    parts = [_HEAD.format(title=title), f"<h1 dir=auto>{title}</h1><p>{_day(conversation.created)}</p>"]
    for number, turn in enumerate(conversation.turns, start=1):
        parts.append(f"<article><h2 dir=auto>{escape(turn.question)}</h2>")
        parts.append(f"<div dir=auto>{html_of_answer(turn, f't{number}')}</div>")
        if turn.state != "done":
            parts.append(f"<p><em>{escape(turn.state)}</em></p>")
        if turn.sources:
            parts.append(_html_sources(turn, f"t{number}"))
        if doubtful := list(_without_support(turn)):
            items = "".join(f"<li dir=auto><b>{escape(s.verdict or '')}</b>: {escape(s.text)}</li>" for s in doubtful)
            parts.append(f"<h3>Claims without support</h3><ul>{items}</ul>")
        parts += [f"<p dir=auto><small>{escape(note.message)}</small></p>" for note in turn.notes]
        parts.append("</article>")
    return "\n".join([*parts, "</body></html>\n"])


def _html_sources(turn: Turn, anchor: str) -> str:
    items = []
    for source in turn.sources:
        name = escape(source.title or source.site or source.url)
        if is_web_url(source.url):
            name = f'<a href="{escape(source.url)}" rel="noopener noreferrer nofollow">{name}</a>'
        quotes = "".join(
            f"<li dir=auto><b>{escape(_verdict(citation))}</b>: <q>{escape(citation.quote)}</q></li>"
            for citation in _of(turn, source.page_id)
        )
        read = _read_in_part(source)
        items.append(
            f'<li id="{anchor}-{source.n}" value="{source.n}" dir=auto>{name} <small>{escape(source.site)}'
            f"{escape(read)}</small><ul>{quotes}</ul></li>"
        )
    return f"<h3>Sources</h3><ol>{''.join(items)}</ol>"


def _read_in_part(source: Source) -> str:
    if source.read_as == "snippet":
        return " (only the search provider's extract was read)"
    return " (only the beginning was read)" if source.cut else ""


_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}}
article{{border-top:1px solid #8888;margin-top:2rem}}q{{quotes:none;font-style:italic}}
table{{border-collapse:collapse}}td,th{{border:1px solid #8888;padding:.2rem .5rem}}
:target{{background:#ffe9a8}}</style></head><body>"""


def _of(turn: Turn, page_id: str) -> Iterator[Citation]:
    return (citation for citation in turn.citations if citation.page_id == page_id)


def _without_support(turn: Turn) -> Iterator[Sentence]:
    return (sentence for sentence in turn.sentences if sentence.verdict in {"unsupported", "uncited"})


def _verdict(citation: Citation) -> str:
    return f"{citation.verdict} ({citation.reason})" if citation.reason else citation.verdict


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _address(url: str) -> str:
    return f"<{url}>" if is_web_url(url) and not set(url) & set("<> \n") else _md(url)


def _md(text: str) -> str:
    """On one line, with nothing in it that Markdown would take for its own."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|~!" else sign for sign in " ".join(text.split()))


FORMATS: dict[str, tuple[Callable[[Exported], str], str, str]] = {  # name -> what makes it, media type, ending
    "json": (to_json, "application/json", "json"),
    "markdown": (to_markdown, "text/markdown; charset=utf-8", "md"),
    "html": (to_html, "text/html; charset=utf-8", "html"),
}


async def exported(
    id: str,
    owner: str | None,
    store: ConversationStore,
    history: History,
    feedback: FeedbackStore,
    pages: PageCache,
) -> Exported:
    """The conversation with all that belongs to it. Raises NotFound."""
    conversation = await store.conversation(id, owner=owner)
    shown = {turn.id for turn in conversation.turns}
    earlier = tuple(turn for turn in await history.attempts(id, owner=owner) if turn.id not in shown)
    cited = dict.fromkeys(citation.page_id for turn in conversation.turns for citation in turn.citations)
    kept = []
    for page_id in cited:
        with contextlib.suppress(NotFound):
            kept.append(await pages.page(page_id))
    return Exported(conversation, earlier, await feedback.of_conversation(id, owner=owner), tuple(kept))
