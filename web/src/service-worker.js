// VERSION and FILES, the files of this build, are put in front of this (see build/offline.ts).

const CACHE = `skewer-${VERSION}`;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
  skipWaiting();
});

addEventListener("activate", (event) => {
  const forget = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("skewer-") && name !== CACHE).map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(forget());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  // The address of a link is the same page.
  const answer = async () => (await (await caches.open(CACHE)).match(request, { ignoreSearch: true })) ?? fetch(request);
  event.respondWith(answer());
});
