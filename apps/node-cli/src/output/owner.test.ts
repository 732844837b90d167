import { afterEach, expect, it, vi } from 'vitest';
import { hasEnded, self } from './owner.ts';

const other = { pid: self.pid + 1, host: self.host };
/** Simulates the operating system's answer about a process. */
const asked = (code: string | undefined) =>
  vi.spyOn(process, 'kill').mockImplementation(() => {
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return true;
  });
afterEach(() => vi.restoreAllMocks());

it.each([
  ['answers', undefined, false],
  ['belongs to another user', 'EPERM', false],
  ['does not exist', 'ESRCH', true],
])('a process that %s has ended: %3$s', (_, code, ended) => {
  asked(code);
  expect(hasEnded(other)).toBe(ended);
});

it('a process of another machine and this process do not count as ended', () => {
  asked('ESRCH');
  expect(hasEnded({ ...other, host: 'elsewhere' })).toBe(false);
  expect(hasEnded(self)).toBe(false);
});
