// This script runs before the page is drawn. The script is in a separate file, so that the pages' security policy need
// not allow inline scripts.
const { home, forward } = document.currentScript.dataset;
// The attribute tells the page not to start pending work, because the navigation to another page may be imminent.
const leave = (address) => {
  document.documentElement.dataset.state = 'leaving';
  location.replace(address);
};
if (home !== undefined) {
  // Live rooms have a separate page, and links to live rooms are short.
  if (/^#(.*&)?live=/.test(location.hash)) leave(`./live.html${location.hash}`);
  // Slots of Horn also have a separate page; a link may request a slot in the same way as any other protocol.
  else if (/^#(.*&)?protocol=horn/.test(location.hash)) leave(`./horn.html${location.hash}`);
  // A link to a run begins with a field of the run; a link to a chapter begins with a word.
  else if (/^#[^&]*=/.test(location.hash)) leave(`./run.html${location.hash}`);
}
// The page has moved; the fields of an old link are appended to the fields of the new address, if it has any.
if (forward !== undefined) {
  const [page, fields] = forward.split('#');
  leave(`${page}${location.search}${fields === undefined ? '' : `#${fields}${location.hash.replace('#', '&')}`}`);
}
// If the link names no chapter, the first chapter of the story is laid out first, and the other chapters after the page
// has loaded. If the link names a chapter, the page shows no other chapter before it scrolls to the linked one.
if (home !== undefined) {
  document.documentElement.dataset.opening = location.hash === '' ? 'first' : 'link';
  addEventListener('load', () => setTimeout(() => delete document.documentElement.dataset.opening));
}
// Horn's page initially reserves space for three slots side by side, or for a single slot if the link names one, in
// either model.
if (/^#(.*&)?model=network/.test(location.hash)) document.documentElement.dataset.view = 'network';
else if (/^#(.*&)?protocol=/.test(location.hash)) delete document.documentElement.dataset.view;
// The skip link moves the focus without a change of the address, which is a link to the shown state. The story's skip
// link leads to a chapter.
if (home === undefined)
  document.addEventListener('DOMContentLoaded', () => {
    const link = document.querySelector('.skip');
    link?.addEventListener('click', (event) => {
      event.preventDefault();
      const target = document.querySelector(link.hash);
      target.tabIndex = -1;
      target.focus();
    });
  });
// The menu of pages closes when Escape is pressed, which returns the focus to the menu's label, and when the focus or a
// press moves outside the menu.
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
// The theme is set before the first paint, so that the page never flashes in another theme.
try {
  const theme = localStorage.getItem('tutti-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  // The attribute enables large type for a talk.
  document.documentElement.toggleAttribute('data-talk', sessionStorage.getItem('tutti-talk') === 'yes');
} catch {}
// The service worker makes the pages available without a network; the development server has no such worker.
addEventListener('load', () => navigator.serviceWorker?.register('./sw.js').catch(() => {}));
