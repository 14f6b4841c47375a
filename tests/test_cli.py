"""The command line as a person meets it: in a process of its own."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import serving

from answerable.text.telling import ONLY_BUILT_IN
from answerable.web.app import create_app

PAGE = """<!doctype html><html lang="en"><title>The tower | Towers</title><h1>The tower</h1>
<p>The tower is 330 metres tall, antennas included. It was finished in 1889 and is painted every seven years
since. Sixty tonnes of paint are needed each time, and it takes over a year with a crew of fifty.</p></html>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tower.html").write_text(PAGE, "utf-8")
    return tmp_path


def answerable(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("ANSWERABLE_")}
    settings = {"HOME": str(folder), "ANSWERABLE_SEARCH": "own", "ANSWERABLE_COLLECTION": "off"}
    return subprocess.run(
        [sys.executable, "-m", "answerable", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**known, **settings, **environment},
        timeout=120,
    )


def test_a_page_is_read_as_one_line_of_json_and_a_failure_as_another(folder: Path) -> None:
    (folder / "odd.json").write_text('{"name": "Odd\u2028line \\ud800", "n": 1}')
    ended = answerable(folder, "read", "--json", "tower.html", "odd.json", "missing.html", "http://127.0.0.1:1/")

    read, odd, missing, private = (json.loads(line) for line in ended.stdout.splitlines())
    assert ended.returncode == 1
    assert (read["title"], read["file"], read["kind"], read["images"]) == ("The tower", "tower.html", "html", [])
    assert "330 metres" in read["text"]
    assert (read["canonical"], read["site_name"], read["cut"]) == (None, "", None)
    assert {"url", "site", "author", "language", "published", "modified", "text", "blocks"} <= set(read)
    assert {"kind", "start", "end", "headings", "level", "leaf"} == set(read["blocks"][0])
    assert (odd["kind"], odd["text"], missing["file"]) == ("json", "name: Odd\u2028line \ufffd\nn: 1", "missing.html")
    assert (missing["cause"], private["cause"]) == ("not_found", "private_address")


def test_a_claim_is_verified_against_a_file(folder: Path) -> None:
    right = answerable(folder, "verify", "--json", "The tower is 330 metres tall.", "tower.html")
    wrong = answerable(folder, "verify", "The tower is 300 metres tall.", "tower.html")

    assert (right.returncode, json.loads(right.stdout)["verdict"]) == (0, "supported")
    assert (wrong.returncode, "unsupported" in wrong.stdout, "330" in wrong.stdout) == (1, True, True)


def test_an_answer_from_the_own_index_is_json_alone_and_can_be_rechecked(folder: Path) -> None:
    assert answerable(folder, "index", "add", "tower.html").returncode == 0

    asked = answerable(folder, "ask", "--json", "How tall is the tower?")
    turn = json.loads(asked.stdout)
    again = answerable(folder, "recheck", "--json", turn["conversation_id"])

    assert (asked.returncode, turn["outcome"]) == (0, "answered")
    assert "330 metres" in turn["answer"]
    fates = [json.loads(line) for line in again.stdout.splitlines()]
    assert [fate["n"] for fate in fates] == [citation["n"] for citation in turn["citations"]]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("ask", " "), "the question is empty"),
        (("ask", "--focus", "moon", "How tall?"), "--focus 'moon': expected one of web, news, academic, own"),
        (("ask", "--domain", "x y", "How tall?"), "'x y' is no domain"),
        (("ask", "--conversation", "nowhere", "How tall?"), "no conversation 'nowhere'"),
        (("serve", "--host", "0.0.0.0"), "ANSWERABLE_TOKEN"),
        (("verify", "", "tower.html"), "the claim is empty"),
        (("eval", "run", "--miniweb", "nowhere"), "no folder 'hosts' in it"),
    ],
)
def test_bad_input_ends_in_a_clear_line_without_a_traceback(
    folder: Path, arguments: tuple[str, ...], told: str
) -> None:
    ended = answerable(folder, *arguments)

    assert ended.returncode == 1
    assert told in " ".join(ended.stderr.split())
    assert "Traceback" not in ended.stderr


def test_unknown_settings_are_all_named_at_once(folder: Path) -> None:
    ended = answerable(folder, "settings", ANSWERABLE_PROT="1", ANSWERABLE_RESULTS="many")

    assert ended.returncode == 1
    assert "did you mean ANSWERABLE_PORT?" in " ".join(ended.stderr.split())
    assert "ANSWERABLE_RESULTS = 'many'" in ended.stderr


