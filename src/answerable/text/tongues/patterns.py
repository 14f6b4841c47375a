"""How other languages than English ask for a kind of answer and tell it: parts of the patterns of answertypes.py."""

from __future__ import annotations

ASKED_TIME = (
    r"|\b(?:an )?welche[mrns]? (?:wochen)?tage?n?\b|\bin welche[mrn] (?:monat|jahrhundert)\b"
    r"|\bquels? (?:jours?|mois|siècle)\b|\bqu[eé] (?:d[ií]as?|mes|horas?)\b|\bcu[aá]l es el horario\b"
    r"|\b(?:che|quale|quali) (?:giorn[oi]|mese|or[ae])\b|\borari[o]?\b|\b(?:que|quais|qual) (?:dias?|mês|horas?)\b"
    r"|\bwelke (?:dag(?:en)?|maand)\b|\bhoe laat\b|\bopeningstijden\b|\bhorários?\b"
    r"|\b(?:в )?как(?:ой|ие|им|их) (?:день|дни|дням|месяц)\b|\bв какие дни\b|\b(?:во|до|со?) сколь?ки?о?\b"
    r"|\bрежим работы\b"
    r"|किस दिन|कितने बजे|किस समय"
)
WEEKDAYS = (
    r"\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s?\b"
    r"|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?\b"
    r"|\b(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)\b"
    r"|\b(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|domeniche)\b"
    r"|\b(?:segunda|terça|quarta|quinta|sexta)s?-feiras?\b"
    r"|\b(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)(?:en|s)?\b"
    r"|\b(?:понедельник|вторник|сред[аыу]|четверг|пятниц|суббот|воскресень)\w*"
    r"|सोमवार|मंगलवार|बुधवार|गुरुवार|बृहस्पतिवार|शुक्रवार|शनिवार|रविवार|इतवार"
)
CLOCK = (
    r"\b\d{1,2}(?:[.:]\d\d)? ?uhr\b|(?:\b(?:de|dès|des|das|às|até|entre|et)|\bà|jusqu['’]à) \d{1,2} ?h(?:eures?"
    r"|oras?)?\b"
    r"|\b\d{1,2} ?h ?\d\d\b|\b(?:de|desde) las? \d{1,2}\b|\ba las? \d{1,2}\b|\b(?:dalle|alle)(?: ore)? \d{1,2}\b"
    r"|\bore \d{1,2}"
    r"|\bvan \d{1,2}(?:[.:]\d\d)?(?: uur)? tot\b|\b\d{1,2}(?:[.:]\d\d)? uur\b|\b(?:с|до|в)"
    r" \d{1,2}(?:[.:]\d\d)?(?: час| до|$|[.,;])"
    r"|\d{1,2}(?::\d\d)? ?बजे"
)
MONTHS = (
    r"\b(?:januar|februar|märz|juni|juli|oktober|dezember|janvier|février|avril|juin|juillet|août|septembre|octobre"
    r"|décembre|enero|febrero|abril|(?:de|en) mayo|junio|julio|septiembre|octubre|diciembre|gennaio|febbraio"
    r"|aprile|maggio|giugno"
    r"|luglio|settembre|ottobre|dicembre|(?<!rio de )janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|dezembro"
    r"|januari"
    r"|februari|maart|augustus|(?:январ|феврал|апрел|июн|июл|август|сентябр|октябр|ноябр|декабр)[ьяе])\b"
    r"|\b(?:im|mitte|anfang|ende) (?:april|mai|august|september|november)\b"
    r"|जनवरी|फरवरी|मार्च|अप्रैल|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर"
)
REASONS = (
    r"|\b(?:aufgrund|daher|deshalb|deswegen|weswegen|grund dafür|da (?:der|die|das|es|er|sie|sich|dort|hier)|nämlich"
    r"|benannt nach|geht (?:\w+ )?auf|namen? (?:verdankt|kommt|stammt|leitet)|abgeleitet"
    r"|à cause|puisque|afin (?:de|que)|du fait|faute de|(?:vient|provient|dérive|tient) (?:du|de|d['’])|tire"
    r" (?:son|leur) nom"
    r"|doi(?:t|vent) (?:son|leur) nom|en l['’]honneur|ya que|a causa|motivo|razón|se deb(?:e|en) a|(?:viene"
    r"|proviene|deriva) del?"
    r"|debe su nombre|en honor|dato che|visto che|siccome|a causa|per via|(?:deriva|viene|proviene) d[aei]l?"
    r"|deve il (?:suo )?nome"
    r"|prende il nome|já que|por causa|razão|(?:vem|provém|deriva) d[aeo]|deve o (?:seu )?nome|em homenagem"
    r"|vanwege|wegens"
    r"|aangezien|dankt zijn naam|(?:vernoemd|genoemd) naar|afgeleid van)\b"
    r"|так как|чтобы|причин|назван\w* (?:в честь|по)|в честь|происходит от|от слова"
    r"|वजह|इसलिए|ताकि|के नाम पर|नाम पड़ा"
)
PRICED = (
    r"|\b(?:eintritt(?:spreis)?|bezahlt|bezahlen|zahlen|gebühr|tarifs?|coûtent|coûter|payer|paye|paie"
    r"|cuestan|costar|cu[aá]nto valen?|pagar?|precios|entrada|costano|costare|prezzi|biglietto|ingresso|custa"
    r"|custam|custar"
    r"|preços|ingresso|bilhete|kosten|prijzen|toegang|betaal\w*|entrees)\b|стоят|стоимост|плат[аи]|билет"
    r"|शुल्क|लगत[ाेी]|लगेग|दाम|किराया|फ़?ीस|टिकट"
)
MONEY = r"euros?\b|€|руб|₽|रुपए|रुपय[ाे]|रु\.?|reais\b|pesos?\b|franken\b|chf\b|kronor\b|kroner\b"
FREE = (
    r"|\b(?:kostenlos|kostenfrei|frei|freien? eintritt|umsonst|gratuite?s?|gratis|gratuit[oa]s?)\b|бесплатн"
    r"|निःशुल्क|मुफ़?्त"
)
ORIGIN_OF_NAME = (  # asks why a thing is called so, whatever its question word
    r"\bwoher (?:\w+ )*name\b|\bwoher (?:hat|haben) .*\bnamen?\b|d['’]où (?:vient|provient|tire).*\bnom\b"
    r"|\bd[oó]nde (?:viene|proviene|procede).*\bnombre\b|\bda dove (?:viene|deriva).*\bnome\b|\bonde (?:vem"
    r"|provém).*\bnome\b"
    r"|\bwaar komt .*\bnaam\b|\bоткуда .*(?:названи|имя)"
)
# How a time is asked for: by the clock, by the day, or when something is open.
ASKED_CLOCK = (
    r"\bum (?:wie ?viel|welche) uhr\b|\bwelche uhrzeit\b|\b[àa] quelle heure\b|\ba qué horas?\b|\ba che or[ae]\b"
    r"|\ba que horas\b"
    r"|\bhoe laat\b|\b(?:во|до|со?) сколь(?:ки|ко)\b|कितने बजे|किस समय"
)
ASKED_DAY = (
    r"\bwelche[mrns]? (?:wochen)?tage?n?\b|\bquels? jours?\b|\bqu[eé] d[ií]as?\b|\b(?:che|quale|quali) giorn[oi]\b"
    r"|\b(?:que|quais|qual) dias?\b|\bwelke dag(?:en)?\b|\bкак(?:ой|ие|им|их) (?:день|дни|дням)\b|किस दिन|किन दिनों"
)
HOURS = r"\b\d{1,2}(?:[.:h]\d\d)?(?: ?h)? ?(?:-|–|—|bis|à|a|tot|до|से) ?\d{1,2}(?:[.:]\d\d)?\b"
PERSON_NAMED = (  # two words with capitals, or one after "von", "par", "por"…
    r"(?<![\w.])(?!(?:Der|Die|Das|Den|Dem|Ein|Eine|Einen|Le|La|Les|Un|Une|El|Los|Las|Il|Lo|Gli|O|A|Os|As|De|Het"
    r"|Een)\b)"
    r"[A-ZÀ-ÞА-ЯЁ][\w’'-]+ (?:(?:de|du|da|di|del|von|van|der) )?[A-ZÀ-ÞА-ЯЁ][\w’'-]+"
    r"|\b(?:von|durch|par|por|da|dal|pelo|pela|door)(?: de[rm]| den| la| el| le)?(?: [a-zà-ÿ]+){0,2} [A-ZÀ-Þ][\w’'-]+"
)
NUMBER_WORDS = (  # but none that is an English word, too
    r"|\b(?:zwei|drei|vier|fünf|sechs|sieben|zehn|zwölf|zwanzig|hundert|tausend|trois|quatre|cinq|sept|huit|neuf"
    r"|onze|douze"
    r"|quinze|vingt|trente|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|treinta|cien"
    r"|quattro|cinque"
    r"|sette|otto|dieci|dodici|venti|trenta|dois|duas|três|quatro|oito|dez|doze|vinte|cem|twee|drie|vijf"
    r"|zes|zeven"
    r"|negen|tien|twaalf|twintig|honderd|duizend|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять"
    r"|двадцать|сто|тысяча)\b"
    r"|(?<!\S)(?:दो|तीन|चार|पाँच|पांच|छह|सात|आठ|नौ|दस|बारह|पंद्रह|बीस|सौ|हज़ार)(?!\S)"
)
