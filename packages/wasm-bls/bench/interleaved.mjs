import assert from 'node:assert/strict';
import { libraries } from './contenders.mjs';
import { median } from './sampling.mjs';

/**
 * Times of contenders at operations: each round asks all of them for one operation in turn, the order turned by one
 * each round.
 *
 * @param all - contenders by name, as contenders.mjs has them; their answers may be promises.
 * @param names - theirs, in the order of the columns.
 * @param of - what a cell is of its samples: their median, or their least, and then a ratio is that of the least.
 * @returns as `measure` in libraries.mjs.
 */
export async function interleaved(all, { rounds, only, told, of = median, names = libraries }) {
  const rows = [];
  for (const operation of only) {
    await told(operation);
    const present = names.filter((name) => all[name]?.has.includes(operation));
    const calls = {};
    const answers = {};
    for (const name of present) {
      answers[name] = await all[name].answer(operation);
      assert.deepEqual(answers[name], answers[present[0]], `${name}: ${operation}`);
      calls[name] = await all[name].calls(operation);
    }
    const samples = Object.fromEntries(present.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (let i = 0; i < present.length; i++) {
        const name = present[(i + round) % present.length];
        samples[name].push(await all[name].sample(operation, calls[name]));
      }
    const cell = (f) => Object.fromEntries(names.map((name) => [name, samples[name] ? f(samples[name]) : null]));
    rows.push({
      operation,
      ms: cell(of),
      ratio: cell((ms) => (samples.scalar ? ratioOf(ms, samples.scalar, of) : null)),
    });
  }
  return rows;
}

const ratioOf = (ms, base, of) =>
  of === median ? median(ms.map((value, round) => value / base[round])) : of(ms) / of(base);

/** The least of some samples. */
export const least = (samples) => Math.min(...samples);
