import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyMoment, recordedRun } from '../../test/recordedRun.ts';
import { HeldCursor } from './heldCursor.ts';
import { heldAt, heldSteps } from './heldSteps.ts';

it('holds what heldAt says, whichever moments one goes to', () => {
  const recording = recordedRun({ nodes: 20, dead: 0.2, seed: 2 });
  const steps = heldSteps(recording);
  fc.assert(
    fc.property(fc.array(anyMoment(recording), { maxLength: 8 }), (moments) => {
      const cursor = new HeldCursor(steps);
      for (const atUs of moments)
        for (let id = 0; id < 20; id++) expect(cursor.at(id, atUs)).toBe(heldAt(steps, id, atUs));
    }),
  );
});
