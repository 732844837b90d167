/**
 * Data that the page contains from the start. Each command takes about a minute on one core.
 *
 * `npm run data -- race`: generates the page's races: the race of a first visit, and the races that the page loads on
 * request, with failed nodes and with invalid signers (Handel and the sum only). `npm run data -- slots`: generates the
 * slots of Horn, with a million validators each, and a run of Handel on one of their committees. `npm run data --
 * matrix`: generates the results of each mechanism and baseline under each attack.
 *
 * `npm run data -- network-slots`: generates the slots on Ethereum's network, and the map of the shortest sufficient
 * slot; the part of the map for today's protocol is also a picture in the docs. `--map FILE`, repeatable, reads maps
 * from an earlier `tutti slots map --json`. `--network FILE` reads rows from `tutti slots network --json`, each for one
 * simulated slot length of the map. `--page` keeps the points of the page that no map contains. `--slot SYSTEM`,
 * repeatable, runs only these systems and keeps the other slots; `--slot none` keeps all slots.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { version } from '@tutti/core';
import { defaultHornParameters, hornSystems, scaledHornParameters } from '@tutti/core/horn';
import {
  createSlot,
  defaultNetworkScenario,
  defaultSlotScenario,
  runNetworkSlot,
  slotSteps,
  topicSteps,
} from '@tutti/ethereum';
import { matrixAttacks, matrixCell, matrixRows, raceProtocols, raceScenario, runCommittee, runRace } from '@tutti/lab';
import { shortestSlot } from '@tutti/lab/drawing';
import { tutti } from '../bench/frame.mjs';
import { root } from '../run.mjs';

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
const toTenth = (value) => Math.round(value * 10) / 10;

function write(path, content) {
  writeFileSync(`${root}apps/visualizer/src/${path}`, `${JSON.stringify(content)}\n`);
  console.log(`wrote ${path}`);
}

/** Number of nodes in the page's race. */
const nodes = 1024;
const deadShares = [0, 0.2];
/** Number of invalid signers in the page's race with invalid signers, and the protocols of that race. */
const invalidSigners = 10;
const rerunProtocols = ['handel', 'complete-graph-bulk'];
/** Unit of times: a quarter of a millisecond, so that 16 s fit into 16 bits. The largest number means never. */
const unitUs = 250;
const never = 65_535;

/**
 * Encodes the marks of a race in the form that the reader in race/raceFile.ts describes. In this form, the compressed
 * file is a third smaller than with the marks themselves.
 */
function packedMarks(marks, perNode) {
  const bytes = new Uint8Array(2 * marks.length);
  for (const [at, mark] of marks.entries()) {
    const difference = mark - (at % perNode === 0 ? 0 : marks[at - 1]);
    bytes[at] = difference & 0xff;
    bytes[marks.length + at] = difference >> 8;
  }
  return base64(bytes);
}

function races() {
  const record = (dead, protocols, byzantine = 0) => {
    const [runs, outcomes] = [[], []];
    for (const protocol of protocols) {
      const run = runRace(raceScenario(protocol, nodes, dead, byzantine));
      const { digest, live, reached, lastMs, meanMs, bytesSent, messagesSent, checked, marksUs, role } = run;
      const outcome = {
        protocol,
        nodes,
        dead,
        live,
        reached,
        lastMs: toTenth(lastMs),
        meanMs: toTenth(meanMs),
        bytesSent: Math.round(bytesSent),
        messagesSent: toTenth(messagesSent),
        checked: toTenth(checked),
      };
      outcomes.push(outcome);
      console.log(JSON.stringify(outcome));
      const marks = Uint16Array.from(marksUs, (us) => (us < 0 ? never : Math.min(never - 1, Math.round(us / unitUs))));
      runs.push({ protocol, digest, marks: packedMarks(marks, run.marks.length), role: base64(role) });
    }
    return { race: { dead, byzantine, runs }, outcomes };
  };
  const [race, withDead] = deadShares.map((dead) => record(dead, raceProtocols));
  const outcomes = [...race.outcomes, ...withDead.outcomes];
  write('race/race.json', { version, nodes, unitUs, race: race.race, outcomes });
  write('race/raceDead.json', withDead.race);
  const withByzantine = record(0, rerunProtocols, invalidSigners);
  write('race/raceByzantine.json', { ...withByzantine.race, outcomes: withByzantine.outcomes });
}

