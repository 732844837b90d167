import { expect, type Page, test } from '@playwright/test';
import axe, { type Result, type RunOptions } from 'axe-core';
import { extensions } from '../extensions.ts';
import { isWhole, sampled } from '../sampled.ts';
import { clippedTexts } from './letters.ts';
import { untilNothingSticksOut, untilReady as untilPageReady } from './page.ts';

/** On a busy machine, axe takes seconds per page, and this file checks twenty pages. */
test.setTimeout(900_000);

/** Returns axe's violations in a page or a part of it, for the given rules or all. Axe is loaded once. */
async function violations(page: Page, part: string, rules?: readonly string[]): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([root, only]) => {
      // Colours may still be in a transition between the two schemes.
      const changing = document.getAnimations().filter((one) => one instanceof CSSTransition);
      await Promise.allSettled(changing.map(({ finished }) => finished));
      const loaded = (window as unknown as { axe: typeof axe }).axe;
      const options: RunOptions = { resultTypes: ['violations'], ...(only && { runOnly: only }) };
      return (await loaded.run(root, options)).violations;
    },
    [part, rules && [...rules]] as const,
  );
}

let looks = 0;

/** Returns axe's serious violations, in CI with contrast in both schemes, otherwise in one scheme in turn. */
async function serious(page: Page, part = 'html'): Promise<string[]> {
  const schemes = (['light', 'dark'] as const).filter((_, index) => isWhole || index === looks % 2);
  looks++;
  const lines: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const found = await violations(page, part, colorScheme === schemes[0] ? undefined : ['color-contrast']);
    for (const { id, impact, nodes } of found)
      if (impact === 'serious' || impact === 'critical')
        lines.push(`${colorScheme}, ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }
  return lines;
}

/** Waits until no part of the page is being prepared. A part in preparation is dimmed. */
async function untilReady(page: Page): Promise<void> {
  await untilPageReady(page);
  await expect(page.locator('[aria-busy="true"], [data-state="running"]')).toHaveCount(0);
}

const handel = './run.html#n=64&scheme=counting&attack=invalid:0.3&node=1&t=180';

/** Pages whose texts are also checked for clipping. Each of these pages is loaded once for both checks. */
const lettered = [
  './#race&t=4000',
  './#matrix',
  `${handel}&compare=gossip`,
  './horn.html',
  './horn.html#model=network',
  './lean.html#t=4000&job=greedy:30',
  './figure.html',
  ...extensions.flatMap(({ pages }) => pages),
];

test('axe finds no serious violation, light or dark, and no text is clipped with wide, narrow or normal letters', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const clipped: string[] = [];
  const open = async (address: string) => {
    await page.goto('about:blank');
    await page.goto(address);
    await untilReady(page);
    // The chapter next to the active chapter says `playing …` until it becomes active itself.
    if (!address.startsWith('./#')) await expect(page.getByText('playing …')).toHaveCount(0);
  };
  for (const address of sampled(lettered, 1)) {
    await open(address);
    expect(await serious(page), address).toEqual([]);
    clipped.push(...(await clippedTexts(page, address)));
  }
  // A page that has already been checked, in a state after other actions of the reader.
  const again = ['./horn.html#protocol=horn&n=16384&t=12000'];
  for (const address of isWhole ? again : []) {
    await open(address);
    expect(await serious(page), address).toEqual([]);
  }
  const room = './live.html#live=tabs:letters';
  await open(room);
  clipped.push(...(await clippedTexts(page, room)));
  // The preceding chapter is near, so it is drawn once this chapter is active.
  await page.goto('about:blank');
  await page.goto('./#horn&t=12000');
  await untilReady(page);
  await expect(page.locator('#growth .point.run').first()).toBeVisible();
  await untilReady(page);
  expect(await serious(page), 'horn').toEqual([]);
  // The other chapters are on the page of the race. Each chapter is checked separately.
  const chapters = [
    ['doubling&t=100', 'canvas'],
    ['desk&order=lowest&t=232', '#queue-rules tbody tr:nth-child(2)'],
    ['switch-off&without=blacklist&t=300', 'tbody tr:nth-child(2)'],
    ['break-it&byzantine&t=150', 'canvas'],
    ['growth&t=200', '.point.run'],
    ['live', '.room-link'],
  ] as const;
  for (const [chapter, there] of sampled(chapters, 1)) {
    await page.goto(`./#${chapter}`);
    const part = `#${chapter.split('&')[0]}`;
    await expect(page.locator(`#chapter-links a[href="${part}"]`)).toHaveAttribute('aria-current', 'location');
    await untilReady(page);
    await expect(page.locator(`${part} ${there}`).first()).toBeVisible();
    expect(await serious(page, part), chapter).toEqual([]);
    if (part === '#desk') clipped.push(...(await clippedTexts(page, `./#${chapter}`)));
  }
  await page.goto('about:blank');
  await page.goto(handel);
  await untilReady(page);
  for (const chapter of sampled(await page.locator('.chapters button').all(), 1)) {
    await chapter.click();
    await expect(chapter).toHaveAttribute('aria-current', 'step');
    expect(await serious(page, '#guide'), (await chapter.textContent())!).toEqual([]);
  }
  await page.getByTestId('off-fast-path').click();
  await expect(page.getByTestId('branches').locator('tbody tr')).toHaveCount(2);
  await expect(page.getByTestId('branches')).not.toContainText('running');
  await page.getByTestId('word-other').click();
  expect(await serious(page), 'branches and fields').toEqual([]);
  await page.getByTestId('help').click();
  expect(await serious(page), 'help').toEqual([]);
  expect(clipped).toEqual([]);
});

