/**
 * `npm run release:address -- https://HOST/OWNER/REPOSITORY [ISSUES]`: writes where the project is published, once that
 * is known: `repository`, `homepage` and `bugs` of the packages and of the workspace, and CITATION.cff's
 * `repository-code`. Another address replaces the one before. ISSUES is https://HOST/OWNER/REPOSITORY/issues unless it
 * is given. Exit code 2 for any other address.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

export const addressed = [
  '.',
  ...['core', 'wasm-bls', 'transports', 'simulation'].map((name) => `packages/${name}`),
  'apps/node-cli',
];

/** @throws RangeError for anything but an https address of a repository, or of its issues; nothing is written then. */
export function setAddress(folder, repository, issues) {
  const page = addressOf('repository', repository, 2).replace(/\.git$/, '');
  const bugs = issues === undefined ? `${page}/issues` : addressOf('issues', issues, 0);
  for (const directory of addressed) {
    const file = join(folder, directory, 'package.json');
    const { repository: _, homepage: __, bugs: ___, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
    const place = directory === '.' ? {} : { directory };
    const fields = Object.entries(manifest).flatMap((field) =>
      field[0] === 'license'
        ? [
            field,
            ['homepage', `${page}#readme`],
            ['repository', { type: 'git', url: `git+${page}.git`, ...place }],
            ['bugs', { url: bugs }],
          ]
        : [field],
    );
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(fields), undefined, 2)}\n`);
  }
  const citation = join(folder, 'CITATION.cff');
  const lines = readFileSync(citation, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('repository-code:'));
  lines.splice(lines.findIndex((line) => line.startsWith('license:')) + 1, 0, `repository-code: "${page}"`);
  writeFileSync(citation, lines.join('\n'));
}

function addressOf(label, text, leastSegments) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  const isPlain = url?.protocol === 'https:' && `https://${url.host}${path}` === text?.replace(/\/$/, '');
  if (isPlain && path.split('/').length > leastSegments && !path.includes('//')) return `https://${url.host}${path}`;
  throw new RangeError(`${label}: expected an address such as https://HOST/OWNER/REPOSITORY, got ${text ?? 'nothing'}`);
}

if (import.meta.filename === process.argv[1]) {
  try {
    setAddress(root, ...process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
