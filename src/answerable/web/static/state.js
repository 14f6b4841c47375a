// A turn on the screen is a fold of its events, as it is on the server. Pure.

export function begin(question) {
  return { id: null, conversation: null, turnId: null, question, stage: "planning", queries: [], done: null, total: null,
    sources: [], text: "", sentences: [], citations: [], notices: [], turn: null, error: null, over: false };
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
      };
    case "sources":
      return { ...state, sources: data.sources };
    case "delta":
      return { ...state, text: state.text + data.text };
    case "sentence":
      return { ...state, sentences: [...state.sentences, data], citations: [...state.citations, ...data.citations] };
    case "verdict":
      return { ...state, sentences: state.sentences.map((s) => (s.index === data.sentence ? { ...s, verdict: data.verdict, reason: data.reason } : s)) };
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

const distinct = (items) => [...new Set(items)];
const counted = (n, one, many) => `${n} ${n === 1 ? one : many}`;

/** What is happening, in words and counts. */
export function step(state) {
  switch (state.stage) {
    case "planning":
      return "Understanding the question";
    case "searching":
      return state.queries.length ? `Searching ${counted(state.queries.length, "query", "queries")}` : "Searching";
    case "reading":
      if (!state.total) return "Reading";
      return state.done ? `Reading ${state.done} of ${counted(state.total, "page", "pages")}` : `Reading ${counted(state.total, "page", "pages")}`;
    case "ranking":
      return `Weighing what ${counted(state.sources.length, "page says", "pages say")}`;
    case "checking_evidence":
      return "Judging whether that is enough";
    case "writing":
      return state.sentences.length ? `Writing, ${counted(claims(state), "claim", "claims")} checked` : "Writing";
    case "saving":
    case "completed":
      return "Finishing";
    default:
      return "Working";
  }
}

const claims = (state) => state.sentences.filter((sentence) => sentence.verdict).length;

/** What a screen reader is told: the stages and the end, not every word. */
export function announcement(state) {
  if (state.error) return `${state.error.message} ${state.error.hint ?? ""}`;
  if (state.turn?.state === "stopped") return "Stopped.";
  if (state.turn?.outcome === "not_enough_evidence") return "Not enough evidence for an answer.";
  if (state.turn) {
    const { claims: all, supported } = state.turn.support;
    return all ? `Answer finished: ${supported} of ${counted(all, "claim", "claims")} supported.` : "Answer finished.";
  }
  return state.stage === "writing" ? "Writing the answer." : step({ ...state, done: null });
}
