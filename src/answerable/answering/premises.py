"""Questions that rest on something false or ask what nobody can know yet. Rules; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from answerable.text.analysis import fold
from answerable.text.answertypes import AnswerType, asked_for, holds
from answerable.text.asking import Term, forms_of
from answerable.text.opposites import NEGATION, negated

SPOKEN_OF = 0.5  # share of the question's specific words that a denial must speak of
PRESUMING = frozenset({"date", "person", "place", "reason"})
FAR_AHEAD = re.compile(
    r"\b(?:in|within) (?:\d+|a|a few|several|two|three|four|five|six|ten|twenty|fifty) (?:more )?"
    r"(?:years?|decades?|centur\w+)(?: from now|['’] time)?\s*[?.]?$"
    r"|\bnext (?:year|decade|century)\b|\byears from now\b"
    r"|\b(?:in|within) (?:zwei|drei|fünf|zehn) jahren\b|\bnächste[sn]? jahr"
    r"|\bdans (?:deux|trois|cinq|dix|\d+) ans\b|\bl['’]ann[ée]e prochaine\b"
    r"|\b(?:dentro de|en) (?:dos|tres|cinco|diez) años\b|\bel año que viene\b|(?:年后|年後|来年|明年|再来年)",
    re.IGNORECASE,
)
TO_COME = re.compile(
    r"\b(?:will|going to|shall|wird|werden|sera|seront|será|serán|sarà|zal)\b|會|会|だろう|でしょう", re.IGNORECASE
)
FORETELLS = re.compile(
    r"\b(?:will|expect(?:s|ed)?|forecasts?|predict(?:s|ed|ion)?|project(?:s|ed|ions?)|plan(?:s|ned)? (?:to|for)"
    r"|due to|set to|scheduled|is to|are to|by 20\d\d|next year|wird|werden|erwartet|geplant|voraussichtlich|sera"
    r"|prévu\w*|será|previst\w+|sarà|zal|verwacht)\b|预计|預計|予定|見込",
    re.IGNORECASE,
)


def denial(question: str, language: str, terms: Sequence[Term], texts: Sequence[str]) -> str:
    """The text that denies what the question takes for granted, while none affirms it; else "".

    "When did it collapse?" takes the collapse for granted; "did it collapse?" and "from what age may …?" do not rest on
    what "it has not collapsed" or "not before 12 months" deny, and "it has none" answers "how many".
    """
    kinds = asked_for(question)
    if not kinds or not set(kinds) <= PRESUMING or NEGATION.search(fold(question)):
        return ""
    forms = {form: term for term in terms if term.specific for form in forms_of(term.stem, language)}
    for text in texts:
        polarity = negated(fold(text), language, forms)
        against = {forms[form] for form in polarity.denied} - {forms[form] for form in polarity.affirmed}
        spoken = {forms[form] for form in polarity.denied | polarity.affirmed}
        predicates = {form for form, term in forms.items() if term in against and not term.name}
        if not predicates or len(spoken) < SPOKEN_OF * len(set(forms.values())) or gives(text, kinds, question):
            continue
        wanted = {forms[form] for form in predicates}
        if not any(gives(other, kinds, question) and wanted <= affirmed(other, language, forms) for other in texts):
            return text
    return ""


def affirmed(text: str, language: str, forms: Mapping[str, Term]) -> set[Term]:
    return {forms[form] for form in negated(fold(text), language, forms).affirmed}


def gives(text: str, kinds: Sequence[AnswerType], question: str) -> bool:
    """Whether it holds what is asked for; the question's own names are no answer to "who" or "where"."""
    own = {word.strip("?.,") for word in question.split() if word[0].isupper()}
    new = " ".join(word for word in text.split() if word.strip("?.,;:") not in own)
    return all(holds(new if kind in {"person", "place"} else text, kind) for kind in kinds)


def unforeseen(question: str, texts: Sequence[str]) -> bool:
    """Whether a time years ahead is asked about and no text foretells anything."""
    if not (FAR_AHEAD.search(question) and TO_COME.search(question)):
        return False
    return not any(FORETELLS.search(text) and not NEGATION.search(fold(text)) for text in texts)
