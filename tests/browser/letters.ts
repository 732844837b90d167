import type { Page } from '@playwright/test';
import { untilLettersAreThere } from './page.ts';

/** Letter spacings, em: the page's own, and those of the widest and the narrowest common typefaces. */
const spacings = { own: '0', wide: '0.07em', narrow: '-0.03em' } as const;

/** Widths of a phone and a desktop, px, and heights: a page without chapters is drawn only inside the viewport. */
const widths = [390, 1440] as const;
const heights = { chapter: 900, page: 6000 } as const;

/** Returns the texts that currently have too little space, or extend beyond their drawing. */
function clippedNow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()}${element.id && `#${element.id}`}${[...element.classList].map((one) => `.${one}`).join('')}: ${element.textContent?.trim().slice(0, 60)}`;
    const scrolls = (element: Element): boolean => {
      const { overflowX, position, clipPath } = getComputedStyle(element);
      if (['auto', 'scroll'].includes(overflowX)) return true;
      // Text for screen readers.
      if (position === 'absolute' && clipPath !== 'none') return true;
      return (
        element.parentElement !== null && element.parentElement !== document.body && scrolls(element.parentElement)
      );
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const hosts = new Set<Element>();
    while (walker.nextNode()) {
      const { parentElement, data } = walker.currentNode as Text;
      if (parentElement !== null && data.trim() !== '' && parentElement.checkVisibility()) hosts.add(parentElement);
    }
    for (const host of hosts) {
      if (host.closest('option, select, script, style, noscript')) continue;
      const svg = host instanceof SVGElement ? host.closest('svg') : null;
      if (svg !== null) {
        const [box, room] = [host.getBoundingClientRect(), svg.getBoundingClientRect()];
        const isOpen = getComputedStyle(svg).overflow === 'visible';
        const [left, right] = isOpen ? [0, document.documentElement.clientWidth] : [room.left, room.right];
        if (box.width > 0 && (box.left < left - 1 || box.right > right + 1) && !scrolls(host)) found.push(named(host));
        continue;
      }
      // Text that is not clipped may extend into the gap between two columns.
      const slack = getComputedStyle(host).overflowX === 'visible' ? 8 : 1;
      if (host.clientWidth > 0 && host.scrollWidth > host.clientWidth + slack && !scrolls(host))
        found.push(`${named(host)} (${host.scrollWidth} in ${host.clientWidth})`);
    }
    return found;
  });
}

/** Returns the texts that are still clipped after drawings have adapted, one frame after their containers. */
async function clipped(page: Page): Promise<string[]> {
  let found: string[] = [];
  for (let look = 0; look < 10; look++) {
    await page.evaluate(async () => {
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    });
    found = await clippedNow(page);
    if (found.length === 0) break;
  }
  return found;
}

/** Returns the clipped texts with wide, narrow and normal letter spacing, at both widths, one line each. */
export async function clippedTexts(page: Page, address: string): Promise<string[]> {
  const found: string[] = [];
  await untilLettersAreThere(page);
  const before = page.viewportSize()!;
  for (const width of widths) {
    await page.setViewportSize({ width, height: heights[address.startsWith('./#') ? 'chapter' : 'page'] });
    for (const [name, spacing] of Object.entries(spacings)) {
      await page.evaluate((em) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`* { letter-spacing: ${em} !important; }`);
        document.adoptedStyleSheets = [sheet];
      }, spacing);
      const where = `${address} at ${width}, ${name} letters`;
      found.push(...(await clipped(page)).map((text) => `${where}: ${text}`));
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (over > 0) found.push(`${where}: ${over} px wider than its window`);
    }
  }
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
  await page.setViewportSize(before);
  return found;
}
