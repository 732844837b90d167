import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { knownExtensions } from '../apps/node-cli/src/extensions.ts';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { extensions } from './extensions.ts';
import { sampled } from './sampled.ts';
import { start, temporaryFolder } from './tutti.ts';

const folder = temporaryFolder();

/** Arguments for each command with which it runs for much longer than a test may take. */
const long: Readonly<Record<string, readonly string[]>> = {
  simulate: ['simulate', '--nodes', '262144'],
  'simulate --protocol horn': ['simulate', '--protocol', 'horn-strawman'],
  'simulate --scheme bls': ['simulate', '--nodes', '4096', '--scheme', 'bls'],
  cluster: ['cluster', '--nodes', '32', '--rounds', '10000', '--timeout', '3600'],
  'cluster --protocol horn': 'cluster --protocol horn --validators 64 --nodes 8 --slot-seconds 300'.split(' '),
  serve: ['serve', '--port', '0'],
  'serve signal': ['serve', 'signal', '--port', '0'],
  'registry keygen': ['registry', 'keygen', '--count', '50000', '--out', join(folder, 'keys.json')],
  'registry make': ['registry', 'make', '--insecure-keys', '4096', '--out', join(folder, 'made.json')],
  'claims check': ['claims', 'check', '--nodes', '4', '--losses', '3', '--repeats', '2'],
  'bench kernel': ['bench', 'kernel'],
  'bench simulation': ['bench', 'simulation'],
  'bench horn': ['bench', 'horn'],
  figures: ['figures', '--quick', '--out-folder', join(folder, 'figures')],
  'claims swarm': ['claims', 'swarm', '--seeds', '100000'],
  'attack search': ['attack', 'search', '--minutes', '50'],
  'attack table': ['attack', 'table'],
  sweep: ['sweep', join(folder, 'plan.json'), '--out', join(folder, 'sweep.jsonl')],
  'horn griefing': ['horn', 'griefing', '--slots', '100000'],
  'slots sensitivity': ['slots', 'sensitivity'],
  'horn systems': ['horn', 'systems'],
  'slots map': ['slots', 'map'],
  'slots deadlines': ['slots', 'deadlines'],
  'slots network': ['slots', 'network'],
  'horn sensitivity': ['horn', 'sensitivity'],
  'lean slot': ['lean', 'slot', '--slots', '4096'],
  'lean chain': ['lean', 'chain', '--slots', '100000', '--seeds', '100'],
  'bench collections': ['bench', 'collections'],
  ...Object.fromEntries(extensions.flatMap(({ long }) => Object.entries(long))),
};

/** Commands that end immediately, that need a file from another command, or whose interruption other tests cover. */
const others = [
  ...extensions.flatMap(({ others }) => others),
  ...['help', 'open', 'node', 'node status', 'verify', 'export', 'compare', 'plot', 'cite', 'completion'],
  ...['lean strategies', 'lean rules', 'lean map', 'lean profile'],
  ...['registry check', 'registry show', 'registry sign', 'registry beacon'],
  ...['node log show', 'node log export', 'node log import'],
  ...['horn tables', 'slots arrivals', 'slots compare-simulators', 'slots proposals', 'horn open-questions'],
];

/** Returns the processor time of a process and its child processes, s, or 0 if the process has ended. */
function cpuSeconds(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = fields.slice(11);
  const children = textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + cpuSeconds(child), (Number(user) + Number(system)) / 100 || 0);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Processor time after which a command is interrupted, s. */
const busySeconds = 0.28;

writeFileSync(
  join(folder, 'plan.json'),
  JSON.stringify({ name: 'long', vary: { nodes: [65536] }, seeds: { from: 1, count: 8 } }),
);

/** Returns the valid exit codes of an interrupted command; 0 is valid for a server that was ready. */
const endings = (name: string): readonly number[] => (name === 'serve' || name === 'serve signal' ? [0, 130] : [130]);

it.each(sampled(Object.entries(long), 3))('Ctrl-C ends %s', async (name, args) => {
  const { child, finished } = start(...args);
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = false;
  for (const stream of [child.stdout!, child.stderr!])
    stream.once('data', () => {
      said = true;
    });
  // Loading modules takes two thirds of this processor time, so the test interrupts the command while it is working.
  while (!said && child.exitCode === null && existsSync('/proc') && cpuSeconds(child.pid!) < busySeconds)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(child.exitCode, 'it was over before').toBe(null);
  child.kill('SIGINT');
  const { code, err } = await finished;
  // The process was ended by the system or by the command itself, because some commands handle the signal.
  expect(code === null ? [child.signalCode] : endings(name), err).toContain(code ?? 'SIGINT');
});

it('every command is in the list of commands that Ctrl-C ends', async () => {
  const { out } = await runMain(['completion', 'bash']);
  const [, known] = /^ {6}('.*')\) path=/m.exec(out)!;
  const paths = known!.replaceAll("'", '').split('|');
  const groups = paths.filter((path) => paths.some((other) => other.startsWith(`${path} `)));
  /** Names of the extensions that are not installed. Their commands only explain how to install them. */
  const absent = Object.keys(knownExtensions).filter((name) => !extensions.some((one) => one.name === name));
  const named = [...absent, ...Object.keys(long).map((name) => name.replace(/ --.*/, '')), ...others];
  expect(paths.filter((path) => !groups.includes(path) && !named.includes(path))).toEqual([]);
});
