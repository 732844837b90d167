import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chordX, chordY, newChord, setChord } from './messages.ts';

const circle = { x: 200, y: 150, radius: 100 };
const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });

describe('setChord', () => {
  it('connects two points of the circle inside of it', () => {
    const chord = newChord();
    fc.assert(
      fc.property(angle, angle, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, share) => {
        const sine = Float64Array.of(Math.sin(from), Math.sin(to));
        const cosine = Float64Array.of(Math.cos(from), Math.cos(to));
        setChord(chord, circle, { sine, cosine }, 0, 1);
        expect(chordX(chord, 0)).toBeCloseTo(200 + 100 * Math.sin(from));
        expect(chordY(chord, 0)).toBeCloseTo(150 - 100 * Math.cos(from));
        expect(chordX(chord, 1)).toBeCloseTo(200 + 100 * Math.sin(to));
        expect(chordY(chord, 1)).toBeCloseTo(150 - 100 * Math.cos(to));
        const fromCentre = Math.hypot(chordX(chord, share) - 200, chordY(chord, share) - 150);
        expect(fromCentre).toBeLessThanOrEqual(100.001);
      }),
    );
  });
});