test('the skip link moves the focus, and leaves the address and the shown state', async ({ page }) => {
  const addresses = ['run.html#n=16&scheme=counting&t=100', 'lean.html#subnets=4&t=100', 'live.html#live=tabs:skip'];
  for (const address of [...addresses, 'figure.html#n=16&seeds=2']) {
    await page.goto('about:blank');
    await page.goto(`./${address}`);
    await untilPageReady(page);
    const before = page.url();
    await page.locator('.skip').press('Enter');
    await expect(page.locator('#figures, #figure').first(), address).toBeFocused();
    expect(page.url()).toBe(before);
  }
});

test('without script each page can be read, and says that it needs one to play', async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  for (const [address, words] of [
    ['./', 'At level 2, each pair exchanges its two signatures'],
    ['./run.html', '64 nodes with the paper’s settings'],
    ['./horn.html', 'Three systems, one slot'],
  ] as const) {
    await page.goto(address);
    await expect(page.locator('.noscript')).toContainText('needs JavaScript');
    await expect(page.locator('body')).toContainText(words);
  }
  await page.goto('./race.html');
  await expect(page).toHaveURL(/\/#race$/);
  await page.close();
});

test('Tab reaches Play within 14 stops, and the page fits from a phone in landscape, at a zoom of 400 %, to a wide screen', async ({
  page,
}) => {
  await page.goto(handel);
  await untilReady(page);
  await test.step('Play is among the first things that a key reaches', async () => {
    const play = page.getByTestId('play');
    const isReached = () => play.evaluate((button) => button === document.activeElement);
    let stops = 0;
    do await page.keyboard.press('Tab');
    while (++stops < 14 && !(await isReached()));
    await expect(play, 'within 14 stops of Tab').toBeFocused();
  });
  // A figure that was drawn at one width must not overflow at another.
  for (const figure of ['#completion', '#progress', '#time-space']) await page.locator(figure).scrollIntoViewIfNeeded();
  for (const [width, height] of [
    [844, 390],
    [390, 844],
    [320, 256],
    [2560, 1440],
  ] as const) {
    await page.setViewportSize({ width, height });
    await untilNothingSticksOut(page);
    await expect(page.getByTestId('play')).toBeVisible();
    const menu = (await page.getByTestId('more-pages').boundingBox())!;
    const theme = (await page.getByTestId('theme').boundingBox())!;
    const isBeside = menu.x + menu.width <= theme.x || menu.y >= theme.y + theme.height;
    expect(isBeside, `the menu and the theme at a width of ${width}`).toBe(true);
  }
});
