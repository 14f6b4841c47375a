// A turn on the page while it is made, and its swap for the server's rendering when it is over.
import { fragment } from "./api.js";
import { AnswerRenderer } from "./markdown.js";
import { parsed } from "./parse.js";
import { clean, displayTitle, h, isBuiltin, outside, readInPart, shortened, siteName } from "./shown.js";
import { step } from "./state.js";
import { day, t } from "./words.js";

export class LiveTurn {
  #renderer;
  #drawn = {};
  #frame = 0;
  #state = null;

  /** `place(article)` puts the new article into the page. */
  constructor(question, place) {
    this.article = document.getElementById("working").content.firstElementChild.cloneNode(true);
    this.article.querySelector(".question").textContent = question;
    this.article.querySelector(".beside").setAttribute("aria-label", t("sources_for", { question: clean(question, 100) }));
    this.#renderer = new AnswerRenderer(this.article.querySelector(".answer"));
    place(this.article);
  }

  get known() {
    return this.#state ?? { citations: [], sentences: [] };
  }

  /** Draws at most once a frame, however fast events come. */
  show(state) {
    this.#state = state;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw(this.#state);
    });
  }

  #draw(state) {
    const { article } = this;
    if (state.turnId && !article.id) {
      article.id = state.turnId;
      article.dataset.run = state.id;
    }
    this.#text(".step", step(state));
    if (state.queries !== this.#drawn.queries) this.#list(".queries", state.queries.map((query) => h("li", { dir: "auto" }, query)));
    if (state.fates !== this.#drawn.fates) this.#list(".fates", Object.entries(state.fates).filter(([, fate]) => fate !== "read").map(fateRow));
    if (state.sources !== this.#drawn.sources) this.#sources(state.sources);
    if (state.text !== this.#drawn.text || state.sentences !== this.#drawn.sentences) {
      this.#renderer.show(state.text, state.sentences, state.citations, `${state.turnId}-`);
    }
    this.#drawn = state;
  }

  #text(selector, text) {
    const element = this.article.querySelector(selector);
    if (element && element.textContent !== text) element.textContent = text;
  }

  #list(selector, items) {
    const section = this.article.querySelector(selector);
    section.hidden = !items.length;
    section.querySelector("ul, ol").replaceChildren(...items);
  }

  /** New cards join at the end; those on the page stay as they are. */
  #sources(sources) {
    const section = this.article.querySelector(".found");
    const cards = section.querySelector("ol");
    section.hidden = !sources.length;
    section.querySelector("h3").textContent = t("read_so_far", { n: sources.length });
    const present = new Set([...cards.children].map((card) => card.dataset.page));
    for (const source of sources) if (!present.has(source.page_id)) cards.append(sourceCard(source));
  }

  /** The finished turn, as the server renders it, in the place of what was streamed. */
  async finish(state) {
    cancelAnimationFrame(this.#frame);
    this.#draw(state);
    this.article.classList.remove("running");
    return this.renew(state);
  }

  /** The turn as the server renders it now. */
  async renew(state) {
    const finished = parsed(await fragment(state.id)).firstElementChild;
    const focused = this.article.contains(document.activeElement);
    this.article.replaceWith(finished);
    this.article = finished;
    if (focused) finished.focus({ preventScroll: true });
    return finished;
  }

  /** When even the finished turn cannot be had: say why, keep what is on the page. */
  fail(message) {
    cancelAnimationFrame(this.#frame);
    this.article.classList.replace("running", "failed");
    this.article.querySelector(".status").replaceChildren(h("p", { class: "verdict-line bad" }, h("span", { class: "sign", "aria-hidden": "true" }, "!"), ` ${t("not_finished")}`));
    this.article.querySelector(".reading").append(h("div", { class: "trouble" }, h("p", {}, message)));
  }
}

/** A page that is not read yet, or could not be. */
function fateRow([url, cause]) {
  const words = cause === null ? t("fate_pending") : t(`cause_${cause}`);
  return h("li", { class: cause === null ? "pending" : "failed" }, h("span", { class: "site", dir: "ltr" }, shortened(url)), ` ${words}`);
}

function sourceCard(source) {
  const title = displayTitle(source.title, source.url);
  const href = outside(source.url);
  return h("li", { class: "source", "data-page": source.page_id }, h("div", {},
    h("p", { class: "title", dir: "auto" }, href ? h("a", { href, target: "_blank", rel: "noopener noreferrer" }, title) : title),
    h("p", { class: "meta" }, h("span", { class: "site" }, clean(source.site, 80)), siteName(source), source.published ? h("time", { datetime: source.published }, day(source.published)) : null,
      readInPart(source),
      isBuiltin(source.url) ? h("span", { class: "tag" }, t("built_in")) : null),
    work(source)));
}

/** Who wrote a scholarly work, where it stands and of which year it is; nothing for other pages. */
function work({ authors = [], venue, year }) {
  const names = authors.length > 3 ? [...authors.slice(0, 2), t("others", { n: authors.length - 2 })] : authors;
  const who = [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(` ${t("and")} `);
  const told = [who, venue, year].filter(Boolean).join(", ");
  return told ? h("p", { class: "meta work", dir: "auto" }, clean(told)) : null;
}

/** The turn's data beside its rendering. */
export function dataOf(article) {
  const block = article?.querySelector("script.data");
  return block ? JSON.parse(block.textContent) : { citations: [], sentences: [], sources: [] };
}

/** The answer with its numbered sources, as Markdown. */
export function asMarkdown(turn) {
  const sources = turn.sources.map((source) => `[${source.n}] ${displayTitle(source.title, source.url)}: ${source.url}`);
  return sources.length ? `${turn.answer}\n\n${sources.join("\n")}\n` : `${turn.answer}\n`;
}

/** The same without marks of Markdown: the text as it stands on the page. */
export function asPlain(article) {
  const turn = dataOf(article);
  const copy = article.querySelector(".answer").cloneNode(true);
  for (const chip of copy.querySelectorAll("a.chip")) chip.replaceWith(chip.dataset.n ? `[${chip.dataset.n}]` : "");
  for (const row of copy.querySelectorAll("tr")) row.replaceChildren([...row.cells].map((cell) => cell.textContent.trim()).join("\t"), "\n");
  for (const block of copy.querySelectorAll("p, li, h3, h4, h5, h6, pre")) block.append("\n");
  const text = copy.textContent.replace(/[ \t]+\n/g, "\n").replace(/\n{2,}/g, "\n").trim();
  return asMarkdown({ ...turn, answer: text });
}
