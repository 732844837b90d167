import { expect, type Page } from '@playwright/test';

/** The page says what it is at; nothing here waits for time to pass. */
export async function untilReady(page: Page, timeout?: number): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready', timeout === undefined ? {} : { timeout });
}

/** The page has begun: what is pressed from now on is heard, though it may not be ready. */
export async function untilItListens(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-state', /^(running|ready)$/);
}

/** Nothing is wider than the window; drawings take their width a frame after it. */
export async function untilNothingSticksOut(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
    .toBe(0);
}

/** Letters have their final width, so that what is measured stays where it is. */
export async function untilLettersAreThere(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

export interface ProcessorTime {
  /** Of everything in the page's process, its workers among it, s. */
  readonly processS: number;
  /** Of the thread that answers the reader. */
  readonly pageS: number;
}

/** Gives the processor's time since the call: other than time by the clock it is the same on a busy machine. */
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
