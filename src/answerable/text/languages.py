"""The language of a text by its script, its commonest words and its letters. A guess: English when nothing speaks."""

from __future__ import annotations

import re
from collections import Counter

from answerable.text.stopwords import STOP_WORDS
from answerable.text.tongues.words import MATTERS

SAMPLE = 2_000  # characters looked at
SCRIPTS: list[tuple[str, str]] = [  # a class of characters, its language when nothing else decides
    ("\u3041-\u30ff\u31f0-\u31ff", "ja"),
    ("\uac00-\ud7a3\u1100-\u11ff", "ko"),
    ("\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af", "zh"),
    ("\u0400-\u052f", "ru"),
    ("\u0370-\u03ff\u1f00-\u1fff", "el"),
    ("\u0590-\u05ff", "he"),
    ("\u0600-\u06ff\u0750-\u077f", "ar"),
    ("\u0900-\u097f", "hi"),
    ("\u0980-\u09ff", "bn"),
    ("\u0a00-\u0a7f", "pa"),
    ("\u0a80-\u0aff", "gu"),
    ("\u0b80-\u0bff", "ta"),
    ("\u0c00-\u0c7f", "te"),
    ("\u0c80-\u0cff", "kn"),
    ("\u0d00-\u0d7f", "ml"),
    ("\u0d80-\u0dff", "si"),
    ("\u0e00-\u0e7f", "th"),
    ("\u0e80-\u0eff", "lo"),
    ("\u1000-\u109f", "my"),
    ("\u10a0-\u10ff", "ka"),
    ("\u0530-\u058f", "hy"),
    ("\u1200-\u137f", "am"),
    ("\u1780-\u17ff", "km"),
    ("A-Za-z\u00c0-\u024f\u1e00-\u1eff", "latin"),
]
SCRIPT = re.compile("|".join(f"(?P<s{i}>[{chars}]+)" for i, (chars, _) in enumerate(SCRIPTS)))
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")

SIMPLIFIED = set("这个们来为说时会对发经过还国种动进间长门问车马见书东乐关开无业专丛两严丽举义乌习乡买云亚产亲从众优传")
TRADITIONAL = set(
    "這個們來為說時會對發經過還國種動進間長門問車馬見書東樂關開無業專叢兩嚴麗舉義烏習鄉買雲亞產親從眾優傳"
)
JAPANESE = set("円図広気駅県沢桜庁込働枠畑匂栃峠辻芸価労歩毎売読変転")

MORE_WORDS = {  # of Latin-script languages without a stop-word list; the commonest words that others lack
    "sv": "och att det som är på för av inte med ett har den till om var när från kan hur",
    "da": "og det at er på til af ikke med for den et har som der hvad hvor af fra blev",
    "no": "og det er på til av ikke med for den et har som hva hvor ble fra jeg kan",
    "fi": "ja on ei se että oli mutta ovat kun tai joka myös kuin mikä missä ole sen",
    "pl": "i w na z się nie jest to że do jak co dla ile przez był jego gdzie kiedy są",
    "cs": "a je v se na že to s z jako ale jsou pro který kde kdy jak byl by od",
    "sk": "a je v sa na že to s z ako ale sú pre ktorý kde kedy ako bol by od",
    "hu": "a az és hogy nem is egy van volt meg csak mint ez de ki mi hol mikor",
    "ro": "și în de la cu este nu pe care un o din pentru mai ce sunt când unde fost cât",
    "tr": "ve bir bu için ile da de ne olarak daha çok gibi kadar nasıl var nedir kaç olan",
    "id": "yang dan di dari untuk dengan ini itu tidak pada adalah ke dalam berapa apa akan",
    "vi": "của và là có trong được không cho các một những này đã với người bao nhiêu khi",
    "ca": "i els amb és que una per les del al com més són va quan aquest",
    "hr": "i je u na se da za su od koji kao što bio kada gdje koliko nije",
}
LETTERS = {  # letters that a language has and its neighbours lack
    "de": "ß",
    "es": "ñ¿¡",
    "fr": "œ",
    "pt": "ãõ",
    "pl": "łąęśźżćń",
    "cs": "řěůťď",
    "sk": "ľĺŕ",
    "hu": "őű",
    "ro": "șță",
    "tr": "ğış",
    "sv": "å",
    "vi": "ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
}
WEAK_LETTERS = {"de": "äöü", "fr": "èêàçûîô", "sv": "äö", "fi": "äö", "da": "æø", "no": "æø", "it": "ìòù", "es": "óáíú"}
WORDS = {
    **{k: v for k, v in STOP_WORDS.items() if k not in {"ru", "hi"}},
    **{k: frozenset(v.split()) for k, v in MORE_WORDS.items()},
}
ASKING = {
    language: frozenset(word for words in MATTERS.values() for word in words.get(language, "").split())
    for language in ("de", "fr", "es", "it", "pt", "nl")
}


