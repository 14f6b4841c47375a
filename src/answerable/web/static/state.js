// A turn on the screen is a fold of its events, as it is on the server. Pure.
import { t } from "./words.js";

export function begin(question) {
  return { id: null, conversation: null, turnId: null, question, stage: "planning", queries: [], done: null, total: null,
    fates: {}, sources: [], text: "", sentences: [], citations: [], notices: [], turn: null, judged: false, error: null, over: false };
}

export function apply(state, event, data) {
  switch (event) {
    case "start":
      return { ...state, id: data.id, conversation: data.conversation_id, turnId: data.turn_id, question: data.question ?? state.question };
    case "progress":
      return {
        ...state,
        stage: data.stage,
        queries: data.stage === "searching" ? distinct([...state.queries, ...(data.queries ?? [])]) : state.queries,
        done: data.done ?? null,
        total: data.total ?? null,
        fates: fated(state.fates, data),
      };
    case "sources":
      return { ...state, sources: data.sources };
    case "delta":
      return { ...state, text: state.text + data.text };
    case "sentence":
      return { ...state, sentences: [...state.sentences, data], citations: [...state.citations, ...data.citations] };
    case "verdict":
      return { ...state, judged: true, sentences: judgedBy(data, state.sentences, "index"), citations: judgedBy(data, state.citations, "sentence") };
    case "notice":
      return { ...state, notices: [...state.notices, data] };
    case "final":
      return { ...state, turn: data };
    case "error":
      return { ...state, error: data };
    case "done":
      return { ...state, over: true };
    default:
      return state;
  }
}

const judgedBy = (word, things, key) => things.map((thing) => (thing[key] === word.sentence ? { ...thing, verdict: word.verdict, reason: word.reason, reason_code: "", reason_values: [] } : thing));

/** What became of each page: null while it is read, "read", or why it could not be. */
function fated(fates, { pages, page, cause }) {
  if (!pages && !page) return fates;
  const begun = Object.fromEntries((pages ?? []).map((url) => [url, null]));
  return { ...begun, ...fates, ...(page ? { [page]: cause ?? "read" } : {}) };
}

const distinct = (items) => [...new Set(items)];

/** What is happening, in words and counts. */
export function step(state) {
  switch (state.stage) {
    case "planning":
      return t("step_planning");
    case "searching":
      return state.queries.length ? t("step_searching_n", { n: state.queries.length }) : t("step_searching");
    case "reading":
      if (!state.total) return t("step_reading");
      return state.done ? t("step_reading_done", { n: state.total, done: state.done }) : t("step_reading_n", { n: state.total });
    case "ranking":
      return t("step_ranking", { n: state.sources.length });
    case "checking_evidence":
      return t("step_enough");
    case "writing":
      return state.sentences.length ? t("step_writing_n", { n: claims(state) }) : t("step_writing");
    case "saving":
    case "completed":
      return t("step_finishing");
    default:
      return t("working_short");
  }
}

const claims = (state) => state.sentences.filter((sentence) => sentence.verdict).length;

/** What a screen reader is told: the stages and the end, not every word. */
export function announcement(state) {
  if (state.error) return `${state.error.message} ${state.error.hint ?? ""}`;
  if (state.turn?.state === "stopped") return t("said_stopped");
  if (state.turn?.outcome === "not_enough_evidence") return t("said_not_enough");
  if (state.turn) {
    const { claims: all, supported } = state.turn.support;
    return all ? t("said_finished_n", { n: all, supported }) : t("said_finished");
  }
  return state.stage === "writing" ? t("said_writing") : step({ ...state, done: null });
}
