"""A follow-up that is a part of a question ("and in Norway?", "what about the first one?"): the question before with
that part in the place of the one it stands against. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection

from answerable.answering.topics import NAMES, PREPOSITION, STARTS_A_QUESTION, VERB, name_matches, names_in, topic_of
from answerable.text.analysis import MARKS, content_words, fold, stem
from answerable.text.languages import detect
from answerable.text.measures import WORD_VALUE
from answerable.types import PastTurn

_ELLIPSIS = re.compile(
    r"^(?:(?:and|but|ok(?:ay)?|so)[,\s]+)?(?:what|how)\s+about\s+(?P<about>.+?)\s*\?*$"
    r"|^(?:and|und|et|y|e|и|और)\s+(?P<and>.+?)\s*[?？]*$"
    r"|^¿?\s*y\s+(?P<y>.+?)\s*\?*$"
    r"|^(?:(?:und|et|y|e)\s+)?(?:was ist mit|wie (?:ist|steht) es mit|qu['’]en est-il (?=d)|qué (?:hay|pasa) con"
    r"|(?:che )?ne dici di)\s+(?P<mit>.+?)\s*\?*$",
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
        "oldest newest youngest",
        "tallest shortest",
        "cheapest dearest",
        "fastest slowest",
        "minimum maximum",
        "adults adult children child students seniors concessions pensioners families",
        "men women",
        "boys girls",
        "north south east west",
        "today tomorrow yesterday",
        "breakfast lunch dinner",
        "arrival departure",
        "single return",
        "frühling sommer herbst winter",
        "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag",
        "montags dienstags mittwochs donnerstags freitags samstags sonntags",
        "erwachsene kinder schüler studenten rentner",
        "erste ersten letzte letzten nächste nächsten",
        "printemps été automne hiver",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "adultes enfants étudiants",
        "premier dernier prochain",
        "première dernière prochaine",
        "primavera verano otoño invierno",
        "lunes martes miércoles jueves viernes sábado sábados domingo domingos",
        "adultos niños estudiantes jubilados",
        "primer último próximo",
        "primera última próxima",
    )
]
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_OFF = r"(?:public )?holidays"
_SPAN_OF_DAYS = re.compile(rf"\b(?:from )?{_DAY} (?:to|till|until|through|and) {_DAY}\b", re.IGNORECASE)
_DAYS = re.compile(rf"(?:on |at |the )*(?P<days>(?:{_DAY}|weekends?|{_OFF})(?: and (?:{_DAY}|{_OFF}))?)", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:(?:the|an?|der|die|das|den|dem|la|le|les|el|los|las|il|lo|gli)\s+|l['’])", re.IGNORECASE)
_ARTICLE_BEFORE = re.compile(
    r"(?:\b(?:the|der|die|das|den|dem|la|le|les|el|los|las|il|lo|gli|du|des|del|aux?|al)\s+|\bl['’])$", re.IGNORECASE
)
_OPENED = {"du": "de ", "des": "de ", "del": "de ", "au": "à ", "aux": "à ", "al": "a "}  # what an article is part of
_CONTRACTED = [
    (re.compile(rf"\b{apart} ", re.IGNORECASE), f"{joined} ")
    for apart, joined in (
        ("de le", "du"),
        ("de les", "des"),
        ("à le", "au"),
        ("à les", "aux"),
        ("de el", "del"),
        ("a el", "al"),
    )
]
_ANY_ONE = re.compile(r"\bones?\b|\bof the (?:day|morning|evening|night|week|month|year|season)\b", re.IGNORECASE)
_FOR = {"de": "für", "fr": "pour", "es": "para", "it": "per", "pt": "para", "nl": "voor"}
_WHEN = re.compile(
    r"^(?:now|today|tonight|tomorrow|yesterday|then|later|abroad|online|this|next|last|every|heute|morgen|gestern|jetzt"
    r"|aujourd['’]hui|demain|hier|hoy|mañana|ayer)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"^(?:if|when|while|unless|because|than|instead|without|wenn|falls|si|se|cuando)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"^(?:the|its|his|her|their)\s+(?P<one>(?:(?:opening|closing|phone|full|total|average|current)\s+)?(?:height|length"
    r"|width|depth|weight|size|price|cost|population|area|age|speed|capital|currency|name|address|hours|times|number"
    r"|temperature|diameter|capacity|colou?r|distance|value|origin|architect|author|owner|founder|director|winner))$",
    re.IGNORECASE,
)
_OWNED = re.compile(r"^(?:its|his|her|their)\s+(?P<one>[a-z][\w -]{1,40})$", re.IGNORECASE)
_OWNED_ELSEWHERE = re.compile(
    r"^(?:sein(?:e[rnms]?)?|ihr(?:e[rnms]?)?|son|sa|ses|leurs?|sus?|la sua|il suo)\s+[\w’'-]+$", re.IGNORECASE
)
_IN_A_PHRASE = re.compile(r"\b(?:ins?|im|zu[mr]?|am|ans?|beim?|vom|auf|für|mit)(?: \w+)? $", re.IGNORECASE)
_SOMEBODY = re.compile(
    r"\b(?:architect|author|owner|founder|director|winner|wife|husband|father|mother|son|daughter|brother|sister|parents"
    r"|children|successor|predecessor|coach|boss|teacher)s?$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?:the\s+)?(?P<number>\d{1,4})(?:\s+(?:one|model|version))?$", re.IGNORECASE)
_YEAR = re.compile(r"^(?:1[0-9]|20)\d\d$")
_COUNTS = {word: n for word, n in WORD_VALUE.items() if n <= 10}
_EARLIER = re.compile(r"\b(?:before|previous|earlier|last)\b", re.IGNORECASE)
_A_YEAR = re.compile(r"\b(?P<year>(?:1[89]|20)\d\d)(?:(?P<dash>[-–/])\d\d)?\b")
_YEARS_AWAY = re.compile(
    r"(?:in |for )?(?:the )?(?:one )?(?:(?:year|season) (?:before|after)(?: (?:that|it))?"
    r"|(?:previous|following|next) (?:year|season)|(?P<count>one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
    r" (?:years?|seasons?) (?:before|earlier|after|later)(?: that)?)",
    re.IGNORECASE,
)
_HINDI = re.compile(rf"([\w{MARKS}]+)\s+(में|से|का|की|के|को|पर|तक)(?![\w{MARKS}])")


_OTHER_ONE = re.compile(
    r"^(?:(?:for|with|in|on|of|after|to) )?(?:the|an?) (?P<which>(?:[\w’'-]+ ){1,3})ones?(?P<tail>(?: .*)?)$",
    re.IGNORECASE,
)

_NO_PLACE = re.compile(
    r"\b(?:spring|summer|autumn|fall|winter|\w+days?|weekends?|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|mornings?|afternoons?|evenings?|nights?|noon|holidays?|class|cash|advance"
    r"|total|general|person|season|english|german|french|that|this|it|them|one|an?)\b",
    re.IGNORECASE,
)
_ARTICLE_BEFORE_ANY = re.compile(r"(?:^|\s)((?:the|an?)\s+)?$", re.IGNORECASE)
_WORDS_OF_IT, _PLACES = 3, 8  # words of a plain thing, and things that new words may stand for
_WITHIN = re.compile(r" (?:of|in|at|on) ")


def fragment_of(question: str) -> str | None:
    """The words after "what about" or "and", unless they are a whole question of their own."""
    if not (found := _ELLIPSIS.match(question)):
        return None
    fragment = next(part for part in found.groups() if part)
    asks = STARTS_A_QUESTION.match(fragment) or re.search(r",\s*(?:how|what|when|where|who|which|why)\b", fragment)
    return None if asks else fragment


def stands_for_number(fragment: str) -> bool:
    """ "The 12", "2010": a number alone."""
    return bool(_NUMBERED.match(fragment))


def fill(fragment: str, last: PastTurn, topic: str = "") -> str:
    """The last question with the new words in the place of those they contrast with. `topic`: what "its" means."""
    before = last.standalone_question.strip("¿").rstrip("?.؟？ ")
    topic = topic or topic_of(last)
    if asked := _attribute(fragment, topic):
        return asked
    if numbered := _numbered(fragment, before) or _with_year_told(fragment, before):
        return f"{numbered}?"
    if other := _other_one(fragment, before, topic_of(last)):
        return f"{other}?"
    if on_days := _on_days(fragment, before):
        return f"{on_days}?"
    if contrasted := _contrasted(fragment, before):
        return f"{contrasted}?"
    if detect(before) == "hi":
        return f"{_in_hindi(fragment, before)}?"
    if PREPOSITION.match(fragment):
        return f"{_phrase_in(fragment, before)}?"
    if _CLAUSE.match(fragment) or (_WHEN.match(fragment) and not names_in(fragment)):
        return f"{before} {fragment}?"
    filled = _name_in(fragment, before) or _owned_in(fragment, before)
    filled = filled or _noun_in(fragment, before) or _last_object(fragment, before)
    return f"{filled or _with_for(fragment, before, last)}?"


def readings(question: str, last: PastTurn) -> tuple[str, ...]:
    """What "and the tapir?" may ask, where no rule tells which words it stands for: the question before with the new
    words behind it, and in the place of each thing in it. None where a rule tells. English."""
    fragment = fragment_of(question)
    if not fragment or detect(last.standalone_question) != "en":
        return ()
    before = last.standalone_question.rstrip("?. ")
    behind = _with_for(fragment, before, last)
    if fill(fragment, last) != f"{behind}?":
        return ()
    before = behind.removesuffix(f" for {fragment}")
    bare = _ARTICLE.sub("", fragment)
    placed = []
    for start, end in _things_in(before):
        article = _ARTICLE_BEFORE_ANY.search(before[:start])
        own = bool(article and article[1])
        head = before[: article.start() + 1] if article and own else before[:start]
        if not re.search(r"\b(?:to|may|must|can|could|will|would|should) $", head):
            placed.append((not own, f"{head}{fragment if own else bare}{before[end:]}?"))
    return (f"{behind}?", *dict.fromkeys(asked for _, asked in sorted(placed, key=lambda one: one[0])))


def _things_in(question: str) -> list[tuple[int, int]]:
    """Where its names stand, and its runs of plain words that are no verbs, whole and in part, the last ones first."""
    names = [found.span() for found in name_matches(question)]
    runs: list[list[tuple[int, int]]] = [[]]
    for word in re.finditer(r"[\w’'-]+", question):
        inside = any(start <= word.start() < end for start, end in names)
        if inside or VERB.fullmatch(word[0]) or STARTS_A_QUESTION.match(word[0]) or not content_words(word[0], "en"):
            runs.append([])
        else:
            runs[-1].append(word.span())
    spans = [
        (run[i][0], run[j][1])
        for run in runs
        for i in range(len(run))
        for j in range(i, min(len(run), i + _WORDS_OF_IT))
    ]
    return sorted({*names, *spans}, reverse=True)[:_PLACES]


def _with_for(fragment: str, before: str, last: PastTurn) -> str:
    """Behind the question; in the place of what another follow-up put there."""
    word = _FOR.get(detect(before), "for")
    if fold(last.question) != fold(last.standalone_question):
        before = re.sub(rf" {word} [^,]*$", "", before)
    return f"{before} {word} {fragment}"


def _attribute(fragment: str, topic: str) -> str:
    """ "And its height?", "what about the price?": a question of its own about the same thing."""
    if topic and _OWNED_ELSEWHERE.match(fragment):
        return f"{fragment} ({topic})?"
    if not topic or not (found := _ATTRIBUTE.match(fragment) or _OWNED.match(fragment)):
        return ""
    one = found["one"]
    asked = "Who" if _SOMEBODY.search(one) else "What"
    several = one.endswith("s") and not one.endswith("ss") or one.lower().endswith("children")
    return f"{asked} {'are' if several else 'is'} the {one} of {topic}?"


def _with_year_told(fragment: str, before: str) -> str:
    """ "And the year before?", "three years earlier": by the last year or season in the question before."""
    away = _YEARS_AWAY.fullmatch(fragment)
    years = list(_A_YEAR.finditer(before))
    if not away or not years:
        return ""
    old, back = years[-1], bool(_EARLIER.search(away[0]))
    count = _COUNTS.get((away["count"] or "one").casefold()) or int(away["count"] or 1)
    year = int(old["year"]) + (-count if back else count)
    season = f"{old['dash']}{(year + 1) % 100:02d}" if old["dash"] else ""
    return f"{before[: old.start()]}{year}{season}{before[old.end() :]}"


def _numbered(fragment: str, before: str) -> str:
    """ "And the 12?" after the Dry 20 is the Dry 12; a year stands in the place of a year."""
    if not (found := _NUMBERED.match(fragment)):
        return ""
    number = found["number"]
    figures = list(re.finditer(r"\b\d{1,4}\b", before))
    same = [old for old in figures if bool(_YEAR.match(old[0])) == bool(_YEAR.match(number))]
    if not same:
        return f"{before} in {number}" if _YEAR.match(number) else ""
    return f"{before[: same[-1].start()]}{number}{before[same[-1].end() :]}"


def _on_days(fragment: str, before: str) -> str:
    """ "And on Saturdays?" after "from Monday to Friday": the whole span is exchanged."""
    span = _SPAN_OF_DAYS.search(before)
    day = _DAYS.fullmatch(fragment)
    return f"{before[: span.start()]}on {day['days']}{before[span.end() :]}" if span and day else ""


def _contrasted(fragment: str, before: str) -> str:
    """The question with each word exchanged that the fragment has another of: "and in summer?", "the first one?"."""
    language = detect(before)
    bare = _ANY_ONE.sub(" ", fragment)
    new = re.findall(r"\w+", bare)
    known = frozenset[str]().union(*_CONTRASTS)
    if [name for name in names_in(bare) if _kin_word(name, known) is None]:
        return ""
    now, used = before, set[str]()
    for kin in _CONTRASTS:
        word = next((each for each in new if each not in used and _kin_word(each, kin)), None)
        old = next((found for found in re.finditer(r"\w+", now) if _kin_word(found[0], kin)), None)
        if word and old and _kin_word(word, kin) != _kin_word(old[0], kin):
            now = f"{now[: old.start()]}{_in_form_of(old[0], word, kin)}{now[old.end() :]}"
            used.add(word)
    asked = {stem(word, language) for word in content_words(before, language)}
    rest = [
        word
        for word in new
        if word not in used and content_words(word, language) and stem(word.casefold(), language) not in asked
    ]
    if not used or not rest:
        return now if used else ""
    added = re.search(rf"\b(?:in|on|at|from|to|for|during) (?:the |an? )?{re.escape(' '.join(rest))}$", bare.strip())
    return f"{now} {added[0]}" if added else ""


def _other_one(fragment: str, before: str, topic: str) -> str:
    """ "And the smaller one?" after "the Orla Ring" is the smaller Ring."""
    other = _OTHER_ONE.match(fragment)
    if not other or _contrasted(fragment, before) or detect(before) != "en":
        return ""
    thing = topic if topic in before else topic.removeprefix("the ")
    at = before.rfind(thing) if thing else -1
    if at < 0:
        return ""
    named, _, beyond = _WITHIN.sub("\n\\g<0>", thing, count=1).partition("\n")
    kind = _ARTICLE.sub("", named).split()
    while len(kind) > 1 and kind[-1].isdigit():
        kind.pop()
    while len(kind) > 1 and VERB.fullmatch(kind[-1]):
        beyond = f" {kind.pop()}{beyond}"
    kept = [word for word in kind[:-1] if word[0].isupper()]  # "the lesser Vossel Hound", but "the large service"
    head = re.sub(r"(?:the|an?) $", "", before[:at], flags=re.IGNORECASE)
    which = " ".join(("the", other["which"].strip(), *kept, kind[-1]))
    return f"{head}{which}{beyond}{other['tail']}{before[at + len(thing) :]}"


def _kin_word(word: str, kin: Collection[str]) -> str | None:
    """As it stands among its kin: "Sundays" as "sunday"."""
    folded = word.casefold()
    return folded if folded in kin else folded[:-1] if folded.endswith("s") and folded[:-1] in kin else None


def _in_form_of(old: str, word: str, kin: Collection[str]) -> str:
    """As the old one stands in the question: "on Saturdays", "SUNDAY"."""
    now = _kin_word(word, kin) or word
    several = old.casefold() != _kin_word(old, kin)
    return f"{now.capitalize() if old[0].isupper() else now}{'s' if several else ''}"


def _phrase_in(fragment: str, before: str) -> str:
    """In the place of a phrase of the same preposition: a name for a name, a year for a year, a plain noun at the end
    for another; else behind the question."""
    preposition = PREPOSITION.match(fragment)
    assert preposition
    year, named = bool(re.search(r"\b(?:1[0-9]|20)\d\d$", fragment)), bool(names_in(fragment))
    start = rf"\b{re.escape(preposition[0])}\s+(?:the\s+)?"
    pattern = rf"{start}(?:(?:1[0-9]|20)\d\d\b)" if year and not named else rf"{start}{NAMES.pattern}"
    places = list(re.finditer(pattern, before, re.IGNORECASE))
    old = places[-1] if places else None
    proper = old is not None and any(letter.isupper() for letter in old[0])
    small = not year and before[:1].islower() and len(fragment.split()) < 4 and not _NO_PLACE.search(fragment)
    typed_small = small and old is not None and old[0].removeprefix(preposition[0]).removeprefix(" the")[1:2].isupper()
    if old and ((proper and (year or named or typed_small)) or (year and not named)):
        return f"{before[: old.start()]}{fragment}{before[old.end() :]}"
    plain = re.search(rf"{start}(?:an?\s+|my\s+|our\s+)?[a-zà-ÿ][\w-]*(?:\s+[a-zà-ÿ][\w-]*)?$", before)
    if plain and not year and not named:
        return f"{before[: plain.start()]}{fragment}"
    return f"{before} {fragment}"


def _name_in(fragment: str, before: str) -> str:
    """A name in the place of the last one, with its article."""
    names = name_matches(before)
    if not names or not names_in(fragment):
        return ""
    old = _stood_for(fragment, before, names)
    start, end = old.start(), old.end()
    if detect(before) == "de" and not _ARTICLE.match(fragment) and _IN_A_PHRASE.search(before[:start]):
        return ""  # every noun has a capital there: "ins Freibad", "und Kinder?"
    if old is not names[-1]:
        end = names[-1].end()  # "Big Ben in London" for the Eiffel Tower
    own = fragment[: name_matches(fragment)[0].start()].split()
    if own and before[:start].rstrip().casefold().endswith(f" {own[-1].casefold()}") and not _ARTICLE.match(own[-1]):
        start = before[:start].rstrip().rindex(" ") + 1  # "du mont Ventoux", "le mont Blanc"
    head = before[:start]
    if article := _ARTICLE_BEFORE.search(head):
        head = head[: article.start()] + _OPENED.get(article[0].strip().lower(), "")
    filled = f"{head.rstrip()} {fragment}{before[end:]}"
    for apart, joined in _CONTRACTED:
        filled = apart.sub(joined, filled)
    return filled.strip()


def _stood_for(fragment: str, before: str, names: list[re.Match[str]]) -> re.Match[str]:
    """The last name, but "Big Ben" of "Big Ben in London" for a thing with an article."""
    last = names[-1]
    between = before[names[-2].end() : last.start()] if len(names) > 1 else ""
    return names[-2] if _ARTICLE.match(fragment) and re.fullmatch(r" (?:in|of|on|at|near) ", between) else last


def _owned_in(fragment: str, before: str) -> str:
    """ "And the one-year fixed account?" after "Tidewater's Easy Saver" is Tidewater's."""
    names = name_matches(before)
    owned = re.search(r"(?<=['’]s )\S.*$", names[-1][0]) if names else None
    bare = _ARTICLE.sub("", fragment)
    if not owned or bare == fragment:
        return ""
    return f"{before[: names[-1].start() + owned.start()]}{bare}{before[names[-1].end() :]}"


