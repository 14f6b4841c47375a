"""What short texts around a page's main text say: words and pairs of words, told apart by what they are for."""

from __future__ import annotations

from collections.abc import Sequence

# A pair is written with a plus sign. English first, then German, French, Spanish, Italian, Dutch, Portuguese.
SAYINGS: dict[str, frozenset[str]] = {
    what: frozenset(said.split())
    for what, said in {
        "says_legal": "copyright privacy cookie cookies disclaimer trademark trademarks sitemap imprint reserved "
        "rights legal terms+of terms+and accessibility datenschutz impressum agb mentions+légales "
        "confidentialité privacidad aviso+legal riservati voorwaarden privacidade",
        "says_account": "login signin signup register password subscribe subscriber newsletter newsletters email "
        "account sign+in sign+up sign+out log+in log+out log+on logout username anmelden registrieren "
        "passwort abonnieren connexion inscription abonnez suscríbete iniciar+sesión accedi iscriviti "
        "inloggen aanmelden entrar",
        "says_shop": "cart basket checkout wishlist qty quantity shipping returns refund bag add+to buy+now "
        "in+stock sold+out out+of free+delivery regular+price sale+price unit+price warenkorb versand "
        "lieferung panier livraison carrito envío carrello winkelwagen carrinho afterpay klarna "
        "installments",
        "says_more": "more view explore discover next previous skip download start read+more learn+more see+all "
        "view+all show+more load+more find+out click+here get+started contact+us book+now try+free "
        "shop+now back+to mehr weiterlesen weiter suite voir leer+más ver+más altro leggi lees+verder "
        "meer ver+mais saiba+mais request+a schedule+a",
        "says_related": "related similar popular trending latest recent recently recommended featured suggested "
        "also+like also+bought also+viewed more+from more+in more+on more+like frequently+bought "
        "customers+also keep+reading up+next follow+us share shop+the ähnliche beliebt verwandte "
        "auch+interessieren aussi similaires relacionados también correlati gerelateerd related+posts "
        "might+like may+like see+also",
        "says_forum": "reply replies quote like likes report posted joined member members thread threads views "
        "votes answered moderator upvote downvote solution permalink edited posts topic topics "
        "antworten antwort beiträge réponses respuestas badges reputation kudos asked commented",
        "says_sorting": "sort filter filters refine showing results apply clear+all per+page price+range sort+by "
        "of+results sortieren filtern trier filtrer ordenar filtrar ordina sorteren compare reset",
        "says_review": "review reviews rating ratings star stars verified helpful recommend testimonial bewertungen "
        "bewertung avis opiniones recensioni beoordelingen out+of+5 reviewed rated",
        "says_byline": "by author published updated written+by written reviewed min+read minute+read mins+read photo "
        "photograph credit editor edited veröffentlicht aktualisiert publié publicado aggiornato von "
        "door por",
    }.items()
}
_BITS: dict[str, int] = {}
for _bit, _said in enumerate(SAYINGS.values()):
    for _word in _said:
        _BITS[_word] = _BITS.get(_word, 0) | 1 << _bit
_FIRSTS = {word.partition("+")[0] for word in _BITS if "+" in word}
_LOOKED_AT = 40  # words of a block: what a button or a notice says, it says at once
_FLAGS = [tuple(float(bits >> bit & 1) for bit in range(len(SAYINGS))) for bits in range(1 << len(SAYINGS))]


def says(words: Sequence[str]) -> tuple[float, ...]:
    """For each of SAYINGS, 1 when these lower-cased words say so."""
    bits = 0
    before = ""
    for word in words[:_LOOKED_AT]:
        if word in _BITS:
            bits |= _BITS[word]
        if before:
            bits |= _BITS.get(f"{before}+{word}", 0)
        before = word if word in _FIRSTS else ""
    return _FLAGS[bits]
