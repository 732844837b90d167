import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slab } from './slab.ts';

it('Slab returns zeroed memory of one owner that keeps its values', () => {
  const steps = fc.array(fc.record({ k: fc.nat(18), give: fc.nat(4), which: fc.nat() }), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (taken) => {
      const slab = new Slab();
      let mark = 0;
      let runs: { address: number; k: number; mark: number }[] = [];
      const at = (address: number, k: number): Int32Array => slab.ints.subarray(address, address + (1 << k));
      for (const { k, give, which } of taken) {
        if (give === 0 && runs.length > 0) {
          const [gone] = runs.splice(which % runs.length, 1);
          slab.release(gone!.address, gone!.k);
        } else if (give === 4 && which % 4 === 0) {
          slab.clear();
          runs = [];
        } else if (give === 1 && runs.some((run) => run.k < 18)) {
          const small = runs.filter((run) => run.k < 18);
          const run = small[which % small.length]!;
          const address = slab.grow(run.address, run.k);
          const room = at(address, run.k + 1);
          expect(room.subarray(0, 1 << run.k).every((value) => value === run.mark)).toBe(true);
          expect(room.subarray(1 << run.k).every((value) => value === 0)).toBe(true);
          room.fill(run.mark);
          runs = runs.filter((other) => other !== run);
          runs.push({ address, k: run.k + 1, mark: run.mark });
        } else {
          const address = slab.allocate(k);
          const room = at(address, k);
          expect(room.length).toBe(1 << k);
          expect(room.every((value) => value === 0)).toBe(true);
          room.fill(++mark);
          runs.push({ address, k, mark });
        }
        for (const run of runs) {
          const room = at(run.address, run.k);
          expect(room[0] === run.mark && room[room.length - 1] === run.mark).toBe(true);
        }
      }
      for (const run of runs) expect(at(run.address, run.k).every((value) => value === run.mark)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it('Slab reuses returned memory', () => {
  const slab = new Slab();
  const first = slab.allocate(3);
  slab.ints[first] = 7;
  slab.release(first, 3);
  const second = slab.allocate(3);
  expect(second).toBe(first);
  expect(slab.ints[second]).toBe(0);
});
