/**
 * `npm run bench -- start`: CPU time from the start to the end of `tutti --version` and of some commands' help beside that
 * of `node -e 0`, in user time, interleaved, medians; writes docs/records/bench-start.md.
 */
import { spawnSync } from 'node:child_process';
import { root } from '../run.mjs';
import { machineLine, median, table, writeRecord } from './frame.mjs';

const rounds = 5;
const bin = `${root}apps/node-cli/bin/tutti.js`;
const nothing = 'node -e 0';
const measured = {
  [nothing]: ['-e', '0'],
  'tutti --version': [bin, '--version'],
  'tutti verify --help': [bin, 'verify', '--help'],
  'tutti simulate --help': [bin, 'simulate', '--help'],
  'tutti help': [bin, 'help'],
};
const telling = "process.on('exit', () => process._rawDebug('user', process.cpuUsage().user))";

const ms = Object.fromEntries(Object.keys(measured).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(measured)) {
    const hook = ['--import', `data:text/javascript,${encodeURIComponent(telling)}`];
    const { stderr } = spawnSync(process.execPath, [...hook, ...args], { encoding: 'utf8' });
    ms[name].push(Number(/user (\d+)/.exec(stderr)[1]) / 1000);
  }
}

const rows = Object.entries(ms).map(([name, all]) => {
  const ratios = all.map((one, round) => one / ms[nothing][round]);
  return [`\`${name}\``, `${median(all).toFixed(0)} ms`, median(ratios).toFixed(2)];
});
writeRecord(
  'bench-start',
  `# How long a command takes to start

*No paper section. Source: [\`bin/tutti.js\`](../../apps/node-cli/bin/tutti.js), [\`main.ts\`](../../apps/node-cli/src/main.ts).* Printed by \`npm run bench -- start\`: user CPU of the whole
process, medians of ${rounds} interleaved rounds; the ratio is the median of the rounds' own. [A test](../../tests/coldStart.test.ts) counts the files that each loads, which does not depend on what else the machine does: \`--version\` loads one file, a command loads none of another command's, and Redis, fonts and image writing are loaded only when they are used. The command that runs is a [bundle](../../scripts/bundle.mjs), in which what a command needs lies in a few files.

${table(['', 'user CPU', 'beside `node -e 0`'], rows)}

${machineLine()}
`,
);
