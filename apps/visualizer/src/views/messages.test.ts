import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chordX, chordY, newChord, setChord } from './messages.ts';

const circle = { x: 200, y: 150, radius: 100 };
const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });

it('the path of a message connects two points of the circle inside of it', () => {
  const chord = newChord();
  fc.assert(
    fc.property(angle, angle, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, share) => {
      const sine = Float64Array.of(Math.sin(from), Math.sin(to));
      const cosine = Float64Array.of(Math.cos(from), Math.cos(to));
      setChord(chord, circle, { sine, cosine }, 0, 1);
      for (const end of [0, 1]) {
        expect(chordX(chord, end)).toBeCloseTo(200 + 100 * sine[end]!);
        expect(chordY(chord, end)).toBeCloseTo(150 - 100 * cosine[end]!);
      }
      expect(Math.hypot(chordX(chord, share) - 200, chordY(chord, share) - 150)).toBeLessThanOrEqual(100.001);
    }),
  );
});
