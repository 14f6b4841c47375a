// The page of the conversations: what is changed shows at once, and is undone when the server refuses.
import * as api from "./api.js";
import { forget, whose } from "./copies.js";
import { parsed } from "./parse.js";
import { t } from "./words.js";

const UNDO_MS = Number(new URLSearchParams(location.hash.slice(1)).get("undo")) || 10_000;
const TYPING_MS = 250;
const base = document.documentElement.dataset.base ?? "";
const list = document.getElementById("list");
const filters = document.querySelector("form.filters");
const bulk = document.getElementById("bulk");
const every = bulk.querySelector(".every");
const chosenButton = bulk.querySelector("[data-scripted]");
const fault = document.querySelector("main > .fault");
const toast = document.querySelector(".toast");
const live = document.getElementById("live");
let leaving = null; // {rows, ids, timer}: deleted for the eye, not yet at the server
let asking = null;
let typing = 0;

const rows = () => [...list.querySelectorAll(".row:not([hidden])")];
const boxes = () => rows().map((row) => row.querySelector("input[type=checkbox]"));
const rowOf = (id) => list.querySelector(`.row[data-id="${CSS.escape(id)}"]`);

function complain(problem) {
  fault.textContent = problem ? problem.message || t("unreachable") : "";
  fault.hidden = !problem;
}

const words = (problem) => (problem instanceof api.Refused ? problem : { message: t("unreachable") });

/** What scripts can do with the rows that are there. */
function dress() {
  for (const part of list.querySelectorAll("[data-scripted], .begin-rename")) part.hidden = false;
  for (const form of list.querySelectorAll(".menu-sheet .rename")) form.hidden = true;
  for (const id of leaving?.ids ?? []) rowOf(id)?.setAttribute("hidden", "");
  choosing();
}

function choosing() {
  const all = boxes();
  const chosen = all.filter((box) => box.checked).length;
  every.hidden = !all.length;
  chosenButton.hidden = !chosen;
  const box = every.querySelector("input");
  box.checked = chosen > 0 && chosen === all.length;
  box.indeterminate = chosen > 0 && chosen < all.length;
  every.querySelector("span").textContent = chosen ? t("chosen", { n: chosen }) : t("choose_all");
}

