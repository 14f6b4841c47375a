// Markup of our own server becomes part of the page here and nowhere else: it was sanitised there.
const same = { createHTML: (html) => html, createScriptURL: (url) => url };
const policy = globalThis.trustedTypes?.createPolicy("answerable", same) ?? same;

export function parsed(html) {
  const holder = document.createElement("template");
  holder.innerHTML = policy.createHTML(html);
  return holder.content;
}

/** The one script that is loaded by its address. */
export const workerAddress = (base) => policy.createScriptURL(`${base}/sw.js`);
