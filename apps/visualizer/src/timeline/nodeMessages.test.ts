import { LineKind } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { nodeMessages } from './nodeMessages.ts';

it('is every message twice: with who sent it and with who was to get it, also what is lost', () => {
  const recording = recordedRun({ nodes: 16, faults: [{ kind: 'loss', share: 0.2 }], seed: 3 });
  const sends = upTo(recording.length).filter((line) => recording.kind[line] === LineKind.send);
  const all = upTo(16).map((id) => nodeMessages(recording, id));
  expect(sends.some((line) => recording.untilUs[line]! < 0)).toBe(true);
  expect(all.flatMap(({ went }) => [...went]).sort((a, b) => a - b)).toEqual(sends);
  expect(all.flatMap(({ came }) => [...came]).sort((a, b) => a - b)).toEqual(sends);
});
