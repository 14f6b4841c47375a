"""What a question is about: the names in it and the words that belong to them. Pure."""

from __future__ import annotations

import re

from answerable.text.analysis import MARKS, content_words, fold
from answerable.text.languages import detect
from answerable.types import PastTurn

_NAME = r"(?:[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ](?:\.|[\w’'-]+)|\d{4})"
_JOINT = rf"(?:\s+(?:of|the|de|du|des|la|von|van|der|and|&)){{0,2}}\s+{_NAME}"
_MARK = r"\s+\d{1,3}[A-Za-z]?(?!\w|\.\d)"  # "Fennel 4 Air", "Lumo 3S"
NAMES = re.compile(rf"{_NAME}(?:{_JOINT}|{_MARK}(?=\s+(?-i:[A-ZÀ-Þ])))*(?:{_MARK})?")
QUESTION_WORDS = re.compile(
    r"^(?:who|what|when|where|why|which|how|is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|in|"
    r"on|at|and|but|so|tell|give|name|list|explain|describe|wer|wie|was|wann|wo|warum|welche[rs]?|ist|sind|qui|que|quel"
    r"le?s?|quand|où|comment|combien|est|quién|qué|cuándo|dónde|cómo|cuánt[oa]s?|cuál|es|the|a|an|i|it|he|she|they)$",
    re.IGNORECASE,
)
STARTS_A_QUESTION = re.compile(
    r"^(?:(?:in|on|at|to|from|for|by|with|until|since|bis|ab|seit|von|zu|für|mit|an|auf|depuis|à|de|pour|hasta|desde|con)"
    r"\s+(?=\w+\s+\w))?(?:who|what|when|where|why|which|how|is|are|was|were|do|does|did|can|could|will|would|should|"
    r"has|have|had|wer|wie|was|wann|wo|warum|qui|quand|où|comment|combien|quién|qué|cuándo|dónde|cómo|cuánt[oa]s?|cuál)\b",
    re.IGNORECASE,
)
PREPOSITION = re.compile(
    r"^(?:in|on|at|for|from|to|by|during|under|over|of|with|without|near|before|after|since|until|between|im|am|an|auf|für|von|zu[mr]?|bei"
    r"|mit|nach|ab|en|à|aux?|dans|pour|chez|sur|del?|du|para|con|por|desde|per|di|nel(?:la)?|em|no|na|voor|met|naar)\b",
    re.IGNORECASE,
)
_PHRASE = re.compile(  # "the new library in Port Wennick": what a name belongs to is what the question is about
    r"\b(?:the|an?|this)\s+(?:(?!of\b|in\b|is\b|was\b)[a-zà-ÿ][\w-]*\s+){1,4}(?:of|in|at|on|near)\s+(?:the\s+)?$"
)
_BARE_PHRASE = re.compile(  # "how long is parental leave in Sweden"
    r"(?:(?<=\bis )|(?<=\bare )|(?<=\bwas ))(?!the\b|an?\b|it\b)"
    r"(?:(?!\w+ed\b|born\b|found\b|built\b|made\b|held\b)[a-zà-ÿ][\w-]*\s+){1,3}(?:of|in|at|on)\s+(?:the\s+)?$"
)
_SMALL_BEFORE = re.compile(  # "the colliers Cup": what nobody wrote with its capital
    r"\bthe\s+(?:(?!(?:of|in|at|on|for|to|and|or|with|by|first|last|next|new|old|current|newest|latest|big|small|whole|same"
    r"|other|best|most|main)\b)[a-zà-ÿ][\w’'-]*\s+){1,2}$"
)
_KIND_BEFORE = re.compile(  # "la tour Eiffel"
    r"(?:\b(?:la|le|les|el|los|las|il|du|del|au|al)\s+|\b[ld]['’])(?P<kind>[a-zà-ÿ]{3,}\s+)$", re.IGNORECASE
)
_HINDI_TOPIC = re.compile(
    rf"^((?:(?!(?:कब|कौन|कहाँ|कहां|क्या|कितन[ाीे]|कैसे|क्यों|में|से|का|की|के|को|ने|पर)(?![\w{MARKS}]))[\w{MARKS}]+\s+){{1,3}})"
)
_DOING = (  # verbs, and words of measure, that are no part of a thing's name in a question typed without capitals
    r"(?:(?:open|close|cost|get|take|leave|move|work|have|go|come|make|pay|weigh|start|begin|end|keep|live|write|design"
    r"|build|call|run|play|carry|hold|need|use|want|offer|sell|last|stay|reach|happen|mean|say|become|give|find|know|look"
    r"|stand|lie|belong|serve|teach|win|lose|die|own|lead|found|invent|discover|direct|publish|release|launch|finish"
    r"|has|complete|arrive|depart|drive|eat|drink|buy|hire|rent|book|visit|climb|swim|apply|register|change|happened|retire"
    r"|help|maintain|accept|allow|borrow|decide|settle|protect|fix|cause|treat|prevent|require|include|contain|produce|create"
    r"|develop|manage|operate|raise|remove|store|deliver|follow|succeed|appoint|elect|choose|beat|score|recommend|suggest|warn"
    r"|forbid|freeze|grow|charge|receive|sow|plant|cook|bake|boil|brew|print|edit|stop|return|award|replace|fit|do|does|did|be)"
    r"(?:s|es|ed|d|ing)?|took|left|went|came|made|paid|began|kept|wrote|built|ran|held|said|became|gave|found|knew|stood"
    r"|lay|won|lost|led|sold|got|known|given|written|taken|grown|much|many|long|high|tall|deep|old|far|big|wide|heavy|fast"
    r"|now|today|currently|please|also|again|allowed|there|first(?=\W*$))"
)
_PLAIN = rf"(?!(?:{_DOING}|of|in|on|at|to|for|from|by|with|and|or|the|an?|is|are|was|were|per)\b)[\w’'-]+"
_THE_THING = re.compile(  # "the star evening at the old observatory"
    rf"\b(?:the|an?|my|our)\s+{_PLAIN}(?:\s+{_PLAIN})*(?:\s+(?:of|at|in|on)\s+(?:the\s+)?{_PLAIN}(?:\s+{_PLAIN})*)?",
    re.IGNORECASE,
)
VERB = re.compile(_DOING, re.IGNORECASE)
_IN_A_PLACE = re.compile(r"\b(?:at|in|of|from|near) the $", re.IGNORECASE)  # "films at the Orlane library"
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)\b", re.I)
_WORD = re.compile(rf"[\w{MARKS}’'-]+")


