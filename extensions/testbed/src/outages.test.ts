import { describe, expect, it } from 'vitest';
import { neverBack, type OutageStep, steps, take } from './outages.ts';

describe('steps', () => {
  it('lists the actions for each host, in the order of time', () => {
    expect(
      steps(
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
      neverBack(
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

describe('take', () => {
  /** Returns the actions at the beginning and at the end of an outage. */
  const done = (outage: OutageStep['outage']) => {
    const did: string[] = [];
    const note = (what: string) => () => void did.push(what);
    const victim = {
      kill: note('kill'),
      restart: note('restart'),
      pause: note('pause'),
      resume: note('resume'),
      setDown: (isDown: boolean) => void did.push(isDown ? 'down' : 'up'),
    };
    for (const isOver of [false, true]) take({ atMs: 0, host: 0, outage, isOver }, victim);
    return did;
  };

  it('a pause stops the processes, and arriving packets wait for them', () => {
    expect(done('pause')).toEqual(['pause', 'resume']);
  });

  it('a restart that keeps its state stops the processes, and arriving packets are lost', () => {
    expect(done('kept')).toEqual(['down', 'pause', 'up', 'resume']);
  });

  it('a restart that loses its state kills them and starts others', () => {
    expect(done('lost')).toEqual(['down', 'kill', 'up', 'restart']);
  });
});