function query() {
  const given = [...new FormData(filters)].filter(([name, value]) => value && !(name === "sort" && value === "updated"));
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

/** The list anew; what is asked meanwhile makes this one void. */
async function refresh() {
  asking?.abort();
  const mine = (asking = new AbortController());
  const wanted = query();
  try {
    const page = parsed(await api.markup(`/history${wanted}`, { signal: mine.signal }));
    const focused = list.contains(document.activeElement) ? document.activeElement.closest(".row")?.dataset.id : null;
    list.replaceChildren(...page.getElementById("list").childNodes);
    history.replaceState(null, "", `${base}/history${wanted}${location.hash}`);
    for (const back of document.getElementsByName("back")) back.value = wanted;
    dress();
    if (focused) (rowOf(focused)?.querySelector("summary") ?? filters.elements.search).focus();
    live.textContent = t("listed", { n: rows().length });
    complain();
  } catch (problem) {
    if (problem.name !== "AbortError") complain(words(problem));
  }
}

async function further(link) {
  link.setAttribute("aria-busy", "true");
  try {
    const page = parsed(await api.markup(link.getAttribute("href").slice(base.length)));
    const fresh = [...page.querySelectorAll("#list .row")].filter((row) => !rowOf(row.dataset.id));
    list.querySelector(".rows").append(...fresh);
    list.querySelector(".further").replaceWith(...page.querySelectorAll("#list .further"));
    dress();
    fresh[0]?.querySelector("a").focus();
    live.textContent = t("listed", { n: rows().length });
  } catch (problem) {
    link.removeAttribute("aria-busy");
    complain(words(problem));
  }
}

/** Shown at once; `undo` takes it back when the server refuses. */
async function change(id, body, undo) {
  complain();
  try {
    await api.change(id, body);
  } catch (problem) {
    undo();
    complain(words(problem));
    return false;
  }
  return true;
}

const CHANGES = { pin: { pinned: true }, unpin: { pinned: false }, archive: { archived: true }, restore: { archived: false } };

async function act(row, what) {
  const { id } = row.dataset;
  row.querySelector("details.menu").open = false;
  if (what === "delete") {
    remove([row]);
    return;
  }
  const beside = row.nextElementSibling;
  const held = row.parentElement;
  if (what === "pin") {
    row.classList.add("pinned");
    held.prepend(row);
  } else if (what === "unpin") row.classList.remove("pinned");
  else row.hidden = true;
  const undo = () => {
    row.hidden = false;
    row.classList.toggle("pinned", what === "unpin");
    held.insertBefore(row, beside);
  };
  const next = rows()[0]?.querySelector("summary");
  (row.hidden ? next : row.querySelector("summary"))?.focus();
  if (await change(id, CHANGES[what], undo)) await refresh();
}

function rename(row) {
  const title = row.querySelector(".title");
  const link = title.querySelector("a");
  const menu = row.querySelector("details.menu");
  const form = row.querySelector(".rename");
  const field = form.elements.title;
  menu.open = false;
  title.hidden = true;
  title.after(form);
  form.hidden = false;
  field.value = link.textContent;
  field.select();
  field.focus();
  const end = () => {
    form.hidden = true;
    menu.querySelector(".menu-sheet").append(form);
    title.hidden = false;
    menu.querySelector("summary").focus();
  };
  form.onkeydown = (event) => {
    if (event.key === "Escape") end();
    event.stopPropagation();
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    const former = link.textContent;
    const name = field.value.trim();
    end();
    if (name === former) return;
    if (name) link.textContent = name;
    if ((await change(row.dataset.id, { title: name }, () => (link.textContent = former))) && !name) await refresh();
  };
}

/** Gone for the eye at once, and at the server when there is no way back any more. */
function remove(gone) {
  settle();
  complain();
  const ids = gone.map((row) => row.dataset.id);
  const next = gone.at(-1).nextElementSibling ?? gone[0].previousElementSibling;
  for (const row of gone) {
    row.hidden = true;
    row.querySelector("input[type=checkbox]").checked = false;
  }
  leaving = { ids, timer: setTimeout(settle, UNDO_MS) };
  toast.querySelector("span").textContent = t("deleted", { n: ids.length });
  toast.hidden = false;
  (next && !next.hidden ? next.querySelector("summary") : toast.querySelector("button")).focus();
  choosing();
}

function bringBack(ids) {
  for (const id of ids) rowOf(id)?.removeAttribute("hidden");
  choosing();
}

function undo() {
  if (!leaving) return;
  clearTimeout(leaving.timer);
  const { ids } = leaving;
  leaving = null;
  toast.hidden = true;
  bringBack(ids);
  rowOf(ids[0])?.querySelector("a").focus();
  live.textContent = t("undone");
}

/** Deletes for good what was deleted for the eye. */
async function settle(last = false) {
  if (!leaving) return;
  const { ids, timer } = leaving;
  clearTimeout(timer);
  leaving = null;
  if (toast.contains(document.activeElement)) filters.elements.search.focus();
  toast.hidden = true;
  try {
    await api.remove(ids, last === true);
    await forget(ids);
    for (const id of ids) rowOf(id)?.remove();
    if (!rows().length) await refresh();
  } catch (problem) {
    bringBack(ids);
    complain(words(problem));
  }
}

filters.addEventListener("submit", (event) => {
  event.preventDefault();
  refresh();
});
filters.addEventListener("change", (event) => event.target.matches("select, [type=checkbox]") && refresh());
filters.addEventListener("input", (event) => {
  if (!event.target.matches("[type=search]")) return;
  clearTimeout(typing);
  typing = setTimeout(refresh, TYPING_MS);
});
bulk.addEventListener("submit", (event) => {
  event.preventDefault();
  const gone = rows().filter((row) => row.querySelector("input[type=checkbox]").checked);
  if (gone.length) remove(gone);
});
every.addEventListener("change", (event) => {
  for (const box of boxes()) box.checked = event.target.checked;
  choosing();
});
list.addEventListener("change", choosing);
list.addEventListener("submit", (event) => {
  if (!event.target.matches(".change")) return;
  event.preventDefault();
  act(event.target.closest(".row"), event.submitter.value);
});
list.addEventListener("click", (event) => {
  const link = event.target.closest("a[rel=next]");
  if (link) {
    event.preventDefault();
    further(link);
  }
  if (event.target.closest(".begin-rename")) rename(event.target.closest(".row"));
});
toast.querySelector("button").addEventListener("click", undo);
addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
addEventListener("keydown", (event) => {
  const menu = document.querySelector("details.menu[open]");
  if (event.key === "Escape" && menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
  if (event.key === "/" && !event.target.closest?.("input, textarea, select") && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    filters.elements.search.focus();
  }
});
addEventListener("pagehide", () => settle(true));

filters.querySelector("button").hidden = true;
whose();
dress();
document.documentElement.dataset.ready = ""; // what is typed and clicked from now on is seen to here
