// Own sources: files dropped on the page, and what is read appearing while it is read.
import * as api from "./api.js";
import { parsed } from "./parse.js";
import { t } from "./words.js";

const LOOK_MS = 1500;
const list = document.getElementById("list");
const note = document.querySelector(".busy-note");
const fault = document.querySelector("main > .fault");
const live = document.getElementById("live");
const forms = document.querySelectorAll(".adding form");
const files = document.querySelector(".add-files");

function put(html) {
  const fresh = parsed(html).getElementById("list");
  if (fresh) list.replaceChildren(...fresh.childNodes);
}

function complain(problem) {
  fault.textContent = problem ? (problem instanceof api.Refused ? problem.message : t("unreachable")) : "";
  fault.hidden = !problem;
}

function busy(whether) {
  note.hidden = !whether;
  for (const form of forms) for (const button of form.querySelectorAll("button")) button.disabled = whether;
}

/** Sent in the background; the list is looked at meanwhile. */
async function send(form, body = new FormData(form)) {
  complain();
  busy(true);
  live.textContent = t("own_reading");
  const looking = setInterval(() => api.markup("/sources").then((html) => note.hidden || put(html)).catch(() => {}), LOOK_MS);
  try {
    const html = await api.markup("/sources", { method: "POST", body, headers: { accept: "text/html" } });
    clearInterval(looking);
    put(html);
    form.reset();
    live.textContent = list.querySelector(".told")?.textContent ?? "";
  } catch (problem) {
    complain(problem);
  } finally {
    clearInterval(looking);
    busy(false);
  }
}

for (const form of forms) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

list.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const row = form.closest(".row");
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.hidden = true;
  complain();
  try {
    put(await api.markup("/sources/remove", { method: "POST", body: new URLSearchParams(new FormData(form)) }));
    live.textContent = t("removed");
    const url = next?.querySelector("[name=url]")?.value;
    ([...list.querySelectorAll("[name=url]")].find((field) => field.value === url)?.form.querySelector("button") ?? document.querySelector("h1 ~ div input"))?.focus();
  } catch (problem) {
    row.hidden = false;
    complain(problem);
  }
});

if (files) {
  files.querySelector(".drop").hidden = false;
  const over = (whether) => files.classList.toggle("over", whether);
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && over(false));
  addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    over(false);
    const body = new FormData();
    for (const file of event.dataTransfer.files) body.append("files", file);
    send(files, body);
  });
}
document.documentElement.dataset.ready = ""; // what is typed and clicked from now on is seen to here
