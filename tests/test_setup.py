"""Starting under odd settings: it starts, or says what to change; keys are never printed."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.streams import case

from answerable.config import ROWS, data_folder, load_settings, shown_value
from answerable.errors import SettingsError

USE = [sys.executable, "-m", "answerable", "ask", "--json", "--writer", "extractive", "How tall is the tower?"]


def run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {"PATH": "", "HOME": str(folder), "ANSWERABLE_SEARCH": "own", "ANSWERABLE_COLLECTION": "off"}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, env=known | environment, timeout=120
    )


@pytest.mark.parametrize("number", range(4))
def test_a_settings_file_that_cannot_be_read_is_told_in_words(number: int, tmp_path: Path) -> None:
    given, expected = case("setup-config-is-directory")
    item, path = given["items"][number], tmp_path / "answerable.toml"
    if item["config"] == "directory":
        path.mkdir()
    else:
        path.write_text(item.get("body", ""), "utf-8")
    if item["config"] == "mode 000":
        path.chmod(0)
    try:
        load_settings(environ={"ANSWERABLE_CONFIG": str(path)})
        said = ""
    except SettingsError as fault:
        said = fault.message

    if str(number) in expected["starts"]:
        assert said == ""
    for words in expected["message_contains"].get(str(number), []):
        assert words in said


@pytest.mark.parametrize("environ", [{}, {"HOME": "{folder}/file"}], ids=["no HOME", "not to be written"])
def test_without_a_home_to_write_to_the_setting_is_named(environ: dict[str, str], tmp_path: Path) -> None:
    """A home below a file: not even a superuser can write to it."""
    (tmp_path / "file").write_text("no folder")
    known = {name: value.format(folder=tmp_path) for name, value in environ.items()}

    with pytest.raises(SettingsError, match="ANSWERABLE_DATA_DIR"):
        data_folder(load_settings(environ={}), known)


def test_it_works_with_one_folder_to_write_to_and_any_spelling_of_no_proxy(tmp_path: Path) -> None:
    home, _ = case("setup-home-read-only")
    proxies, _ = case("setup-no-proxy-ipv6")
    data = home["items"][2]["data_dir"].strip("/")
    folders = [tmp_path / str(number) for number in range(len(proxies["items"]))]
    with ThreadPoolExecutor() as together:
        ended = [
            together.submit(run, USE, folder, **{"HOME": "/", "ANSWERABLE_DATA_DIR": str(folder / data), **proxy})
            for folder, proxy in zip(folders, proxies["items"], strict=True)
            if folder.mkdir() is None
        ]
    for folder, one in zip(folders, ended, strict=True):
        done = one.result()
        assert "Traceback" not in done.stderr
        assert json.loads(done.stdout)["state"] == "done"
        assert [path.name for path in folder.iterdir()] == [data]


KEYS = {
    "OPENAI_API_KEY": "sk-planted-openai-1111",
    "TAVILY_API_KEY": "tvly-planted-2222",
    "BRAVE_API_KEY": "BSA-planted-3333",
    "ANSWERABLE_TOKEN": "planted-token-4444",
}


@pytest.mark.parametrize(
    "command",
    [
        ["doctor", "--json"],
        ["ask", "--json", "How tall is the tower?"],
    ],
)
def test_planted_keys_are_nowhere_in_what_is_printed(command: list[str], tmp_path: Path) -> None:
    """With providers and a model that refuse every connection."""
    environment: dict[str, Any] = {
        **KEYS,
        "ANSWERABLE_SEARCH": "tavily,brave",
        "ANSWERABLE_MODEL": "openai:m",
        "ANSWERABLE_MODEL_URL": "http://127.0.0.1:9/v1",
        "ANSWERABLE_PROXY": "http://127.0.0.1:9",
    }
    done = run([sys.executable, "-m", "answerable", *command], tmp_path, **environment)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())

    assert "Traceback" not in done.stderr
    assert not [key for key in KEYS.values() if key in done.stdout + done.stderr]
    assert not [key for key in KEYS.values() if key.encode() in kept]
    assert done.stdout + done.stderr


def test_a_faulty_secret_is_refused_without_being_shown(tmp_path: Path) -> None:
    (tmp_path / "answerable.toml").write_text('openai_key = ["sk-planted-openai-1111"]', "utf-8")

    with pytest.raises(SettingsError, match=r"openai_key = \(hidden\)") as fault:
        load_settings(environ={"ANSWERABLE_CONFIG": str(tmp_path / "answerable.toml")})
    shown = [shown_value(name, load_settings(environ=KEYS)) for name in ROWS]

    assert "planted" not in fault.value.message
    assert "planted" not in " ".join(shown)
