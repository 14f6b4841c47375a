"""Nothing is lost, whenever the server is killed; `make chaos` does the same two hundred times and for a minute."""

from __future__ import annotations

from pathlib import Path

from benchmarks.chaos import chaos
from benchmarks.writers import crowd


async def test_whenever_the_server_is_killed_nothing_that_was_shown_is_lost() -> None:
    report = await chaos(10, together=1, enough=3, forking=True, most_kills=10)

    assert report.broken == []
    assert report.kills == 10
    assert all(seen.id for seen in report.runs if seen.stage)


async def test_writers_in_several_processes_and_a_lister_never_find_the_file_locked(tmp_path: Path) -> None:
    result = await crowd(tmp_path, seconds=1.5, processes=2)

    assert result.faults == 0
    assert result.writes > 0
    assert result.lists > 0
