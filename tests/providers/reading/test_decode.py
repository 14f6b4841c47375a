"""Bytes to text: the encoding standard's order, forgiving where labels lie."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.providers.reading.decode import decode, kind_of

RUSSIAN = "Мост через реку Лумву открыли в 1931 году, его длина 410 метров. Паром больше не ходит, а билет стоит рубль."
JAPANESE = "これは日本語の文章です。橋の長さは四百十メートルで、費用は三億円でした。①"


@pytest.mark.parametrize(
    ("body", "label", "text"),
    [
        ("Łódź".encode(), "text/html; charset=windows-1252", "Łódź"),  # valid UTF-8 under a wrong label
        (b"\xef\xbb\xbfabc", "text/html; charset=utf-16", "abc"),
        ("Fähre über Öl, naïve café".encode("latin-1"), "text/html; charset=utf-8", "Fähre über Öl, naïve café"),
        (b"The lev\xe9e stood. " + b"x" * 5000, "text/html; charset=utf-8", "The levée stood. " + "x" * 5000),
        ("Łódź ".encode() * 9 + b"torn \xc5 here", "text/html; charset=utf-8", "Łódź " * 9 + "torn \ufffd here"),
        ("Łódź".encode("utf-16"), "text/html; charset=utf-8", "Łódź"),
        ("<p>plain text".encode("utf-16-le"), "", "<p>plain text"),
        (b"caf\xe9 \x93said\x94 \x81", "text/html; charset=ISO-8859-1", "café “said” \x81"),
        (JAPANESE.encode("cp932"), "text/html; charset=Shift_JIS", JAPANESE),
        (JAPANESE.encode("euc_jp", "ignore"), "text/html; charset=euc-jp", JAPANESE.removesuffix("①")),
        (JAPANESE[:-1].encode("iso2022_jp"), "text/html; charset=iso-2022-jp", JAPANESE[:-1]),
        ("㙍村".encode("gb18030"), "text/html; charset=gb2312", "㙍村"),
        ("서울".encode("cp949"), "text/html; charset=ks_c_5601-1987", "서울"),
        (b"<meta charset=cp1251>" + RUSSIAN.encode("cp1251"), "text/html", f"<meta charset=cp1251>{RUSSIAN}"),
        (RUSSIAN.encode("cp1251"), "text/html", RUSSIAN),  # no label at all
        (RUSSIAN.encode("cp1251"), "text/html; charset=nonsense", RUSSIAN),
        (b"+ADw-script+AD4-", "text/html; charset=utf-7", "+ADw-script+AD4-"),
    ],
)  # fmt: skip
def test_text_is_read_in_its_true_encoding(body: bytes, label: str, text: str) -> None:
    assert decode(body, label) == text


@given(
    st.binary(max_size=400), st.sampled_from(["", "text/html; charset=utf-8", "x; charset=gb2312", "x; charset=utf-16"])
)
def test_no_bytes_are_too_odd(body: bytes, label: str) -> None:
    assert isinstance(decode(body, label), str)
    assert kind_of(body, label) in {"html", "text", "json", "feed", "pdf", "other"}


@pytest.mark.parametrize(
    ("body", "label", "kind"),
    [
        (b"%PDF-1.4\n", "text/html", "pdf"),
        (b"<!doctype html><p>x", "text/plain", "html"),
        (b"<p>x</p>", "text/html", "html"),
        (b"Use <stdin> if a < b.", "text/plain", "text"),
        (b'{"a": 1}', "application/json", "json"),
        (b'[{"a": 1}]', "", "json"),
        (b"\x89PNG\r\n\x1a\n....", "text/html", "other"),
        (gzip.compress(b"x", mtime=0), "text/html", "other"),
        (bytes(range(32)) * 20, "text/html", "other"),
        (b"<?xml version='1.0'?><rss><channel/></rss>", "text/html", "feed"),
        (b"<?xml version='1.0'?><!DOCTYPE html><html/>", "application/xhtml+xml", "html"),
        (b"a,b\n1,2\n", "text/csv", "text"),
        ("<html><p>x".encode("utf-16"), "text/html", "html"),
    ],
)
def test_a_document_is_what_it_holds_not_what_it_is_called(body: bytes, label: str, kind: str) -> None:
    assert kind_of(body, label) == kind
