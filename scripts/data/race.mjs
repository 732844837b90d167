/**
 * `npm run data -- race`: runs the races that the page shows, and writes them into the page: that of a first visit, and
 * the other, which it loads when it is asked for. Minutes of one core.
 */
import { writeFileSync } from 'node:fs';
import { version } from '@tutti/core';
import { racers, raceScenario, runRace } from '@tutti/lab';
import { root } from '../run.mjs';

/** The page's own race, for which every node's way is kept. */
const shownNodes = 1024;
/** For the handle on N, of which only the outcome is kept. */
const sizes = [64, 128, 256, 512, 1024, 2048];
const deadShares = [0, 0.2];
/** A quarter of a millisecond, so that 16 s fit 16 bits; the last number stands for never. */
const unitUs = 250;
const never = 65_535;

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
const round = (value) => Math.round(value * 10) / 10;

const races = deadShares.map((dead) => ({ dead, runs: [] }));
const outcomes = [];
for (const [place, dead] of deadShares.entries()) {
  for (const nodes of sizes) {
    for (const racer of racers) {
      const run = runRace(raceScenario(racer, nodes, dead));
      const { digest, live, reached, lastMs, meanMs, bytesSent, messagesSent, checked, marksUs, alive } = run;
      const outcome = {
        racer,
        nodes,
        dead,
        live,
        reached,
        lastMs: round(lastMs),
        meanMs: round(meanMs),
        bytesSent: Math.round(bytesSent),
        messagesSent: round(messagesSent),
        checked: round(checked),
      };
      outcomes.push(outcome);
      console.log(JSON.stringify(outcome));
      if (nodes !== shownNodes) continue;
      const marks = Uint16Array.from(marksUs, (us) => (us < 0 ? never : Math.min(never - 1, Math.round(us / unitUs))));
      races[place].runs.push({ racer, digest, marks: base64(marks), alive: base64(alive) });
    }
  }
}
const [race, dying] = races;
for (const [name, content] of [
  ['race', { version, nodes: shownNodes, unitUs, race, outcomes }],
  ['raceDying', dying],
]) {
  const file = `${root}apps/visualizer/src/race/${name}.json`;
  writeFileSync(file, `${JSON.stringify(content)}\n`);
  console.log(`wrote ${file}`);
}
