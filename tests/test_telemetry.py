"""What is counted of turns and model calls, and that no caller can make the figures grow without end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from prometheus_client.parser import text_string_to_metric_families

from answerable.telemetry import MOST_NAMES, Telemetry
from answerable.types import Note, SupportCounts, Turn, Usage

TURN = Turn("r", "c", "t", 1, "Q?", datetime(2026, 1, 1, tzinfo=UTC), state="done", outcome="answered")


def figures(telemetry: Telemetry) -> dict[tuple[str, ...], float]:
    """Name and label values (by label name) of each sample -> its value, read by Prometheus's own parser."""
    families = text_string_to_metric_families(telemetry.text().decode())
    return {(s.name, *s.labels.values()): s.value for family in families for s in family.samples}


def test_a_turn_is_counted_by_state_and_outcome_with_its_verdicts_and_figures() -> None:
    telemetry = Telemetry()
    support = SupportCounts(4, 2, 1, 0, 1, unknown_markers=3, uncited_share=0.25, sources_used=2)

    telemetry.turn_ended(replace(TURN, support=support, timings={"writing": 320.0}), [0.004, 0.2])
    telemetry.turn_ended(replace(TURN, state="stopped", outcome=None))
    found = figures(telemetry)

    assert found["answerable_turns_total", "answered", "done"] == 1
    assert found["answerable_turns_total", "none", "stopped"] == 1
    assert [found["answerable_claims_total", v] for v in ("supported", "partly", "unsupported", "uncited")] == [
        *(2, 1, 0, 1)
    ]
    assert found["answerable_unknown_markers_total",] == 3
    assert found["answerable_uncited_share_count",] == 1, "a turn without claims has no share"
    assert found["answerable_uncited_share_sum",] == 0.25
    assert found["answerable_sources_used_sum",] == 2
    assert found["answerable_stage_seconds_sum", "writing"] == 0.32
    assert found["answerable_check_seconds_bucket", "0.005"] == 1
    assert found["answerable_check_seconds_count",] == 2


def test_failures_are_counted_by_provider_and_cause_and_never_by_address() -> None:
    telemetry = Telemetry()
    notes = (
        Note("provider_failed", "brave: late", about="brave", cause="timeout"),
        Note("page_skipped", "https://a.example/: paywall", about="https://a.example/", cause="paywall"),
        Note("page_skipped", "https://b.example/: paywall", about="https://b.example/", cause="paywall"),
        Note("missing_part", "No evidence was found for: the price"),
    )

    telemetry.turn_ended(replace(TURN, notes=notes))

    assert figures(telemetry)["answerable_search_failures_total", "timeout", "brave"] == 1
    assert figures(telemetry)["answerable_page_failures_total", "paywall"] == 2
    assert b"a.example" not in telemetry.text()


def test_notes_of_an_older_version_name_no_cause_and_are_counted_all_the_same() -> None:
    telemetry = Telemetry()

    telemetry.turn_ended(replace(TURN, notes=(Note("provider_failed", "brave did not answer"),)))

    assert figures(telemetry)["answerable_search_failures_total", "other", "other"] == 1


def test_tokens_are_counted_by_model_and_names_beyond_the_limit_are_one() -> None:
    telemetry = Telemetry()

    for number in range(MOST_NAMES + 30):
        telemetry.tokens_used(f"openai:m{number}", Usage(100, 10, 1))
    telemetry.tokens_used("openai:m0", Usage(1, 1, 1))
    found = figures(telemetry)

    assert found["answerable_tokens_total", "input", "openai:m0"] == 101
    assert found["answerable_tokens_total", "input", "other"] == 3000
    assert len([key for key in found if key[0] == "answerable_tokens_total"]) == 2 * (MOST_NAMES + 1)


def test_runs_under_way_are_asked_for_when_the_figures_are_read() -> None:
    telemetry, runs = Telemetry(), [1.0]
    telemetry.runs_from(lambda: runs[-1])

    runs.append(3.0)

    assert figures(telemetry)["answerable_runs_under_way",] == 3


def test_two_engines_in_one_process_do_not_mix_their_figures() -> None:
    one, other = Telemetry(), Telemetry()

    one.turn_ended(TURN)

    assert ("answerable_turns_total", "answered", "done") not in figures(other)
