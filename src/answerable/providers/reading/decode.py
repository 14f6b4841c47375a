"""Bytes to text as the WHATWG encoding standard says, and what kind of document they are."""

from __future__ import annotations

import codecs
import html
import re

from answerable.providers.reading.extracted import Kind

# Labels of the standard that mean something else than Python's codec of that name, or that Python does not know.
_LABELS = {
    "cp1252": "ascii us-ascii ansi_x3.4-1968 iso-8859-1 iso8859-1 iso88591 iso_8859-1 latin1 latin-1 l1 cp819 "
    "windows-1252 x-cp1252 cp1252 x-user-defined",
    "cp1254": "iso-8859-9 iso8859-9 iso88599 iso_8859-9 latin5 l5 windows-1254 x-cp1254 cp1254",
    "cp874": "iso-8859-11 iso8859-11 iso885911 tis-620 dos-874 windows-874",
    "gb18030": "gb2312 gb_2312 gb_2312-80 gbk x-gbk chinese csgb2312 iso-ir-58 gb18030 cp936",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis cp932",
    "cp949": "euc-kr euckr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 cseuckr cp949",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc_jp": "euc-jp x-euc-jp",
    "cp1250": "windows-1250 x-cp1250 cp1250",
    "cp1251": "windows-1251 x-cp1251 cp1251",
    "koi8_r": "koi8-r koi8_r koi8 koi",
    "koi8_u": "koi8-u koi8-ru",
    "cp866": "ibm866 866 cp866",
    "mac_roman": "macintosh mac x-mac-roman",
    "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "iso8859-8": "iso-8859-8 iso-8859-8-i iso-8859-8-e visual logical hebrew",
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 x-unicode20utf8",
    "utf-16-le": "utf-16 utf-16le unicode ucs-2",
    "utf-16-be": "utf-16be unicodefffe",
}
_CODECS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}
_NEVER = {"utf-7", "utf_7", "unicode_escape", "raw_unicode_escape", "idna", "punycode", "hz", "iso2022_kr"}
_DETECT_BYTES = 48_000  # detection is slow, and a part is as telling as the whole

