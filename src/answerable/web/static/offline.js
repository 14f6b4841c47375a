// What is shown when the server cannot be reached: the copies in this browser, marked as such.
import { Card } from "./card.js";
import { copies, copyOf } from "./copies.js";
import { parsed } from "./parse.js";
import { h } from "./shown.js";
import { dataOf } from "./turn.js";
import { day, t } from "./words.js";

const base = document.documentElement.dataset.base ?? "";
const place = document.getElementById("copy");
const found = /\/c\/([^/]+)$/.exec(location.pathname.slice(base.length));
const copy = found ? await copyOf(decodeURIComponent(found[1])) : null;

function dated(saved) {
  const moment = new Date(saved);
  const time = [moment.getHours(), moment.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
  return `${day(saved)}, ${time}`;
}

if (copy) {
  document.title = `${copy.title} · Answerable`;
  document.querySelector("h1").textContent = copy.title;
  document.querySelector("h1").className = "unseen";
  document.querySelector(".why").textContent = t("copy_of", { when: dated(copy.saved) });
  const turns = parsed(copy.html);
  for (const part of turns.querySelectorAll(".actions > :not(.made), .related, .figures")) part.remove();
  place.replaceChildren(turns);
  new Card(document, (article) => dataOf(article));
} else {
  const known = await copies();
  const rows = known.map((one) => h("li", { class: "row" }, h("div", {}, h("p", { class: "title", dir: "auto" }, h("a", { href: `${base}/c/${encodeURIComponent(one.id)}` }, one.title)), h("p", { class: "meta" }, t("copy_saved", { when: dated(one.saved) })))));
  place.replaceChildren(rows.length ? h("ul", { class: "rows" }, ...rows) : h("p", {}, t("no_copies")));
}
document.querySelector(".again").addEventListener("click", () => location.reload());
document.documentElement.dataset.ready = ""; // what is typed and clicked from now on is seen to here