def test_an_answer_tells_its_support_and_that_only_the_collection_was_there(folder: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{closed.getsockname()[1]}"
        web = {"ANSWERABLE_SEARCH": "searxng", "ANSWERABLE_SEARXNG_URL": nowhere, "ANSWERABLE_COLLECTION": "on"}
        ended = answerable(folder, "ask", "How tall is the Eiffel Tower?", **web)

    assert ended.returncode == 0
    assert "(built-in collection)" in ended.stdout
    assert ONLY_BUILT_IN in " ".join(ended.stdout.split())
    assert re.search(r"^\d+ of \d+ claims? supported(, \d+ in part)?$", ended.stdout, re.MULTILINE)


def test_the_own_index_is_listed(folder: Path) -> None:
    added = answerable(folder, "index", "add", "tower.html")
    plain = answerable(folder, "index", "list")
    listed = answerable(folder, "index", "list", "--json")

    (page,) = (json.loads(line) for line in listed.stdout.splitlines())
    assert "1 page in the index" in added.stdout
    assert page["title"] == "The tower"
    assert f"{page['url']}: The tower" in plain.stdout.replace("\n", "")


def test_settings_are_shown_as_they_are_set(folder: Path) -> None:
    hosts = {"ANSWERABLE_ALLOW_HOSTS": "wiki.internal, nas:8080", "COLUMNS": "400"}
    shown = answerable(folder, "settings", XDG_DATA_HOME="", **hosts).stdout
    rows = {line.split()[0]: line.split()[1] for line in shown.splitlines() if len(line.split()) > 1}

    assert rows["ANSWERABLE_SEARCH"] == "own"
    assert rows["ANSWERABLE_COLLECTION"] == "off"
    assert rows["ANSWERABLE_ALLOW_HOSTS"] == "wiki.internal,nas:8080"
    assert rows["ANSWERABLE_DATA_DIR"] == str(folder / ".local/share/answerable")
    assert not (folder / ".local").exists(), "looking makes no folder"


def test_settings_are_shown_without_secrets(folder: Path) -> None:
    ended = answerable(folder, "settings", TAVILY_API_KEY="k-secret-123")

    assert ended.returncode == 0
    assert "TAVILY_API_KEY" in ended.stdout
    assert "k-secret-123" not in ended.stdout + ended.stderr


def test_the_doctor_names_each_part_and_what_to_do(folder: Path) -> None:
    ended = answerable(folder, "doctor", "--json")

    findings = {finding["part"]: finding for finding in map(json.loads, ended.stdout.splitlines())}
    assert ended.returncode == 0
    assert {"data folder", "embedder", "reranker", "support checker", "own index", "search: own"} <= set(findings)
    assert all(finding["ok"] for finding in findings.values())


@pytest.mark.parametrize("arguments", [["settings"], ["read", "--json", "tower.html"]])
def test_output_that_cannot_be_written_ends_in_one_line(folder: Path, arguments: list[str]) -> None:
    command = [sys.executable, "-m", "answerable", *arguments]
    settings = {"HOME": str(folder), "ANSWERABLE_SEARCH": "own", "PATH": ""}
    with open("/dev/full", "w") as full:
        on_full_disk = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, cwd=folder, env=settings, timeout=60
        )
    read_end, write_end = os.pipe()
    os.close(read_end)
    into_closed_pipe = subprocess.run(
        command, stdout=write_end, stderr=subprocess.PIPE, cwd=folder, env=settings, timeout=60
    )
    os.close(write_end)

    assert (on_full_disk.returncode, into_closed_pipe.returncode) == (1, 1)
    assert on_full_disk.stderr.decode() == "answerable: the output cannot be written: No space left on device\n"
    assert into_closed_pipe.stderr == b""


def test_a_server_does_the_work_of_a_command(folder: Path) -> None:
    engine = FakeEngine()
    with serving(lambda: create_app(engine, token="t0ken")) as address:
        asked = answerable(folder, "ask", "--json", "--server", address, "--token", "t0ken", "How tall?")
        read = answerable(
            folder, "read", "--json", "--server", address, "http://towers.example/eiffel", ANSWERABLE_TOKEN="t0ken"
        )
        refused = answerable(folder, "ask", "--server", address, "How tall?")
        file = answerable(folder, "read", "--server", address, "--token", "t0ken", "tower.html")

    assert json.loads(asked.stdout)["state"] == "done"
    assert json.loads(read.stdout)["title"] == "Eiffel Tower: height and history"
    assert (refused.returncode, "needs a token" in refused.stderr) == (1, True)
    assert (file.returncode, "is no web address" in file.stderr) == (1, True)
    assert not (folder / ".local").exists()
