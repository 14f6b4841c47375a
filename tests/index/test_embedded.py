"""The folder of the embedded index: kept, shared for reading, its damage said clearly."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import tantivy
from tests.fakes.evidence import page_of

from answerable.errors import StorageError
from answerable.index import embedded
from answerable.index.embedded import EmbeddedIndex

PAGE = page_of("The Eiffel Tower is 330 metres tall.", number=1)
OTHER = page_of("Sourdough bread rises overnight.", number=2)


async def test_what_was_added_is_there_after_a_restart(tmp_path: Path) -> None:
    await EmbeddedIndex(tmp_path).add([PAGE])

    assert [hit.page for hit in await EmbeddedIndex(tmp_path).search("Eiffel", limit=3)] == [PAGE]


async def test_a_reader_sees_what_another_writes(tmp_path: Path) -> None:
    reader, writer = EmbeddedIndex(tmp_path), EmbeddedIndex(tmp_path)
    assert await reader.count() == 0

    await writer.add([PAGE])

    assert await reader.count() == 1


async def test_a_folder_that_another_process_writes_to_is_said_so_and_still_read(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path)
    await index.add([PAGE])
    writer = tantivy.Index.open(str(tmp_path)).writer(15_000_000, 1)
    try:
        with pytest.raises(StorageError, match="Lock") as caught:
            await index.add([OTHER])
        assert "other process" in caught.value.hint
        assert await index.count() == 1
    finally:
        writer.wait_merging_threads()

    await index.add([OTHER])
    assert await index.count() == 2


async def test_a_damaged_folder_is_named_with_the_cure(tmp_path: Path) -> None:
    await EmbeddedIndex(tmp_path).add([PAGE])
    (tmp_path / "meta.json").write_text("{broken", "utf-8")

    with pytest.raises(StorageError, match=tmp_path.name) as caught:
        await EmbeddedIndex(tmp_path).count()

    assert "add the pages again" in caught.value.hint


def test_a_missing_segment_is_a_storage_error(tmp_path: Path) -> None:
    asyncio.run(EmbeddedIndex(tmp_path).add([PAGE]))
    for path in tmp_path.glob("*.store"):
        path.unlink()

    with pytest.raises(StorageError):
        asyncio.run(EmbeddedIndex(tmp_path).search("Eiffel", limit=3))


async def test_a_file_in_place_of_the_folder_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("x", "utf-8")

    with pytest.raises(StorageError):
        await EmbeddedIndex(tmp_path / "index").count()


async def test_an_index_of_another_shape_is_a_storage_error(tmp_path: Path) -> None:
    tantivy.Index(tantivy.SchemaBuilder().add_text_field("other").build(), path=str(tmp_path))

    with pytest.raises(StorageError, match="schema"):
        await EmbeddedIndex(tmp_path).count()


async def test_a_failure_half_way_writes_nothing_and_leaves_the_index_usable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = EmbeddedIndex(tmp_path)
    await index.add([PAGE])
    with monkeypatch.context() as patched:
        patched.setattr(embedded, "split_passages", lambda page: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await index.add([PAGE, OTHER])

    assert await index.count() == 1
    assert len(await index.search("Eiffel", limit=3)) == 1
    await index.add([OTHER])
    assert await index.count() == 2


async def test_a_cancelled_caller_does_not_lock_the_next_one_out(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path)
    await index.count()
    call = asyncio.create_task(index.add([PAGE]))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)

    await index.add([OTHER])

    assert [hit.page for hit in await index.search("bread", limit=3)] == [OTHER]
