"""Bytes to text as the WHATWG encoding standard says, and what kind of document they are."""

from __future__ import annotations

import codecs
import html
import re

from answerable.providers.reading.encodings import (
    CODECS,
    REPLACEMENT,
    USER_DEFINED,
    codec_of,
    decoded,
    decoded_strictly,
)
from answerable.providers.reading.extracted import Kind
from answerable.text.cleaning import storable

_BY_CODEC = {codecs.lookup(codec).name: codec for codec in CODECS.values() if codec not in {REPLACEMENT, USER_DEFINED}}
_KANA = re.compile("[\u3041-\u30ff]")
_PAIRS = re.compile(rb"[\xa1-\xfe][\xa1-\xfe]")
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_ACCENTED = re.compile("[\u00c0-\u00ff]")
# A letter with an accent, alone among plain ones, as the western languages have them.
_LATIN_WORD = re.compile("(?<![^A-Za-z\\s(\"'>-])[À-ÖØ-öø-ÿ](?![^a-z\\s,.;:!?)<\"'-])")
_FEW = 40
_OUTSIDE_TAGS = re.compile(r"<[^>]*>|[^\w]+|\d+")
_DETECT_BYTES = 48_000  # detection is slow, and a part is as telling as the whole

_META_TAG = re.compile(rb"<meta[\s/]([^>]*)>?", re.IGNORECASE)
_META_ATTRIBUTE = re.compile(rb"([^\s=>\"'/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([^\s;\"',]+)", re.IGNORECASE)
_META_BYTES = 8192  # the standard looks at 1,024 and browsers at more, as many heads are long
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
_OFFICE_PARTS: dict[Kind, bytes] = {
    "docx": b"word/document.xml",
    "xlsx": b"xl/workbook.xml",
    "pptx": b"ppt/presentation.xml",
}
_OFFICE_FIRST = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"customXml/", b"word/", b"xl/", b"ppt/")
_ZIP_NAME = 30  # where the name of the first part stands in a zip file
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def kind_of(body: bytes, content_type: str = "") -> Kind:
    """What the bytes are, by their content first and their label second."""
    head = body[:4096].removeprefix(codecs.BOM_UTF8)
    label = content_type.partition(";")[0].strip().lower()
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return next((kind for kind, part in _OFFICE_PARTS.items() if part in body), "other")
    if head.startswith(_MAGIC) and not _utf16(head):
        return "other"
    plain = decoded_head(head, content_type)
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


def is_document(head: bytes) -> bool:
    """Whether a body that begins so is a PDF or an Office file, whatever its label."""
    return b"%PDF-" in head[:1024] or (head.startswith(b"PK\x03\x04") and head.startswith(_OFFICE_FIRST, _ZIP_NAME))


def decoded_head(head: bytes, content_type: str = "") -> bytes:
    """The head with UTF-16 made plain, so that tags can be looked for."""
    named = codec_of(header_label(content_type)) or ""
    codec = _utf16(head) or (named if named.startswith("utf-16") else None)
    return head.decode(codec, "ignore").encode("utf-8", "ignore") if codec else head


def decode(body: bytes, content_type: str = "") -> str:
    """Text of a page or file. Never fails: what no encoding explains becomes U+FFFD."""
    for bom, bom_codec in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if body.startswith(bom):
            return storable(decoded(body[len(bom) :], bom_codec))
    codec = _utf16(body[:4096])
    if codec:
        return storable(decoded(body, codec))
    named = [codec for codec in map(codec_of, (header_label(content_type), _meta_label(body))) if codec]
    if "iso2022_jp" in named and b"\x1b" in body:
        return storable(decoded(body, "iso2022_jp"))
    # Bytes beyond ASCII that happen to be valid UTF-8 are UTF-8, whatever the label says; of other multi-byte
    # encodings a text of more than a few letters practically never is. UTF-16 is known by its zeros, else by its label.
    if not (named and named[0].startswith("utf-16")):
        text = decoded_strictly(body, "utf-8")
        if text is not None:
            return storable(text)
    return storable(_best(body, named))


