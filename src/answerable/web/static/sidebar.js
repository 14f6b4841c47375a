// The conversations beside the page: folded or not as the reader left them, and anew when one has begun.
import { markup } from "./api.js";
import { parsed } from "./parse.js";

const base = document.documentElement.dataset.base ?? "";
const sidebar = document.querySelector(".sidebar");
const YEAR = 31_536_000;

sidebar?.addEventListener("toggle", (event) => {
  const state = event.target.open ? "open" : "closed";
  document.cookie = `answerable_sidebar=${state}; path=${base || "/"}; max-age=${YEAR}; samesite=lax`;
}, true);

export async function renewSidebar(id) {
  if (!sidebar || !matchMedia("(width >= 84rem)").matches) return;
  const fresh = parsed(await markup("/history/recent").catch(() => "")).querySelector(".recent");
  if (!fresh) return;
  for (const link of fresh.querySelectorAll("li a")) if (link.getAttribute("href").endsWith(`/c/${id}`)) link.setAttribute("aria-current", "page");
  const focused = sidebar.contains(document.activeElement);
  fresh.open = sidebar.querySelector("details")?.open ?? fresh.open;
  sidebar.replaceChildren(fresh);
  if (focused) fresh.querySelector("summary").focus();
}
