import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { knownExtensions } from '../apps/node-cli/src/extensions.ts';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { extensions } from './extensions.ts';
import { sampled } from './sampled.ts';
import { start, temporaryFolder } from './tutti.ts';

const folder = temporaryFolder();

/** Of every command, arguments that keep it busy for much longer than a test may take. */
const long: Readonly<Record<string, readonly string[]>> = {
  simulate: ['simulate', '--nodes', '262144'],
  'simulate --protocol horn': ['simulate', '--protocol', 'horn-strawman'],
  'simulate --scheme bls': ['simulate', '--nodes', '4096', '--scheme', 'bls'],
  cluster: ['cluster', '--nodes', '32', '--rounds', '10000', '--timeout', '3600'],
  'cluster --protocol horn': [
    'cluster',
    '--protocol',
    'horn',
    '--validators',
    '64',
    '--nodes',
    '8',
    '--slot-seconds',
    '300',
  ],
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
  'bench collections': ['bench', 'collections'],
  ...Object.fromEntries(extensions.flatMap(({ long }) => Object.entries(long))),
};

/** Commands that are over in a moment, need a file that others made, or are interrupted by tests of their own. */
const others = [
  ...extensions.flatMap(({ others }) => others),
  'compare',
  'plot',
  'cite',
  'lean slot',
  'lean strategies',
  'lean chain',
  'lean rules',
  'lean map',
  'lean profile',
  ...[
    'help',
    'open',
    'node',
    'verify',
    'node status',
    'export',
    'registry check',
    'registry show',
    'registry sign',
    'registry beacon',
    'node log show',
    'node log export',
    'node log import',
    'completion',
  ],
  ...['horn tables', 'slots arrivals', 'slots compare-simulators', 'slots proposals', 'horn open-questions'],
];

/** Seconds of processor time that a process and those that it has started have taken; none where it is gone. */
function cpuSeconds(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`);
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11);
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

/** Loading takes two thirds of it. */
const busySeconds = 0.28;

writeFileSync(
  join(folder, 'plan.json'),
  JSON.stringify({ name: 'long', vary: { nodes: [65536] }, seeds: { from: 1, count: 8 } }),
);

/** The exit codes with which a command may end: 0 is right for a server that was ready. */
function endings(name: string): readonly number[] {
  return name === 'serve' || name === 'serve signal' ? [0, 130] : [130];
}

// Each for a third of a second of a core.
it.each(sampled(Object.entries(long), 6))('Ctrl-C ends %s', async (name, args) => {
  const { child, finished } = start(...args);
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = false;
  for (const stream of [child.stdout!, child.stderr!])
    stream.once('data', () => {
      said = true;
    });
  // Once it has done more than load.
  while (!said && child.exitCode === null && existsSync('/proc') && cpuSeconds(child.pid!) < busySeconds)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(child.exitCode, 'it was over before').toBe(null);
  child.kill('SIGINT');
  const { code, err } = await finished;
  // Ended by the system, or by the command itself, whose purpose may be to go on until then.
  expect(code === null ? [child.signalCode] : endings(name), err).toContain(code ?? 'SIGINT');
});

it('that is every command', async () => {
  const { out } = await runMain(['completion', 'bash']);
  const [, known] = /^ {6}('.*')\) path=/m.exec(out)!;
  const paths = known!.replaceAll("'", '').split('|');
  const groups = paths.filter((path) => paths.some((other) => other.startsWith(`${path} `)));
  /** Without the word that says how to install an extension that is not there. */
  const absent = Object.keys(knownExtensions).filter((name) => !extensions.some((one) => one.name === name));
  const named = [...absent, ...Object.keys(long).map((name) => name.replace(/ --.*/, '')), ...others];
  expect(paths.filter((path) => !groups.includes(path) && !named.includes(path))).toEqual([]);
});
