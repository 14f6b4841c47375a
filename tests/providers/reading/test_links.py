"""Where pages and sitemaps lead, whatever their markup is like."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from answerable.providers.reading.links import MOST_LINKS, links_of, sitemap_of

HERE = "https://site.example/dir/page"


def test_links_are_absolute_once_each_and_without_fragments() -> None:
    body = b"""<A HREF=next>n</A> <a class="x" href='/top?a=1&amp;b=2#part'>t</a> <a href="next#again">n</a>
    <a href="https://other.example/&#228;">o</a> <a href="mailto:a@b.example">m</a> <a href="javascript:x()">j</a>
    <a data-href="/no">d</a> <a name="anchor">a</a> <a href="">e</a> <a href="http://[">broken</a>"""

    assert links_of(body, HERE) == (
        "https://site.example/dir/next",
        "https://site.example/top?a=1&b=2",
        "https://other.example/\u00e4",
        HERE,
    )


def test_a_base_leads_elsewhere_and_nofollow_is_left_out() -> None:
    body = b'<base href="/root/"><a href="x" rel="noopener nofollow">x</a><a rel=nofollow href=z>z</a><a href="y">y</a>'

    assert links_of(body, HERE) == ("https://site.example/root/y",)


def test_a_sitemap_lists_its_addresses() -> None:
    body = b"""<urlset><url><loc> https://site.example/a?x=1&amp;y=2 </loc></url>
    <url><loc><![CDATA[https://site.example/b]]></loc></url><url><loc>ftp://site.example/c</loc></url></urlset>"""

    assert sitemap_of(body) == ("https://site.example/a?x=1&y=2", "https://site.example/b")


def test_a_page_of_nothing_but_links_or_of_half_a_tag_ends() -> None:
    many = b"".join(b'<a href="/%d">' % n for n in range(MOST_LINKS + 50))

    assert len(links_of(many, HERE)) == MOST_LINKS
    assert links_of(b"<a href=" * 200_000, HERE) == ()


@given(st.binary(max_size=300))
def test_no_bytes_break_it(body: bytes) -> None:
    for link in (*links_of(b"<a href=" + body, HERE), *sitemap_of(b"<loc>" + body)):
        assert link.startswith(("http://", "https://"))
