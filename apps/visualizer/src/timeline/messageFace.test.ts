import { defaultScenario, LineKind, NodeRole, type Recording } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { forked } from '../branches/breakPanel.ts';
import { faceOf, hasInvalid } from './messageFace.ts';

function sends(recording: Recording): number[] {
  return upTo(recording.length).filter((line) => recording.kind[line] === LineKind.send);
}

describe('faceOf', () => {
  it('distinguishes exactly the messages of Byzantine nodes from the others', () => {
    const recording = recordedRun({ nodes: 64, attacks: [{ name: 'equivocate', share: 0.3 }] });
    expect(hasInvalid(recording)).toBe(true);
    const lines = sends(recording);
    const lies = lines.filter((line) => faceOf(recording, line) === 'lie');
    expect(lies).toEqual(lines.filter((line) => recording.world.alive[recording.node[line]!] === NodeRole.byzantine));
    expect(lies.length).toBeGreaterThan(100);
  });

  it('distinguishes the messages of a node after a fault makes it Byzantine', () => {
    const recording = recordedRun(forked({ ...defaultScenario, nodes: 64 }, 'lie', [3, 9], 120_000, 0));
    expect(hasInvalid(recording)).toBe(true);
    const lies = sends(recording).filter((line) => faceOf(recording, line) === 'lie');
    const { node, timeUs } = recording;
    expect(lies).toEqual(sends(recording).filter((line) => [3, 9].includes(node[line]!) && timeUs[line]! >= 120_000));
    expect(lies.length).toBeGreaterThan(10);
  });

  it('distinguishes a complete side from a partial one without Byzantine nodes', () => {
    const recording = recordedRun({ nodes: 16, dead: 0.2 });
    expect(hasInvalid(recording)).toBe(false);
    expect(new Set(sends(recording).map((line) => faceOf(recording, line)))).toEqual(new Set(['part', 'all']));
  });
});
