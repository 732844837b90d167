/** Handel on a user-defined network: one-way latencies from a file. */
import { readFileSync } from 'node:fs';
import { defaultScenario, matrixNetwork, simulate } from '@tutti/simulation';

const matrix = JSON.parse(readFileSync(new URL('./latencies.json', import.meta.url), 'utf8'));
const nodes = 300;
const run = simulate({ ...defaultScenario, nodes }, { network: matrixNetwork(matrix, nodes, 1) });
console.log(
  `${run.reached} of ${run.live} nodes in ${matrix.places.join(', ')}: ${run.timeToThresholdMs.mean.toFixed(0)} ms on average`,
);