_META = re.compile(rb"<meta\b[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML = re.compile(rb"\A\s*<\?xml\b[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_HTML_START = re.compile(
    rb"\A(?:\s|<!--.*?-->|<\?xml[^>]*>)*<(?:!doctype\s+html|html|head|body|title|meta|script|style|h1|div|p|article|main)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_ANYWHERE = re.compile(rb"<(?:html|body|head)\b[^<]*>", re.IGNORECASE)
_FEED_START = re.compile(
    rb"\A(?:\s|<!--.*?-->|<\?[^>]*>|<!doctype[^>\[]*(?:\[.*?\])?\s*>)*"
    rb"<(?:rss|feed|rdf:RDF|urlset|sitemapindex|atom:feed)\b",
    re.IGNORECASE | re.DOTALL,
)
_MAGIC = (
    b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"RIFF", b"ID3", b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!",
    b"\xd0\xcf\x11\xe0", b"\x7fELF", b"MZ", b"OggS", b"fLaC", b"\x00\x00\x00", b"wOFF", b"wOF2", b"BZh", b"\xfd7zXZ",
)  # fmt: skip
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def kind_of(body: bytes, content_type: str = "") -> Kind:
    """What the bytes are, by their content first and their label second."""
    head = body[:4096].removeprefix(codecs.BOM_UTF8)
    label = content_type.partition(";")[0].strip().lower()
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(_MAGIC) and not _utf16(head):
        return "other"
    plain = decoded_head(head)
    if len(_CONTROLS.findall(plain)) > len(plain) // 100:
        return "other"
    if _FEED_START.match(plain):
        return "feed"
    if _HTML_START.match(plain):
        return "html"
    if label.endswith(("json", "javascript")) or plain.lstrip()[:1] in {b"{", b"["} and "html" not in label:
        return "json" if plain.lstrip()[:1] in {b"{", b"[", b'"'} else "text"
    if "html" in label or (not label.startswith("text/") and _HTML_ANYWHERE.search(plain)):
        return "html"
    if label.startswith(("image/", "audio/", "video/", "font/")) and "svg" not in label:
        return "other"
    return "text"


def decoded_head(head: bytes) -> bytes:
    """The head with UTF-16 made plain, so that tags can be looked for."""
    codec = _utf16(head)
    return head.decode(codec, "ignore").encode("utf-8", "ignore") if codec else head


def decode(body: bytes, content_type: str = "") -> str:
    """Text of a page or file. Never fails: what no encoding explains becomes U+FFFD."""
    for bom, bom_codec in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if body.startswith(bom):
            return _clean(body[len(bom) :].decode(bom_codec, "replace"))
    codec = _utf16(body[:4096])
    if codec:
        return _clean(body.decode(codec, "replace"))
    labels = [_header_label(content_type), _meta_label(body)]
    named = [codec for codec in map(_codec, labels) if codec]
    if "iso2022_jp" in named and b"\x1b" in body:
        return _clean(body.decode("iso2022_jp", "replace"))
    # Bytes beyond ASCII that happen to be valid UTF-8 are UTF-8, whatever the label says; of other multi-byte
    # encodings a text of more than a few letters practically never is.
    text = _strict(body, "utf-8")
    if text is not None:
        return _clean(text)
    return _clean(_best(body, named))


def _best(body: bytes, named: list[str]) -> str:
    for codec in named:
        text = _strict(body, codec) if codec != "utf-8" else None
        if text is not None:
            return text
    # Damaged, or wrongly labelled: a few bad bytes are damage, many are a wrong label.
    tolerated = max(3, len(body) // 500)
    for codec in named:
        text = body.decode(codec, "replace")
        if text.count("\ufffd") <= tolerated:
            return text
    detected = _detected(body)
    candidates = [*named, *([detected] if detected else []), "utf-8", "cp1252"]
    return min((body.decode(codec, "replace") for codec in candidates), key=lambda text: text.count("\ufffd"))


def _detected(body: bytes) -> str | None:
    from charset_normalizer import from_bytes  # slow to import, rarely needed

    beyond = re.search(rb"[\x80-\xff]", body)
    start = max(0, (beyond.start() if beyond else 0) - 1000)
    match = from_bytes(body[start : start + _DETECT_BYTES]).best()
    return _codec(match.encoding) if match else None


def _strict(body: bytes, codec: str) -> str | None:
    """The text, if all of it decodes; a last character cut in the middle does not count."""
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(body, final=False)
    except UnicodeDecodeError:
        if not codec.startswith("cp125"):
            return None
        # The standard gives the holes of windows-1252 and its kin to the control characters.
        return body.decode(codec, "surrogateescape").translate({0xDC00 + byte: byte for byte in range(0x80, 0x100)})


def _clean(text: str) -> str:
    return text.replace("\x00", "").removeprefix("\ufeff")


def _codec(label: str | None) -> str | None:
    if not label:
        return None
    label = label.strip().lower()
    try:
        codec = _CODECS.get(label) or codecs.lookup(label).name
    except (LookupError, ValueError):
        return None
    return None if codec in _NEVER or not codecs.lookup(codec)._is_text_encoding else codec


def _header_label(content_type: str) -> str | None:
    match = re.search(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", content_type, re.IGNORECASE)
    return match[1] if match else None


def _meta_label(body: bytes) -> str | None:
    match = _XML.search(body[:1024]) or _META.search(body[:8192])
    if match is None:
        return None
    label = match[1].decode("ascii", "ignore")
    return "utf-8" if label.lower().startswith("utf-16") else label  # it was readable as ASCII, so it is not UTF-16


def _utf16(head: bytes) -> str | None:
    """UTF-16 without its mark: every second byte of Latin text is zero."""
    if head.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if head.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    half = len(head[:2048]) // 2
    if half < 8:
        return None
    even, odd = head[: 2 * half : 2].count(0), head[1 : 2 * half : 2].count(0)
    if odd > half * 0.4 and even < half * 0.05:
        return "utf-16-le"
    if even > half * 0.4 and odd < half * 0.05:
        return "utf-16-be"
    return None


_REFRESH_META = re.compile(r"<meta\b([^>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))")
_REFRESH = re.compile(r"\A\s*(\d*)(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?[\"']?\s*([^\"'\s][^\"']*)", re.IGNORECASE)
_NOT_SHOWN = re.compile(r"<(script|style|head|noscript|svg)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>", re.IGNORECASE | re.DOTALL)
_SOON = 10  # seconds; a later refresh is a page that keeps itself new
_SHELL_CHARS = 300  # a page with more text than this is one to read, not one that only leads on


def refresh_target(body: bytes) -> str | None:
    """Where `<meta http-equiv=refresh>` of a page without text of its own leads; None when it leads nowhere."""
    text = decode(body)
    for tag in _REFRESH_META.finditer(text):
        attributes = {m[1].lower(): html.unescape(m[2] or m[3] or m[4] or "") for m in _ATTRIBUTE.finditer(tag[1])}
        if attributes.get("http-equiv", "").lower() != "refresh":
            continue
        match = _REFRESH.match(attributes.get("content", ""))
        if match is None or int(match[1] or 0) > _SOON:
            continue
        shown = " ".join(_NOT_SHOWN.sub(" ", text).split())
        return match[2].strip() if len(shown) <= _SHELL_CHARS else None
    return None
