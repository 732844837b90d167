// Runs before anything is drawn. A file of its own, so that the pages' policy need not allow scripts inside of them.
const { home, forward } = document.currentScript.dataset;
// Pending work of the page need not begin: the navigation to the other one may be imminent.
const leave = (address) => {
  document.documentElement.dataset.state = 'leaving';
  location.replace(address);
};
if (home !== undefined) {
  // A live room has a page of its own, and its links are short.
  if (/^#(.*&)?live=/.test(location.hash)) leave(`./live.html${location.hash}`);
  // So has a slot of Horn, which a link may ask for as for any other protocol.
  else if (/^#(.*&)?protocol=horn/.test(location.hash)) leave(`./horn.html${location.hash}`);
  // A run is named by its fields, a chapter by a word before them.
  else if (/^#[^&]*=/.test(location.hash)) leave(`./run.html${location.hash}`);
}
// The page has moved; the fields of an old link follow those of the new address, where it has any.
if (forward !== undefined) {
  const [page, fields] = forward.split('#');
  leave(`${page}${location.search}${fields === undefined ? '' : `#${fields}${location.hash.replace('#', '&')}`}`);
}
// Without a link into the story its first chapter is laid out alone, and the others once the page stands there.
if (home !== undefined && location.hash === '') {
  document.documentElement.dataset.opening = '';
  addEventListener('load', () => setTimeout(() => delete document.documentElement.dataset.opening));
}
// Horn's page has room for three slots side by side, and for one where a link names it, under either model.
if (/^#(.*&)?model=network/.test(location.hash)) document.documentElement.dataset.view = 'network';
else if (/^#(.*&)?protocol=/.test(location.hash)) delete document.documentElement.dataset.view;
// The menu of pages closes by Escape, which returns the focus to its word, and when the focus or a press goes elsewhere.
document.addEventListener('DOMContentLoaded', () => {
  const menu = document.querySelector('#more-pages');
  if (menu === null) return;
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  for (const type of ['pointerdown', 'focusin'])
    document.addEventListener(type, ({ target }) => {
      if (!menu.contains(target)) menu.open = false;
    });
});
// Before the first paint, so that a chosen theme never flashes.
try {
  const theme = localStorage.getItem('tutti-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  // Large type, for a talk.
  document.documentElement.toggleAttribute('data-talk', sessionStorage.getItem('tutti-talk') === 'yes');
} catch {}
// So that the pages are there without a network, too; while they are developed there is no such worker.
addEventListener('load', () => navigator.serviceWorker?.register('./sw.js').catch(() => {}));
