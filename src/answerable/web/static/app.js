// The page: asks, shows what happens, and keeps out of the way.
import * as api from "./api.js";
import { Card } from "./card.js";
import { whose } from "./copies.js";
import { keepCopy } from "./keeping.js";
import { vote, tell } from "./feedback.js";
import { h } from "./shown.js";
import { renewSidebar } from "./sidebar.js";
import { announcement, apply, begin } from "./state.js";
import { LiveTurn, asMarkdown, asPlain, dataOf } from "./turn.js";
import { t } from "./words.js";

const base = document.documentElement.dataset.base ?? "";
const turns = document.getElementById("turns");
const composer = document.querySelector("form.composer");
const field = composer.querySelector("textarea");
const fault = composer.querySelector(".fault");
const live = document.getElementById("live");
const card = new Card(document, (article) => (running?.turn.article === article ? running.turn.known : dataOf(article)));
let edited = null; // the turn whose question went back to the field
let running = null; // {turn, state}: the one answer this page is waiting for

function say(words) {
  if (words && live.textContent !== words) live.textContent = words;
}

function complain(words) {
  fault.textContent = words ?? "";
  fault.hidden = !words;
}

/** Follows one run from its first event to the finished turn. `events` yields {event, data}. */
async function watch(question, events, place) {
  const turn = new LiveTurn(question, place);
  const mine = (running = { turn, state: begin(question) });
  document.body.classList.add("busy");
  try {
    for await (const { event, data } of events) {
      mine.state = apply(mine.state, event, data);
      if (event === "start") arrived(mine.state);
      if (event === "progress" || event === "final" || event === "error") say(announcement(mine.state));
      if (event === "final") await finish(mine);
      else if (running === mine) turn.show(mine.state);
    }
    if (running === mine) await finish(mine);
    else if (mine.state.judged) await judged(mine);
  } catch (problem) {
    if (running !== mine) return; // the answer stands; only later verdicts did not come
    const words = problem instanceof api.Refused ? problem.message : t("unreachable");
    if (mine.state.id) turn.fail(words);
    else withdraw(turn, question, words);
    say(words);
    if (!(problem instanceof api.Refused) && !(problem instanceof TypeError)) throw problem;
  } finally {
    free(mine);
  }
}

/** The finished turn takes its place; a judge may still be at work, and the next question can be asked. */
async function finish(mine) {
  card.close();
  dress(await mine.turn.finish(mine.state));
  free(mine);
  renewSidebar(mine.state.conversation);
  keepThis();
}

/** The conversation as it stands now, for when the server cannot be reached. */
function keepThis() {
  const title = turns.querySelector(".question")?.textContent ?? "";
  keepCopy(composer.elements.conversation_id.value, title.slice(0, 120), turns);
}

function free(mine) {
  if (running !== mine) return;
  running = null;
  document.body.classList.remove("busy");
}

async function judged(mine) {
  if (!mine.turn.article.isConnected) return;
  card.close();
  dress(await mine.turn.renew(mine.state));
  say(t("judged"));
  keepThis();
}

/** The conversation now has an address, and the start page has become its page. */
function arrived(state) {
  const address = `${base}/c/${encodeURIComponent(state.conversation)}`;
  composer.elements.conversation_id.value = state.conversation;
  if (location.pathname !== address) {
    history.pushState(null, "", address);
    document.title = `${state.question.slice(0, 120)} · Answerable`;
  }
}

function leaveStart(question) {
  if (!document.body.classList.contains("start")) return;
  document.body.classList.replace("start", "conversation");
  document.querySelector(".hero").replaceWith(h("h1", { class: "unseen" }, question));
  turns.before(document.querySelector("h1"));
  document.querySelector(".below")?.remove();
  field.placeholder = t("follow_up");
  composer.querySelector("label[for=question]").textContent = t("follow_up");
}

/** Refused before it began: the question goes back to where it was typed. */
function withdraw(turn, question, words) {
  turn.article.remove();
  if (!field.value) field.value = question;
  fit();
  complain(words);
}

