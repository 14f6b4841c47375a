"""Units of measure, scales and number words, as they are written in several languages."""

from __future__ import annotations

# dimension -> spellings (separated by "|") -> size in the dimension's base unit
MEASURES: dict[str, dict[str, float]] = {
    "length": {
        "m|metre|metres|meter|meters|metern|mètre|mètres|metro|metros|metri|м|метр|метра|метров|メートル|米|公尺|"
        "미터": 1,
        "km|kilometre|kilometres|kilometer|kilometers|kilometern|kilomètre|kilomètres|kilómetro|kilómetros|chilometri|км|"
        "километр|километра|километров|公里|キロ|キロメートル|킬로미터": 1_000,
        "cm|centimetre|centimetres|centimeter|centimeters|zentimeter|厘米|センチ|センチメートル": 0.01,
        "mm|millimetre|millimetres|millimeter|millimeters|毫米|ミリ": 0.001,
        "mi|mile|miles|meile|meilen|英里": 1_609.344,
        "ft|foot|feet|fuss|英尺": 0.3048,
        "inch|inches|zoll": 0.0254,
        "yd|yard|yards": 0.9144,
        "nautical mile|nautical miles": 1_852,
    },
    "mass": {
        "kg|kilo|kilos|kilogram|kilograms|kilogramme|kilogrammes|kilogramm|кг|公斤|千克|キログラム": 1,
        "g|gram|grams|gramme|grammes|gramm|克|グラム": 0.001,
        "mg|milligram|milligrams|milligramm|毫克": 1e-6,
        "t|tonne|tonnes|tonnen|metric ton|metric tons|tonelada|toneladas|тонн|тонны|吨|噸|トン": 1_000,
        "short ton|short tons": 907.185,
        "lb|lbs": 0.453592,
        "oz|ounce|ounces": 0.0283495,
    },
    "time": {
        "s|sec|secs|second|seconds|sekunde|sekunden|seconde|secondes|segundos|秒": 1,
        "min|mins|minute|minutes|minuten|minutos|minuti|分鐘|分钟": 60,
        "h|hr|hrs|hour|hours|stunde|stunden|heure|heures|hora|horas|ore|時間|小时|小時": 3_600,
        "day|days|tag|tage|tagen|jour|jours|día|días|giorni|天|日間": 86_400,
        "week|weeks|woche|wochen|semaine|semaines|semanas": 604_800,
        "month|months|monat|monate|monaten|mois|meses|mesi|个月|個月|か月|ヶ月": 2_629_746,
        "year|years|jahr|jahre|jahren|an|ans|année|années|año|años|anni|ano|anos|年間": 31_556_952,
    },
    "area": {
        "m^2|sqm|sq m|square metre|square metres|square meter|square meters|quadratmeter|平方米|平方メートル": 1,
        "km^2|sq km|square kilometre|square kilometres|square kilometer|square kilometers|quadratkilometer|平方公里|"
        "平方キロメートル": 1e6,
        "ha|hectare|hectares|hektar|公顷|ヘクタール": 1e4,
        "acre|acres": 4_046.86,
        "sq mi|square mile|square miles": 2.58999e6,
        "sq ft|square foot|square feet": 0.092903,
    },
    "volume": {
        "l|litre|litres|liter|liters|升|リットル": 1,
        "ml|millilitre|millilitres|milliliter|milliliters|毫升": 0.001,
        "m^3|cubic metre|cubic metres|cubic meter|cubic meters|kubikmeter|立方米|立方メートル": 1_000,
        "gallon|gallons": 3.78541,
        "barrel|barrels": 158.987,
    },
    "speed": {
        "km/h|kph|kmh|kilometres per hour|kilometers per hour|kilometres an hour|kilometers an hour": 1,
        "mph|miles per hour|miles an hour": 1.609344,
        "m/s|metres per second|meters per second": 3.6,
        "knot|knots": 1.852,
        "ft/s|feet per second|foot per second": 1.09728,
    },
    "power": {
        "w|watt|watts": 1,
        "kw|kilowatt|kilowatts": 1e3,
        "mw|megawatt|megawatts": 1e6,
        "gw|gigawatt|gigawatts": 1e9,
    },
    "energy": {
        "wh": 1,
        "kwh|kilowatt-hours|kilowatt hours": 1e3,
        "mwh|megawatt-hours": 1e6,
        "gwh|gigawatt-hours": 1e9,
        "twh|terawatt-hours": 1e12,
    },
    "data": {"kb": 1e3, "mb|megabyte|megabytes": 1e6, "gb|gigabyte|gigabytes": 1e9, "tb|terabyte|terabytes": 1e12},
    "frequency": {"hz": 1, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
    "percent": {
        "%|percent|per cent|pct|prozent|pour cent|por ciento|per cento|por cento|procent|процент|процента|процентов|"
        "パーセント|퍼센트": 1
    },
    "celsius": {"°c|° c|degrees celsius|degree celsius|grad celsius|degrés celsius|celsius": 1},
    "fahrenheit": {"°f|° f|degrees fahrenheit|degree fahrenheit|fahrenheit": 1},
    "usd": {"$|us$|usd|dollar|dollars|us dollars|美元|ドル|달러": 1},
    "eur": {"€|eur|euro|euros|евро|欧元|ユーロ|유로": 1},
    "gbp": {"£|gbp|pounds sterling": 1},
    "jpy": {"¥|jpy|yen|円|日元": 1},
    "cny": {"yuan|rmb|cny|人民币": 1},
    "inr": {"₹|inr|rupee|rupees": 1},
    "chf": {"chf|swiss francs|franken": 1},
    "krw": {"₩|krw|won|원": 1},
}
UNIT: dict[str, tuple[str, float]] = {
    spelling: (dimension, size)
    for dimension, units in MEASURES.items()
    for spellings, size in units.items()
    for spelling in spellings.split("|")
}
SCALE: dict[str, float] = {
    spelling: size
    for spellings, size in (
        ("thousand|thousands|tausend|mille|mil|mila|тыс|тысяч|千|천", 1e3),
        ("万|萬|만", 1e4),
        ("lakh|lakhs|十万|十萬", 1e5),
        (
            "million|millions|millionen|mio|mn|millón|millones|milioni|milhões|млн|миллион|миллиона|миллионов|百万|百萬",
            1e6,
        ),
        ("crore|crores|千万|千萬", 1e7),
        ("億|亿|억", 1e8),
        ("billion|billions|bn|milliarde|milliarden|mrd|milliard|milliards|miliardi|mil millones|млрд|十億|十亿", 1e9),
        ("trillion|trillions|tn|billionen|兆", 1e12),
    )
    for spelling in spellings.split("|")
}
SHORT_SCALE = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12, "tn": 1e12}  # glued to a sum of money
ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
GERMAN = "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"
WORD_VALUE: dict[str, int] = {
    **{word: value for value, word in enumerate(ONES.split(), start=1)},
    **{word: value * 10 for value, word in enumerate(TENS.split(), start=2)},
    **{word: value for value, word in enumerate(GERMAN.split(), start=2)},
    "dozen": 12,
    "hundred": 100,
    "hundert": 100,
}
MONTH_NAMES = (
    "january janvier januar enero gennaio janeiro januari января январь",
    "february février februar febrero febbraio fevereiro februari февраля февраль",
    "march mars märz marzo março maart марта март",
    "april avril abril aprile апреля апрель",
    "may mai mayo maggio maio mei мая май",
    "june juin juni junio giugno junho июня июнь",
    "july juillet juli julio luglio julho июля июль",
    "august août agosto augustus августа август",
    "september septembre septiembre settembre setembro сентября сентябрь",
    "october octobre oktober octubre ottobre outubro октября октябрь",
    "november novembre noviembre novembro ноября ноябрь",
    "december décembre dezember diciembre dicembre dezembro декабря декабрь",
)
MONTH: dict[str, int] = {name: number for number, names in enumerate(MONTH_NAMES, start=1) for name in names.split()}
SHORT_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
SHORT_MONTH: dict[str, int] = {name: number for number, name in enumerate(SHORT_NAMES.split(), start=1)} | {"sept": 9}
ABOUT_WORDS = (
    "about around approximately approx roughly circa ca some nearly almost just under over than least most up "
    "etwa rund circa ungefähr knapp fast über environ presque près alrededor unos casi circa quasi около почти"
)
ABOUT = frozenset(ABOUT_WORDS.split())
