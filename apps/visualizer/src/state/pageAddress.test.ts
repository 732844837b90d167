import { expect, it, onTestFinished, vi } from 'vitest';
import { PageAddress } from './pageAddress.ts';

it('replaces the entry of the same run with the current time, and adds one for another run', () => {
  const written: string[] = [];
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('location', { pathname: '/horn.html', search: '?from=docs' });
  vi.stubGlobal('history', {
    replaceState: (_state: unknown, _title: string, address: string) => written.push(address),
    pushState: (_state: unknown, _title: string, address: string) => written.push(`another page: ${address}`),
  });
  let link: string | undefined = 'n=64&t=3';
  const address = new PageAddress(() => link);
  address.write();
  link = '';
  address.addEntry();
  link = undefined;
  address.write();
  address.addEntry();
  expect(written).toEqual(['#n=64&t=3', 'another page: /horn.html?from=docs']);
});
