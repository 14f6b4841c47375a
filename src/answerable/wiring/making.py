"""Parts made of settings."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime
from functools import partial

from answerable.answering import differing
from answerable.config import Settings, environment_name, keep_quiet, proxies_of
from answerable.errors import AnswerableError
from answerable.protocols import Clock, Fetcher, Limits, Parts, Reranker, SupportChecker
from answerable.providers.reranking.lexical import LexicalReranker
from answerable.providers.search.names import make_provider
from answerable.providers.search.remembering import Remembering
from answerable.providers.support.learned import LearnedSupport
from answerable.providers.support.lexical import LexicalSupport

_log = logging.getLogger(__name__)


async def support_checker(settings: Settings) -> SupportChecker:
    """The learned one, ready to work; the lexical one when files of the learned one are missing or damaged."""
    keep_quiet()
    learned = LearnedSupport(strict=settings.support_strict, lenient=settings.support_lenient)
    try:
        await learned.ready()
    except AnswerableError as fault:
        _log.warning("%s; claims are checked by their words alone. %s", fault.message, fault.hint)
        return LexicalSupport()
    return learned


def value_of(settings: Settings, name: str, place: str = "https://search.example/") -> object:
    """A setting, the proxy as it is for this place: of what lies beyond it, only some is where the user says."""
    return proxies_of(settings).for_url(place) if name == "proxy" else getattr(settings, name)


def search_provider(settings: Settings, fetcher: Fetcher, clock: Clock, name: str) -> Remembering:
    """One of the web's. Raises SettingsError."""
    value = partial(value_of, settings)
    value = partial(value, place=settings.searxng_url) if name == "searxng" else value
    return make_provider(name, value, environment_name, fetcher=fetcher, clock=clock)


async def working_rerankers(parts: Parts) -> tuple[Reranker, Reranker | None]:
    """Of passages and of sentences. Files that are missing or damaged cost a model's judgement, not the answer."""
    reranker, answers = parts.reranker, parts.answers
    try:
        await reranker.score("warm up", ["warm up"])
    except AnswerableError as fault:
        _log.warning("%s; passages are ranked by their words alone. %s", fault.message, fault.hint)
        reranker = LexicalReranker()
    try:
        if answers is not None:
            await answers.score("warm up", ["warm up"])
            await asyncio.to_thread(differing.ready)
    except AnswerableError as fault:
        _log.warning("%s; sentences are chosen by likeness alone. %s", fault.message, fault.hint)
        answers = None
    return reranker, answers


def limits_of(settings: Settings) -> Limits:
    return Limits(
        results_per_query=settings.results,
        pages=settings.pages,
        passages=settings.passages,
        rounds=settings.rounds,
        context_tokens=settings.context_tokens,
        plan_timeout=settings.plan_timeout,
        search_timeout=settings.search_timeout,
        read_timeout=settings.read_timeout,
        answer_timeout=settings.answer_timeout,
        suggest_timeout=settings.suggest_timeout,
        judge_timeout=settings.judge_timeout,
        judge_share=settings.judge_share,
    )


def reader_clock() -> datetime:
    """Now, in this machine's time zone."""
    return datetime.now().astimezone()
