// Words and addresses as a reader may see them. Text of pages and models is never trusted here.
import { t, told } from "./words.js";

const root = document.documentElement.dataset;
const base = root.base ?? "";
const collectionHosts = new Set((root.collectionHosts ?? "").split(" ").filter(Boolean));
const INVISIBLE = /[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const TITLE_CHARS = 300;

export function clean(text, limit = TITLE_CHARS) {
  const line = String(text ?? "").replace(INVISIBLE, "").replace(/\s+/g, " ").trim();
  const points = Array.from(line);
  return points.length <= limit ? line : points.slice(0, limit - 1).join("").trimEnd() + "…";
}

/** The address if it is http or https, else null, however it disguises its scheme. */
export function safeHref(url) {
  if (typeof url !== "string" || /[\x00-\x20\x7f]/.test(url) || !/^https?:\/\//i.test(url)) return null;
  return URL.canParse(url) ? url : null;
}

export function displayTitle(title, url) {
  return clean(title) || (safeHref(url) ? new URL(url).hostname : "") || t("untitled");
}

/** Host and path, for where there is no title yet. */
export function shortened(url) {
  if (!safeHref(url)) return clean(url, 60);
  const { host, pathname } = new URL(url);
  return clean(host.replace(/^www\./, "") + (pathname === "/" ? "" : pathname), 60);
}

export function isBuiltin(url) {
  return Boolean(safeHref(url)) && collectionHosts.has(new URL(url).hostname);
}

/** Where a source opens; pages of the built-in collection open on this server. */
export function outside(url, link = "") {
  if (!safeHref(url)) return null;
  if (!isBuiltin(url)) return safeHref(link) ?? url;
  const { hostname, pathname, search } = new URL(url);
  const at = link.indexOf("#");
  return `${base}/collection/${hostname}${pathname}${search}${at < 0 ? "" : link.slice(at)}`;
}

/** The stored page with the quote marked. */
export function asRead(citation) {
  return `${base}/pages/${encodeURIComponent(citation.page_id)}?start=${citation.start}&end=${citation.end}#quote`;
}

/** Read from the provider's extract alone, or only at its beginning; null for a page that was read whole. */
export function readInPart({ read_as, cut }) {
  const word = read_as === "snippet" ? "snippet_only" : cut ? "beginning_only" : null;
  return word && h("span", { class: "tag" }, t(word));
}

/** What the page calls its site, beside the host and never in its place. */
export function siteName({ site_name }) {
  return site_name ? h("span", { dir: "auto" }, clean(site_name, 60)) : null;
}

export function why(claim) {
  const words = claim.verdict ? t(claim.verdict) : "";
  return claim.reason ? `${words}: ${reasonOf(claim)}` : words;
}

/** Why a claim or citation has its verdict, in the reader's language where its code is known. */
export function reasonOf({ reason, reason_code: code, reason_values: [a = "", b = "", c = ""] = [] }) {
  return clean(told(`reason_${code}`, reason, { a, b, c }));
}

/** An element with attributes and children; strings become text, never markup. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}
