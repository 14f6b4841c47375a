"""Pages that are not what was asked for: walls, shells and apologies that answer 200."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from answerable.errors import ReadCause
from answerable.providers.reading.metadata import Metadata

SHORT = 1500  # characters; a page with more text than this is read, whatever stands beside it

_NOT_FOUND = re.compile(
    r"\b(?:404|page (?:was )?not found|not found|(?:can(?:no|')?t|couldn.t|could not|unable to) (?:find|locate)"
    r"(?: that| this| the| your)? (?:page|article|content)|page (?:does not|doesn.t|no longer) exist"
    r"|no longer (?:available|exists)"
    r"|page (?:is )?(?:missing|unavailable|gone|has (?:been )?(?:moved|removed|deleted)|can.?t be found"
    r"|cannot be found)"
    r"|seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada|página não encontrada"
    r"|pagina non trovata|pagina niet gevonden|strona nie (?:istnieje|została znaleziona)|sidan hittades inte"
    r"|страница не найдена|页面不存在|找不到(?:页面|頁面)|頁面不存在|ページが見つかりません|페이지를 찾을 수 없)",
    re.IGNORECASE,
)
_SIGN_IN = re.compile(
    r"\b(?:sign ?in|log ?in|sign ?up|members? only|anmelden|einloggen|connexion|se connecter|iniciar sesión"
    r"|entrar|accedi"
    r"|inloggen|zaloguj|войти|вход)\b|登录|登入|ログイン|로그인",
    re.IGNORECASE,
)
_SIGN_IN_PATH = re.compile(
    r"/(?:sign-?in|log-?in|login|signin|auth|sso|oauth|session|account/login|users/sign_in)\b", re.I
)
_SCRIPT_NOTICE = re.compile(
    r"(?:enable|turn on|requires?|needs?|activate|without)\W{0,3}(?:\w+\W+){0,3}java\s?script"
    r"|java\s?script (?:is )?(?:required|disabled"
    r"|must be enabled)|javascript (?:aktivieren|activado|activé)",
    re.IGNORECASE,
)
_CHALLENGE = re.compile(
    r"just a moment\.\.\.|checking (?:if the site connection is secure|your browser)"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|are you a (?:human|robot)|attention required! \| cloudflare|ddos protection by|cf-browser-verification"
    r"|challenge-platform/h"
    r"|px-captcha|_incapsula_resource|incapsula incident|captcha-delivery\.com|please complete the security check"
    r"|unusual traffic from your|pardon our interruption|enable javascript and cookies to continue"
    r"|access denied.{0,80}reference #",
    re.IGNORECASE | re.DOTALL,
)
_CONSENT = re.compile(
    r"before you continue|we value your privacy|we and our (?:\d+ )?partners|accept all"
    r"|manage (?:your )?(?:options|preferences|cookies)"
    r"|cookies? (?:policy|settings|preferences)|your (?:privacy|consent)|alle akzeptieren|tout accepter"
    r"|aceptar todo|legitimate interest",
    re.IGNORECASE,
)
_PAYWALL = re.compile(
    r"subscribe (?:now )?to (?:continue|read|keep reading|unlock)|(?:article|content"
    r"|story) is (?:only )?(?:for|reserved for|available to)"
    r" (?:our )?(?:paid |premium )?(?:subscribers|members)|already a subscriber|subscribers only"
    r"|continue reading with a|unlock this article"
    r"|nur für abonnenten|réservé aux abonnés|solo para suscriptores|riservato agli abbonati",
    re.IGNORECASE,
)
_SHELL_IDS = {"root", "app", "__next", "__nuxt", "application", "react-root", "main-app", "svelte", "app-root"}


def of_status(status: int, headers: Mapping[str, str], body: bytes) -> tuple[ReadCause, str] | None:
    """The cause that a status stands for; None when the body is to be read."""
    if status < 400 and status not in {204, 205, 304}:
        return None
    if headers.get("cf-mitigated") == "challenge" or (
        status in {401, 403, 429, 503} and _CHALLENGE.search(body[:60_000].decode("utf-8", "ignore"))
    ):
        return "challenge", f"the host wants proof of a person ({status})"
    if status in {404, 410}:
        return "not_found", f"the host says that there is no such page ({status})"
    if status in {401, 407}:
        return "login_required", f"the host asks who is there ({status})"
    if status == 402:
        return "paywall", "the host asks for payment (402)"
    if status < 400:
        return "empty", f"an answer without text ({status})"
    wait = headers.get("retry-after", "").strip()[:40]
    later = (
        f" and asked to be left alone: Retry-After {wait}"
        if status in {429, 503} and wait.isprintable() and wait
        else ""
    )
    return "http_error", f"the host answered {status}{later}"


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells of walls in a tree; taken before it is pruned."""

    heads: tuple[str, ...]  # its title and first headings
    password: bool
    scripts: bool
    script_notice: bool  # for those without scripts
    shell: bool  # an empty element that a script fills
    shown: int  # characters in its body


def signs_of(tree: HtmlElement) -> Signs:
    title = tree.findtext(".//head/title") or tree.findtext(".//title") or ""
    body = tree.find(".//body")
    return Signs(
        heads=(title, *(" ".join(h.text_content().split()) for h in list(tree.iter("h1"))[:2])),
        password=tree.find(".//input[@type='password']") is not None,
        scripts=tree.find(".//script") is not None,
        script_notice=any(_SCRIPT_NOTICE.search(e.text_content()) for e in tree.iter("noscript")),
        shell=any(
            e.get("id") in _SHELL_IDS and len(e.text_content().strip()) < 100
            for e in tree.iter("div", "app-root", "main")
        ),
        shown=0 if body is None else len(" ".join(body.text_content().split())),
    )


def of_page(signs: Signs, raw: str, meta: Metadata, text: str, asked: str, url: str) -> tuple[ReadCause, str] | None:
    """The wall that a page is, by its signs and its extracted text; None for a real page."""
    if len(text) > SHORT:
        return None
    if _CHALLENGE.search(raw[:60_000]) and len(text) < 600:
        return "challenge", "the page wants proof of a person before it shows itself"
    if any(len(head) < 90 and _NOT_FOUND.search(head) for head in signs.heads):
        return "not_found", "the page says that it does not exist"
    if _is_sign_in(signs, asked, url):
        return "login_required", "a form to sign in stands in place of the page"
    if not meta.free or _PAYWALL.search(text):
        return "paywall", "only the beginning is shown to those who do not subscribe"
    if len({match.lower() for match in _CONSENT.findall(text)}) >= 3 or _consent_host(url, asked):
        return "consent_wall", "a question about cookies stands in place of the page"
    if len(text) < 200 and _needs_script(signs, raw):
        return "needs_javascript", "the page draws itself by script"
    return None


def _is_sign_in(signs: Signs, asked: str, url: str) -> bool:
    led = urlsplit(url).path != urlsplit(asked).path and bool(_SIGN_IN_PATH.search(urlsplit(url).path))
    named = any(_SIGN_IN.search(head) for head in signs.heads)
    return (signs.password and (led or named)) or (led and named)


def _consent_host(url: str, asked: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host != urlsplit(asked).hostname and host.startswith(("consent.", "guce.", "cmp."))


def _needs_script(signs: Signs, raw: str) -> bool:
    if signs.script_notice:
        return True
    if not signs.scripts:
        return False
    return signs.shell or bool(_SCRIPT_NOTICE.search(raw[:20_000]) and signs.shown < 600)