def detect(text: str) -> str:
    """The BCP 47 tag of a text's language ("en", "de", "zh-Hant", …); "en" when nothing speaks for another."""
    sample = text[:SAMPLE]
    counts: Counter[str] = Counter()
    for run in SCRIPT.finditer(sample):
        name = SCRIPTS[int((run.lastgroup or "s0")[1:])][1]
        weight = 3 if name in {"ja", "zh", "ko"} else 1  # a character there is half a word
        counts[name] += len(run[0]) * weight
    if not counts:
        return "en"
    if counts["ja"] * 8 >= counts["zh"] and counts["ja"] + counts["zh"] >= counts["latin"] and counts["ja"]:
        return "ja"
    script = counts.most_common(1)[0][0]
    if script == "latin":
        return latin_language(sample)
    if script == "zh":
        return han_language(sample)
    if script == "ru":
        return cyrillic_language(sample.lower())
    if script == "ar":
        return arabic_language(sample)
    return script


def latin_language(text: str) -> str:
    lower = text.lower()
    words = Counter(word.replace("’", "'").replace("ß", "ss") for word in WORD.findall(lower))
    scores: dict[str, float] = {
        language: sum(count for word, count in words.items() if word in common) for language, common in WORDS.items()
    }
    letters = Counter(lower)
    for language, chars in LETTERS.items():
        scores[language] += min(3, 1.5 * sum(letters[char] for char in chars)) if any(map(letters.get, chars)) else 0
    for language, chars in WEAK_LETTERS.items():
        scores[language] += min(1, 0.6 * sum(letters[char] for char in chars))
    best = max(scores, key=scores.__getitem__)
    if best != "en":  # what is asked for tells neighbours apart: "quanto custa", "quanto costa"
        for language, asking in ASKING.items():
            scores[language] += 0.6 * sum(count for word, count in words.items() if word in asking)
        best = max(scores, key=scores.__getitem__)
    # One stray foreign word in an English question (a name, a title) is no foreign question.
    return best if scores[best] > scores["en"] and scores[best] >= 1 else "en"


def han_language(text: str) -> str:
    chars = Counter(text)
    traditional = sum(chars[char] for char in TRADITIONAL)
    simplified = sum(chars[char] for char in SIMPLIFIED)
    if sum(chars[char] for char in JAPANESE) > traditional + simplified:
        return "ja"
    return "zh-Hant" if traditional > simplified else "zh"


def cyrillic_language(text: str) -> str:
    if re.search("[їєґ]", text) or ("і" in text and not re.search("[ыэўё]", text)):
        return "uk"
    if "ў" in text:
        return "be"
    if re.search("[ђјљњћџ]", text):
        return "sr"
    return "bg" if "ъ" in text and not re.search("[ыэё]", text) and text.count("ъ") * 60 > len(text) else "ru"


def arabic_language(text: str) -> str:
    if re.search("[ٹڈڑےں]", text):
        return "ur"
    return "fa" if re.search("[پچژگکی]", text) else "ar"
