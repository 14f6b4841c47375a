"""What a site is worth as a source: a small open list and a few signs, and what the user prefers or avoids."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from answerable.text.analysis import content_words, fold
from answerable.text.domains import Domains
from answerable.text.languages import detect
from answerable.text.urls import site_of
from answerable.types import Page, Plan

SNIPPET = 0.9  # the provider's words about a page weigh a little less than the page's own
OFFICIAL = 1.1  # for health, money and law
PREFERRED = 1.25
AVOIDED = 0.5
WEAK = 0.85
SOUGHT = 9.0  # added for the site that a navigational question asks for: it leads, however little its pages say
FRONT = 5.0  # added when it is the front page
NAMED = 0.6  # share of a site's name that the words of the question must make up: "eiffel" of "toureiffel"

OFFICIAL_SUFFIXES = (".gov", ".edu", ".int", ".gov.uk", ".nhs.uk", ".gc.ca", ".gov.au", ".europa.eu", ".admin.ch")
# Who sells a thing, or gathers what others wrote for search engines to find, is seldom the source of a statement. They
# are not shut out: where nobody else says it, they say it.
SELLERS = """aliexpress alibaba amazon bestbuy ebay etsy flipkart groupon idealo mercadolibre otto rakuten shein shopee
    temu walmart wayfair wish zalando"""
GATHERERS = """answers answersmine brainly chegg coursehero ehow fandom fixya knowyourmeme listverse pinterest quora
    ranker scribd slideshare sparknotes studocu study thoughtco wikihow"""
_WEAK = frozenset(f"{SELLERS} {GATHERERS}".split())
_SOUGHT = re.compile(  # what a navigational question says beside the name
    r"\b(?:official|website|web ?site|site|home ?page|page|log ?in|sign ?in|download|url|address|link|offizielle[rns]?|"
    r"webseite|webauftritt|officiel(?:le)?|oficial|sitio|web|pagina|página|sito|ufficiale|online|www|com|org)\b",
    re.IGNORECASE,
)
_GENERIC = frozenset(["co", "com", "org", "net", "ac", "edu", "gov", "or", "ne"])


@dataclass(frozen=True, slots=True)
class Tastes:
    """Sites the user would rather see, or rather not; entries of `text/domains.py`."""

    prefer: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()

    def of(self, page: Page) -> float:
        if self.prefer and Domains(keep=self.prefer).permits(page.url):
            return PREFERRED
        return AVOIDED if self.avoid and Domains(keep=self.avoid).permits(page.url) else 1.0


NO_TASTES = Tastes()


def quality(page: Page, plan: Plan, tastes: Tastes) -> float:
    """A factor. What the user prefers is weak by no list of ours."""
    weight = SNIPPET if page.read_as == "snippet" else 1.0
    if plan.sensitive and f".{page.site}".endswith(OFFICIAL_SUFFIXES):
        weight *= OFFICIAL
    taste = tastes.of(page)
    if taste <= 1.0 and page.site.split(".")[0] in _WEAK:
        weight *= WEAK
    if is_sought(page, plan):
        weight *= 1 + SOUGHT + FRONT * (urlsplit(page.url).path in {"", "/"})
    return weight * taste


def is_sought(page: Page, plan: Plan) -> bool:
    """Whether it stands on the site that a navigational question asks for."""
    return plan.kind == "navigational" and likeness_of_name(page.url, plan.standalone_question) >= NAMED


def likeness_of_name(url: str, question: str) -> float:
    """How much of a site's own name the words of the question make up, 0 to 1; 1 also for their initials."""
    words = content_words(_SOUGHT.sub(" ", question), detect(question))
    labels = [label for label in site_of(url).split(".")[:-1] if label not in _GENERIC]
    if not words or not labels:
        return 0.0
    name = fold(labels[-1]).replace("-", "")
    if len(words) > 2 and name == "".join(word[0] for word in words):
        return 1.0
    held = sum(len(word) for word in dict.fromkeys(words) if len(word) > 2 and word in name)
    return min(1.0, held / len(name))


def site_or_address(url: str) -> str:
    """Its site; what is of no site, such as a file, stands for itself."""
    return site_of(url) or url
