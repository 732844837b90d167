/**
 * `npm run bench -- first-places`: of how many victims a number of chosen ids fills the first places, with shifted rows of
 * verification priorities and with independent ones (v1.0 section 4.3). A greedy search's, so a lower bound. Needs
 * `npm run compile`; prints the table of docs/mechanisms/shuffle.md.
 */

import { IndependentPriorities, ShiftedPriorities } from '@tutti/core';
import { mostVictims } from '../../packages/simulation/dist/attacks/firstPlaces.js';

const nodes = 1024;
const seeds = [1, 2, 3];

console.log('| chosen ids of 1024 | first places | victims, shifted rows | victims, independent rows |');
console.log('|---:|---:|---:|---:|');
for (const [attackers, places] of [
  [32, 5],
  [64, 7],
  [128, 7],
]) {
  const victims = [ShiftedPriorities, IndependentPriorities].map((Priorities) =>
    seeds.map((seed) => mostVictims(new Priorities(nodes, seed), nodes, attackers, places)).join(', '),
  );
  console.log(`| ${attackers} | ${places} | ${victims.join(' | ')} |`);
}
