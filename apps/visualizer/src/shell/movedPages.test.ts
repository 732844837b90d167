import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { movedPage, movedPages } from './movedPages.ts';

const root = join(import.meta.dirname, '../..');
const firstScript = readFileSync(join(root, 'public/first.js'), 'utf8');

/** Runs the first script of each page at an old address. Returns the address to which the script redirects. */
function forwarded(forward: string, search: string, hash: string): string | undefined {
  const left: string[] = [];
  const location = { search, hash, replace: (address: string) => left.push(address) };
  const document = {
    currentScript: { dataset: { forward } },
    documentElement: { dataset: {} },
    addEventListener: () => {},
  };
  new Function('document', 'location', 'addEventListener', 'localStorage', firstScript)(document, location, () => {}, {
    getItem: () => null,
  });
  return left[0];
}

describe('movedPages', () => {
  it.each(Object.entries(movedPages))('%s redirects, and %s exists', (old, address) => {
    expect(existsSync(join(root, old))).toBe(false);
    const [page] = address.split('#');
    expect(existsSync(join(root, page === './' ? 'index.html' : page!))).toBe(true);
    expect(movedPage(address)).toContain(`<a href="${address}">`);
  });

  it('keep the fields of an old link if the new address has fields', () => {
    expect(forwarded(movedPages['race.html']!, '', '#dead=0.2&t=3000')).toBe('./#race&dead=0.2&t=3000');
    expect(forwarded(movedPages['network.html']!, '?from=docs', '')).toBe('./horn.html?from=docs#model=network');
    expect(forwarded(movedPages['book.html']!, '?from=docs', '#title')).toBe('./run.html?from=docs');
  });
});
