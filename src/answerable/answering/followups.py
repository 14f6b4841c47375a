"""A follow-up made standalone by rules: pronouns, ellipsis, "what about X". A model does better where there is one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from answerable.answering.parts import compared
from answerable.text.analysis import content_words, fold
from answerable.text.languages import detect
from answerable.types import PastTurn

_NAME = r"(?:[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ](?:\.|[\w’'-]+)|\d{4})"
_NAMES = re.compile(
    rf"{_NAME}(?:(?:\s+(?:of|the|de|du|des|la|von|van|der|and|&)){{0,2}}\s+{_NAME})*(?:\s+\d{{1,3}}\b)?"
)
_QUESTION_WORDS = re.compile(
    r"^(?:who|what|when|where|why|which|how|is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|in|"
    r"on|at|and|but|so|tell|give|name|list|explain|describe|wer|wie|was|wann|wo|warum|welche[rs]?|ist|sind|qui|que|quel"
    r"le?s?|quand|où|comment|combien|est|quién|qué|cuándo|dónde|cómo|cuánt[oa]s?|cuál|es|the|a|an|i|it|he|she|they)$",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b(?P<own>his|her(?!s?\s*[?.,!]|s\b|\s+(?:and|or|in|on|at|for|to)\b))\b|\b(?:he|she|him|her)\b", re.I
)
_THING = re.compile(
    r"\b(?P<own>its|their)\b|\b(?:that|this) one\b|\b(?:it|they|them)\b"
    r"|\b(?:this|that|these|those)\b(?=\s*(?:[?.,!]|$|is\b|was\b|are\b|were\b|happen|take|cost|work|mean))"
    r"|(?<=\b(?:of|to|in|on|by) )(?:this|that)\b",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(r"^(?:and|but|also|so|then|und|aber|et|mais|pero|ma)[,\s]+(?=\S)", re.IGNORECASE)
_ASKS_ABOUT = re.compile(  # "who was Ada Orra?", not who built a bridge
    r"^(?:who(?:['’]s| is| was)|wer (?:ist|war)|qui (?:est|était)|quién (?:es|fue|era)|chi (?:è|era)"
    r"|tell me about|what do you know about) $",
    re.IGNORECASE,
)
_ASKS_FOR_A_THING = re.compile(r"^(?:which|what)\s+(?!is\b|are\b|was\b|were\b|do|did|about)(\S+)", re.IGNORECASE)
_IDLE_IT = re.compile(  # "it" that stands for nothing: weather, time, "how long does it take to …"
    r"\b(?:do|does|did|is|will|would|can|has)\s+it\s+(?:take|true|possible|rain|snow|safe|legal|worth|(?:mean|cost) to)"
    r"|\bwhat time is it\b|\b(?:is|was) it (?:true|possible|safe|legal|worth|raining|snowing|called)",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(
    r"^(?:(?:and|but|ok(?:ay)?|so)[,\s]+)?(?:what|how)\s+about\s+(?P<about>.+?)\s*\?*$"
    r"|^(?:and|und|et|y|e|и|और)\s+(?P<and>.+?)\s*\?*$"
    r"|^¿?\s*y\s+(?P<y>.+?)\s*\?*$",
    re.IGNORECASE,
)
_CONTRASTS = [  # words that stand for each other: "the last winter ferry", "and in summer?"
    set(words.split())
    for words in (
        "spring summer autumn fall winter",
        "monday tuesday wednesday thursday friday saturday sunday weekdays weekends",
        "january february march april may june july august september october november december",
        "morning noon afternoon evening night",
        "first last next previous",
        "highest lowest",
        "longest shortest",
        "largest smallest",
        "biggest smallest",
        "oldest newest",
        "tallest shortest",
        "adults adult children child students seniors concessions",
        "men women",
        "boys girls",
        "north south east west",
        "today tomorrow yesterday",
        "breakfast lunch dinner",
        "arrival departure",
        "single return",
    )
]
_PHRASE = re.compile(  # "the new library in Port Wennick": what a name belongs to is what the question is about
    r"\b(?:the|an?|this)\s+(?:(?!of\b|in\b|is\b|was\b)[a-zà-ÿ][\w-]*\s+){1,4}(?:of|in|at|on|near)\s+(?:the\s+)?$"
)
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)\b", re.I)
STARTS_A_QUESTION = re.compile(
    r"^(?:(?:in|on|at|to|from|for|by|with|until|since|bis|ab|seit|von|zu|für|mit|an|auf|depuis|à|de|pour|hasta|desde|con)"
    r"\s+(?=\w+\s+\w))?(?:who|what|when|where|why|which|how|is|are|was|were|do|does|did|can|could|will|would|should|"
    r"has|have|had|wer|wie|was|wann|wo|warum|qui|quand|où|comment|combien|quién|qué|cuándo|dónde|cómo|cuánt[oa]s?|cuál)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_ORDINALS = (
    "first erste première premier primera prima primo",
    "second zweite deuxième segunda seconda",
    "third dritte troisième tercera terza",
    "fourth vierte quatrième cuarta quarta",
    "fifth fünfte cinquième quinta",
    "last letzte dernière última",
)
_PLACE_OF = {word: place for place, words in enumerate(_ORDINALS) for word in words.split()}
_SAYING = frozenset(
    {"say", "says", "said", "tell", "tells", "mention", "mentions", "write", "writes", "sagt", "dit", "dice"}
)
_SOURCE = re.compile(
    rf"\b(?:(?:the|that|der|die|das|la|le)\s+)?(?P<word>{'|'.join(_PLACE_OF)})[nrs]?\s+"
    r"(?:source|article|link|web ?site|site|quelle|fuente|fonte)\b(?! of\b)"
    r"|\b(?:source|quelle)\s+(?:number\s+|no\.?\s*|nr\.?\s*)?(?P<number>\d{1,2})\b|\[(?P<mark>\d{1,2})\]",
    re.IGNORECASE,
)
_OF_THEM = re.compile(
    r"\b(?:which|who|what|how many|any|one|both)\s+(?:one\s+)?of\s+"
    r"(?P<what>them|the two|(?:these|those)(?:\s+(?!has\b|was\b|is\b)[a-z]+s\b)?)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"^(?:in|on|at|for|from|to|by|during|under|over|of|with|without|near|before|after)\b", re.I)


def standalone_question(question: str, history: Sequence[PastTurn]) -> str:
    """The question as it would be asked with no conversation before it; unchanged when it already stands alone."""
    question = " ".join(question.split())
    if not history or not question:
        return question
    last = history[-1]
    if (cited := _SOURCE.search(question)) and (title := _title_of(cited, last)):
        return _of_source(question, cited, title, last)
    if fragment := _fragment(question):
        return _fill(fragment, last)
    if chosen := _OF_THEM.search(question):
        return _among(question, chosen, last)
    if person := _PERSON.search(question):
        return _replace(question, person, _person_of(last) or topic_of(last))
    alone = _CONJUNCTION.sub("", question)
    if (thing := _THING.search(alone)) and not _IDLE_IT.search(alone) and not _names_in(alone):
        return _replace(alone, thing, _named_in_answer(last) or topic_of(last))
    if _leans(question):
        return f"{alone.rstrip('?').rstrip()} ({topic_of(last)})?"
    return question


def _title_of(cited: re.Match[str], last: PastTurn) -> str:
    """Of the source that is meant by its place among those the last answer cited; "" when there is none there."""
    place = _PLACE_OF[cited["word"].casefold()] if cited["word"] else int(cited["number"] or cited["mark"]) - 1
    if cited["word"] and place == len(_ORDINALS) - 1:
        place = len(last.sources) - 1
    return last.sources[place] if 0 <= place < len(last.sources) else ""


def _of_source(question: str, cited: re.Match[str], title: str, last: PastTurn) -> str:
    """What a source says is what it says about the question before, unless this one names a subject of its own."""
    asked = f"{question[: cited.start()]}“{title}”{question[cited.end() :]}"
    rest = f"{question[: cited.start()]} {question[cited.end() :]}"
    own = [word for word in content_words(rest, detect(question)) if word not in _SAYING]
    if _names_in(rest) or len(own) > 1:
        return asked
    return f"{asked.rstrip('?. ')} ({last.standalone_question.rstrip('?. ')})?"


def _among(question: str, chosen: re.Match[str], last: PastTurn) -> str:
    """ "Which of them is older?" after a comparison or a list of names; else of what the last question was about."""
    names = list(compared(last.standalone_question)) or _listed(last)
    among = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else topic_of(last)
    if not among:
        return question
    return f"{question[: chosen.start('what')]}{among}{question[chosen.end('what') :]}"


def _listed(last: PastTurn) -> list[str]:
    """The names that the last answer gave, when it gave several and its question none of them."""
    asked = fold(last.standalone_question)
    names = (name for run in _names_in(last.summary) for name in re.split(r"\s+(?:and|&)\s+", run))
    return list(dict.fromkeys(name for name in names if fold(name) not in asked))[:6]


def _fragment(question: str) -> str | None:
    """The words after "what about" or "and", unless they are a whole question of their own."""
    if not (found := _ELLIPSIS.match(question)):
        return None
    fragment = next(part for part in found.groups() if part)
    asks = STARTS_A_QUESTION.match(fragment) or re.search(r",\s*(?:how|what|when|where|who|which|why)\b", fragment)
    return None if asks else fragment


def _fill(fragment: str, last: PastTurn) -> str:
    """The last question with the new words in the place of those they contrast with."""
    before = last.standalone_question.rstrip("?. ")
    if contrasted := _contrasted(fragment, before):
        return f"{contrasted}?"
    if preposition := _PREPOSITION.match(fragment):
        contrast = re.compile(rf"\b{preposition[0]}\s+(?:the\s+)?{_NAMES.pattern}", re.IGNORECASE)
        if (old := _last_match(contrast, before)) and any(letter.isupper() for letter in old[0]):
            return f"{before[: old.start()]}{fragment}{before[old.end() :]}?"
        return f"{before} {fragment}?"
    names = _name_matches(before)
    if _names_in(fragment) and names:
        old = names[-1]
        start = old.start() - 4 if before[: old.start()].lower().endswith(" the ") else old.start()
        return f"{before[:start].rstrip()} {fragment}{before[old.end() :]}?"
    if (
        names
        and (owned := re.search(r"(?<=['’]s )\S.*$", names[-1][0]))
        and (bare := _ARTICLE.sub("", fragment)) != fragment
    ):
        start = names[-1].start() + owned.start()
        return f"{before[:start]}{bare}{before[names[-1].end() :]}?"
    return f"{before} for {fragment}?"


def _contrasted(fragment: str, before: str) -> str:
    """The question with the one word exchanged that the fragment has another of: "and in summer?"."""
    new = re.findall(r"\w+", fragment)
    known = frozenset[str]().union(*_CONTRASTS)
    named = [name for name in _names_in(fragment) if _kin_word(name, known) is None]
    if len([word for word in new if content_words(word)]) > 2 or named:
        return ""
    for kin in _CONTRASTS:
        word = next((found for each in new if (found := _kin_word(each, kin))), None)
        old = next((found for found in re.finditer(r"\w+", before) if _kin_word(found[0], kin)), None)
        if word and old and (was := _kin_word(old[0], kin)) and was != word:
            several = old[0].casefold() != was  # "on Saturdays"
            now = f"{word.capitalize() if old[0][0].isupper() else word}{'s' if several else ''}"
            return f"{before[: old.start()]}{now}{before[old.end() :]}"
    return ""


def _kin_word(word: str, kin: Collection[str]) -> str | None:
    """As it stands among its kin: "Sundays" as "sunday"."""
    folded = word.casefold()
    return folded if folded in kin else folded[:-1] if folded.endswith("s") and folded[:-1] in kin else None


def _replace(question: str, pronoun: re.Match[str], topic: str) -> str:
    if not topic:
        return question
    if pronoun["own"]:
        topic = f"{topic}’" if topic.endswith("s") else f"{topic}’s"
    at_start = pronoun.start() == 0
    return (
        f"{question[: pronoun.start()]}{topic[0].upper() + topic[1:] if at_start else topic}{question[pronoun.end() :]}"
    )


def _person_of(last: PastTurn) -> str:
    """The name the last answer gave that its question did not: "designed by Ingrid Solvang"."""
    own = _names_in(last.standalone_question)
    if own and _ASKS_ABOUT.match(last.standalone_question.partition(own[0])[0]):
        return own[0]
    return _new_name(last) or (own[0] if own else "")


def _named_in_answer(last: PastTurn) -> str:
    """After "which bridge …", "it" is the bridge of the answer, not what the question already named."""
    asked = _ASKS_FOR_A_THING.match(last.standalone_question)
    name = _new_name(last) if asked and not asked[1].endswith("s") else ""
    return "" if " and " in name else name


def _new_name(last: PastTurn) -> str:
    asked = fold(last.standalone_question)
    return next((n for n in _names_in(last.summary) if " " in n and fold(n) not in asked), "")


def topic_of(last: PastTurn) -> str:
    """What the last question was about: its last name with the words that belong to it, else its longest plain run."""
    question = last.standalone_question.rstrip("?. ")
    names = _name_matches(question)
    if names:
        name = names[-1] if not _PREPOSITION.match(_word_before(question, names[-1].start())) else names[0]
        if detect(question) == "de":  # where every noun has a capital
            return max(names, key=lambda found: len(found[0].split()))[0]
        if phrase := _PHRASE.search(question, 0, name.start()):
            return question[phrase.start() : name.end()]
        head = "the " if question[: name.start()].lower().endswith("the ") else ""
        return head + name[0] + _common_nouns_after(question, name.end())
    words = set(content_words(question))
    runs: list[list[str]] = [[]]
    for word in re.findall(r"[\w’'-]+", question):
        if fold(word) in words and not _QUESTION_WORDS.match(word):
            runs[-1].append(word)
        else:
            runs.append([])
    longest = max(runs, key=lambda run: sum(map(len, run)))
    return " ".join(longest)


def _common_nouns_after(text: str, end: int) -> str:
    """`viaduct` after `Halden`: plain content words that follow a name directly, two at most."""
    kept = ""
    for word in re.finditer(r"\s+([a-zà-ÿ][\w-]*)", text[end:]):
        if word.start() != len(kept) or not content_words(word[1]) or len(kept.split()) == 2:
            break
        if _AUXILIARY.search(text) and not text[end + word.end() :].strip():
            break  # "when was the canal opened": the last word is what was done
        kept += word[0]
    return kept


def _names_in(text: str) -> list[str]:
    return [name[0] for name in _name_matches(text)]


def _name_matches(text: str) -> list[re.Match[str]]:
    """Names, without a capital that only begins the sentence."""
    found = []
    for name in _NAMES.finditer(text):
        first = name[0].split()[0]
        if _QUESTION_WORDS.match(first) or not content_words(first):
            shorter = _NAMES.search(text, name.start() + len(first))
            if shorter and shorter.end() <= name.end():
                found.append(shorter)
        elif not name[0].isdigit():
            found.append(name)
    return found


def _word_before(text: str, start: int) -> str:
    words = text[:start].split()
    return words[-1] if words and words[-1].lower() != "the" else (words[-2] if len(words) > 1 else "")


def _last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next(iter(reversed(list(pattern.finditer(text)))), None)


def _leans(question: str) -> bool:
    """Goes on with "and", or is too short to stand alone, and has no name: "Why?", "and how deep is the lake?"."""
    if _CONJUNCTION.match(question) and not _names_in(question):
        return True
    words = content_words(question, detect(question))
    words = [word for word in words if len(word) > 1 and not _QUESTION_WORDS.match(word)]
    return len(words) <= 1 and not _names_in(question) and len(question) < 60
