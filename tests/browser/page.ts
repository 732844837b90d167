import { pathToFileURL } from 'node:url';
import { type Browser, type Download, expect, type Page, test } from '@playwright/test';
import { isWhole } from '../sampled.ts';

/** Defines a test that runs only in CI, because it takes many seconds on one core. */
export const testInCi = isWhole ? test : test.skip;

/** Returns the list of the page's error messages, to which each further error is added when it occurs. */
export function errorsOf(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  return errors;
}

/** Opens a file from disk. `errors` lists the page's errors and its requests to servers; the list must remain empty. */
export async function openFromDisk(browser: Browser, path: string) {
  const page = await (await browser.newContext({ offline: true })).newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) errors.push(request.url());
  });
  await page.goto(pathToFileURL(path).href);
  await untilReady(page);
  return { page, errors };
}

/** Clicks a button that saves a file, and returns the download. */
export async function saved(page: Page, button: string): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(button).click()]);
  return download;
}

/** Loads an address anew, and waits until its page is ready, for long, since a page may simulate. */
export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address);
  await untilReady(page, 250_000);
}

/** Waits until the page reports the state `ready`. No function in this file waits for a fixed time. */
export async function untilReady(page: Page, timeout?: number): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready', timeout === undefined ? {} : { timeout });
}

/** Waits until nothing is wider than the viewport. Drawings adapt to the new width one frame later. */
export async function untilNothingSticksOut(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
    .toBe(0);
}

/** Waits until the fonts are loaded, so that measured elements no longer move. */
export async function untilLettersAreThere(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

export interface ProcessorTime {
  /** Processor time of the page's whole process, including its workers, s. */
  readonly processS: number;
  /** Processor time of the page's main thread, s. */
  readonly pageS: number;
}

/** Returns a function that returns the processor time since this call, which other load does not affect. */
export async function processorTime(page: Page): Promise<() => Promise<ProcessorTime>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const now = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value;
    return { processS: of('ProcessTime'), pageS: of('ThreadTime') };
  };
  const since = await now();
  return async () => {
    const { processS, pageS } = await now();
    await session.detach();
    return { processS: processS - since.processS, pageS: pageS - since.pageS };
  };
}
