// Stores the files of one build, so that the pages work without a network. The build inserts the list of files.
const files = [
  /* files */
];
const build = '/* build */';

/**
 * Prefix of the names of all caches. The prefix includes the scope, because folders of one origin may contain several
 * builds.
 */
const prefix = `tutti ${self.registration.scope} `;
/** Name of the cache for this build. */
const name = prefix + build;

self.addEventListener('install', (event) => {
  // The requests bypass the browser's own cache, which could otherwise keep a page of the previous build indefinitely.
  const requests = files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(requests)));
  // The new worker also takes over open pages, so that the next visit uses this build instead of the previous build.
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  // The previous build's cache is kept, because pages of that build may still be open and load more files.
  const forget = async () => {
    const others = (await caches.keys()).filter((cache) => cache.startsWith(prefix) && cache !== name);
    for (const old of others.slice(0, -1)) await caches.delete(old);
  };
  event.waitUntil(forget());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const options = { ignoreSearch: true, ignoreVary: true };
  const fromCache = async () =>
    (await caches.match(request, { ...options, cacheName: name })) ?? (await caches.match(request, options));
  // Files whose name contains a digest of their content never change. All other files are loaded from the network if
  // possible.
  if (request.url.startsWith(`${self.registration.scope}assets/`))
    event.respondWith(fromCache().then((found) => found ?? fetch(request)));
  else {
    const asked = request.mode === 'navigate' ? fetch(request) : fetch(request, { cache: 'no-cache' });
    event.respondWith(asked.catch(async () => (await fromCache()) ?? Response.error()));
  }
});
