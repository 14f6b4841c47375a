"""The settings table: name, default, one line of help. The only reader of the environment.

A value comes from the flag, then the environment (`ANSWERABLE_` and the name in capitals), then `answerable.toml` in
the working folder (or the file that `ANSWERABLE_CONFIG` names). Unknown or malformed settings stop the start, all named
at once.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from answerable.errors import SettingsError
from answerable.text.domains import domain_entry
from answerable.text.proxies import Proxies, listed
from answerable.text.urls import is_web_url

PREFIX = "ANSWERABLE_"
Parse = Callable[[object], Any]


def text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("expected text")
    return value.strip()


def seconds(value: object) -> float:
    number = _number(value, float)
    if not 0 < number <= 3600:
        raise ValueError("expected seconds above 0 and at most 3600")
    return float(number)


def share(value: object) -> float:
    number = _number(value, float)
    if not 0 <= number <= 1:
        raise ValueError("expected a number from 0 to 1")
    return float(number)


def count(value: object) -> int:
    number = int(_number(value, int))
    if not 1 <= number <= 1000:
        raise ValueError("expected a whole number from 1 to 1000")
    return number


def megabytes(value: object) -> int:
    number = int(_number(value, int))
    if not 1 <= number <= 1_000_000:
        raise ValueError("expected megabytes from 1 to 1000000")
    return number


def days(value: object) -> int:
    number = int(_number(value, int))
    if not 0 <= number <= 36_500:
        raise ValueError("expected a whole number of days from 0 to 36500")
    return number


def port(value: object) -> int:
    number = int(_number(value, int))
    if not 0 <= number <= 65535:
        raise ValueError("expected a port from 0 to 65535")
    return number


def switch(value: object) -> bool:
    if isinstance(value, bool):
        return value
    known = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if str(value).strip().lower() not in known:
        raise ValueError("expected on or off")
    return known[str(value).strip().lower()]


def names(value: object) -> tuple[str, ...]:
    parts = value if isinstance(value, list) else str(value).split(",")
    if not all(isinstance(part, str) for part in parts):
        raise ValueError("expected names separated by commas")
    return tuple(part.strip() for part in parts if part.strip())


def domains(value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(domain_entry(name.lstrip("-")) for name in names(value)))


def feeds(value: object) -> tuple[str, ...]:
    found = names(value)
    if bad := next((url for url in found if not is_web_url(url)), None):
        raise ValueError(f"{bad!r} is no address of a feed; it begins with http:// or https://")
    return found


def country(value: object) -> str:
    if not re.fullmatch(r"[A-Za-z]{2}", text(value)):
        raise ValueError("expected the two letters of a country, such as AT")
    return text(value).upper()


def level(value: object) -> str:
    if text(value).lower() not in {"off", "moderate", "strict"}:
        raise ValueError("expected off, moderate or strict")
    return text(value).lower()


def mail(value: object) -> str:
    if not re.fullmatch(r"[^@\s<>;()]+@[^@\s<>;()]+\.[^@\s<>;()]+", text(value)):
        raise ValueError("expected a mail address")
    return text(value)


def address(value: object) -> str:
    parts = urlsplit(text(value))
    if parts.scheme not in {"http", "https", "socks5", "socks5h"} or not parts.hostname or parts.port == 0:
        raise ValueError("expected an address such as http://localhost:8080")
    return text(value).rstrip("/")


def folder(value: object) -> Path:
    path = Path(text(value)).expanduser()
    if path.exists() and not path.is_dir():
        raise ValueError("expected a folder, this is a file")
    return path


def key(value: object) -> str:
    """A secret as people paste it: quotes, blanks and byte order marks around it do not belong to it."""
    cleaned = text(value).strip("\ufeff\"' \t\r\n")
    looks_unset = cleaned.lower().strip("<>[]{}") in {"", "changeme", "none", "null", "xxx", "todo"}
    return "" if looks_unset or cleaned.lower().startswith(("your-", "your_", "<your", "sk-xxx")) else cleaned


def path_prefix(value: object) -> str:
    """`/ask`, `ask/` and `/ask/` are one; "" and "/" are none."""
    parts = [part for part in text(value).split("/") if part]
    if not all(re.fullmatch(r"[A-Za-z0-9._~-]+", part) and part not in {".", ".."} for part in parts):
        raise ValueError("expected a path such as /ask")
    return "".join(f"/{part}" for part in parts)


def origins(value: object) -> tuple[str, ...]:
    given = names(value)
    for origin in given:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or origin != f"{parts.scheme}://{parts.netloc}":
            raise ValueError(f"{origin!r} is no origin such as https://app.example")
    return given


def networks(value: object) -> tuple[str, ...]:
    given = names(value)
    for network in given:
        try:
            ip_network(network, strict=False)
        except ValueError:
            raise ValueError(f"{network!r} is no address or network such as 10.0.0.0/8") from None
    return given


def whole(value: object) -> int:
    number = int(_number(value, int))
    if not 0 <= number <= 1_000_000_000:
        raise ValueError("expected a whole number, 0 or more")
    return number


def dollars(value: object) -> float:
    number = _number(value, float)
    if not 0 <= number <= 1_000_000:
        raise ValueError("expected an amount in US dollars, 0 or more")
    return float(number)


def _number(value: object, kind: type[int] | type[float]) -> float:
    if isinstance(value, bool):
        raise ValueError("expected a number")
    try:
        return kind(str(value).strip())
    except (TypeError, ValueError):
        raise ValueError("expected a number") from None


def setting(default: object, help: str, parse: Parse, *, env: str | None = None, secret: bool = False) -> Any:
    """A row of the table. `env` is a vendor's own variable name, for vendors' keys."""
    return field(
        default=default, metadata={"help": help, "parse": parse, "env": env, "secret": secret}, repr=not secret
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, read once at the start and handed to wiring."""

    data_dir: Path | None = setting(None, "folder of all that is kept (default: the user's data folder)", folder)
    database: str = setting(
        "", "PostgreSQL for conversations and pages; empty: a SQLite file in the data folder", text, secret=True
    )
    host: str = setting("127.0.0.1", "address to listen on; beyond localhost a token is needed", text)
    port: int = setting(8765, "port to listen on", port)
    token: str = setting("", "token that every request must carry", key, secret=True)
    hosts: tuple[str, ...] = setting((), "names that the server answers for, beside this machine's own; *: any", names)
    cors_origins: tuple[str, ...] = setting((), "origins whose pages may call the API from a browser", origins)
    base_path: str = setting("", "path below which a reverse proxy shows the server, such as /ask", path_prefix)
    trusted_proxies: tuple[str, ...] = setting(
        (), "addresses or networks whose X-Forwarded headers are believed", networks
    )
    rate_per_token: int = setting(60, "requests a minute of one token; 0: no limit", whole)
    rate_per_address: int = setting(120, "requests a minute from one address; 0: no limit", whole)
    daily_budget: float = setting(0.0, "US dollars a token may cost a day; 0: no limit", dollars)
    daily_tokens: int = setting(0, "tokens of models that a token may use a day; 0: no limit", whole)
    allow_hosts: tuple[str, ...] = setting((), "private hosts, host or host:port, that may be read", names)
    proxy: str = setting(
        "",
        "HTTP or SOCKS proxy for reading pages and for search (default: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY)",
        address,
    )
    no_proxy: tuple[str, ...] = setting(
        (),
        "hosts, networks (10.0.0.0/8) or * reached without the proxy (default, without a proxy set: NO_PROXY)",
        names,
    )

    search: tuple[str, ...] = setting(
        ("auto",), "search providers, best first; auto: all that are set, else keyless", names
    )
    searxng_url: str = setting("", "address of a SearXNG with its JSON format enabled", address)
    tavily_key: str = setting("", "key of Tavily", key, env="TAVILY_API_KEY", secret=True)
    brave_key: str = setting("", "key of Brave Search", key, env="BRAVE_API_KEY", secret=True)
    exa_key: str = setting("", "key of Exa", key, env="EXA_API_KEY", secret=True)
    serpapi_key: str = setting("", "key of SerpAPI", key, env="SERPAPI_API_KEY", secret=True)
    serper_key: str = setting("", "key of Serper", key, env="SERPER_API_KEY", secret=True)
    google_pse_key: str = setting("", "key of Google's Custom Search JSON API", key, env="GOOGLE_PSE_KEY", secret=True)
    google_pse_cx: str = setting("", "id of a Google Programmable Search Engine", text, env="GOOGLE_PSE_CX")
    feeds: tuple[str, ...] = setting((), "addresses of RSS or Atom feeds, searched with the focus news", feeds)
    openalex_key: str = setting("", "free key of OpenAlex, for more searches a day", key, env="OPENALEX_API_KEY",
                                secret=True)  # fmt: skip
    semantic_scholar_key: str = setting(
        "", "free key of Semantic Scholar", key, env="SEMANTIC_SCHOLAR_API_KEY", secret=True
    )
    mailto: str = setting(
        "", "mail address that OpenAlex and Crossref may write to; they serve such callers first", mail
    )
    safe_search: str = setting("moderate", "off, moderate or strict, where a provider can", level)
    region: str = setting("", "country of the readers, such as AT, where a provider can", country)
    allow_domains: tuple[str, ...] = setting((), "the only sites that answers may come from", domains)
    deny_domains: tuple[str, ...] = setting((), "sites that no answer may come from", domains)
    prefer_sites: tuple[str, ...] = setting((), "sites whose pages come first among equals", domains)
    avoid_sites: tuple[str, ...] = setting((), "sites whose pages come last among equals", domains)
    collection: bool = setting(True, "answer from the built-in collection when no web provider answers", switch)

    model: str = setting("", "model that writes, such as openai:gpt-5-mini or ollama:qwen3; empty: extractive", text)
    model_small: str = setting("", "model for plans, follow-ups and plain facts; empty: the one that writes", text)
    model_url: str = setting("", "address of an OpenAI-compatible server for openai: models", address)
    openai_key: str = setting(
        "", "key of OpenAI or of the OpenAI-compatible server", key, env="OPENAI_API_KEY", secret=True
    )
    anthropic_key: str = setting(
        "", "key of Anthropic, for anthropic: models", key, env="ANTHROPIC_API_KEY", secret=True
    )
    google_key: str = setting("", "key of Google, for google: models", key, env="GOOGLE_API_KEY", secret=True)
    groq_key: str = setting("", "key of Groq, for groq: models", key, env="GROQ_API_KEY", secret=True)
    mistral_key: str = setting("", "key of Mistral, for mistral: models", key, env="MISTRAL_API_KEY", secret=True)
    cerebras_key: str = setting("", "key of Cerebras, for cerebras: models", key, env="CEREBRAS_API_KEY", secret=True)
    deepseek_key: str = setting("", "key of Deepseek, for deepseek: models", key, env="DEEPSEEK_API_KEY", secret=True)
    fireworks_key: str = setting(
        "", "key of Fireworks, for fireworks: models", key, env="FIREWORKS_API_KEY", secret=True
    )
    moonshotai_key: str = setting(
        "", "key of Moonshotai, for moonshotai: models", key, env="MOONSHOTAI_API_KEY", secret=True
    )
    nebius_key: str = setting("", "key of Nebius, for nebius: models", key, env="NEBIUS_API_KEY", secret=True)
    openrouter_key: str = setting(
        "", "key of Openrouter, for openrouter: models", key, env="OPENROUTER_API_KEY", secret=True
    )
    together_key: str = setting("", "key of Together, for together: models", key, env="TOGETHER_API_KEY", secret=True)
    writer: str = setting("", "extractive or model; empty: model when a model is set", text)

    judge: str = setting("", "model that reads doubtful claims again, after the answer; empty: none", text)
    judge_share: float = setting(0.05, "share of the claims beyond doubt that the judge reads too", share)

    reranker: str = setting(
        "", "cohere:MODEL, voyage:MODEL, jina:MODEL, server:MODEL or tei; empty: the local one alone", text
    )
    reranker_url: str = setting("", "address of a rerank server of your own, for server:MODEL and tei", address)
    reranker_key: str = setting("", "key of that server", key, secret=True)
    cohere_key: str = setting("", "key of Cohere, for cohere: rerankers", key, env="COHERE_API_KEY", secret=True)
    voyage_key: str = setting("", "key of Voyage AI, for voyage: rerankers", key, env="VOYAGE_API_KEY", secret=True)
    jina_key: str = setting("", "key of Jina AI, for jina: rerankers", key, env="JINA_API_KEY", secret=True)

    plan_timeout: float = setting(1.5, "seconds for the plan", seconds)
    search_timeout: float = setting(2.0, "seconds for one round of searching", seconds)
    rerank_timeout: float = setting(1.5, "seconds for a reranker behind an address", seconds)
    read_timeout: float = setting(4.0, "seconds for one round of reading", seconds)
    answer_timeout: float = setting(60.0, "seconds for writing", seconds)
    grace: float = setting(5.0, "seconds that answers under way may take to end when the server stops", seconds)
    max_runs: int = setting(64, "answers under way at once; one more is refused with 503", count)
    keep_days: int = setting(0, "days without a change after which a conversation is deleted; 0: never", days)
    suggest_timeout: float = setting(1.5, "seconds for related questions", seconds)
    judge_timeout: float = setting(20.0, "seconds for the judge", seconds)

    cache_mb: int = setting(1000, "megabytes of pages kept for later; those that answers cite stay", megabytes)

    results: int = setting(8, "results a search query", count)
    pages: int = setting(12, "pages read in a round", count)
    passages: int = setting(10, "passages the writer sees", count)
    rounds: int = setting(3, "rounds of searching at most", count)
    context_tokens: int = setting(
        8192, "tokens that the model which writes can see, its answer included; 0: no limit but that of passages", whole
    )
    floor: float = setting(0.05, "score below which a passage is no evidence", share)
    support_strict: float = setting(0.5, "chance from which a claim counts as supported", share)
    support_lenient: float = setting(0.35, "chance from which a claim counts as partly supported", share)

    def secret(self, variable: str) -> str:
        """The value of the setting that this environment variable holds; "" when there is none."""
        name = next((name for name, row in ROWS.items() if row.metadata["env"] == variable), None)
        return getattr(self, name) if name else ""


