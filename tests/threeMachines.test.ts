import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runMain, words } from '../apps/node-cli/test/runMain.ts';
import { freePorts } from './freePorts.ts';
import { bin, finishedOf, printed, temporaryFolder } from './tutti.ts';

const folder = temporaryFolder();
const names = ['alice', 'bob', 'carol'];
const page = readFileSync(new URL('../docs/guides/three-machines.md', import.meta.url), 'utf8');

/** The commands on the page in order, each with its machine. */
const commands = [...page.matchAll(/^(npx tutti|scp) (.*) # (alice|bob|carol)$/gm)].map(([, what, text, machine]) => ({
  what: what!,
  words: words(text!),
  machine: machine!,
}));

const home = process.cwd();
const started: ChildProcess[] = [];
afterAll(() => {
  process.chdir(home);
  for (const child of started) child.kill('SIGKILL');
});

/** Starts `tutti` in a machine's folder, concurrently with other commands. */
function run(machine: string, words: readonly string[]) {
  const child = spawn(process.execPath, [bin, ...words], { cwd: join(folder, machine), stdio: 'pipe' });
  started.push(child);
  return { child, finished: finishedOf(child) };
}

it('shows the number of rounds that its interval yields', () => {
  const everyS = Number(/--every (\d+)/.exec(page)![1]);
  const rounds = [...page.matchAll(/round[ -](\d+)/g)].map(([, number]) => Number(number));
  expect(rounds).toHaveLength(2);
  for (const round of rounds) expect(new Date(1000 * everyS * round).getUTCFullYear()).toBe(2026);
});

it('three machines complete a round that verifies, with the steps of the page', async () => {
  const ports = await freePorts(3);
  for (const name of names) mkdirSync(join(folder, name));
  const nodes: ReturnType<typeof run>[] = [];
  const digests = new Set<string>();
  for (const { what, words, machine } of commands) {
    const line = `${machine}: ${words.join(' ')}`;
    if (what === 'scp') {
      for (const [from, file] of words.slice(0, -1).map((one) => one.split(':')))
        copyFileSync(join(folder, from!, file!), join(folder, machine, file!));
      continue;
    }
    if (words[0] === 'node') {
      // Rounds by wall clock would depend on the processes' start times, so a command starts each round.
      const node = run(machine, [...words.toSpliced(words.indexOf('--every'), 2), '--rounds-from', 'stdin']);
      nodes.push(node);
      await printed(node, /(listens at)/);
      if (nodes.length < names.length) continue;
      for (const { child } of nodes) child.stdin.write('1\n');
      await Promise.all(nodes.map((one) => printed(one, /(round 1: 3 of 3 signed)/)));
      for (const { child } of nodes) child.stdin.end();
      for (const { code, out, err } of await Promise.all(nodes.map(({ finished }) => finished)))
        expect({ code, out }, err).toEqual({ code: 0, out: expect.stringContaining('round 1: 3 of 3 signed') });
      continue;
    }
    const here = words.map((word) => word.replace(/^192\.0\.2\.\d$/, '127.0.0.1').replace(/round-\d+/, 'round-1'));
    if (words[1] === 'keygen') here.push('--port', String(ports[names.indexOf(machine)]));
    process.chdir(join(folder, machine));
    const { code, out, err } = await runMain(here);
    expect(code, `${line}: ${err}`).toBe(0);
    if (words[1] === 'check') digests.add(/digest (\w+)/.exec(out)![1]!);
    if (words[0] === 'verify') expect(out).toMatch(/^valid: 3 of 3 signed/);
  }
  expect(digests.size).toBe(1);
  expect(commands.filter(({ what }) => what === 'npx tutti')).toHaveLength(15);
}, 120_000);
