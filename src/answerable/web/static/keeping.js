// Keeps a copy of the conversation on the page, and what is needed to show it without the server.
import { keep } from "./copies.js";
import { workerAddress } from "./parse.js";

const base = document.documentElement.dataset.base ?? "";

/** The finished turns of the page, without menus that are open. */
export async function keepCopy(id, title, turns) {
  if (!id || turns.querySelector(".turn.running")) return;
  await keep(id, title, turns.innerHTML);
  try {
    await navigator.serviceWorker?.register(workerAddress(base), { scope: `${base}/` });
  } catch {
    // without a worker the copies stay unused; the page itself works
  }
}
