import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReplayWindow, replayWindow } from './replayWindow.ts';

/** Reference model of the window, with unlimited memory. */
class PatientWindow {
  readonly #seen = new Set<number>();
  #highest = -1;

  isFresh(counter: number): boolean {
    return !this.#seen.has(counter) && this.#highest - counter < replayWindow;
  }

  accept(counter: number): void {
    this.#seen.add(counter);
    this.#highest = Math.max(this.#highest, counter);
  }
}

it('accepts each counter at most once, with the same answers as an unbounded set', () => {
  const steps = fc.array(
    fc.oneof(fc.integer({ min: -70, max: 70 }), fc.constantFrom(-64, -63, -33, -32, -31, 31, 32, 33, 64)),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), steps, (first, jumps) => {
      const window = new ReplayWindow();
      const patient = new PatientWindow();
      let counter = first;
      for (const jump of jumps) {
        counter = Math.max(0, counter + jump);
        expect(window.isFresh(counter)).toBe(patient.isFresh(counter));
        if (!window.isFresh(counter)) continue;
        window.accept(counter);
        patient.accept(counter);
        expect(window.isFresh(counter)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});

it('accepts a counter that is fewer than 64 behind the newest one', () => {
  const window = new ReplayWindow();
  window.accept(100);
  expect(window.isFresh(37)).toBe(true);
  expect(window.isFresh(36)).toBe(false);
});

it('stores nothing for a counter that is older than the window', () => {
  const window = new ReplayWindow();
  window.accept(200);
  for (let old = 0; old <= 136; old++) window.accept(old);
  for (let counter = 137; counter < 200; counter++) expect(window.isFresh(counter)).toBe(true);
});
