// Keeps the files of one build, so that the pages work without a network. What is filled in is known once they are
// built.
const files = [
  /* files */
];
const build = '/* build */';

/** Several builds may lie in folders of one origin. */
const kept = `tutti ${self.registration.scope} `;
const name = kept + build;

self.addEventListener('install', (event) => {
  // Past the browser's own cache: a page of the build before would never leave.
  const requests = files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(requests)));
});

self.addEventListener('activate', (event) => {
  const forget = async () => {
    for (const old of await caches.keys()) if (old.startsWith(kept) && old !== name) await caches.delete(old);
  };
  event.waitUntil(forget());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const fromCache = () => caches.match(request, { cacheName: name, ignoreSearch: true, ignoreVary: true });
  // A page is as new as the network has it; what it loads has its content in its name.
  if (request.mode === 'navigate')
    event.respondWith(fetch(request).catch(async () => (await fromCache()) ?? Response.error()));
  else event.respondWith(fromCache().then((found) => found ?? fetch(request)));
});
