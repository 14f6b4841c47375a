"""Words of a text in any script: folded, stemmed, without stop words; quick enough for ranking every passage."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import cache, lru_cache
from typing import Any

import snowballstemmer  # type: ignore[import-untyped]

from answerable.text.stopwords import FUNCTION_CHARACTERS, STOP_WORDS

SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}

# Scripts written without spaces (and Hangul, whose particles stick to the word) are cut into overlapping bigrams.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3130-\u318f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uaa60-\uaa7f\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
)
# `\w` leaves out combining marks, without which Indic, Hebrew or Arabic words fall apart.
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u0711\u0730-\u074a\u08d3-\u08ff\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"
    "\u0981-\u0983\u09bc-\u09d7\u09e2\u09e3\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a81-\u0a83\u0abc-\u0acd"
    "\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6"
    "\u0d00-\u0d03\u0d3b-\u0d4d\u0d57\u0d81-\u0d83\u0dca-\u0ddf\u0f35-\u0f39\u0f71-\u0f84\u135d-\u135f"
)
SEA_MARKS = (
    "\u0e31\u0e33-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb3-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u17b4-\u17d3"
)
NUMBER = r"[0-9]+(?:[.,][0-9]+)*"
ASCII_TOKEN = re.compile(rf"{NUMBER}|c\+\+|[cf]#|[a-z][a-z0-9]*(?:'[a-z0-9]+)*")
TOKEN = re.compile(
    rf"{NUMBER}|[{UNSPACED}]+|c\+\+|[cf]#|"
    rf"(?:[^\W_0-9{UNSPACED}]|[{MARKS}])(?:[^\W_{UNSPACED}]|[{MARKS}])*(?:'(?:[^\W_{UNSPACED}]|[{MARKS}])+)*"
)
IDENTIFIER = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
UNSPACED_RUN = re.compile(rf"[{UNSPACED}]")
SEA_CLUSTER = re.compile(rf".[{SEA_MARKS}]*")
SEA = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
NATIVE_DIGIT = re.compile(r"(?![0-9])\d")
ELISION = re.compile(r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|all|nell|dall|sull|un)'(?=..)")
LATIN_ACCENT = re.compile("[\u0300-\u036f]")

FRACTIONS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅛": "1/8"}
FOLDED = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ′`´＇", "'"),
        **dict.fromkeys("“”„‟«»″＂「」『』", '"'),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u0640", ""),
        **dict.fromkeys(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))), ""),
        **dict.fromkeys(map(chr, (*range(0x064B, 0x0653), 0x0670)), ""),  # Arabic vowel signs
        **dict.fromkeys(map(chr, range(0x0591, 0x05BE)), ""),  # Hebrew points
        **{mark: f"^{digit}" for digit, mark in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},  # 10² is not 102
        **{mark: f" {text}" for mark, text in FRACTIONS.items()},
    }
)


def fold(text: str) -> str:
    """Text for comparison: NFKC, casefolded, plain quotes and dashes, ASCII digits, no invisible characters."""
    if text.isascii():
        return text.lower().replace("`", "'")
    text = unicodedata.normalize("NFKC", text.translate(FOLDED)).casefold().translate(FOLDED)
    text = unicodedata.normalize("NFKC", text).replace("i\u0307", "i").replace("ı", "i").replace("\u2044", "/")
    return NATIVE_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)


def tokens(text: str) -> list[str]:
    """Folded words in order. Scripts without spaces give overlapping bigrams; a number stays whole (1,500 is 1500)."""
    return tokens_of_folded(fold(text))


def tokens_of_folded(text: str) -> list[str]:
    """`tokens` for text that `fold` made."""
    if text.isascii():
        found: list[str] = ASCII_TOKEN.findall(text)
    else:
        found = []
        for token in TOKEN.findall(text):
            if UNSPACED_RUN.match(token):
                found.extend(bigrams(token))
            else:
                found.append(token)
    return [plain_number(token) if "," in token else token for token in found]


def bigrams(run: str) -> list[str]:
    """Overlapping pairs of characters (with their marks); a lone character stands for itself."""
    parts = SEA_CLUSTER.findall(run) if SEA.search(run) else run
    return [a + b for a, b in zip(parts, parts[1:], strict=False)] or [run]


def plain_number(token: str) -> str:
    return token.replace(",", "") if GROUPED.fullmatch(token) else token


def stems(text: str, language: str = "en") -> list[str]:
    """Tokens cut to their stems; a language without a stemmer keeps its words."""
    return [stem(token, language) for token in tokens(text)]


def content_words(text: str, language: str = "en") -> list[str]:
    """Folded words that carry meaning: no stop words, no particles."""
    return content_of_folded(fold(text), language)


def content_of_folded(text: str, language: str = "en") -> list[str]:
    """`content_words` for text that `fold` made."""
    stop = STOP_WORDS.get(base(language), STOP_WORDS["en"])
    if not text.isascii():
        text = FUNCTION_CHARACTERS.sub(" ", text)
    return [
        ELISION.sub("", token, count=1) if "'" in token else token
        for token in tokens_of_folded(text)
        if token not in stop and (len(token) > 1 or not "a" <= token <= "z")
    ]


def index_tokens(text: str, language: str | None = None) -> list[str]:
    """Terms for a word index: stems without accents. A query and its pages must be given the same `language`.

    Without a language each word's script chooses the stemmer (Latin: English), so that a short query and a long page
    never disagree. An identifier of code counts as a term of its own beside its parts.
    """
    folded = fold(text)
    return [*(index_term(token, language) for token in tokens_of_folded(folded)), *identifiers(folded)]


def identifiers(folded: str) -> list[str]:
    """Names of code as wholes, beside their parts: `src_http_fail_cnt` is rare where `src` and `http` are not."""
    return IDENTIFIER.findall(folded) if "_" in folded else []


@lru_cache(maxsize=200_000)
def index_term(token: str, language: str | None) -> str:
    return without_accents(stem(token, language or script_language(token)))


def without_accents(word: str) -> str:
    if word.isascii() or word[0] > "\u024f":  # only Latin: elsewhere marks are letters
        return word
    return unicodedata.normalize("NFC", LATIN_ACCENT.sub("", unicodedata.normalize("NFD", word)))


def script_language(token: str) -> str:
    first = token[0]
    if first < "\u0370":
        return "en"
    for last, language in (
        ("\u03ff", "el"),
        ("\u052f", "ru"),
        ("\u058f", "hy"),
        ("\u05ff", "he"),
        ("\u06ff", "ar"),
        ("\u097f", "hi"),
    ):
        if first <= last:
            return language
    return "ta" if "\u0b80" <= first <= "\u0bff" else "none"


@lru_cache(maxsize=200_000)
def stem(token: str, language: str = "en") -> str:
    """The stem of one folded token."""
    if not token[0].isalpha() or UNSPACED_RUN.match(token):
        return token
    token = ELISION.sub("", token, count=1) if "'" in token else token
    name = SNOWBALL.get(base(language))
    if name is None:
        return token.removesuffix("'s")
    with STEMMING:  # the stemmers keep their word in fields
        return str(stemmer(name).stemWord(token))


def base(language: str) -> str:
    return language.split("-")[0].lower()


STEMMING = threading.Lock()


@cache
def stemmer(name: str) -> Any:
    return snowballstemmer.stemmer(name)
