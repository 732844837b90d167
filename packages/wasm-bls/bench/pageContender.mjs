import { packageRoot } from './pages.mjs';

/**
 * A library in a page of its own, or in a frame.
 *
 * @param page - its `evaluate` runs a function there, on one value.
 * @returns as `contender` of contenders.mjs, with answers that are promises; no operations where the engine does not run
 *   the kernel.
 */
export async function pageContender(page, name) {
  const has = await page.evaluate(
    async ([module, name]) => {
      try {
        globalThis.contender = await (await import(module)).contender(name);
        return globalThis.contender.has;
      } catch (error) {
        if (error.code === 'kernel-rejected') return [];
        throw error;
      }
    },
    [`${packageRoot}/bench/contenders.mjs`, name],
  );
  const ask =
    (asked) =>
    (...args) =>
      page.evaluate(([asked, args]) => globalThis.contender[asked](...args), [asked, args]);
  return { has, answer: ask('answer'), calls: ask('calls'), sample: ask('sample') };
}
