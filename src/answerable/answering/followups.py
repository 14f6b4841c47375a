"""A follow-up made standalone by rules: pronouns, ellipsis, "what about X". A model does better where there is one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerable.answering.ellipsis import fill, fragment_of, stands_for_number
from answerable.answering.parts import compared
from answerable.answering.topics import QUESTION_WORDS, STARTS_A_QUESTION, VERB, name_matches, names_in, topic_of
from answerable.text.analysis import MARKS, content_words, fold
from answerable.text.languages import detect
from answerable.types import PastTurn

OWN_WORDS = 4  # content words before "it" from which a question is taken to speak of a thing of its own
_PERSON = re.compile(
    r"\b(?P<own>his|her(?!s?\s*[?.,!]|s\b|\s+(?:and|or|in|on|at|for|to)\b))\b|\b(?:he|she|him|her)\b", re.I
)
_THING = re.compile(
    r"\b(?P<own>its|their)\b|\b(?:that|this) one\b|\b(?:it|they|them)\b"
    r"|\b(?:this|that|these|those)\b(?=\s*(?:[?.,!]|$|is\b|was\b|are\b|were\b|happen|take|cost|work|mean))"
    r"|(?<=\b(?:of|to|in|on|by) )(?:this|that)\b",
    re.IGNORECASE,
)
_ELSEWHERE = {  # pronouns of other tongues, in a question of that tongue; the name is put behind it
    "de": (
        r"wer|wie|was|wann|wo|woher|warum|welche[rsmn]?",
        r"er|sie|ihn|ihm|ihr(?:e[rnms]?)?|sein(?:e[rnms]?)?|dessen|deren|dort|davon|dafür|darin",
    ),
    "fr": (
        r"qui|quand|où|comment|combien|quel(?:le)?s?|pourquoi|que|qu",
        r"il(?! (?:y a|faut|fait|pleut))|elle|ils|elles|lui|leurs?|son|sa|ses",
    ),
    "es": (r"quién|cuándo|dónde|cómo|cuánt[oa]s?|qué|cuál", r"él|ella|ellos|ellas|sus?|allí"),
    "it": (r"chi|quando|dove|come|quant[oaie]|quale?|perché", r"lui|lei|esso|essa|su[oa]|suoi|sue"),
    "pt": (r"quem|quando|onde|como|quant[oa]s?|qual|que", r"ele|ela|eles|elas|dele|dela|seus?|suas?"),
    "hi": (
        r"कब|कौन|कहाँ|कहां|क्या|कितन[ाीे]|कैसे|क्यों|किस(?:ने|का|की|के)?",
        r"वह|वे|उस(?:ने|का|की|के|में|से)?|उन(?:का|की|के|में)?|यह|इस(?:का|की|के|में|से)?|इन(?:का|की|के)?|वहाँ",
    ),
}
_FOREIGN = {
    language: tuple(re.compile(rf"(?<![\w{MARKS}])(?:{words})(?![\w{MARKS}])") for words in both)
    for language, both in _ELSEWHERE.items()
}
_CONJUNCTION = re.compile(
    r"^(?:(?:and|but|also|so|then|und|aber|et|mais|pero|ma)[,\s]+|¿\s*y\s+|और\s+)(?=\S)", re.IGNORECASE
)
_ASKS_ABOUT = re.compile(  # "who was Ada Orra?", not who built a bridge
    r"^(?:who(?:['’]s| is| was)|wer (?:ist|war)|qui (?:est|était)|quién (?:es|fue|era)|chi (?:è|era)"
    r"|tell me about|what do you know about) $",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(
    r"^(?:(?:by|for|with|to|from) )?(?:who|whom|whose)\b|^(?:wer|wen|qui|quién|chi|por quién)\b", re.I
)
_PASSIVE = re.compile(r"\b(?:is|was|were|been)\b.*\b(?:\w+ed|built|found|made|written|led|drawn|won|sung)\b", re.I)
_ASKS_FOR_A_THING = re.compile(r"^(?:which|what)\s+(?!is\b|are\b|was\b|were\b|do|did|about)(\S+)", re.IGNORECASE)
_ASKS_WHICH_ONE = re.compile(  # answered with a name: "what is the tallest tower", "what did Orra invent"
    r"^(?:what|which)(?:['’]s| is| was) the (?:name|title|capital|(?:[\w-]+ ){0,2}?(?:\w{2,}est|most|first|only))\b"
    r"|^what (?:else )?(?:did|has|have) .*\b(?:invent|discover|write|written|found|build|built|paint|compose|design"
    r"|create|develop|direct)\w*$",
    re.IGNORECASE,
)
_IDLE_IT = re.compile(  # "it" that stands for nothing: weather, time, "how long does it take to …"
    r"\b(?:do|does|did|is|will|would|can|has)\s+it\s+(?:take|true|possible|rain|snow|safe|legal|worth|(?:mean|cost) to)"
    r"|\bwhat time is it\b|\b(?:is|was) it (?:true|possible|safe|legal|worth|raining|snowing|called"
    r"|(?:hot|cold|warm) in)",
    re.IGNORECASE,
)
_INDEFINITE = re.compile(  # a subject of its own, which a later "its" or "her" belongs to
    r"\b(?:an?|each|every|some|most|my|your|our)\s+[a-z]|\b(?:do|does|are|can|should|why)\s+(?!they\b|you\b)[a-z]+s\s",
    re.IGNORECASE,
)
_ASKS_HOW_MUCH = re.compile(r"^(?:how (?!many)|when\b|where\b|why\b|what (?:does|do|did|is the))", re.IGNORECASE)
_PLURAL = re.compile(r"(?<!how many )\b[a-z]{3,}(?<![su])s\b")
_SEVERAL = re.compile(r"^(?:do|does|are|can|should|why|most|some) .*s\s$", re.IGNORECASE)  # "can dogs … have it"
_THINGS = re.compile(
    r"\b(?:Mount|Mons|Mont|Mountains?|Lake|River|Sea|Ocean|Canal|Island|Bay|Cape|Tower|Bridge|Building|Monument|Palace"
    r"|Castle|Hotel|Museum|Church|Street|Square|Park|Station|Airport|Valley|City|Town|Prize|University|School|Company|Ltd|Inc"
    r"|Bank|Web|Theatre|Hall|War|League|Cup|Games|Festival|Act|Treaty)\b|\d"
)
_COMPARATIVE = (
    r"(?:taller|higher|lower|longer|shorter|older|younger|newer|bigger|larger|smaller|heavier|lighter|cheaper|dearer"
    r"|faster|slower|quicker|deeper|shallower|wider|narrower|better|worse|earlier|later|hotter|colder|warmer|cooler"
    r"|closer|nearer|further|farther|stronger|weaker|louder|quieter|safer|richer|poorer|(?:more|less) (?:expensive"
    r"|popular|powerful|populous|common|dangerous|efficient|accurate|reliable|famous|successful))"
)
_THAN_WHAT = re.compile(
    rf"^(?P<head>(?:is|are|was|were|does|do|did|has|have|how much (?=\w+ (?:is|are|was|were)\b)).*?)"
    rf"\b(?:any |even |also )?(?P<how>{_COMPARATIVE})(?P<tail>(?: too| then)?|\s(?:is|are|was|were)\s[^,]+)$",
    re.IGNORECASE,
)
_WHICH_IS = re.compile(rf"^(?:which|who)(?: one| of the two)?\b(?!.*\b(?:than|or|of)\b).*\b{_COMPARATIVE}\b", re.I)
_THE_NUMBER = re.compile(
    rf"\bthe (?P<number>\d{{1,4}})(?=\s*(?:[?.,!]|$)|\s+(?:any|also|too|as|much|really|still|costs?|weighs?|have|has"
    rf"|comes?|do|does|uses?|needs?|worth|good|enough|available|or|one|model|version|{_COMPARATIVE})\b)",
    re.IGNORECASE,
)
_MODEL = r"(?:model|version|edition|generation|release|one|issue|season|series)"
_NEIGHBOUR = re.compile(  # of a numbered thing: "the model before it"
    rf"\b(?:the\s+)?{_MODEL}\s+(?:(?:that|which)\s+(?:came|comes|was)\s+)?(?P<way>before|after)\s+(?:it|that|this)(?:\s+one)?\b"
    rf"|\b(?:the|its)\s+(?P<adj>previous|preceding|earlier|older|next|following|newer|later)\s+(?!one\b){_MODEL}\b",
    re.IGNORECASE,
)
_BACK = frozenset({"before", "previous", "preceding", "earlier", "older"})
_SET_BEFORE = re.compile(  # "the old mast, how high was it?"
    r"^(?P<thing>(?:the|that|this|an?)\s[^,?]{2,60}|(?-i:[A-Z])[^,?]{1,60}),\s*"
    r"(?P<asked>(?:how|what|when|where|who|which|why|is|was|are|were|does|did|do|can)\b.*)$",
    re.IGNORECASE,
)
_OF_WHAT_WAS_SET = re.compile(
    r"\b(?P<own>its|their|his)\b|\b(?:(?:that|this) one|it|that|this|they|them|those|he|she|him)\b", re.IGNORECASE
)
_THERE = re.compile(  # a place, not "is there a lift"
    r"(?P<from>\bfrom )?(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\bthere\b(?!\s+(?:is|are|was|were|any|a|an)\b)",
    re.IGNORECASE,
)
_GOING = re.compile(r"\b(?:get|go|got|went|travel|fly|drive|walk|come|cycle)(?: \w+)? $", re.IGNORECASE)
_PHRASE_BEFORE = re.compile(
    r"^(?P<phrase>(?:in|on|at|for|from|during|under)\s[^,?]{2,40}),\s*(?P<asked>(?:how|what|when|where|who|which|why)\b.*)$",
    re.IGNORECASE,
)
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


_NEEDS_MORE = re.compile(  # speaks of a thing that nothing here tells: "what did the winner get", "who came second"
    r"\bthat [a-z]+\W*$|\b(?:that|such an?) (?!(?:is|are|was|were|can|cannot|could|has|have|had|will|would|does|do"
    r"|did|may|must|should|the|an?|you|we|they|it|he|she|one)\b)[a-z]+(?<!s) (?:is|takes?|has|have|costs?|does|get)\b"
    r"|\bthe (?:job|post|office|role|prize|title) (?:for|in)\b"
    r"|\b(?:the|those|these)\s+(?!source\b|article\b|\w+ (?:source|article|site|link)\b"
    r"|best\b|most\b|least\b|difference\b|sun\b|moon\b|earth\b|sky\b|world\b|sea\b|internet\b|web\b|weather\b|news\b|brain\b|heart\b|eye\b|body\b|right\b|meaning\b|way\b|time\b|date\b|\w+est\b)"
    r"[a-z][\w’'-]*(?![\w’'-])(?!\s+(?:[a-z]+\s+)?(?:of|in|at|on|for|to|from|between|that|who|which|where|whose)\b)"
    r"|^who (?:came|finished|ended|was|is|got|won)(?: it)? (?:second|third|fourth|last|next|runner-up|before|after)\b"
    r"|\b(?:second|third|longer|shorter|bigger|smaller|cheaper|older|newer|other|first|last) ones?\b"
    r"|\bthe one\b",
    re.IGNORECASE,
)
_WITHOUT_A_VERB = re.compile(  # "how long for the C-45M"
    r"^how (?:long|much|many|far|often) (?:for|with|in|at|on|to|from) "
    r"(?!.*\b(?:is|are|was|were|do|does|did|has|have|can|will)\b)",
    re.IGNORECASE,
)
_MOST_WORDS = 7  # of a question that leans on the one before it


def standalone_question(question: str, history: Sequence[PastTurn]) -> str:
    """The question as it would be asked with no conversation before it; unchanged when it already stands alone."""
    question = " ".join(question.split())
    if not history or not question:
        return question
    last = history[-1]
    if (cited := _SOURCE.search(question)) and (title := _title_of(cited, last)):
        return _of_source(question, cited, title, last)
    if not stands_for_number(fragment_of(question) or ""):
        question = _with_numbers(question, last)
    if fragment := fragment_of(question):
        owner = _person_of(history) if re.match(r"(?:his|her)\b", fragment, re.IGNORECASE) else _bound(last)
        return fill(fragment, last, owner)
    if taken_out := _set_before(question, history):
        return taken_out
    if chosen := _OF_THEM.search(question):
        return _among(question, chosen, last)
    if _WHICH_IS.match(_CONJUNCTION.sub("", question)) and not names_in(question):
        return _which_of(question, last)
    return _compared_with(_with_pronouns(question, history), last)


def _with_pronouns(question: str, history: Sequence[PastTurn]) -> str:
    last, alone = history[-1], _CONJUNCTION.sub("", question)
    if (person := _PERSON.search(question)) and not _has_own_subject(question, person):
        who = _person_of(history)
        if who or not _THINGS.search(topic_of(last)):
            return _replace(question, person, who or topic_of(last))
        return f"{alone.rstrip('? ')} ({topic_of(last)})?"
    if (thing := _THING.search(alone)) and not _IDLE_IT.search(alone) and not _has_own_subject(alone, thing):
        return _replaced_with(alone, thing, last)
    if (there := _THERE.search(alone)) and not names_in(alone):
        way = "from" if there["from"] else "to" if _GOING.search(alone[: there.start()]) else "in"
        return f"{alone[: there.start()]}{way} {_bound(last)}{alone[there.end() :]}"
    if topic := _in_another_tongue(alone, history):
        return f"{alone.rstrip('?؟？ ')} ({topic})?"
    if _leans(question) or _speaks_of_unknown(alone):
        return f"{alone.rstrip('?؟？ ')} ({topic_of(last)})?"
    return question


def _replaced_with(question: str, thing: re.Match[str], last: PastTurn) -> str:
    """ "Them" are the films of "how long can I borrow films at the library", where these are what is plural there."""
    bound, several = _bound(last), thing[0].lower() in {"them", "those", "these"}
    found = _PLURAL.findall(last.standalone_question) if several and not re.search(r"s\W*$| and ", bound) else []
    plural = next((word for word in reversed(found) if not VERB.fullmatch(word) and content_words(word)), "")
    if not plural or plural in bound or fold(bound) not in fold(last.standalone_question):
        return _replace(question, thing, bound)
    return f"{_replace(question, thing, plural).rstrip('? ')} ({bound})?"


def _has_own_subject(question: str, pronoun: re.Match[str]) -> bool:
    """Whether the pronoun belongs to something that this question names itself: a name, or "a cat", before it. What is
    named after "it" stands beside it only in "is it taller than Big Ben?"."""
    before, after = question[: pronoun.start()], question[pronoun.end() :]
    names = name_matches(before)
    if any(not re.search(r"\b(?:in|on|at|from|near|to) (?:the )?$", before[: name.start()], re.I) for name in names):
        return True
    if (own := _INDEFINITE.search(before)) and not (pronoun[0].lower() == "it" and _SEVERAL.search(own[0])):
        return True
    several = pronoun[0].lower() in {"they", "them", "their"} and re.match(r"how many [a-z]", before, re.IGNORECASE)
    if several or (not _PERSON.fullmatch(pronoun[0]) and len(content_words(before)) >= OWN_WORDS):
        return True
    beside = re.search(r"\b(?:than|as|with|to|from)\s+(?:the\s+)?[A-Z]", after)
    is_thing = not _PERSON.fullmatch(pronoun[0]) and not pronoun["own"]
    journey = re.search(r"\bfrom\b.*\bto\b", after)
    return is_thing and bool(names_in(after)) and (not beside or bool(journey))


def _with_numbers(question: str, last: PastTurn) -> str:
    """With the names of what is told by its number alone: "the 12" of the line of the Dry 20, "the model before it"."""
    topic = topic_of(last)
    numbers = list(re.finditer(r"\b\d{1,4}\b", topic))
    if not numbers or not re.search(r"[^\W\d_]", topic):
        return question
    at = numbers[-1]

    def numbered(number: int | str) -> str:
        name = f"{topic[: at.start()]}{number}{topic[at.end() :]}"
        return name if name.lower().startswith("the ") else f"the {name}"

    if near := _NEIGHBOUR.search(question):
        way = (near["way"] or near["adj"]).lower()
        number = int(at[0]) + (-1 if way in _BACK else 1)
        if number > 0:
            return f"{question[: near.start()]}{numbered(number)}{question[near.end() :]}"
    if (short := _THE_NUMBER.search(question)) and short["number"] != at[0]:
        return f"{question[: short.start()]}{numbered(short['number'])}{question[short.end() :]}"
    return question


def _set_before(question: str, history: Sequence[PastTurn]) -> str:
    """The question that speaks of a thing set before it: "the old mast, how high was it?"."""
    alone = _CONJUNCTION.sub("", re.sub(r"^(?:(?:what|how) about)\s+", "", question, flags=re.IGNORECASE))
    if placed := _PHRASE_BEFORE.match(alone):
        asked = standalone_question(placed["asked"], history)
        return "" if placed["asked"] == asked else fill(placed["phrase"], PastTurn(question, asked, ""))
    found = _SET_BEFORE.match(alone)
    if not found or STARTS_A_QUESTION.match(found["thing"]):
        return ""
    pronoun = _OF_WHAT_WAS_SET.search(found["asked"])
    if not pronoun:
        return ""
    thing = found["thing"]
    if inner := _THING.search(thing):
        thing = _replace(thing, inner, _bound(history[-1]))
    asked, topic = _replace(found["asked"], pronoun, thing), topic_of(history[-1])
    bare = topic and names_in(topic) and not names_in(asked) and len(content_words(thing, "en")) == 1
    return f"{asked.rstrip('? ')} ({topic})?" if bare else asked


def _compared_with(question: str, last: PastTurn) -> str:
    """ "Is Big Ben taller?" is asked against what the last question was about."""
    found = _THAN_WHAT.match(question.rstrip("? "))
    if not found or re.search(r"\b(?:than|or)\b", question, re.IGNORECASE):
        return question
    other = _bound(last)
    named = names_in(found["head"]) + names_in(found["tail"])
    if not other or not names_in(other) or not named or fold(other) in fold(question):
        return question
    tail = re.sub(r"^ (?:too|then)$", "", found["tail"])
    return f"{found['head']}{found['how']}{tail} than {other}?"


def _which_of(question: str, last: PastTurn) -> str:
    """ "Which is cheaper?" of the two that were compared, or of the names that the answer listed."""
    names = list(compared(last.standalone_question)) or _listed(last)
    alone = _CONJUNCTION.sub("", question).rstrip("? ")
    return f"{alone}, {', '.join(names[:-1])} or {names[-1]}?" if len(names) > 1 else question


def _in_another_tongue(question: str, history: Sequence[PastTurn]) -> str:
    """What a pronoun of another tongue stands for."""
    for language, (asks, pronouns) in _FOREIGN.items():
        lowered = f"{question[:1].lower()}{question[1:]}"
        pronoun = pronouns.search(lowered) if asks.search(lowered) else None
        if not pronoun or (language != "de" and names_in(question[: pronoun.start()])):
            continue
        if language == "de" and len(pronoun[0]) > 3 and names_in(question[: pronoun.start()]):
            continue  # "hat Goethe seinen Faust": its own
        topic = _person_of(history[-1:]) if _ASKS_WHO.match(history[-1].standalone_question) else topic_of(history[-1])
        return "" if fold(topic) in fold(question) else topic
    return ""


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
    if names_in(rest) or len(own) > 1:
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
    if _ASKS_HOW_MUCH.match(last.standalone_question):
        return []
    names = (name for run in names_in(last.summary) for name in re.split(r"\s+(?:and|&)\s+", run))
    return list(dict.fromkeys(name for name in names if fold(name) not in asked))[:6]


def _replace(question: str, pronoun: re.Match[str], topic: str) -> str:
    if not topic:
        return question
    if pronoun["own"]:
        topic = f"{topic}’" if topic.endswith("s") else f"{topic}’s"
    at_start = pronoun.start() == 0
    return (
        f"{question[: pronoun.start()]}{topic[0].upper() + topic[1:] if at_start else topic}{question[pronoun.end() :]}"
    )


def _person_of(history: Sequence[PastTurn]) -> str:
    """Of the latest turn that speaks of somebody: who did it, else whom its question named, or its answer."""
    for turn in reversed(history):
        asked = turn.standalone_question
        own = [name[0] for name in name_matches(asked) if _may_be_person(name, asked)]
        new = _new_name(turn, person=True)
        if own and _ASKS_ABOUT.match(asked.partition(own[0])[0]):
            return own[0]
        told = new or (own[0] if own else "") if _ASKS_WHO.match(asked) or _PASSIVE.search(asked) else ""
        if person := told or (own[0] if own else new):
            return person
    return ""


def _may_be_person(name: re.Match[str], text: str) -> bool:
    before, after = text[: name.start()], text[name.end() :]
    if _THINGS.search(name[0]) or re.search(r"\b(?:the|in|on|at|near|from|of|to) $", before, re.IGNORECASE):
        return False
    acts = re.search(r"\b(?:did|does|do|has|have|had|can|could|will|would|should|was|were|is) $", before, re.IGNORECASE)
    return bool(acts) or not re.match(r"\s+[a-z]+$", after)  # "Halden viaduct"


def _bound(last: PastTurn) -> str:
    """What "it" is: the thing that the answer named where the question asked for one, else what was asked about."""
    return _named_in_answer(last) or topic_of(last)


def _named_in_answer(last: PastTurn) -> str:
    """After "which bridge …", "it" is the bridge of the answer, not what the question already named."""
    question = last.standalone_question.rstrip("? ")
    asked = _ASKS_FOR_A_THING.match(question)
    if (not asked or asked[1].endswith("s")) and not _ASKS_WHICH_ONE.match(question):
        return ""
    name = _new_name(last)
    return "" if " and " in name else name


def _new_name(last: PastTurn, *, person: bool = False) -> str:
    """The first name of several words that the answer gave and the question did not; of a thing that was asked for one
    word is enough."""
    asked, told = fold(last.standalone_question), last.summary
    for name in name_matches(told):
        if fold(name[0]) in asked or (" " not in name[0] and not _opens(name, told, person)):
            continue
        if not person or _may_be_person(name, told):
            return name[0]
    return ""


def _opens(name: re.Match[str], told: str, person: bool) -> bool:
    """ "Oslo is the capital of Norway.": the subject of the answer."""
    return not person and name.start() == 0 and bool(re.match(r"\s+(?:is|was|are|were)\b", told[name.end() :]))


def _speaks_of_unknown(question: str) -> bool:
    """Whether it has "the winner" or "the longer one" of what was asked before, and no name."""
    if _WITHOUT_A_VERB.match(question):
        return True
    if detect(question) != "en" or names_in(question) or not _NEEDS_MORE.search(question):
        return False
    return len(content_words(question, "en")) <= _MOST_WORDS


def _leans(question: str) -> bool:
    """Goes on with "and", or is too short to stand alone, and has no name: "Why?", "and how deep is the lake?"."""
    if _CONJUNCTION.match(question) and not names_in(question):
        return True
    words = content_words(question, detect(question))
    words = [word for word in words if len(word) > 1 and not QUESTION_WORDS.match(word)]
    return len(words) <= 1 and not names_in(question) and len(question) < 60
