import { expect, it } from 'vitest';
import { recordedRun, sizes } from '../../test/recordedRun.ts';
import { Assembly, piecesOf, restOf } from './savingPieces.ts';

it.each(sizes)('splits a recording of %i nodes and joins it again', (nodes) => {
  const recording = recordedRun({ nodes, dead: nodes > 12 ? 0.2 : 0 });
  const assembly = new Assembly();
  for (const piece of piecesOf(recording, 1000)) {
    expect(piece.part.byteLength).toBeLessThanOrEqual(1000);
    assembly.add(structuredClone(piece, { transfer: [piece.part.buffer] }));
  }
  expect(assembly.whole(structuredClone(restOf(recording)))).toEqual(recording);
});
