"""Which sentences state a fact to be checked, and which only ask, lead on, or speak about the sources."""

from __future__ import annotations

import re

from answerable.text.analysis import UNSPACED, content_of_folded, fold
from answerable.text.languages import detect
from answerable.text.markers import read_item
from answerable.text.measures import MONTH
from answerable.text.stopwords import FUNCTION_CHARACTERS

FEWEST_WORDS = 4  # fewer content words state nothing that needs a source…
FEWEST_CITED = 2  # …unless the writer itself gave one
UNSPACED_CHARS = re.compile(rf"[{UNSPACED}]")
END_MARKS = " \t\n\"'”’»›)]）】」』*_~.。"
OUR_SOURCES = r"(?:sources?|passages?|search results|results|excerpts?|context)"
ANY_SOURCES = (
    r"(?:sources?|evidence|passages?|documents?|search results|results|pages?|texts?|context|articles?|excerpts?)"
)
SOME = r"(?:\w+\s+){0,2}"
LIST_MARK = re.compile(rf"^\s*(?:\d{{1,2}}[.)](?!\s*(?:{'|'.join(MONTH)})\b)|[•*-])\s+", re.IGNORECASE)


def about(noun: str) -> re.Pattern[str]:
    """Sentences about what was found and what was not, with `noun` for where it was looked for."""
    where = rf"{SOME}{noun}\b"
    patterns = (
        rf"\b(?:the|these|those|all|any|my|provided|available|given|cited|retrieved)\s+{where}(?:\s+\w+){{0,2}}?\s+"
        r"(?:do|does|did|don't|doesn't|didn't|cannot|can't|fail|lack|disagree|differ|conflict|agree|contradict|vary|"
        r"(?:are|is|were|was)\s+(?:silent|unclear|not clear|not specific|inconclusive|limited))\b",
        rf"\b(?:no|none|neither|nothing)\b(?:\s+\w+){{0,4}}?\s+(?:of|in|from)\s+(?:the|these|those)\s+{where}",
        rf"\b(?:not|n't|never|nowhere)\s+(?:\w+\s+){{0,3}}(?:in|by|from)\s+(?:the|these|any|any of the)\s+{where}",
        r"\b(?:i|we)\s+(?:could not|couldn't|cannot|can't|did not|didn't|do not|don't|was unable to|were unable to)"
        r"\s+(?:find|know|determine|confirm|verify|say|tell|locate)\b",
        r"\b(?:there is|there's|found|find)\s+no\s+(?:\w+\s+){0,2}(?:information|mention|evidence|details?|data)\b"
        r".*\b(?:sources?|passages?|results|pages|evidence provided)\b",
        r"\bdie\s+(?:\w+\s+){0,2}quellen\s+(?:nennen|sagen|enthalten|geben|erwähnen|machen|widersprechen|liefern)\b"
        r".*\b(?:nicht|kein\w*|nichts|sich)\b",
        r"\bles\s+(?:\w+\s+){0,2}sources\s+(?:\w+\s+)?(?:ne\b|n')",
        r"\b(?:las|los)\s+(?:\w+\s+){0,2}(?:fuentes|resultados)\s+(?:\w+\s+)?no\b",
        r"\ble\s+(?:\w+\s+){0,2}fonti\s+(?:\w+\s+)?non\b",
        r"\bas\s+(?:\w+\s+){0,2}fontes\s+(?:\w+\s+)?não\b",
        r"\bde\s+(?:\w+\s+){0,2}bronnen\s+.*\b(?:niet|geen)\b",
        r"\b(?:источники|в источниках)\b.*\bне\b",
        r"(?:来源|來源|资料|資料).{0,12}(?:没有|沒有|未|并未|並未|不一|不同|矛盾)",
        r"(?:出典|情報源|資料|ソース).{0,30}(?:ありません|いません|ません|ない|異な|食い違)",
        r"(?:출처|자료).{0,30}(?:없|않|다르|다릅|엇갈)",
    )
    return re.compile("|".join(patterns))


ABOUT_SOURCES = about(ANY_SOURCES)
ABOUT_OURS = about(OUR_SOURCES)  # "the evidence does not support a link [1]" is a claim about the world


def states_fact(text: str, *, context: str = "", cited: bool = False) -> bool:
    """Whether a sentence (its markers taken out) is a claim. `context`: the stem or header it is read with.

    A sentence the writer cited needs fewer words: "The city paid half [2]." is meant to be checked.
    """
    bare = text.strip(END_MARKS)
    if not bare or bare.endswith(("?", "？", "؟", ":", "：")) or text.rstrip().endswith((":", "：")):
        return False
    folded = fold(bare)
    if (ABOUT_OURS if cited else ABOUT_SOURCES).search(folded):
        return False
    words = content_count(folded)
    if cited:
        return words >= 1 and words + content_count(fold(context)) >= FEWEST_CITED
    return words >= 1 and words + content_count(fold(context)) >= FEWEST_WORDS


def bare_claim(text: str) -> str:
    """A claim without the mark of its list item and the citation markers in it: "4. It is red [2]." says no 4, no 2.

    Of what a person pastes, or a data set holds; claims cut from an answer have lost both already.
    """
    kept: list[str] = []
    at, taken = 0, False
    while at < len(text):
        item = read_item(text, at, complete=True)
        if item.kind == "marker":
            taken = True
            if kept and text[item.end : item.end + 1] in ("", *".,;:!?\n"):
                kept[-1] = kept[-1].rstrip()
        else:
            kept.append(text[at : item.end])
        at = item.end
    bare = "".join(kept) if taken else text
    bare = LIST_MARK.sub("", bare)
    return bare if bare.strip() else text


def content_count(folded: str) -> int:
    """Content words, where scripts without spaces count two characters as a word."""
    if not folded:
        return 0
    spaced = sum(1 for word in content_of_folded(folded, detect(folded)) if not UNSPACED_CHARS.match(word))
    unspaced = len(UNSPACED_CHARS.findall(FUNCTION_CHARACTERS.sub("", folded)))
    return spaced + (unspaced + 1) // 2
