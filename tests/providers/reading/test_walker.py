"""Words that style alone sets apart, and names of parts that hold a page's text for all that they are called."""

from __future__ import annotations

import pytest

from answerable.providers.reading.htmltree import parse_html
from answerable.providers.reading.walker import Raw, walk


def blocks_of(html: str) -> list[Raw]:
    tree = parse_html(f"<html><body>{html}")
    assert tree is not None
    return walk(tree)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<span class=name>Fenwick Pack</span><span class=text>Made for rain</span>", "Fenwick Pack Made for rain"),
        ("<span class=name>Fenwick</span><span class=price>€49</span>", "Fenwick €49"),
        ("<span class=whole>49</span><span class=price-cents>99</span>", "49 99"),
        ("<span class=currency>EUR</span><span class=amount>24</span>", "EUR 24"),
        ("<b class=drop>T</b><span class=rest>he sea</span>", "The sea"),
        ("<span class=digit>2</span><span class=digit>0</span>", "20"),
        ("<span>Mac</span><span>Donald</span>", "MacDonald"),
        ("<code><span class=n>get</span><span class=n>Name</span></code>", "getName"),
        ("<span class=a>sea</span>, <span class=b>Moon</span>", "sea, Moon"),
    ],
)
def test_what_style_alone_sets_apart_is_set_apart_and_words_in_parts_are_not(html: str, text: str) -> None:
    assert [block.text for block in blocks_of(f"<p>{html}</p>")] == [text]


@pytest.mark.parametrize(
    ("names", "zone"),
    [
        ("elementor-widget elementor-widget-text-editor", False),
        ("elementor-widget-container", False),
        ("widget widget_recent_entries", True),
        ("content-sidebar-wrap", False),
        ("has-sidebar", False),
        ("sidebar", True),
        ("left-side-bar", True),
        ("read-more-content", False),
        ("related-posts", True),
    ],
)
def test_names_of_every_part_of_a_page_are_no_sign_of_what_stands_around(names: str, zone: bool) -> None:
    rest = "<p>The sea rises twice a day, and the moon has to do with it.</p>"
    blocks = blocks_of(f"<div class='{names}'><p>The sea rises.</p></div>{rest}")

    assert [block.zone for block in blocks] == [zone, False]
