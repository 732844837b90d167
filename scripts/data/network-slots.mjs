/**
 * `npm run data -- network-slots`: runs the slots on Ethereum's network that the page shows at once, and the map of how long a
 * slot must be, and writes both into the page, and today's part of the map as a picture into the docs. Minutes of one core. `--map FILE`, repeatable, takes maps that
 * `tutti horn map --json` has printed before, `--network FILE` rows of `tutti horn network --json`, each of which is
 * one length of the map that was run; `--page` keeps the points that the page has and no map has again; `--slot SYSTEM`, repeatable, runs only those and keeps the other slots as
 * they are, `--slot none` all of them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { version } from '@tutti/core';
import { shortestSlot } from '@tutti/lab/drawing';
import { defaultNetworkScenario, runNetworkSlot, topicSteps } from '@tutti/simulation/slots';
import { root } from '../run.mjs';

const { values } = parseArgs({
  options: {
    map: { type: 'string', multiple: true, default: [] },
    network: { type: 'string', multiple: true, default: [] },
    page: { type: 'boolean', default: false },
    slot: { type: 'string', multiple: true },
  },
});
const systems = ['electra', 'strawman', 'horn', 'handel-committees'];
const stepMs = 200;
const file = `${root}apps/visualizer/src/horn/network.json`;

function lane(system) {
  const slot = runNetworkSlot({ ...defaultNetworkScenario, system });
  const { reach, ...steps } = topicSteps(slot, stepMs);
  console.log(system, JSON.stringify(slot.result.inReach));
  return {
    scenario: { ...defaultNetworkScenario, system },
    result: slot.result,
    steps: { ...steps, reach: Buffer.from(reach).toString('base64') },
  };
}

function map() {
  const tutti = `${root}apps/node-cli/bin/tutti.js`;
  const run = spawnSync(process.execPath, [tutti, 'horn', 'map', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`tutti horn map: expected exit code 0, got ${run.status}`);
  return JSON.parse(run.stdout);
}

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const own = values.network.flatMap((path) =>
  read(path).rows.map(({ preset, machine, slotMs, inRow }) => {
    const [slotSeconds, share] = [slotMs / 1000, inRow.at(-1).mean];
    const played = [{ slotSeconds, inReachPercent: 100 * share }];
    return { preset, value: machine, ownSeconds: slotSeconds, slotSeconds: share >= 0.99 ? slotSeconds : null, played };
  }),
);
const given = values.map.length + own.length === 0 ? [map()] : values.map.map(read);
const maps = values.page ? [read(file).frontier, ...given] : given;
const isSame = (one) => (other) => other.preset === one.preset && other.value === one.value;
const mapped = maps.flatMap(({ cells }) => cells).filter((one, index, all) => all.findLastIndex(isSame(one)) === index);
const cells = [...own.filter((one) => !mapped.some(isSame(one))), ...mapped];
const slotSeconds = [
  ...new Set([...maps.flatMap((one) => one.slotSeconds), ...own.map(({ ownSeconds }) => ownSeconds)]),
].sort((a, b) => a - b);
const kept = values.slot === undefined ? [] : JSON.parse(readFileSync(file, 'utf8')).lanes;
const lanes = systems.flatMap((system) => {
  const isPlayed = values.slot === undefined || values.slot.includes(system);
  return isPlayed ? [lane(system)] : kept.filter(({ scenario }) => scenario.system === system);
});
const frontier = { varied: 'machine', slotSeconds, cells };
writeFileSync(file, `${JSON.stringify({ version, lanes, frontier })}\n`);
console.log(`wrote ${file}`);
writeFileSync(`${root}docs/images/shortest-slot.svg`, shortestSlot(frontier));
