"""What is counted while the engine runs, in the text format of Prometheus. Knows no web, no engine, no vendor."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from answerable.types import Turn, Usage

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MOST_NAMES = 50  # of one label: a metric keeps a row for each name it ever saw, and model names come from callers
OTHER = "other"
_NAME_CHARS = 100
_STAGE_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_WAIT_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5)
_SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
_PAGES = (0, 1, 2, 3, 5, 8, 12)


class Telemetry:
    """The figures of one engine, in a registry of its own: two engines in one process do not mix.

    `turn_ended` is called once a turn, whatever became of it; the rest follows from the turn. Names beyond the first
    `MOST_NAMES` of a label are counted as `other`.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._names: dict[str, set[str]] = {}
        self._turns = Counter("answerable_turns", "Turns that ended", ["state", "outcome"], registry=registry)
        self._claims = Counter("answerable_claims", "Claims of finished turns", ["verdict"], registry=registry)
        self._unknown = Counter(
            "answerable_unknown_markers", "Markers to sources that do not exist, dropped", registry=registry
        )
        self._uncited = Histogram(
            "answerable_uncited_share", "Share of a turn's claims without a source", buckets=_SHARES, registry=registry
        )
        self._used = Histogram(
            "answerable_sources_used", "Pages cited in a turn with claims", buckets=_PAGES, registry=registry
        )
        self._stages = Histogram(
            "answerable_stage_seconds", "Time of a stage of a turn", ["stage"], buckets=_STAGE_SECONDS,
            registry=registry,
        )  # fmt: skip
        self._waits = Histogram(
            "answerable_check_seconds", "Time a finished claim waited for its check", buckets=_WAIT_SECONDS,
            registry=registry,
        )  # fmt: skip
        self._searches = Counter(
            "answerable_search_failures", "Turns in which a search provider failed", ["provider", "cause"],
            registry=registry,
        )  # fmt: skip
        self._pages = Counter("answerable_page_failures", "Pages that could not be read", ["cause"], registry=registry)
        self._tokens = Counter("answerable_tokens", "Tokens of model calls", ["model", "direction"], registry=registry)
        self._judged = Counter("answerable_judged", "Turns given to the judge", ["result"], registry=registry)
        self._under_way = Gauge("answerable_runs_under_way", "Runs that have not ended", registry=registry)

    def runs_from(self, under_way: Callable[[], float]) -> None:
        """Where the number of runs under way is asked for when metrics are read."""
        self._under_way.set_function(under_way)

    def turn_ended(self, turn: Turn, waits: Iterable[float] = ()) -> None:
        """`waits`: seconds that each claim waited for its check."""
        self._turns.labels(turn.state, turn.outcome or "none").inc()
        support = turn.support
        for verdict in ("supported", "partly", "unsupported", "uncited"):
            self._claims.labels(verdict).inc(getattr(support, verdict))
        self._unknown.inc(support.unknown_markers)
        if support.claims:
            self._uncited.observe(support.uncited_share)
            self._used.observe(support.sources_used)
        for stage, milliseconds in turn.timings.items():
            self._stages.labels(self._bounded("stage", stage)).observe(milliseconds / 1000)
        for wait in waits:
            self._waits.observe(wait)
        for note in turn.notes:
            cause = self._bounded("cause", note.cause or OTHER)
            if note.code == "provider_failed":
                self._searches.labels(self._bounded("provider", note.about or OTHER), cause).inc()
            elif note.code == "page_skipped":
                self._pages.labels(cause).inc()
            elif note.code in {"judged", "judge_failed"}:
                self._judged.labels(note.code.removeprefix("judge_")).inc()

    def tokens_used(self, model: str, usage: Usage) -> None:
        name = self._bounded("model", model)
        self._tokens.labels(name, "input").inc(usage.input_tokens)
        self._tokens.labels(name, "output").inc(usage.output_tokens)

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        return generate_latest(self.registry)

    def _bounded(self, label: str, name: str) -> str:
        known = self._names.setdefault(label, set())
        name = name[:_NAME_CHARS]
        if name in known:
            return name
        if len(known) >= MOST_NAMES:
            return OTHER
        known.add(name)
        return name
