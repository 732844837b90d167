import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagesUnder } from '../scripts/pages.mjs';
import { root } from '../scripts/run.mjs';
import { extensions } from './extensions.ts';
import { sampled } from './sampled.ts';

interface Program {
  readonly code: string;
  /** Expected output of a program, which the page shows below the program. */
  readonly printed: string | undefined;
}

/** Returns the programs in a text, in order. */
function programsOf(text: string): Program[] {
  const fences = text.matchAll(/```js\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g);
  return [...fences].map(([, code, printed]) => ({ code: code!, printed }));
}

/** Runs a program in the same way as a reader who copies it into a file of the repository. */
function run(name: string, { code }: Program, ...args: string[]): string {
  const folder = join(root, 'node_modules/.cache/tutti/pages');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.mjs`);
  writeFileSync(file, code);
  return execFileSync(process.execPath, [file, ...args], { encoding: 'utf8', cwd: root });
}

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const pages = ['README.md', ...pagesUnder('docs'), ...extensions.map(({ folder }) => `${folder}/README.md`)];

const allPages = [
  ...pages,
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'examples/README.md',
  ...pagesUnder('tests/reports'),
];

/** A program in which four members certify one block and print whether each has a valid certificate. */
const fourMembers = `
import { networkKey } from '@tutti/transports';
import { nodeCrypto, openUdp } from '@tutti/transports/node';
import { loadBls } from '@tutti/wasm-bls';

const kernel = await loadBls();
const keys = [1, 2, 3, 4].map(() => ({
  secretKey: kernel.keyGen(crypto.getRandomValues(new Uint8Array(32))),
  networkSecret: networkKey(nodeCrypto).secret,
}));
const sockets = await Promise.all(keys.map(() => openUdp({ host: '127.0.0.1' })));
const entries = keys.map(({ secretKey, networkSecret }, index) => ({
  publicKey: kernel.publicKey(secretKey),
  networkKey: networkKey(nodeCrypto, networkSecret).publicKey,
  endpoint: sockets[index].local,
}));
await Promise.all(sockets.map((socket) => socket.close()));
const bytes = new TextEncoder().encode('block 17');
const verdicts = await Promise.all(keys.map((key) => certifyBlock({ registry: { entries }, key, bytes })));
for (const { ok } of verdicts) console.log(ok);
process.exit();
`;

describe('programs of the pages', () => {
  it.each(programsOf(textOf('README.md')).map((program, index) => ({ program, index })))(
    'README.md, program $index',
    ({ program, index }) => expect(run(`README-${index}`, program)).toBe(program.printed),
  );

  const shown = pages
    .filter((page) => page !== 'README.md')
    .flatMap((page) => programsOf(textOf(page)).map((program, index) => ({ page, index, program })));
  it.each(sampled(shown, 2))('$page, program $index', ({ page, index, program }) => {
    // The program for Tor only opens its socket, at a free port. This test does not require Tor.
    if (program.code.includes('.onion`')) {
      const code = program.code.replace("host: '127.0.0.1',\n  port: 9000", "host: '127.0.0.1',\n  port: 0");
      expect(run(`${page}-${index}`, { ...program, code }, 'a'.repeat(56))).toBe('');
    } else expect(run(`${page}-${index}`, program)).toBe(program.printed);
  });

  it('docs/guides/certificates.md: the ten lines certify a block of four members', () => {
    const [, block] = /```javascript\n([\s\S]*?)```/.exec(textOf('docs/guides/certificates.md'))!;
    expect(run('certificates-ten-lines', { code: block! + fourMembers, printed: undefined })).toBe(
      'true\ntrue\ntrue\ntrue\n',
    );
  });

  it('the tutorial has eight steps', () => expect(programsOf(textOf('docs/start/tutorial.md'))).toHaveLength(8));
});

/** Returns the anchors of a page's headings, as GitHub and the site generate them. */
function anchorsOf(page: string): Set<string> {
  const text = textOf(page).replaceAll(/```[\s\S]*?```/g, '');
  return new Set(
    Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

describe('links', () => {
  it.each(allPages)('of %s lead to existing files and headings', (page) => {
    const text = textOf(page).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
    const missing = [...text.matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g)]
      .map(([, link, anchor]) => ({ link: link!, anchor }))
      .filter(({ link }) => !/^[a-z]+:/.test(link))
      .filter(({ link, anchor }) => {
        const file = link === '' ? page : join(dirname(page), link);
        if (!existsSync(join(root, file))) return true;
        return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
      });
    expect(missing).toEqual([]);
  });
});

/** Source files of the packages' entry points. */
const entryPoints = ['core', 'simulation', 'ethereum', 'transports', 'certificates', 'wasm-bls'].flatMap((name) => {
  const { exports } = JSON.parse(textOf(`packages/${name}/package.json`));
  return Object.entries<Record<string, string>>(exports).flatMap(([path, { 'tutti-source': source }]) => {
    const entryPoint = path.replace('.', `@tutti/${name}`);
    return source === undefined ? [] : [{ entryPoint, file: join('packages', name, source) }];
  });
});

describe('each entry point begins with its purpose and an example that prints its stated output', () => {
  it.each(sampled(entryPoints, 2))('$entryPoint', ({ entryPoint, file }) => {
    const comment = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(textOf(file))?.[1]?.replaceAll(/^ \* ?/gm, '') ?? '';
    expect(comment).toMatch(/@packageDocumentation$/);
    const [program, ...more] = programsOf(comment.slice(comment.indexOf('@example')));
    expect(more).toEqual([]);
    expect(program!.code).toContain(`from '${entryPoint}'`);
    expect(run(entryPoint, program!)).toBe(program!.printed);
  });
});
