import { describe, expect, it } from 'vitest';
import { applyStep, type OutageStep, outageSteps, permanentlyKilled } from './outages.ts';

describe('outageSteps', () => {
  it('lists the actions for each host, in the order of time', () => {
    expect(
      outageSteps(
        [
          { kind: 'pause', nodes: [2], atMs: 30, forMs: 10 },
          { kind: 'restart', nodes: [1], atMs: 10, forMs: 25, state: 'lost' },
          { kind: 'crash', nodes: [0], atMs: 20 },
          { kind: 'loss', share: 0.5 },
        ],
        3,
        1,
      ),
    ).toEqual([
      { atMs: 10, host: 1, outage: 'lost', isOver: false },
      { atMs: 20, host: 0, outage: 'crash', isOver: false },
      { atMs: 30, host: 2, outage: 'pause', isOver: false },
      { atMs: 35, host: 1, outage: 'lost', isOver: true },
      { atMs: 40, host: 2, outage: 'pause', isOver: true },
    ]);
  });

  it('draws a share of the hosts by seed, and only crashes are permanent', () => {
    const gone = (seed: number) =>
      permanentlyKilled(
        [
          { kind: 'crash', nodes: { share: 0.3 }, atMs: 5 },
          { kind: 'restart', nodes: [0], atMs: 0, forMs: 1, state: 'kept' },
        ],
        10,
        seed,
      );
    expect(gone(1).size).toBe(3);
    expect(gone(1)).toEqual(gone(1));
    expect(gone(1)).not.toEqual(gone(2));
  });
});

describe('applyStep', () => {
  it.each<[string, OutageStep['outage'], string[]]>([
    ['a pause stops the processes, and arriving packets wait for them', 'pause', ['pause', 'resume']],
    [
      'a restart that keeps its state stops the processes, and arriving packets are lost',
      'kept',
      ['down', 'pause', 'up', 'resume'],
    ],
    ['a restart that loses its state kills the processes and starts others', 'lost', ['down', 'kill', 'up', 'restart']],
  ])('%s', (_, outage, actions) => {
    const applied: string[] = [];
    const note = (action: string) => () => void applied.push(action);
    const victim = {
      kill: note('kill'),
      restart: note('restart'),
      pause: note('pause'),
      resume: note('resume'),
      setDown: (isDown: boolean) => void applied.push(isDown ? 'down' : 'up'),
    };
    for (const isOver of [false, true]) applyStep({ atMs: 0, host: 0, outage, isOver }, victim);
    expect(applied).toEqual(actions);
  });
});
