"""What kind of thing a question asks for (a number, a date, a person…) and whether a sentence holds one."""

from __future__ import annotations

import re
from typing import Literal

AnswerType = Literal["number", "date", "person", "place", "reason", "definition", "yes_no"]

# Order matters: "how many years", "seit wann", "à quelle heure" are caught before the bare question word.
_ASKED: tuple[tuple[AnswerType, str], ...] = (
    (
        "number",
        r"\bhow (?:many|much|tall|high|long|old|far|fast|big|large|heavy|deep|wide|hot|cold|often|hard|loud)\b"
        r"|\bwhat (?:is |was |are |were )?(?:the )?(?:\w+ )?(?:number|height|length|size|weight|price|cost"
        r"|population|"
        r"distance|speed|age|depth|area|temperature|percentage|rate|share|score|record|capacity|amount)\b"
        r"|\bwie ?(?:viele?n?|hoch|lang|alt|weit|schnell|groß|gross|schwer|tief|breit|heiß|kalt|oft|teuer)\b"
        r"|\bcombien\b|\bquelle est la (?:hauteur|longueur|taille|population|distance|vitesse|superficie"
        r"|profondeur)\b"
        r"|\bcu[aá]nt[oa]s?\b|\bquant[oaie]s?\b|\bhoe ?(?:veel|hoog|lang|oud|ver|snel|groot|zwaar|diep|breed)\b"
        r"|\bсколько\b|\bкакова? (?:высота|длина|площадь|население|глубина|скорость)\b"
        r"|多少|几[个年天次人位座]|多[高长大远深重快久]|いくつ|いくら|何(?:メートル|キロ|人|個|回|歳|度|本|円)"
        r"|どのくらい|どれくらい"
        r"|कितन[ाेी]|\bكم\b",
    ),
    (
        "date",
        r"\bwhen\b|\bwhat (?:year|date|day|time|century|decade)\b|\b(?:in )?which year\b|\bhow recently\b"
        r"|\bwann\b|\bin welchem jahr\b|\bquand\b|\b(?:en )?quelle (?:année|date)\b|\bcu[aá]ndo\b|\ben qué año\b"
        r"|\bquando\b|\bin (?:che|quale) anno\b|\bem que ano\b|\bwanneer\b|\bin welk jaar\b|\bкогда\b"
        r"|\bв каком году\b"
        r"|什么时候|何时|哪[一]?年|いつ|何年|\bकब\b|\bمتى\b|किस (?:वर्ष|साल)|\bفي أي (?:عام|سنة)\b",
    ),
    (
        "person",
        r"\bwho(?:se|m)?\b|\bqui\b(?! est-ce que)|\bwer\b|\bwem\b|\bwen\b|\bwessen\b|\bqui[eé]n(?:es)?\b"
        r"|\bchi\b|\bquem\b"
        r"|^wie (?:is|was|heeft|zijn|werd|won|schreef|maakte|bouwde)\b|\bкто\b|谁|誰|だれ|\bकिस(?:ने|का|की"
        r"|के)\b|\bकौन\b|\bمن\b",
    ),
    (
        "place",
        r"\bwhere\b|\bwhat (?:city|country|place|town|state|region)\b|\bin which (?:city|country)\b|\bwo\b"
        r"|\bwoher\b|\bwohin\b"
        r"|\boù\b|\bd[oó]nde\b|\bdove\b|\bonde\b|\bwaar\b|\bгде\b|\bоткуда\b|哪里|在哪|哪儿|どこ|\bकहाँ\b"
        r"|\bकहां\b|\bأين\b",
    ),
    (
        "reason",
        r"\bwhy\b|\bwhat (?:causes?|caused|makes)\b|\bhow come\b|\bwarum\b|\bwieso\b|\bweshalb\b|\bpourquoi\b"
        r"|\bpor qu[eé]\b"
        r"|\bperch[eé]\b|\bpor que\b|\bwaarom\b|\bпочему\b|\bзачем\b|为什么|為什麼|なぜ|どうして|\bक्यों\b|\bلماذا\b",
    ),
    (
        "definition",
        r"^what(?:'s| is| are| was| were) (?:an? |the )?[\w\s-]{1,40}\?*$|\bwhat does .+ mean\b|^was (?:ist"
        r"|sind) |^qu'est-ce que?"
        r"|^qué es |^che cos|^cos'è |^o que é |^wat is |^что такое |是什么|とは|क्या (?:है|होता है|हैं)"
        r"|^ما (?:هو|هي) ",
    ),
    ("yes_no", r"^(?:is|are|was|were|does|do|did|can|could|has|have|had|will|should|may|must|would) "),
)
_ASKED_FOR = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _ASKED)

