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

/** What the engine says, by its code; in English, and where the code is unknown, in its own words. */
export function told(key, english, values = {}) {
  return language === "en" || typeof known[key] !== "string" ? english : t(key, values);
}

/** How long ago a page was read, as a reader would say it. */
export function readAgo(iso, now = Date.now()) {
  const minutes = Math.floor((now - new Date(iso).getTime()) / 60_000);
  if (Number.isNaN(minutes)) return "";
  if (minutes < 1) return t("read_now");
  if (minutes < 60) return t("read_minutes", { n: minutes });
  if (minutes < 24 * 60) return t("read_hours", { n: Math.floor(minutes / 60) });
  return t("read_on", { day: day(iso) });
}

const MONTHS = known.months.split(" ");

export function day(iso) {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return "";
  return t("day", { day: moment.getUTCDate(), month: MONTHS[moment.getUTCMonth()], year: moment.getUTCFullYear() });
}