def topic_of(last: PastTurn) -> str:
    """What the last question was about: its last name with the words that belong to it, else its longest plain run."""
    question = last.standalone_question.rstrip("?.؟？ ")
    names = name_matches(question)
    if names:
        name = names[-1] if not PREPOSITION.match(_word_before(question, names[-1].start())) else names[0]
        if detect(question) == "de":  # where every noun has a capital
            return max(names, key=lambda found: len(found[0].split()))[0]
        if phrase := _PHRASE.search(question, 0, name.start()) or _BARE_PHRASE.search(question, 0, name.start()):
            return question[phrase.start() : name.end()]
        if (small := _SMALL_BEFORE.search(question, 0, name.start())) and not any(
            VERB.fullmatch(word) for word in small[0].split()
        ):
            return question[small.start() : name.end()] + _common_nouns_after(question, name)
        if kind := _KIND_BEFORE.search(question, 0, name.start()):
            return question[kind.start("kind") : name.end()]
        head = "the " if question[: name.start()].lower().endswith("the ") else ""
        return head + name[0] + _common_nouns_after(question, name)
    if detect(question) == "hi" and (found := _HINDI_TOPIC.match(question)):
        return found[1].strip()
    english = detect(question) == "en"
    if english and (thing := _THE_THING.search(question)):
        return re.sub(r"^(?:an?|my|our)\s+", "the ", thing[0], flags=re.IGNORECASE)
    words = set(content_words(question, detect(question)))
    runs: list[list[str]] = [[]]
    for word in _WORD.findall(question):
        told = fold(word) in words and not QUESTION_WORDS.match(word)
        if told and not (english and VERB.fullmatch(word)):
            runs[-1].append(word)
        else:
            runs.append([])
    longest = max(runs, key=lambda run: sum(map(len, run)))
    return " ".join(longest)


def _common_nouns_after(text: str, name: re.Match[str]) -> str:
    """`viaduct` after `Halden`: plain content words that follow a name directly, two at most."""
    kept, end = "", name.end()
    for word in re.finditer(r"\s+([a-zà-ÿ][\w-]*)", text[end:]):
        if word.start() != len(kept) or not content_words(word[1]) or len(kept.split()) == 2:
            break
        asked = _AUXILIARY.search(text)
        if asked and VERB.fullmatch(word[1]):
            break
        if asked and not text[end + word.end() :].strip() and not _IN_A_PLACE.search(text[: name.start()]):
            break  # "when was the canal opened": the last word is what was done
        kept += word[0]
    return kept


def names_in(text: str) -> list[str]:
    return [name[0] for name in name_matches(text)]


def name_matches(text: str) -> list[re.Match[str]]:
    """Names, without a capital that only begins the sentence."""
    found = []
    for name in NAMES.finditer(text):
        first = name[0].split()[0]
        if QUESTION_WORDS.match(first) or not content_words(first):
            shorter = NAMES.search(text, name.start() + len(first))
            if shorter and shorter.end() <= name.end():
                found.append(shorter)
        elif not name[0].isdigit():
            found.append(name)
    return found


def _word_before(text: str, start: int) -> str:
    words = text[:start].split()
    return words[-1] if words and words[-1].lower() != "the" else (words[-2] if len(words) > 1 else "")
