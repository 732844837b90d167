/** The pictures of README.md: where each is taken, and by which words of the page it is known to be of the page as it is. */
export const readmePictures = [
  { name: 'race', address: '#race&t=333', width: 1440, height: 720 },
  {
    name: 'visualizer',
    address: 'run.html#n=64&scheme=counting&attack=invalid:0.2&node=1&t=180',
    width: 1440,
    height: 1600,
  },
  // The slot that is recorded when the page is made, held at 12 s.
  { name: 'horn', address: 'horn.html#t=12000', width: 1440, height: 900 },
];

/** Goes there, and waits until the page stands still. */
export async function showPicture(page, base, { address, width, height }) {
  await page.setViewportSize({ width, height });
  await page.goto(`${base}${address}`);
  await page.waitForFunction(
    () => document.documentElement.dataset.state === 'ready' && !document.querySelector('[aria-busy="true"]'),
    undefined,
    { timeout: 120_000 },
  );
  await page.evaluate(() => document.fonts.ready);
}

/** The page's title, its menu and the headings and buttons that it shows, without numbers: those are the runs'. */
export function wordsOfPage(page) {
  return page.evaluate(() => {
    const seen = [...document.querySelectorAll('header a, header nav *, h1, h2, h3, button')].filter((element) =>
      element.checkVisibility(),
    );
    const words = seen.map((element) =>
      element.innerText
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/\d[\d,.]*/g, '#')
        .trim(),
    );
    return [document.title, ...new Set(words.filter((text) => text !== ''))];
  });
}
