"""Settings: flag, then environment, then file; every fault named at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerable.config import ROWS, Settings, data_folder, environment_name, load_settings
from answerable.errors import SettingsError


def faults(environ: dict[str, str], flags: dict[str, object] | None = None) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        load_settings(flags, environ)
    return caught.value.faults


def test_without_anything_set_the_defaults_hold() -> None:
    assert load_settings({}, {}) == Settings()


def test_a_flag_beats_the_environment_which_beats_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("port = 1\nresults = 2\npages = 3\n", "utf-8")
    environ = {"ANSWERABLE_CONFIG": str(file), "ANSWERABLE_PORT": "10", "ANSWERABLE_RESULTS": "20"}

    settings = load_settings({"port": 100}, environ)

    assert (settings.port, settings.results, settings.pages) == (100, 20, 3)


def test_every_fault_is_named_at_once_with_its_setting() -> None:
    found = faults({"ANSWERABLE_PORT": "many", "ANSWERABLE_SEACH": "own", "ANSWERABLE_READ_TIMEOUT": "-1"})

    assert len(found) == 3
    assert any("ANSWERABLE_PORT" in fault and "'many'" in fault for fault in found)
    assert any("ANSWERABLE_SEACH" in fault and "did you mean ANSWERABLE_SEARCH?" in fault for fault in found)
    assert any("ANSWERABLE_READ_TIMEOUT" in fault and "above 0" in fault for fault in found)


def test_an_unknown_key_in_the_file_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("prot = 1\n", "utf-8")

    assert "did you mean port?" in faults({"ANSWERABLE_CONFIG": str(file)})[0]


def test_a_typing_mistake_in_the_file_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("port = 1\nhost = oops\n", "utf-8")

    assert "line 2" in faults({"ANSWERABLE_CONFIG": str(file)})[0]


def test_a_directory_in_place_of_the_file_is_said(tmp_path: Path) -> None:
    assert "directory" in faults({"ANSWERABLE_CONFIG": str(tmp_path)})[0]


def test_an_empty_file_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "a.toml").touch()

    assert load_settings({}, {"ANSWERABLE_CONFIG": str(tmp_path / "a.toml")}) == Settings()


@pytest.mark.parametrize("pasted", ["k-abc123\n", '"k-abc123"', "  k-abc123  ", "\ufeffk-abc123"])
def test_a_key_is_read_as_people_paste_it(pasted: str) -> None:
    assert load_settings({}, {"TAVILY_API_KEY": pasted}).tavily_key == "k-abc123"


@pytest.mark.parametrize("pasted", ["", "   ", "your-api-key", "<your key>", "changeme", "''"])
def test_a_placeholder_is_no_key(pasted: str) -> None:
    assert load_settings({}, {"TAVILY_API_KEY": pasted}).tavily_key == ""


def test_a_secret_is_never_printed() -> None:
    settings = load_settings({}, {"ANSWERABLE_TOKEN": "k-secret", "BRAVE_API_KEY": "k-brave"})

    assert "k-secret" not in repr(settings)
    assert "k-brave" not in repr(settings)


def test_every_setting_has_a_name_and_a_line_of_help() -> None:
    assert all(row.metadata["help"] and environment_name(name) for name, row in ROWS.items())


def test_without_a_home_the_data_folder_must_be_named() -> None:
    with pytest.raises(SettingsError, match="ANSWERABLE_DATA_DIR"):
        data_folder(Settings(), {})


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(SettingsError, match="ANSWERABLE_DATA_DIR"):
        data_folder(Settings(data_dir=tmp_path / "file" / "below"), {})
