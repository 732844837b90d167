/** Where the page's title card is, which a link to it brings along in chats and the like (`og:image`). */
export const titleCard = 'apps/visualizer/public/card.png';

/** The race at the moment when Handel is done, and nothing else of the page, in the size that others show cards in. */
const at = { address: '#race&t=400', width: 1200, height: 630 };
const style = `
:is(.masthead nav, .masthead-tools, .chapter-links, .dock, .prose, .race-question, .stage-foot, .telling, .colophon),
.race-grid .checks, main > .chapter:not(#race) { display: none !important; }
.masthead { display: block !important; margin-top: 62px; border: 0 !important; }
.wordmark { font-size: 60px !important; }
.masthead h1 { margin: 18px 0 24px !important; color: var(--ink) !important; font-size: 41px !important; line-height: 1.2; }
main > .chapter { display: block !important; border: 0 !important; }
#race .stage { position: static; height: auto !important; padding: 0 !important; }
.race-grid { --side: 206px !important; grid-template-columns: repeat(5, 206px) !important; gap: 18px !important; }
.race-grid .lane figcaption { display: block !important; }
.race-grid h3 { font-size: 23px !important; }
.race-grid .lane .count { display: block; font-size: 20px !important; text-align: left !important; }
`;

/** Takes the card of the page that a browser looks at. */
export async function takeTitleCard(browser, base, path) {
  const { address, width, height } = at;
  const context = await browser.newContext({
    viewport: { width, height },
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    // The style is this script's, which the page would not have.
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.goto(`${base}${address}`);
  await page.waitForFunction(() => document.documentElement.dataset.state === 'ready');
  await page.addStyleTag({ content: style });
  await page.evaluate(async () => {
    await document.fonts.ready;
    scrollTo(0, 0);
  });
  // The fields take their new size in the frames that follow.
  await page.waitForTimeout(500);
  await page.screenshot({ path });
  await context.close();
}
