"""Sentences of a page that speak to a model instead of a reader. A guard beside the fence, never instead of it."""

from __future__ import annotations

import re

_INSTRUCTS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|other|these)\b.{0,30}"
    r"\b(?:instructions?|prompts?|rules|guidelines|directions|context|sources?)\b"
    r"|^\W{0,4}(?:system|developer|assistant|user)\s*:"
    r"|\b(?:system|developer|assistant)\s*(?:prompt|message|note|override|instruction)s?\b\s*[:>\]]"
    r"|\b(?:note|notice|instructions?|message|attention|important)\b[^.]{0,12}\b(?:to|for)\b[^.]{0,20}"
    r"\b(?:ai|llms?|language models?|chat ?bots?|assistants?|answer engines?|crawlers|agents)\b"
    r"|\b(?:ai|llm|language model|chat ?bot|assistant|answer engine)s?\b.{0,40}"
    r"\b(?:must|should|shall|are required to|have to|please)\b"
    r"|\byou (?:are|act as) (?:now )?(?:an? |the )?(?:helpful |new )?(?:ai|assistant|language model|chat ?bot|system)\b"
    r"|\b(?:reply|respond|answer|output|say)\b (?:only |exactly |just )?(?:with|that|using)?\s*"
    r"the (?:word|phrase|text|following)\b"
    r"|\b(?:tell|inform|instruct|urge|advise|send|direct) (?:the |your )?users?\b"
    r"|\bdo not (?:mention|reveal|cite|disclose|tell)\b.{0,40}\b(?:this|these|source|instruction|user|reader|prompt)"
    r"|<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]|<<SYS>>|^\s*#{2,}\s*(?:system|instruction)s?\s*:?"
    r"|\bignorier(?:e|en sie)\b.{0,40}\b(?:anweisungen|vorgaben)\b|\bignore[rz]?\b.{0,30}\binstructions précédentes\b"
    r"|\bignor[ae]\b.{0,30}\binstrucciones\b|\bигнорируй\w*\b.{0,40}\bинструкци\w*\b"
    r"|忽略.{0,8}(?:指令|指示|说明)|無視.{0,8}(?:指示|命令)|(?:指示|命令).{0,8}無視",
    re.IGNORECASE | re.MULTILINE,
)


def instructs(text: str) -> bool:
    """Whether the text reads as an instruction to a model."""
    return bool(_INSTRUCTS.search(text))
