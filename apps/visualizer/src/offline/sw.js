// Stores the files of one build, so that the pages work without a network. The build fills in the list of files.
const files = [
  /* files */
];
const build = '/* build */';

/** Prefix of the caches' names. It includes the scope, because several builds may be in folders of one origin. */
const prefix = `tutti ${self.registration.scope} `;
/** Name of this build's cache. */
const name = prefix + build;

self.addEventListener('install', (event) => {
  // The requests bypass the browser's own cache, which could keep a page of the previous build forever.
  const requests = files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(requests)));
  // The new worker also serves open pages, so that the next visit uses this build and not the previous one.
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  // Pages of the previous build may still be open and load more of its files.
  const forget = async () => {
    const builds = (await caches.keys()).filter((build) => build.startsWith(prefix) && build !== name);
    for (const old of builds.slice(0, -1)) await caches.delete(old);
  };
  event.waitUntil(forget());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const options = { ignoreSearch: true, ignoreVary: true };
  const fromCache = async () =>
    (await caches.match(request, { ...options, cacheName: name })) ?? (await caches.match(request, options));
  // Files with their content's digest in the name never change. All others are loaded from the network if possible.
  if (request.url.startsWith(`${self.registration.scope}assets/`))
    event.respondWith(fromCache().then((found) => found ?? fetch(request)));
  else {
    const asked = request.mode === 'navigate' ? fetch(request) : fetch(request, { cache: 'no-cache' });
    event.respondWith(asked.catch(async () => (await fromCache()) ?? Response.error()));
  }
});
