"""The encodings of the WHATWG encoding standard: what a label means, and bytes to text as browsers do it."""

from __future__ import annotations

import codecs

REPLACEMENT = "replacement"  # labels that were used to smuggle script past filters: nothing is decoded
USER_DEFINED = "x-user-defined"
_LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "cp866": "866 cp866 csibm866 ibm866",
    "iso8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "iso8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
    "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 "
    "iso_8859-7 iso_8859-7:1987 sun_eu_greek",
    "iso8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 "
    "iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical",
    "iso8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso8859-16": "iso-8859-16",
    "koi8_r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8_u": "koi8-ru koi8-u",
    "mac_roman": "csmacintosh mac macintosh x-mac-roman",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "cp1250": "cp1250 windows-1250 x-cp1250",
    "cp1251": "cp1251 windows-1251 x-cp1251",
    "cp1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
    "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
    "cp1253": "cp1253 windows-1253 x-cp1253",
    "cp1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 "
    "latin5 windows-1254 x-cp1254",
    "cp1255": "cp1255 windows-1255 x-cp1255",
    "cp1256": "cp1256 windows-1256 x-cp1256",
    "cp1257": "cp1257 windows-1257 x-cp1257",
    "cp1258": "cp1258 windows-1258 x-cp1258",
    "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc_jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso2022_jp": "csiso2022jp iso-2022-jp",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "cp949": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
    "windows-949",
    "replacement": "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement",
    "utf-16-be": "unicodefffe utf-16be",
    "utf-16-le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "x-user-defined": "x-user-defined",
}
CODECS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}
_ONE_BYTE = frozenset(codec for codec in _LABELS if codec.startswith(("cp125", "cp8", "iso8859", "koi8", "mac_")))
# Where the standard's table of a code page has a letter and Python's has none, or another.
_DIFFERENT = {"cp1255": {0xCA: "\u05ba"}, "koi8_u": {0xAE: "\u045e", 0xBE: "\u040e"}}


def codec_of(label: str | None) -> str | None:
    """Python's name of the encoding that a label stands for; None for a label that the standard does not know."""
    return CODECS.get(label.strip("\t\n\f\r ").lower()) if label else None


def decoded(body: bytes, codec: str) -> str:
    """What no character stands for becomes U+FFFD, and nothing beside it is swallowed."""
    if codec == REPLACEMENT:
        return "\ufffd" if body else ""
    if codec == USER_DEFINED:
        return body.decode("latin-1").translate({byte: 0xF700 + byte for byte in range(0x80, 0x100)})
    if codec in _ONE_BYTE:
        return codecs.charmap_decode(body, "strict", _table(codec))[0]
    return body.decode(codec, _HANDLER)


def decoded_strictly(body: bytes, codec: str) -> str | None:
    """The text, if all of it is text. A last character cut in the middle is U+FFFD, unless it is the only evidence."""
    if codec == REPLACEMENT:
        return None
    if codec in _ONE_BYTE or codec == USER_DEFINED:
        text = decoded(body, codec)
        return None if "\ufffd" in text else text
    decoder = codecs.getincrementaldecoder(codec)(_STRICT_HANDLER)
    try:
        text = decoder.decode(body, final=False)
    except UnicodeDecodeError:
        return None
    if not decoder.getstate()[0]:
        return text
    return None if text.isascii() else text + "\ufffd"


_TABLES: dict[str, str] = {}


def _table(codec: str) -> str:
    """The 256 characters of a code page. Its holes are control characters below A0 and U+FFFD above."""
    if codec not in _TABLES:
        chars = []
        for byte in range(256):
            known = bytes([byte]).decode(codec, "ignore") or (chr(byte) if byte < 0xA0 else "\ufffd")
            chars.append(_DIFFERENT.get(codec, {}).get(byte, known))
        _TABLES[codec] = "".join(chars)
    return _TABLES[codec]


def _known_elsewhere(fault: UnicodeError) -> tuple[str, int] | None:
    """Characters of the standard that Python's codecs of two-byte encodings lack."""
    if not isinstance(fault, UnicodeDecodeError):
        return None
    at, body = fault.start, fault.object
    byte, codec = body[at], fault.encoding.replace("-", "_")
    if byte == 0x80 and codec in {"gb18030", "cp932", "shift_jis"}:
        return ("€" if codec == "gb18030" else "\x80"), at + 1
    if codec == "euc_jp" and at + 1 < len(body) and 0xA1 <= byte <= 0xFE and 0xA1 <= body[at + 1] <= 0xFE:
        # The rows that makers added, such as ①, stand at the same place in Microsoft's Shift-JIS.
        row, cell = byte - 0xA1, body[at + 1] - 0xA1
        lead = 0x81 + row // 2 + (0x40 if row >= 62 else 0)
        trail = cell + (0x9F if row % 2 else 0x40 + (cell >= 63))
        char = bytes([lead, trail]).decode("cp932", "ignore") if lead <= 0xFC else ""
        return (char, at + 2) if char else None
    return None


def _strict(fault: UnicodeError) -> tuple[str, int]:
    known = _known_elsewhere(fault)
    if known is None:
        raise fault
    return known


def _replacing(fault: UnicodeError) -> tuple[str, int]:
    known = _known_elsewhere(fault)
    if known is not None:
        return known
    if not isinstance(fault, UnicodeDecodeError):
        raise fault
    at = fault.end
    # A lead byte takes no ASCII character with it: it may be the "<" of a tag.
    for place in range(fault.start + 1, fault.end):
        if fault.object[place] < 0x80 and not fault.encoding.startswith(("utf-16", "utf_16")):
            at = place
            break
    return "\ufffd", at


_HANDLER, _STRICT_HANDLER = "answerable-replace", "answerable-strict"
codecs.register_error(_HANDLER, _replacing)
codecs.register_error(_STRICT_HANDLER, _strict)
