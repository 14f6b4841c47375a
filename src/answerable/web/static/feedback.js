// What a reader makes of an answer, told in the background.
import { feedback } from "./api.js";
import { dataOf } from "./turn.js";
import { t } from "./words.js";

/** That it could not be noted is nothing to a reader who only read. */
export const tell = (id, kind, more = {}) => feedback(id, { kind, ...more }).catch(() => {});

/** `value`: up or down. A second press takes it back. Resolves to what a screen reader is told. */
export async function vote(form, value, reason = "") {
  const buttons = [...form.querySelectorAll("[aria-pressed]")];
  const pressed = buttons.find((button) => button.getAttribute("aria-pressed") === "true")?.value;
  const back = pressed === value && !reason;
  const show = (chosen) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === chosen));
    form.querySelector(".wrong").hidden = chosen !== "down" || Boolean(reason);
  };
  show(back ? null : value);
  if (!back && value === "down" && !reason) form.elements.reason.focus();
  try {
    await feedback(dataOf(form.closest(".turn")).id, back ? { kind: "withdrawn" } : { kind: value, reason });
  } catch (problem) {
    show(pressed);
    return problem.message;
  }
  return back ? t("taken_back") : t("thanks");
}
