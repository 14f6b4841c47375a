// Served as /sw.js. The server is always asked first; only when it cannot be reached do pages come from here.
const BASE = "{base}";
const CACHE = "answerable-{version}";
const PAGE = `${BASE}/offline`;
const SHELL = {shell};

async function fill() {
  const cache = await caches.open(CACHE);
  const page = await fetch(PAGE, { credentials: "same-origin" });
  if (!page.ok || page.redirected) return; // not signed in: nothing to keep
  await cache.put(PAGE, page);
  await cache.addAll(SHELL.map((path) => new Request(`${BASE}${path}`, { cache: "no-cache" })));
}

async function tidy() {
  for (const name of await caches.keys()) if (name.startsWith("answerable-") && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

async function page(request) {
  try {
    return await fetch(request);
  } catch (fault) {
    const kept = await caches.match(PAGE);
    if (kept) return kept;
    throw fault;
  }
}

async function part(request) {
  try {
    return await fetch(request);
  } catch (fault) {
    const kept = await caches.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw fault;
  }
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(fill());
});
self.addEventListener("activate", (event) => event.waitUntil(tidy()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && [`${BASE}/`, `${BASE}/history`].includes(pathname)) event.respondWith(page(request));
  else if (request.mode === "navigate" && pathname.startsWith(`${BASE}/c/`)) event.respondWith(page(request));
  else if (pathname.startsWith(`${BASE}/static/`)) event.respondWith(part(request));
});
