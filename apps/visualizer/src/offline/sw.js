// Keeps the files of one build, so that the pages work without a network. What is filled in is known once they are
// built.
const files = [
  /* files */
];
const build = '/* build */';

/** Name of the cache: several builds may be in folders of one origin. */
const kept = `tutti ${self.registration.scope} `;
const name = kept + build;

self.addEventListener('install', (event) => {
  // Past the browser's own cache: a page of the build before would never leave.
  const requests = files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(requests)));
  // It serves open pages too, so that the next visit is to this build and not to the one before.
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  // Pages of the build before may be open, and load more of its pieces.
  const forget = async () => {
    const builds = (await caches.keys()).filter((build) => build.startsWith(kept) && build !== name);
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
  // Files with their content's digest in the name never change; all others are loaded from the network if possible.
  if (request.url.startsWith(`${self.registration.scope}assets/`))
    event.respondWith(fromCache().then((found) => found ?? fetch(request)));
  else {
    const asked = request.mode === 'navigate' ? fetch(request) : fetch(request, { cache: 'no-cache' });
    event.respondWith(asked.catch(async () => (await fromCache()) ?? Response.error()));
  }
});
