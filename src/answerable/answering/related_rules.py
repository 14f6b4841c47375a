"""What may be asked next, without a model: questions that pages put themselves, facts nobody asked for, headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from answerable.answering.followups import standalone_question
from answerable.answering.topics import topic_of
from answerable.text.analysis import content_words, fold, stems
from answerable.text.instructions import instructs
from answerable.text.languages import detect
from answerable.text.sentences import split_sentences
from answerable.types import Page, Passage, PastTurn

MOST_PASSAGES, MOST_BLOCKS = 150, 2_000  # that are looked at, the blocks a page
ALIKE = 0.65  # share of common words of two questions, from which they are one
ENOUGH_TEXT = 80  # characters below a heading, from which something is said there
_LATIN = {"en", "de", "fr", "es", "it", "pt", "nl"}
_QUESTION_MARKS = ("?", "？", "؟")
_ASKS = re.compile(
    r"(?:who|what|when|where|why|which|how|wer|was|wie|wann|wo|warum|welche[rs]?|qui|que|quand|où|comment|combien|"
    r"pourquoi|quién|qué|cuándo|dónde|cómo|cuánt[oa]s?|por qué|chi|che cosa|quando|dove|come|perché|quanto)\s",
    re.IGNORECASE,
)
_TELLS = re.compile(  # "How it was set", "Why the lake turned pink": no question, for want of its order
    r"(?:how|why|when|where) (?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|not"
    r"|much|many|long|often|far|old|tall|high|big|deep|wide|fast|heavy|large|hot|cold|well|soon|late|early)\b)",
    re.IGNORECASE,
)
_FURNITURE = re.compile(  # headings of pages, not of subjects
    r"references?|notes?|sources?|see also|external links?|further reading|contents?|overview|introduction|summary|"
    r"conclusions?|about(?: us)?|contact|comments?|related.*|share|faqs?|frequently asked questions|more.*|"
    r"bibliography|gallery|links?|subscribe.*|newsletter|sponsored|key (?:facts?|figures?)|einzelnachweise|weblinks|"
    r"literatur|inhalt|quellen|kommentare|références|voir aussi|sommaire|notes et références|referencias|véase también|"
    r"enlaces externos|contenido|note|collegamenti esterni|bibliografia|indice|referências|参考文献|脚注|外部リンク|"
    r"(?:sources?|references?|notes?|further|results?|table) \S.*|.*\b(?:our|my|your|we|us|you|i|unsere?[nrms]?|wir|"
    r"notre|nos|nous|votre|nuestr[oa]s?|nostr[oaie])\b.*|"  # of whoever runs the page
    r"関連項目|参考资料|外部链接|примечания|ссылки|литература|см\. также|संदर्भ|المراجع|انظر أيضا",
    re.IGNORECASE,
)
_ABOUT = {  # a topic and a heading, without grammar that would have to fit them
    "en": "{topic}: what is known about {heading}?",
    "de": "{topic}: Was ist zum Thema „{heading}“ bekannt?",
    "fr": "{topic} : que sait-on au sujet de « {heading} » ?",
    "es": "{topic}: ¿qué se sabe sobre «{heading}»?",
    "it": "{topic}: che cosa si sa su «{heading}»?",
    "pt": "{topic}: o que se sabe sobre «{heading}»?",
    "nl": "{topic}: wat is er bekend over ‘{heading}’?",
    "ru": "{topic}: что известно по теме «{heading}»?",
    "ja": "{topic}の「{heading}」について何が分かっていますか？",
    "zh": "关于{topic}的“{heading}”，有哪些信息？",
    "hi": "{topic}: ‘{heading}’ के बारे में क्या पता है?",
    "ar": "{topic}: ماذا يُعرف عن «{heading}»؟",
}
_NAMED = {
    "en": "What is known about {name}?",
    "fr": "Que sait-on au sujet de {name} ?",
    "es": "¿Qué se sabe de {name}?",
    "it": "Che cosa si sa di {name}?",
    "pt": "O que se sabe de {name}?",
    "nl": "Wat is er bekend over {name}?",
}
_DID = {
    "built": "built",
    "written": "wrote",
    "drawn": "drew",
    "won": "won",
    "sung": "sang",
}  # else the form is the same
_BY = re.compile(
    r"\b(?:was|were)\s+(?:\w+ly\s+)?(designed|built|founded|invented|discovered|written|composed|painted|directed|"
    r"commissioned|established|engineered|developed)\s+by\s+(?:the\s+)?(?:\w+\s+){0,2}[A-Z]"
)
_WHEN = re.compile(
    r"\b(?:was|were)\s+(?:\w+ly\s+)?(built|founded|completed|inaugurated|established|discovered|invented|published|"
    r"released|launched|opened|rebuilt|restored|closed)\b[^.;]{0,60}?\b(?:1\d|20)\d\d\b"
)
_OPENED = re.compile(r"\b(opened)\s+(?:to the public\s+)?(?:in|on)\b[^.;]{0,30}?\b(?:1\d|20)\d\d\b")
_MEASURED = re.compile(
    r"\b(?:is|are|measures?)\s+(?:about\s+|nearly\s+|over\s+|some\s+)?[\d,.]+\s+\w+\s+(tall|high|long|wide|deep|old)\b"
)
_WEIGHS = re.compile(r"\bweighs?\s+(?:about\s+|nearly\s+|over\s+|some\s+)?[\d,.]+")
_COST = re.compile(r"\bcost\s+(?:about\s+|nearly\s+|over\s+|some\s+)?[€$£\d]")
_NAMED_AFTER = re.compile(r"\b(?:is|was|are|were)\s+named (?:after|for)\s+\S")
_NAME = re.compile(
    r"(?<![.!?:“\"]\s)(?<!^)\b(the\s+)?"
    r"([A-ZÀ-ÖØ-Þ][\w’'-]+(?: (?:of|de|van|von|der|la|du)\b)?(?: [A-ZÀ-ÖØ-Þ][\w’'-]+)+)"
)


@dataclass(frozen=True, slots=True)
class Read:
    """What was asked and read. `asked`: the question, as it stands alone, and those before it; `pages`: the cited;
    `passages`: theirs, then those of other pages."""

    asked: tuple[str, ...]
    language: str
    answer: str
    pages: tuple[Page, ...]
    passages: tuple[Passage, ...]

    @property
    def base(self) -> str:
        return self.language.casefold().split("-")[0]


def by_rules(read: Read, most: int) -> tuple[str, ...]:
    """Each is answered by words of a cited page that the answer did not give. Fewer rather than worse ones."""
    topic = _topic(read)
    found = [*_asked_by_pages(read), *_facts(read, topic), *_headings(read, topic), *_names(read)]
    return distinct(found, read.asked, read.language, most)


def distinct(questions: Iterable[str], asked: Sequence[str], language: str, most: int) -> tuple[str, ...]:
    """None that was asked, and no two that ask the same in other words."""
    kept: list[str] = []
    known = [_words(one, language) for one in asked]
    for question in questions:
        words = _words(question, language)
        if not words or any(_alike(words, other) for other in known):
            continue
        known.append(words)
        kept.append(question)
        if len(kept) == most:
            break
    return tuple(kept)


def _words(question: str, language: str) -> frozenset[str]:
    """Question words tell "who built it" from "when was it built"."""
    found = {stem for word in content_words(question, language) for stem in stems(word, language)}
    if asks := _ASKS.match(question):
        found.add(f"?{fold(asks[0]).strip()}")
    return frozenset(found)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other) or one <= other


def _topic(read: Read) -> str:
    """The name that the question is about, else the title of the first cited page where it speaks of the same."""
    question = read.asked[0]
    words = topic_of(PastTurn(question, question, "")).split() if read.base in _LATIN else []
    text = fold("\n".join(passage.text for passage in read.passages))
    while words and not words[-1][0].isupper() and not _occurs(_without_article(fold(" ".join(words))), text):
        words.pop()  # "the Gull Island ferry leave": what a question says of a thing is not part of its name
    if any(letter.isupper() for letter in " ".join(words)):
        return " ".join(words)
    title = re.split(r"\s+[|–—·-]\s+|:\s", read.pages[0].title)[0].strip() if read.pages else ""
    shared = _words(title, read.language) & _words(question, read.language)
    return title if shared and len(title) <= 60 else ""


def _occurs(words: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(words)}\b", text) is not None


def _without_article(text: str) -> str:
    return re.sub(r"^(?:the|an?)\s+", "", text, flags=re.IGNORECASE)


def _asked_by_pages(read: Read) -> Iterator[str]:
    """Headings that are questions, with the topic in the place of "it"."""
    before = [PastTurn(read.asked[0], read.asked[0], "")]
    for heading in _sections(read):
        plain = heading.rstrip("".join(_QUESTION_MARKS)).strip()
        asks = heading.endswith(_QUESTION_MARKS) or (_ASKS.match(heading) and len(heading.split()) > 2)
        told = read.base == "en" and not heading.endswith("?") and _TELLS.match(heading)
        if not asks or told or len(heading) < 8 or re.match(r"\w+ to\b", heading):
            continue
        question = plain + ("？" if read.base in {"ja", "zh"} else "؟" if read.base == "ar" else "?")
        alone = standalone_question(question[0].upper() + question[1:], before)
        if not alone.endswith(")?"):  # the topic could only be put behind it
            yield alone


def _facts(read: Read, topic: str) -> Iterator[str]:
    """What sentences about the topic state and the answer does not. English only: other tongues bend the topic."""
    if read.base != "en" or not topic:
        return
    head = fold(topic).split()[-1]
    told, cited = fold(read.answer), {page.page_id for page in read.pages}
    for passage in read.passages:
        if passage.kind != "prose":
            continue
        before = ""
        for start, end in split_sentences(passage.text):
            sentence = passage.text[start:end]
            for found, question in _stated(sentence, topic):
                subject = fold(sentence[: found.start()])
                meant = subject.startswith("it ") and passage.page_id in cited and _occurs(head, before)
                near = len(subject.split()) <= 12 and fold(found[0]) not in told
                if near and (meant or _occurs(head, subject)):
                    yield question
            before = fold(sentence)


def _stated(sentence: str, topic: str) -> Iterator[tuple[re.Match[str], str]]:
    plural = bool(re.search(r"\b(?:were|are)\b", sentence)) and topic.endswith("s") and " and " not in topic
    was = "were" if plural else "was"
    if found := _BY.search(sentence):
        yield found, f"Who {_DID.get(found[1], found[1])} {topic}?"
    if found := _WHEN.search(sentence):
        yield found, f"When {was} {topic} {found[1]}?"
    if found := _OPENED.search(sentence):
        yield found, f"When did {topic} open?"
    if found := _NAMED_AFTER.search(sentence):
        yield found, f"What {'are' if plural else 'is'} {topic} named after?"
    if found := _MEASURED.search(sentence):
        yield found, f"How {found[1]} {'are' if plural else 'is'} {topic}?"
    if found := _WEIGHS.search(sentence):
        yield found, f"How much {'do' if plural else 'does'} {topic} weigh?"
    if found := _COST.search(sentence):
        yield found, f"How much did {topic} cost?"


def _headings(read: Read, topic: str) -> Iterator[str]:
    """Sections of the cited pages on other sides of the topic."""
    pattern = _ABOUT.get(read.base)
    if pattern is None or not topic:
        return
    named = _without_article(topic)
    about = set(_words(named, read.language))
    for heading in _sections(read):
        words = _words(heading, read.language)
        if _ASKS.match(heading) or heading.endswith(_QUESTION_MARKS) or _FURNITURE.fullmatch(heading):
            continue
        if not words - about or len(heading) > 60:
            continue
        if len(heading) > 1:
            yield pattern.format(topic=_capital(named), heading=_inside(heading, read))


def _names(read: Read) -> Iterator[str]:
    """Names that come up again and again and were not asked about."""
    pattern = _NAMED.get(read.base)
    if pattern is None:
        return
    known = fold(" ".join([*read.asked, *(page.title for page in read.pages)]))
    sites = " ".join(page.site for page in read.pages).casefold()
    counts: Counter[str] = Counter()
    articles: Counter[str] = Counter()
    cited = {page.page_id for page in read.pages}
    for passage in read.passages:
        if passage.kind != "prose" or passage.page_id not in cited or detect(passage.text).split("-")[0] != read.base:
            continue
        found = [(bool(name[1]), " ".join(name[2].split())) for name in _NAME.finditer(passage.text)]
        counts.update({name for _, name in found})
        articles.update({name for article, name in found if article})
    for name, passages in counts.most_common(8):
        plain = fold(name)
        if passages < 2 or plain in known or plain.replace(" ", "") in sites or len(name) > 40:
            continue
        yield pattern.format(name=f"the {name}" if articles[name] * 2 >= passages else name)


def _sections(read: Read) -> Iterator[str]:
    """Innermost headings of the cited pages in the reader's language, each once, where enough is said below them; none
    that instructs."""
    lengths: dict[str, int] = {}
    for page in read.pages:
        if detect(page.text).split("-")[0] != read.base:
            continue
        for block in page.blocks[:MOST_BLOCKS]:
            if block.kind != "heading" and block.headings:
                heading = " ".join(block.headings[-1].split())
                if detect(heading).split("-")[0] not in {read.base, "en"}:  # English is what nothing speaks against
                    continue
                lengths[heading] = lengths.get(heading, 0) + block.end - block.start
    titles = {fold(page.title) for page in read.pages}
    for heading, length in lengths.items():
        if length >= ENOUGH_TEXT and len(heading) <= 120 and fold(heading) not in titles and not instructs(heading):
            yield heading


def _inside(heading: str, read: Read) -> str:
    """In the middle of an English sentence, a first word that pages also write small is no name."""
    first, gap, rest = heading.partition(" ")
    small = first.lower()
    if read.base != "en" or not re.search(rf"\b{re.escape(small)}\b", " ".join(p.text for p in read.passages)):
        return heading
    return f"{small}{gap}{rest}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
