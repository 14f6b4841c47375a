// The last conversations, kept in this browser so that they open when the server cannot be reached.
const NAME = "answerable";
const STORE = "copies";
const MOST = 20;
const OWNER = "answerable.reader"; // of whom the copies are

function opened() {
  return new Promise((done, fail) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error);
    asked.onblocked = () => fail(new Error("blocked"));
  });
}

/** `work(store)` within one transaction; what it returns is the request whose result is wanted. A browser that keeps
 * nothing (private windows, a full disk) keeps no copies: nobody is troubled with that. */
async function within(mode, work) {
  try {
    const database = await opened();
    try {
      return await new Promise((done, fail) => {
        const transaction = database.transaction(STORE, mode);
        const request = work(transaction.objectStore(STORE));
        transaction.oncomplete = () => done(request?.result);
        transaction.onabort = transaction.onerror = () => fail(transaction.error);
      });
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

/** Newest first: {id, title, html, saved}. */
export async function copies() {
  const found = (await within("readonly", (store) => store.getAll())) ?? [];
  return found.sort((one, other) => other.saved.localeCompare(one.saved));
}

export const copyOf = (id) => within("readonly", (store) => store.get(id));

/** `html`: the turns as the server rendered them. */
export async function keep(id, title, html) {
  await whose();
  await within("readwrite", (store) => store.put({ id, title, html, saved: new Date().toISOString() }));
  const old = (await copies()).slice(MOST);
  if (old.length) await forget(old.map((copy) => copy.id));
}

export const forget = (ids) => within("readwrite", (store) => { for (const id of ids) store.delete(id); });

export function forgetAll() {
  try {
    localStorage.removeItem(OWNER);
  } catch {
    // nothing was kept
  }
  return within("readwrite", (store) => store.clear());
}

/** Copies of another reader of this browser are dropped before anything is shown or kept. */
export async function whose(reader = document.documentElement.dataset.reader ?? "") {
  try {
    const former = localStorage.getItem(OWNER);
    if (former !== null && former !== reader) await forgetAll();
    localStorage.setItem(OWNER, reader);
  } catch {
    await within("readwrite", (store) => store.clear());
  }
}
