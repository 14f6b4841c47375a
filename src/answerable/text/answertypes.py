"""What kind of thing a question asks for (a number, a date, a person…) and whether a sentence holds one."""

from __future__ import annotations

import re
from typing import Literal

from answerable.text.tongues.patterns import (
    ASKED_TIME,
    CLOCK,
    FREE,
    MONEY,
    MONTHS,
    NUMBER_WORDS,
    ORIGIN_OF_NAME,
    PRICED,
    REASONS,
    WEEKDAYS,
)

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
        r"\bhow many \w+ (?:\w+ )?between\b|\bwhen\b|\bwhat (?:year|date|day|time|hours|century|decade)\b"
        r"|\b(?:in )?which years?\b|\bhow (?:recently|late)\b|\bopening (?:times|hours)\b|\böffnungszeiten\b"
        r"|\bhoraires\b|\bhorarios?\b|\bum wie ?viel uhr\b|\bà quelle heure\b|\ba qué hora\b|\bчасы работы\b"
        r"|営業時間|开放时间"
        r"|\bwann\b|\bin welchem jahr\b|\bquand\b|\b(?:en )?quelle (?:année|date)\b|\bcu[aá]ndo\b|\ben qué año\b"
        r"|\bquando\b|\bin (?:che|quale) anno\b|\bem que ano\b|\bwanneer\b|\bin welk jaar\b|\bкогда\b"
        r"|\bв каком году\b"
        r"|什么时候|何时|哪[一]?年|いつ|何年|\bकब\b|\bمتى\b|किस (?:वर्ष|साल)|\bفي أي (?:عام|سنة)\b" + ASKED_TIME,
    ),
    (
        "person",
        r"\bwho(?:se|m)?\b|\bqui\b(?! est-ce que)|\bwer\b|\bwem\b|\bwen\b|\bwessen\b|\bqui[eé]n(?:es)?\b"
        r"|\bchi\b|\bquem\b|\b(?:which|what|quel(?:le)?|welche[rs]?|qué|quale) (?:\w+ )?"
        r"(?:arch?ite[ck]t\w*|engineer|ing[eé]ni\w+|president|king|queen|author|writer|actor|singer|player|scientist|painter|composer|brothers|explorer)\b"
        r"|^wie (?:is|was|heeft|zijn|werd|won|schreef|maakte|bouwde)\b|\bкто\b|谁|誰|だれ|\bकिस(?:ने|का|की"
        r"|के)\b|\bकौन\b|\bمن\b",
    ),
    (
        "place",
        r"\bwhere\b|\bwhat (?:city|country|place|town|state|region)\b"
        r"|\b(?:in|into|from) which (?:city|country|sea|river|town)\b|\bwo\b"
        r"|\bwhich (?:city|country|town|village|region) [^?]* (?:in|from|to|at)\W*$"
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

_ORIGIN = re.compile(ORIGIN_OF_NAME, re.IGNORECASE)
_OPENING = re.compile(
    r"(?:\w+ )?(?:what|how|which|who|where|when|why)\b|(?:is|are|was|were|do|does|did|can|could|has|have|will)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"(?<=\w)(?<!\band)(?<!\bor)(?<!\bby)(?<!\bto)(?<!\bin)(?<!\bof)(?<!\bfrom)(?<!\bwith)(?<!\bknow)(?<!\bme)"
    r" (?:who(?:se|m)?|where|when)\b",
    re.IGNORECASE,
)

_YEAR = r"(?<![\d.,])(?:1[0-9]\d\d|20\d\d)(?!\d|[.,]\d)"
_MONTHS = (
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\b\d{1,2}\.? (?:jan|feb|fév|mar|mär|apr"
    r"|avr|abr|ma[iy]"
    r"|jun|juin|jui|giu|jul|lug|aug|aoû|ago|sep|set|oct|okt|ott|out|nov|dec|dez|déc|dic|янв|фев|мар|апр|ма[йя]"
    r"|июн|июл|авг"
    r"|сен|окт|ноя|дек)"
)
_COMING = (  # days without a date: "the first Saturday of next month", "in early spring"
    r"\bnext (?:week|month|year|spring|summer|autumn|winter)\b"
    r"|\bin (?:early |mid-?|late )?(?:spring|summer|autumn|winter)\b"
    r"|\b(?:first|second|third|fourth|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btomorrow\b"
)
_HOLDS: dict[AnswerType, re.Pattern[str]] = {
    "number": re.compile(
        r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty"
        r"|hundred|thousand"
        r"|million|dozen|half|third|quarter)s?\b|[二三四五六七八九十百千万亿億]" + NUMBER_WORDS,
        re.IGNORECASE,
    ),
    "date": re.compile(
        rf"{_YEAR}|{_MONTHS}|\b\d{{1,2}}(?:st|nd|rd|th) century|\d年|\d月|\d世紀|\b\d{{1,2}}[:.h]\d\d\b"
        rf"|{_COMING}|{WEEKDAYS}|{CLOCK}|{MONTHS}",
        re.IGNORECASE,
    ),
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
        r"|因为|因為|由于|由於|ため|から|क्योंकि|कारण|لأن|بسبب" + REASONS,
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


# What "how deep" or "quelle hauteur" is answered with; a figure with such a unit beats a bare figure.
_LENGTHS = (
    r"(?:k|c|m)?m\b|(?:kilo|centi|milli)?(?:metre|meter|mètre|metro)s?\b|metern?\b|feet\b|foot\b|ft\b"
    r"|inch(?:es)?\b|miles?\b|(?:кило)?метр|км|公里|米|千米|メートル|キロ|मीटर|متر"
)
_AREAS = (
    rf"(?:k|c|m)?m[²2]|(?:square|sq\.?)\s?\w+|hectares?\b|hektar\b|ha\b|acres?\b|quadrat\w+|км²|平方"
    rf"|(?:{_LENGTHS})[\s-](?:across|wide|in diameter|in area|by|x)\b"
)
_UNITS: tuple[tuple[str, str], ...] = (
    (
        r"\bhow (?:big|large) (?:is|was|are|were)\b|\b(?:surface )?area of\b|\bwie groß (?:ist|war)\b|\bsuperficie\b",
        _AREAS,
    ),
    (
        r"\bhow (?:tall|high|deep|wide|far|big|large)\b|\b(?:height|depth|width|distance|diameter|elevation)\b"
        r"|\bwie (?:hoch|tief|breit|weit|groß)\b|\b(?:höhe|tiefe|breite)\b|\bhauteur\b|\bprofondeur\b"
        r"|\baltura\b|\baltezza\b|\bhoe (?:hoog|diep|breed|ver)\b|высот|глубин|ширин"
        r"|多[高深宽远]|高さ|深さ|距離|ऊँचाई|ऊंचाई|गहराई|ऊँच[ाी]|ऊंच[ाी]|गहर[ाी]|चौड़|ارتفاع|عمق",
        _LENGTHS,
    ),
    (
        r"\bhow long\b|\blength\b|\bwie lang\b|\blänge\b|\blongueur\b|\blongitud\b|\blunghezza\b|\bhoe lang\b|длин"
        r"|多长|長さ|ल(?:ं|म्)ब[ाी]|طول",
        rf"{_LENGTHS}|years?\b|hours?\b|minutes?\b|seconds?\b|days?\b|weeks?\b|months?\b|日|時間|天|小时",
    ),
    (
        r"\bhow heavy\b|\bweigh|\bweight\b|\bwie schwer\b|\bgewicht\b|\bpoids\b|\bpèse\b|\bpeso\b|\bpesa\b|多重|重さ",
        r"(?:k|m)?g\b|(?:kilo|milli)?gram(?:me|m|o)?s?\b|tons?\b|tonnes?\b|tonnen\b|pounds?\b|lbs?\b|кг|тонн"
        r"|公斤|吨|キログラム|トン",
    ),
    (
        r"\bpercent|\bper cent|\bshare\b|\brate\b|\binterest\b|\bprozent|\bpourcentage|\bporcentaje",
        r"%|per ?cent|prozent|pour cent|por ciento",
    ),
    (
        r"\bcosts?\b|\bprice|\bpays?\b|\bcharge[ds]?\b|\bfee\b|\bfare\b|\bkostet\b"
        r"|(?<!by )\bhow much (?:does|do|did|is|was|will|money)\b"
        r"|\bpreis\b|\bprix\b|\bcoûte\b"
        r"|\bcuesta\b|\bprecio\b|\bcosta\b|\bprezzo\b|\bpreço\b|\bkost\b|\bprijs\b|стоит|цена|多少钱|价格|値段"
        r"|いくら|कीमत|سعر|\bzahlt?\b" + PRICED,
        rf"{MONEY}|dollars?\b|pounds?\b|cents?\b|francs?\b|yen\b|рубл|元|円|रुपये|(?:thousand|million|billion)\b",
    ),
    (
        r"\bhow (?:hot|cold|warm)\b|\btemp(?:erature)?s?\b|\bdegrees?\b|\btemperatur|\btempérature|\bтемпература"
        r"|温度|気温",
        r"°|degrees?\b|grad\b|度",
    ),
)

_SPELLED = (
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn"
    r"|elf|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez"
    r"|once|doce|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|dois|duas|três|quatro|sete|oito|dez"
    r"|doze|twee|drie|vijf|zes|zeven|negen|tien|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять)"
)


def _with_figure(unit: str) -> re.Pattern[str]:
    pattern = rf"(?:\d|{_SPELLED})[\s\u00a0-]*(?:(?:million|billion|thousand)\s)?(?:{unit})"
    if "euro" in unit:
        pattern += r"|[€$£¥₹]\s?\d|\d\s?[€$£¥₹]|\d[.,]\d\d(?!\d)" + FREE
    return re.compile(pattern, re.IGNORECASE)


_UNITS_ASKED = tuple((re.compile(asked, re.IGNORECASE), _with_figure(unit)) for asked, unit in _UNITS)
_VERSION = re.compile(r"\b(?:version|releases?)\b", re.IGNORECASE), re.compile(r"\bv?\d+\.\d+(?:\.\d+)*\b")
_AGE = (
    re.compile(r"\bhow old\b|\bwie alt\b|\bquel âge\b|\bqué edad\b|\bat what age\b|\bquanti anni\b", re.IGNORECASE),
    re.compile(
        r"\bage(?:d|:)? (?:of )?\d|\d[\s-]years?[\s-](?:old|of age)\b|\bturned \d|\bdied (?:just |only )?at \d{2,3}\b"
        r"|(?-i:[A-ZÀ-Þ][\w’'-]+(?:, | \())\d{1,2}(?=[,)])"  # "Ana Reed, 47, has led it"
        r"|\d Jahren? alt\b|\bim Alter von \d|\d ans\b|\d años\b|\d anni\b",
        re.IGNORECASE,
    ),
)
_COUNTED = re.compile(
    r"\bhow many ([\w-]+)|\bcombien d[e'’] ?(\w+)|\bwie ?viele (\w+)|\bcu[aá]nt[oa]s (\w+)|\bhoeveel (\w+)",
    re.IGNORECASE,
)
_SPAN = re.compile(
    r"\bhow many \w+ (?:\w+ )?between\b", re.IGNORECASE
)  # asks for two dates, which no sentence subtracts


def asked_for(question: str) -> tuple[AnswerType, ...]:
    """The kinds its words ask for ("who … and when" asks for two); none when they leave it open."""
    folded = _without_relatives(" ".join(question.split()))
    if _ORIGIN.search(folded):
        return ("reason",)
    kinds = tuple(kind for kind, pattern in _ASKED_FOR if pattern.search(folded))
    plain = tuple(kind for kind in kinds if kind not in {"definition", "yes_no"})
    if not plain and measures(folded):
        return ("number",)
    return plain or kinds[:1]


def _without_relatives(question: str) -> str:
    """Without the "who" of "the man who built it" and the "when" of "what do I pay when I land"."""
    asking = _OPENING.match(question)
    return question[: asking.end()] + _RELATIVE.sub(" ", question[asking.end() :]) if asking else question


def without_asking(question: str) -> str:
    """What is left when its asking words are taken out ("how tall", "in which year", 多少): what it is about."""
    for kind, pattern in _ASKED_FOR:
        if kind not in {"definition", "yes_no"}:
            question = pattern.sub(" ", question)
    return question


def holds(sentence: str, kind: AnswerType) -> bool:
    """Whether the sentence could give such an answer; a cheap look, not a proof."""
    if kind == "number":
        sentence = re.sub(_YEAR, "", sentence)  # a bare year answers "when", hardly ever "how many"
    pattern = _HOLDS.get(kind)
    return pattern is None or bool(pattern.search(sentence))


def measures(question: str) -> re.Pattern[str] | None:
    """What a figure in the answer stands with: "16 feathers" for "how many feathers", metres for "how tall"."""
    if _SPAN.search(question):
        return None
    if counted := _COUNTED.search(question):
        word = next(group for group in counted.groups() if group)
        return re.compile(
            rf"(?:\d[\w.,]*|{_SPELLED})[\s\u00a0]+(?:\w+[\s\u00a0]+){{0,2}}?{re.escape(word[:5])}", re.IGNORECASE
        )
    return next((unit for asked, unit in (_AGE, *_UNITS_ASKED, _VERSION) if asked.search(question)), None)
