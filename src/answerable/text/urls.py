"""Addresses of pages: which spellings are one page, and whose site it is on."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, quote, unquote_to_bytes, urlsplit

import idna

_TRACKING = re.compile(
    r"(?:utm_[a-z_]+|mtm_[a-z]+|pk_[a-z]+|hsa_[a-z]+|_hs(?:enc|mi)|mc_(?:cid|eid)|fbclid|gclid|gclsrc|gbraid|wbraid"
    r"|dclid|msclkid|yclid|ysclid|twclid|ttclid|igshid|igsh|li_fat_id|mkt_tok|oly_(?:anon|enc)_id|vero_id|srsltid"
    r"|gad_(?:source|campaignid)|epik|_openstat|xtor|s_kwcid|ef_id|_branch_match_id|__hs(?:tc|sc|fp)|hsctatracking"
    r"|fb_(?:action_ids|action_types|ref|source)|at_(?:medium|campaign|custom\d)|vero_conv|rb_clickid|sc_cid|sfnsn"
    r"|ml_subscriber(?:_hash)?|amp_(?:js_v|gsa|kit)|s_cid|cmpid|ref_src|ref_url|_ga|_gl|__twitter_impression|guccounter|guce_referrer(?:_sig)?|spm|wt_mc|wickedid"
    r"|phpsessid|jsessionid)",
    re.IGNORECASE,
)
_AMP_QUERY = {"amp", "amp=", "amp=1", "amp=true", "outputtype=amp", "output=amp"}
_INDEX_FILE = re.compile(r"/(?:index|default)\.(?:html?|xhtml|shtml|php\d?|aspx?|jsp)$", re.IGNORECASE)
_PREFIX = re.compile(r"^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.[^.])")
_WIKIMEDIA_MOBILE = re.compile(r"^([a-z-]+)\.m\.(?=(?:wiki[a-z]+|wiktionary|mediawiki)\.org$)")
# Only around something that looks like an article's name: /guitar/amp is a page of its own.
_ARTICLE = r"(?:[^/]*-[^/]*-[^/]*|[^/]*\d{4,}[^/]*|[^/]+\.html?)"
_AMP_PATH = re.compile(rf"(?<=/)({_ARTICLE})/amp$", re.IGNORECASE)
_AMP_FOLDER = re.compile(rf"^/amp(?=/(?:[^/]+/)*{_ARTICLE}$)", re.IGNORECASE)
_AMP_FILE = re.compile(r"(/(?:[^/]*-[^/]*-[^/]*|[^/]*\d{4,}[^/]*))\.amp((?:\.html?)?)$", re.IGNORECASE)
_AMP_CACHE = re.compile(r"^/(?:amp|[civ])/s/([^/]+\.[^/]+)(/.*)?$")
_SESSION = re.compile(r";(?:jsessionid|phpsessid)=[^/;]*", re.IGNORECASE)
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_SAFE_PATH = "/:@!$&'()*+,;=~-._%"
_SAFE_QUERY = _SAFE_PATH + "?"
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

# Where the public hands out names one level lower; enough to tell sites apart, not the whole public suffix list.
_SECOND_LEVEL = {
    "ac", "co", "com", "edu", "go", "gob", "gouv", "gov", "govt", "gub", "id", "ltd", "me", "mil", "ne", "net", "nhs",
    "nic", "nom", "or", "org", "plc", "police", "sch",
}  # fmt: skip
_SHARED_HOSTS = {
    "appspot.com", "azurewebsites.net", "blogspot.com", "cloudfront.net", "firebaseapp.com", "fly.dev", "github.io",
    "gitlab.io", "herokuapp.com", "livejournal.com", "medium.com", "neocities.org", "netlify.app", "notion.site",
    "onrender.com", "pages.dev", "readthedocs.io", "s3.amazonaws.com", "substack.com", "tumblr.com", "vercel.app",
    "web.app", "weebly.com", "wixsite.com", "wordpress.com", "workers.dev",
}  # fmt: skip


def canonical_url(url: str) -> str:
    """Equal for two addresses exactly when they are taken for one page. A key to compare by, not an address to fetch.

    What is no web address comes back as it is.
    """
    parts = _split(url)
    if parts is None:
        return url.strip()
    host, path = _plain_host(parts), parts.path
    cached = _AMP_CACHE.match(path)
    if cached and (host in {"google.com", "bing.com"} or host.endswith((".cdn.ampproject.org", ".bing-amp.com"))):
        return canonical_url(f"https://{cached[1]}{cached[2] or ''}")
    port = parts.port
    netloc = f"[{host}]" if ":" in host else host
    if port and port not in (80, 443):
        netloc += f":{port}"
    query = _plain_query(parts.query)
    # A fragment names a place on the page, except where scripts use it as the path.
    route = f"#{_escaped(parts.fragment, _SAFE_QUERY)}" if parts.fragment.startswith(("!", "/")) else ""
    return f"https://{netloc}{_plain_path(path)}{'?' + query if query else ''}{route}"


def same_page(one: str, other: str) -> bool:
    """Whether two addresses are taken for one page.

    They differ only in what tells where a click came from, in spelling, or in the form for phones (`m.`, AMP). That
    `m.site.example/a` is `site.example/a` is a judgement: nearly every site that has both means one page by them.
    """
    return canonical_url(one) == canonical_url(other)


def host_of(url: str) -> str:
    """The host in lower case and ASCII, `www.` included; empty for what is no web address."""
    parts = _split(url)
    return _ascii_host(parts.hostname or "") if parts else ""


def site_of(url: str) -> str:
    """The name a reader knows the site by: `news.bbc.co.uk` is `bbc.co.uk`. Empty for what is no web address."""
    host = host_of(url)
    if not host or is_ip(host):
        return host
    return _readable(_registrable(host))


def _registrable(host: str) -> str:
    labels = host.split(".")
    keep = 2
    if len(labels) > 2 and (
        (len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL) or ".".join(labels[-2:]) in _SHARED_HOSTS
    ):
        keep = 3
    elif len(labels) > 3 and ".".join(labels[-3:]) in _SHARED_HOSTS:
        keep = 4
    return ".".join(labels[-keep:])


def is_web_url(url: str) -> bool:
    return _split(url) is not None


def is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def without_tracking(url: str) -> str:
    """The address as it is, but for what only tells where a click came from; still an address to fetch."""
    address, mark, fragment = url.strip().partition("#")
    base, question, query = address.partition("?")
    kept = [piece for piece in query.split("&") if piece and not _TRACKING.fullmatch(piece.split("=", 1)[0])]
    route = mark + fragment if fragment.startswith(("!", "/")) else ""
    return base + (question if kept else "") + "&".join(kept) + route


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme.lower() in ("http", "https") and parts.hostname else None


def _ascii_host(host: str) -> str:
    host = host.rstrip(".").lower()
    if ":" in host and is_ip(host):
        return str(ipaddress.ip_address(host))
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        return host


def _readable(host: str) -> str:
    try:
        return idna.decode(host) if "xn--" in host else host
    except idna.IDNAError:
        return host


def _plain_host(parts: SplitResult) -> str:
    host = _WIKIMEDIA_MOBILE.sub(r"\1.", _ascii_host(parts.hostname or ""))
    if is_ip(host):
        return host
    own = _registrable(host)  # `m.co.uk` is a site's own name, not the mobile form of `co.uk`
    while (shorter := _PREFIX.sub("", host)) != host and shorter.endswith(own):
        host = shorter
    return host


def _plain_path(path: str) -> str:
    path = _without_dots(_SESSION.sub("", _escaped(path, _SAFE_PATH)))
    before = None
    while path != before:  # each step may uncover another
        before = path
        path = _AMP_PATH.sub(r"\1", _INDEX_FILE.sub("/", path).rstrip("/"))
        path = _AMP_FOLDER.sub("", _AMP_FILE.sub(r"\1\2", path))
    return path


def _plain_query(query: str) -> str:
    kept = []
    for piece in query.split("&"):
        piece = _escaped(piece.replace("+", "%20"), _SAFE_QUERY)
        name = piece.split("=", 1)[0]
        if piece and not _TRACKING.fullmatch(name) and piece.lower() not in _AMP_QUERY:
            kept.append(piece)
    return "&".join(sorted(kept, key=lambda piece: piece.split("=", 1)[0]))  # the order of equal names may matter


def _escaped(text: str, safe: str) -> str:
    """One spelling: unreserved characters bare, escapes in capitals, everything else escaped as UTF-8."""

    def one(match: re.Match[str]) -> str:
        byte = unquote_to_bytes(match[0])
        return byte.decode("ascii") if byte[0] in _UNRESERVED else match[0].upper()

    text = quote(text, safe=safe, encoding="utf-8", errors="replace")
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    return _ESCAPE.sub(one, text)


def _without_dots(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if path.endswith(("/.", "/..")):
        kept.append("")
    joined = "/".join(kept)
    return joined if joined.startswith("/") or not joined else f"/{joined}"