async function ask(question, conversation = composer.elements.conversation_id.value, chosen = {}) {
  question = question.trim();
  complain();
  if (!question) {
    field.focus();
    return;
  }
  if (running) {
    complain(t("busy"));
    return;
  }
  const { focus, freshness, writer } = composer.elements;
  tellReformulated(question);
  const body = { question, focus: focus.value, freshness: freshness.value || null, writer: writer.value || null, ...chosen };
  if (conversation) body.conversation_id = conversation;
  if (field.value.trim() === question) field.value = "";
  fit();
  leaveStart(question);
  await watch(question, api.ask(body), (article) => {
    turns.append(article);
    if (turns.children.length === 1) scrollTo(0, 0);
    else article.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
  });
}

async function again(article) {
  if (running) return;
  const { question, id } = dataOf(article);
  await watch(question, api.retry(id), (fresh) => article.replaceWith(fresh));
}

async function stop() {
  if (!running?.state.id) return;
  running.turn.article.querySelector(".stop")?.setAttribute("disabled", "");
  await api.stop(running.state.id).catch((problem) => complain(problem.message));
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What a finished turn can do with scripts. */
function dress(article) {
  for (const copy of article.querySelectorAll(".copy")) copy.hidden = !navigator.clipboard;
  for (const part of article.querySelectorAll(".edit, .feedback")) part.hidden = false;
}

/** A source that was looked into, by the id of its page. */
function opened(link) {
  const turn = dataOf(link.closest(".turn"));
  const n = Number(link.closest(".source, .card-holder").querySelector(".number")?.textContent);
  const page = turn.sources.find((source) => source.n === n)?.page_id;
  if (turn.id && page) tell(turn.id, "source_opened", { detail: page });
}

/** The question goes back to the field; what is sent then is a new turn. */
function edit(article) {
  edited = dataOf(article);
  field.value = dataOf(article).question;
  fit();
  field.focus();
}

/** An edited question that was sent in other words says something of the answer it had. */
function tellReformulated(question) {
  if (edited && edited.question !== question) tell(edited.id, "reformulated", { detail: question });
  edited = null;
}

/** Grows with its text where the browser does not do that by itself. */
function fit() {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, innerHeight * 0.4)}px`;
}

composer.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(field.value);
});
field.addEventListener("input", () => {
  complain();
  fit();
});
field.addEventListener("keydown", (event) => {
  // While an input method composes, Enter chooses a word (229 is what some browsers report then).
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  ask(field.value);
});

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.matches(".examples, .related")) {
    event.preventDefault();
    ask(submitter.value, form.elements.conversation_id?.value);
  } else if (form.matches(".retry")) {
    event.preventDefault();
    again(form.closest(".turn"));
  } else if (form.matches(".feedback")) {
    event.preventDefault();
    if (form.elements.reason.value.trim()) vote(form, "down", form.elements.reason.value.trim()).then(say);
  } else if (form.matches(".elsewhere form")) {
    event.preventDefault();
    form.closest("details").open = false;
    ask(form.elements.question.value, form.elements.conversation_id.value, { [submitter.name]: submitter.value });
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button");
  if (button?.matches(".stop")) stop();
  if (button?.matches(".edit")) edit(button.closest(".turn"));
  if (button?.matches(".feedback [aria-pressed]")) vote(button.form, button.value).then(say);
  const link = event.target.closest?.(".source a, .card-holder a");
  if (link) opened(link);
  if (button?.matches(".copy")) {
    const article = button.closest(".turn");
    await navigator.clipboard.writeText(button.dataset.as === "plain" ? asPlain(article) : asMarkdown(dataOf(article)));
    const words = button.textContent;
    button.textContent = t("copied");
    say(t("copied_said"));
    tell(dataOf(article).id, "copied");
    setTimeout(() => (button.textContent = words), 2000);
  }
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const menu = document.querySelector("details.menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    } else if (card.isOpen) card.dismiss();
    else stop();
  }
  const typing = event.target.closest?.("input, textarea, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
  }
});

addEventListener("popstate", () => location.reload());

whose();
for (const article of turns.querySelectorAll(".turn")) dress(article);
if (turns.children.length) keepThis();
const unfinished = turns.querySelector(".turn.running");
if (unfinished) {
  const { question, id } = dataOf(unfinished);
  watch(question, api.resume(id), (fresh) => unfinished.replaceWith(fresh));
}
fit();
document.documentElement.dataset.ready = ""; // what is typed and clicked from now on is seen to here
