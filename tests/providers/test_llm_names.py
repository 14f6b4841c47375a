"""Models by name: what is missing is said with its cure, before anything is called."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from answerable.errors import SettingsError
from answerable.providers.llm import names
from answerable.providers.llm.names import clean_key, key_variable, make_llm, vendor_of

CASES = Path(__file__).parents[1] / "data" / "cases"
KEYS = next(
    case
    for case in map(json.loads, (CASES / "cases-llm.jsonl").read_text("utf-8").splitlines())
    if case["id"] == "setup-key-padded"
)


def test_keys_are_cleaned_of_what_pasting_adds() -> None:
    items = json.loads((CASES / KEYS["file"]).read_text("utf-8"))["items"]

    assert [clean_key(item) for item in items] == KEYS["expected"]["used"]


@pytest.mark.parametrize("raw", ["your-api-key-here", "", "k-ab c123", "k-é", None])
def test_a_key_that_cannot_be_used_is_named_by_its_setting_and_not_shown(raw: str | None) -> None:
    with pytest.raises(SettingsError) as failure:
        make_llm("openai:gpt-5-mini", api_key=raw)

    assert "OPENAI_API_KEY" in failure.value.message
    assert not raw or raw not in failure.value.message


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpt-5", "ANSWERABLE_MODEL_URL"),
        ("opnai:gpt-5", "did you mean openai:"),
        ("openai-compatible:qwen", "ANSWERABLE_MODEL_URL"),
        ("qwen3:8b", "ANSWERABLE_MODEL_URL"),
    ],
)
def test_a_name_that_leads_nowhere_is_told_what_to_set(name: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        make_llm(name, api_key="k-abc123")


def test_a_missing_package_is_named_by_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "find_spec", lambda module: None)

    with pytest.raises(SettingsError, match=r"pip install -e '\.\[anthropic\]'"):
        make_llm("anthropic:claude-sonnet-4-5", api_key="k-abc123")


@pytest.mark.parametrize(
    ("name", "vendor", "variable"),
    [
        ("openai:gpt-5", "openai", "OPENAI_API_KEY"),
        ("ollama:qwen3:8b", "ollama", ""),
        ("qwen3:8b", None, ""),
        ("plain", None, ""),
        ("anthropic:claude", "anthropic", "ANTHROPIC_API_KEY"),
    ],
)
def test_the_vendor_is_what_stands_before_the_colon_if_it_is_one(name: str, vendor: str | None, variable: str) -> None:
    assert vendor_of(name) == vendor
    assert key_variable(name) == variable


@pytest.mark.parametrize("name", ["ollama:qwen3:8b", "plain", "openai:x", "openai-compatible:x"])
def test_a_server_of_ones_own_needs_no_key(name: str) -> None:
    assert make_llm(name, base_url="http://localhost:11434").name == name


def test_naming_a_model_does_not_import_its_library() -> None:
    """It takes seconds, which nobody without a model should wait."""
    code = (
        "import sys; from answerable.providers.llm.names import make_llm; make_llm('x', base_url='http://h');"
        "sys.exit('pydantic_ai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_key_is_in_no_description_of_the_model() -> None:
    llm = make_llm("openai:gpt-5", api_key="k-secret-123")

    assert "k-secret-123" not in f"{llm!r} {llm._target!r} {llm.name}"


def test_the_address_of_a_server_is_not_given_to_another_vendor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "find_spec", lambda module: object())

    assert make_llm("groq:x", base_url="http://localhost:8000", api_key="k-abc123")._target.base_url is None
    assert make_llm("x", base_url="http://localhost:8000")._target.base_url == "http://localhost:8000/v1"
