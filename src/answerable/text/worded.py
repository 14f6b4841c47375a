"""English words that also know what they say, so that a page can say it in another language."""

from __future__ import annotations


class Worded(str):
    """The words, with the code of what they say and the values that fill it: `lacks("330")`."""

    code: str
    values: tuple[str, ...]

    def __new__(cls, words: str, code: str, values: tuple[str, ...] = ()) -> Worded:
        made = super().__new__(cls, words)
        made.code, made.values = code, values
        return made

    def __getnewargs__(self) -> tuple[str, str, tuple[str, ...]]:  # type: ignore[override]
        return str(self), self.code, self.values


def coded(words: str) -> tuple[str, tuple[str, ...]]:
    """Code and values; none of words that know no code."""
    return (words.code, words.values) if isinstance(words, Worded) else ("", ())


def lacks(what: str, *, quoted: bool = False) -> Worded:
    return Worded(f"the source does not say {f'“{what}”' if quoted else what}", "lacks", (what,))


def lacks_words(what: str) -> Worded:
    return Worded(f"the source does not say: {what}", "lacks", (what,))


def differs(said: str, claimed: str, *, quoted: bool = False, where: str = "") -> Worded:
    """`where`: what stands after the source's words."""
    one, other = (f"“{said}”", f"“{claimed}”") if quoted else (said, claimed)
    return Worded(f"the source says {one}{where}, the claim says {other}", "differs", (said, claimed))


def left_out(said: str) -> Worded:
    return Worded(f"the source says “{said}”, the claim leaves it out", "left_out", (said,))


def not_claimed(said: str) -> Worded:
    return Worded(f"the source says “{said}”, the claim does not", "left_out", (said,))


def hedged(said: str) -> Worded:
    return Worded(f"the source says “{said}”, the claim states it as a fact", "hedged", (said,))


def of_another(other: str) -> Worded:
    return Worded(f"the source says this of {other}", "of_another", (other,))


def turned_round(one: str, other: str) -> Worded:
    return Worded(f"the source has {one} and {other} the other way round", "turned", (one, other))


def unnamed(who: str) -> Worded:
    return Worded(f"the source does not name {who}", "unnamed", (who,))


def denied_by(words: str) -> Worded:
    return Worded(f"a source denies it: {words}", "denied", (words,))


def unheard_of(what: str) -> Worded:
    return Worded(f"no source speaks of: {what}", "unheard", (what,))


DENIED = Worded("the source denies it", "denied")
NOT_DENIED = Worded("the source does not deny it", "not_denied")
NOT_SAID = Worded("the source does not say so", "not_said")
NONE_SAYS = Worded("the sources that were given do not say so", "not_said")
ONLY_PART = Worded("the source says only a part of it", "only_part")
NO_SOURCE = Worded("no source was given", "no_source")
NO_SUCH_SOURCE = Worded("the source that was given does not exist", "no_such_source")
NOTHING_READ = Worded("nothing of the source was read", "nothing_read")
UNFORESEEN = Worded("no source looks ahead that far", "unforeseen")
FAR = Worded("no source comes near enough", "far")
NO_WORDS = Worded("the question has no word that could be looked for", "no_words")
