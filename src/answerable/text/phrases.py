"""The few lines the engine says in its own voice inside an answer, in the reader's language."""

from __future__ import annotations

from typing import Literal

Phrase = Literal["from_sources", "sources_differ"]

_PHRASES: dict[str, dict[Phrase, str]] = {
    "en": {"from_sources": "From the sources", "sources_differ": "The sources differ."},
    "de": {"from_sources": "Aus den Quellen", "sources_differ": "Die Quellen weichen voneinander ab."},
    "fr": {"from_sources": "D’après les sources", "sources_differ": "Les sources divergent."},
    "es": {"from_sources": "Según las fuentes", "sources_differ": "Las fuentes difieren."},
    "it": {"from_sources": "Dalle fonti", "sources_differ": "Le fonti divergono."},
    "pt": {"from_sources": "Das fontes", "sources_differ": "As fontes divergem."},
    "nl": {"from_sources": "Uit de bronnen", "sources_differ": "De bronnen verschillen."},
    "ru": {"from_sources": "Из источников", "sources_differ": "Источники расходятся."},
    "zh": {"from_sources": "来源原文", "sources_differ": "各来源说法不一。"},
    "ja": {"from_sources": "情報源より", "sources_differ": "情報源によって異なります。"},
    "hi": {"from_sources": "स्रोतों से", "sources_differ": "स्रोत एकमत नहीं हैं।"},
    "ar": {"from_sources": "من المصادر", "sources_differ": "تختلف المصادر."},
}


def phrase(name: Phrase, language: str) -> str:
    """In English where the language (BCP 47) is not among ours."""
    return _PHRASES.get(language.casefold().split("-")[0], _PHRASES["en"])[name]
