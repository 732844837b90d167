import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressed, setAddress } from '../scripts/release-address.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const files: string[] = [...addressed.map((folder: string) => join(folder, 'package.json')), 'CITATION.cff'];
const page = 'https://forge.example/somebody/tutti';

describe('setAddress(folder, repository, issues)', () => {
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'tutti-address-'));
    for (const file of files) cpSync(join(root, file), join(copy, file));
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  const texts = () => files.map((file) => readFileSync(join(copy, file), 'utf8'));
  const manifest = (folder: string) => JSON.parse(readFileSync(join(copy, folder, 'package.json'), 'utf8'));

  it.each([page, `${page}/`, `${page}.git`])('writes %s into each package, with its folder', (address) => {
    setAddress(copy, address);
    expect(manifest('packages/core')).toMatchObject({
      repository: { type: 'git', url: `git+${page}.git`, directory: 'packages/core' },
      homepage: `${page}#readme`,
      bugs: { url: `${page}/issues` },
    });
    expect(manifest('.').repository).toEqual({ type: 'git', url: `git+${page}.git` });
    for (const folder of addressed) expect(manifest(folder).homepage).toBe(`${page}#readme`);
    expect(readFileSync(join(copy, 'CITATION.cff'), 'utf8').match(/^repository-code: .*$/gm)).toEqual([
      `repository-code: "${page}"`,
    ]);
  });

  it('changes nothing but these fields', () => {
    const before = texts();
    setAddress(copy, page);
    for (const [index, text] of texts().entries()) {
      const without = index === texts().length - 1 ? text.replace(/^repository-code: .*\n/m, '') : bare(text);
      expect(without).toBe(before[index]);
    }
  });

  it('replaces the address before it, and writes the same the second time', () => {
    setAddress(copy, 'https://elsewhere.example/a/b', 'https://elsewhere.example/tickets');
    expect(manifest('apps/node-cli').bugs).toEqual({ url: 'https://elsewhere.example/tickets' });
    setAddress(copy, page);
    const once = texts();
    setAddress(copy, page);
    expect(texts()).toEqual(once);
    expect(once.join('')).not.toContain('elsewhere');
  });

  it.each([
    undefined,
    '',
    'tutti',
    'git@forge.example:somebody/tutti.git',
    'http://forge.example/somebody/tutti',
    'https://forge.example',
    'https://forge.example/tutti',
    'https://user:word@forge.example/somebody/tutti',
    `${page}?tab=readme`,
    `${page}#readme`,
    'https://forge.example//tutti',
    'https://forge.example/a/../b/c',
  ])('refuses %j, and writes nothing', (address) => {
    const before = texts();
    expect(() => setAddress(copy, address)).toThrow(
      new RangeError(
        `repository: expected an address such as https://HOST/OWNER/REPOSITORY, got ${address ?? 'nothing'}`,
      ),
    );
    expect(() => setAddress(copy, page, 'mailto:somebody')).toThrow(/^issues: expected/);
    expect(texts()).toEqual(before);
  });

  it('is what publint expects of a repository', async () => {
    setAddress(copy, page);
    const { messages } = await publint({ pkgDir: join(copy, 'packages/core'), pack: false });
    expect(messages.map(({ code }) => code)).not.toContain('INVALID_REPOSITORY_VALUE');
  });
});

/** A manifest without the fields that are written. */
function bare(text: string): string {
  const { repository: _, homepage: __, bugs: ___, ...rest } = JSON.parse(text);
  return `${JSON.stringify(rest, undefined, 2)}\n`;
}
