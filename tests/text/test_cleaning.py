"""Text that can be kept: whatever a model, a page or a person sends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.cleaning import StorableStream, storable

PIECE = st.text(st.one_of(st.sampled_from("a\x00\x1b\n\ud83d\uddfc\ufffe\U0001f5fc"), st.characters()), max_size=4)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\x00b\x1b[31m", "ab[31m"),
        ("one\ttwo\nthree", "one\ttwo\nthree"),
        ("Tower \ud83d\uddfc", "Tower \U0001f5fc"),
        ("Tower \ud83d\x00\uddfc", "Tower \U0001f5fc"),
        ("\ud83d alone \uddfc", "\ufffd alone \ufffd"),
        ("\ud83d\ud83d\uddfc", "\ufffd\U0001f5fc"),
    ],
)
def test_what_cannot_be_stored_is_gone_and_halves_that_meet_are_whole(text: str, kept: str) -> None:
    assert storable(text) == kept


@given(st.lists(PIECE, max_size=8))
def test_in_pieces_it_is_the_same_as_at_once_and_always_encodes(pieces: list[str]) -> None:
    stream = StorableStream()
    streamed = [stream.feed(piece) for piece in pieces] + [stream.finish()]

    assert "".join(streamed) == storable("".join(pieces))
    for piece in streamed:
        piece.encode("utf-8")
