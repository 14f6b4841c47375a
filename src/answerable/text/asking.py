"""What a question is about: its words without those that only ask, ready to be looked for in a text of any script."""

from __future__ import annotations

import re
from dataclasses import dataclass

from answerable.text.analysis import TOKEN, UNSPACED_RUN, base, bigrams, content_words, fold, stem, stems
from answerable.text.answertypes import without_asking
from answerable.text.measures import UNIT
from answerable.text.stopwords import FUNCTION_CHARACTERS
from answerable.text.tongues.likes import is_general, said, singly, spelled_out
from answerable.text.tongues.things import things_of

KEYWORDS = 5  # words from which a question without small words is a row of keywords
PREFIX = 5  # letters that painted, painter and paintings share
NAME = re.compile(r"(?<![.!?。:]\s)(?<!^)\b[A-ZÀ-ÖØ-ÞА-ЯЁ][\w’'-]{2,}")
# Words that say what kind of thing is asked for, or almost nothing: they need not stand beside the answer.
_GENERAL = """tall high long old far fast big large great heavy deep wide hot cold often hard loud number height length
    depth width size weight price cost amount total year date day time month century decade moment today now right
    currently present presently name kind type sort person people man woman place location thing object item substance
    material structure building landmark body work event call take get make come go tell give find mean happen know
    need use lie stand bring keep last begin start end one way different part main exactly become money
    currency sum temperature duration speed distance opening hours altogether ive im youre whats hows wheres whos isnt
    dont doesnt didnt cant wont thats"""
ASKED_CLASS = re.compile(  # "in which journal": a page says its name, seldom what it is
    r"\b(?:which|what|welche[rsmn]?|quel(?:le)?s?|qu[eé]|quale|qual|welke?)\s+(\w[\w-]*)", re.IGNORECASE
)
QUESTION_WORDS = re.compile(  # of scripts without spaces and of Hindi, beside those of text/answertypes.py
    r"什么|什麼|甚麼|怎么|怎麼|怎样|哪[个個一些]?|吗|嗎|呢|请问|請問|有|언제|누가|누구|어디|무엇|얼마나?|몇|어떻게|입니까|인가요|있나요|"
    r"나요|까요|อะไร|เมื่อไร|ที่ไหน|เท่าไร|กี่|ใคร|ทำไม|\b(?:कितन[ाीे]|किस(?:ने|का|की|के)?|कौन|क्या|कब|कहाँ|है|हैं|था|थी|थे)\b"
    r"|\bкаков[аоы]?\b",
    re.IGNORECASE,
)
_IRREGULAR = """become became | begin began begun |
    break broke broken | bring brought | build built | buy bought | catch caught |
    choose chose chosen | come came | draw drew drawn | drive drove driven | eat ate eaten | fall fell fallen |
    feel felt | fight fought | find found | fly flew flown | forget forgot | freeze froze frozen | get got gotten |
    give gave given | go went gone | grow grew grown | hold held | keep kept | know knew known | lay laid | lead led
    | leave left | lose lost | make made | mean meant | meet met | pay paid | rise rose risen | run ran | say said |
    see saw seen | sell sold | send sent | shoot shot | show shown | sing sang sung | sink sank sunk | sleep slept |
    speak spoke spoken | spend spent | stand stood | steal stole stolen | strike struck | swim swam swum | take took
    taken | teach taught | tell told | think thought | throw threw thrown | wear wore worn | win won | write wrote
    written | man men | woman women | child children | foot feet | tooth teeth | mouse mice | goose geese"""