_YEAR = r"(?<![\d.,])(?:1[0-9]\d\d|20\d\d)(?![\d,]|\.\d)"
_MONTHS = (
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\b\d{1,2}\.? (?:jan|feb|fév|mar|mär|apr"
    r"|avr|abr|ma[iy]"
    r"|jun|juin|jui|giu|jul|lug|aug|aoû|ago|sep|set|oct|okt|ott|out|nov|dec|dez|déc|dic|янв|фев|мар|апр|ма[йя]"
    r"|июн|июл|авг"
    r"|сен|окт|ноя|дек)"
)
_HOLDS: dict[AnswerType, re.Pattern[str]] = {
    "number": re.compile(
        r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty"
        r"|hundred|thousand"
        r"|million|dozen|half|third|quarter)s?\b|[二三四五六七八九十百千万亿億]",
        re.IGNORECASE,
    ),
    "date": re.compile(rf"{_YEAR}|{_MONTHS}|\b\d{{1,2}}(?:st|nd|rd|th) century|\d年|\d月|\d世紀", re.IGNORECASE),
    "person": re.compile(r"(?:^|[^.!?\s]\s)(?:[A-ZÀ-ÞА-Я][\w’'.-]+\s){1,3}[A-ZÀ-ÞА-Я][\w’'-]+|[·・]"),
    "place": re.compile(
        r"\b(?:in|at|on|near|of|between|from|im|bei|an|à|en|au|dans|sur|près de|nel|nella|em|no|na|te|op|bij|в"
        r"|на|у)\s"
        r"(?:the |der |dem |la |le |el |il )?[A-ZÀ-ÞА-Я]|位于|位於|にある|に位置|में|في"
    ),
    "reason": re.compile(
        r"\b(?:because|due to|caused?|causes|since|so that|as a result|reason|results? from|weil|denn|wegen"
        r"|damit|durch|parce qu"
        r"|car|grâce|en raison|porque|debido|gracias|perch[eé]|poich[eé]|dovuto|devido|omdat|doordat|потому"
        r"|из-за|поскольку)"
        r"|因为|因為|由于|由於|ため|から|क्योंकि|कारण|لأن|بسبب",
        re.IGNORECASE,
    ),
    "definition": re.compile(
        r"\b(?:is|are|was|were|means|refers to) (?:an?|the|any|one|when|to)\b|\b(?:ist|sind) (?:ein|eine|der"
        r"|die|das)\b"
        r"|\best (?:une?|la|le)\b|\bes (?:una?|el|la)\b|\bè (?:un|una|il|la)\b|\bé (?:uma?|o|a)\b|\bis een\b"
        r"| — это |是|とは|である"
        r"|है|\bهو\b|\bهي\b",
        re.IGNORECASE,
    ),
}


def asked_for(question: str) -> AnswerType | None:
    """The first kind its words ask for; None when they leave it open."""
    folded = " ".join(question.split())
    return next((kind for kind, pattern in _ASKED_FOR if pattern.search(folded)), None)


def holds(sentence: str, kind: AnswerType) -> bool:
    """Whether the sentence could give such an answer; a cheap look, not a proof."""
    if kind == "number":
        sentence = re.sub(_YEAR, "", sentence)  # a bare year answers "when", hardly ever "how many"
    pattern = _HOLDS.get(kind)
    return pattern is None or bool(pattern.search(sentence))
