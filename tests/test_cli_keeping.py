"""Export, import and prune from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from answerable.cli import app
from answerable.errors import BadRequest, NotFound

TURN = {
    "id": "r",
    "conversation_id": "c",
    "turn_id": "t",
    "attempt": 1,
    "question": "How?",
    "created": "2026-01-01T00:00:00Z",
    "state": "done",
    "outcome": "answered",
    "answer": "So.",
}
MOMENTS = {"created": "2026-01-01T00:00:00Z", "updated": "2026-01-01T00:00:00Z"}


def test_a_conversation_goes_out_and_comes_in_again(tmp_path: Path) -> None:
    file, page = tmp_path / "c.json", tmp_path / "c.html"
    exported = {"format": "answerable-conversation-1", "id": "c", "title": "How?", **MOMENTS, "turns": [TURN]}
    file.write_text(json.dumps(exported), "utf-8")
    at = ["--data-dir", str(tmp_path / "data")]
    runner = CliRunner(env={"ANSWERABLE_SEARCH": "own", "ANSWERABLE_COLLECTION": "off"})

    brought = runner.invoke(app, ["import", str(file), *at])
    id = brought.stdout.split(":")[0]
    shown = runner.invoke(app, ["export", id, *at])
    written = runner.invoke(app, ["export", id, "--format", "html", "-o", str(page), *at])
    unknown = runner.invoke(app, ["export", "nothing", *at])
    pruned = runner.invoke(app, ["prune", "--failed-older-than", "30d", *at])
    misspelt = runner.invoke(app, ["prune", "--failed-older-than", "soon", *at])

    assert brought.exit_code == 0, brought.output
    assert "## How?\n\nSo." in shown.stdout
    assert written.exit_code == 0
    assert "<h2 dir=auto>How?</h2>" in page.read_text("utf-8")
    assert isinstance(unknown.exception, NotFound)
    assert pruned.exit_code == 0
    assert isinstance(misspelt.exception, BadRequest)
    assert "such as 30d" in misspelt.exception.message
