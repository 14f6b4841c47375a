// The page's words in its language: the same file that the server reads.
const language = document.documentElement.lang || "en";
const known = await (await fetch(new URL(`words/${language}.json`, import.meta.url))).json();
const rules = new Intl.PluralRules(language);

/** `t("pages_read", {n: 2})`: "2 pages read". */
export function t(key, values = {}) {
  let word = known[key];
  if (word === undefined) throw new Error(`no word for ${key}`);
  if (typeof word !== "string") word = word[rules.select(values.n) === "one" ? "one" : "other"];
  return word.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

const MONTHS = known.months.split(" ");

export function day(iso) {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return "";
  return t("day", { day: moment.getUTCDate(), month: MONTHS[moment.getUTCMonth()], year: moment.getUTCFullYear() });
}
