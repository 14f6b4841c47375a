"""Sentences of a page that speak to a model instead of a reader. A guard beside the fence, never instead of it."""

from __future__ import annotations

import re
import unicodedata

_MODELS = (
    r"(?:ai|llms?|language models?|chat ?bots?|chatgpt|gpt|claude|gemini|assistants?|answer engines?|crawlers|agents)"
)
_INSTRUCTS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your|other|these)\b"
    r".{0,30}\b(?:instructions?|prompts?|rules|guidelines|directions|context|sources?)\b"
    r"|^\W{0,4}(?:system|developer|assistant|user)\s*:"
    r"|\b(?:system|developer|assistant)\s*(?:prompt|message|note|override|instruction)s?\b\s*[:>\]]"
    rf"|\b(?:note|notice|instructions?|message|attention|important)\b[^.]{{0,12}}\b(?:to|for)\b[^.]{{0,20}}\b{_MODELS}\b"
    r"|\b(?:ai|llm|language model|chat ?bot|assistant|answer engine)s?\b.{0,40}"
    r"\b(?:must|should|shall|are required to|have to|please)\b"
    r"|\bif you are (?:an? )?(?:ai|llm|language model|chat ?bot|automated|crawler)\b"
    r"|\bas an? (?:ai|llm|language model)\b.{0,40}\b(?:you|must|should)\b"
    r"|\byou (?:are|act as) (?:now )?(?:an? |the )?(?:helpful |new )?"
    r"(?:ai|assistant(?! (?:teacher|professor|manager|coach|editor|director|nurse|in|at|of)\b)|language model"
    r"|chat ?bot|system)\b"
    r"|\b(?:reply|respond|answer|output|say)\b (?:only |exactly |just )?(?:with|that|using)?\s*"
    r"the (?:word|phrase|text|following)\b"
    r"|\b(?:reveal|print|repeat|show|output)\b (?:me )?(?:your|the) "
    r"(?:system prompt|hidden prompt|instructions above)\b"
    r"|\b(?:tell|inform|instruct|urge|advise|send|direct) (?:the |your )?users?\b"
    r"|\bdo not (?:mention|reveal|cite|disclose|tell)\b.{0,40}\b(?:this|these|source|instruction|user|reader|prompt)"
    r"|<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]|<<SYS>>|</?(?:system|instructions?)>"
    r"|^\s*#{2,}\s*(?:system|instruction)s?\s*:?",
    re.IGNORECASE | re.MULTILINE,
)
# "Ignore the (previous) instructions" and "note to AI models" as other languages say them.
_ELSEWHERE = re.compile(
    r"\b(?:ignorier\w*|missachte\w*|vergiss|vergessen sie)\b.{0,40}\b(?:anweisung\w*|vorgaben|befehle?|regeln)\b"
    r"|\b(?:ignore[rz]?|oublie[rz]?|ne (?:tiens|tenez) pas compte)\b.{0,40}"
    r"\b(?:instructions|consignes|directives|règles)\b"
    r"|\b(?:ignor[ae]n?|olvid[ae]n?|descarta)\b.{0,40}\b(?:instrucciones|indicaciones|órdenes|reglas)\b"
    r"|\b(?:ignor[ae]|dimentica|trascura)\b.{0,40}\b(?:istruzioni|indicazioni|regole)\b"
    r"|\b(?:ignor[ae]|esqueça|desconsidere)\b.{0,40}\b(?:instruções|regras|orientações)\b"
    r"|\b(?:negeer|vergeet)\b.{0,40}\b(?:instructies|aanwijzingen|opdrachten|regels)\b"
    r"|\b(?:zignoruj|pomiń|zapomnij)\b.{0,40}\b(?:instrukcj\w*|polece\w*|wytyczn\w*)"
    r"|\b(?:ignorera|glöm)\b.{0,40}\b(?:instruktioner|anvisningar)\b"
    r"|\b(?:önceki|tüm|yukarıdaki)\b.{0,40}\b(?:talimat|yönerge)\w*.{0,40}\b(?:yok say|unut|görmezden)"
    r"|(?:игнорируй|проигнорируй|забудь|забудьте|не обращай)\w*.{0,40}(?:инструкци|указани|правил)"
    r"|(?:ігноруй|забудь)\w*.{0,40}(?:інструкці|вказівк)"
    r"|(?:تجاهل|انس).{0,40}(?:التعليمات|الأوامر|الإرشادات)"
    r"|(?:निर्देश|अनुदेश).{0,40}(?:अनदेखा|नज़रअंदाज़|भूल)"
    r"|(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会).{0,14}(?:指令|指示|说明|說明|提示词|规则|命令)"
    r"|(?:指示|命令|指令|プロンプト).{0,12}(?:無視|忘れ)"
    r"|(?:지시|명령|프롬프트|지침)\S{0,6}\s?.{0,12}(?:무시|잊)"
    r"|\b(?:hinweis|anweisung|nachricht)\b.{0,12}\b(?:für|an)\b.{0,20}\b(?:ki|sprachmodell\w*|ki-\w+)\b"
    r"|\b(?:instructions?|note|message)\b.{0,12}\b(?:pour|aux?)\b.{0,20}\b(?:ia|modèles? de langage)\b"
    r"|\b(?:instrucci(?:ón|ones)|nota|mensaje)\b.{0,12}\bpara\b.{0,20}\b(?:ia|modelos? de lenguaje)\b",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_TAGS = re.compile("[\U000e0000-\U000e007f]")
# Letters of other scripts that look like Latin ones, as used to get past a reader of words.
_LOOKALIKES = str.maketrans("асеорхуіјѕԁһӏΑΒΕΗΙΚΜΝΟΡΤΥΧΖοαν", "aceopxyijsdhlABEHIKMNOPTYXZoav")
_LATIN, _LOOKALIKE = re.compile("[A-Za-z]"), re.compile("[асеорхуіјѕԁһӏΑΒΕΗΙΚΜΝΟΡΤΥΧΖοαν]")


def instructs(text: str) -> bool:
    """Whether the text reads as an instruction to a model, in any of some fifteen languages; letters that are not
    seen, full-width or borrowed from another script do not hide it."""
    if not text.isascii():
        text = plain(text)
    return bool(_INSTRUCTS.search(text) or _ELSEWHERE.search(text))


def plain(text: str) -> str:
    """As a reader sees it: without letters of no width, in the usual forms, tag characters as what they spell."""
    text = _TAGS.sub(lambda match: chr(ord(match[0]) - 0xE0000) if ord(match[0]) > 0xE001F else "", text)
    text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
    if _LATIN.search(text) and _LOOKALIKE.search(text):
        text = " ".join(word.translate(_LOOKALIKES) if _LATIN.search(word) else word for word in text.split(" "))
    return text
