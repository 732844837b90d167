import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slab, sizeClass } from './slab.ts';

describe('Slab', () => {
  it('returns zeroed memory of one owner that keeps its values', () => {
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

  it('reuses returned memory', () => {
    const slab = new Slab();
    const first = slab.allocate(3);
    slab.ints[first] = 7;
    slab.release(first, 3);
    const second = slab.allocate(3);
    expect(second).toBe(first);
    expect(slab.ints[second]).toBe(0);
  });

  it('takes shorter runs from a longer returned run', () => {
    const slab = new Slab(64);
    const long = slab.allocate(5);
    slab.ints.fill(7, long, long + 32);
    slab.release(long, 5);
    const [a, b, c] = [slab.allocate(3), slab.allocate(4), slab.allocate(3)];
    expect([a, b, c].map((address) => address - long).sort((x, y) => x - y)).toEqual([0, 8, 16]);
    expect(slab.ints.subarray(long, long + 32).every((value) => value === 0)).toBe(true);
  });

  it('reserves whole cache lines permanently', () => {
    const slab = new Slab();
    slab.allocate(0);
    const [first, second] = [slab.reserve(17), slab.reserve(1)];
    expect([first % 16, second - first]).toEqual([0, 32]);
  });
});

it('sizeClass is the least k with 2^k >= length', () => {
  for (let length = 1; length <= 300; length++) expect(sizeClass(length)).toBe(Math.ceil(Math.log2(length)));
  expect(sizeClass(0)).toBe(0);
});
