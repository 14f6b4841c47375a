"""The encoding standard: all its labels, the order in which labels count, and no byte lost in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from answerable.providers.reading.decode import decode
from answerable.providers.reading.encodings import CODECS, codec_of, decoded, decoded_strictly

TABLE: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[2] / "data" / "encodings.json").read_text("utf-8")
)  # name in the standard -> its labels
SAMPLES = {  # name -> bytes, the text that the standard's index gives for them
    "utf-8": (b"\xc5\x81\xe2\x82\xac", "Ł€"),
    "ibm866": (b"\x8f\xa0\xe0\xae\xac", "Паром"),
    "iso-8859-2": (b"\xa3\xf3d\xbc", "Łódź"),
    "iso-8859-3": (b"\xc6\xf8", "Ĉĝ"),
    "iso-8859-4": (b"\xbf\xe7", "ŋį"),
    "iso-8859-5": (b"\xbf\xd0", "Па"),
    "iso-8859-6": (b"\xc7\xe4", "ال"),
    "iso-8859-7": (b"\xc1\xa4", "Α€"),
    "iso-8859-8": (b"\xf9\xec\xe5\xed", "שלום"),
    "iso-8859-8-i": (b"\xf9\xec", "של"),
    "iso-8859-10": (b"\xaf\xbf", "Ŋŋ"),
    "iso-8859-13": (b"\xa1\xb4", "”“"),
    "iso-8859-14": (b"\xd0\xf0", "Ŵŵ"),
    "iso-8859-15": (b"\xa4\xbd", "€œ"),
    "iso-8859-16": (b"\xa4\xaa", "€Ș"),
    "koi8-r": (b"\xf0\xc1\xd2\xcf\xcd", "Паром"),
    "koi8-u": (b"\xa4\xae\xbe", "єўЎ"),
    "macintosh": (b"\x8e\xdb", "é€"),
    "windows-874": (b"\xa1\x80", "ก€"),
    "windows-1250": (b"\x8a\x9c", "Šś"),
    "windows-1251": (b"\xcf\xe0", "Па"),
    "windows-1252": (b"\x93\x80\x94\x81", "“€”\x81"),
    "windows-1253": (b"\xc1\xaa", "Α\ufffd"),
    "windows-1254": (b"\xd0\xf0\x9f", "ĞğŸ"),
    "windows-1255": (b"\xf9\xca\xd9", "ש\u05ba\ufffd"),
    "windows-1256": (b"\xc7\x81", "اپ"),
    "windows-1257": (b"\xd0\xa1", "Š\ufffd"),
    "windows-1258": (b"\xd0\xfe", "Đ₫"),
    "x-mac-cyrillic": (b"\x8f\xa2\xff", "ПҐ€"),
    "gbk": (b"\xc4\xe3\x80\x81\x30\x81\x30", "你€\x80"),
    "gb18030": (b"\xba\xc3\x84\x31\xa4\x37", "好\ufffd"),
    "big5": (b"\xa7\x41\x87\x40", "你䏰"),
    "euc-jp": (b"\xb6\xb6\xad\xa1\x8e\xb1", "橋①ｱ"),
    "iso-2022-jp": (b"\x1b$B66\x1b(B.", "橋."),
    "shift_jis": (b"\x8b\xb4\x87\x40\xb1", "橋①ｱ"),
    "euc-kr": (b"\xbc\xad\x81\x41", "서갂"),
    "replacement": (b"<script>", "\ufffd"),
    "utf-16be": (b"\x00a\xd8\x3d\xde\xa2", "a🚢"),
    "utf-16le": (b"a\x00\x3d\xd8\xa2\xde", "a🚢"),
    "x-user-defined": (b"a\x80\xff", "a\uf780\uf7ff"),
}


def test_every_label_of_the_standard_means_its_encoding_however_it_is_spelt() -> None:
    assert set(CODECS) == {label for labels in TABLE.values() for label in labels}
    assert {name: {codec_of(f" {label.upper()}\n") for label in labels} for name, labels in TABLE.items()} == {
        name: {codec_of(name)} for name in TABLE
    }
    assert len(CODECS) == 228


@pytest.mark.parametrize("label", ["utf-7", "utf7", "utf-32", "cp037", "unicode_escape", "idna", "rot13", "", "x"])
def test_what_the_standard_does_not_know_is_no_label(label: str) -> None:
    assert codec_of(label) is None


@pytest.mark.parametrize("name", TABLE)
def test_bytes_mean_what_the_index_of_the_encoding_says(name: str) -> None:
    body, text = SAMPLES[name]

    assert decoded(body, codec_of(name) or "") == text


ENGLISH = b"The ferry leaves at noon and carries forty people to the other side. "
RUSSIAN = "Мост через реку Лумву открыли в 1931 году, его длина 410 метров. Паром больше не ходит. "


@pytest.mark.parametrize(
    ("body", "label", "found"),
    [
        (b"<meta charset=koi8-r>" + RUSSIAN.encode("koi8-r"), "text/html; charset=utf-8", RUSSIAN),  # the header lies
        (b"<meta charset=windows-1251>" + RUSSIAN.encode("cp1251"), "text/html; charset=iso-8859-1", RUSSIAN),
        (RUSSIAN.encode("cp1251") * 4, "text/html; charset=iso-8859-1", RUSSIAN * 4),  # and nothing says better
        (RUSSIAN.encode("cp1251"), 'text/html;charset="windows-1251"', RUSSIAN),
        (b"<!-- <meta charset=koi8-r> --><meta charset=cp1251>" + RUSSIAN.encode("cp1251"), "", RUSSIAN),
        (b"<meta name=x content='charset=koi8-r'><meta charset=cp1251>" + RUSSIAN.encode("cp1251"), "", RUSSIAN),
        (
            b"<META content='text/html; charset=cp1251' http-equiv=Content-Type>" + RUSSIAN.encode("cp1251"),
            "",
            RUSSIAN,
        ),
        (b"<meta charset=utf-16>" + "Łódź".encode(), "", "Łódź"),  # it could be read, so it is UTF-8
        (b"<meta charset=x-user-defined>caf\xe9", "", "café"),
        (b"<?xml version='1.0' encoding='koi8-r'?>" + RUSSIAN.encode("koi8-r"), "", RUSSIAN),
        ("橋の長さは四百".encode("utf-16-le"), "text/plain; charset=utf-16", "橋の長さは四百"),
        (b"\xff\xfe" + "橋".encode("utf-16-le"), "text/html; charset=utf-8", "橋"),
    ],
)  # fmt: skip
def test_the_mark_then_the_header_then_the_page_and_the_bytes_have_the_last_word(
    body: bytes, label: str, found: str
) -> None:
    assert decode(body, label).endswith(found)


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1251", RUSSIAN * 5),
        ("koi8-r", RUSSIAN * 5),
        ("cp932", "橋の長さは四百十メートルで、費用は三億円でした。フェリーはもう出ません。" * 5),
        ("euc_jp", "橋の長さは四百十メートルで、費用は三億円でした。フェリーはもう出ません。" * 5),
        ("gb18030", "新桥长四百一十米，造价三点二亿元，去年十月通车，渡轮不再开行。" * 5),
        ("big5", "新橋長四百一十米，造價三點二億元，去年十月通車，渡輪不再開行。" * 5),
        ("cp949", "새 다리의 길이는 사백십 미터이고 비용은 삼억 원이었다. 배는 더 이상 다니지 않는다. " * 5),
        ("cp1253", "Η νέα γέφυρα έχει μήκος τετρακόσια δέκα μέτρα και το πλοίο δεν περνά πια. " * 5),
    ],
)
def test_without_any_label_the_encoding_is_found_by_its_letters(codec: str, text: str) -> None:
    assert decode(text.encode(codec)) == text


@given(st.lists(st.sampled_from([b"\xff", b"\xc3", b"\xe2\x82", b"\x80"]), min_size=1, max_size=6), st.integers(0, 60))
def test_bytes_that_mean_nothing_leave_a_mark_and_cost_nothing_beside_them(bad: list[bytes], at: int) -> None:
    text = "Łódź leży nad rzeką, a most ma 410 metrów długości. " * 4
    found = decode(text[:at].encode() + b" ".join(bad) + b"<b>" + text[at:].encode(), "text/html; charset=utf-8")

    assert found.startswith(text[:at])
    assert found.endswith("<b>" + text[at:])
    assert "\ufffd" in found


_REAL = sorted(set(CODECS.values()) - {"replacement", "x-user-defined", "iso2022_jp"})


@settings(max_examples=300)
@given(
    st.sampled_from(_REAL), st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00\x80"), max_size=60)
)
def test_what_an_encoding_can_write_is_read_back(codec: str, text: str) -> None:
    body = text.encode(codec, "ignore")
    assume(codec != "koi8_u" or not {0xAE, 0xBE} & set(body))

    assert decoded(body, codec) == body.decode(codec)
    assert decoded_strictly(body, codec) == body.decode(codec)


@settings(max_examples=300)
@given(st.sampled_from(sorted(set(CODECS.values()))), st.binary(max_size=80))
def test_no_bytes_break_a_decoder_or_swallow_a_tag(codec: str, body: bytes) -> None:
    text = decoded(body + b"\n<p>", codec)

    if not codec.startswith("utf-16") and codec not in {"replacement", "iso2022_jp"}:
        assert text.endswith("<p>")
