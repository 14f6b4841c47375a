"""Rerankers behind an address: Cohere, Voyage, Jina, and servers of one's own that speak like them."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2

from answerable.errors import RerankError, SettingsError
from answerable.protocols import Clock
from answerable.providers.headers import retry_after
from answerable.providers.search.http import USER_AGENT, utc_now
from answerable.text.urls import is_web_url

_REST = 60.0  # seconds after a failure, when nothing is told: every question would else wait for it
_LONGEST_REST = 600.0
_MAX_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a kind of server is asked: `texts` and `rows` are the names of the lists it takes and gives ("" for a list
    without a name), `score` that of a row's score, `key` the setting that holds the key."""

    address: str
    path: str
    key: str
    model: bool = True
    texts: str = "documents"
    rows: str = "results"
    score: str = "relevance_score"


DIALECTS = {
    "cohere": Dialect("https://api.cohere.com", "/v2/rerank", "cohere_key"),
    "voyage": Dialect("https://api.voyageai.com", "/v1/rerank", "voyage_key", rows="data"),
    "jina": Dialect("https://api.jina.ai", "/v1/rerank", "jina_key"),
    "server": Dialect("", "/v1/rerank", "reranker_key"),  # vLLM, LiteLLM, Infinity, llama.cpp, LocalAI
    "tei": Dialect("", "/rerank", "reranker_key", model=False, texts="texts", rows="", score="score"),
}


class RemoteReranker:
    """`protocols.Reranker`. Scores of a server that gives no probabilities are made some by the logistic function.

    Raises RerankError; after one it rests, and raises at once, for as long as it was told or for a minute.
    """

    def __init__(
        self,
        vendor: str,
        model: str,
        *,
        base_url: str = "",
        api_key: str = "",
        timeout: float = 1.5,
        proxy: str = "",
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.dialect = DIALECTS[vendor]
        self.name = f"{vendor}:{model}" if model else vendor
        address = (base_url or self.dialect.address).rstrip("/")
        # An address that names the endpoint is taken as it is.
        self._url = address if address.endswith("/rerank") else f"{address}{self.dialect.path}"
        self._model, self._key, self._timeout = model, api_key, timeout
        self._clock, self._monotonic = clock, monotonic
        self._until, self._reason = 0.0, ""
        self._client = httpx2.AsyncClient(
            proxy=proxy or None,
            trust_env=False,
            headers={"User-Agent": USER_AGENT, "Accept": "application/json"},
            timeout=timeout,
        )

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        if self._monotonic() < self._until:
            raise RerankError(self.name, f"{self._reason}; it is not asked again for a while")
        try:
            async with asyncio.timeout(self._timeout):
                scores = self._read(await self._ask(question, texts), len(texts))
        except TimeoutError:
            raise self._failed(f"did not answer within {self._timeout:g} s") from None
        except httpx2.TimeoutException:
            raise self._failed(f"did not answer within {self._timeout:g} s") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as fault:  # its text can hold a header, and the key
            raise self._failed(f"could not be reached ({type(fault).__name__})") from None
        return scores

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _ask(self, question: str, texts: Sequence[str]) -> Any:
        body: dict[str, Any] = {"query": question[:4_000], self.dialect.texts: [text or " " for text in texts]}
        if self.dialect.model:
            body["model"] = self._model
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        answer = await self._client.post(self._url, json=body, headers=headers)
        if answer.status_code != 200:
            meaning = {401: "refused the key", 403: "refused the key", 429: "limits how often it is asked"}
            wait = retry_after(answer.headers, self._clock())
            told = meaning.get(answer.status_code, "refused the request")
            raise self._failed(f"{told} (status {answer.status_code})", wait)
        try:
            return answer.json() if len(answer.content) <= _MAX_BYTES else None
        except (ValueError, RecursionError):
            return None

    def _read(self, answer: Any, count: int) -> list[float]:
        """One score a text, in the order of the texts; a text that the server left out has the lowest."""
        rows = answer.get(self.dialect.rows) if self.dialect.rows and isinstance(answer, Mapping) else answer
        found: dict[int, float] = {}
        for row in rows if isinstance(rows, list) else []:
            index, score = (row.get("index"), row.get(self.dialect.score)) if isinstance(row, dict) else (None, None)
            number = _number(score)
            if type(index) is int and 0 <= index < count and number is not None:
                found[index] = number
        if not found:
            raise self._failed("sent an answer that is not as documented")
        if any(not 0 <= score <= 1 for score in found.values()):
            found = {index: _logistic(score) for index, score in found.items()}
        return [found.get(index, 0.0) for index in range(count)]

    def _failed(self, reason: str, wait: float | None = None) -> RerankError:
        self._until = self._monotonic() + min(_REST if wait is None else wait, _LONGEST_REST)
        self._reason = reason
        return RerankError(self.name, reason)


def _number(value: object) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if known else None  # type: ignore[arg-type]  # a number, as the line above made sure


def _logistic(score: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, score))))


def make_reranker(
    name: str, value: Callable[[str], object], called: Callable[[str], str], *, clock: Clock
) -> RemoteReranker | None:
    """None for an empty name: the local one alone. `value` gives a setting, `called` its public name.

    Raises SettingsError for an unknown vendor and for what it lacks.
    """
    if not name:
        return None
    vendor, _, model = name.partition(":")
    dialect = DIALECTS.get(vendor)
    if dialect is None:
        raise SettingsError([f"reranker {name!r} is unknown. Known: {', '.join(f'{one}:MODEL' for one in DIALECTS)}."])
    if dialect.model and not model:
        raise SettingsError([f"reranker {name!r} needs a model: {vendor}:MODEL"])
    key, url = str(value(dialect.key) or ""), str(value("reranker_url") or "")
    if dialect.address and not key:
        raise SettingsError([f"reranker {name!r} needs {called(dialect.key)}"])
    if not dialect.address and not is_web_url(url):
        raise SettingsError([f"reranker {name!r} needs {called('reranker_url')}"])
    return RemoteReranker(
        vendor,
        model,
        base_url="" if dialect.address else url,
        api_key=key,
        timeout=float(str(value("rerank_timeout"))),
        proxy=str(value("proxy")) if dialect.address else "",
        clock=clock,
    )
