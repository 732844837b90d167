/**
 * `node scripts/surface.mjs [ROOT] [--before FILE]`: what users of Tutti can name, printed from a built clone: commands and
 * their flags, as `--help` has them, pages, parameters of their links, files that schemas describe, and doors of the
 * packages. `--out FILE` keeps it as JSON; `--before FILE` says what such a list had that is gone, and what is new
 * (docs/records/surface.md).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './run.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, before: { type: 'string' } },
});
const clone = resolve(positionals[0] ?? root);
const textOf = (file) => readFileSync(join(clone, file), 'utf8');
const namesIn = (folder, ending) =>
  existsSync(join(clone, folder)) ? readdirSync(join(clone, folder)).filter((name) => name.endsWith(ending)) : [];

/** A command's flags, and those of the commands under it, each as `command --flag <form>`. */
function flagsUnder(words) {
  const help = execFileSync(process.execPath, [join(clone, 'apps/node-cli/bin/tutti.js'), ...words, '--help'], {
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '400', NO_COLOR: '1' },
  });
  // Some helps list what is not a command, such as the studies of Horn.
  if (words.length > 0 && !new RegExp(`^Usage: tutti ${words.join(' ')}(?![\\w-])`).test(help)) return [];
  const own = [words.join(' ')];
  const under = [];
  let section = '';
  for (const line of help.split('\n')) {
    const [, heading] = /^(\S[^:]*):/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    const [, flag] = /^ {2}(?:-\w, )?(--[\w-]+)/.exec(line) ?? [];
    if (flag !== undefined && !['--help', '--version'].includes(flag)) own.push(`${words.join(' ')} ${flag}`);
    const [, command] = /^ {2}([a-z][\w-]*)(?: |$)/.exec(line) ?? [];
    if (command !== undefined && command !== 'help' && !['Arguments', 'Examples', 'Docs'].includes(section))
      under.push(command);
  }
  return [...own, ...under.flatMap((command) => flagsUnder([...words, command]))];
}

/** What pages read behind a link's `#`, beside the flags of `tutti open`: chapters, and parameters by their room. */
function links() {
  const rooms = readdirSync(join(clone, 'apps/visualizer/src'), { recursive: true })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .map((name) => ({ room: name.split('/')[0], text: textOf(`apps/visualizer/src/${name}`) }))
    .filter(({ text }) => text.includes('URLSearchParams'));
  const parameters = rooms.flatMap(({ room, text }) =>
    [...text.matchAll(/\.(?:get|has)\('([a-z][\w-]*)'\)/g)].map(([, name]) => `${room}: ${name}=`),
  );
  const chapters = [...textOf('apps/visualizer/index.html').matchAll(/<section[^>]*\bid="([\w-]+)"/g)];
  return [...chapters.map(([, name]) => `story: #${name}`), ...new Set(parameters)].toSorted();
}

function doors() {
  return ['core', 'simulation', 'transports', 'wasm-bls'].flatMap((name) => {
    const file = `packages/${name}/package.json`;
    if (!existsSync(join(clone, file))) return [];
    return Object.keys(JSON.parse(textOf(file)).exports).map((path) => path.replace('.', `@tutti/${name}`));
  });
}

const surface = {
  commands: flagsUnder([]).filter((line) => line !== ''),
  pages: namesIn('apps/visualizer', '.html'),
  links: links(),
  files: namesIn('docs/schemas', '.json'),
  doors: doors(),
};
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(surface, undefined, 2)}\n`);
const before = values.before === undefined ? undefined : JSON.parse(readFileSync(values.before, 'utf8'));
for (const [kind, now] of Object.entries(surface)) {
  if (before === undefined) {
    console.log(`${kind}: ${now.length}\n${now.map((line) => `  ${line}`).join('\n')}`);
    continue;
  }
  const gone = before[kind].filter((line) => !now.includes(line));
  const added = now.filter((line) => !before[kind].includes(line));
  console.log(`${kind}: ${before[kind].length} before, ${now.length} now`);
  for (const line of gone) console.log(`  - ${line}`);
  for (const line of added) console.log(`  + ${line}`);
}