@dataclass(frozen=True, slots=True)
class Bag:
    """The words of a text, ready to be looked up."""

    words: frozenset[str]
    starts: frozenset[str]
    folded: str
    tongue: str = ""  # its language, where that is not the one of the question

    @classmethod
    def of(cls, text: str, language: str, tongue: str = "") -> Bag:
        words = frozenset(regular(word, language) for word in stems(text, language))
        return cls(words, frozenset(word[:PREFIX] for word in words if len(word) >= PREFIX), fold(text), tongue)


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the question; in a script without spaces, a run of characters between those that join words."""

    stem: str
    word: str = ""  # as it was asked
    pairs: tuple[str, ...] = ()  # of such a run
    name: bool = False
    specific: bool = True  # not one of GENERAL, nor what "which …" asks for
    thing: bool = False  # in another language than English: a noun that is no general one
    language: str = "en"  # of the question

    def held(self, bag: Bag) -> float:
        """From 0 to 1: how much of it the text holds."""
        if self.pairs:
            return self._share(bag)
        if self.stem in bag.words:
            return 1.0
        if len(self.stem) >= PREFIX and not self.stem[0].isdigit() and self.stem[:PREFIX] in bag.starts:
            return 1.0
        return said(self.stem, self.language, bag.words, bag.tongue)

    def _share(self, bag: Bag) -> float:
        if len(self.stem) == 1:
            return float(self.stem in bag.folded)
        found = {at + i for at, pair in enumerate(self.pairs) if pair in bag.words for i in (0, 1)}
        return len(found) / (len(self.pairs) + 1)


def terms_of(question: str, language: str) -> tuple[Term, ...]:
    """What the question is about, each once, in order; none when it only asks."""
    names = {regular(word, language) for name in NAME.findall(question) for word in stems(name, language)}
    classes = {stem(word, language) for noun in ASKED_CLASS.findall(question) for word in content_words(noun, language)}
    things = things_of(question, language)
    about = QUESTION_WORDS.sub(" ", without_asking(spelled_out(question, language)))
    found: dict[str, Term] = {}
    for run in TOKEN.findall(FUNCTION_CHARACTERS.sub(" ", fold(about))):
        if UNSPACED_RUN.match(run):
            found.setdefault(run, Term(run, run, tuple(bigrams(run)), language=language))
            continue
        for word in content_words(run, language):
            key = regular(stem(word, language), language)
            # A unit may stand in the evidence as its sign: "celsius" as "°C".
            general = key in GENERAL or word in GENERAL or key in classes or word in UNIT or is_general(key, language)
            name = (key in names and not is_general(key, language)) or word.isdigit()
            thing = key in things and not general
            found.setdefault(key, Term(key, word, (), name, name or not general, thing, language))
    return without_doubles(tuple(found.values()), language)


def without_doubles(terms: tuple[Term, ...], language: str) -> tuple[Term, ...]:
    """ "Eintritt" and "zahlt" ask for one matter: only the first of such words counts."""
    kept = frozenset(singly([term.stem for term in terms], language))
    return tuple(term for term in terms if term.stem in kept)


def lists_keywords(question: str, language: str) -> bool:
    """Whether it is a row of words for a search, with next to nothing between them that would make a question."""
    words = question.split()
    small = sum(not content_words(word, language) for word in words if word[:1].isalpha())
    asks = question.rstrip().endswith("?") or not words or not content_words(words[0], language)
    return len(words) >= KEYWORDS and small <= 1 and not asks


def regular(word: str, language: str) -> str:
    """The stem that an irregular English form belongs to, the digits of a small number; any other word as it is."""
    return _REGULAR.get(word, word) if base(language) == "en" else word


_SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def forms_of(key: str, language: str) -> tuple[str, ...]:
    """A stem and the stems of its irregular forms."""
    return (key, *_FORMS.get(key, ())) if base(language) == "en" else (key,)


_REGULAR = {
    stem(form): stem(word) for word, *forms in (entry.split() for entry in _IRREGULAR.split("|")) for form in forms
} | {stem(word): str(n) for n, word in enumerate(_SMALL, start=1)}
GENERAL = frozenset({*_GENERAL.split(), *map(stem, _GENERAL.split())})
_FORMS: dict[str, list[str]] = {}
for _form, _word in _REGULAR.items():
    _FORMS.setdefault(_word, []).append(_form)
