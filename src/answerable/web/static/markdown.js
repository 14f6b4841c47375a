// An answer's Markdown as it arrives, to DOM nodes: the same elements and classes as the server's rendering, so that
// the finished answer takes its place without a jump. Only text nodes and known elements are made.
import { displayTitle, h, why } from "./shown.js";
import { t } from "./words.js";

const BEGIN = "\uE000"; // private use: these stand for "a sentence begins/ends here"; the stream's own are removed
const END = "\uE001";
const MORE = "\uE002"; // the claim goes on in a later cell
const MARKS = /[\uE000\uE001\uE002]/g;
const LEAD = /^(?:\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|#{1,6}\s+|>\s?))*\s*/;

/** Offsets in an answer count code points; JavaScript's count UTF-16 units. Takes them in rising order, in one walk. */
function converter(text) {
  if (!/[\ud800-\udbff]/.test(text)) return (point) => point;
  let [point, unit] = [0, 0];
  return (wanted) => {
    for (; point < wanted && unit < text.length; point++) unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
    return unit;
  };
}

function withMarks(answer, sentences) {
  answer = answer.replace(MARKS, "\uFFFD");
  const units = converter(answer);
  const parts = [];
  let at = 0;
  for (const sentence of sentences) {
    const start = units(sentence.start);
    const end = units(sentence.end);
    const text = answer.slice(start, end);
    if (start < at || text !== sentence.text) continue;
    parts.push(answer.slice(at, start));
    const mark = `${BEGIN}${sentence.index}${BEGIN}`;
    if (text.trimStart().startsWith("|")) parts.push(markedRow(text, mark));
    else {
      const lead = LEAD.exec(text)[0];
      parts.push(lead, around(text.slice(lead.length), mark, END));
    }
    at = end;
  }
  return parts.join("") + answer.slice(at);
}

function markedRow(text, mark) {
  const cells = text.match(/(?:\\.|[^|\\])+|\|/g) ?? [];
  const last = cells.findLastIndex((cell) => cell !== "|" && cell.trim());
  return cells.map((cell, k) => (cell === "|" ? cell : around(cell, mark, k === last ? END : MORE))).join("");
}

function around(text, begin, end) {
  const inner = text.trim();
  return inner ? text.replace(inner, () => begin + inner + end) : text;
}

/** The blocks of a text: their source, so that those that have not changed are kept as they stand on the page. */
export function blocksOf(text) {
  const blocks = [];
  let lines = [];
  let fence = null;
  const close = () => {
    if (lines.length) blocks.push(lines.join("\n"));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
    if (fence) {
      lines.push(line);
      if (mark && mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) {
        fence = null;
        close();
      }
    } else if (mark) {
      close();
      fence = mark;
      lines.push(line);
    } else if (!line.trim()) {
      close();
    } else if (/^ {0,3}#{1,6}\s/.test(plainOf(line))) {
      close();
      lines.push(line);
      close();
    } else {
      if (lines.length && isItem(line) && !isItem(lines[0])) close();
      lines.push(line);
    }
  }
  close();
  return joinLists(blocks);
}

const plainOf = (line) => line.replace(/\uE000\d+\uE000|[\uE001\uE002]/g, "");
const isItem = (line) => /^\s*(?:[-*+]|\d{1,9}[.)])\s+/.test(plainOf(line));

/** Items with blank lines between them are one list. */
function joinLists(blocks) {
  const joined = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    const kind = /^\s*(?:([-*+])|\d{1,9}[.)])\s/.exec(plainOf(block));
    const kindBefore = before && /^\s*(?:([-*+])|\d{1,9}[.)])\s/.exec(plainOf(before));
    if (kind && kindBefore && kind[1] === kindBefore[1]) joined[joined.length - 1] = `${before}\n${block}`;
    else joined.push(block);
  }
  return joined;
}

export class AnswerRenderer {
  #container;
  #shown = [];
  #last = null; // of the last block, if it is a paragraph: {block, stops}

  constructor(container) {
    this.#container = container;
  }

