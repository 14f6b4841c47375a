"""Pages that are not what was asked for: walls, shells and apologies that answer 200."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    return "http_error", f"the host answered {status}"


def of_page(
    tree: HtmlElement, raw: str, meta: Metadata, text: str, asked: str, url: str
) -> tuple[ReadCause, str] | None:
    """The wall that a page is, judged by its whole tree (not pruned) and its extracted text; None for a real page."""
    if len(text) > SHORT:
        return None
    title = tree.findtext(".//head/title") or meta.title
    heads = [title, *(" ".join(h.text_content().split()) for h in list(tree.iter("h1"))[:2])]
    if _CHALLENGE.search(raw[:60_000]) and len(text) < 600:
        return "challenge", "the page wants proof of a person before it shows itself"
    if any(len(head) < 90 and _NOT_FOUND.search(head) for head in heads):
        return "not_found", "the page says that it does not exist"
    if _is_sign_in(tree, heads, asked, url):
        return "login_required", "a form to sign in stands in place of the page"
    if not meta.free or _PAYWALL.search(text):
        return "paywall", "only the beginning is shown to those who do not subscribe"
    if len({match.lower() for match in _CONSENT.findall(text)}) >= 3 or _consent_host(url, asked):
        return "consent_wall", "a question about cookies stands in place of the page"
    if len(text) < 200 and _needs_script(tree, raw):
        return "needs_javascript", "the page draws itself by script"
    return None


def _is_sign_in(tree: HtmlElement, heads: list[str], asked: str, url: str) -> bool:
    form = tree.find(".//input[@type='password']") is not None
    led = urlsplit(url).path != urlsplit(asked).path and bool(_SIGN_IN_PATH.search(urlsplit(url).path))
    return (form and (led or any(_SIGN_IN.search(head) for head in heads))) or (
        led and any(_SIGN_IN.search(head) for head in heads)
    )


def _consent_host(url: str, asked: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host != urlsplit(asked).hostname and host.startswith(("consent.", "guce.", "cmp."))


def _needs_script(tree: HtmlElement, raw: str) -> bool:
    if any(_SCRIPT_NOTICE.search(element.text_content()) for element in tree.iter("noscript")):
        return True
    scripts = sum(1 for _ in tree.iter("script"))
    if scripts == 0:
        return False
    shell = any(
        e.get("id") in _SHELL_IDS and len(e.text_content().strip()) < 100 for e in tree.iter("div", "app-root", "main")
    )
    body = tree.find(".//body")
    shown = len(" ".join(body.text_content().split())) if body is not None else 0
    return shell or bool(_SCRIPT_NOTICE.search(raw[:20_000]) and shown < 600)