def keep_quiet() -> None:
    """Before onnxruntime is imported: left alone, it reports its use to its maker and writes an id below HOME."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


ROWS = {row.name: row for row in fields(Settings)}
NOT_SETTINGS = {"CONFIG", "TEST_BROWSER"}  # where the file is; a switch of the test suite


def shown_value(name: str, settings: Settings) -> str:
    """A value as it could be set; of a secret only whether it is."""
    value = getattr(settings, name)
    if ROWS[name].metadata["secret"]:
        return "set" if value else "not set"
    if name == "data_dir" and value is None:
        with suppress(SettingsError):
            return str(data_path(settings))
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) if isinstance(value, tuple) else "" if value is None else str(value)


def environment_name(name: str) -> str:
    return ROWS[name].metadata["env"] or PREFIX + name.upper()


def load_settings(flags: Mapping[str, object] | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Raises SettingsError with every fault. `flags` whose value is None count as not given."""
    environ = os.environ if environ is None else environ
    faults: list[str] = []
    given: dict[str, tuple[str, object]] = {}  # name -> where it was set, value as given
    for source, values in (
        ("file", _from_file(environ, faults)),
        ("environment", _from_environment(environ, faults)),
        ("flag", {name: value for name, value in (flags or {}).items() if value is not None}),
    ):
        given |= {name: (_label(source, name), value) for name, value in values.items()}
    chosen = _parse_all(given, faults)
    if chosen.get("writer", "") not in {"", "extractive", "model"}:
        faults.append(f"{given['writer'][0]} = {chosen['writer']!r}: expected extractive or model")
    if faults:
        raise SettingsError(faults)
    return Settings(**chosen)


