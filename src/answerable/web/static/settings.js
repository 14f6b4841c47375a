// Each part tested where it stands, without the page being loaded anew.
import * as api from "./api.js";
import { parsed } from "./parse.js";
import { t } from "./words.js";

const live = document.getElementById("live");
const fault = document.querySelector("main > .fault");

/** What the server found takes the place of what was there; the focus stays where it was. */
function put(html, part) {
  const fresh = parsed(html);
  for (const finding of fresh.querySelectorAll("[data-finding]")) {
    const { finding: name } = finding.dataset;
    if (part && name !== part) continue;
    const here = document.querySelector(`[data-finding="${CSS.escape(name)}"]`);
    if (here) here.replaceWith(finding);
  }
  const problem = fresh.querySelector("main > .fault");
  fault.hidden = !problem || problem.hidden;
  fault.textContent = problem?.textContent ?? "";
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches(".test")) return;
  event.preventDefault();
  const button = form.querySelector("button");
  if (button.getAttribute("aria-disabled") === "true") return;
  const part = form.elements.part?.value;
  button.setAttribute("aria-disabled", "true"); // not `disabled`: the focus would be lost
  live.textContent = t("testing");
  try {
    put(await api.markup("/settings", { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { accept: "text/html" } }), part);
    const found = part && document.querySelector(`[data-finding="${CSS.escape(part)}"]`)?.textContent.replace(/\s+/g, " ").trim();
    live.textContent = found || fault.textContent || t("tested_all");
  } catch (problem) {
    fault.textContent = problem instanceof api.Refused ? problem.message : t("unreachable");
    fault.hidden = false;
  } finally {
    button.removeAttribute("aria-disabled");
  }
});
document.documentElement.dataset.ready = ""; // what is typed and clicked from now on is seen to here
