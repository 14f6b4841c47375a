// The HTTP API as functions. A stream that breaks is taken up again where it stopped.
import { EventParser } from "./sse.js";
import { t, told } from "./words.js";

const base = document.documentElement.dataset.base ?? "";
const AGAIN_MS = [300, 1000, 2000, 4000, 8000];

/** What the server said instead of answering, in words for the reader. */
export class Refused extends Error {}

async function request(path, options = {}) {
  const response = await fetch(base + path, options);
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  const english = [problem.detail ?? t("server_answered", { status: response.status }), problem.hint].filter(Boolean).join(" ");
  throw new Refused(told(`problem_${problem.code}`, english));
}

function post(path, body) {
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

const json = (method, body, more = {}) => ({ method, headers: { "content-type": "application/json" }, body: JSON.stringify(body), ...more });

/** Yields {event, data} from the first to `done`. */
export const ask = (body) => follow(() => post("/v1/answers", body));
export const retry = (id) => follow(() => post(`/v1/answers/${encodeURIComponent(id)}/retry`, {}));
export const resume = (id) => follow(() => eventsAfter(id, 0), id);

export const stop = (id) => request(`/v1/answers/${encodeURIComponent(id)}`, { method: "DELETE" });

export const feedback = (id, body) => request(`/v1/answers/${encodeURIComponent(id)}/feedback`, json("POST", body, { keepalive: true }));

/** `change`: {title?, pinned?, archived?}. */
export const change = (id, body) => request(`/v1/conversations/${encodeURIComponent(id)}`, json("PATCH", body));

/** `keepalive` lets the request outlive the page. */
export const remove = (ids, keepalive = false) => request("/v1/conversations/bulk-delete", json("POST", { ids }, { keepalive }));

/** A page or a part of one, as the server renders it. */
export const markup = async (path, options) => (await request(path, options)).text();
export const fragment = (id) => markup(`/turns/${encodeURIComponent(id)}/fragment`);

function eventsAfter(id, last) {
  return request(`/v1/answers/${encodeURIComponent(id)}/events`, { headers: last ? { "Last-Event-ID": String(last) } : {} });
}

async function* follow(open, id = null) {
  let last = 0;
  let failures = 0;
  for (;;) {
    try {
      const response = await open();
      if (response.status === 204) return;
      for await (const message of read(response)) {
        failures = 0;
        last = message.id;
        if (message.event === "start") id = message.data.id;
        yield message;
        if (message.event === "done") return;
      }
    } catch (fault) {
      if (fault instanceof Refused || !id || failures >= AGAIN_MS.length) throw fault;
    }
    if (!id || failures >= AGAIN_MS.length) throw new Refused(t("connection_lost"));
    await new Promise((wake) => setTimeout(wake, AGAIN_MS[failures++]));
    open = () => eventsAfter(id, last);
  }
}

async function* read(response) {
  const parser = new EventParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const { id, event, data } of parser.push(value)) yield { id: Number(id), event, data: JSON.parse(data) };
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
