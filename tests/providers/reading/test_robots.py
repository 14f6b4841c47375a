"""robots.txt by RFC 9309: each line of the table names the section it holds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.providers.reading.guard import Guard, Refused
from answerable.providers.reading.robots import ALLOW_ALL, MAX_BYTES, Robots, Rules, RulesCache, parse_rules, rules_for

ALL = "User-agent: *\n"
TWO = "User-agent: Answerable\nDisallow: /ours\n\nUser-agent: *\nDisallow: /theirs\n"
# section, robots.txt, path, whether we may read it
TABLE: list[tuple[str, str | bytes, str, bool]] = [
    # 2.1 the file as a whole
    ("2.1", "", "/a", True),
    ("2.1", "\n\n\n", "/a", True),
    ("2.1", "# nothing but words\n", "/a", True),
    ("2.1", "Disallow: /\n", "/a", True),  # a rule of no group
    ("2.1", "Allow: /a\nDisallow: /\nUser-agent: *\nDisallow: /b\n", "/a", True),
    ("2.1", "Allow: /a\nDisallow: /\nUser-agent: *\nDisallow: /b\n", "/b", False),
    ("2.1", "User-agent: *\n", "/a", True),  # a group without rules
    ("2.1", "User-agent: Answerable\n\nUser-agent: other\nDisallow: /\n", "/a", False),  # a blank line parts nothing
    # 2.2 lines
    ("2.2", "User-agent: *\r\nDisallow: /a\r\n", "/a", False),
    ("2.2", "User-agent: *\rDisallow: /a\r", "/a", False),
    ("2.2", "User-agent: *\nDisallow: /a", "/a", False),
    ("2.2", "  User-agent :  *  \n\tDisallow\t:\t/a\t\n", "/a", False),
    ("2.2", "USER-AGENT: *\nDISALLOW: /a\n", "/a", False),
    ("2.2", "user-agent:*\ndisallow:/a\n", "/a", False),
    ("2.2", ALL + "Disallow: /a # not this\n", "/a", False),
    ("2.2", ALL + "Disallow: /a#b\n", "/a", False),
    ("2.2", ALL + "# Disallow: /a\n", "/a", True),
    ("2.2", ALL + "Disallow: /a\x85b\n", "/a", True),  # NEL ends no line
    ("2.2", ALL + "Disallow: /a\u2028b\n", "/a", True),
    ("2.2", ALL + "Disallow: /a\x0bAllow: /a\n", "/a", True),
    ("2.2", b"\xef\xbb\xbfUser-agent: *\nDisallow: /a\n", "/a", False),
    ("2.2", b"\xef\xbb\xbf# words\nUser-agent: *\nDisallow: /a\n", "/a", False),
    # 2.2.1 whom a group is for
    ("2.2.1", "User-agent: answerable\nDisallow: /a\n", "/a", False),
    ("2.2.1", "User-agent: ANSWERABLE\nDisallow: /a\n", "/a", False),
    ("2.2.1", "User-agent: Answerable/1.0\nDisallow: /a\n", "/a", False),
    ("2.2.1", "User-agent: Answerable # us\nDisallow: /a\n", "/a", False),
    ("2.2.1", "User-agent: Answer\nDisallow: /a\n", "/a", True),
    ("2.2.1", "User-agent: AnswerableBot\nDisallow: /a\n", "/a", True),
    ("2.2.1", "User-agent: able\nDisallow: /a\n", "/a", True),
    ("2.2.1", "User-agent: Answerable-News\nDisallow: /a\n", "/a", True),
    ("2.2.1", "User-agent: other\nDisallow: /\n", "/a", True),
    ("2.2.1", TWO, "/ours", False),
    ("2.2.1", TWO, "/theirs", True),  # a group of our own is all that holds
    ("2.2.1", "User-agent: *\nDisallow: /\nUser-agent: Answerable\nAllow: /\n", "/a", True),
    ("2.2.1", "User-agent: *\nDisallow: /\nUser-agent: Answerable\nDisallow:\n", "/a", True),
    ("2.2.1", "User-agent: *\nDisallow: /\nUser-agent: Answerable\n", "/a", True),
    ("2.2.1", "User-agent: *\nDisallow: /\n\nUser-agent: other\nAllow: /\n", "/a", False),
    ("2.2.1", "User-agent: a\nUser-agent: Answerable\nUser-agent: b\nDisallow: /x\n", "/x", False),
    ("2.2.1", "User-agent: Answerable\nDisallow: /a\nUser-agent: b\nDisallow: /b\n", "/b", True),
    ("2.2.1", "User-agent: Answerable\nDisallow: /a\n\nUser-agent: Answerable\nDisallow: /b\n", "/a", False),
    ("2.2.1", "User-agent: Answerable\nDisallow: /a\n\nUser-agent: ANSWERABLE\nDisallow: /b\n", "/b", False),
    ("2.2.1", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n", "/a", False),
    ("2.2.1", "User-agent: * all of you\nDisallow: /a\n", "/a", False),
    ("2.2.1", "User-agent: *bot\nDisallow: /a\n", "/a", True),
    ("2.2.1", "User-agent:\nDisallow: /a\n", "/a", True),
    ("2.2.1", "User-agent: Antwortbär\nDisallow: /a\n", "/a", True),
    # 2.2.2 what a rule is for
    ("2.2.2", ALL + "Disallow: /a\n", "/a", False),
    ("2.2.2", ALL + "Disallow: /a\n", "/a/b", False),
    ("2.2.2", ALL + "Disallow: /a\n", "/ab", False),
    ("2.2.2", ALL + "Disallow: /a\n", "/b/a", True),
    ("2.2.2", ALL + "Disallow: /a\n", "/A", True),
    ("2.2.2", ALL + "Disallow: /A\n", "/a", True),
    ("2.2.2", ALL + "Disallow: /a/\n", "/a", True),
    ("2.2.2", ALL + "Disallow:\n", "/a", True),
    ("2.2.2", ALL + "Disallow: /\nAllow:\n", "/a", False),
    ("2.2.2", ALL + "Disallow: /\n", "/", False),
    ("2.2.2", ALL + "Disallow: /a?b\n", "/a?b=1", False),
    ("2.2.2", ALL + "Disallow: /a?b\n", "/a", True),
    ("2.2.2", ALL + "Disallow: a\n", "/a", True),  # no path
    ("2.2.2", ALL + "Disallow: /\n", "/robots.txt", True),  # always allowed
    ("2.2.2", ALL + "Disallow: /p\nAllow: /p/open\n", "/p/open/1", True),  # the longest match
    ("2.2.2", ALL + "Allow: /p/open\nDisallow: /p\n", "/p/open/1", True),
    ("2.2.2", ALL + "Disallow: /p\nAllow: /p/open\n", "/p/closed", False),
    ("2.2.2", ALL + "Allow: /p\nDisallow: /p/open\n", "/p/open", False),
    ("2.2.2", ALL + "Allow: /p\nDisallow: /p\n", "/p", True),  # of equal ones, what allows
    ("2.2.2", ALL + "Disallow: /p\nAllow: /p\n", "/p", True),
    ("2.2.2", ALL + "Allow: /\nDisallow: /\n", "/a", True),
    ("2.2.2", ALL + "Disallow: /\nAllow: /index.html\n", "/", False),
    ("2.2.2", ALL + "Disallow: /\nAllow: /index.html\n", "/index.html", True),
    ("2.2.2", ALL + "Disallow: /foo/bar?baz=https://foo.bar\n", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", False),
    ("2.2.2", ALL + "Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar\n", "/foo/bar?baz=https://foo.bar", False),
    ("2.2.2", ALL + "Disallow: /foo/bar/ツ\n", "/foo/bar/%E3%83%84", False),
    ("2.2.2", ALL + "Disallow: /foo/bar/%E3%83%84\n", "/foo/bar/%E3%83%84", False),
    ("2.2.2", ALL + "Disallow: /foo/bar/%e3%83%84\n", "/foo/bar/ツ", False),
    ("2.2.2", ALL + "Disallow: /foo/bar/%62%61%7A\n", "/foo/bar/baz", False),
    ("2.2.2", ALL + "Disallow: /foo/bar/baz\n", "/foo/bar/%62%61%7a", False),
    ("2.2.2", ALL + "Disallow: /%7Euser\n", "/~user/a", False),
    ("2.2.2", ALL + "Disallow: /a%2Fb\n", "/a/b", True),
    ("2.2.2", ALL + "Disallow: /a/b\n", "/a%2Fb", True),
    ("2.2.2", ALL + "Disallow: /a%zz\n", "/a%zz", False),
    ("2.2.2", b"User-agent: *\nDisallow: /caf\xe9\n", "/caf%E9", False),  # not UTF-8, yet the same octets
    ("2.2.2", b"User-agent: *\nDisallow: /caf\xe9\n", "/caf%C3%A9", True),
    # 2.2.3 special characters
    ("2.2.3", ALL + "Disallow: /a$\n", "/a", False),
    ("2.2.3", ALL + "Disallow: /a$\n", "/ab", True),
    ("2.2.3", ALL + "Disallow: /a$\n", "/a?x", True),
    ("2.2.3", ALL + "Disallow: /a*c\n", "/abc", False),
    ("2.2.3", ALL + "Disallow: /a*c\n", "/ac", False),
    ("2.2.3", ALL + "Disallow: /a*c\n", "/a/b/c/d", False),
    ("2.2.3", ALL + "Disallow: /a*c\n", "/ab", True),
    ("2.2.3", ALL + "Disallow: /a*c$\n", "/abcd", True),
    ("2.2.3", ALL + "Disallow: /*.pdf$\n", "/x/y.pdf", False),
    ("2.2.3", ALL + "Disallow: /*.pdf$\n", "/x/y.pdf?dl=1", True),
    ("2.2.3", ALL + "Disallow: *.gif$\n", "/x.gif", False),
    ("2.2.3", ALL + "Disallow: /a*\n", "/a", False),
    ("2.2.3", ALL + "Disallow: /a**b\n", "/a/x/b", False),
    ("2.2.3", ALL + "Disallow: /*/print\n", "/a?u=/print", False),
    ("2.2.3", ALL + "Disallow: *\n", "/a", False),
    ("2.2.3", ALL + "Disallow: /path/file-with-a-%2A.html\n", "/path/file-with-a-*.html", False),
    ("2.2.3", ALL + "Disallow: /path/file-with-a-%2A.html\n", "/path/file-with-a-x.html", True),
    ("2.2.3", ALL + "Disallow: /path/foo-%24\n", "/path/foo-$", False),
    ("2.2.3", ALL + "Disallow: /path/foo-%24\n", "/path/foo-", True),
    ("2.2.3", ALL + "Disallow: /a$b\n", "/a", True),
    ("2.2.3", ALL + "Allow: /page\nDisallow: /*.htm\n", "/page.htm", False),  # six octets beat five
    # 2.2.4 other records
    ("2.2.4", "Sitemap: https://site.example/s.xml\n" + ALL + "Disallow: /a\n", "/a", False),
    ("2.2.4", "User-agent: Answerable\nSitemap: x\nUser-agent: b\nDisallow: /a\n", "/a", False),
    ("2.2.4", "User-agent: Answerable\nCrawl-delay: 1\nUser-agent: b\nDisallow: /a\n", "/a", False),
    ("2.2.4", "User-agent: Answerable\nNoindex: /x\nUser-agent: b\nDisallow: /a\n", "/a", False),
    ("2.2.4", ALL + "Disallow: /a\nSitemap: x\nDisallow: /b\n", "/b", False),
    ("2.2.4", ALL + "Host: site.example\nDisallow: /b\n", "/b", False),
    # 2.3.1.5 what is damaged
    ("2.3.1.5", "<!doctype html><title>Not found</title>", "/a", True),
    ("2.3.1.5", "User-agent *\nDisallow /a\n", "/a", False),
    ("2.3.1.5", "Useragent: *\nDissallow: /a\n", "/a", False),
    ("2.3.1.5", "nonsense\n" + ALL + ":::\nDisallow: /a\n\x00\x01\n", "/a", False),
    ("2.3.1.5", b"\xff\xfe\x00garbage\nUser-agent: *\nDisallow: /a\n", "/a", False),
    # 2.5 the part that is read
    ("2.5", ALL + "#" + "x" * (MAX_BYTES - 40) + "\nDisallow: /a\n", "/a", False),
    ("2.5", ALL + "#" + "x" * MAX_BYTES + "\nDisallow: /a\n", "/a", True),
    ("2.5", ALL + "#" + "x" * (MAX_BYTES - 28) + "\nDisallow: /private\n", "/public", True),  # not `Disallow: /p`
]


def test_the_table_is_long_enough() -> None:
    assert len(TABLE) >= 100


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [line[1:] for line in TABLE],
    ids=[f"{section}-{number}" for number, (section, *_) in enumerate(TABLE)],
)
def test_a_rule_of_the_rfc(text: str | bytes, path: str, allowed: bool) -> None:
    body = text if isinstance(text, bytes) else text.encode()

    assert parse_rules(body).allow(f"https://site.example{path}") == allowed


@pytest.mark.parametrize(
    ("agent", "allowed"),
    [("AnswerBot", False), ("answerbot/1.2", False), ("ANSWERBOT (+https://x.example)", False), ("OtherBot/3", True)],
)
def test_an_agent_is_known_by_its_product_token(agent: str, allowed: bool) -> None:
    """2.2.1, and a whole User-Agent header does."""
    assert parse_rules(b"User-agent: AnswerBot\nDisallow: /\n").allow("https://site.example/a", agent) == allowed


def test_the_pause_between_requests_and_the_sitemaps_are_told() -> None:
    rules = parse_rules(
        b"User-agent: *\nCrawl-delay: 2.5\nCrawl-delay: soon\nDisallow: /x\nSitemap: https://site.example/s.xml\n"
        b"User-agent: Answerable\nCrawl-delay: 1\n\nUser-agent: Answerable\nCrawl-delay: 4\nCrawl-delay: -1\n"
        b"Crawl-delay: inf\n"
    )

    assert (rules.crawl_delay(), rules.crawl_delay("Other"), ALLOW_ALL.crawl_delay()) == (4, 2.5, None)
    assert rules.sitemaps == ("https://site.example/s.xml",)


@pytest.mark.parametrize(
    ("status", "allowed"),
    [(200, False), (204, False), (400, True), (401, True), (403, True), (404, True), (410, True), (429, True)]
    + [(500, False), (502, False), (503, False), (599, False)],
)
def test_the_answer_to_the_question_for_the_rules(status: int, allowed: bool) -> None:
    """2.3.1.1, 2.3.1.3 and 2.3.1.4: there is a file, there is none, and there may be one."""
    assert rules_for(status, b"User-agent: *\nDisallow: /\n").allow("https://site.example/a") == allowed


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode), st.text(max_size=20))
def test_no_file_does_more_than_be_understood_or_not(body: bytes, path: str) -> None:
    rules = parse_rules(b"User-agent: *\n" + body)

    assert rules.allow(f"https://site.example/{path}") in {True, False}
    assert (rules.crawl_delay() or 0) >= 0


TARGET = Guard().check("https://site.example/a")
CLOSED = b"User-agent: *\nDisallow: /\n"


class Site:
    """Answers the question for the rules from a list, and counts."""

    def __init__(self, *answers: tuple[int, bytes] | Refused | float) -> None:
        self.answers: Sequence[tuple[int, bytes] | Refused | float] = answers
        self.asked = 0

    async def __call__(self, url: str, seconds: float) -> tuple[int, bytes]:
        assert url == "https://site.example:443/robots.txt"
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        if isinstance(answer, Refused):
            raise answer
        if isinstance(answer, float):
            await asyncio.sleep(answer)
            return 200, b""
        return answer


async def cause_of(robots: Robots, seconds: float = 1.0) -> str | None:
    try:
        await robots.check(TARGET, seconds)
    except Refused as refused:
        return refused.cause
    return None


async def test_rules_hold_for_a_day() -> None:
    """2.4"""
    clock = [0.0]
    site = Site((200, CLOSED), (200, b""))
    robots = Robots(site, RulesCache(lambda: clock[0]))
    first = await cause_of(robots), await cause_of(robots)
    clock[0] = 24 * 3600 - 1
    before = await cause_of(robots)
    clock[0] += 1
    after = await cause_of(robots)

    assert (first, before, after, site.asked) == (("blocked_by_robots",) * 2, "blocked_by_robots", None, 2)


async def test_pages_of_one_site_ask_for_its_rules_once() -> None:
    site = Site(0.02)
    robots = Robots(site)
    await asyncio.gather(*(robots.check(TARGET, 1.0) for _ in range(8)))

    assert site.asked == 1


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ((503, b""), "blocked_by_robots"),
        (Refused("connection", "it broke off"), "connection"),
        (Refused("tls", "a bad certificate"), "tls"),
        (Refused("decode", "damaged"), "decode"),
        (30.0, "timeout"),
    ],
)
async def test_a_site_whose_rules_cannot_be_had_is_closed_for_a_while(
    answer: tuple[int, bytes] | Refused | float, cause: str
) -> None:
    """2.3.1.4"""
    clock = [0.0]
    site = Site(answer, (404, b""))
    robots = Robots(site, RulesCache(lambda: clock[0]))
    told = await cause_of(robots, 0.1), await cause_of(robots, 0.1)
    clock[0] += 301
    later = await cause_of(robots)

    assert (told, later, site.asked) == ((cause, cause), None, 2)


async def test_a_site_that_cannot_be_reached_any_more_is_read_by_its_last_word() -> None:
    """2.3.1.4"""
    clock = [0.0]
    site = Site((200, b"User-agent: *\nDisallow: /b\n"), (503, b""))
    robots = Robots(site, RulesCache(lambda: clock[0]))
    await robots.check(TARGET, 1.0)
    clock[0] += 24 * 3600 + 1
    await robots.check(TARGET, 1.0)
    with pytest.raises(Refused):
        await robots.check(Guard().check("https://site.example/b"), 1.0)

    assert site.asked == 2


@pytest.mark.parametrize("cause", ["too_many_redirects", "bad_redirect", "bad_url"])
async def test_rules_that_are_redirected_without_end_are_as_good_as_none(cause: str) -> None:
    """2.3.1.2"""
    assert await cause_of(Robots(Site(Refused(cause, "lost")))) is None


async def test_the_rules_are_those_of_the_origin_port_and_scheme_included() -> None:
    """2.3"""
    asked: list[str] = []

    async def ask(url: str, seconds: float) -> tuple[int, bytes]:
        asked.append(url)
        return 404, b""

    robots = Robots(ask)
    for url in ("https://site.example/a", "http://site.example/a", "https://site.example:8443/a", "https://b.example/"):
        await robots.check(Guard().check(url), 1.0)

    assert len(set(asked)) == 4


def test_closed_rules_say_so_whatever_the_path() -> None:
    assert not Rules(all_paths=False).allow("https://site.example/robots.txt")
