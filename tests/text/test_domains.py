"""Which sites may be used, as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.domains import MOST, Domains, domain_entries, domain_entry


@pytest.mark.parametrize(
    ("written", "entry"),
    [
        ("example.com", "example.com"),
        (" Example.COM. ", "example.com"),
        ("www.example.com", "example.com"),
        ("*.example.com", "example.com"),
        (".gov", "gov"),
        ("-example.com", "-example.com"),
        ("https://www.example.com/", "example.com"),
        ("https://example.com/News/", "example.com/News"),
        ("-example.com/ads", "-example.com/ads"),
        ("münchen.example", "xn--mnchen-3ya.example"),
        ("127.0.0.1", "127.0.0.1"),
    ],
)
def test_one_site_has_one_spelling(written: str, entry: str) -> None:
    assert domain_entry(written) == entry


@pytest.mark.parametrize(
    "written", ["", "-", "a b.example", "ftp://a.example", "a..b", "-a_b.example/", "http://", "*"]
)
def test_what_is_no_domain_is_refused_with_an_example(written: str) -> None:
    with pytest.raises(ValueError, match=r"is no domain; write example\.com"):
        domain_entry(written)


def test_too_many_or_contradicting_domains_are_refused() -> None:
    with pytest.raises(ValueError, match="20 are the most"):
        domain_entries(f"site{number}.example" for number in range(MOST + 1))
    with pytest.raises(ValueError, match=r"'a\.example' is both"):
        domain_entries(["a.example", "-www.a.example"])
    assert domain_entries(["a.example", " ", "A.example"]) == ("a.example",)


@pytest.mark.parametrize(
    ("entries", "url", "permitted"),
    [
        ((), "https://any.example/", True),
        (("a.example",), "https://a.example/x", True),
        (("a.example",), "http://www.news.a.example/x", True),
        (("a.example",), "https://nota.example/", False),
        (("a.example",), "https://a.example.evil.test/", False),
        (("gov",), "https://www.nasa.gov/x", True),
        (("-a.example",), "https://b.a.example/", False),
        (("-a.example",), "https://b.example/", True),
        (("a.example", "-ads.a.example"), "https://ads.a.example/", False),
        (("a.example/news",), "https://a.example/news/1", True),
        (("a.example/news",), "https://a.example/newsroom", False),
        (("-a.example/ads",), "https://a.example/", True),
        (("a.example",), "https://user@a.example:8443/", True),
        (("a.example",), "https://a.example@evil.test/", False),
        (("a.example",), "no address", False),
    ],
)
def test_a_site_and_what_is_below_it_is_meant(entries: tuple[str, ...], url: str, permitted: bool) -> None:
    assert Domains.of(entries).permits(url) is permitted


def test_what_two_lists_permit_is_what_both_permit() -> None:
    ours = Domains(("a.example", "gov"), ("spam.example",))
    assert Domains(("news.a.example", "b.example")).within(ours) == Domains(("news.a.example",), ("spam.example",))
    assert Domains().within(ours) == ours
    assert Domains(leave=("x.gov",)).within(ours) == Domains(ours.keep, ("x.gov", "spam.example"))
    nothing = Domains(("b.example",)).within(ours)
    assert nothing.nowhere
    assert not nothing.permits("https://b.example/")


names = st.sampled_from(["a.example", "b.a.example", "c.example", "example", "a.example/x"])


@given(st.lists(names, max_size=3), st.lists(names, max_size=3), st.lists(names, max_size=2), names)
def test_within_never_permits_what_either_refuses(keep: list[str], other: list[str], leave: list[str], at: str) -> None:
    one, two = Domains(tuple(keep), tuple(leave)), Domains(tuple(other))
    url = f"https://{at}"
    assert one.within(two).permits(url) == (one.permits(url) and two.permits(url))


def test_a_vendor_without_paths_is_told_hosts_and_never_drops_a_site_for_a_part_of_it() -> None:
    domains = Domains.of(("a.example/news", "b.example", "-c.example/ads", "-d.example"))
    assert domains.keep_hosts == ("a.example", "b.example")
    assert domains.leave_hosts == ("d.example",)
    assert Domains.of(domains.entries) == domains
