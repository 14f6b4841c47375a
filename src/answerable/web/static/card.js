// The card of a citation: the words that support a claim, on hover, focus and tap.
import { asRead, clean, displayTitle, h, isBuiltin, outside, readInPart, reasonOf, safeHref, siteName } from "./shown.js";
import { day, readAgo, t } from "./words.js";

const OPEN_AFTER_MS = 90;
const CLOSE_AFTER_MS = 220;

/** `source` is the page as the turn lists it: it knows when the page was read. */
export function citationCard(citation, source = null) {
  const href = outside(citation.url, citation.link);
  const title = displayTitle(citation.title, citation.url);
  const tags = [
    readInPart({ ...source, read_as: citation.read_as }),
    isBuiltin(citation.url) ? h("span", { class: "tag" }, t("built_in")) : null,
    source?.fetched && citation.read_as !== "snippet" ? h("time", { class: "read", datetime: source.fetched }, readAgo(source.fetched)) : null,
    citation.page_label ? h("span", { class: "tag" }, clean(citation.page_label, 40)) : null,
  ];
  const outward = { href, target: "_blank", rel: "noopener noreferrer" };
  return h("div", { class: `card ${citation.verdict}` },
    h("p", { class: "meta" }, h("span", { class: "number", "aria-hidden": "true" }, String(citation.n)),
      h("span", { class: "site" }, clean(citation.site, 80)), source ? siteName(source) : null, citation.published ? h("time", { datetime: citation.published }, day(citation.published)) : null, ...tags),
    h("p", { class: "title", dir: "auto" }, href ? h("a", outward, title) : title),
    h("blockquote", { dir: "auto" }, h("mark", {}, citation.quote)),
    h("p", { class: "judged" }, h("strong", {}, t(citation.verdict)), citation.reason ? `. ${reasonOf(citation)}` : ""),
    h("p", { class: "go" },
      href ? h("a", outward, safeHref(citation.link) && citation.link.includes("#") ? t("open_passage") : t("open_page")) : null,
      h("a", { href: asRead(citation) }, t("as_we_read_it"))));
}

function verdictCard(sentence) {
  return h("div", { class: `card ${sentence.verdict}` },
    h("p", { class: "judged" }, h("strong", {}, t(sentence.verdict))),
    h("p", {}, reasonOf(sentence) || t(`meant_${sentence.verdict}`)));
}

/** One card for the page. `find(article)` gives {citations, sentences} of the turn that a chip is in. */
export class Card {
  #find;
  #chip = null;
  #popover = null;
  #pinned = false;
  #dismissing = false;
  #timer = 0;

  constructor(root, find) {
    this.#find = find;
    const chipOf = (event) => (event.target instanceof Element ? event.target.closest(".answer a.chip") : null);
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch") return;
      const chip = chipOf(event);
      if (chip) this.#later(() => this.#open(chip), OPEN_AFTER_MS);
      else if (event.target.closest?.(".card-holder")) clearTimeout(this.#timer);
      else if (this.#chip && !this.#pinned && !this.#hasFocus()) this.#later(() => this.close(), CLOSE_AFTER_MS);
    });
    root.addEventListener("focusin", (event) => {
      const chip = chipOf(event);
      if (this.#dismissing) return;
      if (chip?.matches(":focus-visible")) this.#open(chip);
      else if (!event.target.closest?.(".card-holder") && !this.#pinned) this.close();
    });
    root.addEventListener("click", (event) => {
      const chip = chipOf(event);
      if (chip) {
        event.preventDefault();
        if (this.#chip === chip && this.#pinned) this.close();
        else {
          this.#open(chip);
          this.#pinned = this.#chip === chip;
        }
      } else if (!event.target.closest?.(".card-holder")) this.close();
    });
    addEventListener("scroll", () => this.#place(), { passive: true, capture: true });
    addEventListener("resize", () => this.#place(), { passive: true });
  }

  get isOpen() {
    return this.#chip !== null;
  }

  /** By Esc: the focus goes back to the number, which does not open its card again by that. */
  dismiss() {
    const chip = this.#chip;
    const inside = this.#popover?.contains(document.activeElement);
    this.close();
    if (!inside) return;
    this.#dismissing = true;
    chip.focus({ preventScroll: true });
    this.#dismissing = false;
  }

  close() {
    clearTimeout(this.#timer);
    this.#chip?.setAttribute("aria-expanded", "false");
    this.#popover?.remove();
    this.#chip = this.#popover = null;
    this.#pinned = false;
  }

  /** Opened by keyboard: a page that moves under a resting pointer must not close it. */
  #hasFocus() {
    return this.#popover.contains(document.activeElement) || document.activeElement === this.#chip;
  }

  #later(act, ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }

  #open(chip) {
    clearTimeout(this.#timer);
    if (this.#chip === chip) return;
    this.close();
    const content = this.#content(chip);
    if (!content) return;
    this.#chip = chip;
    chip.setAttribute("aria-expanded", "true");
    this.#popover = h("div", { class: "card-holder", popover: "manual", role: "group", "aria-label": chip.getAttribute("aria-label") }, content);
    chip.after(this.#popover); // the next tab stop after the chip is inside the card
    this.#popover.showPopover?.();
    this.#place();
  }

  #content(chip) {
    const { citations, sentences, sources = [] } = this.#find(chip.closest(".turn"));
    const index = Number(chip.dataset.s);
    if (chip.dataset.n === undefined) {
      const sentence = sentences.find((known) => known.index === index);
      return sentence ? verdictCard(sentence) : null;
    }
    const same = citations.filter((citation) => citation.n === Number(chip.dataset.n));
    const citation = same.find((known) => known.sentence === index) ?? same[0];
    return citation ? citationCard(citation, sources.find((source) => source.page_id === citation.page_id)) : null;
  }

  /** Below the chip, above it where there is no room; on narrow screens the stylesheet makes it a sheet. */
  #place() {
    if (!this.#chip) return;
    if (!this.#chip.isConnected) {
      this.close();
      return;
    }
    const holder = this.#popover;
    const chip = this.#chip.getBoundingClientRect();
    if (matchMedia("(width < 40rem)").matches) {
      holder.style.left = holder.style.top = "";
      return;
    }
    const { offsetWidth: wide, offsetHeight: high } = holder;
    const left = Math.max(12, Math.min(chip.left - 24, document.documentElement.clientWidth - wide - 12));
    const below = chip.bottom + 6;
    const top = below + high <= innerHeight - 8 || chip.top < high + 14 ? below : chip.top - high - 6;
    holder.style.left = `${left}px`;
    holder.style.top = `${top}px`;
  }
}
