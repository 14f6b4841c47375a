"""Common nouns of nine languages: what stands in pages under one roof, words that mean almost nothing, articles."""

from __future__ import annotations

# For questions and pages of two languages.
THINGS: dict[str, dict[str, str]] = {
    "museum": {
        "en": "museum", "de": "museum", "fr": "musée", "es": "museo", "it": "museo", "pt": "museu", "nl": "museum",
        "ru": "музей музея музее", "hi": "संग्रहालय",
    },
    "library": {
        "en": "library", "de": "bibliothek bücherei", "fr": "bibliothèque médiathèque", "es": "biblioteca",
        "it": "biblioteca", "pt": "biblioteca", "nl": "bibliotheek", "ru": "библиотека", "hi": "पुस्तकालय लाइब्रेरी",
    },
    "bridge": {
        "en": "bridge", "de": "brücke", "fr": "pont", "es": "puente", "it": "ponte", "pt": "ponte", "nl": "brug",
        "ru": "мост", "hi": "पुल",
    },
    "church": {
        "en": "church", "de": "kirche", "fr": "église", "es": "iglesia", "it": "chiesa", "pt": "igreja",
        "nl": "kerk", "ru": "церковь", "hi": "गिरजाघर चर्च",
    },
    "castle": {
        "en": "castle", "de": "burg schloss", "fr": "château", "es": "castillo", "it": "castello", "pt": "castelo",
        "nl": "kasteel", "ru": "замок крепость", "hi": "किला क़िला",
    },
    "tower": {
        "en": "tower", "de": "turm", "fr": "tour", "es": "torre", "it": "torre", "pt": "torre", "nl": "toren",
        "ru": "башня", "hi": "मीनार",
    },
    "lake": {
        "en": "lake", "de": "see", "fr": "lac", "es": "lago", "it": "lago", "pt": "lago", "nl": "meer",
        "ru": "озеро", "hi": "झील",
    },
    "river": {
        "en": "river", "de": "fluss", "fr": "fleuve rivière", "es": "río", "it": "fiume", "pt": "rio",
        "nl": "rivier", "ru": "река", "hi": "नदी",
    },
    "mountain": {
        "en": "mountain", "de": "berg", "fr": "montagne", "es": "montaña", "it": "montagna monte", "pt": "montanha",
        "nl": "berg", "ru": "гора", "hi": "पहाड़ पर्वत",
    },
    "pool": {
        "en": "pool swimming", "de": "schwimmbad freibad hallenbad", "fr": "piscine", "es": "piscina",
        "it": "piscina", "pt": "piscina", "nl": "zwembad", "ru": "бассейн", "hi": "तरणताल",
    },
    "market": {
        "en": "market", "de": "markt wochenmarkt", "fr": "marché", "es": "mercado mercadillo", "it": "mercato",
        "pt": "mercado feira", "nl": "markt", "ru": "рынок ярмарка", "hi": "बाज़ार बाजार हाट",
    },
    "station": {
        "en": "station", "de": "bahnhof", "fr": "gare", "es": "estación", "it": "stazione", "pt": "estação",
        "nl": "station", "ru": "вокзал станция", "hi": "स्टेशन",
    },
    "ferry": {
        "en": "ferry", "de": "fähre", "fr": "ferry bac", "es": "ferry transbordador", "it": "traghetto",
        "pt": "balsa ferry", "nl": "veerboot pont veer", "ru": "паром", "hi": "नौका",
    },
    "monday": {
        "en": "monday", "de": "montag montags", "fr": "lundi", "es": "lunes", "it": "lunedì",
        "pt": "segunda-feira segundas", "nl": "maandag", "ru": "понедельник понедельникам", "hi": "सोमवार",
    },
    "tuesday": {
        "en": "tuesday", "de": "dienstag dienstags", "fr": "mardi", "es": "martes", "it": "martedì",
        "pt": "terça-feira", "nl": "dinsdag", "ru": "вторник вторникам", "hi": "मंगलवार",
    },
    "wednesday": {
        "en": "wednesday", "de": "mittwoch mittwochs", "fr": "mercredi", "es": "miércoles", "it": "mercoledì",
        "pt": "quarta-feira", "nl": "woensdag", "ru": "среда среду средам", "hi": "बुधवार",
    },
    "thursday": {
        "en": "thursday", "de": "donnerstag donnerstags", "fr": "jeudi", "es": "jueves", "it": "giovedì",
        "pt": "quinta-feira", "nl": "donderdag", "ru": "четверг четвергам", "hi": "गुरुवार बृहस्पतिवार",
    },
    "friday": {
        "en": "friday", "de": "freitag freitags", "fr": "vendredi", "es": "viernes", "it": "venerdì",
        "pt": "sexta-feira", "nl": "vrijdag", "ru": "пятница пятницу пятницам", "hi": "शुक्रवार",
    },
    "saturday": {
        "en": "saturday", "de": "samstag samstags sonnabend", "fr": "samedi", "es": "sábado sábados", "it": "sabato",
        "pt": "sábado sábados", "nl": "zaterdag", "ru": "суббота субботу субботам", "hi": "शनिवार",
    },
    "sunday": {
        "en": "sunday", "de": "sonntag sonntags", "fr": "dimanche", "es": "domingo domingos", "it": "domenica",
        "pt": "domingo domingos", "nl": "zondag", "ru": "воскресенье воскресеньям", "hi": "रविवार इतवार",
    },
    "lighthouse": {
        "en": "lighthouse", "de": "leuchtturm", "fr": "phare", "es": "faro", "it": "faro", "pt": "farol",
        "nl": "vuurtoren", "ru": "маяк", "hi": "प्रकाशस्तंभ",
    },
    "book": {
        "en": "book books", "de": "buch bücher", "fr": "livre livres", "es": "libro libros",
        "it": "libro libri volumi", "pt": "livro livros", "nl": "boek boeken", "ru": "книга книг книги",
        "hi": "किताब किताबें पुस्तक",
    },
    "manuscript": {
        "en": "manuscript manuscripts", "de": "handschrift handschriften manuskript", "fr": "manuscrit manuscrits",
        "es": "manuscrito manuscritos", "it": "manoscritto manoscritti", "pt": "manuscrito manuscritos",
        "nl": "handschrift handschriften", "ru": "рукопись рукописей рукописи", "hi": "पांडुलिपि",
    },
    "island": {
        "en": "island", "de": "insel", "fr": "île", "es": "isla", "it": "isola", "pt": "ilha", "nl": "eiland",
        "ru": "остров", "hi": "द्वीप",
    },
    "school": {
        "en": "school", "de": "schule", "fr": "école", "es": "escuela colegio", "it": "scuola", "pt": "escola",
        "nl": "school", "ru": "школа", "hi": "विद्यालय स्कूल",
    },
    "cheese": {
        "en": "cheese", "de": "käse", "fr": "fromage", "es": "queso", "it": "formaggio", "pt": "queijo",
        "nl": "kaas", "ru": "сыр", "hi": "पनीर",
    },
    "membership": {
        "en": "membership member", "de": "mitglied mitgliedschaft", "fr": "adhésion adhérent membre abonnement",
        "es": "socio membresía afiliación carné", "it": "tessera iscrizione socio", "pt": "sócio associado adesão",
        "nl": "lid lidmaatschap", "ru": "членство абонемент", "hi": "सदस्यता सदस्य मेंबर मेम्बर मेंबरशिप",
    },
    "year": {
        "en": "year", "de": "jahr", "fr": "an année", "es": "año", "it": "anno", "pt": "ano", "nl": "jaar",
        "ru": "год года", "hi": "साल वर्ष वार्षिक सालाना",
    },
}  # fmt: skip
# Words for being let in, and for a price below the full one: who asks what an adult or a child pays means these.
ADMISSION: dict[str, str] = {
    "de": "eintritt eintrittspreis eintrittspreise einlass einzelkarte ermäßigt ermäßigung",
    "fr": "entrée entrées plein réduit réduite",
    "es": "entrada entradas general reducida",
    "it": "ingresso biglietto intero ridotto",
    "pt": "entrada ingresso inteira reduzida meia",
    "nl": "toegang entree toegangsprijs korting",
    "ru": "вход входной входные льготный",
    "hi": "प्रवेश टिकट",
}  # fmt: skip
# Words that say what kind of thing is meant, or almost nothing: they need not stand beside the answer.
GENERAL: dict[str, str] = {
    "de": "haus ort stadt gemeinde tag tage jahr jahre uhr uhrzeit datum zahl anzahl menge name person mensch leute "
    "mann frau ding sache art teil erwachsene erwachsener stelle wochentag abends morgens mittags heute genau "
    "eigentlich derzeit aktuell gehen geht gibt geben kommen kommt machen macht bekommen finden findet liegt "
    "steht fahrt reise besuch grund ursache",
    "fr": "jour jours heure heures date année an ville village commune lieu endroit personne gens chose adulte "
    "exactement actuellement aujourd'hui matin soir semaine ça fait faut va vont aller trouve situe trajet voyage "
    "visite raison cause",
    "es": "día días hora horas fecha año años ciudad pueblo lugar sitio persona gente cosa adulto exactamente "
    "actualmente hoy semana hay hace va ir encuentra queda viaje visita motivo causa razón",
    "it": "giorno giorni ora ore data anno anni città paese luogo posto persona gente cosa adulto esattamente "
    "attualmente oggi settimana va vanno andare trova viaggio visita motivo causa",
    "pt": "dia dias hora horas data ano anos cidade lugar local pessoa gente coisa adulto exatamente atualmente hoje "
    "semana vai ir fica viagem visita motivo causa razão tempo",
    "nl": "dag dagen uur datum jaar stad dorp plaats persoon mensen ding volwassene precies momenteel vandaag week "
    "gaan gaat ligt staat",
    "ru": "день дни дня час часы дата год года город города городе место человек люди вещь взрослый сейчас сегодня "
    "неделя поездка причина",
    "hi": "दिन समय तारीख साल वर्ष शहर जगह आदमी लोग चीज़ आज होता होती होते बनने",
}  # fmt: skip
ARTICLES: dict[str, str] = {  # what stands before the name of a thing
    "de": "der die das den dem des ein eine einen einem einer eines im am zum zur vom beim ins ans in",
    "fr": "le la les l' un une du des au aux de d'",
    "es": "el la los las un una del al de",
    "it": "il lo la i gli le un uno una del dello della dei degli delle al alla nel nella di l' dell' all'",
    "pt": "o a os as um uma do da dos das ao à no na de",
    "nl": "de het een van",
    "hi": "का की के",
}  # fmt: skip
