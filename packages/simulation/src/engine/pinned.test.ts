import { CountingScheme, Tree } from '@tutti/core';
import { expect, it } from 'vitest';
import { digestOf, drawn } from '../../../../tests/digests.ts';
import { batchChecks, batchCost } from './batchChecks.ts';
import { Cores } from './cores.ts';
import { cpuFactors } from './cpu.ts';
import { Deferred } from './deferred.ts';
import { Digest } from './digest.ts';
import { EventQueue, headBits } from './eventQueue.ts';

it('digests of runs, machines, cores, batches and verdicts that wait are what they were', () => {
  const pins = {
    digests: drawn(40, (draw) => {
      const digest = new Digest();
      return draw.list(20, () => {
        digest.add(
          draw.integer(0, 2 ** 20) * draw.integer(-2048, 2047),
          draw.integer(0, 2 ** 20) * draw.integer(-2048, 2047),
        );
        return digest.toString();
      });
    }),
    factors: [1, 2.5, 3].map((spread, seed) => cpuFactors(200, seed, spread)),
    cores: drawn(20, (draw, seed) => {
      const nodes = draw.integer(1, 30);
      const cores = new Cores(Uint8Array.from(draw.list(nodes, () => draw.integer(0, 3))), draw.integer(1, 4), seed);
      const work = draw.list(60, () => {
        const [id, nowUs] = [draw.integer(0, nodes - 1), draw.integer(0, 9000)];
        return [cores.freeUs(id, nowUs), cores.work(id, nowUs, draw.integer(0, 700))];
      });
      return [cores.of, work];
    }),
    batches: drawn(400, (draw) => {
      const valid = draw.one([0.3, 0.9, 1]);
      return batchChecks(draw.list(draw.integer(1, 32), () => draw.chance(valid)));
    }),
    batchCost,
    deferred: drawn(20, (draw) => {
      const scheme = Object.assign(new CountingScheme(new Tree(8)), {
        verifyBatch: (all: readonly number[]) => all.map((one) => scheme.verify(one)),
      });
      const deferred = new Deferred(scheme);
      const asked: number[] = [];
      const told: unknown[] = [];
      for (let step = 0; step < 40; step++) {
        const one = draw.chance(0.7) ? scheme.individual(draw.integer(0, 7)) : scheme.forge(1, undefined);
        if (draw.chance(0.6)) asked.push(deferred.ask(one, (is) => told.push(['told', step, is])));
        else if (draw.chance(0.2)) deferred.settle();
        else if (asked.length > 0) told.push(deferred.answer(asked.splice(draw.integer(0, asked.length - 1), 1)[0]!));
        scheme.release(one);
        told.push(scheme.held, asked.at(-1));
      }
      return told;
    }),
  };
  expect(Object.entries(pins).map(([name, of]) => `${name} ${digestOf(of)}`)).toMatchInlineSnapshot(`
    [
      "digests 1d5565e3e5dd",
      "factors c8b263e64f91",
      "cores cb9ab5dad0a0",
      "batches 580a877940b1",
      "batchCost a330774a0a7b",
      "deferred 6faff81428c0",
    ]
  `);
});

it('events come by time, and at one time in the order in which they were put, as a sorted list has them', () => {
  const wrong = drawn(30, (draw) => {
    const queue = new EventQueue();
    const list: { readonly timeUs: number; readonly order: number; readonly of: readonly number[] }[] = [];
    let order = 0;
    const push = () => {
      const far = draw.one([0, 1, 30, 511, 512, 513, 40_000, 2 ** 21 - 513, 2 ** 21, 2 ** 21 + 1, 5_000_000]);
      const timeUs = queue.timeUs + draw.integer(0, far);
      const of = [draw.integer(0, 2 ** headBits - 1), draw.integer(-9, 9), draw.integer(0, 2 ** 20), order] as const;
      queue.push(timeUs, ...of);
      list.push({ timeUs, order: order++, of });
    };
    return draw.list(draw.one([40, 400]), () => {
      for (let more = draw.integer(0, draw.chance(0.05) ? 90 : 3); more > 0; more--) push();
      const first = list.reduce(
        (a, b) => (b.timeUs < a.timeUs || (b.timeUs === a.timeUs && b.order < a.order) ? b : a),
        list[0]!,
      );
      const is = queue.next();
      if (is !== list.length > 0) return ['one too many or too few'];
      if (!is) return [];
      list.splice(list.indexOf(first), 1);
      const came = [queue.timeUs, queue.head, queue.b, queue.c, queue.d];
      return `${came}` === `${[first.timeUs, ...first.of]}` ? [] : [`${came} for ${first.timeUs},${first.of}`];
    });
  });
  expect(wrong.flat(2)).toEqual([]);
});
