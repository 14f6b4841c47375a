"""How chances become a choice: the forests' arithmetic, the best choice, and what structure adds and takes."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.errors import AnswerableError
from answerable.providers.reading.extract import extract, read_blocks
from answerable.providers.reading.extracted import Extracted, Job
from answerable.providers.reading.features import FEATURES, count
from answerable.providers.reading.judging import RECALL, SHIFTS, Forest, best_choice, context, forests_of, judge

NOW = datetime(2026, 11, 20, tzinfo=UTC)
PROSE = "<p>" + "The ferry to Oravia leaves the north quay at noon and carries forty people across. " * 5 + "</p>"


def read(html: str, url: str = "https://site.example/page") -> Extracted:
    return extract(Job(html.encode(), url, "text/html", NOW))


def test_a_forest_says_what_its_trees_say_one_after_the_other() -> None:
    generator = np.random.default_rng(3)
    forest = Forest(
        generator.integers(0, 5, (7, 3)),
        generator.random((7, 3), np.float32),
        generator.random((7, 8), np.float32),
        0.25,
    )
    matrix = generator.random((40, 5)).astype(np.float32)

    slowly = []
    for row in matrix:
        total = forest.bias
        for columns, bounds, leaves in zip(forest.columns, forest.bounds, forest.leaves, strict=True):
            total += leaves[sum(int(row[c] > b) << d for d, (c, b) in enumerate(zip(columns, bounds, strict=True)))]
        slowly.append(1 / (1 + np.exp(-total)))

    assert forest.chances(matrix) == pytest.approx(slowly, abs=1e-6)


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 50)), min_size=1, max_size=12))
def test_no_other_number_of_the_likeliest_blocks_has_a_higher_expected_f(blocks: list[tuple[float, int]]) -> None:
    blocks = sorted(blocks, reverse=True)
    chances = np.array([chance for chance, _ in blocks])
    words = np.array([size for _, size in blocks], np.float32)

    def expected(taken: int) -> float:
        total = 0.0
        for shift in SHIFTS:
            odds = chances / (1 - chances) * np.exp(shift)
            right = odds / (1 + odds) * words
            total += float(right[:taken].sum() / (words[:taken].sum() + RECALL * right.sum()))
        return total

    chosen = best_choice(chances, words)

    assert expected(int(chosen.sum())) >= max(map(expected, range(1, len(blocks) + 1))) - 1e-5


def test_a_page_that_is_hard_to_tell_keeps_what_a_plain_one_would_not() -> None:
    words = np.full(10, 20, np.float32)

    assert best_choice(np.full(10, 0.3), words).all()
    assert not best_choice(np.array([0.98] * 9 + [0.3]), words)[-1]


def test_the_figures_are_finite_and_one_row_a_block() -> None:
    reading = read_blocks(
        f"<title>Ferries</title><main><h1>Ferries</h1>{PROSE}<ul><li><a href=#>Quay</a></li></ul></main>"
        "<p>漢字かな。</p>",
        Job(b"", "https://site.example/a-b?x=1", "text/html", NOW),
    )
    assert reading is not None
    counted = count(reading.raws, reading.about)

    assert counted.matrix.shape == (len(reading.raws), len(FEATURES))
    assert np.isfinite(counted.matrix).all()
    assert np.isfinite(context(np.full(len(reading.raws), 0.5), counted)).all()
    assert ((judge(counted) > 0) & (judge(counted) < 1)).all()


def test_weights_for_other_figures_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"features": ["chars"]}).encode()))

    with pytest.raises(AnswerableError, match="other features"):
        forests_of(str(path))


def test_a_shops_page_is_its_description_and_its_figures_not_what_buyers_say() -> None:
    page = read(
        '<title>Kettle</title><script type=\'application/ld+json\'>{"@type": "Product", "name": "Kettle"}</script>'
        "<main><h1>Kettle</h1><div class=description><p>A steel kettle of two litres that whistles in C sharp when the"
        " water boils, made in Fenwick since 1911, with a handle of ash wood that stays cool.</p></div>"
        "<table><tr><th>Volume</th><td>2 l</td></tr><tr><th>Weight</th><td>900 g</td></tr></table>"
        "<section class=reviews><h2>Reviews</h2><div class=review><p>I have used this kettle for a year now and it is"
        " as good as on the first day, though the whistle is rather loud.</p></div></section></main>",
        "https://shop.example/products/kettle",
    )

    assert "whistles in C sharp" in page.text
    assert "Volume | 2 l" in page.text
    assert "rather loud" not in page.text


def test_comments_are_text_on_a_thread_and_nowhere_else() -> None:
    comments = "".join(
        f"<div class=comment><p>{n} I took the noon boat last week and it was late by half an hour.</p></div>"
        for n in range(6)
    )
    section = f"<section class=comments>{comments}</section>"
    article = f"<title>Ferries</title><article><h1>Ferries</h1>{PROSE * 4}</article>{section}"

    assert "late by half an hour" not in read(article).text
    thread = read(f"<title>Late?</title><h1>Late?</h1>{comments}", "https://x.example/forum/t/4")
    assert "late by half an hour" in thread.text


def test_buttons_and_notices_beside_a_text_are_not_part_of_it() -> None:
    page = read(
        f"<title>Ferries</title><main><h1>Ferries</h1>{PROSE * 2}<p>Sign up for our newsletter</p><p>Add to cart</p>"
        f"<h3>Related articles</h3><p>Share this page</p></main>"
    )

    assert "north quay" in page.text
    assert not any(words in page.text for words in ("Sign up", "Add to cart", "Related", "Share this"))


def test_tables_code_and_facts_beside_a_text_are_kept() -> None:
    page = read(
        f"<title>Ferries</title><main><h1>Ferries</h1><aside class=infobox><table><caption>The Oravia</caption>"
        f"<tr><th>Built</th><td>1911</td></tr><tr><th>Seats</th><td>40</td></tr></table></aside>{PROSE}"
        f"<pre>sail --from quay</pre>{PROSE}"
        "<table><tr><th>Day</th><th>Boats</th></tr><tr><td>Sunday</td><td>3</td></tr></table></main>"
    )

    assert "Built | 1911" in page.text
    assert "sail --from quay" in page.text
    assert "Sunday | 3" in page.text
