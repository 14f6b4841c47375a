"""Words of nine languages that say one thing when something is asked or told. Data only; English is here for questions
and pages of two languages, never to widen an English question on an English page."""

from __future__ import annotations

# matter -> language -> words, in the forms that their stems do not share
MATTERS: dict[str, dict[str, str]] = {
    "price": {
        "en": "price prices cost costs fee fees pay fare admission entry ticket tickets charge",
        "de": "kosten kostet gekostet preis preise eintritt eintrittspreis eintrittspreise gebühr gebühren entgelt "
        "zahlen zahlt bezahlen bezahlt teuer ticket tickets einzelkarte eintrittskarte",
        "fr": "coûter coûte coût prix tarif tarifs payer paie paye payant entrée billet billets redevance frais "
        "montant",
        "es": "cuesta cuestan costar costo coste precio precios tarifa tarifas pagar paga pagan vale entrada "
        "entradas billete billetes boleto",
        "it": "costa costano costare costo prezzo prezzi tariffa tariffe pagare paga pagano ingresso biglietto "
        "biglietti",
        "pt": "custa custam custar custo preço preços tarifa tarifas pagar paga pagam entrada ingresso bilhete "
        "bilhetes",
        "nl": "kost kosten prijs prijzen tarief tarieven betalen betaalt toegang toegangsprijs entree kaartje "
        "kaartjes",
        "ru": "стоит стоят стоить стоимость цена цены плата оплата платить платят заплатить билет билеты тариф "
        "тарифы вход",
        "hi": "कीमत क़ीमत दाम शुल्क फीस फ़ीस किराया टिकट लगता लगते लगती लगेगा ख़र्च खर्च मूल्य",
    },
    "opening": {
        "en": "open opens opening hours",
        "de": "öffnet öffnen geöffnet offen öffnungszeit öffnungszeiten aufmachen aufhat",
        "fr": "ouvre ouvrent ouvert ouverte ouverts ouvertes ouverture horaire horaires",
        "es": "abre abren abrir abierto abierta abiertos apertura horario horarios",
        "it": "apre aprono aprire aperto aperta aperti apertura orario orari",
        "pt": "abre abrem abrir aberto aberta abertos abertura horário horários funcionamento funciona",
        "nl": "open opent geopend openingstijd openingstijden openingsuren",
        "ru": "открыт открыта открыто открыты открывается открываются работает работают часы режим",
        "hi": "खुलता खुलती खुलते खुला खुली खुले समय",
    },
    "closing": {
        "en": "close closes closed closing shut", "de": "schließt schließen geschlossen zumachen ruhetag schließtag",
        "fr": "ferme ferment fermé fermée fermés fermeture", "es": "cierra cierran cerrar cerrado cerrada cierre",
        "it": "chiude chiudono chiuso chiusa chiusi chiusura",
        "pt": "fecha fecham fechar fechado fechada encerra encerrado encerramento",
        "nl": "sluit sluiten gesloten sluitingstijd sluitingsdag dicht",
        "ru": "закрыт закрыта закрыто закрыты закрывается выходной выходные", "hi": "बंद अवकाश छुट्टी",
    },
    "barred": {
        "en": "closed blocked barred shut", "de": "gesperrt sperrung geschlossen dicht verboten untersagt betreten",
        "fr": "interdit interdite fermé fermée barré barrée coupé coupée interdiction",
        "es": "cerrado cerrada cortado cortada prohibido prohibida clausurado clausurada",
        "it": "chiuso chiusa vietato vietata interdetto interdetta sbarrato",
        "pt": "fechado fechada interditado interditada proibido proibida bloqueado",
        "nl": "gesloten afgesloten afgezet dicht verboden",
        "ru": "закрыт закрыта закрыто закрыты перекрыт перекрыта запрещён запрещено запрещена",
        "hi": "बंद मना वर्जित",
    },
    "name": {
        "en": "name named called",
        "de": "heißt heißen geheißen name namens nennt nennen genannt benannt namensgeber bezeichnung",
        "fr": "appelle appelé appelée appellent appeler nom nommé nommée nomme dénomination baptisé baptisée",
        "es": "llama llaman llamado llamada llamarse nombre nombrado denominado denomina denominación",
        "it": "chiama chiamano chiamato chiamata chiamarsi nome denominato denominazione soprannome",
        "pt": "chama chamam chamado chamada chamar nome denominado denominação",
        "nl": "heet heten geheten noemt noemen genoemd naam vernoemd",
        "ru": "называется называют назван названа названо названы название имя зовут зовётся именуется",
        "hi": "नाम कहते कहा कहलाता कहलाती पुकारते नामकरण",
    },
    "make": {
        "en": "built build designed design architect constructed created made engineer",
        "de": "baute gebaut bauen erbaut erbauen errichtet errichten entwarf entworfen entwerfen konstruierte "
        "architekt architektin baumeister geplant plante",
        "fr": "construit construite construire construisit bâti bâtie bâtir édifié conçu conçue concevoir dessiné "
        "dessinée dessina architecte créé créée",
        "es": "construyó construido construida construir construyeron edificó diseñó diseñado diseñada diseñar "
        "proyectó proyectado arquitecto arquitecta levantó",
        "it": "costruì costruito costruita costruire progettò progettato progettata progettare disegnò architetto "
        "architetta edificò edificato realizzò realizzato",
        "pt": "construiu construído construída construir projetou projetado projetada desenhou desenhado arquiteto "
        "arquiteta ergueu",
        "nl": "bouwde gebouwd bouwen ontwierp ontworpen ontwerpen architect ontwerper",
        "ru": "построил построила построили построен построена построено спроектировал спроектировала спроектирован "
        "возвёл возвели архитектор архитектором создал создала",
        "hi": "बनवाया बनवाई बनाया बनाई बनवाए निर्माण निर्मित वास्तुकार डिज़ाइन",
    },
    "found": {
        "en": "founded established founder", "de": "gründete gegründet gründer gründerin gründung",
        "fr": "fondé fondée fonda fondateur fondatrice fondation créé créée",
        "es": "fundó fundado fundada fundador fundadora fundación",
        "it": "fondò fondato fondata fondatore fondatrice fondazione",
        "pt": "fundou fundado fundada fundador fundadora fundação",
        "nl": "stichtte gesticht opgericht oprichter oprichtte stichter",
        "ru": "основал основала основан основана основано основатель основательница",
        "hi": "स्थापना स्थापित संस्थापक",
    },
    "find": {
        "en": "discovered invented inventor discoverer",
        "de": "entdeckte entdeckt entdecker erfand erfunden erfinder erfinderin",
        "fr": "découvert découverte découvrit découvreur inventé inventée inventa inventeur",
        "es": "descubrió descubierto descubierta descubridor inventó inventado inventada inventor inventora",
        "it": "scoprì scoperto scoperta scopritore inventò inventato inventata inventore",
        "pt": "descobriu descoberto descoberta descobridor inventou inventado inventada inventor",
        "nl": "ontdekte ontdekt ontdekker uitvond uitgevonden uitvinder",
        "ru": "открыл открыла изобрёл изобрел изобрела изобретатель изобретён обнаружил", "hi": "खोज आविष्कार खोजा",
    },
    "write": {
        "en": "wrote written author painted painter composed",
        "de": "schrieb geschrieben verfasst verfasste autor autorin verfasser malte gemalt maler malerin komponierte "
        "komponiert",
        "fr": "écrit écrite écrivit auteur autrice rédigé peint peinte peignit peintre composé composa",
        "es": "escribió escrito escrita autor autora pintó pintado pintada pintor compuso",
        "it": "scrisse scritto scritta autore autrice dipinse dipinto dipinta pittore compose",
        "pt": "escreveu escrito escrita autor autora pintou pintado pintada pintor compôs",
        "nl": "schreef geschreven auteur schrijver schilderde geschilderd schilder componeerde",
        "ru": "написал написала написан написана автор писатель художник сочинил",
        "hi": "लिखा लिखी लेखक रचना रचयिता चित्रकार",
    },
    "lead": {
        "en": "leads head director manager runs",
        "de": "leitet leiten geleitet leiter leiterin chef chefin führt direktor direktorin",
        "fr": "dirige dirigé directeur directrice chef gère gérant responsable",
        "es": "dirige dirigido director directora jefe jefa responsable gerente",
        "it": "dirige diretto direttore direttrice capo responsabile gestisce",
        "pt": "dirige dirigido diretor diretora chefe responsável gerente",
        "nl": "leidt geleid directeur directrice hoofd leider",
        "ru": "руководит возглавляет директор руководитель начальник заведующая заведует",
        "hi": "निदेशक प्रमुख अध्यक्ष प्रबंधक",
    },
    "own": {
        "en": "own owns have holds collection possess items",
        "de": "besitzt besitzen bestand bestände sammlung umfasst gehören verfügt",
        "fr": "possède possèdent collection compte conserve détient",
        "es": "posee poseen colección cuenta conserva alberga",
        "it": "possiede possiedono collezione raccolta conserva conta",
        "pt": "possui possuem coleção acervo conserva conta", "nl": "bezit bezitten collectie verzameling telt",
        "ru": "собрание собрании коллекция коллекции насчитывает хранится хранятся владеет имеет",
        "hi": "संग्रह संग्रहालय पास मौजूद",
    },
    "adult": {
        "en": "adult adults", "de": "erwachsene erwachsener erwachsenen", "fr": "adulte adultes",
        "es": "adulto adultos adulta", "it": "adulto adulti adulta", "pt": "adulto adultos adulta",
        "nl": "volwassene volwassenen", "ru": "взрослый взрослых взрослые взрослого взрослому",
        "hi": "वयस्क वयस्कों बड़ों",
    },
    "child": {
        "en": "child children kid kids", "de": "kind kinder kindern kinds sohn tochter jugendliche jugendlicher",
        "fr": "enfant enfants fils fille gamin jeune jeunes",
        "es": "niño niña niños niñas hijo hija infantil menor menores",
        "it": "bambino bambina bambini bambine figlio figlia ragazzi minori",
        "pt": "criança crianças filho filha menino menina menores", "nl": "kind kinderen zoon dochter jeugd",
        "ru": "ребёнок ребенок ребёнка ребенка ребёнку дети детей детям детский сын дочь",
        "hi": "बच्चा बच्चे बच्चों बच्ची बेटा बेटी",
    },
    "student": {
        "en": "student students pupil pupils",
        "de": "schüler schülerin schülern student studenten studierende studentin",
        "fr": "étudiant étudiante étudiants élève élèves écolier lycéen lycéens",
        "es": "estudiante estudiantes alumno alumnos", "it": "studente studenti studentessa alunni",
        "pt": "estudante estudantes aluno alunos", "nl": "student studenten scholier scholieren leerling leerlingen",
        "ru": "студент студентов студенту школьник школьников школьнику учащихся",
        "hi": "विद्यार्थी विद्यार्थियों छात्र छात्रों",
    },
    "senior": {
        "en": "senior seniors pensioner pensioners retired", "de": "senior senioren rentner rentnerin rentnern",
        "fr": "senior seniors retraité retraités", "es": "jubilado jubilados mayores pensionista pensionistas",
        "it": "anziano anziani pensionato pensionati",
        "pt": "idoso idosos aposentado aposentados reformado reformados",
        "nl": "senior senioren gepensioneerde gepensioneerden", "ru": "пенсионер пенсионеров пенсионеру",
        "hi": "वरिष्ठ बुज़ुर्ग बुजुर्ग",
    },
    "height": {
        "en": "tall high height", "de": "hoch hohe höhe höher", "fr": "haut haute hauteur mesure culmine",
        "es": "alto alta altura mide", "it": "alto alta altezza", "pt": "alto alta altura mede",
        "nl": "hoog hoge hoogte", "ru": "высота высотой высоты высокий высокая", "hi": "ऊँचाई ऊंचाई ऊँचा ऊंचा",
    },
    "length": {
        "en": "long length", "de": "lang länge lange", "fr": "long longue longueur mesure",
        "es": "largo larga longitud mide", "it": "lungo lunga lunghezza",
        "pt": "comprido comprida comprimento extensão mede", "nl": "lang lange lengte",
        "ru": "длина длиной длинный протяжённость протяженность", "hi": "लंबाई लम्बाई लंबा लंबी",
    },
    "depth": {
        "en": "deep depth", "de": "tief tiefe tiefer tiefste", "fr": "profond profonde profondeur",
        "es": "profundo profunda profundidad", "it": "profondo profonda profondità", "pt": "fundo funda profundidade",
        "nl": "diep diepe diepte", "ru": "глубина глубиной глубины глубокий глубокая", "hi": "गहराई गहरा गहरी",
    },
    "width": {
        "en": "wide width", "de": "breit breite", "fr": "large largeur", "es": "ancho ancha anchura",
        "it": "largo larga larghezza", "pt": "largo larga largura", "nl": "breed brede breedte",
        "ru": "ширина шириной ширины широкий", "hi": "चौड़ाई चौड़ा चौड़ी",
    },
    "lasting": {
        "en": "long last lasts duration takes", "de": "dauer dauert dauern gedauert", "fr": "durée dure dura durer",
        "es": "dura duró durar duración", "it": "dura durò durare durata", "pt": "dura durou durar duração",
        "nl": "duurt duurde duren duur",
        "ru": "длится длился длилось длилась продолжается продолжительность длительность", "hi": "अवधि चलता चली चला",
    },
    "people": {
        "en": "population inhabitants people residents",
        "de": "einwohner einwohnerzahl bevölkerung bewohner leute menschen leben",
        "fr": "habitants population habitant vivent", "es": "habitantes población viven",
        "it": "abitanti popolazione vivono", "pt": "habitantes população vivem moradores",
        "nl": "inwoners bevolking inwonertal wonen", "ru": "население населения жителей человек живёт проживает",
        "hi": "जनसंख्या आबादी निवासी लोग",
    },
    "begin": {
        "en": "begin begins start starts", "de": "beginnt beginnen beginn begann anfang anfängt startet start",
        "fr": "commence commencent commencer début débute démarre",
        "es": "empieza empiezan comienza comienzan comienzo inicio inicia",
        "it": "comincia cominciano inizia iniziano inizio", "pt": "começa começam começo início inicia",
        "nl": "begint beginnen begin start aanvang", "ru": "начинается начинаются начало начала начинает",
        "hi": "शुरू आरंभ प्रारंभ",
    },
}  # fmt: skip
# They ask for a matter without a word of their own for it.
ASKED_BY: dict[str, tuple[tuple[str, str], ...]] = {
    "de": (
        ("opening", r"\b(?:hat|haben|ist|sind|macht|machen)\b.*\bauf(?:$|\?| am\b| an\b)"),
        ("closing", r"\b(?:hat|haben|ist|sind|macht|machen)\b.*\bzu(?:$|\?)"),
        ("barred", r"\b(?:kann|darf|können|dürfen)\b.*\bnicht\b"),
    ),
    "fr": (("barred", r"\b(?:peut|peux|peuvent)(?:-(?:on|je|ils|elles))? (?:pas|plus)\b"),),
    "es": (("barred", r"\bno (?:se )?pued(?:e|en|o|es)\b|\bno podemos\b"),),
    "it": (("barred", r"\bnon (?:si )?(?:può|possono|posso)\b"),),
    "pt": (("barred", r"\bnão (?:se )?pod(?:e|em)\b|\bnão posso\b|\bnão dá para\b"),),
    "nl": (("barred", r"\b(?:kun(?:t|nen)?|kan) .*\bniet\b|\bmag .*\bniet\b"),),
    "ru": (("barred", r"\bнельзя\b"), ("barred", r"\bне пускают\b")),
}
COMPOUNDING = frozenset({"de", "nl", "sv", "da", "no"})
