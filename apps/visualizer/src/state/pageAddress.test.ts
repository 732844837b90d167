import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressOf, PageAddress } from './pageAddress.ts';

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  vi.stubGlobal('location', { pathname: '/horn.html', search: '?from=docs' });
  vi.stubGlobal('history', {
    replaceState: (_state: unknown, _title: string, address: string) => written.push(address),
    pushState: (_state: unknown, _title: string, address: string) => written.push(`another page: ${address}`),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('addressOf', () => {
  it.each([
    ['n=64&t=3', '#n=64&t=3'],
    ['', '/horn.html?from=docs'],
    [undefined, undefined],
  ])('%j is %j', (link, address) => {
    expect(addressOf(link)).toBe(address);
  });
});

describe('PageAddress', () => {
  it('replaces the entry of the same run with the current time, and adds one for another run', () => {
    let link: string | undefined = 'n=64';
    const address = new PageAddress(() => link);
    address.write();
    link = '';
    address.turnPage();
    link = undefined;
    address.write();
    address.turnPage();
    expect(written).toEqual(['#n=64', 'another page: /horn.html?from=docs']);
  });
});