  /** `sentences` and `citations` are those known so far; `anchor` begins the ids of the turn's sources. */
  show(answer, sentences, citations, anchor = "") {
    const context = new Inline(sentences, citations, anchor);
    const blocks = blocksOf(withMarks(answer, sentences));
    let same = 0;
    while (same < blocks.length && this.#shown[same] === blocks[same]) same++;
    const here = [...this.#container.childNodes];
    const last = this.#last;
    const place = this.#shown.length - 1;
    for (let k = same; k < blocks.length; k++) {
      this.#last = k === place && last ? continued(here[k], last, blocks[k], context) : null;
      if (this.#last) continue;
      const node = blockNode(blocks[k], context);
      if (node.localName === "p") this.#last = { block: blocks[k], stops: context.stops };
      goOn(this.#container, here[k], node);
    }
    for (const node of here.slice(blocks.length)) node.remove();
    this.#shown = blocks;
  }
}

/** A paragraph that goes on, read anew only from the last sentence that no later text can change. Null when it has none. */
function continued(paragraph, last, block, inline) {
  if (block.includes("\n")) return null; // with its second line it may become a table
  let common = 0;
  while (common < block.length && last.block[common] === block[common]) common++;
  const stop = last.stops.findLast(({ at }) => at <= common);
  if (!stop) return null;
  const rest = inline.into(h("p"), block.slice(stop.at), true);
  patch(paragraph, stop.nodes, [...rest.childNodes]);
  const further = inline.stops.map(({ at, nodes }) => ({ at: at + stop.at, nodes: nodes + stop.nodes }));
  return { block, stops: [...last.stops.filter(({ at }) => at <= stop.at), ...further] };
}

/** `fresh` takes the place of `here`, of which all that is the same stays on the page: only what is new costs a layout,
 * and a card that is open within it stays open. */
function goOn(parent, here, fresh) {
  if (!here) parent.append(fresh);
  else if (here.nodeType === Node.TEXT_NODE && fresh.nodeType === Node.TEXT_NODE) here.data = fresh.data;
  else if (here.nodeName !== fresh.nodeName || !here.childNodes.length || !alike(here.cloneNode(), fresh.cloneNode())) here.replaceWith(fresh);
  else patch(here, 0, [...fresh.childNodes]);
}

/** The children from the place `from` on become the `wanted` ones. */
function patch(parent, from, wanted) {
  const present = [...parent.childNodes].filter((node) => !isCard(node)).slice(from);
  wanted.forEach((node, k) => present[k] && alike(present[k], node) || goOn(parent, present[k], node));
  for (const node of present.slice(wanted.length)) node.remove();
}

const isCard = (node) => node.nodeType === Node.ELEMENT_NODE && node.classList.contains("card-holder");

/** The same but for what an opened card leaves on its number. */
function alike(here, fresh) {
  if (here.isEqualNode(fresh)) return true;
  if (here.nodeType !== Node.ELEMENT_NODE || !here.hasAttribute("aria-expanded")) return false;
  const bare = here.cloneNode(true);
  bare.removeAttribute("aria-expanded");
  return bare.isEqualNode(fresh);
}

function blockNode(block, inline) {
  const lines = block.split("\n");
  const first = plainOf(lines[0]);
  if (/^ {0,3}(```|~~~)/.test(first)) {
    const closed = lines.length > 1 && /^ {0,3}(```+|~~~+)\s*$/.test(lines.at(-1));
    const code = lines.slice(1, closed ? -1 : undefined).map(plainOf).join("\n");
    return h("pre", { tabindex: "0" }, h("code", {}, code + "\n"));
  }
  const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(lines[0].replace(/^(\uE000\d+\uE000)(\s*#{1,6}\s+)/, "$2$1"));
  if (heading) return inline.into(h(`h${Math.min(heading[1].length + 2, 6)}`, { dir: "auto" }), heading[2]);
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(first)) return h("hr");
  if (/^\s*>/.test(first)) {
    const text = lines.map((line) => line.replace(/^\s*>\s?/, "")).join("\n");
    const quote = h("blockquote");
    for (const part of blocksOf(text)) quote.append(blockNode(part, inline));
    return quote;
  }
  if (isItem(lines[0])) return list(lines, inline);
  const table = lines.findIndex((line, k) => k > 0 && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && /\|/.test(line + lines[k - 1]));
  if (table === 1) return tableNode(lines, inline);
  return inline.into(h("p", { dir: "auto" }), block, true);
}

function list(lines, inline) {
  const shape = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+/;
  const found = shape.exec(plainOf(lines[0]));
  const node = h(found[2] ? "ol" : "ul", { start: found[2] && found[2] !== "1" ? Number(found[2]) : null });
  const depth = found[1].length;
  let items = [];
  for (const line of lines) {
    const item = shape.exec(plainOf(line));
    if (item && item[1].length <= depth + 1) items.push([line.replace(/^((?:\uE000\d+\uE000)?)\s*(?:[-*+]|\d{1,9}[.)])\s+/, "$1")]);
    else items.at(-1).push(line);
  }
  for (const [text, ...more] of items) {
    const at = more.findIndex(isItem);
    const own = [text, ...(at < 0 ? more : more.slice(0, at)).map((line) => line.trim())].join("\n");
    const li = inline.into(h("li", { dir: "auto" }), own);
    if (at >= 0) li.append(list(more.slice(at), inline));
    node.append(li);
  }
  return node;
}

const cellsOf = (line) =>
  line.trim().replace(/^\|/, "").replace(/\|$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));

function tableNode(lines, inline) {
  const aligned = cellsOf(lines[1]).map((cell) => (/^:-+:$/.test(cell) ? "center" : /-:$/.test(cell) ? "right" : /^:-/.test(cell) ? "left" : null));
  const row = (line, name) => {
    const cells = cellsOf(line);
    return h("tr", {}, ...aligned.map((align, k) => inline.into(h(name, { dir: "auto", class: align }), cells[k] ?? "")));
  };
  const body = lines.slice(2).map((line) => row(line, "td"));
  const table = h("table", {}, h("thead", {}, row(lines[0], "th")), body.length ? h("tbody", {}, ...body) : null);
  return h("div", { class: "table", tabindex: "0", role: "group", "aria-label": t("table") }, table);
}

const MONEY = /^\d[\d.,]*\s?(?:\p{L}{2,}\b.*|[kKmMbB]n?)?$/su;
const TOKEN = new RegExp(
  [
    "\uE000(?<index>\\d+)\uE000",
    "(?<end>[\uE001\uE002])",
    "\\\\(?<escaped>[!-/:-@\\[-`{-~])",
    "(?<ticks>`+)(?<code>[^`](?:.*?[^`])?)\\k<ticks>(?!`)",
    "\\$\\$(?<display>[^$]+)\\$\\$",
    "(?<![\\p{L}\\p{N}])\\$(?<math>[^$\\s](?:[^$]*[^$\\s])?)\\$(?!\\d)",
    "!\\[(?<alt>[^\\]]*)\\]\\([^)\\s]*(?:\\s+\"[^\"]*\")?\\)",
    "\\[(?<n>\\d{1,3})\\](?:\\(https?:[^)\\s]*\\))?",
    "\\[(?<label>[^\\[\\]]+)\\]\\((?<href>(?:https?://|mailto:)[^()\\s]*(?:\\([^()\\s]*\\)[^()\\s]*)*)\\)",
    "<(?<auto>https?://[^<>\\s]+)>",
    "(?<strong>\\*\\*|__)(?=[^\\s])",
    "(?<em>[*_])(?=[^\\s*_])",
  ].join("|"),
  "gsu",
);

class Inline {
  #sentences;
  #citations;
  #anchor;
  #now = null;
  #open = false; // a sign was met that may yet begin something, however far away its end is
  stops = []; // where a sentence of the paragraph ended that nothing later can change: {at, nodes}

  constructor(sentences, citations, anchor) {
    this.#sentences = new Map(sentences.map((sentence) => [sentence.index, sentence]));
    this.#citations = citations;
    this.#anchor = anchor;
  }

  /** `whole`: the text of a paragraph, whose sentences end beyond recall. */
  into(element, text, whole = false) {
    if (whole) [this.stops, this.#open] = [[], false];
    let at = 0;
    TOKEN.lastIndex = 0;
    for (let found; (found = TOKEN.exec(text)); ) {
      const resume = this.#token(element, text, found, at);
      if (resume === null) continue;
      at = TOKEN.lastIndex = resume;
      if (whole && !this.#open && found.groups.end === END) this.stops.push({ at, nodes: element.childNodes.length });
    }
    this.#plain(element, text.slice(at));
    return element;
  }

  /** Returns where to go on, or null when what looked like a token is plain text. */
  #token(element, text, found, at) {
    const { index, end, escaped, code, display, math, alt, n, label, href, auto, strong, em } = found.groups;
    const after = found.index + found[0].length;
    const before = () => this.#plain(element, text.slice(at, found.index));
    const delimiter = strong ?? em;
    if (delimiter) {
      const close = closing(text, after, delimiter);
      if (close < 0 || (delimiter.includes("_") && /[\p{L}\p{N}]$/u.test(text.slice(0, found.index)))) return null;
      before();
      element.append(this.into(h(strong ? "strong" : "em"), text.slice(after, close)));
      return close + delimiter.length;
    }
    if (math !== undefined && MONEY.test(math)) return null;
    before();
    if (index !== undefined) this.#now = this.#sentences.get(Number(index)) ?? null;
    else if (end !== undefined) {
      if (end === END) this.#verdictMark(element);
      this.#now = null;
    } else if (escaped !== undefined) this.#plain(element, escaped);
    else if (code !== undefined) this.#claim(element, h("code", {}, plainOf(code).trim()));
    else if (display !== undefined) element.append(h("span", { class: "math display" }, plainOf(display).trim()));
    else if (math !== undefined) element.append(h("span", { class: "math" }, plainOf(math)));
    else if (alt !== undefined) this.#plain(element, plainOf(alt));
    else if (n !== undefined) this.#chip(element, Number(n));
    else element.append(this.#link(plainOf(href ?? auto), plainOf(label ?? auto)));
    return after;
  }

  #plain(element, text) {
    if (/[*_`$[<]/.test(text)) this.#open = true;
    if (text) this.#claim(element, text);
  }

  #claim(element, content) {
    const { index, verdict } = this.#now ?? {};
    if (!verdict) element.append(content);
    else element.append(h("span", { class: `claim ${verdict}`, "data-s": index, title: verdict === "supported" ? null : why(this.#now) }, content));
  }

  #link(href, label) {
    const anchor = h("a", { href, rel: "noopener noreferrer nofollow" });
    this.#claim(anchor, label);
    return anchor;
  }

  #chip(element, n) {
    const same = this.#citations.filter((citation) => citation.n === n);
    const citation = same.find((known) => known.sentence === this.#now?.index) ?? same[0];
    if (!citation) {
      this.#claim(element, `[${n}]`);
      return;
    }
    const label = `${n}: ${displayTitle(citation.title, citation.url)}`;
    const kind = citation.verdict === "partly" ? "chip partly" : "chip";
    element.append(h("a", { class: kind, href: `#${this.#anchor}s${n}`, "data-n": n, "data-s": citation.sentence, "aria-label": label }, String(n)));
  }

  #verdictMark(element) {
    const { index, verdict } = this.#now ?? {};
    if (verdict !== "unsupported" && verdict !== "uncited") return;
    const sign = verdict === "unsupported" ? "!" : "?";
    element.append(h("a", { class: `chip ${verdict}`, href: `#${this.#anchor}claims`, "data-s": index, "aria-label": `${sign} ${why(this.#now)}` }, sign));
  }
}

/** Where emphasis ends: the next delimiter that follows text, outside code. */
function closing(text, from, delimiter) {
  for (let at = text.indexOf(delimiter, from); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    const single = delimiter.length === 1 && (text[at + 1] === delimiter || text[at - 1] === delimiter);
    if (single || at === from || /\s/.test(text[at - 1])) continue;
    while (text.startsWith(delimiter, at + 1)) at++; // of `***`, the last two end what is strong
    return at;
  }
  return -1;
}