def _noun_in(fragment: str, before: str) -> str:
    """ "And a half marathon?" after "a marathon": the phrase of the same noun is exchanged."""
    language = detect(before)
    words = re.findall(r"[\w’'-]+", fragment)
    if not words or not content_words(words[-1], language):
        return ""
    head = stem(words[-1].casefold(), language)
    said = list(re.finditer(r"[\w’'-]+", before))
    at = next((i for i in range(len(said) - 1, -1, -1) if stem(said[i][0].casefold(), language) == head), None)
    if at is None:
        return ""
    start = at
    while start and at - start < 3 and content_words(said[start - 1][0], language):
        start -= 1
    if start and _ARTICLE.match(f"{said[start - 1][0]} "):
        start -= 1
    elif at - start == 3 or start == 0:
        return ""
    return f"{before[: said[start].start()]}{fragment}{before[said[at].end() :]}"


def _last_object(fragment: str, before: str) -> str:
    """ "What about a baby?" after "how deep … in a grown-up?": what ends the question is exchanged."""
    if not re.match(r"an?\s", fragment, re.IGNORECASE):
        return ""
    old = re.search(r"\b(?:in|on|by|of|for|with) (?P<one>an? [a-z][\w-]*(?: [a-z][\w-]*)?)$", before)
    return f"{before[: old.start('one')]}{fragment}" if old else ""


def _in_hindi(fragment: str, before: str) -> str:
    """By its postposition: "और नॉर्वे में?" for "स्वीडन में"; without one in the place of what the question begins with."""
    asked = _HINDI.search(fragment)
    for old in _HINDI.finditer(before):
        if asked and old[2] == asked[2]:
            return f"{before[: old.start()]}{fragment}{before[old.end() :]}"
        if not asked:
            return f"{before[: old.start()]}{fragment}{before[old.end(1) :]}"
    return f"{before} ({fragment})"
