/**
 * `npm run data -- run-times [FILE]`: runs each distinct run of `tutti figures --quick` once, one after another in this
 * process, and writes the CPU time of each run. The constants of `apps/node-cli/src/sweep/cost.ts` were fitted to these
 * times. The default of FILE is tests/vectors/run-times.jsonl. The command takes minutes on one core, which should
 * otherwise be idle.
 */
import { writeFileSync } from 'node:fs';
import { experiments, scenariosFor, simulateLab } from '@tutti/lab';
import { canonicalJson } from '@tutti/lab/results';
import { defaultScenario } from '@tutti/simulation';
import { pointKey } from '../../apps/node-cli/dist/sweep/point.js';
import { root } from '../run.mjs';

const file = process.argv[2] ?? `${root}tests/vectors/run-times.jsonl`;
const done = new Set();
/** CPU times per seed, by figure and scenario without its seed. */
const lines = new Map();
for (const experiment of experiments)
  for (const scenario of scenariosFor(experiment, 'quick')) {
    const key = pointKey(scenario);
    if (done.has(key)) continue;
    done.add(key);
    const before = process.cpuUsage();
    simulateLab(scenario);
    const { user, system } = process.cpuUsage(before);
    const { seed: _, ...fields } = scenario;
    const differing = Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => canonicalJson(value) !== canonicalJson(defaultScenario[name])),
    );
    const name = experiment.id + canonicalJson(differing);
    const line = lines.get(name) ?? { figure: experiment.id, scenario: differing, cpuMs: [] };
    line.cpuMs.push(Math.max(1, Math.round((user + system) / 1000)));
    lines.set(name, line);
  }
writeFileSync(file, [...lines.values()].map((line) => `${JSON.stringify(line)}\n`).join(''));
console.log(`${done.size} runs, ${file}`);
