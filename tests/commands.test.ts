import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../apps/node-cli/src/main.ts';
import { runMain, silent } from '../apps/node-cli/test/runMain.ts';
import { pagesUnder } from '../scripts/pages.mjs';
import { root } from '../scripts/run.mjs';
import { extensions } from './extensions.ts';
import { isWhole, sampled } from './sampled.ts';
import { temporaryFolder, tutti } from './tutti.ts';

const folder = temporaryFolder();
const home = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => process.chdir(home));

const markdownIn = (path: string) =>
  readdirSync(join(root, path))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(path, name));

const pages = [
  ...['.', 'examples'].flatMap(markdownIn),
  ...pagesUnder('docs'),
  ...['core', 'simulation', 'ethereum', 'transports', 'wasm-bls'].flatMap((name) => markdownIn(`packages/${name}`)),
  ...markdownIn('apps/node-cli'),
  ...extensions.flatMap(({ folder }) => markdownIn(folder)),
];

/** Lines of each page's `sh` code blocks, without comments. */
const lines = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, fence]) =>
    fence!
      .split('\n')
      .flatMap((line) => line.replace(/\s+#.*$/, '').split(' && '))
      .filter((command) => command !== '')
      .map((command) => ({ page, command })),
  ),
);

const isTutti = /^(sudo )?npx (-p @tutti\/node-cli )?tutti /;
const tuttis = lines.filter(({ command }) => isTutti.test(command));

/** Returns the arguments of `tutti`, split as in a shell. */
const wordsOf = (command: string): string[] =>
  [...command.replace(isTutti, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain!,
  );

/** Commands that the suite does not run, with the reason. Their own parsers still parse their flags. */
const onlyParsed: readonly (readonly [form: RegExp, why: string])[] = [
  [/^open /, 'opens a browser'],
  [/^serve\b/, 'serves until Ctrl-C; packages.test.ts and live.spec.ts do'],
  [
    /^(node|registry keygen|registry sign|registry beacon) /,
    'several machines; node.test.ts runs them in order on one',
  ],
  [/^verify signed\/round-/, 'a round of several machines; threeMachines.test.ts verifies one'],
  [/^registry (make|check|show) (alice|registry)/, 'several machines; node.test.ts runs them in order on one'],
  [/^node log (show|export|import) alice/, "a signer's log; log.test.ts moves some"],
  [/^(figures|claims swarm|attack)\b/, 'minutes; figures, swarm and attackCommands.test.ts run small ones'],
  [/^cluster --nodes 64/, 'half a minute; cluster.test.ts runs small ones'],
  [/^cluster --protocol horn/, 'half a minute; hornCluster.test.ts runs small ones'],
  [/^simulate --protocol horn/, 'a million validators; slots.test.ts plays small slots'],
  [/^(slots|horn (open-questions|systems|sensitivity))\b/, 'minutes; their own tests run small ones'],
  [/^bench collections\b/, 'minutes; benchCollections.test.ts runs small ones'],
  [/^(horn tables|bench horn)$/, 'seconds to minutes; a section of the tables is run'],
  [/^claims check /, 'minutes; claimsCheck.test.ts runs small ones'],
  [/^simulate --nodes 4096/, 'seconds, again and again; 1,024 nodes are run'],
  [/^simulate --attack invalid:0.3$/, 'seconds; with 64 nodes it is run, as docs/concepts/attacks.md says'],
  [
    /^export run.tutti --perfetto run.pftrace$/,
    "the recording of 4,096 nodes; docs/guides/export-results.md's is exported",
  ],
  ...extensions.flatMap(({ onlyParsed }) =>
    Object.entries(onlyParsed).map(([form, why]) => [new RegExp(form), why] as const),
  ),
];

/** Commands whose runs end with a violated claim, as their pages document. */
const breaks = / --without (window|bounded-queue) --check/;

/** Example values for the placeholders in documented commands. */
const placeholders: Readonly<Record<string, string>> = {
  LINK: 'http://192.0.2.1:8080/#live=room',
  'https://PAGE': 'https://page.example',
};

const shownIn = (command: string) => wordsOf(command).map((word) => placeholders[word] ?? word);
const formOf = (command: string) => shownIn(command).join(' ');

const isOnlyParsed = (form: string) => onlyParsed.some(([one]) => one.test(form));

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : [command, ...command.commands.flatMap(leavesOf)];

/** Results by command line, because several pages may show the same command line. */
const ran = new Map<string, Promise<{ code: number | null; err: string }>>();

/** Runs a command once. A cluster starts processes, so its built command is run. */
function resultOf(words: readonly string[]) {
  const form = words.join(' ');
  if (!ran.has(form)) ran.set(form, words[0] === 'cluster' ? tutti(...words) : runMain([...words]));
  return ran.get(form)!;
}

/** Commands without files for others. Outside CI, one ninth is run, and the others are only parsed. */
const runs = [...new Set(tuttis.map(({ command }) => formOf(command)))].filter(
  (form) => /^(simulate|lean|horn) /.test(form) && !/ --(out|record|help)\b/.test(form) && !isOnlyParsed(form),
);
const chosen = new Set(sampled(runs, Math.ceil(runs.length / 9)));

describe.each(tuttis)('$page: $command', ({ page, command }) => {
  const form = formOf(command);
  const words = shownIn(command);
  if (isOnlyParsed(form) || (runs.includes(form) && !chosen.has(form)))
    it('is a valid command line of tutti', async () => {
      const known = await program(silent, words[0]);
      let reached = false;
      for (const leaf of leavesOf(known))
        leaf.action(() => {
          reached = true;
        });
      await known.parseAsync(words, { from: 'user' });
      expect(reached).toBe(true);
    });
  else
    it('runs', async () => {
      // The nodes must equal the weights. For other commands, outside CI, a quarter of the nodes is enough.
      const sized = isWhole || / \d+x\d/.test(form) ? words : words.map((word) => (word === '1024' ? '256' : word));
      const all =
        page.startsWith('docs/concepts/attacks') && !words.includes('--nodes') ? [...sized, '--nodes', '64'] : sized;
      const { code, err } = await resultOf(all);
      if (breaks.test(form)) expect(err).toMatch(/: node \d+ at [\d.]+ ms: /);
      else expect(code, err).toBe(0);
    });
});

it('each listed reason not to run a command belongs to an existing command, and every other command of the pages runs', () => {
  const forms = tuttis.map(({ command }) => wordsOf(command).join(' '));
  for (const [form] of onlyParsed)
    expect(
      forms.some((one) => form.test(one)),
      String(form),
    ).toBe(true);
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  for (const { page, command } of lines.filter(({ command }) => !isTutti.test(command))) {
    const [tool, verb, name = ''] = command.split(' ');
    const where = `${page}: ${command}`;
    if (tool === 'npm' && verb === 'run') expect(scripts, where).toHaveProperty([name]);
    else if (tool === 'npm' && verb === 'install')
      for (const one of command.match(/@tutti\/[\w-]+/g) ?? [])
        expect(existsSync(join(root, 'node_modules', one)), where).toBe(true);
    else if (tool === 'npm') expect(['start', 'test', 'ci', 'init', 'pack'], where).toContain(verb);
    else if (tool === 'node') expect(existsSync(join(root, verb!)), where).toBe(true);
    // Other tests cover them: threeMachines.test.ts copies files like scp; httpApi.test.ts has curl's requests.
    else expect(['scp', 'curl', ...extensions.flatMap(({ tools }) => tools)], where).toContain(tool);
  }
});
