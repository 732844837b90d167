/**
 * `npm run bench -- aggregator`: one message certified by 67 % of a committee, by one aggregator that asks everybody and
 * by Handel, as it is and with crashes, dead members and loss; on loopback, or with `--testbed` on hosts of their own,
 * AWS's regions apart, which needs what `tutti testbed` needs. Writes docs/records/bench-aggregator.md, or
 * bench-aggregator-hosts.md. `--max 64` leaves the larger committee out, `--min 256` the smaller, and either only prints.
 */
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { machineLine, options, table, writeRecord } from './frame.mjs';

const sizes = [64, 256];
const { max, min, testbed: onHosts } = options({ max: sizes.at(-1), min: sizes[0], testbed: false });
const waitSeconds = 240;
/** Of what the network draws. */
const seed = 1;
/** Members of a process: on a testbed so many that there are 16 hosts. */
const membersEach = (size) => (onHosts ? size / 16 : 16);
/** How long after the question something breaks, ms: before an answer came from everybody. */
const breaksAfterMs = 30;

const cases = [
  { name: 'all well' },
  { name: 'whoever asks is killed', killAsker: true },
  { name: 'ten members killed', kill: 10 },
  { name: '20 % dead', dead: 0.2 },
  { name: '1 % of the packets lost', loss: 0.01 },
];

const rows = [];
for (const size of sizes.filter((one) => one >= min && one <= max))
  for (const one of cases)
    for (const way of ['aggregator', 'Handel']) {
      const outcome = await run(size, one, way);
      rows.push(cells(size, one, way, outcome));
      console.error(rows.at(-1).join(' | '));
    }
const there = onHosts
  ? '16 hosts, each a network namespace with a process for its members, an equal share, and one for the aggregator; packets between them take as long as between the regions of AWS, with the jitter of the internet. What is killed is a process, by SIGKILL, where all of its members are to go'
  : `${membersEach(sizes[0])} members a process, on UDP over loopback, and the aggregator a process of its own`;
const page = `${[
  onHosts ? '# Beside one aggregator, on hosts of their own' : '# Beside one aggregator',
  '',
  `Printed by \`npm run bench -- aggregator${onHosts ? ' --testbed' : ''}\`. One message, equal weights, 67 % wanted; ${there}. The aggregator asks everybody, again after 200 ms, verifies answers in batches, and sends the certificate to all, again to whoever does not say that it has it. Handel is \`joinGroup\`: its packets are sealed and authenticated, the aggregator's are not. Something breaks ${breaksAfterMs} ms after the question. Times are from the question to the first certificate and to that of the last live member, within ${waitSeconds} s; CPU and bytes, both directions, of the busiest member or the aggregator by then. All share these cores, so that times are those of a machine that does everybody's work; CPU and bytes are what a machine of one's own would do. The period is the one that suits all members on these cores.`,
  '',
  machineLine(),
  '',
  table(['members', '', 'by', 'first', 'all live', 'CPU, busiest, ms', 'bytes, busiest, kB'], rows),
].join('\n')}\n`;
const isWhole = max >= sizes.at(-1) && min <= sizes[0];
writeRecord(onHosts ? 'bench-aggregator-hosts' : 'bench-aggregator', page, isWhole);

function cells(size, { name }, way, { firstMs, allMs, have, live, stats }) {
  const most = (what) => Math.max(...stats.map((one) => one[what]));
  const time = (ms) => (ms === undefined ? 'never' : `${ms.toFixed(0)} ms`);
  const all = allMs === undefined ? `${have} of ${live}` : time(allMs);
  return [size, name, way, time(firstMs), all, most('cpuMs').toFixed(0), (most('bytes') / 1000).toFixed(1)];
}

async function run(size, { killAsker = false, kill = 0, dead = 0, loss = 0 }, way) {
  const each = membersEach(size);
  const count = Math.ceil(size / each);
  const place = await (onHosts ? openHosts(count + 1, loss) : loopback(loss));
  const role = way === 'Handel' ? 'handel' : 'member';
  const hosts = Array.from({ length: count }, (_, at) =>
    start(place, at, { role, first: at * each, count: Math.min(each, size - at * each), size }),
  );
  const asker = way === 'Handel' ? hosts[0] : start(place, count, { role: 'aggregator', first: size, count: 1, size });
  const all = way === 'Handel' ? hosts : [...hosts, asker];
  const members = (await Promise.all(hosts.map((host) => host.next('ready')))).flatMap((ready) => ready.members);
  await Promise.all(all.map((host) => host.said.ready ?? host.next('ready')));
  for (const host of all) host.process.send({ kind: 'open', members });
  await Promise.all(all.map((host) => host.next('open')));
  // Never whoever asks: that is a case of its own.
  const gone = new Set(members.slice(size - Math.round(size * dead) - kill).map(({ index }) => index));
  const leave = (indices) => {
    for (const [at, host] of hosts.entries()) {
      const own = indices.filter((index) => Math.floor(index / each) === at);
      if (onHosts && own.length === each) void host.end();
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
  await place.close();
  return { ...outcome, stats };
}

/** One machine for all; members lose the packets themselves. */
function loopback(loss) {
  return { address: () => '127.0.0.1', inside: (_, command) => command, isOurs: false, loss, close: async () => {} };
}

/** Hosts of a testbed, AWS's regions apart; the network loses the packets. */
async function openHosts(hosts, loss) {
  const of = (name) => import(`../../apps/node-cli/dist/testbed/${name}.js`);
  const [{ createLatency }, { TestbedNetwork }, { requireTools }] = await Promise.all(
    ['latency', 'testbedNetwork', 'tools'].map(of),
  );
  requireTools();
  const network = await TestbedNetwork.open({
    hosts,
    latency: createLatency('aws', true, hosts, seed),
    rateMbit: Number.POSITIVE_INFINITY,
    faults: loss === 0 ? [] : [{ kind: 'loss', share: loss }],
    seed,
    onFailure: (error) => {
      throw error;
    },
  });
  network.goBeforeHosts();
  network.begin();
  return {
    address: (host) => network.addresses[host],
    inside: (host, command) => network.inside(host, command),
    isOurs: true,
    loss: 0,
    close: () => network.close(),
  };
}

/** Asks, breaks what is to break, and waits until all who live have the certificate. */
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
    // Nobody is left who could end it.
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

/** Starts the process of a host; `end` resolves when it is killed. */
function start(place, at, given) {
  const [execPath, ...execArgv] = place.inside(at, [process.execPath]);
  const argument = JSON.stringify({ ...given, host: place.address(at), loss: place.loss });
  const member = new URL('./committee/member.mjs', import.meta.url);
  // Keys are bytes.
  const child = fork(member, [argument], { execPath, execArgv, serialization: 'advanced' });
  // The network, which this process is, goes before the hosts.
  if (place.isOurs) setPriority(child.pid, 0);
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
