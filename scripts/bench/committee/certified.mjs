/**
 * Certification of one message by 67 % of a committee, by one aggregator that asks every member, and by Handel: without
 * faults, and with crashes, dead members and loss. A benchmark calls this module with the place in which the processes
 * run.
 */
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { machineLine, options, table } from '../frame.mjs';

const sizes = [64, 256];
const waitSeconds = 240;
/** Time from the request to a fault, ms. When the fault occurs, some answers are still missing. */
const breaksAfterMs = 30;

const cases = [
  { name: 'all well' },
  { name: 'asking member killed', killAsker: true },
  { name: 'ten members killed', kill: 10 },
  { name: '20 % dead', dead: 0.2 },
  { name: '1 % of the packets lost', loss: 0.01 },
];

/**
 * Returns the page of the benchmark for processes in one place.
 *
 * @param place `command`, which runs the benchmark; `title`; `there`, a description of the place; `membersEach(size)`,
 * number of members per process; `areHosts`, whether a whole process is killed if all of its members are; and
 * `open(hosts, loss)`.
 * @returns the page, and whether it covers every size.
 */
export async function certifiedPage(place) {
  const { max, min } = options({ max: sizes.at(-1), min: sizes[0] });
  const rows = [];
  for (const size of sizes.filter((one) => one >= min && one <= max))
    for (const one of cases)
      for (const way of ['aggregator', 'Handel']) {
        const outcome = await run(place, size, one, way);
        rows.push(cells(size, one, way, outcome));
        console.error(rows.at(-1).join(' | '));
      }
  const page = `${[
    `# ${place.title}`,
    '',
    `Printed by \`${place.command}\`. One message, equal weights, 67 % wanted; ${place.there}. The aggregator asks everybody, again after 200 ms, verifies answers in batches, and sends the certificate to all, again to each member that does not acknowledge it. Handel is \`joinGroup\`: its packets are sealed and authenticated, the aggregator's are not. Something breaks ${breaksAfterMs} ms after the question. Times are from the question to the first certificate and to that of the last live member, within ${waitSeconds} s; CPU and bytes, both directions, of the busiest member or the aggregator by then. All share these cores, so that times are those of a machine that does everybody's work; CPU and bytes are what a machine of one's own would do. The period is the one that suits all members on these cores.`,
    '',
    machineLine(),
    '',
    table(['members', '', 'by', 'first', 'all live', 'CPU, busiest, ms', 'bytes, busiest, kB'], rows),
  ].join('\n')}\n`;
  return { page, isWhole: max >= sizes.at(-1) && min <= sizes[0] };
}

function cells(size, { name }, way, { firstMs, allMs, have, live, stats }) {
  const most = (what) => Math.max(...stats.map((one) => one[what]));
  const time = (ms) => (ms === undefined ? 'never' : `${ms.toFixed(0)} ms`);
  const all = allMs === undefined ? `${have} of ${live}` : time(allMs);
  return [size, name, way, time(firstMs), all, most('cpuMs').toFixed(0), (most('bytes') / 1000).toFixed(1)];
}

async function run(place, size, { killAsker = false, kill = 0, dead = 0, loss = 0 }, way) {
  const each = place.membersEach(size);
  const count = Math.ceil(size / each);
  const opened = await place.open(count + 1, loss);
  const role = way === 'Handel' ? 'handel' : 'member';
  const hosts = Array.from({ length: count }, (_, at) =>
    start(opened, at, { role, first: at * each, count: Math.min(each, size - at * each), size }),
  );
  const asker = way === 'Handel' ? hosts[0] : start(opened, count, { role: 'aggregator', first: size, count: 1, size });
  const all = way === 'Handel' ? hosts : [...hosts, asker];
  const members = (await Promise.all(hosts.map((host) => host.next('ready')))).flatMap((ready) => ready.members);
  await Promise.all(all.map((host) => host.said.ready ?? host.next('ready')));
  for (const host of all) host.process.send({ kind: 'open', members });
  await Promise.all(all.map((host) => host.next('open')));
  // The requesting member is not a victim here, because its failure is a separate case.
  const gone = new Set(members.slice(size - Math.round(size * dead) - kill).map(({ index }) => index));
  const leave = (indices) => {
    for (const [at, host] of hosts.entries()) {
      const own = indices.filter((index) => Math.floor(index / each) === at);
      if (place.areHosts && own.length === each) void host.end();
      else if (own.length > 0) host.process.send({ kind: 'kill', members: own });
    }
  };
  if (dead > 0) leave([...gone]);
  const outcome = await asked(way, { all, asker, killAsker, kill, gone, leave, size });
  const stats = await Promise.all(
    all
      .filter(({ process: { exitCode, killed } }) => exitCode === null && !killed)
      .map((host) => {
        host.process.send({ kind: 'stats' });
        return host.next('stats');
      }),
  );
  await Promise.all(all.map((host) => host.end()));
  await opened.close();
  return { ...outcome, stats };
}

/** Requests a certificate, causes the faults, and waits until all live members have the certificate. */
async function asked(way, { all, asker, killAsker, kill, gone, leave, size }) {
  const have = new Set();
  const startedMs = performance.now();
  let firstMs;
  let allMs;
  const isGone = (index) => gone.has(index) || (killAsker && way === 'Handel' && index === 0);
  const live = Array.from({ length: size }, (_, index) => index).filter((index) => !isGone(index)).length;
  const done = new Promise((resolve) => {
    for (const host of all)
      host.process.on('message', ({ kind, index }) => {
        if (kind !== 'have') return;
        firstMs ??= performance.now() - startedMs;
        if (index >= 0 && !isGone(index)) have.add(index);
        if (have.size === live) {
          allMs = performance.now() - startedMs;
          resolve();
        }
      });
    // No remaining member was able to complete the certificate.
    setTimeout(resolve, killAsker && way !== 'Handel' ? 5000 : waitSeconds * 1000).unref();
  });
  asker.process.send({ kind: 'ask', message: 'block 17' });
  await new Promise((resolve) => setTimeout(resolve, breaksAfterMs));
  if (kill > 0) leave([...gone]);
  if (killAsker && way === 'Handel') leave([0]);
  if (killAsker && way !== 'Handel') void asker.end();
  await done;
  return { firstMs, allMs, have: have.size, live };
}

/** Starts the process of a host; `end` resolves when the process is killed. */
function start(opened, at, given) {
  const [execPath, ...execArgv] = opened.inside(at, [process.execPath]);
  const argument = JSON.stringify({ ...given, host: opened.address(at), loss: opened.loss });
  const member = new URL('./member.mjs', import.meta.url);
  // This format transfers keys as bytes.
  const child = fork(member, [argument], { execPath, execArgv, serialization: 'advanced' });
  // This process, which simulates the network, has priority over the hosts.
  if (opened.isOurs) setPriority(child.pid, 0);
  const said = {};
  const waiting = new Map();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.on('message', (what) => {
    said[what.kind] = what;
    waiting.get(what.kind)?.(what);
  });
  const next = (kind) =>
    said[kind] === undefined ? new Promise((resolve) => waiting.set(kind, resolve)) : Promise.resolve(said[kind]);
  const end = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return { process: child, said, next, end };
}
