"""The few lines the engine says in its own voice inside an answer, in the reader's language."""

from __future__ import annotations

from typing import Literal

Phrase = Literal["from_sources", "sources_differ", "not_enough", "nothing_found", "search_failed", "chat"]

_PHRASES: dict[str, dict[Phrase, str]] = {
    "en": {
        "from_sources": "From the sources",
        "sources_differ": "The sources differ.",
        "not_enough": "I read the pages below, but none of them answers this question.",
        "nothing_found": "I searched, but no page was found that answers this question.",
        "search_failed": "I could not search: no search provider answered.",
        "chat": "Ask me a question and I will look for an answer with sources.",
    },
    "de": {
        "from_sources": "Aus den Quellen",
        "sources_differ": "Die Quellen sind uneins.",
        "not_enough": "Ich habe die Seiten unten gelesen, aber keine davon beantwortet diese Frage.",
        "nothing_found": "Ich habe gesucht, aber keine Seite gefunden, die diese Frage beantwortet.",
        "search_failed": "Ich konnte nicht suchen: Kein Suchdienst hat geantwortet.",
        "chat": "Stellen Sie eine Frage, und ich suche eine Antwort mit Quellen.",
    },
    "fr": {
        "from_sources": "D’après les sources",
        "sources_differ": "Les sources divergent.",
        "not_enough": "J’ai lu les pages ci-dessous, mais aucune ne répond à cette question.",
        "nothing_found": "J’ai cherché, mais aucune page trouvée ne répond à cette question.",
        "search_failed": "Je n’ai pas pu chercher : aucun service de recherche n’a répondu.",
        "chat": "Posez-moi une question et je chercherai une réponse avec ses sources.",
    },
    "es": {
        "from_sources": "Según las fuentes",
        "sources_differ": "Las fuentes difieren.",
        "not_enough": "Leí las páginas de abajo, pero ninguna responde a esta pregunta.",
        "nothing_found": "Busqué, pero no encontré ninguna página que responda a esta pregunta.",
        "search_failed": "No pude buscar: ningún buscador respondió.",
        "chat": "Haga una pregunta y buscaré una respuesta con fuentes.",
    },
    "it": {
        "from_sources": "Dalle fonti",
        "sources_differ": "Le fonti divergono.",
        "not_enough": "Ho letto le pagine qui sotto, ma nessuna risponde a questa domanda.",
        "nothing_found": "Ho cercato, ma nessuna pagina trovata risponde a questa domanda.",
        "search_failed": "Non ho potuto cercare: nessun motore di ricerca ha risposto.",
        "chat": "Fai una domanda e cercherò una risposta con le fonti.",
    },
    "pt": {
        "from_sources": "Das fontes",
        "sources_differ": "As fontes divergem.",
        "not_enough": "Li as páginas abaixo, mas nenhuma responde a esta pergunta.",
        "nothing_found": "Procurei, mas não encontrei nenhuma página que responda a esta pergunta.",
        "search_failed": "Não consegui pesquisar: nenhum serviço de busca respondeu.",
        "chat": "Faça uma pergunta e procurarei uma resposta com fontes.",
    },
    "nl": {
        "from_sources": "Uit de bronnen",
        "sources_differ": "De bronnen verschillen.",
        "not_enough": "Ik heb de pagina's hieronder gelezen, maar geen ervan beantwoordt deze vraag.",
        "nothing_found": "Ik heb gezocht, maar geen pagina gevonden die deze vraag beantwoordt.",
        "search_failed": "Ik kon niet zoeken: geen zoekdienst heeft geantwoord.",
        "chat": "Stel een vraag en ik zoek een antwoord met bronnen.",
    },
    "ru": {
        "from_sources": "Из источников",
        "sources_differ": "Источники расходятся.",
        "not_enough": "Я прочитал страницы ниже, но ни одна не отвечает на этот вопрос.",
        "nothing_found": "Поиск не нашёл страницы, которая отвечает на этот вопрос.",
        "search_failed": "Не удалось выполнить поиск: ни одна поисковая служба не ответила.",
        "chat": "Задайте вопрос, и я найду ответ с источниками.",
    },
    "zh": {
        "from_sources": "来源原文",
        "sources_differ": "各来源说法不一。",
        "not_enough": "我读了下列网页，但没有一页回答这个问题。",
        "nothing_found": "已搜索，但没有找到回答这个问题的网页。",
        "search_failed": "无法搜索：没有搜索服务作出回应。",
        "chat": "请提问，我会查找带来源的答案。",
    },
    "ja": {
        "from_sources": "情報源より",
        "sources_differ": "情報源によって異なります。",
        "not_enough": "下のページを読みましたが、この質問に答えるものはありませんでした。",
        "nothing_found": "検索しましたが、この質問に答えるページは見つかりませんでした。",
        "search_failed": "検索できませんでした。どの検索サービスも応答しませんでした。",
        "chat": "質問していただければ、出典付きの答えを探します。",
    },
    "hi": {
        "from_sources": "स्रोतों से",
        "sources_differ": "स्रोत असहमत हैं।",
        "not_enough": "मैंने नीचे दिए गए पृष्ठ पढ़े, पर किसी में इस प्रश्न का उत्तर नहीं है।",
        "nothing_found": "खोजने पर इस प्रश्न का उत्तर देने वाला कोई पृष्ठ नहीं मिला।",
        "search_failed": "खोज नहीं हो सकी: किसी खोज सेवा ने उत्तर नहीं दिया।",
        "chat": "प्रश्न पूछिए, मैं स्रोतों के साथ उत्तर खोजूँगा।",
    },
    "ar": {
        "from_sources": "من المصادر",
        "sources_differ": "تختلف المصادر.",
        "not_enough": "قرأت الصفحات أدناه، لكن لا تجيب أي منها عن هذا السؤال.",
        "nothing_found": "بحثت ولم أجد صفحة تجيب عن هذا السؤال.",
        "search_failed": "تعذّر البحث: لم تستجب أي خدمة بحث.",
        "chat": "اطرح سؤالًا وسأبحث عن إجابة مع مصادرها.",
    },
}


def phrase(name: Phrase, language: str) -> str:
    """In English where the language (BCP 47) is not among ours."""
    return _PHRASES.get(language.casefold().split("-")[0], _PHRASES["en"])[name]
