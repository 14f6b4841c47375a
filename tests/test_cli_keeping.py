"""Export, import and prune from the command line, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def answerable(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("ANSWERABLE_")}
    settings = {"HOME": str(folder), "ANSWERABLE_SEARCH": "own", "ANSWERABLE_COLLECTION": "off"}
    return subprocess.run(
        [sys.executable, "-m", "answerable", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**known, **settings},
        timeout=120,
    )


def test_a_conversation_goes_out_and_comes_in_again(tmp_path: Path) -> None:
    turn = {
        **{"id": "r", "conversation_id": "c", "turn_id": "t", "attempt": 1, "question": "How?", "state": "done"},
        **{"created": "2026-01-01T00:00:00Z", "outcome": "answered", "answer": "So."},
    }
    moment = "2026-01-01T00:00:00Z"
    conversation = {"id": "c", "title": "How?", "created": moment, "updated": moment, "turns": [turn]}
    (tmp_path / "c.json").write_text(json.dumps({"format": "answerable-conversation-1", **conversation}), "utf-8")

    brought = answerable(tmp_path, "import", "c.json")
    id = brought.stdout.split(":")[0]
    shown = answerable(tmp_path, "export", id)
    written = answerable(tmp_path, "export", id, "--format", "html", "-o", "c.html")
    unknown = answerable(tmp_path, "export", "nothing")
    pruned = answerable(tmp_path, "prune", "--failed-older-than", "30d")
    misspelt = answerable(tmp_path, "prune", "--failed-older-than", "soon")

    assert brought.returncode == 0, brought.stderr
    assert "## How?\n\nSo." in shown.stdout
    assert written.returncode == 0
    assert "<h2 dir=auto>How?</h2>" in (tmp_path / "c.html").read_text("utf-8")
    assert (unknown.returncode, "there is no conversation 'nothing'" in unknown.stderr) == (1, True)
    assert "0 failed attempts cleared away" in pruned.stderr
    assert (misspelt.returncode, "such as 30d" in misspelt.stderr) == (1, True)
