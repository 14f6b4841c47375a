"""Which proxy leads to an address, and what NO_PROXY lets go directly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.config import Settings, proxies_of
from answerable.errors import SettingsError
from answerable.text.proxies import Proxies, listed

CASE = Path(__file__).parents[1] / "data" / "cases" / "setup" / "setup-no-proxy-ipv6.json"
PROXY = "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("entry", "url", "direct"),
    [
        ("*", "https://site.example/", True),
        ("site.example", "https://site.example/", True),
        ("site.example", "https://a.site.example/", True),
        ("site.example", "https://mysite.example/", False),
        ("site.example", "https://site.example.org/", False),
        (".site.example", "https://a.site.example/", True),
        (".site.example", "https://site.example/", True),
        ("*.site.example", "https://a.b.site.example/", True),
        ("SITE.Example", "https://site.example./", True),
        (" site.example ", "https://site.example/", True),
        ("https://site.example/", "https://site.example/a", True),
        ("site.example:443", "https://site.example/", True),
        ("site.example:80", "https://site.example/", False),
        ("site.example:8080", "http://site.example:8080/", True),
        ("bücher.example", "https://xn--bcher-kva.example/", True),
        ("localhost", "http://localhost:8000/", True),
        ("127.0.0.1", "http://127.0.0.1:8000/", True),
        ("127.0.0.1", "http://127.0.0.2/", False),
        ("10.0.0.0/8", "http://10.1.2.3/", True),
        ("10.0.0.0/8", "http://11.1.2.3/", False),
        ("10.1.2.3/8", "http://10.9.9.9/", True),
        ("10.0.0.0/99", "http://10.1.2.3/", False),
        ("10.0.0.0/8:80", "http://10.1.2.3/", True),
        ("::1", "http://[::1]/", True),
        ("[::1]", "http://[::1]/", True),
        ("[::1]:8000", "http://[::1]:8000/", True),
        ("[::1]:8000", "http://[::1]/", False),
        ("0:0:0:0:0:0:0:1", "http://[::1]/", True),
        ("fd07:b51a:cc66:f0::/64", "http://[fd07:b51a:cc66:f0::9]/", True),
        ("[fd07::]/16", "http://[fd07:1::9]/", True),
        ("fe80::/10", "http://[fd00::1]/", False),
        ("127.0.0.1", "http://[::ffff:127.0.0.1]/", True),
        ("10.0.0.0/8", "http://site.example/", False),
        (".", "https://site.example/", False),
        ("", "https://site.example/", False),
        ("[", "https://site.example/", False),
        ("*.", "https://site.example/", False),
    ],
)
def test_an_entry_of_no_proxy(entry: str, url: str, direct: bool) -> None:
    assert Proxies.only(PROXY, (entry,)).for_url(url) == ("" if direct else PROXY)


def test_entries_are_separated_by_commas_or_blanks() -> None:
    assert listed("a.example,b.example  c.example ,,\td.example,") == (
        "a.example",
        "b.example",
        "c.example",
        "d.example",
    )


@given(st.text(max_size=30), st.sampled_from(["http://site.example/", "https://[::1]:8/", "http://10.0.0.1/"]))
def test_no_entry_does_more_than_match_nothing(entry: str, url: str) -> None:
    assert Proxies.only(PROXY, (entry,)).for_url(url) in {"", PROXY}


@pytest.mark.parametrize(
    ("environ", "http", "https"),
    [
        ({}, "", ""),
        ({"HTTPS_PROXY": PROXY}, "", PROXY),
        ({"https_proxy": PROXY, "HTTPS_PROXY": "http://other.example:1"}, "", PROXY),
        ({"http_proxy": "proxy.example:3128"}, PROXY, ""),
        ({"ALL_PROXY": "socks5://127.0.0.1:1080"}, "socks5://127.0.0.1:1080", "socks5://127.0.0.1:1080"),
        ({"all_proxy": PROXY, "HTTP_PROXY": "http://other.example:1"}, "http://other.example:1", PROXY),
        ({"HTTP_PROXY": PROXY, "REQUEST_METHOD": "GET"}, "", ""),  # a header of a request, not a setting
        ({"HTTP_PROXY": "  "}, "", ""),
    ],
)
def test_the_environment_in_both_spellings(environ: dict[str, str], http: str, https: str) -> None:
    found = proxies_of(Settings(), environ)

    assert (found.http, found.https) == (http, https)


def test_the_setting_beats_the_environment_and_brings_its_own_exceptions() -> None:
    environ = {"HTTPS_PROXY": "http://other.example:1", "NO_PROXY": "*"}

    assert proxies_of(Settings(proxy=PROXY), environ).for_url("https://site.example/") == PROXY
    assert proxies_of(Settings(proxy=PROXY, no_proxy=("*",)), environ).for_url("https://site.example/") == ""
    assert proxies_of(Settings(no_proxy=("a.example",)), environ).for_url("https://b.example/") != ""


@pytest.mark.parametrize("value", ["ftp://a.example:1", "socks4://a.example:1", "http://", "http://a.example:x"])
def test_an_unusable_proxy_is_named_without_its_password(value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        proxies_of(Settings(), {"HTTPS_PROXY": value.replace("//", "//me:hidden@")})

    assert "HTTPS_PROXY" in caught.value.message
    assert "hidden" not in caught.value.message


@pytest.mark.parametrize("item", list(enumerate(json.loads(CASE.read_text("utf-8"))["items"])))
def test_no_proxy_in_its_odd_forms_starts(item: tuple[int, dict[str, str]]) -> None:
    number, environ = item
    found = proxies_of(Settings(), environ | {"HTTP_PROXY": PROXY})

    assert found.direct
    assert (found.for_url("https://site.example/") == "") == (number == 3 or "HTTPS_PROXY" not in environ)
    assert (found.for_url("http://site.example/") == "") == (number == 3)
