"""What every passage index promises."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.evidence import NOW, page_of

from answerable.index.embedded import EmbeddedIndex
from answerable.protocols import PassageIndex

TOWER = replace(
    page_of(
        "The Eiffel Tower is 330 metres tall.\n\nIt was opened in 1889 and stands in Paris. 🗼", number=1, title="Tower"
    ),
    published=NOW,
    modified=datetime(2026, 1, 2, tzinfo=UTC),
    author="A. Writer",
    language="en",
)
BREAD = page_of("Sourdough bread rises overnight in a cool kitchen.", number=2, title="Bread")


@pytest.fixture(params=["memory", "folder"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> PassageIndex:
    return EmbeddedIndex(None if request.param == "memory" else tmp_path / "index")


async def found(index: PassageIndex, query: str) -> list[str]:
    return [hit.page.title for hit in await index.search(query, limit=10)]


async def test_a_new_index_is_empty(index: PassageIndex) -> None:
    assert await index.count() == 0
    assert await index.search("anything", limit=5) == []


async def test_a_hit_carries_its_page_whole_and_a_passage_of_it(index: PassageIndex) -> None:
    assert await index.add([TOWER, BREAD]) == 2

    (hit,) = await index.search("How tall is the Eiffel Tower?", limit=5)

    assert hit.page == TOWER
    assert hit.page.text[hit.passage.start : hit.passage.end] == hit.passage.text
    assert "330 metres" in hit.passage.text
    assert hit.score > 0


async def test_the_title_is_searched_too(index: PassageIndex) -> None:
    await index.add([replace(BREAD, title="Baking at home"), TOWER])

    assert await found(index, "baking") == ["Baking at home"]


async def test_adding_a_page_again_replaces_it(index: PassageIndex) -> None:
    await index.add([TOWER, BREAD])
    await index.add([replace(TOWER, url=TOWER.url + "#top", text="A tower of iron.", blocks=(), title="Iron")])

    assert await index.count() == 2
    assert await found(index, "metres") == []
    assert await found(index, "iron") == ["Iron"]


async def test_the_same_page_twice_in_one_call_is_one_page(index: PassageIndex) -> None:
    await index.add([TOWER, TOWER])

    assert await index.count() == 1
    assert await found(index, "Eiffel") == ["Tower"]


async def test_a_removed_page_is_gone_and_the_number_is_told(index: PassageIndex) -> None:
    await index.add([TOWER, BREAD])

    assert await index.remove([TOWER.url, "https://nowhere.example/"]) == 1
    assert await index.count() == 1
    assert await found(index, "Eiffel bread") == ["Bread"]


async def test_the_better_match_comes_first_and_the_limit_holds(index: PassageIndex) -> None:
    pages = [page_of(f"The harbour of town {n}. " + "fish " * n, number=n, title=str(n)) for n in range(1, 6)]
    await index.add(pages)

    assert [hit.page.title for hit in await index.search("harbour fish", limit=2)] != []
    assert len(await index.search("harbour fish", limit=2)) == 2
    scores = [hit.score for hit in await index.search("harbour fish", limit=5)]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("エッフェル塔の高さは330メートルである。", "エッフェル塔の高さは？"),
        ("埃菲尔铁塔高330米，位于巴黎。", "埃菲尔铁塔有多高？"),
        ("에펠탑의 높이는 330미터이다.", "에펠탑 높이"),
        ("หอไอเฟลสูง 330 เมตร", "หอไอเฟลสูงเท่าไร"),
        ("Высота Эйфелевой башни составляет 330 метров.", "эйфелева башня высота"),
        ("يبلغ ارتفاع برج إيفل 330 مترا.", "ارتفاع برج إيفل"),
        ("Le café ouvre à huit heures.", "cafe"),
    ],
)
async def test_every_script_is_searched(index: PassageIndex, text: str, query: str) -> None:
    await index.add([page_of(text, number=3, title="x"), BREAD])

    assert await found(index, query) == ["x"]


@pytest.mark.parametrize(
    "query",
    ['"eiffel', "eiffel AND (", "title:eiffel", "+eiffel -tower", "eiffel^9 [a TO b]", "eiffel\\ /.*/", "{eiffel} *"],
)
async def test_no_character_of_a_query_is_an_operator(index: PassageIndex, query: str) -> None:
    await index.add([TOWER, BREAD])

    assert "Tower" in await found(index, query)


@settings(max_examples=40, deadline=None)
@given(queries=st.lists(st.text(max_size=80), max_size=3), text=st.text(min_size=1, max_size=80))
async def test_any_text_can_be_added_and_any_text_asked(queries: list[str], text: str) -> None:
    index = EmbeddedIndex()
    page = page_of(text, number=9)
    await index.add([page])

    for query in queries:
        assert all(hit.page == page for hit in await index.search(query, limit=3))
    assert await index.count() == 1


async def test_writers_and_readers_at_once_do_not_get_in_each_others_way(index: PassageIndex) -> None:
    pages = [page_of(f"The harbour of town {n}.", number=n) for n in range(8)]

    async with asyncio.TaskGroup() as group:
        for page in pages:
            group.create_task(index.add([page]))
            group.create_task(index.search("harbour", limit=3))

    assert await index.count() == 8