def _best(body: bytes, named: list[str]) -> str:
    if named[:1] == [REPLACEMENT]:
        return decoded(body, REPLACEMENT)
    for codec in named:
        text = decoded_strictly(body, codec) if codec != "utf-8" else None
        if text is not None and not (codec == "cp1252" and _is_foreign(text)):
            return text
    # Damaged, or wrongly labelled: a few bad bytes are damage, many are a wrong label.
    tolerated = max(3, len(body) // 500)
    for codec in named:
        text = decoded(body, codec)
        bad = text.count("\ufffd")
        if codec == "utf-8" and bad == len(_BEYOND_ASCII.findall(text)):  # nothing beyond ASCII is right in it
            latin = decoded_strictly(body, "cp1252") if bad <= _FEW else None
            if latin is not None and len(_LATIN_WORD.findall(latin)) == bad:
                return latin
        elif bad <= tolerated and not (codec == "cp1252" and _is_foreign(text)):
            return text
    text = decoded(body, "utf-8")
    bad = text.count("\ufffd")
    if len(_BEYOND_ASCII.findall(text)) > 5 * bad:  # mostly right: torn at many places, or two encodings in one page
        return text
    detected = _detected(body)
    candidates = [*([detected] if detected else []), *named, "utf-8", "cp1252"]
    return min((decoded(body, codec) for codec in candidates), key=lambda text: text.count("\ufffd"))


def _is_foreign(text: str) -> bool:
    """Whether it is another alphabet read as the Latin one: no language of that has accents on most of its letters.

    Servers name the Latin one for whatever they send.
    """
    sample = text[:_DETECT_BYTES]
    accented = len(_ACCENTED.findall(sample))
    return accented > 8 and accented > len(_OUTSIDE_TAGS.sub(" ", sample)) * 0.3


def _detected(body: bytes) -> str | None:
    from charset_normalizer import from_bytes  # slow to import, rarely needed

    beyond = re.search(rb"[\x80-\xff]", body)
    start = max(0, (beyond.start() if beyond else 0) - 1000)
    sample = body[start : start + _DETECT_BYTES]
    match = from_bytes(sample).best()
    found = _known_codec(match.encoding) if match else None
    return found if found in _TWO_BYTES else _two_byte(sample) or found


_TWO_BYTES = ("euc_jp", "cp932", "cp949", "gb18030", "big5hkscs")


def _two_byte(sample: bytes) -> str | None:
    """The two-byte encoding by the lead bytes of its common characters, where most bytes are beyond ASCII."""
    high = sum(byte >= 0x80 for byte in sample)
    if high < 20:
        return None
    fitting = [codec for codec in _TWO_BYTES if decoded_strictly(sample, codec) is not None]
    text = {codec: decoded(sample, codec) for codec in fitting}
    for codec in ("euc_jp", "cp932"):
        if codec in text and len(_KANA.findall(text[codec])) > 0.2 * sum(char > "\x7f" for char in text[codec]):
            return codec
    pairs = _PAIRS.findall(sample)
    if not pairs or 2 * len(pairs) < 0.9 * high:
        return "big5hkscs" if "big5hkscs" in text and high * 2 > len(sample) else None
    leads = [pair[0] for pair in pairs]
    if "cp949" in text and sum(0xB0 <= lead <= 0xC8 for lead in leads) > 0.9 * len(leads):
        return "cp949"
    common = sum(0xB0 <= lead <= 0xD7 for lead in leads) > 0.6 * len(leads)
    return "gb18030" if "gb18030" in text and common else None


def _known_codec(name: str) -> str | None:
    """The standard's encoding for what the detection calls by Python's names; utf-7 and its like are none."""
    names = (name, name.replace("_", "-"), codecs.lookup(name).name)
    return next((codec for codec in map(codec_of, names) if codec and codec != REPLACEMENT), _BY_CODEC.get(names[-1]))


def header_label(content_type: str) -> str | None:
    match = re.search(r"charset\s*=\s*[\"']?\s*([^\s;\"',]+)", content_type, re.IGNORECASE)
    return match[1] if match else None


def _meta_label(body: bytes) -> str | None:
    """As the standard's prescan: not in comments, and `content` only beside `http-equiv=content-type`."""
    xml = _XML.search(body[:1024])
    label = xml[1] if xml else None
    for tag in () if label else _META_TAG.finditer(_COMMENT.sub(b"", body[:_META_BYTES])):
        said = {m[1].lower(): m[2] or m[3] or m[4] or b"" for m in _META_ATTRIBUTE.finditer(tag[1])}
        content = _CHARSET.search(said.get(b"content", b""))
        if said.get(b"charset", b"").strip():
            label = said[b"charset"]
        elif content and said.get(b"http-equiv", b"").strip().lower() == b"content-type":
            label = content[1]
        if label and codec_of(label.decode("latin-1")):
            break
        label = None
    if label is None:
        return None
    codec = codec_of(label.decode("latin-1")) or ""
    # It could be read as ASCII, so it is no UTF-16; and nobody means x-user-defined.
    return (
        "utf-8" if codec.startswith("utf-16") else "windows-1252" if codec == USER_DEFINED else label.decode("latin-1")
    )


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
