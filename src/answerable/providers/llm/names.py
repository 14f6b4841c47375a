"""Language models by name: `vendor:model`, or any name at an OpenAI-compatible address."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from urllib.parse import urlsplit

from answerable.errors import SettingsError
from answerable.providers.llm.pydantic import PydanticLLM, Target
from answerable.types import Usage

OLLAMA_URL = "http://localhost:11434/v1"
_PLACEHOLDERS = ("your-", "your_", "<your", "sk-xxx", "sk-...", "insert", "replace", "paste")
_UNSET = {"", "changeme", "change-me", "none", "null", "xxx", "todo", "api-key", "api_key", "apikey", "key", "secret"}


@dataclass(frozen=True, slots=True)
class Vendor:
    """`variable` names its key in the environment, "" when it needs none; `module` is what its extra installs."""

    variable: str
    module: str = "openai"
    extra: str = ""


VENDORS: dict[str, Vendor] = {
    "openai": Vendor("OPENAI_API_KEY"),
    "anthropic": Vendor("ANTHROPIC_API_KEY", "anthropic", "anthropic"),
    "google": Vendor("GOOGLE_API_KEY", "google.genai", "google"),
    "groq": Vendor("GROQ_API_KEY", "groq", "groq"),
    "mistral": Vendor("MISTRAL_API_KEY", "mistralai", "mistral"),
    "cerebras": Vendor("CEREBRAS_API_KEY"),
    "deepseek": Vendor("DEEPSEEK_API_KEY"),
    "fireworks": Vendor("FIREWORKS_API_KEY"),
    "moonshotai": Vendor("MOONSHOTAI_API_KEY"),
    "nebius": Vendor("NEBIUS_API_KEY"),
    "openrouter": Vendor("OPENROUTER_API_KEY"),
    "together": Vendor("TOGETHER_API_KEY"),
    "ollama": Vendor(""),
    "openai-compatible": Vendor(""),
}
_SPEAK_OPENAI = {None, "openai", "openai-compatible", "ollama"}  # the address of a server is for these alone


def vendor_of(name: str) -> str | None:
    """The vendor a model's name begins with; None when it names only a model, as `qwen3:8b` does."""
    prefix, colon, model = name.strip().partition(":")
    return prefix if colon and model and prefix in VENDORS else None


def key_variable(name: str) -> str:
    """The environment variable that holds the key for this model; "" when it needs none."""
    vendor = vendor_of(name)
    return VENDORS[vendor].variable if vendor else ""


def clean_key(raw: str | None) -> str | None:
    """The key as it is sent: without what pasting adds. None: not set, a placeholder, or no key at all."""
    key = (raw or "").strip("\ufeff\"' \t\r\n")
    bare = key.lower().strip("<>[]{}()")
    if bare in _UNSET or bare.startswith(_PLACEHOLDERS) or set(bare) <= set("x.*-"):
        return None
    usable = key.isascii() and key.isprintable() and " " not in key  # anything else cannot stand in a header
    return key if usable else None


def make_llm(
    name: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    first_token_timeout: float | None = None,
    on_usage: Callable[[str, Usage], None] = lambda name, usage: None,
) -> PydanticLLM:
    """The model of that name; nothing is imported or called before its first use.

    `api_key` is the value of `key_variable(name)`; `base_url` the address of an OpenAI-compatible server. Raises
    SettingsError that names the setting to correct.
    """
    vendor = vendor_of(name)
    model = name.strip() if vendor is None else name.strip().partition(":")[2]
    address = _address(base_url) if vendor in _SPEAK_OPENAI else None
    if vendor in {None, "openai-compatible"} and not address:
        raise SettingsError([_unknown(name) if vendor is None else _no_address(name)])
    vendor = vendor or "openai-compatible"
    if vendor == "ollama":
        address = address or OLLAMA_URL
    key = clean_key(api_key)
    known = VENDORS[vendor]
    if not _installed(known.module):
        raise SettingsError([f"model {name!r} needs an extra package; where the source is: {installing(known.extra)}"])
    if known.variable and key is None and not address:
        state = "is not set" if not (api_key or "").strip() else "holds no usable key"
        raise SettingsError([f"model {name!r} needs a key: {known.variable} {state}"])
    target = Target(vendor, model, address, key, known.variable or "OPENAI_API_KEY")
    return PydanticLLM(name.strip(), target, first_token_timeout=first_token_timeout, on_usage=on_usage)


def _address(base_url: str | None) -> str | None:
    """Servers that speak OpenAI's format do so under /v1; an address without a path gets it."""
    if not base_url or not base_url.strip():
        return None
    address = base_url.strip().rstrip("/")
    return address if urlsplit(address).path else f"{address}/v1"


def installing(extra: str) -> str:
    """How an extra is installed: from the source, for the name on a registry may be a stranger's."""
    return f".venv/bin/python -m pip install -e '.[{extra}]'"


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package above it is missing
        return False


def _unknown(name: str) -> str:
    prefix = name.partition(":")[0]
    near = difflib.get_close_matches(prefix, VENDORS, n=1)
    suggestion = f"; did you mean {near[0]}:?" if near else ""
    return (
        f"model {name!r} names no vendor ({', '.join(VENDORS)}){suggestion} "
        "For an OpenAI-compatible server set ANSWERABLE_MODEL_URL to its address."
    )


def _no_address(name: str) -> str:
    return f"model {name!r} needs the address of its server: set ANSWERABLE_MODEL_URL"