def _label(source: str, name: str) -> str:
    return {"file": f"answerable.toml: {name}", "environment": environment_name(name), "flag": f"--{name}"}[source]


def _parse_all(given: Mapping[str, tuple[str, object]], faults: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, (label, value) in given.items():
        row = ROWS[name]
        if value == "" and row.default in ("", None):
            continue  # set to nothing is not set
        try:
            values[name] = value if isinstance(value, Path) else row.metadata["parse"](value)
        except ValueError as fault:
            shown = "(hidden)" if row.metadata["secret"] else repr(value)
            faults.append(f"{label} = {shown}: {fault}")
    return values


def _from_environment(environ: Mapping[str, str], faults: list[str]) -> dict[str, object]:
    values: dict[str, object] = {}
    by_variable = {environment_name(name): name for name in ROWS}
    for variable, value in environ.items():
        if variable in by_variable:
            values[by_variable[variable]] = value
        elif variable.startswith(PREFIX) and variable.removeprefix(PREFIX) not in NOT_SETTINGS:
            faults.append(f"{variable}: there is no such setting{_near(variable, by_variable)}")
    return values


def _from_file(environ: Mapping[str, str], faults: list[str]) -> dict[str, object]:
    named = environ.get(f"{PREFIX}CONFIG", "")
    path = Path(named or "answerable.toml").expanduser()
    if not named and not path.exists():
        return {}
    try:
        if path.is_dir():
            faults.append(f"{path}: this is a directory; name a TOML file in {PREFIX}CONFIG, or remove it")
            return {}
        table = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as fault:
        faults.append(f"{path}: {fault}")  # the message holds line and column
        return {}
    except (OSError, UnicodeDecodeError) as fault:
        faults.append(f"{path}: cannot be read ({getattr(fault, 'strerror', None) or 'not UTF-8'})")
        return {}
    for name in table.keys() - ROWS.keys():
        faults.append(f"{path}: {name!r}: there is no such setting{_near(name, ROWS)}")
    return {name: value for name, value in table.items() if name in ROWS}


def _near(name: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def proxies_of(settings: Settings, environ: Mapping[str, str] | None = None) -> Proxies:
    """The proxies as set, else the environment's, in lower case before capitals. Raises SettingsError."""
    if settings.proxy:
        return Proxies.only(settings.proxy, settings.no_proxy)
    environ = os.environ if environ is None else environ
    faults: list[str] = []
    every = _environment_proxy(environ, "ALL_PROXY", faults)
    # A server's script finds a request's `Proxy:` header under HTTP_PROXY, which then is nobody's setting.
    http = "" if "REQUEST_METHOD" in environ and "http_proxy" not in environ else "HTTP_PROXY"
    plain, secure = (_environment_proxy(environ, name, faults) or every for name in (http, "HTTPS_PROXY"))
    if faults:
        raise SettingsError(faults)
    said = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    return Proxies(plain, secure, settings.no_proxy or listed(said))


def _environment_proxy(environ: Mapping[str, str], name: str, faults: list[str]) -> str:
    value = (environ.get(name.lower()) or environ.get(name) or "").strip()
    if not value:
        return ""
    try:
        return address(value if "://" in value else f"http://{value}")
    except ValueError:
        faults.append(f"{name}: expected the address of an HTTP or SOCKS5 proxy, such as http://proxy.example:3128")
        return ""


def data_path(settings: Settings, environ: Mapping[str, str] | None = None) -> Path:
    """Where the data folder is or will be. Raises SettingsError when nothing says it."""
    environ = os.environ if environ is None else environ
    if settings.data_dir is not None:
        return settings.data_dir
    base = environ.get("XDG_DATA_HOME") or (f"{environ['HOME']}/.local/share" if environ.get("HOME") else "")
    if not base:
        raise SettingsError([f"{PREFIX}DATA_DIR is not set and there is no HOME: name a folder that can be written"])
    return Path(base) / "answerable"


def data_folder(settings: Settings, environ: Mapping[str, str] | None = None) -> Path:
    """The data folder, made when missing. Raises SettingsError when it cannot be written."""
    path = data_path(settings, environ)
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as fault:
        raise SettingsError(
            [f"{PREFIX}DATA_DIR: the data folder {str(path)!r} cannot be written ({fault.strerror}); name another"]
        ) from None
    return path