function slots() {
  const parameters = scaledHornParameters(2 ** 20, defaultHornParameters);
  /** Duration of a step, µs, and number of steps, which together cover the longest slot, Horn's 22 s. */
  const stepUs = 100_000;
  const steps = 220;

  const stored = ({ counts, quarters }) => ({ counts, quarters: base64(quarters) });
  const lanes = hornSystems.map((system) => {
    const slot = createSlot({ ...defaultSlotScenario, system, parameters });
    while (slot.advance(1));
    const recording = slot.recording();
    const { result } = recording;
    console.log(system, result.digest, JSON.stringify(result.votes));
    return { result, ...stored(slotSteps(recording, stepUs, steps)) };
  });
  const { steps: committeeSteps, ...run } = runCommittee({ ...defaultSlotScenario, parameters }, { stepUs, steps });
  console.log('handel, one committee', run.digest, run.reached, 'of', run.live, `at ${run.doneMs} ms`);
  const committee = { ...run, ...stored(committeeSteps) };
  write('horn/slots.json', { version, stepUs, lanes, committee });
}

function matrix() {
  const seeds = Array.from({ length: 20 }, (_, place) => place + 1);
  const round = (interval) =>
    interval && Object.fromEntries(Object.entries(interval).map(([name, value]) => [name, toTenth(value)]));
  const cells = [];
  for (const row of matrixRows)
    for (const attack of matrixAttacks) {
      const cell = matrixCell(row, attack, seeds);
      if (cell === undefined) continue;
      const { lastMs, checks, bytes, ...rest } = cell;
      cells.push({ ...rest, lastMs: round(lastMs), checks: round(checks), bytes: round(bytes) });
      console.log(JSON.stringify(cells.at(-1)));
    }
  write('matrix/matrix.json', { version, seeds: seeds.length, cells });
}

const networkSystems = ['electra', 'strawman', 'horn', 'handel-committees'];

function networkLane(system) {
  const slot = runNetworkSlot({ ...defaultNetworkScenario, system });
  const { reach, ...steps } = topicSteps(slot, 200);
  console.log(system, JSON.stringify(slot.result.inReach));
  return {
    scenario: { ...defaultNetworkScenario, system },
    result: slot.result,
    steps: { ...steps, reach: Buffer.from(reach).toString('base64') },
  };
}

function networkSlots(args) {
  const { values } = parseArgs({
    args,
    options: {
      map: { type: 'string', multiple: true, default: [] },
      network: { type: 'string', multiple: true, default: [] },
      page: { type: 'boolean', default: false },
      slot: { type: 'string', multiple: true },
    },
  });
  const written = 'horn/network.json';
  const file = `${root}apps/visualizer/src/${written}`;
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const own = values.network.flatMap((path) =>
    read(path).rows.map(({ preset, machine, slotMs, inRow }) => {
      const [slotSeconds, share] = [slotMs / 1000, inRow.at(-1).mean];
      const simulated = [{ slotSeconds, inReachPercent: 100 * share }];
      return {
        preset,
        value: machine,
        ownSeconds: slotSeconds,
        slotSeconds: share >= 0.99 ? slotSeconds : null,
        simulated,
      };
    }),
  );
  const given =
    values.map.length + own.length === 0 ? [tutti(['slots', 'map'], { quiet: false })] : values.map.map(read);
  const maps = values.page ? [read(file).frontier, ...given] : given;
  const isSame = (one) => (other) => other.preset === one.preset && other.value === one.value;
  const mapped = maps
    .flatMap(({ cells }) => cells)
    .filter((one, index, all) => all.findLastIndex(isSame(one)) === index);
  const cells = [...own.filter((one) => !mapped.some(isSame(one))), ...mapped];
  const slotSeconds = [
    ...new Set([...maps.flatMap((one) => one.slotSeconds), ...own.map(({ ownSeconds }) => ownSeconds)]),
  ].sort((a, b) => a - b);
  const kept = values.slot === undefined ? [] : read(file).lanes;
  const lanes = networkSystems.flatMap((system) => {
    const isRun = values.slot === undefined || values.slot.includes(system);
    return isRun ? [networkLane(system)] : kept.filter(({ scenario }) => scenario.system === system);
  });
  const frontier = { varied: 'machine', slotSeconds, cells };
  write(written, { version, lanes, frontier });
  writeFileSync(`${root}docs/images/shortest-slot.svg`, shortestSlot(frontier));
}

const makers = { race: races, slots, matrix, 'network-slots': networkSlots };
const [name, ...args] = process.argv.slice(2);
makers[name](args);
